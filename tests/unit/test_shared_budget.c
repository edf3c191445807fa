/*
 * test_shared_budget.c - one budget for all shards: never passed, open to a single big collection, and fair when it is short.
 */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "engine/shared/shared.h"
#include "tests/support/counted_shared.h"

enum { SHARDS = 4, BUDGET_BYTES = 1 << 20, VALUE_SIZE = 400 };

static struct test_heap heap;

static sheaf_shared *begin(const sheaf_cache_options *cache)
{
    sheaf_shared_options options = { .store = { .budget_bytes = BUDGET_BYTES, .cache = cache }, .shard_count = SHARDS };
    return counted_shared_begin(&heap, options);
}

/* The name of some collection in the shard of this place. */
static sheaf_bytes name_in(const sheaf_shared *shared, uint64_t place)
{
    static char buffers[SHARDS][16];
    for (uint32_t i = 0;; i++) {
        sheaf_bytes name = sheaf_bytes_of(buffers[place], (size_t)sprintf(buffers[place], "N%u", i));
        if (sheaf_shared_place(shared, name) == place) return name;
    }
}

/* After each put the budget is what it was; so it was in between. */
static sheaf_status put(sheaf_shared *shared, sheaf_bytes name, uint32_t number, size_t value_size)
{
    static uint8_t value[BUDGET_BYTES];
    char key[16];
    int size = sprintf(key, "%08u", number);
    heap.peak_real_bytes = 0;
    sheaf_status status =
        sheaf_shared_put(shared, name, sheaf_bytes_of(key, (size_t)size), sheaf_bytes_of(value, value_size), NULL, NULL);
    cr_assert_leq(heap.peak_real_bytes, BUDGET_BYTES);
    return status;
}

static uint64_t charged(const sheaf_shared *shared, uint64_t place)
{
    return sheaf_store_total(shared->shards[place].store).charged_bytes;
}

Test(shared_budget, one_collection_may_have_nearly_all)
{
    sheaf_shared *shared = begin(NULL);
    sheaf_bytes name = name_in(shared, 2);
    uint32_t count = 0;
    while (put(shared, name, count, VALUE_SIZE) == SHEAF_OK) count++;
    cr_assert_gt(charged(shared, 2), BUDGET_BYTES / 100 * 90);
    cr_assert_leq(sheaf_shared_total(shared).charged_bytes, BUDGET_BYTES);
    cr_assert_eq(sheaf_shared_total(shared).budget_bytes, BUDGET_BYTES);
    sheaf_bytes other = name_in(shared, 0);
    uint32_t others = 0;
    while (put(shared, other, others, VALUE_SIZE) == SHEAF_OK) others++;
    cr_assert(others * VALUE_SIZE > BUDGET_BYTES / 100, "a little is kept for others: %u", others);
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_shared_put(shared, name, SHEAF_LIT("zz"), sheaf_bytes_of(&heap, sizeof heap), NULL, &detail),
                 SHEAF_OVER_BUDGET);
    cr_assert_eq(detail.field, SHEAF_FIELD_BUDGET);
    counted_shared_end(shared, &heap);
}

Test(shared_budget, what_is_deleted_is_free_for_other_shards)
{
    sheaf_shared *shared = begin(NULL);
    uint32_t count = 0;
    while (put(shared, name_in(shared, 2), count, VALUE_SIZE) == SHEAF_OK) count++;
    cr_assert_eq(sheaf_shared_collection_drop(shared, name_in(shared, 2), NULL), SHEAF_OK);
    uint32_t again = 0;
    while (put(shared, name_in(shared, 1), again, VALUE_SIZE) == SHEAF_OK) again++;
    cr_assert_geq(again, count - count / 50);
    counted_shared_end(shared, &heap);
}

Test(shared_budget, a_cache_comes_to_be_shared_out)
{
    sheaf_cache_options cache = { .eviction = SHEAF_EVICTION_RECENCY };
    sheaf_shared *shared = begin(&cache);
    for (uint32_t i = 0; i < 4000; i++) cr_assert_eq(put(shared, name_in(shared, 2), i, VALUE_SIZE), SHEAF_OK);
    cr_assert_gt(charged(shared, 2), BUDGET_BYTES / 100 * 85);
    for (uint32_t i = 0; i < 4000; i++) cr_assert_eq(put(shared, name_in(shared, 1), i, VALUE_SIZE), SHEAF_OK);
    cr_assert_gt(charged(shared, 1), BUDGET_BYTES / SHARDS / 100 * 90, "a share: %u", (unsigned)charged(shared, 1));
    cr_assert_gt(charged(shared, 2), BUDGET_BYTES / SHARDS / 100 * 90, "who gives keeps one");
    sheaf_statistics statistics;
    cr_assert_eq(sheaf_shared_statistics(shared, &statistics), SHEAF_OK);
    cr_assert_eq(statistics.evictions + sheaf_shared_total(shared).entry_count, 8000);
    counted_shared_end(shared, &heap);
}

Test(shared_budget, room_is_made_elsewhere_for_one_large_value)
{
    sheaf_cache_options cache = { 0 };
    sheaf_shared *shared = begin(&cache);
    for (uint32_t i = 0; i < 4000; i++) cr_assert_eq(put(shared, name_in(shared, 2), i, VALUE_SIZE), SHEAF_OK);
    cr_assert_eq(put(shared, name_in(shared, 0), 1, BUDGET_BYTES / 8), SHEAF_OK);
    cr_assert_eq(put(shared, name_in(shared, 0), 2, BUDGET_BYTES), SHEAF_VALUE_TOO_LARGE);
    counted_shared_end(shared, &heap);
}

Test(shared_budget, is_set_and_unset)
{
    sheaf_cache_options cache = { 0 };
    sheaf_shared *shared = begin(&cache);
    for (uint32_t i = 0; i < 8000; i++) cr_assert_eq(put(shared, name_in(shared, i % SHARDS), i, VALUE_SIZE), SHEAF_OK);
    cr_assert_eq(sheaf_shared_set_budget(shared, BUDGET_BYTES / 2, NULL), SHEAF_OK);
    cr_assert_leq(heap.live_real_bytes, BUDGET_BYTES / 2);
    cr_assert_gt(heap.live_real_bytes, BUDGET_BYTES / 3);
    cr_assert(sheaf_shared_check(shared, NULL));
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_shared_set_budget(shared, 1000, &detail), SHEAF_OVER_BUDGET, "not even empty");
    cr_assert_eq(detail.limit, 1000);
    cr_assert_eq(sheaf_shared_total(shared).budget_bytes, BUDGET_BYTES / 2);
    cr_assert_eq(sheaf_shared_set_budget(shared, 0, NULL), SHEAF_OK);
    for (uint32_t i = 0; i < 8000; i++)
        cr_assert_eq(sheaf_shared_put(shared, name_in(shared, i % SHARDS), sheaf_bytes_of(&i, sizeof i),
                                      sheaf_bytes_of(&heap, VALUE_SIZE / 8), NULL, NULL),
                     SHEAF_OK);
    cr_assert_geq(sheaf_shared_total(shared).entry_count, 8000, "nobody was evicted");
    counted_shared_end(shared, &heap);
}

Test(shared_budget, evicting_takes_from_each_its_part)
{
    sheaf_cache_options cache = { 0 };
    sheaf_shared *shared = begin(&cache);
    for (uint32_t i = 0; i < 1200; i++) cr_assert_eq(put(shared, name_in(shared, i % 3), i, VALUE_SIZE), SHEAF_OK);
    uint64_t before_bytes = sheaf_shared_total(shared).charged_bytes;
    cr_assert_eq(sheaf_shared_evict(shared, before_bytes), SHEAF_OK);
    cr_assert_eq(sheaf_shared_total(shared).entry_count, 1200);
    cr_assert_eq(sheaf_shared_evict(shared, before_bytes / 2), SHEAF_OK);
    cr_assert_leq(sheaf_shared_total(shared).charged_bytes, before_bytes / 2);
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t count = sheaf_store_total(shared->shards[i].store).entry_count;
        cr_assert(count > 100 && count < 300, "%u", (unsigned)count);
    }
    cr_assert_eq(sheaf_shared_evict(shared, 0), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_shared_total(shared).entry_count, 0);
    counted_shared_end(shared, &heap);
}

Test(shared_budget, views_are_charged_to_it)
{
    sheaf_shared *shared = begin(NULL);
    sheaf_shared_view *views[1000];
    uint32_t count = 0;
    while (count < 1000 && sheaf_shared_view_open(shared, &views[count], NULL) == SHEAF_OK) count++;
    cr_assert(count > 100 && count < 1000, "%u", count);
    cr_assert_leq(heap.live_real_bytes, BUDGET_BYTES);
    cr_assert(sheaf_shared_check(shared, NULL));
    while (count > 0) sheaf_shared_view_close(views[--count]);
    counted_shared_end(shared, &heap);
}

/* ---- B106 --------------------------------------------------------------------------------------------------------------- */

enum { HUGE_SIZE = 10000 };

/* A large block takes 256 MiB, it says. */
static size_t quarter_gibibyte(void *context, size_t size)
{
    (void)context;
    return size >= HUGE_SIZE ? (size_t)1 << 28 : size;
}

/* What is more than 32 bits can say is evicted at the limit as what is less: not before, and not never. */
Test(shared_budget, b106_a_cache_evicts_at_2_to_the_31_and_32)
{
    static const uint8_t value[HUGE_SIZE];
    static const uint64_t limits[] = { UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(1) << 33 };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        for (int64_t off = -1; off <= 1; off++) {
            sheaf_cache_options cache = { 0 };
            sheaf_statistics statistics;
            sheaf_shared *shared;
            heap = test_heap_new();
            sheaf_allocator hooks = test_heap_hooks(&heap);
            hooks.real_size = quarter_gibibyte;
            uint64_t budget_bytes = limits[i] + (uint64_t)off;
            sheaf_shared_options options = { .store = { .allocator = &hooks, .budget_bytes = budget_bytes, .cache = &cache },
                                             .shard_count = 1 };
            cr_assert_eq(sheaf_shared_create(&options, &shared, NULL), SHEAF_OK);
            uint64_t room = limits[i] >> 28; /* values: all but one, which the records of the store keep out */
            for (uint32_t k = 0; k < 100; k++) {
                sheaf_bytes key = sheaf_bytes_of(&k, sizeof k);
                sheaf_bytes bytes = sheaf_bytes_of(value, sizeof value);
                cr_assert_eq(sheaf_shared_put(shared, SHEAF_LIT("p"), key, bytes, NULL, NULL), SHEAF_OK);
                sheaf_store_totals totals = sheaf_shared_total(shared);
                cr_assert_leq(totals.charged_bytes, budget_bytes);
                cr_assert_eq(sheaf_shared_statistics(shared, &statistics), SHEAF_OK);
                cr_assert_eq(totals.entry_count + statistics.evictions, k + 1);
                cr_assert(statistics.evictions == 0 || k + 1 >= room, "%u are evicted of %u", (unsigned)statistics.evictions, k);
            }
            cr_assert_gt(statistics.evictions, 0);
            cr_assert(sheaf_shared_check(shared, NULL));
            sheaf_shared_destroy(shared);
        }
    }
}
