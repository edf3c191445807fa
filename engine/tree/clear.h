/*
 * clear.h - freeing whole subtrees, or retiring them where versions may see them.
 */
#ifndef SHEAF_TREE_CLEAR_H
#define SHEAF_TREE_CLEAR_H

#include "engine/tree/node.h"

/* Frees the large values of a leaf's slots from `begin` to before `end`. For what no tree has led to. */
void sheaf_leaf_free_values(struct sheaf_grove *grove, const struct sheaf_node *leaf, uint32_t begin, uint32_t end);

/* Frees a node with all that lies below it; likewise. Recurses as deep as the tree is, at most SHEAF_TREE_DEPTH_MAX. */
void sheaf_subtree_free(struct sheaf_grove *grove, struct sheaf_node *node);

/* The same for what a tree led to: what versions see is kept, in places taken before. */
void sheaf_leaf_retire_values(struct sheaf_grove *grove, const struct sheaf_node *leaf, uint32_t begin, uint32_t end);
void sheaf_subtree_retire(struct sheaf_grove *grove, struct sheaf_node *node);

/* How many places that takes on a dead list. */
uint64_t sheaf_leaf_value_places(const struct sheaf_grove *grove, const struct sheaf_node *leaf);
uint64_t sheaf_subtree_places(const struct sheaf_grove *grove, const struct sheaf_node *node);

#endif
