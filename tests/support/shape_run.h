/*
 * shape_run.h - model tests on every shape of keys: the parameters, and a run from a printed seed.
 */
#ifndef TESTS_SUPPORT_SHAPE_RUN_H
#define TESTS_SUPPORT_SHAPE_RUN_H

#include <criterion/parameterized.h>

#include "tests/support/tree_exercise.h"

/* What a ParameterizedTest goes through: the index of each shape. */
struct criterion_test_params each_shape(void);

/* tree_exercise() or store_exercise(). */
typedef void exercise_function(struct random *random, const struct exercise_plan *plan);

/* Runs a plan, its steps scaled, from the seed of the test named. */
void run_exercise(exercise_function *exercise, const char *name, uint64_t seed, struct exercise_plan plan);

#endif
