/*
 * builder.c - the bulk build of one collection.
 *
 * The record with its tree is made apart from the store; only the finish, which first sees that no collection of that key has
 * come up meanwhile, takes it in.
 */
#include "engine/store/budget.h"
#include "engine/store/cache.h"
#include "engine/store/deadline.h"
#include "engine/store/events.h"
#include "engine/store/expiry.h"
#include "engine/store/store.h"
#include "engine/tree/build.h"
#include "engine/tree/version.h"

struct sheaf_builder {
    struct sheaf_store *store;
    struct sheaf_collection *collection;
    uint64_t hash;
    struct sheaf_tree_build build; /* of the collection's tree */
};

static void free_builder(struct sheaf_builder *builder)
{
    builder->store->builder_count--;
    sheaf_heap_free(&builder->store->grove.heap, builder, sizeof *builder);
}

/* SHEAF_OK or SHEAF_NO_MEMORY. */
static sheaf_status begin(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_builder **out_builder)
{
    struct sheaf_builder *builder = sheaf_heap_allocate(&store->grove.heap, sizeof *builder);
    if (!builder) return SHEAF_NO_MEMORY;
    builder->store = store;
    builder->hash = hash;
    store->builder_count++;
    builder->collection = sheaf_collection_create(&store->grove, partition_key, store->cache != NULL);
    if (!builder->collection) {
        free_builder(builder);
        return SHEAF_NO_MEMORY;
    }
    sheaf_tree_build_begin(&builder->build, &builder->collection->tree);
    *out_builder = builder;
    return SHEAF_OK;
}

sheaf_status sheaf_builder_begin(sheaf_store *store, sheaf_bytes partition_key, sheaf_builder **out_builder,
                                 sheaf_detail *out_detail)
{
    sheaf_status status = sheaf_validate_partition_key(&store->limits, partition_key, out_detail);
    if (status != SHEAF_OK) return status;
    if (sheaf_store_is_view(store)) return sheaf_report(out_detail, SHEAF_READ_ONLY);
    uint64_t hash = sheaf_store_hash(store, partition_key);
    if (sheaf_directory_find(&store->directory, hash, partition_key)) return sheaf_report(out_detail, SHEAF_EXISTS);
    do status = begin(store, hash, partition_key, out_builder);
    while (status == SHEAF_NO_MEMORY && sheaf_cache_make_room(store));
    status = sheaf_budget_report(&store->grove.heap, out_detail, status);
    sheaf_events_flush(store);
    return status;
}

/* After a refusal: evicts and tries again, if that is of any use. */
static sheaf_status add_evicting(struct sheaf_builder *builder, sheaf_bytes sort_key, sheaf_bytes value)
{
    struct sheaf_store *store = builder->store;
    sheaf_status status = SHEAF_NO_MEMORY;
    while (status == SHEAF_NO_MEMORY && sheaf_cache_make_room(store)) {
        if (store->events) sheaf_cache_expect(store, builder->hash, sort_key); /* callbacks may have put others */
        status = sheaf_tree_build_add(&builder->build, sort_key, value);
        sheaf_grove_settle(&store->grove);
    }
    return status;
}

/* An entry with the deadline that the grove has for fresh ones. */
static inline __attribute__((always_inline)) sheaf_status add(struct sheaf_builder *builder, sheaf_bytes sort_key,
                                                              sheaf_bytes value, sheaf_detail *out_detail)
{
    struct sheaf_store *store = builder->store;
    sheaf_status status = sheaf_validate_sort_key(&store->limits, sort_key, out_detail);
    if (status != SHEAF_OK) return status;
    status = sheaf_validate_value(&store->limits, value, out_detail);
    if (status != SHEAF_OK) return status;
    if (store->cache) sheaf_cache_expect(store, builder->hash, sort_key);
    status = sheaf_tree_build_add(&builder->build, sort_key, value);
    sheaf_grove_settle(&store->grove);
    if (status == SHEAF_NO_MEMORY) status = add_evicting(builder, sort_key, value);
    if (status != SHEAF_OUT_OF_ORDER) return sheaf_budget_report(&store->grove.heap, out_detail, status);
    sheaf_detail detail = { .field = SHEAF_FIELD_SORT_KEY, .message = sheaf_status_message(status) };
    return sheaf_refuse(out_detail, status, detail);
}

sheaf_status sheaf_builder_add(sheaf_builder *builder, sheaf_bytes sort_key, sheaf_bytes value, sheaf_detail *out_detail)
{
    if (builder->store->expiry.keeps)
        return sheaf_builder_add_until(builder, sort_key, value, SHEAF_NO_DEADLINE, out_detail);
    sheaf_status status = add(builder, sort_key, value, out_detail);
    sheaf_events_flush(builder->store);
    return status;
}

sheaf_status sheaf_builder_add_until(sheaf_builder *builder, sheaf_bytes sort_key, sheaf_bytes value, uint64_t deadline,
                                     sheaf_detail *out_detail)
{
    struct sheaf_store *store = builder->store;
    if (!store->expiry.keeps) return sheaf_expiry_refuse(out_detail);
    uint64_t before = sheaf_deadline_begin(store, deadline);
    sheaf_status status = add(builder, sort_key, value, out_detail);
    sheaf_deadline_end(store, before);
    sheaf_events_flush(store);
    return status;
}

/* Until it is in, or there is no room to be made. Callbacks that are told of what was evicted may have begun the collection. */
static sheaf_status take_in(struct sheaf_builder *builder)
{
    struct sheaf_store *store = builder->store;
    struct sheaf_collection *collection = builder->collection;
    sheaf_status status;
    do {
        if (sheaf_directory_find(&store->directory, builder->hash, sheaf_collection_key(collection))) return SHEAF_EXISTS;
        status = sheaf_store_begin_collection(store, builder->hash, collection);
    } while (status == SHEAF_NO_MEMORY && sheaf_cache_make_room(store));
    return sheaf_budget_report(&store->grove.heap, NULL, status);
}

sheaf_status sheaf_builder_finish(sheaf_builder *builder)
{
    struct sheaf_store *store = builder->store;
    struct sheaf_collection *collection = builder->collection;
    if (sheaf_directory_find(&store->directory, builder->hash, sheaf_collection_key(collection))) return SHEAF_EXISTS;
    sheaf_tree_build_finish(&builder->build);
    if (collection->tree.totals.count == 0) { /* S1: nothing was added, so there is no collection */
        sheaf_builder_abort(builder);
        return SHEAF_OK;
    }
    sheaf_status status = take_in(builder);
    if (status == SHEAF_OK) {
        if (store->cache) sheaf_cache_trim(store, builder->hash, sheaf_collection_key(collection));
        free_builder(builder);
    }
    sheaf_events_flush(store);
    return status;
}

void sheaf_builder_abort(sheaf_builder *builder)
{
    if (!builder) return;
    sheaf_tree_build_abort(&builder->build);
    sheaf_collection_destroy(builder->collection);
    free_builder(builder);
}
