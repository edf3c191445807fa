/*
 * delete.c - deleting one entry. Changes nodes in place and so needs no memory, but for copies of what versions see.
 */
#include "engine/tree/large.h"
#include "engine/tree/merge.h"
#include "engine/tree/search.h"
#include "engine/tree/tag.h"
#include "engine/tree/thaw.h"

sheaf_status sheaf_tree_delete(struct sheaf_tree *tree, sheaf_bytes key)
{
    if (!tree->root) return SHEAF_NOT_FOUND;
    struct sheaf_path path;
    if (!sheaf_path_descend(&path, tree, key, sheaf_key_tag(key))) return SHEAF_NOT_FOUND;
    uint32_t slot = path.step[path.depth - 1].slot;
    struct sheaf_payload payload = sheaf_payload_of_slot(path.step[path.depth - 1].node, slot);
    /* Every branch may come to be a root of one child, and go. */
    uint32_t places = sheaf_payload_places(tree->grove, &payload) + (tree->grove->newest ? path.depth : 0);
    if (!sheaf_path_thaw(tree, &path, path.depth, places)) return SHEAF_NO_MEMORY;
    sheaf_totals deleted = { .count = 1, .bytes = key.size + payload.bytes.size };
    sheaf_node_delete(path.step[path.depth - 1].node, slot, slot + 1);
    sheaf_payload_retire(tree->grove, &payload);
    sheaf_path_add(&path, path.depth - 1, (sheaf_totals){ .count = -deleted.count, .bytes = -deleted.bytes });
    tree->totals.count -= deleted.count;
    tree->totals.bytes -= deleted.bytes;
    tree->changed = ++tree->grove->changes;
    sheaf_path_repair(tree, &path);
    return SHEAF_OK;
}
