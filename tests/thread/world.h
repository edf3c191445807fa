/*
 * world.h - what a store in the stress programs may hold, so simple that a copy of its whole state is an array.
 *
 *     places:   collection 0 .. 3, 1500 keys each  | 1500 small collections of 3 keys each
 *     state:    for each place a number: 0, no entry is there; n, the value written with number n is
 *
 * Key and value follow from place and number, so whoever reads can tell whether bytes are those that were written, and which.
 * The keys of a collection ascend with their places, and every 50 of them lie in one folder.
 */
#ifndef TESTS_THREAD_WORLD_H
#define TESTS_THREAD_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/sheaf.h>

enum {
    BIG_COUNT = 4,
    BIG_KEY_COUNT = 1500,
    SMALL_COUNT = 1500,
    SMALL_KEY_COUNT = 3,
    COLLECTION_COUNT = BIG_COUNT + SMALL_COUNT,
    PLACE_COUNT = BIG_COUNT * BIG_KEY_COUNT + SMALL_COUNT * SMALL_KEY_COUNT,
    FOLDER_KEY_COUNT = 50,
    VALUE_SIZE_MAX = 12000,
};

struct state {
    uint32_t numbers[PLACE_COUNT];
};

struct key_text {
    char text[24];
    size_t size;
};

/* Places of a collection: begin included, end excluded. */
struct places {
    uint32_t begin;
    uint32_t end;
};

struct places places_of(uint32_t collection);
uint32_t collection_of(uint32_t place);

struct key_text partition_key_of(uint32_t collection);
struct key_text sort_key_of(uint32_t place);
struct key_text folder_of(uint32_t place); /* with its delimiter, '/' */
sheaf_bytes text_bytes(const struct key_text *text);

/* The value written to a place with a number above 0. `buffer` has VALUE_SIZE_MAX bytes. */
sheaf_bytes value_for(uint32_t place, uint32_t number, uint8_t *buffer);
size_t value_size_for(uint32_t place, uint32_t number);
/* The number that a value says it was written with; the program ends unless every byte of it is right. */
uint32_t number_in(uint32_t place, sheaf_bytes value);

/* Entries and bytes that a state has in some places. */
sheaf_totals totals_in(const struct state *state, struct places places);

/* Reads a store in a way drawn from `random` and compares all that it gives with the state. */
void compare_some(const sheaf_store *store, const struct state *state, uint64_t *random);
/* All of it: totals, enumeration, every collection in both directions, every invariant. */
void compare_all(const sheaf_store *store, const struct state *state);

#endif
