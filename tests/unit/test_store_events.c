/*
 * test_store_events.c - removal events: each cause with its keys and value, in order, once; what callbacks may do; that what is
 * refused has none. On nodes of 256 bytes, so that a range of a hundred entries has nodes of its own.
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "engine/store/events.h"
#include "tests/support/test_heap.h"

enum { LOG_SIZE = 1 << 20, MANY = 500 };

/* What was told, a line an event: "cause partition/sort=value". */
static char log_text[LOG_SIZE];
static size_t log_size;
static uint64_t event_count;

static struct test_heap heap;
static sheaf_store *store;
static void (*then)(const sheaf_event *event); /* what the callback does besides; NULL: nothing */

static void on_event(void *context, const sheaf_event *event)
{
    cr_assert_eq(context, &heap);
    event_count++;
    int size = snprintf(log_text + log_size, LOG_SIZE - log_size, "%s %.*s/%.*s=%.*s\n", sheaf_cause_name(event->cause),
                        (int)event->partition_key.size, (const char *)event->partition_key.data, (int)event->sort_key.size,
                        (const char *)event->sort_key.data, (int)(event->value.size > 40 ? 40 : event->value.size),
                        (const char *)event->value.data);
    log_size += (size_t)size;
    cr_assert_lt(log_size, LOG_SIZE);
    if (then) then(event);
}

static void forget(void)
{
    log_size = 0;
    log_text[0] = '\0';
    event_count = 0;
}

static void create(const sheaf_cache_options *cache, uint64_t budget_bytes)
{
    heap = test_heap_new();
    heap.size_classes = true;
    then = NULL;
    forget();
    sheaf_allocator hooks = test_heap_hooks(&heap);
    sheaf_event_options events = { .callback = on_event, .context = &heap };
    sheaf_store_options options = { .allocator = &hooks, .budget_bytes = budget_bytes, .cache = cache, .events = &events };
    cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_OK);
}

static void begin(void)
{
    create(NULL, 0);
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
    uint64_t count = event_count;
    sheaf_store_destroy(store);
    cr_assert_eq(event_count, count, "the end of the store is no event");
    cr_assert_eq(heap.live_blocks, 0);
}

TestSuite(events, .init = begin, .fini = end);

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

static void put(const char *partition_key, const char *sort_key, const char *value)
{
    cr_assert_eq(sheaf_store_put(store, text(partition_key), text(sort_key), text(value), NULL, NULL), SHEAF_OK);
}

/* The value of an entry as text; "" if there is none. */
static const char *get(const char *partition_key, const char *sort_key)
{
    static char value[64];
    sheaf_bytes found;
    if (sheaf_store_get(store, text(partition_key), text(sort_key), &found, NULL) != SHEAF_OK) return "";
    memcpy(value, found.data, found.size);
    value[found.size] = '\0';
    return value;
}

static const char *number(uint32_t i, const char *front)
{
    static char texts[4][16];
    static unsigned at;
    char *out = texts[at++ % 4];
    (void)snprintf(out, sizeof texts[0], "%s%04u", front, i);
    return out;
}

static void put_numbers(const char *partition_key, uint32_t begin_number, uint32_t end_number)
{
    for (uint32_t i = begin_number; i < end_number; i++) put(partition_key, number(i, ""), number(i, "v"));
}

/* What the log must be when numbers of a collection have left in order. */
static const char *numbers_told(const char *cause, const char *partition_key, uint32_t begin_number, uint32_t end_number)
{
    static char expected[LOG_SIZE];
    size_t size = 0;
    expected[0] = '\0';
    for (uint32_t i = begin_number; i < end_number; i++)
        size += (size_t)snprintf(expected + size, LOG_SIZE - size, "%s %s/%04u=v%04u\n", cause, partition_key, i, i);
    return expected;
}

static void expect_log(const char *expected)
{
    cr_assert_str_eq(log_text, expected);
    forget();
}

/* ---- options -------------------------------------------------------------------------------------------------------------- */

Test(events, without_a_callback_are_refused)
{
    sheaf_event_options events = { .context = &heap };
    sheaf_store_options options = { .events = &events };
    sheaf_store *none = NULL;
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_store_create(&options, &none, &detail), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(detail.field, SHEAF_FIELD_OPTION);
    cr_assert_null(none);
}

Test(events, causes_have_names)
{
    cr_assert_str_eq(sheaf_cause_name(SHEAF_CAUSE_REPLACED), "replaced");
    cr_assert_str_eq(sheaf_cause_name(SHEAF_CAUSE_EXPIRED), "expired");
    cr_assert_str_eq(sheaf_cause_name((sheaf_cause)9), "?");
}

/* ---- one entry ------------------------------------------------------------------------------------------------------------ */

Test(events, puts_tell_of_what_they_replace)
{
    put("p", "a", "1");
    put("p", "b", "2");
    put("q", "a", "3");
    expect_log("");
    put("p", "a", "4");         /* of the same size: in place */
    put("p", "b", "much longer than it was");
    put("q", "a", "");
    expect_log("replaced p/a=1\nreplaced p/b=2\nreplaced q/a=3\n");
    put("q", "a", "5");
    expect_log("replaced q/a=\n");
    cr_assert_str_eq(get("p", "a"), "4");
}

Test(events, a_value_put_over_itself_is_told_of)
{
    sheaf_bytes value;
    put("p", "a", "same");
    cr_assert_eq(sheaf_store_get(store, text("p"), text("a"), &value, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_put(store, text("p"), text("a"), value, NULL, NULL), SHEAF_OK);
    expect_log("replaced p/a=same\n");
    cr_assert_str_eq(get("p", "a"), "same");
}

Test(events, deletes_tell_once)
{
    put("p", "a", "1");
    put("p", "b", "2");
    cr_assert_eq(sheaf_store_delete(store, text("p"), text("a"), NULL), SHEAF_OK);
    expect_log("deleted p/a=1\n");
    cr_assert_eq(sheaf_store_delete(store, text("p"), text("a"), NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_store_delete(store, text("q"), text("a"), NULL), SHEAF_NOT_FOUND);
    expect_log("");
    cr_assert_eq(sheaf_store_delete(store, text("p"), text("b"), NULL), SHEAF_OK); /* with it the collection ends */
    expect_log("deleted p/b=2\n");
}

Test(events, large_values_come_whole)
{
    static char large[70001];
    memset(large, 'x', sizeof large - 1);
    put("p", "a", large);
    put("p", "a", "small");
    expect_log("replaced p/a=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n");
    put("p", "a", large);
    forget();
    cr_assert_eq(sheaf_store_delete(store, text("p"), text("a"), NULL), SHEAF_OK);
    expect_log("deleted p/a=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n");
}

/* ---- many ----------------------------------------------------------------------------------------------------------------- */

static sheaf_totals delete_between(uint32_t low, uint32_t high)
{
    char keys[2][16];
    (void)snprintf(keys[0], sizeof keys[0], "%04u", low);
    (void)snprintf(keys[1], sizeof keys[1], "%04u", high - 1);
    sheaf_range range = sheaf_range_between(text(keys[0]), text(keys[1]));
    sheaf_totals deleted = { 77, 77 };
    cr_assert_eq(sheaf_store_delete_range(store, text("p"), &range, &deleted, NULL), SHEAF_OK);
    return deleted;
}

Test(events, ranges_are_told_of_in_key_order)
{
    static const uint32_t bounds[][2] = { { 0, 1 },   { 100, 140 }, { 0, 400 },  { 99, 500 },
                                          { 13, 487 }, { 0, 500 },   { 499, 500 } };
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        put_numbers("p", 0, MANY);
        put("q", "z", "stays");
        forget();
        cr_assert_eq(delete_between(bounds[i][0], bounds[i][1]).count, bounds[i][1] - bounds[i][0]);
        expect_log(numbers_told("cut", "p", bounds[i][0], bounds[i][1]));
        check();
        sheaf_totals rest;
        if (sheaf_collection_drop(store, text("p"), &rest) == SHEAF_OK)
            cr_assert_eq(event_count, MANY - (bounds[i][1] - bounds[i][0]));
        forget();
    }
}

Test(events, an_empty_range_has_none)
{
    put_numbers("p", 0, MANY);
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("x"));
    cr_assert_eq(sheaf_store_delete_range(store, text("p"), &range, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_delete_range(store, text("none"), &range, NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_collection_drop(store, text("none"), NULL), SHEAF_NOT_FOUND);
    range = sheaf_range_between(text("b"), text("a"));
    cr_assert_eq(sheaf_store_delete_range(store, text("p"), &range, NULL, NULL), SHEAF_RANGE_INVERTED);
    expect_log("");
}

Test(events, dropped_collections_are_told_of)
{
    put_numbers("p", 0, MANY);
    put_numbers("q", 0, 3);
    cr_assert_eq(sheaf_collection_drop(store, text("p"), NULL), SHEAF_OK);
    expect_log(numbers_told("cut", "p", 0, MANY));
    cr_assert_eq(sheaf_collection_drop(store, text("q"), NULL), SHEAF_OK);
    expect_log(numbers_told("cut", "q", 0, 3));
    cr_assert_eq(sheaf_store_total(store).entry_count, 0);
}

/* Values out of line in the leaves at the ends of a range, and between. */
Test(events, ranges_of_large_values)
{
    static char value[3000];
    for (uint32_t i = 0; i < 60; i++) {
        memset(value, 'a' + (char)(i % 26), 2000);
        put("p", number(i, ""), value);
    }
    cr_assert_eq(delete_between(7, 55).count, 48);
    cr_assert_eq(event_count, 48);
    cr_assert(strncmp(log_text, "cut p/0007=hhhhh", 16) == 0, "%.40s", log_text);
    check();
    sheaf_bytes left;
    cr_assert_eq(sheaf_store_get(store, text("p"), text("0006"), &left, NULL), SHEAF_OK);
    cr_assert(left.size == 2000 && left.data[0] == 'g' && left.data[1999] == 'g');
}

Test(events, beside_a_view)
{
    sheaf_view *view;
    put_numbers("p", 0, MANY);
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    put("p", "0001", "new");
    cr_assert_eq(sheaf_store_delete(store, text("p"), text("0002"), NULL), SHEAF_OK);
    expect_log("replaced p/0001=v0001\ndeleted p/0002=v0002\n");
    put("p", "0001", "v0001");
    put("p", "0002", "v0002");
    forget();
    cr_assert_eq(delete_between(100, 400).count, 300);
    expect_log(numbers_told("cut", "p", 100, 400));
    cr_assert_eq(sheaf_store_total(store).view_count, 1);
    check();
    cr_assert_eq(sheaf_collection_drop(store, text("p"), NULL), SHEAF_OK);
    cr_assert_eq(event_count, 200);
    forget();
    sheaf_view_close(view);
    expect_log("");
    check();
    cr_assert_eq(sheaf_store_total(store).retained_bytes, 0);
}

/* ---- together, or not at all ---------------------------------------------------------------------------------------------- */

Test(events, a_batch_has_all_of_them_at_its_end)
{
    put("p", "a", "1");
    put("q", "b", "2");
    put_numbers("r", 0, MANY);
    sheaf_batch_write writes[] = {
        sheaf_batch_put(text("p"), text("a"), text("3")),  sheaf_batch_put(text("p"), text("a"), text("4")),
        sheaf_batch_delete(text("q"), text("b")),          sheaf_batch_delete(text("q"), text("none")),
        sheaf_batch_put(text("r"), text("0000"), text("w")), sheaf_batch_drop(text("r")),
        sheaf_batch_put(text("r"), text("new"), text("5")),
    };
    cr_assert_eq(sheaf_batch_apply(store, writes, sizeof writes / sizeof *writes, NULL, NULL), SHEAF_OK);
    const char *front = "replaced p/a=1\nreplaced p/a=3\ndeleted q/b=2\nreplaced r/0000=v0000\ncut r/0000=w\n";
    cr_assert_eq(strncmp(log_text, front, strlen(front)), 0);
    cr_assert_str_eq(log_text + strlen(front), numbers_told("cut", "r", 1, MANY));
    cr_assert_eq(sheaf_store_total(store).view_count, 0);
    cr_assert_str_eq(get("r", "new"), "5");
}

static void read_new_state(const sheaf_event *event)
{
    (void)event;
    cr_assert_str_eq(get("p", "a"), "3");
    cr_assert_str_eq(get("q", "b"), "");
}

Test(events, of_a_batch_find_all_of_it_done)
{
    put("p", "a", "1");
    put("q", "b", "2");
    then = read_new_state;
    sheaf_batch_write writes[] = { sheaf_batch_delete(text("q"), text("b")), sheaf_batch_put(text("p"), text("a"), text("3")) };
    cr_assert_eq(sheaf_batch_apply(store, writes, 2, NULL, NULL), SHEAF_OK);
    expect_log("deleted q/b=2\nreplaced p/a=1\n");
}

Test(events, a_batch_that_is_refused_has_none)
{
    static char large[300001];
    memset(large, 'x', sizeof large - 1);
    put("p", "a", "1");
    put_numbers("r", 0, MANY);
    sheaf_store_totals before = sheaf_store_total(store);
    cr_assert_eq(sheaf_store_set_budget(store, before.charged_bytes + 150000, NULL), SHEAF_OK);
    sheaf_batch_write writes[] = { sheaf_batch_put(text("p"), text("a"), text("3")), sheaf_batch_drop(text("r")),
                                   sheaf_batch_put(text("p"), text("b"), text(large)) };
    size_t refused = 77;
    cr_assert_eq(sheaf_batch_apply(store, writes, 3, &refused, NULL), SHEAF_OVER_BUDGET);
    cr_assert_eq(refused, 2);
    expect_log("");
    cr_assert_eq(sheaf_store_total(store).charged_bytes, before.charged_bytes);
    cr_assert_eq(sheaf_store_total(store).view_count, 0);
    cr_assert_str_eq(get("p", "a"), "1");
}

Test(events, going_back_tells_of_what_is_not_there_any_more)
{
    sheaf_view *view, *newer;
    put("p", "a", "1");
    put("p", "b", "2");
    put_numbers("q", 0, 100);
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    put("p", "a", "3");
    put("p", "c", "4");
    put("q", "0050", "v0050"); /* the same again */
    put("r", "d", "5");
    cr_assert_eq(sheaf_store_delete(store, text("p"), text("b"), NULL), SHEAF_OK);
    forget();
    cr_assert_eq(sheaf_store_restore(store, view, NULL), SHEAF_OK);
    cr_assert_eq(event_count, 3);
    cr_assert(strstr(log_text, "replaced p/a=3\ncut p/c=4\n"), "%s", log_text);
    cr_assert(strstr(log_text, "cut r/d=5\n"), "%s", log_text);
    forget();
    cr_assert_str_eq(get("p", "a"), "1");

    /* What comes back leaves again; and with births that do not tell. */
    put("p", "a", "6");
    cr_assert_eq(sheaf_view_open(store, &newer, NULL), SHEAF_OK);
    put("p", "e", "7");
    forget();
    cr_assert_eq(sheaf_store_restore(store, view, NULL), SHEAF_OK);
    expect_log("replaced p/a=6\ncut p/e=7\n");
    put("p", "f", "8");
    cr_assert_eq(sheaf_store_restore(store, newer, NULL), SHEAF_OK);
    expect_log("replaced p/a=1\ncut p/f=8\n");
    cr_assert_str_eq(get("p", "a"), "6");
    cr_assert_eq(sheaf_store_restore(store, newer, NULL), SHEAF_OK);
    expect_log("");
    sheaf_view_close(newer);
    sheaf_view_close(view);
}

Test(events, forks_have_none)
{
    sheaf_view *view;
    sheaf_store *fork;
    put_numbers("p", 0, 100);
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_fork(view, &fork, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_put(fork, text("p"), text("0001"), text("x"), NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_collection_drop(fork, text("p"), NULL), SHEAF_OK);
    sheaf_store_destroy(fork);
    sheaf_view_close(view);
    expect_log("");
}

/* ---- callbacks ------------------------------------------------------------------------------------------------------------ */

static void put_again(const sheaf_event *event)
{
    if (event->cause != SHEAF_CAUSE_DELETED) return;
    put("p", "b", "changed"); /* is told of after all that was queued before it */
    cr_assert_str_eq(get("p", "b"), "changed");
    check();
}

Test(events, those_of_a_callback_come_last)
{
    put("p", "a", "1");
    put("p", "b", "2");
    put("q", "c", "3");
    then = put_again;
    sheaf_batch_write writes[] = { sheaf_batch_delete(text("p"), text("a")), sheaf_batch_delete(text("q"), text("c")) };
    cr_assert_eq(sheaf_batch_apply(store, writes, 2, NULL, NULL), SHEAF_OK);
    expect_log("deleted p/a=1\ndeleted q/c=3\nreplaced p/b=2\nreplaced p/b=changed\n");
}

static uint32_t puts_left;

static void put_over(const sheaf_event *event)
{
    (void)event;
    if (puts_left > 0) put("p", "a", number(puts_left--, ""));
}

Test(events, that_cause_others_do_not_nest)
{
    puts_left = 10000; /* nested they would be 10000 frames of the store, the callback and this test */
    put("p", "a", "first");
    then = put_over;
    put("p", "a", "second");
    cr_assert_eq(event_count, 10001);
    cr_assert(strncmp(log_text, "replaced p/a=first\nreplaced p/a=second\nreplaced p/a=10000\n", 57) == 0);
    cr_assert_str_eq(get("p", "a"), "0001");
}

static void delete_everything(const sheaf_event *event)
{
    (void)event;
    then = NULL;
    sheaf_collection_info info;
    while (sheaf_collection_next(store, NULL, &info) == SHEAF_OK)
        cr_assert_eq(sheaf_collection_drop(store, info.partition_key_view, NULL), SHEAF_OK);
    check();
    cr_assert_eq(sheaf_store_total(store).entry_count, 0);
}

Test(events, a_callback_may_drop_what_others_tell_of)
{
    put_numbers("p", 0, MANY);
    put_numbers("q", 0, MANY);
    then = delete_everything;
    cr_assert_eq(delete_between(100, 400).count, 300);
    const char *cut = numbers_told("cut", "p", 100, 400);
    cr_assert_eq(strncmp(log_text, cut, strlen(cut)), 0, "what a range is told of does not change");
    cr_assert_eq(event_count, 300 + 200 + MANY);
}

static sheaf_view *opened;

static void open_a_view(const sheaf_event *event)
{
    (void)event;
    if (!opened) cr_assert_eq(sheaf_view_open(store, &opened, NULL), SHEAF_OK);
    check();
}

Test(events, a_callback_may_open_and_close_views)
{
    opened = NULL;
    put_numbers("p", 0, MANY);
    then = open_a_view;
    cr_assert_eq(delete_between(100, 400).count, 300); /* its nodes are kept while a view is opened */
    then = NULL;
    forget();
    cr_assert_eq(delete_between(0, 100).count, 100);
    expect_log(numbers_told("cut", "p", 0, 100));
    sheaf_view_close(opened);
}

static void restore_view(const sheaf_event *event)
{
    (void)event;
    then = NULL;
    cr_assert_eq(sheaf_store_restore(store, opened, NULL), SHEAF_OK);
    sheaf_view_close(opened);
    check();
}

Test(events, a_callback_may_go_back)
{
    put_numbers("p", 0, MANY);
    cr_assert_eq(sheaf_view_open(store, &opened, NULL), SHEAF_OK);
    put("q", "new", "1");
    then = restore_view;
    cr_assert_eq(delete_between(100, 400).count, 300);
    cr_assert_eq(event_count, 301);
    cr_assert_str_eq(log_text + strlen(numbers_told("cut", "p", 100, 400)), "cut q/new=1\n");
    cr_assert_str_eq(get("p", "0200"), "v0200");
    cr_assert_eq(sheaf_store_total(store).view_count, 0);
}

/* ---- memory --------------------------------------------------------------------------------------------------------------- */

Test(events, cuts_need_no_memory_but_for_their_ends)
{
    put_numbers("p", 0, MANY);
    forget();
    uint64_t requests = heap.requests;
    cr_assert_eq(delete_between(0, 400).count, 400);
    cr_assert_leq(heap.requests - requests, 1 + 8, "one item; merging along the end takes a node a level at most");
    requests = heap.requests;
    cr_assert_eq(sheaf_collection_drop(store, text("p"), NULL), SHEAF_OK);
    cr_assert_eq(heap.requests - requests, 1);
    cr_assert_eq(event_count, MANY);
}

Test(events, a_change_that_finds_no_memory_has_none)
{
    put_numbers("p", 0, MANY);
    forget();
    heap.fail_from = heap.requests;
    cr_assert_eq(sheaf_store_put(store, text("p"), text("0001"), text("v000x"), NULL, NULL), SHEAF_NO_MEMORY);
    cr_assert_eq(sheaf_store_delete(store, text("p"), text("0001"), NULL), SHEAF_NO_MEMORY);
    cr_assert_eq(sheaf_collection_drop(store, text("p"), NULL), SHEAF_NO_MEMORY);
    cr_assert_eq(sheaf_store_delete_range(store, text("p"), NULL, NULL, NULL), SHEAF_NO_MEMORY);
    test_heap_relent(&heap);
    expect_log("");
    cr_assert_str_eq(get("p", "0001"), "v0001");
}

static uint64_t most_charged;

static void note_charge(const sheaf_event *event)
{
    (void)event;
    uint64_t charged_bytes = sheaf_store_total(store).charged_bytes;
    if (charged_bytes > most_charged) most_charged = charged_bytes;
    cr_assert_leq(charged_bytes, heap.live_real_bytes); /* a put that evicts has copies of its own */
}

Test(events, deletes_go_on_in_a_store_that_is_full)
{
    put_numbers("p", 0, MANY);
    uint64_t budget_bytes = sheaf_store_total(store).charged_bytes;
    cr_assert_eq(sheaf_store_set_budget(store, budget_bytes, NULL), SHEAF_OK);
    most_charged = 0;
    then = note_charge;
    cr_assert_eq(sheaf_store_put(store, text("p"), text("x"), text("y"), NULL, NULL), SHEAF_OVER_BUDGET);
    cr_assert_eq(sheaf_store_delete(store, text("p"), text("0499"), NULL), SHEAF_OK);
    cr_assert_eq(delete_between(100, 120).count, 20);
    cr_assert_eq(delete_between(120, 300).count, 180);
    cr_assert_eq(event_count, 201);
    cr_assert_gt(most_charged, budget_bytes - 1000);
    cr_assert_lt(most_charged, budget_bytes + 4096);
}

/* What a batch has queued takes of the room of its later writes: what it deletes and what it puts are there together. */
static sheaf_status delete_and_put(uint32_t put_count)
{
    static char keys[40][8];
    static char large[10001];
    sheaf_batch_write writes[40];
    memset(large, 'x', sizeof large - 1);
    for (uint32_t i = 0; i < 40; i++) (void)snprintf(keys[i], sizeof keys[i], "%02u", i);
    for (uint32_t i = 0; i < 20; i++) writes[i] = sheaf_batch_delete(text("p"), text(keys[i]));
    for (uint32_t i = 20; i < 20 + put_count; i++) writes[i] = sheaf_batch_put(text("p"), text(keys[i]), text(large));
    return sheaf_batch_apply(store, writes, 20 + put_count, NULL, NULL);
}

Test(events, of_a_batch_count_towards_the_budget)
{
    static char large[10001];
    memset(large, 'x', sizeof large - 1);
    for (uint32_t i = 0; i < 20; i++) put("p", number(i, "") + 2, large);
    uint64_t budget_bytes = sheaf_store_total(store).charged_bytes + 400000;
    cr_assert_eq(sheaf_store_set_budget(store, budget_bytes, NULL), SHEAF_OK);
    most_charged = 0;
    then = note_charge;
    cr_assert_eq(delete_and_put(20), SHEAF_OVER_BUDGET);
    cr_assert_eq(event_count, 0);
    cr_assert_eq(delete_and_put(12), SHEAF_OK);
    cr_assert_eq(event_count, 20);
    cr_assert_leq(most_charged, budget_bytes);
    cr_assert_eq(sheaf_store_total(store).entry_count, 12);
}

/* ---- invalidation --------------------------------------------------------------------------------------------------------- */

/* Deletes a prefix of `size` entries out of many, beside a view or not. Returns how many blocks were copied and asked for. */
static uint64_t invalidate(uint32_t size, bool beside_view)
{
    sheaf_view *view = NULL;
    for (uint32_t i = 0; i < 1000; i++) put("p", number(i, "a/"), "stays");
    for (uint32_t i = 0; i < size; i++) put("p", number(i, "b/"), number(i, "v"));
    for (uint32_t i = 0; i < 1000; i++) put("p", number(i, "c/"), "stays");
    if (beside_view) cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    forget();
    uint64_t copied = sheaf_store_total(store).copied_blocks, requests = heap.requests;
    sheaf_range prefix = sheaf_range_prefix(SHEAF_LIT("b/"));
    sheaf_totals deleted;
    cr_assert_eq(sheaf_store_delete_range(store, text("p"), &prefix, &deleted, NULL), SHEAF_OK);
    uint64_t cost = sheaf_store_total(store).copied_blocks - copied + heap.requests - requests;
    cr_assert(deleted.count == size && event_count == size);
    cr_assert(size == 0 || strncmp(log_text, "cut p/b/0000=v0000\n", 19) == 0);
    check();
    if (beside_view) { /* it goes on seeing all of it */
        cr_assert_eq(sheaf_range_total(sheaf_view_store(view), text("p"), &prefix, &deleted, NULL), SHEAF_OK);
        cr_assert_eq(deleted.count, size);
        sheaf_view_close(view);
    }
    cr_assert_eq(sheaf_range_total(store, text("p"), &prefix, &deleted, NULL), SHEAF_OK);
    cr_assert_eq(deleted.count, 0);
    cr_assert_eq(sheaf_collection_drop(store, text("p"), NULL), SHEAF_OK);
    return cost;
}

/* Beside a view a cut copies nodes once it has noted what goes: that, too, must leave room for the notes. */
Test(events, of_a_few_beside_a_view_keep_to_the_budget)
{
    enum { FEW = 60, BUDGET = 60000 };
    uint64_t done_count = 0, told_count = 0;
    for (uint32_t count = 200; count < 4000; count += 20) {
        sheaf_view *view;
        sheaf_range range = sheaf_range_between(text("k0100"), text("k0159"));
        sheaf_store_destroy(store);
        create(NULL, BUDGET);
        then = note_charge;
        most_charged = 0;
        for (uint32_t i = 0; i < count; i++) (void)sheaf_store_put(store, text("p"), text(number(i, "k")), text("value"), NULL, NULL);
        if (sheaf_view_open(store, &view, NULL) != SHEAF_OK) break;
        sheaf_status status = sheaf_store_delete_range(store, text("p"), &range, NULL, NULL);
        cr_assert(status == SHEAF_OK || status == SHEAF_OVER_BUDGET);
        cr_assert_eq(event_count, status == SHEAF_OK ? FEW : 0);
        cr_assert_leq(most_charged, BUDGET + 600, "%d charged", (int)most_charged); /* two end nodes, 16 bytes for each between */
        done_count += status == SHEAF_OK;
        told_count += event_count;
        sheaf_view_close(view);
    }
    cr_assert(done_count > 50 && told_count == done_count * FEW);
}

Test(events, a_prefix_costs_its_two_ends)
{
    /* A way down has five nodes or so, each end may merge each of them, and there is the item of the queue. */
    for (uint32_t size = 100; size <= 6400; size *= 2) cr_assert_leq(invalidate(size, false), 1 + 2 * 6);
}

Test(events, a_prefix_costs_its_two_ends_beside_a_view)
{
    /* Besides: both ways down are copied, the record, its bucket and the table; the view; and a chunk for each 42 nodes. */
    for (uint32_t size = 100; size <= 6400; size *= 2)
        cr_assert_leq(invalidate(size, true), 1 + 2 * 6 + 2 * (2 * 6 + 3) + 1 + size / 42);
}

/* ---- handing out ---------------------------------------------------------------------------------------------------------- */

static void delete_and_replace(void)
{
    put("p", "0000", "new");
    cr_assert_eq(sheaf_store_delete(store, text("p"), text("0001"), NULL), SHEAF_OK);
}

Test(events, can_be_taken_and_delivered_later)
{
    struct sheaf_event_list lists[3];
    sheaf_view *view;
    put_numbers("p", 0, MANY);
    cr_assert(!sheaf_events_take(store, &lists[0]));
    sheaf_events_defer(store);
    delete_and_replace();
    cr_assert_eq(event_count, 0);
    check();
    cr_assert(sheaf_events_take(store, &lists[0]));
    cr_assert(!sheaf_events_take(store, &lists[1]), "what is taken is no longer there");
    cr_assert(!sheaf_events_deliver(&lists[0]), "copies are gone with their delivery");
    expect_log("replaced p/0000=v0000\ndeleted p/0001=v0001\n");
    check();

    cr_assert_eq(delete_between(100, 300).count, 200); /* kept nodes */
    cr_assert(sheaf_events_take(store, &lists[0]));
    cr_assert(!lists[0].stopped);
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    cr_assert_eq(delete_between(300, 450).count, 150); /* a view */
    cr_assert(sheaf_events_take(store, &lists[1]));
    sheaf_view_close(view);
    cr_assert_eq(sheaf_store_delete(store, text("p"), text("0002"), NULL), SHEAF_OK);
    cr_assert(sheaf_events_take(store, &lists[2]));
    cr_assert_eq(sheaf_store_total(store).view_count, 1);
    expect_log("");

    cr_assert(sheaf_events_deliver(&lists[1]), "to be given back");
    expect_log(numbers_told("cut", "p", 300, 450));
    sheaf_events_give_back(store, &lists[1]);
    cr_assert_eq(sheaf_store_total(store).view_count, 0);
    cr_assert(sheaf_store_check(store, NULL), "kept nodes are found");
    cr_assert(!sheaf_events_deliver(&lists[2]));
    expect_log("deleted p/0002=v0002\n");
    cr_assert(sheaf_events_deliver(&lists[0]));
    expect_log(numbers_told("cut", "p", 100, 300));
    sheaf_events_give_back(store, &lists[0]);
}

Test(events, that_nobody_took_end_with_the_store)
{
    put_numbers("p", 0, MANY);
    sheaf_events_defer(store);
    delete_and_replace();
    cr_assert_eq(delete_between(100, 300).count, 200);
    sheaf_view *view;
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    cr_assert_eq(delete_between(300, 450).count, 150);
}

/* ---- caches --------------------------------------------------------------------------------------------------------------- */

TestSuite(cache_events, .fini = end);

/* Which values have been put and told of: numbered, in eight digits. */
enum { PUT_COUNT = 20000 };
static uint8_t told[PUT_COUNT];
static uint64_t evicted_count;

static void note_value(const sheaf_event *event)
{
    note_charge(event);
    cr_assert_eq(event->cause, SHEAF_CAUSE_EVICTED);
    uint32_t i = (uint32_t)strtoul((const char *)event->value.data, NULL, 10);
    cr_assert_lt(i, PUT_COUNT);
    cr_assert_eq(told[i]++, 0, "value %u leaves once", i);
    evicted_count++;
    log_size = 0;
}

static void fill_cache(sheaf_cache_options cache, uint64_t budget_bytes, uint32_t collection_count)
{
    char value[64];
    create(&cache, budget_bytes);
    memset(told, 0, sizeof told);
    evicted_count = most_charged = 0;
    then = note_value;
    for (uint32_t i = 0; i < PUT_COUNT; i++) {
        (void)snprintf(value, sizeof value, "%08u and some more bytes", i);
        put(number(i % collection_count, "p"), number(i / collection_count, "k"), value);
        cr_assert_leq(sheaf_store_total(store).charged_bytes, budget_bytes);
    }
    sheaf_statistics statistics;
    cr_assert_eq(sheaf_store_statistics(store, &statistics), SHEAF_OK);
    cr_assert_eq(statistics.evictions, evicted_count);
    cr_assert_eq(evicted_count + sheaf_store_total(store).entry_count, PUT_COUNT);
    cr_assert_gt(evicted_count, PUT_COUNT / 2);
    cr_assert_lt(most_charged, budget_bytes + 200, "an entry at most");
    check();
}

Test(cache_events, of_seldom_read_entries)
{
    fill_cache((sheaf_cache_options){ .eviction = SHEAF_EVICTION_FREQUENCY }, 200000, 7);
    cr_assert_eq(sheaf_store_evict(store, 0), SHEAF_OK);
    cr_assert_eq(evicted_count, PUT_COUNT);
    uint64_t count = event_count;
    (void)sheaf_store_evict(store, 0); /* B112: evicted twice is no event */
    cr_assert_eq(event_count, count);
}

Test(cache_events, of_entries_not_read_for_long)
{
    fill_cache((sheaf_cache_options){ .eviction = SHEAF_EVICTION_RECENCY }, 30000, 300);
}

Test(cache_events, of_far_ends)
{
    fill_cache((sheaf_cache_options){ .eviction = SHEAF_EVICTION_FAR_END }, 100000, 3);
    cr_assert_eq(sheaf_store_set_budget(store, 50000, NULL), SHEAF_OK);
    cr_assert_eq(evicted_count + sheaf_store_total(store).entry_count, PUT_COUNT);
}

Test(cache_events, of_far_ends_above)
{
    fill_cache((sheaf_cache_options){ .eviction = SHEAF_EVICTION_FAR_END, .far_end = SHEAF_REVERSE }, 100000, 3);
}

Test(cache_events, of_whole_collections)
{
    fill_cache((sheaf_cache_options){ .eviction = SHEAF_EVICTION_COLLECTION }, 100000, 1000);
}

Test(cache_events, of_whole_collections_that_are_large)
{
    fill_cache((sheaf_cache_options){ .eviction = SHEAF_EVICTION_COLLECTION }, 400000, 10);
}

Test(cache_events, of_what_a_collection_has_too_many)
{
    sheaf_cache_options cache = { .eviction = SHEAF_EVICTION_NONE, .collection_count_max = 3 };
    create(&cache, 0);
    put_numbers("p", 0, 6);
    expect_log(numbers_told("evicted", "p", 0, 3));
    sheaf_builder *builder;
    cr_assert_eq(sheaf_builder_begin(store, text("q"), &builder, NULL), SHEAF_OK);
    for (uint32_t i = 0; i < 10; i++)
        cr_assert_eq(sheaf_builder_add(builder, text(number(i, "")), text(number(i, "v")), NULL), SHEAF_OK);
    expect_log("");
    cr_assert_eq(sheaf_builder_finish(builder), SHEAF_OK);
    expect_log(numbers_told("evicted", "q", 0, 7));
}

/* Many at once go as a range, and their nodes are kept. */
static void build_and_trim(sheaf_direction far_end, sheaf_view **view)
{
    sheaf_cache_options cache = { .eviction = SHEAF_EVICTION_NONE, .collection_count_max = 100, .far_end = far_end };
    sheaf_builder *builder;
    create(&cache, 0);
    put("other", "a", "1");
    if (view) cr_assert_eq(sheaf_view_open(store, view, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_begin(store, text("q"), &builder, NULL), SHEAF_OK);
    for (uint32_t i = 0; i < 1000; i++)
        cr_assert_eq(sheaf_builder_add(builder, text(number(i, "")), text(number(i, "v")), NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_finish(builder), SHEAF_OK);
    expect_log(far_end == SHEAF_FORWARD ? numbers_told("evicted", "q", 0, 900) : numbers_told("evicted", "q", 100, 1000));
    sheaf_statistics statistics;
    cr_assert_eq(sheaf_collection_statistics(store, text("q"), &statistics), SHEAF_OK);
    cr_assert_eq(statistics.evictions, 900);
    cr_assert_eq(statistics.evicted_bytes, 900 * 9);
    cr_assert_eq(sheaf_store_total(store).entry_count, 101);
    check();
}

Test(cache_events, of_far_too_many_in_a_collection)
{
    build_and_trim(SHEAF_FORWARD, NULL);
    end();
    build_and_trim(SHEAF_REVERSE, NULL);
    end();
    sheaf_view *view;
    build_and_trim(SHEAF_FORWARD, &view);
    sheaf_view_close(view);
}

/* B107: a put of one large value evicts much more than there is room to tell of at once. */
Test(cache_events, of_a_put_that_evicts_nearly_all)
{
    static char large[120001];
    memset(large, 'x', sizeof large - 1);
    fill_cache((sheaf_cache_options){ .eviction = SHEAF_EVICTION_FREQUENCY }, 200000, 7);
    put("large", "k", large);
    cr_assert_eq(evicted_count + sheaf_store_total(store).entry_count, PUT_COUNT + 1);
    cr_assert_lt(most_charged, 200000 + 200);
    cr_assert_leq(sheaf_store_total(store).charged_bytes, 200000);
}

static uint32_t callback_puts, callback_refusals;

static void put_one_more(const sheaf_event *event)
{
    log_size = 0;
    if (event->cause != SHEAF_CAUSE_EVICTED || callback_puts == 1000) return;
    sheaf_bytes key = text(number(callback_puts, "c"));
    sheaf_status status = sheaf_store_put(store, text("by callback"), key, text("some value"), NULL, NULL);
    if (status == SHEAF_OK) callback_puts++;
    else callback_refusals++;
    cr_assert(status == SHEAF_OK || status == SHEAF_OVER_BUDGET);
}

Test(cache_events, that_make_the_cache_evict_more)
{
    sheaf_cache_options cache = { .eviction = SHEAF_EVICTION_FREQUENCY };
    create(&cache, 60000);
    callback_puts = callback_refusals = 0;
    then = put_one_more;
    for (uint32_t i = 0; i < 3000; i++) put("p", number(i, ""), "value");
    cr_assert_eq(callback_puts, 1000);

    cr_assert_gt(callback_refusals, 0, "now and then, what is to be told of takes all the room there is for it");
    cr_assert_eq(event_count + sheaf_store_total(store).entry_count, 4000);
}

/* Eviction that may not deliver: a put is refused, says that it had to stop, and goes on when what it noted has been taken. */
Test(cache_events, of_a_store_that_hands_them_out)
{
    static char large[60001];
    sheaf_cache_options cache = { .eviction = SHEAF_EVICTION_COLLECTION };
    struct sheaf_event_list list;
    memset(large, 'x', sizeof large - 1);
    create(&cache, 110000);
    for (uint32_t i = 0; i < 2000; i++) put(number(i / 200, "p"), number(i, ""), "value value value value");
    sheaf_events_defer(store);
    uint32_t stopped_count = 0;
    for (;;) {
        sheaf_status status = sheaf_store_put(store, text("large"), text("k"), text(large), NULL, NULL);
        bool any = sheaf_events_take(store, &list);
        if (any && sheaf_events_deliver(&list)) sheaf_events_give_back(store, &list);
        check();
        if (status == SHEAF_OK) break;
        cr_assert_eq(status, SHEAF_OVER_BUDGET);
        cr_assert(any && list.stopped);
        stopped_count++;
    }
    cr_assert_gt(stopped_count, 0);
    cr_assert_eq(event_count + sheaf_store_total(store).entry_count, 2001);
}
