#include "engine/tree/since.h"

#include "engine/tree/large.h"

enum { WINDOW = 8 }; /* children of then that a child of now is looked for among */

void sheaf_since_take(struct sheaf_since *since, void *block, size_t size, uint64_t birth)
{
    if (!since->counting) sheaf_grove_retire(since->grove, block, size, birth);
    else if (sheaf_is_frozen(since->grove, birth)) since->places++;
}

static void take_values(struct sheaf_since *since, const struct sheaf_node *leaf)
{
    for (uint32_t slot = 0; slot < leaf->count; slot++) {
        struct sheaf_payload payload = sheaf_payload_of_slot(leaf, slot);
        if (payload.large && payload.birth >= since->number)
            sheaf_since_take(since, payload.large, payload.bytes.size, payload.birth);
    }
}

/* The children of then beside those of now. */
struct twins {
    struct sheaf_node *const *children;
    uint32_t at; /* the one that comes next */
    uint32_t count;
};

/* Whether a child is one of the next few of then; if so, the one behind it comes next. */
static bool is_shared(struct twins *twins, const struct sheaf_node *child)
{
    for (uint32_t at = twins->at; at < twins->count && at < twins->at + WINDOW; at++) {
        if (twins->children[at] != child) continue;
        twins->at = at + 1;
        return true;
    }
    return false;
}

static void take_children(struct sheaf_since *since, struct sheaf_node *branch, const struct sheaf_node *twin)
{
    struct sheaf_node *const *children = sheaf_node_children(branch);
    struct twins twins = { 0 };
    if (twin && twin->level == branch->level) twins = (struct twins){ sheaf_node_children(twin), 0, twin->count };
    for (uint32_t slot = 0; slot < branch->count; slot++) {
        struct sheaf_node *child = children[slot];
        if (is_shared(&twins, child)) continue;
        const struct sheaf_node *child_twin = twins.at < twins.count ? twins.children[twins.at] : NULL;
        if (twin && twin->level < branch->level) child_twin = twin; /* the tree has grown since */
        sheaf_since_take_tree(since, child, child_twin);
    }
}

void sheaf_since_take_tree(struct sheaf_since *since, struct sheaf_node *root, const struct sheaf_node *twin)
{
    if (!root || root == twin || root->birth < since->number) return;
    if (sheaf_node_is_leaf(root)) take_values(since, root);
    else take_children(since, root, twin);
    sheaf_since_take(since, root, root->size, root->birth);
}
