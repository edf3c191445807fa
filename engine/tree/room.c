#include "engine/tree/room.h"

enum {
    ROOM_FRACTION = 8, /* a node that grows gets an eighth more than it needs */
    SMALL_SIZE = SHEAF_NODE_SIZE / 7,
    SPARE_SLOTS_MAX = 8,
    ARRAYS_PADDING_MAX = 7,
};

uint32_t sheaf_room_block_size(const struct sheaf_grove *grove, uint64_t need, enum sheaf_room room)
{
    uint64_t most = need > SHEAF_NODE_SIZE ? NODE_SIZE_HARD : SHEAF_NODE_SIZE;
    uint64_t wanted = need;
    switch (room) {
    case SHEAF_ROOM_NONE: break;
    case SHEAF_ROOM_GROW: wanted = need + need / ROOM_FRACTION; break;
    case SHEAF_ROOM_MORE: wanted = need + need / (need < SMALL_SIZE ? 2 : ROOM_FRACTION); break;
    case SHEAF_ROOM_FULL: wanted = need > SHEAF_NODE_SIZE ? need : SHEAF_NODE_SIZE; break;
    }
    if (wanted > most) wanted = most;
    uint64_t real = sheaf_heap_real_size(&grove->heap, (size_t)wanted);
    return (uint32_t)(real > most ? most : real);
}

/* Bytes left for slots and cells to come: more slots may need more padding. */
static uint64_t left_for_more(uint32_t size, uint64_t need)
{
    uint64_t left = size - need;
    return left < ARRAYS_PADDING_MAX ? 0 : left - ARRAYS_PADDING_MAX;
}

uint32_t sheaf_room_spare_slots(uint32_t size, uint64_t need, uint32_t count)
{
    uint64_t spare = left_for_more(size, need) / (need / count + 1);
    return spare < SPARE_SLOTS_MAX ? (uint32_t)spare : SPARE_SLOTS_MAX;
}

uint32_t sheaf_room_ordered_slots(uint32_t size, uint64_t need, uint32_t count, uint64_t weight)
{
    return (uint32_t)(left_for_more(size, need) * count / weight);
}
