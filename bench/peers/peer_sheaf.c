/*
 * peer_sheaf.c - Sheaf through its public interface, as anyone would use it.
 */
#include <stdio.h>
#include <stdlib.h>

#include <sheaf/sheaf.h>

#include "bench/fatal.h"
#include "bench/operations.h"
#include "bench/peers/peer.h"
#include "bench/peers/sheaf_range.h"
#include "bench/workload.h"

static void must(sheaf_status status, const char *what)
{
    if (status != SHEAF_OK) fatal("sheaf: %s: %s", what, sheaf_status_message(status));
}

static const char *describe(void)
{
    static char text[96];
    snprintf(text, sizeof text, "%s, memory from %s", SHEAF_VERSION, sheaf_allocator_backend());
    return text;
}

/* Several threads have the shared store (peer_shared.c). One of them alone shows what its locks cost. */
static bool has_form(const struct operation *operation, enum shape shape)
{
    (void)shape;
    return operation->kind != OPERATION_MIX || operation->threads == 1;
}

static void *open_engine(unsigned purposes)
{
    sheaf_store *store;
    (void)purposes; /* the account is always kept */
    must(sheaf_store_create(NULL, &store, NULL), "create");
    return store;
}

static void close_engine(void *engine)
{
    sheaf_store_destroy(engine);
}

static void put(void *engine, const struct bench_key *key, sheaf_bytes value)
{
    must(sheaf_store_put(engine, bench_key_partition(key), bench_key_sort(key), value, NULL, NULL), "put");
}

static void delete_entry(void *engine, const struct bench_key *key)
{
    must(sheaf_store_delete(engine, bench_key_partition(key), bench_key_sort(key), NULL), "delete");
}

static void get(void *engine, const struct bench_key *key, struct checksum *checksum)
{
    sheaf_bytes value;
    sheaf_status status = sheaf_store_get(engine, bench_key_partition(key), bench_key_sort(key), &value, NULL);
    if (status == SHEAF_NOT_FOUND) return;
    must(status, "get");
    checksum_visit(checksum, bench_key_sort(key), value);
}

static void get_many(void *engine, const struct bench_key *keys, unsigned count, struct checksum *checksum)
{
    sheaf_get gets[GET_MANY_MAX];
    for (unsigned i = 0; i < count; i++) {
        gets[i] = (sheaf_get){ .partition_key = bench_key_partition(&keys[i]), .sort_key = bench_key_sort(&keys[i]) };
    }
    sheaf_store_get_many(engine, gets, count);
    for (unsigned i = 0; i < count; i++) {
        if (gets[i].status == SHEAF_NOT_FOUND) continue;
        must(gets[i].status, "get many");
        checksum_visit(checksum, gets[i].sort_key, gets[i].value_view);
    }
}

static void query_range(void *engine, const struct bench_query *query, struct checksum *checksum)
{
    sheaf_range range = sheaf_range_of_query(query);
    sheaf_read_range(engine, bench_key_partition(&query->low), &range, query->direction, query->limit, checksum);
}

static void scan(void *engine, sheaf_direction direction, struct checksum *checksum)
{
    sheaf_collection_info info;
    const sheaf_bytes *after = NULL;
    while (sheaf_collection_next(engine, after, &info) == SHEAF_OK) {
        sheaf_read_range(engine, info.partition_key_view, NULL, direction, UINT64_MAX, checksum);
        after = &info.partition_key_view;
    }
}

static uint64_t count(void *engine, const struct bench_query *query)
{
    sheaf_range range = sheaf_range_of_query(query);
    sheaf_totals totals;
    must(sheaf_range_total(engine, bench_key_partition(&query->low), &range, &totals, NULL), "count");
    return totals.count;
}

static uint64_t rank(void *engine, const struct bench_key *key)
{
    uint64_t above;
    must(sheaf_rank(engine, bench_key_partition(key), bench_key_sort(key), SHEAF_REVERSE, &above, NULL, NULL), "rank");
    return above;
}

static void build(void *engine, const struct tape *sorted, uint8_t *value, size_t value_size)
{
    sheaf_builder *builder = NULL;
    sheaf_bytes partition = { 0 };
    const uint8_t *at = sorted->bytes;
    for (uint64_t i = 0; i < sorted->count; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        if (!builder || sheaf_bytes_compare(partition, bench_key_partition(&key)) != 0) {
            if (builder) must(sheaf_builder_finish(builder), "finish build");
            partition = bench_key_partition(&key);
            must(sheaf_builder_begin(engine, partition, &builder, NULL), "begin build");
        }
        must(sheaf_builder_add(builder, bench_key_sort(&key), value_of(value, value_size, key.number, 0), NULL), "build");
    }
    if (builder) must(sheaf_builder_finish(builder), "finish build");
}

static uint64_t held_bytes(void *engine)
{
    return sheaf_store_total(engine).charged_bytes;
}

static bool check(void *engine)
{
    sheaf_fault fault;
    if (sheaf_store_check(engine, &fault)) return true;
    fprintf(stderr, "sheaf: broken invariant: %s (level %u, slot %u)\n", fault.rule, fault.level, fault.slot);
    return false;
}

const struct peer peer_sheaf = {
    .name = "sheaf",
    .describe = describe,
    .has_form = has_form,
    .open = open_engine,
    .close = close_engine,
    .put = put,
    .delete_entry = delete_entry,
    .get = get,
    .get_many = get_many,
    .query = query_range,
    .scan = scan,
    .count = count,
    .rank = rank,
    .build = build,
    .held_bytes = held_bytes,
    .threads = THREADS_ALONE,
    .check = check,
};
