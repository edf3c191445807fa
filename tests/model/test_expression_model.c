/*
 * test_expression_model.c - random conditions as text, parsed and followed, against the tree they were printed from.
 *
 * The model is the tree: AND, OR and NOT with sides, evaluated by recursion. Comparisons hold or not by a table of coin
 * tosses, so that nothing but the joining of conditions is tested here.
 */
#include <criterion/criterion.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/expr/expression.h"
#include "tests/support/expect.h"
#include "tests/support/random.h"

enum { LEAF_MAX = 24, TEXT_MAX = 4096 };

struct tree {
    char kind; /* 'A', 'O', 'N', or 'L' for a leaf */
    size_t leaf;
    struct tree *left, *right;
};

static struct tree pool[8 * LEAF_MAX];
static size_t pool_count, leaf_count;
static bool holds[LEAF_MAX];

static struct tree *draw_tree(struct random *random, size_t depth)
{
    struct tree *tree = &pool[pool_count++];
    *tree = (struct tree){ .kind = 'L' };
    uint32_t choice = depth == 0 || leaf_count + depth + 2 > LEAF_MAX ? 0 : random_below(random, 8);
    if (choice >= 5) {
        tree->kind = choice == 5 ? 'N' : choice == 6 ? 'A' : 'O';
        tree->left = draw_tree(random, depth - 1);
        if (choice > 5) tree->right = draw_tree(random, depth - 1);
    } else if (choice >= 1) {
        tree->kind = choice <= 2 ? 'A' : 'O';
        tree->left = draw_tree(random, depth - 1);
        tree->right = draw_tree(random, depth - 1);
    } else {
        tree->leaf = leaf_count++;
    }
    return tree;
}

static bool truth(const struct tree *tree)
{
    switch (tree->kind) {
    case 'A': return truth(tree->left) && truth(tree->right);
    case 'O': return truth(tree->left) || truth(tree->right);
    case 'N': return !truth(tree->left);
    }
    return holds[tree->leaf];
}

static int tightness(char kind)
{
    return kind == 'L' ? 4 : kind == 'N' ? 3 : kind == 'A' ? 2 : 1;
}

static char *print_leaf(struct random *random, char *at)
{
    static const char *const leaves[] = { "a = :v",        "(b.c[0]) < :v",   "attribute_exists(d)", "e BETWEEN :v AND :w",
                                          "f IN (:v, :w)", "size(g) >= (:v)", "contains(h, :v)",     ":v <> i" };
    return at + sprintf(at, "%s", leaves[random_below(random, sizeof leaves / sizeof *leaves)]);
}

/* With parentheses where they are needed, and sometimes where they are not, but never two pairs around the same. */
static char *print_tree(struct random *random, char *at, const struct tree *tree, int least)
{
    bool closed = tightness(tree->kind) < least || random_once_in(random, 6);
    if (closed) *at++ = '(';
    if (tree->kind == 'L') {
        at = print_leaf(random, at);
    } else if (tree->kind == 'N') {
        at += sprintf(at, random_once_in(random, 2) ? "NOT " : "not\t");
        at = print_tree(random, at, tree->left, 3);
    } else {
        at = print_tree(random, at, tree->left, tightness(tree->kind));
        at += sprintf(at, tree->kind == 'A' ? " AND " : "\nor ");
        at = print_tree(random, at, tree->right, tightness(tree->kind));
    }
    if (closed) *at++ = ')';
    *at = 0;
    return at;
}

static bool follow(const struct sheaf_expression *expression)
{
    uint16_t step = 0;
    while (step < expression->step_count) {
        uint16_t next = holds[step] ? expression->steps[step].on_true : expression->steps[step].on_false;
        EXPECT(next > step, "a step back");
        step = next;
    }
    EXPECT(step == SHEAF_EXPR_ACCEPT || step == SHEAF_EXPR_REJECT, "step %u", step);
    return step == SHEAF_EXPR_ACCEPT;
}

Test(expression_model, joins_conditions_as_the_tree_does)
{
    uint64_t seed = random_seed("expression_model", 1);
    struct random random = random_from_seed(seed);
    static char text[TEXT_MAX];
    expect_scene.name = "joined conditions";
    expect_scene.seed = seed;
    uint64_t operators = 0;
    for (uint64_t i = 0; i < random_scaled(20000); i++) {
        expect_scene.step = i;
        expect_scene.operation = text;
        pool_count = leaf_count = 0;
        struct tree *tree = draw_tree(&random, 1 + random_below(&random, 5));
        char *end = print_tree(&random, text, tree, 0);
        sheaf_expression_source source = { .kind = SHEAF_EXPRESSION_CONDITION,
                                           .text = sheaf_bytes_of(text, (size_t)(end - text)) };
        sheaf_expression *expression = NULL;
        sheaf_expression_fault fault = { .message = "" };
        EXPECT(sheaf_expression_create(&source, NULL, &expression, &fault) == SHEAF_OK, "%s", fault.message);
        EXPECT(expression->step_count == leaf_count, "%u steps", expression->step_count);
        for (int tossed = 0; tossed < 8; tossed++) {
            for (size_t leaf = 0; leaf < leaf_count; leaf++) holds[leaf] = random_once_in(&random, 2);
            EXPECT(follow(expression) == truth(tree), "seed %" PRIu64, seed);
        }
        operators += leaf_count - 1;
        sheaf_expression_destroy(expression);
    }
    cr_assert_gt(operators, 0, "no trees but leaves were drawn");
}
