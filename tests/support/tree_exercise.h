/*
 * tree_exercise.h - random operations on one tree and one model, compared at every step.
 *
 * Used by the model test (choices from a seed) and by fuzzing (choices from the fuzzer's bytes). Every step ends with the
 * totals and, as a rule, a short scan of a random range in both directions; every `check_every` steps with all invariants and
 * whole scans. Aborts on the first difference.
 */
#ifndef TESTS_SUPPORT_TREE_EXERCISE_H
#define TESTS_SUPPORT_TREE_EXERCISE_H

#include "tests/support/random.h"
#include "tests/support/shape.h"

struct exercise_plan {
    const struct shape *shape;
    uint64_t step_count;    /* at most: a tape may end before */
    uint32_t check_every;   /* at least 1 */
    bool size_classes;      /* the allocator has size classes that nodes can fill */
    uint32_t preload_count; /* puts from a seed before the first step: a short tape then works on a tree of some levels */
    uint32_t window_every;  /* a random range is scanned both ways every so many steps; at least 1 */
};

/* Runs a plan from an empty tree to an empty heap. */
void tree_exercise(struct random *random, const struct exercise_plan *plan);

#endif
