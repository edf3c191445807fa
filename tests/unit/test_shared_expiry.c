/*
 * test_shared_expiry.c - deadlines in a shared store: one clock, one sweep, many shards.
 */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/counted_shared.h"

enum { SHELVES = 100 };

static struct test_heap heap;
static sheaf_shared *shared;
static uint64_t clock_now;
static uint64_t told[SHEAF_CAUSE_CUT + 1];

static uint64_t now(void *context)
{
    (void)context;
    return clock_now;
}

static void on_event(void *context, const sheaf_event *event)
{
    (void)context;
    told[event->cause]++;
}

/* Shelf number i has an entry that expires at 1000 + i, and one that never does. */
static void begin(void)
{
    sheaf_expiry_options expiry = { .rule = SHEAF_EXPIRY_HIDDEN, .now = now };
    sheaf_event_options events = { .callback = on_event };
    sheaf_cache_options cache = { .eviction = SHEAF_EVICTION_NONE };
    clock_now = 0;
    memset(told, 0, sizeof told);
    shared = counted_shared_begin(
        &heap, (sheaf_shared_options){ .store = { .expiry = &expiry, .events = &events, .cache = &cache }, .shard_count = 8 });
    for (uint32_t i = 0; i < SHELVES; i++) {
        char name[16];
        sheaf_bytes shelf = sheaf_bytes_of(name, (size_t)sprintf(name, "S%02u", i));
        cr_assert_eq(sheaf_shared_put_until(shared, shelf, SHEAF_LIT("mortal"), SHEAF_LIT("v"), 1000 + i, NULL, NULL), SHEAF_OK);
        cr_assert_eq(sheaf_shared_put(shared, shelf, SHEAF_LIT("ever"), SHEAF_LIT("v"), NULL, NULL), SHEAF_OK);
    }
}

static void end(void)
{
    counted_shared_end(shared, &heap);
}

TestSuite(shared_expiry, .init = begin, .fini = end);

static sheaf_status exists(const char *shelf)
{
    return sheaf_shared_exists(shared, sheaf_bytes_of(shelf, strlen(shelf)), SHEAF_LIT("mortal"), NULL);
}

Test(shared_expiry, what_has_expired_is_hidden_and_then_swept)
{
    cr_assert_eq(sheaf_shared_next_deadline(shared), 1000);
    clock_now = 1049; /* fifty of them */
    cr_assert_eq(exists("S49"), SHEAF_NOT_FOUND);
    cr_assert_eq(exists("S50"), SHEAF_OK);
    cr_assert_eq(sheaf_shared_total(shared).entry_count, 2 * SHELVES - 50);
    sheaf_totals swept;
    cr_assert_eq(sheaf_shared_sweep(shared, clock_now, 0, &swept, NULL), SHEAF_OK);
    cr_assert(swept.count == 50 && swept.bytes == 50 * 7);
    cr_assert_eq(told[SHEAF_CAUSE_EXPIRED], 50);
    cr_assert_eq(sheaf_shared_next_deadline(shared), 1050);
    sheaf_statistics statistics;
    cr_assert_eq(sheaf_shared_statistics(shared, &statistics), SHEAF_OK);
    cr_assert_eq(statistics.expirations, 50);
    cr_assert_eq(sheaf_shared_sweep(shared, clock_now, 0, &swept, NULL), SHEAF_OK);
    cr_assert_eq(swept.count, 0);
}

Test(shared_expiry, a_sweep_may_be_bounded_and_goes_on)
{
    sheaf_totals swept;
    uint64_t sum = 0;
    for (int i = 0; i < 100 && sum < SHELVES; i++) {
        cr_assert_eq(sheaf_shared_sweep(shared, 2000, 7, &swept, NULL), SHEAF_OK);
        cr_assert(swept.count == 7 || sum + swept.count == SHELVES);
        sum += swept.count;
    }
    cr_assert_eq(sum, SHELVES);
    cr_assert_eq(sheaf_shared_next_deadline(shared), SHEAF_NO_DEADLINE);
    cr_assert_eq(sheaf_shared_total(shared).entry_count, SHELVES);
}

Test(shared_expiry, deadlines_are_read_and_changed)
{
    uint64_t deadline = 0;
    sheaf_bytes shelf = SHEAF_LIT("S07"), key = SHEAF_LIT("mortal");
    cr_assert_eq(sheaf_shared_get_deadline(shared, shelf, key, &deadline, NULL), SHEAF_OK);
    cr_assert_eq(deadline, 1007);
    cr_assert_eq(sheaf_shared_set_deadline(shared, shelf, key, 5000, NULL), SHEAF_OK);
    clock_now = 4999;
    cr_assert_eq(exists("S07"), SHEAF_OK);
    clock_now = 5000;
    cr_assert_eq(sheaf_shared_set_deadline(shared, shelf, key, 9000, NULL), SHEAF_NOT_FOUND, "it does not come back");
    cr_assert_eq(sheaf_shared_get_deadline(shared, shelf, SHEAF_LIT("ever"), &deadline, NULL), SHEAF_OK);
    cr_assert_eq(deadline, SHEAF_NO_DEADLINE);
}

Test(shared_expiry, a_batch_over_shards_has_deadlines)
{
    sheaf_batch_write writes[] = { sheaf_batch_put(SHEAF_LIT("S01"), SHEAF_LIT("b"), SHEAF_LIT("v")),
                                   sheaf_batch_put(SHEAF_LIT("S02"), SHEAF_LIT("b"), SHEAF_LIT("v")),
                                   sheaf_batch_put(SHEAF_LIT("S03"), SHEAF_LIT("b"), SHEAF_LIT("v")) };
    for (int i = 0; i < 3; i++) writes[i].deadline = 10;
    cr_assert_eq(sheaf_shared_batch_apply(shared, writes, 3, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_next_deadline(shared), 10);
    clock_now = 10;
    cr_assert_eq(sheaf_shared_exists(shared, SHEAF_LIT("S02"), SHEAF_LIT("b"), NULL), SHEAF_NOT_FOUND);
}

static sheaf_status load(void *context, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_loaded *out_loaded)
{
    (void)partition_key, (void)sort_key;
    ++*(int *)context;
    out_loaded->value = SHEAF_LIT("v");
    out_loaded->deadline = clock_now + 10;
    return SHEAF_OK;
}

Test(shared_expiry, what_is_loaded_expires_and_is_loaded_again)
{
    char buffer[8];
    int calls = 0;
    for (clock_now = 0; clock_now < 30; clock_now++)
        cr_assert_eq(sheaf_shared_get_or_load(shared, SHEAF_LIT("S01"), SHEAF_LIT("l"), load, &calls, buffer, 8, NULL, NULL),
                     SHEAF_OK);
    cr_assert_eq(calls, 3);
}

Test(shared_expiry, a_view_keeps_its_clock_in_all_shards)
{
    sheaf_shared_view *view = NULL;
    clock_now = 1010;
    cr_assert_eq(sheaf_shared_view_open(shared, &view, NULL), SHEAF_OK);
    clock_now = 3000;
    cr_assert_eq(sheaf_shared_sweep(shared, clock_now, 0, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_total(shared).entry_count, SHELVES);
    cr_assert_eq(sheaf_shared_view_total(view).entry_count, 2 * SHELVES - 11);
    sheaf_shared_view_close(view);
}

/* A sweep has a shard to itself for some dozens of keys at a time: also of those that stand there for nothing. */
Test(shared_expiry, what_was_put_off_is_seen_to_in_steps)
{
    enum { COUNT = 4000 };
    struct test_heap own;
    sheaf_expiry_options expiry = { .rule = SHEAF_EXPIRY_HIDDEN, .now = now };
    sheaf_shared *single = counted_shared_begin(&own, (sheaf_shared_options){ .store = { .expiry = &expiry }, .shard_count = 1 });
    sheaf_totals swept;
    for (uint32_t i = 0; i < COUNT; i++) {
        char name[16];
        sheaf_bytes session = sheaf_bytes_of(name, (size_t)sprintf(name, "%04u", i));
        cr_assert_eq(sheaf_shared_put_until(single, session, SHEAF_LIT("s"), SHEAF_LIT("v"), 1000 + i, NULL, NULL), SHEAF_OK);
        if (i == COUNT - 1) break;
        cr_assert_eq(sheaf_shared_set_deadline(single, session, SHEAF_LIT("s"), 9000, NULL), SHEAF_OK);
    }
    uint64_t version = sheaf_shared_version(single, SHEAF_LIT("0000"));
    cr_assert_eq(sheaf_shared_sweep(single, 8000, 7, &swept, NULL), SHEAF_OK);
    cr_assert_eq(swept.count, 1, "the one behind all that were put off");
    uint64_t step_count = sheaf_shared_version(single, SHEAF_LIT("0000")) - version;
    cr_assert(step_count >= COUNT / 64 && step_count <= COUNT / 64 + 2, "%d steps", (int)step_count);
    cr_assert_eq(sheaf_shared_next_deadline(single), 9000);
    counted_shared_end(single, &own);
}

/* As of a store: also while a view keeps a sweep from setting the index right. */
Test(shared_expiry, the_next_deadline_is_above_what_has_been_swept)
{
    sheaf_shared_view *view = NULL;
    uint64_t sweep_count = 0;
    for (uint32_t i = 0; i < SHELVES; i += 2) {
        char name[16];
        sheaf_bytes shelf = sheaf_bytes_of(name, (size_t)sprintf(name, "S%02u", i));
        cr_assert_eq(sheaf_shared_set_deadline(shared, shelf, SHEAF_LIT("mortal"), 5000, NULL), SHEAF_OK);
    }
    cr_assert_eq(sheaf_shared_view_open(shared, &view, NULL), SHEAF_OK);
    for (clock_now = 990; clock_now < 1110; clock_now++) {
        while (sheaf_shared_next_deadline(shared) <= clock_now) {
            cr_assert_eq(sheaf_shared_sweep(shared, clock_now, 0, NULL, NULL), SHEAF_OK);
            cr_assert_lt(sweep_count++, 121, "it spins at %d", (int)clock_now);
        }
    }
    cr_assert_eq(told[SHEAF_CAUSE_EXPIRED], SHELVES / 2);
    sheaf_shared_view_close(view);
    cr_assert_eq(sheaf_shared_sweep(shared, clock_now, 0, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_next_deadline(shared), 5000);
}

Test(shared_expiry, a_store_that_keeps_none_says_so)
{
    struct test_heap own;
    sheaf_shared *plain = counted_shared_begin(&own, (sheaf_shared_options){ 0 });
    cr_assert_eq(sheaf_shared_put_until(plain, SHEAF_LIT("p"), SHEAF_LIT("s"), SHEAF_LIT("v"), 5, NULL, NULL),
                 SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(sheaf_shared_sweep(plain, 5, 0, NULL, NULL), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(sheaf_shared_next_deadline(plain), SHEAF_NO_DEADLINE);
    counted_shared_end(plain, &own);
}
