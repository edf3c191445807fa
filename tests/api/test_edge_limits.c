/*
 * test_edge_limits.c - empty keys, refused and allowed.
 */
#include "tests/api/edge_case.h"

Test(limits, b62_an_empty_key_is_refused_everywhere)
{
    sheaf_store *store = shelf_of("a");
    sheaf_bytes empty = sheaf_bytes_of(NULL, 0);
    sheaf_bytes value = SHEAF_LIT("untouched");
    uint64_t rank = 77;
    sheaf_builder *builder = NULL;
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_store_put(store, SHELF, empty, SHEAF_LIT("v"), NULL, &detail), SHEAF_KEY_EMPTY);
    cr_assert_eq(detail.field, SHEAF_FIELD_SORT_KEY);
    cr_assert_eq(detail.size, 0);
    cr_assert_eq(sheaf_store_put(store, empty, SHEAF_LIT("k"), SHEAF_LIT("v"), NULL, &detail), SHEAF_KEY_EMPTY);
    cr_assert_eq(detail.field, SHEAF_FIELD_PARTITION_KEY);
    cr_assert_eq(sheaf_store_get(store, SHELF, empty, &value, NULL), SHEAF_KEY_EMPTY);
    cr_assert_eq(sheaf_store_exists(store, SHELF, empty, NULL), SHEAF_KEY_EMPTY);
    cr_assert_eq(sheaf_store_delete(store, SHELF, empty, NULL), SHEAF_KEY_EMPTY);
    cr_assert_eq(sheaf_rank(store, SHELF, empty, SHEAF_FORWARD, &rank, NULL, NULL), SHEAF_KEY_EMPTY);
    cr_assert_eq(sheaf_builder_begin(store, empty, &builder, NULL), SHEAF_KEY_EMPTY);
    cr_assert_eq(sheaf_builder_begin(store, SHEAF_LIT("other"), &builder, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_builder_add(builder, empty, SHEAF_LIT("v"), NULL), SHEAF_KEY_EMPTY);
    sheaf_builder_abort(builder);
    cr_assert_eq(rank, 77);
    cr_assert_eq(value.size, 9);
    expect_listed(store, sheaf_range_all(), "a", "a");
    sheaf_store_destroy(store);
}

Test(limits, b62_where_an_empty_key_is_allowed_it_is_the_lowest)
{
    sheaf_store_options options = { .allow_empty_sort_key = true, .allow_empty_partition_key = true };
    sheaf_store *store = NULL;
    cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_OK);
    sheaf_bytes empty = sheaf_bytes_of(NULL, 0);
    cr_assert_eq(sheaf_store_put(store, empty, SHEAF_LIT("\0"), SHEAF_LIT("1"), NULL, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_put(store, empty, empty, SHEAF_LIT("0"), NULL, NULL), SHEAF_OK);
    sheaf_cursor cursor;
    cr_assert_eq(sheaf_cursor_open(&cursor, store, empty, NULL, NULL), SHEAF_OK);
    cr_assert(sheaf_cursor_first(&cursor));
    cr_assert_eq(cursor.key.size, 0);
    cr_assert_eq(cursor.value.data[0], '0');
    cr_assert(sheaf_cursor_next(&cursor));
    cr_assert_eq(cursor.key.size, 1);
    cr_assert(sheaf_cursor_previous(&cursor));
    cr_assert_eq(cursor.key.size, 0);
    cr_assert(sheaf_cursor_valid(&cursor));
    cr_assert_eq(sheaf_store_delete(store, empty, empty, NULL), SHEAF_OK);
    cr_assert(sheaf_cursor_next(&cursor)); /* the empty key as a position */
    cr_assert_eq(cursor.key.size, 1);
    sheaf_store_destroy(store);
}
