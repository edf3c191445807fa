#include <math.h>

#include "bench/figures.h"
#include "bench/table.h"

static void print_head(const struct report *report, const char *title)
{
    printf("\n  %-29s", title);
    for (unsigned i = 0; i < report->engine_count; i++) printf(" %10s", report->engines[i]->name);
    putchar('\n');
}

static void print_cpu(const struct report *report, const struct result *result)
{
    printf("  %-29s", result->prepared->operation->title);
    for (unsigned i = 0; i < report->engine_count; i++) {
        double ns = result->engines[i].absent ? NAN : spread_of(result->engines[i].cpu_ns, report->options->runs).median;
        printf(" %10s", readable(ns).text);
    }
    putchar('\n');
}

static void print_gain(const struct report *report, const struct result *one, const struct result *two)
{
    struct spread alone[PEER_COUNT_MAX], together[PEER_COUNT_MAX];
    report_times(report, one, alone);
    report_times(report, two, together);
    printf("  %-29s", two->prepared->operation->title);
    for (unsigned i = 0; i < report->engine_count; i++) {
        printf(" %10s", readable_ratio(alone[i].median / together[i].median).text);
    }
    putchar('\n');
}

/* What the locks cost one thread: times by the shared store, the store without any being 1. */
static void print_cost(const struct report *report, const struct result *result)
{
    struct spread times[PEER_COUNT_MAX];
    double shared = NAN, plain = NAN;
    report_times(report, result, times);
    for (unsigned i = 0; i < report->engine_count; i++) {
        if (report->engines[i] == &peer_shared) shared = times[i].median;
        if (report->engines[i] == &peer_sheaf) plain = times[i].median;
    }
    if (isnan(shared) || isnan(plain)) return;
    printf("  %-29s %10s\n", result->prepared->operation->title, readable_ratio(shared / plain).text);
}

void threads_cpu_and_gain(const struct report *report, const struct result *results, size_t count)
{
    print_head(report, "CPU ns per operation");
    for (size_t i = 0; i < count; i++) print_cpu(report, &results[i]);
    print_head(report, "throughput, one thread = 1");
    for (size_t i = 1; i < count; i++) {
        bool pair = results[i - 1].prepared->operation->threads == 1 && results[i].prepared->operation->threads > 1;
        if (pair) print_gain(report, &results[i - 1], &results[i]);
    }
    printf("\n  locks, sheaf without = 1\n");
    for (size_t i = 0; i < count; i++) print_cost(report, &results[i]);
}
