/*
 * build.c - packing ascending entries into a tree.
 *
 * Entries are put in order by a finger that never leaves the tree's end (insert.c): a leaf is filled where it will lie, and
 * stays as it is once it is full. So at the end only the nodes down the right edge have room left, and are cut to size.
 *
 * A version opened meanwhile does not see the tree, but its nodes would look as if it did. So they are all given a new birth
 * then: whatever bears a birth before a version is seen by it, or was.
 */
#include "engine/tree/build.h"

#include "engine/tree/clear.h"
#include "engine/tree/insert.h"
#include "engine/tree/run.h"

void sheaf_tree_build_begin(struct sheaf_tree_build *build, struct sheaf_tree *tree)
{
    sheaf_assert(!tree->root);
    build->tree = tree;
    build->finger.tree = NULL;
    build->finger.filling = true;
    build->version = tree->grove->version;
}

static void renew_values(struct sheaf_node *leaf, uint64_t birth)
{
    for (uint32_t slot = 0; slot < leaf->count; slot++) {
        struct sheaf_cell cell = sheaf_node_cell(leaf, slot);
        if (!cell.large) continue;
        const uint8_t *reference = cell.rest - LARGE_REFERENCE_SIZE;
        memcpy((uint8_t *)leaf + (reference - sheaf_node_bytes(leaf)) + sizeof(uint64_t), &birth, sizeof birth);
    }
}

/* Gives all below a node another birth. */
static void renew(struct sheaf_node *node, uint64_t birth)
{
    node->birth = birth;
    if (sheaf_node_is_leaf(node)) {
        renew_values(node, birth);
        return;
    }
    for (uint32_t slot = 0; slot < node->count; slot++) renew(sheaf_node_children(node)[slot], birth);
}

/* What has been built, if a version was opened since, is born now. */
static void catch_up(struct sheaf_tree_build *build)
{
    struct sheaf_tree *tree = build->tree;
    if (build->version == tree->grove->version) return;
    build->version = tree->grove->version;
    if (tree->root) renew(tree->root, build->version);
    tree->changed = ++tree->grove->changes;
}

sheaf_status sheaf_tree_build_add(struct sheaf_tree_build *build, sheaf_bytes key, sheaf_bytes value)
{
    catch_up(build);
    return sheaf_tree_append(build->tree, &build->finger, key, value);
}

/* The node in the smallest block that holds it; itself if it lies in that, or there is none to be had. */
static struct sheaf_node *packed(struct sheaf_grove *grove, struct sheaf_node *node)
{
    struct sheaf_run run = sheaf_run_of_node(node);
    bool fills_block = sheaf_heap_real_size(&grove->heap, sheaf_node_used(node)) >= node->size;
    if (fills_block && sheaf_run_block_size(grove, &run, 0, run.length, SHEAF_ROOM_NONE) >= node->size) return node;
    struct sheaf_node *smaller = sheaf_run_build(grove, &run, 0, run.length, SHEAF_ROOM_NONE);
    if (!smaller) return node;
    sheaf_node_free(grove, node);
    return smaller;
}

void sheaf_tree_build_finish(struct sheaf_tree_build *build)
{
    catch_up(build);
    build->finger.tree = NULL; /* the way changes */
    for (struct sheaf_node **place = &build->tree->root; *place;) {
        struct sheaf_node *node = packed(build->tree->grove, *place);
        *place = node;
        if (sheaf_node_is_leaf(node)) return;
        place = &sheaf_node_children_writable(node)[node->count - 1];
    }
}

void sheaf_tree_build_abort(struct sheaf_tree_build *build)
{
    if (build->tree->root) sheaf_subtree_free(build->tree->grove, build->tree->root);
    sheaf_tree_init(build->tree, build->tree->grove);
}
