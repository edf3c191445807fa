/*
 * test_tree_version.c - versions of a tree: what is copied, what is shared, what is freed when.
 */
#include "engine/tree/version.h"

#include <criterion/criterion.h>

#include <string.h>

#include "engine/tree/census.h"
#include "engine/tree/search.h"
#include "tests/support/expect.h"
#include "tests/support/orchard.h"

static struct orchard orchard;

static void begin(void)
{
    orchard_begin(&orchard);
}

static void end(void)
{
    orchard_end(&orchard);
}

TestSuite(version, .init = begin, .fini = end);

static void put(uint32_t number, const char *value)
{
    char key[16];
    orchard_put(&orchard, orchard_number(number, key), sheaf_bytes_of(value, strlen(value)));
    sheaf_grove_settle(&orchard.grove);
}

static void delete(uint32_t number)
{
    char key[16];
    cr_assert_eq(sheaf_tree_delete(&orchard.tree, orchard_number(number, key)), SHEAF_OK, "number %u", number);
    sheaf_grove_settle(&orchard.grove);
}

/* The value of a number in a tree; "" if it is not there. */
static const char *get(const struct sheaf_tree *tree, uint32_t number)
{
    static char text[64];
    char key[16];
    sheaf_bytes value;
    if (sheaf_tree_get(tree, orchard_number(number, key), &value) != SHEAF_OK) return "";
    memcpy(text, value.data, value.size);
    text[value.size] = '\0';
    return text;
}

/* A version and the tree as it was. */
struct kept {
    struct sheaf_version version;
    struct sheaf_tree tree;
};

static void keep(struct kept *kept)
{
    sheaf_version_open(&orchard.grove, &kept->version);
    kept->tree = orchard.tree;
}

static void let_go(struct kept *kept)
{
    sheaf_version_close(&orchard.grove, &kept->version);
}

static void expect_numbers(const struct sheaf_tree *tree, uint32_t count)
{
    sheaf_fault fault = { 0 };
    cr_assert(sheaf_tree_check(tree, &fault), "%s", fault.rule);
    cr_assert_eq(tree->totals.count, count);
    char expected[16] = "v";
    for (uint32_t number = 0; number < count; number++) {
        (void)orchard_number(number, expected + 1);
        cr_assert_str_eq(get(tree, number), expected);
    }
}

Test(version, nothing_is_copied_while_none_is_open)
{
    struct kept kept;
    orchard_put_numbers(&orchard, 0, 500);
    keep(&kept);
    let_go(&kept);
    for (uint32_t number = 0; number < 500; number += 3) put(number, "other");
    for (uint32_t number = 0; number < 500; number += 7) delete(number);
    cr_assert_eq(orchard.grove.copied_count, 0);
    cr_assert_eq(orchard.grove.retained_bytes, 0);
}

Test(version, a_change_copies_the_way_down_to_it_once)
{
    struct kept kept;
    orchard_put_numbers(&orchard, 0, 500);
    uint32_t levels = orchard.tree.root->level + 1U;
    cr_assert_geq(levels, 3);
    keep(&kept);
    put(250, "v000999");
    cr_assert_eq(orchard.grove.copied_count, levels);
    cr_assert_neq(orchard.tree.root, kept.tree.root);
    put(250, "v000998");
    put(251, "v000997"); /* of the same leaf, as a rule; one more copy at most */
    cr_assert_leq(orchard.grove.copied_count, levels + 1);
    cr_assert_str_eq(get(&orchard.tree, 250), "v000998");
    expect_numbers(&kept.tree, 500);
    let_go(&kept);
    cr_assert_eq(orchard.grove.retained_bytes, 0);
}

Test(version, closing_frees_what_only_it_needed_in_any_order)
{
    enum { COUNT = 4 };
    static const uint32_t orders[][COUNT] = { { 0, 1, 2, 3 }, { 3, 2, 1, 0 }, { 1, 3, 0, 2 }, { 2, 0, 3, 1 } };
    for (size_t order = 0; order < sizeof orders / sizeof *orders; order++) {
        struct kept kept[COUNT];
        orchard_put_numbers(&orchard, 0, 300);
        uint64_t charged = orchard.grove.heap.charged_bytes;
        uint64_t blocks = orchard.grove.heap.block_count;
        for (uint32_t i = 0; i < COUNT; i++) {
            keep(&kept[i]);
            for (uint32_t number = i; number < 300; number += 40) put(number, i % 2 ? "vXXXXXX" : "vYYYYYY");
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t which = orders[order][i];
            /* Changes of the versions before it, and of none after. */
            for (uint32_t number = 0; number < COUNT; number++) {
                char expected[16] = "v";
                (void)orchard_number(number, expected + 1);
                if (number < which) memset(expected + 1, number % 2 ? 'X' : 'Y', 6);
                cr_assert_str_eq(get(&kept[which].tree, number), expected);
            }
            let_go(&kept[which]);
        }
        cr_assert_eq(orchard.grove.heap.charged_bytes, charged, "nodes are as large as before");
        cr_assert_eq(orchard.grove.heap.block_count, blocks);
        sheaf_tree_clear(&orchard.tree);
    }
}

Test(version, values_out_of_line_are_shared_and_freed_with_the_last_that_sees_them)
{
    static uint8_t large[1000];
    struct kept kept;
    char key[16];
    for (uint32_t number = 0; number < 20; number++)
        orchard_put(&orchard, orchard_number(number, key), sheaf_bytes_of(large, sizeof large));
    uint64_t charged = orchard.grove.heap.charged_bytes;
    keep(&kept);
    put(3, "small");
    cr_assert_lt(orchard.grove.heap.charged_bytes, charged + 3000, "the other values are shared");
    sheaf_bytes value;
    cr_assert_eq(sheaf_tree_get(&kept.tree, orchard_number(3, key), &value), SHEAF_OK);
    cr_assert_eq(value.size, sizeof large);
    delete(4);
    put(3, "smaller");
    cr_assert_geq(orchard.grove.retained_bytes, 2 * sizeof large);
    let_go(&kept);
    cr_assert_lt(orchard.grove.heap.charged_bytes, charged - 2 * sizeof large + 1);
}

/* Every range of a deep tree, with a version open: it is not touched, nothing is lost, and all memory comes back. */
Test(version, every_cut_leaves_it_as_it_is)
{
    enum { COUNT = 1500 };
    for (uint32_t low = 0; low < COUNT; low += 37) {
        for (uint32_t high = low; high < COUNT; high += 61) {
            struct kept kept;
            char low_key[16], high_key[16];
            orchard_put_numbers(&orchard, 0, COUNT);
            keep(&kept);
            sheaf_range range = sheaf_range_between(orchard_number(low, low_key), orchard_number(high, high_key));
            cr_assert(sheaf_tree_thaw_cut(&orchard.tree, &range));
            cr_assert_eq(sheaf_tree_cut(&orchard.tree, &range).count, high - low + 1);
            sheaf_grove_settle(&orchard.grove);
            orchard_check(&orchard);
            if ((low + high) % 5 == 0) expect_numbers(&kept.tree, COUNT);
            cr_assert(sheaf_tree_check(&kept.tree, NULL));
            cr_assert_eq(kept.tree.totals.count, COUNT);
            let_go(&kept);
            cr_assert_eq(orchard.grove.retained_bytes, 0);
            sheaf_tree_clear(&orchard.tree);
            cr_assert_eq(orchard.heap.live_blocks, 0);
        }
    }
}

/* A tree taken down entry by entry, each under a version of its own: roots fall away over children that are frozen. */
static void take_down(uint32_t step)
{
    enum { COUNT = 997 };
    orchard_put_numbers(&orchard, 0, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        struct kept kept;
        keep(&kept);
        delete((uint32_t)((uint64_t)i * step % COUNT));
        orchard_check(&orchard);
        cr_assert_eq(kept.tree.totals.count, COUNT - i);
        if (i % 50 == 0) cr_assert(sheaf_tree_check(&kept.tree, NULL));
        let_go(&kept);
    }
    cr_assert_null(orchard.tree.root);
    cr_assert_eq(orchard.heap.live_blocks, 0);
}

Test(version, a_tree_is_taken_down_under_versions)
{
    take_down(1);
    take_down(996); /* from the end */
    take_down(331);
}

Test(version, a_refused_copy_leaves_no_trace)
{
    struct kept kept;
    char key[16], low[16], high[16];
    orchard_put_numbers(&orchard, 0, 300);
    keep(&kept);
    uint64_t charged = orchard.grove.heap.charged_bytes;
    sheaf_range range = sheaf_range_between(orchard_number(20, low), orchard_number(200, high));
    bool replaced;
    for (uint64_t nth = 0; nth < 3; nth++) {
        orchard.heap.fail_at = orchard.heap.requests + nth;
        cr_assert_eq(sheaf_tree_delete(&orchard.tree, orchard_number(7, key)), SHEAF_NO_MEMORY);
        orchard.heap.fail_at = orchard.heap.requests + nth;
        cr_assert_eq(sheaf_tree_put(&orchard.tree, orchard_number(7, key), SHEAF_LIT("v000008"), &replaced), SHEAF_NO_MEMORY);
        orchard.heap.fail_at = orchard.heap.requests + nth;
        cr_assert_not(sheaf_tree_thaw_cut(&orchard.tree, &range));
        orchard.heap.fail_at = orchard.heap.requests;
        cr_assert_not(sheaf_tree_reserve_clear(&orchard.tree));
        sheaf_grove_settle(&orchard.grove);
        cr_assert_eq(orchard.grove.heap.charged_bytes, charged);
        cr_assert_eq(orchard.tree.root, kept.tree.root);
        cr_assert_eq(orchard.tree.changed, kept.tree.changed);
    }
    test_heap_relent(&orchard.heap);
    expect_numbers(&orchard.tree, 300);
    let_go(&kept);
}

/* ---- what the checks find ----------------------------------------------------------------------------------------------- */

static const char *broken(void)
{
    sheaf_fault fault = { .rule = "none" };
    uint64_t blocks, bytes;
    struct sheaf_census census;
    if (!sheaf_grove_check(&orchard.grove, &fault)) return fault.rule;
    if (!sheaf_tree_check(&orchard.tree, &fault)) return fault.rule;
    sheaf_census_begin(&census, &orchard.grove);
    sheaf_census_add_tree(&census, orchard.tree.root, NULL);
    for (const struct sheaf_version *version = orchard.grove.newest; version; version = version->older) {
        const struct kept *kept = (const struct kept *)(const void *)version;
        sheaf_census_add_tree(&census, kept->tree.root, version);
    }
    (void)sheaf_census_check(&census, &blocks, &bytes, &fault);
    sheaf_census_end(&census);
    return fault.rule;
}

static void expect_broken(const char *label)
{
    cr_assert(strncmp(broken(), label, strlen(label)) == 0, "%s, not %s", broken(), label);
}

/* One more on a dead list, and one less; sums and all. */
static void add_dead(struct kept *kept, void *block, size_t size)
{
    struct sheaf_dead_chunk *chunk = kept->version.chunks;
    chunk->dead[chunk->count++] = (struct sheaf_dead){ block, chunk->youngest, size };
    orchard.grove.retained_bytes += size;
}

static void delete_dead(struct kept *kept)
{
    struct sheaf_dead_chunk *chunk = kept->version.chunks;
    orchard.grove.retained_bytes -= chunk->dead[--chunk->count].size;
}

Test(version, checks_find_what_is_wrong)
{
    struct kept first, second;
    orchard_put_numbers(&orchard, 0, 300);
    keep(&first);
    put(5, "v000006");
    keep(&second);
    put(5, "v000007");
    expect_broken("none");

    struct sheaf_dead *dead = &second.version.chunks->dead[0];
    dead->birth += 100;
    expect_broken("V1");
    dead->birth -= 100;
    orchard.grove.frozen_before--;
    expect_broken("V2");
    orchard.grove.frozen_before++;
    orchard.grove.retained_bytes++;
    expect_broken("V5");
    orchard.grove.retained_bytes--;
    add_dead(&second, orchard.tree.root, orchard.tree.root->size);
    expect_broken("V6");
    delete_dead(&second);
    add_dead(&second, dead->block, dead->size);
    expect_broken("V6");
    delete_dead(&second);
    struct sheaf_dead lost = second.version.chunks->dead[second.version.chunks->count - 1];
    delete_dead(&second);
    expect_broken("V7");
    add_dead(&second, lost.block, lost.size);
    second.version.chunks->dead[second.version.chunks->count - 1].birth = lost.birth;
    /* A node that looks old above one that is not. */
    uint64_t birth = orchard.tree.root->birth;
    orchard.tree.root->birth = 0;
    expect_broken("V3");
    orchard.tree.root->birth = birth;
    orchard.grove.foreign_before = 2;
    expect_broken("V4");
    orchard.grove.foreign_before = 0;
    expect_broken("none");
    let_go(&first);
    let_go(&second);
}
