#include "engine/base/purse.h"

#include <criterion/criterion.h>

#include "tests/support/test_heap.h"

/* Two heaps of one budget, 1,000 bytes of it free. */
struct pair {
    struct test_heap under;
    struct sheaf_purse purse;
    struct sheaf_heap one;
    struct sheaf_heap other;
};

static void begin_heap(struct pair *pair, struct sheaf_heap *heap)
{
    sheaf_allocator hooks = test_heap_hooks(&pair->under);
    sheaf_heap_init(heap, &hooks);
    sheaf_heap_set_limit(heap, 0, 0);
    heap->purse = &pair->purse;
}

static void begin(struct pair *pair)
{
    pair->under = test_heap_new();
    pair->purse = (struct sheaf_purse){ .free_bytes = 1000, .share_bytes = 500, .kept_bytes = 100, .step_bytes = 50 };
    begin_heap(pair, &pair->one);
    begin_heap(pair, &pair->other);
}

static void expect_sum(const struct pair *pair)
{
    cr_assert_eq(pair->one.limit_bytes + pair->other.limit_bytes + pair->purse.free_bytes, 1000, "P1");
}

Test(purse, a_heap_draws_a_step_or_what_it_is_short_of)
{
    struct pair pair;
    begin(&pair);
    void *small = sheaf_heap_allocate(&pair.one, 10);
    cr_assert_not_null(small);
    cr_assert_eq(pair.one.limit_bytes, 50);
    void *large = sheaf_heap_allocate(&pair.one, 200);
    cr_assert_not_null(large);
    cr_assert_eq(pair.one.limit_bytes, 210);
    cr_assert_eq(pair.purse.free_bytes, 790);
    expect_sum(&pair);
    sheaf_heap_free(&pair.one, small, 10);
    sheaf_heap_free(&pair.one, large, 200);
    cr_assert_eq(pair.under.live_blocks, 0);
}

Test(purse, the_last_of_it_is_for_those_who_have_less_than_a_share)
{
    struct pair pair;
    begin(&pair);
    void *most = sheaf_heap_allocate(&pair.one, 850);
    cr_assert_not_null(most);
    cr_assert_eq(sheaf_heap_most(&pair.one), 900);
    cr_assert_null(sheaf_heap_allocate(&pair.one, 51), "it has its share, and 100 are kept");
    cr_assert_eq(pair.one.refused_bytes, 901);
    void *rest = sheaf_heap_allocate(&pair.one, 50);
    cr_assert_not_null(rest);
    cr_assert_eq(pair.purse.free_bytes, 100);
    cr_assert_eq(sheaf_heap_most(&pair.other), 100);
    void *poor = sheaf_heap_allocate(&pair.other, 100);
    cr_assert_not_null(poor);
    cr_assert_eq(pair.purse.free_bytes, 0);
    cr_assert_null(sheaf_heap_allocate(&pair.other, 1));
    expect_sum(&pair);
    sheaf_heap_free(&pair.one, most, 850);
    sheaf_heap_free(&pair.one, rest, 50);
    sheaf_heap_free(&pair.other, poor, 100);
}

Test(purse, what_a_heap_has_no_use_for_goes_back)
{
    struct pair pair;
    begin(&pair);
    void *block = sheaf_heap_allocate(&pair.one, 300);
    void *little = sheaf_heap_allocate(&pair.one, 20);
    cr_assert(block && little);
    cr_assert_eq(pair.one.limit_bytes, 350);
    sheaf_purse_settle(&pair.one);
    cr_assert_eq(pair.one.limit_bytes, 350, "two steps may lie idle");
    sheaf_heap_free(&pair.one, block, 300);
    sheaf_purse_settle(&pair.one);
    cr_assert_eq(pair.one.limit_bytes, 70, "what is charged, and one step");
    cr_assert_eq(pair.one.ceiling_bytes, 70);
    cr_assert_eq(pair.purse.free_bytes, 930);
    sheaf_heap_free(&pair.one, little, 20);
    sheaf_purse_give_back(&pair.purse, &pair.one, 0);
    cr_assert_eq(pair.purse.free_bytes, 1000);
    expect_sum(&pair);
}

Test(purse, a_block_larger_than_any_sum_is_refused)
{
    struct pair pair;
    begin(&pair);
    void *block = sheaf_heap_allocate(&pair.one, 10);
    cr_assert(!sheaf_purse_draw(&pair.purse, &pair.one, UINT64_MAX - 5));
    expect_sum(&pair);
    sheaf_heap_free(&pair.one, block, 10);
}
