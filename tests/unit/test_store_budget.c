/*
 * test_store_budget.c - the budget: never passed, not even within a call, and what it refuses leaves no trace.
 */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "engine/tree/node.h"
#include "tests/support/test_heap.h"

static const sheaf_bytes SHELF = { (const uint8_t *)"shelf", 5 };

static sheaf_store *begin(struct test_heap *heap, uint64_t budget_bytes)
{
    *heap = test_heap_new();
    heap->size_classes = true;
    sheaf_allocator hooks = test_heap_hooks(heap);
    sheaf_store_options options = { .allocator = &hooks, .budget_bytes = budget_bytes };
    sheaf_store *store = NULL;
    cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_OK);
    return store;
}

static void end(sheaf_store *store, const struct test_heap *heap)
{
    cr_assert(sheaf_store_check(store, NULL));
    sheaf_store_destroy(store);
    cr_assert_eq(heap->live_blocks, 0);
}

static sheaf_bytes number_key(uint32_t number, char *buffer)
{
    (void)snprintf(buffer, 16, "%08u", number);
    return sheaf_bytes_of(buffer, 8);
}

static sheaf_status put(sheaf_store *store, uint32_t number, size_t value_size)
{
    static uint8_t bytes[1 << 20];
    char buffer[16];
    memset(bytes, (int)number, value_size);
    sheaf_detail detail = { 0 };
    sheaf_bytes value = sheaf_bytes_of(bytes, value_size);
    sheaf_status status = sheaf_store_put(store, SHELF, number_key(number, buffer), value, NULL, &detail);
    if (status == SHEAF_OVER_BUDGET) {
        cr_assert_eq(detail.field, SHEAF_FIELD_BUDGET);
        cr_assert_gt(detail.size, detail.limit, "it came to more than there may be");
        cr_assert_leq(detail.limit, sheaf_store_total(store).budget_bytes);
    }
    return status;
}

static sheaf_status delete(sheaf_store *store, uint32_t number)
{
    char buffer[16];
    return sheaf_store_delete(store, SHELF, number_key(number, buffer), NULL);
}

/* Puts entries of this size until one is refused; returns how many went in. */
static uint32_t fill(sheaf_store *store, size_t value_size)
{
    uint32_t count = 0;
    sheaf_status status;
    while ((status = put(store, count, value_size)) == SHEAF_OK) count++;
    cr_assert_eq(status, SHEAF_OVER_BUDGET);
    return count;
}

static uint64_t charged(const sheaf_store *store)
{
    return sheaf_store_total(store).charged_bytes;
}

Test(budget, there_is_none_unless_asked_for)
{
    struct test_heap heap;
    sheaf_store *store = begin(&heap, 0);
    cr_assert_eq(sheaf_store_total(store).budget_bytes, 0);
    cr_assert_eq(put(store, 1, 100000), SHEAF_OK);
    end(store, &heap);
}

Test(budget, b107_what_would_pass_it_is_refused_at_once)
{
    enum { BUDGET = 1 << 20, VALUE_SIZE = 100 };
    struct test_heap heap;
    sheaf_store *store = begin(&heap, BUDGET);
    cr_assert_eq(sheaf_store_total(store).budget_bytes, BUDGET);
    uint32_t count = fill(store, VALUE_SIZE);
    cr_assert_leq(heap.peak_real_bytes, BUDGET, "not even for a moment");
    cr_assert_geq(charged(store), BUDGET - 16384, "a reserve of a node, and two nodes that were about to be made");
    cr_assert_geq(count, (BUDGET - 16384) / 120, "108 bytes each, and a few");
    sheaf_store_totals before = sheaf_store_total(store);
    for (uint32_t i = 0; i < 1000; i++) cr_assert_eq(put(store, count, VALUE_SIZE), SHEAF_OVER_BUDGET);
    sheaf_store_totals after = sheaf_store_total(store);
    cr_assert_eq(memcmp(&before, &after, sizeof before), 0);
    cr_assert_eq(put(store, 0, VALUE_SIZE), SHEAF_OK, "a value of the same size needs nothing");
    end(store, &heap);
}

Test(budget, b109_entries_count_as_what_they_take)
{
    enum { BUDGET = 100 << 20, VALUE_SIZE = 100000 };
    struct test_heap heap;
    sheaf_store *store = begin(&heap, BUDGET);
    uint32_t count = fill(store, VALUE_SIZE);
    uint64_t real = test_heap_class(VALUE_SIZE);
    cr_assert_leq(count, BUDGET / real);
    cr_assert_geq(count, BUDGET / real - 2);
    cr_assert_leq(heap.peak_real_bytes, BUDGET);
    end(store, &heap);
}

Test(budget, deletes_give_back_what_puts_can_take_again)
{
    enum { BUDGET = 1 << 20, VALUE_SIZE = 40 };
    struct test_heap heap;
    sheaf_store *store = begin(&heap, BUDGET);
    uint32_t count = fill(store, VALUE_SIZE);
    uint64_t full = charged(store);
    for (uint32_t i = 0; i < count; i++) /* three of four, all over the place */
        if (i % 4 != 0) cr_assert_eq(delete(store, i), SHEAF_OK);
    cr_assert_leq(charged(store), full / 2, "leaves were merged: the reserve was there for it");
    uint32_t again = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i % 4 != 0 && put(store, i, VALUE_SIZE) == SHEAF_OK) again++;
    cr_assert_geq(again, count / 2, "%u of %u", again, count);
    cr_assert_leq(heap.peak_real_bytes, BUDGET);
    end(store, &heap);
}

Test(budget, moves_with_what_is_there_as_its_floor)
{
    struct test_heap heap;
    sheaf_store *store = begin(&heap, 1 << 20);
    uint32_t count = fill(store, 500);
    sheaf_detail detail = { 0 };
    uint64_t full = charged(store);
    cr_assert_eq(sheaf_store_set_budget(store, full - 1, &detail), SHEAF_OVER_BUDGET);
    cr_assert_eq(detail.field, SHEAF_FIELD_BUDGET);
    cr_assert_eq(detail.size, full);
    cr_assert_eq(detail.limit, full - 1);
    cr_assert_eq(sheaf_store_total(store).budget_bytes, 1 << 20, "as it was");
    cr_assert_eq(sheaf_store_set_budget(store, full, NULL), SHEAF_OK);
    cr_assert_eq(put(store, count, 500), SHEAF_OVER_BUDGET);
    cr_assert_eq(delete(store, 0), SHEAF_OK, "deletes go on at the very limit");
    cr_assert_eq(sheaf_store_set_budget(store, 2 << 20, NULL), SHEAF_OK);
    for (uint32_t i = 0; i < count; i++) cr_assert_eq(put(store, count + i, 500), SHEAF_OK, "twice as many");
    cr_assert_eq(sheaf_store_set_budget(store, 0, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_total(store).budget_bytes, 0);
    for (uint32_t i = 0; i < 4 * count; i++) cr_assert_eq(put(store, i, 500), SHEAF_OK);
    end(store, &heap);
}

Test(budget, must_hold_an_empty_store_at_least)
{
    struct test_heap heap = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(&heap);
    sheaf_store_options options = { .allocator = &hooks };
    sheaf_store *store = NULL;
    sheaf_detail detail = { 0 };
    sheaf_status status;
    do {
        options.budget_bytes++;
        status = sheaf_store_create(&options, &store, &detail);
        if (status == SHEAF_OK) break;
        cr_assert_eq(status, SHEAF_OVER_BUDGET);
        cr_assert_null(store);
        cr_assert_eq(detail.field, SHEAF_FIELD_BUDGET);
        cr_assert_eq(heap.requests, 0);
    } while (options.budget_bytes < 4096);
    cr_assert_eq(status, SHEAF_OK);
    cr_assert_eq(detail.limit, (options.budget_bytes - 1) - (options.budget_bytes - 1) / 8, "less the reserve");
    cr_assert_eq(detail.size, charged(store));
    cr_assert_eq(sheaf_store_set_budget(store, charged(store), NULL), SHEAF_OK);
    cr_assert_eq(put(store, 1, 0), SHEAF_OVER_BUDGET);
    end(store, &heap);
}

Test(budget, counts_builders_too)
{
    struct test_heap heap;
    sheaf_store *store = begin(&heap, 64 << 10);
    sheaf_builder *builder = NULL;
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_store_set_budget(store, sheaf_store_total(store).charged_bytes + 100, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_begin(store, SHELF, &builder, &detail), SHEAF_OVER_BUDGET);
    cr_assert_eq(detail.field, SHEAF_FIELD_BUDGET);
    cr_assert_null(builder);
    cr_assert_eq(sheaf_store_set_budget(store, 1 << 20, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_begin(store, SHELF, &builder, NULL), SHEAF_OK);
    char buffer[16];
    uint8_t bytes[100] = { 0 };
    sheaf_bytes value = sheaf_bytes_of(bytes, sizeof bytes);
    uint32_t count = 0;
    sheaf_status status;
    while ((status = sheaf_builder_add(builder, number_key(count, buffer), value, &detail)) == SHEAF_OK) count++;
    cr_assert_eq(status, SHEAF_OVER_BUDGET);
    cr_assert_gt(count, 5000);
    cr_assert_leq(heap.peak_real_bytes, 1 << 20);
    status = sheaf_builder_finish(builder);
    if (status == SHEAF_OVER_BUDGET) { /* the last leaf and the branches have no room: a little more will do */
        cr_assert_eq(sheaf_store_total(store).entry_count, 0);
        cr_assert_eq(sheaf_store_set_budget(store, 2 << 20, NULL), SHEAF_OK);
        status = sheaf_builder_finish(builder);
    }
    cr_assert_eq(status, SHEAF_OK);
    cr_assert_eq(sheaf_store_total(store).entry_count, count);
    end(store, &heap);
}

Test(budget, a_page_is_the_callers)
{
    struct test_heap heap;
    sheaf_store *store = begin(&heap, 1 << 20);
    uint32_t count = fill(store, 100);
    sheaf_page page;
    sheaf_page_request request = { .limit = UINT64_MAX };
    cr_assert_eq(sheaf_page_read(store, SHELF, &request, &page, NULL), SHEAF_OK);
    cr_assert_eq(page.count, count);
    cr_assert_leq(charged(store), 1 << 20);
    sheaf_page_release(&page);
    end(store, &heap);
}

Test(budget, memory_that_is_really_spent_is_another_status)
{
    struct test_heap heap;
    sheaf_store *store = begin(&heap, 1 << 20);
    heap.fail_from = heap.requests;
    cr_assert_eq(put(store, 1, 10), SHEAF_NO_MEMORY);
    test_heap_relent(&heap);
    cr_assert_eq(put(store, 1, 2 << 19), SHEAF_VALUE_TOO_LARGE);
    cr_assert_eq(put(store, 1, 10), SHEAF_OK);
    end(store, &heap);
}

/* ---- the word of a fake allocator --------------------------------------------------------------------------------------- */

/* Each block takes 256 MiB, it says. */
static size_t quarter_gibibyte(void *context, size_t size)
{
    (void)context, (void)size;
    return (size_t)1 << 28;
}

Test(budget, b106_sums_pass_2_to_the_31_and_32)
{
    static const uint64_t limits[] = { UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(1) << 33 };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        for (int64_t off = -1; off <= 1; off++) {
            struct test_heap heap = test_heap_new();
            sheaf_allocator hooks = test_heap_hooks(&heap);
            hooks.real_size = quarter_gibibyte;
            /* The reserve comes on top, so that the limit itself is tried. */
            sheaf_store_options options = { .allocator = &hooks, .budget_bytes = limits[i] + (uint64_t)off + SHEAF_NODE_SIZE };
            sheaf_store *store = NULL;
            cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_OK);
            uint32_t count = 0;
            while (put(store, count, 1000) == SHEAF_OK) count++; /* each value is a block */
            uint64_t blocks = heap.live_blocks;
            cr_assert_eq(charged(store), blocks << 28);
            cr_assert_eq(blocks, (limits[i] >> 28) - (off < 0 ? 1 : 0));
            end(store, &heap);
        }
    }
}

/* ---- resident bytes ------------------------------------------------------------------------------------------------------ */

Test(resident, is_told_by_jemalloc_once_a_store_has_an_arena)
{
    sheaf_store *store = NULL;
    uint64_t resident = 77;
    cr_assert_eq(sheaf_store_create(NULL, &store, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_resident(store, &resident), SHEAF_NOT_FOUND, "an empty store has none of its own");
    cr_assert_eq(resident, 77);
    for (uint32_t i = 0; i < 200; i++) cr_assert_eq(put(store, i, 100000), SHEAF_OK);
    if (strcmp(sheaf_allocator_backend(), "jemalloc") == 0) {
        cr_assert_eq(sheaf_store_resident(store, &resident), SHEAF_OK);
        uint64_t bytes = charged(store);
        cr_assert_geq(resident, bytes - (4 << 20), "the first 2 MiB lie elsewhere");
        cr_assert_leq(resident, 2 * bytes);
    } else {
        cr_assert_eq(sheaf_store_resident(store, &resident), SHEAF_NOT_FOUND);
    }
    sheaf_store_destroy(store);
}

Test(resident, is_not_told_by_hooks)
{
    struct test_heap heap;
    uint64_t resident = 77;
    sheaf_store *store = begin(&heap, 0);
    cr_assert_eq(sheaf_store_resident(store, &resident), SHEAF_NOT_FOUND);
    cr_assert_eq(resident, 77);
    end(store, &heap);
}
