#include "bench/harness.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/expected.h"
#include "bench/fatal.h"
#include "bench/instructions.h"
#include "bench/measure.h"
#include "bench/process.h"
#include "bench/report.h"

/* Everything about one shape while it runs. */
struct session {
    const struct report *report;
    struct workload workload;
    struct expected expected; /* only with --verify */
    struct prepared *prepared;
    struct result *results;
    size_t count; /* of the two above */
    struct worker workers[PEER_COUNT_MAX];
    struct process processes[PEER_COUNT_MAX];
    struct canary *canary;
};

/* ---- setting up ------------------------------------------------------------------------------------------------------- */

static bool is_part(const struct bench *bench, const struct operation *operation)
{
    return bench->all ? operation->kind != OPERATION_HOLD : strcmp(bench->name, operation->bench) == 0;
}

/* Which engines have a form for the operation. */
static void mark_absent(const struct report *report, const struct prepared *prepared, enum shape shape, struct result *result)
{
    result->prepared = prepared;
    for (unsigned i = 0; i < report->engine_count; i++) {
        const struct peer *peer = report->engines[i];
        result->engines[i].absent = peer->has_form && !peer->has_form(prepared->operation, shape);
        result->engines[i].instructions = -1;
    }
}

/*
 * Engines of a shape are in memory all at once, beside the keys, of which there are three copies. By experience the peers hold 160
 * bytes beside an entry and, with values of pages, a quarter more than its own. Rather than have the system end one, ask for less.
 */
static void check_memory(const struct report *report, enum shape shape, uint64_t count)
{
    const double key_size = 64; /* with partition key and what a tape adds */
    double entries = (double)count * (shape == SHAPE_MANY ? ENTRIES_PER_SMALL_COLLECTION / 10.0 : 1);
    double held = 1.25 * (key_size + (double)report->options->value_size) + 160;
    double needed = entries * (report->engine_count * held + 3 * key_size);
    double available = (double)available_bytes();
    if (needed <= available) return;
    fatal_usage("%s: %u engines with %.0f entries may take %.1f GiB, and there are %.1f; try --engine or --count",
                shape_letter(shape), report->engine_count, entries, needed / 0x1p30, available / 0x1p30);
}

static void session_init(struct session *session, const struct report *report, enum shape shape)
{
    const struct options *options = report->options;
    uint64_t count = options->large && shape == SHAPE_LEADERBOARD ? 10000000 : options->count;
    *session = (struct session){ .report = report };
    check_memory(report, shape, count);
    workload_init(&session->workload, shape, count, options->value_size, options->seed, options->data_folder);
    session->prepared = allocate_or_fail(report->bench->operation_count, sizeof *session->prepared);
    session->results = allocate_or_fail(report->bench->operation_count, sizeof *session->results);
    for (size_t i = 0; i < report->bench->operation_count; i++) {
        const struct operation *operation = &report->bench->operations[i];
        if (!(operation->shapes & 1u << shape) || !is_part(report->bench, operation)) continue;
        if (!options_want_operation(options, operation->name)) continue;
        prepare(&session->prepared[session->count], operation, &session->workload);
        mark_absent(report, &session->prepared[session->count], shape, &session->results[session->count]);
        session->count++;
    }
    bool account = session->count > 0 && session->prepared[0].operation->kind == OPERATION_HOLD;
    for (unsigned i = 0; i < report->engine_count; i++) {
        worker_init(&session->workers[i], report->engines[i], &session->workload, account, options->verify, options->cores);
    }
    if (options->verify) expected_init(&session->expected, &session->workload);
}

static void session_deinit(struct session *session)
{
    for (unsigned i = 0; i < session->report->engine_count; i++) {
        process_stop(&session->processes[i]);
        worker_deinit(&session->workers[i]);
    }
    for (size_t i = 0; i < session->count; i++) prepared_release(&session->prepared[i]);
    if (session->report->options->verify) expected_release(&session->expected);
    canary_destroy(session->canary);
    free(session->prepared);
    free(session->results);
    workload_release(&session->workload);
}

/* ---- comparing -------------------------------------------------------------------------------------------------------- */

static void compare(const struct checksum *right, const struct checksum *given, const char *right_name, const char *given_name,
                    const struct operation *operation, enum shape shape)
{
    if (right->sum == given->sum && right->entries == given->entries && right->bytes == given->bytes) return;
    fatal("%s: %s: %s and %s differ: sums %016llx and %016llx, entries %llu and %llu, bytes %llu and %llu", shape_letter(shape),
          operation->name, right_name, given_name, (unsigned long long)right->sum, (unsigned long long)given->sum,
          (unsigned long long)right->entries, (unsigned long long)given->entries, (unsigned long long)right->bytes,
          (unsigned long long)given->bytes);
}

/* All engines of the last run with the right answer, or else with the first of them. */
static void compare_engines(struct session *session, size_t index, uint32_t generation)
{
    const struct report *report = session->report;
    const struct result *result = &session->results[index];
    const struct operation *operation = result->prepared->operation;
    struct checksum right;
    const char *right_name = NULL;
    if (report->options->verify) {
        right = expected_run(&session->expected, result->prepared, generation);
        right_name = "the right answer";
    }
    for (unsigned i = 0; i < report->engine_count; i++) {
        const struct measurement *last = &result->engines[i].last;
        if (result->engines[i].absent) continue;
        if (!right_name) {
            right = last->checksum;
            right_name = report->engines[i]->name;
        }
        compare(&right, &last->checksum, right_name, report->engines[i]->name, operation, session->workload.shape);
        if (!last->sound) fatal("%s: %s breaks its own invariants", operation->name, report->engines[i]->name);
    }
}

/* ---- running ---------------------------------------------------------------------------------------------------------- */

static void run_engine(struct session *session, size_t index, unsigned engine, unsigned run, uint32_t generation)
{
    const struct report *report = session->report;
    const struct operation *operation = session->prepared[index].operation;
    struct process *process = &session->processes[engine];
    struct engine_result *result = &session->results[index].engines[engine];
    if (result->absent) return;
    report_progress(shape_letter(session->workload.shape), report->engines[engine]->name, operation->title, run,
                    report->options->runs);
    if (operation->kind == OPERATION_HOLD) process_stop(process); /* memory is measured in a process that has held none */
    if (process->pid == 0) process_start(process, &session->workers[engine], session->prepared, session->count);
    process_run(process, (uint32_t)index, generation, report->engines[engine]->name, &result->last);
    result->ns[run] = (double)result->last.elapsed_ns / (double)result->last.operations;
    result->cpu_ns[run] = (double)result->last.cpu_ns / (double)result->last.operations;
}

/* Operations `first` to `end` - 1 make a group. */
static void run_group(struct session *session, size_t first, size_t end)
{
    unsigned engine_count = session->report->engine_count;
    for (unsigned run = 0; run < session->report->options->runs; run++) {
        for (size_t index = first; index < end; index++) {
            session->results[index].canary_ns[run] = canary_ns_per_load(session->canary);
            for (unsigned turn = 0; turn < engine_count; turn++) {
                run_engine(session, index, (turn + run) % engine_count, run, run + 1);
            }
            compare_engines(session, index, run + 1);
        }
    }
}

/* What is not run here is not measured here: how many entries its operations visit is worked out from the keys. */
static void tell_entries(struct session *session)
{
    struct expected expected;
    expected_init(&expected, &session->workload);
    for (size_t index = 0; index < session->count; index++) {
        struct measurement known = { .operations = session->prepared[index].count };
        known.checksum = expected_run(&expected, &session->prepared[index], 1);
        for (unsigned i = 0; i < session->report->engine_count; i++) session->results[index].engines[i].last = known;
    }
    expected_release(&expected);
}

static void run_shape(const struct report *report, enum shape shape)
{
    struct session session;
    session_init(&session, report, shape);
    session.canary = canary_create();
    if (report->bench->counted) tell_entries(&session);
    for (size_t first = 0, end; first < session.count && !report->bench->counted; first = end) {
        for (end = first + 1; end < session.count; end++) {
            if (session.prepared[end].operation->group != session.prepared[first].operation->group) break;
        }
        run_group(&session, first, end);
    }
    for (unsigned i = 0; report->options->instructions && i < report->engine_count; i++) {
        report_progress(shape_letter(shape), report->engines[i]->name, "counting instructions", 0, 1);
        instructions_count(report->options, &session.workload, report->engines[i], i, session.results, session.count);
    }
    report_progress_end();
    if (session.count > 0) report_shape(report, &session.workload, session.results, session.count);
    session_deinit(&session);
}

/* What callgrind watches: one engine, every operation once, in this process. */
static void run_counting(const struct report *report, enum shape shape)
{
    struct session session;
    session_init(&session, report, shape);
    for (size_t i = 0; i < session.count; i++) {
        struct engine_result *result = &session.results[i].engines[0];
        if (result->absent) continue;
        worker_run(&session.workers[0], &session.prepared[i], 1, &result->last);
        compare_engines(&session, i, 1);
    }
    session_deinit(&session);
}

/* ---- the program ------------------------------------------------------------------------------------------------------ */

/* glibc reads this when a process starts: run the same program again with it. */
static void ask_for_huge_pages(char **argv)
{
    const char *wanted = "glibc.malloc.hugetlb=1", *now = getenv("GLIBC_TUNABLES");
    if (now && strcmp(now, wanted) == 0) return;
    setenv("GLIBC_TUNABLES", wanted, 1);
    execv("/proc/self/exe", argv);
    fatal("cannot start again with huge pages");
}

/* A program that only counts. Under callgrind everything takes fifty times as long, and counts do not vary. */
static void ask_for_counts(struct options *options)
{
    options->instructions = true;
    options->runs = 1;
    if (!options->engines) options->engines = peer_sheaf.name;
    if (options->count > COUNTED_ENTRIES_MAX) options->count = COUNTED_ENTRIES_MAX;
}

/* Whether it has a form for anything of this program. */
static bool takes_part(const struct peer *peer, const struct bench *bench)
{
    for (size_t i = 0; peer->has_form && i < bench->operation_count; i++) {
        for (unsigned shape = 0; shape < SHAPE_COUNT; shape++) {
            if (!is_part(bench, &bench->operations[i])) continue;
            if (peer->has_form(&bench->operations[i], (enum shape)shape)) return true;
        }
    }
    return !peer->has_form;
}

static unsigned choose_engines(const struct options *options, const struct bench *bench, const struct peer **out)
{
    unsigned count = 0;
    for (unsigned i = 0; i < peer_count; i++) {
        if (options_want_engine(options, peers[i]->name) && takes_part(peers[i], bench)) out[count++] = peers[i];
    }
    if (count == 0) fatal_usage("none of the engines has a form for what bench_%s asks", bench->name);
    return count;
}

int bench_main(int argc, char **argv, const struct bench *bench)
{
    struct options options;
    const struct peer *engines[PEER_COUNT_MAX];
    options_parse(&options, argc, argv, bench->name, bench->title);
    if (options.runs == 0) options.runs = bench->runs ? bench->runs : 5;
    if (bench->counted) ask_for_counts(&options);
    if (options.instructions && bench->threads) fatal_usage("--instructions: callgrind runs one thread at a time");
    if (options.huge_pages) ask_for_huge_pages(argv);
    if (options.core >= 0 && !pin_to_core(options.core)) fatal_usage("cannot run on core %d; try --core -1", options.core);
    struct report report = { .bench = bench, .options = &options, .engines = engines };
    report.engine_count = choose_engines(&options, bench, engines);
    if (options.json && !(report.json = fopen(options.json, "a"))) fatal_usage("cannot write %s", options.json);
    if (!options.counting) report_head(&report);
    for (unsigned shape = 0; shape < SHAPE_COUNT; shape++) {
        if (!(options.shapes & 1u << shape)) continue;
        if (options.counting) {
            run_counting(&report, (enum shape)shape);
        } else {
            run_shape(&report, (enum shape)shape);
        }
    }
    if (options.verify && !options.counting) printf("\nEvery answer is the right one.\n");
    if (report.json && fclose(report.json) != 0) fatal("cannot write %s", options.json);
    return 0;
}
