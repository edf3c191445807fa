/*
 * layout_encode.c - fields to keys, part by part.
 */
#include "engine/base/assert.h"
#include "engine/key/layout.h"
#include "engine/key/layout_part.h"

size_t sheaf_layout_append_literals(struct sheaf_layout_draft *draft, size_t index)
{
    const struct sheaf_layout *layout = draft->layout;
    for (; index < layout->rows[draft->which].end && !layout->parts[index].is_field; index++)
        sheaf_write_slice(&draft->written, layout->parts[index].literal);
    return index;
}

sheaf_status sheaf_layout_append_field(struct sheaf_layout_draft *draft, size_t index, sheaf_bytes value,
                                       sheaf_layout_fault *out_fault)
{
    sheaf_detail detail;
    const struct sheaf_layout_part *part = &draft->layout->parts[index];
    sheaf_status status = sheaf_layout_part_append(part, value, &draft->written, &detail);
    if (status != SHEAF_OK) return sheaf_layout_refuse(out_fault, status, draft->which, part, value, &detail);
    return sheaf_layout_check_size(draft, part, value, out_fault);
}

sheaf_status sheaf_layout_check_size(const struct sheaf_layout_draft *draft, const struct sheaf_layout_part *part,
                                     sheaf_bytes value, sheaf_layout_fault *out_fault)
{
    size_t limit = draft->layout->rows[draft->which].size_max;
    sheaf_detail detail = { .size = draft->written.size - draft->begin,
                            .limit = limit,
                            .message = "The key is longer than a key can be" };
    if (detail.size <= limit) return SHEAF_OK;
    return sheaf_layout_refuse(out_fault, SHEAF_KEY_TOO_LONG, draft->which, part, value, &detail);
}

sheaf_status sheaf_layout_check_buffer(const struct sheaf_written *written, sheaf_layout_key which,
                                       sheaf_layout_fault *out_fault)
{
    sheaf_detail detail = { .size = written->size,
                            .limit = written->capacity,
                            .message = "The buffer is smaller than what goes into it" };
    if (sheaf_written_fits(written)) return SHEAF_OK;
    return sheaf_layout_refuse(out_fault, SHEAF_BUFFER_TOO_SMALL, which, NULL, sheaf_bytes_of(NULL, 0), &detail);
}

sheaf_status sheaf_layout_encode(const sheaf_layout *layout, sheaf_layout_key which, const sheaf_bytes *values,
                                 void *buffer, size_t capacity, sheaf_bytes *out_key, sheaf_layout_fault *out_fault)
{
    const struct sheaf_layout_row *row = sheaf_layout_find_row(layout, which, out_fault);
    if (!row) return SHEAF_INVALID_ARGUMENT;
    struct sheaf_layout_draft draft = { .layout = layout, .which = which, .written = { buffer, capacity, 0 } };
    const struct sheaf_layout_part *last = NULL;
    for (size_t i = sheaf_layout_append_literals(&draft, row->first); i < row->end;) {
        last = &layout->parts[i];
        sheaf_status status = sheaf_layout_append_field(&draft, i, values[last->field], out_fault);
        if (status != SHEAF_OK) return status;
        i = sheaf_layout_append_literals(&draft, i + 1);
    }
    sheaf_bytes value = last ? values[last->field] : sheaf_bytes_of(NULL, 0);
    sheaf_status status = sheaf_layout_check_size(&draft, last, value, out_fault); /* with the literals behind */
    if (status == SHEAF_OK) status = sheaf_layout_check_buffer(&draft.written, which, out_fault);
    if (status == SHEAF_OK) *out_key = sheaf_written_since(&draft.written, 0);
    return status;
}
