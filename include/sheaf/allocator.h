/*
 * allocator.h - the seam through which a store gets all its memory.
 *
 * Without hooks a store uses the backend libsheaf was built with: jemalloc's explicit calls, or libc. Neither replaces the
 * host program's malloc. With hooks, every byte the store holds comes from them, and goes back to them with its size.
 *
 * Thread rule: a store calls its hooks from whichever thread calls the store: from one at a time for all that it holds, and from
 * readers for the pages they copy out (scan.h). Shared stores and the stores of different threads call them from several at once.
 */
#ifndef SHEAF_ALLOCATOR_H
#define SHEAF_ALLOCATOR_H

#include <stddef.h>

#include <sheaf/export.h>

SHEAF_BEGIN_DECLARATIONS

/** An embedder's allocator. Copied by sheaf_store_create(); @p context must outlive the store. */
typedef struct sheaf_allocator {
    /**
     * One function for all three: allocate (@p block NULL, @p old_size 0), free (@p new_size 0, result ignored), and
     * resize. @p old_size is exactly what the block was asked for with. Blocks are aligned for any object type
     * (max_align_t). NULL for a non-zero @p new_size means refused; the old block then stays as it was. Never called
     * from a destructor with a need to allocate: freeing never fails.
     */
    void *(*resize)(void *context, void *block, size_t old_size, size_t new_size);
    /**
     * The bytes a block asked for with @p size really takes (jemalloc: nallocx). At least @p size, and always
     * the same for the same size. The store charges this
     * and sizes its nodes to fill it. May be NULL: then a block takes what was asked for.
     */
    size_t (*real_size)(void *context, size_t size);
    void *context; /**< handed to both functions as it is */
} sheaf_allocator;

/** The backend this libsheaf was built with: "jemalloc" or "libc". Static. Thread rule: any thread, any time. */
SHEAF_API const char *sheaf_allocator_backend(void);

SHEAF_END_DECLARATIONS

#endif
