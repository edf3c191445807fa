/*
 * test_shared_events.c - removal events of a shared store: once for each value, with no lock held.
 */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/counted_shared.h"

/* All that was told, as text: "cause partition/sort=value;". */
struct story {
    char text[8192];
    size_t size;
    uint64_t count;
    uint64_t causes[SHEAF_CAUSE_CUT + 1];
    sheaf_shared *writes_to; /* the callback then writes */
    uint32_t writes_left;
    int depth;
};

static struct test_heap heap;
static struct story story;
static sheaf_shared *shared;

static void on_event(void *context, const sheaf_event *event)
{
    struct story *told = context;
    told->count++;
    told->causes[event->cause]++;
    if (told->size + 64 < sizeof told->text)
        told->size += (size_t)sprintf(told->text + told->size, "%s %.*s/%.*s=%.*s;", sheaf_cause_name(event->cause),
                                      (int)event->partition_key.size, event->partition_key.data, (int)event->sort_key.size,
                                      event->sort_key.data, (int)event->value.size, event->value.data);
    cr_assert_eq(told->depth, 0, "nothing nests");
    if (!told->writes_to || told->writes_left == 0) return;
    told->writes_left--;
    told->depth++; /* the same key: its shard would be locked, were a lock held */
    cr_assert_eq(sheaf_shared_put(told->writes_to, event->partition_key, event->sort_key, SHEAF_LIT("again"), NULL, NULL),
                 SHEAF_OK);
    cr_assert_eq(sheaf_shared_delete(told->writes_to, event->partition_key, event->sort_key, NULL), SHEAF_OK);
    told->depth--;
}

static void begin_with(sheaf_shared_options options)
{
    sheaf_event_options events = { .callback = on_event, .context = &story };
    story = (struct story){ 0 };
    options.store.events = &events;
    shared = counted_shared_begin(&heap, options);
}

static void begin(void)
{
    begin_with((sheaf_shared_options){ 0 });
}

static void end(void)
{
    counted_shared_end(shared, &heap);
}

TestSuite(shared_events, .init = begin, .fini = end);

static void put(const char *partition_key, const char *sort_key, const char *value)
{
    cr_assert_eq(sheaf_shared_put(shared, sheaf_bytes_of(partition_key, strlen(partition_key)),
                                  sheaf_bytes_of(sort_key, strlen(sort_key)), sheaf_bytes_of(value, strlen(value)), NULL, NULL),
                 SHEAF_OK);
}

static void expect_story(const char *text)
{
    cr_assert_str_eq(story.text, text);
    story.size = 0;
    story.text[0] = '\0';
}

Test(shared_events, each_value_that_leaves_is_told_of_before_the_call_returns)
{
    put("A", "k", "one");
    expect_story("");
    put("A", "k", "two");
    expect_story("replaced A/k=one;");
    cr_assert_eq(sheaf_shared_delete(shared, SHEAF_LIT("A"), SHEAF_LIT("k"), NULL), SHEAF_OK);
    expect_story("deleted A/k=two;");
    put("B", "a", "1");
    put("B", "b", "2");
    put("B", "c", "3");
    sheaf_range range = sheaf_range_at_most(SHEAF_LIT("b"));
    cr_assert_eq(sheaf_shared_delete_range(shared, SHEAF_LIT("B"), &range, NULL, NULL), SHEAF_OK);
    expect_story("cut B/a=1;cut B/b=2;");
    cr_assert_eq(sheaf_shared_collection_drop(shared, SHEAF_LIT("B"), NULL), SHEAF_OK);
    expect_story("cut B/c=3;");
}

Test(shared_events, with_a_view_open_too)
{
    sheaf_shared_view *view = NULL;
    put("B", "a", "1");
    put("B", "b", "2");
    cr_assert_eq(sheaf_shared_view_open(shared, &view, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_collection_drop(shared, SHEAF_LIT("B"), NULL), SHEAF_OK);
    expect_story("cut B/a=1;cut B/b=2;");
    cr_assert_eq(sheaf_shared_total(shared).view_count, 1);
    sheaf_shared_view_close(view);
    cr_assert_eq(sheaf_shared_total(shared).retained_bytes, 0);
}

Test(shared_events, a_batch_is_told_of_when_it_is_done_and_not_when_it_is_refused)
{
    put("A", "k", "1");
    put("B", "k", "2");
    put("C", "k", "3");
    put("D", "k", "4");
    sheaf_batch_write writes[] = {
        sheaf_batch_put(SHEAF_LIT("A"), SHEAF_LIT("k"), SHEAF_LIT("new")),
        sheaf_batch_delete(SHEAF_LIT("B"), SHEAF_LIT("k")),
        sheaf_batch_drop(SHEAF_LIT("C")),
        sheaf_batch_put(SHEAF_LIT("D"), SHEAF_LIT("k"), SHEAF_LIT("new")),
    };
    sheaf_status status = SHEAF_NO_MEMORY;
    uint64_t refusals = 0;
    for (uint64_t n = 0; status != SHEAF_OK; n++) {
        heap.fail_at = heap.requests + n;
        status = sheaf_shared_batch_apply(shared, writes, 4, NULL, NULL);
        test_heap_relent(&heap);
        if (status == SHEAF_OK) break;
        refusals++;
        cr_assert_eq(story.count, 0);
    }
    cr_assert_gt(refusals, 3);
    cr_assert_eq(story.count, 4);
    cr_assert(story.causes[SHEAF_CAUSE_REPLACED] == 2 && story.causes[SHEAF_CAUSE_DELETED] == 1 &&
              story.causes[SHEAF_CAUSE_CUT] == 1);
}

Test(shared_events, a_callback_may_write_to_the_same_shard)
{
    put("A", "k", "one");
    story.writes_to = shared;
    story.writes_left = 1;
    cr_assert_eq(sheaf_shared_delete(shared, SHEAF_LIT("A"), SHEAF_LIT("k"), NULL), SHEAF_OK);
    expect_story("deleted A/k=one;deleted A/k=again;");
    put("B", "a", "1");
    put("B", "b", "2");
    story.writes_left = 1;
    cr_assert_eq(sheaf_shared_collection_drop(shared, SHEAF_LIT("B"), NULL), SHEAF_OK);
    expect_story("cut B/a=1;cut B/b=2;deleted B/a=again;");
}

/* Nested, this would be as many frames of the store, the callback and this test. */
Test(shared_events, that_cause_others_do_not_nest)
{
    put("A", "k", "one");
    story.writes_to = shared;
    story.writes_left = 20000;
    cr_assert_eq(sheaf_shared_delete(shared, SHEAF_LIT("A"), SHEAF_LIT("k"), NULL), SHEAF_OK);
    cr_assert_eq(story.writes_left, 0);
    cr_assert_eq(story.count, 20001);
    cr_assert_eq(sheaf_shared_total(shared).entry_count, 0);
}

/* Two shared stores whose callbacks write to each other. */
static sheaf_shared *pair[2];
static uint32_t pair_writes_left;

static void write_to_other(void *context, const sheaf_event *event)
{
    sheaf_shared *other = pair[*(const int *)context];
    if (pair_writes_left == 0) return;
    pair_writes_left--;
    cr_assert_eq(sheaf_shared_put(other, event->partition_key, event->sort_key, SHEAF_LIT("again"), NULL, NULL), SHEAF_OK);
}

Test(shared_events, of_two_stores_that_write_to_each_other)
{
    static int others[2] = { 1, 0 };
    for (int i = 0; i < 2; i++) {
        sheaf_event_options events = { .callback = write_to_other, .context = &others[i] };
        sheaf_shared_options options = { .store.events = &events };
        cr_assert_eq(sheaf_shared_create(&options, &pair[i], NULL), SHEAF_OK);
        cr_assert_eq(sheaf_shared_put(pair[i], SHEAF_LIT("A"), SHEAF_LIT("k"), SHEAF_LIT("v"), NULL, NULL), SHEAF_OK);
    }
    pair_writes_left = 10000;
    cr_assert_eq(sheaf_shared_put(pair[0], SHEAF_LIT("A"), SHEAF_LIT("k"), SHEAF_LIT("w"), NULL, NULL), SHEAF_OK);
    cr_assert_eq(pair_writes_left, 0);
    for (int i = 0; i < 2; i++) sheaf_shared_destroy(pair[i]);
}

/* A callback that logs evictions in the cache itself, which makes it evict more. */
static uint64_t logged_count, unlogged_count, noted_count;

static void log_eviction(void *context, const sheaf_event *event)
{
    char key[24];
    (void)context;
    noted_count++;
    if (event->cause != SHEAF_CAUSE_EVICTED || logged_count == 30000) return;
    int size = sprintf(key, "%08u", (unsigned)logged_count);
    sheaf_status status = sheaf_shared_put(shared, SHEAF_LIT("log"), sheaf_bytes_of(key, (size_t)size), event->sort_key, NULL, NULL);
    cr_assert(status == SHEAF_OK || status == SHEAF_OVER_BUDGET);
    if (status == SHEAF_OK) logged_count++;
    else unlogged_count++;
}

Test(shared_events, that_make_a_full_cache_evict_more)
{
    end();
    sheaf_cache_options cache = { 0 };
    sheaf_event_options events = { .callback = log_eviction };
    sheaf_shared_options options = { .store = { .cache = &cache, .budget_bytes = 1 << 20, .events = &events }, .shard_count = 4 };
    logged_count = unlogged_count = noted_count = 0;
    shared = counted_shared_begin(&heap, options);
    char name[16], key[24];
    for (uint32_t i = 0; i < 30000; i++) {
        int name_size = sprintf(name, "N%u", i % 50), key_size = sprintf(key, "a longer key %06u", i);
        cr_assert_eq(sheaf_shared_put(shared, sheaf_bytes_of(name, (size_t)name_size), sheaf_bytes_of(key, (size_t)key_size),
                                      SHEAF_LIT("a value of some fifty bytes, or a little less"), NULL, NULL),
                     SHEAF_OK);
        cr_assert_leq(sheaf_shared_total(shared).charged_bytes, 1 << 20);
    }
    cr_assert_eq(logged_count, 30000);
    cr_assert_eq(noted_count + sheaf_shared_total(shared).entry_count, 60000);
}

Test(shared_events, a_full_cache_tells_of_each_entry_once)
{
    end();
    sheaf_cache_options cache = { 0 };
    begin_with((sheaf_shared_options){ .store = { .cache = &cache, .budget_bytes = 1 << 20 }, .shard_count = 4 });
    char name[16], key[16];
    static char value[700];
    for (uint32_t i = 0; i < 9000; i++) { /* first one collection, then many */
        int name_size = sprintf(name, "N%u", i < 4000 ? 0 : i % 50), key_size = sprintf(key, "%06u", i);
        cr_assert_eq(sheaf_shared_put(shared, sheaf_bytes_of(name, (size_t)name_size), sheaf_bytes_of(key, (size_t)key_size),
                                      sheaf_bytes_of(value, i % 700), NULL, NULL),
                     SHEAF_OK);
    }
    sheaf_statistics statistics;
    cr_assert_eq(sheaf_shared_statistics(shared, &statistics), SHEAF_OK);
    cr_assert_gt(statistics.evictions, 5000);
    cr_assert_eq(story.count, statistics.evictions);
    cr_assert_eq(story.causes[SHEAF_CAUSE_EVICTED], statistics.evictions);
    cr_assert_eq(sheaf_shared_total(shared).entry_count + story.count, 9000);
    cr_assert_eq(sheaf_shared_set_budget(shared, 1 << 18, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_total(shared).entry_count + story.count, 9000);
    (void)sheaf_shared_evict(shared, 0);
    cr_assert_eq(story.count, 9000);
}
