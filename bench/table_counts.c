#include <math.h>

#include "bench/figures.h"
#include "bench/table.h"

static void print_row(const struct report *report, const struct result *result)
{
    double entries = entries_per_operation(&result->engines[0]);
    bool range = has_time_per_entry(result);
    printf("  %-29s %9s", result->prepared->operation->title, readable(range ? entries : NAN).text);
    for (unsigned i = 0; i < report->engine_count; i++) {
        double count = result->engines[i].absent ? NAN : result->engines[i].instructions;
        printf(" %11s %11s", readable(count).text, readable(range ? count / entries : NAN).text);
    }
    putchar('\n');
}

void counts_table(const struct report *report, const struct result *results, size_t count)
{
    printf("\n  %-29s %9s", "instructions per operation", "entries");
    for (unsigned i = 0; i < report->engine_count; i++) printf(" %11s %11s", report->engines[i]->name, "per entry");
    putchar('\n');
    for (size_t i = 0; i < count; i++) print_row(report, &results[i]);
}
