#include "engine/cli/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/cli/template.h"
#include "engine/input/clock.h"
#include "engine/input/display.h"
#include "engine/input/progress.h"
#include "engine/input/source.h"
#include "engine/input/units.h"

enum { PARTITION_KEY, SORT_KEY, VALUE, PART_COUNT };

/* One of the three things a record is made into. */
struct part {
    const char *option;
    const char *text; /* of the template, or the name of the field */
    struct template template;
    struct buffer scratch;
};

struct loader {
    const struct options *options;
    sheaf_store *store;
    struct part parts[PART_COUNT];
    bool settled; /* of what format records are */
    enum record_format format;
    const char *first_name; /* of the file that showed it */
    struct source source;
    struct progress progress;
    struct load_summary summary;
};

/* ---- one record --------------------------------------------------------------------------------------------------------- */

static bool render(struct loader *loader, struct part *part, sheaf_bytes *out_bytes)
{
    struct complaint *complaint = &loader->source.complaint;
    if (template_render(&part->template, &loader->source.record, &part->scratch, out_bytes, complaint)) return true;
    size_t size = strlen(complaint->text);
    (void)snprintf(complaint->text + size, sizeof complaint->text - size, " (%s '%s')", part->option, part->text);
    return false;
}

/* What the store refused, in terms of the record. */
static bool refuse(struct loader *loader, sheaf_status status, const sheaf_detail *detail)
{
    struct complaint *complaint = &loader->source.complaint;
    if (status == SHEAF_NO_MEMORY) end_without_memory();
    if (detail->field == SHEAF_FIELD_VALUE) {
        const struct part *part = &loader->parts[VALUE];
        return complain(complaint, "expected a value of at most %d bytes, found %" PRIu64 " (%s '%s')", SHEAF_VALUE_SIZE_MAX,
                        detail->size, part->option, part->text);
    }
    bool sort = detail->field == SHEAF_FIELD_SORT_KEY;
    const struct part *part = &loader->parts[sort ? SORT_KEY : PARTITION_KEY];
    return complain(complaint, "expected a %s key of 1 to %d bytes, found %" PRIu64 " (%s '%s')", sort ? "sort" : "partition",
                    sort ? SHEAF_SORT_KEY_SIZE_MAX : SHEAF_PARTITION_KEY_SIZE_MAX, detail->size, part->option, part->text);
}

static bool load_record(struct loader *loader)
{
    sheaf_bytes parts[PART_COUNT];
    for (int i = 0; i < PART_COUNT; i++)
        if (!render(loader, &loader->parts[i], &parts[i])) return false;
    bool replaced = false;
    sheaf_detail detail;
    sheaf_status status = sheaf_store_put(loader->store, parts[PARTITION_KEY], parts[SORT_KEY], parts[VALUE], &replaced,
                                          &detail);
    if (status != SHEAF_OK) return refuse(loader, status, &detail);
    loader->summary.record_count++;
    loader->summary.replaced_count += replaced;
    return true;
}

/* ---- what the format decides -------------------------------------------------------------------------------------------- */

/* Templates that were not given are the usual ones; then all must be of use for such records. */
static bool settle_parts(struct loader *loader, enum record_format format, bool has_header)
{
    bool json = format_is_json(format);
    const char *const usual[PART_COUNT] = { "all", json ? NULL : "{1}", json ? "{}" : "{2-}" };
    const char *command = loader->options->command;
    struct complaint complaint;
    for (int i = 0; i < PART_COUNT; i++) {
        struct part *part = &loader->parts[i];
        if (!part->text) {
            if (!usual[i])
                return options_complain(command, "%s needs --sk, such as --sk '{path}'", format_title(format)), false;
            part->text = usual[i];
            (void)template_compile(&part->template, part->text, &complaint);
        }
        if (!template_fits(&part->template, format, has_header, &complaint)) {
            return options_complain(command, "%s '%s': %s", part->option, part->text, complaint.text), false;
        }
    }
    return true;
}

/* The first file with anything in it shows what the others must be. */
static bool settle(struct loader *loader)
{
    struct source *source = &loader->source;
    if (source_is_empty(source)) return true;
    if (!loader->settled) {
        loader->settled = true;
        loader->format = source->record.format;
        loader->first_name = source->name;
        return settle_parts(loader, source->record.format, source->has_header);
    }
    if (source->record.format == loader->format) return true;
    options_complain(loader->options->command, "%s holds %s, %s %s: say --input", loader->first_name,
                     format_title(loader->format), source->name, format_title(source->record.format));
    return false;
}

/* ---- one file ----------------------------------------------------------------------------------------------------------- */

/* Says what is wrong with the source, or with a record of it. */
static bool say_fault(struct loader *loader)
{
    struct buffer line = { 0 };
    progress_end(&loader->progress);
    if (loader->source.trouble != SOURCE_REFUSED) buffer_append_format(&line, "sheaf %s: ", loader->options->command);
    source_describe(&loader->source, &line);
    (void)fprintf(stderr, "%.*s\n", (int)line.size, (const char *)line.data);
    buffer_release(&line);
    return false;
}

static bool load_source(struct loader *loader)
{
    struct source *source = &loader->source;
    uint64_t bytes_before = loader->summary.byte_count;
    for (;;) {
        enum source_result result = source_next(source);
        if (loader->summary.byte_count != bytes_before + source_size(source)) { /* once for each read */
            loader->summary.byte_count = bytes_before + source_size(source);
            progress_report(&loader->progress, loader->summary.record_count, loader->summary.byte_count);
        }
        switch (result) {
        case SOURCE_END: return true;
        case SOURCE_FAULT: return say_fault(loader);
        case SOURCE_RECORD: break;
        }
        if (load_record(loader)) continue;
        source->trouble = SOURCE_REFUSED;
        return say_fault(loader);
    }
}

static bool load_file(struct loader *loader, const char *name)
{
    if (strcmp(name, "-") == 0 && isatty(STDIN_FILENO) == 1 && !loader->options->quiet) {
        (void)fputs("reading records from the terminal; Ctrl-D ends them\n", stderr);
    }
    bool loaded = source_open(&loader->source, name, &loader->options->input.source);
    loaded = loaded ? settle(loader) && load_source(loader) : say_fault(loader);
    source_close(&loader->source);
    return loaded;
}

/* ---- all ---------------------------------------------------------------------------------------------------------------- */

static bool compile_part(struct loader *loader, int index, const char *option, const char *text)
{
    struct part *part = &loader->parts[index];
    struct complaint complaint;
    part->option = option;
    part->text = text;
    if (!text || template_compile(&part->template, text, &complaint)) return true;
    options_complain(loader->options->command, "%s '%s': %s", option, text, complaint.text);
    return false;
}

static void name_part(struct loader *loader, int index, const char *option, const char *name)
{
    if (!name) return;
    struct part *part = &loader->parts[index];
    part->option = option;
    part->text = name;
    template_of_field(&part->template, name);
}

static bool compile_parts(struct loader *loader)
{
    const struct input_options *input = &loader->options->input;
    if (!compile_part(loader, PARTITION_KEY, "--pk", input->partition_key)) return false;
    if (!compile_part(loader, SORT_KEY, "--sk", input->sort_key)) return false;
    if (!compile_part(loader, VALUE, "--value", input->value)) return false;
    name_part(loader, PARTITION_KEY, "--partition-key", input->partition_key_name);
    name_part(loader, SORT_KEY, "--sort-key", input->sort_key_name);
    return true;
}

static bool load_all(struct loader *loader)
{
    const struct input_options *input = &loader->options->input;
    if (!compile_parts(loader)) return false;
    progress_begin(&loader->progress);
    if (input->file_count == 0) return load_file(loader, "-");
    for (size_t i = 0; i < input->file_count; i++)
        if (!load_file(loader, input->files[i])) return false;
    return true;
}

bool load_records(const struct options *options, sheaf_store *store, struct load_summary *out_summary)
{
    struct loader loader = { .options = options, .store = store };
    uint64_t start_ns = clock_now_ns();
    bool loaded = load_all(&loader);
    progress_end(&loader.progress);
    if (loaded) {
        loader.summary.ns = clock_now_ns() - start_ns;
        *out_summary = loader.summary;
    }
    for (int i = 0; i < PART_COUNT; i++) {
        template_release(&loader.parts[i].template);
        buffer_release(&loader.parts[i].scratch);
    }
    return loaded;
}

void load_summary_print(const struct load_summary *summary)
{
    struct buffer line = { 0 };
    buffer_append_text(&line, "read ");
    units_append_count(&line, summary->record_count, "record", "records");
    buffer_append_text(&line, ", ");
    units_append_size(&line, summary->byte_count);
    buffer_append_text(&line, ", in ");
    units_append_time(&line, summary->ns);
    if (summary->replaced_count > 0) {
        buffer_append_text(&line, "; ");
        display_append_number(&line, summary->replaced_count);
        buffer_append_text(&line, " replaced an earlier one");
    }
    (void)fprintf(stderr, "%.*s\n", (int)line.size, (const char *)line.data);
    buffer_release(&line);
}
