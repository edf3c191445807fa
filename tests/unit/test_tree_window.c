/*
 * test_tree_window.c - going through a tree leaf by leaf, deleting some on the way, with the use of entries at hand.
 */
#include "engine/tree/window.h"

#include <criterion/criterion.h>

#include <string.h>

#include "engine/tree/count.h"
#include "engine/tree/version.h"
#include "tests/support/orchard.h"

enum { COUNT = 600 };

static struct orchard orchard;
static uint8_t used[256]; /* a use adds 16 */

static void begin(void)
{
    orchard_begin(&orchard);
    for (unsigned use = 0; use < 256; use++) used[use] = (uint8_t)(use < 240 ? use + 16 : use);
    orchard.grove.use = (struct sheaf_use){ .size = 1, .used = used };
}

static void end(void)
{
    orchard_end(&orchard);
}

TestSuite(window, .init = begin, .fini = end);

/* Entry number i is put with the use i % 16. */
static void put_numbers(void)
{
    for (uint32_t number = 0; number < COUNT; number++) {
        uint32_t scattered = number * 247 % COUNT; /* leaves are split, built and widened in every way */
        orchard.grove.use.fresh = (uint8_t)(scattered % 16);
        orchard_put_numbers(&orchard, scattered, scattered + 1);
    }
    orchard_check(&orchard);
}

static uint32_t number_of(const struct sheaf_node *leaf, uint32_t slot)
{
    uint8_t buffer[SHEAF_SORT_KEY_SIZE_HARD];
    sheaf_bytes key = sheaf_node_key(leaf, slot, buffer);
    uint32_t number = 0;
    for (size_t i = 0; i < key.size; i++) number = number * 10 + key.data[i] - '0';
    return number;
}

Test(window, a_use_stays_with_its_entry_whatever_becomes_of_the_leaf)
{
    put_numbers();
    uint64_t met = 0;
    struct sheaf_window window;
    for (uint64_t index = 0; index < COUNT; index = window.first + window.count) {
        cr_assert(sheaf_window_open(&window, &orchard.tree, index));
        cr_assert_eq(window.first, index);
        const struct sheaf_node *leaf = sheaf_window_leaf(&window);
        cr_assert_eq(window.count, leaf->count);
        for (uint32_t slot = 0; slot < window.count; slot++, met++) {
            cr_assert_eq(number_of(leaf, slot), met);
            cr_assert_eq(sheaf_node_uses(leaf)[slot], met % 16, "entry %d", (int)met);
        }
        sheaf_window_close(&window);
    }
    cr_assert_eq(met, COUNT);
}

Test(window, is_the_leaf_of_any_entry_asked_for)
{
    put_numbers();
    struct sheaf_window window;
    for (uint64_t index = 0; index < COUNT; index++) {
        cr_assert(sheaf_window_open(&window, &orchard.tree, index));
        cr_assert(window.first <= index && index < window.first + window.count);
        cr_assert_eq(number_of(sheaf_window_leaf(&window), (uint32_t)(index - window.first)), index);
        uint8_t buffer[SHEAF_SORT_KEY_SIZE_HARD];
        char expected[16];
        sheaf_bytes key = sheaf_tree_key(&orchard.tree, index, buffer);
        (void)orchard_number((uint32_t)index, expected);
        cr_assert_eq(key.size, 6);
        cr_assert_eq(memcmp(key.data, expected, 6), 0);
        sheaf_window_close(&window);
    }
}

Test(window, a_read_that_counts_and_an_overwrite_are_uses)
{
    put_numbers();
    char key[16];
    sheaf_bytes value;
    cr_assert_eq(sheaf_tree_get_used(&orchard.tree, orchard_number(21, key), &value), SHEAF_OK);
    cr_assert_eq(value.size, 7);
    cr_assert_eq(sheaf_tree_get(&orchard.tree, orchard_number(22, key), &value), SHEAF_OK);
    orchard_put(&orchard, orchard_number(23, key), SHEAF_LIT("seven b"));
    orchard_put(&orchard, orchard_number(24, key), SHEAF_LIT("a value that is much longer than the one before"));
    cr_assert_eq(sheaf_tree_get_used(&orchard.tree, orchard_number(COUNT, key), &value), SHEAF_NOT_FOUND);
    static const uint8_t expected[] = { 5 + 16, 6, 7 + 16, 8 + 16, 9 };
    for (uint64_t index = 21; index < 26; index++) {
        struct sheaf_window window;
        cr_assert(sheaf_window_open(&window, &orchard.tree, index));
        cr_assert_eq(sheaf_node_uses(sheaf_window_leaf(&window))[index - window.first], expected[index - 21]);
        sheaf_window_close(&window);
    }
}

/* Deletes two of three through windows; the rest must be there, uses too. */
static void thin_out(void)
{
    struct sheaf_window window;
    for (uint64_t index = 0; index < orchard.tree.totals.count; index = window.first + window.count) {
        cr_assert(sheaf_window_open(&window, &orchard.tree, index));
        for (uint32_t slot = (uint32_t)window.count; slot > 0; slot--) {
            if (number_of(sheaf_window_leaf(&window), slot - 1) % 3 == 0) continue;
            sheaf_totals deleted = sheaf_window_delete(&window, slot - 1, slot);
            cr_assert_eq(deleted.count, 1);
            cr_assert_eq(deleted.bytes, 13);
        }
        uint64_t next = window.first + window.count;
        sheaf_window_close(&window);
        window.count = next - window.first;
        orchard_check(&orchard);
    }
}

Test(window, deletes_give_memory_back)
{
    put_numbers();
    uint64_t full = orchard.grove.heap.charged_bytes;
    thin_out();
    cr_assert_eq(orchard.tree.totals.count, COUNT / 3);
    cr_assert_eq(orchard.tree.totals.bytes, COUNT / 3 * 13);
    cr_assert_leq(orchard.grove.heap.charged_bytes, full / 2);
    for (uint64_t index = 0; index < COUNT / 3; index++) {
        struct sheaf_window window;
        cr_assert(sheaf_window_open(&window, &orchard.tree, index));
        uint32_t slot = (uint32_t)(index - window.first);
        cr_assert_eq(number_of(sheaf_window_leaf(&window), slot), 3 * index);
        cr_assert_eq(sheaf_node_uses(sheaf_window_leaf(&window))[slot], 3 * index % 16);
        sheaf_window_close(&window);
    }
}

Test(window, deletes_without_memory_too)
{
    put_numbers();
    orchard.heap.fail_from = orchard.heap.requests;
    thin_out();
    test_heap_relent(&orchard.heap);
    cr_assert_eq(orchard.tree.totals.count, COUNT / 3);
}

Test(window, a_whole_leaf_or_tree_may_go)
{
    put_numbers();
    struct sheaf_window window;
    while (orchard.tree.totals.count > 0) {
        uint64_t count = orchard.tree.totals.count;
        cr_assert(sheaf_window_open(&window, &orchard.tree, count / 2));
        uint32_t going = (uint32_t)window.count;
        sheaf_totals deleted = sheaf_window_delete(&window, 0, going);
        cr_assert_eq(deleted.count, going);
        sheaf_window_close(&window);
        cr_assert_eq(orchard.tree.totals.count, count - going);
        orchard_check(&orchard);
    }
    cr_assert_null(orchard.tree.root);
}

Test(window, passes_over_what_a_version_sees)
{
    struct sheaf_version version;
    struct sheaf_window window;
    put_numbers();
    sheaf_version_open(&orchard.grove, &version);
    cr_assert(!sheaf_window_open(&window, &orchard.tree, 100), "all of it is seen");
    cr_assert_eq(window.first, 0);
    cr_assert_eq(window.count, COUNT);
    char key[16];
    orchard_put(&orchard, orchard_number(100, key), SHEAF_LIT("changed"));
    sheaf_grove_settle(&orchard.grove);
    uint64_t open_count = 0, met = 0;
    for (uint64_t index = 0; index < COUNT; index = window.first + window.count) {
        bool open = sheaf_window_open(&window, &orchard.tree, index);
        cr_assert_eq(window.first, index, "windows and gaps follow each other");
        if (open) sheaf_window_close(&window);
        if (open) open_count += window.count;
        met += window.count;
    }
    cr_assert_eq(met, COUNT);
    cr_assert(open_count > 0 && open_count < 60, "the leaf that was copied, and no other: %d", (int)open_count);
    sheaf_version_close(&orchard.grove, &version);
}

Test(window, values_that_a_version_sees_are_kept_for_it)
{
    static const uint8_t large[1000] = { 42 };
    struct sheaf_version version;
    struct sheaf_window window;
    char key[16];
    for (uint32_t number = 0; number < 50; number++)
        orchard_put(&orchard, orchard_number(number, key), sheaf_bytes_of(large, sizeof large));
    struct sheaf_tree before = orchard.tree;
    sheaf_version_open(&orchard.grove, &version);
    orchard_put(&orchard, orchard_number(20, key), SHEAF_LIT("changed")); /* its leaf is copied, the other values are not */
    sheaf_grove_settle(&orchard.grove);
    uint64_t index = 20;
    cr_assert(sheaf_window_open(&window, &orchard.tree, index));
    uint64_t first = window.first;
    cr_assert_eq(sheaf_window_delete(&window, 0, 1).count, 1);
    sheaf_window_close(&window);
    orchard_check(&orchard);
    sheaf_bytes value;
    cr_assert_eq(sheaf_tree_get(&before, orchard_number((uint32_t)first, key), &value), SHEAF_OK);
    cr_assert_eq(value.size, sizeof large);
    cr_assert_eq(memcmp(value.data, large, sizeof large), 0);
    sheaf_version_close(&orchard.grove, &version);
}
