/*
 * layout_decode.c - keys to fields.
 *
 * A key is gone through twice: to see that it is one and how much room its fields need, then to give them. So what is
 * wrong or has no room sets nothing.
 */
#include "engine/base/assert.h"
#include "engine/key/layout.h"

struct reading {
    const struct sheaf_layout *layout;
    sheaf_layout_key which;
    sheaf_bytes key;
    size_t at;
    struct sheaf_written written;
    sheaf_bytes *values; /* NULL: only looked at */
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

static sheaf_status read_field(struct reading *reading, const struct sheaf_layout_part *part)
{
    sheaf_detail detail;
    size_t size, begin = reading->written.size;
    sheaf_bytes rest = sheaf_bytes_skip(reading->key, reading->at);
    if (sheaf_segment_take(&part->segment, rest, &size, &reading->written, &detail) != SHEAF_OK) {
        return refuse(reading, part, reading->at + detail.size, detail.limit, detail.message);
    }
    reading->at += size;
    if (reading->values) reading->values[part->field] = sheaf_written_since(&reading->written, begin);
    return SHEAF_OK;
}

static sheaf_status read_key(struct reading *reading)
{
    const struct sheaf_layout *layout = reading->layout;
    const struct sheaf_layout_row *row = &layout->rows[reading->which];
    for (size_t i = row->first; i < row->end; i++) {
        const struct sheaf_layout_part *part = &layout->parts[i];
        sheaf_status status = part->is_field ? read_field(reading, part) : read_literal(reading, part);
        if (status != SHEAF_OK) return status;
    }
    if (reading->at == reading->key.size) return SHEAF_OK;
    return refuse(reading, NULL, reading->at, 0, "The key goes on behind the end of the layout");
}

size_t sheaf_layout_decode_size(const sheaf_layout *layout, sheaf_layout_key which, size_t key_size)
{
    (void)layout;
    (void)which;
    return key_size; /* no text is longer than its segment */
}

sheaf_status sheaf_layout_decode(const sheaf_layout *layout, sheaf_layout_key which, sheaf_bytes key, void *buffer,
                                 size_t capacity, sheaf_bytes *out_values, sheaf_layout_fault *out_fault)
{
    const struct sheaf_layout_row *row = sheaf_layout_find_row(layout, which, out_fault);
    if (!row) return SHEAF_INVALID_ARGUMENT;
    sheaf_detail too_long = { .size = key.size, .limit = row->size_max, .message = "The key is longer than a key can be" };
    if (key.size > row->size_max) return sheaf_layout_refuse(out_fault, SHEAF_KEY_TOO_LONG, which, NULL, key, &too_long);
    struct reading first = { .layout = layout, .which = which, .key = key, .fault = out_fault };
    sheaf_status status = read_key(&first);
    first.written.capacity = capacity;
    if (status == SHEAF_OK) status = sheaf_layout_check_buffer(&first.written, which, out_fault);
    if (status != SHEAF_OK) return status;
    struct reading second = first;
    second.at = 0;
    second.written = (struct sheaf_written){ buffer, capacity, 0 };
    second.values = out_values;
    status = read_key(&second);
    sheaf_assert(status == SHEAF_OK);
    return status;
}
