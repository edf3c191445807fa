#include "engine/tree/window.h"

#include "engine/tree/clear.h"
#include "engine/tree/merge.h"
#include "engine/tree/thaw.h"

bool sheaf_window_open(struct sheaf_window *window, struct sheaf_tree *tree, uint64_t index)
{
    sheaf_assert(index < tree->totals.count);
    struct sheaf_path *path = &window->path;
    struct sheaf_node *node = tree->root;
    window->tree = tree;
    window->first = 0;
    window->count = tree->totals.count;
    window->deleted = false;
    for (path->depth = 0;; path->depth++) {
        if (sheaf_is_frozen(tree->grove, node->birth)) return false; /* V3: and so is all below */
        path->step[path->depth].node = node;
        path->step[path->depth].slot = 0;
        if (sheaf_node_is_leaf(node)) break;
        const sheaf_totals *sums = sheaf_node_sums(node);
        uint32_t slot = 0;
        while (index - window->first >= sums[slot].count) window->first += sums[slot++].count;
        path->step[path->depth].slot = slot;
        window->count = sums[slot].count;
        node = sheaf_node_children(node)[slot];
    }
    path->depth++;
    sheaf_assert(window->count == node->count); /* T2 */
    return true;
}

/* Places on the dead list for what a delete retires: values, and roots that come to have one child. */
static bool reserve(const struct sheaf_window *window)
{
    struct sheaf_grove *grove = window->tree->grove;
    if (!grove->newest) return true;
    sheaf_heap_open_reserve(&grove->heap);
    bool reserved =
        sheaf_grove_reserve(grove, sheaf_leaf_value_places(grove, sheaf_window_leaf(window)) + window->path.depth);
    sheaf_heap_close_reserve(&grove->heap);
    return reserved;
}

sheaf_totals sheaf_window_delete(struct sheaf_window *window, uint32_t begin, uint32_t end)
{
    struct sheaf_tree *tree = window->tree;
    struct sheaf_node *leaf = sheaf_window_leaf(window);
    sheaf_totals deleted = { 0 };
    if (!window->deleted && !reserve(window)) return deleted;
    deleted.count = end - begin;
    for (uint32_t slot = begin; slot < end; slot++) deleted.bytes += sheaf_node_entry_bytes(leaf, slot);
    sheaf_leaf_retire_values(tree->grove, leaf, begin, end);
    sheaf_node_delete(leaf, begin, end);
    sheaf_path_add(&window->path, window->path.depth - 1,
                   (sheaf_totals){ .count = -deleted.count, .bytes = -deleted.bytes });
    tree->totals.count -= deleted.count;
    tree->totals.bytes -= deleted.bytes;
    tree->changed = ++tree->grove->changes;
    window->count -= deleted.count;
    window->deleted = true;
    return deleted;
}

void sheaf_window_close(struct sheaf_window *window)
{
    if (window->deleted) sheaf_path_tighten(window->tree, &window->path);
    sheaf_grove_settle(window->tree->grove);
}
