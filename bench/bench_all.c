/*
 * bench_all - point, subtree, topn and load in one, from one load of each kind: what bench/run peers and bench/run all take.
 */
#include "bench/catalogue.h"
#include "bench/harness.h"

int main(int argc, char **argv)
{
    const struct bench bench = {
        .name = "all",
        .title = "Everything that is timed: points, ranges, tops, loads",
        .operations = catalogue,
        .operation_count = catalogue_count,
        .all = true,
    };
    return bench_main(argc, argv, &bench);
}
