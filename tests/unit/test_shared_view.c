/*
 * test_shared_view.c - views of all shards at one moment.
 */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/counted_shared.h"

enum { COLLECTIONS = 300 };

static struct test_heap heap;
static sheaf_shared *shared;

static sheaf_bytes collection_key(uint32_t number)
{
    static char buffer[16];
    return sheaf_bytes_of(buffer, (size_t)sprintf(buffer, "C#%06u", number));
}

static void begin(void)
{
    shared = counted_shared_begin(&heap, (sheaf_shared_options){ 0 });
    for (uint32_t i = 0; i < COLLECTIONS; i++)
        cr_assert_eq(sheaf_shared_put(shared, collection_key(i), SHEAF_LIT("k"), SHEAF_LIT("old"), NULL, NULL), SHEAF_OK);
}

static void end(void)
{
    counted_shared_end(shared, &heap);
}

TestSuite(shared_view, .init = begin, .fini = end);

static sheaf_shared_view *open_view(void)
{
    sheaf_shared_view *view = NULL;
    cr_assert_eq(sheaf_shared_view_open(shared, &view, NULL), SHEAF_OK);
    return view;
}

/* Puts, adds and deletes in every collection. */
static void change_all(void)
{
    for (uint32_t i = 0; i < COLLECTIONS; i++) {
        sheaf_bytes key = collection_key(i);
        cr_assert_eq(sheaf_shared_put(shared, key, SHEAF_LIT("l"), SHEAF_LIT("new"), NULL, NULL), SHEAF_OK);
        cr_assert_eq(sheaf_shared_delete(shared, key, SHEAF_LIT("k"), NULL), SHEAF_OK);
        if (i % 3 == 0) cr_assert_eq(sheaf_shared_collection_drop(shared, key, NULL), SHEAF_OK);
    }
    for (uint32_t i = COLLECTIONS; i < 2 * COLLECTIONS; i++)
        cr_assert_eq(sheaf_shared_put(shared, collection_key(i), SHEAF_LIT("k"), SHEAF_LIT("new"), NULL, NULL), SHEAF_OK);
}

static void expect_old(const sheaf_shared_view *view)
{
    bool met[COLLECTIONS] = { false };
    sheaf_collection_info info;
    const sheaf_bytes *after = NULL;
    uint32_t count = 0;
    for (; sheaf_shared_view_next(view, after, &info) == SHEAF_OK; after = &info.partition_key_view, count++) {
        uint32_t number = COLLECTIONS;
        sheaf_bytes value;
        cr_assert_eq(sscanf((const char *)info.partition_key_view.data, "C#%06u", &number), 1);
        cr_assert(number < COLLECTIONS && !met[number], "collection %u", number);
        met[number] = true;
        cr_assert(info.totals.count == 1 && info.totals.bytes == 4);
        const sheaf_store *store = sheaf_shared_view_store(view, info.partition_key_view);
        cr_assert_eq(sheaf_store_get(store, info.partition_key_view, SHEAF_LIT("k"), &value, NULL), SHEAF_OK);
        cr_assert_eq(sheaf_bytes_compare(value, SHEAF_LIT("old")), 0);
    }
    cr_assert_eq(count, COLLECTIONS);
    sheaf_store_totals totals = sheaf_shared_view_total(view);
    cr_assert(totals.collection_count == COLLECTIONS && totals.entry_count == COLLECTIONS);
    cr_assert_eq(totals.logical_bytes, COLLECTIONS * (8 + 4));
}

Test(shared_view, keeps_all_shards_as_they_were)
{
    sheaf_shared_view *view = open_view();
    cr_assert_eq(sheaf_shared_total(shared).view_count, 1);
    change_all();
    expect_old(view);
    cr_assert_gt(sheaf_shared_total(shared).retained_bytes, 0);
    sheaf_shared_view_close(view);
    sheaf_store_totals totals = sheaf_shared_total(shared);
    cr_assert(totals.view_count == 0 && totals.retained_bytes == 0);
    sheaf_shared_view_close(NULL);
}

Test(shared_view, any_number_closed_in_any_order)
{
    sheaf_shared_view *first = open_view(), *second = open_view();
    change_all();
    sheaf_shared_view *third = open_view();
    sheaf_shared_view_close(second);
    expect_old(first);
    cr_assert_eq(sheaf_shared_view_total(third).collection_count, 2 * COLLECTIONS - COLLECTIONS / 3);
    sheaf_shared_view_close(first);
    sheaf_shared_view_close(third);
    cr_assert_eq(sheaf_shared_total(shared).retained_bytes, 0);
}

Test(shared_view, open_ones_end_with_the_shared_store)
{
    (void)open_view();
    change_all();
    (void)open_view();
    cr_assert_eq(sheaf_shared_total(shared).view_count, 2);
}

Test(shared_view, of_an_empty_store_has_nothing)
{
    struct test_heap own;
    sheaf_shared *empty = counted_shared_begin(&own, (sheaf_shared_options){ .shard_count = 4 });
    sheaf_shared_view *view = NULL;
    sheaf_collection_info info;
    cr_assert_eq(sheaf_shared_view_open(empty, &view, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_shared_view_next(view, NULL, &info), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_shared_view_total(view).entry_count, 0);
    sheaf_shared_view_close(view);
    counted_shared_end(empty, &own);
}
