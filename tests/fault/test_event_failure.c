/*
 * test_event_failure.c - every call of a store with events, with every allocation refused in turn.
 *
 * As in test_allocation_failure.c: a call is made again and again, refusing its allocation 0, then 1, then 2 ... until it is
 * done. What was refused has changed nothing and told of nothing; what is done has told of all that left. Each call is swept in a
 * store without views, where ranges are kept as nodes, and beside one, where they are read in a view of the store's own.
 */
#include <criterion/criterion.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/expect.h"
#include "tests/support/snapshot.h"
#include "tests/support/test_heap.h"

enum { ENTRY_COUNT = 400, SMALL_COUNT = 12 };

static struct test_heap heap;
static sheaf_store *store;
static sheaf_view *view;
static uint64_t told[SHEAF_CAUSE_CUT + 1];

static void on_event(void *context, const sheaf_event *event)
{
    (void)context;
    told[event->cause]++;
}

static uint64_t told_of_all(void)
{
    uint64_t count = 0;
    for (size_t cause = 0; cause < sizeof told / sizeof *told; cause++) count += told[cause];
    return count;
}

static sheaf_bytes number(uint32_t i, char *buffer)
{
    return sheaf_bytes_of(buffer, (size_t)snprintf(buffer, 16, "%06u", i));
}

/* Some values lie out of line. */
static sheaf_bytes value_of(uint32_t i)
{
    static const uint8_t bytes[600] = "value";
    return sheaf_bytes_of(bytes, i % 9 == 4 ? 600 : 5 + i % 20);
}

static void put_number(sheaf_bytes partition_key, uint32_t i)
{
    char buffer[16];
    EXPECT(sheaf_store_put(store, partition_key, number(i, buffer), value_of(i), NULL, NULL) == SHEAF_OK, "a put");
}

static void begin(const sheaf_cache_options *cache, uint64_t budget_bytes, bool with_view)
{
    heap = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(&heap);
    sheaf_event_options events = { .callback = on_event };
    sheaf_store_options options = { .allocator = &hooks, .budget_bytes = budget_bytes, .cache = cache, .events = &events };
    EXPECT(sheaf_store_create(&options, &store, NULL) == SHEAF_OK, "nothing is refused yet");
    for (uint32_t i = 0; i < ENTRY_COUNT; i++) put_number(SHEAF_LIT("large"), i);
    for (uint32_t i = 0; i < SMALL_COUNT; i++) put_number(SHEAF_LIT("small"), i);
    view = NULL;
    if (with_view) EXPECT(sheaf_view_open(store, &view, NULL) == SHEAF_OK, "a view");
    memset(told, 0, sizeof told);
}

static void end(void)
{
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_store_check(store, &fault), "%s", fault.rule);
    EXPECT(sheaf_store_total(store).charged_bytes == heap.live_real_bytes, "bytes charged are bytes live");
    uint64_t count = told_of_all();
    sheaf_store_destroy(store);
    EXPECT(told_of_all() == count, "the end of a store tells of nothing");
    EXPECT(heap.live_blocks == 0, "%" PRIu64 " blocks leaked", heap.live_blocks);
}

typedef sheaf_status (*call)(void);

/* Sweeps a call that is to tell of `count` values that leave for `cause`. */
static void sweep(const char *name, call run, sheaf_cause cause, uint64_t count)
{
    for (int from_one_on = 0; from_one_on < 2; from_one_on++) {
        for (int with_view = 0; with_view < 2; with_view++) {
            uint64_t n = 0;
            sheaf_status status = SHEAF_NO_MEMORY;
            expect_scene.operation = name;
            begin(NULL, 0, with_view);
            struct snapshot before = snapshot_take(store);
            for (; status != SHEAF_OK; n++) {
                expect_scene.step = n;
                if (from_one_on) heap.fail_from = heap.requests + n;
                else heap.fail_at = heap.requests + n;
                status = run();
                test_heap_relent(&heap);
                EXPECT(status == SHEAF_OK || status == SHEAF_NO_MEMORY, "gave %s", sheaf_status_name(status));
                EXPECT(n < 500, "a call that takes hundreds of allocations");
                if (status == SHEAF_OK) continue;
                EXPECT(told_of_all() == 0, "%" PRIu64 " events of a refused call", told_of_all());
                snapshot_expect(&before, store);
                EXPECT(sheaf_store_total(store).view_count == (with_view ? 1 : 0), "a view was left open");
            }
            EXPECT(heap.refusals > 0, "keys and values are copied, at least");
            EXPECT(told[cause] == count, "%" PRIu64 " were %s", told[cause], sheaf_cause_name(cause));
            snapshot_free(&before);
            end();
        }
    }
}

/* ---- the calls ------------------------------------------------------------------------------------------------------------ */

static sheaf_status put_over(void)
{
    return sheaf_store_put(store, SHEAF_LIT("large"), SHEAF_LIT("000007"), SHEAF_LIT("value and more"), NULL, NULL);
}

static sheaf_status put_large_over(void)
{
    static const uint8_t bytes[5000];
    return sheaf_store_put(store, SHEAF_LIT("small"), SHEAF_LIT("000004"), sheaf_bytes_of(bytes, 5000), NULL, NULL);
}

static sheaf_status delete_one(void)
{
    return sheaf_store_delete(store, SHEAF_LIT("large"), SHEAF_LIT("000222"), NULL);
}

static sheaf_status delete_few(void)
{
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("00010"));
    return sheaf_store_delete_range(store, SHEAF_LIT("large"), &range, NULL, NULL);
}

static sheaf_status delete_many(void)
{
    sheaf_range range = sheaf_range_between(SHEAF_LIT("000013"), SHEAF_LIT("000322"));
    return sheaf_store_delete_range(store, SHEAF_LIT("large"), &range, NULL, NULL);
}

static sheaf_status drop_small(void)
{
    return sheaf_collection_drop(store, SHEAF_LIT("small"), NULL);
}

static sheaf_status drop_large(void)
{
    return sheaf_collection_drop(store, SHEAF_LIT("large"), NULL);
}

static sheaf_status apply_batch(void)
{
    sheaf_batch_write writes[] = {
        sheaf_batch_put(SHEAF_LIT("new"), SHEAF_LIT("k"), SHEAF_LIT("v")),
        sheaf_batch_delete_range(SHEAF_LIT("large"), sheaf_range_at_least(SHEAF_LIT("000100"))),
        sheaf_batch_put(SHEAF_LIT("large"), SHEAF_LIT("000200"), SHEAF_LIT("v")),
        sheaf_batch_drop(SHEAF_LIT("small")),
        sheaf_batch_drop(SHEAF_LIT("large")),
    };
    return sheaf_batch_apply(store, writes, sizeof writes / sizeof *writes, NULL, NULL);
}

Test(event_failure, of_each_call)
{
    expect_scene.name = "event_failure";
    sweep("put over", put_over, SHEAF_CAUSE_REPLACED, 1);
    sweep("put a large value over", put_large_over, SHEAF_CAUSE_REPLACED, 1);
    sweep("delete", delete_one, SHEAF_CAUSE_DELETED, 1);
    sweep("delete a few", delete_few, SHEAF_CAUSE_CUT, 10);
    sweep("delete many", delete_many, SHEAF_CAUSE_CUT, 310);
    sweep("drop a small one", drop_small, SHEAF_CAUSE_CUT, SMALL_COUNT);
    sweep("drop a large one", drop_large, SHEAF_CAUSE_CUT, ENTRY_COUNT);
    sweep("batch", apply_batch, SHEAF_CAUSE_CUT, ENTRY_COUNT + SMALL_COUNT + 1);
}

/* The store goes back over 100 new entries, 50 others and a large collection that is gone. */
static void change(void)
{
    char buffer[16];
    for (uint32_t i = 0; i < 100; i++) put_number(SHEAF_LIT("added"), i);
    for (uint32_t i = 0; i < 50; i++)
        EXPECT(sheaf_store_put(store, SHEAF_LIT("large"), number(i * 7, buffer), SHEAF_LIT("other"), NULL, NULL) == SHEAF_OK,
               "a put");
    EXPECT(sheaf_collection_drop(store, SHEAF_LIT("small"), NULL) == SHEAF_OK, "a drop");
    memset(told, 0, sizeof told);
}

static void sweep_restore(bool newer)
{
    sheaf_view *between = NULL;
    begin(NULL, 0, true);
    if (newer) EXPECT(sheaf_view_open(store, &between, NULL) == SHEAF_OK, "a view");
    change();
    struct snapshot before = snapshot_take(store);
    sheaf_status status = SHEAF_NO_MEMORY;
    for (uint64_t n = 0; status != SHEAF_OK; n++) {
        expect_scene.step = n;
        heap.fail_at = heap.requests + n;
        status = sheaf_store_restore(store, view, NULL);
        test_heap_relent(&heap);
        if (status == SHEAF_OK) EXPECT(n >= 150, "each value is copied, %" PRIu64 " were", n);
        if (status == SHEAF_OK) continue;
        EXPECT(told_of_all() == 0, "%" PRIu64 " events of a refused call", told_of_all());
        snapshot_expect(&before, store);
    }
    EXPECT(told[SHEAF_CAUSE_CUT] == 100 && told[SHEAF_CAUSE_REPLACED] == 50, "%" PRIu64 " events", told_of_all());
    snapshot_free(&before);
    end();
}

Test(event_failure, of_going_back)
{
    expect_scene.name = "event_failure";
    expect_scene.operation = "restore";
    sweep_restore(false);
    sweep_restore(true);
}

/* What was evicted before a put was refused stays so, and has been told of: nothing else. */
static void sweep_eviction(sheaf_eviction eviction)
{
    sheaf_cache_options cache = { .eviction = eviction };
    begin(&cache, 60000, false);
    uint64_t refused_count = 0;
    memset(told, 0, sizeof told);
    sheaf_store_totals before = sheaf_store_total(store);
    for (uint32_t i = 0; i < 3000; i++) {
        char buffer[16];
        expect_scene.step = i;
        heap.fail_at = heap.requests + i % 11;
        sheaf_bytes partition_key = i % 2 ? SHEAF_LIT("large") : SHEAF_LIT("small");
        sheaf_status status = sheaf_store_put(store, partition_key, number(1000 + i, buffer), value_of(i), NULL, NULL);
        test_heap_relent(&heap);
        EXPECT(status == SHEAF_OK || status == SHEAF_NO_MEMORY, "gave %s", sheaf_status_name(status));
        sheaf_store_totals totals = sheaf_store_total(store);
        EXPECT(totals.entry_count == before.entry_count + (status == SHEAF_OK) - told[SHEAF_CAUSE_EVICTED], "%" PRIu64 " entries",
               totals.entry_count);
        EXPECT(told_of_all() == told[SHEAF_CAUSE_EVICTED], "told of something else");
        EXPECT(totals.charged_bytes == heap.live_real_bytes && totals.charged_bytes <= 60000, "%" PRIu64 " bytes",
               totals.charged_bytes);
        if (status != SHEAF_OK) refused_count++;
        before = totals;
        memset(told, 0, sizeof told);
    }
    EXPECT(refused_count > 100, "only %" PRIu64 " puts were refused", refused_count);
    end();
}

Test(event_failure, of_eviction)
{
    expect_scene.name = "event_failure";
    expect_scene.operation = "evict";
    sweep_eviction(SHEAF_EVICTION_FREQUENCY);
    sweep_eviction(SHEAF_EVICTION_COLLECTION);
    sweep_eviction(SHEAF_EVICTION_FAR_END);
}
