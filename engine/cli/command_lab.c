/*
 * command_lab.c - sheaf lab: layouts compared on one's own records.
 *
 * All is read, tried and put into words before anything is written.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/cli/command.h"
#include "engine/cli/help.h"
#include "engine/cli/lab_options.h"
#include "engine/cli/sink.h"
#include "engine/cli/whole_file.h"
#include "engine/input/clock.h"
#include "engine/lab/lab.h"
#include "engine/lab/report_gnuplot.h"
#include "engine/lab/report_html.h"
#include "engine/lab/report_json.h"
#include "engine/lab/report_text.h"

/* ---- progress ----------------------------------------------------------------------------------------------------------- */

#define FIRST_NS 500000000u /* what is done by then needs no progress */

struct steps {
    bool on; /* standard error is a terminal */
    bool shown;
    uint64_t start_ns;
};

static void show_step(void *context, size_t step, size_t step_count, sheaf_bytes layout, sheaf_bytes pattern)
{
    struct steps *steps = context;
    if (!steps->on || clock_now_ns() - steps->start_ns < FIRST_NS) return;
    struct quoted name = quote(layout);
    (void)fprintf(stderr, "\r%zu of %zu: %s", step + 1, step_count, layout.size == 0 ? "right answers" : name.text);
    (void)fprintf(stderr, "%s%s\033[K", pattern.size > 0 ? ", " : ", loading", pattern.size > 0 ? quote(pattern).text : "");
    steps->shown = true;
}

static void end_steps(struct steps *steps)
{
    if (steps->shown) (void)fputs("\r\033[K", stderr);
}

/* ---- the plan ----------------------------------------------------------------------------------------------------------- */

static const char *name_of_plan(const struct lab_command_options *options)
{
    return strcmp(options->plan, "-") == 0 ? "<stdin>" : options->plan;
}

/* The folder that a file is in, with its final slash: what the plan's own file names start from. */
static void take_folder(const char *file, struct buffer *folder)
{
    const char *slash = strrchr(file, '/');
    if (slash) buffer_append(folder, sheaf_bytes_of(file, (size_t)(slash - file) + 1));
    buffer_append_byte(folder, '\0');
}

static bool read_plan(const struct lab_command_options *options, struct plan *plan)
{
    struct buffer text = { 0 };
    struct buffer folder = { 0 };
    struct complaint complaint;
    bool read = whole_file_read(options->plan, &text, &complaint);
    if (!read) (void)fprintf(stderr, "sheaf lab: %s\n", complaint.text);
    take_folder(options->plan, &folder);
    if (read && !plan_read(buffer_view(&text), (const char *)folder.data, &options->overrides, plan, &complaint)) {
        read = false;
        (void)fprintf(stderr, "%s: %s\n", name_of_plan(options), complaint.text);
    }
    buffer_release(&folder);
    buffer_release(&text);
    return read;
}

static bool carry_out(const struct lab_command_options *options, const struct plan *plan, struct lab *lab)
{
    struct steps steps = { .on = !options->quiet && isatty(STDERR_FILENO) == 1, .start_ns = clock_now_ns() };
    struct lab_options lab_options = { .reproducible = options->reproducible, .on_step = show_step, .context = &steps };
    struct complaint complaint;
    bool done = lab_run(plan, &lab_options, lab, &complaint);
    end_steps(&steps);
    if (!done) (void)fprintf(stderr, "%s: %s\n", name_of_plan(options), complaint.text);
    return done;
}

/* ---- reports ------------------------------------------------------------------------------------------------------------ */

static bool write_file(const char *name, void (*report)(const struct lab *lab, struct buffer *buffer), const struct lab *lab)
{
    struct buffer buffer = { 0 };
    struct complaint complaint;
    if (!name) return true;
    report(lab, &buffer);
    bool written = whole_file_write(name, buffer_view(&buffer), &complaint);
    if (!written) (void)fprintf(stderr, "sheaf lab: %s\n", complaint.text);
    buffer_release(&buffer);
    return written;
}

static bool write_answer(const struct lab_command_options *options, const struct lab *lab)
{
    struct sink sink;
    sink_open(&sink, STDOUT_FILENO);
    if (options->json) {
        report_json(lab, &sink.buffer);
    } else {
        report_text(lab, &sink.buffer);
    }
    sink_flush(&sink);
    bool written = !sink_failed(&sink);
    if (!written) (void)fprintf(stderr, "sheaf lab: cannot write the answer: %s\n", strerror(sink.error));
    sink_release(&sink);
    return written;
}

enum exit_code command_lab(int argc, char **argv)
{
    struct lab_command_options options;
    struct plan plan;
    struct lab lab;
    switch (lab_options_read(&options, argc, argv)) {
    case OPTIONS_HELP: return help_print(HELP_LAB, stdout) ? EXIT_DONE : EXIT_TROUBLE;
    case OPTIONS_WRONG: return EXIT_TROUBLE;
    case OPTIONS_READ: break;
    }
    if (!read_plan(&options, &plan)) return EXIT_TROUBLE;
    bool done = carry_out(&options, &plan, &lab);
    if (done) {
        done = write_file(options.html, report_html, &lab) && write_file(options.gnuplot, report_gnuplot, &lab) &&
               write_answer(&options, &lab);
        lab_release(&lab);
    }
    plan_release(&plan);
    return done ? EXIT_DONE : EXIT_TROUBLE;
}
