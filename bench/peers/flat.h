/*
 * flat.h - what engines without partitions have in common: they store partition key 00 sort key.
 *
 *   collection   P 00 .......... P 01         prefix   P 00 low ... P 00 low with its last byte one higher
 *   at most      P 00 ... P 00 high 00        between  P 00 low ... P 00 high 00
 *
 * So every query is one slice from `low`, which is in, to `beyond`, which is not and which no key equals.
 */
#ifndef BENCH_PEERS_FLAT_H
#define BENCH_PEERS_FLAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sheaf/bytes.h>
#include <sheaf/export.h>

#include "bench/keys.h"

SHEAF_BEGIN_DECLARATIONS

/* The bench's longest joined key is a tenth of it. */
#define FLAT_KEY_SIZE_MAX 2048

struct flat_bounds {
    sheaf_bytes low;
    sheaf_bytes beyond;
    size_t sort_at; /* where the sort key begins in a key of this collection */
    uint8_t low_room[FLAT_KEY_SIZE_MAX];
    uint8_t beyond_room[FLAT_KEY_SIZE_MAX];
};

/* The slice of keys that a query asks for. */
void flat_bounds_of_query(struct flat_bounds *bounds, const struct bench_query *query);

/* The slice of keys that lie above a key in its collection. */
void flat_bounds_above(struct flat_bounds *bounds, const struct bench_key *key);

/* Whether one key is below another, in the order of their bytes. */
static inline bool flat_below(const void *left, size_t left_size, sheaf_bytes right)
{
    size_t shorter = left_size < right.size ? left_size : right.size;
    int order = memcmp(left, right.data, shorter);
    return order < 0 || (order == 0 && left_size < right.size);
}

/* The sort key in a joined key whose collection is not known: no partition key of the bench holds a zero byte. */
static inline sheaf_bytes flat_sort_key(const void *joined, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)joined;
    const uint8_t *sort = (const uint8_t *)memchr(bytes, 0, size) + 1;
    return sheaf_bytes_of(sort, size - (size_t)(sort - bytes));
}

SHEAF_END_DECLARATIONS

#endif
