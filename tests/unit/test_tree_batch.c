/*
 * test_tree_batch.c - many steps of a cursor at once: where a batch ends, what it gives, and where the cursor stands then.
 *
 * Nodes are of full size here, so that leaves hold more than a batch.
 */
#include "engine/tree/cursor.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "engine/tree/node.h"
#include "tests/support/orchard.h"

enum { CAPACITY = 200 };

static struct orchard orchard;
static sheaf_cursor cursor;
static uint8_t buffer[SHEAF_SORT_KEY_SIZE_HARD];
static sheaf_entry entries[CAPACITY];

static void begin(void)
{
    orchard_begin(&orchard);
}

static void end(void)
{
    orchard_end(&orchard);
}

TestSuite(tree_batch, .init = begin, .fini = end);

static void open_with(size_t buffer_size)
{
    sheaf_range all = sheaf_range_all();
    sheaf_tree_cursor_init(&cursor, &orchard.grove.changes, &all, buffer, buffer_size);
    cursor.tree = &orchard.tree;
}

static void expect_number(const sheaf_entry *entry, uint32_t number)
{
    char text[16];
    sheaf_bytes key = orchard_number(number, text);
    cr_assert(sheaf_bytes_equal(entry->key, key), "key %u", number);
    cr_assert_eq(entry->value.size, key.size + 1);
    cr_assert_eq(memcmp(entry->value.data + 1, key.data, key.size), 0, "value %u", number);
}

/* The cursor stands on this number. */
static void expect_at(uint32_t number)
{
    cr_assert_eq(cursor.place, SHEAF_PLACE_AT);
    expect_number(&(sheaf_entry){ cursor.key, cursor.value }, number);
}

Test(tree_batch, gives_as_many_as_are_wanted_and_stands_on_the_last)
{
    orchard_put_numbers(&orchard, 0, 100); /* one leaf */
    open_with(sizeof buffer);
    cr_assert_eq(sheaf_tree_cursor_next_many(&cursor, entries, 10), 10);
    for (uint32_t i = 0; i < 10; i++) expect_number(&entries[i], i);
    expect_at(9);
    cr_assert_eq(sheaf_tree_cursor_next_many(&cursor, entries, 5), 5);
    for (uint32_t i = 0; i < 5; i++) expect_number(&entries[i], 10 + i);
    cr_assert_eq(sheaf_tree_cursor_previous_many(&cursor, entries, CAPACITY), 14);
    for (uint32_t i = 0; i < 14; i++) expect_number(&entries[i], 13 - i);
    expect_at(0);
    cr_assert_eq(sheaf_tree_cursor_previous_many(&cursor, entries, 1), 0);
    cr_assert_eq(cursor.place, SHEAF_PLACE_BEFORE);
    cr_assert_eq(cursor.key.size, 0);
    cr_assert_eq(sheaf_tree_cursor_next_many(&cursor, entries, CAPACITY), 100);
    cr_assert_eq(sheaf_tree_cursor_next_many(&cursor, entries, CAPACITY), 0);
    cr_assert_eq(cursor.place, SHEAF_PLACE_BEHIND);
}

Test(tree_batch, of_nothing_moves_nothing)
{
    orchard_put_numbers(&orchard, 0, 100);
    open_with(sizeof buffer);
    cr_assert_eq(sheaf_tree_cursor_next_many(&cursor, NULL, 0), 0);
    cr_assert_eq(cursor.place, SHEAF_PLACE_BEFORE);
    cr_assert(sheaf_tree_cursor_next(&cursor));
    cr_assert_eq(sheaf_tree_cursor_previous_many(&cursor, NULL, 0), 0);
    expect_at(0);
}

Test(tree_batch, and_single_steps_go_well_together)
{
    orchard_put_numbers(&orchard, 0, 100);
    open_with(sizeof buffer);
    cr_assert_eq(sheaf_tree_cursor_next_many(&cursor, entries, 30), 30);
    cr_assert(sheaf_tree_cursor_next(&cursor));
    expect_at(30);
    cr_assert_eq(sheaf_tree_cursor_next_many(&cursor, entries, 30), 30);
    cr_assert(sheaf_tree_cursor_previous(&cursor));
    expect_at(59);
    cr_assert_eq(sheaf_tree_cursor_previous_many(&cursor, entries, 30), 30);
    expect_at(29);
    orchard_put(&orchard, SHEAF_LIT("000029x"), SHEAF_LIT("new"));
    cr_assert_eq(sheaf_tree_cursor_next_many(&cursor, entries, 2), 2);
    cr_assert(sheaf_bytes_equal(entries[0].key, SHEAF_LIT("000029x")));
    expect_number(&entries[1], 30);
}

Test(tree_batch, crosses_leaves_call_by_call)
{
    orchard_put_numbers(&orchard, 0, 5000);
    open_with(sizeof buffer);
    uint32_t calls = 0, number = 0;
    for (size_t count; (count = sheaf_tree_cursor_next_many(&cursor, entries, CAPACITY)) > 0; calls++) {
        for (size_t i = 0; i < count; i++) expect_number(&entries[i], number++);
    }
    cr_assert_eq(number, 5000);
    cr_assert_lt(calls, 5000 / 20);
    for (size_t count; (count = sheaf_tree_cursor_previous_many(&cursor, entries, 33)) > 0;) {
        for (size_t i = 0; i < count; i++) expect_number(&entries[i], --number);
    }
    cr_assert_eq(number, 0);
}

/* Keys of 6 bytes: 42 of them are 252 bytes. The wide copies end earlier; the rest is copied by size. */
Test(tree_batch, fills_the_room_for_keys_to_the_last_byte)
{
    orchard_put_numbers(&orchard, 0, 100);
    open_with(252);
    cr_assert_eq(sheaf_tree_cursor_next_many(&cursor, entries, CAPACITY), 42);
    for (uint32_t i = 0; i < 42; i++) expect_number(&entries[i], i);
    open_with(251);
    cr_assert_eq(sheaf_tree_cursor_next_many(&cursor, entries, CAPACITY), 41);
    open_with(6);
    for (uint32_t i = 0; i < 100; i++) {
        cr_assert_eq(sheaf_tree_cursor_next_many(&cursor, entries, CAPACITY), 1);
        expect_number(&entries[0], i);
    }
}

/* Suffixes of 0 to 79 bytes behind a prefix of 0 to 40, values in the cell, longer than 127 bytes, and out of line. */
Test(tree_batch, reads_cells_of_every_kind)
{
    static const size_t value_sizes[] = { 0, 1, 127, 128, 500, 600 };
    static uint8_t key[128], value[600];
    for (size_t prefix_size = 0; prefix_size <= 40; prefix_size += 8) {
        sheaf_tree_clear(&orchard.tree);
        memset(key, 'k', sizeof key);
        for (size_t size = 0; size < 80; size++) {
            memset(value, (int)size, sizeof value);
            size_t value_size = value_sizes[size % 6];
            orchard_put(&orchard, sheaf_bytes_of(key, prefix_size + size), sheaf_bytes_of(value, value_size));
        }
        open_with(sizeof buffer);
        size_t size = 0;
        for (size_t count; (count = sheaf_tree_cursor_next_many(&cursor, entries, 7)) > 0;) {
            for (size_t i = 0; i < count; i++, size++) {
                cr_assert(sheaf_bytes_equal(entries[i].key, sheaf_bytes_of(key, prefix_size + size)));
                memset(value, (int)size, sizeof value);
                cr_assert(sheaf_bytes_equal(entries[i].value, sheaf_bytes_of(value, value_sizes[size % 6])));
            }
        }
        cr_assert_eq(size, 80);
    }
}
