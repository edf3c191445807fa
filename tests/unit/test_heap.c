#include "engine/base/heap.h"

#include <criterion/criterion.h>

#include "tests/support/test_heap.h"

Test(heap, charges_what_was_asked_for_without_size_classes)
{
    struct test_heap under = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(&under);
    struct sheaf_heap heap;
    sheaf_heap_init(&heap, &hooks);
    cr_assert_eq(sheaf_heap_real_size(&heap, 100), 100);
    void *first = sheaf_heap_allocate(&heap, 100);
    void *second = sheaf_heap_allocate(&heap, 1);
    cr_assert(first && second);
    cr_assert_eq(heap.charged_bytes, 101);
    cr_assert_eq(heap.block_count, 2);
    sheaf_heap_free(&heap, first, 100);
    cr_assert_eq(heap.charged_bytes, 1);
    sheaf_heap_free(&heap, NULL, 5);
    cr_assert_eq(heap.block_count, 1);
    sheaf_heap_free(&heap, second, 1);
    cr_assert_eq(heap.charged_bytes, 0);
    cr_assert_eq(heap.block_count, 0);
    cr_assert_eq(under.live_blocks, 0);
}

Test(heap, charges_by_the_allocators_classes)
{
    struct test_heap under = test_heap_new();
    under.size_classes = true;
    sheaf_allocator hooks = test_heap_hooks(&under);
    struct sheaf_heap heap;
    sheaf_heap_init(&heap, &hooks);
    cr_assert_eq(sheaf_heap_real_size(&heap, 1), 16);
    cr_assert_eq(sheaf_heap_real_size(&heap, 129), 160);
    void *block = sheaf_heap_allocate(&heap, 129);
    cr_assert_eq(heap.charged_bytes, 160);
    cr_assert_eq(under.live_bytes, 129, "what is asked for is not rounded");
    sheaf_heap_free(&heap, block, 129);
    cr_assert_eq(heap.charged_bytes, 0);
}

static size_t too_small(void *context, size_t size)
{
    (void)context;
    return size / 2;
}

Test(heap, never_believes_a_block_is_smaller_than_asked_for)
{
    struct test_heap under = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(&under);
    hooks.real_size = too_small;
    struct sheaf_heap heap;
    sheaf_heap_init(&heap, &hooks);
    cr_assert_eq(sheaf_heap_real_size(&heap, 100), 100);
}

Test(heap, a_refusal_leaves_the_account_alone)
{
    struct test_heap under = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(&under);
    struct sheaf_heap heap;
    sheaf_heap_init(&heap, &hooks);
    under.fail_from = 0;
    cr_assert_null(sheaf_heap_allocate(&heap, 10));
    cr_assert_null(sheaf_heap_allocate_zeroed(&heap, 10));
    cr_assert_eq(heap.charged_bytes, 0);
    cr_assert_eq(heap.block_count, 0);
    test_heap_relent(&under);
    uint8_t *block = sheaf_heap_allocate_zeroed(&heap, 64);
    for (size_t i = 0; i < 64; i++) cr_assert_eq(block[i], 0);
    sheaf_heap_free(&heap, block, 64);
    cr_assert_eq(under.live_blocks, 0);
}
