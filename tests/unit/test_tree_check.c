/*
 * test_tree_check.c - the check is shown to fail: each invariant broken by hand in an otherwise sound tree.
 */
#include "engine/tree/tree.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "engine/tree/large.h"
#include "engine/tree/node.h"
#include "tests/support/orchard.h"

enum { NUMBERS = 400 };

static struct orchard orchard;

static void begin(void)
{
    orchard_begin(&orchard);
    orchard_put_numbers(&orchard, 0, NUMBERS);
    orchard_check(&orchard);
    cr_assert_geq(orchard.tree.root->level, 2);
}

static void end(void)
{
    orchard_end(&orchard);
}

TestSuite(check, .init = begin, .fini = end);

/* The node reached by taking slot `slots[0]` of the root, then `slots[1]` ... `depth` times. */
static struct sheaf_node *node_at(uint32_t depth, uint32_t slot)
{
    struct sheaf_node *node = orchard.tree.root;
    for (uint32_t i = 0; i < depth; i++) node = sheaf_node_children(node)[slot];
    return node;
}

static struct sheaf_node *second_leaf(void)
{
    return node_at(orchard.tree.root->level, 1);
}

static void expect_fault(const char *rule)
{
    sheaf_fault fault = { 0 };
    cr_assert(!sheaf_tree_check(&orchard.tree, &fault), "a fault of rule %s is not seen", rule);
    cr_assert_eq(strncmp(fault.rule, rule, strlen(rule)), 0, "rule %s broken, but \"%s\" is named", rule, fault.rule);
    cr_assert(!sheaf_tree_check(&orchard.tree, NULL), "the record may be left out");
}

/* Breaks a node, expects the fault, and mends the node again. */
static void expect_fault_of(struct sheaf_node *node, void (*damage)(struct sheaf_node *node), const char *rule)
{
    uint32_t size = node->size;
    uint8_t *sound = malloc(size);
    cr_assert_not_null(sound);
    memcpy(sound, node, size);
    damage(node);
    expect_fault(rule);
    memcpy(node, sound, size);
    free(sound);
    orchard_check(&orchard);
}

static void equal_keys(struct sheaf_node *node)
{
    sheaf_node_heads_writable(node)[1] = sheaf_node_heads(node)[2];
}

static void swap_keys(struct sheaf_node *node)
{
    uint32_t *heads = sheaf_node_heads_writable(node);
    uint32_t head = heads[1];
    heads[1] = heads[2];
    heads[2] = head;
}

static void swap_offsets(struct sheaf_node *node)
{
    uint16_t *offsets = sheaf_node_offsets_writable(node);
    uint32_t *heads = sheaf_node_heads_writable(node);
    uint16_t offset = offsets[1];
    offsets[1] = offsets[2];
    offsets[2] = offset;
    uint32_t head = heads[1];
    heads[1] = heads[2];
    heads[2] = head;
}

Test(check, sees_keys_out_of_order)
{
    expect_fault_of(second_leaf(), equal_keys, "N1");
    expect_fault_of(second_leaf(), swap_keys, "N1");
    expect_fault_of(second_leaf(), swap_offsets, "N1");
    expect_fault_of(orchard.tree.root, equal_keys, "N1");
}

static void first_separator(struct sheaf_node *node)
{
    ((uint8_t *)node)[sheaf_node_offsets(node)[0]] = 1 << 1;
}

Test(check, sees_a_separator_where_there_is_none)
{
    expect_fault_of(orchard.tree.root, first_separator, "N1");
}

static void flip_head(struct sheaf_node *node)
{
    cr_assert_lt(sheaf_node_cell(node, 0).suffix_size, 4);
    sheaf_node_heads_writable(node)[0] ^= 1;
}

Test(check, sees_bytes_behind_a_short_suffix)
{
    expect_fault_of(second_leaf(), flip_head, "N2");
}

static void flip_tag(struct sheaf_node *node)
{
    sheaf_node_tags_writable(node)[1] ^= 1;
}

Test(check, sees_a_tag_of_another_key)
{
    expect_fault_of(second_leaf(), flip_tag, "N6");
}

static void offset_below_heap(struct sheaf_node *node)
{
    sheaf_node_offsets_writable(node)[0] = (uint16_t)(node->heap - 1);
}

static void offset_beyond_end(struct sheaf_node *node)
{
    sheaf_node_offsets_writable(node)[0] = (uint16_t)node->size;
}

static void overlapping_cells(struct sheaf_node *node)
{
    sheaf_node_offsets_writable(node)[1] = sheaf_node_offsets(node)[2];
}

static void cell_beyond_end(struct sheaf_node *node)
{
    uint32_t last = 0;
    for (uint32_t slot = 0; slot < node->count; slot++)
        if (sheaf_node_offsets(node)[slot] > sheaf_node_offsets(node)[last]) last = slot;
    ((uint8_t *)node)[sheaf_node_offsets(node)[last] + 1] = 100; /* its value's size */
}

static void dead_too_high(struct sheaf_node *node)
{
    node->dead++;
}

static void heap_beyond_end(struct sheaf_node *node)
{
    node->heap = (uint16_t)(node->size + 1);
}

static void tail_beyond_end(struct sheaf_node *node)
{
    node->tail = (uint16_t)(node->size + 1);
}

Test(check, sees_cells_out_of_place)
{
    expect_fault_of(second_leaf(), offset_below_heap, "N3");
    expect_fault_of(second_leaf(), offset_beyond_end, "N3");
    expect_fault_of(second_leaf(), overlapping_cells, "N3");
    expect_fault_of(second_leaf(), cell_beyond_end, "N3");
    expect_fault_of(second_leaf(), dead_too_high, "N3");
    expect_fault_of(second_leaf(), heap_beyond_end, "N3");
    expect_fault_of(second_leaf(), tail_beyond_end, "N3");
    expect_fault_of(orchard.tree.root, dead_too_high, "N3");
}

static void too_few_slots(struct sheaf_node *node)
{
    node->slot_max = (uint16_t)(node->count - 1);
}

static void too_many_slots(struct sheaf_node *node)
{
    node->slot_max = (uint16_t)node->size;
}

Test(check, sees_arrays_that_do_not_fit)
{
    expect_fault_of(second_leaf(), too_few_slots, "N4");
    expect_fault_of(second_leaf(), too_many_slots, "N4");
}

static void no_slots(struct sheaf_node *node)
{
    node->count = 0;
}

static void level_up(struct sheaf_node *node)
{
    node->level++;
}

Test(check, sees_empty_nodes_and_wrong_levels)
{
    expect_fault_of(second_leaf(), no_slots, "N5");
    expect_fault_of(second_leaf(), level_up, "N5");
    expect_fault_of(orchard.tree.root, level_up, "N5");
    expect_fault_of(node_at(1, 0), level_up, "N5");
}

static void keys_too_low(struct sheaf_node *node)
{
    cr_assert_gt(node->prefix_size, 0);
    ((uint8_t *)node)[sizeof *node] = '/';
}

static void keys_too_high(struct sheaf_node *node)
{
    cr_assert_gt(node->prefix_size, 0);
    ((uint8_t *)node)[sizeof *node] = '1';
}

Test(check, sees_keys_under_the_wrong_separator)
{
    expect_fault_of(second_leaf(), keys_too_low, "T1");
    expect_fault_of(second_leaf(), keys_too_high, "T1");
    expect_fault_of(node_at(orchard.tree.root->level, 0), keys_too_high, "T1");
    expect_fault_of(node_at(1, 1), keys_too_low, "T1");
}

static void count_too_high(struct sheaf_node *node)
{
    sheaf_node_sums_writable(node)[1].count++;
}

static void bytes_too_low(struct sheaf_node *node)
{
    sheaf_node_sums_writable(node)[0].bytes--;
}

Test(check, sees_wrong_sums_in_branches)
{
    expect_fault_of(orchard.tree.root, count_too_high, "T2");
    expect_fault_of(orchard.tree.root, bytes_too_low, "T2");
    expect_fault_of(node_at(1, 1), count_too_high, "T2");
    expect_fault_of(node_at(1, 1), bytes_too_low, "T2");
}

Test(check, sees_wrong_totals_of_the_tree)
{
    orchard.tree.totals.count++;
    expect_fault("T3");
    orchard.tree.totals.count--;
    orchard.tree.totals.bytes--;
    expect_fault("T3");
    orchard.tree.totals.bytes++;
    struct sheaf_node *root = orchard.tree.root;
    orchard.tree.root = NULL;
    expect_fault("T3");
    orchard.tree.root = root;
}

static void born_tomorrow(struct sheaf_node *node)
{
    node->birth = orchard.grove.version + 1;
}

Test(check, sees_what_is_not_born_yet)
{
    expect_fault_of(second_leaf(), born_tomorrow, "T4");
    expect_fault_of(orchard.tree.root, born_tomorrow, "T4");
    static uint8_t large[1000];
    orchard_put(&orchard, SHEAF_LIT("000000"), sheaf_bytes_of(large, sizeof large));
    orchard_check(&orchard);
    struct sheaf_node *leaf = node_at(orchard.tree.root->level, 0);
    struct sheaf_payload payload = sheaf_payload_of_slot(leaf, 0);
    cr_assert_not_null(payload.large);
    cr_assert_eq(payload.birth, orchard.grove.version);
    payload.birth++;
    cr_assert(sheaf_node_replace(leaf, 0, &payload));
    expect_fault("T4");
    payload.birth--;
    cr_assert(sheaf_node_replace(leaf, 0, &payload));
    orchard.tree.changed = orchard.grove.changes + 1;
    expect_fault("T4");
    orchard.tree.changed = orchard.grove.changes;
}

Test(check, sees_a_root_over_one_child)
{
    struct sheaf_node *root = orchard.tree.root;
    struct sheaf_link link = { .child = root, .totals = orchard.tree.totals };
    struct sheaf_node *above = sheaf_node_allocate(&orchard.grove, 128, root->level + 1U, sheaf_bytes_of(NULL, 0), 1);
    sheaf_node_insert(above, 0, sheaf_bytes_of(NULL, 0), NULL, &link);
    orchard.tree.root = above;
    expect_fault("T5");
    orchard.tree.root = root;
    sheaf_node_free(&orchard.grove, above);
}

Test(check, sees_a_small_value_out_of_line)
{
    struct orchard other;
    orchard_begin(&other);
    uint8_t *large = sheaf_heap_allocate(&other.grove.heap, 3);
    memcpy(large, "abc", 3);
    struct sheaf_payload payload = { .bytes = sheaf_bytes_of(large, 3), .large = large, .birth = 1 };
    other.tree.root = sheaf_node_allocate(&other.grove, 128, 0, sheaf_bytes_of(NULL, 0), 1);
    sheaf_node_insert(other.tree.root, 0, SHEAF_LIT("k"), &payload, NULL);
    other.tree.totals = (sheaf_totals){ 1, 4 };
    sheaf_fault fault = { 0 };
    cr_assert(!sheaf_tree_check(&other.tree, &fault));
    cr_assert_eq(strncmp(fault.rule, "N3", 2), 0);
    sheaf_tree_clear(&other.tree);
    cr_assert_eq(other.heap.live_blocks, 0);
}

Test(check, names_level_and_slot)
{
    struct sheaf_node *leaf = second_leaf();
    sheaf_node_heads_writable(leaf)[2] ^= 1;
    sheaf_fault fault = { 0 };
    cr_assert(!sheaf_tree_check(&orchard.tree, &fault));
    cr_assert_eq(fault.level, 0);
    cr_assert_eq(fault.slot, 2);
    sheaf_node_heads_writable(leaf)[2] ^= 1;
    struct sheaf_node *branch = node_at(1, 1);
    sheaf_node_sums_writable(branch)[1].count++;
    cr_assert(!sheaf_tree_check(&orchard.tree, &fault));
    cr_assert_eq(fault.level, branch->level);
    cr_assert_eq(fault.slot, 1);
    sheaf_node_sums_writable(branch)[1].count--;
}
