#include "engine/lab/truth.h"

#include <stdlib.h>

#include "engine/base/bytes.h"

static bool is_below(const struct plan_field *field, sheaf_bytes path, sheaf_bytes folder)
{
    return path_is_root(folder, field->delimiter) || sheaf_bytes_starts_with(path, folder);
}

static bool is_child(const struct plan_field *field, sheaf_bytes path, sheaf_bytes folder)
{
    return sheaf_bytes_equal(path_parent(path, field->delimiter, sheaf_bytes_of(&field->delimiter, 1)), folder);
}

bool truth_condition_holds(const struct inquiry *inquiry, size_t index, size_t row)
{
    const struct condition *condition = &inquiry->pattern->conditions[index];
    const struct argument *argument = &inquiry->arguments[index];
    const struct plan_field *field = &inquiry->plan->fields[condition->field];
    sheaf_bytes value = records_value(inquiry->records, row, condition->field);
    sheaf_bytes asked = argument->values[0];
    switch (condition->relation) {
    case RELATION_EQUAL: return value_order(field->type, value, asked) == 0;
    case RELATION_LESS: return value_order(field->type, value, asked) < 0;
    case RELATION_AT_MOST: return value_order(field->type, value, asked) <= 0;
    case RELATION_AT_LEAST: return value_order(field->type, value, asked) >= 0;
    case RELATION_GREATER: return value_order(field->type, value, asked) > 0;
    case RELATION_BETWEEN:
        return value_order(field->type, value, asked) >= 0 && value_order(field->type, value, argument->values[1]) <= 0;
    case RELATION_BEGINS_WITH: return sheaf_bytes_starts_with(value, asked);
    case RELATION_SUBTREE_OF: return is_below(field, value, asked);
    case RELATION_CHILDREN_OF: return is_child(field, value, asked);
    }
    return false;
}

bool truth_holds(const struct inquiry *inquiry, size_t row)
{
    for (size_t i = 0; i < inquiry->pattern->condition_count; i++)
        if (!truth_condition_holds(inquiry, i, row)) return false;
    return true;
}

int truth_order(const struct inquiry *inquiry, size_t left, size_t right)
{
    const struct pattern *pattern = inquiry->pattern;
    for (size_t i = 0; i < pattern->order_count; i++) {
        const struct order_part *part = &pattern->order[i];
        int order = value_order(inquiry->plan->fields[part->field].type, records_value(inquiry->records, left, part->field),
                                records_value(inquiry->records, right, part->field));
        if (order != 0) return part->descending ? -order : order;
    }
    return 0;
}

static int order_rows(const void *left, const void *right, void *inquiry)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int order = truth_order(inquiry, a, b);
    return order != 0 ? order : (a > b) - (a < b);
}

void truth_sort(const struct inquiry *inquiry, uint32_t *rows, size_t count)
{
    qsort_r(rows, count, sizeof *rows, order_rows, (void *)(uintptr_t)inquiry);
}

void truth_find(const struct inquiry *inquiry, struct truth *out_truth)
{
    uint32_t *rows = allocate_zeroed(inquiry->records->count, sizeof *rows);
    size_t count = 0;
    for (size_t row = 0; row < inquiry->records->count; row++)
        if (truth_holds(inquiry, row)) rows[count++] = (uint32_t)row;
    truth_sort(inquiry, rows, count);
    size_t kept = count > inquiry->pattern->limit ? (size_t)inquiry->pattern->limit : count;
    uint32_t *fitting = realloc(rows, (kept > 0 ? kept : 1) * sizeof *rows);
    *out_truth = (struct truth){ .rows = fitting ? fitting : rows, .count = kept, .match_count = count };
}

void truth_release(struct truth *truth)
{
    free(truth->rows);
    *truth = (struct truth){ .rows = NULL };
}
