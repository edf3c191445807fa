/*
 * allocator_libc.c - the backend without jemalloc: libc's malloc, with nothing of our own kept.
 *
 * glibc lays a block out as 8 bytes of header and the bytes asked for, rounded up to 16, never less than 32. A block of
 * 128 KiB or more may be a mapping of its own; that threshold moves as the program runs and cannot be known from a size alone,
 * so the chunk is what is charged, which a mapping exceeds by at most a page.
 */
#include <stdlib.h>

#include "engine/base/backend.h"

enum { CHUNK_ALIGNMENT = 16, CHUNK_HEADER_SIZE = 8, CHUNK_SIZE_MIN = 32 };

static void *resize_block(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

static size_t real_size(void *context, size_t size)
{
    (void)context;
    size_t rounded;
    if (__builtin_add_overflow(size, CHUNK_HEADER_SIZE + CHUNK_ALIGNMENT - 1, &rounded)) return size;
    rounded -= rounded % CHUNK_ALIGNMENT;
    return rounded < CHUNK_SIZE_MIN ? CHUNK_SIZE_MIN : rounded;
}

void sheaf_backend_init(struct sheaf_backend *backend)
{
    *backend = (struct sheaf_backend){ .live_bytes = 0, .arena = UINT32_MAX, .cache = UINT32_MAX };
}

void sheaf_backend_deinit(struct sheaf_backend *backend)
{
    (void)backend;
}

sheaf_allocator sheaf_backend_hooks(struct sheaf_backend *backend)
{
    (void)backend;
    return (sheaf_allocator){ .resize = resize_block, .real_size = real_size, .context = NULL };
}

const char *sheaf_allocator_backend(void)
{
    return "libc";
}
