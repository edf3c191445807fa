/*
 * cut.c - deleting a range: whole subtrees between the two cuts are dropped, only the two paths along the cuts are edited.
 *
 *                      [ a | b | c | d | e ]
 *                          /   x   x    \
 *         cut in b's tail             cut in e's head        c and d go whole
 *
 * Works in place and so needs no memory: what versions see of the two paths has been copied before. Recurses as deep as the
 * tree is.
 */
#include "engine/tree/cut.h"

#include "engine/tree/clear.h"
#include "engine/tree/merge.h"
#include "engine/tree/search.h"
#include "engine/tree/thaw.h"

static const sheaf_cut NO_CUT = { .side = SHEAF_SIDE_UNBOUNDED };

static void add(sheaf_totals *totals, sheaf_totals more)
{
    totals->count += more.count;
    totals->bytes += more.bytes;
}

/* The slots of a leaf that lie between the cuts; false: none. */
static bool slots_between(const struct sheaf_node *leaf, const sheaf_cut *lower, const sheaf_cut *upper, uint32_t *out_begin,
                          uint32_t *out_end)
{
    *out_begin = sheaf_leaf_search_cut(leaf, lower);
    *out_end = upper->side == SHEAF_SIDE_UNBOUNDED ? leaf->count : sheaf_leaf_search_cut(leaf, upper);
    return *out_begin < *out_end;
}

static sheaf_totals cut_leaf(struct sheaf_grove *grove, struct sheaf_node *leaf, const sheaf_cut *lower, const sheaf_cut *upper)
{
    uint32_t begin, end;
    sheaf_totals deleted = { 0 };
    if (!slots_between(leaf, lower, upper, &begin, &end)) return deleted;
    deleted.count = end - begin;
    for (uint32_t slot = begin; slot < end; slot++) deleted.bytes += sheaf_node_entry_bytes(leaf, slot);
    if (!grove->keeping) sheaf_leaf_retire_values(grove, leaf, begin, end);
    sheaf_node_delete(leaf, begin, end);
    return deleted;
}

static sheaf_totals cut_node(struct sheaf_grove *grove, struct sheaf_node *node, const sheaf_cut *lower,
                             const sheaf_cut *upper);

/* Cuts within one child; its link then tells what is left. */
static sheaf_totals cut_child(struct sheaf_grove *grove, struct sheaf_node *branch, uint32_t slot, const sheaf_cut *lower,
                              const sheaf_cut *upper)
{
    sheaf_totals *sum = &sheaf_node_sums_writable(branch)[slot];
    sheaf_totals deleted = cut_node(grove, sheaf_node_children(branch)[slot], lower, upper);
    sum->count -= deleted.count;
    sum->bytes -= deleted.bytes;
    return deleted;
}

static bool is_open(const sheaf_cut *cut)
{
    return cut->side == SHEAF_SIDE_UNBOUNDED;
}

/* The child that a range begins in, and the one it ends in. */
static uint32_t first_child(const struct sheaf_node *branch, const sheaf_cut *lower)
{
    return sheaf_branch_search_cut(branch, lower);
}

static uint32_t last_child(const struct sheaf_node *branch, const sheaf_cut *upper)
{
    return is_open(upper) ? branch->count - 1U : sheaf_branch_search_cut(branch, upper);
}

/* Deletes the slots from `begin` to before `end`, with all below them: at the ends of the range what the cut has left empty,
 * between, from `whole_begin` to before `whole_end`, children that go whole. These are not even looked at if they are kept. */
static void drop_children(struct sheaf_grove *grove, struct sheaf_node *branch, uint32_t begin, uint32_t end,
                          uint32_t whole_begin, uint32_t whole_end)
{
    for (uint32_t slot = begin; slot < end; slot++) {
        bool whole = slot >= whole_begin && slot < whole_end;
        if (!whole || !grove->keeping) sheaf_subtree_retire(grove, sheaf_node_children(branch)[slot]);
    }
    if (begin < end) sheaf_node_delete(branch, begin, end);
}

static sheaf_totals cut_branch(struct sheaf_grove *grove, struct sheaf_node *branch, const sheaf_cut *lower,
                               const sheaf_cut *upper)
{
    uint32_t first = first_child(branch, lower);
    uint32_t last = last_child(branch, upper);
    sheaf_totals deleted = { 0 };
    sheaf_assert(first <= last);
    if (first == last) {
        deleted = cut_child(grove, branch, first, lower, upper);
    } else {
        if (!is_open(lower)) deleted = cut_child(grove, branch, first, lower, &NO_CUT);
        if (!is_open(upper)) add(&deleted, cut_child(grove, branch, last, &NO_CUT, upper));
    }
    /* A child left empty goes with those that lie wholly in the range; their totals are as they were. */
    bool first_stays = !is_open(lower) && sheaf_node_children(branch)[first]->count > 0;
    bool last_stays = !is_open(upper) && sheaf_node_children(branch)[last]->count > 0;
    if (first == last) first_stays = last_stays = sheaf_node_children(branch)[first]->count > 0;
    uint32_t begin = first_stays ? first + 1 : first;
    uint32_t end = last_stays ? last : last + 1;
    for (uint32_t slot = begin; slot < end; slot++) add(&deleted, sheaf_node_sums(branch)[slot]);
    drop_children(grove, branch, begin, end, is_open(lower) ? first : first + 1, is_open(upper) ? last + 1 : last);
    return deleted;
}

/* May leave the node with no slot: the caller drops it. */
static sheaf_totals cut_node(struct sheaf_grove *grove, struct sheaf_node *node, const sheaf_cut *lower, const sheaf_cut *upper)
{
    return sheaf_node_is_leaf(node) ? cut_leaf(grove, node, lower, upper) : cut_branch(grove, node, lower, upper);
}

static sheaf_totals cut_root(struct sheaf_tree *tree)
{
    if (!tree->grove->keeping) sheaf_subtree_retire(tree->grove, tree->root);
    tree->root = NULL;
    return tree->totals;
}

/* Asked only while versions are open: then not even a sum may be written without need. */
static bool holds_nothing(const struct sheaf_tree *tree, const sheaf_range *range)
{
    return tree->grove->frozen_before > 0 && sheaf_tree_range_total(tree, range).count == 0;
}

/* ---- before it is done ------------------------------------------------------------------------------------------------ */

static void visit_node(struct sheaf_node *node, const sheaf_cut *lower, const sheaf_cut *upper, sheaf_cut_visitor *visit,
                       void *context)
{
    if (sheaf_node_is_leaf(node)) {
        uint32_t begin, end;
        if (slots_between(node, lower, upper, &begin, &end)) visit(context, node, begin, end, false);
        return;
    }
    struct sheaf_node *const *children = sheaf_node_children(node);
    uint32_t first = first_child(node, lower);
    uint32_t last = last_child(node, upper);
    for (uint32_t slot = first; slot <= last; slot++) {
        struct sheaf_node *child = children[slot];
        const sheaf_cut *child_lower = slot == first ? lower : &NO_CUT;
        const sheaf_cut *child_upper = slot == last ? upper : &NO_CUT;
        if (is_open(child_lower) && is_open(child_upper)) visit(context, child, 0, 0, true);
        else visit_node(child, child_lower, child_upper, visit, context);
    }
}

void sheaf_tree_visit_cut(const struct sheaf_tree *tree, const sheaf_range *range, sheaf_cut_visitor *visit, void *context)
{
    if (!tree->root) return;
    if (is_open(&range->lower) && is_open(&range->upper)) visit(context, tree->root, 0, 0, true);
    else visit_node(tree->root, &range->lower, &range->upper, visit, context);
}

/* ---- beside versions ---------------------------------------------------------------------------------------------------- */

/* The nodes that a cut edits. */
static void descend_cut(struct sheaf_path *path, const struct sheaf_tree *tree, const sheaf_cut *cut)
{
    struct sheaf_node *node = tree->root;
    uint32_t depth = 0;
    for (; !sheaf_node_is_leaf(node); depth++) {
        path->step[depth].node = node;
        path->step[depth].slot = sheaf_branch_search_cut(node, cut);
        node = sheaf_node_children(node)[path->step[depth].slot];
    }
    path->step[depth].node = node;
    path->step[depth].slot = 0;
    path->depth = depth + 1;
}

/* Places for what a cut of this node retires, the nodes it edits left out. At most; a leaf's values count as if all went. */
static uint64_t count_places(const struct sheaf_grove *grove, const struct sheaf_node *node, const sheaf_cut *lower,
                             const sheaf_cut *upper)
{
    if (sheaf_node_is_leaf(node)) return sheaf_leaf_value_places(grove, node);
    struct sheaf_node *const *children = sheaf_node_children(node);
    uint32_t first = first_child(node, lower);
    uint32_t last = last_child(node, upper);
    if (first == last) return count_places(grove, children[first], lower, upper);
    uint64_t places = 0;
    for (uint32_t slot = first; slot <= last; slot++) {
        const struct sheaf_node *child = children[slot];
        if (slot == first && !is_open(lower)) places += count_places(grove, child, lower, &NO_CUT);
        else if (slot == last && !is_open(upper)) places += count_places(grove, child, &NO_CUT, upper);
        else places += sheaf_subtree_places(grove, child);
    }
    return places;
}

bool sheaf_tree_thaw_cut(struct sheaf_tree *tree, const sheaf_range *range)
{
    if (tree->grove->frozen_before == 0 || !tree->root || holds_nothing(tree, range)) return true;
    bool open_below = is_open(&range->lower);
    bool open_above = is_open(&range->upper);
    if (open_below && open_above) return sheaf_tree_reserve_clear(tree);
    struct sheaf_path lower, upper;
    struct sheaf_path *paths[2];
    uint32_t path_count = 0;
    if (!open_below) descend_cut(paths[path_count++] = &lower, tree, &range->lower);
    if (!open_above) descend_cut(paths[path_count++] = &upper, tree, &range->upper);
    uint64_t places = count_places(tree->grove, tree->root, &range->lower, &range->upper);
    places += tree->root->level; /* every branch may come to be a root of one child, and go */
    return sheaf_paths_thaw(tree, paths, path_count, places);
}

sheaf_totals sheaf_tree_cut(struct sheaf_tree *tree, const sheaf_range *range)
{
    sheaf_totals deleted = { 0 };
    if (!tree->root || holds_nothing(tree, range)) return deleted;
    deleted = is_open(&range->lower) && is_open(&range->upper)
                  ? cut_root(tree) : cut_node(tree->grove, tree->root, &range->lower, &range->upper);
    if (deleted.count == 0) return deleted;
    tree->totals.count -= deleted.count;
    tree->totals.bytes -= deleted.bytes;
    tree->changed = ++tree->grove->changes;
    sheaf_seam_repair(tree, &range->lower);
    if (range->upper.side != SHEAF_SIDE_UNBOUNDED) sheaf_seam_repair(tree, &range->upper);
    return deleted;
}
