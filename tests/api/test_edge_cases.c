/*
 * test_edge_cases.c - small inputs on which stores of this kind have been wrong in public, each with the right answer.
 *
 * A test bears the number of its case and covers the whole kind: both directions, the neighbouring inputs, and every read that
 * could answer the same question. listed() compares cursor, page and count on its way.
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/listing.h"

#define expect_listed(store, range, forward, reverse)                             \
    do {                                                                          \
        cr_assert_str_eq(listed((store), (range), SHEAF_FORWARD), (forward));     \
        cr_assert_str_eq(listed((store), (range), SHEAF_REVERSE), (reverse));     \
    } while (0)

/* ---- ordering --------------------------------------------------------------------------------------------------------- */

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

/* ---- paging ----------------------------------------------------------------------------------------------------------- */

static void expect_page(const sheaf_store *store, sheaf_page_request request, const char *keys, bool more_before,
                        bool more_after, bool limit_reached)
{
    sheaf_page page = page_of(store, request);
    cr_assert_str_eq(page_listed(&page), keys);
    cr_assert_eq(page.more_before, more_before, "more before page \"%s\"", keys);
    cr_assert_eq(page.more_after, more_after, "more after page \"%s\"", keys);
    cr_assert_eq(page.limit_reached, limit_reached, "limit reached by page \"%s\"", keys);
    cr_assert_eq(page.first.size, page.count ? page.entries[0].key.size : 0);
    cr_assert_eq(page.last.size, page.count ? page.entries[page.count - 1].key.size : 0);
    sheaf_page_release(&page);
}

static sheaf_page_request after(const char *position, uint64_t limit, sheaf_direction direction)
{
    return (sheaf_page_request){ .limit = limit,
                                 .direction = direction,
                                 .anchor = SHEAF_ANCHOR_AFTER,
                                 .position = sheaf_bytes_of(position, strlen(position)) };
}

static sheaf_page_request before(const char *position, uint64_t limit, sheaf_direction direction)
{
    sheaf_page_request request = after(position, limit, direction);
    request.anchor = SHEAF_ANCHOR_BEFORE;
    return request;
}

static sheaf_page_request start(uint64_t limit, sheaf_direction direction)
{
    return (sheaf_page_request){ .limit = limit, .direction = direction };
}

Test(paging, b13_a_full_page_says_so_without_looking_ahead)
{
    sheaf_store *store = shelf_of("a b c");
    expect_page(store, start(2, SHEAF_FORWARD), "a b", false, true, true);
    expect_page(store, start(3, SHEAF_FORWARD), "a b c", false, false, true);
    expect_page(store, after("c", 3, SHEAF_FORWARD), "", true, false, false);
    expect_page(store, start(4, SHEAF_FORWARD), "a b c", false, false, false);
    expect_page(store, start(3, SHEAF_REVERSE), "c b a", false, false, true);
    expect_page(store, after("a", 3, SHEAF_REVERSE), "", true, false, false);
    expect_page(store, start(4, SHEAF_REVERSE), "c b a", false, false, false);
    sheaf_store_destroy(store);
}

Test(paging, b16_the_pages_of_every_limit_are_the_whole)
{
    sheaf_store *store = shelf_of("");
    char whole[64] = "";
    for (char letter = 'a'; letter <= 'z'; letter++) {
        char key[2] = { letter, 0 };
        shelf_put(store, key);
        size_t size = strlen(whole);
        if (size > 0) whole[size++] = ' ';
        whole[size] = letter;
        whole[size + 1] = 0;
    }
    for (uint64_t limit = 1; limit <= 27; limit++) {
        char joined[64] = "";
        sheaf_page_request request = start(limit, SHEAF_FORWARD);
        char last[2] = "";
        for (bool more = true; more;) {
            sheaf_page page = page_of(store, request);
            more = page.limit_reached; /* as DynamoDB's callers do: on while there is a LastEvaluatedKey */
            if (page.count > 0) {
                if (joined[0]) strcat(joined, " ");
                strcat(joined, page_listed(&page));
                last[0] = (char)page.last.data[0];
            }
            request = after(last, limit, SHEAF_FORWARD);
            sheaf_page_release(&page);
        }
        cr_assert_str_eq(joined, whole, "limit %d", (int)limit);
    }
    sheaf_store_destroy(store);
}

Test(paging, b17_the_start_position_is_excluded_in_both_directions)
{
    sheaf_store *store = shelf_of("1 2 3");
    expect_page(store, after("2", 10, SHEAF_REVERSE), "1", true, false, false);
    expect_page(store, after("2", 10, SHEAF_FORWARD), "3", true, false, false);
    expect_page(store, before("2", 10, SHEAF_REVERSE), "3", false, true, false);
    expect_page(store, before("2", 10, SHEAF_FORWARD), "1", false, true, false);
    expect_listed(store, sheaf_range_after(sheaf_range_all(), SHEAF_LIT("2")), "3", "3");
    expect_listed(store, sheaf_range_before(sheaf_range_all(), SHEAF_LIT("2")), "1", "1");
    sheaf_store_destroy(store);
}

Test(paging, b20_a_position_need_not_be_a_row)
{
    sheaf_store *store = shelf_of("a b c");
    expect_page(store, start(1, SHEAF_FORWARD), "a", false, true, true);
    shelf_delete(store, "a");
    expect_page(store, after("a", 2, SHEAF_FORWARD), "b c", false, false, true);
    shelf_put(store, "a");
    shelf_delete(store, "b");
    expect_page(store, after("a", 2, SHEAF_FORWARD), "c", true, false, false);
    expect_page(store, after("b", 2, SHEAF_FORWARD), "c", true, false, false);
    expect_page(store, after("b", 2, SHEAF_REVERSE), "a", true, false, false);
    expect_page(store, after("\x01", 5, SHEAF_FORWARD), "a c", false, false, false);
    expect_page(store, after("zz", 5, SHEAF_FORWARD), "", true, false, false);
    expect_page(store, after("zz", 5, SHEAF_REVERSE), "c a", false, false, false);
    sheaf_store_destroy(store);
}

Test(paging, b20_nor_lie_in_the_range)
{
    sheaf_store *store = shelf_of("a k1 k2 k3 z");
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("k"));
    sheaf_page_request request = after("a", 5, SHEAF_FORWARD);
    request.range = range;
    expect_page(store, request, "k1 k2 k3", false, false, false);
    request.direction = SHEAF_REVERSE;
    expect_page(store, request, "", true, false, false);
    request = after("z", 5, SHEAF_FORWARD);
    request.range = range;
    expect_page(store, request, "", true, false, false);
    request.anchor = SHEAF_ANCHOR_BEFORE;
    request.limit = 2;
    expect_page(store, request, "k2 k3", true, false, true);
    sheaf_store_destroy(store);
}

Test(paging, b22_a_prefix_goes_on_where_its_page_ended)
{
    sheaf_store *store = shelf_of("cat cata catb catc catd cau");
    sheaf_page_request request = start(2, SHEAF_FORWARD);
    request.range = sheaf_range_prefix(SHEAF_LIT("cat"));
    expect_page(store, request, "cat cata", false, true, true);
    request.anchor = SHEAF_ANCHOR_AFTER;
    request.position = SHEAF_LIT("catb");
    expect_page(store, request, "catc catd", true, false, true);
    request.direction = SHEAF_REVERSE;
    expect_page(store, request, "cata cat", true, false, true);
    request.position = SHEAF_LIT("catd");
    expect_page(store, request, "catc catb", true, true, true);
    expect_listed(store, sheaf_range_after(request.range, SHEAF_LIT("catb")), "catc catd", "catd catc");
    sheaf_store_destroy(store);
}

Test(paging, b23_a_key_is_given_on_one_page_only)
{
    sheaf_store *store = shelf_of("k k\\x00 k\\x00\\x00 ka");
    expect_page(store, start(1, SHEAF_FORWARD), "k", false, true, true);
    expect_page(store, after("k", 1, SHEAF_FORWARD), "k\\x00", true, true, true);
    expect_page(store, after("ka", 1, SHEAF_REVERSE), "k\\x00\\x00", true, true, true);
    sheaf_page_request request = after("k", 2, SHEAF_FORWARD);
    request.position = SHEAF_LIT("k\0");
    expect_page(store, request, "k\\x00\\x00 ka", true, false, true);
    sheaf_store_destroy(store);
}

Test(paging, b65_the_page_before_comes_in_listing_order)
{
    sheaf_store *store = shelf_of("a b c d");
    sheaf_page first = page_of(store, start(2, SHEAF_FORWARD));
    sheaf_page second = page_of(store, after("b", 2, SHEAF_FORWARD));
    cr_assert_str_eq(page_listed(&second), "c d");
    sheaf_page_request back = before("", 2, SHEAF_FORWARD);
    back.position = second.first;
    sheaf_page again = page_of(store, back);
    cr_assert_str_eq(page_listed(&again), "a b");
    cr_assert_str_eq(key_text(again.first), key_text(first.first));
    cr_assert_str_eq(key_text(again.last), key_text(first.last));
    cr_assert_eq(again.more_before, first.more_before);
    cr_assert_eq(again.more_after, first.more_after);
    expect_page(store, before("b", 2, SHEAF_REVERSE), "d c", false, true, true);
    expect_page(store, before("a", 2, SHEAF_REVERSE), "c b", true, true, true);
    sheaf_page_release(&first);
    sheaf_page_release(&second);
    sheaf_page_release(&again);
    sheaf_store_destroy(store);
}

Test(paging, b67_a_page_says_what_lies_on_both_sides)
{
    sheaf_store *store = shelf_of("a b c d e");
    expect_page(store, start(2, SHEAF_FORWARD), "a b", false, true, true);
    expect_page(store, after("b", 2, SHEAF_FORWARD), "c d", true, true, true);
    expect_page(store, after("d", 2, SHEAF_FORWARD), "e", true, false, false);
    expect_page(store, before("c", 2, SHEAF_FORWARD), "a b", false, true, true);
    expect_page(store, before("b", 2, SHEAF_FORWARD), "a", false, true, false);
    expect_page(store, before("a", 2, SHEAF_FORWARD), "", false, true, false);
    expect_page(store, before("e", 2, SHEAF_REVERSE), "", false, true, false);
    expect_page(store, before("c", 2, SHEAF_REVERSE), "e d", false, true, true);
    sheaf_store_destroy(store);
}

Test(paging, limit_zero_is_refused)
{
    sheaf_store *store = shelf_of("a");
    sheaf_page page = { .count = 77 };
    sheaf_detail detail = { 0 };
    sheaf_page_request request = { .limit = 0 };
    cr_assert_eq(sheaf_page_read(store, SHELF, &request, &page, &detail), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(detail.field, SHEAF_FIELD_LIMIT);
    cr_assert_eq(page.count, 77);
    sheaf_store_destroy(store);
}

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

/* ---- change during iteration ------------------------------------------------------------------------------------------ */

static sheaf_cursor *open_on(sheaf_cursor *cursor, const sheaf_store *store, const sheaf_range *range)
{
    cr_assert_eq(sheaf_cursor_open(cursor, store, SHELF, range, NULL), SHEAF_OK);
    return cursor;
}

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

/* ---- key limits, empty keys ------------------------------------------------------------------------------------------- */

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

/* ---- reverse and edges ------------------------------------------------------------------------------------------------ */

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

/* ---- lifetime --------------------------------------------------------------------------------------------------------- */

Test(lifetime, b94_a_page_keeps_what_a_cursor_lends)
{
    sheaf_store *store = shelf_of("a b c");
    sheaf_page page = page_of(store, start(3, SHEAF_FORWARD));
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

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

/* Hooks that give all large blocks the same memory: 4 GiB of values that take 64 MiB. The values are all alike. */
enum { LARGE = 64 << 20 };

static void *share_large(void *context, void *block, size_t old_size, size_t new_size)
{
    if (old_size >= LARGE) return NULL;
    if (new_size >= LARGE) return context;
    return realloc(block, new_size);
}

static void expect_bytes(const sheaf_store *store, uint64_t bytes)
{
    sheaf_totals totals = { 0, 0 };
    cr_assert_eq(sheaf_range_total(store, SHELF, NULL, &totals, NULL), SHEAF_OK);
    cr_assert_eq(totals.bytes, bytes);
    cr_assert_eq(sheaf_collection_total(store, SHELF, &totals), SHEAF_OK);
    cr_assert_eq(totals.bytes, bytes);
    cr_assert_eq(sheaf_store_total(store).logical_bytes, bytes + SHELF.size);
    cr_assert_geq(sheaf_store_total(store).charged_bytes, bytes);
}

Test(sums, b106_bytes_are_summed_in_64_bits)
{
    uint8_t *shared = malloc(LARGE + 4096);
    uint8_t *value = calloc(1, LARGE);
    cr_assert(shared && value);
    sheaf_allocator hooks = { .resize = share_large, .context = shared };
    sheaf_store_options options = { .allocator = &hooks, .value_size_max = LARGE };
    sheaf_store *store = NULL;
    cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_OK);
    uint64_t bytes = 0;
    const uint64_t turns[] = { (uint64_t)1 << 31, (uint64_t)1 << 32 };
    for (size_t turn = 0; turn < 2; turn++) {
        uint8_t key[2] = { (uint8_t)('A' + turn), 0 };
        for (; bytes + LARGE < turns[turn] - 1; bytes += 2 + LARGE, key[1]++)
            cr_assert_eq(sheaf_store_put(store, SHELF, sheaf_bytes_of(key, 2), sheaf_bytes_of(value, LARGE), NULL, NULL),
                         SHEAF_OK);
        size_t short_of = (size_t)(turns[turn] - 1 - bytes - 2); /* one below, at, and one above */
        for (size_t step = 0; step < 3; step++) {
            cr_assert_eq(sheaf_store_put(store, SHELF, sheaf_bytes_of(key, 2), sheaf_bytes_of(value, short_of + step), NULL,
                                         NULL), SHEAF_OK);
            expect_bytes(store, turns[turn] - 1 + step);
        }
        bytes = turns[turn] + 1;
    }
    cr_assert_eq(sheaf_collection_drop(store, SHELF, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_total(store).logical_bytes, 0);
    sheaf_store_destroy(store);
    free(value);
    free(shared);
}
