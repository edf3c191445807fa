/*
 * test_range.c - cuts and ranges against their definition, over all short keys of a small alphabet and all pairs of cuts.
 */
#include <sheaf/range.h>

#include <criterion/criterion.h>

#include <string.h>

#include "tests/support/model.h"

/* All keys of 0 to 3 bytes of {00, 61, FF}: 1 + 3 + 9 + 27. */
enum { LETTERS = 3, SIZE_MAX_HERE = 3, KEY_COUNT = 40, CUT_SIZE_MAX = 2, CUT_KEY_COUNT = 13 };

static uint8_t key_bytes[KEY_COUNT][SIZE_MAX_HERE];
static sheaf_bytes keys[KEY_COUNT]; /* by size: those of at most CUT_SIZE_MAX bytes first */

static void make_keys(void)
{
    static const uint8_t letters[LETTERS] = { 0x00, 0x61, 0xFF };
    size_t count = 0;
    size_t of_size = 1;
    for (size_t size = 0; size <= SIZE_MAX_HERE; size++, of_size *= LETTERS) {
        for (size_t number = 0; number < of_size; number++, count++) {
            size_t rest = number;
            for (size_t i = 0; i < size; i++, rest /= LETTERS) key_bytes[count][i] = letters[rest % LETTERS];
            keys[count] = sheaf_bytes_of(key_bytes[count], size);
        }
    }
    cr_assert_eq(count, KEY_COUNT);
}

TestSuite(range, .init = make_keys);

static const sheaf_side SIDES[] = { SHEAF_SIDE_UNBOUNDED, SHEAF_SIDE_BEFORE, SHEAF_SIDE_AFTER, SHEAF_SIDE_AFTER_PREFIX };

/* Every pair of cuts at keys of up to two bytes. */
static void for_each_range(void (*visit)(const sheaf_range *range))
{
    for (size_t low = 0; low < CUT_KEY_COUNT; low++)
        for (size_t high = 0; high < CUT_KEY_COUNT; high++)
            for (size_t lower = 0; lower < 4; lower++)
                for (size_t upper = 0; upper < 4; upper++) {
                    sheaf_range range = sheaf_range_of(sheaf_cut_of(keys[low], SIDES[lower]),
                                                       sheaf_cut_of(keys[high], SIDES[upper]));
                    visit(&range);
                }
}

static void expect_contains_as_defined(const sheaf_range *range)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if ((sheaf_range_contains(range, keys[i]) != 0) != model_range_holds(range, keys[i]))
            cr_assert_fail("range %d..%d, key %zu", (int)range->lower.side, (int)range->upper.side, i);
}

Test(range, contains_is_its_definition_for_all_pairs_of_cuts)
{
    for_each_range(expect_contains_as_defined);
}

/*
 * A cut as text: its bytes in two letters each, then '!' for BEFORE, '"' for AFTER, '~' for AFTER_PREFIX; of letters between.
 * Then cuts order as text does; it is another way to say what the header says.
 */
static void write_cut(char *out, const sheaf_cut *cut)
{
    size_t size = 0;
    for (size_t i = 0; i < cut->bytes.size; i++) {
        out[size++] = (char)('a' + cut->bytes.data[i] / 16);
        out[size++] = (char)('a' + cut->bytes.data[i] % 16);
    }
    out[size++] = cut->side == SHEAF_SIDE_BEFORE ? '!' : cut->side == SHEAF_SIDE_AFTER ? '"' : '~';
    out[size] = 0;
}

static void expect_inverted_as_defined(const sheaf_range *range)
{
    char lower[16], upper[16];
    bool bounded = range->lower.side != SHEAF_SIDE_UNBOUNDED && range->upper.side != SHEAF_SIDE_UNBOUNDED;
    write_cut(lower, &range->lower);
    write_cut(upper, &range->upper);
    bool one_key_excluded = range->lower.side == SHEAF_SIDE_AFTER && range->upper.side == SHEAF_SIDE_BEFORE &&
                            model_same(range->lower.bytes, range->upper.bytes);
    bool expected = bounded && strcmp(lower, upper) > 0 && !one_key_excluded;
    if ((sheaf_range_is_inverted(range) != 0) != expected) cr_assert_fail("%s..%s", lower, upper);
}

Test(range, inverted_is_its_definition_for_all_pairs_of_cuts)
{
    for_each_range(expect_inverted_as_defined);
}

static void expect_inverted_holds_nothing(const sheaf_range *range)
{
    if (!sheaf_range_is_inverted(range)) return;
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (sheaf_range_contains(range, keys[i])) cr_assert_fail("an inverted range holds key %zu", i);
}

Test(range, an_inverted_one_holds_nothing)
{
    for_each_range(expect_inverted_holds_nothing);
}

static void expect_after_and_before(const sheaf_range *range)
{
    bool inverted = sheaf_range_is_inverted(range);
    for (size_t position = 0; position < KEY_COUNT; position++) {
        sheaf_range after = sheaf_range_after(*range, keys[position]);
        sheaf_range before = sheaf_range_before(*range, keys[position]);
        if ((sheaf_range_is_inverted(&after) != 0) != inverted) cr_assert_fail("after %zu: inverted", position);
        if ((sheaf_range_is_inverted(&before) != 0) != inverted) cr_assert_fail("before %zu: inverted", position);
        if (inverted) continue;
        for (size_t i = 0; i < KEY_COUNT; i++) {
            bool inside = model_range_holds(range, keys[i]);
            int order = model_order(keys[i], keys[position]);
            bool in_after = sheaf_range_contains(&after, keys[i]);
            bool in_before = sheaf_range_contains(&before, keys[i]);
            if (in_after != (inside && order > 0)) cr_assert_fail("after %zu, key %zu", position, i);
            if (in_before != (inside && order < 0)) cr_assert_fail("before %zu, key %zu", position, i);
        }
    }
}

Test(range, after_and_before_keep_one_side_and_are_never_inverted)
{
    for_each_range(expect_after_and_before);
}

static bool holds(sheaf_range range, const char *key)
{
    return sheaf_range_contains(&range, sheaf_bytes_of(key, strlen(key)));
}

Test(range, constructors_mean_what_they_are_called)
{
    sheaf_bytes b = SHEAF_LIT("b"), d = SHEAF_LIT("d");
    static const struct {
        const char *key;
        bool equal, less, at_most, at_least, greater, between, prefix, through, beyond;
    } cases[] = {
        { "", false, true, true, false, false, false, false, true, false },
        { "a", false, true, true, false, false, false, false, true, false },
        { "b", true, false, true, true, false, true, true, true, false },
        { "b\x01", false, false, false, true, true, true, true, true, false },
        { "bz", false, false, false, true, true, true, true, true, false },
        { "c", false, false, false, true, true, true, false, false, true },
        { "d", false, false, false, true, true, true, false, false, true },
        { "da", false, false, false, true, true, false, false, false, true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *key = cases[i].key;
        cr_assert(holds(sheaf_range_all(), key));
        cr_assert_eq(holds(sheaf_range_equal(b), key), cases[i].equal, "equal, %s", key);
        cr_assert_eq(holds(sheaf_range_less(b), key), cases[i].less, "less, %s", key);
        cr_assert_eq(holds(sheaf_range_at_most(b), key), cases[i].at_most, "at most, %s", key);
        cr_assert_eq(holds(sheaf_range_at_least(b), key), cases[i].at_least, "at least, %s", key);
        cr_assert_eq(holds(sheaf_range_greater(b), key), cases[i].greater, "greater, %s", key);
        cr_assert_eq(holds(sheaf_range_between(b, d), key), cases[i].between, "between, %s", key);
        cr_assert_eq(holds(sheaf_range_prefix(b), key), cases[i].prefix, "prefix, %s", key);
        cr_assert_eq(holds(sheaf_range_through_prefix(b), key), cases[i].through, "through prefix, %s", key);
        cr_assert_eq(holds(sheaf_range_beyond_prefix(b), key), cases[i].beyond, "beyond prefix, %s", key);
    }
}

Test(range, a_zeroed_one_is_all)
{
    sheaf_range zeroed;
    memset(&zeroed, 0, sizeof zeroed);
    cr_assert(!sheaf_range_is_inverted(&zeroed));
    for (size_t i = 0; i < KEY_COUNT; i++) cr_assert(sheaf_range_contains(&zeroed, keys[i]));
}

Test(range, between_two_and_one_is_inverted)
{
    sheaf_range range = sheaf_range_between(SHEAF_LIT("2"), SHEAF_LIT("1"));
    cr_assert(sheaf_range_is_inverted(&range));
    range = sheaf_range_between(SHEAF_LIT("1"), SHEAF_LIT("1"));
    cr_assert(!sheaf_range_is_inverted(&range));
    range = sheaf_range_of(sheaf_cut_of(SHEAF_LIT("1"), SHEAF_SIDE_AFTER), sheaf_cut_of(SHEAF_LIT("1"), SHEAF_SIDE_BEFORE));
    cr_assert(!sheaf_range_is_inverted(&range));
}
