/*
 * test_store_entries.c - entries one by one, and what a store counts of them.
 */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <stdio.h>
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

TestSuite(entries, .init = begin, .fini = end);

static bool put(const char *pk, const char *sk, const char *value)
{
    bool replaced;
    cr_assert_eq(sheaf_store_put(store, sheaf_bytes_of(pk, strlen(pk)), sheaf_bytes_of(sk, strlen(sk)),
                                 sheaf_bytes_of(value, strlen(value)), &replaced, NULL), SHEAF_OK);
    return replaced;
}

static const char *get(const char *pk, const char *sk)
{
    static char text[64];
    sheaf_bytes value;
    sheaf_bytes pk_bytes = sheaf_bytes_of(pk, strlen(pk)), sk_bytes = sheaf_bytes_of(sk, strlen(sk));
    sheaf_status status = sheaf_store_get(store, pk_bytes, sk_bytes, &value, NULL);
    cr_assert_eq(sheaf_store_exists(store, pk_bytes, sk_bytes, NULL), status);
    if (status != SHEAF_OK) return sheaf_status_name(status);
    memcpy(text, value.data, value.size);
    text[value.size] = 0;
    return text;
}

static void expect_totals(uint64_t collections, uint64_t entries, uint64_t logical)
{
    sheaf_store_totals totals = sheaf_store_total(store);
    cr_assert_eq(totals.collection_count, collections);
    cr_assert_eq(totals.entry_count, entries);
    cr_assert_eq(totals.logical_bytes, logical);
    cr_assert_eq(totals.charged_bytes, heap.live_bytes);
}

Test(entries, put_says_whether_it_replaced)
{
    cr_assert(!put("p", "a", "1"));
    cr_assert(put("p", "a", "22"));
    cr_assert(!put("p", "b", ""));
    cr_assert(put("p", "b", ""));
    cr_assert(!put("q", "a", "3"));
    cr_assert_str_eq(get("p", "a"), "22");
    cr_assert_str_eq(get("p", "b"), "");
    cr_assert_str_eq(get("q", "a"), "3");
    cr_assert_str_eq(get("q", "b"), "SHEAF_NOT_FOUND");
    cr_assert_str_eq(get("r", "a"), "SHEAF_NOT_FOUND");
}

Test(entries, are_counted_with_each_partition_key_once)
{
    expect_totals(0, 0, 0);
    put("part", "a", "1");
    expect_totals(1, 1, 4 + 2);
    put("part", "bb", "");
    expect_totals(1, 2, 4 + 2 + 2);
    put("part", "a", "12345");
    expect_totals(1, 2, 4 + 6 + 2);
    put("other", "c", "1");
    expect_totals(2, 3, 4 + 8 + 5 + 2);
    cr_assert_eq(sheaf_store_delete(store, SHEAF_LIT("part"), SHEAF_LIT("a"), NULL), SHEAF_OK);
    expect_totals(2, 2, 4 + 2 + 5 + 2);
    cr_assert_eq(sheaf_store_delete(store, SHEAF_LIT("part"), SHEAF_LIT("a"), NULL), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_store_delete(store, SHEAF_LIT("none"), SHEAF_LIT("a"), NULL), SHEAF_NOT_FOUND);
    expect_totals(2, 2, 4 + 2 + 5 + 2);
    cr_assert_eq(sheaf_store_delete(store, SHEAF_LIT("part"), SHEAF_LIT("bb"), NULL), SHEAF_OK);
    expect_totals(1, 1, 5 + 2); /* the last delete ended the collection */
    cr_assert_eq(sheaf_store_delete(store, SHEAF_LIT("other"), SHEAF_LIT("c"), NULL), SHEAF_OK);
    expect_totals(0, 0, 0);
    cr_assert_eq(heap.live_blocks, 1, "an empty store is its own record");
}

Test(entries, a_value_may_come_from_the_store_itself)
{
    put("p", "a", "a value that is copied about");
    sheaf_bytes value;
    char key[8];
    for (int i = 0; i < 300; i++) { /* the leaf it lies in is rebuilt and split meanwhile */
        cr_assert_eq(sheaf_store_get(store, SHEAF_LIT("p"), SHEAF_LIT("a"), &value, NULL), SHEAF_OK);
        int size = snprintf(key, sizeof key, "k%d", i);
        cr_assert_eq(sheaf_store_put(store, SHEAF_LIT("p"), sheaf_bytes_of(key, (size_t)size), value, NULL, NULL), SHEAF_OK);
        cr_assert_str_eq(get("p", key), "a value that is copied about");
    }
    cr_assert_eq(sheaf_store_get(store, SHEAF_LIT("p"), SHEAF_LIT("a"), &value, NULL), SHEAF_OK);
    value = sheaf_bytes_of(value.data + 2, value.size - 4);
    cr_assert_eq(sheaf_store_put(store, SHEAF_LIT("p"), SHEAF_LIT("a"), value, NULL, NULL), SHEAF_OK);
    cr_assert_str_eq(get("p", "a"), "value that is copied abo");
    cr_assert_eq(sheaf_store_get(store, SHEAF_LIT("p"), SHEAF_LIT("a"), &value, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_put(store, SHEAF_LIT("new"), SHEAF_LIT("a"), value, NULL, NULL), SHEAF_OK);
    cr_assert_str_eq(get("new", "a"), "value that is copied abo");
}

Test(entries, partition_keys_are_compared_whole)
{
    put("p", "a", "1");
    cr_assert_eq(sheaf_store_put(store, SHEAF_LIT("p\0"), SHEAF_LIT("a"), SHEAF_LIT("2"), NULL, NULL), SHEAF_OK);
    put("pp", "a", "3");
    cr_assert_str_eq(get("p", "a"), "1");
    cr_assert_str_eq(get("pp", "a"), "3");
    expect_totals(3, 3, 1 + 2 + 2 + 2 + 2 + 2);
}

Test(entries, stores_side_by_side_know_nothing_of_each_other)
{
    enum { STORES = 50 };
    sheaf_store *stores[STORES];
    for (uint8_t i = 0; i < STORES; i++) {
        sheaf_store_options options = { .sort_key_size_max = i % 2 ? 1 : 8, .hash_seed = i };
        cr_assert_eq(sheaf_store_create(&options, &stores[i], NULL), SHEAF_OK);
        for (uint8_t j = 0; j < i; j++)
            cr_assert_eq(sheaf_store_put(stores[i], SHEAF_LIT("p"), sheaf_bytes_of(&j, 1), sheaf_bytes_of(&i, 1), NULL, NULL),
                         SHEAF_OK);
    }
    for (uint8_t i = 0; i < STORES; i += 3) {
        sheaf_store_destroy(stores[i]);
        stores[i] = NULL;
    }
    for (uint8_t i = 0; i < STORES; i++) {
        if (!stores[i]) continue;
        cr_assert_eq(sheaf_store_total(stores[i]).entry_count, i);
        sheaf_bytes value;
        uint8_t key = 0;
        if (i > 0) cr_assert_eq(sheaf_store_get(stores[i], SHEAF_LIT("p"), sheaf_bytes_of(&key, 1), &value, NULL), SHEAF_OK);
        if (i > 0) cr_assert_eq(value.data[0], i);
        cr_assert_eq(sheaf_store_put(stores[i], SHEAF_LIT("p"), SHEAF_LIT("long"), SHEAF_LIT(""), NULL, NULL),
                     i % 2 ? SHEAF_KEY_TOO_LONG : SHEAF_OK);
        cr_assert(sheaf_store_check(stores[i], NULL));
        sheaf_store_destroy(stores[i]);
    }
    sheaf_store_destroy(NULL);
}

Test(entries, read_many_at_once_are_answered_each_on_its_own)
{
    enum { COUNT = 100 };
    static char keys[COUNT][16], values[COUNT][16];
    static sheaf_get gets[COUNT];
    cr_assert_eq(sheaf_store_get_many(store, gets, 0), 0);
    for (int i = 0; i < COUNT; i++) {
        snprintf(keys[i], sizeof keys[i], "k%03d", i);
        snprintf(values[i], sizeof values[i], "v%d", i);
        if (i % 3 != 0) put(i % 2 ? "odd" : "even", keys[i], values[i]);
    }
    for (int i = 0; i < COUNT; i++) {
        gets[i] = (sheaf_get){ .partition_key = i % 2 ? SHEAF_LIT("odd") : SHEAF_LIT("even"), .sort_key = { 0 } };
        if (i != 50) gets[i].sort_key = sheaf_bytes_of(keys[i], 4);
        if (i == 40) gets[i].partition_key = SHEAF_LIT("neither");
    }
    cr_assert_eq(sheaf_store_get_many(store, gets, COUNT), 64); /* 66 are there, two of them not asked for */
    for (int i = 0; i < COUNT; i++) {
        bool there = i % 3 != 0 && i != 40 && i != 50;
        cr_assert_eq(gets[i].status, i == 50 ? SHEAF_KEY_EMPTY : there ? SHEAF_OK : SHEAF_NOT_FOUND, "get %d", i);
        if (!there) continue;
        cr_assert_eq(gets[i].value_view.size, strlen(values[i]));
        cr_assert_eq(memcmp(gets[i].value_view.data, values[i], strlen(values[i])), 0);
    }
}

Test(entries, read_many_at_once_of_an_empty_store_are_not_found)
{
    sheaf_get gets[20];
    for (int i = 0; i < 20; i++) gets[i] = (sheaf_get){ .partition_key = SHEAF_LIT("p"), .sort_key = SHEAF_LIT("a") };
    cr_assert_eq(sheaf_store_get_many(store, gets, 20), 0);
    for (int i = 0; i < 20; i++) cr_assert_eq(gets[i].status, SHEAF_NOT_FOUND);
}
