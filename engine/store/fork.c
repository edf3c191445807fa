/*
 * fork.c - a store that begins as a view.
 *
 *     origin ── view ── directory of then ─┐
 *                                          ├──▶  buckets, records, nodes of then: frozen for both
 *     fork ──────────── its directory ─────┘
 *
 * All that was born before the view is frozen in the fork, as beneath a view of its own, and another grove's, so that it is
 * never freed there. Its versions go on from the number of the view: no birth in the fork is below that, none of what it shares
 * above.
 */
#include "engine/store/fork.h"

#include "engine/base/assert.h"
#include "engine/store/view.h"

sheaf_status sheaf_store_fork(sheaf_view *view, sheaf_store **out_store, sheaf_detail *out_detail)
{
    const struct sheaf_store *then = &view->store;
    struct sheaf_store *store;
    const sheaf_allocator *hooks = then->has_backend ? NULL : &then->grove.heap.hooks;
    sheaf_status status = sheaf_store_allocate(hooks, 0, &store, out_detail);
    if (status != SHEAF_OK) return status;
    store->limits = then->limits;
    store->hash_seed = then->hash_seed;
    store->expiry = view->origin->expiry;
    store->expiry.swept_before = then->expiry.swept_before;
    store->deadlines = then->deadlines;
    store->deadlines.grove = &store->grove;
    store->totals = then->totals;
    store->partition_key_bytes = then->partition_key_bytes;
    store->directory = then->directory;
    store->directory.grove = &store->grove;
    store->grove.due = view->origin->grove.due;
    store->grove.use = view->origin->grove.use; /* leaves are alike; but a fork is no cache */
    store->grove.version = store->grove.changes = view->version.number;
    store->grove.frozen_before = store->grove.foreign_before = view->version.number;
    store->base = view;
    view->fork_count++;
    *out_store = store;
    return SHEAF_OK;
}

void sheaf_fork_end(struct sheaf_store *store)
{
    struct sheaf_view *base = store->base;
    struct sheaf_since since = { .grove = &store->grove, .number = base->version.number };
    sheaf_assert(!store->grove.newest); /* so nothing of its own is frozen, and retiring is freeing */
    sheaf_directory_take_since(&store->directory, &base->store.directory, &since);
    sheaf_since_take_tree(&since, store->deadlines.root, base->store.deadlines.root);
    sheaf_view_release(base);
}
