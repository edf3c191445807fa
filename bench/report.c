#include "bench/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/fatal.h"

/* ---- numbers for people ----------------------------------------------------------------------------------------------- */

struct number_text {
    char text[32];
};

/* 1204.4 as "1,204", 35.21 as "35.2". */
static struct number_text readable(double number)
{
    char digits[32];
    struct number_text out;
    int size = snprintf(digits, sizeof digits, number < 99.95 ? "%.1f" : "%.0f", number), at = 0;
    if (number < 99.95) {
        memcpy(out.text, digits, (size_t)size + 1);
        return out;
    }
    for (int i = 0; i < size && at < (int)sizeof out.text - 2; i++) {
        if (i > 0 && (size - i) % 3 == 0) out.text[at++] = ',';
        out.text[at++] = digits[i];
    }
    out.text[at] = '\0';
    return out;
}

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

/* ---- head ------------------------------------------------------------------------------------------------------------- */

void report_head(const struct report *report)
{
    char processor[128], date[32];
    time_t now = time(NULL);
    processor_name(processor, sizeof processor);
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    printf("%s\n%s, %s, ", report->bench->title, date, processor);
    if (report->options->core >= 0) printf("core %d, ", report->options->core);
    printf("thread CPU time, median of %u\n", report->options->runs);
    for (unsigned i = 0; i < report->engine_count; i++) {
        printf("  %-8s %s\n", report->engines[i]->name, report->engines[i]->describe());
    }
    if (report->options->huge_pages) printf("  glibc's malloc uses 2 MiB pages\n");
}

/* ---- the table of times ----------------------------------------------------------------------------------------------- */

static bool is_ours(const struct report *report, unsigned engine)
{
    return report->engines[engine] == &peer_sheaf;
}

/* Beside one peer there is room for all figures of a row; beside several for medians, and for who is the best of them. */
static bool is_compact(const struct report *report)
{
    return report->engine_count > 2;
}

static void print_compact_head(const struct report *report, const char *title)
{
    printf("\n  %-29s", title);
    for (unsigned i = 0; i < report->engine_count; i++) {
        printf(" %9s", report->engines[i]->name);
        if (is_ours(report, i)) printf(" %6s", "spread");
    }
    printf(" %6s  %s\n", "ratio", "best peer");
}

static void print_time_head(const struct report *report)
{
    if (is_compact(report)) {
        print_compact_head(report, "ns per operation");
        return;
    }
    printf("\n  %-26s %9s", "ns per operation", "entries");
    for (unsigned i = 0; i < report->engine_count; i++) {
        if (is_ours(report, i)) {
            printf(" %11s %18s", report->engines[i]->name, "min to max");
        } else {
            printf(" %11s %6s", report->engines[i]->name, report->engine_count > 1 ? "ratio" : "");
        }
    }
    putchar('\n');
}

/* How Sheaf stands against the best of the others. */
static const char *verdict(double ratio)
{
    return ratio >= 1.05 ? "ahead" : ratio > 0.95 ? "level" : "BEHIND";
}

static void print_verdict(const struct report *report, double ours, double best, const char *best_name)
{
    double ratio = best / ours;
    if (report->engine_count < 2 || ours <= 0) return;
    printf("  %s", verdict(ratio));
    if (ratio <= 0.95) printf(" %s", best_name);
}

/* The best of the peers: where it stands in `numbers`. -1 if there is none. */
static int best_peer(const struct report *report, const struct spread *numbers)
{
    int best = -1;
    for (unsigned i = 0; i < report->engine_count; i++) {
        if (is_ours(report, i)) continue;
        if (best < 0 || numbers[i].median < numbers[best].median) best = (int)i;
    }
    return best;
}

/* Medians, how far Sheaf's runs lay apart in percent of theirs, and the best peer's ratio to ours. */
static void print_compact_row(const struct report *report, const struct spread *numbers, bool with_spread)
{
    double ours = 0;
    int best = best_peer(report, numbers);
    for (unsigned i = 0; i < report->engine_count; i++) {
        printf(" %9s", readable(numbers[i].median).text);
        if (!is_ours(report, i)) continue;
        char text[32] = "";
        ours = numbers[i].median;
        if (with_spread && ours > 0) snprintf(text, sizeof text, "%.0f%%", (numbers[i].most - numbers[i].least) / ours * 100);
        printf(" %6s", text);
    }
    if (ours > 0) {
        double ratio = numbers[best].median / ours;
        printf(" %6.*f  %-7s %s", ratio < 9.95 ? 2 : 0, ratio, report->engines[best]->name, verdict(ratio));
    }
    putchar('\n');
}

/* Columns of one row: ours with its spread, the others with their ratio to ours; `numbers` holds one spread per engine. */
static void print_row(const struct report *report, const struct spread *numbers, bool with_spread)
{
    double ours = 0, best = INFINITY;
    const char *best_name = "";
    for (unsigned i = 0; i < report->engine_count; i++) {
        printf(" %11s", readable(numbers[i].median).text);
        if (is_ours(report, i)) {
            char range[80] = "";
            ours = numbers[i].median;
            if (with_spread) {
                snprintf(range, sizeof range, "%s to %s", readable(numbers[i].least).text, readable(numbers[i].most).text);
            }
            printf(" %18s", range);
            continue;
        }
        if (ours > 0) printf(" %6.*f", numbers[i].median / ours < 9.95 ? 2 : 0, numbers[i].median / ours);
        if (numbers[i].median < best) {
            best = numbers[i].median;
            best_name = report->engines[i]->name;
        }
    }
    print_verdict(report, ours, best, best_name);
    putchar('\n');
}

static void print_times(const struct report *report, const struct result *result)
{
    struct spread numbers[PEER_COUNT_MAX];
    for (unsigned i = 0; i < report->engine_count; i++) {
        numbers[i] = spread_of(result->engines[i].ns, report->options->runs);
    }
    bool one_by_one = result->engines[0].last.operations == result->engines[0].last.checksum.entries;
    if (is_compact(report)) {
        printf("  %-29s", result->prepared->operation->title);
        print_compact_row(report, numbers, true);
        return;
    }
    printf("  %-26s %9s", result->prepared->operation->title,
           one_by_one || operation_writes(result->prepared->operation)
               ? ""
               : readable(entries_per_operation(&result->engines[0])).text);
    print_row(report, numbers, true);
}

/* ---- memory and instructions ------------------------------------------------------------------------------------------ */

static double per_entry(uint64_t bytes, const struct workload *workload)
{
    return (double)bytes / workload->count;
}

/* Sort key and value. */
static double payload_per_entry(const struct workload *workload)
{
    return (double)workload->key_bytes / workload->count + (double)workload->value_size;
}

/* What each engine holds beyond sort key and value, and in brackets by what its process grew beyond them. */
static void print_compact_memory(const struct report *report, const struct workload *workload, const struct result *result)
{
    struct spread numbers[PEER_COUNT_MAX];
    double payload = payload_per_entry(workload), ours = INFINITY;
    printf("  %-26s", result->prepared->operation->title);
    for (unsigned i = 0; i < report->engine_count; i++) {
        const struct measurement *last = &result->engines[i].last;
        char resident[32];
        numbers[i].median = per_entry(last->held_bytes, workload) - payload;
        snprintf(resident, sizeof resident, "(%+.0f)", per_entry(last->resident_bytes, workload) - payload);
        printf(" %+6.1f %-6s", numbers[i].median, resident);
        if (is_ours(report, i)) ours = numbers[i].median;
    }
    int best = best_peer(report, numbers);
    if (isfinite(ours)) {
        printf(" %-7s %s", report->engines[best]->name,
               ours < numbers[best].median   ? "ahead"
               : ours > numbers[best].median ? "BEHIND"
                                             : "level");
    }
    putchar('\n');
}

static void print_memory(const struct report *report, const struct workload *workload, const struct result *result)
{
    if (is_compact(report)) {
        print_compact_memory(report, workload, result);
        return;
    }
    double payload = payload_per_entry(workload);
    printf("  %-26s", result->prepared->operation->title);
    double ours = INFINITY, best = INFINITY;
    for (unsigned i = 0; i < report->engine_count; i++) {
        const struct measurement *last = &result->engines[i].last;
        double held = per_entry(last->held_bytes, workload);
        printf(" %9.1f %+8.1f %9.1f", held, held - payload, per_entry(last->resident_bytes, workload));
        if (is_ours(report, i)) ours = held;
        if (!is_ours(report, i) && held < best) best = held;
    }
    if (report->engine_count > 1) printf("  %s", ours < best ? "ahead" : ours > best ? "BEHIND" : "level");
    putchar('\n');
}

static void print_memory_head(const struct report *report)
{
    if (is_compact(report)) {
        printf("\n  %-26s", "bytes beyond (resident)");
        for (unsigned i = 0; i < report->engine_count; i++) printf(" %6s %-6s", report->engines[i]->name, "");
        printf(" best peer\n");
        return;
    }
    printf("\n  %-26s", "bytes per entry");
    for (unsigned i = 0; i < report->engine_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s holds", report->engines[i]->name);
        printf(" %*s %8s %9s", 9, name, "beyond", "resident");
    }
    putchar('\n');
}

static bool counted_instructions(const struct report *report, const struct result *results)
{
    for (unsigned i = 0; i < report->engine_count; i++) {
        if (results[0].engines[i].instructions < 0) return false;
    }
    return true;
}

static void print_instructions(const struct report *report, const struct result *results, size_t count)
{
    char head[64];
    snprintf(head, sizeof head, "instructions per operation");
    if (is_compact(report)) {
        print_compact_head(report, head);
    } else {
        printf("\n  %-26s %9s", head, "");
        for (unsigned i = 0; i < report->engine_count; i++) {
            printf(is_ours(report, i) ? " %11s %18s" : " %11s %6s", report->engines[i]->name,
                   is_ours(report, i) ? "" : "ratio");
        }
        putchar('\n');
    }
    for (size_t i = 0; i < count; i++) {
        struct spread numbers[PEER_COUNT_MAX];
        for (unsigned engine = 0; engine < report->engine_count; engine++) {
            numbers[engine].median = results[i].engines[engine].instructions;
        }
        if (is_compact(report)) {
            printf("  %-29s", results[i].prepared->operation->title);
            print_compact_row(report, numbers, false);
        } else {
            printf("  %-26s %9s", results[i].prepared->operation->title, "");
            print_row(report, numbers, false);
        }
    }
    printf("  counted by callgrind on %s entries\n", readable(results[0].engines[0].instructions_count).text);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------- */

/* The bytes that an operation moved per entry it visited; for memory, what the engine holds per entry. */
static double bytes_per_entry(const struct workload *workload, const struct result *result, const struct engine_result *engine)
{
    if (result->prepared->operation->kind == OPERATION_HOLD) return per_entry(engine->last.held_bytes, workload);
    if (operation_writes(result->prepared->operation)) return payload_per_entry(workload);
    if (engine->last.checksum.entries == 0) return 0;
    return (double)engine->last.checksum.bytes / (double)engine->last.checksum.entries;
}

static void write_json(const struct report *report, const struct workload *workload, const struct result *result, unsigned i)
{
    const struct engine_result *engine = &result->engines[i];
    const struct operation *operation = result->prepared->operation;
    const struct options *options = report->options;
    struct spread ns = spread_of(engine->ns, options->runs), canary = spread_of(result->canary_ns, options->runs);
    FILE *out = report->json;
    bool hold = operation->kind == OPERATION_HOLD;
    fprintf(out, "{\"bench\":\"%s\",\"shape\":\"%s\",\"op\":\"%s\",\"engine\":\"%s\"", report->bench->name,
            shape_letter(workload->shape), operation->name, report->engines[i]->name);
    fprintf(out, ",\"ns_per_op\":%.2f,\"entries_per_op\":%.3f,\"bytes_per_entry\":%.2f", ns.median,
            operation_writes(operation) ? 1.0 : entries_per_operation(engine), bytes_per_entry(workload, result, engine));
    if (engine->instructions >= 0) {
        fprintf(out, ",\"instructions_per_op\":%.1f,\"instructions_entry_count\":%u", engine->instructions,
                engine->instructions_count);
    } else {
        fprintf(out, ",\"instructions_per_op\":null");
    }
    fprintf(out, ",\"runs\":%u,\"ns_min\":%.2f,\"ns_max\":%.2f", options->runs, ns.least, ns.most);
    if (hold) {
        fprintf(out, ",\"overhead_per_entry\":%.2f,\"resident_per_entry\":%.2f",
                per_entry(engine->last.held_bytes, workload) - payload_per_entry(workload),
                per_entry(engine->last.resident_bytes, workload));
    }
    fprintf(out, ",\"entry_count\":%u,\"collection_count\":%u,\"value_size\":%zu,\"batch\":%" PRIu64, workload->count,
            workload->collection_count, workload->value_size, engine->last.operations);
    fprintf(out, ",\"canary_ns\":%.1f,\"canary_min\":%.1f,\"canary_max\":%.1f,\"huge_pages\":%s", canary.median, canary.least,
            canary.most, options->huge_pages ? "true" : "false");
    fprintf(out, ",\"checksum\":\"%016" PRIx64 "\"}\n", engine->last.checksum.sum);
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

void report_shape(const struct report *report, const struct workload *workload, const struct result *results, size_t count)
{
    char description[256];
    workload_describe(workload, description, sizeof description);
    printf("\n%s\n", description);
    bool hold = count > 0 && results[0].prepared->operation->kind == OPERATION_HOLD;
    if (hold) {
        print_memory_head(report);
    } else {
        print_time_head(report);
    }
    for (size_t i = 0; i < count; i++) {
        if (hold) {
            print_memory(report, workload, &results[i]);
        } else {
            print_times(report, &results[i]);
        }
    }
    if (!hold) print_noise(report, results, count);
    if (!hold && counted_instructions(report, results)) print_instructions(report, results, count);
    for (size_t i = 0; report->json && i < count; i++) {
        for (unsigned engine = 0; engine < report->engine_count; engine++) write_json(report, workload, &results[i], engine);
    }
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
