#include "engine/lab/table.h"

#include <stdint.h>
#include <string.h>

#include "engine/input/display.h"

static size_t cell_count(const struct table *table)
{
    return table->cells.size / sizeof(struct table_cell);
}

void table_add(struct table *table, sheaf_bytes text)
{
    size_t column = cell_count(table) % table->column_count;
    struct table_cell cell = { .begin = table->text.size };
    cell.width = display_append(&table->text, text, SIZE_MAX);
    cell.size = table->text.size - cell.begin;
    if (cell.width > table->widths[column]) table->widths[column] = cell.width;
    buffer_append(&table->cells, sheaf_bytes_of(&cell, sizeof cell));
}

static void append_blanks(struct buffer *buffer, size_t count)
{
    for (; count > 0; count--) buffer_append_byte(buffer, ' ');
}

static void append_cell(const struct table *table, size_t index, struct buffer *buffer)
{
    struct table_cell cell;
    size_t column = index % table->column_count;
    memcpy(&cell, table->cells.data + index * sizeof cell, sizeof cell);
    size_t blanks = table->widths[column] - cell.width;
    if (table->to_the_right[column]) append_blanks(buffer, blanks);
    buffer_append(buffer, sheaf_bytes_of(table->text.data + cell.begin, cell.size));
    if (!table->to_the_right[column]) append_blanks(buffer, blanks);
}

void table_append(const struct table *table, const char *indent, struct buffer *buffer)
{
    for (size_t i = 0; i < cell_count(table); i += table->column_count) {
        buffer_append_text(buffer, indent);
        for (size_t column = 0; column < table->column_count; column++) {
            if (column > 0) append_blanks(buffer, 2);
            append_cell(table, i + column, buffer);
        }
        while (buffer->data[buffer->size - 1] == ' ') buffer->size--;
        buffer_append_byte(buffer, '\n');
    }
}

void table_release(struct table *table)
{
    buffer_release(&table->text);
    buffer_release(&table->cells);
}
