/*
 * trim.c - the most entries that a collection may have: what is beyond goes at its far end.
 *
 * One or a few, as puts find them, go one by one; many, as after a bulk build, as a range. Other than what is evicted for want of
 * room, they go even if a view sees them, if there is memory for that.
 */
#include "engine/base/assert.h"
#include "engine/store/cache.h"
#include "engine/store/edit.h"
#include "engine/store/events.h"
#include "engine/tree/count.h"

enum { TRIMMED_ONE_BY_ONE = 8 };

/* Evicts the one entry at the far end, even if a view sees it. False if there is no memory for that. */
static bool evict_farthest(struct sheaf_store *store, struct sheaf_collection *collection)
{
    struct sheaf_tree *tree = &collection->tree;
    sheaf_totals before = tree->totals;
    uint8_t buffer[SHEAF_SORT_KEY_SIZE_HARD];
    struct sheaf_event_item *mark = sheaf_events_mark(store);
    sheaf_bytes sort_key = sheaf_tree_key(tree, sheaf_cache_farthest(store->cache, tree), buffer);
    if (!sheaf_events_note_found(store, SHEAF_CAUSE_EVICTED, collection, sort_key)) return false;
    if (sheaf_tree_delete(tree, sort_key) != SHEAF_OK) {
        sheaf_events_undo(store, mark);
        return false;
    }
    sheaf_cache_book(store->cache, collection, (sheaf_totals){ .count = 1, .bytes = before.bytes - tree->totals.bytes });
    return true;
}

static void trim_one_by_one(struct sheaf_store *store, struct sheaf_slot *slot, uint64_t most)
{
    struct sheaf_edit edit;
    if (sheaf_edit_begin(store, slot, &edit) != SHEAF_OK) return;
    struct sheaf_collection *collection = edit.copy ? edit.copy : slot->collection;
    while (collection->tree.totals.count > most && evict_farthest(store, collection)) {}
    sheaf_edit_end(store, &edit);
}

static bool cut_range(struct sheaf_store *store, struct sheaf_slot *slot, const sheaf_range *range)
{
    struct sheaf_edit edit;
    if (sheaf_edit_begin(store, slot, &edit) != SHEAF_OK) return false;
    bool thawed = sheaf_tree_thaw_cut(edit.tree, range);
    if (thawed) sheaf_cache_book(store->cache, edit.copy ? edit.copy : slot->collection, sheaf_tree_cut(edit.tree, range));
    sheaf_edit_end(store, &edit);
    return thawed;
}

/* All that is too many goes as a range. */
static void trim_at_once(struct sheaf_store *store, struct sheaf_slot *slot, uint64_t most)
{
    const struct sheaf_tree *tree = &slot->collection->tree;
    uint8_t buffer[SHEAF_SORT_KEY_SIZE_HARD];
    struct sheaf_event_cut events;
    bool lowest = store->cache->options.far_end == SHEAF_FORWARD;
    sheaf_bytes nearest = sheaf_tree_key(tree, lowest ? tree->totals.count - most - 1 : most, buffer); /* of those that go */
    sheaf_range range = lowest ? sheaf_range_at_most(nearest) : sheaf_range_at_least(nearest);
    if (sheaf_events_begin_cut(store, slot, &range, SHEAF_CAUSE_EVICTED, &events) != SHEAF_OK) return;
    sheaf_events_end_cut(store, &events, cut_range(store, slot, &range));
}

void sheaf_cache_trim(struct sheaf_store *store, uint64_t partition_hash, sheaf_bytes partition_key)
{
    uint64_t most = store->cache->options.collection_count_max;
    if (most == 0) return;
    struct sheaf_slot *slot = sheaf_directory_find(&store->directory, partition_hash, partition_key);
    sheaf_assert(slot);
    uint64_t count = slot->collection->tree.totals.count;
    if (count > most + TRIMMED_ONE_BY_ONE) trim_at_once(store, slot, most);
    else if (count > most) trim_one_by_one(store, slot, most);
}
