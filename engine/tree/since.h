/*
 * since.h - what was born since a version: to go back to it, or to end a fork.
 *
 *        now   [ root' ]            then  [ root ]       The walk goes down only where the two differ. A child that both have
 *              /   |   \                  /  |  \        is known by its address and not looked at: most children of a
 *            [a] [b'] [c]               [a] [b] [c]      changed branch are such, and each would be a cache miss.
 *
 * What decides is the birth of a node; the tree of then, the twin, only spares looking. So a twin that does not fit costs time
 * and nothing else.
 */
#ifndef SHEAF_TREE_SINCE_H
#define SHEAF_TREE_SINCE_H

#include "engine/tree/version.h"

struct sheaf_since {
    struct sheaf_grove *grove;
    uint64_t number;  /* of the version */
    bool counting;    /* only count the places that retiring takes */
    uint64_t places;
};

/* Retires a block that was born since, or counts it. */
void sheaf_since_take(struct sheaf_since *since, void *block, size_t size, uint64_t birth);

/* All nodes and values of a tree that were born since. `twin` is the root of then, NULL if there was none. */
void sheaf_since_take_tree(struct sheaf_since *since, struct sheaf_node *root, const struct sheaf_node *twin);

#endif
