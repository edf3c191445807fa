/*
 * reclaim.c - deleting many entries at once: a range, a whole collection. Neither needs memory, unless a view sees what goes.
 */
#include "engine/store/budget.h"
#include "engine/store/edit.h"

static sheaf_status cut(struct sheaf_store *store, struct sheaf_slot *slot, const sheaf_range *range, sheaf_totals *out_deleted)
{
    struct sheaf_edit edit;
    sheaf_status status = sheaf_edit_begin(store, slot, &edit);
    if (status != SHEAF_OK) return status;
    if (sheaf_tree_thaw_cut(edit.tree, range)) *out_deleted = sheaf_tree_cut(edit.tree, range);
    else status = SHEAF_NO_MEMORY;
    sheaf_edit_end(store, &edit);
    return status;
}

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
        status = cut(store, slot, &sound, &deleted);
        if (status != SHEAF_OK) return sheaf_budget_report(&store->grove.heap, out_detail, status);
    }
    if (out_deleted) *out_deleted = deleted;
    return SHEAF_OK;
}

sheaf_status sheaf_collection_drop(sheaf_store *store, sheaf_bytes partition_key, sheaf_totals *out_deleted)
{
    struct sheaf_slot *slot = sheaf_store_find_slot(store, partition_key);
    if (!slot) return SHEAF_NOT_FOUND;
    sheaf_totals all = slot->collection->tree.totals;
    struct sheaf_edit edit;
    sheaf_status status = sheaf_edit_begin(store, slot, &edit);
    if (status != SHEAF_OK) return sheaf_budget_report(&store->grove.heap, NULL, status);
    if (sheaf_tree_reserve_clear(edit.tree)) sheaf_tree_clear(edit.tree);
    else status = SHEAF_NO_MEMORY;
    sheaf_edit_end(store, &edit);
    if (status == SHEAF_OK && out_deleted) *out_deleted = all;
    return sheaf_budget_report(&store->grove.heap, NULL, status);
}
