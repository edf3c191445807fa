#include "engine/input/field.h"

#include <string.h>

/* Decimal digits as a number from 1 to FIELD_COLUMN_MAX; 0 if they are not that. */
static size_t read_column(sheaf_bytes digits)
{
    size_t number = 0;
    for (size_t i = 0; i < digits.size; i++) {
        if (digits.data[i] < '0' || digits.data[i] > '9') return 0;
        number = number * 10 + (size_t)(digits.data[i] - '0');
        if (number > FIELD_COLUMN_MAX) return 0;
    }
    return number;
}

struct field field_of(sheaf_bytes text)
{
    struct field field = { .kind = FIELD_WHOLE, .name = text };
    if (text.size == 0) return field;
    bool rest = text.data[text.size - 1] == '-';
    field.column = read_column(sheaf_bytes_of(text.data, text.size - rest));
    field.kind = field.column == 0 ? FIELD_NAME : rest ? FIELD_COLUMN_REST : FIELD_COLUMN;
    return field;
}

struct field field_named(sheaf_bytes name)
{
    return (struct field){ .kind = FIELD_NAME, .name = name };
}

static bool fits_json(sheaf_bytes path, struct complaint *complaint)
{
    bool empty_name = path.size == 0 || path.data[0] == '.' || path.data[path.size - 1] == '.' ||
                      memmem(path.data, path.size, "..", 2);
    return !empty_name || complain(complaint, "expected names joined by dots, found %s", quote(path).text);
}

bool field_fits(const struct field *field, enum record_format format, bool has_header, struct complaint *complaint)
{
    if (field->kind == FIELD_WHOLE) return true;
    if (format_is_json(format)) return fits_json(field->name, complaint);
    if (field->kind != FIELD_NAME || has_header) return true;
    return complain(complaint, "expected a column number, 1 to %d, found %s (names are for files with a header, and for JSON)",
                    FIELD_COLUMN_MAX, quote(field->name).text);
}
