#include "engine/input/header.h"

#include "engine/base/bytes.h"

void header_add(struct header *header, sheaf_bytes name)
{
    struct column column = { .begin = header->text.size, .end = header->text.size + name.size };
    buffer_append(&header->text, name);
    column_list_add(&header->names, column);
}

sheaf_bytes header_name(const struct header *header, size_t index)
{
    const struct column *column = &header->names.columns[index];
    if (column->begin == column->end) return sheaf_bytes_of(NULL, 0);
    return sheaf_bytes_of(header->text.data + column->begin, column->end - column->begin);
}

/* What is wrong with asking for `name`: the header's names are shown, as far as they fit. */
static bool refuse(const struct header *header, sheaf_bytes name, bool twice, struct complaint *complaint)
{
    if (twice) return complain(complaint, "expected one column %s in the header, found several", quote(name).text);
    struct buffer names = { 0 };
    for (size_t i = 0; i < header->names.count; i++) {
        if (i > 0) buffer_append_byte(&names, ',');
        buffer_append(&names, header_name(header, i));
    }
    complain(complaint, "expected a column %s, found in the header %s", quote(name).text, quote(buffer_view(&names)).text);
    buffer_release(&names);
    return false;
}

bool header_find(const struct header *header, sheaf_bytes name, size_t *out_index, struct complaint *complaint)
{
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < header->names.count; i++) {
        if (!sheaf_bytes_equal(header_name(header, i), name)) continue;
        if (found != SIZE_MAX) return refuse(header, name, true, complaint);
        found = i;
    }
    if (found == SIZE_MAX) return refuse(header, name, false, complaint);
    *out_index = found;
    return true;
}

void header_release(struct header *header)
{
    buffer_release(&header->text);
    column_list_release(&header->names);
}
