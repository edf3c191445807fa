/*
 * field.h - how a field of a record is named.
 *
 *     name            a column of that name in the header; a member of the JSON object; an attribute of the item
 *     address.city    the member city of the member address, unless a member is called just so
 *     3               column 3, from 1 (a JSON member of that name)
 *     3-              column 3 and all that follow, as they are written
 *     nothing         the whole record, as it is written
 *
 * A field is made once and asked for in every record. It borrows its text.
 */
#ifndef SHEAF_INPUT_FIELD_H
#define SHEAF_INPUT_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include <sheaf/bytes.h>

#include "engine/input/complaint.h"
#include "engine/input/format.h"

/* The most columns that can be named by number; a typing error rather than a wide table lies beyond. */
#define FIELD_COLUMN_MAX 1000

enum field_kind {
    FIELD_WHOLE,
    FIELD_COLUMN,
    FIELD_COLUMN_REST, /* empty where the record is shorter */
    FIELD_NAME
};

struct field {
    enum field_kind kind;
    size_t column;    /* FIELD_COLUMN, FIELD_COLUMN_REST: from 1 */
    sheaf_bytes name; /* all of the text: what JSON goes by */
};

/* The field that `text` names. */
struct field field_of(sheaf_bytes text);

/* A field by its name, even if that looks like a number. */
struct field field_named(sheaf_bytes name);

/* False, with a complaint, if records of that kind cannot have such a field, whatever is in them. */
bool field_fits(const struct field *field, enum record_format format, bool has_header, struct complaint *complaint);

#endif
