#include "bench/catalogue.h"

#define ON_BOTH (ON_L | ON_T)
#define ON_ALL (ON_L | ON_T | ON_P)

/* clang-format off */
const struct operation catalogue[] = {
    /* Put in random order, and everything that is read from that. */
    { .bench = "load", .name = "insert_random", .title = "put in random order", .kind = OPERATION_INSERT, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1 },
    { .bench = "point", .name = "get", .title = "get", .kind = OPERATION_GET, .shapes = ON_ALL, .content = CONTENT_RANDOM,
      .group = 1, .batch = 100000 },
    { .bench = "point", .name = "get_many", .title = "get, 64 keys at once", .kind = OPERATION_GET_MANY, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1, .batch = 100000, .target = GET_MANY_MAX },
    { .bench = "point", .name = "get_miss", .title = "get what is not there", .kind = OPERATION_GET_MISS, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1, .batch = 100000 },
    { .bench = "subtree", .name = "subtree_10", .title = "subtree of about 10", .kind = OPERATION_QUERY, .shapes = ON_BOTH,
      .content = CONTENT_RANDOM, .group = 1, .batch = 20000, .query = QUERY_PREFIX, .target = 10 },
    { .bench = "subtree", .name = "subtree_100", .title = "subtree of about 100", .kind = OPERATION_QUERY,
      .shapes = ON_BOTH, .content = CONTENT_RANDOM, .group = 1, .batch = 5000, .query = QUERY_PREFIX, .target = 100 },
    { .bench = "subtree", .name = "subtree_10000", .title = "subtree of about 10,000", .kind = OPERATION_QUERY,
      .shapes = ON_BOTH, .content = CONTENT_RANDOM, .group = 1, .batch = 60, .query = QUERY_PREFIX, .target = 10000 },
    { .bench = "subtree", .name = "collection_20", .title = "a whole collection of 20", .kind = OPERATION_QUERY,
      .shapes = ON_P, .content = CONTENT_RANDOM, .group = 1, .batch = 20000, .query = QUERY_ALL },
    { .bench = "subtree", .name = "between_10", .title = "between, 10", .kind = OPERATION_QUERY, .shapes = ON_P,
      .content = CONTENT_RANDOM, .group = 1, .batch = 20000, .query = QUERY_BETWEEN, .target = 10 },
    { .bench = "subtree", .name = "between_100", .title = "between, 100", .kind = OPERATION_QUERY, .shapes = ON_BOTH,
      .content = CONTENT_RANDOM, .group = 1, .batch = 5000, .query = QUERY_BETWEEN, .target = 100 },
    { .bench = "subtree", .name = "count_10000", .title = "count a range of 10,000", .kind = OPERATION_COUNT,
      .shapes = ON_BOTH, .content = CONTENT_RANDOM, .group = 1, .batch = 200, .query = QUERY_BETWEEN, .target = 10000 },
    { .bench = "subtree", .name = "scan", .title = "read all", .kind = OPERATION_SCAN, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1 },
    { .bench = "subtree", .name = "scan_reverse", .title = "read all in reverse", .kind = OPERATION_SCAN, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1, .direction = SHEAF_REVERSE },
    { .bench = "topn", .name = "last_10", .title = "last 10", .kind = OPERATION_QUERY, .shapes = ON_L | ON_T | ON_P,
      .content = CONTENT_RANDOM, .group = 1, .batch = 20000, .query = QUERY_ALL, .direction = SHEAF_REVERSE,
      .target = 10 },
    { .bench = "topn", .name = "last_100", .title = "last 100", .kind = OPERATION_QUERY, .shapes = ON_L | ON_T,
      .content = CONTENT_RANDOM, .group = 1, .batch = 5000, .query = QUERY_ALL, .direction = SHEAF_REVERSE,
      .target = 100 },
    { .bench = "topn", .name = "reverse_10", .title = "10 down from a bound", .kind = OPERATION_QUERY,
      .shapes = ON_L | ON_T | ON_P, .content = CONTENT_RANDOM, .group = 1, .batch = 20000, .query = QUERY_AT_MOST,
      .direction = SHEAF_REVERSE, .target = 10 },
    { .bench = "topn", .name = "reverse_100", .title = "100 down from a bound", .kind = OPERATION_QUERY,
      .shapes = ON_L | ON_T, .content = CONTENT_RANDOM, .group = 1, .batch = 5000, .query = QUERY_AT_MOST,
      .direction = SHEAF_REVERSE, .target = 100 },
    { .bench = "topn", .name = "rank_10000", .title = "place of about 10,000", .kind = OPERATION_RANK,
      .shapes = ON_L | ON_T, .content = CONTENT_RANDOM, .group = 1, .batch = 200, .target = 10000 },
    { .bench = "point", .name = "overwrite", .title = "overwrite, same size", .kind = OPERATION_OVERWRITE,
      .shapes = ON_ALL, .content = CONTENT_RANDOM, .group = 1, .batch = 100000 },
    { .bench = "load", .name = "delete_random", .title = "delete in random order", .kind = OPERATION_DELETE,
      .shapes = ON_ALL, .content = CONTENT_RANDOM, .group = 1 },
    /* Put in ascending order, which lies differently in memory. */
    { .bench = "load", .name = "insert_ascending", .title = "put in ascending order", .kind = OPERATION_INSERT,
      .shapes = ON_ALL, .content = CONTENT_ASCENDING, .group = 2 },
    { .bench = "subtree", .name = "scan_ascending", .title = "read all, put ascending", .kind = OPERATION_SCAN,
      .shapes = ON_ALL, .content = CONTENT_ASCENDING, .group = 2 },
    { .bench = "subtree", .name = "scan_ascending_reverse", .title = "read all in reverse, likewise",
      .kind = OPERATION_SCAN, .shapes = ON_ALL, .content = CONTENT_ASCENDING, .group = 2, .direction = SHEAF_REVERSE },
    /* Loaded in bulk. */
    { .bench = "load", .name = "build", .title = "bulk build from sorted", .kind = OPERATION_BUILD, .shapes = ON_ALL,
      .content = CONTENT_BUILT, .group = 3 },
    /* Each in a process of its own, which has held nothing yet. */
    { .bench = "memory", .name = "memory_random", .title = "after puts in random order", .kind = OPERATION_HOLD,
      .shapes = ON_ALL, .content = CONTENT_RANDOM, .group = 4 },
    { .bench = "memory", .name = "memory_ascending", .title = "after ascending puts", .kind = OPERATION_HOLD,
      .shapes = ON_ALL, .content = CONTENT_ASCENDING, .group = 5 },
    { .bench = "memory", .name = "memory_build", .title = "after a bulk build", .kind = OPERATION_HOLD, .shapes = ON_ALL,
      .content = CONTENT_BUILT, .group = 6 },
};
/* clang-format on */

const size_t catalogue_count = sizeof catalogue / sizeof *catalogue;
