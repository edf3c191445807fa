/*
 * loaded.h - the records of a plan under the keys of one layout: a store, and what is to be said of it.
 *
 *     partition key | sort key | value: row, 4 bytes; texts of the fields that are attributes
 *
 * Records are put in the order in which they come. One that the layout refuses is left out and counted; one whose keys are
 * there already takes the place of the earlier one, as it would in production, and is counted too. Both are findings: answers
 * are held against all records all the same.
 */
#ifndef SHEAF_LAB_LOADED_H
#define SHEAF_LAB_LOADED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/sheaf.h>

#include "engine/lab/arena.h"
#include "engine/lab/keys.h"
#include "engine/lab/records.h"

struct loaded {
    struct keys keys;
    sheaf_store *store;
    uint32_t *item_bytes; /* of each row as an item: DynamoDB's count, names and values, keys included */
    /* Findings. */
    uint64_t refused_count;
    size_t refused_row; /* the first, and why */
    struct complaint refusal;
    uint64_t replaced_count;
    size_t replaced_row; /* the first that is lost, and the one in its place */
    size_t replacing_row;
    /* Measures. */
    sheaf_store_totals totals;
    uint64_t partition_key_bytes; /* of all entries */
    uint64_t sort_key_bytes;
    size_t sort_key_size_max;
    sheaf_bytes hottest; /* partition key of the largest collection, the first by key of those */
    uint64_t hottest_count;
    uint32_t depth; /* of that one */
    struct arena arena;
};

/* Loads all records. `keys` is taken. Ends with loaded_release(). */
void loaded_make(const struct plan *plan, const struct records *records, const struct keys *keys, struct loaded *out_loaded);

/* The row that an entry holds. */
size_t loaded_row(sheaf_bytes value);

/* Zeroed is fine. */
void loaded_release(struct loaded *loaded);

#endif
