/*
 * bench_point - one entry at a time: get, a get that finds nothing, overwrite.
 */
#include "bench/harness.h"

#define ON_ALL (ON_L | ON_T | ON_P)

/* clang-format off */
static const struct operation operations[] = {
    { .name = "get", .title = "get", .kind = OPERATION_GET, .shapes = ON_ALL, .content = CONTENT_RANDOM, .group = 1,
      .batch = 100000 },
    { .name = "get_miss", .title = "get what is not there", .kind = OPERATION_GET_MISS, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1, .batch = 100000 },
    { .name = "overwrite", .title = "overwrite, same size", .kind = OPERATION_OVERWRITE, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1, .batch = 100000 },
};
/* clang-format on */

int main(int argc, char **argv)
{
    static const struct bench bench = {
        .name = "point",
        .title = "Points: one entry at a time",
        .operations = operations,
        .operation_count = sizeof operations / sizeof *operations,
    };
    return bench_main(argc, argv, &bench);
}
