/*
 * test_edge_paging.c - pages: what they say of their sides, and where they go on.
 */
#include <string.h>

#include "tests/api/edge_case.h"

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
