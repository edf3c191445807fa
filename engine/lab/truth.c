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

bool truth_condition_holds(const struct question *question, size_t index, size_t row)
{
    const struct condition *condition = &question->pattern->conditions[index];
    const struct argument *argument = &question->arguments[index];
    const struct plan_field *field = &question->plan->fields[condition->field];
    sheaf_bytes value = records_value(question->records, row, condition->field);
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

bool truth_holds(const struct question *question, size_t row)
{
    for (size_t i = 0; i < question->pattern->condition_count; i++)
        if (!truth_condition_holds(question, i, row)) return false;
    return true;
}

int truth_order(const struct question *question, size_t left, size_t right)
{
    const struct pattern *pattern = question->pattern;
    for (size_t i = 0; i < pattern->order_count; i++) {
        const struct order_part *part = &pattern->order[i];
        int order = value_order(question->plan->fields[part->field].type, records_value(question->records, left, part->field),
                                records_value(question->records, right, part->field));
        if (order != 0) return part->descending ? -order : order;
    }
    return 0;
}

static int order_rows(const void *left, const void *right, void *question)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int order = truth_order(question, a, b);
    return order != 0 ? order : (a > b) - (a < b);
}

void truth_sort(const struct question *question, uint32_t *rows, size_t count)
{
    qsort_r(rows, count, sizeof *rows, order_rows, (void *)(uintptr_t)question);
}

void truth_find(const struct question *question, struct truth *out_truth)
{
    uint32_t *rows = allocate_zeroed(question->records->count, sizeof *rows);
    size_t count = 0;
    for (size_t row = 0; row < question->records->count; row++)
        if (truth_holds(question, row)) rows[count++] = (uint32_t)row;
    truth_sort(question, rows, count);
    *out_truth = (struct truth){ .rows = rows, .count = count, .match_count = count };
    if (count > question->pattern->limit) out_truth->count = (size_t)question->pattern->limit;
}

void truth_release(struct truth *truth)
{
    free(truth->rows);
    *truth = (struct truth){ .rows = NULL };
}
