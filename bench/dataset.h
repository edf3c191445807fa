/*
 * dataset.h - a file of tab-separated rows, read whole.
 */
#ifndef BENCH_DATASET_H
#define BENCH_DATASET_H

#include <stddef.h>

#include <sheaf/bytes.h>

struct dataset {
    char *text;
    sheaf_bytes *fields; /* row by row, into text */
    size_t row_count;
    size_t column_count;
};

/* Reads `folder`/`name`; every row must have `column_count` fields, else the program ends with file and line. */
void dataset_load(struct dataset *dataset, const char *folder, const char *name, size_t column_count);
void dataset_release(struct dataset *dataset);

static inline sheaf_bytes dataset_field(const struct dataset *dataset, size_t row, size_t column)
{
    return dataset->fields[row * dataset->column_count + column];
}

/* A field of decimal digits as a number. */
unsigned long long dataset_number(const struct dataset *dataset, size_t row, size_t column);

#endif
