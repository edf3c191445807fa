/*
 * delete.c - deleting one entry. Changes nodes in place and so needs no memory.
 */
#include "engine/tree/large.h"
#include "engine/tree/merge.h"
#include "engine/tree/search.h"
#include "engine/tree/tag.h"

sheaf_status sheaf_tree_delete(struct sheaf_tree *tree, sheaf_bytes key)
{
    if (!tree->root) return SHEAF_NOT_FOUND;
    struct sheaf_path path;
    if (!sheaf_path_descend(&path, tree, key, sheaf_key_tag(key))) return SHEAF_NOT_FOUND;
    struct sheaf_node *leaf = path.step[path.depth - 1].node;
    uint32_t slot = path.step[path.depth - 1].slot;
    struct sheaf_payload payload = sheaf_payload_of_slot(leaf, slot);
    sheaf_totals deleted = { .count = 1, .bytes = key.size + payload.bytes.size };
    sheaf_node_delete(leaf, slot, slot + 1);
    sheaf_payload_free(tree->grove, &payload);
    sheaf_path_add(&path, path.depth - 1, (sheaf_totals){ .count = -deleted.count, .bytes = -deleted.bytes });
    tree->totals.count -= deleted.count;
    tree->totals.bytes -= deleted.bytes;
    tree->changed = ++tree->grove->changes;
    sheaf_path_repair(tree, &path);
    return SHEAF_OK;
}
