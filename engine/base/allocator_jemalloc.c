/*
 * allocator_jemalloc.c - the backend on jemalloc's explicit calls.
 *
 * The jemalloc is our own, hidden inside libsheaf (hide_jemalloc.sh): the host keeps its malloc, and may use another jemalloc.
 *
 *      live bytes of a store     0 ............ OWN_ARENA_AT_BYTES ..............................▶
 *      where its blocks come     the arenas that   an arena of its own, mapped in huge pages, and
 *      from                      all stores share  a cache of its own, both gone with the store
 *
 * An arena costs some 18 us to make, 13 us to end and 120 KiB, too much for a store that holds twenty entries; a huge page is
 * 2 MiB, so the arena comes once the store would fill one. Huge pages halve the price of a cache miss. jemalloc has room for
 * some 4,000 arenas and as many caches: a store that gets none goes on in the shared ones and asks again at twice the size.
 *
 * Blocks from before may be freed through the store's cache and come out of it again; they still belong to the shared arena and
 * go back there when the cache ends. No block of the store's arena ever reaches another cache, so nothing outlives the arena.
 */
#include "engine/base/backend.h"

#include <jemalloc/jemalloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>

enum { HUGE_PAGE_SIZE = 1 << 21, OWN_ARENA_AT_BYTES = HUGE_PAGE_SIZE };

/* ---- an arena's pages --------------------------------------------------------------------------------------------------- */

/*
 * jemalloc asks for 2 MiB first and for ever larger extents after, and keeps them. Neighbouring mappings merge, so the kernel
 * finds whole huge pages across their borders and extents need no alignment of ours.
 */
static void *map_extent(extent_hooks_t *hooks, void *wanted, size_t size, size_t alignment, bool *zeroed, bool *committed,
                        unsigned arena)
{
    (void)hooks;
    (void)arena;
    if (wanted) return NULL;
    void *extent = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (extent == MAP_FAILED) return NULL;
    if ((uintptr_t)extent % alignment != 0) { /* more than a page only where a block asks for it, and ours do not */
        munmap(extent, size);
        return NULL;
    }
    (void)madvise(extent, size, MADV_HUGEPAGE); /* refused where there are none: then small pages serve */
    *zeroed = true;
    *committed = true;
    return extent;
}

static void unmap_extent(extent_hooks_t *hooks, void *extent, size_t size, bool committed, unsigned arena)
{
    (void)hooks;
    (void)committed;
    (void)arena;
    munmap(extent, size);
}

/* Gives the memory of pages that have lain unused for some seconds back to the system. False is success. */
static bool purge_pages(extent_hooks_t *hooks, void *extent, size_t size, size_t offset, size_t length, unsigned arena)
{
    (void)hooks;
    (void)size;
    (void)arena;
    return madvise((char *)extent + offset, length, MADV_DONTNEED) != 0;
}

/* False: extents may be split and merged as jemalloc likes. */
static bool split_extent(extent_hooks_t *hooks, void *extent, size_t size, size_t left_size, size_t right_size, bool committed,
                         unsigned arena)
{
    (void)hooks, (void)extent, (void)size, (void)left_size, (void)right_size, (void)committed, (void)arena;
    return false;
}

static bool merge_extents(extent_hooks_t *hooks, void *left, size_t left_size, void *right, size_t right_size, bool committed,
                          unsigned arena)
{
    (void)hooks, (void)left, (void)left_size, (void)right, (void)right_size, (void)committed, (void)arena;
    return false;
}

/* Never written; jemalloc just wants a pointer without const. */
static extent_hooks_t huge_page_hooks = {
    .alloc = map_extent,
    .destroy = unmap_extent,
    .purge_forced = purge_pages,
    .split = split_extent,
    .merge = merge_extents,
};

/* ---- a store's own arena ------------------------------------------------------------------------------------------------ */

static bool make_index(const char *name, uint32_t *out_index)
{
    unsigned index;
    size_t size = sizeof index;
    if (mallctl(name, &index, &size, NULL, 0) != 0) return false;
    *out_index = index;
    return true;
}

static void destroy_arena(uint32_t arena)
{
    char name[32];
    (void)snprintf(name, sizeof name, "arena.%u.destroy", arena);
    (void)mallctl(name, NULL, NULL, NULL, 0);
}

/* Hooks are set after the arena is made, so that what jemalloc keeps about it does not take a huge page. */
static bool set_hooks(uint32_t arena)
{
    char name[32];
    extent_hooks_t *hooks = &huge_page_hooks;
    (void)snprintf(name, sizeof name, "arena.%u.extent_hooks", arena);
    return mallctl(name, NULL, NULL, &hooks, sizeof(void *)) == 0;
}

static bool make_own_arena(struct sheaf_backend *backend)
{
    uint32_t arena, cache;
    if (!make_index("arenas.create", &arena)) return false;
    if (!set_hooks(arena) || !make_index("tcache.create", &cache)) {
        destroy_arena(arena);
        return false;
    }
    backend->arena = arena;
    backend->cache = cache;
    return true;
}

static bool has_own_arena(const struct sheaf_backend *backend)
{
    return backend->arena != UINT32_MAX;
}

/* Called before each allocation of a store that has none. */
static void consider_own_arena(struct sheaf_backend *backend)
{
    if (backend->live_bytes < backend->own_at_bytes) return;
    if (!make_own_arena(backend)) backend->own_at_bytes *= 2;
}

/* ---- hooks ------------------------------------------------------------------------------------------------------------ */

static void *resize_with(int flags, void *block, size_t old_size, size_t new_size)
{
    if (!block) return mallocx(new_size, flags);
    if (new_size != 0) return rallocx(block, new_size, flags);
    sdallocx(block, old_size, flags);
    return NULL;
}

static void *resize_shared(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    return resize_with(0, block, old_size, new_size);
}

static void *resize_for_store(void *context, void *block, size_t old_size, size_t new_size)
{
    struct sheaf_backend *backend = context;
    if (!has_own_arena(backend) && new_size > old_size) consider_own_arena(backend);
    if (has_own_arena(backend)) {
        int flags = MALLOCX_ARENA(backend->arena) | MALLOCX_TCACHE(backend->cache);
        return resize_with(flags, block, old_size, new_size);
    }
    void *result = resize_with(0, block, old_size, new_size);
    if (result || new_size == 0) backend->live_bytes += new_size - old_size;
    return result;
}

static size_t real_size(void *context, size_t size)
{
    (void)context;
    size_t real = size == 0 ? 0 : nallocx(size, 0);
    return real < size ? size : real; /* 0 for what is too large to allocate */
}

void sheaf_backend_init(struct sheaf_backend *backend)
{
    *backend = (struct sheaf_backend){ .own_at_bytes = OWN_ARENA_AT_BYTES, .arena = UINT32_MAX, .cache = UINT32_MAX };
}

void sheaf_backend_deinit(struct sheaf_backend *backend)
{
    if (!has_own_arena(backend)) return;
    unsigned cache = backend->cache;
    (void)mallctl("tcache.destroy", NULL, NULL, &cache, sizeof cache);
    destroy_arena(backend->arena);
    sheaf_backend_init(backend);
}

sheaf_allocator sheaf_backend_hooks(struct sheaf_backend *backend)
{
    return (sheaf_allocator){
        .resize = backend ? resize_for_store : resize_shared,
        .real_size = real_size,
        .context = backend,
    };
}

bool sheaf_backend_resident(const struct sheaf_backend *backend, uint64_t *out_bytes)
{
    if (!has_own_arena(backend)) return false;
    uint64_t epoch = 1; /* any value makes jemalloc sum up anew */
    if (mallctl("epoch", NULL, NULL, &epoch, sizeof epoch) != 0) return false;
    char name[40];
    (void)snprintf(name, sizeof name, "stats.arenas.%u.resident", backend->arena);
    size_t resident, size = sizeof resident;
    if (mallctl(name, &resident, &size, NULL, 0) != 0) return false;
    *out_bytes = resident;
    return true;
}

const char *sheaf_allocator_backend(void)
{
    return "jemalloc";
}
