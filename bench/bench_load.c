/*
 * bench_load - filling and emptying: puts in random and in ascending order, bulk build, deletes in random order.
 *
 * An engine without a bulk build puts in ascending order instead: the fastest way its user has.
 */
#include "bench/harness.h"

#define ON_ALL (ON_L | ON_T | ON_P)

/* clang-format off */
static const struct operation operations[] = {
    { .name = "insert_random", .title = "put in random order", .kind = OPERATION_INSERT, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1 },
    { .name = "delete_random", .title = "delete in random order", .kind = OPERATION_DELETE, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1 },
    { .name = "insert_ascending", .title = "put in ascending order", .kind = OPERATION_INSERT, .shapes = ON_ALL,
      .content = CONTENT_ASCENDING, .group = 2 },
    { .name = "build", .title = "bulk build from sorted", .kind = OPERATION_BUILD, .shapes = ON_ALL,
      .content = CONTENT_BUILT, .group = 2 },
};
/* clang-format on */

int main(int argc, char **argv)
{
    static const struct bench bench = {
        .name = "load",
        .title = "Loading and emptying, time per entry",
        .operations = operations,
        .operation_count = sizeof operations / sizeof *operations,
    };
    return bench_main(argc, argv, &bench);
}
