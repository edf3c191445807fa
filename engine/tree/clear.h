/*
 * clear.h - freeing whole subtrees.
 */
#ifndef SHEAF_TREE_CLEAR_H
#define SHEAF_TREE_CLEAR_H

#include "engine/tree/node.h"

/* Frees the large values of a leaf's slots from `begin` to before `end`. */
void sheaf_leaf_free_values(struct sheaf_grove *grove, const struct sheaf_node *leaf, uint32_t begin, uint32_t end);

/* Frees a node with all that lies below it. Recurses as deep as the tree is, at most SHEAF_TREE_DEPTH_MAX. */
void sheaf_subtree_free(struct sheaf_grove *grove, struct sheaf_node *node);

#endif
