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

/* ---- a limit ------------------------------------------------------------------------------------------------------------ */

Test(heap, refuses_what_would_pass_the_limit_and_says_what_it_would_have_come_to)
{
    struct test_heap under = test_heap_new();
    under.size_classes = true;
    sheaf_allocator hooks = test_heap_hooks(&under);
    struct sheaf_heap heap;
    sheaf_heap_init(&heap, &hooks);
    sheaf_heap_set_limit(&heap, 1000, 0);
    void *first = sheaf_heap_allocate(&heap, 497); /* 512 by the classes */
    cr_assert_not_null(first);
    uint64_t requests = under.requests;
    cr_assert_null(sheaf_heap_allocate(&heap, 481)); /* 512 again */
    cr_assert_eq(heap.refused_bytes, 1024);
    cr_assert_eq(under.requests, requests, "the allocator was not asked");
    cr_assert_eq(heap.charged_bytes, 512);
    void *second = sheaf_heap_allocate(&heap, 440); /* 448 */
    cr_assert_not_null(second);
    cr_assert_eq(heap.charged_bytes, 960);
    cr_assert(sheaf_heap_is_full(&heap, 41));
    cr_assert(!sheaf_heap_is_full(&heap, 40));
    sheaf_heap_free(&heap, first, 497);
    sheaf_heap_free(&heap, second, 440);
    cr_assert_eq(under.live_blocks, 0);
}

Test(heap, tells_the_allocators_refusal_from_its_own)
{
    struct test_heap under = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(&under);
    struct sheaf_heap heap;
    sheaf_heap_init(&heap, &hooks);
    sheaf_heap_set_limit(&heap, 100, 0);
    cr_assert_null(sheaf_heap_allocate(&heap, 101));
    cr_assert_eq(heap.refused_bytes, 101);
    under.fail_from = under.requests;
    cr_assert_null(sheaf_heap_allocate(&heap, 100));
    cr_assert_eq(heap.refused_bytes, 0);
}

Test(heap, lends_the_reserve_only_while_it_is_open)
{
    struct test_heap under = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(&under);
    struct sheaf_heap heap;
    sheaf_heap_init(&heap, &hooks);
    sheaf_heap_set_limit(&heap, 100, 30);
    void *first = sheaf_heap_allocate(&heap, 70);
    cr_assert_not_null(first);
    cr_assert_null(sheaf_heap_allocate(&heap, 1));
    sheaf_heap_open_reserve(&heap);
    void *second = sheaf_heap_allocate(&heap, 30);
    cr_assert_not_null(second);
    cr_assert_null(sheaf_heap_allocate(&heap, 1));
    sheaf_heap_close_reserve(&heap);
    sheaf_heap_free(&heap, first, 70);
    cr_assert_null(sheaf_heap_allocate(&heap, 41), "30 are charged, of 70");
    first = sheaf_heap_allocate(&heap, 40);
    cr_assert_not_null(first);
    sheaf_heap_free(&heap, first, 40);
    sheaf_heap_free(&heap, second, 30);
    cr_assert_eq(heap.charged_bytes, 0);
}

/* An allocator by whose word each block is huge, so that sums pass 2^31, 2^32 and 2^64 with little memory. */
static size_t huge(void *context, size_t size)
{
    (void)size;
    return *(const size_t *)context;
}

static void *give_huge(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context, (void)old_size;
    static _Alignas(16) uint8_t blocks[16][16];
    static size_t next;
    if (new_size == 0) return NULL;
    cr_assert(!block && new_size <= 16);
    return blocks[next++ % 16];
}

Test(heap, b106_sums_are_64_bits_wide)
{
    static const uint64_t limits[] = { UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(5) << 32, UINT64_C(1) << 63 };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        for (int64_t off = -1; off <= 1; off++) {
            size_t block_size = (size_t)(limits[i] / 4);
            sheaf_allocator hooks = { .resize = give_huge, .real_size = huge, .context = &block_size };
            struct sheaf_heap heap;
            sheaf_heap_init(&heap, &hooks);
            sheaf_heap_set_limit(&heap, limits[i] + (uint64_t)off, 0);
            unsigned given = 0;
            while (sheaf_heap_allocate(&heap, 16)) given++;
            cr_assert_eq(given, off < 0 ? 3u : 4u, "limit 2^31 or more, %d", (int)off);
            cr_assert_eq(heap.charged_bytes, given * (uint64_t)block_size);
            cr_assert_eq(heap.refused_bytes, (given + 1) * (uint64_t)block_size);
        }
    }
}

Test(heap, a_sum_that_would_wrap_is_refused)
{
    size_t block_size = SIZE_MAX / 2 + 1;
    sheaf_allocator hooks = { .resize = give_huge, .real_size = huge, .context = &block_size };
    struct sheaf_heap heap;
    sheaf_heap_init(&heap, &hooks);
    sheaf_heap_set_limit(&heap, UINT64_MAX - 1, 0);
    cr_assert_not_null(sheaf_heap_allocate(&heap, 16));
    cr_assert_null(sheaf_heap_allocate(&heap, 16), "2^63 and 2^63 are more than there can be");
    cr_assert_eq(heap.refused_bytes, UINT64_MAX);
}
