/*
 * reclaim.c - deleting many entries at once: a range, a whole collection. Neither needs memory.
 */
#include "engine/store/store.h"

sheaf_status sheaf_store_delete_range(sheaf_store *store, sheaf_bytes partition_key, const sheaf_range *range,
                                      sheaf_totals *out_deleted, sheaf_detail *out_detail)
{
    sheaf_range sound;
    sheaf_status status = sheaf_validate_partition_key(&store->limits, partition_key, out_detail);
    if (status != SHEAF_OK) return status;
    status = sheaf_validate_range(range, &sound, out_detail);
    if (status != SHEAF_OK) return status;

    sheaf_totals deleted = { 0 };
    uint64_t hash = sheaf_store_hash(store, partition_key);
    struct sheaf_collection *collection = sheaf_directory_find(&store->directory, hash, partition_key);
    if (collection) {
        sheaf_totals before = collection->tree.totals;
        deleted = sheaf_tree_cut(&collection->tree, &sound);
        sheaf_store_account(store, before, collection->tree.totals);
        if (collection->tree.totals.count == 0) sheaf_store_end_collection(store, hash, collection); /* S1 */
    }
    if (out_deleted) *out_deleted = deleted;
    return SHEAF_OK;
}

sheaf_status sheaf_collection_drop(sheaf_store *store, sheaf_bytes partition_key, sheaf_totals *out_deleted)
{
    uint64_t hash = sheaf_store_hash(store, partition_key);
    struct sheaf_collection *collection = sheaf_directory_find(&store->directory, hash, partition_key);
    if (!collection) return SHEAF_NOT_FOUND;
    if (out_deleted) *out_deleted = collection->tree.totals;
    sheaf_store_end_collection(store, hash, collection);
    return SHEAF_OK;
}
