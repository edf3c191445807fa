/*
 * bench_basics - what the rest follows from, in one program: put, get, a range, everything.
 *
 * For runs over sizes: of values (bench/run values) and of the whole (bench/run plot).
 */
#include "bench/harness.h"

#define ON_BOTH (ON_L | ON_T)
#define ON_ALL (ON_L | ON_T | ON_P)

/* clang-format off */
static const struct operation operations[] = {
    { .bench = "basics", .name = "insert_random", .title = "put in random order", .kind = OPERATION_INSERT,
      .shapes = ON_ALL, .content = CONTENT_RANDOM, .group = 1 },
    { .bench = "basics", .name = "get", .title = "get", .kind = OPERATION_GET, .shapes = ON_ALL, .content = CONTENT_RANDOM,
      .group = 1, .batch = 100000 },
    { .bench = "basics", .name = "subtree_100", .title = "subtree of about 100", .kind = OPERATION_QUERY,
      .shapes = ON_BOTH, .content = CONTENT_RANDOM, .group = 1, .batch = 5000, .query = QUERY_PREFIX, .target = 100 },
    { .bench = "basics", .name = "collection_20", .title = "a whole collection of 20", .kind = OPERATION_QUERY,
      .shapes = ON_P, .content = CONTENT_RANDOM, .group = 1, .batch = 20000, .query = QUERY_ALL },
    { .bench = "basics", .name = "scan", .title = "read all", .kind = OPERATION_SCAN, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1 },
};
/* clang-format on */

int main(int argc, char **argv)
{
    static const struct bench bench = {
        .name = "basics",
        .title = "The basics: put, get, read a range, read all",
        .operations = operations,
        .operation_count = sizeof operations / sizeof *operations,
    };
    return bench_main(argc, argv, &bench);
}
