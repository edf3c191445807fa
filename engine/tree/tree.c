#include "engine/tree/tree.h"

#include "engine/tree/clear.h"
#include "engine/tree/search.h"

void sheaf_tree_init(struct sheaf_tree *tree, struct sheaf_grove *grove)
{
    *tree = (struct sheaf_tree){ .grove = grove, .changed = ++grove->changes };
}

void sheaf_tree_clear(struct sheaf_tree *tree)
{
    if (tree->root) sheaf_subtree_free(tree->grove, tree->root);
    sheaf_tree_init(tree, tree->grove);
}

sheaf_status sheaf_tree_get(const struct sheaf_tree *tree, sheaf_bytes key, sheaf_bytes *out_view)
{
    const struct sheaf_node *node = tree->root;
    if (!node) return SHEAF_NOT_FOUND;
    while (!sheaf_node_is_leaf(node)) node = sheaf_node_links(node)[sheaf_branch_search(node, key)].child;
    bool exact;
    uint32_t slot = sheaf_node_search(node, 0, key, &exact);
    if (!exact) return SHEAF_NOT_FOUND;
    struct sheaf_cell cell = sheaf_node_cell(node, slot);
    *out_view = sheaf_bytes_of(cell.value, cell.value_size);
    return SHEAF_OK;
}
