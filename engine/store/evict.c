/*
 * evict.c - the hand: going round the entries of a store, and deleting those that the policy lets go.
 *
 * Each step visits one leaf, or one collection, and moves the hand behind it. Steps go on until enough is free; a step that
 * lets nobody go is one of a bounded number (sifter.h), so that ends, at the latest with the last entry.
 */
#include "engine/base/assert.h"
#include "engine/store/cache.h"
#include "engine/store/edit.h"
#include "engine/store/events.h"
#include "engine/tree/large.h"
#include "engine/tree/window.h"

enum {
    SLACK_FRACTION = 512,       /* of the budget is evicted beyond need, so that not every put has to ... */
    SLACK_BYTES_MAX = 1 << 14,  /* ... up to so much */
    FAR_END_FRACTION = 8,       /* of a collection goes at its far end, each time the hand comes by */
    LEAF_COUNT_MAX = NODE_SIZE_HARD / 8, /* a slot and its cell take more */
    MET_IN_VAIN_MAX = 1024,     /* beyond two rounds: the sifter would have let one go long before */
};

/* ---- the hand ----------------------------------------------------------------------------------------------------------- */

/* The slot under the hand. There are entries, so there is one. */
static struct sheaf_slot *slot_under(const struct sheaf_store *store, struct sheaf_hand *hand)
{
    struct sheaf_slot *slot = sheaf_directory_from(&store->directory, hand->hash, hand->skip);
    if (!slot) {
        *hand = (struct sheaf_hand){ 0 };
        slot = sheaf_directory_from(&store->directory, 0, 0);
    }
    sheaf_assert(slot);
    if (slot->hash != hand->hash) *hand = (struct sheaf_hand){ .hash = slot->hash };
    return slot;
}

static void go_on(struct sheaf_hand *hand)
{
    hand->skip++;
    hand->index = 0;
    hand->quota = 0;
}

/* Whether a view sees the collection as it is, and with it all its nodes: to evict from it would take memory and give none. */
static bool is_seen(const struct sheaf_store *store, const struct sheaf_slot *slot)
{
    return sheaf_is_frozen(&store->grove, slot->collection->tree.changed);
}

/* Of a collection that no view sees as it is: needs no memory. */
static void begin_edit(struct sheaf_store *store, struct sheaf_slot *slot, struct sheaf_edit *edit)
{
    sheaf_status status = sheaf_edit_begin(store, slot, edit);
    sheaf_assert(status == SHEAF_OK && !edit->copy);
    (void)status;
}

/* Evicts the entry in a window's slot. False if there is no memory for what has to be kept of it. */
static bool evict_slot(struct sheaf_store *store, struct sheaf_slot *slot, struct sheaf_window *window, uint32_t at)
{
    uint8_t buffer[SHEAF_SORT_KEY_SIZE_HARD];
    struct sheaf_event_item *mark = sheaf_events_mark(store);
    const struct sheaf_node *leaf = sheaf_window_leaf(window);
    if (store->events && !sheaf_events_note_entry(store, SHEAF_CAUSE_EVICTED, sheaf_collection_key(slot->collection),
                                                  sheaf_node_key(leaf, at, buffer), sheaf_payload_of_slot(leaf, at).bytes))
        return false;
    sheaf_totals evicted = sheaf_window_delete(window, at, at + 1);
    if (evicted.count == 0) sheaf_events_undo(store, mark);
    sheaf_cache_book(store->cache, slot->collection, evicted);
    return evicted.count > 0;
}

/* ---- by entries --------------------------------------------------------------------------------------------------------- */

static void remember(struct sheaf_cache *cache, uint64_t partition_hash, const struct sheaf_node *leaf, uint32_t slot)
{
    uint8_t buffer[SHEAF_SORT_KEY_SIZE_HARD];
    if (!cache->ghost.marks) return;
    sheaf_ghost_note(&cache->ghost, sheaf_cache_entry_hash(partition_hash, sheaf_node_key(leaf, slot, buffer)));
}

/* Evicts those of a leaf that go, until enough is free: values out of line are at once. */
static void evict_going(struct sheaf_store *store, struct sheaf_slot *slot, struct sheaf_window *window, const bool *going,
                        uint64_t charged_bytes)
{
    for (uint32_t at = (uint32_t)window->count; at > 0; at--) {
        if (!going[at - 1]) continue;
        if (store->grove.heap.charged_bytes <= charged_bytes) return;
        remember(store->cache, slot->hash, sheaf_window_leaf(window), at - 1);
        (void)evict_slot(store, slot, window, at - 1);
        if (sheaf_events_stop(store)) return;
    }
}

/* Sifts the leaf under the window. */
static void sift(struct sheaf_store *store, struct sheaf_slot *slot, struct sheaf_window *window, uint64_t charged_bytes)
{
    struct sheaf_cache *cache = store->cache;
    bool going[LEAF_COUNT_MAX];
    uint8_t *uses = sheaf_node_uses_writable(sheaf_window_leaf(window));
    uint32_t going_count = sheaf_sifter_sift(&cache->sifter, &cache->rules, store->totals.count, uses,
                                             (uint32_t)window->count, going);
    if (going_count > 0) evict_going(store, slot, window, going, charged_bytes);
}

/* Returns how many entries were met. */
static uint64_t step_by_entries(struct sheaf_store *store, uint64_t charged_bytes)
{
    struct sheaf_hand *hand = &store->cache->hand;
    struct sheaf_slot *slot = slot_under(store, hand);
    uint64_t count = slot->collection->tree.totals.count;
    if (is_seen(store, slot) || hand->index >= count) {
        count -= hand->index < count ? hand->index : count;
        go_on(hand);
        return count;
    }
    struct sheaf_edit edit;
    struct sheaf_window window;
    begin_edit(store, slot, &edit);
    bool open = sheaf_window_open(&window, edit.tree, hand->index);
    uint64_t met_count = window.count;
    if (open) sift(store, slot, &window, charged_bytes);
    hand->index = window.first + window.count;
    if (open) sheaf_window_close(&window);
    sheaf_edit_end(store, &edit);
    return met_count;
}

/* ---- by collections ----------------------------------------------------------------------------------------------------- */

/* Drops a collection whole. False if versions see parts of it, and there is no memory to keep those. */
static bool evict_collection(struct sheaf_store *store, struct sheaf_slot *slot)
{
    struct sheaf_edit edit;
    sheaf_totals all = slot->collection->tree.totals;
    if (sheaf_edit_begin(store, slot, &edit) != SHEAF_OK) return false;
    bool reserved = sheaf_tree_reserve_clear(edit.tree);
    if (reserved) {
        sheaf_ghost_note(&store->cache->ghost, slot->hash);
        sheaf_cache_book(store->cache, edit.copy ? edit.copy : slot->collection, all);
        sheaf_tree_clear(edit.tree);
    }
    sheaf_edit_end(store, &edit);
    return reserved;
}

/* The same with its events, for which a view may have to be opened that sees it. */
static bool evict_collection_noting(struct sheaf_store *store, struct sheaf_slot *slot)
{
    sheaf_range all = sheaf_range_all();
    struct sheaf_event_cut events;
    if (sheaf_events_begin_cut(store, slot, &all, SHEAF_CAUSE_EVICTED, &events) != SHEAF_OK) return false;
    bool evicted = evict_collection(store, slot);
    sheaf_events_end_cut(store, &events, evicted);
    return evicted;
}

/* Returns how many collections were met. */
static uint64_t step_by_collections(struct sheaf_store *store)
{
    struct sheaf_cache *cache = store->cache;
    struct sheaf_slot *slot = slot_under(store, &cache->hand);
    struct sheaf_collection *collection = slot->collection;
    bool going = false;
    if (!is_seen(store, slot))
        (void)sheaf_sifter_sift(&cache->sifter, &cache->rules, store->directory.count, &collection->use, 1, &going);
    if (!going || !evict_collection_noting(store, slot)) go_on(&cache->hand);
    return 1;
}

/* ---- by the far end ----------------------------------------------------------------------------------------------------- */

/* Evicts the `count` entries of a window that are farthest. */
static void evict_far_slots(struct sheaf_store *store, struct sheaf_slot *slot, struct sheaf_window *window, uint32_t count)
{
    bool lowest = store->cache->options.far_end == SHEAF_FORWARD;
    if (!store->events) {
        uint32_t begin = lowest ? 0 : (uint32_t)window->count - count;
        sheaf_cache_book(store->cache, slot->collection, sheaf_window_delete(window, begin, begin + count));
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!evict_slot(store, slot, window, lowest ? 0 : (uint32_t)window->count - 1) || sheaf_events_stop(store)) return;
}

/* Evicts up to `count` entries from the far end of a collection, as far as its last leaf goes; returns how many it met. */
static uint64_t evict_far_end(struct sheaf_store *store, struct sheaf_slot *slot, uint64_t count)
{
    struct sheaf_edit edit;
    struct sheaf_window window;
    begin_edit(store, slot, &edit);
    uint64_t met_count = 0;
    if (sheaf_window_open(&window, edit.tree, sheaf_cache_farthest(store->cache, edit.tree))) {
        uint32_t going_count = count < window.count ? (uint32_t)count : (uint32_t)window.count;
        met_count = going_count;
        evict_far_slots(store, slot, &window, going_count);
        sheaf_window_close(&window);
    } else {
        met_count = window.count;
    }
    sheaf_edit_end(store, &edit);
    return met_count;
}

static uint64_t step_by_far_ends(struct sheaf_store *store)
{
    struct sheaf_hand *hand = &store->cache->hand;
    struct sheaf_slot *slot = slot_under(store, hand);
    uint64_t count = slot->collection->tree.totals.count;
    if (is_seen(store, slot)) {
        go_on(hand);
        return count;
    }
    if (hand->quota == 0) hand->quota = (count + FAR_END_FRACTION - 1) / FAR_END_FRACTION;
    uint64_t collection_count = store->directory.count;
    uint64_t met_count = evict_far_end(store, slot, hand->quota);
    hand->quota -= met_count < hand->quota ? met_count : hand->quota;
    if (store->directory.count < collection_count) hand->quota = 0; /* it has ended, and the hand is on the next */
    else if (hand->quota == 0) go_on(hand);
    return met_count;
}

/* ---- until there is room ------------------------------------------------------------------------------------------------ */

static bool evicts(const struct sheaf_store *store)
{
    return store->cache && store->cache->options.eviction != SHEAF_EVICTION_NONE && !store->cache->paused;
}

static uint64_t step(struct sheaf_store *store, uint64_t charged_bytes)
{
    switch (store->cache->options.eviction) {
    case SHEAF_EVICTION_FREQUENCY:
    case SHEAF_EVICTION_RECENCY: return step_by_entries(store, charged_bytes);
    case SHEAF_EVICTION_COLLECTION: return step_by_collections(store);
    case SHEAF_EVICTION_FAR_END: return step_by_far_ends(store);
    case SHEAF_EVICTION_NONE: return 0;
    }
    return 0;
}

/* How many there are of what steps meet. */
static uint64_t population(const struct sheaf_store *store)
{
    return store->cache->options.eviction == SHEAF_EVICTION_COLLECTION ? store->directory.count : store->totals.count;
}

/* Steps until at most so much is charged, all has gone, or all has been met and nobody goes: versions see what is there. */
static void go_round(struct sheaf_store *store, uint64_t charged_bytes)
{
    uint64_t met_count = 0;
    while (store->grove.heap.charged_bytes > charged_bytes && store->totals.count > 0) {
        uint64_t count = store->totals.count;
        uint64_t met_now = step(store, charged_bytes);
        if (sheaf_events_stop(store) && !sheaf_events_make_room(store)) return;
        met_count = store->totals.count < count ? 0 : met_count + met_now;
        if (met_count > 2 * population(store) + MET_IN_VAIN_MAX) return;
    }
}

/* Places that the memory of evicted keys should have and has not; 0: it is well as it is. */
static uint64_t ghost_wants(const struct sheaf_store *store)
{
    uint64_t place_count;
    sheaf_eviction eviction = store->cache->options.eviction;
    if (eviction != SHEAF_EVICTION_FREQUENCY && eviction != SHEAF_EVICTION_COLLECTION) return 0;
    return sheaf_ghost_is_unfit(&store->cache->ghost, population(store), &place_count) ? place_count : 0;
}

bool sheaf_cache_evict_to(struct sheaf_store *store, uint64_t charged_bytes)
{
    const struct sheaf_heap *heap = &store->grove.heap;
    if (heap->charged_bytes <= charged_bytes) return true;
    if (!evicts(store)) return false;
    uint64_t place_count = ghost_wants(store);
    uint64_t ghost_bytes = place_count > 0 ? sheaf_heap_real_size(heap, sheaf_ghost_size(place_count)) : 0;
    uint64_t target = charged_bytes > ghost_bytes ? charged_bytes - ghost_bytes : 0;
    go_round(store, target);
    if (place_count > 0 && heap->charged_bytes <= target)
        (void)sheaf_ghost_resize(&store->cache->ghost, &store->grove.heap, place_count);
    return heap->charged_bytes <= charged_bytes;
}

bool sheaf_cache_make_room(struct sheaf_store *store)
{
    const struct sheaf_heap *heap = &store->grove.heap;
    if (!evicts(store) || heap->refused_bytes == 0) return false;
    uint64_t slack = heap->ceiling_bytes / SLACK_FRACTION;
    uint64_t wanted = heap->refused_bytes - heap->ceiling_bytes + (slack < SLACK_BYTES_MAX ? slack : SLACK_BYTES_MAX);
    uint64_t count = store->totals.count;
    bool done = sheaf_cache_evict_to(store, heap->charged_bytes > wanted ? heap->charged_bytes - wanted : 0);
    return done || store->totals.count < count;
}

sheaf_status sheaf_store_evict(sheaf_store *store, uint64_t charged_bytes)
{
    if (store->grove.heap.charged_bytes <= charged_bytes) return SHEAF_OK;
    if (!evicts(store) || store->totals.count == 0) return SHEAF_NOT_FOUND;
    (void)sheaf_cache_evict_to(store, charged_bytes);
    sheaf_events_flush(store);
    return SHEAF_OK;
}
