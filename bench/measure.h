/*
 * measure.h - clocks, cores and memory of this process.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/export.h>

SHEAF_BEGIN_DECLARATIONS

/* CPU time of this thread. Time in which others had the core is not in it; what they did to its caches is. */
uint64_t thread_cpu_ns(void);

/* Time on the wall, from some fixed point. */
uint64_t wall_ns(void);

/* The highest core this process may use: the first ones serve interrupts. -1 if that cannot be known. */
int highest_core(void);

/* `core`, then the others this process may use, the highest first; -1 in the place of those there are not. */
void cores_from(int core, int *out_cores, unsigned count);

/* Keeps this thread on a core. False if that is not allowed. */
bool pin_to_core(int core);

/* Resident memory that no other process shares: what a process has written since it was forked. 0 if unknown. */
uint64_t private_resident_bytes(void);

/* Memory that processes can still take before the system has to swap or to end some. UINT64_MAX if unknown. */
uint64_t available_bytes(void);

/* What malloc has handed out in this process and not got back, with what it keeps beside each block. */
uint64_t malloc_used_bytes(void);

/*
 * The canary: a chase of pointers through 64 MiB, one dependent load after the other. Its price has nothing to do with any
 * engine, so what it costs beside a measurement tells how noisy the moment was.
 */
struct canary;
struct canary *canary_create(void);
void canary_destroy(struct canary *canary);
double canary_ns_per_load(struct canary *canary);

/* The middle of `count` > 0 numbers, which get sorted. */
double median_of(double *numbers, size_t count);

SHEAF_END_DECLARATIONS

#endif
