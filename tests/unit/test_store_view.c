/*
 * test_store_view.c - views of a store: what they give, what they cost, and what must not be done to them.
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/counted_store.h"
#include "tests/support/state_sum.h"

static struct test_heap heap;
static sheaf_store *store;

static void begin(void)
{
    store = counted_store_begin(&heap);
}

static void end(void)
{
    counted_store_end(store, &heap);
}

TestSuite(view, .init = begin, .fini = end);

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

static void put(const char *partition_key, const char *sort_key, const char *value)
{
    sheaf_status status = sheaf_store_put(store, text(partition_key), text(sort_key), text(value), NULL, NULL);
    cr_assert_eq(status, SHEAF_OK);
}

static void put_numbers(const char *partition_key, uint32_t count)
{
    char key[16];
    for (uint32_t i = 0; i < count; i++) {
        snprintf(key, sizeof key, "%06u", i);
        put(partition_key, key, key);
    }
}

static sheaf_view *open_view(void)
{
    sheaf_view *view = NULL;
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    return view;
}

/* The value of an entry as text; "" if there is none. */
static const char *get(const sheaf_store *from, const char *partition_key, const char *sort_key)
{
    static char value[64];
    sheaf_bytes found;
    if (sheaf_store_get(from, text(partition_key), text(sort_key), &found, NULL) != SHEAF_OK) return "";
    memcpy(value, found.data, found.size);
    value[found.size] = '\0';
    return value;
}

Test(view, reads_give_what_was_there_at_its_opening)
{
    put("A", "root/a", "1");
    put("A", "root/b/c", "2");
    put("A", "root/b/d", "3");
    put("B", "x", "4");
    sheaf_view *view = open_view();
    const sheaf_store *then = sheaf_view_store(view);
    put("A", "root/a", "other");
    put("A", "root/e", "5");
    cr_assert_eq(sheaf_store_delete(store, text("A"), text("root/b/c"), NULL), SHEAF_OK);
    cr_assert_eq(sheaf_collection_drop(store, text("B"), NULL), SHEAF_OK);
    put("C", "y", "6");

    cr_assert_str_eq(get(then, "A", "root/a"), "1");
    cr_assert_str_eq(get(then, "A", "root/b/c"), "2");
    cr_assert_str_eq(get(then, "A", "root/e"), "");
    cr_assert_str_eq(get(then, "B", "x"), "4");
    cr_assert_str_eq(get(then, "C", "y"), "");
    cr_assert_str_eq(get(store, "A", "root/a"), "other");
    cr_assert_str_eq(get(store, "B", "x"), "");

    sheaf_store_totals totals = sheaf_store_total(then);
    cr_assert_eq(totals.collection_count, 2);
    cr_assert_eq(totals.entry_count, 4);
    cr_assert_eq(totals.logical_bytes, 7 + 9 + 9 + 2 + 2);
    sheaf_totals of_range, of_collection;
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("root/b/"));
    cr_assert_eq(sheaf_range_total(then, text("A"), &range, &of_range, NULL), SHEAF_OK);
    cr_assert_eq(of_range.count, 2);
    cr_assert_eq(sheaf_collection_total(then, text("B"), &of_collection), SHEAF_OK);
    cr_assert_eq(of_collection.bytes, 2);
    cr_assert_eq(sheaf_collection_total(then, text("C"), &of_collection), SHEAF_NOT_FOUND);
    uint64_t rank;
    bool exists;
    cr_assert_eq(sheaf_rank(then, text("A"), text("root/b/d"), SHEAF_FORWARD, &rank, &exists, NULL), SHEAF_OK);
    cr_assert(rank == 2 && exists);

    sheaf_children children;
    sheaf_child child;
    cr_assert_eq(sheaf_children_open(&children, then, text("A"), text("root/"), text("/"), SHEAF_REVERSE, NULL), SHEAF_OK);
    cr_assert(sheaf_children_next(&children, &child));
    cr_assert(child.is_folder && child.totals.count == 2 && child.totals.bytes == 18);
    cr_assert(sheaf_children_next(&children, &child));
    cr_assert(!child.is_folder);
    cr_assert_not(sheaf_children_next(&children, &child));
    sheaf_view_close(view);
}

Test(view, a_cursor_and_values_live_as_long_as_it)
{
    put_numbers("A", 300);
    sheaf_view *view = open_view();
    sheaf_cursor cursor;
    sheaf_bytes value;
    cr_assert_eq(sheaf_cursor_open(&cursor, sheaf_view_store(view), text("A"), NULL, NULL), SHEAF_OK);
    cr_assert(sheaf_cursor_first(&cursor));
    cr_assert_eq(sheaf_store_get(sheaf_view_store(view), text("A"), text("000007"), &value, NULL), SHEAF_OK);
    uint32_t count = 1;
    do {
        char key[16];
        snprintf(key, sizeof key, "%06u", count);
        (void)sheaf_store_delete(store, text("A"), text(key), NULL);
        if (count == 150) cr_assert_eq(sheaf_collection_drop(store, text("A"), NULL), SHEAF_OK);
        if (count == 200) put_numbers("A", 5);
    } while (sheaf_cursor_next(&cursor) && ++count);
    cr_assert_eq(count, 300);
    cr_assert_eq(memcmp(value.data, "000007", 6), 0);
    sheaf_view_close(view);
}

Test(view, a_collection_comes_and_goes_between_views)
{
    sheaf_view *views[4];
    views[0] = open_view();
    put("A", "k", "1");
    views[1] = open_view();
    cr_assert_eq(sheaf_store_delete(store, text("A"), text("k"), NULL), SHEAF_OK);
    views[2] = open_view();
    put("A", "k", "2");
    views[3] = open_view();
    put("A", "k", "3");
    static const char *const values[] = { "", "1", "", "2" };
    static const size_t order[] = { 2, 0, 3, 1 };
    for (size_t closed = 0; closed < 4; closed++) {
        for (size_t i = closed; i < 4; i++) {
            const sheaf_store *then = sheaf_view_store(views[order[i]]);
            cr_assert_str_eq(get(then, "A", "k"), values[order[i]]);
            cr_assert_eq(sheaf_store_total(then).collection_count, values[order[i]][0] ? 1 : 0);
            sheaf_collection_info info;
            cr_assert_eq(sheaf_collection_next(then, NULL, &info), values[order[i]][0] ? SHEAF_OK : SHEAF_NOT_FOUND);
            cr_assert(sheaf_store_check(then, NULL));
        }
        cr_assert_eq(sheaf_store_total(store).view_count, 4 - closed);
        sheaf_view_close(views[order[closed]]);
    }
    cr_assert_eq(sheaf_store_total(store).retained_bytes, 0);
}

Test(view, writes_to_it_are_refused)
{
    put("A", "k", "1");
    sheaf_view *view = open_view();
    sheaf_store *forced = (sheaf_store *)(uintptr_t)sheaf_view_store(view); /* what nobody should do */
    uint64_t sum = state_sum(sheaf_view_store(view));
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_store_put(forced, text("A"), text("k"), text("2"), NULL, &detail), SHEAF_READ_ONLY);
    cr_assert_str_eq(detail.message, sheaf_status_message(SHEAF_READ_ONLY));
    cr_assert_eq(sheaf_store_put(forced, text("B"), text("k"), text("2"), NULL, NULL), SHEAF_READ_ONLY);
    cr_assert_eq(sheaf_store_delete(forced, text("A"), text("k"), NULL), SHEAF_READ_ONLY);
    cr_assert_eq(sheaf_store_delete_range(forced, text("A"), NULL, NULL, NULL), SHEAF_READ_ONLY);
    cr_assert_eq(sheaf_collection_drop(forced, text("A"), NULL), SHEAF_READ_ONLY);
    sheaf_builder *builder;
    cr_assert_eq(sheaf_builder_begin(forced, text("B"), &builder, NULL), SHEAF_READ_ONLY);
    sheaf_view *second;
    cr_assert_eq(sheaf_view_open(forced, &second, NULL), SHEAF_READ_ONLY);
    cr_assert_eq(state_sum(sheaf_view_store(view)), sum);
    sheaf_view_close(view);
}

Test(view, opening_takes_one_block_and_closing_gives_all_back)
{
    for (uint32_t i = 0; i < 300; i++) {
        char name[16];
        snprintf(name, sizeof name, "P#%u", i);
        put_numbers(name, 3);
    }
    put_numbers("A", 2000);
    sheaf_store_totals before = sheaf_store_total(store);
    cr_assert_eq(before.copied_blocks, 0, "nothing is ever copied without a view");
    uint64_t requests = heap.requests;
    sheaf_view *view = open_view();
    cr_assert_eq(heap.requests, requests + 1);
    sheaf_store_totals opened = sheaf_store_total(store);
    cr_assert_leq(opened.charged_bytes - before.charged_bytes, 1200);
    cr_assert_eq(opened.retained_bytes, 0);

    put("A", "000500", "000501");
    sheaf_store_totals written = sheaf_store_total(store);
    uint32_t levels = sheaf_store_find_tree(store, text("A"))->root->level + 1U;
    cr_assert_geq(levels, 3);
    cr_assert_eq(written.copied_blocks, 3 + levels, "table, bucket, record, and the way down to a leaf");
    cr_assert_gt(written.retained_bytes, 0);
    put("A", "000500", "000502");
    cr_assert_eq(sheaf_store_total(store).copied_blocks, written.copied_blocks, "the second change copies nothing");
    sheaf_view_close(view);
    sheaf_store_totals closed = sheaf_store_total(store);
    cr_assert_eq(closed.charged_bytes, before.charged_bytes);
    cr_assert_eq(closed.retained_bytes, 0);
    put("A", "000900", "000901");
    cr_assert_eq(sheaf_store_total(store).copied_blocks, written.copied_blocks);
}

Test(view, those_still_open_end_with_the_store)
{
    put_numbers("A", 100);
    (void)open_view();
    put_numbers("A", 150);
    (void)open_view();
    cr_assert_eq(sheaf_collection_drop(store, text("A"), NULL), SHEAF_OK);
}

Test(view, a_budget_counts_what_it_retains)
{
    put_numbers("A", 500);
    sheaf_view *view = open_view();
    uint64_t charged = sheaf_store_total(store).charged_bytes;
    cr_assert_eq(sheaf_store_set_budget(store, charged + 100, NULL), SHEAF_OK);
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_store_delete(store, text("A"), text("000100"), &detail), SHEAF_OVER_BUDGET);
    cr_assert_eq(detail.field, SHEAF_FIELD_BUDGET);
    cr_assert_eq(sheaf_store_delete_range(store, text("A"), NULL, NULL, NULL), SHEAF_OVER_BUDGET);
    cr_assert_eq(sheaf_collection_drop(store, text("A"), NULL), SHEAF_OVER_BUDGET);
    cr_assert_eq(sheaf_store_total(store).charged_bytes, charged);
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OVER_BUDGET);
    sheaf_view_close(view);
    cr_assert_eq(sheaf_store_delete(store, text("A"), text("000100"), NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_set_budget(store, 0, NULL), SHEAF_OK);
}

/* Many builds' worth of nodes beside many views: none of them sees the collection, all that it retains is given back. */
Test(view, a_bulk_build_goes_on_beside_views)
{
    sheaf_builder *builder;
    sheaf_view *views[5];
    char key[16];
    cr_assert_eq(sheaf_builder_begin(store, text("A"), &builder, NULL), SHEAF_OK);
    for (uint32_t i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "%06u", i);
        cr_assert_eq(sheaf_builder_add(builder, text(key), text(key), NULL), SHEAF_OK);
        if (i % 200 == 100) views[i / 200] = open_view();
    }
    cr_assert_eq(sheaf_store_total(store).copied_blocks, 0, "nobody sees what is being built");
    cr_assert_eq(sheaf_builder_finish(builder), SHEAF_OK);
    cr_assert_eq(sheaf_store_total(store).entry_count, 1000);
    cr_assert(sheaf_store_check(store, NULL));
    for (size_t i = 0; i < 5; i++) {
        cr_assert_eq(sheaf_store_total(sheaf_view_store(views[i])).entry_count, 0);
        sheaf_view_close(views[i]);
    }
    cr_assert_eq(sheaf_store_total(store).retained_bytes, 0);
}
