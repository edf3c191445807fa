#include "engine/tree/count.h"

#include <criterion/criterion.h>

#include <string.h>

#include "tests/support/expect.h"
#include "tests/support/orchard.h"

static struct orchard orchard;

/* Numbers 000000 to 000999; the value of n is n % 40 bytes, so some lie out of line. */
static void begin(void)
{
    static uint8_t value[40];
    char key[16];
    orchard_begin(&orchard);
    for (uint32_t i = 0; i < 1000; i++) orchard_put(&orchard, orchard_number(i, key), sheaf_bytes_of(value, i % 40));
}

static void end(void)
{
    orchard_end(&orchard);
}

TestSuite(count, .init = begin, .fini = end);

static uint64_t bytes_below(uint32_t number)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < number; i++) bytes += 6 + i % 40;
    return bytes;
}

static void expect_below(sheaf_bytes key, sheaf_side side, uint32_t number)
{
    sheaf_cut cut = sheaf_cut_of(key, side);
    sheaf_totals below = sheaf_tree_below(&orchard.tree, &cut);
    EXPECT(below.count == number, "%d below, not %u", (int)below.count, number);
    EXPECT(below.bytes == bytes_below(number), "bytes below %u", number);
    EXPECT(sheaf_tree_count_below(&orchard.tree, &cut) == number, "count below %u", number);
}

Test(count, below_each_cut_at_each_key)
{
    char key[16];
    for (uint32_t i = 0; i < 1000; i++) {
        expect_below(orchard_number(i, key), SHEAF_SIDE_BEFORE, i);
        expect_below(orchard_number(i, key), SHEAF_SIDE_AFTER, i + 1);
        expect_below(orchard_number(i, key), SHEAF_SIDE_AFTER_PREFIX, i + 1);
    }
    for (uint32_t i = 0; i < 100; i++) { /* the first five digits: ten entries */
        expect_below(sheaf_bytes_of(orchard_number(i * 10, key).data, 5), SHEAF_SIDE_BEFORE, i * 10);
        expect_below(sheaf_bytes_of(orchard_number(i * 10, key).data, 5), SHEAF_SIDE_AFTER, i * 10);
        expect_below(sheaf_bytes_of(orchard_number(i * 10, key).data, 5), SHEAF_SIDE_AFTER_PREFIX, i * 10 + 10);
    }
    expect_below(SHEAF_LIT(""), SHEAF_SIDE_BEFORE, 0);
    expect_below(SHEAF_LIT(""), SHEAF_SIDE_AFTER_PREFIX, 1000);
    expect_below(SHEAF_LIT("\xFF"), SHEAF_SIDE_BEFORE, 1000);
}

Test(count, unbounded_is_all)
{
    sheaf_cut none = sheaf_cut_none();
    sheaf_totals all = sheaf_tree_below(&orchard.tree, &none);
    cr_assert_eq(all.count, 1000);
    cr_assert_eq(all.bytes, bytes_below(1000));
    cr_assert_eq(sheaf_tree_count_below(&orchard.tree, &none), 1000);
}

Test(count, of_ranges_is_a_difference)
{
    char low[16], high[16];
    for (uint32_t i = 0; i < 1000; i += 37) {
        for (uint32_t j = i; j < 1000; j += 41) {
            sheaf_range range = sheaf_range_between(orchard_number(i, low), orchard_number(j, high));
            sheaf_totals totals = sheaf_tree_range_total(&orchard.tree, &range);
            cr_assert_eq(totals.count, j - i + 1);
            cr_assert_eq(totals.bytes, bytes_below(j + 1) - bytes_below(i));
        }
    }
    sheaf_range empty = sheaf_range_of(sheaf_cut_of(SHEAF_LIT("000500"), SHEAF_SIDE_AFTER),
                                       sheaf_cut_of(SHEAF_LIT("000501"), SHEAF_SIDE_BEFORE));
    sheaf_totals totals = sheaf_tree_range_total(&orchard.tree, &empty);
    cr_assert_eq(totals.count, 0);
    cr_assert_eq(totals.bytes, 0);
}

Test(count, of_an_empty_tree_is_nothing)
{
    sheaf_tree_clear(&orchard.tree);
    const sheaf_cut cuts[] = { sheaf_cut_of(SHEAF_LIT("x"), SHEAF_SIDE_AFTER), sheaf_cut_none() };
    sheaf_range all = sheaf_range_all();
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(sheaf_tree_below(&orchard.tree, &cuts[i]).count, 0);
        cr_assert_eq(sheaf_tree_count_below(&orchard.tree, &cuts[i]), 0);
    }
    cr_assert_eq(sheaf_tree_range_total(&orchard.tree, &all).bytes, 0);
}
