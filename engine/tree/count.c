#include "engine/tree/count.h"

uint64_t sheaf_tree_count_below(const struct sheaf_tree *tree, const sheaf_cut *cut)
{
    const struct sheaf_node *node = tree->root;
    uint64_t count = 0;
    if (!node || cut->side == SHEAF_SIDE_UNBOUNDED) return tree->totals.count;
    while (!sheaf_node_is_leaf(node)) {
        const sheaf_totals *sums = sheaf_node_sums(node);
        uint32_t slot = sheaf_branch_search_cut(node, cut);
        for (uint32_t i = 0; i < slot; i++) count += sums[i].count;
        node = sheaf_node_children(node)[slot];
    }
    return count + sheaf_leaf_search_cut(node, cut);
}

sheaf_totals sheaf_tree_below(const struct sheaf_tree *tree, const sheaf_cut *cut)
{
    sheaf_totals below = { 0 };
    const struct sheaf_node *node = tree->root;
    if (!node || cut->side == SHEAF_SIDE_UNBOUNDED) return tree->totals;
    while (!sheaf_node_is_leaf(node)) {
        const sheaf_totals *sums = sheaf_node_sums(node);
        uint32_t slot = sheaf_branch_search_cut(node, cut);
        for (uint32_t i = 0; i < slot; i++) {
            below.count += sums[i].count;
            below.bytes += sums[i].bytes;
        }
        node = sheaf_node_children(node)[slot];
    }
    uint32_t end = sheaf_leaf_search_cut(node, cut);
    below.count += end;
    for (uint32_t slot = 0; slot < end; slot++) below.bytes += sheaf_node_entry_bytes(node, slot);
    return below;
}

sheaf_totals sheaf_tree_range_total(const struct sheaf_tree *tree, const sheaf_range *range)
{
    sheaf_totals total = sheaf_tree_below(tree, &range->upper);
    if (range->lower.side == SHEAF_SIDE_UNBOUNDED) return total;
    sheaf_totals below = sheaf_tree_below(tree, &range->lower);
    if (below.count >= total.count) return (sheaf_totals){ 0 };
    total.count -= below.count;
    total.bytes -= below.bytes;
    return total;
}

sheaf_bytes sheaf_tree_key(const struct sheaf_tree *tree, uint64_t index, uint8_t *out)
{
    const struct sheaf_node *node = tree->root;
    sheaf_assert(index < tree->totals.count);
    while (!sheaf_node_is_leaf(node)) {
        const sheaf_totals *sums = sheaf_node_sums(node);
        uint32_t slot = 0;
        while (index >= sums[slot].count) index -= sums[slot++].count;
        node = sheaf_node_children(node)[slot];
    }
    return sheaf_node_key(node, (uint32_t)index, out);
}
