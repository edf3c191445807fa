/*
 * fuzz_record.c - the fuzzer's bytes as what is given to the command: a template and the lines of a file.
 *
 *     byte 0  bit 0: format, bit 1: zero-terminated, bits 2 to 7: bytes a read gives, less one
 *     up to the first NUL: the template
 *     rest    the input
 *
 * Lines are compared with a plain splitting, verdicts on JSON with what the library says of the line as it is, rendered bytes
 * with a plain rendering, and what is shown of them with the rules of display.h.
 */
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "engine/base/bytes.h"
#include "engine/base/utf8.h"
#include "engine/cli/template.h"
#include "engine/input/display.h"
#include "engine/input/json_record.h"
#include "engine/input/json_text.h"
#include "engine/input/lines.h"
#include "tests/support/expect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

struct source {
    sheaf_bytes rest;
    size_t step;
};

static ptrdiff_t read_source(void *context, void *buffer, size_t size)
{
    struct source *source = context;
    size = sheaf_size_min(sheaf_size_min(size, source->step), source->rest.size);
    if (size > 0) memcpy(buffer, source->rest.data, size);
    source->rest = sheaf_bytes_skip(source->rest, size);
    return (ptrdiff_t)size;
}

/* Takes the next line off `rest`, byte by byte. */
static sheaf_bytes split_line(sheaf_bytes *rest, uint8_t terminator)
{
    size_t size = 0;
    while (size < rest->size && rest->data[size] != terminator) size++;
    sheaf_bytes line = sheaf_bytes_of(rest->data, size);
    *rest = sheaf_bytes_skip(*rest, size < rest->size ? size + 1 : size);
    if (terminator == '\n' && size > 0 && line.data[size - 1] == '\r') line.size--;
    return line;
}

/* ---- what is known of a record otherwise -------------------------------------------------------------------------------- */

/*
 * A line is an object if the library says so of the line as it is. Apart from numbers that the library cannot hold, and from
 * NUL bytes, which it passes over behind a number.
 */
static void expect_same_verdict(sheaf_bytes line, bool parsed)
{
    if (line.size > 0 && memchr(line.data, '\0', line.size)) {
        EXPECT(!parsed, "a NUL byte");
        return;
    }
    json_error_t error;
    json_t *value = json_loadb(line.size > 0 ? (const char *)line.data : "", line.size,
                               JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    bool overflow = !value && json_error_code(&error) == json_error_numeric_overflow;
    if (!overflow) EXPECT(parsed == json_is_object(value), "%s", value ? "accepted by the library" : error.text);
    json_decref(value);
}

/* Column `number` of a line, counted byte by byte. False if there is none. */
static bool find_column(sheaf_bytes line, size_t number, sheaf_bytes *out_column)
{
    while (--number > 0) {
        size_t at = 0;
        while (at < line.size && line.data[at] != '\t') at++;
        if (at == line.size) return false;
        line = sheaf_bytes_skip(line, at + 1);
    }
    size_t size = 0;
    while (size < line.size && line.data[size] != '\t') size++;
    *out_column = sheaf_bytes_of(line.data, size);
    return true;
}

/* A padded or inverted number, from the end to the front. False if it is none of that width. */
static bool form_number(sheaf_bytes digits, const struct template_part *part, uint8_t *out)
{
    size_t width = part->number.width;
    bool inverted = part->number.form == SHEAF_FORM_INVERT;
    if (digits.size == 0) return false;
    for (size_t i = 0; i < digits.size; i++) {
        uint8_t digit = digits.data[digits.size - 1 - i];
        if (digit < '0' || digit > '9' || (i >= width && digit != '0')) return false;
    }
    for (size_t i = 0; i < width; i++) {
        uint8_t digit = i < digits.size ? digits.data[digits.size - 1 - i] : '0';
        out[width - 1 - i] = inverted ? (uint8_t)('0' + '9' - digit) : digit;
    }
    return true;
}

/* What a template makes of a tab-separated line, part by part. False if it must be refused. */
static bool render_plainly(const struct template *template, sheaf_bytes line, struct buffer *out)
{
    for (size_t i = 0; i < template->part_count; i++) {
        const struct template_part *part = &template->parts[i];
        uint8_t number[SHEAF_SEGMENT_DIGITS_MAX];
        sheaf_bytes bytes = part->text;
        if (part->is_field && part->field.kind == FIELD_WHOLE) bytes = line;
        if (part->is_field && part->field.kind == FIELD_COLUMN && !find_column(line, part->field.column, &bytes)) return false;
        if (part->is_field && part->field.kind == FIELD_COLUMN_REST) {
            bool there = find_column(line, part->field.column, &bytes);
            bytes = there ? sheaf_bytes_skip(line, (size_t)(bytes.data - line.data)) : sheaf_bytes_of(NULL, 0);
        }
        if (part->number.width > 0) {
            if (!form_number(bytes, part, number)) return false;
            bytes = sheaf_bytes_of(number, part->number.width);
        }
        buffer_append(out, bytes);
    }
    return true;
}

/* Nothing that is shown is a control character or no UTF-8, and JSON gives the bytes back. */
static void expect_shown_safely(sheaf_bytes bytes)
{
    struct buffer buffer = { 0 };
    (void)display_append(&buffer, bytes, 40);
    for (sheaf_bytes rest = buffer_view(&buffer); rest.size > 0;) {
        size_t size = sheaf_utf8_character_size(rest);
        EXPECT(size > 0 && rest.data[0] >= 0x20 && rest.data[0] != 0x7F, "shown: byte %02x", rest.data[0]);
        rest = sheaf_bytes_skip(rest, size);
    }
    buffer_clear(&buffer);
    json_text_append(&buffer, bytes);
    json_error_t error;
    json_t *value = json_loadb((const char *)buffer.data, buffer.size, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
    EXPECT(value, "JSON of bytes: %s", error.text);
    if (json_is_string(value)) {
        sheaf_bytes back = sheaf_bytes_of(json_string_value(value), json_string_length(value));
        EXPECT(sheaf_bytes_equal(back, bytes), "JSON gives %zu bytes back of %zu", back.size, bytes.size);
    } else {
        EXPECT(json_string_length(json_object_get(value, "base64")) == (bytes.size + 2) / 3 * 4, "base64 of %zu", bytes.size);
    }
    json_decref(value);
    buffer_release(&buffer);
}

/* ---- one input ---------------------------------------------------------------------------------------------------------- */

static void try_record(const struct template *template, struct record *record, sheaf_bytes line)
{
    struct buffer scratch = { 0 }, plain = { 0 };
    struct complaint complaint = { .text = "" };
    sheaf_bytes rendered;
    bool parsed = record_parse(record, line, &complaint) == RECORD_PARSED;
    if (record->format == RECORD_JSON_LINES) expect_same_verdict(line, parsed);
    else EXPECT(parsed, "every line is a tab-separated record");
    bool done = parsed && template_render(template, record, &scratch, &rendered, &complaint);
    if (parsed && record->format == RECORD_TSV) {
        EXPECT(done == render_plainly(template, line, &plain), "refused or not: %s", complaint.text);
        if (done) EXPECT(sheaf_bytes_equal(rendered, buffer_view(&plain)), "%zu bytes rendered", rendered.size);
    }
    if (done) expect_shown_safely(rendered);
    else EXPECT(strncmp(complaint.text, "expected ", 9) == 0, "a complaint says what was expected: %s", complaint.text);
    buffer_release(&scratch);
    buffer_release(&plain);
}

static void try_input(const struct template *template, enum record_format format, sheaf_bytes input, uint8_t terminator,
                      size_t step)
{
    struct source source = { .rest = input, .step = step };
    struct record record;
    struct lines lines = { 0 };
    sheaf_bytes line;
    record_init(&record, format, NULL);
    lines_begin(&lines, read_source, &source, terminator);
    while (lines_next(&lines, &line) == LINES_LINE) {
        EXPECT(input.size > 0, "a line behind the end");
        sheaf_bytes wanted = split_line(&input, terminator);
        EXPECT(sheaf_bytes_equal(line, wanted), "line of %zu bytes, not %zu", line.size, wanted.size);
        if (!record_is_blank(format, line)) try_record(template, &record, line);
    }
    EXPECT(input.size == 0, "%zu bytes were no line", input.size);
    lines_release(&lines);
    record_deinit(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size > 1 ? memchr(data + 1, '\0', size - 1) : NULL;
    if (!end) return 0;
    enum record_format format = data[0] & 1 ? RECORD_JSON_LINES : RECORD_TSV;
    struct template template;
    struct complaint complaint = { .text = "" };
    (void)setlocale(LC_CTYPE, "C.UTF-8"); /* as the command does */
    expect_scene = (struct expect_scene){ .name = "record", .operation = "read" };
    if (template_compile(&template, (const char *)data + 1, &complaint) && template_fits(&template, format, false, &complaint)) {
        sheaf_bytes input = sheaf_bytes_of(end + 1, size - (size_t)(end + 1 - data));
        try_input(&template, format, input, data[0] & 2 ? '\0' : '\n', (size_t)(data[0] >> 2) + 1);
    } else {
        EXPECT(strncmp(complaint.text, "expected ", 9) == 0, "a complaint says what was expected: %s", complaint.text);
    }
    template_release(&template);
    return 0;
}
