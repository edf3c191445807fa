/*
 * bench_memory - bytes that an entry takes: by the engine's own account, and by which the process grows.
 */
#include "bench/catalogue.h"
#include "bench/harness.h"

int main(int argc, char **argv)
{
    const struct bench bench = {
        .name = "memory",
        .title = "Memory: bytes per entry; \"beyond\" is beyond sort key and value",
        .operations = catalogue,
        .operation_count = catalogue_count,
        .runs = 1,
    };
    return bench_main(argc, argv, &bench);
}
