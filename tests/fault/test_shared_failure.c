/*
 * test_shared_failure.c - every call of a shared store that may need memory, with every allocation refused in turn.
 *
 * As test_allocation_failure.c: after each refused call every shard is what it was, to the byte, and nothing leaked. And once
 * more with a budget that grows from run to run.
 */
#include <criterion/criterion.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/shared/shared.h"
#include "tests/support/counted_shared.h"
#include "tests/support/expect.h"
#include "tests/support/snapshot.h"

enum { SHARDS = 4, SHELVES = 12, KEYS = 40 };
enum refusal { REFUSE_ONE, REFUSE_ALL_FROM, REFUSE_BY_BUDGET, REFUSALS };

struct fixture {
    struct test_heap heap;
    sheaf_shared *shared;
    sheaf_shared_view *view; /* so that all that is changed is copied first */
    enum refusal refusal;
    uint64_t refused_runs;
};

static sheaf_bytes shelf(uint32_t number)
{
    static char buffers[8][16];
    static uint32_t next;
    char *buffer = buffers[next++ % 8];
    return sheaf_bytes_of(buffer, (size_t)sprintf(buffer, "SHELF#%u", number));
}

static sheaf_bytes key(uint32_t number)
{
    static char buffers[8][16];
    static uint32_t next;
    char *buffer = buffers[next++ % 8];
    return sheaf_bytes_of(buffer, (size_t)sprintf(buffer, "k/%04u", number));
}

static void begin(struct fixture *fixture, enum refusal refusal, bool with_view)
{
    fixture->refusal = refusal;
    fixture->refused_runs = 0;
    fixture->view = NULL;
    fixture->shared = counted_shared_begin(&fixture->heap, (sheaf_shared_options){ .shard_count = SHARDS });
    for (uint32_t i = 0; i < SHELVES * KEYS; i++)
        EXPECT(sheaf_shared_put(fixture->shared, shelf(i % SHELVES), key(i / SHELVES), SHEAF_LIT("a value"), NULL, NULL) == SHEAF_OK,
               "memory");
    if (with_view) EXPECT(sheaf_shared_view_open(fixture->shared, &fixture->view, NULL) == SHEAF_OK, "memory for a view");
}

static void end(struct fixture *fixture)
{
    sheaf_shared_view_close(fixture->view);
    counted_shared_end(fixture->shared, &fixture->heap);
}

/* ---- sweeping ----------------------------------------------------------------------------------------------------------- */

static void refuse(struct fixture *fixture, uint64_t n)
{
    uint64_t charged_bytes = sheaf_shared_total(fixture->shared).charged_bytes;
    switch (fixture->refusal) {
    case REFUSE_ONE: fixture->heap.fail_at = fixture->heap.requests + n; return;
    case REFUSE_ALL_FROM: fixture->heap.fail_from = fixture->heap.requests + n; return;
    case REFUSE_BY_BUDGET:
        EXPECT(sheaf_shared_set_budget(fixture->shared, charged_bytes + 1 + n * 100, NULL) == SHEAF_OK, "a budget that fits");
        fixture->heap.peak_real_bytes = 0;
        return;
    case REFUSALS: break;
    }
    EXPECT(false, "a way to refuse");
}

static void relent(struct fixture *fixture)
{
    if (fixture->refusal == REFUSE_BY_BUDGET) {
        EXPECT(fixture->heap.peak_real_bytes <= sheaf_shared_total(fixture->shared).budget_bytes, "the budget was passed");
        EXPECT(sheaf_shared_check(fixture->shared, NULL), "the budget's parts");
        EXPECT(sheaf_shared_set_budget(fixture->shared, 0, NULL) == SHEAF_OK, "no budget");
    }
    test_heap_relent(&fixture->heap);
}

typedef sheaf_status (*call)(struct fixture *fixture);

static void sweep(struct fixture *fixture, call run)
{
    struct snapshot before[SHARDS];
    uint64_t live_bytes = fixture->heap.live_real_bytes;
    for (uint64_t i = 0; i < SHARDS; i++) before[i] = snapshot_take(fixture->shared->shards[i].store);
    sheaf_status refused = fixture->refusal == REFUSE_BY_BUDGET ? SHEAF_OVER_BUDGET : SHEAF_NO_MEMORY;
    for (uint64_t n = 0;; n++) {
        EXPECT(n < 2000, "a call without an end");
        refuse(fixture, n);
        sheaf_status status = run(fixture);
        relent(fixture);
        if (status == SHEAF_OK) break;
        EXPECT(status == refused, "run %" PRIu64 " gave %s", n, sheaf_status_name(status));
        fixture->refused_runs++;
        EXPECT(fixture->heap.live_real_bytes == live_bytes, "%" PRIu64 " bytes live", fixture->heap.live_real_bytes);
        for (uint64_t i = 0; i < SHARDS; i++) snapshot_expect(&before[i], fixture->shared->shards[i].store);
    }
    EXPECT(sheaf_shared_total(fixture->shared).charged_bytes == fixture->heap.live_real_bytes, "bytes charged are bytes live");
    for (uint64_t i = 0; i < SHARDS; i++) snapshot_free(&before[i]);
}

/* ---- calls -------------------------------------------------------------------------------------------------------------- */

static sheaf_status put_new_shelf(struct fixture *fixture)
{
    return sheaf_shared_put(fixture->shared, SHEAF_LIT("another"), key(1), SHEAF_LIT("v"), NULL, NULL);
}

static sheaf_status put_large(struct fixture *fixture)
{
    static char large[5000];
    return sheaf_shared_put(fixture->shared, shelf(3), key(7), sheaf_bytes_of(large, sizeof large), NULL, NULL);
}

static sheaf_status delete_one(struct fixture *fixture)
{
    return sheaf_shared_delete(fixture->shared, shelf(4), key(9), NULL);
}

static sheaf_status delete_some(struct fixture *fixture)
{
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("k/001"));
    return sheaf_shared_delete_range(fixture->shared, shelf(5), &range, NULL, NULL);
}

static sheaf_status drop_one(struct fixture *fixture)
{
    return sheaf_shared_collection_drop(fixture->shared, shelf(6), NULL);
}

static sheaf_status open_and_close(struct fixture *fixture)
{
    sheaf_shared_view *view = NULL;
    sheaf_status status = sheaf_shared_view_open(fixture->shared, &view, NULL);
    EXPECT((status == SHEAF_OK) == (view != NULL), "a view or none");
    sheaf_shared_view_close(view);
    return status;
}

static sheaf_status read_page(struct fixture *fixture)
{
    sheaf_page page = { 0 };
    sheaf_page_request request = { .limit = 30 };
    sheaf_status status = sheaf_shared_page_read(fixture->shared, shelf(1), &request, &page, NULL, NULL);
    sheaf_page_release(&page);
    return status;
}

static sheaf_status write_several(struct fixture *fixture)
{
    sheaf_batch_write writes[] = {
        sheaf_batch_put(shelf(0), key(1), SHEAF_LIT("another value")),
        sheaf_batch_put(SHEAF_LIT("a new shelf"), key(1), SHEAF_LIT("v")),
        sheaf_batch_delete(shelf(1), key(2)),
        sheaf_batch_delete_range(shelf(2), sheaf_range_prefix(SHEAF_LIT("k/002"))),
        sheaf_batch_drop(shelf(7)),
        sheaf_batch_put(shelf(7), key(1), SHEAF_LIT("v")),
        sheaf_batch_put(shelf(8), key(3), SHEAF_LIT("v")),
    };
    return sheaf_shared_batch_apply(fixture->shared, writes, sizeof writes / sizeof *writes, NULL, NULL);
}

static sheaf_status write_one_shard(struct fixture *fixture)
{
    sheaf_batch_write writes[] = { sheaf_batch_put(shelf(9), key(50), SHEAF_LIT("v")), sheaf_batch_delete(shelf(9), key(5)) };
    return sheaf_shared_batch_apply(fixture->shared, writes, 2, NULL, NULL);
}

/* What a loader finds is given out without memory, too; so here the call itself fails until it has been put. */
static sheaf_status find(void *context, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_loaded *out_loaded)
{
    (void)context, (void)partition_key, (void)sort_key;
    out_loaded->value = SHEAF_LIT("found");
    return SHEAF_OK;
}

static sheaf_status load_one(struct fixture *fixture)
{
    char buffer[8];
    size_t size = 0;
    sheaf_status status =
        sheaf_shared_get_or_load(fixture->shared, shelf(2), key(77), find, NULL, buffer, sizeof buffer, &size, NULL);
    EXPECT(status == SHEAF_OK && size == 5 && memcmp(buffer, "found", 5) == 0, "it is given out");
    if (sheaf_shared_exists(fixture->shared, shelf(2), key(77), NULL) == SHEAF_OK) return SHEAF_OK;
    return fixture->refusal == REFUSE_BY_BUDGET ? SHEAF_OVER_BUDGET : SHEAF_NO_MEMORY;
}

/* ---- tests -------------------------------------------------------------------------------------------------------------- */

Test(shared_failure, of_create)
{
    for (uint64_t n = 0;; n++) {
        struct test_heap heap = test_heap_new();
        sheaf_allocator hooks = test_heap_hooks(&heap);
        sheaf_cache_options cache = { 0 };
        sheaf_shared_options options = { .store = { .allocator = &hooks, .cache = &cache }, .shard_count = SHARDS };
        sheaf_shared *shared = NULL;
        heap.fail_at = n;
        sheaf_status status = sheaf_shared_create(&options, &shared, NULL);
        if (status == SHEAF_OK) {
            cr_assert_eq(n, 1 + 2 * SHARDS, "the record, and a store and a cache for each shard");
            sheaf_shared_destroy(shared);
            cr_assert_eq(heap.live_blocks, 0);
            return;
        }
        cr_assert_eq(status, SHEAF_NO_MEMORY);
        cr_assert_null(shared);
        cr_assert_eq(heap.live_blocks, 0, "leak when allocation %" PRIu64 " fails", n);
    }
}

Test(shared_failure, of_each_call_beside_a_view)
{
    const call calls[] = { put_new_shelf, put_large, delete_one, delete_some, drop_one, open_and_close, write_several,
                           write_one_shard, load_one };
    for (enum refusal refusal = REFUSE_ONE; refusal < REFUSALS; refusal++) {
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            struct fixture fixture;
            begin(&fixture, refusal, true);
            sweep(&fixture, calls[i]);
            cr_assert_gt(fixture.refused_runs, 0, "call %zu is refused nothing", i);
            end(&fixture);
        }
    }
}

Test(shared_failure, of_reading_a_page)
{
    for (enum refusal refusal = REFUSE_ONE; refusal < REFUSE_BY_BUDGET; refusal++) {
        struct fixture fixture;
        begin(&fixture, refusal, false);
        sweep(&fixture, read_page);
        cr_assert_eq(fixture.refused_runs, 1);
        end(&fixture);
    }
}
