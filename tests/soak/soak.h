/*
 * soak.h - what the soak's loads share: their seed, their end, and keys and values that tell whether they are right.
 *
 * A load has a store that is full all the time, and does to it all that can be done. The main program looks at the memory of
 * the process meanwhile. Each load proves at its end that its store is sound, and that all values it has put are there or have
 * been told of.
 */
#ifndef TESTS_SOAK_SOAK_H
#define TESTS_SOAK_SOAK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <sheaf/sheaf.h>

#include "tests/support/random.h"

enum { SOAK_VALUE_SIZE_MAX = 6000 };

struct soak {
    uint64_t seed;
    uint64_t budget_bytes; /* of each load */
    atomic_bool ending;
};

/* What a load has done, for the report. Written by the load, read by the main program. */
struct soak_books {
    const char *name;
    atomic_ullong operations;
    atomic_ullong refusals;      /* for want of room */
    atomic_ullong events;
    atomic_ullong evictions; /* of these */
    atomic_ullong expirations;
    atomic_ullong charged_bytes; /* as last looked at */
    atomic_ullong resident_bytes;
    atomic_ullong view_count;
};

void soak_store(struct soak *soak, struct soak_books *books);  /* a store of one thread */
void soak_shared(struct soak *soak, struct soak_books *books); /* a shared store, with threads of its own */

/* ---- keys and values ------------------------------------------------------------------------------------------------------ */

struct soak_key {
    char partition_text[32], sort_text[48];
    sheaf_bytes partition_key, sort_key;
};

/* One of some 400,000, the lower numbers far more often. */
uint32_t soak_draw(struct random *random);

void soak_key(uint32_t number, struct soak_key *out_key);

/* The prefix of a key's folder, a few dozen entries, in `buffer` of 48 bytes. */
sheaf_bytes soak_folder(uint32_t number, char *buffer);

/* A value for a key, of an even size drawn at random. */
sheaf_bytes soak_value(struct random *random, uint32_t number, uint8_t *buffer);

/* One of an odd size: what a loader finds. */
sheaf_bytes soak_loaded_value(struct random *random, uint32_t number, uint8_t *buffer);

static inline bool soak_is_loaded(sheaf_bytes value)
{
    return value.size % 2 != 0;
}

/* Exits unless it is one that was put for this key. */
void soak_expect_value(uint32_t number, sheaf_bytes value);

/* Exits with a line that says so unless the condition holds. */
void soak_expect(bool condition, const char *what);

#endif
