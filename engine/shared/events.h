/*
 * events.h - the end of a change to a shard: its events are taken along, and delivered once the lock is given back.
 *
 *      locked      change, take what left off the store's queue
 *      unlocked    callbacks: they may call whatever they like, of the same shard too
 *      locked      give back what they were about, if it is the store's (nodes of a range)
 */
#ifndef SHEAF_SHARED_EVENTS_H
#define SHEAF_SHARED_EVENTS_H

#include "engine/shared/shared.h"

struct sheaf_event_list;

/* Ends a write by which values may have left. True: eviction had no room to note more and stopped. It may be gone on with. */
bool sheaf_shard_end_change(struct sheaf_shard *shard);

/* Tells of what was taken from a shard, whose lock is given back. The list is gone then. */
void sheaf_shard_tell(struct sheaf_shard *shard, struct sheaf_event_list *list);

#endif
