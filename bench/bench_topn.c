/*
 * bench_topn - the top of a leaderboard: the last entries in reverse, from the end or from a bound down, and places in it.
 */
#include "bench/harness.h"

/* clang-format off */
static const struct operation operations[] = {
    { .name = "last_10", .title = "last 10", .kind = OPERATION_QUERY, .shapes = ON_L | ON_T | ON_P,
      .content = CONTENT_RANDOM, .group = 1, .batch = 20000, .query = QUERY_ALL, .direction = SHEAF_REVERSE, .target = 10 },
    { .name = "last_100", .title = "last 100", .kind = OPERATION_QUERY, .shapes = ON_L | ON_T,
      .content = CONTENT_RANDOM, .group = 1, .batch = 5000, .query = QUERY_ALL, .direction = SHEAF_REVERSE, .target = 100 },
    { .name = "reverse_10", .title = "10 down from a bound", .kind = OPERATION_QUERY, .shapes = ON_L | ON_T | ON_P,
      .content = CONTENT_RANDOM, .group = 1, .batch = 20000, .query = QUERY_AT_MOST, .direction = SHEAF_REVERSE, .target = 10 },
    { .name = "reverse_100", .title = "100 down from a bound", .kind = OPERATION_QUERY, .shapes = ON_L | ON_T,
      .content = CONTENT_RANDOM, .group = 1, .batch = 5000, .query = QUERY_AT_MOST, .direction = SHEAF_REVERSE, .target = 100 },
    { .name = "rank_10000", .title = "place of about 10,000", .kind = OPERATION_RANK, .shapes = ON_L | ON_T,
      .content = CONTENT_RANDOM, .group = 1, .batch = 1000, .target = 10000 },
};
/* clang-format on */

int main(int argc, char **argv)
{
    static const struct bench bench = {
        .name = "topn",
        .title = "Top N: the last entries in reverse, and places on a leaderboard",
        .operations = operations,
        .operation_count = sizeof operations / sizeof *operations,
        .per_entry = true,
    };
    return bench_main(argc, argv, &bench);
}
