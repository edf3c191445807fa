/*
 * test_edge_ordering.c - keys are strings of bytes, and every read orders them so.
 */
#include <string.h>

#include "tests/api/edge_case.h"

Test(ordering, b02_bytes_are_unsigned)
{
    sheaf_store *store = shelf_of("\\x80 \\x7F \\xFF \\x00 \\x01");
    expect_listed(store, sheaf_range_all(), "\\x00 \\x01 \\x7F \\x80 \\xFF", "\\xFF \\x80 \\x7F \\x01 \\x00");
    expect_listed(store, sheaf_range_less(SHEAF_LIT("\x80")), "\\x00 \\x01 \\x7F", "\\x7F \\x01 \\x00");
    expect_listed(store, sheaf_range_greater(SHEAF_LIT("\x7F")), "\\x80 \\xFF", "\\xFF \\x80");
    expect_listed(store, sheaf_range_between(SHEAF_LIT("\x7F"), SHEAF_LIT("\x80")), "\\x7F \\x80", "\\x80 \\x7F");
    sheaf_range inverted = sheaf_range_between(SHEAF_LIT("\x80"), SHEAF_LIT("\x7F"));
    cr_assert(sheaf_range_is_inverted(&inverted));
    cr_assert_lt(sheaf_bytes_compare(SHEAF_LIT("\x7F"), SHEAF_LIT("\x80")), 0);
    sheaf_store_destroy(store);
}

Test(ordering, b04_a_prefix_is_of_bytes_and_of_any_length)
{
    sheaf_store *store = shelf_of("abcd abce ab a b abc\\x00 abc\\xFF");
    expect_listed(store, sheaf_range_prefix(SHEAF_LIT("ab")), "ab abc\\x00 abcd abce abc\\xFF",
                  "abc\\xFF abce abcd abc\\x00 ab");
    expect_listed(store, sheaf_range_prefix(SHEAF_LIT("abc")), "abc\\x00 abcd abce abc\\xFF",
                  "abc\\xFF abce abcd abc\\x00");
    expect_listed(store, sheaf_range_prefix(SHEAF_LIT("abcd")), "abcd", "abcd");
    expect_listed(store, sheaf_range_prefix(SHEAF_LIT("abcde")), "", "");
    sheaf_store_destroy(store);
}

Test(ordering, b05_utf8_orders_by_bytes_not_by_utf16_units)
{
    sheaf_bytes wide_tilde = SHEAF_LIT("\xEF\xBD\x9E");
    sheaf_bytes emoji = SHEAF_LIT("\xF0\x9F\x98\x80");
    sheaf_store *store = shelf_of("\\xF0\\x9F\\x98\\x80 \\xEF\\xBD\\x9E z \\xC3\\xA9");
    const char *both = "\\xEF\\xBD\\x9E \\xF0\\x9F\\x98\\x80";
    expect_listed(store, sheaf_range_all(), "z \\xC3\\xA9 \\xEF\\xBD\\x9E \\xF0\\x9F\\x98\\x80",
                  "\\xF0\\x9F\\x98\\x80 \\xEF\\xBD\\x9E \\xC3\\xA9 z");
    expect_listed(store, sheaf_range_at_least(wide_tilde), both, "\\xF0\\x9F\\x98\\x80 \\xEF\\xBD\\x9E");
    expect_listed(store, sheaf_range_greater(wide_tilde), "\\xF0\\x9F\\x98\\x80", "\\xF0\\x9F\\x98\\x80");
    expect_listed(store, sheaf_range_less(emoji), "z \\xC3\\xA9 \\xEF\\xBD\\x9E", "\\xEF\\xBD\\x9E \\xC3\\xA9 z");
    expect_listed(store, sheaf_range_prefix(SHEAF_LIT("\xF0\x9F")), "\\xF0\\x9F\\x98\\x80", "\\xF0\\x9F\\x98\\x80");
    sheaf_store_destroy(store);
}

Test(ordering, b08_digits_are_bytes_too)
{
    sheaf_store *store = shelf_of("value1 value2 value3 value4 value5 value6 value7 value8 value9 value10");
    expect_listed(store, sheaf_range_at_most(SHEAF_LIT("value3")), "value1 value10 value2 value3",
                  "value3 value2 value10 value1");
    expect_listed(store, sheaf_range_less(SHEAF_LIT("value2")), "value1 value10", "value10 value1");
    expect_listed(store, sheaf_range_prefix(SHEAF_LIT("value1")), "value1 value10", "value10 value1");
    sheaf_store_destroy(store);
}

Test(ordering, b10_count_is_the_length_of_the_list)
{
    static const char *const bounds[] = { "", "abc", "abcd", "def", "e", "xyz", "z" };
    sheaf_store *store = shelf_of("abc def xyz");
    expect_listed(store, sheaf_range_equal(SHEAF_LIT("abc")), "abc", "abc");
    expect_listed(store, sheaf_range_between(SHEAF_LIT("abc"), SHEAF_LIT("abc")), "abc", "abc");
    expect_listed(store, sheaf_range_equal(SHEAF_LIT("abcd")), "", "");
    size_t count = sizeof bounds / sizeof *bounds;
    for (size_t low = 0; low < count; low++) {
        for (size_t high = low; high < count; high++) { /* listed() itself compares count and list */
            sheaf_bytes from = sheaf_bytes_of(bounds[low], strlen(bounds[low]));
            sheaf_bytes to = sheaf_bytes_of(bounds[high], strlen(bounds[high]));
            (void)listed(store, sheaf_range_between(from, to), SHEAF_FORWARD);
            (void)listed(store, sheaf_range_of(sheaf_cut_of(from, SHEAF_SIDE_AFTER), sheaf_cut_of(to, SHEAF_SIDE_BEFORE)),
                         SHEAF_REVERSE);
        }
    }
    sheaf_store_destroy(store);
}

Test(ordering, b11_between_includes_both_ends_and_reverses)
{
    sheaf_store *store = shelf_of("active:prod state:prod:2000-01-01 state:prod:2000-01-02");
    sheaf_bytes low = SHEAF_LIT("state:prod:");
    expect_listed(store, sheaf_range_between(low, SHEAF_LIT("state:prod:2000-01-01")), "state:prod:2000-01-01",
                  "state:prod:2000-01-01");
    expect_listed(store, sheaf_range_between(SHEAF_LIT("state:prod:2000-01-01"), SHEAF_LIT("state:prod:2000-01-02")),
                  "state:prod:2000-01-01 state:prod:2000-01-02", "state:prod:2000-01-02 state:prod:2000-01-01");
    expect_listed(store, sheaf_range_between(low, SHEAF_LIT("state:prod:2000-01-00")), "", "");
    expect_listed(store, sheaf_range_between(SHEAF_LIT("active:prod"), low), "active:prod", "active:prod");
    sheaf_store_destroy(store);
}

Test(ordering, b53_a_zero_byte_is_above_the_end)
{
    sheaf_store *store = shelf_of("a\\x01 a\\x00b a\\x00 a a\\x00\\x00\\x00\\x00\\x00");
    expect_listed(store, sheaf_range_all(), "a a\\x00 a\\x00\\x00\\x00\\x00\\x00 a\\x00b a\\x01",
                  "a\\x01 a\\x00b a\\x00\\x00\\x00\\x00\\x00 a\\x00 a");
    expect_listed(store, sheaf_range_greater(SHEAF_LIT("a")), "a\\x00 a\\x00\\x00\\x00\\x00\\x00 a\\x00b a\\x01",
                  "a\\x01 a\\x00b a\\x00\\x00\\x00\\x00\\x00 a\\x00");
    expect_listed(store, sheaf_range_equal(SHEAF_LIT("a")), "a", "a");
    expect_listed(store, sheaf_range_less(SHEAF_LIT("a\0b")), "a a\\x00 a\\x00\\x00\\x00\\x00\\x00",
                  "a\\x00\\x00\\x00\\x00\\x00 a\\x00 a");
    sheaf_store_destroy(store);
}

Test(ordering, b56_greater_by_value_and_beyond_a_prefix_are_two_things)
{
    sheaf_store *store = shelf_of("p0 p1 p1a p1\\x00 p2");
    expect_listed(store, sheaf_range_greater(SHEAF_LIT("p1")), "p1\\x00 p1a p2", "p2 p1a p1\\x00");
    expect_listed(store, sheaf_range_beyond_prefix(SHEAF_LIT("p1")), "p2", "p2");
    expect_listed(store, sheaf_range_at_most(SHEAF_LIT("p1")), "p0 p1", "p1 p0");
    expect_listed(store, sheaf_range_through_prefix(SHEAF_LIT("p1")), "p0 p1 p1\\x00 p1a", "p1a p1\\x00 p1 p0");
    expect_listed(store, sheaf_range_less(SHEAF_LIT("p1")), "p0", "p0");
    sheaf_store_destroy(store);
}

Test(ordering, b58_below_a_folder_are_no_siblings)
{
    sheaf_store *store = shelf_of("/team /team/a /team_x /team-y /team/ /team0 /team/b/c");
    expect_listed(store, sheaf_range_prefix(SHEAF_LIT("/team/")), "/team/ /team/a /team/b/c", "/team/b/c /team/a /team/");
    sheaf_range half_open = sheaf_range_of(sheaf_cut_of(SHEAF_LIT("/team/"), SHEAF_SIDE_BEFORE),
                                           sheaf_cut_of(SHEAF_LIT("/team0"), SHEAF_SIDE_BEFORE));
    expect_listed(store, half_open, "/team/ /team/a /team/b/c", "/team/b/c /team/a /team/");
    sheaf_children children;
    cr_assert_eq(sheaf_children_open(&children, store, SHELF, SHEAF_LIT("/team/"), SHEAF_LIT("/"), SHEAF_FORWARD, NULL),
                 SHEAF_OK);
    sheaf_child child;
    cr_assert(sheaf_children_next(&children, &child));
    cr_assert_str_eq(key_text(child.key), "/team/a");
    cr_assert(!child.is_folder);
    cr_assert(sheaf_children_next(&children, &child));
    cr_assert_str_eq(key_text(child.key), "/team/b/");
    cr_assert(child.is_folder);
    cr_assert_eq(child.totals.count, 1);
    cr_assert(!sheaf_children_next(&children, &child));
    sheaf_store_destroy(store);
}

Test(ordering, b61_order_is_of_bytes_never_of_a_locale)
{
    cr_assert_lt(sheaf_bytes_compare(SHEAF_LIT("XGeU"), SHEAF_LIT("XeLu")), 0);
    sheaf_store *store = shelf_of("XeLu XGeU xa Xa");
    expect_listed(store, sheaf_range_all(), "XGeU Xa XeLu xa", "xa XeLu Xa XGeU");
    expect_listed(store, sheaf_range_after(sheaf_range_all(), SHEAF_LIT("XGeU")), "Xa XeLu xa", "xa XeLu Xa");
    sheaf_page_request request = { .limit = 1 };
    static const char *const pages[] = { "XGeU", "Xa", "XeLu", "xa" };
    char position[8];
    for (size_t i = 0; i < 4; i++) { /* page by "key > last" moves on */
        sheaf_page page = page_of(store, request);
        cr_assert_str_eq(page_listed(&page), pages[i]);
        memcpy(position, page.last.data, page.last.size);
        request.anchor = SHEAF_ANCHOR_AFTER;
        request.position = sheaf_bytes_of(position, page.last.size);
        sheaf_page_release(&page);
    }
    sheaf_store_destroy(store);
}
