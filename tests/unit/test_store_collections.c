/*
 * test_store_collections.c - collections as wholes: totals, drop, delete range, enumeration, and bulk build.
 */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/counted_store.h"

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

TestSuite(collections, .init = begin, .fini = end);

static sheaf_bytes name_of(unsigned number, char *buffer)
{
    int size = snprintf(buffer, 16, "c%u", number);
    return sheaf_bytes_of(buffer, (size_t)size);
}

/* `count` entries of two bytes of key and one of value. */
static void fill(sheaf_bytes partition_key, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint8_t key[2] = { (uint8_t)('a' + i / 26), (uint8_t)('a' + i % 26) };
        cr_assert_eq(sheaf_store_put(store, partition_key, sheaf_bytes_of(key, 2), SHEAF_LIT("v"), NULL, NULL), SHEAF_OK);
    }
}

static void expect_collection(sheaf_bytes partition_key, uint64_t count)
{
    sheaf_totals totals = { 77, 77 };
    sheaf_status status = sheaf_collection_total(store, partition_key, &totals);
    cr_assert_eq(status, count ? SHEAF_OK : SHEAF_NOT_FOUND);
    cr_assert_eq(totals.count, count ? count : 77);
    cr_assert_eq(totals.bytes, count ? 3 * count : 77);
}

Test(collections, drop_gives_back_what_went)
{
    fill(SHEAF_LIT("p"), 100);
    fill(SHEAF_LIT("q"), 3);
    sheaf_totals deleted = { 0, 0 };
    heap.fail_from = 0;
    cr_assert_eq(sheaf_collection_drop(store, SHEAF_LIT("p"), &deleted), SHEAF_OK);
    cr_assert_eq(deleted.count, 100);
    cr_assert_eq(deleted.bytes, 300);
    cr_assert_eq(sheaf_collection_drop(store, SHEAF_LIT("p"), &deleted), SHEAF_NOT_FOUND);
    cr_assert_eq(deleted.count, 100, "untouched");
    test_heap_relent(&heap);
    expect_collection(SHEAF_LIT("p"), 0);
    expect_collection(SHEAF_LIT("q"), 3);
    cr_assert_eq(sheaf_store_total(store).logical_bytes, 1 + 9);
    cr_assert_eq(sheaf_collection_drop(store, SHEAF_LIT("q"), NULL), SHEAF_OK);
    cr_assert_eq(heap.live_blocks, 1);
}

Test(collections, are_as_deep_as_they_have_nodes_above_each_other)
{
    cr_assert_eq(sheaf_collection_depth(store, SHEAF_LIT("p")), 0);
    fill(SHEAF_LIT("p"), 1);
    cr_assert_eq(sheaf_collection_depth(store, SHEAF_LIT("p")), 1);
    fill(SHEAF_LIT("p"), 60); /* more than a node of 256 bytes holds, and few enough nodes for one to point at */
    cr_assert_eq(sheaf_collection_depth(store, SHEAF_LIT("p")), 2);
    cr_assert_eq(sheaf_collection_depth(store, SHEAF_LIT("q")), 0);
    cr_assert_eq(sheaf_collection_drop(store, SHEAF_LIT("p"), NULL), SHEAF_OK);
    cr_assert_eq(sheaf_collection_depth(store, SHEAF_LIT("p")), 0);
}

Test(collections, delete_range_ends_a_collection_that_becomes_empty)
{
    fill(SHEAF_LIT("p"), 60);
    sheaf_totals deleted;
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("b"));
    cr_assert_eq(sheaf_store_delete_range(store, SHEAF_LIT("p"), &range, &deleted, NULL), SHEAF_OK);
    cr_assert_eq(deleted.count, 26);
    cr_assert_eq(deleted.bytes, 78);
    expect_collection(SHEAF_LIT("p"), 34);
    cr_assert_eq(sheaf_store_delete_range(store, SHEAF_LIT("p"), &range, &deleted, NULL), SHEAF_OK);
    cr_assert_eq(deleted.count, 0);
    cr_assert_eq(sheaf_store_delete_range(store, SHEAF_LIT("none"), NULL, &deleted, NULL), SHEAF_OK);
    cr_assert_eq(deleted.count, 0);
    cr_assert_eq(sheaf_store_delete_range(store, SHEAF_LIT("p"), NULL, NULL, NULL), SHEAF_OK);
    expect_collection(SHEAF_LIT("p"), 0);
    cr_assert_eq(sheaf_store_total(store).collection_count, 0);
    cr_assert_eq(heap.live_blocks, 1);
}

Test(collections, enumeration_gives_each_once_while_others_come_and_go)
{
    enum { COUNT = 500 };
    char name[16];
    static unsigned met[2 * COUNT];
    for (unsigned i = 0; i < COUNT; i++) fill(name_of(i, name), 1 + i % 3);
    sheaf_collection_info info;
    char after_bytes[16];
    sheaf_bytes after;
    unsigned steps = 0;
    for (const sheaf_bytes *from = NULL; sheaf_collection_next(store, from, &info) == SHEAF_OK; from = &after, steps++) {
        memcpy(after_bytes, info.partition_key_view.data, info.partition_key_view.size);
        after = sheaf_bytes_of(after_bytes, info.partition_key_view.size);
        after_bytes[after.size] = 0;
        unsigned number = (unsigned)atoi(after_bytes + 1);
        met[number]++;
        if (number < COUNT) cr_assert_eq(info.totals.count, 1 + number % 3);
        /* Ends the odd ones as they are met, and begins new ones. */
        if (number < COUNT && number % 2) cr_assert_eq(sheaf_collection_drop(store, after, NULL), SHEAF_OK);
        if (steps < COUNT) fill(name_of(COUNT + steps, name), 1);
    }
    for (unsigned i = 0; i < COUNT; i++) cr_assert_eq(met[i], 1, "collection %u met %u times", i, met[i]);
    for (unsigned i = COUNT; i < 2 * COUNT; i++) cr_assert_leq(met[i], 1);
    cr_assert_eq(sheaf_store_total(store).collection_count, COUNT / 2 + COUNT);
}

/* A cursor opened with the view fetches the collection that follows, whatever has become of it. */
Test(collections, are_read_one_after_another_with_the_view_of_their_keys)
{
    enum { COUNT = 200 };
    char buffer[16];
    uint64_t entries = 0, collections = 0;
    for (unsigned i = 0; i < COUNT; i++) fill(name_of(i, buffer), 1 + i % 100);
    sheaf_collection_info info;
    const sheaf_bytes *after = NULL;
    for (; sheaf_collection_next(store, after, &info) == SHEAF_OK; after = &info.partition_key_view, collections++) {
        sheaf_cursor cursor;
        uint64_t read = 0;
        cr_assert_eq(sheaf_cursor_open(&cursor, store, info.partition_key_view, NULL, NULL), SHEAF_OK);
        while (sheaf_cursor_next(&cursor)) read++;
        cr_assert_eq(read, info.totals.count);
        entries += read;
        if (collections % 2) continue;
        sheaf_collection_info next; /* the one whose root was to be fetched goes, and what is left has to come out right */
        if (sheaf_collection_next(store, &info.partition_key_view, &next) != SHEAF_OK) continue;
        sheaf_entry entry;
        cr_assert_eq(sheaf_cursor_previous_many(&cursor, &entry, 1), 1);
        cr_assert_eq(sheaf_collection_drop(store, next.partition_key_view, NULL), SHEAF_OK);
        cr_assert_eq(sheaf_cursor_previous(&cursor), read > 1);
        entries += next.totals.count;
        collections++;
    }
    cr_assert_eq(collections, COUNT);
    cr_assert_eq(entries, 2 * 5050); /* 1 to 100, twice */
}

Test(collections, enumeration_of_none_is_not_found)
{
    sheaf_collection_info info = { .totals = { 77, 77 } };
    sheaf_bytes after = SHEAF_LIT("anything");
    cr_assert_eq(sheaf_collection_next(store, NULL, &info), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_collection_next(store, &after, &info), SHEAF_NOT_FOUND);
    cr_assert_eq(info.totals.count, 77);
}

/* ---- bulk build ------------------------------------------------------------------------------------------------------- */

Test(builder, puts_a_collection_in_its_place_whole, .init = begin, .fini = end)
{
    sheaf_builder *builder = NULL;
    cr_assert_eq(sheaf_builder_begin(store, SHEAF_LIT("p"), &builder, NULL), SHEAF_OK);
    char key[16];
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "%05u", i);
        cr_assert_eq(sheaf_builder_add(builder, sheaf_bytes_of(key, 5), SHEAF_LIT("value"), NULL), SHEAF_OK);
    }
    cr_assert_eq(sheaf_store_exists(store, SHEAF_LIT("p"), SHEAF_LIT("00000"), NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_store_total(store).entry_count, 0, "nothing is seen before finish");
    fill(SHEAF_LIT("q"), 10); /* other writes may go on */
    cr_assert_eq(sheaf_builder_finish(builder), SHEAF_OK);
    sheaf_store_totals totals = sheaf_store_total(store);
    cr_assert_eq(totals.entry_count, 1010);
    cr_assert_eq(totals.collection_count, 2);
    cr_assert_eq(totals.logical_bytes, 1 + 10000 + 1 + 30);
    cr_assert_eq(totals.charged_bytes, heap.live_bytes);
    sheaf_bytes value;
    cr_assert_eq(sheaf_store_get(store, SHEAF_LIT("p"), SHEAF_LIT("00999"), &value, NULL), SHEAF_OK);
}

Test(builder, refuses_what_is_there_already, .init = begin, .fini = end)
{
    fill(SHEAF_LIT("p"), 1);
    sheaf_builder *builder = NULL;
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_builder_begin(store, SHEAF_LIT("p"), &builder, &detail), SHEAF_EXISTS);
    cr_assert_null(builder);
    cr_assert_eq(sheaf_builder_begin(store, SHEAF_LIT("q"), &builder, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_add(builder, SHEAF_LIT("x"), SHEAF_LIT("from the build"), NULL), SHEAF_OK);
    fill(SHEAF_LIT("q"), 2); /* meanwhile */
    cr_assert_eq(sheaf_builder_finish(builder), SHEAF_EXISTS);
    expect_collection(SHEAF_LIT("q"), 2);
    cr_assert_eq(sheaf_collection_drop(store, SHEAF_LIT("q"), NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_finish(builder), SHEAF_OK, "it can be tried again");
    cr_assert_eq(sheaf_store_exists(store, SHEAF_LIT("q"), SHEAF_LIT("x"), NULL), SHEAF_OK);
}

Test(builder, goes_on_after_a_key_out_of_order, .init = begin, .fini = end)
{
    sheaf_builder *builder = NULL;
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_builder_begin(store, SHEAF_LIT("p"), &builder, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_add(builder, SHEAF_LIT("b"), SHEAF_LIT("1"), NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_add(builder, SHEAF_LIT("b"), SHEAF_LIT("2"), &detail), SHEAF_OUT_OF_ORDER);
    cr_assert_gt(strlen(detail.message), 10);
    cr_assert_eq(sheaf_builder_add(builder, SHEAF_LIT("a"), SHEAF_LIT("3"), NULL), SHEAF_OUT_OF_ORDER);
    cr_assert_eq(sheaf_builder_add(builder, SHEAF_LIT("c"), SHEAF_LIT("4"), NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_finish(builder), SHEAF_OK);
    sheaf_totals totals;
    cr_assert_eq(sheaf_collection_total(store, SHEAF_LIT("p"), &totals), SHEAF_OK);
    cr_assert_eq(totals.count, 2);
    cr_assert_eq(totals.bytes, 4);
}

Test(builder, of_nothing_makes_no_collection, .init = begin, .fini = end)
{
    sheaf_builder *builder = NULL;
    cr_assert_eq(sheaf_builder_begin(store, SHEAF_LIT("p"), &builder, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_finish(builder), SHEAF_OK);
    expect_collection(SHEAF_LIT("p"), 0);
    cr_assert_eq(heap.live_blocks, 1);
    cr_assert_eq(sheaf_builder_begin(store, SHEAF_LIT("p"), &builder, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_add(builder, SHEAF_LIT("k"), SHEAF_LIT("v"), NULL), SHEAF_OK);
    sheaf_builder_abort(builder);
    sheaf_builder_abort(NULL);
    cr_assert_eq(heap.live_blocks, 1);
}

/* The first finish finds no memory to take the tree in: what was built is kept, and may be added to, for the next. */
Test(builder, goes_on_after_a_finish_that_found_no_memory, .init = begin, .fini = end)
{
    bool refused = false;
    for (uint64_t n = 0;; n++) {
        sheaf_builder *builder = NULL;
        cr_assert_eq(sheaf_builder_begin(store, SHEAF_LIT("p"), &builder, NULL), SHEAF_OK);
        cr_assert_eq(sheaf_builder_add(builder, SHEAF_LIT("a"), SHEAF_LIT("1"), NULL), SHEAF_OK);
        heap.fail_from = heap.requests + n; /* one refusal is not enough: a finish can do without memory for packing */
        sheaf_status finished = sheaf_builder_finish(builder);
        test_heap_relent(&heap);
        if (finished == SHEAF_OK) break;
        cr_assert_eq(finished, SHEAF_NO_MEMORY);
        expect_collection(SHEAF_LIT("p"), 0);
        refused = true;
        cr_assert_eq(sheaf_builder_add(builder, SHEAF_LIT("b"), SHEAF_LIT("22"), NULL), SHEAF_OK);
        cr_assert_eq(sheaf_builder_finish(builder), SHEAF_OK);
        sheaf_totals totals;
        cr_assert_eq(sheaf_collection_drop(store, SHEAF_LIT("p"), &totals), SHEAF_OK);
        cr_assert_eq(totals.count, 2);
    }
    cr_assert(refused, "at least the directory's own block can be refused");
}
