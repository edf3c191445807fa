/*
 * fuzz_plan.c - the fuzzer's bytes as a plan and its records: carried out, and put into every report.
 *
 *     up to the first NUL: the plan    rest: the records
 *
 * A layout whose parts all have an order, that refuses no record and loses none, has to answer rightly whatever it says it
 * answers by one query, and whatever filter and sorting then make of what is read.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/lab/lab.h"
#include "engine/lab/report_gnuplot.h"
#include "engine/lab/report_html.h"
#include "engine/lab/report_json.h"
#include "engine/lab/report_text.h"
#include "tests/support/expect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Enough for all that can go wrong, and done soon. */
#define RUN_MAX 4
#define SIZE_MAX_TRIED ((size_t)1 << 14)

/* The records in a file without a name, in place of that which the plan names. */
static int give_records(struct plan *plan, const uint8_t *data, size_t size)
{
    int descriptor = memfd_create("records", MFD_CLOEXEC);
    EXPECT(descriptor >= 0, "no file in memory");
    EXPECT(size == 0 || write(descriptor, data, size) == (ssize_t)size, "not written");
    EXPECT(lseek(descriptor, 0, SEEK_SET) == 0, "not wound back");
    free(plan->file);
    EXPECT(asprintf(&plan->file, "/proc/self/fd/%d", descriptor) > 0, "no memory");
    return descriptor;
}

/* Names lose the delimiter that a path from the root begins with, and so their place beside paths that do not. */
static bool has_path_from_root(const struct lab *lab, size_t field)
{
    const struct plan_field *planned = &lab->plan->fields[field];
    for (size_t row = 0; row < lab->records.count; row++) {
        sheaf_bytes path = records_value(&lab->records, row, planned->of);
        if (path.size > 0 && path.data[0] == planned->delimiter) return true;
    }
    return false;
}

static bool has_order(const struct lab *lab, size_t layout)
{
    const struct keys *keys = &lab->loaded[layout].keys;
    for (int which = 0; which < 2; which++)
        for (size_t i = 0; i < keys->keys[which].part_count; i++) {
            const struct key_part *part = &keys->keys[which].parts[i];
            enum derivation derivation = lab->plan->fields[part->field].derivation;
            if (part->order == SHEAF_LAYOUT_UNORDERED || derivation == DERIVE_BARE) return false;
            if (derivation == DERIVE_NAME && has_path_from_root(lab, part->field)) return false;
        }
    return true;
}

/* A layout may take another byte for the delimiter than the records do: it is then wrong of folders, and said to be. */
static bool agrees_on_delimiters(const struct plan *plan, size_t layout)
{
    sheaf_bytes text = plan->layouts[layout].text;
    const uint8_t *form = memmem(text.data, text.size, "path(", 5);
    if (!form) return true;
    for (size_t i = 0; i < plan->field_count; i++)
        if (plan->fields[i].delimiter != '/') return false;
    return !memmem(form + 1, text.size - (size_t)(form + 1 - text.data), "path(", 5) && form[5] == '/' && form[6] == ')';
}

static bool was_refused(const struct trial *trial)
{
    return trial->wrong_count > 0 && trial->wrong.kind == WRONG_REFUSED;
}

static void check_answers(const struct lab *lab)
{
    for (size_t layout = 0; layout < lab->plan->layout_count; layout++) {
        const struct loaded *loaded = &lab->loaded[layout];
        bool sound = has_order(lab, layout) && agrees_on_delimiters(lab->plan, layout) && loaded->refused_count == 0 &&
                     loaded->replaced_count == 0;
        for (size_t pattern = 0; pattern < lab->plan->pattern_count; pattern++) {
            const struct trial *trial = lab_trial(lab, layout, pattern);
            EXPECT(trial->returned_count <= trial->read_count, "more returned than read");
            EXPECT(!sound || trial->wrong_count == 0 || was_refused(trial), "a sound layout gave a wrong answer");
        }
    }
}

static void check_reports(const struct lab *lab)
{
    static void (*const reports[])(const struct lab *lab, struct buffer *buffer) = { report_text, report_json, report_html,
                                                                                     report_gnuplot };
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
        struct buffer buffer = { 0 };
        reports[i](lab, &buffer);
        EXPECT(buffer.size > 0 && buffer.data[buffer.size - 1] == '\n', "a report without an end");
        EXPECT(!memmem(buffer.data, buffer.size, "<script", 7) || reports[i] != report_html, "text of a plan became a script");
        buffer_release(&buffer);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct plan plan;
    struct lab lab;
    struct complaint complaint = { .text = "" };
    const struct lab_options options = { .reproducible = true };
    if (size == 0 || size > SIZE_MAX_TRIED) return 0;
    const uint8_t *end = memchr(data, '\0', size);
    size_t plan_size = end ? (size_t)(end - data) : size;
    if (!plan_read(sheaf_bytes_of(data, plan_size), "", NULL, &plan, &complaint)) {
        EXPECT(complaint.text[0] != '\0', "refused without a word");
        return 0;
    }
    for (size_t i = 0; i < plan.pattern_count; i++)
        if (plan.patterns[i].run_count > RUN_MAX) plan.patterns[i].run_count = RUN_MAX;
    int descriptor = give_records(&plan, end ? end + 1 : data + size, end ? size - plan_size - 1 : 0);
    if (lab_run(&plan, &options, &lab, &complaint)) {
        check_answers(&lab);
        check_reports(&lab);
        lab_release(&lab);
    }
    (void)close(descriptor);
    plan_release(&plan);
    return 0;
}
