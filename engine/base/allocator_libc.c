/*
 * allocator_libc.c - the backend on libc's malloc, with nothing of our own kept.
 *
 * What a block really takes is not to be had from libc for a size alone, so it is worked out from how glibc lays chunks out:
 * 8 bytes of header and the bytes asked for, rounded up to 16, never less than 32; from 128 KiB on as a rule a mapping of its
 * own, for such a chunk and 8 bytes more, rounded up to whole pages. (The 128 KiB move up as mappings are freed; such a block
 * then takes a part of a page less than is charged.)
 */
#include "engine/base/backend.h"

#include <stdlib.h>

enum {
    CHUNK_HEADER_SIZE = 8,
    CHUNK_ALIGNMENT = 16,
    CHUNK_SIZE_MIN = 32,
    MAPPED_CHUNK_SIZE_MIN = 128 * 1024,
    PAGE_SIZE = 4096,
};

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

static size_t round_up(size_t size, size_t step)
{
    return (size + step - 1) / step * step;
}

static size_t real_size(void *context, size_t size)
{
    (void)context;
    if (size > PTRDIFF_MAX - PAGE_SIZE) return size; /* never given, and must not wrap */
    size_t chunk_size = round_up(size + CHUNK_HEADER_SIZE, CHUNK_ALIGNMENT);
    if (chunk_size >= MAPPED_CHUNK_SIZE_MIN) return round_up(chunk_size + CHUNK_HEADER_SIZE, PAGE_SIZE);
    return chunk_size < CHUNK_SIZE_MIN ? CHUNK_SIZE_MIN : chunk_size;
}

void sheaf_backend_init(struct sheaf_backend *backend)
{
    *backend = (struct sheaf_backend){ .arena = UINT32_MAX, .cache = UINT32_MAX };
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

bool sheaf_backend_resident(const struct sheaf_backend *backend, uint64_t *out_bytes)
{
    (void)backend;
    (void)out_bytes;
    return false;
}

const char *sheaf_allocator_backend(void)
{
    return "libc";
}
