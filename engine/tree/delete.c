/*
 * delete.c - deleting one entry. Changes nodes in place and so needs no memory.
 */
#include "engine/tree/large.h"
#include "engine/tree/merge.h"
#include "engine/tree/search.h"

static void subtract_along(const struct sheaf_path *path, sheaf_totals deleted)
{
    for (uint32_t i = 0; i + 1 < path->depth; i++) {
        struct sheaf_link *link = &sheaf_node_links_writable(path->step[i].node)[path->step[i].slot];
        sheaf_assert(link->totals.count >= deleted.count);
        sheaf_assert(link->totals.bytes >= deleted.bytes);
        link->totals.count -= deleted.count;
        link->totals.bytes -= deleted.bytes;
    }
}

sheaf_status sheaf_tree_delete(struct sheaf_tree *tree, sheaf_bytes key)
{
    if (!tree->root) return SHEAF_NOT_FOUND;
    struct sheaf_path path;
    if (!sheaf_path_descend(&path, tree, key)) return SHEAF_NOT_FOUND;
    struct sheaf_node *leaf = path.step[path.depth - 1].node;
    uint32_t slot = path.step[path.depth - 1].slot;
    struct sheaf_payload payload = sheaf_payload_of_slot(leaf, slot);
    sheaf_totals deleted = { .count = 1, .bytes = key.size + payload.bytes.size };
    sheaf_node_delete(leaf, slot, slot + 1);
    sheaf_payload_free(tree->grove, &payload);
    subtract_along(&path, deleted);
    tree->totals.count -= deleted.count;
    tree->totals.bytes -= deleted.bytes;
    tree->changed = ++tree->grove->changes;
    sheaf_path_repair(tree, &path);
    return SHEAF_OK;
}
