/*
 * room.h - how much room a node gets beyond what it holds when it is built.
 *
 * Nodes are blocks of the allocator's size classes, so what the class gives beyond the need is taken in any case.
 */
#ifndef SHEAF_TREE_ROOM_H
#define SHEAF_TREE_ROOM_H

#include "engine/tree/node.h"

enum sheaf_room {
    SHEAF_ROOM_NONE, /* as little as the allocator's sizes allow: nothing is expected to come */
    SHEAF_ROOM_GROW, /* an eighth */
    SHEAF_ROOM_MORE, /* half as much again while it is small: a small collection that is being filled in order */
    SHEAF_ROOM_FULL, /* a whole node: it is about to be filled in order */
};

/* The size of the block to ask for, for a node that needs `need` bytes: some room if wanted, and all that the class gives. */
uint32_t sheaf_room_block_size(const struct sheaf_grove *grove, uint64_t need, enum sheaf_room room);

/* Slots to have in reserve in a block of `size` for a node of `count` slots that needs `need` of it. Arrays can be widened, so
 * it is a few at most. */
uint32_t sheaf_room_spare_slots(uint32_t size, uint64_t need, uint32_t count);

/* The same in a node that is being filled in order, whose cells follow right behind the arrays: as many as will come if those to
 * come are like `count` that weigh `weight`, cells and arrays. */
uint32_t sheaf_room_ordered_slots(uint32_t size, uint64_t need, uint32_t count, uint64_t weight);

#endif
