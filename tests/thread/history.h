/*
 * history.h - what each key of a shared store may hold at a moment, known without a lock: each key has one writer.
 *
 *      writer of the key     started = 7 .... put version 7 .... finished = 7
 *      reader                   reads finished, then the key, then started:     finished <= version <= started
 *
 * A version is a number that only grows; those that 4 divides say that the key is absent, all others that it has the value that
 * follows from key and version. So whoever reads a value can tell whether every byte of it is right, and whether it was current
 * at some moment between the start and the end of the read.
 *
 * Keys lie in collections, those of one writer side by side below a folder of his; some collections are one writer's alone.
 */
#ifndef TESTS_THREAD_HISTORY_H
#define TESTS_THREAD_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/sheaf.h>

enum {
    WRITERS = 2,
    COLLECTIONS = 40,
    KEYS_EACH = 64, /* of a collection */
    KEYS = COLLECTIONS * KEYS_EACH,
    VALUE_MAX = 3000,
    ABSENT = 0, /* the version of what is not found, when nothing more is known */
};

struct name {
    char text[24];
    size_t size;
};

struct name collection_name(uint32_t collection);
struct name key_name(uint32_t key);
struct name folder_name(uint32_t writer); /* all keys of a writer in a collection begin with it */
sheaf_bytes name_bytes(const struct name *name);
uint32_t collection_of(uint32_t key);
uint32_t writer_of(uint32_t key);
/* The collection is one writer's alone. */
bool is_whole(uint32_t collection);
/* The key that a name says, within a collection. */
uint32_t key_named(uint32_t collection, sheaf_bytes sort_key);

/* `buffer` has VALUE_MAX bytes. */
sheaf_bytes value_for(uint32_t key, uint32_t version, uint8_t *buffer);
/* The version of a value, every byte of which must be right for the key. */
uint32_t version_in(uint32_t key, sheaf_bytes value);

static inline bool is_absent(uint32_t version)
{
    return version % 4 == 0;
}

/* By its writer: the version it has, and the next one in which it is there, or absent. */
uint32_t history_now(uint32_t key);
uint32_t history_next(uint32_t key, bool absent);
void history_start(uint32_t key, uint32_t version);
void history_finish(uint32_t key, uint32_t version);
/* A change that was begun and did not happen: may be taken back, since nobody can have read it. */

/* By a reader: what it may find from now on, and what it may have found up to now. */
uint32_t history_earliest(uint32_t key);
uint32_t history_latest(uint32_t key);

/* Whether a version was current at some moment between the two; ABSENT stands for any that is absent, `lossy`: and may be for
 * want of room too. The program ends unless it was. */
void history_expect(uint32_t key, uint32_t version, uint32_t earliest, uint32_t latest, bool lossy);

#endif
