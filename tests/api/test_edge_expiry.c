/*
 * test_edge_expiry.c - deadlines, in a store that threads share: what can be read when, and what is told of it. On a clock of the
 * test's own, so that every answer is exact (B104). tests/unit/test_store_expiry.c has the same cases of a store of one thread.
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/listing.h"

static sheaf_shared *shared;
static uint64_t clock_now;
static char told[16][64]; /* "cause key=value" of each event */
static size_t told_count;

static uint64_t tell_time(void *context)
{
    (void)context;
    return clock_now;
}

static void on_event(void *context, const sheaf_event *event)
{
    (void)context;
    cr_assert_lt(told_count, 16);
    (void)snprintf(told[told_count++], sizeof told[0], "%s %.*s=%.*s", sheaf_cause_name(event->cause), (int)event->sort_key.size,
                   (const char *)event->sort_key.data, (int)event->value.size, (const char *)event->value.data);
}

static void begin(sheaf_expiry_rule rule, uint32_t shard_count)
{
    sheaf_event_options events = { .callback = on_event };
    sheaf_expiry_options expiry = { .rule = rule, .now = tell_time };
    sheaf_cache_options cache = { .eviction = SHEAF_EVICTION_NONE };
    sheaf_shared_options options = { .store = { .events = &events, .expiry = &expiry, .cache = &cache },
                                     .shard_count = shard_count };
    clock_now = 0;
    told_count = 0;
    cr_assert_eq(sheaf_shared_create(&options, &shared, NULL), SHEAF_OK);
}

static void end(void)
{
    cr_assert(sheaf_shared_check(shared, NULL));
    sheaf_shared_destroy(shared);
}

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

static bool put_until(const char *key, const char *value, uint64_t deadline)
{
    bool replaced = false;
    cr_assert_eq(sheaf_shared_put_until(shared, SHELF, text(key), text(value), deadline, &replaced, NULL), SHEAF_OK);
    return replaced;
}

/* The value of an entry as text, by a single get and by one of many; "-" if there is none. */
static const char *get(const char *key)
{
    static char value[2][32];
    size_t size = 0;
    sheaf_get one = { .partition_key = SHELF, .sort_key = text(key) };
    sheaf_status status = sheaf_shared_get(shared, SHELF, text(key), value[0], 31, &size, NULL);
    cr_assert_eq(sheaf_shared_exists(shared, SHELF, text(key), NULL), status);
    cr_assert_eq(sheaf_shared_get_many(shared, &one, 1, value[1], 31, NULL), status == SHEAF_OK);
    cr_assert_eq(one.status, status);
    if (status != SHEAF_OK) return "-";
    value[0][size] = '\0';
    cr_assert(one.value_view.size == size && memcmp(value[0], value[1], size) == 0);
    return value[0];
}

/* The keys of the shelf, as a page has them and as a cursor in a pinned shard. */
static const char *keys(sheaf_direction direction)
{
    static char listed_keys[64];
    size_t size = 0;
    sheaf_page page;
    sheaf_cursor cursor;
    sheaf_pin pin;
    sheaf_page_request request = { .limit = 50, .direction = direction };
    bool forward = direction == SHEAF_FORWARD;
    cr_assert_eq(sheaf_shared_page_read(shared, SHELF, &request, &page, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_cursor_open(&cursor, sheaf_shared_pin(shared, SHELF, &pin), SHELF, NULL, NULL), SHEAF_OK);
    bool at = forward ? sheaf_cursor_first(&cursor) : sheaf_cursor_last(&cursor);
    for (size_t i = 0; i < page.count; i++, at = forward ? sheaf_cursor_next(&cursor) : sheaf_cursor_previous(&cursor)) {
        cr_assert(at);
        cr_assert_eq(sheaf_bytes_compare(cursor.key, page.entries[i].key), 0);
        memcpy(listed_keys + size, cursor.key.data, cursor.key.size);
        size += cursor.key.size;
        listed_keys[size++] = ' ';
    }
    cr_assert_not(at);
    sheaf_shared_unpin(&pin);
    sheaf_page_release(&page);
    listed_keys[size > 0 ? size - 1 : 0] = '\0';
    return listed_keys;
}

/* ---- B98 ------------------------------------------------------------------------------------------------------------------ */

Test(expiry, b98_what_has_expired_is_readable_until_it_is_swept)
{
    begin(SHEAF_EXPIRY_READABLE, 0);
    (void)put_until("a", "1", 9);
    (void)put_until("b", "2", 9);
    (void)put_until("c", "3", 9);
    clock_now = 10;
    cr_assert_str_eq(get("a"), "1");
    cr_assert_str_eq(keys(SHEAF_FORWARD), "a b c");
    cr_assert(put_until("a", "4", 20), "an update finds it");
    cr_assert_eq(sheaf_shared_set_deadline(shared, SHELF, text("b"), 20, NULL), SHEAF_OK);
    sheaf_totals swept;
    cr_assert_eq(sheaf_shared_sweep(shared, clock_now, 0, &swept, NULL), SHEAF_OK);
    cr_assert(swept.count == 1 && swept.bytes == 2);
    cr_assert_str_eq(keys(SHEAF_REVERSE), "b a");
    cr_assert(told_count == 2 && strcmp(told[0], "replaced a=1") == 0 && strcmp(told[1], "expired c=3") == 0);
    end();
}

Test(expiry, b98_or_hidden_from_the_first_tick)
{
    begin(SHEAF_EXPIRY_HIDDEN, 0);
    (void)put_until("a", "1", 9);
    clock_now = 8;
    cr_assert_str_eq(get("a"), "1");
    clock_now = 9;
    cr_assert_str_eq(get("a"), "-");
    cr_assert_eq(told_count, 0);
    cr_assert_not(put_until("a", "2", SHEAF_NO_DEADLINE), "nothing is replaced");
    cr_assert_str_eq(get("a"), "2");
    end();
}

/* ---- B100 ----------------------------------------------------------------------------------------------------------------- */

static void expect_sums(void)
{
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("f/"));
    sheaf_totals totals;
    uint64_t rank;
    bool exists;
    cr_assert_eq(sheaf_shared_range_total(shared, SHELF, &range, &totals, NULL), SHEAF_OK);
    cr_assert(totals.count == 2 && totals.bytes == 8);
    cr_assert_eq(sheaf_shared_collection_total(shared, SHELF, &totals), SHEAF_OK);
    cr_assert(totals.count == 3 && totals.bytes == 10);
    cr_assert_eq(sheaf_shared_collection_total(shared, text("gone"), &totals), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_shared_rank(shared, SHELF, text("f/b"), SHEAF_FORWARD, &rank, &exists, NULL), SHEAF_OK);
    cr_assert(rank == 1 && !exists);
    cr_assert_eq(sheaf_shared_rank(shared, SHELF, text("f/a"), SHEAF_REVERSE, &rank, &exists, NULL), SHEAF_OK);
    cr_assert(rank == 2 && exists);
    sheaf_store_totals all = sheaf_shared_total(shared);
    cr_assert(all.collection_count == 1 && all.entry_count == 3 && all.logical_bytes == 10 + SHELF.size);
}

/* A view, which has the clock of its opening, says the same whatever time it is by now. */
static void expect_view(const sheaf_shared_view *view)
{
    const sheaf_store *store = sheaf_shared_view_store(view, SHELF);
    sheaf_store_totals all = sheaf_shared_view_total(view);
    sheaf_collection_info info;
    sheaf_totals totals;
    sheaf_bytes value;
    cr_assert(all.collection_count == 1 && all.entry_count == 3 && all.logical_bytes == 10 + SHELF.size);
    cr_assert_eq(sheaf_shared_view_next(view, NULL, &info), SHEAF_OK);
    cr_assert(sheaf_bytes_compare(info.partition_key_view, SHELF) == 0 && info.totals.count == 3 && info.totals.bytes == 10);
    cr_assert_eq(sheaf_shared_view_next(view, &info.partition_key_view, &info), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_store_get(store, SHELF, text("f/b"), &value, NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_store_get(store, SHELF, text("f/c"), &value, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_range_total(store, SHELF, NULL, &totals, NULL), SHEAF_OK);
    cr_assert(totals.count == 3 && totals.bytes == 10);
}

Test(expiry, b100_all_reads_agree_on_what_has_expired)
{
    for (int swept = 0; swept < 2; swept++) {
        sheaf_shared_view *view;
        begin(SHEAF_EXPIRY_HIDDEN, 0);
        (void)put_until("f/a", "1", SHEAF_NO_DEADLINE);
        (void)put_until("f/b", "2", 2);
        (void)put_until("f/c", "3", 4);
        (void)put_until("g/d", "4", 3);
        (void)put_until("z", "5", SHEAF_NO_DEADLINE);
        cr_assert_eq(sheaf_shared_put_until(shared, text("gone"), text("k"), text("6"), 2, NULL, NULL), SHEAF_OK);
        clock_now = 3;
        if (swept) cr_assert_eq(sheaf_shared_sweep(shared, clock_now, 0, NULL, NULL), SHEAF_OK);
        cr_assert_str_eq(get("f/a"), "1");
        cr_assert_str_eq(get("f/b"), "-");
        cr_assert_str_eq(get("f/c"), "3");
        cr_assert_str_eq(keys(SHEAF_FORWARD), "f/a f/c z");
        cr_assert_str_eq(keys(SHEAF_REVERSE), "z f/c f/a");
        expect_sums();
        cr_assert_eq(sheaf_shared_view_open(shared, &view, NULL), SHEAF_OK);
        expect_view(view);
        clock_now = 100;
        (void)sheaf_shared_sweep(shared, clock_now, 0, NULL, NULL);
        expect_view(view);
        sheaf_shared_view_close(view);
        cr_assert_str_eq(keys(SHEAF_FORWARD), "f/a z");
        sheaf_statistics statistics;
        cr_assert_eq(sheaf_shared_statistics(shared, &statistics), SHEAF_OK);
        cr_assert_eq(statistics.expirations, 4);
        end();
    }
}

/* ---- B101, B103, B104, B110 ----------------------------------------------------------------------------------------------- */

Test(expiry, b101_what_is_hidden_is_not_brought_back)
{
    uint64_t deadline = 77;
    begin(SHEAF_EXPIRY_HIDDEN, 0);
    (void)put_until("k", "v", 10);
    clock_now = 10;
    cr_assert_eq(sheaf_shared_set_deadline(shared, SHELF, text("k"), 1000, NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_shared_set_deadline(shared, SHELF, text("k"), SHEAF_NO_DEADLINE, NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_shared_get_deadline(shared, SHELF, text("k"), &deadline, NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_shared_delete(shared, SHELF, text("k"), NULL), SHEAF_NOT_FOUND);
    cr_assert(deadline == 77 && told_count == 0);
    cr_assert_eq(sheaf_shared_sweep(shared, clock_now, 0, NULL, NULL), SHEAF_OK);
    cr_assert(told_count == 1 && strcmp(told[0], "expired k=v") == 0);
    end();
}

/* The clock of wall and tests alike: each tick has its answer, whoever holds it. */
Test(expiry, b104_goes_with_the_tick_of_a_clock_that_the_caller_holds)
{
    sheaf_totals swept;
    begin(SHEAF_EXPIRY_HIDDEN, 0);
    for (uint64_t i = 0; i < 10; i++) {
        char shelf[8];
        sheaf_bytes name = sheaf_bytes_of(shelf, (size_t)snprintf(shelf, sizeof shelf, "%d", (int)i));
        cr_assert_eq(sheaf_shared_put_until(shared, name, text("k"), text("v"), 100 + i, NULL, NULL), SHEAF_OK);
    }
    for (clock_now = 90; clock_now < 120; clock_now++) {
        uint64_t left = clock_now < 100 ? 10 : clock_now < 110 ? 109 - clock_now : 0;
        cr_assert_eq(sheaf_shared_total(shared).entry_count, left);
        cr_assert_eq(sheaf_shared_sweep(shared, clock_now, 0, &swept, NULL), SHEAF_OK);
        cr_assert_eq(swept.count, clock_now >= 100 && clock_now < 110);
        cr_assert_eq(sheaf_shared_next_deadline(shared), left == 0 ? SHEAF_NO_DEADLINE : 110 - left);
    }
    end();
}

Test(expiry, b110_what_is_put_over_when_it_has_expired_is_told_of_once)
{
    begin(SHEAF_EXPIRY_HIDDEN, 0);
    (void)put_until("k", "old", 10);
    clock_now = 10;
    cr_assert_not(put_until("k", "new", 20));
    cr_assert(told_count == 1 && strcmp(told[0], "expired k=old") == 0);
    cr_assert_eq(sheaf_shared_sweep(shared, clock_now, 0, NULL, NULL), SHEAF_OK);
    cr_assert(put_until("k", "newer", 20));
    cr_assert(told_count == 2 && strcmp(told[1], "replaced k=new") == 0);
    cr_assert_eq(sheaf_shared_sweep(shared, 20, 0, NULL, NULL), SHEAF_OK);
    cr_assert(told_count == 3 && strcmp(told[2], "expired k=newer") == 0);
    end();
}

/* An allocator that refuses everything for as long as it is told to. */
static bool refusing;

static void *resize_or_refuse(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context, (void)old_size;
    if (new_size > 0) return refusing ? NULL : realloc(block, new_size);
    free(block);
    return NULL;
}

Test(expiry, b103_a_sweep_that_fails_leaves_deadlines_armed)
{
    sheaf_allocator hooks = { .resize = resize_or_refuse };
    sheaf_expiry_options expiry = { .rule = SHEAF_EXPIRY_HIDDEN, .now = tell_time };
    sheaf_shared_options options = { .store = { .allocator = &hooks, .expiry = &expiry } };
    sheaf_shared_view *view;
    sheaf_totals swept;
    clock_now = 0;
    cr_assert_eq(sheaf_shared_create(&options, &shared, NULL), SHEAF_OK);
    (void)put_until("a", "1", 10);
    (void)put_until("b", "2", 11);
    (void)put_until("c", "3", 12);
    cr_assert_eq(sheaf_shared_view_open(shared, &view, NULL), SHEAF_OK); /* what it sees is copied before it goes */
    clock_now = 11;
    refusing = true;
    cr_assert_eq(sheaf_shared_sweep(shared, clock_now, 0, &swept, NULL), SHEAF_NO_MEMORY);
    cr_assert_eq(swept.count, 0);
    cr_assert_eq(sheaf_shared_next_deadline(shared), 10);
    refusing = false;
    cr_assert_str_eq(keys(SHEAF_FORWARD), "c");
    cr_assert_eq(sheaf_shared_sweep(shared, clock_now, 0, &swept, NULL), SHEAF_OK);
    cr_assert_eq(swept.count, 2);
    cr_assert_eq(sheaf_shared_next_deadline(shared), 12);
    sheaf_shared_view_close(view);
    end();
}
