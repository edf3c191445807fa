/*
 * count.h - counting and numbering entries by the sums in the branches.
 */
#ifndef SHEAF_TREE_COUNT_H
#define SHEAF_TREE_COUNT_H

#include "engine/tree/search.h"

/* The count of sheaf_tree_below(), all for an unbounded cut too; without its walk over cells of the leaf. O(log n). */
uint64_t sheaf_tree_count_below(const struct sheaf_tree *tree, const sheaf_cut *cut);

/* The key of entry number `index`, which there is, written to `out`, which has room for any. O(log n). */
sheaf_bytes sheaf_tree_key(const struct sheaf_tree *tree, uint64_t index, uint8_t *out);

#endif
