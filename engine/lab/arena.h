/*
 * arena.h - bytes that stay where they are until all of them go.
 *
 * What the lab reads once and looks at often: the values of records, the operands of a plan. As everywhere in the command,
 * refused memory ends the program (engine/input/complaint.h).
 */
#ifndef SHEAF_LAB_ARENA_H
#define SHEAF_LAB_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>

/* Zeroed is empty. */
struct arena {
    struct arena_chunk *chunk; /* the newest, which links to those before */
    size_t used;               /* bytes of it */
};

/* Room for `size` bytes, not aligned. */
uint8_t *arena_reserve(struct arena *arena, size_t size);

sheaf_bytes arena_copy(struct arena *arena, sheaf_bytes bytes);

void arena_release(struct arena *arena);

/* `count` zeroed things of `size` bytes, for free(); at least one, so that NULL never means none. */
void *allocate_zeroed(size_t count, size_t size);

#endif
