#include "engine/cli/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/input/complaint.h"
#include "engine/input/display.h"
#include "engine/input/json_text.h"

#define GAP 2              /* between text columns */
#define CUT_COLUMNS_MIN 16 /* with less room than that a value is not cut: the terminal breaks the line */

/* ---- tsv and json ------------------------------------------------------------------------------------------------------- */

static void append_tsv(struct output *output, const struct output_cell *cells)
{
    struct buffer *buffer = &output->sink.buffer;
    bool first = true;
    for (size_t i = 0; i < output->column_count; i++) {
        if (!output->columns[i].in_tsv) continue;
        if (output->columns[i].may_be_missing && cells[i].bytes.size == 0) continue;
        if (!first) buffer_append_byte(buffer, '\t');
        first = false;
        if (output->columns[i].kind == COLUMN_BYTES) {
            buffer_append(buffer, cells[i].bytes);
        } else {
            buffer_append_format(buffer, "%" PRIu64, cells[i].number);
        }
    }
    buffer_append_byte(buffer, output->terminator);
}

static void append_json(struct output *output, const struct output_cell *cells)
{
    struct buffer *buffer = &output->sink.buffer;
    for (size_t i = 0; i < output->column_count; i++) {
        buffer_append_format(buffer, "%s\"%s\":", i == 0 ? "{" : ",", output->columns[i].name);
        switch (output->columns[i].kind) {
        case COLUMN_BYTES: json_text_append(buffer, cells[i].bytes); break;
        case COLUMN_NUMBER: buffer_append_format(buffer, "%" PRIu64, cells[i].number); break;
        case COLUMN_FLAG: buffer_append_text(buffer, cells[i].number ? "true" : "false"); break;
        }
    }
    buffer_append_text(buffer, "}\n");
}

/* ---- text --------------------------------------------------------------------------------------------------------------- */

static bool is_last_in_text(const struct output *output, size_t column)
{
    for (size_t i = column + 1; i < output->column_count; i++)
        if (output->columns[i].in_text) return false;
    return true;
}

/* Appends what is shown of a cell, and returns the columns it takes. */
static size_t append_shown(struct buffer *buffer, const struct output_column *column, const struct output_cell *cell,
                           size_t columns_max)
{
    if (column->kind == COLUMN_BYTES) return display_append(buffer, cell->bytes, columns_max);
    size_t begin = buffer->size;
    display_append_number(buffer, cell->number);
    return buffer->size - begin;
}

/* Where the last column begins, given the widths of those before it. */
static size_t last_column_begin(const struct output *output)
{
    size_t begin = 0;
    for (size_t i = 0; i < output->column_count; i++)
        if (output->columns[i].in_text && !is_last_in_text(output, i)) begin += output->widths[i] + GAP;
    return begin;
}

/* The most columns that cell may take. */
static size_t room_for(const struct output *output, size_t column)
{
    if (output->width == 0 || !output->columns[column].may_be_cut || !is_last_in_text(output, column)) return SIZE_MAX;
    size_t begin = last_column_begin(output);
    return begin + CUT_COLUMNS_MIN > output->width ? SIZE_MAX : output->width - begin;
}

static void append_spaces(struct buffer *buffer, size_t count)
{
    if (count == 0) return;
    memset(buffer_reserve(buffer, count), ' ', count);
    buffer->size += count;
}

/* One cell lined up: what is shown, in `columns` columns of the terminal. */
static void append_aligned(struct output *output, size_t column, sheaf_bytes shown, size_t columns)
{
    struct buffer *buffer = &output->sink.buffer;
    size_t width = output->widths[column];
    size_t padding = columns < width ? width - columns : 0;
    bool last = is_last_in_text(output, column);
    if (output->columns[column].kind == COLUMN_NUMBER) {
        append_spaces(buffer, padding);
        buffer_append(buffer, shown);
    } else {
        buffer_append(buffer, shown);
        if (!last) append_spaces(buffer, padding);
    }
    if (!last) append_spaces(buffer, GAP);
}

static void end_line(struct buffer *buffer)
{
    while (buffer->size > 0 && buffer->data[buffer->size - 1] == ' ') buffer->size--; /* nothing may follow a key */
    buffer_append_byte(buffer, '\n');
}

static void append_heading(struct output *output)
{
    for (size_t i = 0; i < output->column_count; i++) {
        const char *heading = output->columns[i].heading;
        if (!output->columns[i].in_text) continue;
        append_aligned(output, i, sheaf_bytes_of(heading, strlen(heading)), strlen(heading));
    }
    end_line(&output->sink.buffer);
}

/* One row, straight out. */
static void append_text(struct output *output, const struct output_cell *cells)
{
    for (size_t i = 0; i < output->column_count; i++) {
        if (!output->columns[i].in_text) continue;
        buffer_clear(&output->shown);
        size_t columns = append_shown(&output->shown, &output->columns[i], &cells[i], room_for(output, i));
        append_aligned(output, i, buffer_view(&output->shown), columns);
    }
    end_line(&output->sink.buffer);
}

/* Keeps a row until widths are settled, and widens them. */
static void hold(struct output *output, const struct output_cell *cells)
{
    for (size_t i = 0; i < output->column_count; i++) {
        struct output_cell *held = &output->held_cells[output->row_count * OUTPUT_COLUMN_MAX + i];
        *held = cells[i];
        if (output->columns[i].kind == COLUMN_BYTES) {
            held->number = output->held.size;
            buffer_append(&output->held, cells[i].bytes);
        }
        buffer_clear(&output->shown);
        size_t columns = append_shown(&output->shown, &output->columns[i], &cells[i], SIZE_MAX);
        if (columns > output->widths[i]) output->widths[i] = columns;
    }
}

/* Heading and held rows go out, and later ones straight on. */
static void settle_widths(struct output *output, uint64_t held_rows)
{
    append_heading(output);
    for (uint64_t row = 0; row < held_rows; row++) {
        struct output_cell *cells = &output->held_cells[row * OUTPUT_COLUMN_MAX];
        for (size_t i = 0; i < output->column_count; i++)
            if (output->columns[i].kind == COLUMN_BYTES && cells[i].bytes.size > 0) {
                cells[i].bytes.data = output->held.data + cells[i].number;
            }
        append_text(output, cells);
    }
    output->aligned = true;
}

static void add_text_row(struct output *output, const struct output_cell *cells)
{
    if (output->aligned) {
        append_text(output, cells);
        return;
    }
    hold(output, cells);
    if (output->row_count + 1 == OUTPUT_ALIGNED_ROWS) settle_widths(output, OUTPUT_ALIGNED_ROWS);
}

/* ---- all forms ---------------------------------------------------------------------------------------------------------- */

void output_open(struct output *output, enum output_form form, uint8_t terminator, size_t width,
                 const struct output_column *columns, size_t column_count)
{
    *output = (struct output){
        .form = form, .terminator = terminator, .width = width, .columns = columns, .column_count = column_count
    };
    sink_open(&output->sink, STDOUT_FILENO);
    if (form != OUTPUT_TEXT) return;
    output->held_cells = calloc((size_t)OUTPUT_ALIGNED_ROWS * OUTPUT_COLUMN_MAX, sizeof *output->held_cells);
    if (!output->held_cells) end_without_memory();
    for (size_t i = 0; i < column_count; i++)
        if (columns[i].in_text) output->widths[i] = strlen(columns[i].heading);
}

bool output_row(struct output *output, const struct output_cell *cells)
{
    switch (output->form) {
    case OUTPUT_TEXT: add_text_row(output, cells); break;
    case OUTPUT_TSV: append_tsv(output, cells); break;
    case OUTPUT_JSON: append_json(output, cells); break;
    }
    output->row_count++;
    return sink_settle(&output->sink);
}

void output_finish(struct output *output)
{
    if (output->form == OUTPUT_TEXT && !output->aligned && output->row_count > 0) settle_widths(output, output->row_count);
    sink_flush(&output->sink);
}

void output_close(struct output *output)
{
    sink_release(&output->sink);
    buffer_release(&output->held);
    buffer_release(&output->shown);
    free(output->held_cells);
}
