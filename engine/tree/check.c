/*
 * check.c - every invariant of a tree, recomputed.
 *
 * One function for each rule; the labels are those of node.h, and
 *
 * T1  The keys below slot i of a branch lie from its separator (included) to that of slot i + 1 (excluded).
 * T2  A link's count and bytes are those of its child's entries.
 * T3  The tree's totals are those of its root; there is no root without entries.
 * T4  Nodes and large values were born at or before the grove's version.
 * T5  A root that is a branch has two children or more.
 * V3  Below a frozen node everything is frozen (version.h).
 */
#include "engine/tree/large.h"
#include "engine/tree/search.h"
#include "engine/tree/tag.h"
#include "engine/tree/version.h"

struct walk {
    const struct sheaf_tree *tree;
    const struct sheaf_grove *grove;
    sheaf_fault *fault;
    sheaf_totals totals; /* of the leaves met so far */
};

static bool fail(const struct walk *walk, const struct sheaf_node *node, uint32_t slot, const char *rule)
{
    if (walk->fault) *walk->fault = (sheaf_fault){ .rule = rule, .level = node ? node->level : 0, .slot = slot };
    return false;
}

static bool check_header(const struct walk *walk, const struct sheaf_node *node)
{
    if (node->level >= SHEAF_TREE_DEPTH_MAX) return fail(walk, node, 0, "N5: a tree has at most SHEAF_TREE_DEPTH_MAX levels");
    if (node->count == 0) return fail(walk, node, 0, "N5: a node has at least one slot");
    if (node->count > node->slot_max) return fail(walk, node, 0, "N4: count is at most slot_max");
    if (node->heap > node->tail || node->tail > node->size) return fail(walk, node, 0, "N3: the cells lie within the node");
    if (sheaf_node_arrays_end(node) > node->heap) return fail(walk, node, 0, "N4: the arrays end before the cells");
    if (node->birth > walk->grove->version) return fail(walk, node, 0, "T4: a node is born at or before now");
    return true;
}

/* A bit a byte of the node: which are taken by cells. */
struct taken {
    uint8_t bits[NODE_SIZE_HARD / 8 + 1];
};

static bool take(struct taken *taken, uint32_t begin, uint32_t end)
{
    for (uint32_t at = begin; at < end; at++) {
        uint8_t bit = (uint8_t)(1U << (at % 8));
        if (taken->bits[at / 8] & bit) return false;
        taken->bits[at / 8] |= bit;
    }
    return true;
}

static bool check_cells(const struct walk *walk, const struct sheaf_node *node)
{
    struct taken taken = { 0 };
    uint32_t live = 0;
    for (uint32_t slot = 0; slot < node->count; slot++) {
        uint32_t offset = sheaf_node_offsets(node)[slot];
        if (offset < node->heap || offset >= node->tail) return fail(walk, node, slot, "N3: a cell lies between heap and tail");
        struct sheaf_cell cell = sheaf_node_cell(node, slot);
        if (offset + cell.size > node->tail) return fail(walk, node, slot, "N3: a cell ends before the tail");
        if (!take(&taken, offset, offset + cell.size)) return fail(walk, node, slot, "N3: cells do not overlap");
        live += cell.size;
    }
    if (live != sheaf_node_live_size(node)) return fail(walk, node, 0, "N3: cells and dead bytes fill the heap");
    return true;
}

static bool check_heads(const struct walk *walk, const struct sheaf_node *node)
{
    for (uint32_t slot = 0; slot < node->count; slot++) {
        uint32_t size = sheaf_node_cell(node, slot).suffix_size;
        uint32_t beyond = size >= 4 ? 0 : UINT32_MAX >> (8 * size);
        if (sheaf_node_heads(node)[slot] & beyond) return fail(walk, node, slot, "N2: head bytes beyond the suffix are zero");
        if (node->level > 0 && slot == 0 && size > 0)
            return fail(walk, node, slot, "N1: a branch's first slot has no separator");
    }
    return true;
}

/* Keys ascend, and lie within the bounds that the branches above set; NULL is no bound. */
static bool check_order(const struct walk *walk, const struct sheaf_node *node, const sheaf_bytes *lower,
                        const sheaf_bytes *upper)
{
    uint8_t buffers[2][SHEAF_SORT_KEY_SIZE_HARD];
    sheaf_bytes before = { 0 };
    uint32_t first = node->level > 0 ? 1 : 0;
    for (uint32_t slot = first; slot < node->count; slot++) {
        if (sheaf_node_key_size(node, slot) > SHEAF_SORT_KEY_SIZE_HARD)
            return fail(walk, node, slot, "N1: a key is of legal size");
        sheaf_bytes key = sheaf_node_key(node, slot, buffers[slot % 2]);
        if (slot > first && sheaf_bytes_order(before, key) >= 0) return fail(walk, node, slot, "N1: keys strictly ascend");
        if (lower && sheaf_bytes_order(key, *lower) < 0) return fail(walk, node, slot, "T1: a key is not below its separator");
        if (upper && sheaf_bytes_order(key, *upper) >= 0)
            return fail(walk, node, slot, "T1: a key is below the next separator");
        before = key;
    }
    return true;
}

static bool is_thawed_below(const struct walk *walk, const struct sheaf_node *node, uint64_t birth)
{
    return sheaf_is_frozen(walk->grove, node->birth) && !sheaf_is_frozen(walk->grove, birth);
}

static bool check_leaf(struct walk *walk, const struct sheaf_node *leaf)
{
    uint8_t buffer[SHEAF_SORT_KEY_SIZE_HARD];
    if (leaf->extra_size != sheaf_grove_extra_size(walk->tree->grove))
        return fail(walk, leaf, 0, "N7: a leaf keeps uses and deadlines as its grove says");
    for (uint32_t slot = 0; slot < leaf->count; slot++) {
        if (sheaf_node_tags(leaf)[slot] != sheaf_key_tag(sheaf_node_key(leaf, slot, buffer))) {
            return fail(walk, leaf, slot, "N6: a tag is of its key");
        }
        if (sheaf_leaf_keeps_dues(leaf) && sheaf_node_dues(leaf)[slot] < sheaf_node_due(leaf))
            return fail(walk, leaf, slot, "N8: no deadline is before the leaf's bound");
        struct sheaf_payload payload = sheaf_payload_of_slot(leaf, slot);
        bool fits = payload.bytes.size <= VALUE_INLINE_SIZE_MAX;
        if (fits == (payload.large != NULL)) return fail(walk, leaf, slot, "N3: a value lies out of line when it is too large");
        if (payload.large && payload.birth > walk->grove->version) {
            return fail(walk, leaf, slot, "T4: a value is born at or before now");
        }
        if (payload.large && is_thawed_below(walk, leaf, payload.birth)) {
            return fail(walk, leaf, slot, "V3: a frozen leaf's values are frozen");
        }
    }
    sheaf_totals totals = sheaf_node_totals(leaf);
    walk->totals.count += totals.count;
    walk->totals.bytes += totals.bytes;
    return true;
}

static bool check_node(struct walk *walk, const struct sheaf_node *node, const sheaf_bytes *lower, const sheaf_bytes *upper);

static bool check_child(struct walk *walk, const struct sheaf_node *branch, uint32_t slot, const sheaf_bytes *lower,
                        const sheaf_bytes *upper)
{
    const struct sheaf_link link = sheaf_node_link(branch, slot);
    if (link.child->level + 1 != branch->level) return fail(walk, branch, slot, "N5: a child is one level lower");
    if (is_thawed_below(walk, branch, link.child->birth)) return fail(walk, branch, slot, "V3: a frozen node's children are");
    if (sheaf_node_due(link.child) < sheaf_node_due(branch))
        return fail(walk, branch, slot, "N8: no bound below is before the branch's");
    sheaf_totals before = walk->totals;
    if (!check_node(walk, link.child, lower, upper)) return false;
    if (walk->totals.count - before.count != link.totals.count)
        return fail(walk, branch, slot, "T2: a link counts its entries");
    if (walk->totals.bytes - before.bytes != link.totals.bytes)
        return fail(walk, branch, slot, "T2: a link sums its bytes");
    return true;
}

static bool check_branch(struct walk *walk, const struct sheaf_node *branch, const sheaf_bytes *lower, const sheaf_bytes *upper)
{
    uint8_t buffers[2][SHEAF_SORT_KEY_SIZE_HARD];
    sheaf_bytes separators[2];
    if (branch->extra_size != walk->tree->grove->due.size)
        return fail(walk, branch, 0, "N7: a branch has a bound as its grove says");
    for (uint32_t slot = 0; slot < branch->count; slot++) {
        bool last = slot + 1U == branch->count;
        if (!last) separators[(slot + 1) % 2] = sheaf_node_key(branch, slot + 1, buffers[(slot + 1) % 2]);
        const sheaf_bytes *from = slot == 0 ? lower : &separators[slot % 2];
        const sheaf_bytes *to = last ? upper : &separators[(slot + 1) % 2];
        if (!check_child(walk, branch, slot, from, to)) return false;
    }
    return true;
}

static bool check_node(struct walk *walk, const struct sheaf_node *node, const sheaf_bytes *lower, const sheaf_bytes *upper)
{
    if (!check_header(walk, node) || !check_cells(walk, node) || !check_heads(walk, node)) return false;
    if (!check_order(walk, node, lower, upper)) return false;
    return sheaf_node_is_leaf(node) ? check_leaf(walk, node) : check_branch(walk, node, lower, upper);
}

bool sheaf_tree_check_within(const struct sheaf_tree *tree, const struct sheaf_grove *grove, sheaf_fault *out_fault)
{
    struct walk walk = { .tree = tree, .grove = grove, .fault = out_fault };
    const struct sheaf_node *root = tree->root;
    if (root && !check_node(&walk, root, NULL, NULL)) return false;
    if (root && root->level > 0 && root->count < 2) return fail(&walk, root, 0, "T5: a root branch has two children");
    if (walk.totals.count != tree->totals.count) return fail(&walk, root, 0, "T3: the tree counts its entries");
    if (walk.totals.bytes != tree->totals.bytes) return fail(&walk, root, 0, "T3: the tree sums its bytes");
    if (tree->changed > grove->changes) return fail(&walk, root, 0, "T4: a tree was changed at or before now");
    return true;
}

bool sheaf_tree_check(const struct sheaf_tree *tree, sheaf_fault *out_fault)
{
    return sheaf_tree_check_within(tree, tree->grove, out_fault);
}
