/*
 * test_tree_search.c - the search in one node against counting, over nodes of many prefixes and all short keys.
 */
#include "engine/tree/search.h"
#include "engine/tree/tag.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/expect.h"
#include "tests/support/model.h"
#include "tests/support/orchard.h"
#include "tests/support/random.h"

static const uint8_t LETTERS[] = { 0x00, 'a', 0xFF };

/* A key of up to `size_max` letters. */
static sheaf_bytes draw(struct random *random, uint8_t *buffer, uint32_t size_max)
{
    uint32_t size = random_below(random, size_max + 1);
    for (uint32_t i = 0; i < size; i++) buffer[i] = LETTERS[random_below(random, 3)];
    return sheaf_bytes_of(buffer, size);
}

/* Keys that start with a prefix, sorted, in a model; suffixes of up to 7 bytes lie on both sides of the head's four. */
static void fill_model(struct random *random, struct model *model, sheaf_bytes prefix, uint32_t count)
{
    uint8_t key[32];
    memcpy(key, prefix.data, prefix.size);
    for (uint32_t i = 0; i < count; i++) {
        sheaf_bytes suffix = draw(random, key + prefix.size, 7);
        (void)model_put(model, sheaf_bytes_of(key, prefix.size + suffix.size), SHEAF_LIT("v"));
    }
}

/* A leaf of the model's entries, or a branch whose slot 1 on have them as separators. */
static struct sheaf_node *make_node(struct orchard *orchard, const struct model *model, sheaf_bytes prefix, uint32_t level)
{
    uint32_t slot_max = (uint32_t)model->count + 1;
    struct sheaf_node *node = sheaf_node_allocate(&orchard->grove, 4096, level, prefix, slot_max);
    struct sheaf_link link = { .totals = { 1, 1 } };
    struct sheaf_payload payload = { .bytes = SHEAF_LIT("v") };
    if (level > 0) sheaf_node_insert(node, 0, prefix, NULL, &link); /* an empty suffix */
    for (uint32_t i = 0; i < model->count; i++)
        sheaf_node_insert(node, node->count, model->entries[i].key, level ? NULL : &payload, level ? &link : NULL);
    return node;
}

static uint32_t count_below(const struct model *model, const sheaf_cut *cut)
{
    uint32_t count = 0;
    for (size_t i = 0; i < model->count; i++) count += model_below(cut, model->entries[i].key);
    return cut->side == SHEAF_SIDE_UNBOUNDED ? 0 : count;
}

static void compare_leaf(const struct sheaf_node *leaf, const struct model *model, sheaf_bytes key)
{
    bool exact;
    uint32_t slot = sheaf_node_search(leaf, 0, key, &exact);
    EXPECT(slot == model_place(model, key), "slot %u", slot);
    EXPECT(exact == model_has(model, key), "exact is %d", exact);
    uint32_t found = sheaf_leaf_find(leaf, key);
    EXPECT(found == (exact ? slot : SLOT_NONE), "found by tag in slot %u", found);
    for (int side = SHEAF_SIDE_UNBOUNDED; side <= SHEAF_SIDE_AFTER_PREFIX; side++) {
        sheaf_cut cut = sheaf_cut_of(key, (sheaf_side)side);
        slot = sheaf_leaf_search_cut(leaf, &cut);
        EXPECT(slot == count_below(model, &cut), "side %d: slot %u, not %u", side, slot, count_below(model, &cut));
    }
}

/* The child of slot i holds the keys from separator i to before separator i + 1: its number is how many separators are not
 * above the key; for a cut, how many of them have keys not above the cut in their child. */
static void compare_branch(const struct sheaf_node *branch, const struct model *model, sheaf_bytes key)
{
    uint32_t slot = sheaf_branch_search(branch, key);
    uint32_t expected = (uint32_t)model_place(model, key) + model_has(model, key);
    EXPECT(slot == expected, "slot %u, not %u", slot, expected);
    sheaf_cut after = sheaf_cut_of(key, SHEAF_SIDE_AFTER);
    sheaf_cut before = sheaf_cut_of(key, SHEAF_SIDE_BEFORE);
    sheaf_cut after_prefix = sheaf_cut_of(key, SHEAF_SIDE_AFTER_PREFIX);
    sheaf_cut none = sheaf_cut_none();
    EXPECT(sheaf_branch_search_cut(branch, &after) == expected, "after");
    EXPECT(sheaf_branch_search_cut(branch, &before) == expected, "before: in the child that starts at the separator");
    EXPECT(sheaf_branch_search_cut(branch, &after_prefix) == count_below(model, &after_prefix), "after prefix");
    EXPECT(sheaf_branch_search_cut(branch, &none) == 0, "unbounded");
}

Test(search, agrees_with_counting_on_all_kinds_of_nodes)
{
    struct random random = random_from_seed(random_seed("search", 5));
    struct orchard orchard;
    orchard_begin(&orchard);
    for (uint32_t round = 0; round < 3000; round++) {
        expect_scene.step = round;
        uint8_t prefix_bytes[8], key_bytes[32];
        sheaf_bytes prefix = draw(&random, prefix_bytes, 6);
        struct model model;
        model_init(&model);
        fill_model(&random, &model, prefix, random_between(&random, 1, 60));
        struct sheaf_node *leaf = make_node(&orchard, &model, prefix, 0);
        struct sheaf_node *branch = make_node(&orchard, &model, prefix, 1);
        for (uint32_t i = 0; i < 60; i++) {
            sheaf_bytes key = draw(&random, key_bytes, 15);
            if (random_once_in(&random, 2)) { /* one that shares the prefix */
                memcpy(key_bytes, prefix.data, prefix.size);
                key = sheaf_bytes_of(key_bytes, prefix.size + draw(&random, key_bytes + prefix.size, 8).size);
            }
            compare_leaf(leaf, &model, key);
            compare_branch(branch, &model, key);
        }
        compare_leaf(leaf, &model, sheaf_bytes_of(NULL, 0));
        sheaf_node_free(&orchard.grove, leaf);
        sheaf_node_free(&orchard.grove, branch);
        model_deinit(&model);
    }
    orchard_end(&orchard);
}

Test(search, descends_to_the_leaf_and_the_slot)
{
    struct orchard orchard;
    orchard_begin(&orchard);
    orchard_put_numbers(&orchard, 0, 500);
    char buffer[16];
    for (uint32_t number = 0; number < 500; number++) {
        struct sheaf_path path;
        sheaf_bytes wanted = orchard_number(number, buffer);
        cr_assert(sheaf_path_descend(&path, &orchard.tree, wanted, sheaf_key_tag(wanted)));
        cr_assert_geq(path.depth, 3);
        cr_assert_eq(path.step[0].node, orchard.tree.root);
        uint8_t key[64];
        sheaf_bytes found = sheaf_node_key(path.step[path.depth - 1].node, path.step[path.depth - 1].slot, key);
        cr_assert(sheaf_bytes_equal(found, orchard_number(number, buffer)));
        for (uint32_t i = 0; i + 1 < path.depth; i++)
            cr_assert_eq(sheaf_node_children(path.step[i].node)[path.step[i].slot], path.step[i + 1].node);
    }
    struct sheaf_path path;
    cr_assert(!sheaf_path_descend(&path, &orchard.tree, SHEAF_LIT("zzz"), sheaf_key_tag(SHEAF_LIT("zzz"))));
    sheaf_path_find_place(&path, SHEAF_LIT("zzz"));
    cr_assert_eq(path.step[path.depth - 1].slot, path.step[path.depth - 1].node->count);
    cr_assert(!sheaf_path_descend(&path, &orchard.tree, SHEAF_LIT(""), sheaf_key_tag(SHEAF_LIT(""))));
    sheaf_path_find_place(&path, SHEAF_LIT(""));
    cr_assert_eq(path.step[path.depth - 1].slot, 0);
    orchard_end(&orchard);
}

/* Keys "k<number>" of one tag, ascending, in a leaf whose block ends close behind them. */
Test(search, tells_keys_of_equal_tags_apart)
{
    enum { COUNT = 40 };
    struct orchard orchard;
    orchard_begin(&orchard);
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 1024, 0, sheaf_bytes_of(NULL, 0), COUNT);
    struct sheaf_payload payload = { .bytes = sheaf_bytes_of(NULL, 0) };
    char keys[COUNT][16];
    uint8_t tag = sheaf_key_tag(SHEAF_LIT("k100000"));
    uint32_t number = 100000;
    for (uint32_t count = 0; count < COUNT; number++) {
        sheaf_bytes key = sheaf_bytes_of(keys[count], (size_t)snprintf(keys[count], sizeof *keys, "k%06u", number));
        if (sheaf_key_tag(key) == tag) sheaf_node_insert(leaf, count++, key, &payload, NULL);
    }
    for (uint32_t slot = 0; slot < COUNT; slot++) {
        cr_assert_eq(sheaf_node_tags(leaf)[slot], tag);
        cr_assert_eq(sheaf_leaf_find(leaf, sheaf_bytes_of(keys[slot], 7)), slot);
    }
    for (uint32_t missing = 0; missing < COUNT; number++) {
        char text[16];
        sheaf_bytes key = sheaf_bytes_of(text, (size_t)snprintf(text, sizeof text, "k%06u", number));
        if (sheaf_key_tag(key) != tag) continue;
        cr_assert_eq(sheaf_leaf_find(leaf, key), SLOT_NONE);
        missing++;
    }
    sheaf_node_free(&orchard.grove, leaf);
    orchard_end(&orchard);
}

static sheaf_bytes numbered_key(char *key, char letter, uint32_t number)
{
    key[0] = letter;
    memcpy(key + 1, &number, sizeof number);
    return sheaf_bytes_of(key, 1 + sizeof number);
}

/* A tag one above another's, right behind it, is marked by mistake when eight are compared at once; it must not be given. */
Test(search, is_not_misled_by_a_neighbouring_tag)
{
    struct orchard orchard;
    orchard_begin(&orchard);
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 192, 0, sheaf_bytes_of(NULL, 0), 2);
    struct sheaf_payload payload = { .bytes = sheaf_bytes_of(NULL, 0) };
    char first[8], second[8];
    uint32_t number = 0;
    sheaf_bytes low, high;
    do low = numbered_key(first, 'a', number++);
    while (sheaf_key_tag(low) % 2 != 0);
    do high = numbered_key(second, 'b', number++);
    while (sheaf_key_tag(high) != (sheaf_key_tag(low) ^ 1));
    sheaf_node_insert(leaf, 0, low, &payload, NULL);
    sheaf_node_insert(leaf, 1, high, &payload, NULL);
    cr_assert_eq(sheaf_leaf_find(leaf, low), 0);
    cr_assert_eq(sheaf_leaf_find(leaf, high), 1);
    sheaf_node_free(&orchard.grove, leaf);
    orchard_end(&orchard);
}
