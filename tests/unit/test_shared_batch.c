/*
 * test_shared_batch.c - several writes to several shards as one: all or nothing.
 */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "engine/shared/shared.h"
#include "tests/support/counted_shared.h"

static struct test_heap heap;
static sheaf_shared *shared;

static void begin(void)
{
    shared = counted_shared_begin(&heap, (sheaf_shared_options){ .shard_count = 8 });
}

static void end(void)
{
    counted_shared_end(shared, &heap);
}

TestSuite(shared_batch, .init = begin, .fini = end);

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

static void put(const char *partition_key, const char *sort_key, const char *value)
{
    cr_assert_eq(sheaf_shared_put(shared, text(partition_key), text(sort_key), text(value), NULL, NULL), SHEAF_OK);
}

static const char *get(const char *partition_key, const char *sort_key)
{
    static char value[64];
    size_t size;
    if (sheaf_shared_get(shared, text(partition_key), text(sort_key), value, 63, &size, NULL) != SHEAF_OK) return "";
    value[size] = '\0';
    return value;
}

static void put_some(void)
{
    put("A", "k", "old");
    put("B", "x/1", "1");
    put("B", "x/2", "2");
    put("C", "gone", "3");
}

Test(shared_batch, all_is_done_in_order)
{
    put_some();
    sheaf_batch_write writes[] = {
        sheaf_batch_put(text("A"), text("k"), text("first")),
        sheaf_batch_delete_range(text("B"), sheaf_range_prefix(SHEAF_LIT("x/"))),
        sheaf_batch_put(text("A"), text("k"), text("second")),
        sheaf_batch_put(text("B"), text("x/3"), text("new")),
        sheaf_batch_drop(text("C")),
        sheaf_batch_drop(text("none")),
        sheaf_batch_put(text("D"), text("d"), text("4")),
        sheaf_batch_delete(text("D"), text("d")),
        sheaf_batch_put(text("E"), text("e"), text("5")),
        sheaf_batch_delete(text("A"), text("none")),
    };
    uint64_t places = 0; /* the test is about several shards */
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
        places |= UINT64_C(1) << sheaf_shared_place(shared, writes[i].partition_key);
    cr_assert_geq(__builtin_popcountll(places), 3);
    size_t refused = 77;
    cr_assert_eq(sheaf_shared_batch_apply(shared, writes, sizeof writes / sizeof *writes, &refused, NULL), SHEAF_OK);
    cr_assert_eq(refused, 77);
    cr_assert_str_eq(get("A", "k"), "second");
    cr_assert_str_eq(get("B", "x/1"), "");
    cr_assert_str_eq(get("B", "x/3"), "new");
    cr_assert_str_eq(get("E", "e"), "5");
    sheaf_store_totals totals = sheaf_shared_total(shared);
    cr_assert(totals.collection_count == 3 && totals.entry_count == 3);
    cr_assert(totals.view_count == 0 && totals.retained_bytes == 0);
}

Test(shared_batch, of_none_of_one_and_of_one_shard)
{
    cr_assert_eq(sheaf_shared_batch_apply(shared, NULL, 0, NULL, NULL), SHEAF_OK);
    sheaf_batch_write one = sheaf_batch_put(text("A"), text("k"), text("v"));
    cr_assert_eq(sheaf_shared_batch_apply(shared, &one, 1, NULL, NULL), SHEAF_OK);
    cr_assert_str_eq(get("A", "k"), "v");
    sheaf_batch_write two[] = { sheaf_batch_delete(text("A"), text("k")), sheaf_batch_put(text("A"), text("l"), text("w")) };
    cr_assert_eq(sheaf_shared_batch_apply(shared, two, 2, NULL, NULL), SHEAF_OK);
    cr_assert_str_eq(get("A", "k"), "");
    cr_assert_str_eq(get("A", "l"), "w");
    one = sheaf_batch_delete(text("none"), text("none"));
    cr_assert_eq(sheaf_shared_batch_apply(shared, &one, 1, NULL, NULL), SHEAF_OK);
}

Test(shared_batch, one_that_no_store_accepts_is_refused_before_anything_is_done)
{
    put_some();
    uint64_t requests = heap.requests, version = sheaf_shared_version(shared, text("A"));
    sheaf_batch_write writes[] = { sheaf_batch_drop(text("A")), sheaf_batch_drop(text("B")),
                                   sheaf_batch_put(text("C"), text(""), text("v")) };
    size_t refused = 77;
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_shared_batch_apply(shared, writes, 3, &refused, &detail), SHEAF_KEY_EMPTY);
    cr_assert(refused == 2 && detail.field == SHEAF_FIELD_SORT_KEY);
    cr_assert_eq(heap.requests, requests);
    cr_assert_eq(sheaf_shared_version(shared, text("A")), version);
    cr_assert_str_eq(get("A", "k"), "old");
}

/* A view sees the nodes that are to be changed, so that even deletes need memory; each request for it is refused in turn. */
Test(shared_batch, a_refusal_leaves_no_shard_changed)
{
    put_some();
    sheaf_batch_write writes[] = {
        sheaf_batch_put(text("A"), text("k"), text("new")),
        sheaf_batch_drop(text("C")),
        sheaf_batch_put(text("F"), text("f"), text("6")),
        sheaf_batch_delete_range(text("B"), sheaf_range_prefix(SHEAF_LIT("x/"))),
        sheaf_batch_put(text("G"), text("g"), text("7")),
    };
    sheaf_shared_view *view = NULL;
    cr_assert_eq(sheaf_shared_view_open(shared, &view, NULL), SHEAF_OK);
    uint64_t charged_bytes = heap.live_real_bytes, refusals = 0;
    sheaf_status status = SHEAF_NO_MEMORY;
    for (uint64_t n = 0; status != SHEAF_OK; n++) {
        size_t refused = 77;
        heap.fail_at = heap.requests + n;
        status = sheaf_shared_batch_apply(shared, writes, 5, &refused, NULL);
        test_heap_relent(&heap);
        if (status == SHEAF_OK) break;
        cr_assert_eq(status, SHEAF_NO_MEMORY);
        cr_assert_lt(refused, 5);
        refusals++;
        cr_assert_str_eq(get("A", "k"), "old");
        cr_assert_str_eq(get("B", "x/2"), "2");
        cr_assert_str_eq(get("C", "gone"), "3");
        cr_assert_eq(sheaf_shared_total(shared).entry_count, 4);
        cr_assert_eq(heap.live_real_bytes, charged_bytes);
        cr_assert(sheaf_shared_check(shared, NULL));
    }
    cr_assert_gt(refusals, 5);
    cr_assert_str_eq(get("G", "g"), "7");
    cr_assert_eq(sheaf_shared_view_total(view).entry_count, 4);
    sheaf_shared_view_close(view);
    cr_assert_eq(sheaf_shared_total(shared).entry_count, 3);
}
