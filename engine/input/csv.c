#include "engine/input/csv.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/bytes.h"

void column_list_add(struct column_list *list, struct column column)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 16 : list->capacity * 2;
        struct column *columns = reallocarray(list->columns, capacity, sizeof *columns);
        if (!columns) end_without_memory();
        list->columns = columns;
        list->capacity = capacity;
    }
    list->columns[list->count++] = column;
}

void column_list_release(struct column_list *list)
{
    free(list->columns);
    *list = (struct column_list){ 0 };
}

/* The column ends before `end`; the next one begins behind the comma. */
static bool end_column(struct csv_scan *scan, size_t end, struct column_list *list, struct complaint *complaint)
{
    if (list->count == COLUMN_COUNT_MAX) return complain(complaint, "expected at most %d columns", COLUMN_COUNT_MAX);
    scan->column.end = end;
    column_list_add(list, scan->column);
    scan->state = CSV_FIELD_BEGIN;
    return true;
}

static bool begin_column(struct csv_scan *scan, uint8_t byte, struct column_list *list, struct complaint *complaint)
{
    bool quoted = byte == '"';
    scan->column = (struct column){ .begin = scan->at + quoted, .quoted = quoted };
    scan->state = quoted ? CSV_QUOTED : CSV_PLAIN;
    return byte != ',' || end_column(scan, scan->at, list, complaint);
}

static bool scan_plain(struct csv_scan *scan, uint8_t byte, struct column_list *list, struct complaint *complaint)
{
    if (byte == ',') return end_column(scan, scan->at, list, complaint);
    if (byte != '"') return true;
    return complain(complaint, "expected no quote within a field that does not begin with one");
}

static bool scan_behind_quote(struct csv_scan *scan, sheaf_bytes text, struct column_list *list, struct complaint *complaint)
{
    uint8_t byte = text.data[scan->at];
    if (byte == ',') return end_column(scan, scan->at - 1, list, complaint);
    if (byte == '"') {
        scan->column.doubled = true;
        scan->state = CSV_QUOTED;
        return true;
    }
    return complain(complaint, "expected a comma behind the closing quote, found %s",
                    quote(sheaf_bytes_of(text.data + scan->at, 1)).text);
}

/* One byte; within quotes up to the next quote at once. */
static bool scan_on(struct csv_scan *scan, sheaf_bytes text, struct column_list *list, struct complaint *complaint)
{
    switch (scan->state) {
    case CSV_FIELD_BEGIN: return begin_column(scan, text.data[scan->at], list, complaint);
    case CSV_PLAIN: return scan_plain(scan, text.data[scan->at], list, complaint);
    case CSV_BEHIND_QUOTE: return scan_behind_quote(scan, text, list, complaint);
    case CSV_QUOTED: break;
    }
    const uint8_t *found = memchr(text.data + scan->at, '"', text.size - scan->at);
    scan->at = found ? (size_t)(found - text.data) : text.size - 1;
    if (found) scan->state = CSV_BEHIND_QUOTE;
    return true;
}

enum csv_result csv_scan(struct csv_scan *scan, sheaf_bytes text, struct column_list *list, struct complaint *complaint)
{
    for (; scan->at < text.size; scan->at++)
        if (!scan_on(scan, text, list, complaint)) return CSV_FAULT;
    bool sound = true;
    switch (scan->state) {
    case CSV_FIELD_BEGIN: sound = begin_column(scan, ',', list, complaint); break; /* behind the last comma: an empty one */
    case CSV_PLAIN: sound = end_column(scan, text.size, list, complaint); break;
    case CSV_BEHIND_QUOTE: sound = end_column(scan, text.size - 1, list, complaint); break;
    case CSV_QUOTED: return CSV_UNFINISHED;
    }
    return sound ? CSV_WHOLE : CSV_FAULT;
}

void csv_append_unquoted(struct buffer *buffer, sheaf_bytes column)
{
    while (column.size > 0) {
        const uint8_t *found = memchr(column.data, '"', column.size);
        size_t size = found ? (size_t)(found - column.data) + 1 : column.size; /* the first of the two stays */
        buffer_append(buffer, sheaf_bytes_of(column.data, size));
        column = sheaf_bytes_skip(column, sheaf_size_min(size + (found != NULL), column.size));
    }
}
