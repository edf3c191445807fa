#include "engine/lab/draw.h"

#include <stdlib.h>

#include "engine/base/bytes.h"
#include "engine/base/utf8.h"
#include "engine/lab/random.h"

struct drawing {
    const struct plan *plan;
    const struct records *records;
    const struct pattern *pattern;
    struct random random;
    uint32_t *candidates; /* records that what is given leaves */
    size_t candidate_count;
    uint32_t *companions; /* of those, the ones that agree with the record drawn */
};

/* ---- which records may be drawn --------------------------------------------------------------------------------------- */

static sheaf_bytes folder_of(const struct drawing *drawing, const struct condition *condition, size_t row)
{
    const struct plan_field *field = &drawing->plan->fields[condition->field];
    sheaf_bytes path = records_value(drawing->records, row, condition->field);
    return path_parent(path, field->delimiter, sheaf_bytes_of(&field->delimiter, 1));
}

/* Whether there is something to take from a record: the root lies in no folder, and what lies in the root is below all there
 * is, which is no subtree to ask for. */
static bool can_give(const struct drawing *drawing, const struct condition *condition, size_t row)
{
    uint8_t delimiter = drawing->plan->fields[condition->field].delimiter;
    sheaf_bytes value = records_value(drawing->records, row, condition->field);
    if (condition->relation == RELATION_BEGINS_WITH) return value.size > 0;
    if (condition->relation == RELATION_CHILDREN_OF) return folder_of(drawing, condition, row).size > 0;
    if (condition->relation != RELATION_SUBTREE_OF) return true;
    sheaf_bytes folder = folder_of(drawing, condition, row);
    return folder.size > 0 && !path_is_root(folder, delimiter);
}

static bool is_candidate(const struct drawing *drawing, const struct inquiry *given, size_t row)
{
    for (size_t i = 0; i < drawing->pattern->condition_count; i++) {
        const struct condition *condition = &drawing->pattern->conditions[i];
        bool sampled = condition->operands[0].sampled;
        if (sampled ? !can_give(drawing, condition, row) : !truth_condition_holds(given, i, row)) return false;
    }
    return true;
}

static void find_candidates(struct drawing *drawing, const struct argument *given)
{
    struct inquiry inquiry = {
        .plan = drawing->plan, .records = drawing->records, .pattern = drawing->pattern, .arguments = given
    };
    drawing->candidate_count = 0;
    for (size_t row = 0; row < drawing->records->count; row++)
        if (is_candidate(drawing, &inquiry, row)) drawing->candidates[drawing->candidate_count++] = (uint32_t)row;
}

static bool agrees(const struct drawing *drawing, size_t row, size_t other)
{
    for (size_t i = 0; i < drawing->pattern->condition_count; i++) {
        const struct condition *condition = &drawing->pattern->conditions[i];
        if (!condition->operands[0].sampled || condition->relation != RELATION_EQUAL) continue;
        if (!sheaf_bytes_equal(records_value(drawing->records, row, condition->field),
                               records_value(drawing->records, other, condition->field)))
            return false;
    }
    return true;
}

/* Another record of the same partition, say; the same one if it is alone. */
static size_t draw_companion(struct drawing *drawing, size_t row)
{
    size_t count = 0;
    for (size_t i = 0; i < drawing->candidate_count; i++)
        if (agrees(drawing, row, drawing->candidates[i])) drawing->companions[count++] = drawing->candidates[i];
    return drawing->companions[random_below(&drawing->random, count)];
}

/* ---- what a run takes from them --------------------------------------------------------------------------------------- */

static sheaf_bytes beginning_of(sheaf_bytes text, uint64_t character_count)
{
    size_t size = 0;
    for (; size < text.size && character_count > 0; character_count--) {
        size_t character = sheaf_utf8_character_size(sheaf_bytes_skip(text, size));
        size += character > 0 ? character : 1;
    }
    return sheaf_bytes_of(text.data, size);
}

static void take_bounds(struct drawing *drawing, const struct condition *condition, size_t row, struct argument *argument)
{
    sheaf_bytes one = records_value(drawing->records, row, condition->field);
    sheaf_bytes other = records_value(drawing->records, draw_companion(drawing, row), condition->field);
    bool ordered = value_order(drawing->plan->fields[condition->field].type, one, other) <= 0;
    argument->values[0] = ordered ? one : other;
    argument->values[1] = ordered ? other : one;
}

static void take(struct drawing *drawing, const struct condition *condition, size_t row, struct argument *argument)
{
    switch (condition->relation) {
    case RELATION_EQUAL:
    case RELATION_LESS:
    case RELATION_AT_MOST:
    case RELATION_AT_LEAST:
    case RELATION_GREATER: argument->values[0] = records_value(drawing->records, row, condition->field); break;
    case RELATION_BETWEEN: take_bounds(drawing, condition, row, argument); break;
    case RELATION_BEGINS_WITH:
        argument->values[0] = beginning_of(records_value(drawing->records, row, condition->field),
                                           condition->operands[0].character_count);
        break;
    case RELATION_SUBTREE_OF:
    case RELATION_CHILDREN_OF: argument->values[0] = folder_of(drawing, condition, row); break;
    }
}

static void take_given(const struct condition *condition, size_t run, struct argument *argument)
{
    for (size_t i = 0; i < condition->operand_count; i++) {
        const struct operand *operand = &condition->operands[i];
        argument->values[i] = operand->values[operand->value_count == 1 ? 0 : run];
    }
}

static bool make_run(struct drawing *drawing, size_t run, struct argument *arguments)
{
    const struct pattern *pattern = drawing->pattern;
    bool samples = false;
    for (size_t i = 0; i < pattern->condition_count; i++) {
        if (pattern->conditions[i].operands[0].sampled)
            samples = true;
        else
            take_given(&pattern->conditions[i], run, &arguments[i]);
    }
    if (!samples) return true;
    find_candidates(drawing, arguments);
    if (drawing->candidate_count == 0) return false;
    size_t row = drawing->candidates[random_below(&drawing->random, drawing->candidate_count)];
    for (size_t i = 0; i < pattern->condition_count; i++)
        if (pattern->conditions[i].operands[0].sampled) take(drawing, &pattern->conditions[i], row, &arguments[i]);
    return true;
}

/* ---- all runs --------------------------------------------------------------------------------------------------------- */

bool draws_make(const struct plan *plan, size_t index, const struct records *records, struct draws *out_draws,
                struct complaint *complaint)
{
    const struct pattern *pattern = &plan->patterns[index];
    struct draws draws = { .run_count = pattern->run_count, .condition_count = pattern->condition_count };
    struct drawing drawing = { .plan = plan, .records = records, .pattern = pattern };
    drawing.random.state = plan->seed;
    drawing.random.state = random_next(&drawing.random) + index;
    drawing.candidates = allocate_zeroed(records->count, sizeof *drawing.candidates);
    drawing.companions = allocate_zeroed(records->count, sizeof *drawing.companions);
    draws.arguments = allocate_zeroed(draws.run_count * draws.condition_count, sizeof *draws.arguments);
    bool made = true;
    for (size_t run = 0; run < draws.run_count && made; run++)
        made = make_run(&drawing, run, draws.arguments + run * draws.condition_count);
    free(drawing.candidates);
    free(drawing.companions);
    if (made) {
        *out_draws = draws;
        return true;
    }
    draws_release(&draws);
    return complain(complaint, "patterns[%zu]: no record satisfies what is given, so there is none to sample from", index);
}

void draws_release(struct draws *draws)
{
    free(draws->arguments);
    *draws = (struct draws){ .arguments = NULL };
}
