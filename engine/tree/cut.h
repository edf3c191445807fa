/*
 * cut.h - what a cut of a range will delete, before it does: for whoever wants to have it.
 *
 *                      [ a | b | c | d | e ]
 *                          /   |   |    \
 *        some slots of b's last leaf, c and d whole, some slots of e's first leaf         in this order
 *
 * Who has taken that over sets the grove to keep it, and cuts: then whole subtrees are let go of and not freed, nor are values
 * out of line. What is copied of the leaves at the two ends, and what is kept, is then his to free. Only while no version is
 * open, for what versions see belongs on their dead lists.
 */
#ifndef SHEAF_TREE_CUT_H
#define SHEAF_TREE_CUT_H

#include "engine/tree/node.h"

/* Told of the slots from `begin` to before `end` of a leaf at an end of the range, or, `whole`, of a node that goes with all
 * below it, and has not been looked at (`begin` and `end` mean nothing). */
typedef void sheaf_cut_visitor(void *context, struct sheaf_node *node, uint32_t begin, uint32_t end, bool whole);

/* Tells of all that sheaf_tree_cut() of the same range deletes, in the order of the keys. O(nodes of the two paths, and their
 * children in the range). */
void sheaf_tree_visit_cut(const struct sheaf_tree *tree, const sheaf_range *range, sheaf_cut_visitor *visit, void *context);

#endif
