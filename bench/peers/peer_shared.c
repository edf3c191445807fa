/*
 * peer_shared.c - Sheaf's shared store, which keeps the locks that threads need: takes part where there are threads.
 */
#include <stdio.h>

#include <sheaf/sheaf.h>

#include "bench/fatal.h"
#include "bench/operations.h"
#include "bench/peers/peer.h"
#include "bench/peers/sheaf_range.h"

#define VALUE_SIZE_MAX 65536

static void must(sheaf_status status, const char *what)
{
    if (status != SHEAF_OK) fatal("shared: %s: %s", what, sheaf_status_message(status));
}

static const char *describe(void)
{
    static char text[96];
    snprintf(text, sizeof text, "Sheaf %s, its shared store of %d shards", SHEAF_VERSION, SHEAF_SHARD_COUNT);
    return text;
}

static bool has_form(const struct operation *operation, enum shape shape)
{
    (void)shape;
    return operation->kind == OPERATION_MIX;
}

static void *open_engine(unsigned purposes)
{
    sheaf_shared *shared;
    (void)purposes;
    must(sheaf_shared_create(NULL, &shared, NULL), "create");
    return shared;
}

static void close_engine(void *engine)
{
    sheaf_shared_destroy(engine);
}

static void put(void *engine, const struct bench_key *key, sheaf_bytes value)
{
    must(sheaf_shared_put(engine, bench_key_partition(key), bench_key_sort(key), value, NULL, NULL), "put");
}

static void delete_entry(void *engine, const struct bench_key *key)
{
    must(sheaf_shared_delete(engine, bench_key_partition(key), bench_key_sort(key), NULL), "delete");
}

/* Copies the value out, as a user would. */
static void get(void *engine, const struct bench_key *key, struct checksum *checksum)
{
    uint8_t value[VALUE_SIZE_MAX];
    size_t size;
    sheaf_status status =
        sheaf_shared_get(engine, bench_key_partition(key), bench_key_sort(key), value, sizeof value, &size, NULL);
    if (status == SHEAF_NOT_FOUND) return;
    must(status, "get");
    checksum_visit(checksum, bench_key_sort(key), sheaf_bytes_of(value, size));
}

static void query_range(void *engine, const struct bench_query *query, struct checksum *checksum)
{
    sheaf_pin pin;
    sheaf_range range = sheaf_range_of_query(query);
    sheaf_bytes partition = bench_key_partition(&query->low);
    const sheaf_store *store = sheaf_shared_pin(engine, partition, &pin);
    sheaf_read_range(store, partition, &range, query->direction, query->limit, checksum);
    sheaf_shared_unpin(&pin);
}

static void scan(void *engine, sheaf_direction direction, struct checksum *checksum)
{
    sheaf_shared_view *view;
    sheaf_collection_info info;
    const sheaf_bytes *after = NULL;
    must(sheaf_shared_view_open(engine, &view, NULL), "open view");
    for (; sheaf_shared_view_next(view, after, &info) == SHEAF_OK; after = &info.partition_key_view) {
        const sheaf_store *store = sheaf_shared_view_store(view, info.partition_key_view);
        sheaf_read_range(store, info.partition_key_view, NULL, direction, UINT64_MAX, checksum);
    }
    sheaf_shared_view_close(view);
}

static uint64_t held_bytes(void *engine)
{
    return sheaf_shared_total(engine).charged_bytes;
}

static bool check(void *engine)
{
    sheaf_fault fault;
    if (sheaf_shared_check(engine, &fault)) return true;
    fprintf(stderr, "shared: broken invariant: %s (level %u, slot %u)\n", fault.rule, fault.level, fault.slot);
    return false;
}

const struct peer peer_shared = {
    .name = "shared",
    .describe = describe,
    .has_form = has_form,
    .open = open_engine,
    .close = close_engine,
    .put = put,
    .delete_entry = delete_entry,
    .get = get,
    .query = query_range,
    .scan = scan,
    .held_bytes = held_bytes,
    .threads = THREADS_SAFE,
    .check = check,
};
