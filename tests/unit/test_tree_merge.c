/*
 * test_tree_merge.c - memory comes back: after deletes a tree takes little more than one that never held the rest.
 */
#include "engine/tree/merge.h"

#include <criterion/criterion.h>

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

TestSuite(merge, .init = begin, .fini = end);

static uint64_t bytes_of_fresh_tree(uint32_t begin_at, uint32_t end_at, uint32_t step)
{
    struct orchard fresh;
    orchard_begin(&fresh);
    for (uint32_t i = begin_at; i < end_at; i += step) orchard_put_numbers(&fresh, i, i + 1);
    uint64_t bytes = fresh.heap.live_bytes;
    orchard_end(&fresh);
    return bytes;
}

static void delete_number(uint32_t number)
{
    char key[16];
    cr_assert_eq(sheaf_tree_delete(&orchard.tree, orchard_number(number, key)), SHEAF_OK);
}

Test(merge, deleting_from_either_end_shrinks_the_tree)
{
    for (int from_end = 0; from_end < 2; from_end++) {
        orchard_put_numbers(&orchard, 0, 1000);
        uint64_t full = orchard.heap.live_bytes;
        for (uint32_t i = 0; i < 990; i++) delete_number(from_end ? 999 - i : i);
        orchard_check(&orchard);
        uint64_t fresh = from_end ? bytes_of_fresh_tree(0, 10, 1) : bytes_of_fresh_tree(990, 1000, 1);
        cr_assert_leq(orchard.heap.live_bytes, 3 * fresh);
        cr_assert_lt(orchard.heap.live_bytes, full / 20);
        sheaf_tree_clear(&orchard.tree);
    }
}

/* Every leaf keeps a few of its entries: only merging them gives memory back. */
Test(merge, thinning_out_merges_leaves)
{
    orchard_put_numbers(&orchard, 0, 2000);
    uint64_t full = orchard.heap.live_bytes;
    for (uint32_t i = 0; i < 2000; i++)
        if (i % 10) delete_number(i);
    orchard_check(&orchard);
    cr_assert_eq(orchard.tree.totals.count, 200);
    cr_assert_lt(orchard.heap.live_bytes, full / 4);
    cr_assert_leq(orchard.heap.live_bytes, 2 * bytes_of_fresh_tree(0, 2000, 10));
}

Test(merge, in_random_order_too)
{
    struct random random = random_from_seed(random_seed("merge", 11));
    static uint32_t left[2000];
    for (uint32_t i = 0; i < 2000; i++) left[i] = i;
    orchard_put_numbers(&orchard, 0, 2000);
    for (uint32_t count = 2000; count > 50; count--) {
        uint32_t i = random_below(&random, count);
        delete_number(left[i]);
        left[i] = left[count - 1];
    }
    orchard_check(&orchard);
    cr_assert_leq(orchard.heap.live_bytes, 4 * bytes_of_fresh_tree(0, 2000, 40));
}

Test(merge, a_small_collection_takes_a_small_block)
{
    orchard_put_numbers(&orchard, 0, 1);
    cr_assert_eq(orchard.heap.live_blocks, 1);
    /* Header 24, slot 6, cell 2 + 2 + 7 */
    cr_assert_leq(orchard.heap.live_bytes, 64);
    orchard_put_numbers(&orchard, 1, 12);
    cr_assert_eq(orchard.heap.live_blocks, 1);
    for (uint32_t i = 1; i < 12; i++) delete_number(i);
    cr_assert_eq(orchard.heap.live_blocks, 1);
    cr_assert_leq(orchard.heap.live_bytes, 100);
    delete_number(0);
    cr_assert_eq(orchard.heap.live_blocks, 0);
    cr_assert_null(orchard.tree.root);
}

/* Two leaves over one root: the one that becomes small has a neighbour on one side only. */
Test(merge, a_leaf_goes_together_with_either_neighbour)
{
    for (int right = 0; right < 2; right++) {
        uint32_t count = 1;
        while (!orchard.tree.root || orchard.tree.root->level == 0) orchard_put_numbers(&orchard, count - 1, count), count++;
        uint32_t left_count = sheaf_node_children(orchard.tree.root)[0]->count;
        uint32_t all = (uint32_t)orchard.tree.totals.count;
        orchard_put_numbers(&orchard, all, all + 5); /* the right one has a few, the left one is full */
        all += 5;
        uint32_t begin_at = right ? left_count : 0, end_at = right ? all : left_count;
        for (uint32_t i = right ? 0 : all - 1; right ? i + 3 < left_count : i >= left_count + 3; i = right ? i + 1 : i - 1)
            delete_number(i); /* the neighbour is left with three */
        cr_assert_eq(orchard.tree.root->level, 1, "no merge yet: one of them is full");
        for (uint32_t i = begin_at; i + 2 < end_at; i++) delete_number(i);
        cr_assert_eq(orchard.tree.root->level, 0, "merged, neither being empty");
        cr_assert_eq(orchard.tree.totals.count, 3 + 2);
        orchard_check(&orchard);
        sheaf_tree_clear(&orchard.tree);
    }
}

/* With every merge refused the tree stays sound, and catches up when there is memory again. */
Test(merge, a_merge_without_memory_is_left_for_later)
{
    orchard_put_numbers(&orchard, 0, 1000);
    orchard.heap.fail_from = 0;
    for (uint32_t i = 0; i < 1000; i++)
        if (i % 8) {
            delete_number(i);
            if (i % 50 == 1) orchard_check(&orchard);
        }
    orchard_check(&orchard);
    test_heap_relent(&orchard.heap);
    uint64_t unmerged = orchard.heap.live_bytes;
    for (uint32_t i = 0; i < 1000; i += 16) delete_number(i);
    orchard_check(&orchard);
    cr_assert_lt(orchard.heap.live_bytes, unmerged / 2);
}
