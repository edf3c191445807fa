/*
 * test_event_model.c - every value ever put is either in the store or has left it with just one event, and the right one.
 *
 * Values are numbered as they are put. A table says of each number whether it is in, and where; a put, or what a restore brings
 * back, lets numbers in, and only events let them out. So after every operation the store's count must be that of the table,
 * and now and then every value in the store is looked up in it.
 *
 * All that is not eviction is foreseen besides: which events, with which cause, in which order. Eviction is not, but it has
 * its statistics, and values that it let go must be gone. Some operations find no memory, or no room below the budget; then
 * there must be no events but of what was evicted. In some runs callbacks write, too.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/expect.h"
#include "tests/support/random.h"
#include "tests/support/test_heap.h"

enum {
    COLLECTION_COUNT = 8,
    KEY_COUNT = 300,
    VIEW_MAX = 4,
    BATCH_MAX = 8,
    STEP_COUNT = 100000,
    VALUE_SIZE_MAX = 3000,
    SLOT_COUNT = COLLECTION_COUNT * KEY_COUNT,
    ENTRY_SIZE_MAX = VALUE_SIZE_MAX + 400, /* with keys, and what the store has of an event besides; or two end nodes */
};

struct plan {
    const char *name;
    bool is_cache;
    sheaf_cache_options cache;
    uint64_t budget_bytes;
    bool writing; /* callbacks write */
    bool large;   /* values */
    bool expiring; /* some have deadlines, on a clock that counts steps */
};

/* Place i is key i % KEY_COUNT of collection i / KEY_COUNT. 0: nothing is there. */
struct state {
    uint32_t numbers[SLOT_COUNT];
};

struct told {
    sheaf_cause cause;
    uint32_t number;
};

struct run {
    struct random random;
    const struct plan *plan;
    struct test_heap heap;
    sheaf_store *store;
    struct state now;
    uint32_t *places; /* by number: 1 + where it is; 0: it is out */
    uint64_t *deadlines; /* by number: what the last step of its life is; 0: it has none */
    uint32_t number_count;
    uint64_t in_count;
    uint64_t evicted_count, expired_count;
    struct told *told; /* by the operation under way, evictions apart */
    size_t told_count;
    uint64_t callback_puts;
    sheaf_view *views[VIEW_MAX];
    struct state seen[VIEW_MAX];
    uint64_t refused_count;
};

/* ---- keys and values ------------------------------------------------------------------------------------------------------ */

static sheaf_bytes partition_key(uint32_t place)
{
    static char names[COLLECTION_COUNT][24];
    uint32_t collection = place / KEY_COUNT;
    int size = snprintf(names[collection], sizeof *names, "%.*s%u", (int)(collection * 2), "PARTITION#PARTITION#", collection);
    return sheaf_bytes_of(names[collection], (size_t)size);
}

/* In the order of the numbers; of many sizes, some with much in common. */
static sheaf_bytes key_text(uint32_t key, char *out)
{
    static const char tail[] = "/a/tail/that/is/long/enough/to/be/split";
    int size = sprintf(out, "%s%04u%.*s", "folder/", key, (int)(key * 7 % sizeof tail), tail);
    return sheaf_bytes_of(out, (size_t)size);
}

static uint32_t key_number(sheaf_bytes sort_key)
{
    char digits[5] = { 0 };
    EXPECT(sort_key.size >= 11, "a key of %zu bytes", sort_key.size);
    memcpy(digits, sort_key.data + 7, 4);
    return (uint32_t)strtoul(digits, NULL, 10);
}

static uint32_t place_of(sheaf_bytes partition, sheaf_bytes sort_key)
{
    char text[80];
    uint32_t collection = (uint32_t)(partition.data[partition.size - 1] - '0');
    uint32_t place = collection * KEY_COUNT + key_number(sort_key);
    EXPECT(collection < COLLECTION_COUNT, "no collection of this test");
    sheaf_bytes expected = key_text(place % KEY_COUNT, text), name = partition_key(place);
    EXPECT(sort_key.size == expected.size && memcmp(sort_key.data, expected.data, expected.size) == 0, "another sort key");
    EXPECT(partition.size == name.size && memcmp(partition.data, name.data, name.size) == 0, "another partition key");
    return place;
}

static size_t value_size(const struct run *run, uint32_t number)
{
    uint32_t mixed = number * 2654435761u >> 16;
    if (run->plan->large && mixed % 16 == 0) return 8 + mixed % (VALUE_SIZE_MAX - 8);
    return 8 + mixed % 40;
}

static sheaf_bytes value_of(const struct run *run, uint32_t number, uint8_t *out)
{
    size_t size = value_size(run, number);
    char digits[16];
    (void)snprintf(digits, sizeof digits, "%08u", number);
    memset(out, (int)(number % 251), size);
    memcpy(out, digits, 8);
    return sheaf_bytes_of(out, size);
}

/* The number of a value, which must be whole. */
static uint32_t number_of(const struct run *run, sheaf_bytes value)
{
    uint8_t expected[VALUE_SIZE_MAX + 16];
    char digits[9] = { 0 };
    EXPECT(value.size >= 8, "a value of %zu bytes", value.size);
    memcpy(digits, value.data, 8);
    uint32_t number = (uint32_t)strtoul(digits, NULL, 10);
    EXPECT(number > 0 && number < run->number_count, "value %u was never put", number);
    sheaf_bytes whole = value_of(run, number, expected);
    EXPECT(value.size == whole.size && memcmp(value.data, whole.data, whole.size) == 0, "value %u is not what was put", number);
    return number;
}

/* ---- what is in ----------------------------------------------------------------------------------------------------------- */

/* Before the call that is to put it or to bring it back: it may leave again before that returns. */
static void expect_in(struct run *run, uint32_t number, uint32_t place)
{
    EXPECT(run->places[number] == 0, "value %u enters twice", number);
    run->places[number] = place + 1;
    run->in_count++;
}

/* After the call: it is there unless it has been told of. */
static void settle_in(struct run *run, uint32_t number, uint32_t place)
{
    if (run->places[number] == 0) return;
    EXPECT(run->plan->writing || run->now.numbers[place] == 0, "value %u enters, and the one before has not left", number);
    run->now.numbers[place] = number;
}

/* The call was refused. */
static void stay_out(struct run *run, uint32_t number)
{
    EXPECT(run->places[number] != 0, "value %u never entered, and left", number);
    run->places[number] = 0;
    run->in_count--;
}

static void let_out(struct run *run, uint32_t number)
{
    EXPECT(run->places[number] != 0, "value %u leaves twice", number);
    uint32_t place = run->places[number] - 1;
    if (run->now.numbers[place] == number) run->now.numbers[place] = 0;
    run->places[number] = 0;
    run->in_count--;
}

static uint32_t new_number(struct run *run)
{
    return run->number_count++;
}

/* ---- callbacks ------------------------------------------------------------------------------------------------------------ */

/* Writes from within a callback. What it replaces is told of later; what was there and has gone, too. */
static void write_in_callback(struct run *run)
{
    char text[80];
    uint8_t bytes[VALUE_SIZE_MAX + 16];
    uint32_t place = random_below(&run->random, SLOT_COUNT);
    sheaf_bytes key = key_text(place % KEY_COUNT, text);
    if (random_once_in(&run->random, 4)) {
        (void)sheaf_store_delete(run->store, partition_key(place), key, NULL);
        return;
    }
    uint32_t number = new_number(run);
    expect_in(run, number, place);
    if (sheaf_store_put(run->store, partition_key(place), key, value_of(run, number, bytes), NULL, NULL) != SHEAF_OK) {
        stay_out(run, number);
        return;
    }
    settle_in(run, number, place); /* whoever was there has an event to come */
    run->callback_puts++;
}

static void on_event(void *context, const sheaf_event *event)
{
    struct run *run = context;
    uint32_t place = place_of(event->partition_key, event->sort_key);
    uint32_t number = number_of(run, event->value);
    sheaf_store_totals totals = sheaf_store_total(run->store);
    EXPECT(totals.budget_bytes == 0 || totals.charged_bytes <= totals.budget_bytes + ENTRY_SIZE_MAX,
           "%" PRIu64 " bytes charged of %" PRIu64, totals.charged_bytes, totals.budget_bytes);
    EXPECT(run->places[number] == place + 1, "value %u leaves from where it is not", number);
    let_out(run, number);
    if (event->cause == SHEAF_CAUSE_EXPIRED) run->expired_count++;
    if (event->cause == SHEAF_CAUSE_EVICTED) run->evicted_count++;
    else run->told[run->told_count++] = (struct told){ event->cause, number };
    if (random_once_in(&run->random, 64)) {
        sheaf_fault fault = { 0 };
        EXPECT(sheaf_store_check(run->store, &fault), "in a callback: %s", fault.rule);
    }
    if (run->plan->writing && random_once_in(&run->random, 3)) write_in_callback(run);
}

/* ---- what is foreseen ----------------------------------------------------------------------------------------------------- */

static struct told foreseen[SLOT_COUNT + 2 * BATCH_MAX];
static size_t foreseen_count;

static void foresee(sheaf_cause cause, uint32_t number)
{
    foreseen[foreseen_count++] = (struct told){ cause, number };
}

/* The order in which values of one operation leave is the one foreseen; between collections, by a restore, it is not. */
static void expect_foreseen(struct run *run, bool in_order)
{
    if (run->plan->writing) return; /* callbacks have changed what was to come */
    EXPECT(run->told_count == foreseen_count, "%zu events, not %zu", run->told_count, foreseen_count);
    for (size_t i = 0; i < foreseen_count; i++) {
        size_t at = in_order ? i : 0;
        while (!in_order && at < foreseen_count && run->told[at].number != foreseen[i].number) at++;
        EXPECT(at < foreseen_count && run->told[at].number == foreseen[i].number, "value %u was to be told of, not %u",
               foreseen[i].number, run->told[i].number);
        EXPECT(run->told[at].cause == foreseen[i].cause, "value %u was told of as %s", foreseen[i].number,
               sheaf_cause_name(run->told[at].cause));
    }
}

static void begin_operation(struct run *run, const char *name)
{
    expect_scene.operation = name;
    run->told_count = foreseen_count = 0;
    if (random_once_in(&run->random, 12)) {
        uint64_t request = run->heap.requests + random_below(&run->random, 12);
        if (random_once_in(&run->random, 2)) run->heap.fail_from = request;
        else run->heap.fail_at = request;
    }
}

/* After an operation; true if it was done. */
static bool end_operation(struct run *run, sheaf_status status)
{
    test_heap_relent(&run->heap);
    if (status == SHEAF_OK) return true;
    EXPECT(status == SHEAF_NO_MEMORY || status == SHEAF_OVER_BUDGET || status == SHEAF_NOT_FOUND, "gave %s",
           sheaf_status_name(status));
    if (status != SHEAF_NOT_FOUND) run->refused_count++;
    foreseen_count = 0;
    expect_foreseen(run, true);
    return false;
}

/* ---- operations ----------------------------------------------------------------------------------------------------------- */

static uint32_t draw_place(struct run *run)
{
    uint32_t collection = random_below(&run->random, random_once_in(&run->random, 2) ? COLLECTION_COUNT : 2);
    return collection * KEY_COUNT + random_below(&run->random, KEY_COUNT);
}

static void put(struct run *run)
{
    char text[80];
    uint8_t bytes[VALUE_SIZE_MAX + 16];
    uint32_t place = draw_place(run), number = new_number(run);
    bool replaced = false;
    begin_operation(run, "put");
    expect_in(run, number, place);
    sheaf_bytes key = key_text(place % KEY_COUNT, text), value = value_of(run, number, bytes);
    if (run->plan->expiring && random_once_in(&run->random, 2))
        run->deadlines[number] = expect_scene.step + random_below(&run->random, 2000);
    uint64_t deadline = run->deadlines[number] > 0 ? run->deadlines[number] + 1 : SHEAF_NO_DEADLINE;
    sheaf_status status = run->plan->expiring
                              ? sheaf_store_put_until(run->store, partition_key(place), key, value, deadline, &replaced, NULL)
                              : sheaf_store_put(run->store, partition_key(place), key, value, &replaced, NULL);
    if (!end_operation(run, status)) {
        stay_out(run, number);
        return;
    }
    settle_in(run, number, place);
    if (run->plan->writing) return;
    EXPECT(run->told_count == (replaced ? 1 : 0), "%zu events of a put", run->told_count);
    if (replaced) EXPECT(run->told[0].cause == SHEAF_CAUSE_REPLACED, "told of as %s", sheaf_cause_name(run->told[0].cause));
}

static void delete(struct run *run)
{
    char text[80];
    uint32_t place = draw_place(run);
    begin_operation(run, "delete");
    uint32_t number = run->now.numbers[place];
    if (number) foresee(SHEAF_CAUSE_DELETED, number);
    sheaf_status status = sheaf_store_delete(run->store, partition_key(place), key_text(place % KEY_COUNT, text), NULL);
    EXPECT(status != (number ? SHEAF_NOT_FOUND : SHEAF_OK), "delete gave %s", sheaf_status_name(status));
    if (end_operation(run, status)) expect_foreseen(run, true);
}

/* Foresees what is between two keys of a place's collection, both in. */
static void foresee_cut(const struct state *state, uint32_t place, uint32_t low, uint32_t high)
{
    uint32_t first = place / KEY_COUNT * KEY_COUNT;
    for (uint32_t key = low; key <= high; key++)
        if (state->numbers[first + key]) foresee(SHEAF_CAUSE_CUT, state->numbers[first + key]);
}

struct span {
    uint32_t low, high;
    char low_text[80], high_text[80];
    sheaf_range range;
};

static void draw_span(struct run *run, struct span *span)
{
    uint32_t width = random_once_in(&run->random, 2) ? KEY_COUNT : 20;
    span->low = random_below(&run->random, KEY_COUNT);
    span->high = span->low + random_below(&run->random, width);
    if (span->high >= KEY_COUNT) span->high = KEY_COUNT - 1;
    span->range = sheaf_range_between(key_text(span->low, span->low_text), key_text(span->high, span->high_text));
    if (random_once_in(&run->random, 5)) {
        span->low = 0;
        span->range.lower = sheaf_cut_none();
    }
}

static void delete_range(struct run *run)
{
    uint32_t place = draw_place(run);
    struct span span;
    sheaf_totals deleted = { 0 };
    draw_span(run, &span);
    begin_operation(run, "delete range");
    foresee_cut(&run->now, place, span.low, span.high);
    sheaf_status status = sheaf_store_delete_range(run->store, partition_key(place), &span.range, &deleted, NULL);
    if (!end_operation(run, status)) return;
    EXPECT(deleted.count == foreseen_count, "%" PRIu64 " deleted", deleted.count);
    expect_foreseen(run, true);
}

static void drop(struct run *run)
{
    uint32_t place = draw_place(run);
    begin_operation(run, "drop");
    foresee_cut(&run->now, place, 0, KEY_COUNT - 1);
    if (end_operation(run, sheaf_collection_drop(run->store, partition_key(place), NULL))) expect_foreseen(run, true);
}

/* Adds a write to a batch, and does it to `after`. */
static sheaf_batch_write draw_write(struct run *run, struct state *after, struct span *span, uint8_t *bytes)
{
    uint32_t place = draw_place(run), number = after->numbers[place];
    uint32_t first = place / KEY_COUNT * KEY_COUNT;
    sheaf_bytes key = key_text(place % KEY_COUNT, span->low_text);
    switch (random_below(&run->random, 8)) {
    case 0:
        draw_span(run, span);
        foresee_cut(after, place, span->low, span->high);
        memset(after->numbers + first + span->low, 0, (span->high - span->low + 1) * sizeof *after->numbers);
        return sheaf_batch_delete_range(partition_key(place), span->range);
    case 1:
        foresee_cut(after, place, 0, KEY_COUNT - 1);
        memset(after->numbers + first, 0, KEY_COUNT * sizeof *after->numbers);
        return sheaf_batch_drop(partition_key(place));
    case 2:
        if (number) foresee(SHEAF_CAUSE_DELETED, number);
        after->numbers[place] = 0;
        return sheaf_batch_delete(partition_key(place), key);
    default:
        if (number) foresee(SHEAF_CAUSE_REPLACED, number);
        number = after->numbers[place] = new_number(run);
        return sheaf_batch_put(partition_key(place), key, value_of(run, number, bytes));
    }
}

/* After a call that leads to a foreseen state. */
static void expect_state(struct run *run, const struct state *after)
{
    if (run->plan->writing) return;
    EXPECT(memcmp(&run->now, after, sizeof *after) == 0, "the store is not in the state that it is to be in");
}

static void batch(struct run *run)
{
    static struct span spans[BATCH_MAX];
    static uint8_t bytes[BATCH_MAX][VALUE_SIZE_MAX + 16];
    static struct state after;
    sheaf_batch_write writes[BATCH_MAX];
    uint32_t numbers[BATCH_MAX] = { 0 }, places[BATCH_MAX] = { 0 };
    size_t count = 2 + random_below(&run->random, BATCH_MAX - 1);
    begin_operation(run, "batch");
    after = run->now;
    for (size_t i = 0; i < count; i++) {
        writes[i] = draw_write(run, &after, &spans[i], bytes[i]);
        if (writes[i].kind != SHEAF_BATCH_PUT) continue;
        numbers[i] = number_of(run, writes[i].value);
        places[i] = place_of(writes[i].partition_key, writes[i].sort_key);
        expect_in(run, numbers[i], places[i]);
    }
    bool done = end_operation(run, sheaf_batch_apply(run->store, writes, count, NULL, NULL));
    for (size_t i = 0; i < count; i++) {
        if (!numbers[i]) continue;
        if (done) settle_in(run, numbers[i], places[i]);
        else stay_out(run, numbers[i]);
    }
    if (!done) return;
    expect_foreseen(run, true);
    expect_state(run, &after);
}

static void restore(struct run *run)
{
    static bool returns[SLOT_COUNT];
    size_t i = random_below(&run->random, VIEW_MAX);
    const uint32_t *then = run->seen[i].numbers;
    if (!run->views[i]) return;
    begin_operation(run, "restore");
    for (uint32_t place = 0; place < SLOT_COUNT; place++) {
        uint32_t number = run->now.numbers[place];
        if (number && number != then[place]) foresee(then[place] ? SHEAF_CAUSE_REPLACED : SHEAF_CAUSE_CUT, number);
        returns[place] = then[place] && number != then[place];
        if (returns[place]) expect_in(run, then[place], place);
    }
    bool done = end_operation(run, sheaf_store_restore(run->store, run->views[i], NULL));
    for (uint32_t place = 0; place < SLOT_COUNT; place++) {
        if (!returns[place]) continue;
        if (done) settle_in(run, then[place], place);
        else stay_out(run, then[place]);
    }
    if (!done) return;
    expect_foreseen(run, false);
    expect_state(run, &run->seen[i]);
}

static void turn_view(struct run *run)
{
    size_t i = random_below(&run->random, VIEW_MAX);
    begin_operation(run, "view");
    if (run->views[i]) {
        sheaf_view_close(run->views[i]);
        run->views[i] = NULL;
        (void)end_operation(run, SHEAF_OK);
    } else if (end_operation(run, sheaf_view_open(run->store, &run->views[i], NULL))) {
        run->seen[i] = run->now;
    }
    expect_foreseen(run, true);
}

static void close_views(struct run *run)
{
    for (size_t i = 0; i < VIEW_MAX; i++) {
        sheaf_view_close(run->views[i]);
        run->views[i] = NULL;
    }
}

/* What was swept before a refusal stays so, and has been told of. */
static void sweep(struct run *run)
{
    begin_operation(run, "sweep");
    for (uint32_t place = 0; place < SLOT_COUNT; place++) {
        uint32_t number = run->now.numbers[place];
        if (number && run->deadlines[number] > 0 && run->deadlines[number] < expect_scene.step)
            foresee(SHEAF_CAUSE_EXPIRED, number);
    }
    sheaf_status status = sheaf_store_sweep(run->store, expect_scene.step, 0, NULL, NULL);
    test_heap_relent(&run->heap);
    if (status == SHEAF_OK) {
        expect_foreseen(run, false);
        return;
    }
    EXPECT(status == SHEAF_NO_MEMORY || status == SHEAF_OVER_BUDGET, "sweep gave %s", sheaf_status_name(status));
    for (size_t i = 0; i < run->told_count; i++)
        EXPECT(run->told[i].cause == SHEAF_CAUSE_EXPIRED, "told of as %s", sheaf_cause_name(run->told[i].cause));
    run->refused_count++;
}

static void evict(struct run *run)
{
    begin_operation(run, "evict");
    uint64_t charged_bytes = sheaf_store_total(run->store).charged_bytes;
    (void)end_operation(run, sheaf_store_evict(run->store, charged_bytes - charged_bytes / (1 + random_below(&run->random, 8))));
    expect_foreseen(run, true);
}

static void build(struct run *run)
{
    char text[80];
    uint8_t bytes[VALUE_SIZE_MAX + 16];
    static struct state built;
    sheaf_builder *builder;
    uint32_t place = draw_place(run), first = place / KEY_COUNT * KEY_COUNT;
    begin_operation(run, "build");
    sheaf_status status = sheaf_builder_begin(run->store, partition_key(place), &builder, NULL);
    if (status == SHEAF_EXISTS) {
        (void)end_operation(run, SHEAF_OK);
        return;
    }
    if (!end_operation(run, status)) return;
    memset(&built, 0, sizeof built);
    for (uint32_t key = place % 10; key < KEY_COUNT; key += 1 + place % 5) {
        uint32_t number = new_number(run);
        status = sheaf_builder_add(builder, key_text(key, text), value_of(run, number, bytes), NULL);
        if (status == SHEAF_OK) built.numbers[first + key] = number;
    }
    if (sheaf_builder_finish(builder) != SHEAF_OK) {
        sheaf_builder_abort(builder);
        return;
    }
    for (uint32_t i = 0; i < SLOT_COUNT; i++) {
        if (!built.numbers[i]) continue;
        expect_in(run, built.numbers[i], i);
        settle_in(run, built.numbers[i], i);
    }
}

/* ---- a run ---------------------------------------------------------------------------------------------------------------- */

/* Everything that the store holds is in, and where it should be. */
static void compare_all(struct run *run)
{
    sheaf_fault fault = { 0 };
    uint64_t count = 0;
    EXPECT(sheaf_store_check(run->store, &fault), "%s", fault.rule);
    for (uint32_t first = 0; first < SLOT_COUNT; first += KEY_COUNT) {
        sheaf_cursor cursor;
        EXPECT(sheaf_cursor_open(&cursor, run->store, partition_key(first), NULL, NULL) == SHEAF_OK, "a cursor");
        for (sheaf_cursor_first(&cursor); sheaf_cursor_valid(&cursor); sheaf_cursor_next(&cursor), count++) {
            uint32_t number = number_of(run, cursor.value), place = place_of(partition_key(first), cursor.key);
            EXPECT(run->now.numbers[place] == number && run->places[number] == place + 1, "value %u is out", number);
        }
    }
    EXPECT(count == run->in_count, "%" PRIu64 " values are in, the store has %" PRIu64, run->in_count, count);
}

static void compare_sums(struct run *run)
{
    sheaf_store_totals totals = sheaf_store_total(run->store);
    sheaf_statistics statistics = { 0 };
    (void)sheaf_store_statistics(run->store, &statistics);
    EXPECT(totals.entry_count == run->in_count, "%" PRIu64 " values are in, of %" PRIu64, totals.entry_count, run->in_count);
    EXPECT(totals.charged_bytes == run->heap.live_real_bytes, "%" PRIu64 " charged", totals.charged_bytes);
    EXPECT(totals.budget_bytes == 0 || totals.charged_bytes <= totals.budget_bytes, "%" PRIu64 " charged",
           totals.charged_bytes);
    EXPECT(statistics.evictions == run->evicted_count, "%" PRIu64 " evicted, %" PRIu64 " told of", statistics.evictions,
           run->evicted_count);
}

static void step(struct run *run)
{
    uint32_t choice = random_below(&run->random, 200);
    if (run->plan->expiring && random_once_in(&run->random, 50)) sweep(run);
    else if (choice < 130) put(run);
    else if (choice < 165) delete(run);
    else if (choice < 174) delete_range(run);
    else if (choice < 176) drop(run);
    else if (choice < 184 && run->plan->cache.collection_count_max == 0) batch(run);
    else if (choice < 188) restore(run);
    else if (choice < 195) turn_view(run);
    else if (choice < 196) close_views(run);
    else if (choice < 198) evict(run);
    else if (!run->plan->writing && run->plan->cache.collection_count_max == 0) build(run);
}

static void begin(struct run *run, const struct plan *plan, uint64_t seed)
{
    uint64_t step_count = random_scaled(STEP_COUNT);
    uint64_t number_max = 1 + step_count * (KEY_COUNT / 8 + BATCH_MAX);
    run->random = random_from_seed(seed);
    run->plan = plan;
    run->heap = test_heap_new();
    run->heap.size_classes = true;
    run->number_count = 1;
    run->places = calloc(number_max, sizeof *run->places);
    run->told = calloc(number_max, sizeof *run->told);
    run->deadlines = calloc(number_max, sizeof *run->deadlines);
    EXPECT(run->places && run->told && run->deadlines, "memory for the test");
    sheaf_allocator hooks = test_heap_hooks(&run->heap);
    sheaf_event_options events = { .callback = on_event, .context = run };
    sheaf_expiry_options expiry = { .rule = SHEAF_EXPIRY_READABLE };
    sheaf_store_options options = { .allocator = &hooks,
                                    .budget_bytes = plan->budget_bytes,
                                    .cache = plan->is_cache ? &plan->cache : NULL,
                                    .expiry = plan->expiring ? &expiry : NULL,
                                    .events = &events };
    EXPECT(sheaf_store_create(&options, &run->store, NULL) == SHEAF_OK, "a store");
}

static const struct plan plans[] = {
    { .name = "plain" },
    { .name = "plain, large values", .large = true },
    { .name = "plain, writing callbacks", .writing = true },
    { .name = "deadlines", .expiring = true },
    { .name = "deadlines, frequency", .expiring = true, .is_cache = true, .budget_bytes = 80000 },
    { .name = "budget", .budget_bytes = 60000 },
    { .name = "budget, large values", .budget_bytes = 150000, .large = true },
    { .name = "frequency", .is_cache = true, .budget_bytes = 60000 },
    { .name = "frequency, large values", .is_cache = true, .budget_bytes = 150000, .large = true },
    { .name = "frequency, writing callbacks", .is_cache = true, .budget_bytes = 60000, .writing = true },
    { .name = "recency", .is_cache = true, .budget_bytes = 60000, .cache.eviction = SHEAF_EVICTION_RECENCY },
    { .name = "collection", .is_cache = true, .budget_bytes = 80000, .cache.eviction = SHEAF_EVICTION_COLLECTION },
    { .name = "collection, large values, writing callbacks", .is_cache = true, .budget_bytes = 150000, .large = true,
      .writing = true, .cache.eviction = SHEAF_EVICTION_COLLECTION },
    { .name = "far end", .is_cache = true, .budget_bytes = 60000, .large = true, .cache.eviction = SHEAF_EVICTION_FAR_END },
    { .name = "most of a collection", .is_cache = true, .cache.eviction = SHEAF_EVICTION_NONE,
      .cache.collection_count_max = 20 },
};

ParameterizedTestParameters(event_model, of_every_plan)
{
    static size_t indexes[sizeof plans / sizeof *plans];
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++) indexes[i] = i;
    return cr_make_param_array(size_t, indexes, sizeof indexes / sizeof *indexes);
}

ParameterizedTest(const size_t *index, event_model, of_every_plan)
{
    struct run *run = calloc(1, sizeof *run);
    EXPECT(run, "memory for the test");
    expect_scene.name = plans[*index].name;
    expect_scene.seed = random_seed("event_model/of_every_plan", 20261201 + *index);
    begin(run, &plans[*index], expect_scene.seed);
    uint64_t step_count = random_scaled(STEP_COUNT);
    for (uint64_t i = 0; i < step_count; i++) {
        expect_scene.step = i;
        step(run);
        compare_sums(run);
        if (i % 32 == 0) compare_all(run);
    }
    if (run->plan->writing) EXPECT(run->callback_puts > step_count / 50, "%" PRIu64 " puts by callbacks", run->callback_puts);
    if (run->plan->expiring) EXPECT(run->expired_count > step_count / 300, "%" PRIu64 " values expired", run->expired_count);
    EXPECT(run->refused_count > step_count / 200, "only %" PRIu64 " operations were refused", run->refused_count);
    close_views(run);
    sheaf_store_destroy(run->store);
    EXPECT(run->heap.live_blocks == 0, "%" PRIu64 " blocks leaked", run->heap.live_blocks);
    free(run->places);
    free(run->told);
    free(run->deadlines);
    free(run);
}
