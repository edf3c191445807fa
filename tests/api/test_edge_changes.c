/*
 * test_edge_changes.c - writes while a cursor is under way.
 */
#include <stdio.h>

#include "tests/api/edge_case.h"

/* Deletes at the cursor all the way; returns how many went. */
static size_t delete_all_by_cursor(sheaf_store *store, sheaf_direction direction)
{
    sheaf_cursor cursor;
    open_on(&cursor, store, NULL);
    size_t deleted = 0;
    bool forward = direction == SHEAF_FORWARD;
    bool at = forward ? sheaf_cursor_first(&cursor) : sheaf_cursor_last(&cursor);
    for (; at; at = forward ? sheaf_cursor_next(&cursor) : sheaf_cursor_previous(&cursor), deleted++)
        cr_assert_eq(sheaf_store_delete(store, SHELF, cursor.key, NULL), SHEAF_OK);
    return deleted;
}

Test(changes, b34_deleting_each_entry_skips_none)
{
    for (int direction = SHEAF_FORWARD; direction <= SHEAF_REVERSE; direction++) {
        sheaf_store *store = shelf_of("a b c d");
        cr_assert_eq(delete_all_by_cursor(store, (sheaf_direction)direction), 4);
        cr_assert_eq(sheaf_store_total(store).entry_count, 0);
        sheaf_store_destroy(store);
    }
}

static void put_numbers(sheaf_store *store, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char key[16];
        snprintf(key, sizeof key, "%06u", i);
        shelf_put(store, key);
    }
}

Test(changes, b35_entries_put_in_on_the_way_move_nothing)
{
    sheaf_store *store = shelf_of("");
    put_numbers(store, 40);
    sheaf_cursor cursor;
    open_on(&cursor, store, NULL);
    unsigned met = 0;
    for (bool at = sheaf_cursor_first(&cursor); at; at = sheaf_cursor_next(&cursor), met++) {
        char expected[16];
        snprintf(expected, sizeof expected, "%06u", met);
        cr_assert_str_eq(cursor_text(&cursor), expected);
        snprintf(expected, sizeof expected, "-%u", met); /* below all numbers */
        shelf_put(store, expected);
    }
    cr_assert_eq(met, 40);
    cr_assert_eq(sheaf_store_total(store).entry_count, 80);
    sheaf_store_destroy(store);
}

Test(changes, b35_an_entry_put_in_ahead_is_met_and_one_behind_is_not)
{
    sheaf_store *store = shelf_of("b d f");
    sheaf_cursor cursor;
    open_on(&cursor, store, NULL);
    cr_assert(sheaf_cursor_seek(&cursor, SHEAF_LIT("d")));
    shelf_put(store, "c e");
    cr_assert(sheaf_cursor_next(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "e");
    cr_assert(sheaf_cursor_previous(&cursor));
    cr_assert(sheaf_cursor_previous(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "c");
    sheaf_store_destroy(store);
}

Test(changes, b37_an_entry_deleted_under_another_cursor_is_a_position)
{
    sheaf_store *store = shelf_of("A B C");
    sheaf_cursor cursors[3];
    for (size_t i = 0; i < 3; i++) cr_assert(sheaf_cursor_seek(open_on(&cursors[i], store, NULL), SHEAF_LIT("B")));
    cr_assert_eq(sheaf_store_delete(store, SHELF, cursors[1].key, NULL), SHEAF_OK);
    cr_assert_str_eq(cursor_text(&cursors[0]), "B"); /* still its place */
    cr_assert_eq(sheaf_cursor_refresh(&cursors[0]), SHEAF_NOT_FOUND);
    cr_assert(sheaf_cursor_next(&cursors[0]));
    cr_assert_str_eq(cursor_text(&cursors[0]), "C");
    cr_assert(sheaf_cursor_next(&cursors[1]));
    cr_assert_str_eq(cursor_text(&cursors[1]), "C");
    cr_assert(sheaf_cursor_previous(&cursors[2]));
    cr_assert_str_eq(cursor_text(&cursors[2]), "A");
    sheaf_store_destroy(store);
}

/* More than a node of the built library holds, so that leaves merge on the way. */
Test(changes, b38_deleting_every_entry_while_leaves_merge)
{
    for (int direction = SHEAF_FORWARD; direction <= SHEAF_REVERSE; direction++) {
        sheaf_store *store = shelf_of("");
        put_numbers(store, 5000);
        cr_assert_eq(delete_all_by_cursor(store, (sheaf_direction)direction), 5000);
        cr_assert_eq(sheaf_store_total(store).entry_count, 0);
        cr_assert(sheaf_store_check(store, NULL));
        sheaf_store_destroy(store);
    }
}

Test(changes, b38_deleting_every_second_entry_meets_all)
{
    for (int direction = SHEAF_FORWARD; direction <= SHEAF_REVERSE; direction++) {
        bool forward = direction == SHEAF_FORWARD;
        sheaf_store *store = shelf_of("");
        put_numbers(store, 5000);
        sheaf_cursor cursor;
        open_on(&cursor, store, NULL);
        unsigned met = 0;
        bool at = forward ? sheaf_cursor_first(&cursor) : sheaf_cursor_last(&cursor);
        for (; at; at = forward ? sheaf_cursor_next(&cursor) : sheaf_cursor_previous(&cursor), met++) {
            char expected[16];
            snprintf(expected, sizeof expected, "%06u", forward ? met : 4999 - met);
            cr_assert_str_eq(cursor_text(&cursor), expected);
            if (met % 2 == 0) cr_assert_eq(sheaf_store_delete(store, SHELF, cursor.key, NULL), SHEAF_OK);
        }
        cr_assert_eq(met, 5000);
        cr_assert_eq(sheaf_store_total(store).entry_count, 2500);
        sheaf_store_destroy(store);
    }
}

Test(changes, b40_a_bound_does_not_change_where_the_other_direction_lands)
{
    sheaf_store *store = shelf_of("a b c x y");
    sheaf_range range = sheaf_range_at_most(SHEAF_LIT("c"));
    sheaf_cursor cursor;
    open_on(&cursor, store, &range);
    cr_assert(sheaf_cursor_seek(&cursor, SHEAF_LIT("b")));
    cr_assert(sheaf_cursor_previous(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "a");
    cr_assert(!sheaf_cursor_previous(&cursor));
    cr_assert(!sheaf_cursor_previous(&cursor));
    cr_assert(sheaf_cursor_next(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "a");
    cr_assert(sheaf_cursor_seek(&cursor, SHEAF_LIT("c")));
    cr_assert(!sheaf_cursor_next(&cursor));
    cr_assert(sheaf_cursor_previous(&cursor)); /* turned round behind the end: the bound's entry, not the tree's */
    cr_assert_str_eq(cursor_text(&cursor), "c");
    range = sheaf_range_at_least(SHEAF_LIT("c"));
    open_on(&cursor, store, &range);
    cr_assert(sheaf_cursor_seek_at_most(&cursor, SHEAF_LIT("x")));
    cr_assert(sheaf_cursor_next(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "y");
    cr_assert(sheaf_cursor_first(&cursor));
    cr_assert(!sheaf_cursor_previous(&cursor));
    cr_assert(sheaf_cursor_next(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "c");
    sheaf_store_destroy(store);
}

Test(changes, b41_seeking_stays_in_the_range)
{
    sheaf_store *store = shelf_of("a d");
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("c"));
    sheaf_cursor cursor;
    open_on(&cursor, store, &range);
    cr_assert(!sheaf_cursor_seek_at_most(&cursor, SHEAF_LIT("c")));
    cr_assert(!sheaf_cursor_valid(&cursor));
    cr_assert(!sheaf_cursor_seek(&cursor, SHEAF_LIT("c")));
    cr_assert(!sheaf_cursor_valid(&cursor));
    cr_assert(!sheaf_cursor_seek(&cursor, SHEAF_LIT("a")));
    cr_assert(!sheaf_cursor_seek_at_most(&cursor, SHEAF_LIT("z")));
    cr_assert(!sheaf_cursor_seek_nth(&cursor, 0, SHEAF_FORWARD));
    shelf_put(store, "c cc"); /* and from outside the range one lands at its end that is nearer */
    cr_assert(sheaf_cursor_seek(&cursor, SHEAF_LIT("a")));
    cr_assert_str_eq(cursor_text(&cursor), "c");
    cr_assert(sheaf_cursor_seek_at_most(&cursor, SHEAF_LIT("z")));
    cr_assert_str_eq(cursor_text(&cursor), "cc");
    cr_assert(!sheaf_cursor_seek(&cursor, SHEAF_LIT("d")));
    cr_assert(!sheaf_cursor_seek_at_most(&cursor, SHEAF_LIT("b")));
    sheaf_store_destroy(store);
}

Test(changes, a_cursor_outlives_its_collection)
{
    sheaf_store *store = shelf_of("a b c");
    sheaf_cursor cursor;
    open_on(&cursor, store, NULL);
    cr_assert(sheaf_cursor_seek(&cursor, SHEAF_LIT("b")));
    cr_assert_eq(sheaf_collection_drop(store, SHELF, NULL), SHEAF_OK);
    cr_assert_str_eq(cursor_text(&cursor), "b");
    cr_assert_eq(sheaf_cursor_refresh(&cursor), SHEAF_NOT_FOUND);
    shelf_put(store, "a b c d");
    cr_assert_eq(sheaf_cursor_refresh(&cursor), SHEAF_OK);
    cr_assert(sheaf_cursor_next(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "c");
    cr_assert_eq(sheaf_collection_drop(store, SHELF, NULL), SHEAF_OK);
    cr_assert(!sheaf_cursor_next(&cursor));
    shelf_put(store, "z");
    cr_assert(sheaf_cursor_previous(&cursor)); /* from behind the last to the last */
    cr_assert_str_eq(cursor_text(&cursor), "z");
    sheaf_store_destroy(store);
}

Test(changes, a_cursor_on_nothing_sees_what_comes)
{
    sheaf_store *store = shelf_of("");
    sheaf_cursor cursor;
    open_on(&cursor, store, NULL);
    shelf_put(store, "a b");
    cr_assert(sheaf_cursor_next(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "a");
    sheaf_store_destroy(store);
}
