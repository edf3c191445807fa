/*
 * search.h - finding a slot in a node, and the way down a tree.
 *
 * A search compares the node's prefix once, then works in the heads array; only slots whose heads tie with the key's are
 * compared in their cells, by binary search again (on paths most of a leaf can tie).
 */
#ifndef SHEAF_TREE_SEARCH_H
#define SHEAF_TREE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/tree/node.h"

#define SLOT_NONE UINT32_MAX

/* The first slot with key >= `key`, count if there is none; `out_exact`: whether it is equal. Slots before `first` are taken to
 * be lower. */
uint32_t sheaf_node_search(const struct sheaf_node *node, uint32_t first, sheaf_bytes key, bool *out_exact);

/* The slot of a leaf that holds `key`, whose tag is `tag`, by tags; SLOT_NONE if there is none. */
uint32_t sheaf_leaf_find_tagged(const struct sheaf_node *leaf, sheaf_bytes key, uint8_t tag);

/* Begins to fetch the cell that sheaf_leaf_find_tagged() will look at first. */
void sheaf_leaf_prefetch_tagged(const struct sheaf_node *leaf, uint8_t tag);

/* The same of a key whose tag is not known. */
uint32_t sheaf_leaf_find(const struct sheaf_node *leaf, sheaf_bytes key);

/* How many slots of a leaf lie before a cut. Unbounded counts as before all. */
uint32_t sheaf_leaf_search_cut(const struct sheaf_node *leaf, const sheaf_cut *cut);

/* The slot of a branch whose child a cut falls into; just before a separator's key counts as in the child that starts there. */
uint32_t sheaf_branch_search_cut(const struct sheaf_node *branch, const sheaf_cut *cut);

/* The slot of a branch whose child may hold `key`. */
uint32_t sheaf_branch_search(const struct sheaf_node *branch, sheaf_bytes key);

/* The leaf that may hold `key`. Whoever reads may note a use in it, and nothing else. */
struct sheaf_node *sheaf_tree_leaf(const struct sheaf_tree *tree, sheaf_bytes key);

/* Walks down to the leaf that may hold `key`, whose tag is `tag`; true if it does, the last step's slot being where. */
bool sheaf_path_descend(struct sheaf_path *path, const struct sheaf_tree *tree, sheaf_bytes key, uint8_t tag);

/* Whether `key` is above all keys of a leaf. */
bool sheaf_leaf_is_below(const struct sheaf_node *leaf, sheaf_bytes key);

/* Whether a slot is below a key of its node's prefix, given as what follows that, whose head ties with the slot's. */
bool sheaf_slot_is_below(const struct sheaf_node *node, uint32_t slot, sheaf_bytes suffix);

/* Adds to the sums of the first `depth` nodes of a path, each for the child the path takes. What is taken away is added wrapped
 * around: the sums come out right. */
void sheaf_path_add(const struct sheaf_path *path, uint32_t depth, sheaf_totals added);

/* After a descent that did not find the key: sets the last step's slot to the one it would take. */
void sheaf_path_find_place(struct sheaf_path *path, sheaf_bytes key);

#endif
