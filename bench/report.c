#include "bench/report.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/figures.h"
#include "bench/json.h"
#include "bench/shared.h"
#include "bench/table.h"

/* ---- head ------------------------------------------------------------------------------------------------------------- */

/* "model name" of the first processor, or what else is known. */
static void processor_name(char *out, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    snprintf(out, size, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(out, size, "%s", colon + 2);
        break;
    }
    if (file) fclose(file);
}

void report_head(const struct report *report)
{
    char processor[128], date[32];
    time_t now = time(NULL);
    processor_name(processor, sizeof processor);
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    printf("%s\n%s, %s, ", report->bench->title, date, processor);
    if (report->options->core >= 0) printf("core %d, ", report->options->core);
    if (report->bench->counted) {
        printf("instructions counted by callgrind\n");
    } else {
        printf("%s, median of %u\n", report->bench->threads ? "time on the wall" : "thread CPU time", report->options->runs);
    }
    for (unsigned i = 0; i < report->engine_count; i++) {
        printf("  %-10s %s\n", report->engines[i]->name, report->engines[i]->describe());
    }
    for (unsigned i = 0; report->bench->threads && i < report->engine_count; i++) {
        printf("  %-10s threads: %s\n", report->engines[i]->name, shared_describe(report->engines[i]));
    }
    if (report->options->huge_pages) printf("  glibc's malloc uses 2 MiB pages\n");
}

/* ---- what tables are made of ------------------------------------------------------------------------------------------- */

bool report_is_ours(const struct report *report, unsigned engine)
{
    return report->engines[engine] == (report->bench->threads ? &peer_shared : &peer_sheaf);
}

bool report_is_peer(const struct report *report, unsigned engine)
{
    return report->engines[engine] != &peer_shared && report->engines[engine] != &peer_sheaf;
}

void report_times(const struct report *report, const struct result *result, struct spread *out_numbers)
{
    for (unsigned i = 0; i < report->engine_count; i++) {
        out_numbers[i] = (struct spread){ NAN, NAN, NAN };
        if (!result->engines[i].absent) out_numbers[i] = spread_of(result->engines[i].ns, report->options->runs);
    }
}

void report_instructions(const struct report *report, const struct result *result, struct spread *out_numbers)
{
    for (unsigned i = 0; i < report->engine_count; i++) {
        double count = result->engines[i].absent ? NAN : result->engines[i].instructions;
        out_numbers[i] = (struct spread){ count, count, count };
    }
}

/* ---- one shape -------------------------------------------------------------------------------------------------------- */

static void print_noise(const struct report *report, const struct result *results, size_t count)
{
    double medians[256], least = INFINITY, most = 0;
    size_t used = count < 256 ? count : 256;
    for (size_t i = 0; i < used; i++) {
        struct spread canary = spread_of(results[i].canary_ns, report->options->runs);
        medians[i] = canary.median;
        if (canary.least < least) least = canary.least;
        if (canary.most > most) most = canary.most;
    }
    struct spread canary = spread_of(medians, (unsigned)(used < RUNS_MAX ? used : RUNS_MAX));
    printf("  canary (a dependent load from 64 MiB): %.0f ns, from %.0f to %.0f\n", canary.median, least, most);
}

static void print_tables(const struct report *report, const struct workload *workload, const struct result *results,
                         size_t count)
{
    bool many = report->engine_count > 2;
    if (results[0].prepared->operation->kind == OPERATION_HOLD) {
        (many ? many_memory : pair_memory)(report, workload, results, count);
        return;
    }
    if (report->bench->counted) {
        counts_table(report, results, count);
        return;
    }
    (many ? many_times : pair_times)(report, results, count);
    if (report->bench->threads) threads_cpu_and_gain(report, results, count);
    if (many && report->bench->per_entry) many_per_entry(report, results, count);
    print_noise(report, results, count);
    if (!report->options->instructions) return;
    (many ? many_instructions : pair_instructions)(report, results, count);
    printf("  counted by callgrind on %s entries\n", readable(results[0].engines[0].instructions_count).text);
}

void report_shape(const struct report *report, const struct workload *workload, const struct result *results, size_t count)
{
    char description[256];
    workload_describe(workload, description, sizeof description);
    printf("\n%s\n", description);
    print_tables(report, workload, results, count);
    if (report->json) json_write(report, workload, results, count);
    fflush(NULL);
}

/* ---- progress --------------------------------------------------------------------------------------------------------- */

void report_progress(const char *shape, const char *engine, const char *operation, unsigned run, unsigned runs)
{
    if (!isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r\033[K%s: %s, run %u of %u, %s", shape, operation, run + 1, runs, engine);
    fflush(stderr);
}

void report_progress_end(void)
{
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
}
