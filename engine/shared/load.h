/*
 * load.h - values that are being computed because they were missed: who else wants them waits.
 *
 *     shard ── loads ──▶ [ key, who computes it ] ──▶ [ ... ]
 *                             '── waiters: woken when it is done, they copy the value and say so
 *
 * A load lies on the stack of the thread that computes, which does not return before all that wait for it are through with it. So
 * nothing is allocated, and nobody waits for memory.
 *
 * It is in the list before the loader looks at anything, and a reader of the shard once between the two. So a write either ended
 * before the loader looked, or finds the load in the list and marks it as outdated: then it is off the list, given to those who
 * wait for it already, and not put.
 *
 * LD1  No two loads in the list have the same key. None in it is outdated.
 */
#ifndef SHEAF_SHARED_LOAD_H
#define SHEAF_SHARED_LOAD_H

#include <pthread.h>

#include "engine/shared/shared.h"

/* Guarded by the shared store's mutex, but for what is said. */
struct sheaf_load {
    struct sheaf_load *next;
    sheaf_bytes partition_key;
    sheaf_bytes sort_key;
    pthread_cond_t changed; /* it is done, or nobody waits any more */
    uint64_t waiter_count;
    bool done;
    bool listed;
    bool outdated; /* guarded by the shard's lock */
    bool again;    /* it was there after all: who waits looks once more */
    sheaf_status status;
    sheaf_bytes value; /* once it is done, until nobody waits */
};

/* Marks loads of entries of a range as outdated; those of a collection if the range is NULL. By a write to the shard, whose lock
 * is held. */
void sheaf_loads_outdate_some(struct sheaf_shared *shared, struct sheaf_shard *shard, sheaf_bytes partition_key,
                              const sheaf_range *range);

static inline void sheaf_loads_outdate(struct sheaf_shared *shared, struct sheaf_shard *shard, sheaf_bytes partition_key,
                                       const sheaf_range *range)
{
    if (__atomic_load_n(&shard->load_count, __ATOMIC_RELAXED) != 0)
        sheaf_loads_outdate_some(shared, shard, partition_key, range);
}

/* The same for one entry. */
void sheaf_loads_outdate_entry(struct sheaf_shared *shared, struct sheaf_shard *shard, sheaf_bytes partition_key,
                               sheaf_bytes sort_key);

/* LD1, while all is the caller's. */
bool sheaf_loads_check(const struct sheaf_shard *shard);

#endif
