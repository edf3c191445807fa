/*
 * store_exercise.h - random operations on a store through its public calls, and on one model for each collection.
 *
 * As tree_exercise.h, with what the store adds: several collections that come and go, limits, pages, ranks, children,
 * enumeration, bulk builds, and cursors that outlive their collection.
 */
#ifndef TESTS_SUPPORT_STORE_EXERCISE_H
#define TESTS_SUPPORT_STORE_EXERCISE_H

#include "tests/support/tree_exercise.h"

/* Runs a plan from an empty store to an empty heap. */
void store_exercise(struct random *random, const struct exercise_plan *plan);

#endif
