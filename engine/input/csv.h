/*
 * csv.h - one record of comma-separated values, RFC 4180.
 *
 *     Reykjavík,"Hafnarfjörður, the ""town"" of elves",31719
 *               ^ quotes around a field keep commas, line ends and doubled quotes in it
 *
 * A quote that begins a field must end it; elsewhere there is none. What breaks that is refused with its place, not guessed at: a
 * stray quote taken for text would swallow the lines behind it. Scanning stops where the text does and goes on when there is
 * more, so a field of many lines is looked at once.
 */
#ifndef SHEAF_INPUT_CSV_H
#define SHEAF_INPUT_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"
#include "engine/input/complaint.h"

/* The most columns a record can have, as many as a sheet of Excel: a file of commas does not fill the memory. */
#define COLUMN_COUNT_MAX 16384

/* Where a column of a record lies, in bytes from its start. */
struct column {
    size_t begin; /* behind the opening quote, if there is one */
    size_t end;
    bool quoted;
    bool doubled; /* there are doubled quotes in it */
};

/* Zeroed is empty. */
struct column_list {
    struct column *columns;
    size_t count;
    size_t capacity;
};

void column_list_add(struct column_list *list, struct column column);
void column_list_release(struct column_list *list);

enum csv_state {
    CSV_FIELD_BEGIN,
    CSV_PLAIN,
    CSV_QUOTED,
    CSV_BEHIND_QUOTE /* which ends the field, unless another one follows */
};

/* Zeroed is the beginning of a record. */
struct csv_scan {
    enum csv_state state;
    size_t at;            /* all before it has been looked at */
    struct column column; /* the one it is in */
};

enum csv_result {
    CSV_WHOLE,
    CSV_UNFINISHED, /* within quotes: go on with the same text and the next line */
    CSV_FAULT       /* at csv_scan.at */
};

/* Adds the columns of `text`, a line without its terminator, to `list`. */
enum csv_result csv_scan(struct csv_scan *scan, sheaf_bytes text, struct column_list *list, struct complaint *complaint);

/* Appends the bytes of a column with doubled quotes. */
void csv_append_unquoted(struct buffer *buffer, sheaf_bytes column);

#endif
