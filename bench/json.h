/*
 * json.h - results as lines of JSON, for machines.
 */
#ifndef BENCH_JSON_H
#define BENCH_JSON_H

#include "bench/report.h"

/* One object for every operation and engine that has a form for it, each on a line of its own. */
void json_write(const struct report *report, const struct workload *workload, const struct result *results, size_t count);

#endif
