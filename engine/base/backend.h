/*
 * backend.h - the allocator a store uses when its embedder brings none.
 *
 * Two files implement it and meson chooses one: allocator_jemalloc.c (explicit calls only, so the host keeps its malloc) and
 * allocator_libc.c. They are the only files that call an allocator by name.
 *
 * The backend's state lives inside the store, whose own memory comes from the backend: sheaf_backend_init() may be called on a
 * temporary, the result copied and sheaf_backend_hooks() asked again for hooks that point at the copy.
 */
#ifndef SHEAF_BASE_BACKEND_H
#define SHEAF_BASE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/allocator.h>

struct sheaf_backend {
    uint64_t live_bytes;   /* asked for and not yet given back; counted until the store has an arena of its own */
    uint64_t own_at_bytes; /* how many of them make the store ask for one */
    uint32_t arena;        /* index of the store's own arena; UINT32_MAX: none yet */
    uint32_t cache;        /* index of the store's own thread cache; UINT32_MAX: none */
};

void sheaf_backend_init(struct sheaf_backend *backend);

/* After every block is freed. */
void sheaf_backend_deinit(struct sheaf_backend *backend);

/*
 * Hooks whose context is `backend`, for one thread at a time. With NULL: hooks without state, which any thread may call (pages
 * that readers copy out). A block goes back through the hooks it came from.
 */
sheaf_allocator sheaf_backend_hooks(struct sheaf_backend *backend);

/* The physical memory that serves this store alone. False: the backend cannot tell. */
bool sheaf_backend_resident(const struct sheaf_backend *backend, uint64_t *out_bytes);

#endif
