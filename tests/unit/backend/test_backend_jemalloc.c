/*
 * test_backend_jemalloc.c - a store's own arena: when it comes, that nothing outlives it, and what happens where there is none.
 */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/backend.h"

enum { MEBIBYTE = 1 << 20, BLOCK_SIZE = 4096 };

static size_t resident_bytes(void)
{
    unsigned long total, resident;
    FILE *file = fopen("/proc/self/statm", "r");
    cr_assert(file && fscanf(file, "%lu %lu", &total, &resident) == 2);
    fclose(file);
    return resident * 4096;
}

static void fill_store(struct sheaf_backend *backend, void **blocks, size_t count)
{
    sheaf_allocator hooks = sheaf_backend_hooks(backend);
    for (size_t i = 0; i < count; i++) {
        blocks[i] = hooks.resize(hooks.context, NULL, 0, BLOCK_SIZE);
        cr_assert_not_null(blocks[i]);
        memset(blocks[i], (int)i, BLOCK_SIZE);
    }
}

static void empty_store(struct sheaf_backend *backend, void **blocks, size_t count)
{
    sheaf_allocator hooks = sheaf_backend_hooks(backend);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(*(unsigned char *)blocks[i], (unsigned char)i);
        hooks.resize(hooks.context, blocks[i], BLOCK_SIZE, 0);
    }
}

Test(backend_jemalloc, gives_a_store_its_arena_once_it_would_fill_a_huge_page)
{
    static void *blocks[600];
    struct sheaf_backend backend;
    sheaf_backend_init(&backend);
    fill_store(&backend, blocks, 512);
    cr_assert_eq(backend.arena, UINT32_MAX, "2 MiB in all: not yet");
    cr_assert_eq(backend.live_bytes, 2 * MEBIBYTE);
    fill_store(&backend, blocks + 512, 1);
    cr_assert_neq(backend.arena, UINT32_MAX);
    cr_assert_neq(backend.cache, UINT32_MAX);
    empty_store(&backend, blocks, 512);
    empty_store(&backend, blocks + 512, 1);
    sheaf_backend_deinit(&backend);
    cr_assert_eq(backend.arena, UINT32_MAX);
}

Test(backend_jemalloc, does_not_count_what_came_and_went)
{
    void *block;
    struct sheaf_backend backend;
    sheaf_backend_init(&backend);
    for (size_t i = 0; i < 2000; i++) {
        fill_store(&backend, &block, 1);
        empty_store(&backend, &block, 1);
    }
    cr_assert_eq(backend.live_bytes, 0);
    cr_assert_eq(backend.arena, UINT32_MAX);
    sheaf_backend_deinit(&backend);
}

/* Stores come and go 64 MiB large: what they leave behind is a few of jemalloc's own MiB, once. */
Test(backend_jemalloc, gives_memory_back_with_the_store)
{
    enum { COUNT = 64 * MEBIBYTE / BLOCK_SIZE };
    static void *blocks[COUNT];
    size_t before = resident_bytes();
    for (int round = 0; round < 8; round++) {
        struct sheaf_backend backend;
        sheaf_backend_init(&backend);
        fill_store(&backend, blocks, COUNT);
        cr_assert_geq(resident_bytes() - before, 64 * MEBIBYTE);
        empty_store(&backend, blocks, COUNT);
        sheaf_backend_deinit(&backend);
        cr_assert_lt(resident_bytes(), before + 16 * MEBIBYTE, "round %d", round);
    }
}

static void *fill_elsewhere(void *context)
{
    void **job = context;
    fill_store(job[0], job[1], 1000);
    return NULL;
}

Test(backend_jemalloc, lets_a_store_move_between_threads)
{
    static void *blocks[1000];
    struct sheaf_backend backend;
    sheaf_backend_init(&backend);
    void *job[] = { &backend, blocks };
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, fill_elsewhere, job), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_assert_neq(backend.arena, UINT32_MAX, "made in a thread that is no more");
    empty_store(&backend, blocks, 1000);
    sheaf_backend_deinit(&backend);
}

/* More stores than jemalloc has arenas: those that get none work like the others, and ask again when twice as large. */
Test(backend_jemalloc, goes_on_without_an_arena_when_there_are_none_left)
{
    enum { STORES = 4200, LARGE = 2 * MEBIBYTE };
    static struct sheaf_backend backends[STORES];
    static void *blocks[STORES][2];
    size_t without = 0;
    for (size_t i = 0; i < STORES; i++) {
        sheaf_backend_init(&backends[i]);
        sheaf_allocator hooks = sheaf_backend_hooks(&backends[i]);
        blocks[i][0] = hooks.resize(hooks.context, NULL, 0, LARGE); /* not touched: takes addresses, not memory */
        blocks[i][1] = hooks.resize(hooks.context, NULL, 0, 100);
        cr_assert(blocks[i][0] && blocks[i][1], "store %zu", i);
        memset(blocks[i][1], 1, 100);
        if (backends[i].arena == UINT32_MAX) {
            without++;
            cr_assert_eq(backends[i].own_at_bytes, 2 * LARGE);
        }
    }
    cr_assert_gt(without, 0);
    cr_assert_lt(without, 200);
    for (size_t i = 0; i < STORES; i++) {
        sheaf_allocator hooks = sheaf_backend_hooks(&backends[i]);
        hooks.resize(hooks.context, blocks[i][0], LARGE, 0);
        hooks.resize(hooks.context, blocks[i][1], 100, 0);
        sheaf_backend_deinit(&backends[i]);
    }
    struct sheaf_backend last;
    void *block;
    sheaf_backend_init(&last);
    last.live_bytes = LARGE;
    fill_store(&last, &block, 1);
    cr_assert_neq(last.arena, UINT32_MAX, "arenas are there again");
    empty_store(&last, &block, 1);
    sheaf_backend_deinit(&last);
}
