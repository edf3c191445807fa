#include "engine/lab/arena.h"

#include <stdlib.h>
#include <string.h>

#include "engine/input/complaint.h"

#define CHUNK_SIZE ((size_t)64 * 1024)

struct arena_chunk {
    struct arena_chunk *before;
    size_t size;
    uint8_t bytes[];
};

static void add_chunk(struct arena *arena, size_t size)
{
    struct arena_chunk *chunk = malloc(sizeof *chunk + size);
    if (!chunk) end_without_memory();
    chunk->before = arena->chunk;
    chunk->size = size;
    arena->chunk = chunk;
    arena->used = 0;
}

uint8_t *arena_reserve(struct arena *arena, size_t size)
{
    if (!arena->chunk || size > arena->chunk->size - arena->used) add_chunk(arena, size > CHUNK_SIZE ? size : CHUNK_SIZE);
    uint8_t *room = arena->chunk->bytes + arena->used;
    arena->used += size;
    return room;
}

sheaf_bytes arena_copy(struct arena *arena, sheaf_bytes bytes)
{
    uint8_t *room = arena_reserve(arena, bytes.size);
    if (bytes.size > 0) memcpy(room, bytes.data, bytes.size);
    return sheaf_bytes_of(room, bytes.size);
}

void arena_release(struct arena *arena)
{
    for (struct arena_chunk *chunk = arena->chunk, *before; chunk; chunk = before) {
        before = chunk->before;
        free(chunk);
    }
    *arena = (struct arena){ 0 };
}

void *allocate_zeroed(size_t count, size_t size)
{
    void *block = calloc(count > 0 ? count : 1, size);
    if (!block) end_without_memory();
    return block;
}
