#include "engine/tree/run.h"

#include <criterion/criterion.h>

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

TestSuite(run, .init = begin, .fini = end);

static struct sheaf_payload value_of(const char *text)
{
    return (struct sheaf_payload){ .bytes = sheaf_bytes_of(text, strlen(text)) };
}

/* A leaf of one-word keys, each its own value. */
static struct sheaf_node *leaf_of(const char *prefix, const char *const *keys, uint32_t count)
{
    sheaf_bytes prefix_bytes = sheaf_bytes_of(prefix, strlen(prefix));
    struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 256, 0, prefix_bytes, count);
    for (uint32_t i = 0; i < count; i++) {
        struct sheaf_payload payload = value_of(keys[i]);
        sheaf_node_insert(leaf, i, sheaf_bytes_of(keys[i], strlen(keys[i])), &payload, NULL);
    }
    return leaf;
}

static const char *run_text(const struct sheaf_run *run)
{
    static char text[1024];
    size_t size = 0;
    uint8_t key[64];
    for (uint32_t i = 0; i < run->length; i++) {
        struct sheaf_run_piece item = sheaf_run_piece(run, i);
        sheaf_bytes bytes = sheaf_run_piece_key(&item, key);
        if (i > 0) text[size++] = ' ';
        memcpy(text + size, bytes.data, bytes.size);
        size += bytes.size;
    }
    text[size] = 0;
    return text;
}

static const char *const WORDS[] = { "pear-b", "pear-d", "pear-fig", "pear-h" };

Test(run, of_a_node_is_its_slots)
{
    struct sheaf_node *leaf = leaf_of("pear-", WORDS, 4);
    struct sheaf_run run = sheaf_run_of_node(leaf);
    cr_assert_str_eq(run_text(&run), "pear-b pear-d pear-fig pear-h");
    struct sheaf_run_piece item = sheaf_run_piece(&run, 2);
    cr_assert_eq(item.payload.bytes.size, 8);
    sheaf_node_free(&orchard.grove, leaf);
}

Test(run, with_an_entry_has_it_in_its_place)
{
    struct sheaf_node *leaf = leaf_of("pear-", WORDS, 4);
    struct sheaf_payload payload = value_of("new");
    static const char *const at[] = { "x pear-b pear-d pear-fig pear-h", "pear-b x pear-d pear-fig pear-h",
                                      "pear-b pear-d x pear-fig pear-h", "pear-b pear-d pear-fig x pear-h",
                                      "pear-b pear-d pear-fig pear-h x" };
    for (uint32_t slot = 0; slot <= 4; slot++) {
        struct sheaf_run run = sheaf_run_with_entry(leaf, slot, false, SHEAF_LIT("x"), sheaf_key_tag(SHEAF_LIT("x")), &payload);
        cr_assert_str_eq(run_text(&run), at[slot]);
        cr_assert_eq(sheaf_run_piece(&run, slot).payload.bytes.size, 3);
    }
    sheaf_bytes pear = SHEAF_LIT("pear-d");
    struct sheaf_run run = sheaf_run_with_entry(leaf, 1, true, pear, sheaf_key_tag(pear), &payload);
    cr_assert_str_eq(run_text(&run), "pear-b pear-d pear-fig pear-h");
    cr_assert_eq(sheaf_run_piece(&run, 1).payload.bytes.size, 3);
    cr_assert_eq(sheaf_run_piece(&run, 2).payload.bytes.size, 8);
    run = sheaf_run_with_entry(NULL, 0, false, SHEAF_LIT("alone"), sheaf_key_tag(SHEAF_LIT("alone")), &payload);
    cr_assert_str_eq(run_text(&run), "alone");
    sheaf_node_free(&orchard.grove, leaf);
}

Test(run, of_two_nodes_is_their_slots_in_a_row)
{
    static const char *const more[] = { "plum", "pluto" };
    struct sheaf_node *left = leaf_of("pear-", WORDS, 4);
    struct sheaf_node *right = leaf_of("plu", more, 2);
    struct sheaf_run run = sheaf_run_of_two(left, SHEAF_LIT("pl"), right);
    cr_assert_str_eq(run_text(&run), "pear-b pear-d pear-fig pear-h plum pluto");
    sheaf_node_free(&orchard.grove, left);
    sheaf_node_free(&orchard.grove, right);
}

/* Branches: the right node's first slot has no key of its own; what stands between the two in their parent becomes it. */
Test(run, of_two_branches_takes_the_separator_in)
{
    struct sheaf_node *branches[2];
    for (uint64_t i = 0; i < 2; i++) {
        branches[i] = sheaf_node_allocate(&orchard.grove, 256, 1, sheaf_bytes_of(NULL, 0), 2);
        struct sheaf_link first = { .totals = { 10 * i + 1, 0 } }, second = { .totals = { 10 * i + 2, 0 } };
        sheaf_node_insert(branches[i], 0, sheaf_bytes_of(NULL, 0), NULL, &first);
        sheaf_node_insert(branches[i], 1, i ? SHEAF_LIT("w") : SHEAF_LIT("c"), NULL, &second);
    }
    struct sheaf_run run = sheaf_run_of_two(branches[0], SHEAF_LIT("middle"), branches[1]);
    cr_assert_str_eq(run_text(&run), " c middle w");
    cr_assert_eq(sheaf_run_piece(&run, 2).link.totals.count, 11);
    struct sheaf_link left = { .totals = { 5, 0 } }, right = { .totals = { 6, 0 } };
    run = sheaf_run_with_link(branches[0], 0, &left, SHEAF_LIT("b"), &right);
    cr_assert_str_eq(run_text(&run), " b c");
    cr_assert_eq(sheaf_run_piece(&run, 0).link.totals.count, 5);
    cr_assert_eq(sheaf_run_piece(&run, 1).link.totals.count, 6);
    cr_assert_eq(sheaf_run_piece(&run, 2).link.totals.count, 2);
    sheaf_node_free(&orchard.grove, branches[0]);
    sheaf_node_free(&orchard.grove, branches[1]);
}

/* Every piece of a run, built, holds that piece, with the longest prefix, in the size foretold. */
Test(run, builds_any_piece)
{
    static const char *const keys[] = { "a/", "a/b/c/one", "a/b/c/two", "a/b/d", "a/b/d/x", "a/z", "b" };
    struct sheaf_node *leaf = leaf_of("", keys, 7);
    struct sheaf_run run = sheaf_run_of_node(leaf);
    for (uint32_t begin_at = 0; begin_at < 7; begin_at++) {
        for (uint32_t end_at = begin_at + 1; end_at <= 7; end_at++) {
            struct sheaf_node *piece = sheaf_run_build(&orchard.grove, &run, begin_at, end_at, SHEAF_ROOM_NONE);
            cr_assert_eq(piece->count, end_at - begin_at);
            cr_assert_eq(sheaf_run_size(&run, begin_at, end_at), sheaf_node_used(piece));
            cr_assert_eq(piece->size, sheaf_node_used(piece), "no room was asked for, and the allocator gives what one asks");
            size_t shared = 0;
            const char *low = keys[begin_at], *high = keys[end_at - 1];
            while (end_at - begin_at > 1 && low[shared] && low[shared] == high[shared]) shared++;
            cr_assert_eq(piece->prefix_size, shared);
            for (uint32_t slot = 0; slot < piece->count; slot++) {
                uint8_t key[64];
                const char *expected = keys[begin_at + slot];
                cr_assert(sheaf_bytes_equal(sheaf_node_key(piece, slot, key), sheaf_bytes_of(expected, strlen(expected))));
                struct sheaf_cell cell = sheaf_node_cell(piece, slot);
                cr_assert(sheaf_bytes_equal(sheaf_bytes_of(cell.value, cell.value_size),
                                            sheaf_bytes_of(expected, strlen(expected))));
                if (slot > 0) cr_assert_gt(sheaf_node_offsets(piece)[slot], sheaf_node_offsets(piece)[slot - 1]);
            }
            sheaf_node_free(&orchard.grove, piece);
        }
    }
    orchard.heap.fail_from = 0;
    cr_assert_null(sheaf_run_build(&orchard.grove, &run, 0, 7, SHEAF_ROOM_GROW));
    test_heap_relent(&orchard.heap);
    struct sheaf_node *roomy = sheaf_run_build(&orchard.grove, &run, 0, 7, SHEAF_ROOM_GROW);
    cr_assert_gt(roomy->size, sheaf_node_used(roomy));
    cr_assert_leq(roomy->size, SHEAF_NODE_SIZE);
    sheaf_node_free(&orchard.grove, roomy);
    sheaf_node_free(&orchard.grove, leaf);
}

Test(run, builds_a_root_over_two_nodes)
{
    struct sheaf_node *left = leaf_of("pear-", WORDS, 4);
    struct sheaf_node *right = leaf_of("pear-", WORDS + 2, 2);
    struct sheaf_link links[2] = { { left, { 4, 40 } }, { right, { 2, 20 } } };
    struct sheaf_node *root = sheaf_run_build_root(&orchard.grove, &links[0], SHEAF_LIT("pear-fi"), &links[1]);
    uint8_t key[64];
    cr_assert_eq(root->level, 1);
    cr_assert_eq(root->count, 2);
    cr_assert_eq(sheaf_node_key(root, 0, key).size, 0);
    cr_assert(sheaf_bytes_equal(sheaf_node_key(root, 1, key), SHEAF_LIT("pear-fi")));
    cr_assert_eq(sheaf_node_children(root)[0], left);
    cr_assert_eq(sheaf_node_sums(root)[1].bytes, 20);
    sheaf_node_free(&orchard.grove, root);
    sheaf_node_free(&orchard.grove, left);
    sheaf_node_free(&orchard.grove, right);
}

/* A head is filled up with zeroes, which a longer key may have as bytes of its own. */
Test(run, shared_bytes_are_not_counted_beyond_the_shorter_key)
{
    struct { sheaf_bytes low, high; uint32_t shared; } pairs[] = {
        { SHEAF_LIT(""), SHEAF_LIT("\0\0x"), 0 },      { SHEAF_LIT("a"), SHEAF_LIT("a\0x"), 1 },
        { SHEAF_LIT("a"), SHEAF_LIT("a\1"), 1 },         { SHEAF_LIT("a\0"), SHEAF_LIT("a\0\0b"), 2 },
        { SHEAF_LIT("a\0c"), SHEAF_LIT("a\0d"), 2 },    { SHEAF_LIT("\0\0\0"), SHEAF_LIT("\0\0\0\1"), 3 },
        { SHEAF_LIT("abcd"), SHEAF_LIT("abce"), 3 },      { SHEAF_LIT("abcd"), SHEAF_LIT("abcdef"), 4 },
        { SHEAF_LIT("b"), SHEAF_LIT("c"), 0 },
    };
    struct sheaf_payload payload = value_of("v");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct sheaf_node *leaf = sheaf_node_allocate(&orchard.grove, 128, 0, sheaf_bytes_of(NULL, 0), 2);
        sheaf_node_insert(leaf, 0, pairs[i].low, &payload, NULL);
        sheaf_node_insert(leaf, 1, pairs[i].high, &payload, NULL);
        struct sheaf_run run = sheaf_run_of_node(leaf);
        cr_assert_eq(sheaf_run_shared(&run, 0, 1), pairs[i].shared, "pair %zu", i);
        sheaf_node_free(&orchard.grove, leaf);
    }
}
