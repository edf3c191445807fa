/*
 * ghost.h - which keys were evicted not long ago: two bytes of the hash of each, in a table that forgets by being written over.
 *
 *      hash   | where in the table | . . . | mark:16 |        mark 0: nothing there
 *
 * As many places as there are entries, about: so it knows a key for about as many evictions. It may take one key for another
 * once in 65,535 times, which costs nothing but a little precision.
 */
#ifndef SHEAF_CACHE_GHOST_H
#define SHEAF_CACHE_GHOST_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/heap.h"

struct sheaf_ghost {
    uint16_t *marks; /* NULL: it knows nothing */
    uint64_t place_count;
};

/* Whether the table is far from what `entry_count` entries want; `out_place_count` is what would do. */
bool sheaf_ghost_is_unfit(const struct sheaf_ghost *ghost, uint64_t entry_count, uint64_t *out_place_count);

/* Bytes of a table. */
size_t sheaf_ghost_size(uint64_t place_count);

/* An empty table of another size. False, with everything as it was, when memory is refused. */
bool sheaf_ghost_resize(struct sheaf_ghost *ghost, struct sheaf_heap *heap, uint64_t place_count);

void sheaf_ghost_deinit(struct sheaf_ghost *ghost, struct sheaf_heap *heap);

/* Remembers a key. */
void sheaf_ghost_note(struct sheaf_ghost *ghost, uint64_t hash);

bool sheaf_ghost_knows(const struct sheaf_ghost *ghost, uint64_t hash);

#endif
