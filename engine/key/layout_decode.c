/*
 * layout_decode.c - keys to fields.
 *
 * The fields come to lie in the caller's buffer one behind the other; where each is, is noted, and told only when the whole
 * key was one of the layout.
 */
#include "engine/base/assert.h"
#include "engine/key/layout.h"
#include "engine/key/layout_part.h"

struct reading {
    const struct sheaf_layout *layout;
    sheaf_layout_key which;
    sheaf_bytes key;
    size_t at;
    struct sheaf_written written;
    size_t begins[SHEAF_LAYOUT_PART_MAX]; /* of part i's text in what is written, and its size */
    size_t sizes[SHEAF_LAYOUT_PART_MAX];
    sheaf_layout_fault *fault;
};

static sheaf_status refuse(const struct reading *reading, const struct sheaf_layout_part *part, uint64_t at, uint64_t limit,
                           const char *message)
{
    sheaf_detail detail = { .size = at, .limit = limit, .message = message };
    sheaf_bytes rest = sheaf_bytes_skip(reading->key, reading->at);
    return sheaf_layout_refuse(reading->fault, SHEAF_KEY_MALFORMED, reading->which, part, rest, &detail);
}

static sheaf_status read_literal(struct reading *reading, const struct sheaf_layout_part *part)
{
    sheaf_bytes rest = sheaf_bytes_skip(reading->key, reading->at);
    if (!sheaf_bytes_starts_with(rest, part->literal)) {
        return refuse(reading, part, reading->at, 0, "The text of the layout is not there");
    }
    reading->at += part->literal.size;
    return SHEAF_OK;
}

static sheaf_status read_field(struct reading *reading, size_t index)
{
    const struct sheaf_layout_part *part = &reading->layout->parts[index];
    sheaf_detail detail;
    size_t size, begin = reading->written.size;
    sheaf_bytes rest = sheaf_bytes_skip(reading->key, reading->at);
    if (sheaf_layout_part_take(part, rest, &size, &reading->written, &detail) != SHEAF_OK) {
        return refuse(reading, part, reading->at + detail.size, detail.limit, detail.message);
    }
    reading->at += size;
    reading->begins[index] = begin;
    reading->sizes[index] = reading->written.size - begin;
    return SHEAF_OK;
}

static sheaf_status read_key(struct reading *reading)
{
    const struct sheaf_layout *layout = reading->layout;
    const struct sheaf_layout_row *row = &layout->rows[reading->which];
    for (size_t i = row->first; i < row->end; i++) {
        const struct sheaf_layout_part *part = &layout->parts[i];
        sheaf_status status = part->is_field ? read_field(reading, i) : read_literal(reading, part);
        if (status != SHEAF_OK) return status;
    }
    if (reading->at == reading->key.size) return SHEAF_OK;
    return refuse(reading, NULL, reading->at, 0, "The key goes on behind the end of the layout");
}

static void give_values(const struct reading *reading, sheaf_bytes *out_values)
{
    const struct sheaf_layout *layout = reading->layout;
    for (size_t i = layout->rows[reading->which].first; i < layout->rows[reading->which].end; i++)
        if (layout->parts[i].is_field)
            out_values[layout->parts[i].field] = sheaf_bytes_of(reading->written.buffer + reading->begins[i],
                                                                reading->sizes[i]);
}

/* No text of a segment is longer than that. */
size_t sheaf_layout_decode_size(const sheaf_layout *layout, sheaf_layout_key which, size_t key_size)
{
    if (layout->rows[which].type == SHEAF_LAYOUT_TEXT) return key_size;
    return key_size + sheaf_layout_key_field_count(layout, which) * SHEAF_TYPED_TEXT_EXTRA;
}

/* Typed parts are read into the buffer by the reader of tuples, which wants room for all that there may be. */
static sheaf_status check_room(const struct sheaf_layout *layout, const struct reading *reading)
{
    struct sheaf_written wanted = reading->written;
    if (layout->rows[reading->which].type == SHEAF_LAYOUT_TEXT) return SHEAF_OK;
    wanted.size = sheaf_layout_decode_size(layout, reading->which, reading->key.size);
    return sheaf_layout_check_buffer(&wanted, reading->which, reading->fault);
}

sheaf_status sheaf_layout_decode(const sheaf_layout *layout, sheaf_layout_key which, sheaf_bytes key, void *buffer,
                                 size_t capacity, sheaf_bytes *out_values, sheaf_layout_fault *out_fault)
{
    const struct sheaf_layout_row *row = sheaf_layout_find_row(layout, which, out_fault);
    if (!row) return SHEAF_INVALID_ARGUMENT;
    sheaf_detail too_long = { .size = key.size, .limit = row->size_max, .message = "The key is longer than a key can be" };
    if (key.size > row->size_max) return sheaf_layout_refuse(out_fault, SHEAF_KEY_TOO_LONG, which, NULL, key, &too_long);
    struct reading reading; /* its arrays are filled as far as they are read */
    reading.layout = layout;
    reading.which = which;
    reading.key = key;
    reading.at = 0;
    reading.written = (struct sheaf_written){ buffer, capacity, 0 };
    reading.fault = out_fault;
    sheaf_status status = check_room(layout, &reading);
    if (status == SHEAF_OK) status = read_key(&reading);
    if (status == SHEAF_OK) status = sheaf_layout_check_buffer(&reading.written, which, out_fault);
    if (status == SHEAF_OK) give_values(&reading, out_values);
    return status;
}
