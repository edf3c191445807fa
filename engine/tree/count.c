#include "engine/tree/count.h"

static void add(sheaf_totals *sum, sheaf_totals more)
{
    sum->count += more.count;
    sum->bytes += more.bytes;
}

static void subtract(sheaf_totals *sum, sheaf_totals less)
{
    sum->count -= less.count;
    sum->bytes -= less.bytes;
}

/* What the slots of a node from `begin` to before `end` hold. */
static sheaf_totals of_slots(const struct sheaf_node *node, uint32_t begin, uint32_t end)
{
    sheaf_totals total = { 0 };
    if (sheaf_node_is_leaf(node)) {
        total.count = end - begin;
        for (uint32_t slot = begin; slot < end; slot++) total.bytes += sheaf_node_entry_bytes(node, slot);
        return total;
    }
    const sheaf_totals *sums = sheaf_node_sums(node);
    for (uint32_t slot = begin; slot < end; slot++) add(&total, sums[slot]);
    return total;
}

/* What the slots before `end` hold, counted from the nearer side: `whole` is what all do. */
static sheaf_totals of_slots_before(const struct sheaf_node *node, uint32_t end, sheaf_totals whole)
{
    if (end <= node->count / 2U) return of_slots(node, 0, end);
    subtract(&whole, of_slots(node, end, node->count));
    return whole;
}

/* What lies below a cut, below a node that holds `whole`. */
static sheaf_totals below_node(const struct sheaf_node *node, sheaf_totals whole, const sheaf_cut *cut)
{
    sheaf_totals below = { 0 };
    while (!sheaf_node_is_leaf(node)) {
        uint32_t slot = sheaf_branch_search_cut(node, cut);
        const struct sheaf_node *child = sheaf_node_children(node)[slot];
        sheaf_node_prefetch(child);
        add(&below, of_slots_before(node, slot, whole));
        whole = sheaf_node_sums(node)[slot];
        node = child;
    }
    add(&below, of_slots_before(node, sheaf_leaf_search_cut(node, cut), whole));
    return below;
}

/* As below_node(), without the bytes, for which the leaf's cells would have to be read. */
static uint64_t count_below_node(const struct sheaf_node *node, uint64_t whole, const sheaf_cut *cut)
{
    uint64_t below = 0;
    while (!sheaf_node_is_leaf(node)) {
        uint32_t slot = sheaf_branch_search_cut(node, cut);
        const struct sheaf_node *child = sheaf_node_children(node)[slot];
        sheaf_node_prefetch(child);
        below += of_slots_before(node, slot, (sheaf_totals){ .count = whole }).count;
        whole = sheaf_node_sums(node)[slot].count;
        node = child;
    }
    return below + sheaf_leaf_search_cut(node, cut);
}

uint64_t sheaf_tree_count_below(const struct sheaf_tree *tree, const sheaf_cut *cut)
{
    if (!tree->root || cut->side == SHEAF_SIDE_UNBOUNDED) return tree->totals.count;
    return count_below_node(tree->root, tree->totals.count, cut);
}

sheaf_totals sheaf_tree_below(const struct sheaf_tree *tree, const sheaf_cut *cut)
{
    if (!tree->root || cut->side == SHEAF_SIDE_UNBOUNDED) return tree->totals;
    return below_node(tree->root, tree->totals, cut);
}

/* The slot of a branch where a range begins or ends. */
static uint32_t slot_of_bound(const struct sheaf_node *branch, const sheaf_cut *bound, uint32_t unbounded)
{
    return bound->side == SHEAF_SIDE_UNBOUNDED ? unbounded : sheaf_branch_search_cut(branch, bound);
}

/* The range whose bounds lie below slots `first` and `last` of a branch, two different ones. */
static sheaf_totals between_children(const struct sheaf_node *branch, uint32_t first, uint32_t last, const sheaf_range *range)
{
    struct sheaf_node *const *children = sheaf_node_children(branch);
    const sheaf_totals *sums = sheaf_node_sums(branch);
    sheaf_node_prefetch(children[first]);
    sheaf_node_prefetch(children[last]);
    sheaf_totals total = of_slots(branch, first, last);
    if (range->lower.side != SHEAF_SIDE_UNBOUNDED) subtract(&total, below_node(children[first], sums[first], &range->lower));
    if (range->upper.side == SHEAF_SIDE_UNBOUNDED) add(&total, sums[last]);
    else add(&total, below_node(children[last], sums[last], &range->upper));
    return total;
}

/* The two ways down are one as far as they go together, and there is nothing to sum up yet. */
sheaf_totals sheaf_tree_range_total(const struct sheaf_tree *tree, const sheaf_range *range)
{
    const struct sheaf_node *node = tree->root;
    if (!node) return (sheaf_totals){ 0 };
    while (!sheaf_node_is_leaf(node)) {
        uint32_t first = slot_of_bound(node, &range->lower, 0);
        uint32_t last = slot_of_bound(node, &range->upper, node->count - 1U);
        if (first > last) return (sheaf_totals){ 0 };
        if (first < last) return between_children(node, first, last, range);
        node = sheaf_node_children(node)[first];
        sheaf_node_prefetch(node);
    }
    uint32_t begin = sheaf_leaf_search_cut(node, &range->lower);
    uint32_t end = range->upper.side == SHEAF_SIDE_UNBOUNDED ? node->count : sheaf_leaf_search_cut(node, &range->upper);
    return begin < end ? of_slots(node, begin, end) : (sheaf_totals){ 0 };
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
