/*
 * instructions.h - instructions per operation, where hardware counters are not to be had.
 *
 * The program runs itself once more under valgrind's callgrind, for one shape and engine, on a smaller workload. Only the timed
 * batches are instrumented (stopwatch.h); each leaves a dump that names its operation.
 */
#ifndef BENCH_INSTRUCTIONS_H
#define BENCH_INSTRUCTIONS_H

#include "bench/options.h"
#include "bench/result.h"

/* Counts hardly depend on how many entries there are beyond this: a level of the tree more or less. */
#define COUNTED_ENTRIES_MAX 100000

/* Fills in `instructions` of engine `index` in all results. Ends the program if valgrind is not there. */
void instructions_count(const struct options *options, const struct workload *workload, const struct peer *peer, unsigned index,
                        struct result *results, size_t count);

#endif
