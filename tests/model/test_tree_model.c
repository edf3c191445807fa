/*
 * test_tree_model.c - the tree against a sorted array, on every shape of keys.
 *
 * Built on nodes of 256 bytes, so that a few hundred entries make a tree of several levels. `thorough` runs check all
 * invariants and scan everything both ways after each step, `long` runs every 64 steps.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "tests/support/shape_run.h"
#include "tests/support/tree_exercise.h"

static void run(const char *name, size_t shape, uint64_t step_count, uint32_t check_every, bool size_classes)
{
    struct exercise_plan plan = { .shape = &shapes[shape],
                                  .step_count = step_count,
                                  .check_every = check_every,
                                  .size_classes = size_classes,
                                  .window_every = 1 };
    run_exercise(tree_exercise, name, 20261201 + shape, plan);
}

ParameterizedTestParameters(tree_model, thorough)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, tree_model, thorough)
{
    run("tree_model/thorough", *shape, 2000, 1, false);
}

ParameterizedTestParameters(tree_model, long)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, tree_model, long)
{
    run("tree_model/long", *shape, 60000, 64, false);
}

ParameterizedTestParameters(tree_model, long_with_size_classes)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, tree_model, long_with_size_classes)
{
    run("tree_model/long_with_size_classes", *shape, 30000, 64, true);
}
