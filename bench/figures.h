/*
 * figures.h - the numbers that tables and lines of JSON show, worked out from what was measured.
 */
#ifndef BENCH_FIGURES_H
#define BENCH_FIGURES_H

#include "bench/result.h"
#include "bench/workload.h"

struct number_text {
    char text[32];
};

/* 1204.4 as "1,204", 35.21 as "35.2", what is not a number as nothing. */
struct number_text readable(double number);

/* A ratio of times: 0.82, 3.14, 27. What is not a number as nothing. */
struct number_text readable_ratio(double ratio);

/* How a time stands against ours, `ratio` times as long: ahead, level (within 5 %) or BEHIND. */
const char *verdict(double ratio);

/* How many bytes of all that an engine holds there are for each entry. */
double per_entry(uint64_t bytes, const struct workload *workload);

/* Bytes of sort key and value. */
double payload_per_entry(const struct workload *workload);

/* Entries visited (or counted) per operation. */
double entries_per_operation(const struct engine_result *result);

/* Whether there is a time per entry beside the one per operation: it reads, and more than one entry. */
bool has_time_per_entry(const struct result *result);

/* The bytes of key and value an operation visits. */
double bytes_per_operation(const struct engine_result *result);

/* The bytes that an operation moved per entry it visited; for memory, what the engine holds per entry. */
double bytes_per_entry(const struct workload *workload, const struct result *result, const struct engine_result *engine);

#endif
