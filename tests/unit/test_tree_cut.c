/*
 * test_tree_cut.c - deleting ranges of a tree: what goes, what stays, that memory comes back and none is needed; and that a cut
 * whose nodes are kept goes down two ways and looks at nothing between.
 */
#include "engine/tree/tree.h"

#include <criterion/criterion.h>

#include <sys/mman.h>

#include "engine/tree/clear.h"
#include "engine/tree/cut.h"
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

TestSuite(cut, .init = begin, .fini = end);

/* Cuts [low, high] out of the numbers below `count`, with all memory refused. */
static void cut_numbers(uint32_t count, uint32_t low, uint32_t high)
{
    char low_key[16], high_key[16], key[16];
    orchard_put_numbers(&orchard, 0, count);
    sheaf_range range = sheaf_range_between(orchard_number(low, low_key), orchard_number(high, high_key));
    orchard.heap.fail_from = orchard.heap.requests;
    uint64_t changed = orchard.tree.changed;
    sheaf_totals deleted = sheaf_tree_cut(&orchard.tree, &range);
    test_heap_relent(&orchard.heap);
    cr_assert_neq(orchard.tree.changed, changed);
    cr_assert_eq(deleted.count, high - low + 1);
    cr_assert_eq(deleted.bytes, (6 + 7) * (high - low + 1));
    cr_assert_eq(orchard.tree.totals.count, count - deleted.count);
    orchard_check(&orchard);
    sheaf_bytes value;
    for (uint32_t i = 0; i < count; i++) {
        sheaf_status expected = i >= low && i <= high ? SHEAF_NOT_FOUND : SHEAF_OK;
        if (sheaf_tree_get(&orchard.tree, orchard_number(i, key), &value) != expected) cr_assert_fail("number %u", i);
    }
    sheaf_tree_clear(&orchard.tree);
    cr_assert_eq(orchard.heap.live_blocks, 0);
}

Test(cut, every_range_of_a_few_leaves)
{
    for (uint32_t low = 0; low < 60; low += 3)
        for (uint32_t high = low; high < 60; high++) cut_numbers(60, low, high);
}

Test(cut, wide_ranges_of_a_deep_tree)
{
    static const uint32_t bounds[] = { 0, 1, 13, 500, 1001, 1498, 1499 };
    for (size_t low = 0; low < 7; low++)
        for (size_t high = low; high < 7; high++) cut_numbers(1500, bounds[low], bounds[high]);
}

/* Nodes below `node` that use less than half of their block, and could do with a smaller one. */
static uint32_t count_hollow(const struct sheaf_node *node)
{
    uint32_t count = node->size > 128 && sheaf_node_used(node) < node->size / 2 ? 1 : 0;
    for (uint32_t slot = 0; node->level > 0 && slot < node->count; slot++)
        count += count_hollow(sheaf_node_children(node)[slot]);
    return count;
}

Test(cut, leaves_no_hollow_nodes_on_either_side)
{
    char low_key[16], high_key[16];
    for (uint32_t low = 100; low < 160; low += 3) {
        /* Out of order: the last leaf of an ordered load has room on purpose. */
        for (uint32_t i = 0; i < 1500; i++) orchard_put(&orchard, orchard_number(i * 7 % 1500, low_key), SHEAF_LIT("value"));
        sheaf_range range = sheaf_range_between(orchard_number(low, low_key), orchard_number(low + 1203, high_key));
        cr_assert_eq(sheaf_tree_cut(&orchard.tree, &range).count, 1204);
        cr_assert_eq(count_hollow(orchard.tree.root), 0, "cut from %u", low);
        orchard_check(&orchard);
        sheaf_tree_clear(&orchard.tree);
    }
}

Test(cut, everything_gives_all_memory_back)
{
    orchard_put_numbers(&orchard, 0, 700);
    sheaf_range all = sheaf_range_all();
    cr_assert_eq(sheaf_tree_cut(&orchard.tree, &all).count, 700);
    cr_assert_null(orchard.tree.root);
    cr_assert_eq(orchard.heap.live_blocks, 0);
    cr_assert_eq(sheaf_tree_cut(&orchard.tree, &all).count, 0);
}

Test(cut, nothing_changes_nothing)
{
    orchard_put_numbers(&orchard, 0, 200);
    uint64_t changed = orchard.tree.changed, blocks = orchard.heap.live_blocks;
    sheaf_range between_keys = sheaf_range_of(sheaf_cut_of(SHEAF_LIT("000100"), SHEAF_SIDE_AFTER),
                                              sheaf_cut_of(SHEAF_LIT("000101"), SHEAF_SIDE_BEFORE));
    sheaf_range above = sheaf_range_at_least(SHEAF_LIT("x"));
    sheaf_range below = sheaf_range_less(SHEAF_LIT("000000"));
    cr_assert_eq(sheaf_tree_cut(&orchard.tree, &between_keys).count, 0);
    cr_assert_eq(sheaf_tree_cut(&orchard.tree, &above).count, 0);
    cr_assert_eq(sheaf_tree_cut(&orchard.tree, &below).bytes, 0);
    cr_assert_eq(orchard.tree.changed, changed, "cursors need not seek again");
    cr_assert_eq(orchard.heap.live_blocks, blocks);
}

Test(cut, large_values_go_too)
{
    static uint8_t large[5000];
    char key[16];
    for (uint32_t i = 0; i < 100; i++) orchard_put(&orchard, orchard_number(i, key), sheaf_bytes_of(large, 5000));
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("00001"));
    sheaf_totals deleted = sheaf_tree_cut(&orchard.tree, &range);
    cr_assert_eq(deleted.count, 10);
    cr_assert_eq(deleted.bytes, 10 * 5006);
    cr_assert_lt(orchard.heap.live_bytes, 91 * 5100);
    orchard_check(&orchard);
}

/* ---- kept nodes ----------------------------------------------------------------------------------------------------------- */

enum { PAGE_SIZE = 4096, KEPT_MAX = 4000 };

/* Every block in pages of its own, so that it can be locked away. */
static void *map_block(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    if (new_size == 0) {
        munmap(block, (old_size + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE);
        return NULL;
    }
    cr_assert_null(block);
    block = mmap(NULL, new_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

struct kept {
    struct sheaf_node *whole[KEPT_MAX];
    uint32_t whole_count;
    uint32_t copied_slots; /* of leaves at the ends */
    uint64_t locked_count; /* nodes */
};

static void keep(void *context, struct sheaf_node *node, uint32_t begin, uint32_t end, bool whole)
{
    struct kept *kept = context;
    if (whole) kept->whole[kept->whole_count++] = node;
    else kept->copied_slots += end - begin;
    cr_assert_lt(kept->whole_count, KEPT_MAX);
}

/* Locks or unlocks a node with all below it; returns how many nodes, and adds up their entries. */
static uint64_t protect(struct sheaf_node *node, int protection, uint64_t *entry_count)
{
    uint64_t count = 1;
    cr_assert_eq(mprotect(node, PAGE_SIZE, PROT_READ | PROT_WRITE), 0);
    if (sheaf_node_is_leaf(node)) *entry_count += node->count;
    for (uint32_t slot = 0; !sheaf_node_is_leaf(node) && slot < node->count; slot++)
        count += protect(sheaf_node_children(node)[slot], protection, entry_count);
    cr_assert_eq(mprotect(node, PAGE_SIZE, protection), 0);
    return count;
}

/* Cuts [low, high] out of `count` numbers while nobody can touch what goes whole. */
static void cut_locked(uint32_t count, uint32_t low, uint32_t high)
{
    static struct kept kept;
    char low_key[16], high_key[16], key[16];
    sheaf_allocator hooks = { .resize = map_block };
    struct sheaf_grove grove = { 0 };
    struct sheaf_tree tree;
    bool replaced;
    uint64_t entry_count = 0, unlocked_count = 0;
    sheaf_heap_init(&grove.heap, &hooks);
    sheaf_tree_init(&tree, &grove);
    for (uint32_t i = 0; i < count; i++)
        cr_assert_eq(sheaf_tree_put(&tree, orchard_number(i, key), SHEAF_LIT("value"), &replaced), SHEAF_OK);
    kept = (struct kept){ 0 };
    sheaf_range range = sheaf_range_between(orchard_number(low, low_key), orchard_number(high, high_key));
    sheaf_tree_visit_cut(&tree, &range, keep, &kept);
    for (uint32_t i = 0; i < kept.whole_count; i++) kept.locked_count += protect(kept.whole[i], PROT_NONE, &entry_count);
    cr_assert_eq(entry_count + kept.copied_slots, high - low + 1);

    grove.keeping = true;
    sheaf_totals deleted = sheaf_tree_cut(&tree, &range);
    grove.keeping = false;
    cr_assert_eq(deleted.count, high - low + 1);
    cr_assert(sheaf_tree_check(&tree, NULL));

    if (high - low > 1000) cr_assert_gt(kept.locked_count, 60, "most of the nodes");
    for (uint32_t i = 0; i < kept.whole_count; i++) {
        unlocked_count += protect(kept.whole[i], PROT_READ | PROT_WRITE, &entry_count);
        sheaf_subtree_free(&grove, kept.whole[i]);
    }
    cr_assert_eq(unlocked_count, kept.locked_count);
    sheaf_tree_clear(&tree);
    cr_assert_eq(grove.heap.block_count, 0, "what a cut empties goes, what it keeps is whole");
}

Test(cut, that_keeps_nodes_looks_at_its_two_ends_only)
{
    static const uint32_t bounds[] = { 0, 1, 13, 500, 1001, 1498, 1499 };
    for (size_t low = 0; low < 7; low++)
        for (size_t high = low; high < 7; high++) cut_locked(1500, bounds[low], bounds[high]);
}
