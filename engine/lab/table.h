/*
 * table.h - columns that line up on a terminal.
 */
#ifndef SHEAF_LAB_TABLE_H
#define SHEAF_LAB_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/input/buffer.h"

#define TABLE_COLUMN_MAX 12

struct table_cell {
    size_t begin; /* in `text` */
    size_t size;
    size_t width; /* on a terminal */
};

/* Zeroed is empty, its columns to the left. */
struct table {
    size_t column_count;
    bool to_the_right[TABLE_COLUMN_MAX];
    size_t widths[TABLE_COLUMN_MAX];
    struct buffer text;
    struct buffer cells; /* struct table_cell, row after row */
};

/* Adds the next cell: to the right of the one before, or in a new row. What is in it is shown as display.h does. */
void table_add(struct table *table, sheaf_bytes text);

/* Appends the rows, two blanks between columns, none at the end of a line; each line begins with `indent`. */
void table_append(const struct table *table, const char *indent, struct buffer *buffer);

void table_release(struct table *table);

#endif
