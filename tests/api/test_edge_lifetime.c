/*
 * test_edge_lifetime.c - what outlives what, and what may be deleted underfoot.
 */
#include <stdio.h>
#include <string.h>

#include "tests/api/edge_case.h"

Test(lifetime, b94_a_page_keeps_what_a_cursor_lends)
{
    sheaf_store *store = shelf_of("a b c");
    sheaf_page page = page_of(store, (sheaf_page_request){ .limit = 3 });
    cr_assert_eq(sheaf_store_put(store, SHELF, SHEAF_LIT("b"), SHEAF_LIT("changed"), NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_collection_drop(store, SHELF, NULL), SHEAF_OK);
    cr_assert_str_eq(page_listed(&page), "a b c");
    cr_assert_eq(memcmp(page.entries[1].value.data, "=b", 2), 0);
    sheaf_store_destroy(store);
    cr_assert_str_eq(page_listed(&page), "a b c"); /* it outlives even the store of built-in memory */
    sheaf_page_release(&page);
    sheaf_page_release(&page);
    cr_assert_eq(page.count, 0);
    sheaf_page zeroed = { 0 };
    sheaf_page_release(&zeroed);
    sheaf_page_release(NULL);
}

Test(lifetime, b94_a_cursor_keeps_its_own_key)
{
    sheaf_store *store = shelf_of("a b c");
    sheaf_cursor cursor;
    open_on(&cursor, store, NULL);
    cr_assert(sheaf_cursor_first(&cursor));
    const uint8_t *key = cursor.key.data;
    cr_assert(key >= (const uint8_t *)&cursor && key < (const uint8_t *)(&cursor + 1), "the key lies in the cursor");
    cr_assert_eq(sheaf_collection_drop(store, SHELF, NULL), SHEAF_OK);
    cr_assert_str_eq(cursor_text(&cursor), "a");
    sheaf_store_destroy(store);
    cr_assert_eq(key[0], 'a');
}

Test(lifetime, b95_deleting_at_the_cursor_is_allowed)
{
    sheaf_store *store = shelf_of("a b c d");
    sheaf_cursor cursor;
    open_on(&cursor, store, NULL);
    cr_assert(sheaf_cursor_seek(&cursor, SHEAF_LIT("b")));
    cr_assert_eq(sheaf_store_delete(store, SHELF, cursor.key, NULL), SHEAF_OK);
    cr_assert(sheaf_cursor_valid(&cursor));
    cr_assert(sheaf_cursor_next(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "c");
    cr_assert_eq(sheaf_store_delete(store, SHELF, cursor.key, NULL), SHEAF_OK);
    cr_assert(sheaf_cursor_previous(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "a");
    cr_assert_eq(sheaf_store_delete(store, SHELF, cursor.key, NULL), SHEAF_OK);
    cr_assert(!sheaf_cursor_previous(&cursor));
    cr_assert(sheaf_cursor_next(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "d");
    cr_assert_eq(sheaf_store_delete(store, SHELF, cursor.key, NULL), SHEAF_OK); /* the last: the collection ends */
    cr_assert(!sheaf_cursor_next(&cursor));
    cr_assert(!sheaf_cursor_valid(&cursor));
    sheaf_store_destroy(store);
}

Test(lifetime, b97_what_was_put_is_read_at_once)
{
    sheaf_store *store = shelf_of("");
    for (unsigned i = 0; i < 2000; i++) {
        char key[16];
        int size = snprintf(key, sizeof key, "%04u", (i * 7919) % 2000);
        sheaf_bytes sort_key = sheaf_bytes_of(key, (size_t)size);
        sheaf_bytes value = { 0 };
        bool replaced = true;
        cr_assert_eq(sheaf_store_put(store, SHELF, sort_key, sort_key, &replaced, NULL), SHEAF_OK);
        cr_assert(!replaced);
        cr_assert_eq(sheaf_store_get(store, SHELF, sort_key, &value, NULL), SHEAF_OK);
        cr_assert_str_eq(key_text(value), key);
        sheaf_range range = sheaf_range_equal(sort_key);
        sheaf_totals totals = { 0, 0 };
        cr_assert_eq(sheaf_range_total(store, SHELF, &range, &totals, NULL), SHEAF_OK);
        cr_assert_eq(totals.count, 1);
        cr_assert_eq(sheaf_store_total(store).entry_count, i + 1);
    }
    sheaf_store_destroy(store);
}
