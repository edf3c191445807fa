/*
 * test_edge_sums.c - sums of bytes beyond 32 bits.
 */
#include <stdlib.h>

#include "tests/api/edge_case.h"

/* Hooks that give all large blocks the same memory: 4 GiB of values that take 64 MiB. The values are all alike. */
enum { LARGE = 64 << 20 };

static void *share_large(void *context, void *block, size_t old_size, size_t new_size)
{
    if (old_size >= LARGE) return NULL;
    if (new_size >= LARGE) return context;
    return realloc(block, new_size);
}

static void expect_bytes(const sheaf_store *store, uint64_t bytes)
{
    sheaf_totals totals = { 0, 0 };
    cr_assert_eq(sheaf_range_total(store, SHELF, NULL, &totals, NULL), SHEAF_OK);
    cr_assert_eq(totals.bytes, bytes);
    cr_assert_eq(sheaf_collection_total(store, SHELF, &totals), SHEAF_OK);
    cr_assert_eq(totals.bytes, bytes);
    cr_assert_eq(sheaf_store_total(store).logical_bytes, bytes + SHELF.size);
    cr_assert_geq(sheaf_store_total(store).charged_bytes, bytes);
}

Test(sums, b106_bytes_are_summed_in_64_bits)
{
    uint8_t *shared = malloc(LARGE + 4096);
    uint8_t *value = calloc(1, LARGE);
    cr_assert(shared && value);
    sheaf_allocator hooks = { .resize = share_large, .context = shared };
    sheaf_store_options options = { .allocator = &hooks, .value_size_max = LARGE };
    sheaf_store *store = NULL;
    cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_OK);
    uint64_t bytes = 0;
    const uint64_t turns[] = { (uint64_t)1 << 31, (uint64_t)1 << 32 };
    for (size_t turn = 0; turn < 2; turn++) {
        uint8_t key[2] = { (uint8_t)('A' + turn), 0 };
        for (; bytes + LARGE < turns[turn] - 1; bytes += 2 + LARGE, key[1]++)
            cr_assert_eq(sheaf_store_put(store, SHELF, sheaf_bytes_of(key, 2), sheaf_bytes_of(value, LARGE), NULL, NULL),
                         SHEAF_OK);
        size_t short_of = (size_t)(turns[turn] - 1 - bytes - 2); /* one below, at, and one above */
        for (size_t step = 0; step < 3; step++) {
            cr_assert_eq(sheaf_store_put(store, SHELF, sheaf_bytes_of(key, 2), sheaf_bytes_of(value, short_of + step), NULL,
                                         NULL), SHEAF_OK);
            expect_bytes(store, turns[turn] - 1 + step);
        }
        bytes = turns[turn] + 1;
    }
    cr_assert_eq(sheaf_collection_drop(store, SHELF, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_store_total(store).logical_bytes, 0);
    sheaf_store_destroy(store);
    free(value);
    free(shared);
}
