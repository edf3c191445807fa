/*
 * expected.h - the right answers, from the sorted keys alone.
 *
 * Every question knows which entries it is about (by number), every value follows from its entry's number and how often it was
 * overwritten. So what an engine should visit, and in which order, can be said without asking any engine.
 */
#ifndef BENCH_EXPECTED_H
#define BENCH_EXPECTED_H

#include "bench/operations.h"

struct expected {
    const struct workload *workload;
    enum content content;  /* what the engines hold; they are loaded anew where an operation needs another */
    uint32_t *generations; /* of the value of each entry */
};

void expected_init(struct expected *expected, const struct workload *workload);
void expected_release(struct expected *expected);

/* What a run of `prepared` must give; follows the writes it makes. To be called once for each run, in the order of the runs. */
struct checksum expected_run(struct expected *expected, const struct prepared *prepared, uint32_t generation);

#endif
