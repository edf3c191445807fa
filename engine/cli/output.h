/*
 * output.h - rows of an answer, in one of three forms.
 *
 *     text   for a person: columns lined up under a heading, numbers in groups of three, long values cut at the window's edge
 *     tsv    for a program: the columns' bytes as they are, a tab between them
 *     json   for a program: one object a line, see json_text.h
 *
 * Every row of an answer has the same columns. What a form leaves out is said at the column.
 */
#ifndef SHEAF_CLI_OUTPUT_H
#define SHEAF_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>

#include "engine/cli/sink.h"

enum output_form {
    OUTPUT_TEXT,
    OUTPUT_TSV,
    OUTPUT_JSON
};

#define OUTPUT_COLUMN_MAX 4
/* Text columns are lined up over so many rows; later rows keep to the widths found, so that a long answer flows. */
#define OUTPUT_ALIGNED_ROWS 500

enum column_kind {
    COLUMN_BYTES,
    COLUMN_NUMBER,
    COLUMN_FLAG
};

/* What a column is called, and in which forms it appears. */
struct output_column {
    const char *heading; /* in text */
    const char *name;    /* in JSON */
    enum column_kind kind;
    bool in_text;
    bool in_tsv;
    bool may_be_cut;     /* in text, if it is the last */
    bool may_be_missing; /* in TSV, if it is the last: without bytes it has no tab either, so that a list of keys stays one */
};

/* One value of a row: that of its column's kind counts. */
struct output_cell {
    sheaf_bytes bytes;
    uint64_t number; /* or a flag, 0 or 1 */
};

struct output {
    struct sink sink;
    enum output_form form;
    uint8_t terminator; /* of a TSV line */
    size_t width;       /* columns of the terminal; 0: no edge */
    const struct output_column *columns;
    size_t column_count;
    uint64_t row_count;
    bool aligned;       /* text: widths are settled, rows go straight out */
    struct buffer held; /* text: the bytes of rows waiting for that */
    struct output_cell *held_cells; /* their cells; of bytes, `number` says where in `held` they begin */
    size_t widths[OUTPUT_COLUMN_MAX];
    struct buffer shown;
};

/* To standard output. `columns` are borrowed. */
void output_open(struct output *output, enum output_form form, uint8_t terminator, size_t width,
                 const struct output_column *columns, size_t column_count);

/* One row, a cell for each column. False when nothing more will be written. */
bool output_row(struct output *output, const struct output_cell *cells);

/* Writes what is left; then ask sink_failed(). */
void output_finish(struct output *output);

/* Frees it all. */
void output_close(struct output *output);

#endif
