/*
 * records.h - the records of a plan, in memory: the canonical text of each field of each.
 */
#ifndef SHEAF_LAB_RECORDS_H
#define SHEAF_LAB_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>

#include "engine/input/complaint.h"
#include "engine/lab/arena.h"
#include "engine/lab/plan.h"

/* A row is named by its place, counted from 0 in the order in which records come. */
#define RECORDS_MAX (UINT32_MAX - 1)

/* Zeroed is empty. */
struct records {
    size_t count;
    size_t field_count;
    sheaf_bytes *values; /* row after row */
    size_t capacity;     /* in rows */
    struct arena arena;
};

/* Reads all that the plan names. False, with a complaint that says where in the file, and nothing to release. */
bool records_read(const struct plan *plan, struct records *out_records, struct complaint *complaint);

/* Zeroed is fine. */
void records_release(struct records *records);

static inline sheaf_bytes records_value(const struct records *records, size_t row, size_t field)
{
    return records->values[row * records->field_count + field];
}

#endif
