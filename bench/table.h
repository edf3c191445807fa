/*
 * table.h - results as tables for people.
 *
 * Beside one peer (pair_...) there is room for all figures of a row; beside several (many_...) for medians, and for who is the
 * best of them. An engine without a form for an operation has a blank place.
 */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "bench/report.h"

void pair_times(const struct report *report, const struct result *results, size_t count);
void pair_memory(const struct report *report, const struct workload *workload, const struct result *results, size_t count);
void pair_instructions(const struct report *report, const struct result *results, size_t count);

void many_times(const struct report *report, const struct result *results, size_t count);
void many_memory(const struct report *report, const struct workload *workload, const struct result *results, size_t count);
void many_instructions(const struct report *report, const struct result *results, size_t count);

/* Entries and bytes of each question, the time of each engine per entry, and how many times ours the others' times are. */
void many_per_entry(const struct report *report, const struct result *results, size_t count);

/* CPU time of all threads per operation, and how many times one thread's work two do in the same time: beside any number of
 * engines. The operation with one thread stands before that with two. */
void threads_cpu_and_gain(const struct report *report, const struct result *results, size_t count);

/* Instructions per operation and per entry. */
void counts_table(const struct report *report, const struct result *results, size_t count);

#endif
