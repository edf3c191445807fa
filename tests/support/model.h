/*
 * model.h - an item collection too simple to be wrong: a sorted array.
 *
 * Entries lie in ascending order of their keys; a put or delete moves the rest. Order, prefixes and ranges are defined here
 * anew, byte by byte, from the words of the public headers, and share no code with the engine. Positions are indexes; a slice
 * is a pair of them, begin included, end excluded.
 */
#ifndef TESTS_SUPPORT_MODEL_H
#define TESTS_SUPPORT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/sheaf.h>

struct model_entry {
    sheaf_bytes key;
    sheaf_bytes value;
    uint8_t *block; /* holds both */
};

struct model {
    struct model_entry *entries;
    size_t count;
    size_t capacity;
    uint64_t bytes; /* keys and values */
};

struct model_slice {
    size_t begin;
    size_t end;
};

void model_init(struct model *model);
void model_deinit(struct model *model);
void model_clear(struct model *model);
/* A model of the same entries; ends like any other. */
struct model model_copy(const struct model *model);

/* ---- order ------------------------------------------------------------------------------------------------------------ */

/* -1, 0 or 1. */
int model_order(sheaf_bytes left, sheaf_bytes right);
bool model_same(sheaf_bytes left, sheaf_bytes right);
bool model_starts_with(sheaf_bytes bytes, sheaf_bytes prefix);

/* Whether `key` lies on the upper side of a lower cut, and on the lower side of an upper cut. */
bool model_above(const sheaf_cut *lower, sheaf_bytes key);
bool model_below(const sheaf_cut *upper, sheaf_bytes key);
bool model_range_holds(const sheaf_range *range, sheaf_bytes key);

/* ---- entries ---------------------------------------------------------------------------------------------------------- */

/* How many keys are below `key`: its index if it is there, the place for it if not. */
size_t model_place(const struct model *model, sheaf_bytes key);
bool model_has(const struct model *model, sheaf_bytes key);
const struct model_entry *model_get(const struct model *model, sheaf_bytes key); /* NULL: not there */

/* Whether it replaced. */
bool model_put(struct model *model, sheaf_bytes key, sheaf_bytes value);
/* Whether it was there. */
bool model_delete(struct model *model, sheaf_bytes key);
/* What went. */
sheaf_totals model_delete_range(struct model *model, const sheaf_range *range);

/* ---- ranges ----------------------------------------------------------------------------------------------------------- */

/* The entries of a range; begin == end where it holds none. */
struct model_slice model_slice_of(const struct model *model, const sheaf_range *range);
/* The same by trying every key: what model_slice_of() is tested against. */
struct model_slice model_slice_by_trying(const struct model *model, const sheaf_range *range);
sheaf_totals model_totals(const struct model *model, struct model_slice slice);
uint64_t model_rank(const struct model *model, sheaf_bytes key, sheaf_direction direction);

/* ---- pages ------------------------------------------------------------------------------------------------------------ */

struct model_page {
    size_t first; /* index of the first entry in listing order; further ones ascend, in reverse descend */
    size_t count;
    uint64_t bytes;
    bool more_before;
    bool more_after;
    bool limit_reached;
};

struct model_page model_page_of(const struct model *model, const sheaf_page_request *request);
const struct model_entry *model_page_entry(const struct model *model, const struct model_page *page,
                                           sheaf_direction direction, size_t index);

/* ---- children --------------------------------------------------------------------------------------------------------- */

struct model_child {
    sheaf_bytes key; /* borrowed from the model */
    bool is_folder;
    sheaf_totals totals;
};

/* The child that follows the child of key `after` (NULL: the first) in `direction`. False: none. */
bool model_next_child(const struct model *model, sheaf_bytes prefix, sheaf_bytes delimiter, sheaf_direction direction,
                      const sheaf_bytes *after, struct model_child *out_child);

#endif
