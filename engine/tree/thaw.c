#include "engine/tree/thaw.h"

/* Frozen nodes and their copies, none twice. */
struct thaw {
    struct sheaf_grove *grove;
    uint32_t count;
    struct {
        struct sheaf_node *node;
        struct sheaf_node *copy;
    } pairs[2 * SHEAF_TREE_DEPTH_MAX];
};

/* What lies between the arrays and the cells, and behind those, holds nothing and is left out. */
static struct sheaf_node *copy_node(struct sheaf_grove *grove, const struct sheaf_node *node)
{
    struct sheaf_node *copy = sheaf_heap_allocate(&grove->heap, node->size);
    if (!copy) return NULL;
    memcpy(copy, node, sheaf_node_arrays_end(node));
    memcpy((uint8_t *)copy + node->heap, sheaf_node_bytes(node) + node->heap, (size_t)node->tail - node->heap);
    copy->birth = grove->version;
    return copy;
}

static struct sheaf_node *find_copy(const struct thaw *thaw, const struct sheaf_node *node)
{
    for (uint32_t i = 0; i < thaw->count; i++)
        if (thaw->pairs[i].node == node) return thaw->pairs[i].copy;
    return NULL;
}

static bool copy_path(struct thaw *thaw, const struct sheaf_path *path)
{
    for (uint32_t depth = 0; depth < path->depth; depth++) {
        struct sheaf_node *node = path->step[depth].node;
        if (!sheaf_is_frozen(thaw->grove, node->birth) || find_copy(thaw, node)) continue;
        struct sheaf_node *copy = copy_node(thaw->grove, node);
        if (!copy) return false;
        sheaf_assert(thaw->count < sizeof thaw->pairs / sizeof *thaw->pairs);
        thaw->pairs[thaw->count].node = node;
        thaw->pairs[thaw->count++].copy = copy;
    }
    return true;
}

/* Leads the path over the copies, from the root down: the parent is one's own by then. */
static void link_path(const struct thaw *thaw, struct sheaf_tree *tree, struct sheaf_path *path)
{
    for (uint32_t depth = 0; depth < path->depth; depth++) {
        struct sheaf_node *copy = find_copy(thaw, path->step[depth].node);
        if (!copy) continue;
        path->step[depth].node = copy;
        if (depth == 0) {
            tree->root = copy;
        } else {
            sheaf_node_children_writable(path->step[depth - 1].node)[path->step[depth - 1].slot] = copy;
        }
    }
}

bool sheaf_paths_thaw(struct sheaf_tree *tree, struct sheaf_path *const *paths, uint32_t path_count, uint64_t places)
{
    struct thaw thaw;
    thaw.grove = tree->grove;
    thaw.count = 0;
    bool copied = true;
    for (uint32_t i = 0; i < path_count && copied; i++) copied = copy_path(&thaw, paths[i]);
    if (!copied || !sheaf_grove_reserve(tree->grove, thaw.count + places)) {
        for (uint32_t i = 0; i < thaw.count; i++) sheaf_node_free(tree->grove, thaw.pairs[i].copy);
        return false;
    }
    for (uint32_t i = 0; i < path_count; i++) link_path(&thaw, tree, paths[i]);
    for (uint32_t i = 0; i < thaw.count; i++) sheaf_node_retire(tree->grove, thaw.pairs[i].node);
    tree->grove->copied_count += thaw.count;
    return true;
}
