#include <math.h>

#include "bench/figures.h"
#include "bench/table.h"

static void print_head(const struct report *report, const char *title, const char *second)
{
    printf("\n  %-26s %9s", title, second);
    for (unsigned i = 0; i < report->engine_count; i++) {
        if (report_is_ours(report, i)) {
            printf(" %11s %18s", report->engines[i]->name, "min to max");
        } else {
            printf(" %11s %6s", report->engines[i]->name, report->engine_count > 1 ? "ratio" : "");
        }
    }
    putchar('\n');
}

static void print_ours(const struct spread *number)
{
    char range[80] = "";
    if (number->least < number->most) {
        snprintf(range, sizeof range, "%s to %s", readable(number->least).text, readable(number->most).text);
    }
    printf(" %11s %18s", readable(number->median).text, range);
}

/* Columns of one row: ours with its spread, the other's with its ratio to ours; `numbers` holds one spread per engine. */
static void print_row(const struct report *report, const struct spread *numbers)
{
    double ours = NAN, ratio = NAN;
    const char *other = "";
    for (unsigned i = 0; i < report->engine_count; i++) {
        if (report_is_ours(report, i)) {
            ours = numbers[i].median;
            print_ours(&numbers[i]);
            continue;
        }
        ratio = numbers[i].median / ours;
        other = report->engines[i]->name;
        printf(" %11s %6s", readable(numbers[i].median).text, readable_ratio(ratio).text);
    }
    if (!isnan(ratio)) printf("  %s", verdict(ratio));
    if (ratio <= 0.95) printf(" %s", other);
    putchar('\n');
}

void pair_times(const struct report *report, const struct result *results, size_t count)
{
    print_head(report, "ns per operation", "entries");
    for (size_t i = 0; i < count; i++) {
        struct spread numbers[PEER_COUNT_MAX];
        report_times(report, &results[i], numbers);
        const struct engine_result *first = &results[i].engines[0];
        bool one_by_one = first->last.operations == first->last.checksum.entries;
        bool blank = one_by_one || first->absent || operation_writes(results[i].prepared->operation);
        printf("  %-26s %9s", results[i].prepared->operation->title, blank ? "" : readable(entries_per_operation(first)).text);
        print_row(report, numbers);
    }
}

void pair_instructions(const struct report *report, const struct result *results, size_t count)
{
    print_head(report, "instructions per operation", "");
    for (size_t i = 0; i < count; i++) {
        struct spread numbers[PEER_COUNT_MAX];
        report_instructions(report, &results[i], numbers);
        printf("  %-26s %9s", results[i].prepared->operation->title, "");
        print_row(report, numbers);
    }
}

static void print_memory_head(const struct report *report)
{
    printf("\n  %-26s", "bytes per entry");
    for (unsigned i = 0; i < report->engine_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s holds", report->engines[i]->name);
        printf(" %*s %8s %9s", 9, name, "beyond", "resident");
    }
    putchar('\n');
}

static void print_memory(const struct report *report, const struct workload *workload, const struct result *result)
{
    double payload = payload_per_entry(workload), ours = NAN, other = NAN;
    printf("  %-26s", result->prepared->operation->title);
    for (unsigned i = 0; i < report->engine_count; i++) {
        const struct measurement *last = &result->engines[i].last;
        if (result->engines[i].absent) continue;
        double held = per_entry(last->held_bytes, workload);
        printf(" %9.1f %+8.1f %9.1f", held, held - payload, per_entry(last->resident_bytes, workload));
        *(report_is_ours(report, i) ? &ours : &other) = held;
    }
    if (!isnan(ours) && !isnan(other)) printf("  %s", ours < other ? "ahead" : ours > other ? "BEHIND" : "level");
    putchar('\n');
}

void pair_memory(const struct report *report, const struct workload *workload, const struct result *results, size_t count)
{
    print_memory_head(report);
    for (size_t i = 0; i < count; i++) print_memory(report, workload, &results[i]);
}
