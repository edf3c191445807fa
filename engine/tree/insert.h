/*
 * insert.h - putting an entry behind all others; tree.h has the general put.
 */
#ifndef SHEAF_TREE_INSERT_H
#define SHEAF_TREE_INSERT_H

#include "engine/tree/tree.h"

/* Puts an entry whose key is above all of the tree's. `finger` is nobody else's and starts with no tree; nothing else changes
 * the tree between two calls. SHEAF_OK, SHEAF_OUT_OF_ORDER (key not above the last) or SHEAF_NO_MEMORY (both: unchanged). */
sheaf_status sheaf_tree_append(struct sheaf_tree *tree, struct sheaf_finger *finger, sheaf_bytes key, sheaf_bytes value);

#endif
