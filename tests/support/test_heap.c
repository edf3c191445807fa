#include "tests/support/test_heap.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/expect.h"

enum { FRESH_BYTE = 0xA5, DEAD_BYTE = 0xDE, GUARD_BYTE = 0xFB, GUARD_SIZE = 16 };

#define LIVE_MAGIC 0x5EAF5EAF5EAF5EAFu
#define DEAD_MAGIC 0xDEADDEADDEADDEADu

struct block_header {
    _Alignas(max_align_t) uint64_t magic;
    uint64_t size;
};

_Static_assert(sizeof(struct block_header) % _Alignof(max_align_t) == 0, "the block behind the header is aligned");

static struct block_header *header_of(void *block)
{
    return (struct block_header *)((uint8_t *)block - sizeof(struct block_header));
}

static void check_block(struct block_header *header, size_t size)
{
    EXPECT(header->magic == LIVE_MAGIC, "a block given back that is not live (magic %llx)", (unsigned long long)header->magic);
    EXPECT(header->size == size, "a block of %llu bytes given back as one of %zu", (unsigned long long)header->size, size);
    const uint8_t *guard = (uint8_t *)(header + 1) + size;
    for (size_t i = 0; i < GUARD_SIZE; i++)
        EXPECT(guard[i] == GUARD_BYTE, "byte %zu behind a block of %zu was written", i, size);
}

size_t test_heap_class(size_t size)
{
    if (size <= 64) return size <= 16 ? 16 : (size + 15) / 16 * 16;
    size_t step = 16;
    while (step * 8 < size) step *= 2;
    return (size + step - 1) / step * step;
}

static size_t real_size_of(const struct test_heap *heap, size_t size)
{
    return heap->size_classes ? test_heap_class(size) : size;
}

static void *give(struct test_heap *heap, size_t size)
{
    struct block_header *header = malloc(sizeof *header + size + GUARD_SIZE);
    if (!header) return NULL;
    *header = (struct block_header){ .magic = LIVE_MAGIC, .size = size };
    memset(header + 1, FRESH_BYTE, size);
    memset((uint8_t *)(header + 1) + size, GUARD_BYTE, GUARD_SIZE);
    heap->live_bytes += size;
    heap->live_real_bytes += real_size_of(heap, size);
    if (heap->peak_real_bytes < heap->live_real_bytes) heap->peak_real_bytes = heap->live_real_bytes;
    heap->live_blocks++;
    return header + 1;
}

static void take(struct test_heap *heap, void *block, size_t size)
{
    struct block_header *header = header_of(block);
    check_block(header, size);
    EXPECT(heap->live_blocks > 0 && heap->live_bytes >= size, "more given back than was given");
    heap->live_blocks--;
    heap->live_bytes -= size;
    heap->live_real_bytes -= real_size_of(heap, size);
    header->magic = DEAD_MAGIC;
    memset(header + 1, DEAD_BYTE, size);
    free(header);
}

static bool refused(struct test_heap *heap)
{
    uint64_t number = heap->requests++;
    if (number != heap->fail_at && number < heap->fail_from) return false;
    heap->refusals++;
    return true;
}

static void *test_heap_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    struct test_heap *heap = context;
    EXPECT(block || old_size == 0, "no block, but an old size of %zu", old_size);
    EXPECT(block || new_size > 0, "a block of no size asked for");
    if (new_size == 0) {
        take(heap, block, old_size);
        return NULL;
    }
    if (block) check_block(header_of(block), old_size);
    if (refused(heap)) return NULL;
    uint8_t *fresh = give(heap, new_size);
    if (!fresh || !block) return fresh;
    memcpy(fresh, block, old_size < new_size ? old_size : new_size);
    take(heap, block, old_size);
    return fresh;
}

static size_t test_heap_real_size(void *context, size_t size)
{
    (void)context;
    return test_heap_class(size);
}

struct test_heap test_heap_new(void)
{
    return (struct test_heap){ .fail_at = TEST_HEAP_NEVER, .fail_from = TEST_HEAP_NEVER };
}

sheaf_allocator test_heap_hooks(struct test_heap *heap)
{
    return (sheaf_allocator){ .resize = test_heap_resize,
                              .real_size = heap->size_classes ? test_heap_real_size : NULL,
                              .context = heap };
}

void test_heap_relent(struct test_heap *heap)
{
    heap->fail_at = TEST_HEAP_NEVER;
    heap->fail_from = TEST_HEAP_NEVER;
}
