/*
 * test_full_size_model.c - the same random operations on the nodes that are shipped, with more entries.
 *
 * Small nodes meet every split soon, but not the sizes of a real one: offsets near its end, hundreds of slots, long prefixes.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "tests/support/shape_run.h"
#include "tests/support/store_exercise.h"
#include "tests/support/tree_exercise.h"

enum { LIVE_TIMES = 12 };

static void run(const char *name, size_t index, exercise_function *exercise)
{
    struct shape shape = shapes[index];
    shape.live_count *= LIVE_TIMES;
    struct exercise_plan plan = { .shape = &shape,
                                  .step_count = 12000,
                                  .check_every = 512,
                                  .size_classes = index % 2 == 0,
                                  .window_every = 1 };
    run_exercise(exercise, name, 20261401 + index, plan);
}

ParameterizedTestParameters(full_size_model, tree)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, full_size_model, tree)
{
    run("full_size_model/tree", *shape, tree_exercise);
}

ParameterizedTestParameters(full_size_model, store)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, full_size_model, store)
{
    run("full_size_model/store", *shape, store_exercise);
}
