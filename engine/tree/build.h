/*
 * build.h - bulk build: a packed tree from keys in ascending order.
 */
#ifndef SHEAF_TREE_BUILD_H
#define SHEAF_TREE_BUILD_H

#include "engine/tree/tree.h"

struct sheaf_tree_build; /* allocated from the grove's heap */

/* SHEAF_OK or SHEAF_NO_MEMORY. */
sheaf_status sheaf_tree_build_begin(struct sheaf_grove *grove, struct sheaf_tree_build **out_build);

/* SHEAF_OK, SHEAF_OUT_OF_ORDER (key not above the last) or SHEAF_NO_MEMORY; when not SHEAF_OK the entry was not added. */
sheaf_status sheaf_tree_build_add(struct sheaf_tree_build *build, sheaf_bytes key, sheaf_bytes value);

/* Moves the result into `tree`, which is empty and of the same grove. SHEAF_OK ends the build; SHEAF_NO_MEMORY leaves it to be
 * finished again or aborted. */
sheaf_status sheaf_tree_build_finish(struct sheaf_tree_build *build, struct sheaf_tree *tree);

/* Frees a build and what it has made. NULL is fine. */
void sheaf_tree_build_abort(struct sheaf_tree_build *build);

#endif
