/*
 * state_sum.h - a checksum of every byte that a state of a store leads to: directory, records, nodes, values.
 *
 * What a view sees must not be written at all while it is open, not even with the same bytes, for another thread may be reading
 * it. A sum taken at the opening and again later shows any other byte.
 */
#ifndef TESTS_SUPPORT_STATE_SUM_H
#define TESTS_SUPPORT_STATE_SUM_H

#include "engine/store/store.h"
#include "engine/tree/node.h"

/* Of a tree; NULL is an empty one. */
uint64_t tree_sum(const struct sheaf_node *root);

uint64_t state_sum(const sheaf_store *store);

#endif
