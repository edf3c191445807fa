#include "engine/store/view.h"

#include "engine/store/budget.h"
#include "engine/store/expiry.h"

/* What reads need. Its grove is one in which all is frozen, so that no write gets by. */
static struct sheaf_store state_of(const struct sheaf_store *store)
{
    struct sheaf_store state = { .directory = store->directory,
                                 .limits = store->limits,
                                 .has_backend = store->has_backend,
                                 .hash_seed = store->hash_seed,
                                 .expiry = sheaf_expiry_stopped(&store->expiry),
                                 .deadlines = store->deadlines,
                                 .totals = store->totals,
                                 .partition_key_bytes = store->partition_key_bytes,
                                 .origin = store };
    state.grove.heap = store->grove.heap;
    state.grove.version = store->grove.version;
    state.grove.changes = store->grove.changes;
    state.grove.frozen_before = UINT64_MAX;
    state.grove.version_count = store->grove.version_count;
    state.grove.retained_bytes = store->grove.retained_bytes;
    state.grove.copied_count = store->grove.copied_count;
    return state;
}

void sheaf_view_begin(struct sheaf_view *view, struct sheaf_store *store)
{
    sheaf_version_open(&store->grove, &view->version);
    view->origin = store;
    view->fork_count = 0;
    view->closed = false;
    view->store = state_of(store);
    view->store.directory.grove = &view->store.grove; /* the store's own is the writer's alone */
}

sheaf_status sheaf_view_open(sheaf_store *store, sheaf_view **out_view, sheaf_detail *out_detail)
{
    if (sheaf_store_is_view(store)) return sheaf_report(out_detail, SHEAF_READ_ONLY);
    struct sheaf_view *view = sheaf_heap_allocate(&store->grove.heap, sizeof *view);
    if (!view) return sheaf_budget_report(&store->grove.heap, out_detail, SHEAF_NO_MEMORY);
    sheaf_view_begin(view, store);
    *out_view = view;
    return SHEAF_OK;
}

const sheaf_store *sheaf_view_store(const sheaf_view *view)
{
    return &view->store;
}

static void end_view(struct sheaf_view *view)
{
    struct sheaf_grove *grove = &view->origin->grove;
    sheaf_version_close(grove, &view->version);
    sheaf_heap_free(&grove->heap, view, sizeof *view);
}

void sheaf_view_close(sheaf_view *view)
{
    if (!view) return;
    view->closed = true;
    if (view->fork_count == 0) end_view(view);
}

void sheaf_view_release(struct sheaf_view *view)
{
    view->fork_count--;
    if (view->closed && view->fork_count == 0) end_view(view);
}
