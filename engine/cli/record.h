/*
 * record.h - one record of the input, and the bytes of a field in it.
 *
 *     tab-separated   name TAB size TAB owner      columns, counted from 1
 *     JSON lines      {"name": "a", "size": 1}     members, by path
 *
 * Tab-separated columns are bytes: nothing is unescaped, nothing need be UTF-8. Only as many are split off as the templates
 * name.
 */
#ifndef SHEAF_CLI_RECORD_H
#define SHEAF_CLI_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include <sheaf/bytes.h>

#include "engine/cli/buffer.h"
#include "engine/cli/complaint.h"

struct json_t;

enum record_format {
    RECORD_TSV,
    RECORD_JSON_LINES
};

/* The most columns a template can name; a typing error rather than a wide table lies beyond. */
#define RECORD_COLUMN_MAX 1000

enum field_kind {
    FIELD_WHOLE,       /* the whole line */
    FIELD_COLUMN,      /* one column */
    FIELD_COLUMN_REST, /* from one column to the end of the line; empty where the line is shorter */
    FIELD_MEMBER       /* a member of the JSON object, by path */
};

/* Names a field. */
struct field {
    enum field_kind kind;
    size_t column;    /* FIELD_COLUMN, FIELD_COLUMN_REST: from 1 */
    sheaf_bytes path; /* FIELD_MEMBER: names joined by dots; borrowed from the template's text */
};

struct record {
    enum record_format format;
    sheaf_bytes line;
    size_t columns_wanted;
    sheaf_bytes *columns; /* room for columns_wanted */
    size_t column_count;  /* how many of those the line has */
    struct json_t *object;
    struct buffer scratch;
};

/* Ready to parse lines, of which the first `columns_wanted` columns will be asked for. Ends with record_deinit(). */
void record_init(struct record *record, enum record_format format, size_t columns_wanted);
void record_deinit(struct record *record);

/* Takes a line, which is borrowed. False, with a complaint, if it is no record of its format. */
bool record_parse(struct record *record, sheaf_bytes line, struct complaint *complaint);

/* The bytes of a field, valid until the next record_parse(). False, with a complaint, if the record has no such field. */
bool record_field(const struct record *record, const struct field *field, sheaf_bytes *out_bytes, struct complaint *complaint);

/* A line that is no record, and no fault either: nothing in it (in JSON lines: nothing but white space). */
bool record_is_blank(enum record_format format, sheaf_bytes line);

#endif
