/*
 * allocator_jemalloc.c - the backend on jemalloc's explicit calls.
 *
 * The jemalloc is our own, hidden inside libsheaf (hide_jemalloc.sh): the host keeps its malloc, and may use another jemalloc.
 */
#include <jemalloc/jemalloc.h>

#include "engine/base/backend.h"

static void *resize_block(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    if (new_size == 0) {
        if (block) sdallocx(block, old_size, 0);
        return NULL;
    }
    return block ? rallocx(block, new_size, 0) : mallocx(new_size, 0);
}

static size_t real_size(void *context, size_t size)
{
    (void)context;
    return size == 0 ? 0 : nallocx(size, 0);
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
    return "jemalloc";
}
