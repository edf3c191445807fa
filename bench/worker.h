/*
 * worker.h - one engine, filled with a workload, running prepared operations.
 */
#ifndef BENCH_WORKER_H
#define BENCH_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/operations.h"
#include "bench/peers/peer.h"

struct worker {
    const struct peer *peer;
    const struct workload *workload;
    bool account;          /* held_bytes() is wanted */
    bool verify;           /* let the engine check its own invariants after every write */
    const int *cores;      /* for the threads of a mix */
    void *engine;          /* NULL before the first load */
    struct shared *shared; /* in its place where threads share it */
    enum content content;
    uint8_t *value; /* room for a value, its tail filled */
};

/* What one run of one operation gave. */
struct measurement {
    uint64_t elapsed_ns; /* CPU time; of a mix time on the wall */
    uint64_t cpu_ns;     /* OPERATION_MIX: CPU time of all threads */
    uint64_t operations;
    /* Reads: of what they visited. Writes: of a whole scan afterwards, untimed. */
    struct checksum checksum;
    uint64_t held_bytes;     /* OPERATION_HOLD: by the engine's own account */
    uint64_t resident_bytes; /* OPERATION_HOLD: by which the process grew */
    bool sound;
};

void worker_init(struct worker *worker, const struct peer *peer, const struct workload *workload, bool account, bool verify,
                 const int *cores);
void worker_deinit(struct worker *worker);

/* `generation` goes into the values that an overwrite writes. */
void worker_run(struct worker *worker, const struct prepared *prepared, uint32_t generation, struct measurement *out);

#endif
