#include "engine/tree/tree.h"

#include "engine/tree/clear.h"
#include "engine/tree/search.h"
#include "engine/tree/version.h"

void sheaf_tree_init(struct sheaf_tree *tree, struct sheaf_grove *grove)
{
    *tree = (struct sheaf_tree){ .grove = grove, .changed = ++grove->changes };
}

void sheaf_tree_clear(struct sheaf_tree *tree)
{
    if (tree->root && !tree->grove->keeping) sheaf_subtree_retire(tree->grove, tree->root);
    sheaf_tree_init(tree, tree->grove);
}

bool sheaf_tree_reserve_clear(const struct sheaf_tree *tree)
{
    struct sheaf_grove *grove = tree->grove;
    if (!grove->newest || !tree->root) return true;
    return sheaf_grove_reserve(grove, sheaf_subtree_places(grove, tree->root));
}

sheaf_status sheaf_tree_get(const struct sheaf_tree *tree, sheaf_bytes key, sheaf_bytes *out_view)
{
    if (!tree->root) return SHEAF_NOT_FOUND;
    const struct sheaf_node *leaf = sheaf_tree_leaf(tree, key);
    uint32_t slot = sheaf_leaf_find(leaf, key);
    if (slot == SLOT_NONE) return SHEAF_NOT_FOUND;
    struct sheaf_cell cell = sheaf_node_cell(leaf, slot);
    *out_view = sheaf_bytes_of(cell.value, cell.value_size);
    return SHEAF_OK;
}

sheaf_status sheaf_tree_get_used(const struct sheaf_tree *tree, sheaf_bytes key, sheaf_bytes *out_view)
{
    if (!tree->root) return SHEAF_NOT_FOUND;
    struct sheaf_node *leaf = sheaf_tree_leaf(tree, key);
    uint32_t slot = sheaf_leaf_find(leaf, key);
    if (slot == SLOT_NONE) return SHEAF_NOT_FOUND;
    sheaf_leaf_note_use(leaf, slot, &tree->grove->use);
    struct sheaf_cell cell = sheaf_node_cell(leaf, slot);
    *out_view = sheaf_bytes_of(cell.value, cell.value_size);
    return SHEAF_OK;
}
