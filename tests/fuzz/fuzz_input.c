/*
 * fuzz_input.c - the fuzzer's bytes as a file of any format, packed or not: read as a source, in steps of any size.
 *
 *     byte 0  bits 0-1: format, bit 2: found out instead, bits 3-4: header as usual, there or not, bit 5: zero-terminated
 *     byte 1  bytes a read gives, less one
 *     byte 2  bit 0: packed by gzip first, bits 1-7: every so many bytes a member of its own; 0: one
 *     up to the first NUL: names of fields, a line each
 *     rest    the file
 *
 * What is read does not depend on the steps, nor on whether it was packed. CSV that is accepted is compared with a plain reading
 * of RFC 4180, and an item's attributes with those the JSON library finds.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#define ZLIB_CONST /* input is not written to */
#include <zlib.h>

#include "engine/base/bytes.h"
#include "engine/input/source.h"
#include "tests/input/stream.h"
#include "tests/support/expect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NAME_MAX_COUNT 8

struct input {
    struct source_options options;
    size_t step;
    struct field fields[NAME_MAX_COUNT];
    size_t field_count;
};

/* ---- packing ------------------------------------------------------------------------------------------------------------ */

static void pack_member(struct buffer *packed, sheaf_bytes bytes)
{
    z_stream stream = { .next_in = bytes.data, .avail_in = (uInt)bytes.size };
    EXPECT(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "packing");
    size_t bound = deflateBound(&stream, (uLong)bytes.size);
    stream.next_out = buffer_reserve(packed, bound);
    stream.avail_out = (uInt)bound;
    EXPECT(deflate(&stream, Z_FINISH) == Z_STREAM_END, "packing");
    packed->size += bound - stream.avail_out;
    (void)deflateEnd(&stream);
}

static void pack(struct buffer *packed, sheaf_bytes bytes, size_t member_size)
{
    do {
        size_t size = member_size == 0 ? bytes.size : sheaf_size_min(member_size, bytes.size);
        pack_member(packed, sheaf_bytes_of(bytes.data, size));
        bytes = sheaf_bytes_skip(bytes, size);
    } while (bytes.size > 0);
}

/* ---- what is known of a record otherwise -------------------------------------------------------------------------------- */

/* Column `index` of a whole CSV record, by the grammar and nothing else. False if there is none. */
static bool find_column(sheaf_bytes record, size_t index, struct buffer *out)
{
    buffer_clear(out);
    bool quoted = false;
    for (size_t i = 0; i < record.size; i++) {
        uint8_t byte = record.data[i];
        if (byte == '"') {
            bool doubled = quoted && i + 1 < record.size && record.data[i + 1] == '"';
            if (doubled && index == 0) buffer_append_byte(out, '"');
            if (doubled) i++;
            else quoted = !quoted;
        } else if (byte == ',' && !quoted) {
            if (index-- == 0) return true;
        } else if (index == 0) {
            buffer_append_byte(out, byte);
        }
    }
    return index == 0;
}

static void expect_csv(struct source *source)
{
    struct record *record = &source->record;
    struct buffer plain = { 0 };
    sheaf_bytes bytes;
    for (size_t i = 0; i < 4; i++) {
        struct field field = { .kind = FIELD_COLUMN, .column = i + 1 };
        bool there = find_column(record->line, i, &plain);
        EXPECT(there == (i < record->columns.count), "column %zu of %zu", i, record->columns.count);
        EXPECT(there == record_field(record, &field, &bytes, &source->complaint), "column %zu", i);
        if (there) EXPECT(sheaf_bytes_equal(bytes, buffer_view(&plain)), "column %zu: %zu bytes", i, bytes.size);
    }
    buffer_release(&plain);
}

/* An attribute of an item that holds text, as the library finds it. */
static void expect_attribute(struct source *source, const struct field *field, bool found, sheaf_bytes bytes)
{
    const json_t *value = json_object_getn(source->record.item, (const char *)field->name.data, field->name.size);
    if (!value || field->kind == FIELD_WHOLE) return; /* there is the path still */
    const json_t *text = json_object_get(value, "S");
    if (!text) text = json_object_get(value, "N");
    if (!text) return;
    EXPECT(found && bytes.size == json_string_length(text), "%zu bytes", bytes.size);
    EXPECT(bytes.size == 0 || memcmp(bytes.data, json_string_value(text), bytes.size) == 0, "%zu bytes", bytes.size);
}

/* ---- one input ---------------------------------------------------------------------------------------------------------- */

static void append_fields(const struct input *input, struct source *source, struct buffer *out)
{
    for (size_t i = 0; i < input->field_count; i++) {
        sheaf_bytes bytes = { 0 };
        bool found = source_field(source, &input->fields[i], &bytes);
        if (source->record.format == RECORD_DYNAMODB) expect_attribute(source, &input->fields[i], found, bytes);
        if (found) buffer_append(out, bytes);
        else buffer_append_text(out, source->complaint.text);
        buffer_append_byte(out, '\n');
    }
}

/* All of the records, and the fault at the end if there is one; except where the fault is one of gzip. */
static void read_all(const struct input *input, sheaf_bytes bytes, size_t step, struct buffer *out)
{
    struct stream stream = { .rest = bytes, .step = step };
    struct source source;
    bool sound = source_open_stream(&source, "f", stream_give, &stream, &input->options);
    enum source_result result = SOURCE_FAULT;
    uint64_t last_line = 0;
    while (sound && (result = source_next(&source)) == SOURCE_RECORD) {
        EXPECT(source.line_number > last_line, "line %zu", (size_t)source.line_number);
        last_line = source.line_number;
        if (source.record.format == RECORD_CSV) expect_csv(&source);
        append_fields(input, &source, out);
    }
    if (result == SOURCE_FAULT) {
        EXPECT(strncmp(source.complaint.text, "expected ", 9) == 0, "what was expected: %s", source.complaint.text);
        source_describe(&source, out);
    }
    source_close(&source);
}

/* The names of fields, a line each. */
static void read_names(struct input *input, sheaf_bytes names)
{
    while (names.size > 0 && input->field_count < NAME_MAX_COUNT) {
        const uint8_t *end = memchr(names.data, '\n', names.size);
        size_t size = end ? (size_t)(end - names.data) : names.size;
        input->fields[input->field_count++] = field_of(sheaf_bytes_of(names.data, size));
        names = sheaf_bytes_skip(names, end ? size + 1 : size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size > 3 ? memchr(data + 3, '\0', size - 3) : NULL;
    if (!end) return 0;
    struct input input = { .options = { .format = (enum record_format)(data[0] & 3),
                                        .format_given = !(data[0] & 4),
                                        .header = (enum source_header)((data[0] >> 3 & 3) % 3),
                                        .zero_terminated = data[0] & 32 },
                           .step = (size_t)data[1] + 1 };
    sheaf_bytes file = sheaf_bytes_of(end + 1, size - (size_t)(end + 1 - data));
    bool packed_already = file.size >= 2 && file.data[0] == 0x1F && file.data[1] == 0x8B;
    struct buffer packed = { 0 }, at_once = { 0 }, stepwise = { 0 };
    expect_scene = (struct expect_scene){ .name = "input", .operation = "read" };
    read_names(&input, sheaf_bytes_of(data + 3, (size_t)(end - data) - 3));
    read_all(&input, file, SIZE_MAX, &at_once);
    if (data[2] & 1 && !packed_already) {
        pack(&packed, file, data[2] >> 1);
        file = buffer_view(&packed);
    }
    read_all(&input, file, input.step, &stepwise);
    EXPECT(sheaf_bytes_equal(buffer_view(&at_once), buffer_view(&stepwise)), "%zu bytes at once, %zu in steps of %zu",
           at_once.size, stepwise.size, input.step);
    buffer_release(&packed);
    buffer_release(&at_once);
    buffer_release(&stepwise);
    return 0;
}
