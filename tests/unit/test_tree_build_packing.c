/*
 * test_tree_build_packing.c - on nodes of full size: a bulk build packs no worse than puts in order, however long the prefix is
 * that all keys share.
 */
#include "engine/tree/build.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <string.h>

#include "engine/tree/node.h"
#include "tests/support/orchard.h"

enum { COUNT = 5000 };

struct packing_case {
    uint32_t prefix_size;
};

static sheaf_bytes key_of(uint32_t prefix_size, uint32_t number, uint8_t *out)
{
    memset(out, 'p', prefix_size);
    char text[16];
    sheaf_bytes digits = orchard_number(number, text);
    memcpy(out + prefix_size, digits.data, digits.size);
    return sheaf_bytes_of(out, prefix_size + digits.size);
}

static void add_leaves(const struct sheaf_node *node, uint32_t *count, uint64_t *bytes)
{
    if (sheaf_node_is_leaf(node)) {
        ++*count;
        *bytes += node->size;
        return;
    }
    for (uint32_t slot = 0; slot < node->count; slot++) add_leaves(sheaf_node_children(node)[slot], count, bytes);
}

ParameterizedTestParameters(packing, is_no_worse_than_that_of_puts)
{
    static struct packing_case cases[] = { { 0 }, { 10 }, { 120 }, { 330 }, { 400 }, { 1000 }, { 3000 } };
    return cr_make_param_array(struct packing_case, cases, sizeof cases / sizeof *cases);
}

ParameterizedTest(struct packing_case *param, packing, is_no_worse_than_that_of_puts)
{
    struct orchard put, built;
    orchard_begin(&put);
    orchard_begin(&built);
    struct sheaf_tree_build build;
    sheaf_tree_build_begin(&build, &built.tree);
    uint8_t buffer[4096];
    for (uint32_t number = 0; number < COUNT; number++) {
        sheaf_bytes key = key_of(param->prefix_size, number, buffer);
        orchard_put(&put, key, SHEAF_LIT("12345678"));
        cr_assert_eq(sheaf_tree_build_add(&build, key, SHEAF_LIT("12345678")), SHEAF_OK);
    }
    sheaf_tree_build_finish(&build);
    orchard_check(&built);
    cr_assert_eq(built.tree.totals.count, COUNT);
    cr_assert_eq(built.tree.totals.bytes, put.tree.totals.bytes);
    uint32_t put_leaves = 0, built_leaves = 0;
    uint64_t put_bytes = 0, built_bytes = 0;
    add_leaves(put.tree.root, &put_leaves, &put_bytes);
    add_leaves(built.tree.root, &built_leaves, &built_bytes);
    cr_assert_leq(built_leaves, put_leaves);
    cr_assert_leq(built_bytes, put_bytes);
    orchard_end(&built);
    orchard_end(&put);
}
