#include "engine/tree/build.h"

#include <criterion/criterion.h>

#include <string.h>

#include "engine/tree/node.h"
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

TestSuite(build, .init = begin, .fini = end);

static void build_numbers(uint32_t count)
{
    struct sheaf_tree_build build;
    char key[16];
    sheaf_tree_build_begin(&build, &orchard.tree);
    for (uint32_t i = 0; i < count; i++)
        cr_assert_eq(sheaf_tree_build_add(&build, orchard_number(i, key), SHEAF_LIT("value")), SHEAF_OK);
    sheaf_tree_build_finish(&build);
}

Test(build, of_nothing_is_an_empty_tree)
{
    build_numbers(0);
    cr_assert_null(orchard.tree.root);
    cr_assert_eq(orchard.tree.totals.count, 0);
    cr_assert_eq(orchard.heap.live_blocks, 0);
}

Test(build, of_any_size_holds_what_was_added)
{
    for (uint32_t count = 1; count < 400; count += 1 + count / 16) {
        build_numbers(count);
        orchard_check(&orchard);
        cr_assert_eq(orchard.tree.totals.count, count);
        cr_assert_eq(orchard.tree.totals.bytes, (6 + 5) * count);
        char key[16];
        for (uint32_t i = 0; i <= count; i += 1 + count / 7) {
            sheaf_bytes value;
            cr_assert_eq(sheaf_tree_get(&orchard.tree, orchard_number(i, key), &value), i < count ? SHEAF_OK : SHEAF_NOT_FOUND);
        }
        sheaf_tree_clear(&orchard.tree);
        cr_assert_eq(orchard.heap.live_blocks, 0);
    }
}

/* Bytes of leaves used and given. */
static void add_leaves(const struct sheaf_node *node, uint64_t *used, uint64_t *given, uint64_t *count)
{
    if (sheaf_node_is_leaf(node)) {
        *used += sheaf_node_used(node);
        *given += node->size;
        ++*count;
        return;
    }
    for (uint32_t slot = 0; slot < node->count; slot++) add_leaves(sheaf_node_children(node)[slot], used, given, count);
}

Test(build, packs_its_leaves)
{
    build_numbers(3000);
    uint64_t used = 0, given = 0, count = 0;
    add_leaves(orchard.tree.root, &used, &given, &count);
    cr_assert_geq(used * 100, given * 99, "no room is left in the blocks");
    /* A number takes a slot of 7 and a cell of at most 9 bytes, a leaf 24 and its prefix: at least 14 go into 256 bytes. */
    cr_assert_leq(count, 3000 / 14 + 1);
}

Test(build, refuses_keys_that_do_not_ascend_and_goes_on)
{
    struct sheaf_tree_build build;
    sheaf_tree_build_begin(&build, &orchard.tree);
    cr_assert_eq(sheaf_tree_build_add(&build, SHEAF_LIT(""), SHEAF_LIT("0")), SHEAF_OK);
    cr_assert_eq(sheaf_tree_build_add(&build, SHEAF_LIT(""), SHEAF_LIT("1")), SHEAF_OUT_OF_ORDER);
    cr_assert_eq(sheaf_tree_build_add(&build, SHEAF_LIT("b"), SHEAF_LIT("2")), SHEAF_OK);
    cr_assert_eq(sheaf_tree_build_add(&build, SHEAF_LIT("b"), SHEAF_LIT("3")), SHEAF_OUT_OF_ORDER);
    cr_assert_eq(sheaf_tree_build_add(&build, SHEAF_LIT("a"), SHEAF_LIT("4")), SHEAF_OUT_OF_ORDER);
    cr_assert_eq(sheaf_tree_build_add(&build, SHEAF_LIT("b\0"), SHEAF_LIT("5")), SHEAF_OK);
    sheaf_tree_build_finish(&build);
    cr_assert_eq(orchard.tree.totals.count, 3);
    sheaf_bytes value;
    cr_assert_eq(sheaf_tree_get(&orchard.tree, SHEAF_LIT("b"), &value), SHEAF_OK);
    cr_assert_eq(value.data[0], '2');
}

/* What is there at each point is a tree like any other, and a finish changes nothing but blocks. */
Test(build, is_sound_at_any_point_and_goes_on_after_a_finish)
{
    static uint8_t large[1000];
    struct sheaf_tree_build build;
    sheaf_tree_build_begin(&build, &orchard.tree);
    for (uint32_t i = 0; i < 300; i++) {
        char key[16];
        cr_assert_eq(sheaf_tree_build_add(&build, orchard_number(i, key), sheaf_bytes_of(large, i % 3 ? 2 : 1000)), SHEAF_OK);
        if (i % 11 == 0) sheaf_tree_build_finish(&build);
        orchard_check(&orchard);
        cr_assert_eq(orchard.tree.totals.count, i + 1);
    }
    sheaf_tree_clear(&orchard.tree);
    cr_assert_eq(orchard.heap.live_blocks, 0);
}

Test(build, finishes_without_memory)
{
    struct sheaf_tree_build build;
    sheaf_tree_build_begin(&build, &orchard.tree);
    char key[16];
    for (uint32_t i = 0; i < 100; i++)
        cr_assert_eq(sheaf_tree_build_add(&build, orchard_number(i, key), SHEAF_LIT("value")), SHEAF_OK);
    orchard.heap.fail_from = 0;
    sheaf_tree_build_finish(&build);
    orchard_check(&orchard);
    uint64_t roomy = orchard.grove.heap.charged_bytes;
    test_heap_relent(&orchard.heap);
    sheaf_tree_build_finish(&build);
    cr_assert_lt(orchard.grove.heap.charged_bytes, roomy);
    cr_assert_eq(orchard.tree.totals.count, 100);
}

Test(build, takes_puts_and_deletes_afterwards)
{
    build_numbers(500);
    char key[16];
    for (uint32_t i = 0; i < 500; i++) {
        if (i % 3 == 0) cr_assert_eq(sheaf_tree_delete(&orchard.tree, orchard_number(i, key)), SHEAF_OK);
        else orchard_put(&orchard, orchard_number(i + 1000, key), SHEAF_LIT("another value"));
        orchard_check(&orchard);
    }
    cr_assert_eq(orchard.tree.totals.count, 500 - 167 + 333);
}
