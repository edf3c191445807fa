/*
 * heap.h - a store's memory: allocator hooks, and an exact account of what they gave.
 *
 * All of a store's blocks come from one heap. `charged_bytes` is the sum of what the blocks really take, by the allocator's own
 * word. Not thread-safe: the account belongs to the store's writer.
 *
 *      0              charged              limit - reserve   limit
 *      +-----------------+------------------------+------------+- - -
 *      |  what is there  |  for whoever asks      |  reserve   |       nothing ever comes to lie here
 *      +-----------------+------------------------+------------+- - -
 *
 * A heap may have a limit: a block that would pass it is refused as if there were no memory, and the allocator is not asked.
 * What gives memory back may need some first (two small nodes become one); for that a reserve is kept below the limit.
 *
 * What else is counted towards the limit, but does not come from the heap, is beside it: that much less may be had. It may be
 * more than there is room for; then nothing may be had.
 *
 * Several heaps may share one budget: then each has a purse to draw from, which raises its limit before a block is refused
 * (purse.h).
 *
 * H1  charged_bytes is at most limit_bytes, at all times.
 */
#ifndef SHEAF_BASE_HEAP_H
#define SHEAF_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/allocator.h>

#define HEAP_NO_LIMIT UINT64_MAX

struct sheaf_purse;

struct sheaf_heap {
    sheaf_allocator hooks;
    uint64_t charged_bytes;
    uint64_t block_count;
    uint64_t ceiling_bytes; /* no block may pass it just now: the limit, without the reserve unless that is open */
    uint64_t limit_bytes;   /* HEAP_NO_LIMIT: there is none */
    uint64_t reserve_bytes;
    uint64_t beside_bytes; /* may lie in the reserve */
    struct sheaf_purse *purse; /* where more of a limit may be had; NULL: nowhere */
    uint64_t refused_bytes; /* what the block refused last would have brought charged_bytes to; 0: the allocator refused it */
};

/* An empty account over `hooks`, which is copied. */
void sheaf_heap_init(struct sheaf_heap *heap, const sheaf_allocator *hooks);

/* Sets the limit, of which `reserve_bytes` are kept back. It must not be below what is charged (H1). */
void sheaf_heap_set_limit(struct sheaf_heap *heap, uint64_t limit_bytes, uint64_t reserve_bytes);

/* The limit without `kept_bytes`. */
static inline void sheaf_heap_keep(struct sheaf_heap *heap, uint64_t kept_bytes)
{
    heap->ceiling_bytes = heap->limit_bytes > kept_bytes ? heap->limit_bytes - kept_bytes : 0;
}

/* Between the two, blocks may be taken from the reserve: by work that frees at least about as much at its end. */
static inline void sheaf_heap_open_reserve(struct sheaf_heap *heap)
{
    sheaf_heap_keep(heap, heap->beside_bytes);
}

static inline void sheaf_heap_close_reserve(struct sheaf_heap *heap)
{
    sheaf_heap_keep(heap, heap->beside_bytes > heap->reserve_bytes ? heap->beside_bytes : heap->reserve_bytes);
}

/* Says how much is beside the heap. The reserve is closed. */
static inline void sheaf_heap_set_beside(struct sheaf_heap *heap, uint64_t beside_bytes)
{
    heap->beside_bytes = beside_bytes;
    sheaf_heap_close_reserve(heap);
}

/* Whether blocks of `bytes` in all would be refused for the limit. */
static inline bool sheaf_heap_is_full(const struct sheaf_heap *heap, uint64_t bytes)
{
    return bytes > heap->ceiling_bytes || heap->charged_bytes > heap->ceiling_bytes - bytes;
}

/* The most that could come to be charged, as things are. */
uint64_t sheaf_heap_most(const struct sheaf_heap *heap);

/* What a block of `size` bytes really takes; the size to ask for so as to waste nothing. At least `size`. */
size_t sheaf_heap_real_size(const struct sheaf_heap *heap, size_t size);

/* A block of `size` > 0 bytes, not cleared. NULL when refused. */
void *sheaf_heap_allocate(struct sheaf_heap *heap, size_t size);

/* The same, cleared. */
void *sheaf_heap_allocate_zeroed(struct sheaf_heap *heap, size_t size);

/* `size` is what it was asked for with. NULL is fine. Debug builds poison the block first, so that stale views show. */
void sheaf_heap_free(struct sheaf_heap *heap, void *block, size_t size);

#endif
