/*
 * test_edge_bounds.c - the ends of a range: prefixes that end in FF or are empty, and bounds that are crossed.
 */
#include "tests/api/edge_case.h"

/* ---- prefix bounds ---------------------------------------------------------------------------------------------------- */

Test(prefixes, b29_a_prefix_that_ends_in_ff_takes_no_foreign_keys)
{
    sheaf_store *store = shelf_of("\\x03\\xAA\\xFE \\x03\\xAA\\xFF \\x03\\xAA\\xFF\\x00 \\x03\\xAA\\xFF\\xFF "
                                  "\\x03\\xAB \\x03\\xAB\\x00 \\x03\\xAB\\xFE");
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("\x03\xAA\xFF"));
    expect_listed(store, range, "\\x03\\xAA\\xFF \\x03\\xAA\\xFF\\x00 \\x03\\xAA\\xFF\\xFF",
                  "\\x03\\xAA\\xFF\\xFF \\x03\\xAA\\xFF\\x00 \\x03\\xAA\\xFF");
    sheaf_totals deleted;
    cr_assert_eq(sheaf_store_delete_range(store, SHELF, &range, &deleted, NULL), SHEAF_OK);
    cr_assert_eq(deleted.count, 3);
    cr_assert_eq(deleted.bytes, (3 + 4) + (4 + 5) + (4 + 5)); /* keys, and values one byte longer */
    expect_listed(store, sheaf_range_all(), "\\x03\\xAA\\xFE \\x03\\xAB \\x03\\xAB\\x00 \\x03\\xAB\\xFE",
                  "\\x03\\xAB\\xFE \\x03\\xAB\\x00 \\x03\\xAB \\x03\\xAA\\xFE");
    sheaf_store_destroy(store);
}

Test(prefixes, b31_a_prefix_of_ff_alone_has_no_upper_key)
{
    sheaf_store *store = shelf_of("\\xFE \\xFF \\xFF\\xFE \\xFF\\xFF \\xFF\\xFF\\x00 \\xFF\\xFF\\xFF");
    expect_listed(store, sheaf_range_prefix(SHEAF_LIT("\xFF\xFF")), "\\xFF\\xFF \\xFF\\xFF\\x00 \\xFF\\xFF\\xFF",
                  "\\xFF\\xFF\\xFF \\xFF\\xFF\\x00 \\xFF\\xFF");
    expect_listed(store, sheaf_range_beyond_prefix(SHEAF_LIT("\xFF\xFF")), "", "");
    expect_listed(store, sheaf_range_beyond_prefix(SHEAF_LIT("\xFF\xFE")), "\\xFF\\xFF \\xFF\\xFF\\x00 \\xFF\\xFF\\xFF",
                  "\\xFF\\xFF\\xFF \\xFF\\xFF\\x00 \\xFF\\xFF");
    expect_listed(store, sheaf_range_through_prefix(SHEAF_LIT("\xFF\xFE")), "\\xFE \\xFF \\xFF\\xFE",
                  "\\xFF\\xFE \\xFF \\xFE");
    sheaf_store_destroy(store);
}

Test(prefixes, b32_an_empty_prefix_is_everything)
{
    sheaf_store *store = shelf_of("a b");
    expect_listed(store, sheaf_range_prefix(SHEAF_LIT("")), "a b", "b a");
    expect_listed(store, sheaf_range_prefix(sheaf_bytes_of(NULL, 0)), "a b", "b a");
    expect_listed(store, sheaf_range_through_prefix(SHEAF_LIT("")), "a b", "b a");
    expect_listed(store, sheaf_range_beyond_prefix(SHEAF_LIT("")), "", "");
    expect_listed(store, (sheaf_range){ 0 }, "a b", "b a");
    sheaf_store_destroy(store);
}

/* ---- inverted ranges -------------------------------------------------------------------------------------------------- */

Test(ranges, b82_an_inverted_range_is_refused_by_every_call)
{
    sheaf_store *store = shelf_of("1 2 3");
    sheaf_range inverted = sheaf_range_between(SHEAF_LIT("2"), SHEAF_LIT("1"));
    sheaf_detail detail = { 0 };
    sheaf_totals totals = { 77, 77 };
    sheaf_page page = { .count = 77 };
    sheaf_cursor cursor;
    sheaf_page_request request = { .range = inverted, .limit = 1 };
    cr_assert_eq(sheaf_cursor_open(&cursor, store, SHELF, &inverted, &detail), SHEAF_RANGE_INVERTED);
    cr_assert_eq(detail.field, SHEAF_FIELD_RANGE);
    cr_assert_eq(sheaf_range_total(store, SHELF, &inverted, &totals, NULL), SHEAF_RANGE_INVERTED);
    cr_assert_eq(sheaf_page_read(store, SHELF, &request, &page, NULL), SHEAF_RANGE_INVERTED);
    cr_assert_eq(sheaf_store_delete_range(store, SHELF, &inverted, &totals, NULL), SHEAF_RANGE_INVERTED);
    cr_assert_eq(sheaf_range_total(store, SHEAF_LIT("no such"), &inverted, &totals, NULL), SHEAF_RANGE_INVERTED);
    cr_assert_eq(totals.count, 77);
    cr_assert_eq(page.count, 77);
    expect_listed(store, sheaf_range_all(), "1 2 3", "3 2 1");
    sheaf_store_destroy(store);
}

Test(ranges, b82_two_exclusive_bounds_on_one_key_are_empty_not_inverted)
{
    sheaf_store *store = shelf_of("1 2 3");
    sheaf_bytes two = SHEAF_LIT("2");
    sheaf_range open = sheaf_range_of(sheaf_cut_of(two, SHEAF_SIDE_AFTER), sheaf_cut_of(two, SHEAF_SIDE_BEFORE));
    expect_listed(store, open, "", "");
    sheaf_totals deleted = { 77, 77 };
    cr_assert_eq(sheaf_store_delete_range(store, SHELF, &open, &deleted, NULL), SHEAF_OK);
    cr_assert_eq(deleted.count, 0);
    expect_listed(store, sheaf_range_all(), "1 2 3", "3 2 1");
    /* And a page asked for after the end of a range is empty, in both directions. */
    expect_listed(store, sheaf_range_after(sheaf_range_at_most(two), SHEAF_LIT("3")), "", "");
    expect_listed(store, sheaf_range_before(sheaf_range_at_least(two), SHEAF_LIT("1")), "", "");
    sheaf_store_destroy(store);
}
