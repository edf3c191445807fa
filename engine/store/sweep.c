/*
 * sweep.c - deleting what has expired: the index says where, collection by collection, the bounds in the trees which.
 *
 * The walk through the index goes by keys, so whatever events' callbacks do between two collections, it goes on behind the last
 * one. What a sweep could not do, it leaves as it is: a collection stands under its deadline until the last of what has expired
 * has gone.
 */
#include "engine/store/sweep.h"

#include "engine/store/budget.h"
#include "engine/store/cache.h"
#include "engine/store/deadline.h"
#include "engine/store/edit.h"
#include "engine/store/events.h"
#include "engine/store/expiry.h"

enum { TOLD_TOGETHER = 256 }; /* entries that are swept before events are delivered */

static void book(struct sheaf_store *store, struct sheaf_collection *collection)
{
    if (!store->cache) return;
    store->cache->statistics.expirations++;
    sheaf_collection_books(collection)->expirations++;
}

/* Deletes an entry by way of an edit. SHEAF_OK or SHEAF_NO_MEMORY. */
static sheaf_status delete_expired(struct sheaf_store *store, struct sheaf_edit *edit, sheaf_bytes sort_key)
{
    struct sheaf_collection *collection = edit->copy ? edit->copy : edit->slot->collection;
    struct sheaf_event_item *mark = sheaf_events_mark(store);
    if (!sheaf_events_note_found(store, SHEAF_CAUSE_EXPIRED, collection, sort_key)) return SHEAF_NO_MEMORY;
    sheaf_status status = sheaf_tree_delete(edit->tree, sort_key);
    if (status != SHEAF_OK) {
        sheaf_events_undo(store, mark);
        return status;
    }
    book(store, collection);
    return SHEAF_OK;
}

sheaf_status sheaf_sweep_entry(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key)
{
    struct sheaf_edit edit;
    sheaf_status status = sheaf_edit_begin(store, sheaf_directory_find(&store->directory, hash, partition_key), &edit);
    if (status != SHEAF_OK) return status;
    status = delete_expired(store, &edit, sort_key);
    sheaf_edit_end(store, &edit);
    return status;
}

/* Puts a key in the index for another that goes in return, so also where the budget is used up. */
static bool put_in_reserve(struct sheaf_store *store, uint64_t due, uint64_t hash)
{
    sheaf_heap_open_reserve(&store->grove.heap);
    sheaf_status status = sheaf_deadlines_put(store, due, hash);
    sheaf_heap_close_reserve(&store->grove.heap);
    return status == SHEAF_OK;
}

/* Once nothing is left in a collection that has expired: moves it to where it belongs in the index. A record that a view sees, and
 * of which nothing went, stays as it is; so does all where there is no memory. */
static void move_on(struct sheaf_sweep *sweep, struct sheaf_edit *edit)
{
    struct sheaf_store *store = sweep->store;
    struct sheaf_collection *collection = edit->copy ? edit->copy : edit->slot->collection;
    if (edit->copy && edit->copy->tree.changed == edit->slot->collection->tree.changed) return;
    if (!edit->tree->root) return; /* it ends */
    uint64_t due = sheaf_tree_tighten_due(edit->tree, sweep->now);
    uint64_t bound = sheaf_tree_due(edit->tree);
    if (bound < due) due = bound; /* a version sees what made it so: a sweep is to come by again when it is closed */
    uint64_t before = sheaf_collection_due(collection);
    if (due == before) return;
    if (due != SHEAF_NO_DEADLINE && !put_in_reserve(store, due, edit->slot->hash)) return;
    sheaf_collection_set_due(collection, due);
}

/* Sweeps up to `most` entries of a collection. `out_done`: nothing is left there that has expired. */
static sheaf_status sweep_collection(struct sheaf_sweep *sweep, struct sheaf_slot *slot, uint64_t most, bool *out_done)
{
    struct sheaf_store *store = sweep->store;
    uint8_t buffers[2][SHEAF_SORT_KEY_SIZE_HARD]; /* the key that goes, and the one before */
    sheaf_cut from = { .side = SHEAF_SIDE_UNBOUNDED };
    sheaf_bytes key;
    struct sheaf_edit edit;
    *out_done = false;
    sheaf_status status = sheaf_edit_begin(store, slot, &edit);
    if (status != SHEAF_OK) return status;
    uint64_t hash = slot->hash, due = sheaf_collection_due(slot->collection);
    sheaf_totals before = edit.tree->totals;
    for (uint64_t gone = 0; status == SHEAF_OK; gone++) {
        *out_done = !sheaf_tree_find_expired(edit.tree, &from, sweep->now, buffers[gone % 2], &key);
        if (*out_done || gone == most) break;
        status = delete_expired(store, &edit, key);
        from = sheaf_cut_of(key, SHEAF_SIDE_AFTER);
    }
    sweep->swept.count += before.count - edit.tree->totals.count;
    sweep->swept.bytes += before.bytes - edit.tree->totals.bytes;
    sweep->left -= before.count - edit.tree->totals.count;
    if (*out_done) move_on(sweep, &edit);
    else if (from.side != SHEAF_SIDE_UNBOUNDED) sheaf_tree_tighten_due_before(edit.tree, &from, sweep->now);
    sheaf_edit_end(store, &edit);
    if (*out_done) sheaf_deadlines_delete(store, due, hash);
    sheaf_grove_settle(&store->grove);
    return status;
}

/* The slot of a collection that stands in the index under a key, and has something that has expired; NULL if there is none. */
static struct sheaf_slot *next_slot(const struct sheaf_sweep *sweep, const struct sheaf_deadline_key *key)
{
    struct sheaf_slot *slot;
    for (uint64_t skip = 0; (slot = sheaf_deadlines_slot(sweep->store, key, skip)) != NULL; skip++) {
        bool stands = sheaf_collection_due(slot->collection) == key->due;
        if (stands && sheaf_tree_has_expired(&slot->collection->tree, sweep->now)) return slot;
    }
    return NULL;
}

/* The collections that stand in the index under one key. */
static sheaf_status sweep_key(struct sheaf_sweep *sweep, const struct sheaf_deadline_key *key)
{
    struct sheaf_store *store = sweep->store;
    struct sheaf_slot *slot;
    while (sweep->left > 0 && (slot = next_slot(sweep, key)) != NULL) {
        uint64_t most = store->events && sweep->left > TOLD_TOGETHER ? TOLD_TOGETHER : sweep->left;
        uint64_t left = sweep->left;
        bool done;
        sheaf_status status = sweep_collection(sweep, slot, most, &done);
        bool again = store->events && sweep->left < left; /* what has been told of takes no room any more */
        if (status != SHEAF_OK && !again) return status;
        sheaf_events_flush(store);
    }
    return SHEAF_OK;
}

/* Of a key under which nothing has expired any more: moves on collections that stand there for an entry that is gone, and takes it
 * out if none is left. */
static void tidy(struct sheaf_sweep *sweep, const struct sheaf_deadline_key *key)
{
    struct sheaf_slot *slot;
    bool done;
    for (uint64_t skip = 0; (slot = sheaf_deadlines_slot(sweep->store, key, skip)) != NULL; skip++)
        if (sheaf_collection_due(slot->collection) == key->due) (void)sweep_collection(sweep, slot, 0, &done);
    sheaf_deadlines_delete(sweep->store, key->due, key->hash);
    sheaf_grove_settle(&sweep->store->grove);
}

/* The first key that the sweep has not come by yet. */
static bool next_key(const struct sheaf_sweep *sweep, struct sheaf_deadline_key *out_key)
{
    const struct sheaf_store *store = sweep->store;
    bool any = sweep->begun ? sheaf_deadlines_after(store, &sweep->place, out_key) : sheaf_deadlines_at(store, 0, out_key);
    return any && sheaf_is_expired(out_key->due, sweep->now);
}

static void begin_sweep(struct sheaf_sweep *sweep)
{
    struct sheaf_expiry *expiry = &sweep->store->expiry;
    sweep->number = ++expiry->sweep_count;
    expiry->given_least = UINT64_MAX;
}

/* X3: nothing that had expired is left, but for what came meanwhile. If another sweep was begun, it knows of that. */
static void end_sweep(struct sheaf_sweep *sweep)
{
    struct sheaf_expiry *expiry = &sweep->store->expiry;
    uint64_t swept_before = sweep->now < expiry->given_least ? sweep->now + 1 : expiry->given_least;
    sweep->ended = true;
    if (sweep->number == expiry->sweep_count && expiry->swept_before < swept_before) expiry->swept_before = swept_before;
}

static sheaf_status sweep_keys(struct sheaf_sweep *sweep, uint64_t key_max)
{
    struct sheaf_deadline_key key;
    for (uint64_t count = 0; next_key(sweep, &key); count++) {
        if (count == key_max) return SHEAF_OK;
        sheaf_status status = sweep_key(sweep, &key);
        if (status != SHEAF_OK || sweep->left == 0) return status;
        tidy(sweep, &key);
        sweep->place = key;
        sweep->begun = true;
    }
    end_sweep(sweep);
    return SHEAF_OK;
}

sheaf_status sheaf_sweep_step(struct sheaf_sweep *sweep, uint64_t key_max, sheaf_detail *out_detail)
{
    struct sheaf_store *store = sweep->store;
    if (!store->expiry.keeps) return sheaf_expiry_refuse(out_detail);
    if (sheaf_store_is_view(store)) return sheaf_report(out_detail, SHEAF_READ_ONLY);
    if (!sweep->begun) begin_sweep(sweep);
    sheaf_status status = sheaf_budget_report(&store->grove.heap, out_detail, sweep_keys(sweep, key_max));
    sheaf_events_flush(store);
    return status;
}

sheaf_status sheaf_store_sweep(sheaf_store *store, uint64_t now, uint64_t count_max, sheaf_totals *out_swept,
                               sheaf_detail *out_detail)
{
    struct sheaf_sweep sweep = { .store = store, .now = now, .left = count_max == 0 ? UINT64_MAX : count_max };
    sheaf_status status = sheaf_sweep_step(&sweep, UINT64_MAX, out_detail);
    if (out_swept) *out_swept = sweep.swept;
    return status;
}
