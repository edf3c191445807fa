#include <math.h>

#include "bench/figures.h"
#include "bench/table.h"

static void print_names(const struct report *report, bool with_spread)
{
    for (unsigned i = 0; i < report->engine_count; i++) {
        printf(" %10s", report->engines[i]->name);
        if (with_spread && report_is_ours(report, i)) printf(" %6s", "spread");
    }
}

static void print_head(const struct report *report, const char *title)
{
    printf("\n  %-29s", title);
    print_names(report, true);
    printf(" %6s  %s\n", "ratio", "best peer");
}

/* Ours among `numbers`; not a number if we do not take part. */
static double ours_of(const struct report *report, const struct spread *numbers)
{
    for (unsigned i = 0; i < report->engine_count; i++) {
        if (report_is_ours(report, i)) return numbers[i].median;
    }
    return NAN;
}

/* The best of the peers: where it stands in `numbers`. -1 if there is none. */
static int best_peer(const struct report *report, const struct spread *numbers)
{
    int best = -1;
    for (unsigned i = 0; i < report->engine_count; i++) {
        if (!report_is_peer(report, i) || isnan(numbers[i].median)) continue;
        if (best < 0 || numbers[i].median < numbers[best].median) best = (int)i;
    }
    return best;
}

/* Medians, how far Sheaf's runs lay apart in percent of theirs, and the best peer's ratio to ours. */
static void print_row(const struct report *report, const struct spread *numbers)
{
    double ours = ours_of(report, numbers);
    int best = best_peer(report, numbers);
    for (unsigned i = 0; i < report->engine_count; i++) {
        printf(" %10s", readable(numbers[i].median).text);
        if (!report_is_ours(report, i)) continue;
        char text[32] = "";
        if (numbers[i].least < numbers[i].most) {
            snprintf(text, sizeof text, "%.0f%%", (numbers[i].most - numbers[i].least) / ours * 100);
        }
        printf(" %6s", text);
    }
    if (!isnan(ours) && best >= 0) {
        double ratio = numbers[best].median / ours;
        printf(" %6s  %-7s %s", readable_ratio(ratio).text, report->engines[best]->name, verdict(ratio));
    }
    putchar('\n');
}

void many_times(const struct report *report, const struct result *results, size_t count)
{
    print_head(report, "ns per operation");
    for (size_t i = 0; i < count; i++) {
        struct spread numbers[PEER_COUNT_MAX];
        report_times(report, &results[i], numbers);
        printf("  %-29s", results[i].prepared->operation->title);
        print_row(report, numbers);
    }
}

void many_instructions(const struct report *report, const struct result *results, size_t count)
{
    print_head(report, "instructions per operation");
    for (size_t i = 0; i < count; i++) {
        struct spread numbers[PEER_COUNT_MAX];
        report_instructions(report, &results[i], numbers);
        printf("  %-29s", results[i].prepared->operation->title);
        print_row(report, numbers);
    }
}

/* ---- questions about more than one entry ------------------------------------------------------------------------------ */

static void print_time_per_entry(const struct report *report, const struct result *result)
{
    struct spread numbers[PEER_COUNT_MAX];
    const struct engine_result *first = &result->engines[0];
    double entries = entries_per_operation(first);
    report_times(report, result, numbers);
    printf("  %-29s %9s %10s", result->prepared->operation->title, readable(entries).text,
           readable(bytes_per_operation(first)).text);
    for (unsigned i = 0; i < report->engine_count; i++) printf(" %10s", readable(numbers[i].median / entries).text);
    putchar('\n');
}

static void print_ratios(const struct report *report, const struct result *result)
{
    struct spread numbers[PEER_COUNT_MAX];
    report_times(report, result, numbers);
    double ours = ours_of(report, numbers);
    printf("  %-29s %9s %10s", result->prepared->operation->title, "", "");
    for (unsigned i = 0; i < report->engine_count; i++) {
        double ratio = numbers[i].median / ours;
        if (report_is_ours(report, i)) ratio = NAN;
        printf(" %9s%s", readable_ratio(ratio).text, ratio <= 0.95 ? "!" : " ");
    }
    putchar('\n');
}

void many_per_entry(const struct report *report, const struct result *results, size_t count)
{
    printf("\n  %-29s %9s %10s", "ns per entry", "entries", "bytes");
    print_names(report, false);
    putchar('\n');
    for (size_t i = 0; i < count; i++) {
        if (has_time_per_entry(&results[i])) print_time_per_entry(report, &results[i]);
    }
    printf("\n  %-29s %9s %10s", "times ours (!: BEHIND)", "", "");
    print_names(report, false);
    putchar('\n');
    for (size_t i = 0; i < count; i++) print_ratios(report, &results[i]);
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

/* What each engine holds beyond sort key and value, and in brackets by what its process grew beyond them. */
static void print_memory(const struct report *report, const struct workload *workload, const struct result *result)
{
    struct spread numbers[PEER_COUNT_MAX];
    double payload = payload_per_entry(workload);
    printf("  %-26s", result->prepared->operation->title);
    for (unsigned i = 0; i < report->engine_count; i++) {
        const struct measurement *last = &result->engines[i].last;
        char resident[32];
        numbers[i].median = NAN;
        if (result->engines[i].absent) continue;
        numbers[i].median = per_entry(last->held_bytes, workload) - payload;
        snprintf(resident, sizeof resident, "(%+.0f)", per_entry(last->resident_bytes, workload) - payload);
        printf(" %+6.1f %-6s", numbers[i].median, resident);
    }
    double ours = ours_of(report, numbers);
    int best = best_peer(report, numbers);
    if (!isnan(ours) && best >= 0) {
        double peer = numbers[best].median;
        printf(" %-7s %s", report->engines[best]->name, ours < peer ? "ahead" : ours > peer ? "BEHIND" : "level");
    }
    putchar('\n');
}

void many_memory(const struct report *report, const struct workload *workload, const struct result *results, size_t count)
{
    printf("\n  %-26s", "bytes beyond (resident)");
    for (unsigned i = 0; i < report->engine_count; i++) {
        if (!results[0].engines[i].absent) printf(" %6s %-6s", report->engines[i]->name, "");
    }
    printf(" best peer\n");
    for (size_t i = 0; i < count; i++) print_memory(report, workload, &results[i]);
}
