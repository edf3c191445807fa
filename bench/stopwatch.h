/*
 * stopwatch.h - times a batch, and under valgrind's callgrind counts its instructions.
 *
 * Natively it reads the thread's CPU clock. Under callgrind only what lies between start and stop is instrumented, and each
 * stop dumps the count under the operation's name, for instructions.c to read.
 */
#ifndef BENCH_STOPWATCH_H
#define BENCH_STOPWATCH_H

#include <stdint.h>

struct stopwatch {
    const char *name; /* of the operation */
    uint64_t started_ns;
};

struct stopwatch stopwatch_start(const char *name);

/* CPU time since the start, in ns. */
uint64_t stopwatch_stop(const struct stopwatch *stopwatch);

#endif
