#include "engine/input/record.h"

#include <string.h>

#include "engine/base/bytes.h"
#include "engine/input/dynamodb_record.h"
#include "engine/input/json_record.h"

void record_init(struct record *record, enum record_format format, const struct header *header)
{
    *record = (struct record){ .format = format, .header = header, .fault_at = RECORD_NO_PLACE };
}

void record_deinit(struct record *record)
{
    json_record_release(record->object);
    buffer_release(&record->scratch);
    column_list_release(&record->columns);
    spill_release(&record->spill);
    *record = (struct record){ 0 };
}

bool record_is_blank(enum record_format format, sheaf_bytes line)
{
    if (!format_is_json(format)) return line.size == 0;
    for (size_t i = 0; i < line.size; i++)
        if (line.data[i] != ' ' && line.data[i] != '\t' && line.data[i] != '\r') return false;
    return true;
}

/* ---- columns ------------------------------------------------------------------------------------------------------------ */

/* Splits off tab-separated columns until there are `count`. False if there are fewer. */
static bool split_up_to(struct record *record, size_t count)
{
    while (record->columns.count < count && record->split_size <= record->line.size) {
        sheaf_bytes rest = sheaf_bytes_skip(record->line, record->split_size);
        const uint8_t *tab = rest.size == 0 ? NULL : memchr(rest.data, '\t', rest.size);
        size_t end = record->split_size + (tab ? (size_t)(tab - rest.data) : rest.size);
        column_list_add(&record->columns, (struct column){ .begin = record->split_size, .end = end });
        record->split_size = end + 1;
    }
    return record->columns.count >= count;
}

/* The bytes of a column as they are written. */
static sheaf_bytes written_column(const struct record *record, const struct column *column)
{
    return sheaf_bytes_of(record->line.size == 0 ? NULL : record->line.data + column->begin, column->end - column->begin);
}

static sheaf_bytes column_bytes(struct record *record, const struct column *column)
{
    sheaf_bytes bytes = written_column(record, column);
    if (!column->doubled) return bytes;
    struct buffer *buffer = spill_next(&record->spill);
    csv_append_unquoted(buffer, bytes);
    return buffer_view(buffer);
}

/* As many columns as the header has: the fault is behind the last one, or where the first begins that is too much. */
static bool check_column_count(struct record *record, struct complaint *complaint)
{
    size_t wanted = record->header->names.count, found = record->columns.count;
    if (found == wanted) return true;
    const struct column *beyond = found > wanted ? &record->columns.columns[wanted] : NULL;
    record->fault_at = beyond ? beyond->begin - beyond->quoted : record->line.size;
    if (beyond) return complain(complaint, "expected %zu columns, as the header has, found %zu", wanted, found);
    return complain(complaint, "expected %zu columns, as the header has, found %zu: %s is missing", wanted, found,
                    quote(header_name(record->header, found)).text);
}

static enum record_result parse_csv(struct record *record, struct complaint *complaint)
{
    switch (csv_scan(&record->scan, record->line, &record->columns, complaint)) {
    case CSV_WHOLE: return RECORD_PARSED;
    case CSV_FAULT: record->fault_at = record->scan.at; return RECORD_REFUSED;
    case CSV_UNFINISHED: break;
    }
    record->fault_at = record->scan.column.begin - 1;
    complain(complaint, "expected a closing quote, found the end of the file");
    return RECORD_UNFINISHED;
}

/* `all`: of tab-separated lines, too. */
static enum record_result parse_columns(struct record *record, bool all, struct complaint *complaint)
{
    if (record->format == RECORD_CSV) return parse_csv(record, complaint);
    if (!all || !split_up_to(record, COLUMN_COUNT_MAX + 1)) return RECORD_PARSED;
    record->fault_at = record->columns.columns[COLUMN_COUNT_MAX].begin;
    complain(complaint, "expected at most %d columns", COLUMN_COUNT_MAX);
    return RECORD_REFUSED;
}

/* ---- parsing ------------------------------------------------------------------------------------------------------------ */

static enum record_result parse_json(struct record *record, struct complaint *complaint)
{
    json_record_release(record->object);
    record->object = json_record_parse(record->line, &record->scratch, complaint);
    if (!record->object) return RECORD_REFUSED;
    if (record->format == RECORD_JSON_LINES) return RECORD_PARSED;
    record->item = dynamodb_item(record->object, complaint);
    return record->item ? RECORD_PARSED : RECORD_REFUSED;
}

static void begin(struct record *record, sheaf_bytes line)
{
    bool goes_on = record->unfinished;
    record->line = line;
    record->fault_at = RECORD_NO_PLACE;
    record->unfinished = false;
    if (goes_on) return;
    record->columns.count = 0;
    record->split_size = 0;
    record->scan = (struct csv_scan){ 0 };
    spill_clear(&record->spill);
}

enum record_result record_parse(struct record *record, sheaf_bytes line, struct complaint *complaint)
{
    begin(record, line);
    if (format_is_json(record->format)) return parse_json(record, complaint);
    enum record_result result = parse_columns(record, record->header != NULL, complaint);
    record->unfinished = result == RECORD_UNFINISHED;
    if (result != RECORD_PARSED || !record->header || check_column_count(record, complaint)) return result;
    return RECORD_REFUSED;
}

enum record_result record_parse_header(struct record *record, sheaf_bytes line, struct header *header,
                                       struct complaint *complaint)
{
    begin(record, line);
    enum record_result result = parse_columns(record, true, complaint);
    record->unfinished = result == RECORD_UNFINISHED;
    if (result != RECORD_PARSED) return result;
    for (size_t i = 0; i < record->columns.count; i++) header_add(header, column_bytes(record, &record->columns.columns[i]));
    return result;
}

/* ---- fields ------------------------------------------------------------------------------------------------------------- */

static bool column_field(struct record *record, size_t number, sheaf_bytes *out_bytes, struct complaint *complaint)
{
    if (record->format == RECORD_TSV) (void)split_up_to(record, number);
    if (number > record->columns.count) {
        const char *separation = record->format == RECORD_TSV ? "tab-separated columns" : "columns";
        return complain(complaint, "expected at least %zu %s, found %zu", number, separation, record->columns.count);
    }
    *out_bytes = column_bytes(record, &record->columns.columns[number - 1]);
    return true;
}

static sheaf_bytes rest_field(struct record *record, size_t number)
{
    if (record->format == RECORD_TSV) (void)split_up_to(record, number);
    if (number > record->columns.count) return sheaf_bytes_of(NULL, 0);
    const struct column *column = &record->columns.columns[number - 1];
    return sheaf_bytes_skip(record->line, column->begin - column->quoted);
}

static bool named_column(struct record *record, const struct field *field, sheaf_bytes *out_bytes, struct complaint *complaint)
{
    size_t index;
    if (!field_fits(field, record->format, record->header != NULL, complaint)) return false;
    if (!header_find(record->header, field->name, &index, complaint)) return false;
    *out_bytes = column_bytes(record, &record->columns.columns[index]);
    return true;
}

static bool attribute(struct record *record, sheaf_bytes path, sheaf_bytes *out_bytes, struct complaint *complaint)
{
    const struct json_t *value = dynamodb_value(record->item, path);
    if (!value) return complain(complaint, "expected an attribute %s, found none", quote(path).text);
    return dynamodb_bytes(value, path, &record->spill, out_bytes, complaint);
}

bool record_field(struct record *record, const struct field *field, sheaf_bytes *out_bytes, struct complaint *complaint)
{
    if (field->kind == FIELD_WHOLE) {
        *out_bytes = record->line;
        return true;
    }
    if (record->format == RECORD_JSON_LINES) return json_record_member(record->object, field->name, out_bytes, complaint);
    if (record->format == RECORD_DYNAMODB) return attribute(record, field->name, out_bytes, complaint);
    if (field->kind == FIELD_NAME) return named_column(record, field, out_bytes, complaint);
    if (field->kind == FIELD_COLUMN) return column_field(record, field->column, out_bytes, complaint);
    *out_bytes = rest_field(record, field->column);
    return true;
}

bool record_field_is_number(const struct record *record, const struct field *field)
{
    if (record->format != RECORD_DYNAMODB || field->kind == FIELD_WHOLE) return false;
    const struct json_t *value = dynamodb_value(record->item, field->name);
    return value && strcmp(dynamodb_type(value), "N") == 0;
}
