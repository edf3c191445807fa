/*
 * test_budget_model.c - a store that is always about full, against sorted arrays, on every shape of keys.
 *
 * The budget moves now and then. After every operation nothing may have passed it, not even within the call; what it refused
 * must have left no trace, and what went in must be there.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <inttypes.h>
#include <stdlib.h>

#include <sheaf/sheaf.h>

#include "tests/support/compare.h"
#include "tests/support/expect.h"
#include "tests/support/shape_run.h"
#include "tests/support/test_heap.h"

enum { COLLECTION_COUNT = 6, BUDGET_MIN = 3000, BUDGET_MAX = 40000 };

struct run {
    struct random *random;
    struct shape_source source;
    struct test_heap heap;
    sheaf_store *store;
    struct model models[COLLECTION_COUNT];
    uint64_t refused_count;
    struct range_bytes range_bytes;
    uint8_t key_bytes[SHEAF_SORT_KEY_SIZE_HARD + 1];
    uint8_t wide[SHEAF_SORT_KEY_SIZE_HARD];
};

static sheaf_bytes partition_key(size_t collection)
{
    static const uint8_t names[COLLECTION_COUNT] = "abcdef";
    return sheaf_bytes_of(names + collection, 1);
}

static void put(struct run *run, size_t collection)
{
    struct model *model = &run->models[collection];
    sheaf_bytes key = random_once_in(run->random, 4) ? draw_key_near(&run->source, model, run->key_bytes)
                                                     : draw_key(&run->source, run->key_bytes);
    sheaf_bytes value = draw_value(&run->source);
    bool replaced = false;
    sheaf_detail detail = { 0 };
    sheaf_status status = sheaf_store_put(run->store, partition_key(collection), key, value, &replaced, &detail);
    if (status == SHEAF_OVER_BUDGET) {
        EXPECT(detail.field == SHEAF_FIELD_BUDGET && detail.size > detail.limit, "%" PRIu64 " of %" PRIu64, detail.size,
               detail.limit);
        run->refused_count++;
        return;
    }
    EXPECT(status == SHEAF_OK, "put gave %s", sheaf_status_name(status));
    EXPECT(model_put(model, key, value) == replaced, "replaced is %d", replaced);
}

static void delete(struct run *run, size_t collection)
{
    struct model *model = &run->models[collection];
    sheaf_bytes key = draw_key_near(&run->source, model, run->key_bytes);
    bool expected = model_delete(model, key);
    sheaf_status status = sheaf_store_delete(run->store, partition_key(collection), key, NULL);
    EXPECT(status == (expected ? SHEAF_OK : SHEAF_NOT_FOUND), "delete gave %s", sheaf_status_name(status));
}

static void delete_range(struct run *run, size_t collection)
{
    struct model *model = &run->models[collection];
    sheaf_range range = draw_range(&run->source, model, &run->range_bytes);
    sheaf_totals expected = model_delete_range(model, &range);
    sheaf_totals deleted = { 77, 77 };
    sheaf_status status = sheaf_store_delete_range(run->store, partition_key(collection), &range, &deleted, NULL);
    EXPECT(status == SHEAF_OK, "delete range gave %s", sheaf_status_name(status));
    EXPECT(deleted.count == expected.count && deleted.bytes == expected.bytes, "%" PRIu64 " entries deleted", deleted.count);
}

static void move_budget(struct run *run)
{
    uint64_t charged_bytes = sheaf_store_total(run->store).charged_bytes;
    uint64_t budget_bytes = random_between(run->random, BUDGET_MIN, BUDGET_MAX);
    if (random_once_in(run->random, 4)) budget_bytes = charged_bytes; /* not a byte to spare */
    sheaf_status status = sheaf_store_set_budget(run->store, budget_bytes, NULL);
    EXPECT(status == (budget_bytes < charged_bytes ? SHEAF_OVER_BUDGET : SHEAF_OK), "budget gave %s", sheaf_status_name(status));
    run->heap.peak_real_bytes = 0;
}

/* After every operation. */
static void compare_sums(struct run *run)
{
    sheaf_store_totals totals = sheaf_store_total(run->store);
    EXPECT(totals.charged_bytes == run->heap.live_real_bytes, "%" PRIu64 " bytes charged, %" PRIu64 " live",
           totals.charged_bytes, run->heap.live_real_bytes);
    EXPECT(totals.budget_bytes >= run->heap.peak_real_bytes, "%" PRIu64 " bytes of a budget of %" PRIu64,
           run->heap.peak_real_bytes, totals.budget_bytes);
    uint64_t count = 0, bytes = 0;
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        count += run->models[i].count;
        bytes += run->models[i].bytes + (run->models[i].count > 0 ? 1 : 0);
    }
    EXPECT(totals.entry_count == count && totals.logical_bytes == bytes, "%" PRIu64 " entries, not %" PRIu64,
           totals.entry_count, count);
}

static void compare_all(struct run *run)
{
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_store_check(run->store, &fault), "%s, level %u, slot %u", fault.rule, fault.level, fault.slot);
    sheaf_range all = sheaf_range_all();
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        struct subject subject = { run->store, partition_key(i), &run->models[i] };
        sheaf_cursor cursor;
        open_public_cursor(&subject, &cursor, &all, run->wide, sizeof run->wide);
        cursor_scan_both_ways(&cursor, &public_cursor_calls, subject.model, &all, SIZE_MAX);
    }
}

static void step(struct run *run)
{
    size_t collection = random_once_in(run->random, 3) ? random_below(run->random, COLLECTION_COUNT) : 0;
    uint32_t choice = random_below(run->random, 100);
    if (choice < 70) put(run, collection);
    else if (choice < 96) delete(run, collection);
    else if (choice < 99) move_budget(run);
    else delete_range(run, collection);
}

static void begin(struct run *run, struct random *random, const struct exercise_plan *plan)
{
    run->random = random;
    run->heap = test_heap_new();
    run->heap.size_classes = plan->size_classes;
    shape_source_init(&run->source, plan->shape, random);
    for (size_t i = 0; i < COLLECTION_COUNT; i++) model_init(&run->models[i]);
    sheaf_allocator hooks = test_heap_hooks(&run->heap);
    sheaf_store_options options = { .allocator = &hooks,
                                    .budget_bytes = BUDGET_MAX / 2,
                                    .allow_empty_sort_key = true,
                                    .sort_key_size_max = SHEAF_SORT_KEY_SIZE_HARD };
    EXPECT(sheaf_store_create(&options, &run->store, NULL) == SHEAF_OK, "a store fits its budget");
}

static void budget_exercise(struct random *random, const struct exercise_plan *plan)
{
    struct run *run = calloc(1, sizeof *run);
    EXPECT(run, "memory for the test");
    begin(run, random, plan);
    for (uint64_t i = 0; i < plan->step_count; i++) {
        expect_scene.step = i;
        step(run);
        compare_sums(run);
        if (i % plan->check_every == 0) compare_all(run);
    }
    EXPECT(run->refused_count > plan->step_count / 50, "only %" PRIu64 " puts were refused", run->refused_count);
    sheaf_store_destroy(run->store);
    EXPECT(run->heap.live_blocks == 0, "%" PRIu64 " blocks leaked", run->heap.live_blocks);
    for (size_t i = 0; i < COLLECTION_COUNT; i++) model_deinit(&run->models[i]);
    free(run);
}

ParameterizedTestParameters(budget_model, of_every_shape)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, budget_model, of_every_shape)
{
    struct exercise_plan plan = { .shape = &shapes[*shape],
                                  .step_count = 20000,
                                  .check_every = 32,
                                  .size_classes = *shape % 2 == 0 };
    run_exercise(budget_exercise, "budget_model/of_every_shape", 20261401 + *shape, plan);
}
