#include "engine/tree/clear.h"

#include "engine/tree/large.h"
#include "engine/tree/thaw.h"

void sheaf_leaf_free_values(struct sheaf_grove *grove, const struct sheaf_node *leaf, uint32_t begin, uint32_t end)
{
    for (uint32_t slot = begin; slot < end; slot++) {
        struct sheaf_payload payload = sheaf_payload_of_slot(leaf, slot);
        sheaf_payload_free(grove, &payload);
    }
}

void sheaf_subtree_free(struct sheaf_grove *grove, struct sheaf_node *node)
{
    if (sheaf_node_is_leaf(node)) {
        sheaf_leaf_free_values(grove, node, 0, node->count);
    } else {
        struct sheaf_node *const *children = sheaf_node_children(node);
        for (uint32_t slot = 0; slot < node->count; slot++) sheaf_subtree_free(grove, children[slot]);
    }
    sheaf_node_free(grove, node);
}

void sheaf_leaf_retire_values(struct sheaf_grove *grove, const struct sheaf_node *leaf, uint32_t begin, uint32_t end)
{
    for (uint32_t slot = begin; slot < end; slot++) {
        struct sheaf_payload payload = sheaf_payload_of_slot(leaf, slot);
        sheaf_payload_retire(grove, &payload);
    }
}

void sheaf_subtree_retire(struct sheaf_grove *grove, struct sheaf_node *node)
{
    if (sheaf_node_is_leaf(node)) {
        sheaf_leaf_retire_values(grove, node, 0, node->count);
    } else {
        struct sheaf_node *const *children = sheaf_node_children(node);
        for (uint32_t slot = 0; slot < node->count; slot++) sheaf_subtree_retire(grove, children[slot]);
    }
    sheaf_node_retire(grove, node);
}

uint64_t sheaf_leaf_value_places(const struct sheaf_grove *grove, const struct sheaf_node *leaf)
{
    uint64_t places = 0;
    for (uint32_t slot = 0; slot < leaf->count; slot++) {
        struct sheaf_payload payload = sheaf_payload_of_slot(leaf, slot);
        places += sheaf_payload_places(grove, &payload);
    }
    return places;
}

uint64_t sheaf_subtree_places(const struct sheaf_grove *grove, const struct sheaf_node *node)
{
    uint64_t places = sheaf_node_places(grove, node);
    if (sheaf_node_is_leaf(node)) return places + sheaf_leaf_value_places(grove, node);
    struct sheaf_node *const *children = sheaf_node_children(node);
    for (uint32_t slot = 0; slot < node->count; slot++) places += sheaf_subtree_places(grove, children[slot]);
    return places;
}
