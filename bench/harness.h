/*
 * harness.h - runs a list of operations on every shape and engine and reports.
 *
 *   for each shape:   make the keys and questions, start one process per engine
 *     for each group of operations:
 *       for each repetition:
 *         for each operation:   canary, then every engine in turn, another one first each time
 *
 * Engines take turns within fractions of a second, so that a machine that slows down slows all of them. A run in which two
 * engines differ in what they read fails.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include "bench/operations.h"
#include "bench/options.h"

struct bench {
    const char *name;                   /* for machines: subtree */
    const char *title;                  /* for people, one line */
    const struct operation *operations; /* groups in one piece and ascending; it runs those that bear its name */
    size_t operation_count;
    unsigned runs;  /* repetitions, unless asked otherwise; 0: five */
    bool all;       /* it runs every operation that is timed, whatever program it is part of */
    bool per_entry; /* beside several peers, times per entry and each one's ratio are shown too */
    bool threads;   /* its operations are mixes: time is time on the wall, and CPU time is shown too */
    bool counted;   /* nothing is timed: instructions are counted, of Sheaf alone unless other engines are asked for */
};

/* The whole of a bench program. Returns the exit code. */
int bench_main(int argc, char **argv, const struct bench *bench);

#endif
