#include "engine/cli/record.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cli/json_record.h"

void record_init(struct record *record, enum record_format format, size_t columns_wanted)
{
    *record = (struct record){ .format = format, .columns_wanted = columns_wanted };
    if (columns_wanted == 0) return;
    record->columns = calloc(columns_wanted, sizeof *record->columns);
    if (!record->columns) end_without_memory();
}

void record_deinit(struct record *record)
{
    json_record_release(record->object);
    buffer_release(&record->scratch);
    free(record->columns);
    *record = (struct record){ 0 };
}

bool record_is_blank(enum record_format format, sheaf_bytes line)
{
    if (format == RECORD_TSV) return line.size == 0;
    for (size_t i = 0; i < line.size; i++)
        if (line.data[i] != ' ' && line.data[i] != '\t' && line.data[i] != '\r') return false;
    return true;
}

static void split(struct record *record, sheaf_bytes line)
{
    record->column_count = 0;
    while (record->column_count < record->columns_wanted) {
        const uint8_t *tab = line.size == 0 ? NULL : memchr(line.data, '\t', line.size);
        sheaf_bytes column = tab ? sheaf_bytes_of(line.data, (size_t)(tab - line.data)) : line;
        record->columns[record->column_count++] = column;
        if (!tab) return;
        line = sheaf_bytes_of(tab + 1, line.size - column.size - 1);
    }
}

bool record_parse(struct record *record, sheaf_bytes line, struct complaint *complaint)
{
    record->line = line;
    if (record->format == RECORD_JSON_LINES) {
        json_record_release(record->object);
        record->object = json_record_parse(line, &record->scratch, complaint);
        return record->object != NULL;
    }
    split(record, line);
    return true;
}

static bool column_field(const struct record *record, size_t column, sheaf_bytes *out_bytes, struct complaint *complaint)
{
    if (column > record->column_count) {
        return complain(complaint, "expected at least %zu tab-separated columns, found %zu", column, record->column_count);
    }
    *out_bytes = record->columns[column - 1];
    return true;
}

static sheaf_bytes rest_field(const struct record *record, size_t column)
{
    if (column > record->column_count) return sheaf_bytes_of(NULL, 0);
    const uint8_t *begin = record->columns[column - 1].data;
    return sheaf_bytes_of(begin, record->line.size - (size_t)(begin - record->line.data));
}

bool record_field(const struct record *record, const struct field *field, sheaf_bytes *out_bytes, struct complaint *complaint)
{
    switch (field->kind) {
    case FIELD_WHOLE: *out_bytes = record->line; return true;
    case FIELD_COLUMN: return column_field(record, field->column, out_bytes, complaint);
    case FIELD_COLUMN_REST: *out_bytes = rest_field(record, field->column); return true;
    case FIELD_MEMBER: return json_record_member(record->object, field->path, out_bytes, complaint);
    }
    return false;
}
