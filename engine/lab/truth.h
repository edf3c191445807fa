/*
 * truth.h - the right answer of a pattern, found the slow way: every record is looked at, what fits is sorted by its fields.
 *
 * Nothing here knows of keys.
 */
#ifndef SHEAF_LAB_TRUTH_H
#define SHEAF_LAB_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/lab/plan.h"
#include "engine/lab/records.h"

/* What a condition asks for in one run; the second value is the upper bound of RELATION_BETWEEN. */
struct argument {
    sheaf_bytes values[2];
};

/* One run of a pattern over records. */
struct inquiry {
    const struct plan *plan;
    const struct records *records;
    const struct pattern *pattern;
    const struct argument *arguments; /* one for each condition */
};

/* Whether a record satisfies one condition of a pattern. */
bool truth_condition_holds(const struct inquiry *inquiry, size_t condition, size_t row);

/* Whether it satisfies all of them. */
bool truth_holds(const struct inquiry *inquiry, size_t row);

/* Less than, equal to or greater than 0, in the order asked for. Where none is, or fields tie, rows are equal. */
int truth_order(const struct inquiry *inquiry, size_t left, size_t right);

struct truth {
    uint32_t *rows;     /* in the order asked for, ties by row */
    size_t count;       /* at most the pattern's limit */
    size_t match_count; /* without it */
};

/* Ends with truth_release(). Cost: O(records + matches * log matches). */
void truth_find(const struct inquiry *inquiry, struct truth *out_truth);

/* Sorts rows as asked for, ties by row. */
void truth_sort(const struct inquiry *inquiry, uint32_t *rows, size_t count);

/* Zeroed is fine. */
void truth_release(struct truth *truth);

#endif
