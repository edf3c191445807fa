/*
 * test_heap.h - allocator hooks that count, guard, and refuse on demand.
 *
 *     | magic, size | the block, filled with A5 | guard |
 *
 * Every block is freed with the size it was asked for, or the process aborts; so it does when bytes behind the block were
 * written. Blocks still live are counted to the byte: LeakSanitizer's report does not fail a Criterion test, this does.
 * Freed bytes are overwritten, so that a stale view shows.
 */
#ifndef TESTS_SUPPORT_TEST_HEAP_H
#define TESTS_SUPPORT_TEST_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/allocator.h>

#define TEST_HEAP_NEVER UINT64_MAX

struct test_heap {
    uint64_t live_bytes;
    uint64_t live_real_bytes; /* by real_size: what a store should be charged */
    uint64_t peak_real_bytes; /* the most that was; may be set back */
    uint64_t live_blocks;
    uint64_t requests; /* allocations and growths asked for so far, refused ones included */
    uint64_t refusals;
    uint64_t fail_at;   /* the request of this number, from 0, is refused */
    uint64_t fail_from; /* this one and all after it are refused */
    bool size_classes;  /* hooks tell real sizes, rounded up in the manner of jemalloc */
};

/* Refuses nothing. */
struct test_heap test_heap_new(void);

/* Hooks on `heap`, which must outlive their use. */
sheaf_allocator test_heap_hooks(struct test_heap *heap);

/* What the hooks say a block of `size` takes when size_classes is set: four classes for each doubling, from 16 on. */
size_t test_heap_class(size_t size);

/* Grants everything again; counts go on. */
void test_heap_relent(struct test_heap *heap);

#endif
