/*
 * report.h - results as a table for people and as lines of JSON for machines.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "bench/harness.h"
#include "bench/result.h"

struct report {
    const struct bench *bench;
    const struct options *options;
    const struct peer *const *engines; /* those that take part, Sheaf first if it does */
    unsigned engine_count;
    FILE *json; /* NULL: none */
};

/* Machine, method, engines. */
void report_head(const struct report *report);

/* One shape: its description, a line per operation, a line on the noise. */
void report_shape(const struct report *report, const struct workload *workload, const struct result *results, size_t count);

/* Whether an engine is Sheaf: its shared store where there are threads. And whether it is none of Sheaf's. */
bool report_is_ours(const struct report *report, unsigned engine);
bool report_is_peer(const struct report *report, unsigned engine);

/* One spread per engine: of its times, or of its instructions, which do not vary. What is absent is not a number. */
void report_times(const struct report *report, const struct result *result, struct spread *out_numbers);
void report_instructions(const struct report *report, const struct result *result, struct spread *out_numbers);

/* Says on a terminal what is being done. Printed over by the next; NULL wipes it away. */
void report_progress(const char *shape, const char *engine, const char *operation, unsigned run, unsigned runs);
void report_progress_end(void);

#endif
