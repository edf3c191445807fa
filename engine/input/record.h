/*
 * record.h - one record of the input, and the bytes of a field in it.
 *
 *     lines of a file  ->  record_parse()  ->  record_field(), as often as one likes
 *
 * Columns of tab-separated lines are bytes: nothing is unescaped, nothing need be UTF-8, and only as many are split off as are
 * asked for. With a header, every record has the columns that the header has.
 */
#ifndef SHEAF_INPUT_RECORD_H
#define SHEAF_INPUT_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"
#include "engine/input/complaint.h"
#include "engine/input/csv.h"
#include "engine/input/field.h"
#include "engine/input/format.h"
#include "engine/input/header.h"
#include "engine/input/spill.h"

struct json_t;

/* Where a fault has no place within the record. */
#define RECORD_NO_PLACE SIZE_MAX

struct record {
    enum record_format format;
    const struct header *header; /* names the columns; NULL: there is none */
    sheaf_bytes line;
    size_t fault_at;            /* of the last refusal: offset in the line, or RECORD_NO_PLACE */
    struct column_list columns; /* those split off so far */
    size_t split_size;          /* tab-separated: how much of the line they take; more than it has: all of it */
    struct csv_scan scan;
    bool unfinished;
    struct json_t *object;
    struct json_t *item; /* in `object` */
    struct buffer scratch;
    struct spill spill;
};

enum record_result {
    RECORD_PARSED,
    RECORD_UNFINISHED, /* CSV, within quotes: parse the same line again, with the next one behind it */
    RECORD_REFUSED
};

/* Ready to parse. Ends with record_deinit(). `header` is borrowed, and may be filled until the first record. */
void record_init(struct record *record, enum record_format format, const struct header *header);
void record_deinit(struct record *record);

/* Takes a line, which is borrowed. With a complaint, unless parsed: of an unfinished one if nothing follows. */
enum record_result record_parse(struct record *record, sheaf_bytes line, struct complaint *complaint);

/* Takes a line that names the columns. */
enum record_result record_parse_header(struct record *record, sheaf_bytes line, struct header *header,
                                       struct complaint *complaint);

/* The bytes of a field, valid until the next record_parse(). False, with a complaint, if the record has no such field. */
bool record_field(struct record *record, const struct field *field, sheaf_bytes *out_bytes, struct complaint *complaint);

/* Whether a field is an attribute of type N (DynamoDB JSON), whose order is that of numbers, not of its bytes. */
bool record_field_is_number(const struct record *record, const struct field *field);

/* A line that is no record, and no fault either: nothing in it (in JSON: nothing but white space). */
bool record_is_blank(enum record_format format, sheaf_bytes line);

#endif
