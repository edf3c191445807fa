/*
 * test_edge_memory.c - budgets, evictions and who is told of them.
 */
#include <stdio.h>
#include <string.h>

#include "tests/api/edge_case.h"

enum { TOLD_MAX = 64 };

/* "cause partition/sort=value" of each event. */
static char told[TOLD_MAX][96];
static size_t told_count;
static uint64_t event_count;
static sheaf_store *store;
static void (*then)(const sheaf_event *event);

static void on_event(void *context, const sheaf_event *event)
{
    (void)context;
    event_count++;
    if (told_count < TOLD_MAX)
        (void)snprintf(told[told_count++], sizeof told[0], "%s %.*s=%.*s", sheaf_cause_name(event->cause), (int)event->sort_key.size,
                       (const char *)event->sort_key.data, (int)(event->value.size > 20 ? 20 : event->value.size),
                       (const char *)event->value.data);
    if (then) then(event);
}

static void begin(const sheaf_cache_options *cache, uint64_t budget_bytes)
{
    sheaf_event_options events = { .callback = on_event };
    sheaf_store_options options = { .budget_bytes = budget_bytes, .cache = cache, .events = &events };
    cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_OK);
    told_count = 0;
    event_count = 0;
    then = NULL;
}

static void put(const char *key, const char *value)
{
    sheaf_bytes sort_key = sheaf_bytes_of(key, strlen(key));
    cr_assert_eq(sheaf_store_put(store, SHELF, sort_key, sheaf_bytes_of(value, strlen(value)), NULL, NULL), SHEAF_OK);
}

/* A listener that is told late must not take the old value for the new one: it is given it, and finds the new one in place. */
static void expect_new_value(const sheaf_event *event)
{
    sheaf_bytes now;
    cr_assert_eq(sheaf_store_get(store, event->partition_key, event->sort_key, &now, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_bytes_compare(now, SHEAF_LIT("new")), 0);
    cr_assert_eq(sheaf_bytes_compare(event->value, SHEAF_LIT("old")), 0);
}

Test(memory, b110_a_value_that_is_replaced_is_told_of_once_and_as_that)
{
    begin(NULL, 0);
    put("k", "old");
    then = expect_new_value;
    put("k", "new");
    cr_assert_eq(event_count, 1);
    cr_assert_str_eq(told[0], "replaced k=old");
    sheaf_store_destroy(store);
    cr_assert_eq(event_count, 1);
}

static uint64_t ticks;

static uint64_t tell_time(void *context)
{
    (void)context;
    return ticks;
}

static void begin_expiring(sheaf_expiry_rule rule)
{
    sheaf_event_options events = { .callback = on_event };
    sheaf_expiry_options expiry = { .rule = rule, .now = tell_time };
    sheaf_store_options options = { .events = &events, .expiry = &expiry };
    cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_OK);
    told_count = 0;
    event_count = 0;
    then = NULL;
    ticks = 0;
}

static void put_until(const char *key, sheaf_bytes value, uint64_t deadline)
{
    sheaf_bytes sort_key = sheaf_bytes_of(key, strlen(key));
    cr_assert_eq(sheaf_store_put_until(store, SHELF, sort_key, value, deadline, NULL, NULL), SHEAF_OK);
}

Test(memory, b110_an_expired_value_that_is_put_over_is_told_of_once_and_as_that)
{
    begin_expiring(SHEAF_EXPIRY_HIDDEN);
    put_until("k", SHEAF_LIT("old"), 10);
    ticks = 10;
    cr_assert_eq(event_count, 0, "nobody is told before it goes");
    then = expect_new_value;
    put_until("k", SHEAF_LIT("new"), 20);
    then = NULL;
    cr_assert_eq(event_count, 1);
    cr_assert_str_eq(told[0], "expired k=old");
    cr_assert_eq(sheaf_store_sweep(store, ticks, 0, NULL, NULL), SHEAF_OK);
    cr_assert_eq(event_count, 1);
    ticks = 20;
    cr_assert_eq(sheaf_store_delete(store, SHELF, SHEAF_LIT("k"), NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(event_count, 1);
    cr_assert_eq(sheaf_store_sweep(store, ticks, 0, NULL, NULL), SHEAF_OK);
    cr_assert_eq(event_count, 2);
    cr_assert_str_eq(told[1], "expired k=new");
    sheaf_store_destroy(store);
}

Test(memory, b110_a_readable_one_is_replaced_or_swept)
{
    begin_expiring(SHEAF_EXPIRY_READABLE);
    put_until("a", SHEAF_LIT("old"), 10);
    put_until("b", SHEAF_LIT("swept"), 10);
    put_until("c", SHEAF_LIT("stays"), 11);
    put_until("a", SHEAF_LIT("new"), SHEAF_NO_DEADLINE);
    cr_assert_eq(event_count, 1);
    cr_assert_str_eq(told[0], "replaced a=old");
    cr_assert_eq(sheaf_store_sweep(store, 10, 0, NULL, NULL), SHEAF_OK);
    cr_assert_eq(event_count, 2);
    cr_assert_str_eq(told[1], "expired b=swept");
    cr_assert_eq(sheaf_store_total(store).entry_count, 2);
    sheaf_store_destroy(store);
}

Test(memory, b107_a_write_heavy_load_never_grows_past_the_limit)
{
    static char value[20000];
    sheaf_cache_options cache = { 0 };
    begin(&cache, 2000000);
    for (uint32_t i = 0; i < 20000; i++) {
        char key[16];
        int size = snprintf(key, sizeof key, "%08u", i * 2654435761u % 100000000u);
        sheaf_bytes bytes = sheaf_bytes_of(value, i % 50 == 0 ? 20000 : 200);
        cr_assert_eq(sheaf_store_put(store, SHELF, sheaf_bytes_of(key, (size_t)size), bytes, NULL, NULL), SHEAF_OK);
        sheaf_store_totals totals = sheaf_store_total(store);
        if (totals.charged_bytes > 2000000 || totals.entry_count + event_count != i + 1) cr_assert_fail("after put %u", i);
    }
    cr_assert_gt(sheaf_store_total(store).charged_bytes, 1900000);
    cr_assert_gt(event_count, 10000);
    sheaf_store_destroy(store);
}

Test(memory, b112_what_is_gone_is_not_told_of_again)
{
    sheaf_cache_options cache = { .eviction = SHEAF_EVICTION_RECENCY };
    begin(&cache, 0);
    put("k", "v");
    cr_assert_eq(sheaf_store_evict(store, 0), SHEAF_OK);
    cr_assert_eq(event_count, 1);
    cr_assert_str_eq(told[0], "evicted k=v");
    cr_assert_eq(sheaf_store_evict(store, 0), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_store_delete(store, SHELF, SHEAF_LIT("k"), NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_store_delete_range(store, SHELF, NULL, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_collection_drop(store, SHELF, NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(event_count, 1);
    sheaf_store_destroy(store);
}

/* Whatever the callback does to the store, it goes on holding the value it is told of. */
static void drop_all_and_look(const sheaf_event *event)
{
    char copy[64];
    cr_assert_leq(event->value.size, sizeof copy);
    memcpy(copy, event->value.data, event->value.size);
    then = NULL;
    (void)sheaf_collection_drop(store, SHELF, NULL);
    for (uint32_t i = 0; i < 1000; i++) put("k", "another value, put over and over again");
    cr_assert_eq(sheaf_collection_drop(store, SHELF, NULL), SHEAF_OK);
    cr_assert_eq(memcmp(copy, event->value.data, event->value.size), 0);
    cr_assert_eq(event->sort_key.size, 1);
}

Test(memory, b113_a_value_lives_as_long_as_it_is_told_of)
{
    begin(NULL, 0);
    put("a", "the value of a");
    put("b", "the value of b");
    then = drop_all_and_look;
    cr_assert_eq(sheaf_store_delete(store, SHELF, SHEAF_LIT("a"), NULL), SHEAF_OK);
    cr_assert_str_eq(told[0], "deleted a=the value of a");
    cr_assert_str_eq(told[1], "cut b=the value of b");
    cr_assert_eq(event_count, 2 + 1000);
    sheaf_store_destroy(store);
}

/* The same with what a view goes on seeing. */
Test(memory, b113_a_view_pins_what_is_evicted)
{
    sheaf_view *view;
    sheaf_bytes seen;
    sheaf_cache_options cache = { 0 };
    begin(&cache, 0);
    put("a", "first");
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_get(sheaf_view_store(view), SHELF, SHEAF_LIT("a"), &seen, NULL), SHEAF_OK);
    put("a", "second");
    cr_assert_eq(sheaf_store_evict(store, 0), SHEAF_OK);
    cr_assert_str_eq(told[0], "replaced a=first");
    cr_assert_str_eq(told[1], "evicted a=second");
    cr_assert(sheaf_bytes_compare(seen, SHEAF_LIT("first")) == 0, "told of, and still there for the view");
    sheaf_view_close(view);
    cr_assert_eq(event_count, 2);
    sheaf_store_destroy(store);
}
