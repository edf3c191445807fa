/*
 * bench_subtree - read everything below a folder, ranges between two keys, everything; count without reading.
 */
#include "bench/catalogue.h"
#include "bench/harness.h"

int main(int argc, char **argv)
{
    const struct bench bench = {
        .name = "subtree",
        .title = "Subtrees and ranges: everything below a folder, between two keys, all",
        .operations = catalogue,
        .operation_count = catalogue_count,
        .per_entry = true,
    };
    return bench_main(argc, argv, &bench);
}
