#include "engine/tree/merge.h"

#include "engine/tree/run.h"
#include "engine/tree/thaw.h"

enum {
    MERGE_BELOW = SHEAF_NODE_SIZE / 3,         /* a node that uses less looks for a neighbour to go together with */
    MERGED_SIZE_MAX = SHEAF_NODE_SIZE * 3 / 4, /* so that the next few inserts do not split it again */
};

static bool is_small(const struct sheaf_node *node)
{
    return sheaf_node_used(node) < MERGE_BELOW;
}

/* Makes the children at `slot` and `slot + 1` one, if they are small enough together and memory allows. */
static bool merge_children(struct sheaf_grove *grove, struct sheaf_node *parent, uint32_t slot)
{
    struct sheaf_node **children = sheaf_node_children_writable(parent);
    struct sheaf_node *left = children[slot];
    struct sheaf_node *right = children[slot + 1];
    if (sheaf_node_used(left) + sheaf_node_used(right) > MERGED_SIZE_MAX) return false;
    uint8_t key[SHEAF_SORT_KEY_SIZE_HARD];
    struct sheaf_run run = sheaf_run_of_two(left, sheaf_node_key(parent, slot + 1, key), right);
    if (sheaf_run_size(&run, 0, run.length) > MERGED_SIZE_MAX) return false;
    struct sheaf_node *merged = sheaf_run_build(grove, &run, 0, run.length, SHEAF_ROOM_GROW);
    if (!merged) return false;
    if (!sheaf_grove_reserve(grove, sheaf_node_places(grove, left) + sheaf_node_places(grove, right))) {
        sheaf_node_free(grove, merged);
        return false;
    }
    children[slot] = merged;
    sheaf_totals *sums = sheaf_node_sums_writable(parent);
    sums[slot].count += sums[slot + 1].count;
    sums[slot].bytes += sums[slot + 1].bytes;
    sheaf_node_delete(parent, slot + 1, slot + 2);
    sheaf_node_retire(grove, left);
    sheaf_node_retire(grove, right);
    return true;
}

/* A smaller block for a node if there is one with such room; the node itself if there is none to be had. */
static struct sheaf_node *tighten(struct sheaf_grove *grove, struct sheaf_node *node, enum sheaf_room room)
{
    struct sheaf_run run = sheaf_run_of_node(node);
    if (sheaf_run_block_size(grove, &run, 0, run.length, room) >= node->size) return node;
    struct sheaf_node *smaller = sheaf_run_build(grove, &run, 0, run.length, room);
    if (!smaller) return node;
    if (!sheaf_grove_reserve(grove, sheaf_node_places(grove, node))) {
        sheaf_node_free(grove, smaller);
        return node;
    }
    sheaf_node_retire(grove, node);
    return smaller;
}

/* One with room to grow, for a node that uses less than half of its own. */
static struct sheaf_node *shrink(struct sheaf_grove *grove, struct sheaf_node *node)
{
    return sheaf_node_used(node) > node->size / 2 ? node : tighten(grove, node, SHEAF_ROOM_GROW);
}

/* Deletes empty children and merges or shrinks a small one at `slot`; returns the slot in which what is left of it lies. */
static uint32_t repair_child(struct sheaf_grove *grove, struct sheaf_node *parent, uint32_t slot)
{
    struct sheaf_node **children = sheaf_node_children_writable(parent);
    if (is_small(children[slot])) {
        if (slot + 1 < parent->count && merge_children(grove, parent, slot)) return slot;
        if (slot > 0 && merge_children(grove, parent, slot - 1)) return slot - 1;
    }
    children[slot] = shrink(grove, children[slot]);
    return slot;
}

/* A root that leads to one child only is that child; an empty one is none. Places for roots that versions see were taken
 * before. */
static void repair_root(struct sheaf_tree *tree)
{
    while (tree->root && tree->root->count <= 1 && (tree->root->count == 0 || !sheaf_node_is_leaf(tree->root))) {
        struct sheaf_node *root = tree->root;
        tree->root = root->count == 0 ? NULL : sheaf_node_children(root)[0];
        sheaf_node_retire(tree->grove, root);
    }
    if (tree->root) tree->root = shrink(tree->grove, tree->root);
}

static void repair_path(struct sheaf_tree *tree, struct sheaf_path *path)
{
    for (uint32_t depth = path->depth - 1; depth > 0; depth--) {
        struct sheaf_node *node = path->step[depth].node;
        struct sheaf_node *parent = path->step[depth - 1].node;
        uint32_t slot = path->step[depth - 1].slot;
        if (node->count == 0) {
            sheaf_node_retire(tree->grove, node);
            sheaf_node_delete(parent, slot, slot + 1);
            continue;
        }
        uint32_t count = parent->count;
        if (is_small(node) || sheaf_node_used(node) <= node->size / 2) (void)repair_child(tree->grove, parent, slot);
        if (parent->count == count) break;
    }
    repair_root(tree);
}

void sheaf_path_repair(struct sheaf_tree *tree, struct sheaf_path *path)
{
    sheaf_heap_open_reserve(&tree->grove->heap);
    repair_path(tree, path);
    sheaf_heap_close_reserve(&tree->grove->heap);
}

/* The leaf of a path in a block that just fits. */
static void tighten_leaf(struct sheaf_tree *tree, struct sheaf_path *path)
{
    uint32_t depth = path->depth - 1;
    struct sheaf_node *leaf = tighten(tree->grove, path->step[depth].node, SHEAF_ROOM_NONE);
    if (depth == 0) tree->root = leaf;
    else sheaf_node_children_writable(path->step[depth - 1].node)[path->step[depth - 1].slot] = leaf;
}

void sheaf_path_tighten(struct sheaf_tree *tree, struct sheaf_path *path)
{
    const struct sheaf_node *leaf = path->step[path->depth - 1].node;
    sheaf_heap_open_reserve(&tree->grove->heap);
    bool alone = path->depth == 1; /* nothing to merge with */
    if (leaf->count > 0 && (alone || !is_small(leaf))) tighten_leaf(tree, path);
    else repair_path(tree, path);
    sheaf_heap_close_reserve(&tree->grove->heap);
}

static void repair_seam(struct sheaf_tree *tree, const sheaf_cut *end)
{
    repair_root(tree);
    struct sheaf_node *node = tree->root;
    /* What versions see is not worth a copy just to be repaired. */
    while (node && !sheaf_node_is_leaf(node) && !sheaf_is_frozen(tree->grove, node->birth)) {
        uint32_t slot = sheaf_branch_search_cut(node, end);
        if (slot + 1 < node->count) (void)repair_child(tree->grove, node, slot + 1);
        slot = repair_child(tree->grove, node, sheaf_branch_search_cut(node, end));
        node = sheaf_node_children(node)[slot];
    }
    repair_root(tree);
}

void sheaf_seam_repair(struct sheaf_tree *tree, const sheaf_cut *end)
{
    sheaf_heap_open_reserve(&tree->grove->heap);
    repair_seam(tree, end);
    sheaf_heap_close_reserve(&tree->grove->heap);
}
