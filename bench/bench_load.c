/*
 * bench_load - filling and emptying: puts in random and in ascending order, bulk build, deletes in random order.
 *
 * An engine without a bulk build puts in ascending order instead: the fastest way its user has.
 */
#include "bench/catalogue.h"
#include "bench/harness.h"

int main(int argc, char **argv)
{
    const struct bench bench = {
        .name = "load",
        .title = "Loading and emptying, time per entry",
        .operations = catalogue,
        .operation_count = catalogue_count,
    };
    return bench_main(argc, argv, &bench);
}
