/* A leaf that moves to a larger block with one entry more. */
#include "engine/tree/grow.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "engine/tree/tag.h"
#include "tests/support/orchard.h"

static struct orchard orchard;

static void begin(void)
{
    orchard_begin(&orchard);
}

static void end(void)
{
    orchard_end(&orchard);
}

TestSuite(grow, .init = begin, .fini = end);

static struct sheaf_payload value_of(const char *text, uint8_t use)
{
    return (struct sheaf_payload){ .bytes = sheaf_bytes_of(text, strlen(text)), .use = use };
}

static const char *const KEYS[] = { "root/b", "root/dig", "root/f", "root/hotel" };
static const char *const VALUES[] = { "one", "two", "three", "4" };

/* The four above, in a block of just their size. */
static struct sheaf_node *leaf_of_four(void)
{
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 128, 0, SHEAF_LIT("root/"), 4);
    for (uint32_t i = 0; i < 4; i++) {
        struct sheaf_payload payload = value_of(VALUES[i], (uint8_t)(10 + i));
        sheaf_leaf_insert(leaf, i, sheaf_bytes_of(KEYS[i], strlen(KEYS[i])),
                          sheaf_key_tag(sheaf_bytes_of(KEYS[i], strlen(KEYS[i]))), &payload);
    }
    return leaf;
}

/* What the leaf holds in a slot. */
static void expect_entry(const struct sheaf_node *leaf, uint32_t slot, const char *key, const char *value, uint8_t use)
{
    uint8_t buffer[64];
    sheaf_bytes whole = sheaf_node_key(leaf, slot, buffer);
    struct sheaf_cell cell = sheaf_node_cell(leaf, slot);
    cr_assert_eq(whole.size, strlen(key));
    cr_assert_eq(memcmp(whole.data, key, whole.size), 0);
    cr_assert_eq(cell.value_size, strlen(value));
    cr_assert_eq(memcmp(cell.value, value, cell.value_size), 0);
    cr_assert_eq(sheaf_node_tags(leaf)[slot], sheaf_key_tag(whole));
    if (sheaf_leaf_keeps_uses(leaf)) cr_assert_eq(sheaf_node_uses(leaf)[slot], use);
}

static void expect_four_and(const struct sheaf_node *leaf, uint32_t at, const char *key, const char *value)
{
    cr_assert_eq(leaf->count, 5);
    cr_assert_leq(sheaf_node_arrays_end(leaf), leaf->heap);
    cr_assert_eq(leaf->dead, 0);
    for (uint32_t slot = 0; slot < 5; slot++) {
        uint32_t i = slot < at ? slot : slot - 1;
        if (slot == at) expect_entry(leaf, slot, key, value, 99);
        else expect_entry(leaf, slot, KEYS[i], VALUES[i], (uint8_t)(10 + i));
    }
}

static const char *const COMING[] = { "root/a", "root/c", "root/e", "root/great", "root/zebra" };

static void expect_growth(enum sheaf_room room, bool ordered)
{
    struct sheaf_node *leaf = leaf_of_four();
    struct sheaf_payload payload = value_of("new", 99);
    for (uint32_t slot = 0; slot < 5; slot++) {
        sheaf_bytes key = sheaf_bytes_of(COMING[slot], strlen(COMING[slot]));
        cr_assert(sheaf_leaf_can_grow(leaf, slot, key, &payload));
        struct sheaf_node *larger =
            sheaf_leaf_grow(&orchard.grove, leaf, slot, key, sheaf_key_tag(key), &payload, room, ordered);
        expect_four_and(larger, slot, COMING[slot], "new");
        if (ordered) cr_assert_eq(larger->heap, sheaf_node_arrays_end(larger));
        else cr_assert_eq(larger->tail, larger->size);
        sheaf_node_free(&orchard.grove, larger);
    }
    sheaf_node_free(&orchard.grove, leaf);
}

Test(grow, puts_the_entry_in_its_place)
{
    expect_growth(SHEAF_ROOM_NONE, false);
    expect_growth(SHEAF_ROOM_GROW, false);
    expect_growth(SHEAF_ROOM_MORE, false);
}

Test(grow, leaves_room_behind_the_cells_for_keys_in_order)
{
    expect_growth(SHEAF_ROOM_MORE, true);
    expect_growth(SHEAF_ROOM_NONE, true);
}

Test(grow, takes_the_uses_along)
{
    orchard.grove.use.size = 1;
    expect_growth(SHEAF_ROOM_GROW, false);
    expect_growth(SHEAF_ROOM_MORE, true);
    orchard.grove.use.size = 0;
}

Test(grow, is_not_for_leaves_that_would_come_out_better)
{
    struct sheaf_node *leaf = leaf_of_four();
    struct sheaf_payload payload = value_of("new", 0);
    cr_assert_not(sheaf_leaf_can_grow(leaf, 4, SHEAF_LIT("rote"), &payload)); /* not of its prefix */
    struct sheaf_payload large = value_of("", 0);
    uint8_t bytes[SHEAF_NODE_SIZE] = { 0 };
    large.bytes = sheaf_bytes_of(bytes, sizeof bytes - 40);
    cr_assert_not(sheaf_leaf_can_grow(leaf, 4, SHEAF_LIT("root/z"), &large)); /* does not fit a node */
    struct sheaf_payload shorter = value_of("o", 0);
    cr_assert(sheaf_node_replace(leaf, 0, &shorter)); /* leaves dead bytes */
    cr_assert_not(sheaf_leaf_can_grow(leaf, 4, SHEAF_LIT("root/z"), &payload));
    sheaf_node_free(&orchard.grove, leaf);
}

Test(grow, is_not_for_keys_that_may_share_more_than_the_prefix)
{
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 128, 0, SHEAF_LIT("r"), 2);
    struct sheaf_payload payload = value_of("v", 0);
    sheaf_node_insert(leaf, 0, SHEAF_LIT("root/a"), &payload, NULL);
    sheaf_node_insert(leaf, 1, SHEAF_LIT("root/b"), &payload, NULL);
    cr_assert_not(sheaf_leaf_can_grow(leaf, 1, SHEAF_LIT("root/aa"), &payload));
    cr_assert_not(sheaf_leaf_can_grow(leaf, 2, SHEAF_LIT("rope"), &payload));
    cr_assert(sheaf_leaf_can_grow(leaf, 2, SHEAF_LIT("rz"), &payload));
    cr_assert(sheaf_leaf_can_grow(leaf, 0, SHEAF_LIT("ra"), &payload));
    sheaf_node_free(&orchard.grove, leaf);
}

Test(grow, refused_memory_leaves_nothing)
{
    struct sheaf_node *leaf = leaf_of_four();
    struct sheaf_payload payload = value_of("new", 0);
    uint64_t blocks = orchard.grove.heap.block_count;
    orchard.heap.fail_from = 0;
    cr_assert_null(sheaf_leaf_grow(&orchard.grove, leaf, 4, SHEAF_LIT("root/z"), 0, &payload, SHEAF_ROOM_GROW, false));
    test_heap_relent(&orchard.heap);
    cr_assert_eq(orchard.grove.heap.block_count, blocks);
    sheaf_node_free(&orchard.grove, leaf);
}
