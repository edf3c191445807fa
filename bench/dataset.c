#include "bench/dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/fatal.h"

/* The whole file and a closing NUL. */
static char *read_file(const char *path, size_t *out_size)
{
    FILE *file = fopen(path, "rb");
    if (!file) fatal("cannot open %s", path);
    size_t size = 0, capacity = 1 << 20;
    char *text = allocate_or_fail(capacity, 1);
    for (size_t got; (got = fread(text + size, 1, capacity - size - 1, file)) > 0; size += got) {
        if (capacity - size - 1 > got) continue;
        capacity *= 2;
        if (!(text = realloc(text, capacity))) fatal("out of memory while reading %s", path);
    }
    if (ferror(file)) fatal("cannot read %s", path);
    fclose(file);
    text[size] = '\0';
    *out_size = size;
    return text;
}

static void split_row(struct dataset *dataset, const char *row, const char *end, const char *path)
{
    sheaf_bytes *fields = dataset->fields + dataset->row_count * dataset->column_count;
    size_t column = 0;
    for (const char *at = row; column < dataset->column_count; column++) {
        const char *stop = memchr(at, '\t', (size_t)(end - at));
        if (!stop) stop = end;
        fields[column] = sheaf_bytes_of(at, (size_t)(stop - at));
        at = stop + 1;
        if (stop == end) break;
    }
    if (column != dataset->column_count - 1) {
        fatal("%s:%zu: expected %zu tab-separated fields", path, dataset->row_count + 1, dataset->column_count);
    }
    dataset->row_count++;
}

void dataset_load(struct dataset *dataset, const char *folder, const char *name, size_t column_count)
{
    char path[4096];
    size_t size, lines = 0;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) fatal("path too long: %s/%s", folder, name);
    *dataset = (struct dataset){ .text = read_file(path, &size), .column_count = column_count };
    for (size_t i = 0; i < size; i++) lines += dataset->text[i] == '\n';
    dataset->fields = allocate_or_fail(lines * column_count, sizeof *dataset->fields);
    const char *at = dataset->text, *end = at + size;
    for (const char *stop; (stop = memchr(at, '\n', (size_t)(end - at))); at = stop + 1) split_row(dataset, at, stop, path);
    if (at != end) fatal("%s: the last line has no line end", path);
}

void dataset_release(struct dataset *dataset)
{
    free(dataset->text);
    free(dataset->fields);
    *dataset = (struct dataset){ 0 };
}

unsigned long long dataset_number(const struct dataset *dataset, size_t row, size_t column)
{
    sheaf_bytes field = dataset_field(dataset, row, column);
    unsigned long long number = 0;
    for (size_t i = 0; i < field.size; i++) {
        if (field.data[i] < '0' || field.data[i] > '9') fatal("row %zu, column %zu: not a number", row + 1, column + 1);
        number = number * 10 + (unsigned)(field.data[i] - '0');
    }
    return number;
}
