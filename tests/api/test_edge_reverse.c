/*
 * test_edge_reverse.c - backward reads, and what the edge of a range takes in.
 */
#include "tests/api/edge_case.h"

Test(edges, b86_backward_from_beyond_the_last)
{
    sheaf_store *store = shelf_of("a b");
    sheaf_cursor cursor;
    open_on(&cursor, store, NULL);
    cr_assert(sheaf_cursor_seek_at_most(&cursor, SHEAF_LIT("z")));
    cr_assert_str_eq(cursor_text(&cursor), "b");
    cr_assert(sheaf_cursor_previous(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "a");
    cr_assert(!sheaf_cursor_seek(&cursor, SHEAF_LIT("z")));
    cr_assert(sheaf_cursor_previous(&cursor)); /* behind the last: backward from there is the last */
    cr_assert_str_eq(cursor_text(&cursor), "b");
    cr_assert(!sheaf_cursor_seek_at_most(&cursor, SHEAF_LIT("A")));
    cr_assert(sheaf_cursor_next(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "a");
    cr_assert_str_eq(listed(store, sheaf_range_less(SHEAF_LIT("z")), SHEAF_REVERSE), "b a");
    sheaf_store_destroy(store);
}

Test(edges, b88_reverse_over_a_prefix_that_ends_in_ff)
{
    sheaf_store *store = shelf_of("p\\xFE p\\xFF\\x01 p\\xFF\\xFF q");
    expect_listed(store, sheaf_range_prefix(SHEAF_LIT("p\xFF")), "p\\xFF\\x01 p\\xFF\\xFF", "p\\xFF\\xFF p\\xFF\\x01");
    expect_listed(store, sheaf_range_prefix(SHEAF_LIT("p\xFF\xFF")), "p\\xFF\\xFF", "p\\xFF\\xFF");
    shelf_delete(store, "q");
    expect_listed(store, sheaf_range_prefix(SHEAF_LIT("p\xFF")), "p\\xFF\\x01 p\\xFF\\xFF", "p\\xFF\\xFF p\\xFF\\x01");
    sheaf_store_destroy(store);
}

Test(edges, b89_the_last_at_most_and_the_last_of_a_prefix_are_two_things)
{
    sheaf_store *store = shelf_of("a pre1 pre2 z");
    sheaf_cursor cursor;
    open_on(&cursor, store, NULL);
    cr_assert(sheaf_cursor_seek_at_most(&cursor, SHEAF_LIT("pre")));
    cr_assert_str_eq(cursor_text(&cursor), "a");
    sheaf_range prefix = sheaf_range_prefix(SHEAF_LIT("pre"));
    open_on(&cursor, store, &prefix);
    cr_assert(sheaf_cursor_last(&cursor));
    cr_assert_str_eq(cursor_text(&cursor), "pre2");
    cr_assert_str_eq(listed(store, sheaf_range_through_prefix(SHEAF_LIT("pre")), SHEAF_REVERSE), "pre2 pre1 a");
    sheaf_store_destroy(store);
}

Test(edges, b91_every_bound_says_whether_it_is_in)
{
    static const struct {
        sheaf_side lower;
        sheaf_side upper;
        const char *left;
    } cases[] = {
        { SHEAF_SIDE_BEFORE, SHEAF_SIDE_AFTER, "\\x01 cc d" },
        { SHEAF_SIDE_BEFORE, SHEAF_SIDE_BEFORE, "\\x01 c cc d" },
        { SHEAF_SIDE_AFTER, SHEAF_SIDE_AFTER, "\\x01 a cc d" },
        { SHEAF_SIDE_AFTER, SHEAF_SIDE_BEFORE, "\\x01 a c cc d" },
        { SHEAF_SIDE_BEFORE, SHEAF_SIDE_AFTER_PREFIX, "\\x01 d" },
        { SHEAF_SIDE_AFTER_PREFIX, SHEAF_SIDE_AFTER_PREFIX, "\\x01 a aa d" },
        { SHEAF_SIDE_UNBOUNDED, SHEAF_SIDE_BEFORE, "c cc d" },
        { SHEAF_SIDE_AFTER, SHEAF_SIDE_UNBOUNDED, "\\x01 a" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sheaf_store *store = shelf_of("\\x01 a aa b c cc d");
        sheaf_range range = sheaf_range_of(sheaf_cut_of(SHEAF_LIT("a"), cases[i].lower),
                                           sheaf_cut_of(SHEAF_LIT("c"), cases[i].upper));
        cr_assert_eq(sheaf_store_delete_range(store, SHELF, &range, NULL, NULL), SHEAF_OK);
        cr_assert_str_eq(listed(store, sheaf_range_all(), SHEAF_FORWARD), cases[i].left, "case %zu", i);
        sheaf_store_destroy(store);
    }
}

Test(edges, b92_a_key_put_after_its_prefix_was_deleted_is_there)
{
    sheaf_store *store = shelf_of("j k k/1 k/2 k0");
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("k/"));
    sheaf_totals deleted;
    cr_assert_eq(sheaf_store_delete_range(store, SHELF, &range, &deleted, NULL), SHEAF_OK);
    cr_assert_eq(deleted.count, 2);
    expect_listed(store, range, "", "");
    shelf_put(store, "k/1");
    expect_listed(store, range, "k/1", "k/1");
    expect_listed(store, sheaf_range_all(), "j k k/1 k0", "k0 k/1 k j");
    sheaf_store_destroy(store);
}
