/*
 * test_expiry_failure.c - every call that has to do with deadlines, with every allocation refused in turn.
 *
 * As in test_allocation_failure.c: a call is made again and again, refusing its allocation 0, then 1, then 2 ... until it is
 * done; what was refused has changed nothing, no deadline either. A sweep that is refused has done what it says it has, and
 * whatever is left keeps its deadline and goes with the next one (B103). The clock stands at 0 where the store is looked at, so
 * that nothing is hidden.
 */
#include <criterion/criterion.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/expect.h"
#include "tests/support/snapshot.h"
#include "tests/support/test_heap.h"

enum {
    ENTRY_COUNT = 240,
    SMALL_COUNT = 12,
    PERIOD = 8,    /* one in eight has no deadline, */
    DUE_AT = 1000, /* the others have this and up to six more */
    DUE_AT_SWEEP = DUE_AT + 2, /* three in eight have expired then */
    INDEX_GROWTH_MAX = 64,     /* of its leaf, that goes back to what it held but not to its size */
    INDEX_COPY_MAX = 1400      /* of the leaf beside a view, and a block of places for what is kept for that */
};

static struct test_heap heap;
static sheaf_store *store;
static sheaf_view *view;
static uint64_t clock_now;
static uint64_t told_count, expired_count;

static uint64_t tell_time(void *context)
{
    return *(const uint64_t *)context;
}

static void on_event(void *context, const sheaf_event *event)
{
    (void)context;
    told_count++;
    if (event->cause == SHEAF_CAUSE_EXPIRED) expired_count++;
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

static uint64_t due_of(uint32_t i)
{
    return i % PERIOD == PERIOD - 1 ? SHEAF_NO_DEADLINE : DUE_AT + i % PERIOD;
}

static bool goes(uint32_t i)
{
    return due_of(i) <= DUE_AT_SWEEP;
}

static void put_numbers(sheaf_bytes partition_key, uint32_t count)
{
    char buffer[16];
    for (uint32_t i = 0; i < count; i++)
        EXPECT(sheaf_store_put_until(store, partition_key, number(i, buffer), value_of(i), due_of(i), NULL, NULL) == SHEAF_OK,
               "a put");
}

static void begin(bool with_events, bool with_view)
{
    heap = test_heap_new();
    clock_now = 0;
    sheaf_allocator hooks = test_heap_hooks(&heap);
    sheaf_event_options events = { .callback = on_event };
    sheaf_expiry_options expiry = { .now = tell_time, .context = &clock_now };
    sheaf_store_options options = { .allocator = &hooks, .expiry = &expiry, .events = with_events ? &events : NULL };
    EXPECT(sheaf_store_create(&options, &store, NULL) == SHEAF_OK, "nothing is refused yet");
    put_numbers(SHEAF_LIT("large"), ENTRY_COUNT);
    put_numbers(SHEAF_LIT("small"), SMALL_COUNT);
    view = NULL;
    if (with_view) EXPECT(sheaf_view_open(store, &view, NULL) == SHEAF_OK, "a view");
    told_count = expired_count = 0;
}

static void end(void)
{
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_store_check(store, &fault), "%s", fault.rule);
    EXPECT(sheaf_store_total(store).charged_bytes == heap.live_real_bytes, "bytes charged are bytes live");
    sheaf_store_destroy(store);
    EXPECT(heap.live_blocks == 0, "%" PRIu64 " blocks leaked", heap.live_blocks);
}

/* What entry `i` is due; 0: it is not there. */
static uint64_t deadline_in(const sheaf_store *read, sheaf_bytes partition_key, uint32_t i)
{
    char buffer[16];
    uint64_t due = 0;
    sheaf_status status = sheaf_store_get_deadline(read, partition_key, number(i, buffer), &due, NULL);
    EXPECT(status == SHEAF_OK || status == SHEAF_NOT_FOUND, "get deadline gave %s", sheaf_status_name(status));
    return due;
}

static void expect_all_deadlines(const sheaf_store *read)
{
    for (uint32_t i = 0; i < ENTRY_COUNT; i++)
        EXPECT(deadline_in(read, SHEAF_LIT("large"), i) == due_of(i), "the deadline of %u", i);
    for (uint32_t i = 0; i < SMALL_COUNT; i++)
        EXPECT(deadline_in(read, SHEAF_LIT("small"), i) == due_of(i), "the deadline of %u", i);
}

/* Refuses one request, or it and all after it. */
static void refuse(uint64_t n, bool from_one_on)
{
    if (from_one_on) heap.fail_from = heap.requests + n;
    else heap.fail_at = heap.requests + n;
}

/* All but the memory that the index of deadlines takes, which may have grown, but only so far. */
static void expect_unchanged(struct snapshot *before, uint64_t charged_bytes)
{
    before->totals.charged_bytes = sheaf_store_total(store).charged_bytes;
    snapshot_expect(before, store);
    uint64_t charged_max = charged_bytes + (view ? INDEX_COPY_MAX : INDEX_GROWTH_MAX);
    EXPECT(before->totals.charged_bytes >= charged_bytes && before->totals.charged_bytes <= charged_max,
           "%" PRIu64 " bytes charged, %" PRIu64 " before", before->totals.charged_bytes, charged_bytes);
    expect_all_deadlines(store);
    EXPECT(sheaf_store_next_deadline(store) == DUE_AT, "next deadline %" PRIu64, sheaf_store_next_deadline(store));
}

typedef sheaf_status (*call)(void);

/* Sweeps over the allocations of a call, in a store of a kind. Returns how many runs were refused. */
static uint64_t refuse_each(const char *name, call run, bool with_events, bool with_view, bool from_one_on)
{
    uint64_t n = 0;
    sheaf_status status = SHEAF_NO_MEMORY;
    expect_scene.operation = name;
    begin(with_events, with_view);
    struct snapshot before = snapshot_take(store);
    uint64_t charged_bytes = before.totals.charged_bytes;
    for (; status != SHEAF_OK; n++) {
        expect_scene.step = n;
        refuse(n, from_one_on);
        status = run();
        test_heap_relent(&heap);
        EXPECT(status == SHEAF_OK || status == SHEAF_NO_MEMORY, "gave %s", sheaf_status_name(status));
        EXPECT(n < 500, "a call that takes hundreds of allocations");
        if (status == SHEAF_OK) break;
        EXPECT(told_count == 0, "%" PRIu64 " events of a refused call", told_count);
        expect_unchanged(&before, charged_bytes);
    }
    if (view) {
        expect_all_deadlines(sheaf_view_store(view));
        EXPECT(sheaf_store_next_deadline(sheaf_view_store(view)) == DUE_AT, "the view's next deadline");
    }
    snapshot_free(&before);
    end();
    return n;
}

/* In stores of all kinds; `refused_min` runs must be refused beside a view. */
static void refuse_all(const char *name, call run, uint64_t refused_min)
{
    for (int with_events = 0; with_events < 2; with_events++) {
        for (int from_one_on = 0; from_one_on < 2; from_one_on++) {
            (void)refuse_each(name, run, with_events, false, from_one_on);
            uint64_t refused = refuse_each(name, run, with_events, true, from_one_on);
            EXPECT(refused >= refused_min, "%" PRIu64 " runs of \"%s\" were refused", refused, name);
        }
    }
}

/* ---- calls that are done or not ----------------------------------------------------------------------------------------------- */

static sheaf_status put_earliest(void)
{
    return sheaf_store_put_until(store, SHEAF_LIT("large"), SHEAF_LIT("000100+"), value_of(4), 500, NULL, NULL);
}

static sheaf_status put_earliest_over(void)
{
    return sheaf_store_put_until(store, SHEAF_LIT("small"), SHEAF_LIT("000003"), value_of(13), 500, NULL, NULL);
}

static sheaf_status put_first(void)
{
    return sheaf_store_put_until(store, SHEAF_LIT("new"), SHEAF_LIT("k"), SHEAF_LIT("v"), 500, NULL, NULL);
}

static sheaf_status set_earlier(void)
{
    return sheaf_store_set_deadline(store, SHEAF_LIT("large"), SHEAF_LIT("000111"), 500, NULL);
}

static sheaf_status set_later(void)
{
    return sheaf_store_set_deadline(store, SHEAF_LIT("small"), SHEAF_LIT("000000"), 5000, NULL);
}

static sheaf_status set_none(void)
{
    return sheaf_store_set_deadline(store, SHEAF_LIT("large"), SHEAF_LIT("000112"), SHEAF_NO_DEADLINE, NULL);
}

static sheaf_status apply_batch(void)
{
    sheaf_batch_write writes[] = {
        sheaf_batch_put(SHEAF_LIT("new"), SHEAF_LIT("k"), SHEAF_LIT("v")),
        sheaf_batch_put(SHEAF_LIT("large"), SHEAF_LIT("000200"), SHEAF_LIT("v")),
        sheaf_batch_drop(SHEAF_LIT("small")),
        sheaf_batch_put(SHEAF_LIT("small"), SHEAF_LIT("000001"), value_of(4)),
        sheaf_batch_put(SHEAF_LIT("large"), SHEAF_LIT("000201"), SHEAF_LIT("v")),
    };
    writes[0].deadline = 400;
    writes[1].deadline = 300;
    writes[3].deadline = 200;
    return sheaf_batch_apply(store, writes, sizeof writes / sizeof *writes, NULL, NULL);
}

static sheaf_status build(void)
{
    char buffer[16];
    sheaf_builder *builder;
    sheaf_status status = sheaf_builder_begin(store, SHEAF_LIT("built"), &builder, NULL);
    if (status != SHEAF_OK) return status;
    for (uint32_t i = 0; i < 60 && status == SHEAF_OK; i++)
        status = sheaf_builder_add_until(builder, number(i, buffer), value_of(i), 100 + i, NULL);
    if (status == SHEAF_OK) status = sheaf_builder_finish(builder);
    if (status != SHEAF_OK) sheaf_builder_abort(builder);
    return status;
}

Test(expiry_failure, of_each_call)
{
    expect_scene.name = "expiry_failure";
    refuse_all("put the earliest", put_earliest, 3);
    refuse_all("put the earliest over another", put_earliest_over, 3);
    refuse_all("put the first entry", put_first, 3);
    refuse_all("set an earlier deadline", set_earlier, 3);
    refuse_all("set a later deadline", set_later, 2);
    refuse_all("set no deadline", set_none, 2);
    refuse_all("batch", apply_batch, 8);
    refuse_all("build", build, 8);
}

/* A builder goes on without the entry that was refused, which may be added again. */
Test(expiry_failure, of_additions_to_a_build)
{
    char buffer[16];
    sheaf_builder *builder;
    uint64_t refused_count = 0;
    expect_scene.name = "expiry_failure";
    expect_scene.operation = "add until";
    begin(false, false);
    EXPECT(sheaf_builder_begin(store, SHEAF_LIT("built"), &builder, NULL) == SHEAF_OK, "begin");
    for (uint32_t i = 0; i < 200; i++) {
        heap.fail_from = heap.requests;
        sheaf_status status = sheaf_builder_add_until(builder, number(i, buffer), value_of(i), 5000 - i, NULL);
        test_heap_relent(&heap);
        if (status == SHEAF_OK) continue;
        refused_count++;
        status = sheaf_builder_add_until(builder, number(i, buffer), value_of(i), 6000 - i, NULL);
        EXPECT(status == SHEAF_OK, "added again, it gave %s", sheaf_status_name(status));
    }
    EXPECT(refused_count > 10 && refused_count < 190, "%" PRIu64 " additions were refused", refused_count);
    EXPECT(sheaf_builder_finish(builder) == SHEAF_OK, "finish");
    uint64_t later_count = 0;
    for (uint32_t i = 0; i < 200; i++) {
        uint64_t due = deadline_in(store, SHEAF_LIT("built"), i);
        EXPECT(due == 5000 - i || due == 6000 - i, "entry %u is due %" PRIu64, i, due);
        if (due == 6000 - i) later_count++;
    }
    EXPECT(later_count == refused_count, "%" PRIu64 " of the second attempts", later_count);
    end();
}

/* What a refused put was to replace, if it was hidden, may have been swept; no more than that. */
Test(expiry_failure, of_a_put_over_what_has_expired)
{
    expect_scene.name = "expiry_failure";
    expect_scene.operation = "put over what has expired";
    for (int with_view = 0; with_view < 2; with_view++) {
        sheaf_status status = SHEAF_NO_MEMORY;
        bool replaced = true;
        uint64_t n = 0;
        begin(true, with_view);
        for (; status != SHEAF_OK; n++) {
            expect_scene.step = n;
            clock_now = DUE_AT_SWEEP;
            uint64_t seen_count = sheaf_store_total(store).entry_count;
            refuse(n, false);
            status = sheaf_store_put_until(store, SHEAF_LIT("large"), SHEAF_LIT("000104"), value_of(4), 7000, &replaced, NULL);
            test_heap_relent(&heap);
            EXPECT(sheaf_store_total(store).entry_count == seen_count + (status == SHEAF_OK), "what can be seen");
            clock_now = 0;
            bool gone = deadline_in(store, SHEAF_LIT("large"), 104) == 0;
            EXPECT(expired_count == (gone || status == SHEAF_OK) && told_count == expired_count, "%" PRIu64 " events", told_count);
            sheaf_fault fault = { 0 };
            EXPECT(sheaf_store_check(store, &fault), "%s", fault.rule);
        }
        EXPECT(n > 2 && !replaced, "it takes memory, and replaces nothing");
        EXPECT(deadline_in(store, SHEAF_LIT("large"), 104) == 7000, "the new deadline");
        EXPECT(sheaf_store_total(store).entry_count == ENTRY_COUNT + SMALL_COUNT, "the others are all there");
        if (view) expect_all_deadlines(sheaf_view_store(view));
        end();
    }
}

/* ---- sweeps --------------------------------------------------------------------------------------------------------------- */

static uint64_t count_going(uint32_t count)
{
    uint64_t going = 0;
    for (uint32_t i = 0; i < count; i++) going += goes(i);
    return going;
}

/* Counts what has gone of a collection; all else has its deadline. */
static void look_at(sheaf_bytes partition_key, uint32_t count, sheaf_totals *gone, uint64_t *earliest)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t due = deadline_in(store, partition_key, i);
        if (due == 0) {
            EXPECT(goes(i), "entry %u had not expired", i);
            gone->count++;
            gone->bytes += 6 + value_of(i).size;
            continue;
        }
        EXPECT(due == due_of(i), "entry %u is due %" PRIu64, i, due);
        if (due < *earliest) *earliest = due;
    }
}

/* After a sweep, done or not, that says what it has swept. */
static void expect_swept(sheaf_totals swept, bool with_events)
{
    sheaf_totals gone = { 0 };
    uint64_t earliest = SHEAF_NO_DEADLINE;
    sheaf_fault fault = { 0 };
    look_at(SHEAF_LIT("large"), ENTRY_COUNT, &gone, &earliest);
    look_at(SHEAF_LIT("small"), SMALL_COUNT, &gone, &earliest);
    EXPECT(swept.count == gone.count && swept.bytes == gone.bytes, "%" PRIu64 " swept, %" PRIu64 " gone", swept.count, gone.count);
    EXPECT(sheaf_store_total(store).entry_count == ENTRY_COUNT + SMALL_COUNT - gone.count, "the others are there");
    EXPECT(sheaf_store_next_deadline(store) <= earliest, "%" PRIu64 " is armed", sheaf_store_next_deadline(store));
    EXPECT(expired_count == (with_events ? gone.count : 0) && told_count == expired_count, "%" PRIu64 " events", told_count);
    EXPECT(sheaf_store_check(store, &fault), "%s", fault.rule);
    EXPECT(sheaf_store_total(store).charged_bytes == heap.live_real_bytes, "bytes charged are bytes live");
    if (view) expect_all_deadlines(sheaf_view_store(view));
}

/* One sweep whose request `n` is refused, and the one that does the rest. False once nothing was refused. */
static bool sweep_refused(uint64_t n, bool with_events, bool with_view, bool from_one_on, uint64_t count_max)
{
    uint64_t going = count_going(ENTRY_COUNT) + count_going(SMALL_COUNT);
    uint64_t first_count = count_max > 0 ? count_max : going;
    sheaf_totals swept = { 77, 77 }, rest = { 77, 77 };
    expect_scene.step = n;
    begin(with_events, with_view);
    refuse(n, from_one_on);
    sheaf_status status = sheaf_store_sweep(store, DUE_AT_SWEEP, count_max, &swept, NULL);
    bool refused = heap.refusals > 0;
    test_heap_relent(&heap);
    bool may_be = status == SHEAF_NO_MEMORY && refused && (with_events || with_view);
    EXPECT(status == SHEAF_OK || may_be, "gave %s", sheaf_status_name(status));
    if (status == SHEAF_OK) EXPECT(swept.count == first_count, "%" PRIu64 " swept", swept.count);
    expect_swept(swept, with_events);
    EXPECT(sheaf_store_sweep(store, DUE_AT_SWEEP, 0, &rest, NULL) == SHEAF_OK, "the rest");
    EXPECT(swept.count + rest.count == going, "%" PRIu64 " and %" PRIu64 " swept", swept.count, rest.count);
    swept.count += rest.count;
    swept.bytes += rest.bytes;
    expect_swept(swept, with_events);
    sheaf_view_close(view);
    view = NULL;
    EXPECT(sheaf_store_sweep(store, DUE_AT_SWEEP, 0, &rest, NULL) == SHEAF_OK && rest.count == 0, "nothing is left");
    EXPECT(sheaf_store_next_deadline(store) == DUE_AT_SWEEP + 1, "%" PRIu64 " is armed", sheaf_store_next_deadline(store));
    end();
    return refused;
}

static void sweep_all(bool with_events, bool with_view, uint64_t refused_min)
{
    for (int from_one_on = 0; from_one_on < 2; from_one_on++) {
        for (uint64_t count_max = 0; count_max <= 30; count_max += 30) {
            uint64_t n = 0;
            while (sweep_refused(n, with_events, with_view, from_one_on, count_max)) n++;
            EXPECT(n >= refused_min, "%" PRIu64 " runs were refused", n);
        }
    }
}

Test(expiry_failure, b103_of_a_sweep)
{
    expect_scene.name = "expiry_failure";
    expect_scene.operation = "sweep";
    sweep_all(false, false, 0); /* what it asks for it can do without: the index is left as it is then */
    sweep_all(true, false, 30);
    sweep_all(false, true, 10);
    sweep_all(true, true, 40);
}
