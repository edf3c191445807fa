/*
 * bench_topn - the top of a leaderboard: the last entries in reverse, from the end or from a bound down, and places in it.
 */
#include "bench/catalogue.h"
#include "bench/harness.h"

int main(int argc, char **argv)
{
    const struct bench bench = {
        .name = "topn",
        .title = "Top N: the last entries in reverse, and places on a leaderboard",
        .operations = catalogue,
        .operation_count = catalogue_count,
        .per_entry = true,
    };
    return bench_main(argc, argv, &bench);
}
