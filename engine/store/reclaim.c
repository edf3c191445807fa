/*
 * reclaim.c - deleting many entries at once: a range, a whole collection. Neither needs memory, unless a view sees what goes.
 */
#include "engine/store/budget.h"
#include "engine/store/edit.h"
#include "engine/store/events.h"
#include "engine/store/expiry.h"

static sheaf_status cut_once(struct sheaf_store *store, struct sheaf_slot *slot, const sheaf_range *range,
                             sheaf_totals *out_deleted)
{
    struct sheaf_edit edit;
    sheaf_status status = sheaf_edit_begin(store, slot, &edit);
    if (status != SHEAF_OK) return status;
    if (sheaf_tree_thaw_cut(edit.tree, range)) *out_deleted = sheaf_tree_cut(edit.tree, range);
    else status = SHEAF_NO_MEMORY;
    sheaf_edit_end(store, &edit);
    return status;
}

static sheaf_status cut(struct sheaf_store *store, struct sheaf_slot *slot, const sheaf_range *range, sheaf_totals *out_deleted)
{
    struct sheaf_event_cut events;
    sheaf_status status = sheaf_events_begin_cut(store, slot, range, SHEAF_CAUSE_CUT, &events);
    if (status != SHEAF_OK) return status;
    status = cut_once(store, slot, range, out_deleted);
    sheaf_events_end_cut(store, &events, status == SHEAF_OK);
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

    sheaf_totals deleted, visible = { 0 };
    struct sheaf_slot *slot = sheaf_store_find_slot(store, partition_key);
    if (slot && out_deleted) visible = sheaf_store_visible_range(store, &slot->collection->tree, &sound);
    if (slot) status = cut(store, slot, &sound, &deleted);
    if (status == SHEAF_OK && out_deleted) *out_deleted = visible;
    status = sheaf_budget_report(&store->grove.heap, out_detail, status);
    sheaf_events_flush(store);
    return status;
}

static sheaf_status drop_once(struct sheaf_store *store, struct sheaf_slot *slot)
{
    struct sheaf_edit edit;
    sheaf_status status = sheaf_edit_begin(store, slot, &edit);
    if (status != SHEAF_OK) return status;
    if (sheaf_tree_reserve_clear(edit.tree)) sheaf_tree_clear(edit.tree);
    else status = SHEAF_NO_MEMORY;
    sheaf_edit_end(store, &edit);
    return status;
}

sheaf_status sheaf_collection_drop(sheaf_store *store, sheaf_bytes partition_key, sheaf_totals *out_deleted)
{
    struct sheaf_slot *slot = sheaf_store_find_slot(store, partition_key);
    if (!slot) return SHEAF_NOT_FOUND;
    sheaf_totals all = sheaf_store_visible(store, &slot->collection->tree);
    if (all.count == 0) return SHEAF_NOT_FOUND;
    sheaf_range whole = sheaf_range_all();
    struct sheaf_event_cut events;
    sheaf_status status = sheaf_events_begin_cut(store, slot, &whole, SHEAF_CAUSE_CUT, &events);
    if (status == SHEAF_OK) {
        status = drop_once(store, slot);
        sheaf_events_end_cut(store, &events, status == SHEAF_OK);
    }
    if (status == SHEAF_OK && out_deleted) *out_deleted = all;
    status = sheaf_budget_report(&store->grove.heap, NULL, status);
    sheaf_events_flush(store);
    return status;
}
