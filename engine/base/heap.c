#include "engine/base/heap.h"

#include <string.h>

#include "engine/base/assert.h"
#include "engine/base/purse.h"

enum { FREED_BYTE = 0xDD };

void sheaf_heap_init(struct sheaf_heap *heap, const sheaf_allocator *hooks)
{
    *heap = (struct sheaf_heap){ .hooks = *hooks, .ceiling_bytes = HEAP_NO_LIMIT, .limit_bytes = HEAP_NO_LIMIT };
}

void sheaf_heap_set_limit(struct sheaf_heap *heap, uint64_t limit_bytes, uint64_t reserve_bytes)
{
    sheaf_assert(heap->charged_bytes <= limit_bytes); /* H1 */
    sheaf_assert(reserve_bytes <= limit_bytes);
    heap->limit_bytes = limit_bytes;
    heap->reserve_bytes = reserve_bytes;
    sheaf_heap_close_reserve(heap);
}

uint64_t sheaf_heap_most(const struct sheaf_heap *heap)
{
    return heap->ceiling_bytes + (heap->purse ? sheaf_purse_drawable(heap->purse, heap) : 0);
}

size_t sheaf_heap_real_size(const struct sheaf_heap *heap, size_t size)
{
    if (!heap->hooks.real_size) return size;
    size_t real = heap->hooks.real_size(heap->hooks.context, size);
    return real < size ? size : real;
}

void *sheaf_heap_allocate(struct sheaf_heap *heap, size_t size)
{
    sheaf_assert(size > 0);
    size_t real = sheaf_heap_real_size(heap, size);
    if (sheaf_heap_is_full(heap, real) && !(heap->purse && sheaf_purse_draw(heap->purse, heap, real))) {
        bool overflow = __builtin_add_overflow(heap->charged_bytes, real, &heap->refused_bytes);
        if (overflow) heap->refused_bytes = UINT64_MAX;
        return NULL;
    }
    void *block = heap->hooks.resize(heap->hooks.context, NULL, 0, size);
    if (!block) {
        heap->refused_bytes = 0;
        return NULL;
    }
    heap->charged_bytes += real;
    heap->block_count++;
    return block;
}

void *sheaf_heap_allocate_zeroed(struct sheaf_heap *heap, size_t size)
{
    void *block = sheaf_heap_allocate(heap, size);
    if (block) memset(block, 0, size);
    return block;
}

void sheaf_heap_free(struct sheaf_heap *heap, void *block, size_t size)
{
    if (!block) return;
    size_t real = sheaf_heap_real_size(heap, size);
    sheaf_assert(heap->charged_bytes >= real);
    sheaf_assert(heap->block_count > 0);
#ifndef NDEBUG
    memset(block, FREED_BYTE, size);
#endif
    heap->charged_bytes -= real;
    heap->block_count--;
    (void)heap->hooks.resize(heap->hooks.context, block, size, 0);
}
