/*
 * test_store_model.c - the tree against a sorted array, on every shape of keys.
 *
 * As test_tree_model.c; several collections, one of which gets most of the writes.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "tests/support/shape_run.h"
#include "tests/support/store_exercise.h"

static void run(const char *name, size_t shape, uint64_t step_count, uint32_t check_every, bool size_classes)
{
    struct exercise_plan plan = { .shape = &shapes[shape],
                                  .step_count = step_count,
                                  .check_every = check_every,
                                  .size_classes = size_classes,
                                  .window_every = 1 };
    run_exercise(store_exercise, name, 20261301 + shape, plan);
}

ParameterizedTestParameters(store_model, thorough)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, store_model, thorough)
{
    run("store_model/thorough", *shape, 2000, 1, false);
}

ParameterizedTestParameters(store_model, long)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, store_model, long)
{
    run("store_model/long", *shape, 60000, 64, false);
}

ParameterizedTestParameters(store_model, long_with_size_classes)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, store_model, long_with_size_classes)
{
    run("store_model/long_with_size_classes", *shape, 30000, 64, true);
}
