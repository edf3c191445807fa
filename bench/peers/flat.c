#include "bench/peers/flat.h"

#include "bench/fatal.h"

static void check_size(sheaf_bytes key)
{
    if (key.size + 1 > FLAT_KEY_SIZE_MAX) fatal("a key of %zu bytes is longer than any the bench should make", key.size);
}

/* The first key above `key` itself. */
static sheaf_bytes just_above(uint8_t *room, sheaf_bytes key)
{
    check_size(key);
    memcpy(room, key.data, key.size);
    room[key.size] = 0;
    return sheaf_bytes_of(room, key.size + 1);
}

/* The first key above all that start with `prefix`. The bench's prefixes never end in FF. */
static sheaf_bytes above_prefix(uint8_t *room, sheaf_bytes prefix)
{
    check_size(prefix);
    if (prefix.data[prefix.size - 1] == 0xFF) fatal("a prefix without a simple upper bound");
    memcpy(room, prefix.data, prefix.size);
    room[prefix.size - 1]++;
    return sheaf_bytes_of(room, prefix.size);
}

void flat_bounds_of_query(struct flat_bounds *bounds, const struct bench_query *query)
{
    bounds->low = bench_key_joined(&query->low); /* P 00 where a query has no lower bound */
    bounds->sort_at = (size_t)query->low.partition_size + 1;
    switch (query->kind) {
    case QUERY_ALL:
    case QUERY_PREFIX: bounds->beyond = above_prefix(bounds->beyond_room, bounds->low); break;
    case QUERY_BETWEEN:
    case QUERY_AT_MOST: bounds->beyond = just_above(bounds->beyond_room, bench_key_joined(&query->high)); break;
    }
}

void flat_bounds_above(struct flat_bounds *bounds, const struct bench_key *key)
{
    sheaf_bytes joined = bench_key_joined(key);
    bounds->sort_at = (size_t)key->partition_size + 1;
    bounds->low = just_above(bounds->low_room, joined);
    bounds->beyond = above_prefix(bounds->beyond_room, sheaf_bytes_of(joined.data, bounds->sort_at));
}
