/*
 * result.h - what the repetitions of one operation gave, for each engine.
 */
#ifndef BENCH_RESULT_H
#define BENCH_RESULT_H

#include <stdbool.h>

#include "bench/options.h"
#include "bench/worker.h"

/* Of one engine. */
struct engine_result {
    bool absent;                 /* it has no form for the operation: there is nothing else here then */
    double ns[RUNS_MAX];         /* per operation, in the order of the runs */
    double cpu_ns[RUNS_MAX];     /* OPERATION_MIX: likewise, all threads' CPU time */
    struct measurement last;     /* the figures that do not vary: entries, bytes, memory */
    double instructions;         /* per operation; below 0 if not counted */
    uint32_t instructions_count; /* entries in the workload they were counted on */
};

struct result {
    const struct prepared *prepared;
    double canary_ns[RUNS_MAX]; /* per load */
    struct engine_result engines[PEER_COUNT_MAX];
};

/* Of the numbers of one engine's runs, or of the canary. */
struct spread {
    double median;
    double least;
    double most;
};

struct spread spread_of(const double *numbers, unsigned count);

#endif
