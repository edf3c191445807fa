#include "engine/cli/load.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/cli/clock.h"
#include "engine/cli/display.h"
#include "engine/cli/lines.h"
#include "engine/cli/progress.h"
#include "engine/cli/template.h"
#include "engine/cli/units.h"

enum { PARTITION_KEY, SORT_KEY, VALUE, PART_COUNT };

/* One of the three things a record is made into. */
struct part {
    const char *option;
    const char *text;
    struct template template;
    struct buffer scratch;
};

struct loader {
    const struct options *options;
    sheaf_store *store;
    struct part parts[PART_COUNT];
    struct record record;
    struct lines lines;
    struct progress progress;
    struct load_summary summary;
};

/* ---- one record --------------------------------------------------------------------------------------------------------- */

static bool render(struct loader *loader, struct part *part, sheaf_bytes *out_bytes, struct complaint *complaint)
{
    if (template_render(&part->template, &loader->record, &part->scratch, out_bytes, complaint)) return true;
    size_t size = strlen(complaint->text);
    (void)snprintf(complaint->text + size, sizeof complaint->text - size, " (%s '%s')", part->option, part->text);
    return false;
}

/* What the store refused, in terms of the record. */
static bool refuse(const struct loader *loader, sheaf_status status, const sheaf_detail *detail, struct complaint *complaint)
{
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

static bool load_line(struct loader *loader, sheaf_bytes line, struct complaint *complaint)
{
    if (record_is_blank(loader->record.format, line)) return true;
    if (!record_parse(&loader->record, line, complaint)) return false;
    sheaf_bytes parts[PART_COUNT];
    for (int i = 0; i < PART_COUNT; i++)
        if (!render(loader, &loader->parts[i], &parts[i], complaint)) return false;
    bool replaced = false;
    sheaf_detail detail;
    sheaf_status status =
        sheaf_store_put(loader->store, parts[PARTITION_KEY], parts[SORT_KEY], parts[VALUE], &replaced, &detail);
    if (status != SHEAF_OK) return refuse(loader, status, &detail, complaint);
    loader->summary.record_count++;
    loader->summary.replaced_count += replaced;
    return true;
}

/* ---- one file ----------------------------------------------------------------------------------------------------------- */

static ptrdiff_t read_descriptor(void *context, void *buffer, size_t size)
{
    ssize_t count;
    do count = read(*(const int *)context, buffer, size);
    while (count < 0 && errno == EINTR);
    return count;
}

static bool say_unreadable(struct loader *loader, const char *what, const char *name)
{
    int error = errno;
    progress_end(&loader->progress);
    (void)fprintf(stderr, "sheaf %s: cannot %s %s: %s\n", loader->options->command, what, name, strerror(error));
    return false;
}

static bool say_fault(struct loader *loader, const char *name, const struct complaint *complaint)
{
    progress_end(&loader->progress);
    (void)fprintf(stderr, "%s:%" PRIu64 ": %s\n", name, loader->lines.line_number, complaint->text);
    return false;
}

static bool load_lines(struct loader *loader, const char *name)
{
    struct lines *lines = &loader->lines;
    struct complaint complaint;
    uint64_t bytes_before = loader->summary.byte_count;
    for (;;) {
        sheaf_bytes line;
        enum lines_result result = lines_next(lines, &line);
        if (loader->summary.byte_count != bytes_before + lines->bytes_read) { /* once for each read */
            loader->summary.byte_count = bytes_before + lines->bytes_read;
            progress_report(&loader->progress, loader->summary.record_count, loader->summary.byte_count);
        }
        switch (result) {
        case LINES_END: return true;
        case LINES_UNREADABLE: return say_unreadable(loader, "read", name);
        case LINES_TOO_LONG:
            complain(&complaint, "expected a line of at most %zu bytes", LINES_LINE_SIZE_MAX);
            return say_fault(loader, name, &complaint);
        case LINES_LINE:
            if (!load_line(loader, line, &complaint)) return say_fault(loader, name, &complaint);
        }
    }
}

static bool load_descriptor(struct loader *loader, int descriptor, const char *name)
{
    lines_begin(&loader->lines, read_descriptor, &descriptor, loader->options->input.terminator);
    return load_lines(loader, name);
}

static bool load_standard_input(struct loader *loader)
{
    if (isatty(STDIN_FILENO) == 1 && !loader->options->quiet) {
        (void)fputs("reading records from the terminal; Ctrl-D ends them\n", stderr);
    }
    return load_descriptor(loader, STDIN_FILENO, "<stdin>");
}

static bool load_file(struct loader *loader, const char *name)
{
    if (strcmp(name, "-") == 0) return load_standard_input(loader);
    int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return say_unreadable(loader, "open", name);
    bool loaded = load_descriptor(loader, descriptor, name);
    (void)close(descriptor);
    return loaded;
}

/* ---- all ---------------------------------------------------------------------------------------------------------------- */

static bool compile_parts(struct loader *loader)
{
    const struct input_options *input = &loader->options->input;
    const char *const texts[PART_COUNT] = { input->partition_key, input->sort_key, input->value };
    static const char *const options[PART_COUNT] = { "--pk", "--sk", "--value" };
    for (int i = 0; i < PART_COUNT; i++) {
        struct part *part = &loader->parts[i];
        struct complaint complaint;
        part->option = options[i];
        part->text = texts[i];
        if (!template_compile(&part->template, part->text, input->format, &complaint)) {
            options_complain(loader->options->command, "%s '%s': %s", part->option, part->text, complaint.text);
            return false;
        }
    }
    return true;
}

static size_t columns_wanted(const struct loader *loader)
{
    size_t wanted = 0;
    for (int i = 0; i < PART_COUNT; i++) {
        size_t columns = template_columns(&loader->parts[i].template);
        if (columns > wanted) wanted = columns;
    }
    return wanted;
}

static bool load_all(struct loader *loader)
{
    const struct input_options *input = &loader->options->input;
    if (!compile_parts(loader)) return false;
    record_init(&loader->record, input->format, columns_wanted(loader));
    progress_begin(&loader->progress);
    if (input->file_count == 0) return load_standard_input(loader);
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
    record_deinit(&loader.record);
    lines_release(&loader.lines);
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
