/*
 * heap.h - a store's memory: allocator hooks, and an exact account of what they gave.
 *
 * All of a store's blocks come from one heap. `charged_bytes` is the sum of what the blocks really take, by the allocator's own
 * word. Not thread-safe: the account belongs to the store's writer.
 */
#ifndef SHEAF_BASE_HEAP_H
#define SHEAF_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>

#include <sheaf/allocator.h>

struct sheaf_heap {
    sheaf_allocator hooks;
    uint64_t charged_bytes;
    uint64_t block_count;
};

/* An empty account over `hooks`, which is copied. */
void sheaf_heap_init(struct sheaf_heap *heap, const sheaf_allocator *hooks);

/* What a block of `size` bytes really takes; the size to ask for so as to waste nothing. At least `size`. */
size_t sheaf_heap_real_size(const struct sheaf_heap *heap, size_t size);

/* A block of `size` > 0 bytes, not cleared. NULL when refused. */
void *sheaf_heap_allocate(struct sheaf_heap *heap, size_t size);

/* The same, cleared. */
void *sheaf_heap_allocate_zeroed(struct sheaf_heap *heap, size_t size);

/* `size` is what it was asked for with. NULL is fine. Debug builds poison the block first, so that stale views show. */
void sheaf_heap_free(struct sheaf_heap *heap, void *block, size_t size);

#endif
