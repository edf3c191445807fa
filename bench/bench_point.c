/*
 * bench_point - one entry at a time: get, a get that finds nothing, overwrite.
 */
#include "bench/catalogue.h"
#include "bench/harness.h"

int main(int argc, char **argv)
{
    const struct bench bench = {
        .name = "point",
        .title = "Points: one entry at a time",
        .operations = catalogue,
        .operation_count = catalogue_count,
    };
    return bench_main(argc, argv, &bench);
}
