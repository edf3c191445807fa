/*
 * test_tree_cursor.c - the tree's half of a cursor: what single moves do at the edges of ranges, leaves and trees.
 */
#include "engine/tree/cursor.h"

#include <criterion/criterion.h>

#include <string.h>

#include "engine/tree/node.h"
#include "tests/support/orchard.h"

static struct orchard orchard;
static sheaf_cursor cursor;
static uint8_t buffer[SHEAF_SORT_KEY_SIZE_HARD];

static void begin(void)
{
    orchard_begin(&orchard);
    orchard_put_numbers(&orchard, 0, 200);
}

static void end(void)
{
    orchard_end(&orchard);
}

TestSuite(tree_cursor, .init = begin, .fini = end);

static void open_on(sheaf_range range)
{
    sheaf_tree_cursor_init(&cursor, &orchard.grove.changes, &range, buffer, sizeof buffer);
    cursor.tree = &orchard.tree;
}

/* "000042" where it stands, "-" where it does not. */
static const char *at(void)
{
    static char text[32];
    if (cursor.place != SHEAF_PLACE_AT) {
        cr_assert_eq(cursor.key.size, 0);
        cr_assert_eq(cursor.value.size, 0);
        return "-";
    }
    cr_assert_lt(cursor.key.size, sizeof text);
    memcpy(text, cursor.key.data, cursor.key.size);
    text[cursor.key.size] = 0;
    return text;
}

#define expect_at(moved, key)                                \
    do {                                                     \
        bool stands = (moved);                               \
        cr_assert_str_eq(at(), (key));                       \
        cr_assert_eq(stands, cursor.place == SHEAF_PLACE_AT);\
    } while (0)

Test(tree_cursor, begins_before_the_first)
{
    open_on(sheaf_range_all());
    cr_assert_eq(cursor.place, SHEAF_PLACE_BEFORE);
    expect_at(sheaf_tree_cursor_previous(&cursor), "-");
    expect_at(sheaf_tree_cursor_next(&cursor), "000000");
}

Test(tree_cursor, ends_behind_the_last_and_turns_round_there)
{
    open_on(sheaf_range_all());
    expect_at(sheaf_tree_cursor_last(&cursor), "000199");
    expect_at(sheaf_tree_cursor_next(&cursor), "-");
    expect_at(sheaf_tree_cursor_next(&cursor), "-");
    cr_assert_eq(cursor.place, SHEAF_PLACE_BEHIND);
    expect_at(sheaf_tree_cursor_previous(&cursor), "000199");
    expect_at(sheaf_tree_cursor_first(&cursor), "000000");
    expect_at(sheaf_tree_cursor_previous(&cursor), "-");
    cr_assert_eq(cursor.place, SHEAF_PLACE_BEFORE);
    expect_at(sheaf_tree_cursor_next(&cursor), "000000");
}

Test(tree_cursor, steps_over_every_edge_of_leaves_in_both_directions)
{
    char key[16];
    open_on(sheaf_range_all());
    cr_assert(sheaf_tree_cursor_first(&cursor));
    for (uint32_t i = 1; i < 200; i++) { /* two steps up, one down, wherever a leaf ends */
        orchard_number(i, key);
        expect_at(sheaf_tree_cursor_next(&cursor), key);
        orchard_number(i - 1, key);
        expect_at(sheaf_tree_cursor_previous(&cursor), key);
        orchard_number(i, key);
        expect_at(sheaf_tree_cursor_next(&cursor), key);
    }
}

Test(tree_cursor, finds_its_range_wherever_leaves_end)
{
    char low[16], high[16];
    for (uint32_t i = 0; i < 200; i += 3) {
        for (uint32_t j = i; j < 200; j += 7) {
            open_on(sheaf_range_between(orchard_number(i, low), orchard_number(j, high)));
            expect_at(sheaf_tree_cursor_first(&cursor), low);
            expect_at(sheaf_tree_cursor_previous(&cursor), "-");
            expect_at(sheaf_tree_cursor_last(&cursor), high);
            expect_at(sheaf_tree_cursor_next(&cursor), "-");
            expect_at(sheaf_tree_cursor_seek_nth(&cursor, 0, SHEAF_FORWARD), low);
            expect_at(sheaf_tree_cursor_seek_nth(&cursor, 0, SHEAF_REVERSE), high);
            expect_at(sheaf_tree_cursor_seek_nth(&cursor, j - i, SHEAF_FORWARD), high);
            expect_at(sheaf_tree_cursor_seek_nth(&cursor, j - i, SHEAF_REVERSE), low);
            expect_at(sheaf_tree_cursor_seek_nth(&cursor, j - i + 1, SHEAF_FORWARD), "-");
            cr_assert_eq(cursor.place, SHEAF_PLACE_BEHIND);
            expect_at(sheaf_tree_cursor_seek_nth(&cursor, j - i + 1, SHEAF_REVERSE), "-");
            cr_assert_eq(cursor.place, SHEAF_PLACE_BEFORE);
            expect_at(sheaf_tree_cursor_seek(&cursor, SHEAF_LIT("")), low);
            expect_at(sheaf_tree_cursor_seek_at_most(&cursor, SHEAF_LIT("~")), high);
        }
    }
}

Test(tree_cursor, of_no_tree_and_of_an_empty_one_is_nowhere)
{
    struct sheaf_tree empty;
    sheaf_tree_init(&empty, &orchard.grove);
    const struct sheaf_tree *trees[] = { NULL, &empty };
    for (size_t i = 0; i < 2; i++) {
        open_on(sheaf_range_all());
        cursor.tree = trees[i];
        expect_at(sheaf_tree_cursor_first(&cursor), "-");
        expect_at(sheaf_tree_cursor_last(&cursor), "-");
        expect_at(sheaf_tree_cursor_next(&cursor), "-");
        expect_at(sheaf_tree_cursor_seek(&cursor, SHEAF_LIT("a")), "-");
        expect_at(sheaf_tree_cursor_seek_at_most(&cursor, SHEAF_LIT("a")), "-");
        expect_at(sheaf_tree_cursor_seek_nth(&cursor, 0, SHEAF_FORWARD), "-");
        cr_assert_eq(sheaf_tree_cursor_refresh(&cursor), SHEAF_NOT_FOUND);
    }
}

Test(tree_cursor, refreshes_its_value_after_a_write)
{
    open_on(sheaf_range_all());
    cr_assert(sheaf_tree_cursor_seek(&cursor, SHEAF_LIT("000100")));
    orchard_put(&orchard, SHEAF_LIT("000100"), SHEAF_LIT("changed"));
    cr_assert_eq(sheaf_tree_cursor_refresh(&cursor), SHEAF_OK);
    cr_assert(sheaf_bytes_equal(cursor.value, SHEAF_LIT("changed")));
    expect_at(sheaf_tree_cursor_next(&cursor), "000101");
    cr_assert_eq(sheaf_tree_delete(&orchard.tree, SHEAF_LIT("000101")), SHEAF_OK);
    cr_assert_eq(sheaf_tree_cursor_refresh(&cursor), SHEAF_NOT_FOUND);
    cr_assert_eq(cursor.value.size, 0);
    cr_assert_str_eq(at(), "000101");
    expect_at(sheaf_tree_cursor_next(&cursor), "000102");
}

/* A tree cleared and filled again may have its nodes where they were before. */
Test(tree_cursor, is_not_fooled_by_a_tree_made_where_another_was)
{
    open_on(sheaf_range_all());
    cr_assert(sheaf_tree_cursor_seek(&cursor, SHEAF_LIT("000100")));
    sheaf_tree_clear(&orchard.tree);
    orchard_put_numbers(&orchard, 150, 160);
    expect_at(sheaf_tree_cursor_next(&cursor), "000150");
    sheaf_tree_clear(&orchard.tree);
    orchard_put_numbers(&orchard, 0, 200);
    expect_at(sheaf_tree_cursor_previous(&cursor), "000149");
}

Test(tree_cursor, can_be_set_at_a_position_that_has_no_entry)
{
    open_on(sheaf_range_all());
    sheaf_tree_cursor_set_position(&cursor, SHEAF_LIT("0000995"));
    expect_at(sheaf_tree_cursor_next(&cursor), "000100");
    sheaf_tree_cursor_set_position(&cursor, SHEAF_LIT("0000995"));
    expect_at(sheaf_tree_cursor_previous(&cursor), "000099");
    sheaf_tree_cursor_set_position(&cursor, SHEAF_LIT("~"));
    expect_at(sheaf_tree_cursor_next(&cursor), "-");
    sheaf_tree_cursor_rewind(&cursor, SHEAF_REVERSE);
    expect_at(sheaf_tree_cursor_previous(&cursor), "000199");
}

Test(tree_cursor, gives_keys_of_every_size_whole)
{
    sheaf_tree_clear(&orchard.tree);
    static uint8_t key[SHEAF_SORT_KEY_SIZE_HARD];
    memset(key, 'k', sizeof key);
    static const size_t sizes[] = { 0, 1, 2, 3, 4, 5, 8, 60, 128, 1000, 1024, 8191, 8192 };
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (size_t i = 0; i < SIZES; i++) orchard_put(&orchard, sheaf_bytes_of(key, sizes[i]), SHEAF_LIT("v"));
    open_on(sheaf_range_all());
    for (size_t i = 0; i < SIZES; i++) {
        cr_assert(sheaf_tree_cursor_next(&cursor));
        cr_assert(sheaf_bytes_equal(cursor.key, sheaf_bytes_of(key, sizes[i])), "size %zu", sizes[i]);
    }
    for (size_t i = SIZES; i-- > 1;) {
        cr_assert(sheaf_tree_cursor_previous(&cursor));
        cr_assert(sheaf_bytes_equal(cursor.key, sheaf_bytes_of(key, sizes[i - 1])), "size %zu", sizes[i - 1]);
    }
}
