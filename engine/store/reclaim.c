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
    struct sheaf_slot *slot = sheaf_store_find_slot(store, partition_key);
    if (slot) {
        struct sheaf_tree *tree = &slot->collection->tree;
        sheaf_totals before = tree->totals;
        deleted = sheaf_tree_cut(tree, &sound);
        sheaf_store_settle(store, slot, before);
    }
    if (out_deleted) *out_deleted = deleted;
    return SHEAF_OK;
}

sheaf_status sheaf_collection_drop(sheaf_store *store, sheaf_bytes partition_key, sheaf_totals *out_deleted)
{
    struct sheaf_slot *slot = sheaf_store_find_slot(store, partition_key);
    if (!slot) return SHEAF_NOT_FOUND;
    if (out_deleted) *out_deleted = slot->collection->tree.totals;
    sheaf_store_end_collection(store, slot);
    return SHEAF_OK;
}
