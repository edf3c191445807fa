/*
 * test_backend_libc.c - the sizes that allocator_libc.c works out, against what glibc says of the block.
 */
#include <criterion/criterion.h>
#include <malloc.h>
#include <stdlib.h>

#include "engine/base/backend.h"

enum { HEADER_SIZE = 8, MAPPED_HEADER_SIZE = 16 };

static size_t real_size(size_t size)
{
    return sheaf_backend_hooks(NULL).real_size(NULL, size);
}

Test(backend_libc, charges_a_chunk)
{
    cr_assert_eq(real_size(1), 32);
    cr_assert_eq(real_size(24), 32);
    cr_assert_eq(real_size(25), 48);
    cr_assert_eq(real_size(40), 48);
    cr_assert_eq(real_size(4096), 4112);
    cr_assert_eq(real_size(4088), 4096);
}

Test(backend_libc, charges_whole_pages_for_a_mapping)
{
    cr_assert_eq(real_size(131072 - 24), 131056, "the largest chunk");
    cr_assert_eq(real_size(131072 - 8), 135168);
    cr_assert_eq(real_size(135168 - 24), 135168);
    cr_assert_eq(real_size(135168 - 23), 139264);
}

#ifndef __SANITIZE_ADDRESS__
/* A chunk cut from fresh memory is as large as we say. (One taken up again may be 16 bytes larger: the rest would be too small
 * for a chunk.) Blocks are kept, so that all are fresh. */
Test(backend_libc, agrees_with_glibc)
{
    static void *blocks[3000];
    cr_assert(mallopt(M_MMAP_THRESHOLD, 128 * 1024), "keeps the threshold from moving");
    for (size_t size = 1; size < 3000; size++) {
        volatile size_t wanted = size;
        blocks[size] = malloc(wanted);
        size_t taken = malloc_usable_size(blocks[size]) + HEADER_SIZE;
        cr_assert(taken == real_size(size) || taken == real_size(size) + 16, "size %zu takes %zu", size, taken);
    }
    for (size_t size = 1; size < 3000; size++) free(blocks[size]);
    for (size_t size = (1 << 20) - 40; size < 1 << 21; size += size % 4096 > 4056 || size % 4096 < 8 ? 1 : 4048) {
        void *block = malloc(size);
        cr_assert_eq(malloc_usable_size(block) + MAPPED_HEADER_SIZE, real_size(size), "size %zu", size);
        free(block);
    }
}
#endif
