/*
 * events.h - the end of a change to a shard: its events are taken along, and delivered once the lock is given back.
 *
 *      locked      change, take what left off the store's queue
 *      unlocked    callbacks: they may call whatever they like, of the same shard too
 *      locked      give back what they were about, if it is the store's (nodes of a range)
 *
 * A thread that writes from within a callback leaves the events of that in the queue of the shard, and notes where. It takes them
 * when it has told of the rest, if no other thread has. So nothing nests, and the queue has its bounds (engine/store/events.h).
 */
#ifndef SHEAF_SHARED_EVENTS_H
#define SHEAF_SHARED_EVENTS_H

#include "engine/shared/shared.h"

struct sheaf_event_list;

/* A thread that is telling of what left a shared store. Lies on its stack. */
struct sheaf_teller {
    struct sheaf_shared *shared;
    struct sheaf_teller *outer; /* of the same thread: of another shared store */
    bool left[SHEAF_SHARD_COUNT_MAX]; /* in which shards it has left events */
};

void sheaf_teller_begin(struct sheaf_teller *teller, struct sheaf_shared *shared);

/* Tells of what was taken from a shard, whose lock is given back. The list is gone then. */
void sheaf_teller_tell(struct sheaf_shard *shard, struct sheaf_event_list *list);

/* Tells of what callbacks have caused. */
void sheaf_teller_end(struct sheaf_teller *teller);

/* Takes what left a shard that is the caller's alone; false: there is nothing to tell of now. */
bool sheaf_shard_take_events(struct sheaf_shared *shared, struct sheaf_shard *shard, struct sheaf_event_list *out_list);

/* Ends a write by which values may have left. True: eviction had no room to note more and stopped. It may be gone on with. */
bool sheaf_shard_end_change(struct sheaf_shared *shared, struct sheaf_shard *shard);

#endif
