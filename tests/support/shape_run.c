#include "tests/support/shape_run.h"

struct criterion_test_params each_shape(void)
{
    static size_t indexes[64];
    for (size_t i = 0; i < shape_count; i++) indexes[i] = i;
    return cr_make_param_array(size_t, indexes, shape_count);
}

void run_exercise(exercise_function *exercise, const char *name, uint64_t seed, struct exercise_plan plan)
{
    plan.step_count = random_scaled(plan.step_count);
    struct random random = random_from_seed(random_seed(name, seed));
    exercise(&random, &plan);
}
