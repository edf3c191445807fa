/*
 * test_edge_threads.c - where shared stores go wrong elsewhere: values freed beneath their readers, keys that come back.
 */
#include <criterion/criterion.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

static const sheaf_bytes SHELF = { (const uint8_t *)"shelf", 5 };
static const sheaf_bytes KEY = { (const uint8_t *)"k", 1 };
enum { DUE_AT = 10 };

static sheaf_shared *shared;
static atomic_int told_count;
static atomic_bool started, ended;

static void on_event(void *context, const sheaf_event *event)
{
    (void)context, (void)event;
    told_count++;
}

static void begin(void)
{
    sheaf_event_options events = { .callback = on_event };
    sheaf_cache_options cache = { 0 };
    sheaf_expiry_options expiry = { .rule = SHEAF_EXPIRY_READABLE };
    sheaf_shared_options options = { .store = { .events = &events, .cache = &cache, .expiry = &expiry } };
    told_count = 0;
    started = ended = false;
    cr_assert_eq(sheaf_shared_create(&options, &shared, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_put_until(shared, SHELF, KEY, SHEAF_LIT("the value"), DUE_AT, NULL, NULL), SHEAF_OK);
}

static void end(void)
{
    cr_assert(sheaf_shared_check(shared, NULL));
    sheaf_shared_destroy(shared);
}

TestSuite(threads, .init = begin, .fini = end);

/* ---- B113 --------------------------------------------------------------------------------------------------------------- */

static void *evict_all(void *unused)
{
    (void)unused;
    started = true;
    (void)sheaf_shared_evict(shared, 0);
    ended = true;
    return NULL;
}

static void *put_over(void *unused)
{
    (void)unused;
    started = true;
    cr_assert_eq(sheaf_shared_put(shared, SHELF, KEY, SHEAF_LIT("another"), NULL, NULL), SHEAF_OK);
    ended = true;
    return NULL;
}

static void *delete_it(void *unused)
{
    (void)unused;
    started = true;
    cr_assert_eq(sheaf_shared_delete(shared, SHELF, KEY, NULL), SHEAF_OK);
    ended = true;
    return NULL;
}

static void *delete_all(void *unused)
{
    (void)unused;
    started = true;
    cr_assert_eq(sheaf_shared_delete_range(shared, SHELF, NULL, NULL, NULL), SHEAF_OK);
    ended = true;
    return NULL;
}

static void *sweep_all(void *unused)
{
    (void)unused;
    started = true;
    cr_assert_eq(sheaf_shared_sweep(shared, DUE_AT, 0, NULL, NULL), SHEAF_OK);
    ended = true;
    return NULL;
}

/* Reads a value in place while another thread does away with it. */
static void expect_kept_while_pinned(void *(*run)(void *))
{
    sheaf_pin pin;
    sheaf_bytes value;
    pthread_t other;
    const sheaf_store *store = sheaf_shared_pin(shared, SHELF, &pin);
    cr_assert_eq(sheaf_store_get(store, SHELF, KEY, &value, NULL), SHEAF_OK);
    cr_assert_eq(pthread_create(&other, NULL, run, NULL), 0);
    while (!started) (void)sched_yield();
    for (int i = 0; i < 1000; i++) (void)sched_yield(); /* whatever it can do, it has done */
    cr_assert(!ended, "a write does not get by a pin");
    cr_assert_eq(told_count, 0, "nobody is told before the last pin is gone");
    cr_assert_eq(sheaf_bytes_compare(value, SHEAF_LIT("the value")), 0);
    sheaf_shared_unpin(&pin);
    cr_assert_eq(pthread_join(other, NULL), 0);
    cr_assert_eq(told_count, 1);
}

Test(threads, b113_what_is_pinned_is_not_evicted)
{
    expect_kept_while_pinned(evict_all);
    cr_assert_eq(sheaf_shared_exists(shared, SHELF, KEY, NULL), SHEAF_NOT_FOUND);
}

Test(threads, b113_nor_overwritten)
{
    expect_kept_while_pinned(put_over);
}

Test(threads, b113_nor_deleted)
{
    expect_kept_while_pinned(delete_it);
}

Test(threads, b113_nor_deleted_with_others)
{
    expect_kept_while_pinned(delete_all);
}

Test(threads, b113_nor_swept)
{
    expect_kept_while_pinned(sweep_all);
    cr_assert_eq(sheaf_shared_exists(shared, SHELF, KEY, NULL), SHEAF_NOT_FOUND);
}

Test(threads, b113_what_was_copied_is_the_readers)
{
    char value[16];
    size_t size = 0;
    cr_assert_eq(sheaf_shared_get(shared, SHELF, KEY, value, sizeof value, &size, NULL), SHEAF_OK);
    (void)sheaf_shared_evict(shared, 0);
    cr_assert_eq(told_count, 1);
    cr_assert(size == 9 && memcmp(value, "the value", 9) == 0);
}

/* B112: evicted or deleted twice. */
Test(threads, b112_the_second_time_there_is_nothing_and_nobody_is_told)
{
    (void)sheaf_shared_evict(shared, 0);
    (void)sheaf_shared_evict(shared, 0);
    cr_assert_eq(sheaf_shared_delete(shared, SHELF, KEY, NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(told_count, 1);
}

/* Twice at once: one of the two does it. */
Test(threads, b112_of_two_that_evict_at_once_one_does)
{
    pthread_t other;
    for (int i = 0; i < 200; i++) {
        cr_assert_eq(sheaf_shared_put(shared, SHELF, KEY, SHEAF_LIT("again"), NULL, NULL), SHEAF_OK);
        told_count = 0;
        started = false;
        cr_assert_eq(pthread_create(&other, NULL, evict_all, NULL), 0);
        while (!started) (void)sched_yield();
        (void)sheaf_shared_evict(shared, 0);
        cr_assert_eq(pthread_join(other, NULL), 0);
        cr_assert_eq(told_count, 1);
    }
}

/* ---- B107 --------------------------------------------------------------------------------------------------------------- */

enum { BUDGET_BYTES = 1 << 20, VALUE_SIZE_MAX = 4000, PUTS_EACH = 30000 };

static atomic_ullong live_bytes, peak_bytes;

static void *resize_counted(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    unsigned long long now = atomic_fetch_add(&live_bytes, new_size) + new_size, peak = peak_bytes;
    while (now > peak && !atomic_compare_exchange_weak(&peak_bytes, &peak, now)) {}
    void *fresh = new_size > 0 ? malloc(new_size) : NULL;
    if (fresh && block) memcpy(fresh, block, old_size < new_size ? old_size : new_size);
    if (block) free(block);
    atomic_fetch_sub(&live_bytes, old_size);
    return fresh;
}

static void *put_many(void *number)
{
    static const char value[VALUE_SIZE_MAX];
    uint32_t state = *(const uint32_t *)number;
    for (int i = 0; i < PUTS_EACH; i++) {
        char shelf[16], key[16];
        state = state * 1664525u + 1013904223u;
        sheaf_bytes name = sheaf_bytes_of(shelf, (size_t)snprintf(shelf, sizeof shelf, "S%u", state >> 26));
        sheaf_bytes sort_key = sheaf_bytes_of(key, (size_t)snprintf(key, sizeof key, "%u", state >> 4));
        sheaf_bytes bytes = sheaf_bytes_of(value, (state >> 8) % (i % 50 == 0 ? VALUE_SIZE_MAX : 200));
        cr_assert_eq(sheaf_shared_put(shared, name, sort_key, bytes, NULL, NULL), SHEAF_OK);
    }
    return NULL;
}

/* Several threads that write and never delete: not even for a moment do they have more memory than they may. */
Test(threads, b107_a_write_heavy_load_of_several_never_grows_past_the_limit)
{
    uint32_t seeds[3] = { 1, 2, 3 };
    pthread_t threads[3];
    sheaf_allocator hooks = { .resize = resize_counted };
    sheaf_cache_options cache = { 0 };
    sheaf_shared_options options = { .store = { .allocator = &hooks, .budget_bytes = BUDGET_BYTES, .cache = &cache },
                                     .shard_count = 4 };
    sheaf_statistics statistics;
    end();
    cr_assert_eq(sheaf_shared_create(&options, &shared, NULL), SHEAF_OK);
    for (int i = 0; i < 3; i++) cr_assert_eq(pthread_create(&threads[i], NULL, put_many, &seeds[i]), 0);
    for (int i = 0; i < 3; i++) cr_assert_eq(pthread_join(threads[i], NULL), 0);
    cr_assert_leq(peak_bytes, BUDGET_BYTES);
    cr_assert_gt(live_bytes, BUDGET_BYTES * 3 / 4, "it is full");
    cr_assert_eq(sheaf_shared_total(shared).charged_bytes, live_bytes);
    cr_assert_eq(sheaf_shared_statistics(shared, &statistics), SHEAF_OK);
    cr_assert_gt(statistics.evictions, PUTS_EACH);
}

/* ---- B94 and B97 -------------------------------------------------------------------------------------------------------- */

Test(threads, b94_what_is_collected_under_a_pin_stays_until_it_is_gone)
{
    sheaf_pin pin;
    sheaf_cursor cursor;
    sheaf_bytes values[3];
    cr_assert_eq(sheaf_shared_put(shared, SHELF, SHEAF_LIT("l"), SHEAF_LIT("second"), NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_put(shared, SHELF, SHEAF_LIT("m"), SHEAF_LIT("third"), NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_cursor_open(&cursor, sheaf_shared_pin(shared, SHELF, &pin), SHELF, NULL, NULL), SHEAF_OK);
    for (int i = 0; i < 3; i++) {
        cr_assert(sheaf_cursor_next(&cursor));
        values[i] = cursor.value;
    }
    cr_assert(!sheaf_cursor_next(&cursor));
    cr_assert_eq(sheaf_bytes_compare(values[0], SHEAF_LIT("the value")), 0);
    cr_assert_eq(sheaf_bytes_compare(values[1], SHEAF_LIT("second")), 0);
    cr_assert_eq(sheaf_bytes_compare(values[2], SHEAF_LIT("third")), 0);
    sheaf_shared_unpin(&pin);
}

static void *read_what_was_put(void *unused)
{
    char value[16];
    size_t size = 0;
    (void)unused;
    cr_assert_eq(sheaf_shared_get(shared, SHELF, KEY, value, sizeof value, &size, NULL), SHEAF_OK);
    cr_assert(size == 5 && memcmp(value, "newer", 5) == 0);
    return NULL;
}

/* What a thread has put, every thread that is started then reads. */
Test(threads, b97_a_read_that_begins_after_a_put_sees_it)
{
    pthread_t other;
    cr_assert_eq(sheaf_shared_put(shared, SHELF, KEY, SHEAF_LIT("newer"), NULL, NULL), SHEAF_OK);
    for (int i = 0; i < 20; i++) {
        cr_assert_eq(pthread_create(&other, NULL, read_what_was_put, NULL), 0);
        cr_assert_eq(pthread_join(other, NULL), 0);
    }
}
