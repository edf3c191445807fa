#include "engine/cache/ghost.h"

#include "engine/base/assert.h"

enum {
    PLACE_COUNT_MIN = 64,
    UNFIT_FACTOR = 2, /* a table may be so many times too small, or twice that too large */
};

bool sheaf_ghost_is_unfit(const struct sheaf_ghost *ghost, uint64_t entry_count, uint64_t *out_place_count)
{
    uint64_t wanted = entry_count < PLACE_COUNT_MIN ? PLACE_COUNT_MIN : entry_count;
    if (wanted > UINT32_MAX) wanted = UINT32_MAX; /* places are drawn from 32 bits of the hash */
    *out_place_count = wanted;
    if (!ghost->marks) return true;
    return wanted > ghost->place_count * UNFIT_FACTOR || wanted * UNFIT_FACTOR * 2 < ghost->place_count;
}

size_t sheaf_ghost_size(uint64_t place_count)
{
    return (size_t)place_count * sizeof(uint16_t);
}

bool sheaf_ghost_resize(struct sheaf_ghost *ghost, struct sheaf_heap *heap, uint64_t place_count)
{
    uint16_t *marks = sheaf_heap_allocate_zeroed(heap, sheaf_ghost_size(place_count));
    if (!marks) return false;
    sheaf_ghost_deinit(ghost, heap);
    ghost->marks = marks;
    ghost->place_count = place_count;
    return true;
}

void sheaf_ghost_deinit(struct sheaf_ghost *ghost, struct sheaf_heap *heap)
{
    sheaf_heap_free(heap, ghost->marks, sheaf_ghost_size(ghost->place_count));
    *ghost = (struct sheaf_ghost){ 0 };
}

static uint16_t *place_of(const struct sheaf_ghost *ghost, uint64_t hash)
{
    return &ghost->marks[(hash >> 32) * ghost->place_count >> 32];
}

static uint16_t mark_of(uint64_t hash)
{
    uint16_t mark = (uint16_t)hash;
    return mark == 0 ? 1 : mark;
}

void sheaf_ghost_note(struct sheaf_ghost *ghost, uint64_t hash)
{
    if (ghost->marks) *place_of(ghost, hash) = mark_of(hash);
}

bool sheaf_ghost_knows(const struct sheaf_ghost *ghost, uint64_t hash)
{
    return ghost->marks && *place_of(ghost, hash) == mark_of(hash);
}
