/*
 * test_cache_ghost.c - remembering keys by two bytes of their hash.
 */
#include "engine/cache/ghost.h"

#include <criterion/criterion.h>

#include "tests/support/random.h"
#include "tests/support/test_heap.h"

static struct test_heap under;
static struct sheaf_heap heap;
static struct sheaf_ghost ghost;

static void begin(void)
{
    under = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(&under);
    sheaf_heap_init(&heap, &hooks);
    ghost = (struct sheaf_ghost){ 0 };
}

static void end(void)
{
    sheaf_ghost_deinit(&ghost, &heap);
    cr_assert_eq(under.live_blocks, 0);
}

TestSuite(ghost, .init = begin, .fini = end);

Test(ghost, knows_nothing_without_a_table)
{
    sheaf_ghost_note(&ghost, 5);
    cr_assert(!sheaf_ghost_knows(&ghost, 5));
}

Test(ghost, knows_what_it_was_told_last)
{
    struct random random = random_from_seed(7);
    cr_assert(sheaf_ghost_resize(&ghost, &heap, 1000));
    cr_assert_eq(heap.charged_bytes, 2000, "two bytes a place");
    static uint64_t hashes[1000];
    for (int i = 0; i < 1000; i++) sheaf_ghost_note(&ghost, hashes[i] = random_next(&random));
    int known = 0;
    for (int i = 0; i < 1000; i++) known += sheaf_ghost_knows(&ghost, hashes[i]);
    cr_assert(sheaf_ghost_knows(&ghost, hashes[999]));
    cr_assert(known > 580 && known < 690, "1 - 1/e of as many as there are places: %d", known);
    int mistaken = 0;
    for (int i = 0; i < 100000; i++) mistaken += sheaf_ghost_knows(&ghost, random_next(&random));
    cr_assert_leq(mistaken, 10, "one in 65,535, times what is taken: %d", mistaken);
}

Test(ghost, reaches_every_place_and_none_beyond)
{
    cr_assert(sheaf_ghost_resize(&ghost, &heap, 3));
    sheaf_ghost_note(&ghost, 0); /* a mark is never 0 */
    cr_assert(sheaf_ghost_knows(&ghost, 0));
    cr_assert_eq(ghost.marks[0], 1);
    sheaf_ghost_note(&ghost, UINT64_C(0x80000000) << 32 | 77);
    cr_assert_eq(ghost.marks[1], 77);
    sheaf_ghost_note(&ghost, UINT64_MAX);
    cr_assert_eq(ghost.marks[2], 0xFFFF);
}

Test(ghost, fits_about_as_many_places_as_entries)
{
    uint64_t wanted;
    cr_assert(sheaf_ghost_is_unfit(&ghost, 10, &wanted));
    cr_assert_eq(wanted, 64);
    cr_assert(sheaf_ghost_is_unfit(&ghost, 1000, &wanted));
    cr_assert_eq(wanted, 1000);
    cr_assert(sheaf_ghost_resize(&ghost, &heap, wanted));
    cr_assert(!sheaf_ghost_is_unfit(&ghost, 2000, &wanted));
    cr_assert(sheaf_ghost_is_unfit(&ghost, 2001, &wanted));
    cr_assert(!sheaf_ghost_is_unfit(&ghost, 250, &wanted));
    cr_assert(sheaf_ghost_is_unfit(&ghost, 249, &wanted));
    cr_assert_eq(wanted, 249);
    (void)sheaf_ghost_is_unfit(&ghost, UINT64_C(1) << 40, &wanted);
    cr_assert_eq(wanted, UINT32_MAX);
}

Test(ghost, keeps_its_table_when_a_new_one_is_refused)
{
    cr_assert(sheaf_ghost_resize(&ghost, &heap, 64));
    sheaf_ghost_note(&ghost, 99);
    under.fail_from = under.requests;
    cr_assert(!sheaf_ghost_resize(&ghost, &heap, 128));
    cr_assert(sheaf_ghost_knows(&ghost, 99));
    test_heap_relent(&under);
    cr_assert(sheaf_ghost_resize(&ghost, &heap, 128));
    cr_assert(!sheaf_ghost_knows(&ghost, 99), "a new table is empty");
    cr_assert_eq(heap.charged_bytes, 256);
}
