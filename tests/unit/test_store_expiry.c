/*
 * test_store_expiry.c - deadlines: what can be read when, what a sweep takes and in which order, and what is told of it. On
 * a clock of the test's own, so that every answer is exact (B104).
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "engine/base/hash.h"
#include "tests/support/test_heap.h"

static struct test_heap heap;
static sheaf_store *store;
static uint64_t clock_now;
static uint64_t clock_asked;
static char log_text[1 << 17]; /* "cause partition/sort=value" of each event, a line each */
static size_t log_size;
static bool callback_reads;
static const char *found_in_callback; /* what it reads then under the keys of its event */
static bool callback_puts; /* once, what is due at 900 */

static uint64_t tell_time(void *context)
{
    clock_asked++;
    return *(const uint64_t *)context;
}

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

/* A value as text. Valid until a few more were made. */
static const char *string_of(sheaf_bytes bytes)
{
    static char strings[4][64];
    static unsigned at;
    char *out = strings[at++ % 4];
    cr_assert_lt(bytes.size, sizeof strings[0]);
    if (bytes.size > 0) memcpy(out, bytes.data, bytes.size);
    out[bytes.size] = '\0';
    return out;
}

static void on_event(void *context, const sheaf_event *event)
{
    sheaf_bytes value;
    (void)context;
    log_size += (size_t)snprintf(log_text + log_size, sizeof log_text - log_size, "%s %s/%s=%s\n",
                                 sheaf_cause_name(event->cause), string_of(event->partition_key), string_of(event->sort_key),
                                 string_of(event->value));
    cr_assert_lt(log_size, sizeof log_text);
    if (callback_puts) {
        callback_puts = false;
        cr_assert_eq(sheaf_store_put_until(store, text("a"), text("k"), text("v"), 900, NULL, NULL), SHEAF_OK);
    }
    if (!callback_reads) return;
    bool found = sheaf_store_get(store, event->partition_key, event->sort_key, &value, NULL) == SHEAF_OK;
    found_in_callback = found ? string_of(value) : "";
}

static void expect_log(const char *expected)
{
    cr_assert_str_eq(log_text, expected);
    log_size = 0;
    log_text[0] = '\0';
}

/* In place of the one there is. The clock begins at 1000. */
static void create(sheaf_expiry_rule rule, const sheaf_cache_options *cache)
{
    sheaf_store_destroy(store);
    heap = test_heap_new();
    clock_now = 1000;
    log_size = 0;
    log_text[0] = '\0';
    sheaf_allocator hooks = test_heap_hooks(&heap);
    sheaf_expiry_options expiry = { .rule = rule, .context = &clock_now };
    if (rule == SHEAF_EXPIRY_HIDDEN) expiry.now = tell_time;
    sheaf_event_options events = { .callback = on_event };
    sheaf_store_options options = { .allocator = &hooks, .cache = cache, .expiry = &expiry, .events = &events };
    cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_OK);
}

static void begin(void)
{
    create(SHEAF_EXPIRY_HIDDEN, NULL);
}

static void check(void)
{
    sheaf_fault fault = { 0 };
    cr_assert(sheaf_store_check(store, &fault), "%s", fault.rule);
    cr_assert_eq(sheaf_store_total(store).charged_bytes, heap.live_real_bytes);
}

static void end(void)
{
    check();
    sheaf_store_destroy(store);
    cr_assert_eq(heap.live_blocks, 0);
}

TestSuite(expiry, .init = begin, .fini = end);

static bool put_until(const char *partition_key, const char *sort_key, const char *value, uint64_t deadline)
{
    bool replaced = false;
    cr_assert_eq(sheaf_store_put_until(store, text(partition_key), text(sort_key), text(value), deadline, &replaced, NULL),
                 SHEAF_OK);
    return replaced;
}

static bool put(const char *partition_key, const char *sort_key, const char *value)
{
    bool replaced = false;
    cr_assert_eq(sheaf_store_put(store, text(partition_key), text(sort_key), text(value), &replaced, NULL), SHEAF_OK);
    return replaced;
}

/* "-" if there is none. */
static const char *get_of(const sheaf_store *read, const char *partition_key, const char *sort_key)
{
    sheaf_bytes value;
    return sheaf_store_get(read, text(partition_key), text(sort_key), &value, NULL) == SHEAF_OK ? string_of(value) : "-";
}

static const char *get(const char *partition_key, const char *sort_key)
{
    return get_of(store, partition_key, sort_key);
}

/* 0 if there is no such entry. */
static uint64_t deadline_of(const char *partition_key, const char *sort_key)
{
    uint64_t deadline = 77;
    sheaf_status status = sheaf_store_get_deadline(store, text(partition_key), text(sort_key), &deadline, NULL);
    if (status == SHEAF_OK) return deadline;
    cr_assert_eq(status, SHEAF_NOT_FOUND);
    cr_assert_eq(deadline, 77);
    return 0;
}

static sheaf_status set_deadline(const char *partition_key, const char *sort_key, uint64_t deadline)
{
    return sheaf_store_set_deadline(store, text(partition_key), text(sort_key), deadline, NULL);
}

/* How many entries went. */
static uint64_t sweep(uint64_t now, uint64_t count_max)
{
    sheaf_totals swept = { 77, 77 };
    cr_assert_eq(sheaf_store_sweep(store, now, count_max, &swept, NULL), SHEAF_OK);
    return swept.count;
}

/* Its keys, joined, as a cursor gives them in a direction. */
static const char *listed_of(const sheaf_store *read, const char *partition_key, sheaf_direction direction)
{
    static char keys[256];
    size_t size = 0;
    sheaf_cursor cursor;
    cr_assert_eq(sheaf_cursor_open(&cursor, read, text(partition_key), NULL, NULL), SHEAF_OK);
    bool up = direction == SHEAF_FORWARD;
    keys[0] = '\0';
    for (bool at = up ? sheaf_cursor_first(&cursor) : sheaf_cursor_last(&cursor); at;
         at = up ? sheaf_cursor_next(&cursor) : sheaf_cursor_previous(&cursor))
        size += (size_t)snprintf(keys + size, sizeof keys - size, "%s%s", size ? " " : "", string_of(cursor.key));
    return keys;
}

static const char *listed(const char *partition_key)
{
    return listed_of(store, partition_key, SHEAF_FORWARD);
}

static const char *number(uint32_t i)
{
    static char texts[4][16];
    static unsigned at;
    char *out = texts[at++ % 4];
    (void)snprintf(out, sizeof texts[0], "%04u", i);
    return out;
}

/* ---- options ---------------------------------------------------------------------------------------------------------- */

static void expect_refused(sheaf_expiry_options expiry)
{
    sheaf_store *none = NULL;
    sheaf_detail detail = { 0 };
    sheaf_store_options options = { .expiry = &expiry };
    cr_assert_eq(sheaf_store_create(&options, &none, &detail), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(detail.field, SHEAF_FIELD_OPTION);
    cr_assert_null(none);
}

Test(expiry, options_that_are_unsound_are_refused)
{
    expect_refused((sheaf_expiry_options){ .rule = SHEAF_EXPIRY_HIDDEN });
    expect_refused((sheaf_expiry_options){ .rule = (sheaf_expiry_rule)2, .now = tell_time, .context = &clock_now });
}

Test(expiry, a_store_without_deadlines_says_so)
{
    sheaf_store *plain;
    sheaf_builder *builder;
    sheaf_bytes k = SHEAF_LIT("k"), v = SHEAF_LIT("v");
    uint64_t deadline = 77;
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_store_create(NULL, &plain, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_put(plain, k, k, v, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_put_until(plain, k, k, v, 5, NULL, &detail), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(detail.field, SHEAF_FIELD_OPTION);
    cr_assert_eq(sheaf_store_set_deadline(plain, k, k, 5, NULL), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(sheaf_store_get_deadline(plain, k, k, &deadline, NULL), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(sheaf_store_sweep(plain, 5, 0, NULL, NULL), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(sheaf_store_next_deadline(plain), SHEAF_NO_DEADLINE);
    cr_assert_eq(sheaf_builder_begin(plain, v, &builder, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_add_until(builder, k, v, 5, NULL), SHEAF_INVALID_ARGUMENT);
    sheaf_builder_abort(builder);
    sheaf_batch_write writes[] = { sheaf_batch_put(k, SHEAF_LIT("l"), v), sheaf_batch_put(k, SHEAF_LIT("m"), v) };
    writes[1].deadline = 5;
    size_t refused = 77;
    cr_assert_eq(sheaf_batch_apply(plain, writes, 2, &refused, NULL), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(refused, 1);
    cr_assert_eq(sheaf_store_total(plain).entry_count, 1);
    sheaf_store_destroy(plain);
}

Test(expiry, keys_and_values_are_looked_at_as_by_a_put)
{
    static uint8_t large[SHEAF_VALUE_SIZE_MAX + 1];
    sheaf_bytes k = SHEAF_LIT("k"), none = sheaf_bytes_of(NULL, 0), long_key = sheaf_bytes_of(large, 1025);
    uint64_t deadline;
    cr_assert_eq(sheaf_store_put_until(store, none, k, k, 5, NULL, NULL), SHEAF_KEY_EMPTY);
    cr_assert_eq(sheaf_store_put_until(store, k, long_key, k, 5, NULL, NULL), SHEAF_KEY_TOO_LONG);
    sheaf_bytes value = sheaf_bytes_of(large, sizeof large);
    cr_assert_eq(sheaf_store_put_until(store, k, k, value, 5, NULL, NULL), SHEAF_VALUE_TOO_LARGE);
    cr_assert_eq(sheaf_store_set_deadline(store, k, none, 5, NULL), SHEAF_KEY_EMPTY);
    cr_assert_eq(sheaf_store_set_deadline(store, k, long_key, 5, NULL), SHEAF_KEY_TOO_LONG);
    cr_assert_eq(sheaf_store_get_deadline(store, none, k, &deadline, NULL), SHEAF_KEY_EMPTY);
    cr_assert_eq(sheaf_store_get_deadline(store, k, long_key, &deadline, NULL), SHEAF_KEY_TOO_LONG);
    cr_assert_eq(sheaf_store_next_deadline(store), SHEAF_NO_DEADLINE);
}

/* ---- what can be seen ------------------------------------------------------------------------------------------------- */

Test(expiry, b104_goes_with_the_tick_of_a_clock_that_the_caller_holds)
{
    put_until("p", "k", "v", 1060);
    clock_now = 1059;
    cr_assert_str_eq(get("p", "k"), "v");
    clock_now = 1060;
    cr_assert_str_eq(get("p", "k"), "-");
    cr_assert_eq(sweep(1059, 0), 0);
    cr_assert_eq(sweep(1060, 0), 1);
    clock_now = 0;
    cr_assert_str_eq(get("p", "k"), "-", "swept is gone for good");
}

Test(expiry, the_ends_of_time)
{
    put_until("p", "always", "v", 0);
    put_until("p", "last", "v", SHEAF_NO_DEADLINE - 1);
    put_until("p", "never", "v", SHEAF_NO_DEADLINE);
    clock_now = 0;
    cr_assert_str_eq(listed("p"), "last never");
    clock_now = SHEAF_NO_DEADLINE;
    cr_assert_str_eq(listed("p"), "never");
    cr_assert_eq(sweep(SHEAF_NO_DEADLINE, 0), 2);
    cr_assert_str_eq(listed("p"), "never");
    cr_assert_eq(deadline_of("p", "never"), SHEAF_NO_DEADLINE);
}

Test(expiry, b98_readable_entries_are_as_any_until_they_are_swept)
{
    create(SHEAF_EXPIRY_READABLE, NULL);
    put_until("p", "a", "1", 999);
    put_until("p", "b", "2", 999);
    put_until("p", "c", "3", 999);
    cr_assert_str_eq(get("p", "a"), "1");
    cr_assert_str_eq(listed("p"), "a b c");
    cr_assert_eq(sheaf_store_total(store).entry_count, 3);
    cr_assert(put("p", "a", "4"), "an update finds it, and takes the deadline away");
    cr_assert_eq(deadline_of("p", "a"), SHEAF_NO_DEADLINE);
    cr_assert_eq(set_deadline("p", "b", 2000), SHEAF_OK);
    cr_assert_eq(sheaf_store_delete(store, text("p"), text("none"), NULL), SHEAF_NOT_FOUND);
    expect_log("replaced p/a=1\n");
    cr_assert_eq(sweep(1000, 0), 1);
    expect_log("expired p/c=3\n");
    cr_assert_str_eq(listed("p"), "a b");
    cr_assert_eq(clock_asked, 0, "this rule asks for no time");
}

Test(expiry, b98_hidden_entries_are_gone_from_the_first_tick)
{
    put_until("p", "a", "1", 999);
    put_until("p", "b", "2", 1000);
    cr_assert_str_eq(get("p", "a"), "-");
    cr_assert_str_eq(get("p", "b"), "-");
    cr_assert_str_eq(listed("p"), "");
    cr_assert_not(put("p", "a", "4"), "nothing is replaced");
    cr_assert_str_eq(get("p", "a"), "4");
}

/* Every read of a folder of three, in which one has expired. */
static void expect_reads(const sheaf_store *read)
{
    sheaf_bytes p = text("p"), value;
    sheaf_range prefix = sheaf_range_prefix(SHEAF_LIT("f/"));
    sheaf_totals totals;
    uint64_t rank;
    bool exists = true;
    cr_assert_str_eq(get_of(read, "p", "f/b"), "-");
    cr_assert_eq(sheaf_store_exists(read, p, text("f/b"), NULL), SHEAF_NOT_FOUND);
    sheaf_get gets[] = { { .partition_key = p, .sort_key = text("f/a") },
                         { .partition_key = p, .sort_key = text("f/b"), .value_view = value = SHEAF_LIT("untouched") } };
    cr_assert_eq(sheaf_store_get_many(read, gets, 2), 1);
    cr_assert(gets[0].status == SHEAF_OK && gets[1].status == SHEAF_NOT_FOUND && gets[1].value_view.data == value.data);
    cr_assert_str_eq(listed_of(read, "p", SHEAF_FORWARD), "f/a f/c z");
    cr_assert_str_eq(listed_of(read, "p", SHEAF_REVERSE), "z f/c f/a");
    cr_assert_eq(sheaf_range_total(read, p, &prefix, &totals, NULL), SHEAF_OK);
    cr_assert(totals.count == 2 && totals.bytes == 8);
    cr_assert_eq(sheaf_rank(read, p, text("f/b"), SHEAF_FORWARD, &rank, &exists, NULL), SHEAF_OK);
    cr_assert(rank == 1 && !exists);
    cr_assert_eq(sheaf_rank(read, p, text("f/a"), SHEAF_REVERSE, &rank, &exists, NULL), SHEAF_OK);
    cr_assert(rank == 2 && exists);
    cr_assert_eq(sheaf_collection_total(read, p, &totals), SHEAF_OK);
    cr_assert(totals.count == 3 && totals.bytes == 10);
    cr_assert_eq(sheaf_collection_total(read, text("gone"), &totals), SHEAF_NOT_FOUND);
    sheaf_store_totals all = sheaf_store_total(read);
    cr_assert(all.collection_count == 1 && all.entry_count == 3 && all.logical_bytes == 11);
}

static void expect_more_reads(const sheaf_store *read)
{
    sheaf_bytes p = text("p");
    sheaf_cursor cursor;
    cr_assert_eq(sheaf_cursor_open(&cursor, read, p, NULL, NULL), SHEAF_OK);
    cr_assert(sheaf_cursor_seek(&cursor, text("f/b")));
    cr_assert_str_eq(string_of(cursor.key), "f/c");
    cr_assert(sheaf_cursor_seek_at_most(&cursor, text("f/b")));
    cr_assert_str_eq(string_of(cursor.key), "f/a");
    cr_assert(sheaf_cursor_seek_nth(&cursor, 1, SHEAF_FORWARD) && sheaf_bytes_compare(cursor.key, text("f/c")) == 0);
    cr_assert(sheaf_cursor_seek_nth(&cursor, 2, SHEAF_REVERSE) && sheaf_bytes_compare(cursor.key, text("f/a")) == 0);
    cr_assert_not(sheaf_cursor_seek_nth(&cursor, 3, SHEAF_FORWARD));
    sheaf_page page;
    sheaf_page_request request = { .range = sheaf_range_prefix(SHEAF_LIT("f/")), .limit = 2 };
    cr_assert_eq(sheaf_page_read(read, p, &request, &page, NULL), SHEAF_OK);
    cr_assert(page.count == 2 && page.limit_reached && !page.more_after && !page.more_before);
    sheaf_page_release(&page);
    sheaf_children children;
    sheaf_child child;
    cr_assert_eq(sheaf_children_open(&children, read, p, SHEAF_LIT(""), SHEAF_LIT("/"), SHEAF_FORWARD, NULL), SHEAF_OK);
    cr_assert(sheaf_children_next(&children, &child) && child.is_folder);
    cr_assert(child.totals.count == 2 && child.totals.bytes == 8);
    cr_assert(sheaf_children_next(&children, &child) && !child.is_folder, "a folder of nothing but expired entries is none");
    cr_assert_str_eq(string_of(child.key), "z");
    cr_assert_not(sheaf_children_next(&children, &child));
    sheaf_collection_info info;
    cr_assert_eq(sheaf_collection_next(read, NULL, &info), SHEAF_OK);
    cr_assert(sheaf_bytes_compare(info.partition_key_view, p) == 0 && info.totals.count == 3 && info.totals.bytes == 10);
    cr_assert_eq(sheaf_collection_next(read, &p, &info), SHEAF_NOT_FOUND);
}

Test(expiry, b100_all_reads_agree_on_what_has_expired)
{
    clock_now = 1;
    put("p", "f/a", "1");
    put_until("p", "f/b", "2", 2);
    put_until("p", "f/c", "3", 4);
    put_until("p", "g/d", "4", 3);
    put("p", "z", "5");
    put_until("gone", "k", "6", 2);
    clock_now = 3;
    expect_reads(store);
    expect_more_reads(store);
    cr_assert_eq(sweep(3, 0), 3);
    expect_reads(store);
    expect_more_reads(store);
}

Test(expiry, b101_what_is_hidden_is_not_brought_back)
{
    put_until("p", "k", "v", 1060);
    cr_assert_eq(set_deadline("p", "k", 1070), SHEAF_OK);
    clock_now = 1069;
    cr_assert_eq(deadline_of("p", "k"), 1070);
    clock_now = 1070;
    cr_assert_eq(set_deadline("p", "k", 2000), SHEAF_NOT_FOUND);
    cr_assert_eq(set_deadline("p", "k", SHEAF_NO_DEADLINE), SHEAF_NOT_FOUND);
    cr_assert_eq(deadline_of("p", "k"), 0);
    cr_assert_str_eq(get("p", "k"), "-");
    cr_assert_eq(set_deadline("p", "none", 2000), SHEAF_NOT_FOUND);
    cr_assert_eq(set_deadline("none", "k", 2000), SHEAF_NOT_FOUND);
    cr_assert_eq(sweep(1070, 0), 1);
}

Test(expiry, a_cursor_stays_in_place_when_its_entry_goes)
{
    sheaf_cursor cursor;
    put("p", "a", "1");
    put_until("p", "b", "2", 1001);
    put("p", "c", "3");
    cr_assert_eq(sheaf_cursor_open(&cursor, store, text("p"), NULL, NULL), SHEAF_OK);
    cr_assert(sheaf_cursor_seek(&cursor, text("b")));
    cr_assert_eq(sheaf_cursor_refresh(&cursor), SHEAF_OK);
    clock_now = 1001;
    cr_assert_eq(sheaf_cursor_refresh(&cursor), SHEAF_NOT_FOUND);
    cr_assert_str_eq(string_of(cursor.key), "b");
    cr_assert_eq(cursor.value.size, 0);
    clock_now = 1000; /* a clock that goes back: the value is there again */
    cr_assert_eq(sheaf_cursor_refresh(&cursor), SHEAF_OK);
    cr_assert_str_eq(string_of(cursor.value), "2");
    clock_now = 1001;
    cr_assert(sheaf_cursor_next(&cursor));
    cr_assert_str_eq(string_of(cursor.key), "c");
    cr_assert(sheaf_cursor_previous(&cursor));
    cr_assert_str_eq(string_of(cursor.key), "a");
}

Test(expiry, one_answer_is_of_one_time)
{
    uint64_t rank;
    bool exists;
    sheaf_bytes value;
    sheaf_totals totals;
    sheaf_cursor cursor;
    for (uint32_t i = 0; i < 50; i++) put_until("p", number(i), "v", i < 40 ? 1000 : 2000);
    cr_assert_eq(sheaf_cursor_open(&cursor, store, text("p"), NULL, NULL), SHEAF_OK);
    clock_asked = 0;
    cr_assert_eq(sheaf_store_get(store, text("p"), text("0000"), &value, NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(clock_asked, 1);
    cr_assert_eq(sheaf_rank(store, text("p"), text("0045"), SHEAF_FORWARD, &rank, &exists, NULL), SHEAF_OK);
    cr_assert(rank == 5 && exists);
    cr_assert_eq(clock_asked, 2);
    cr_assert(sheaf_cursor_first(&cursor) && sheaf_bytes_compare(cursor.key, text("0040")) == 0);
    cr_assert_eq(clock_asked, 3);
    cr_assert(sheaf_cursor_seek_nth(&cursor, 1, SHEAF_REVERSE) && sheaf_bytes_compare(cursor.key, text("0048")) == 0);
    cr_assert_eq(clock_asked, 4);
    cr_assert_eq(sheaf_collection_total(store, text("p"), &totals), SHEAF_OK);
    cr_assert_eq(clock_asked, 5);
    cr_assert_eq(sheaf_store_total(store).entry_count, 10);
    cr_assert_eq(clock_asked, 6);
    cr_assert_eq(sweep(1500, 0), 40);
    cr_assert_eq(clock_asked, 6, "a sweep is told the time");
}

/* ---- writes ----------------------------------------------------------------------------------------------------------- */

Test(expiry, each_put_says_anew_whether_there_is_a_deadline)
{
    cr_assert_not(put_until("p", "k", "1", 1100));
    cr_assert_eq(deadline_of("p", "k"), 1100);
    cr_assert(put_until("p", "k", "2", 1050));
    cr_assert_eq(deadline_of("p", "k"), 1050);
    cr_assert(put("p", "k", "3"));
    cr_assert_eq(deadline_of("p", "k"), SHEAF_NO_DEADLINE);
    cr_assert_eq(set_deadline("p", "k", 1070), SHEAF_OK);
    cr_assert_eq(set_deadline("p", "k", SHEAF_NO_DEADLINE), SHEAF_OK);
    cr_assert_eq(sweep(5000, 0), 0);
    cr_assert_str_eq(get("p", "k"), "3");
    expect_log("replaced p/k=1\nreplaced p/k=2\n");
}

Test(expiry, b110_a_put_over_what_has_expired_tells_of_it_once)
{
    callback_reads = true;
    put_until("p", "k", "old", 1010);
    clock_now = 1010;
    cr_assert_not(put("p", "k", "new"));
    expect_log("expired p/k=old\n");
    cr_assert_str_eq(found_in_callback, "new", "the change is complete when it is told of");
    cr_assert_eq(sweep(2000, 0), 0);
    cr_assert(put("p", "k", "newer"));
    expect_log("replaced p/k=new\n");
}

Test(expiry, b110_nor_is_the_new_value_told_of_as_expired)
{
    put_until("p", "k", "old", 1010);
    clock_now = 1010;
    cr_assert_not(put_until("p", "k", "new", 1020));
    expect_log("expired p/k=old\n");
    cr_assert_eq(sweep(1019, 0), 0);
    expect_log("");
    cr_assert_eq(sweep(1020, 0), 1);
    expect_log("expired p/k=new\n");
    cr_assert_eq(sheaf_store_total(store).collection_count, 0);
}

Test(expiry, what_has_expired_cannot_be_deleted_but_goes_with_a_range)
{
    put_until("p", "a", "1", 1010);
    put("p", "b", "2");
    put_until("p", "c", "3", 1010);
    put_until("q", "k", "4", 1010);
    clock_now = 1010;
    sheaf_totals deleted = { 77, 77 };
    cr_assert_eq(sheaf_store_delete(store, text("p"), text("a"), NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_collection_drop(store, text("q"), &deleted), SHEAF_NOT_FOUND);
    cr_assert_eq(deleted.count, 77);
    expect_log("");
    sheaf_range range = sheaf_range_at_least(SHEAF_LIT("b"));
    cr_assert_eq(sheaf_store_delete_range(store, text("p"), &range, &deleted, NULL), SHEAF_OK);
    cr_assert(deleted.count == 1 && deleted.bytes == 2, "what could be seen");
    expect_log("cut p/b=2\ncut p/c=3\n");
    cr_assert_eq(sweep(1010, 0), 2);
}

Test(expiry, a_drop_takes_all_and_counts_what_could_be_seen)
{
    put_until("p", "a", "1", 1010);
    put("p", "b", "22");
    clock_now = 1010;
    sheaf_totals deleted = { 77, 77 };
    cr_assert_eq(sheaf_collection_drop(store, text("p"), &deleted), SHEAF_OK);
    cr_assert(deleted.count == 1 && deleted.bytes == 3);
    expect_log("cut p/a=1\ncut p/b=22\n");
    cr_assert_eq(sweep(1010, 0), 0);
    cr_assert_eq(sheaf_store_next_deadline(store), SHEAF_NO_DEADLINE);
}

Test(expiry, batches_have_deadlines)
{
    put_until("p", "old", "1", 1005);
    put_until("q", "k", "hidden", 1005);
    clock_now = 1005;
    sheaf_batch_write writes[] = {
        sheaf_batch_put(text("p"), text("a"), text("2")),   sheaf_batch_put(text("p"), text("b"), text("3")),
        sheaf_batch_put(text("p"), text("old"), text("4")), sheaf_batch_drop(text("q")),
        sheaf_batch_delete(text("p"), text("b")),
    };
    writes[0].deadline = 1020;
    writes[2].deadline = 1010;
    sheaf_batch_write refused[] = { writes[0], writes[2], sheaf_batch_delete(text(""), text("k")) };
    cr_assert_eq(sheaf_batch_apply(store, refused, 3, NULL, NULL), SHEAF_KEY_EMPTY);
    cr_assert_eq(sheaf_store_next_deadline(store), 1005);
    expect_log("");
    cr_assert_eq(sheaf_batch_apply(store, writes, 5, NULL, NULL), SHEAF_OK);
    expect_log("expired p/old=1\ndeleted p/b=3\n");
    cr_assert_eq(deadline_of("p", "a"), 1020);
    cr_assert_eq(deadline_of("p", "old"), 1010);
    cr_assert_eq(sweep(1005, 0), 1);
    expect_log("expired q/k=hidden\n");
    cr_assert_eq(sheaf_store_next_deadline(store), 1010);
}

Test(expiry, builds_have_deadlines_and_hidden_entries_are_in_their_way)
{
    sheaf_builder *builder = NULL;
    put_until("p", "k", "v", 1010);
    clock_now = 1010;
    cr_assert_eq(sheaf_builder_begin(store, text("p"), &builder, NULL), SHEAF_EXISTS);
    cr_assert_eq(sweep(1010, 0), 1);
    cr_assert_eq(sheaf_builder_begin(store, text("p"), &builder, NULL), SHEAF_OK);
    for (uint32_t i = 0; i < 300; i++)
        cr_assert_eq(sheaf_builder_add_until(builder, text(number(i)), text("v"), 2000 + i % 7, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_add(builder, text("last"), text("v"), NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_add_until(builder, text("0000"), text("v"), 5, NULL), SHEAF_OUT_OF_ORDER);
    cr_assert_eq(sheaf_store_next_deadline(store), SHEAF_NO_DEADLINE, "it is not there yet");
    cr_assert_eq(sheaf_builder_finish(builder), SHEAF_OK);
    cr_assert_eq(sheaf_store_next_deadline(store), 2000);
    cr_assert_eq(deadline_of("p", "0299"), 2005);
    cr_assert_eq(deadline_of("p", "last"), SHEAF_NO_DEADLINE);
    cr_assert_eq(sweep(2002, 0), 129); /* 300 = 42 times 7 and 6: three residues of 43 */
    cr_assert_eq(sheaf_store_next_deadline(store), 2003);
    cr_assert_eq(sheaf_store_total(store).entry_count, 172);
}

/* ---- sweeping --------------------------------------------------------------------------------------------------------- */

Test(expiry, a_sweep_takes_collections_by_their_earliest_deadlines)
{
    put_until("A", "1", "a", 40);
    put_until("A", "2", "b", 60);
    put_until("B", "1", "c", 90);
    put_until("B", "2", "d", 30);
    put_until("C", "1", "e", 50);
    put("C", "2", "f");
    clock_now = 0;
    cr_assert_eq(sheaf_store_next_deadline(store), 30);
    cr_assert_eq(sweep(29, 0), 0);
    cr_assert_eq(sweep(35, 0), 1);
    expect_log("expired B/2=d\n");
    cr_assert_eq(sheaf_store_next_deadline(store), 40);
    cr_assert_eq(sweep(100, 1), 1);
    cr_assert_eq(sweep(100, 1), 1);
    expect_log("expired A/1=a\nexpired A/2=b\n");
    cr_assert_eq(sweep(100, 1), 1);
    expect_log("expired C/1=e\n");
    cr_assert_eq(sweep(100, 7), 1);
    expect_log("expired B/1=c\n");
    cr_assert_eq(sweep(100, 7), 0);
    cr_assert_eq(sheaf_store_next_deadline(store), SHEAF_NO_DEADLINE);
    cr_assert_str_eq(listed("C"), "2");
    cr_assert_eq(sheaf_store_total(store).collection_count, 1);
}

Test(expiry, a_sweep_deletes_what_has_expired_and_that_alone)
{
    sheaf_totals swept;
    for (uint32_t i = 0; i < 600; i++) put_until(i % 2 ? "odd" : "even", number(i), "value", i < 60 ? 1000 + i : 5000 + i);
    cr_assert_eq(sheaf_store_sweep(store, 1029, 0, &swept, NULL), SHEAF_OK);
    cr_assert(swept.count == 30 && swept.bytes == 30 * 9);
    cr_assert_eq(sheaf_store_next_deadline(store), 1030);
    clock_now = 0;
    cr_assert_eq(sheaf_store_total(store).entry_count, 570);
    cr_assert_eq(sweep(1059, 10), 10);
    cr_assert_eq(sheaf_store_total(store).entry_count, 560);
    cr_assert_eq(sweep(1059, 0), 20);
    cr_assert_eq(sheaf_store_next_deadline(store), 5060);
    for (uint32_t i = 60; i < 600; i++) cr_assert_eq(deadline_of(i % 2 ? "odd" : "even", number(i)), 5000 + i);
}

Test(expiry, next_deadline_is_never_after_the_earliest)
{
    cr_assert_eq(sheaf_store_next_deadline(store), SHEAF_NO_DEADLINE);
    put_until("p", "b", "v", 1200);
    put_until("q", "a", "v", 1100);
    put_until("p", "a", "v", 1150);
    put("q", "z", "v");
    cr_assert_eq(sheaf_store_next_deadline(store), 1100);
    cr_assert_eq(set_deadline("p", "b", 1050), SHEAF_OK);
    cr_assert_eq(sheaf_store_next_deadline(store), 1050);
    cr_assert_eq(set_deadline("p", "b", 1500), SHEAF_OK);
    cr_assert_leq(sheaf_store_next_deadline(store), 1100);
    cr_assert_eq(sheaf_store_delete(store, text("q"), text("a"), NULL), SHEAF_OK);
    cr_assert_leq(sheaf_store_next_deadline(store), 1150);
    cr_assert_eq(sweep(1149, 0), 0);
    cr_assert_eq(sheaf_store_next_deadline(store), 1150, "a sweep that finds nothing sets it right");
    cr_assert_eq(sheaf_collection_drop(store, text("p"), NULL), SHEAF_OK);
    cr_assert_eq(sweep(2000, 0), 0);
    cr_assert_eq(sheaf_store_next_deadline(store), SHEAF_NO_DEADLINE);
}

/* What is told of is copied, for which a full store has room for a few at a time. */
Test(expiry, a_full_store_is_swept_in_one_go)
{
    sheaf_cache_options cache = { .eviction = SHEAF_EVICTION_NONE };
    uint64_t count = 0, going = 0;
    create(SHEAF_EXPIRY_HIDDEN, &cache);
    cr_assert_eq(sheaf_store_set_budget(store, 150000, NULL), SHEAF_OK);
    for (;; count++) {
        uint64_t due = count % 3 ? 1000 + count % 50 : 5000;
        sheaf_bytes key = text(number((uint32_t)count));
        if (sheaf_store_put_until(store, text(count % 2 ? "A" : "B"), key, key, due, NULL, NULL) != SHEAF_OK) break;
        going += due < 5000;
    }
    cr_assert_gt(going, 400);
    cr_assert_eq(sweep(1049, 0), going);
    cr_assert_eq(sheaf_store_next_deadline(store), 5000);
    cr_assert_eq(sheaf_store_total(store).entry_count, count - going);
    check();
    cr_assert_eq(sweep(1049, 0), 0);
}

/* Beside a view each leaf is copied before it is written, and what is told of is copied, too. */
Test(expiry, b103_a_sweep_that_is_refused_in_its_midst_leaves_deadlines_armed)
{
    sheaf_view *view;
    sheaf_totals swept = { 77, 77 };
    for (uint32_t i = 0; i < 200; i++) put_until(i < 100 ? "A" : "B", number(i), "v", 1010 + i / 100);
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    clock_now = 0;
    heap.fail_from = heap.requests + 20;
    cr_assert_eq(sheaf_store_sweep(store, 1011, 0, &swept, NULL), SHEAF_NO_MEMORY);
    test_heap_relent(&heap);
    cr_assert(swept.count > 0 && swept.count < 100, "%d went", (int)swept.count);
    cr_assert_eq(sheaf_store_total(store).entry_count, 200 - swept.count);
    cr_assert_eq(sheaf_store_next_deadline(store), 1010);
    cr_assert_eq(deadline_of("A", "0099"), 1010);
    cr_assert_eq(deadline_of("B", "0199"), 1011);
    check();
    uint64_t before = swept.count;
    cr_assert_eq(sweep(1011, 0), 200 - before);
    cr_assert_eq(sheaf_store_total(store).entry_count, 0);
    cr_assert_eq(sheaf_store_next_deadline(store), SHEAF_NO_DEADLINE);
    cr_assert_eq(sheaf_store_total(sheaf_view_store(view)).entry_count, 200);
    sheaf_view_close(view);
}

/* ---- partition keys of one hash --------------------------------------------------------------------------------------- */

/*
 * XXH3 of 16 bytes is a function of swap(a) + b + fold(a * b), where a and b are the key's halves, each under a mask of its
 * own: with a or b zero only the sum is left, and with a = 1 it is swap(1) + 2b. So three keys have one hash if it is even.
 */
static void write_half(uint8_t *out, uint64_t half, const uint8_t *one, const uint8_t *other)
{
    for (int i = 0; i < 8; i++, half >>= 8) out[i] = (uint8_t)(half & 255) ^ one[i] ^ other[i];
}

static sheaf_bytes collide(uint8_t *out, uint64_t a, uint64_t b)
{
    write_half(out, a, XXH3_kSecret + 24, XXH3_kSecret + 32);
    write_half(out + 8, b, XXH3_kSecret + 40, XXH3_kSecret + 48);
    return sheaf_bytes_of(out, 16);
}

static void put_colliding(sheaf_bytes partition_key, uint64_t deadline)
{
    cr_assert_eq(sheaf_store_put_until(store, partition_key, text("k"), text("v"), deadline, NULL, NULL), SHEAF_OK);
}

Test(expiry, collections_of_one_hash_share_deadlines_and_go_one_by_one)
{
    uint8_t bytes[3][16];
    sheaf_store_options options = { .expiry = &(sheaf_expiry_options){ .rule = SHEAF_EXPIRY_READABLE } };
    const uint64_t sum = 0x0102030405060708;
    sheaf_bytes keys[] = { collide(bytes[0], 0, sum), collide(bytes[1], __builtin_bswap64(sum), 0),
                           collide(bytes[2], 1, (sum - __builtin_bswap64(1)) / 2) };
    cr_assert(sheaf_hash(keys[0], 0) == sheaf_hash(keys[1], 0) && sheaf_hash(keys[0], 0) == sheaf_hash(keys[2], 0));
    sheaf_store *before = store;
    cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_OK);
    for (int i = 0; i < 3; i++) put_colliding(keys[i], 50);
    cr_assert_eq(sheaf_collection_drop(store, keys[1], NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_next_deadline(store), 50);
    cr_assert_eq(sweep(50, 1), 1);
    cr_assert_eq(sheaf_store_next_deadline(store), 50, "one is left under it");
    put_colliding(keys[1], 50);
    cr_assert(sheaf_store_check(store, NULL));
    cr_assert_eq(sweep(50, 0), 2);
    for (int i = 0; i < 3; i++) put_colliding(keys[i], 60 + (uint64_t)i);
    cr_assert_eq(sweep(61, 0), 2);
    cr_assert_eq(sheaf_store_next_deadline(store), 62);
    cr_assert_eq(sheaf_store_exists(store, keys[2], text("k"), NULL), SHEAF_OK);
    cr_assert(sheaf_store_check(store, NULL));
    sheaf_store_destroy(store);
    store = before;
}

/* ---- views, forks, caches --------------------------------------------------------------------------------------------- */

Test(expiry, a_view_shows_the_time_of_its_opening_and_a_fork_goes_on)
{
    sheaf_view *view;
    sheaf_store *fork;
    put_until("p", "a", "1", 1010);
    put_until("p", "b", "2", 1020);
    put("p", "c", "3");
    clock_now = 1010;
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    const sheaf_store *then = sheaf_view_store(view);
    cr_assert_eq(sheaf_store_fork(view, &fork, NULL), SHEAF_OK);
    clock_now = 1020;
    cr_assert_str_eq(listed_of(then, "p", SHEAF_FORWARD), "b c");
    cr_assert_str_eq(listed_of(fork, "p", SHEAF_FORWARD), "c");
    cr_assert_eq(sweep(1020, 0), 2);
    clock_now = 1000;
    cr_assert_str_eq(listed_of(then, "p", SHEAF_FORWARD), "b c", "its clock does not go back either");
    cr_assert_str_eq(listed_of(fork, "p", SHEAF_FORWARD), "a b c", "the store's sweep is not the fork's");
    cr_assert_str_eq(listed("p"), "c");
    cr_assert_eq(sheaf_store_next_deadline(fork), 1010);
    cr_assert_eq(sheaf_store_sweep(fork, 1015, 0, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_next_deadline(fork), 1020);
    cr_assert_eq(sheaf_store_next_deadline(then), 1010);
    cr_assert_eq(sheaf_store_next_deadline(store), SHEAF_NO_DEADLINE);
    sheaf_store_destroy(fork);
    expect_log("expired p/a=1\nexpired p/b=2\n");
    cr_assert_eq(sheaf_store_restore(store, view, NULL), SHEAF_OK);
    cr_assert_str_eq(listed("p"), "a b c", "what comes back has the deadlines of then");
    cr_assert_eq(sheaf_store_next_deadline(store), 1010);
    clock_now = 1010;
    cr_assert_str_eq(listed("p"), "b c");
    cr_assert_eq(sweep(1010, 0), 1);
    sheaf_view_close(view);
}

/* A bound that a deleted entry left in a leaf that a view sees. Reads go entry by entry for as long as it is there. */
Test(expiry, what_a_view_kept_from_a_sweep_the_next_one_sets_right)
{
    enum { COUNT = 2000 };
    char key[16];
    sheaf_view *view;
    sheaf_cursor cursor;
    sheaf_entry entries[4];
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(key, sizeof key, "k%04d", i);
        put("p", key, "v");
    }
    put_until("p", "k0000", "v", 1005);
    cr_assert_eq(sheaf_store_delete(store, text("p"), text("k0000"), NULL), SHEAF_OK);
    put_until("p", "k1999", "v", 1005);
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    clock_now = 1008;
    cr_assert_eq(sweep(1008, 0), 1);
    cr_assert_eq(sheaf_store_next_deadline(store), 1009, "there is something to set right yet, but not now");
    sheaf_view_close(view);
    cr_assert_eq(sweep(1008, 0), 0);
    cr_assert_eq(sheaf_store_next_deadline(store), SHEAF_NO_DEADLINE);
    cr_assert_eq(sheaf_cursor_open(&cursor, store, text("p"), NULL, NULL), SHEAF_OK);
    cr_assert_gt(sheaf_cursor_next_many(&cursor, entries, 4), 1, "not one by one any more");
}

/* Who waits for the next deadline and then sweeps is never told of one that a sweep has been by: each tick costs one sweep at most,
 * however long a view keeps the sweep from setting the index right. */
Test(expiry, the_next_deadline_is_above_what_has_been_swept)
{
    sheaf_view *view;
    put_until("p", "a", "1", 1005);
    put_until("p", "b", "1", 1020);
    put_until("q", "c", "1", 1007);
    cr_assert_eq(set_deadline("p", "a", 1030), SHEAF_OK); /* so "p" stands under a deadline that nothing has */
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    uint64_t sweep_count = 0, swept = 0;
    for (clock_now = 1000; clock_now < 1040; clock_now++) {
        while (sheaf_store_next_deadline(store) <= clock_now) {
            swept += sweep(clock_now, 0);
            cr_assert_lt(sweep_count++, 40, "it spins at %d", (int)clock_now);
        }
        check();
    }
    cr_assert_eq(swept, 3);
    cr_assert_eq(sheaf_store_next_deadline(sheaf_view_store(view)), 1005, "that of then");
    sheaf_view_close(view);
    expect_log("expired q/c=1\nexpired p/b=1\nexpired p/a=1\n");
}

/* What comes after a sweep may be due before it. */
Test(expiry, the_next_deadline_is_not_above_what_came_since)
{
    sheaf_view *views[2];
    sheaf_builder *builder;
    put_until("p", "a", "1", 1005);
    cr_assert_eq(sheaf_view_open(store, &views[0], NULL), SHEAF_OK);
    clock_now = 2000;
    cr_assert_eq(sweep(2000, 0), 1);
    cr_assert_eq(sheaf_store_next_deadline(store), SHEAF_NO_DEADLINE);
    clock_now = 0;
    put_until("p", "a", "2", 1500);
    cr_assert_eq(sheaf_store_next_deadline(store), 1500);
    put_until("p", "b", "2", 1700);
    cr_assert_eq(set_deadline("p", "b", 900), SHEAF_OK);
    cr_assert_eq(sheaf_store_next_deadline(store), 900);
    cr_assert_eq(sweep(950, 0), 1);
    cr_assert_eq(sheaf_builder_begin(store, text("built"), &builder, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_add_until(builder, text("k"), text("v"), 700, NULL), SHEAF_OK);
    cr_assert_eq(sweep(960, 0), 0, "it is not in yet");
    cr_assert_eq(sheaf_builder_finish(builder), SHEAF_OK);
    cr_assert_eq(sheaf_store_next_deadline(store), 700);
    check();
    cr_assert_eq(sheaf_view_open(store, &views[1], NULL), SHEAF_OK);
    cr_assert_eq(sweep(3000, 0), 2);
    sheaf_batch_write write = sheaf_batch_put(text("p"), text("c"), text("3"));
    write.deadline = 800;
    cr_assert_eq(sheaf_batch_apply(store, &write, 1, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_next_deadline(store), 800);
    cr_assert_eq(sweep(3000, 0), 1);
    cr_assert_eq(sheaf_store_restore(store, views[1], NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_next_deadline(store), 700, "going back brings it back");
    check();
    cr_assert_eq(sweep(3000, 0), 2);
    cr_assert_eq(sheaf_store_restore(store, views[0], NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_next_deadline(store), 1005);
    for (int i = 0; i < 2; i++) sheaf_view_close(views[i]);
}

/* They put what has expired already, where the sweep that tells them has been. */
Test(expiry, the_next_deadline_is_not_above_what_callbacks_put)
{
    for (int i = 0; i < 600; i++) { /* more than are told of together */
        char key[16];
        (void)snprintf(key, sizeof key, "k%04d", i);
        put_until("b", key, "v", 1005);
    }
    callback_puts = true;
    cr_assert_eq(sweep(1010, 0), 600);
    cr_assert(!callback_puts);
    cr_assert_eq(sheaf_store_next_deadline(store), 900);
    cr_assert_eq(sweep(1010, 0), 1);
    cr_assert_eq(sheaf_store_next_deadline(store), SHEAF_NO_DEADLINE);
    log_size = 0;
}

Test(expiry, a_view_is_not_written)
{
    sheaf_view *view;
    put_until("p", "a", "1", 1010);
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    sheaf_store *then = (sheaf_store *)(uintptr_t)sheaf_view_store(view);
    cr_assert_eq(sheaf_store_put_until(then, text("p"), text("a"), text("2"), 5, NULL, NULL), SHEAF_READ_ONLY);
    cr_assert_eq(sheaf_store_put_until(then, text("q"), text("a"), text("2"), 5, NULL, NULL), SHEAF_READ_ONLY);
    cr_assert_eq(sheaf_store_set_deadline(then, text("p"), text("a"), 5, NULL), SHEAF_READ_ONLY);
    cr_assert_eq(sheaf_store_sweep(then, 2000, 0, NULL, NULL), SHEAF_READ_ONLY);
    cr_assert_eq(sheaf_store_next_deadline(then), 1010);
    sheaf_view_close(view);
}

static sheaf_statistics statistics(void)
{
    sheaf_statistics now;
    cr_assert_eq(sheaf_store_statistics(store, &now), SHEAF_OK);
    return now;
}

Test(expiry, a_cache_counts_what_was_swept)
{
    sheaf_cache_options cache = { 0 };
    sheaf_statistics of_p;
    create(SHEAF_EXPIRY_HIDDEN, &cache);
    put_until("p", "a", "1", 1010);
    put_until("p", "b", "2", 1010);
    put("p", "c", "3");
    put_until("q", "d", "4", 1010);
    cr_assert_str_eq(get("p", "a"), "1");
    clock_now = 1010;
    cr_assert_str_eq(get("p", "a"), "-");
    cr_assert_eq(deadline_of("p", "c"), SHEAF_NO_DEADLINE, "no use, so neither a hit nor a miss");
    cr_assert(statistics().hits == 1 && statistics().misses == 1 && statistics().expirations == 0);
    cr_assert_not(put("p", "b", "5"));
    cr_assert_eq(statistics().expirations, 1, "swept by the put");
    cr_assert_eq(sweep(1010, 0), 2);
    cr_assert_eq(sheaf_collection_statistics(store, text("p"), &of_p), SHEAF_OK);
    cr_assert(of_p.expirations == 2 && of_p.evictions == 0 && of_p.hits == 1 && of_p.misses == 1);
    cr_assert(statistics().expirations == 3 && statistics().evictions == 0 && statistics().evicted_bytes == 0);
    cr_assert_eq(sheaf_collection_statistics(store, text("q"), &of_p), SHEAF_NOT_FOUND);
}
