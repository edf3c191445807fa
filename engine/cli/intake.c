#include "engine/cli/intake.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/cli/template.h"
#include "engine/input/clock.h"
#include "engine/input/progress.h"
#include "engine/input/source.h"
#include "engine/input/units.h"

/* One of the things a record is made into. */
struct part {
    const char *option;
    const char *text; /* of the template, or the name of the field; NULL: it is not asked for */
    struct template template;
    struct buffer scratch;
};

struct intake {
    const struct options *options;
    intake_visit visit;
    void *context;
    struct part parts[INTAKE_PART_COUNT];
    bool settled; /* of what format records are */
    enum record_format format;
    const char *first_name; /* of the file that showed it */
    struct source source;
    struct progress progress;
    struct intake_summary summary;
};

/* ---- one record --------------------------------------------------------------------------------------------------------- */

/* The complaint, and the option it is about. */
static bool blame(struct intake *intake, const struct part *part)
{
    struct complaint *complaint = &intake->source.complaint;
    size_t size = strlen(complaint->text);
    (void)snprintf(complaint->text + size, sizeof complaint->text - size, " (%s '%s')", part->option, part->text);
    return false;
}

static bool render(struct intake *intake, enum intake_part index, sheaf_bytes *out_bytes)
{
    struct part *part = &intake->parts[index];
    struct record *record = &intake->source.record;
    *out_bytes = sheaf_bytes_of(NULL, 0);
    if (!part->text) return true;
    if (template_render(&part->template, record, &part->scratch, out_bytes, &intake->source.complaint)) return true;
    if (index == INTAKE_EXPIRY && format_is_json(record->format)) return true; /* not every item expires */
    return blame(intake, part);
}

static bool take_record(struct intake *intake)
{
    struct intake_record record = { .written = intake->source.record.line };
    for (enum intake_part i = 0; i < INTAKE_PART_COUNT; i++)
        if (!render(intake, i, &record.parts[i])) return false;
    const struct part *parts = intake->parts;
    record.partition_key_is_number = template_is_number(&parts[INTAKE_PARTITION_KEY].template, &intake->source.record);
    record.sort_key_is_number = template_is_number(&parts[INTAKE_SORT_KEY].template, &intake->source.record);
    enum intake_part fault = intake->visit(intake->context, &record, &intake->source.complaint);
    if (fault != INTAKE_PART_COUNT) return blame(intake, &parts[fault]);
    intake->summary.record_count++;
    return true;
}

/* ---- what the format decides -------------------------------------------------------------------------------------------- */

/* Templates that were not given are the usual ones; then all must be of use for such records. */
static bool settle_parts(struct intake *intake, enum record_format format, bool has_header)
{
    bool json = format_is_json(format);
    const struct input_options *input = &intake->options->input;
    const char *const usual[INTAKE_PART_COUNT] = { "all", json ? NULL : "{1}",
                                                   input->value_is_read ? json ? "{}" : "{2-}" : NULL };
    const char *command = intake->options->command;
    struct complaint complaint;
    for (enum intake_part i = 0; i < INTAKE_PART_COUNT; i++) {
        struct part *part = &intake->parts[i];
        if (!part->text && usual[i]) {
            part->text = usual[i];
            (void)template_compile(&part->template, part->text, &complaint);
        }
        if (!template_fits(&part->template, format, has_header, &complaint)) {
            return options_complain(command, "%s '%s': %s", part->option, part->text, complaint.text), false;
        }
    }
    if (intake->parts[INTAKE_SORT_KEY].text || input->sort_key_may_lack) return true;
    options_complain(command, "%s needs --sk, such as --sk '{path}'", format_title(format));
    return false;
}

/* The first file with anything in it shows what the others must be. */
static bool settle(struct intake *intake)
{
    struct source *source = &intake->source;
    if (source_is_empty(source)) return true;
    if (!intake->settled) {
        intake->settled = true;
        intake->format = source->record.format;
        intake->first_name = source->name;
        return settle_parts(intake, source->record.format, source->has_header);
    }
    if (source->record.format == intake->format) return true;
    options_complain(intake->options->command, "%s holds %s, %s %s: say --input", intake->first_name,
                     format_title(intake->format), source->name, format_title(source->record.format));
    return false;
}

/* ---- one file ----------------------------------------------------------------------------------------------------------- */

/* Says what is wrong with the source, or with a record of it. */
static bool say_fault(struct intake *intake)
{
    struct buffer line = { 0 };
    progress_end(&intake->progress);
    if (intake->source.trouble != SOURCE_REFUSED) buffer_append_format(&line, "sheaf %s: ", intake->options->command);
    source_describe(&intake->source, &line);
    (void)fprintf(stderr, "%.*s\n", (int)line.size, (const char *)line.data);
    buffer_release(&line);
    return false;
}

static bool read_source(struct intake *intake)
{
    struct source *source = &intake->source;
    uint64_t bytes_before = intake->summary.byte_count;
    for (;;) {
        enum source_result result = source_next(source);
        if (intake->summary.byte_count != bytes_before + source_size(source)) { /* once for each read */
            intake->summary.byte_count = bytes_before + source_size(source);
            progress_report(&intake->progress, intake->summary.record_count, intake->summary.byte_count);
        }
        switch (result) {
        case SOURCE_END: return true;
        case SOURCE_FAULT: return say_fault(intake);
        case SOURCE_RECORD: break;
        }
        if (take_record(intake)) continue;
        source->trouble = SOURCE_REFUSED;
        return say_fault(intake);
    }
}

static bool read_file(struct intake *intake, const char *name)
{
    if (strcmp(name, "-") == 0 && isatty(STDIN_FILENO) == 1 && !intake->options->quiet) {
        (void)fputs("reading records from the terminal; Ctrl-D ends them\n", stderr);
    }
    bool read = source_open(&intake->source, name, &intake->options->input.source);
    read = read ? settle(intake) && read_source(intake) : say_fault(intake);
    source_close(&intake->source);
    return read;
}

/* ---- all ---------------------------------------------------------------------------------------------------------------- */

static bool compile_part(struct intake *intake, enum intake_part index, const char *option, const char *text)
{
    struct part *part = &intake->parts[index];
    struct complaint complaint;
    part->option = option;
    part->text = text;
    if (!text || template_compile(&part->template, text, &complaint)) return true;
    options_complain(intake->options->command, "%s '%s': %s", option, text, complaint.text);
    return false;
}

static void name_part(struct intake *intake, enum intake_part index, const char *option, const char *name)
{
    if (!name) return;
    struct part *part = &intake->parts[index];
    part->option = option;
    part->text = name;
    template_of_field(&part->template, name);
}

static bool compile_parts(struct intake *intake)
{
    const struct input_options *input = &intake->options->input;
    if (!compile_part(intake, INTAKE_PARTITION_KEY, "--pk", input->partition_key)) return false;
    if (!compile_part(intake, INTAKE_SORT_KEY, "--sk", input->sort_key)) return false;
    if (!compile_part(intake, INTAKE_VALUE, "--value", input->value)) return false;
    name_part(intake, INTAKE_PARTITION_KEY, "--partition-key", input->partition_key_name);
    name_part(intake, INTAKE_SORT_KEY, "--sort-key", input->sort_key_name);
    name_part(intake, INTAKE_EXPIRY, "--ttl", input->expiry_name);
    return true;
}

static bool read_all(struct intake *intake)
{
    const struct input_options *input = &intake->options->input;
    if (!compile_parts(intake)) return false;
    progress_begin(&intake->progress);
    if (input->file_count == 0) return read_file(intake, "-");
    for (size_t i = 0; i < input->file_count; i++)
        if (!read_file(intake, input->files[i])) return false;
    return true;
}

bool intake_read(const struct options *options, intake_visit visit, void *context, struct intake_summary *out_summary)
{
    struct intake intake = { .options = options, .visit = visit, .context = context };
    uint64_t start_ns = clock_now_ns();
    bool read = read_all(&intake);
    progress_end(&intake.progress);
    if (read) {
        intake.summary.ns = clock_now_ns() - start_ns;
        *out_summary = intake.summary;
    }
    for (enum intake_part i = 0; i < INTAKE_PART_COUNT; i++) {
        template_release(&intake.parts[i].template);
        buffer_release(&intake.parts[i].scratch);
    }
    return read;
}

void intake_append_summary(struct buffer *buffer, const struct intake_summary *summary)
{
    buffer_append_text(buffer, "read ");
    units_append_count(buffer, summary->record_count, "record", "records");
    buffer_append_text(buffer, ", ");
    units_append_size(buffer, summary->byte_count);
    buffer_append_text(buffer, ", in ");
    units_append_time(buffer, summary->ns);
}
