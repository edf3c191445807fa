/*
 * test_store_fork.c - stores that begin as views, and going back to views.
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "engine/store/store.h"
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

TestSuite(fork, .init = begin, .fini = end);

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

static void put(sheaf_store *to, const char *partition_key, uint32_t number, const char *value)
{
    char key[16];
    snprintf(key, sizeof key, "%06u", number);
    cr_assert_eq(sheaf_store_put(to, text(partition_key), text(key), text(value), NULL, NULL), SHEAF_OK);
}

static void delete(sheaf_store *from, const char *partition_key, uint32_t number)
{
    char key[16];
    snprintf(key, sizeof key, "%06u", number);
    cr_assert_eq(sheaf_store_delete(from, text(partition_key), text(key), NULL), SHEAF_OK);
}

/* The value of an entry as text; "" if there is none. */
static const char *get(const sheaf_store *from, const char *partition_key, uint32_t number)
{
    static char value[64];
    char key[16];
    sheaf_bytes found;
    snprintf(key, sizeof key, "%06u", number);
    if (sheaf_store_get(from, text(partition_key), text(key), &found, NULL) != SHEAF_OK) return "";
    memcpy(value, found.data, found.size);
    value[found.size] = '\0';
    return value;
}

static sheaf_view *open_view(sheaf_store *of)
{
    sheaf_view *view = NULL;
    cr_assert_eq(sheaf_view_open(of, &view, NULL), SHEAF_OK);
    return view;
}

static sheaf_store *fork_of(sheaf_view *view)
{
    sheaf_store *fork = NULL;
    cr_assert_eq(sheaf_store_fork(view, &fork, NULL), SHEAF_OK);
    return fork;
}

static void expect_sound(const sheaf_store *of)
{
    sheaf_fault fault = { 0 };
    cr_assert(sheaf_store_check(of, &fault), "%s", fault.rule);
}

static void fill(uint32_t collections, uint32_t entries)
{
    char name[16];
    for (uint32_t c = 0; c < collections; c++) {
        snprintf(name, sizeof name, "P#%u", c);
        for (uint32_t i = 0; i < entries; i++) put(store, name, i, "value");
    }
}

/* ---- forks -------------------------------------------------------------------------------------------------------------- */

Test(fork, it_is_written_beside_its_origin)
{
    put(store, "A", 1, "one");
    put(store, "A", 2, "two");
    put(store, "B", 1, "b");
    sheaf_view *view = open_view(store);
    sheaf_store *fork = fork_of(view);
    put(fork, "A", 1, "other");
    delete(fork, "B", 1);
    put(fork, "C", 1, "c");
    put(store, "A", 2, "changed");
    put(store, "D", 1, "d");

    cr_assert_str_eq(get(fork, "A", 1), "other");
    cr_assert_str_eq(get(fork, "A", 2), "two");
    cr_assert_str_eq(get(fork, "B", 1), "");
    cr_assert_str_eq(get(fork, "C", 1), "c");
    cr_assert_str_eq(get(fork, "D", 1), "");
    cr_assert_str_eq(get(store, "A", 1), "one");
    cr_assert_str_eq(get(store, "A", 2), "changed");
    cr_assert_str_eq(get(store, "B", 1), "b");
    cr_assert_str_eq(get(store, "C", 1), "");
    cr_assert_str_eq(get(sheaf_view_store(view), "A", 2), "two");
    sheaf_store_totals totals = sheaf_store_total(fork);
    cr_assert(totals.collection_count == 2 && totals.entry_count == 3);
    cr_assert_eq(totals.logical_bytes, 6 + 5 + 6 + 3 + 6 + 1 + 2);
    expect_sound(fork);
    sheaf_store_destroy(fork);
    sheaf_view_close(view);
}

Test(fork, it_keeps_its_view_open_until_its_end)
{
    fill(1, 300);
    sheaf_view *view = open_view(store);
    sheaf_store *first = fork_of(view);
    sheaf_store *second = fork_of(view);
    sheaf_view_close(view);
    cr_assert_eq(sheaf_store_total(store).view_count, 1);
    cr_assert_eq(sheaf_collection_drop(store, text("P#0"), NULL), SHEAF_OK);
    cr_assert_str_eq(get(first, "P#0", 299), "value");
    sheaf_store_destroy(first);
    cr_assert_str_eq(get(second, "P#0", 7), "value");
    cr_assert_gt(sheaf_store_total(store).retained_bytes, 0);
    sheaf_store_destroy(second);
    cr_assert_eq(sheaf_store_total(store).view_count, 0);
    cr_assert_eq(sheaf_store_total(store).retained_bytes, 0);
}

Test(fork, it_takes_what_is_changed_in_it)
{
    enum { COLLECTIONS = 1000 };
    fill(COLLECTIONS, 20);
    sheaf_view *view = open_view(store);
    uint64_t requests = heap.requests;
    sheaf_store *fork = fork_of(view);
    cr_assert_eq(heap.requests, requests + 1);
    cr_assert_eq(sheaf_store_total(fork).charged_bytes, sizeof *store);
    cr_assert_eq(sheaf_store_total(fork).entry_count, COLLECTIONS * 20);
    put(fork, "P#500", 7, "other");
    size_t table_size = sheaf_directory_table_size(&fork->directory);
    cr_assert_leq(table_size, 8 * 64);
    cr_assert_leq(sheaf_store_total(fork).charged_bytes, sizeof *store + table_size + 2200 + 3 * 256,
                  "the table, a bucket of 64 homes, a record, a root and a leaf");
    requests = heap.requests;
    put(fork, "P#500", 8, "other");
    cr_assert_leq(heap.requests, requests + 1);
    uint64_t charged = sheaf_store_total(store).charged_bytes;
    sheaf_store_destroy(fork);
    cr_assert_eq(sheaf_store_total(store).charged_bytes, charged);
    cr_assert_eq(heap.live_bytes, charged);
    sheaf_view_close(view);
}

Test(fork, it_has_views_and_forks_of_its_own)
{
    fill(5, 50);
    sheaf_view *view = open_view(store);
    sheaf_store *fork = fork_of(view);
    put(fork, "P#1", 3, "fork");
    sheaf_view *second_view = open_view(fork);
    put(fork, "P#1", 3, "later");
    sheaf_store *second = fork_of(second_view);
    put(second, "P#1", 4, "second");
    sheaf_view *third_view = open_view(second);
    cr_assert_eq(sheaf_collection_drop(second, text("P#2"), NULL), SHEAF_OK);
    cr_assert_str_eq(get(second, "P#1", 3), "fork");
    cr_assert_str_eq(get(second, "P#1", 4), "second");
    cr_assert_str_eq(get(second, "P#1", 5), "value");
    cr_assert_str_eq(get(second, "P#2", 5), "");
    cr_assert_str_eq(get(sheaf_view_store(third_view), "P#2", 5), "value");
    cr_assert_str_eq(get(fork, "P#1", 3), "later");
    cr_assert_str_eq(get(fork, "P#1", 4), "value");
    cr_assert_str_eq(get(store, "P#1", 3), "value");
    expect_sound(second);
    expect_sound(fork);
    sheaf_store_destroy(second); /* with a view open */
    sheaf_store_destroy(fork);   /* likewise */
    sheaf_view_close(view);
}

/* The directory grows and shrinks in the fork, trees grow by levels and go. */
Test(fork, all_of_it_may_be_changed)
{
    fill(40, 30);
    sheaf_view *view = open_view(store);
    uint64_t sum = state_sum(store);
    for (uint32_t round = 0; round < 3; round++) {
        sheaf_store *fork = fork_of(view);
        char name[16];
        for (uint32_t c = 0; c < 40; c++) {
            snprintf(name, sizeof name, "P#%u", c);
            if (round == 0) cr_assert_eq(sheaf_collection_drop(fork, text(name), NULL), SHEAF_OK);
            if (round == 1) put(fork, name, 29 - c % 30, "other");
        }
        if (round == 2) {
            for (uint32_t c = 40; c < 500; c++) {
                snprintf(name, sizeof name, "P#%u", c);
                put(fork, name, 1, "new");
            }
            for (uint32_t i = 30; i < 2000; i++) put(fork, "P#7", i, "more");
        }
        expect_sound(fork);
        cr_assert_eq(sheaf_store_total(fork).entry_count, round == 0 ? 0 : round == 1 ? 1200 : 1200 + 460 + 1970);
        sheaf_store_destroy(fork);
        cr_assert_eq(state_sum(store), sum);
        cr_assert_eq(heap.live_real_bytes, sheaf_store_total(store).charged_bytes);
    }
    sheaf_view_close(view);
}

Test(fork, memory_refused_leaves_nothing)
{
    fill(1, 10);
    sheaf_view *view = open_view(store);
    sheaf_store *fork = NULL;
    heap.fail_from = heap.requests;
    cr_assert_eq(sheaf_store_fork(view, &fork, NULL), SHEAF_NO_MEMORY);
    test_heap_relent(&heap);
    cr_assert_null(fork);
    sheaf_view_close(view);
    cr_assert_eq(sheaf_store_total(store).view_count, 0);
}

/* ---- going back --------------------------------------------------------------------------------------------------------- */

TestSuite(restore, .init = begin, .fini = end);

Test(restore, everything_is_as_it_was_as_often_as_wanted)
{
    fill(20, 100);
    sheaf_view *view = open_view(store);
    uint64_t sum = state_sum(store);
    uint64_t charged = sheaf_store_total(store).charged_bytes;
    char name[16];
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < 50; i++) {
            snprintf(name, sizeof name, "P#%u", i % 25);
            put(store, name, i * 7, "other");
        }
        for (uint32_t i = 0; i < 100; i++) delete(store, "P#3", i);
        for (uint32_t i = 200; i < 260; i++) put(store, "P#4", i, "in order");
        cr_assert_eq(sheaf_collection_drop(store, text("P#9"), NULL), SHEAF_OK);
        expect_sound(store);
        uint64_t requests = heap.requests;
        cr_assert_eq(sheaf_store_restore(store, view, NULL), SHEAF_OK);
        cr_assert_eq(heap.requests, requests, "going back to the newest view asks for no memory");
        expect_sound(store);
        cr_assert_eq(state_sum(store), sum);
        cr_assert_eq(state_sum(sheaf_view_store(view)), sum);
        cr_assert_eq(sheaf_store_total(store).charged_bytes, charged);
        cr_assert_eq(sheaf_store_total(store).retained_bytes, 0);
    }
    sheaf_view_close(view);
    put(store, "P#4", 100, "in order");
    cr_assert_str_eq(get(store, "P#4", 100), "in order");
}

Test(restore, back_and_forth_between_views)
{
    put(store, "A", 1, "first");
    sheaf_view *first = open_view(store);
    put(store, "A", 1, "second");
    put(store, "B", 1, "b");
    sheaf_view *second = open_view(store);
    put(store, "A", 1, "now");
    static const uint32_t order[] = { 0, 1, 1, 0, 0, 1 };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        cr_assert_eq(sheaf_store_restore(store, order[i] ? second : first, NULL), SHEAF_OK);
        expect_sound(store);
        cr_assert_str_eq(get(store, "A", 1), order[i] ? "second" : "first");
        cr_assert_str_eq(get(store, "B", 1), order[i] ? "b" : "");
        if (i == 2) put(store, "A", 1, "else");
        if (i == 3) delete(store, "A", 1);
        expect_sound(store);
        cr_assert_str_eq(get(sheaf_view_store(first), "A", 1), "first");
        cr_assert_str_eq(get(sheaf_view_store(second), "A", 1), "second");
    }
    sheaf_view_close(first);
    expect_sound(store);
    sheaf_view_close(second);
    cr_assert_eq(sheaf_store_total(store).retained_bytes, 0);
}

Test(restore, a_fork_goes_back_to_its_base)
{
    fill(3, 40);
    sheaf_view *view = open_view(store);
    sheaf_store *fork = fork_of(view);
    put(fork, "P#1", 5, "other");
    put(fork, "P#7", 5, "new");
    sheaf_view *own = open_view(fork);
    put(fork, "P#1", 6, "other");
    cr_assert_eq(sheaf_store_restore(fork, view, NULL), SHEAF_OK);
    cr_assert_eq(state_sum(fork), state_sum(store));
    expect_sound(fork);
    cr_assert_str_eq(get(sheaf_view_store(own), "P#1", 5), "other");
    cr_assert_eq(sheaf_store_restore(fork, own, NULL), SHEAF_OK);
    cr_assert_str_eq(get(fork, "P#7", 5), "new");
    cr_assert_str_eq(get(fork, "P#1", 6), "value");
    sheaf_view_close(own);
    cr_assert_eq(sheaf_store_restore(fork, view, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_total(fork).charged_bytes, sizeof *store);
    sheaf_store_destroy(fork);
    sheaf_view_close(view);
}

Test(restore, a_cursor_goes_on)
{
    fill(1, 50);
    sheaf_view *view = open_view(store);
    for (uint32_t i = 10; i < 40; i++) delete(store, "P#0", i);
    sheaf_cursor cursor;
    cr_assert_eq(sheaf_cursor_open(&cursor, store, text("P#0"), NULL, NULL), SHEAF_OK);
    cr_assert(sheaf_cursor_seek(&cursor, text("000009")));
    cr_assert_eq(sheaf_store_restore(store, view, NULL), SHEAF_OK);
    cr_assert(sheaf_cursor_next(&cursor));
    cr_assert_eq(memcmp(cursor.key.data, "000010", 6), 0);
    put(store, "P#0", 10, "other");
    cr_assert_eq(sheaf_cursor_refresh(&cursor), SHEAF_OK);
    cr_assert_eq(memcmp(cursor.value.data, "other", 5), 0);
    cr_assert_eq(sheaf_store_restore(store, view, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_cursor_refresh(&cursor), SHEAF_OK);
    cr_assert_eq(memcmp(cursor.value.data, "value", 5), 0);
    sheaf_view_close(view);
}

Test(restore, what_is_refused)
{
    struct test_heap other_heap;
    sheaf_store *other = counted_store_begin(&other_heap);
    fill(1, 50);
    sheaf_view *view = open_view(store);
    sheaf_view *foreign = open_view(other);
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_store_restore(store, foreign, &detail), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(detail.field, SHEAF_FIELD_VIEW);
    sheaf_store *forced = (sheaf_store *)(uintptr_t)sheaf_view_store(view);
    cr_assert_eq(sheaf_store_restore(forced, view, NULL), SHEAF_READ_ONLY);

    put(store, "P#0", 7, "other");
    sheaf_view *newer = open_view(store);
    for (uint32_t round = 0; round < 2; round++) { /* by births; then by comparing both states */
        sheaf_store_totals before = sheaf_store_total(store);
        heap.fail_from = heap.requests;
        cr_assert_eq(sheaf_store_restore(store, round ? newer : view, NULL), SHEAF_NO_MEMORY);
        test_heap_relent(&heap);
        sheaf_store_totals after = sheaf_store_total(store);
        cr_assert_eq(memcmp(&before, &after, sizeof after), 0);
        cr_assert_str_eq(get(store, "P#0", 7), round ? "value" : "other");
        expect_sound(store);
        cr_assert_eq(sheaf_store_restore(store, round ? newer : view, NULL), SHEAF_OK);
    }
    cr_assert_str_eq(get(store, "P#0", 7), "other");
    sheaf_view_close(newer);
    sheaf_view_close(view);
    sheaf_view_close(foreign);
    counted_store_end(other, &other_heap);
}
