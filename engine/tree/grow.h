/*
 * grow.h - a leaf that moves to a larger block because one entry more comes: the most frequent way for a node to be replaced.
 *
 *      [ arrays | cells ]   ──▶   [ arrays  +1 | . . . | +1 | cells ]       as it was, in one piece
 *      [ arrays | cells ]   ──▶   [ arrays  +1 . . . | cells | +1 | room ]  if keys come in order
 *
 * Nothing is decoded, weighed or put in order, as in a node that is built from a run (run.h); that takes ten times as long. So
 * this is only for a leaf that would not come out better for it: no dead bytes, and no longer prefix that its keys share.
 */
#ifndef SHEAF_TREE_GROW_H
#define SHEAF_TREE_GROW_H

#include "engine/tree/room.h"

/* Whether a leaf with a key of its prefix more, at `slot`, is to be had like this: it fits a node, and is well as it is. */
bool sheaf_leaf_can_grow(const struct sheaf_node *leaf, uint32_t slot, sheaf_bytes key, const struct sheaf_payload *payload);

/* Such a leaf, with the entry. `room` is what it gets beyond that; `ordered`: behind the cells, for keys that come in order.
 * NULL when memory is refused. */
struct sheaf_node *sheaf_leaf_grow(struct sheaf_grove *grove, const struct sheaf_node *leaf, uint32_t slot, sheaf_bytes key,
                                   uint8_t tag, const struct sheaf_payload *payload, enum sheaf_room room, bool ordered);

#endif
