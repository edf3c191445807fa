/*
 * fatal.h - how a bench program gives up: a message on standard error, exit code 1.
 */
#ifndef BENCH_FATAL_H
#define BENCH_FATAL_H

#include <sheaf/export.h>

SHEAF_BEGIN_DECLARATIONS

void fatal(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* The same with exit code 2: the command line is at fault. */
void fatal_usage(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Memory or the end. */
void *allocate_or_fail(unsigned long long count, unsigned long long size);

SHEAF_END_DECLARATIONS

#endif
