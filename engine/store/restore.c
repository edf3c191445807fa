/*
 * restore.c - going back to a view: what was born since is retired, and what has died since lives again.
 *
 *      P ─── V ─────────── W ── now        back to V: linear, births tell what came since
 *             '── now'                     from here on W lies aside; what dies may be seen by P or V and not by W
 *
 * Births tell only along one line. Once the store has gone back past a view that stays open, a block may be older than that
 * view and yet not be seen by it. To go back to a view that was open then, both states are gone through in full and compared.
 */
#include "engine/store/blocks.h"
#include "engine/store/budget.h"
#include "engine/store/deadline.h"
#include "engine/store/events.h"
#include "engine/store/view.h"

/* Blocks to which only the state of now leads, or only that of then. */
static bool is_of_now(const struct sheaf_census_entry *entry)
{
    return entry->live && entry->seen_by == 0;
}

static bool is_of_then(const void *census, const struct sheaf_dead *dead)
{
    const struct sheaf_census_entry *entry = sheaf_census_find(census, dead->block);
    return !entry->live && entry->seen_by != 0;
}

/* By comparing all blocks of both. */
static bool exchange_by_census(struct sheaf_store *store, struct sheaf_view *view)
{
    struct sheaf_grove *grove = &store->grove;
    struct sheaf_census census;
    const struct sheaf_census_entry *entry;
    uint64_t places = 0;
    sheaf_census_begin(&census, grove);
    sheaf_census_add_state(&census, store, NULL);
    sheaf_census_add_state(&census, &view->store, &view->version);
    for (entry = sheaf_census_next(&census, NULL); entry; entry = sheaf_census_next(&census, entry))
        if (is_of_now(entry) && sheaf_is_frozen(grove, entry->birth)) places++;
    bool possible = !census.refused && sheaf_grove_reserve(grove, places);
    if (possible) {
        for (entry = sheaf_census_next(&census, NULL); entry; entry = sheaf_census_next(&census, entry))
            if (is_of_now(entry)) sheaf_grove_retire(grove, entry->block, entry->size, entry->birth);
        sheaf_version_revive_some(grove, &view->version, is_of_then, &census);
    }
    sheaf_census_end(&census);
    return possible;
}

static void take_since(const struct sheaf_store *store, const struct sheaf_view *view, struct sheaf_since *since)
{
    sheaf_directory_take_since(&store->directory, &view->store.directory, since);
    sheaf_since_take_tree(since, store->deadlines.root, view->store.deadlines.root);
}

/* By births. In a fork that goes back to its base nothing comes to life again: what was the base's never was on a dead list. */
static bool exchange_by_birth(struct sheaf_store *store, struct sheaf_view *view, bool newer)
{
    struct sheaf_since since = { .grove = &store->grove, .number = view->version.number, .counting = true };
    if (newer) {
        take_since(store, view, &since);
        if (!sheaf_grove_reserve(&store->grove, since.places)) return false;
    }
    since.counting = false;
    take_since(store, view, &since);
    if (view->origin == store) sheaf_version_revive(&store->grove, &view->version);
    return true;
}

/* Whether what the store has and the view has not is what was born since. */
static bool births_tell(const struct sheaf_store *store, const struct sheaf_view *view)
{
    return view->version.number > store->grove.branched_at || view == store->base;
}

static void set_state(struct sheaf_store *store, const struct sheaf_store *then)
{
    uint64_t changes = store->directory.changes + 1;
    store->directory = then->directory;
    store->directory.grove = &store->grove;
    store->directory.changes = changes;
    store->deadlines = then->deadlines;
    store->deadlines.grove = &store->grove;
    sheaf_deadline_given(store, 0); /* any */
    store->totals = then->totals;
    store->partition_key_bytes = then->partition_key_bytes;
    store->grove.changes++;
    store->grove.finger.tree = NULL;
}

sheaf_status sheaf_store_go_back(struct sheaf_store *store, struct sheaf_view *view)
{
    struct sheaf_grove *grove = &store->grove;
    bool newer = grove->newest && grove->newest != &view->version;
    bool by_birth = births_tell(store, view);
    bool done = by_birth ? exchange_by_birth(store, view, newer) : exchange_by_census(store, view);
    if (done) set_state(store, &view->store);
    if (done && newer) grove->branched_at = grove->changes;
    sheaf_grove_settle(grove);
    return done ? SHEAF_OK : SHEAF_NO_MEMORY;
}

sheaf_status sheaf_store_restore(sheaf_store *store, sheaf_view *view, sheaf_detail *out_detail)
{
    if (sheaf_store_is_view(store)) return sheaf_report(out_detail, SHEAF_READ_ONLY);
    if (view->origin != store && view != store->base) {
        sheaf_detail detail = { .field = SHEAF_FIELD_VIEW, .message = "The view is not one of this store" };
        return sheaf_refuse(out_detail, SHEAF_INVALID_ARGUMENT, detail);
    }
    struct sheaf_event_item *mark = sheaf_events_mark(store);
    sheaf_status status = sheaf_events_note_restore(store, view, births_tell(store, view)) ? SHEAF_OK : SHEAF_NO_MEMORY;
    if (status == SHEAF_OK) status = sheaf_store_go_back(store, view);
    if (status != SHEAF_OK) sheaf_events_undo(store, mark);
    status = sheaf_budget_report(&store->grove.heap, out_detail, status);
    sheaf_events_flush(store);
    return status;
}
