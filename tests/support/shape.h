/*
 * shape.h - what random keys, values and ranges look like.
 *
 * Keys come from small alphabets, so that they collide, share prefixes and end inside one another; that is where ordered trees
 * go wrong. A shape is one such alphabet with sizes; `live_count` is about how many entries an exercise grows to before it
 * shrinks again.
 */
#ifndef TESTS_SUPPORT_SHAPE_H
#define TESTS_SUPPORT_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#include "tests/support/model.h"
#include "tests/support/random.h"

enum key_kind {
    KEYS_LETTERS,    /* letters of `letters`, sizes 0 to key_size_max */
    KEYS_STEM,       /* a long stem of one letter, cut or not, then a few letters: long shared prefixes, long keys */
    KEYS_PATHS,      /* file paths with few names, files and folders alike, sometimes a doubled or closing slash */
    KEYS_ASCENDING,  /* zero-padded numbers that mostly go up */
    KEYS_DESCENDING, /* that mostly go down */
    KEYS_BINARY      /* any bytes */
};

enum value_kind { VALUES_EMPTY, VALUES_SHORT, VALUES_MIXED, VALUES_LARGE };

struct shape {
    const char *name;
    enum key_kind keys;
    const char *letters; /* of KEYS_LETTERS and KEYS_STEM; letter_count of them, 00 may be one */
    uint32_t letter_count;
    uint32_t key_size_max;
    enum value_kind values;
    uint32_t live_count;
};

/* The shapes every model test runs through. */
extern const struct shape shapes[];
extern const size_t shape_count;

enum { SHAPE_VALUE_SIZE_MAX = 5000 };

/* State a shape needs beside its choices: the numbers given so far, and bytes for values. */
struct shape_source {
    const struct shape *shape;
    struct random *random;
    uint32_t number;
    uint8_t value_bytes[SHAPE_VALUE_SIZE_MAX + 256];
};

void shape_source_init(struct shape_source *source, const struct shape *shape, struct random *random);

/* A key in `buffer`, which has room for SHEAF_SORT_KEY_SIZE_HARD bytes. */
sheaf_bytes draw_key(struct shape_source *source, uint8_t *buffer);

/* A key that has to do with those in the model: one of them, one cut short, one with a byte more; or any. */
sheaf_bytes draw_key_near(struct shape_source *source, const struct model *model, uint8_t *buffer);

/* Valid until the source ends. */
sheaf_bytes draw_value(struct shape_source *source);

struct range_bytes {
    uint8_t lower[SHEAF_SORT_KEY_SIZE_HARD + 1];
    uint8_t upper[SHEAF_SORT_KEY_SIZE_HARD + 1];
    uint8_t position[SHEAF_SORT_KEY_SIZE_HARD + 1];
};

/* A range by any of the constructors, after and before among them; never inverted. Borrows `bytes`. */
sheaf_range draw_range(struct shape_source *source, const struct model *model, struct range_bytes *bytes);

#endif
