/*
 * thaw.h - making what a change touches one's own: what versions see is copied first (version.h says what they see).
 *
 *        [ root ]             [ root' ]   [ root ]  <- version
 *          /   \                /     \    /   |
 *      [ a ]  [ b ]         [ b' ]    [ a ]  [ b ]         a change below b: the way down to it is copied, a is shared
 *
 * All of it is without effect while no version is open: nothing is frozen then.
 */
#ifndef SHEAF_TREE_THAW_H
#define SHEAF_TREE_THAW_H

#include "engine/tree/search.h"
#include "engine/tree/version.h"

/* The tree no longer leads to a node: frees its block or keeps it for the versions. Not what it refers to. */
static inline void sheaf_node_retire(struct sheaf_grove *grove, struct sheaf_node *node)
{
    sheaf_grove_retire(grove, node, node->size, node->birth);
}

/* Likewise the value out of line, if there is one. */
static inline void sheaf_payload_retire(struct sheaf_grove *grove, const struct sheaf_payload *payload)
{
    if (payload->large) sheaf_grove_retire(grove, payload->large, payload->bytes.size, payload->birth);
}

/* Places that retiring them takes on a dead list. */
static inline uint32_t sheaf_node_places(const struct sheaf_grove *grove, const struct sheaf_node *node)
{
    return sheaf_is_frozen(grove, node->birth) ? 1 : 0;
}

static inline uint32_t sheaf_payload_places(const struct sheaf_grove *grove, const struct sheaf_payload *payload)
{
    return payload->large && sheaf_is_frozen(grove, payload->birth) ? 1 : 0;
}

/* Does what sheaf_path_thaw() says for several paths at once. They are of one tree, each of `depth` steps or more. */
bool sheaf_paths_thaw(struct sheaf_tree *tree, struct sheaf_path *const *paths, uint32_t path_count, uint64_t places);

/*
 * Sees to it that the first `depth` nodes of a path may be changed in place; where one could not, the path then leads to a copy
 * of it. Also takes `places` for what the change retires besides. False, with nothing changed, when there is no memory.
 */
static inline bool sheaf_path_thaw(struct sheaf_tree *tree, struct sheaf_path *path, uint32_t depth, uint64_t places)
{
    /* V3: if the lowest is free, all are. */
    if (depth == 0 || !sheaf_is_frozen(tree->grove, path->step[depth - 1].node->birth))
        return places == 0 || sheaf_grove_reserve(tree->grove, places);
    uint32_t whole = path->depth;
    path->depth = depth;
    bool thawed = sheaf_paths_thaw(tree, &path, 1, places);
    path->depth = whole;
    return thawed;
}

#endif
