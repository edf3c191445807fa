/*
 * test_shared_failure.c - every call of a shared store that may need memory, with every allocation refused in turn.
 *
 * As test_allocation_failure.c: after each refused call every shard is what it was, to the byte, and nothing leaked. And once
 * more with a budget that grows from run to run.
 *
 * With deadlines as test_expiry_failure.c: what was refused has changed no deadline, and only the index of the shard may take
 * more memory than before. A sweep that is refused has done what it says, and what is left goes with the next one (B103).
 */
#include <criterion/criterion.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/shared/shared.h"
#include "engine/store/events.h"
#include "tests/support/counted_shared.h"
#include "tests/support/expect.h"
#include "tests/support/snapshot.h"

enum {
    SHARDS = 4,
    SHELVES = 12,
    KEYS = 40,
    PERIOD = 8,    /* one in eight has no deadline, */
    DUE_AT = 1000, /* the others have this and up to six more */
    DUE_AT_SWEEP = DUE_AT + 5, /* six in eight have expired then: more than one step of a shard's sweep */
    INDEX_GROWTH_MAX = 64,     /* of a shard: what a refused call may leave it, back at what it held but not at its size; */
    INDEX_COPY_MAX = 1536,     /* and beside a view, of which its leaf is a copy */
};
enum refusal { REFUSE_ONE, REFUSE_ALL_FROM, REFUSE_BY_BUDGET, REFUSALS };

struct fixture {
    struct test_heap heap;
    sheaf_shared *shared;
    sheaf_shared_view *view; /* so that all that is changed is copied first */
    enum refusal refusal;
    uint64_t refused_runs;
    bool has_deadlines;
    uint64_t told_count; /* events */
    uint64_t passing_max; /* bytes: the budget may be passed by the entry that is told of */
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

static uint64_t due_of(uint32_t i)
{
    return i % PERIOD == PERIOD - 1 ? SHEAF_NO_DEADLINE : DUE_AT + i % PERIOD;
}

/* Where the store is looked at, nothing is hidden. */
static uint64_t start_of_time(void *context)
{
    (void)context;
    return 0;
}

static void on_event(void *context, const sheaf_event *event)
{
    (void)event;
    ++*(uint64_t *)context;
}

static void begin(struct fixture *fixture, enum refusal refusal, bool with_view)
{
    *fixture = (struct fixture){ .refusal = refusal };
    fixture->shared = counted_shared_begin(&fixture->heap, (sheaf_shared_options){ .shard_count = SHARDS });
    for (uint32_t i = 0; i < SHELVES * KEYS; i++)
        EXPECT(sheaf_shared_put(fixture->shared, shelf(i % SHELVES), key(i / SHELVES), SHEAF_LIT("a value"), NULL, NULL) == SHEAF_OK,
               "memory");
    if (with_view) EXPECT(sheaf_shared_view_open(fixture->shared, &fixture->view, NULL) == SHEAF_OK, "memory for a view");
}

/* Entry number i of a shelf is due at due_of(i). */
static void begin_with_deadlines(struct fixture *fixture, enum refusal refusal, bool with_events, bool with_view)
{
    sheaf_expiry_options expiry = { .rule = SHEAF_EXPIRY_HIDDEN, .now = start_of_time };
    sheaf_event_options events = { .callback = on_event, .context = &fixture->told_count };
    *fixture = (struct fixture){ .refusal = refusal, .has_deadlines = true };
    if (with_events) fixture->passing_max = test_heap_class(sizeof(struct sheaf_event_item) + sizeof "SHELF#99k/0000a value");
    fixture->shared = counted_shared_begin(
        &fixture->heap,
        (sheaf_shared_options){ .store = { .expiry = &expiry, .events = with_events ? &events : NULL }, .shard_count = SHARDS });
    for (uint32_t i = 0; i < SHELVES * KEYS; i++)
        EXPECT(sheaf_shared_put_until(fixture->shared, shelf(i % SHELVES), key(i / SHELVES), SHEAF_LIT("a value"),
                                      due_of(i / SHELVES), NULL, NULL) == SHEAF_OK,
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
        EXPECT(fixture->heap.peak_real_bytes <= sheaf_shared_total(fixture->shared).budget_bytes + fixture->passing_max,
               "the budget was passed");
        EXPECT(sheaf_shared_check(fixture->shared, NULL), "the budget's parts");
        EXPECT(sheaf_shared_set_budget(fixture->shared, 0, NULL) == SHEAF_OK, "no budget");
    }
    test_heap_relent(&fixture->heap);
}

typedef sheaf_status (*call)(struct fixture *fixture);

static sheaf_status refused_status(const struct fixture *fixture)
{
    return fixture->refusal == REFUSE_BY_BUDGET ? SHEAF_OVER_BUDGET : SHEAF_NO_MEMORY;
}

/* What an entry is due; 0: it is not there. */
static uint64_t deadline_of(struct fixture *fixture, uint32_t of_shelf, uint32_t number)
{
    uint64_t due = 0;
    sheaf_status status = sheaf_shared_get_deadline(fixture->shared, shelf(of_shelf), key(number), &due, NULL);
    EXPECT(status == SHEAF_OK || status == SHEAF_NOT_FOUND, "get deadline gave %s", sheaf_status_name(status));
    return due;
}

/* The index of deadlines may take more than it did, but only so far. */
static void expect_deadlines(struct fixture *fixture, struct snapshot *before, const uint64_t *charged_bytes)
{
    uint64_t more_max = fixture->view ? INDEX_COPY_MAX : INDEX_GROWTH_MAX;
    for (uint64_t i = 0; i < SHARDS; i++) {
        uint64_t charged = sheaf_store_total(fixture->shared->shards[i].store).charged_bytes;
        EXPECT(charged >= charged_bytes[i] && charged <= charged_bytes[i] + more_max, "%" PRIu64 " bytes more",
               charged - charged_bytes[i]);
        before[i].totals.charged_bytes = charged;
    }
    for (uint32_t i = 0; i < SHELVES * KEYS; i++)
        EXPECT(deadline_of(fixture, i % SHELVES, i / SHELVES) == due_of(i / SHELVES), "the deadline of %u", i);
    EXPECT(sheaf_shared_next_deadline(fixture->shared) == DUE_AT, "the next deadline");
    EXPECT(fixture->told_count == 0, "%" PRIu64 " events of a refused call", fixture->told_count);
}

static void sweep(struct fixture *fixture, call run)
{
    struct snapshot before[SHARDS];
    uint64_t live_bytes = fixture->heap.live_real_bytes, charged_bytes[SHARDS];
    for (uint64_t i = 0; i < SHARDS; i++) before[i] = snapshot_take(fixture->shared->shards[i].store);
    for (uint64_t i = 0; i < SHARDS; i++) charged_bytes[i] = before[i].totals.charged_bytes;
    for (uint64_t n = 0;; n++) {
        EXPECT(n < 2000, "a call without an end");
        refuse(fixture, n);
        sheaf_status status = run(fixture);
        relent(fixture);
        if (status == SHEAF_OK) break;
        EXPECT(status == refused_status(fixture), "run %" PRIu64 " gave %s", n, sheaf_status_name(status));
        fixture->refused_runs++;
        if (fixture->has_deadlines) expect_deadlines(fixture, before, charged_bytes);
        else EXPECT(fixture->heap.live_real_bytes == live_bytes, "%" PRIu64 " bytes live", fixture->heap.live_real_bytes);
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
    return refused_status(fixture);
}

/* ---- calls with deadlines ----------------------------------------------------------------------------------------------- */

static sheaf_status put_earliest(struct fixture *fixture)
{
    return sheaf_shared_put_until(fixture->shared, shelf(2), key(50), SHEAF_LIT("v"), 500, NULL, NULL);
}

static sheaf_status put_earliest_over(struct fixture *fixture)
{
    static char large[5000];
    return sheaf_shared_put_until(fixture->shared, shelf(3), key(7), sheaf_bytes_of(large, sizeof large), 500, NULL, NULL);
}

static sheaf_status put_first(struct fixture *fixture)
{
    return sheaf_shared_put_until(fixture->shared, SHEAF_LIT("another"), key(1), SHEAF_LIT("v"), 500, NULL, NULL);
}

static sheaf_status set_earlier(struct fixture *fixture)
{
    return sheaf_shared_set_deadline(fixture->shared, shelf(4), key(9), 500, NULL);
}

static sheaf_status set_later(struct fixture *fixture)
{
    return sheaf_shared_set_deadline(fixture->shared, shelf(5), key(8), 5000, NULL);
}

static sheaf_status set_none(struct fixture *fixture)
{
    return sheaf_shared_set_deadline(fixture->shared, shelf(6), key(11), SHEAF_NO_DEADLINE, NULL);
}

static sheaf_status write_several_until(struct fixture *fixture)
{
    sheaf_batch_write writes[] = {
        sheaf_batch_put(shelf(0), key(1), SHEAF_LIT("another value")),
        sheaf_batch_put(SHEAF_LIT("a new shelf"), key(1), SHEAF_LIT("v")),
        sheaf_batch_drop(shelf(7)),
        sheaf_batch_put(shelf(7), key(1), SHEAF_LIT("v")),
        sheaf_batch_put(shelf(8), key(70), SHEAF_LIT("v")),
    };
    writes[0].deadline = 400;
    writes[1].deadline = 300;
    writes[3].deadline = 200;
    writes[4].deadline = 100;
    return sheaf_shared_batch_apply(fixture->shared, writes, sizeof writes / sizeof *writes, NULL, NULL);
}

static sheaf_status find_until(void *context, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_loaded *out_loaded)
{
    out_loaded->deadline = 500;
    return find(context, partition_key, sort_key, out_loaded);
}

static sheaf_status load_until(struct fixture *fixture)
{
    char buffer[8];
    sheaf_status status =
        sheaf_shared_get_or_load(fixture->shared, shelf(2), key(77), find_until, NULL, buffer, sizeof buffer, NULL, NULL);
    EXPECT(status == SHEAF_OK && memcmp(buffer, "found", 5) == 0, "it is given out");
    uint64_t due = deadline_of(fixture, 2, 77);
    EXPECT(due == 0 || due == 500, "put with the deadline %" PRIu64, due);
    return due == 500 ? SHEAF_OK : refused_status(fixture);
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

/* Beside a view whatever they write is copied first, so each is refused something; with events what goes is, too. */
Test(shared_failure, of_each_call_with_deadlines)
{
    const call calls[] = { put_earliest, put_earliest_over, put_first, set_earlier, set_later, set_none, write_several_until,
                           load_until };
    for (enum refusal refusal = REFUSE_ONE; refusal < REFUSALS; refusal++) {
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            for (int kind = 0; kind < 4; kind++) {
                struct fixture fixture;
                begin_with_deadlines(&fixture, refusal, kind & 1, kind & 2);
                sweep(&fixture, calls[i]);
                cr_assert(fixture.refused_runs > 0 || !fixture.view, "call %zu is refused nothing", i);
                end(&fixture);
            }
        }
    }
}

/* ---- sweeps ------------------------------------------------------------------------------------------------------------- */

/* Looks at every entry: what has gone had expired, whatever is left has its deadline. Returns how many have gone. */
static uint64_t count_gone(struct fixture *fixture, uint64_t *out_earliest)
{
    uint64_t gone = 0;
    *out_earliest = SHEAF_NO_DEADLINE;
    for (uint32_t i = 0; i < SHELVES * KEYS; i++) {
        uint64_t due = deadline_of(fixture, i % SHELVES, i / SHELVES);
        EXPECT(due == due_of(i / SHELVES) || (due == 0 && due_of(i / SHELVES) <= DUE_AT_SWEEP), "entry %u is due %" PRIu64, i, due);
        if (due == 0) gone++;
        else if (due < *out_earliest) *out_earliest = due;
    }
    return gone;
}

static void expect_swept(struct fixture *fixture, sheaf_totals swept, bool with_events)
{
    sheaf_fault fault = { 0 };
    uint64_t earliest, size = SHEAF_LIT("k/0000").size + SHEAF_LIT("a value").size;
    EXPECT(sheaf_shared_check(fixture->shared, &fault), "%s", fault.rule);
    EXPECT(count_gone(fixture, &earliest) == swept.count, "%" PRIu64 " said to be swept", swept.count);
    EXPECT(swept.bytes == swept.count * size, "%" PRIu64 " bytes said to be swept", swept.bytes);
    EXPECT(!with_events || fixture->told_count == swept.count, "%" PRIu64 " told of", fixture->told_count);
    EXPECT(sheaf_shared_next_deadline(fixture->shared) <= earliest, "what is left stays armed");
    EXPECT(sheaf_shared_total(fixture->shared).charged_bytes == fixture->heap.live_real_bytes, "bytes charged are bytes live");
}

/* A sweep of which something is refused, and the next one. Returns whether something was. */
static bool sweep_refused(struct fixture *fixture, uint64_t n, bool with_events, uint64_t count_max)
{
    const uint64_t going = SHELVES * KEYS / PERIOD * (DUE_AT_SWEEP - DUE_AT + 1);
    sheaf_totals swept = { 77, 77 }, rest = { 77, 77 };
    refuse(fixture, n);
    sheaf_status status = sheaf_shared_sweep(fixture->shared, DUE_AT_SWEEP, count_max, &swept, NULL);
    bool refused = fixture->heap.refusals > 0 || status != SHEAF_OK; /* the budget's refusals show in the status alone */
    relent(fixture);
    bool may_be = refused && (with_events || fixture->view) && status == refused_status(fixture);
    EXPECT(status == SHEAF_OK || may_be, "run %" PRIu64 " gave %s", n, sheaf_status_name(status));
    if (status == SHEAF_OK) EXPECT(swept.count == (count_max > 0 ? count_max : going), "%" PRIu64 " swept", swept.count);
    expect_swept(fixture, swept, with_events);
    EXPECT(sheaf_shared_sweep(fixture->shared, DUE_AT_SWEEP, 0, &rest, NULL) == SHEAF_OK, "the rest");
    EXPECT(swept.count + rest.count == going, "%" PRIu64 " and %" PRIu64 " swept", swept.count, rest.count);
    rest.count += swept.count;
    rest.bytes += swept.bytes;
    expect_swept(fixture, rest, with_events);
    sheaf_shared_view_close(fixture->view);
    fixture->view = NULL;
    EXPECT(sheaf_shared_sweep(fixture->shared, DUE_AT_SWEEP, 0, &rest, NULL) == SHEAF_OK && rest.count == 0, "nothing is left");
    EXPECT(sheaf_shared_next_deadline(fixture->shared) == DUE_AT_SWEEP + 1, "the next deadline");
    if (status != SHEAF_OK) fixture->refused_runs++;
    return refused;
}

Test(shared_failure, b103_of_sweeps)
{
    for (enum refusal refusal = REFUSE_ONE; refusal < REFUSALS; refusal++) {
        for (int kind = 0; kind < 4; kind++) {
            for (uint64_t count_max = 0; count_max <= 100; count_max += 100) {
                struct fixture fixture;
                uint64_t refused_runs = 0, n = 0;
                bool refused = true;
                for (; refused; n++) {
                    begin_with_deadlines(&fixture, refusal, kind & 1, kind & 2);
                    refused = sweep_refused(&fixture, n, kind & 1, count_max);
                    refused_runs += fixture.refused_runs;
                    end(&fixture);
                }
                bool needs = (kind & 2) || ((kind & 1) && refusal != REFUSE_BY_BUDGET); /* events have room kept for them */
                cr_assert_eq(refused_runs > 0, needs, "kind %d: %" PRIu64 " of %" PRIu64 " refused", kind, refused_runs, n);
            }
        }
    }
}
