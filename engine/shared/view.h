/*
 * view.h - a view of a shared store: one of each shard, all opened while no write is under way.
 */
#ifndef SHEAF_SHARED_VIEW_H
#define SHEAF_SHARED_VIEW_H

#include "engine/shared/shared.h"

struct sheaf_shared_view {
    struct sheaf_shared *shared;
    struct sheaf_shared_view *next; /* in the list of those that are open: guarded by the shared store's mutex */
    struct sheaf_shared_view *previous;
    uint64_t open_count;        /* of shared views, itself included, as it was opened */
    struct sheaf_view *views[]; /* of each shard */
};

/* Frees the records of views that are still open; the views themselves end with their stores. */
void sheaf_shared_views_end(struct sheaf_shared *shared);

#endif
