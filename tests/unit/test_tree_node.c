#include "engine/tree/node.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "engine/tree/large.h"
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

TestSuite(node, .init = begin, .fini = end);

static struct sheaf_payload inline_value(const char *text)
{
    return (struct sheaf_payload){ .bytes = sheaf_bytes_of(text, strlen(text)) };
}

static void insert(struct sheaf_node *leaf, uint32_t slot, const char *key, const char *value)
{
    struct sheaf_payload payload = inline_value(value);
    sheaf_node_insert(leaf, slot, sheaf_bytes_of(key, strlen(key)), &payload, NULL);
}

/* "key=value key=value" */
static const char *leaf_text(const struct sheaf_node *leaf)
{
    static char text[4096];
    uint8_t key[SHEAF_SORT_KEY_SIZE_HARD];
    size_t size = 0;
    text[0] = 0;
    for (uint32_t slot = 0; slot < leaf->count; slot++) {
        sheaf_bytes k = sheaf_node_key(leaf, slot, key);
        struct sheaf_cell cell = sheaf_node_cell(leaf, slot);
        cr_assert_eq(sheaf_node_key_size(leaf, slot), k.size);
        size += (size_t)sprintf(text + size, "%s%.*s=%.*s", size ? " " : "", (int)k.size, (const char *)k.data,
                                (int)cell.value_size, (const char *)cell.value);
    }
    return text;
}

/* N3, N4 by the numbers alone. */
static void expect_sound(const struct sheaf_node *node)
{
    uint32_t live = 0;
    for (uint32_t slot = 0; slot < node->count; slot++) live += sheaf_node_cell(node, slot).size;
    cr_assert_eq(live + node->dead, node->tail - node->heap);
    cr_assert_leq(sheaf_node_arrays_end(node), node->heap);
    cr_assert_leq(node->count, node->slot_max);
    cr_assert_eq(sheaf_node_used(node), sheaf_node_front_size(node->prefix_size) +
                                            sheaf_node_arrays_size(node->level, node->extra_size, node->count) + live);
}

Test(node, keeps_its_prefix_once_and_gives_whole_keys)
{
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 256, 0, SHEAF_LIT("root/"), 2);
    cr_assert_eq(leaf->birth, 1);
    insert(leaf, 0, "root/docs", "1");
    insert(leaf, 0, "root/a", "22");
    insert(leaf, 2, "root/photos/2026", "");
    insert(leaf, 0, "root/", "self");
    cr_assert_str_eq(leaf_text(leaf), "root/=self root/a=22 root/docs=1 root/photos/2026=");
    cr_assert_eq(sheaf_node_heads(leaf)[0], 0);
    cr_assert_eq(sheaf_node_heads(leaf)[1], 0x61000000u);
    cr_assert_eq(sheaf_node_heads(leaf)[3], 0x70686F74u); /* "phot" */
    cr_assert_eq(sheaf_node_cell(leaf, 3).rest_size, strlen("os/2026"));
    cr_assert_eq(sheaf_node_cell(leaf, 2).rest_size, 0);
    expect_sound(leaf);
    sheaf_totals totals = sheaf_node_totals(leaf);
    cr_assert_eq(totals.count, 4);
    cr_assert_eq(totals.bytes, (5 + 4) + (6 + 2) + (9 + 1) + (16 + 0));
    cr_assert_eq(sheaf_node_entry_bytes(leaf, 2), 10);
    sheaf_node_free(&orchard.grove, leaf);
}

Test(node, sizes_take_a_second_byte_from_128_on)
{
    cr_assert_eq(sheaf_cell_number_size(127), 1);
    cr_assert_eq(sheaf_cell_number_size(128), 2);
    uint8_t key[200];
    memset(key, 'k', sizeof key);
    /* A suffix size is written doubled: 63 is the last in one byte. */
    struct sheaf_payload none = inline_value("");
    cr_assert_eq(sheaf_cell_size(63, &none), 1 + 1 + 59);
    cr_assert_eq(sheaf_cell_size(64, &none), 2 + 1 + 60);
    cr_assert_eq(sheaf_cell_size(3, &none), 1 + 1);
    cr_assert_eq(sheaf_cell_size(0, NULL), 1);
    cr_assert_eq(sheaf_cell_size(9, NULL), 1 + 5);
    for (uint32_t size = 60; size < 70; size++) {
        struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 256, 0, sheaf_bytes_of(NULL, 0), 1);
        struct sheaf_payload payload = inline_value("value");
        sheaf_node_insert(leaf, 0, sheaf_bytes_of(key, size), &payload, NULL);
        struct sheaf_cell cell = sheaf_node_cell(leaf, 0);
        cr_assert_eq(cell.suffix_size, size);
        cr_assert_eq(cell.size, sheaf_cell_size(size, &payload));
        cr_assert_eq(memcmp(cell.value, "value", 5), 0);
        expect_sound(leaf);
        sheaf_node_free(&orchard.grove, leaf);
    }
}

Test(node, fits_to_the_last_byte)
{
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 192, 0, sheaf_bytes_of(NULL, 0), 1);
    char key[16];
    uint32_t number = 0;
    struct sheaf_payload payload = inline_value("vv");
    for (; sheaf_node_fits(leaf, orchard_number(number, key), &payload); number++) {
        sheaf_node_insert(leaf, number, orchard_number(number, key), &payload, NULL);
        expect_sound(leaf);
    }
    /* A cell of 2 + 2 + 2 bytes and a slot of 7, aligned, no longer fit. */
    uint32_t slots = leaf->slot_max;
    uint32_t wider = sheaf_node_arrays_size(0, 0, slots + 1) - sheaf_node_arrays_size(0, 0, slots);
    uint32_t need = 6 + (leaf->count == slots ? wider : 0);
    cr_assert_lt(sheaf_node_gap(leaf), need);
    cr_assert_gt(number, 10);
    for (uint32_t slot = 0; slot < leaf->count; slot++) {
        uint8_t whole[16];
        cr_assert(sheaf_bytes_equal(sheaf_node_key(leaf, slot, whole), orchard_number(slot, key)));
    }
    sheaf_node_free(&orchard.grove, leaf);
}

Test(node, a_replaced_value_stays_in_its_cell_or_moves_if_there_is_room)
{
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 128, 0, sheaf_bytes_of(NULL, 0), 3);
    insert(leaf, 0, "a", "1111");
    insert(leaf, 1, "b", "2222");
    insert(leaf, 2, "c", "3333");
    struct sheaf_payload same = inline_value("2###"), shorter = inline_value("2"), longer = inline_value("2222222222");
    uint32_t heap = leaf->heap;
    cr_assert(sheaf_node_replace(leaf, 1, &same));
    cr_assert_eq(leaf->heap, heap);
    cr_assert_eq(leaf->dead, 0);
    cr_assert_str_eq(leaf_text(leaf), "a=1111 b=2### c=3333");
    cr_assert(sheaf_node_replace(leaf, 1, &shorter));
    cr_assert_eq(leaf->dead, 3);
    cr_assert_str_eq(leaf_text(leaf), "a=1111 b=2 c=3333");
    expect_sound(leaf);
    cr_assert(sheaf_node_replace(leaf, 1, &longer));
    cr_assert_str_eq(leaf_text(leaf), "a=1111 b=2222222222 c=3333");
    cr_assert_lt(leaf->heap, heap);
    expect_sound(leaf);
    char fills[40];
    memset(fills, 'f', sizeof fills);
    struct sheaf_payload most = { .bytes = sheaf_bytes_of(fills, 32) };
    for (; most.bytes.size > 20 && sheaf_node_replace(leaf, 0, &most); most.bytes.size--) expect_sound(leaf);
    struct sheaf_payload too_long = { .bytes = sheaf_bytes_of(fills, 32) };
    for (; sheaf_node_gap(leaf) >= sheaf_cell_size(1, &too_long); too_long.bytes.size--)
        cr_assert(sheaf_node_replace(leaf, 2, &too_long));
    uint32_t gap = sheaf_node_gap(leaf);
    too_long.bytes.size = 32;
    cr_assert(!sheaf_node_replace(leaf, 1, &too_long));
    cr_assert_eq(sheaf_node_gap(leaf), gap, "a replacement that does not fit changes nothing");
    expect_sound(leaf);
    sheaf_node_free(&orchard.grove, leaf);
}

Test(node, a_value_may_replace_another_by_way_of_overlapping_bytes)
{
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 128, 0, sheaf_bytes_of(NULL, 0), 2);
    insert(leaf, 0, "a", "0123456789");
    struct sheaf_cell cell = sheaf_node_cell(leaf, 0);
    struct sheaf_payload tail = { .bytes = sheaf_bytes_of(cell.value + 3, 4) };
    cr_assert(sheaf_node_replace(leaf, 0, &tail));
    cr_assert_str_eq(leaf_text(leaf), "a=3456");
    expect_sound(leaf);
    sheaf_node_free(&orchard.grove, leaf);
}

Test(node, deleting_slots_leaves_the_others)
{
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 256, 0, sheaf_bytes_of(NULL, 0), 8);
    static const char *const keys[] = { "a", "b", "c", "d", "e", "f" };
    for (uint32_t i = 0; i < 6; i++) insert(leaf, i, keys[i], keys[i]);
    sheaf_node_delete(leaf, 1, 3);
    cr_assert_str_eq(leaf_text(leaf), "a=a d=d e=e f=f");
    cr_assert_eq(leaf->dead, 2 * (1 + 1 + 1));
    sheaf_node_delete(leaf, 0, 1);
    sheaf_node_delete(leaf, 2, 3);
    sheaf_node_delete(leaf, 1, 1);
    cr_assert_str_eq(leaf_text(leaf), "d=d e=e");
    expect_sound(leaf);
    sheaf_node_delete(leaf, 0, 2);
    cr_assert_eq(leaf->count, 0);
    cr_assert_eq(leaf->heap, leaf->size);
    cr_assert_eq(leaf->dead, 0);
    sheaf_node_free(&orchard.grove, leaf);
}

static struct sheaf_link link_of(uint64_t count, uint64_t bytes)
{
    return (struct sheaf_link){ .totals = { count, bytes } };
}

static void insert_link(struct sheaf_node *branch, uint32_t slot, const char *separator, struct sheaf_link link)
{
    sheaf_node_insert(branch, slot, sheaf_bytes_of(separator, strlen(separator)), NULL, &link);
}

Test(node, a_branch_keeps_links_beside_its_separators)
{
    struct sheaf_node *branch = sheaf_node_allocate(&orchard.grove, 256, 1, sheaf_bytes_of(NULL, 0), 1);
    insert_link(branch, 0, "", link_of(1, 10));
    insert_link(branch, 1, "separator-x", link_of(3, 30));
    insert_link(branch, 1, "m", link_of(2, 20));
    sheaf_totals totals = sheaf_node_totals(branch);
    cr_assert_eq(totals.count, 6);
    cr_assert_eq(totals.bytes, 60);
    for (uint64_t i = 0; i < 3; i++) cr_assert_eq(sheaf_node_sums(branch)[i].count, i + 1);
    uint8_t key[64];
    cr_assert(sheaf_bytes_equal(sheaf_node_key(branch, 2, key), SHEAF_LIT("separator-x")));
    cr_assert_null(sheaf_node_cell(branch, 2).value);
    expect_sound(branch);
    sheaf_node_delete(branch, 0, 1); /* the next becomes the first, and a first has no separator */
    cr_assert_eq(sheaf_node_cell(branch, 0).suffix_size, 0);
    cr_assert_eq(sheaf_node_heads(branch)[0], 0);
    cr_assert_eq(sheaf_node_sums(branch)[0].count, 2);
    expect_sound(branch);
    sheaf_node_delete(branch, 0, 1);
    cr_assert_eq(sheaf_node_cell(branch, 0).suffix_size, 0, "a long separator goes as well");
    cr_assert_eq(sheaf_node_sums(branch)[0].count, 3);
    expect_sound(branch);
    sheaf_node_free(&orchard.grove, branch);
}

Test(node, a_cell_can_refer_to_a_value_out_of_line)
{
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 256, 0, sheaf_bytes_of(NULL, 0), 2);
    uint8_t bytes[100];
    memset(bytes, 'L', sizeof bytes);
    struct sheaf_payload payload;
    cr_assert_eq(sheaf_payload_make(&orchard.grove, sheaf_bytes_of(bytes, 100), &payload), SHEAF_OK);
    sheaf_node_insert(leaf, 0, SHEAF_LIT("a long key"), &payload, NULL);
    struct sheaf_cell cell = sheaf_node_cell(leaf, 0);
    cr_assert(cell.large);
    cr_assert_eq(cell.value_size, 100);
    cr_assert_eq(cell.size, 1 + LARGE_REFERENCE_SIZE + 6);
    cr_assert_eq(memcmp(cell.value, bytes, 100), 0);
    uint8_t key[64];
    cr_assert(sheaf_bytes_equal(sheaf_node_key(leaf, 0, key), SHEAF_LIT("a long key")));
    cr_assert_eq(sheaf_node_entry_bytes(leaf, 0), 110);
    struct sheaf_payload small = inline_value("s");
    cr_assert(sheaf_node_replace(leaf, 0, &small));
    cr_assert(!sheaf_node_cell(leaf, 0).large);
    cr_assert_str_eq(leaf_text(leaf), "a long key=s");
    expect_sound(leaf);
    sheaf_payload_free(&orchard.grove, &payload);
    sheaf_node_free(&orchard.grove, leaf);
}
