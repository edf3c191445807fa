#include "engine/tree/split.h"

#include <criterion/criterion.h>

#include <string.h>

#include "engine/tree/tag.h"
#include "tests/support/expect.h"
#include "tests/support/model.h"
#include "tests/support/orchard.h"
#include "tests/support/random.h"

static struct orchard orchard;

static void begin(void)
{
    orchard_begin(&orchard);
}

static void end(void)
{
    orchard_end(&orchard);
}

TestSuite(split, .init = begin, .fini = end);

static const struct sheaf_edges NOWHERE = { false, false }, LEFT = { true, false };
static const struct sheaf_edges RIGHT = { false, true }, ALONE = { true, true };

/* A roomy leaf of numbers `step` apart, values of `value_size` bytes; larger than a node, to see where it would be cut. */
static struct sheaf_node *numbers(uint32_t count, uint32_t step, uint32_t value_size)
{
    static uint8_t value[VALUE_INLINE_SIZE_MAX];
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 4096, 0, sheaf_bytes_of(NULL, 0), count);
    struct sheaf_payload payload = { .bytes = sheaf_bytes_of(value, value_size) };
    char key[16];
    for (uint32_t i = 0; i < count; i++) sheaf_node_insert(leaf, i, orchard_number(i * step, key), &payload, NULL);
    return leaf;
}

/* Where inserting `key` at `slot` cuts. */
static uint32_t cut_at(const struct sheaf_node *leaf, uint32_t slot, sheaf_bytes key, struct sheaf_edges edges)
{
    struct sheaf_payload payload = { .bytes = SHEAF_LIT("value") };
    struct sheaf_run run = sheaf_run_with_entry(leaf, slot, false, key, sheaf_key_tag(key), &payload);
    return sheaf_split_choose(&run, edges);
}

Test(split, what_fits_one_node_is_not_cut)
{
    struct sheaf_node *leaf = numbers(4, 2, 5);
    cr_assert_eq(cut_at(leaf, 4, SHEAF_LIT("000009"), ALONE), 0);
    cr_assert_eq(cut_at(leaf, 0, SHEAF_LIT(""), ALONE), 0);
    sheaf_node_free(&orchard.grove, leaf);
}

Test(split, appending_leaves_a_full_node_behind)
{
    struct sheaf_node *leaf = numbers(30, 2, 5);
    char key[16];
    cr_assert_eq(cut_at(leaf, 30, orchard_number(99, key), RIGHT), 30);
    cr_assert_eq(cut_at(leaf, 30, orchard_number(99, key), ALONE), 30);
    cr_assert_eq(cut_at(leaf, 0, SHEAF_LIT("0000000"), LEFT), 1);
    cr_assert_eq(cut_at(leaf, 0, SHEAF_LIT("0000000"), ALONE), 1);
    sheaf_node_free(&orchard.grove, leaf);
}

Test(split, a_key_at_the_end_of_a_heavy_node_is_not_cut_off_alone)
{
    struct sheaf_node *leaf = numbers(60, 2, 25); /* either half is above SHEAF_NODE_SIZE, and the prefix holds */
    char key[16];
    uint32_t cut = cut_at(leaf, 60, orchard_number(121, key), NOWHERE);
    cr_assert_geq(cut, 25);
    cr_assert_leq(cut, 35);
    cut = cut_at(leaf, 0, SHEAF_LIT(""), NOWHERE);
    cr_assert_geq(cut, 25);
    cr_assert_leq(cut, 35);
    sheaf_node_free(&orchard.grove, leaf);
}

Test(split, elsewhere_it_cuts_near_the_middle)
{
    struct sheaf_node *leaf = numbers(30, 2, 5);
    char key[16];
    uint32_t cuts[] = { cut_at(leaf, 30, orchard_number(99, key), LEFT), cut_at(leaf, 0, SHEAF_LIT("0000000"), RIGHT),
                        cut_at(leaf, 15, orchard_number(29, key), ALONE), cut_at(leaf, 30, orchard_number(99, key), NOWHERE) };
    for (size_t i = 0; i < 4; i++) {
        cr_assert_geq(cuts[i], 12);
        cr_assert_leq(cuts[i], 19);
    }
    sheaf_node_free(&orchard.grove, leaf);
}

Test(split, the_middle_is_of_bytes_not_of_slots)
{
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 4096, 0, sheaf_bytes_of(NULL, 0), 32);
    static uint8_t value[VALUE_INLINE_SIZE_MAX];
    char key[16];
    for (uint32_t i = 0; i < 32; i++) { /* the first eight weigh as much as the other 24 */
        struct sheaf_payload payload = { .bytes = sheaf_bytes_of(value, i < 8 ? 29 : 1) };
        sheaf_node_insert(leaf, i, orchard_number(i * 2, key), &payload, NULL);
    }
    uint32_t cut = cut_at(leaf, 20, orchard_number(39, key), NOWHERE);
    cr_assert_geq(cut, 8);
    cr_assert_leq(cut, 13);
    sheaf_node_free(&orchard.grove, leaf);
}

Test(split, near_the_middle_it_prefers_a_short_separator)
{
    static const char *const keys[] = { "user/1111111/a", "user/1111111/b", "user/1111111/c",
                                        "user/1111111/d", "user/1111111/e",
                                        "user/1111111/f", "user/1111111/g", "user/2", "user/2222222/a", "user/2222222/b",
                                        "user/2222222/c", "user/2222222/d", "user/2222222/e", "user/2222222/f" };
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 4096, 0, sheaf_bytes_of(NULL, 0), 14);
    struct sheaf_payload payload = { .bytes = SHEAF_LIT("value") };
    for (uint32_t i = 0; i < 14; i++) sheaf_node_insert(leaf, i, sheaf_bytes_of(keys[i], strlen(keys[i])), &payload, NULL);
    struct sheaf_run run = sheaf_run_of_node(leaf);
    uint32_t cut = sheaf_split_choose(&run, NOWHERE);
    uint8_t separator[64];
    cr_assert_eq(cut, 7);
    cr_assert(sheaf_bytes_equal(sheaf_split_separator(&run, cut, separator), SHEAF_LIT("user/2")));
    sheaf_node_free(&orchard.grove, leaf);
}

Test(split, fewer_than_four_slots_stay_together_whatever_they_weigh)
{
    static uint8_t long_key[2000];
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 16384, 0, sheaf_bytes_of(NULL, 0), 4);
    struct sheaf_payload payload = { .bytes = SHEAF_LIT("v") };
    for (uint32_t i = 0; i < 3; i++) {
        memset(long_key, (int)('a' + i), sizeof long_key);
        sheaf_bytes key = sheaf_bytes_of(long_key, sizeof long_key);
        struct sheaf_run before = sheaf_run_with_entry(leaf->count ? leaf : NULL, leaf->count, false, key, sheaf_key_tag(key),
                                                       &payload);
        cr_assert_eq(sheaf_split_choose(&before, ALONE), 0, "%u slots", before.length);
        sheaf_node_insert(leaf, i, sheaf_bytes_of(long_key, sizeof long_key), &payload, NULL);
    }
    memset(long_key, 'd', sizeof long_key);
    cr_assert_neq(cut_at(leaf, 3, sheaf_bytes_of(long_key, sizeof long_key), NOWHERE), 0);
    sheaf_node_free(&orchard.grove, leaf);
}

/* So that each level at least halves what is above it: a branch over one child would be a level for nothing. */
Test(split, a_branch_leaves_two_children_on_either_side)
{
    struct sheaf_node *branch = sheaf_node_allocate(&orchard.grove, 2048, 1, sheaf_bytes_of(NULL, 0), 10);
    struct sheaf_link link = { .totals = { 1, 1 } };
    char key[16];
    sheaf_node_insert(branch, 0, sheaf_bytes_of(NULL, 0), NULL, &link);
    for (uint32_t i = 1; i < 10; i++) sheaf_node_insert(branch, i, orchard_number(i * 10, key), NULL, &link);
    struct sheaf_run at_end = sheaf_run_with_link(branch, 9, &link, SHEAF_LIT("000099"), &link);
    cr_assert_eq(sheaf_split_choose(&at_end, RIGHT), 9);
    struct sheaf_run at_start = sheaf_run_with_link(branch, 0, &link, SHEAF_LIT("000001"), &link);
    cr_assert_eq(sheaf_split_choose(&at_start, LEFT), 2);
    sheaf_node_free(&orchard.grove, branch);
}

/* A foreign key would take the prefix from a hundred others: it goes to a node of its own. */
Test(split, a_key_that_shares_no_prefix_gets_its_own_node)
{
    uint8_t key[204];
    memset(key, 'p', 200);
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 500, 0, sheaf_bytes_of(key, 200), 5);
    struct sheaf_payload payload = { .bytes = SHEAF_LIT("v") };
    for (uint32_t i = 0; i < 5; i++) {
        key[200] = (uint8_t)('a' + i);
        sheaf_node_insert(leaf, i, sheaf_bytes_of(key, 201), &payload, NULL);
    }
    cr_assert_eq(cut_at(leaf, 5, SHEAF_LIT("z"), NOWHERE), 5);
    cr_assert_eq(cut_at(leaf, 0, SHEAF_LIT("a"), NOWHERE), 1);
    sheaf_node_free(&orchard.grove, leaf);
}

/* The separator is above the left key, not above the right one, and no shorter key is. */
Test(split, a_separator_is_the_shortest_that_separates)
{
    struct random random = random_from_seed(random_seed("split", 3));
    for (uint32_t round = 0; round < 5000; round++) {
        uint8_t bytes[2][8];
        sheaf_bytes keys[2];
        for (size_t i = 0; i < 2; i++) {
            uint32_t size = random_below(&random, 9);
            for (uint32_t j = 0; j < size; j++) bytes[i][j] = (uint8_t)(random_below(&random, 2) * 255);
            keys[i] = sheaf_bytes_of(bytes[i], size);
        }
        int order = model_order(keys[0], keys[1]);
        if (order == 0) continue;
        sheaf_bytes low = order < 0 ? keys[0] : keys[1], high = order < 0 ? keys[1] : keys[0];
        struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 128, 0, sheaf_bytes_of(NULL, 0), 2);
        struct sheaf_payload payload = { .bytes = SHEAF_LIT("v") };
        sheaf_node_insert(leaf, 0, low, &payload, NULL);
        sheaf_node_insert(leaf, 1, high, &payload, NULL);
        struct sheaf_run run = sheaf_run_of_node(leaf);
        uint8_t separator_bytes[16];
        sheaf_bytes separator = sheaf_split_separator(&run, 1, separator_bytes);
        EXPECT(model_order(low, separator) < 0 && model_order(separator, high) <= 0, "it separates, round %u", round);
        sheaf_bytes shorter = sheaf_bytes_of(high.data, separator.size - 1);
        EXPECT(model_order(shorter, low) <= 0, "a shorter start of the right key is not above the left one, round %u", round);
        sheaf_node_free(&orchard.grove, leaf);
    }
}
