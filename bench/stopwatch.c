#include "bench/stopwatch.h"

#include "bench/measure.h"

#ifdef HAVE_CALLGRIND_H
#include <valgrind/callgrind.h>
#else /* no counts then: instructions.c says so */
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(name) ((void)(name))
#endif

struct stopwatch stopwatch_start(const char *name)
{
    struct stopwatch stopwatch = { .name = name };
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    stopwatch.started_ns = thread_cpu_ns();
    return stopwatch;
}

uint64_t stopwatch_stop(const struct stopwatch *stopwatch)
{
    uint64_t elapsed_ns = thread_cpu_ns() - stopwatch->started_ns;
    CALLGRIND_DUMP_STATS_AT(stopwatch->name);
    CALLGRIND_STOP_INSTRUMENTATION;
    return elapsed_ns;
}
