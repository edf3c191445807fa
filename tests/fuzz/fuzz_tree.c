/*
 * fuzz_tree.c - the fuzzer's bytes as operations on a tree or a store, compared with the model at every step.
 *
 *     byte 0  shape of the keys
 *     byte 1  bit 0: store or tree, bit 1: size classes, bit 2: check at every step, bits 3 and 4: entries to begin with
 *     rest    choices
 */
#include <stddef.h>
#include <stdint.h>

#include "tests/support/expect.h"
#include "tests/support/random.h"
#include "tests/support/shape.h"
#include "tests/support/store_exercise.h"
#include "tests/support/tree_exercise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    static const uint32_t preload_counts[] = { 0, 20, 100, 400 };
    struct exercise_plan plan = { .shape = &shapes[data[0] % shape_count],
                                  .step_count = 5000,
                                  .check_every = data[1] & 4 ? 1 : 16,
                                  .size_classes = (data[1] & 2) != 0,
                                  .preload_count = preload_counts[data[1] >> 3 & 3],
                                  .window_every = 8 };
    if (plan.preload_count > plan.shape->live_count) plan.preload_count = plan.shape->live_count;
    struct random random = random_from_tape(data + 2, size - 2);
    expect_scene = (struct expect_scene){ .name = plan.shape->name, .operation = "none yet" };
    if (data[1] & 1) store_exercise(&random, &plan);
    else tree_exercise(&random, &plan);
    return 0;
}
