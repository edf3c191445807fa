/*
 * bench_subtree - read everything below a folder, ranges between two keys, everything; count without reading.
 */
#include "bench/harness.h"

#define ON_BOTH (ON_L | ON_T)
#define ON_ALL (ON_L | ON_T | ON_P)

/* clang-format off */
static const struct operation operations[] = {
    { .name = "subtree_10", .title = "subtree of about 10", .kind = OPERATION_QUERY, .shapes = ON_BOTH,
      .content = CONTENT_RANDOM, .group = 1, .batch = 20000, .query = QUERY_PREFIX, .target = 10 },
    { .name = "subtree_100", .title = "subtree of about 100", .kind = OPERATION_QUERY, .shapes = ON_BOTH,
      .content = CONTENT_RANDOM, .group = 1, .batch = 5000, .query = QUERY_PREFIX, .target = 100 },
    { .name = "subtree_10000", .title = "subtree of about 10,000", .kind = OPERATION_QUERY, .shapes = ON_BOTH,
      .content = CONTENT_RANDOM, .group = 1, .batch = 60, .query = QUERY_PREFIX, .target = 10000 },
    { .name = "collection_20", .title = "a whole collection of 20", .kind = OPERATION_QUERY, .shapes = ON_P,
      .content = CONTENT_RANDOM, .group = 1, .batch = 20000, .query = QUERY_ALL },
    { .name = "between_10", .title = "between, 10", .kind = OPERATION_QUERY, .shapes = ON_P,
      .content = CONTENT_RANDOM, .group = 1, .batch = 20000, .query = QUERY_BETWEEN, .target = 10 },
    { .name = "between_100", .title = "between, 100", .kind = OPERATION_QUERY, .shapes = ON_BOTH,
      .content = CONTENT_RANDOM, .group = 1, .batch = 5000, .query = QUERY_BETWEEN, .target = 100 },
    { .name = "count_10000", .title = "count a range of 10,000", .kind = OPERATION_COUNT, .shapes = ON_BOTH,
      .content = CONTENT_RANDOM, .group = 1, .batch = 1000, .query = QUERY_BETWEEN, .target = 10000 },
    { .name = "scan", .title = "read all", .kind = OPERATION_SCAN, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1 },
    { .name = "scan_reverse", .title = "read all in reverse", .kind = OPERATION_SCAN, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1, .direction = SHEAF_REVERSE },
    { .name = "scan_ascending", .title = "read all, put ascending", .kind = OPERATION_SCAN, .shapes = ON_ALL,
      .content = CONTENT_ASCENDING, .group = 2 },
    { .name = "scan_ascending_reverse", .title = "read all in reverse, likewise", .kind = OPERATION_SCAN, .shapes = ON_ALL,
      .content = CONTENT_ASCENDING, .group = 2, .direction = SHEAF_REVERSE },
};
/* clang-format on */

int main(int argc, char **argv)
{
    static const struct bench bench = {
        .name = "subtree",
        .title = "Subtrees and ranges: everything below a folder, between two keys, all",
        .operations = operations,
        .operation_count = sizeof operations / sizeof *operations,
        .per_entry = true,
    };
    return bench_main(argc, argv, &bench);
}
