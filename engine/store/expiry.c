#include "engine/store/expiry.h"

#include "engine/store/deadline.h"

sheaf_status sheaf_expiry_validate(const sheaf_expiry_options *options, sheaf_detail *out_detail)
{
    if (!options) return SHEAF_OK;
    sheaf_detail detail = { .field = SHEAF_FIELD_OPTION };
    if ((unsigned)options->rule > SHEAF_EXPIRY_READABLE) detail.message = "The option rule is none of the two rules of expiry";
    if (options->rule == SHEAF_EXPIRY_HIDDEN && !options->now) detail.message = "The option now is NULL: there is no clock";
    return detail.message ? sheaf_refuse(out_detail, SHEAF_INVALID_ARGUMENT, detail) : SHEAF_OK;
}

sheaf_status sheaf_expiry_refuse(sheaf_detail *out_detail)
{
    sheaf_detail detail = { .field = SHEAF_FIELD_OPTION, .message = "The store keeps no deadlines: it was made without expiry" };
    return sheaf_refuse(out_detail, SHEAF_INVALID_ARGUMENT, detail);
}

void sheaf_expiry_begin(struct sheaf_store *store, const sheaf_expiry_options *options)
{
    store->expiry = (struct sheaf_expiry){ .keeps = true,
                                           .hides = options->rule == SHEAF_EXPIRY_HIDDEN,
                                           .now = options->now,
                                           .context = options->context };
    store->grove.due = (struct sheaf_due){ .size = EXTRA_DUE, .fresh = SHEAF_NO_DEADLINE };
}

struct sheaf_expiry sheaf_expiry_stopped(const struct sheaf_expiry *expiry)
{
    struct sheaf_expiry stopped = *expiry;
    if (!stopped.hides || stopped.stopped) return stopped;
    stopped.stopped_at = expiry->now(expiry->context);
    stopped.stopped = true;
    return stopped;
}

bool sheaf_store_hides_entry(const struct sheaf_store *store, const struct sheaf_tree *tree, sheaf_bytes sort_key)
{
    uint64_t now, due;
    sheaf_bytes value;
    if (!sheaf_store_hides(store, tree, &now)) return false;
    return sheaf_tree_get_due(tree, sort_key, &due, &value) == SHEAF_OK && sheaf_is_expired(due, now);
}

static sheaf_totals without(sheaf_totals all, sheaf_totals hidden)
{
    return (sheaf_totals){ .count = all.count - hidden.count, .bytes = all.bytes - hidden.bytes };
}

sheaf_totals sheaf_store_visible(const struct sheaf_store *store, const struct sheaf_tree *tree)
{
    uint64_t now;
    sheaf_range all = sheaf_range_all();
    if (!sheaf_store_hides(store, tree, &now)) return tree->totals;
    return without(tree->totals, sheaf_tree_expired(tree, &all, now));
}

sheaf_totals sheaf_store_visible_range(const struct sheaf_store *store, const struct sheaf_tree *tree, const sheaf_range *range)
{
    uint64_t now;
    sheaf_totals all = sheaf_tree_range_total(tree, range);
    if (all.count == 0 || !sheaf_store_hides(store, tree, &now)) return all;
    return without(all, sheaf_tree_expired(tree, range, now));
}

/* ---- of the whole store ---------------------------------------------------------------------------------------------- */

/* Takes away what is hidden in a collection. */
static void hide_collection(const struct sheaf_collection *collection, uint64_t now, sheaf_store_totals *totals)
{
    sheaf_range all = sheaf_range_all();
    sheaf_totals hidden = sheaf_tree_expired(&collection->tree, &all, now);
    totals->entry_count -= hidden.count;
    totals->logical_bytes -= hidden.bytes;
    if (hidden.count < collection->tree.totals.count) return;
    totals->collection_count--;
    totals->logical_bytes -= collection->partition_key_size;
}

void sheaf_expiry_hide(const struct sheaf_store *store, sheaf_store_totals *totals)
{
    if (!store->expiry.hides) return;
    uint64_t now = sheaf_store_now(store);
    struct sheaf_deadline_key key;
    for (uint64_t i = 0; sheaf_deadlines_at(store, i, &key) && sheaf_is_expired(key.due, now); i++) {
        const struct sheaf_slot *slot;
        for (uint64_t skip = 0; (slot = sheaf_deadlines_slot(store, &key, skip)) != NULL; skip++) {
            if (sheaf_collection_due(slot->collection) == key.due) hide_collection(slot->collection, now, totals);
        }
    }
}
