/*
 * merge.h - giving memory back: neighbours that have become small are made one, blocks that are half empty are replaced.
 *
 * All of it is optional: a merge that finds no memory is left for a later delete, so deleting never fails.
 */
#ifndef SHEAF_TREE_MERGE_H
#define SHEAF_TREE_MERGE_H

#include "engine/tree/search.h"

/* After a delete at the end of the path: drops what is empty, merges and shrinks what is small, from the leaf up. */
void sheaf_path_repair(struct sheaf_tree *tree, struct sheaf_path *path);

/* The same, and a leaf that stays gets the smallest block that does: for a store that needs every byte. */
void sheaf_path_tighten(struct sheaf_tree *tree, struct sheaf_path *path);

/* After a cut of a range: the same along the way to one of its ends, from the root down. */
void sheaf_seam_repair(struct sheaf_tree *tree, const sheaf_cut *end);

#endif
