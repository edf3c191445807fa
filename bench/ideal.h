/*
 * ideal.h - how often caches of the textbook would have served a trace: of so many entries, all alike, and nothing to pay for
 * keeping books.
 */
#ifndef BENCH_IDEAL_H
#define BENCH_IDEAL_H

#include "bench/trace.h"

/* Evicts what has not been asked for the longest time. Each returns the number of hits. */
uint32_t ideal_lru(const struct trace *trace, uint32_t capacity);

/* Evicts what came first. */
uint32_t ideal_fifo(const struct trace *trace, uint32_t capacity);

/* Evicts what will not be asked for the longest time (Belady): none can do better. */
uint32_t ideal_optimum(const struct trace *trace, uint32_t capacity);

#endif
