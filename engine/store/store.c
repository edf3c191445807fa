#include "engine/store/store.h"

#include "engine/base/assert.h"
#include "engine/base/hash.h"
#include "engine/store/budget.h"
#include "engine/store/cache.h"
#include "engine/store/deadline.h"
#include "engine/store/edit.h"
#include "engine/store/events.h"
#include "engine/store/expiry.h"
#include "engine/store/fork.h"
#include "engine/store/view.h"

/* ---- a store comes and goes ------------------------------------------------------------------------------------------- */

/*
 * The record's own memory comes from the heap it holds, and the state of the built-in backend lies in it too: both begin in
 * temporaries and move in once there is a record.
 */
sheaf_status sheaf_store_allocate(const sheaf_allocator *allocator, uint64_t budget_bytes, struct sheaf_store **out_store,
                                  sheaf_detail *out_detail)
{
    struct sheaf_backend backend;
    sheaf_backend_init(&backend);
    sheaf_allocator hooks = allocator ? *allocator : sheaf_backend_hooks(&backend);
    struct sheaf_heap heap;
    sheaf_heap_init(&heap, &hooks);
    sheaf_budget_set(&heap, budget_bytes, false);
    struct sheaf_store *store = sheaf_heap_allocate(&heap, sizeof *store);
    if (!store) {
        sheaf_backend_deinit(&backend);
        return sheaf_budget_report(&heap, out_detail, SHEAF_NO_MEMORY);
    }
    *store = (struct sheaf_store){ .has_backend = !allocator, .grove = { .heap = heap }, .backend = backend };
    if (store->has_backend) store->grove.heap.hooks = sheaf_backend_hooks(&store->backend);
    sheaf_directory_init(&store->directory, &store->grove);
    sheaf_tree_init(&store->deadlines, &store->grove);
    *out_store = store;
    return SHEAF_OK;
}

sheaf_status sheaf_store_create(const sheaf_store_options *options, sheaf_store **out_store, sheaf_detail *out_detail)
{
    static const sheaf_store_options defaults;
    if (!options) options = &defaults;
    struct sheaf_limits limits;
    sheaf_status status = sheaf_limits_init(&limits, options, out_detail);
    if (status != SHEAF_OK) return status;
    status = sheaf_cache_validate(options->cache, out_detail);
    if (status != SHEAF_OK) return status;
    status = sheaf_events_validate(options->events, out_detail);
    if (status != SHEAF_OK) return status;
    status = sheaf_expiry_validate(options->expiry, out_detail);
    if (status != SHEAF_OK) return status;

    struct sheaf_store *store;
    status = sheaf_store_allocate(options->allocator, options->budget_bytes, &store, out_detail);
    if (status != SHEAF_OK) return status;
    store->limits = limits;
    store->hash_seed = options->hash_seed;
    if (options->expiry) sheaf_expiry_begin(store, options->expiry);
    if (options->cache) status = sheaf_cache_begin(store, options->cache);
    if (status == SHEAF_OK && options->events) status = sheaf_events_begin(store, options->events);
    if (status != SHEAF_OK) {
        status = sheaf_budget_report(&store->grove.heap, out_detail, status);
        sheaf_store_destroy(store);
        return status;
    }
    *out_store = store;
    return SHEAF_OK;
}

void sheaf_store_destroy(sheaf_store *store)
{
    if (!store) return;
    sheaf_assert(!sheaf_store_is_view(store));
    sheaf_events_end(store);
    while (store->grove.newest) sheaf_view_close(sheaf_view_of(store->grove.newest));
    if (store->base) sheaf_fork_end(store);
    else {
        sheaf_directory_deinit(&store->directory);
        sheaf_tree_clear(&store->deadlines);
    }
    sheaf_cache_end(store);

    struct sheaf_backend backend = store->backend;
    struct sheaf_heap heap = store->grove.heap;
    if (store->has_backend) heap.hooks = sheaf_backend_hooks(&backend);
    sheaf_heap_free(&heap, store, sizeof *store);
    sheaf_assert(heap.block_count == 0);
    sheaf_backend_deinit(&backend);
}

/* ---- collections come and go ------------------------------------------------------------------------------------------ */

uint64_t sheaf_store_hash(const struct sheaf_store *store, sheaf_bytes partition_key)
{
    return sheaf_hash(partition_key, store->hash_seed);
}

struct sheaf_slot *sheaf_store_find_slot(const struct sheaf_store *store, sheaf_bytes partition_key)
{
    return sheaf_directory_find(&store->directory, sheaf_store_hash(store, partition_key), partition_key);
}

sheaf_status sheaf_store_begin_collection(struct sheaf_store *store, uint64_t hash, struct sheaf_collection *collection)
{
    sheaf_assert(collection->tree.totals.count > 0); /* S1 */
    if (store->cache) sheaf_cache_expect_collection(store, hash, collection);
    uint64_t due = sheaf_tree_due(&collection->tree);
    bool is_due = due != SHEAF_NO_DEADLINE;
    sheaf_status status = is_due ? sheaf_deadlines_put(store, due, hash) : SHEAF_OK;
    if (status == SHEAF_OK) {
        status = sheaf_directory_insert(&store->directory, hash, collection);
        if (status != SHEAF_OK) sheaf_deadlines_delete(store, due, hash);
    }
    sheaf_grove_settle(&store->grove);
    if (status != SHEAF_OK) return status;
    if (is_due) sheaf_collection_set_due(collection, due);
    sheaf_deadline_given(store, due); /* not before the earliest there */
    store->totals.count += collection->tree.totals.count;
    store->totals.bytes += collection->tree.totals.bytes;
    store->partition_key_bytes += collection->partition_key_size;
    return SHEAF_OK;
}

/* ---- entries ---------------------------------------------------------------------------------------------------------- */

/* The first entry of a collection: it is filled apart and taken in whole, so that a refused put leaves no trace. */
static sheaf_status put_first(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key,
                              sheaf_bytes value)
{
    bool replaced;
    if (sheaf_store_is_view(store)) return SHEAF_READ_ONLY;
    struct sheaf_collection *collection = sheaf_collection_create(&store->grove, partition_key, store->cache != NULL);
    if (!collection) return SHEAF_NO_MEMORY;
    sheaf_status status = sheaf_tree_put(&collection->tree, sort_key, value, &replaced);
    if (status == SHEAF_OK) status = sheaf_store_begin_collection(store, hash, collection);
    if (status != SHEAF_OK) sheaf_collection_destroy(collection);
    return status;
}

/* Inlined where a store is no cache: the arguments alone are a few percent of a put in order. */
static inline __attribute__((always_inline)) sheaf_status put_once(struct sheaf_store *store, uint64_t hash,
                                                                   sheaf_bytes partition_key, sheaf_bytes sort_key,
                                                                   sheaf_bytes value, bool *out_replaced)
{
    struct sheaf_slot *slot = sheaf_directory_find(&store->directory, hash, partition_key);
    if (!slot) return put_first(store, hash, partition_key, sort_key, value);
    struct sheaf_edit edit;
    sheaf_status status = sheaf_edit_begin(store, slot, &edit);
    if (status != SHEAF_OK) return status;
    status = sheaf_tree_put(edit.tree, sort_key, value, out_replaced);
    sheaf_edit_end(store, &edit);
    return status;
}

/* The same in a store with events: what is replaced is noted first. */
static sheaf_status put_noting(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key,
                               sheaf_bytes value, bool *out_replaced)
{
    struct sheaf_event_item *mark = sheaf_events_mark(store);
    const struct sheaf_slot *slot = sheaf_directory_find(&store->directory, hash, partition_key);
    if (slot && !sheaf_events_note_found(store, SHEAF_CAUSE_REPLACED, slot->collection, sort_key)) return SHEAF_NO_MEMORY;
    sheaf_status status = put_once(store, hash, partition_key, sort_key, value, out_replaced);
    if (status != SHEAF_OK) sheaf_events_undo(store, mark);
    return status;
}

sheaf_status sheaf_store_put_once(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                  sheaf_bytes value, bool *out_replaced)
{
    return store->expiry.keeps ? sheaf_deadline_put_once(store, hash, partition_key, sort_key, value, out_replaced)
                               : sheaf_store_put_plainly(store, hash, partition_key, sort_key, value, out_replaced);
}

sheaf_status sheaf_store_put_plainly(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                     sheaf_bytes value, bool *out_replaced)
{
    *out_replaced = false;
    return store->events ? put_noting(store, hash, partition_key, sort_key, value, out_replaced)
                         : put_once(store, hash, partition_key, sort_key, value, out_replaced);
}

static inline __attribute__((always_inline)) sheaf_status put(struct sheaf_store *store, sheaf_bytes partition_key,
                                                              sheaf_bytes sort_key, sheaf_bytes value, bool *out_replaced,
                                                              sheaf_detail *out_detail)
{
    sheaf_status status = sheaf_validate_keys(&store->limits, partition_key, sort_key, out_detail);
    if (status != SHEAF_OK) return status;
    status = sheaf_validate_value(&store->limits, value, out_detail);
    if (status != SHEAF_OK) return status;

    bool replaced = false;
    uint64_t hash = sheaf_store_hash(store, partition_key);
    if (__builtin_expect(store->cache || store->events || store->expiry.keeps, 0)) {
        status = store->cache ? sheaf_cache_put(store, hash, partition_key, sort_key, value, &replaced)
                              : sheaf_store_put_once(store, hash, partition_key, sort_key, value, &replaced);
    } else {
        status = put_once(store, hash, partition_key, sort_key, value, &replaced);
    }
    if (status == SHEAF_OK && out_replaced) *out_replaced = replaced;
    return sheaf_budget_report(&store->grove.heap, out_detail, status);
}

sheaf_status sheaf_store_put_fresh(struct sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                   sheaf_bytes value, bool *out_replaced, sheaf_detail *out_detail)
{
    return put(store, partition_key, sort_key, value, out_replaced, out_detail);
}

sheaf_status sheaf_store_put(sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_bytes value,
                             bool *out_replaced, sheaf_detail *out_detail)
{
    if (store->expiry.keeps)
        return sheaf_store_put_until(store, partition_key, sort_key, value, SHEAF_NO_DEADLINE, out_replaced, out_detail);
    sheaf_status status = put(store, partition_key, sort_key, value, out_replaced, out_detail);
    sheaf_events_flush(store);
    return status;
}

sheaf_status sheaf_store_get(const sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                             sheaf_bytes *out_value_view, sheaf_detail *out_detail)
{
    sheaf_status status = sheaf_validate_keys(&store->limits, partition_key, sort_key, out_detail);
    if (status != SHEAF_OK) return status;
    if (store->cache) return sheaf_report(out_detail, sheaf_cache_get(store, partition_key, sort_key, out_value_view));
    const struct sheaf_tree *tree = sheaf_store_find_tree(store, partition_key);
    if (tree && sheaf_store_hides_entry(store, tree, sort_key)) tree = NULL;
    status = tree ? sheaf_tree_get(tree, sort_key, out_value_view) : SHEAF_NOT_FOUND;
    return sheaf_report(out_detail, status);
}

sheaf_status sheaf_store_exists(const sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                sheaf_detail *out_detail)
{
    sheaf_bytes value;
    return sheaf_store_get(store, partition_key, sort_key, &value, out_detail);
}

/* Whether a view sees the collection, so that it would be copied before there turns out to be nothing to delete. */
static bool must_copy_in_vain(const struct sheaf_store *store, const struct sheaf_slot *slot, sheaf_bytes sort_key)
{
    const struct sheaf_tree *tree = &slot->collection->tree;
    sheaf_bytes value;
    return sheaf_is_frozen(&store->grove, tree->changed) && sheaf_tree_get(tree, sort_key, &value) != SHEAF_OK;
}

static sheaf_status delete_once(struct sheaf_store *store, struct sheaf_slot *slot, sheaf_bytes sort_key)
{
    struct sheaf_edit edit;
    sheaf_status status = must_copy_in_vain(store, slot, sort_key) ? SHEAF_NOT_FOUND : sheaf_edit_begin(store, slot, &edit);
    if (status != SHEAF_OK) return status;
    status = sheaf_tree_delete(edit.tree, sort_key);
    sheaf_edit_end(store, &edit);
    return status;
}

static sheaf_status delete_noting(struct sheaf_store *store, struct sheaf_slot *slot, sheaf_bytes sort_key)
{
    struct sheaf_event_item *mark = sheaf_events_mark(store);
    if (!sheaf_events_note_found(store, SHEAF_CAUSE_DELETED, slot->collection, sort_key)) return SHEAF_NO_MEMORY;
    sheaf_status status = delete_once(store, slot, sort_key);
    if (status != SHEAF_OK) sheaf_events_undo(store, mark);
    return status;
}

sheaf_status sheaf_store_delete(sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_detail *out_detail)
{
    sheaf_status status = sheaf_validate_keys(&store->limits, partition_key, sort_key, out_detail);
    if (status != SHEAF_OK) return status;
    struct sheaf_slot *slot = sheaf_store_find_slot(store, partition_key);
    if (!slot || sheaf_store_hides_entry(store, &slot->collection->tree, sort_key))
        return sheaf_report(out_detail, SHEAF_NOT_FOUND);

    status = store->events ? delete_noting(store, slot, sort_key) : delete_once(store, slot, sort_key);
    status = sheaf_budget_report(&store->grove.heap, out_detail, status);
    sheaf_events_flush(store);
    return status;
}

/* ---- totals ----------------------------------------------------------------------------------------------------------- */

sheaf_store_totals sheaf_store_total(const sheaf_store *store)
{
    sheaf_store_totals totals = { .collection_count = store->directory.count,
                                  .entry_count = store->totals.count,
                                  .logical_bytes = store->totals.bytes + store->partition_key_bytes,
                                  .charged_bytes = store->grove.heap.charged_bytes + sheaf_events_bytes(store),
                                  .budget_bytes = sheaf_budget_get(&store->grove.heap),
                                  .view_count = store->grove.version_count,
                                  .retained_bytes = store->grove.retained_bytes,
                                  .copied_blocks = store->grove.copied_count };
    sheaf_expiry_hide(store, &totals);
    return totals;
}

sheaf_status sheaf_collection_total(const sheaf_store *store, sheaf_bytes partition_key, sheaf_totals *out_totals)
{
    const struct sheaf_tree *tree = sheaf_store_find_tree(store, partition_key);
    sheaf_totals visible = tree ? sheaf_store_visible(store, tree) : (sheaf_totals){ 0 };
    if (visible.count == 0) return SHEAF_NOT_FOUND;
    *out_totals = visible;
    return SHEAF_OK;
}

uint32_t sheaf_collection_depth(const sheaf_store *store, sheaf_bytes partition_key)
{
    const struct sheaf_tree *tree = sheaf_store_find_tree(store, partition_key);
    return tree && sheaf_store_visible(store, tree).count > 0 ? tree->root->level + 1u : 0;
}
