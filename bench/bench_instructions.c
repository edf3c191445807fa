/*
 * bench_instructions - instructions of the main operations, counted by callgrind: they tell a change from noise.
 *
 * Each row is what the program of its group measures in time. Of Sheaf alone unless --engine says otherwise.
 */
#include "bench/harness.h"

#define ON_BOTH (ON_L | ON_T)
#define ON_ALL (ON_L | ON_T | ON_P)

/* clang-format off */
static const struct operation operations[] = {
    { .bench = "instructions", .name = "get", .title = "get", .kind = OPERATION_GET, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1, .batch = 20000 },
    { .bench = "instructions", .name = "get_miss", .title = "get what is not there", .kind = OPERATION_GET_MISS,
      .shapes = ON_ALL, .content = CONTENT_RANDOM, .group = 1, .batch = 20000 },
    { .bench = "instructions", .name = "subtree_10", .title = "subtree of about 10", .kind = OPERATION_QUERY,
      .shapes = ON_BOTH, .content = CONTENT_RANDOM, .group = 1, .batch = 5000, .query = QUERY_PREFIX, .target = 10 },
    { .bench = "instructions", .name = "subtree_100", .title = "subtree of about 100", .kind = OPERATION_QUERY,
      .shapes = ON_BOTH, .content = CONTENT_RANDOM, .group = 1, .batch = 1000, .query = QUERY_PREFIX, .target = 100 },
    { .bench = "instructions", .name = "collection_20", .title = "a whole collection of 20", .kind = OPERATION_QUERY,
      .shapes = ON_P, .content = CONTENT_RANDOM, .group = 1, .batch = 5000, .query = QUERY_ALL },
    { .bench = "instructions", .name = "between_100", .title = "between, 100", .kind = OPERATION_QUERY, .shapes = ON_BOTH,
      .content = CONTENT_RANDOM, .group = 1, .batch = 1000, .query = QUERY_BETWEEN, .target = 100 },
    { .bench = "instructions", .name = "last_10", .title = "last 10", .kind = OPERATION_QUERY, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1, .batch = 5000, .query = QUERY_ALL, .direction = SHEAF_REVERSE,
      .target = 10 },
    { .bench = "instructions", .name = "last_100", .title = "last 100", .kind = OPERATION_QUERY, .shapes = ON_BOTH,
      .content = CONTENT_RANDOM, .group = 1, .batch = 1000, .query = QUERY_ALL, .direction = SHEAF_REVERSE,
      .target = 100 },
    { .bench = "instructions", .name = "reverse_10", .title = "10 down from a bound", .kind = OPERATION_QUERY,
      .shapes = ON_ALL, .content = CONTENT_RANDOM, .group = 1, .batch = 5000, .query = QUERY_AT_MOST,
      .direction = SHEAF_REVERSE, .target = 10 },
    { .bench = "instructions", .name = "count_10000", .title = "count a range of 10,000", .kind = OPERATION_COUNT,
      .shapes = ON_BOTH, .content = CONTENT_RANDOM, .group = 1, .batch = 1000, .query = QUERY_BETWEEN, .target = 10000 },
    { .bench = "instructions", .name = "rank_10000", .title = "place of about 10,000", .kind = OPERATION_RANK,
      .shapes = ON_BOTH, .content = CONTENT_RANDOM, .group = 1, .batch = 1000, .target = 10000 },
    { .bench = "instructions", .name = "scan", .title = "read all, per entry", .kind = OPERATION_SCAN, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1 },
    { .bench = "instructions", .name = "scan_reverse", .title = "read all in reverse", .kind = OPERATION_SCAN,
      .shapes = ON_ALL, .content = CONTENT_RANDOM, .group = 1, .direction = SHEAF_REVERSE },
    { .bench = "instructions", .name = "overwrite", .title = "overwrite, same size", .kind = OPERATION_OVERWRITE,
      .shapes = ON_ALL, .content = CONTENT_RANDOM, .group = 1, .batch = 20000 },
    { .bench = "instructions", .name = "insert_random", .title = "put in random order", .kind = OPERATION_INSERT,
      .shapes = ON_ALL, .content = CONTENT_RANDOM, .group = 2 },
    { .bench = "instructions", .name = "delete_random", .title = "delete in random order", .kind = OPERATION_DELETE,
      .shapes = ON_ALL, .content = CONTENT_RANDOM, .group = 2 },
    { .bench = "instructions", .name = "insert_ascending", .title = "put in ascending order", .kind = OPERATION_INSERT,
      .shapes = ON_ALL, .content = CONTENT_ASCENDING, .group = 3 },
    { .bench = "instructions", .name = "build", .title = "bulk build from sorted", .kind = OPERATION_BUILD,
      .shapes = ON_ALL, .content = CONTENT_BUILT, .group = 4 },
};
/* clang-format on */

int main(int argc, char **argv)
{
    static const struct bench bench = {
        .name = "instructions",
        .title = "Instructions of the main operations",
        .operations = operations,
        .operation_count = sizeof operations / sizeof *operations,
        .counted = true,
    };
    return bench_main(argc, argv, &bench);
}
