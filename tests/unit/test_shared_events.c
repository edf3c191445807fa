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
    if (!told->writes_to || told->depth > 0) return;
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
    cr_assert_eq(sheaf_shared_delete(shared, SHEAF_LIT("A"), SHEAF_LIT("k"), NULL), SHEAF_OK);
    expect_story("deleted A/k=one;deleted A/k=again;");
    put("B", "a", "1");
    cr_assert_eq(sheaf_shared_collection_drop(shared, SHEAF_LIT("B"), NULL), SHEAF_OK);
    expect_story("cut B/a=1;deleted B/a=again;");
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
