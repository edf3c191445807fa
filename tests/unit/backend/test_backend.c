/*
 * test_backend.c - what every backend promises (engine/base/backend.h, sheaf/allocator.h). Built once for each.
 */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdalign.h>
#include <stddef.h>
#include <string.h>

#include "engine/base/backend.h"

static void *allocate(const sheaf_allocator *hooks, size_t size)
{
    return hooks->resize(hooks->context, NULL, 0, size);
}

static void release(const sheaf_allocator *hooks, void *block, size_t size)
{
    cr_assert_null(hooks->resize(hooks->context, block, size, 0));
}

static bool is_filled(const unsigned char *block, size_t size, unsigned char byte)
{
    for (size_t i = 0; i < size; i++)
        if (block[i] != byte) return false;
    return true;
}

Test(backend, has_its_name)
{
    cr_assert_str_eq(sheaf_allocator_backend(), BACKEND_NAME);
}

Test(backend, gives_aligned_blocks_of_every_size)
{
    struct sheaf_backend backend;
    sheaf_backend_init(&backend);
    sheaf_allocator hooks = sheaf_backend_hooks(&backend);
    for (size_t size = 1; size <= 1 << 20; size += 1 + size / 3) {
        unsigned char *block = allocate(&hooks, size);
        cr_assert_not_null(block);
        cr_assert_eq((uintptr_t)block % (size < alignof(max_align_t) ? 8 : alignof(max_align_t)), 0, "size %zu", size);
        memset(block, 0x5A, size);
        release(&hooks, block, size);
    }
    sheaf_backend_deinit(&backend);
}

Test(backend, keeps_bytes_when_resizing)
{
    struct sheaf_backend backend;
    sheaf_backend_init(&backend);
    sheaf_allocator hooks = sheaf_backend_hooks(&backend);
    static const size_t sizes[] = { 10, 4000, 24, 3 << 20, 5000000, 300, 1 };
    unsigned char *block = allocate(&hooks, 1);
    size_t size = 1;
    *block = 0xA5;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        block = hooks.resize(hooks.context, block, size, sizes[i]);
        cr_assert_not_null(block);
        cr_assert(is_filled(block, size < sizes[i] ? size : sizes[i], 0xA5), "to %zu bytes", sizes[i]);
        size = sizes[i];
        memset(block, 0xA5, size);
    }
    release(&hooks, block, size);
    sheaf_backend_deinit(&backend);
}

Test(backend, says_a_block_takes_at_least_what_was_asked_for_and_never_less_for_more)
{
    sheaf_allocator hooks = sheaf_backend_hooks(NULL);
    size_t before = 0;
    for (size_t size = 1; size < 1000000; size += 1 + size / 64) {
        size_t real = hooks.real_size(hooks.context, size);
        cr_assert_geq(real, size);
        cr_assert_geq(real, before);
        before = real;
    }
    cr_assert_eq(hooks.real_size(hooks.context, SIZE_MAX), SIZE_MAX, "a size that no block can have does not wrap");
}

#ifndef __SANITIZE_ADDRESS__ /* whose malloc ends the program instead of refusing */
Test(backend, refuses_what_cannot_be_and_leaves_the_block)
{
    struct sheaf_backend backend;
    sheaf_backend_init(&backend);
    sheaf_allocator hooks = sheaf_backend_hooks(&backend);
    volatile size_t impossible = SIZE_MAX / 2;
    cr_assert_null(allocate(&hooks, impossible));
    unsigned char *block = allocate(&hooks, 100);
    memset(block, 0x11, 100);
    cr_assert_null(hooks.resize(hooks.context, block, 100, impossible));
    cr_assert(is_filled(block, 100, 0x11));
    release(&hooks, block, 100);
    sheaf_backend_deinit(&backend);
}
#endif

/* 50 backends take turns and grow past the size at which one might get memory of its own. None sees another's bytes. */
Test(backend, stands_beside_others)
{
    enum { BACKENDS = 50, BLOCKS = 60, BLOCK_SIZE = 50000 };
    static struct sheaf_backend backends[BACKENDS];
    static unsigned char *blocks[BACKENDS][BLOCKS];
    for (size_t i = 0; i < BACKENDS; i++) sheaf_backend_init(&backends[i]);
    for (size_t j = 0; j < BLOCKS; j++) {
        for (size_t i = 0; i < BACKENDS; i++) {
            sheaf_allocator hooks = sheaf_backend_hooks(&backends[i]);
            blocks[i][j] = allocate(&hooks, BLOCK_SIZE);
            memset(blocks[i][j], (int)(i + j), BLOCK_SIZE);
        }
    }
    for (size_t i = 0; i < BACKENDS; i++) {
        sheaf_allocator hooks = sheaf_backend_hooks(&backends[i]);
        for (size_t j = 0; j < BLOCKS; j++) {
            cr_assert(is_filled(blocks[i][j], BLOCK_SIZE, (unsigned char)(i + j)), "backend %zu block %zu", i, j);
            release(&hooks, blocks[i][j], BLOCK_SIZE);
        }
        sheaf_backend_deinit(&backends[i]);
    }
}

static void *fill(void *context)
{
    unsigned char **blocks = context;
    sheaf_allocator hooks = sheaf_backend_hooks(NULL);
    for (size_t i = 0; i < 1000; i++) {
        blocks[i] = allocate(&hooks, 1 + i * 7);
        memset(blocks[i], (int)i, 1 + i * 7);
    }
    return NULL;
}

Test(backend, has_hooks_without_state_for_any_thread)
{
    static unsigned char *blocks[4][1000];
    pthread_t threads[4];
    sheaf_allocator hooks = sheaf_backend_hooks(NULL);
    for (size_t t = 0; t < 4; t++) cr_assert_eq(pthread_create(&threads[t], NULL, fill, blocks[t]), 0);
    for (size_t t = 0; t < 4; t++) cr_assert_eq(pthread_join(threads[t], NULL), 0);
    for (size_t t = 0; t < 4; t++) {
        for (size_t i = 0; i < 1000; i++) {
            cr_assert(is_filled(blocks[t][i], 1 + i * 7, (unsigned char)i));
            release(&hooks, blocks[t][i], 1 + i * 7);
        }
    }
}
