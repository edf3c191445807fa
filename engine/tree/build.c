/*
 * build.c - packing ascending entries into a tree.
 *
 * Entries are put in order by a finger that never leaves the tree's end (insert.c): a leaf is filled where it will lie, and
 * stays as it is once it is full. So at the end only the nodes down the right edge have room left, and are cut to size.
 *
 * A version opened meanwhile does not see the tree, but its nodes cannot be told from others that were there: they are copied
 * before they change like any, and not cut to size.
 */
#include "engine/tree/build.h"

#include "engine/tree/insert.h"
#include "engine/tree/clear.h"
#include "engine/tree/run.h"
#include "engine/tree/version.h"

void sheaf_tree_build_begin(struct sheaf_tree_build *build, struct sheaf_tree *tree)
{
    sheaf_assert(!tree->root);
    build->tree = tree;
    build->finger.tree = NULL;
    build->finger.filling = true;
}

sheaf_status sheaf_tree_build_add(struct sheaf_tree_build *build, sheaf_bytes key, sheaf_bytes value)
{
    return sheaf_tree_append(build->tree, &build->finger, key, value);
}

/* The node in the smallest block that holds it; itself if it lies in that, or there is none to be had. */
static struct sheaf_node *packed(struct sheaf_grove *grove, struct sheaf_node *node)
{
    if (sheaf_is_frozen(grove, node->birth)) return node;
    struct sheaf_run run = sheaf_run_of_node(node);
    if (sheaf_run_block_size(grove, &run, 0, run.length, SHEAF_ROOM_NONE) >= node->size) return node;
    struct sheaf_node *smaller = sheaf_run_build(grove, &run, 0, run.length, SHEAF_ROOM_NONE);
    if (!smaller) return node;
    sheaf_node_free(grove, node);
    return smaller;
}

void sheaf_tree_build_finish(struct sheaf_tree_build *build)
{
    build->finger.tree = NULL; /* the way changes */
    for (struct sheaf_node **place = &build->tree->root; *place;) {
        struct sheaf_node *node = packed(build->tree->grove, *place);
        if (node != *place) *place = node; /* else it may lie in a frozen one */
        if (sheaf_node_is_leaf(node)) return;
        place = &sheaf_node_links_writable(node)[node->count - 1].child;
    }
}

void sheaf_tree_build_abort(struct sheaf_tree_build *build)
{
    if (build->tree->root) sheaf_subtree_free(build->tree->grove, build->tree->root);
    sheaf_tree_init(build->tree, build->tree->grove);
}
