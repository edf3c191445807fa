/*
 * build.h - bulk build: a packed tree from keys in ascending order.
 *
 * The build is the caller's, as is the tree, which nobody else touches meanwhile.
 */
#ifndef SHEAF_TREE_BUILD_H
#define SHEAF_TREE_BUILD_H

#include "engine/tree/tree.h"

struct sheaf_tree_build {
    struct sheaf_tree *tree;
    struct sheaf_finger finger;
    uint64_t version; /* of the grove, as of the last addition */
};

/* Begins to build in a tree that is empty. */
void sheaf_tree_build_begin(struct sheaf_tree_build *build, struct sheaf_tree *tree);

/* SHEAF_OK, SHEAF_OUT_OF_ORDER (key not above the last) or SHEAF_NO_MEMORY; when not SHEAF_OK the entry was not added. */
sheaf_status sheaf_tree_build_add(struct sheaf_tree_build *build, sheaf_bytes key, sheaf_bytes value);

/* Cuts what still has room to size, if there is memory for that. More may be added all the same. */
void sheaf_tree_build_finish(struct sheaf_tree_build *build);

/* Frees what was built, leaving an empty tree. No version can see it, so no place on a dead list is needed. */
void sheaf_tree_build_abort(struct sheaf_tree_build *build);

#endif
