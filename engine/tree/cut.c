/*
 * cut.c - deleting a range: whole subtrees between the two cuts are dropped, only the two paths along the cuts are edited.
 *
 *                      [ a | b | c | d | e ]
 *                          /   x   x    \
 *         cut in b's tail             cut in e's head        c and d go whole
 *
 * Works in place and so needs no memory. Recurses as deep as the tree is.
 */
#include "engine/tree/clear.h"
#include "engine/tree/merge.h"
#include "engine/tree/search.h"

static const sheaf_cut NO_CUT = { .side = SHEAF_SIDE_UNBOUNDED };

static void add(sheaf_totals *totals, sheaf_totals more)
{
    totals->count += more.count;
    totals->bytes += more.bytes;
}

static sheaf_totals cut_leaf(struct sheaf_grove *grove, struct sheaf_node *leaf, const sheaf_cut *lower, const sheaf_cut *upper)
{
    uint32_t begin = sheaf_leaf_search_cut(leaf, lower);
    uint32_t end = upper->side == SHEAF_SIDE_UNBOUNDED ? leaf->count : sheaf_leaf_search_cut(leaf, upper);
    sheaf_totals deleted = { 0 };
    if (begin >= end) return deleted;
    deleted.count = end - begin;
    for (uint32_t slot = begin; slot < end; slot++) deleted.bytes += sheaf_node_entry_bytes(leaf, slot);
    sheaf_leaf_free_values(grove, leaf, begin, end);
    sheaf_node_delete(leaf, begin, end);
    return deleted;
}

static sheaf_totals cut_node(struct sheaf_grove *grove, struct sheaf_node *node, const sheaf_cut *lower,
                             const sheaf_cut *upper);

/* Cuts within one child; its link then tells what is left. */
static sheaf_totals cut_child(struct sheaf_grove *grove, struct sheaf_node *branch, uint32_t slot, const sheaf_cut *lower,
                              const sheaf_cut *upper)
{
    struct sheaf_link *link = &sheaf_node_links_writable(branch)[slot];
    sheaf_totals deleted = cut_node(grove, link->child, lower, upper);
    link->totals.count -= deleted.count;
    link->totals.bytes -= deleted.bytes;
    return deleted;
}

/* Deletes the slots from `begin` to before `end`, with all below them. */
static void drop_children(struct sheaf_grove *grove, struct sheaf_node *branch, uint32_t begin, uint32_t end)
{
    for (uint32_t slot = begin; slot < end; slot++) sheaf_subtree_free(grove, sheaf_node_links(branch)[slot].child);
    if (begin < end) sheaf_node_delete(branch, begin, end);
}

static sheaf_totals cut_branch(struct sheaf_grove *grove, struct sheaf_node *branch, const sheaf_cut *lower,
                               const sheaf_cut *upper)
{
    uint32_t first = sheaf_branch_search_cut(branch, lower);
    uint32_t last = upper->side == SHEAF_SIDE_UNBOUNDED ? branch->count - 1U : sheaf_branch_search_cut(branch, upper);
    sheaf_assert(first <= last);
    sheaf_totals deleted = cut_child(grove, branch, first, lower, first == last ? upper : &NO_CUT);
    if (first < last) add(&deleted, cut_child(grove, branch, last, &NO_CUT, upper));
    for (uint32_t slot = first + 1; slot < last; slot++) add(&deleted, sheaf_node_links(branch)[slot].totals);
    /* A child left empty goes with those between. */
    bool first_stays = sheaf_node_links(branch)[first].child->count > 0;
    bool last_stays = sheaf_node_links(branch)[last].child->count > 0;
    drop_children(grove, branch, first_stays ? first + 1 : first, last_stays ? last : last + 1);
    return deleted;
}

/* May leave the node with no slot: the caller drops it. */
static sheaf_totals cut_node(struct sheaf_grove *grove, struct sheaf_node *node, const sheaf_cut *lower, const sheaf_cut *upper)
{
    return sheaf_node_is_leaf(node) ? cut_leaf(grove, node, lower, upper) : cut_branch(grove, node, lower, upper);
}

sheaf_totals sheaf_tree_cut(struct sheaf_tree *tree, const sheaf_range *range)
{
    sheaf_totals deleted = { 0 };
    if (!tree->root) return deleted;
    deleted = cut_node(tree->grove, tree->root, &range->lower, &range->upper);
    if (deleted.count == 0) return deleted;
    tree->totals.count -= deleted.count;
    tree->totals.bytes -= deleted.bytes;
    tree->changed = ++tree->grove->changes;
    sheaf_seam_repair(tree, &range->lower);
    if (range->upper.side != SHEAF_SIDE_UNBOUNDED) sheaf_seam_repair(tree, &range->upper);
    return deleted;
}
