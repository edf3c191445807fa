/*
 * view.h - the record behind sheaf_view: a version of the grove, and a store's record that leads to the state of then.
 *
 *     sheaf_view ── version: its number, its dead list
 *          └─ store: directory and totals of then  ──▶  buckets, records, nodes: frozen, shared with the store
 *
 * Whoever reads a view's store reads its record, which nobody writes, and frozen blocks, which nobody writes or frees while the
 * view is open. So reading takes no lock and meets no writer.
 */
#ifndef SHEAF_STORE_VIEW_H
#define SHEAF_STORE_VIEW_H

#include <sheaf/view.h>

#include "engine/store/store.h"
#include "engine/tree/version.h"

struct sheaf_view {
    struct sheaf_version version; /* first: the grove's list of versions is that of the views */
    struct sheaf_store *origin;   /* the store it is a view of */
    uint64_t fork_count;          /* forks that began as this view and are not gone yet */
    bool closed;                  /* by its holder: it ends with its last fork */
    struct sheaf_store store;
};

/* Opens a view in a record of the caller's, to be closed with its version. */
void sheaf_view_begin(struct sheaf_view *view, struct sheaf_store *store);

/* Goes back to a view of this store, or what it began as; without events. SHEAF_OK or SHEAF_NO_MEMORY, that only while newer
 * views are open. */
sheaf_status sheaf_store_go_back(struct sheaf_store *store, struct sheaf_view *view);

/* A fork of the view has ended. */
void sheaf_view_release(struct sheaf_view *view);

/* All versions of a store's grove are views. */
static inline struct sheaf_view *sheaf_view_of(struct sheaf_version *version)
{
    return (struct sheaf_view *)(void *)version;
}

#endif
