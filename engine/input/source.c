#include "engine/input/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/bytes.h"

/* ---- faults ------------------------------------------------------------------------------------------------------------- */

static bool refuse_errno(struct source *source, enum source_trouble trouble)
{
    source->trouble = trouble;
    return complain(&source->complaint, "%s", strerror(errno));
}

/* The complaint stands; its place is `at` bytes into the record, or the record. */
static bool refuse_at(struct source *source, sheaf_bytes text, size_t at)
{
    source->trouble = SOURCE_REFUSED;
    if (at == RECORD_NO_PLACE) return false;
    size_t line_begin = 0;
    for (size_t i = 0; i < at && i < text.size; i++) {
        if (text.data[i] != source->lines.terminator) continue;
        source->line_number++;
        line_begin = i + 1;
    }
    source->column_number = at - line_begin + 1;
    return false;
}

void source_describe(const struct source *source, struct buffer *buffer)
{
    if (source->trouble == SOURCE_UNOPENED) buffer_append_text(buffer, "cannot open ");
    if (source->trouble == SOURCE_UNREADABLE) buffer_append_text(buffer, "cannot read ");
    buffer_append_text(buffer, source->name);
    if (source->trouble == SOURCE_REFUSED) buffer_append_format(buffer, ":%" PRIu64, source->line_number);
    if (source->trouble == SOURCE_REFUSED && source->column_number > 0) {
        buffer_append_format(buffer, ":%" PRIu64, source->column_number);
    }
    buffer_append_text(buffer, ": ");
    buffer_append_text(buffer, source->complaint.text);
}

/* ---- lines -------------------------------------------------------------------------------------------------------------- */

/* What a line that could not be had means. */
static enum source_result no_line(struct source *source, enum lines_result result)
{
    if (result == LINES_END) return SOURCE_END;
    if (result == LINES_UNREADABLE && !source->unpack.faulty) {
        refuse_errno(source, SOURCE_UNREADABLE);
        return SOURCE_FAULT;
    }
    source->trouble = SOURCE_REFUSED;
    source->line_number = source->lines.line_number;
    if (result == LINES_TOO_LONG) {
        complain(&source->complaint, "expected a line of at most %zu bytes", LINES_LINE_SIZE_MAX);
    } else {
        source->line_number++; /* the one that could not be had */
        source->complaint = source->unpack.complaint;
    }
    return SOURCE_FAULT;
}

/* The next line that is not empty. */
static enum source_result next_line(struct source *source, sheaf_bytes *out_line)
{
    if (source->held) {
        source->held = false;
        *out_line = source->first_line;
        return SOURCE_RECORD;
    }
    do {
        enum lines_result result = lines_next(&source->lines, out_line);
        if (result != LINES_LINE) return no_line(source, result);
    } while (record_is_blank(source->record.format, *out_line));
    source->line_number = source->lines.line_number;
    return SOURCE_RECORD;
}

/* Parses the line, and what follows as far as the record goes on. */
static enum source_result parse(struct source *source, sheaf_bytes line, struct header *header)
{
    struct record *record = &source->record;
    for (;;) {
        switch (header ? record_parse_header(record, line, header, &source->complaint)
                       : record_parse(record, line, &source->complaint)) {
        case RECORD_PARSED: return SOURCE_RECORD;
        case RECORD_REFUSED: refuse_at(source, line, record->fault_at); return SOURCE_FAULT;
        case RECORD_UNFINISHED: break;
        }
        enum lines_result result = lines_extend(&source->lines, &line);
        if (result == LINES_LINE) continue;
        if (result != LINES_END) return no_line(source, result);
        refuse_at(source, line, record->fault_at);
        return SOURCE_FAULT;
    }
}

enum source_result source_next(struct source *source)
{
    sheaf_bytes line;
    enum source_result result = next_line(source, &line);
    return result == SOURCE_RECORD ? parse(source, line, NULL) : result;
}

bool source_field(struct source *source, const struct field *field, sheaf_bytes *out_bytes)
{
    if (record_field(&source->record, field, out_bytes, &source->complaint)) return true;
    source->trouble = SOURCE_REFUSED;
    return false;
}

/* ---- opening ------------------------------------------------------------------------------------------------------------ */

static ptrdiff_t read_descriptor(void *source, void *buffer, size_t size)
{
    ssize_t count;
    do count = read(((const struct source *)source)->descriptor, buffer, size);
    while (count < 0 && errno == EINTR);
    return count;
}

static sheaf_bytes without_mark(sheaf_bytes line)
{
    sheaf_bytes mark = SHEAF_LIT("\xEF\xBB\xBF");
    return sheaf_bytes_starts_with(line, mark) ? sheaf_bytes_skip(line, mark.size) : line;
}

/* Holds the first line that is not empty, to look at it. False at a fault; at the end nothing is held. */
static bool hold_first_line(struct source *source)
{
    sheaf_bytes line;
    enum source_result result = next_line(source, &line);
    if (result != SOURCE_RECORD) return result == SOURCE_END;
    source->held = true;
    source->first_line = line;
    return true;
}

static bool has_header(enum record_format format, enum source_header header)
{
    if (format_is_json(format)) return false;
    return header == SOURCE_HEADER_USUAL ? format == RECORD_CSV : header == SOURCE_HEADER_FIRST_LINE;
}

static bool read_header(struct source *source)
{
    sheaf_bytes line;
    enum source_result result = next_line(source, &line); /* the one that is held, if there is any */
    if (result == SOURCE_RECORD) result = parse(source, line, &source->header);
    source->record.header = &source->header;
    return result != SOURCE_FAULT;
}

/* By its first line; then what is asked for is seen to be possible. */
static bool settle(struct source *source, const struct source_options *options)
{
    struct record *record = &source->record;
    if (!hold_first_line(source)) return false;
    sheaf_bytes unmarked = without_mark(source->first_line);
    if (!options->format_given && source->held && format_is_dynamodb(unmarked)) record->format = RECORD_DYNAMODB;
    source->has_header = has_header(record->format, options->header);
    if (record->format != RECORD_TSV || source->has_header) {
        lines_drop(&source->lines, source->first_line.size - unmarked.size);
        source->first_line = unmarked;
    }
    if (source->held && record_is_blank(record->format, source->first_line)) source->held = false;
    return !source->has_header || read_header(source);
}

static void begin(struct source *source, const char *name, stream_read read, void *context,
                  const struct source_options *options)
{
    *source = (struct source){ .name = name, .descriptor = -1 };
    record_init(&source->record, options->format_given ? options->format : format_of_name(name), NULL);
    unpack_begin(&source->unpack, read, context);
    bool zero = options->zero_terminated && source->record.format != RECORD_CSV;
    lines_begin(&source->lines, unpack_read, &source->unpack, zero ? '\0' : '\n');
}

static const struct source_options USUAL = { 0 };

bool source_open_stream(struct source *source, const char *name, stream_read read, void *context,
                        const struct source_options *options)
{
    if (!options) options = &USUAL;
    begin(source, name, read, context, options);
    return settle(source, options);
}

bool source_open(struct source *source, const char *file, const struct source_options *options)
{
    bool standard = strcmp(file, "-") == 0;
    if (!options) options = &USUAL;
    begin(source, standard ? "<stdin>" : file, read_descriptor, source, options);
    source->descriptor = standard ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC);
    if (source->descriptor < 0) return refuse_errno(source, SOURCE_UNOPENED);
    return settle(source, options);
}

void source_close(struct source *source)
{
    if (source->descriptor > STDIN_FILENO) (void)close(source->descriptor);
    unpack_end(&source->unpack);
    lines_release(&source->lines);
    header_release(&source->header);
    record_deinit(&source->record);
    source->descriptor = -1;
}
