/*
 * batch.h - the steps of a batch, for those who do one over several stores: each begins one, does its part, and ends it.
 */
#ifndef SHEAF_STORE_BATCH_H
#define SHEAF_STORE_BATCH_H

#include <sheaf/batch.h>

#include "engine/store/view.h"

struct sheaf_event_item;

/* A batch under way in a store. Must not move. */
struct sheaf_batch {
    struct sheaf_view before; /* what the store goes back to if it is refused: always the newest */
    struct sheaf_event_item *mark;
};

/* Whether a store of these limits could accept all writes: SHEAF_OK, or what the first says that it could not. */
sheaf_status sheaf_batch_validate(const struct sheaf_limits *limits, const sheaf_batch_write *writes, size_t count,
                                  size_t *out_refused, sheaf_detail *out_detail);

/* No events are delivered and nobody is evicted between the two. `done`: what was written stays; else it goes. Needs no
 * memory. */
void sheaf_batch_begin(struct sheaf_store *store, struct sheaf_batch *batch);
void sheaf_batch_end(struct sheaf_store *store, struct sheaf_batch *batch, bool done);

/* One write. That there is nothing to delete is no failure. */
sheaf_status sheaf_batch_write_once(struct sheaf_store *store, const sheaf_batch_write *write, sheaf_detail *out_detail);

#endif
