/*
 * purse.h - one budget for several heaps: what none of them has needed yet lies in a purse, and each draws from it as it grows.
 *
 *     budget   [ limit of heap 0 | limit of heap 1 | ...        | free: in the purse ]
 *                 charged ... ^      charged . ^     '-- all limits and what is free are the budget, at all times
 *
 * So a heap alone in need may have all of it, and still the sum is never passed. A heap that has shrunk gives back. The heaps may
 * belong to different threads, each with its own; the purse is theirs together.
 *
 * The last of it is kept for heaps that have less than a fair share: who has that much cannot draw it.
 *
 * P1  A heap's limit, and what is free, change together: their sum stays.
 */
#ifndef SHEAF_BASE_PURSE_H
#define SHEAF_BASE_PURSE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/heap.h"

struct sheaf_purse {
    uint64_t free_bytes;  /* read and written atomically */
    uint64_t share_bytes; /* fair, were all heaps in need */
    uint64_t kept_bytes;  /* of what is free, for those whose limit is below that */
    uint64_t step_bytes; /* what a heap draws at least, if there is as much, so that it need not come for every block */
};

/* Raises the heap's limit so that blocks of `bytes` more are not refused. False, with nothing changed, if there is not as much. */
bool sheaf_purse_draw(struct sheaf_purse *purse, struct sheaf_heap *heap, uint64_t bytes);

/* Lowers the limit to what is charged, the reserve and `slack_bytes`; does nothing if it is lower. */
void sheaf_purse_give_back(struct sheaf_purse *purse, struct sheaf_heap *heap, uint64_t slack_bytes);

/* What is free just now, for whomever. */
static inline uint64_t sheaf_purse_free(const struct sheaf_purse *purse)
{
    return __atomic_load_n(&purse->free_bytes, __ATOMIC_RELAXED);
}

/* What the heap could draw just now. */
static inline uint64_t sheaf_purse_drawable(const struct sheaf_purse *purse, const struct sheaf_heap *heap)
{
    uint64_t free_bytes = sheaf_purse_free(purse);
    uint64_t kept_bytes = heap->limit_bytes < purse->share_bytes ? 0 : purse->kept_bytes;
    return free_bytes > kept_bytes ? free_bytes - kept_bytes : 0;
}

/* After a change to the heap: what it has beyond two steps goes back, all but one. */
static inline void sheaf_purse_settle(struct sheaf_heap *heap)
{
    struct sheaf_purse *purse = heap->purse;
    if (!purse || heap->limit_bytes - heap->charged_bytes <= heap->reserve_bytes + 2 * purse->step_bytes) return;
    sheaf_purse_give_back(purse, heap, purse->step_bytes);
}

#endif
