/*
 * builder.c - the bulk build of one collection.
 *
 * The record is made at the beginning and the tree apart from the store; only the finish, which first sees that no collection
 * of that key has come up meanwhile, takes both in.
 */
#include "engine/store/budget.h"
#include "engine/store/store.h"
#include "engine/tree/build.h"

struct sheaf_builder {
    struct sheaf_store *store;
    struct sheaf_tree_build *build; /* NULL once finished: the tree then is in the record, and waits to be taken in */
    struct sheaf_collection *collection;
    uint64_t hash;
};

static void free_builder(struct sheaf_builder *builder)
{
    sheaf_heap_free(&builder->store->grove.heap, builder, sizeof *builder);
}

sheaf_status sheaf_builder_begin(sheaf_store *store, sheaf_bytes partition_key, sheaf_builder **out_builder,
                                 sheaf_detail *out_detail)
{
    sheaf_status status = sheaf_validate_partition_key(&store->limits, partition_key, out_detail);
    if (status != SHEAF_OK) return status;
    uint64_t hash = sheaf_store_hash(store, partition_key);
    if (sheaf_directory_find(&store->directory, hash, partition_key)) return sheaf_report(out_detail, SHEAF_EXISTS);

    struct sheaf_builder *builder = sheaf_heap_allocate(&store->grove.heap, sizeof *builder);
    if (!builder) return sheaf_budget_report(&store->grove.heap, out_detail, SHEAF_NO_MEMORY);
    *builder = (struct sheaf_builder){ .store = store, .hash = hash };
    status = SHEAF_NO_MEMORY;
    builder->collection = sheaf_collection_create(&store->grove, partition_key);
    if (!builder->collection) goto fail;
    status = sheaf_tree_build_begin(&store->grove, &builder->build);
    if (status != SHEAF_OK) goto fail;
    *out_builder = builder;
    return SHEAF_OK;
fail:
    sheaf_builder_abort(builder);
    return sheaf_budget_report(&store->grove.heap, out_detail, status);
}

sheaf_status sheaf_builder_add(sheaf_builder *builder, sheaf_bytes sort_key, sheaf_bytes value, sheaf_detail *out_detail)
{
    const struct sheaf_limits *limits = &builder->store->limits;
    sheaf_status status = sheaf_validate_sort_key(limits, sort_key, out_detail);
    if (status != SHEAF_OK) return status;
    status = sheaf_validate_value(limits, value, out_detail);
    if (status != SHEAF_OK) return status;
    if (!builder->build) {
        sheaf_detail detail = { .message = "A finish that found no memory has closed the build: finish it again, or abort" };
        return sheaf_refuse(out_detail, SHEAF_INVALID_ARGUMENT, detail);
    }
    status = sheaf_tree_build_add(builder->build, sort_key, value);
    if (status != SHEAF_OUT_OF_ORDER) return sheaf_budget_report(&builder->store->grove.heap, out_detail, status);
    sheaf_detail detail = { .field = SHEAF_FIELD_SORT_KEY, .message = sheaf_status_message(status) };
    return sheaf_refuse(out_detail, status, detail);
}

sheaf_status sheaf_builder_finish(sheaf_builder *builder)
{
    struct sheaf_store *store = builder->store;
    struct sheaf_collection *collection = builder->collection;
    if (sheaf_directory_find(&store->directory, builder->hash, sheaf_collection_key(collection))) return SHEAF_EXISTS;
    if (builder->build) {
        sheaf_status status = sheaf_tree_build_finish(builder->build, &collection->tree);
        if (status != SHEAF_OK) return sheaf_budget_report(&store->grove.heap, NULL, status);
        builder->build = NULL;
    }
    if (collection->tree.totals.count == 0) { /* S1: nothing was added, so there is no collection */
        sheaf_builder_abort(builder);
        return SHEAF_OK;
    }
    sheaf_status status = sheaf_store_begin_collection(store, builder->hash, collection);
    if (status == SHEAF_OK) free_builder(builder);
    return sheaf_budget_report(&store->grove.heap, NULL, status);
}

void sheaf_builder_abort(sheaf_builder *builder)
{
    if (!builder) return;
    sheaf_tree_build_abort(builder->build);
    sheaf_collection_destroy(builder->collection);
    free_builder(builder);
}
