/*
 * test_edge_views.c - the cases of changes, lifetimes and transactions once more, with views, forks and batches.
 */
#include <stdio.h>
#include <string.h>

#include "tests/api/edge_case.h"

static sheaf_view *view_of(sheaf_store *store)
{
    sheaf_view *view = NULL;
    cr_assert_eq(sheaf_view_open(store, &view, NULL), SHEAF_OK);
    return view;
}

/* A scan of a view gives each entry once, whatever is deleted or put in on the way. */
Test(views, b34_b35_b38_a_scan_of_a_view_is_not_moved_by_writes)
{
    for (int direction = SHEAF_FORWARD; direction <= SHEAF_REVERSE; direction++) {
        bool forward = direction == SHEAF_FORWARD;
        sheaf_store *store = shelf_of("");
        char key[16];
        for (unsigned i = 0; i < 5000; i++) {
            snprintf(key, sizeof key, "%06u", i);
            shelf_put(store, key);
        }
        sheaf_view *view = view_of(store);
        sheaf_cursor cursor;
        open_on(&cursor, sheaf_view_store(view), NULL);
        unsigned met = 0;
        bool at = forward ? sheaf_cursor_first(&cursor) : sheaf_cursor_last(&cursor);
        for (; at; at = forward ? sheaf_cursor_next(&cursor) : sheaf_cursor_previous(&cursor), met++) {
            snprintf(key, sizeof key, "%06u", forward ? met : 4999 - met);
            cr_assert_str_eq(cursor_text(&cursor), key);
            cr_assert_eq(sheaf_store_delete(store, SHELF, cursor.key, NULL), SHEAF_OK);
            if (met % 10 == 0) {
                snprintf(key, sizeof key, "%06u-", met);
                shelf_put(store, key);
            }
        }
        cr_assert_eq(met, 5000);
        cr_assert_eq(sheaf_store_total(store).entry_count, 500);
        sheaf_view_close(view);
        cr_assert(sheaf_store_check(store, NULL));
        sheaf_store_destroy(store);
    }
}

Test(views, b37_what_another_deletes_is_there_all_the_same)
{
    sheaf_store *store = shelf_of("A B C");
    sheaf_view *view = view_of(store);
    sheaf_cursor cursor;
    cr_assert(sheaf_cursor_seek(open_on(&cursor, sheaf_view_store(view), NULL), SHEAF_LIT("B")));
    shelf_delete(store, "B");
    cr_assert_eq(sheaf_cursor_refresh(&cursor), SHEAF_OK);
    cr_assert(sheaf_cursor_next(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "C");
    cr_assert(sheaf_cursor_previous(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "B");
    expect_listed(sheaf_view_store(view), sheaf_range_all(), "A B C", "C B A");
    expect_listed(store, sheaf_range_all(), "A C", "C A");
    sheaf_view_close(view);
    sheaf_store_destroy(store);
}

Test(views, b20_pages_of_a_view_go_on_after_the_store_has_changed)
{
    sheaf_store *store = shelf_of("a b c d e");
    sheaf_view *view = view_of(store);
    sheaf_page first = page_of(sheaf_view_store(view), (sheaf_page_request){ .limit = 2 });
    cr_assert_str_eq(page_listed(&first), "a b");
    shelf_delete(store, "b");
    shelf_delete(store, "c");
    shelf_put(store, "bb cc");
    sheaf_page_request request = { .limit = 2, .anchor = SHEAF_ANCHOR_AFTER, .position = first.last };
    sheaf_page of_view = page_of(sheaf_view_store(view), request);
    sheaf_page of_store = page_of(store, request);
    cr_assert_str_eq(page_listed(&of_view), "c d");
    cr_assert_str_eq(page_listed(&of_store), "bb cc");
    sheaf_page_release(&first);
    sheaf_page_release(&of_view);
    sheaf_page_release(&of_store);
    sheaf_view_close(view);
    sheaf_store_destroy(store);
}

Test(views, b94_values_stay_where_they_are_until_it_closes)
{
    static const char keys[] = "abc";
    sheaf_store *store = shelf_of("a b c");
    sheaf_view *view = view_of(store);
    sheaf_bytes values[3];
    sheaf_cursor cursor;
    open_on(&cursor, sheaf_view_store(view), NULL);
    for (size_t i = 0; sheaf_cursor_next(&cursor); i++) values[i] = cursor.value;
    cr_assert_eq(sheaf_store_put(store, SHELF, SHEAF_LIT("b"), SHEAF_LIT("changed"), NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_collection_drop(store, SHELF, NULL), SHEAF_OK);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(values[i].size, 2);
        cr_assert(values[i].data[0] == '=' && values[i].data[1] == (uint8_t)keys[i]);
    }
    sheaf_view_close(view);
    sheaf_view_close(NULL);
    sheaf_store_destroy(store);
}

Test(views, b97_a_write_is_read_at_once_and_a_view_never_sees_it)
{
    sheaf_store *store = shelf_of("a");
    sheaf_view *before = view_of(store);
    shelf_put(store, "b");
    sheaf_view *after = view_of(store);
    sheaf_store *fork = NULL;
    cr_assert_eq(sheaf_store_fork(after, &fork, NULL), SHEAF_OK);
    shelf_put(fork, "c");
    expect_listed(store, sheaf_range_all(), "a b", "b a");
    expect_listed(sheaf_view_store(before), sheaf_range_all(), "a", "a");
    expect_listed(sheaf_view_store(after), sheaf_range_all(), "a b", "b a");
    expect_listed(fork, sheaf_range_all(), "a b c", "c b a");
    cr_assert_eq(sheaf_store_restore(store, before, NULL), SHEAF_OK);
    expect_listed(store, sheaf_range_all(), "a", "a");
    expect_listed(fork, sheaf_range_all(), "a b c", "c b a");
    sheaf_store_destroy(fork);
    sheaf_view_close(after);
    sheaf_view_close(before);
    sheaf_store_destroy(store);
}

Test(views, b70_b92_a_batch_is_done_whole_and_in_order)
{
    sheaf_store *store = shelf_of("k/0 k/1 z");
    sheaf_batch_write writes[] = {
        sheaf_batch_delete_range(SHELF, sheaf_range_prefix(SHEAF_LIT("k/"))),
        sheaf_batch_put(SHELF, SHEAF_LIT("k/1"), SHEAF_LIT("=k/1")),
        sheaf_batch_put(SHELF, SHEAF_LIT(""), SHEAF_LIT("refused")),
    };
    size_t refused = 0;
    cr_assert_eq(sheaf_batch_apply(store, writes, 3, &refused, NULL), SHEAF_KEY_EMPTY);
    cr_assert_eq(refused, 2);
    expect_listed(store, sheaf_range_all(), "k/0 k/1 z", "z k/1 k/0");
    cr_assert_eq(sheaf_batch_apply(store, writes, 2, NULL, NULL), SHEAF_OK);
    expect_listed(store, sheaf_range_all(), "k/1 z", "z k/1");
    sheaf_store_destroy(store);
}
