/*
 * due.h - entries with deadlines: what has expired in a tree, and what is left when that does not count.
 *
 * Every node bears a bound: no deadline below it is earlier. So what has expired is found from the root down, and where the bound
 * is above the clock nothing needs be looked at.
 *
 *                  [ due 40 ]                      the clock says 50
 *                 /     |    \
 *         [ 40 ]     [ 70 ]    [ 45 ]              only the first and the last are entered; there may turn out to be nothing:
 *        40 90 --    70 -- --  60 -- 80            45 was that of an entry that is gone
 *
 * Puts lower the bounds on their way. Nothing raises them but sheaf_tree_tighten_due(), after a sweep.
 */
#ifndef SHEAF_TREE_DUE_H
#define SHEAF_TREE_DUE_H

#include "engine/tree/node.h"

/* No deadline in the tree is earlier. */
static inline uint64_t sheaf_tree_due(const struct sheaf_tree *tree)
{
    return tree->root ? sheaf_node_due(tree->root) : UINT64_MAX;
}

/* Whether an entry of this deadline has expired. */
static inline bool sheaf_is_expired(uint64_t due, uint64_t now)
{
    return due <= now && due != UINT64_MAX;
}

/* Whether there may be some in the tree. */
static inline bool sheaf_tree_may_expire(const struct sheaf_tree *tree, uint64_t now)
{
    return sheaf_is_expired(sheaf_tree_due(tree), now);
}

/* The deadline of an entry, and its value. SHEAF_OK or SHEAF_NOT_FOUND. */
sheaf_status sheaf_tree_get_due(const struct sheaf_tree *tree, sheaf_bytes key, uint64_t *out_due, sheaf_bytes *out_view);

/* Gives an entry another. SHEAF_OK or SHEAF_NOT_FOUND; SHEAF_NO_MEMORY (tree unchanged) only while a version is open. */
sheaf_status sheaf_tree_set_due(struct sheaf_tree *tree, sheaf_bytes key, uint64_t due);

/* Entries and bytes of a range, of those that have expired. O(log n + leaves that hold some). */
sheaf_totals sheaf_tree_expired(const struct sheaf_tree *tree, const sheaf_range *range, uint64_t now);

/* The number, among all entries, of that which is number `index` of those that have not expired. False if there are fewer.
 * Costs as much. */
bool sheaf_tree_visible_index(const struct sheaf_tree *tree, uint64_t index, uint64_t now, uint64_t *out_index);

/* The first entry that has expired above a cut; its key is written to `buffer`, which has room for any. False if there is none. */
bool sheaf_tree_find_expired(const struct sheaf_tree *tree, const sheaf_cut *from, uint64_t now, uint8_t *buffer,
                             sheaf_bytes *out_key);

/* Whether there is one at all. */
bool sheaf_tree_has_expired(const struct sheaf_tree *tree, uint64_t now);

/* The earliest deadline of the tree. O(nodes) at worst. */
uint64_t sheaf_tree_earliest_due(const struct sheaf_tree *tree);

/* After a sweep: makes bounds exact that were at or before `now`, but for those of nodes that versions see. Returns the earliest
 * deadline of the tree, or a lower bound of it that is above `now`, or what has expired and is still there. */
uint64_t sheaf_tree_tighten_due(struct sheaf_tree *tree, uint64_t now);

/* Where a sweep stops before its end: the same for what lies before a cut, so that the next one does not look there again.
 * O(nodes swept, and the width of those on the way to the cut). */
void sheaf_tree_tighten_due_before(struct sheaf_tree *tree, const sheaf_cut *end, uint64_t now);

#endif
