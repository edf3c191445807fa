/*
 * bench_memory - bytes that an entry takes: by the engine's own account, and by which the process grows.
 */
#include "bench/harness.h"

#define ON_ALL (ON_L | ON_T | ON_P)

/* clang-format off */
static const struct operation operations[] = {
    { .name = "memory_random", .title = "after puts in random order", .kind = OPERATION_HOLD, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1 },
    { .name = "memory_ascending", .title = "after ascending puts", .kind = OPERATION_HOLD, .shapes = ON_ALL,
      .content = CONTENT_ASCENDING, .group = 2 },
    { .name = "memory_build", .title = "after a bulk build", .kind = OPERATION_HOLD, .shapes = ON_ALL,
      .content = CONTENT_BUILT, .group = 3 },
};
/* clang-format on */

int main(int argc, char **argv)
{
    static const struct bench bench = {
        .name = "memory",
        .title = "Memory: bytes per entry; \"beyond\" is beyond sort key and value",
        .operations = operations,
        .operation_count = sizeof operations / sizeof *operations,
        .runs = 1,
    };
    return bench_main(argc, argv, &bench);
}
