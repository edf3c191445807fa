/*
 * fatal.h - how a bench program gives up: a message on standard error, exit code 1.
 */
#ifndef BENCH_FATAL_H
#define BENCH_FATAL_H

_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with exit code 2: the command line is at fault. */
_Noreturn void fatal_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory or the end. */
void *allocate_or_fail(unsigned long long count, unsigned long long size);

#endif
