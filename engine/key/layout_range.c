/*
 * layout_range.c - conditions on fields to one range of keys.
 *
 *     conditions   season = 26, score between 100 and 200       of "{season}#{score:pad(10)}#{player}"
 *
 *     lead         26#                       equalities, and the text up to the field of the last condition
 *     lower cut    26#0000000100#            before that
 *     upper cut    26#0000000200#            after all that starts with that
 *
 * A cut is found in two steps. By value: a bound has a spot among the values of its form (segment.h), so it is a cut
 * before or after one of them, or below or above all. Then in bytes: lead, segment, and the literals behind it, which all
 * keys with that value begin with. They end in a delimiter, or the segment ends itself, or it ends the key: so no
 * other value's keys begin so. Where the form inverts, the two ends change places.
 */
#include "engine/base/assert.h"
#include "engine/key/layout.h"
#include "engine/key/layout_part.h"

struct ranging {
    struct sheaf_layout_draft draft;
    const sheaf_condition *conditions;
    size_t condition_count;
    size_t used_count; /* of them, those that have been met */
    size_t lead_size;
    sheaf_layout_fault *fault;
};

static sheaf_status refuse(const struct ranging *ranging, sheaf_status status, const struct sheaf_layout_part *part,
                           sheaf_bytes value, const char *message)
{
    sheaf_detail detail = { .message = message };
    return sheaf_layout_refuse(ranging->fault, status, ranging->draft.which, part, value, &detail);
}

/* ---- which condition is whose --------------------------------------------------------------------------------------- */

static const struct sheaf_layout_part *find_part(const struct ranging *ranging, size_t field)
{
    const struct sheaf_layout *layout = ranging->draft.layout;
    const struct sheaf_layout_row *row = &layout->rows[ranging->draft.which];
    for (size_t i = row->first; i < row->end; i++)
        if (layout->parts[i].is_field && layout->parts[i].field == field) return &layout->parts[i];
    return NULL;
}

/* The condition on a field; NULL: none. */
static const sheaf_condition *find_condition(const struct ranging *ranging, size_t field)
{
    for (size_t i = 0; i < ranging->condition_count; i++)
        if (ranging->conditions[i].field == field) return &ranging->conditions[i];
    return NULL;
}

static sheaf_status check_conditions(const struct ranging *ranging)
{
    for (size_t i = 0; i < ranging->condition_count; i++) {
        const sheaf_condition *condition = &ranging->conditions[i];
        const struct sheaf_layout_part *part = find_part(ranging, condition->field);
        if (!part) {
            sheaf_status status = refuse(ranging, SHEAF_INVALID_ARGUMENT, NULL, condition->low,
                                         "The field is not in this key");
            if (ranging->fault) ranging->fault->segment = condition->field;
            return status;
        }
        if ((unsigned)condition->kind > SHEAF_CONDITION_BEGINS_WITH) {
            return refuse(ranging, SHEAF_INVALID_ARGUMENT, part, condition->low, "There is no such condition");
        }
        if (find_condition(ranging, condition->field) != condition) {
            return refuse(ranging, SHEAF_INVALID_ARGUMENT, part, condition->low,
                          "There are two conditions on the field; BETWEEN takes two ends");
        }
    }
    return SHEAF_OK;
}

/* Conditions that were not met lie behind a field that has none, or behind one that is no equality. */
static sheaf_status check_all_used(const struct ranging *ranging, size_t behind, const char *message)
{
    const struct sheaf_layout *layout = ranging->draft.layout;
    if (ranging->used_count == ranging->condition_count) return SHEAF_OK;
    for (size_t i = behind; i < layout->rows[ranging->draft.which].end; i++) {
        const struct sheaf_layout_part *part = &layout->parts[i];
        const sheaf_condition *condition = part->is_field ? find_condition(ranging, part->field) : NULL;
        if (condition) return refuse(ranging, SHEAF_INVALID_ARGUMENT, part, condition->low, message);
    }
    sheaf_assert(false);
    return SHEAF_INVALID_ARGUMENT;
}

/* ---- cuts ----------------------------------------------------------------------------------------------------------- */

/* A cut among the values of a field. */
enum place { PLACE_LEAST, PLACE_BEFORE, PLACE_AFTER, PLACE_MOST };

struct value_cut {
    enum place place;
    sheaf_bytes bytes; /* of BEFORE and AFTER: lead, segment and literals */
};

static const struct value_cut LEAST = { .place = PLACE_LEAST }, MOST = { .place = PLACE_MOST };

static enum place place_of(enum sheaf_spot spot, bool value_is_below)
{
    switch (spot) {
    case SPOT_LEAST: return PLACE_LEAST;
    case SPOT_MOST: return PLACE_MOST;
    case SPOT_BELOW: return PLACE_BEFORE;
    case SPOT_ABOVE: return PLACE_AFTER;
    case SPOT_AT: break;
    }
    return value_is_below ? PLACE_AFTER : PLACE_BEFORE;
}

/* Begins another key, with the lead that they all have: the first where that is already, another one behind it. */
static void begin_anew(struct ranging *ranging)
{
    struct sheaf_written *written = &ranging->draft.written;
    if (written->size == ranging->lead_size) return;
    sheaf_bytes lead = sheaf_bytes_of(written->buffer, ranging->lead_size);
    ranging->draft.begin = written->size;
    if (ranging->lead_size <= written->capacity)
        sheaf_write_slice(written, lead);
    else
        written->size += lead.size; /* has been too small already */
}

/* The cut that `value` makes at part `index`; whether the value itself is to be below it. */
static sheaf_status cut_at(struct ranging *ranging, size_t index, sheaf_bytes value, bool value_is_below,
                           struct value_cut *out_cut)
{
    struct sheaf_layout_draft *draft = &ranging->draft;
    const struct sheaf_layout_part *part = &draft->layout->parts[index];
    sheaf_detail detail;
    enum sheaf_spot spot;
    begin_anew(ranging);
    sheaf_status status = sheaf_layout_part_locate(part, value, &draft->written, &spot, &detail);
    if (status != SHEAF_OK) return sheaf_layout_refuse(ranging->fault, status, draft->which, part, value, &detail);
    *out_cut = (struct value_cut){ .place = place_of(spot, value_is_below) };
    if (spot == SPOT_LEAST || spot == SPOT_MOST) return SHEAF_OK;
    (void)sheaf_layout_append_literals(draft, index + 1);
    out_cut->bytes = sheaf_written_since(&draft->written, draft->begin);
    return sheaf_layout_check_size(draft, part, value, ranging->fault);
}

/* The cut in bytes. `ends_key`: what is written is whole keys. */
static sheaf_cut cut_of(const struct value_cut *cut, sheaf_bytes lead, bool ends_key)
{
    switch (cut->place) {
    case PLACE_LEAST: return sheaf_cut_of(lead, SHEAF_SIDE_BEFORE);
    case PLACE_BEFORE: return sheaf_cut_of(cut->bytes, SHEAF_SIDE_BEFORE);
    case PLACE_AFTER: return sheaf_cut_of(cut->bytes, ends_key ? SHEAF_SIDE_AFTER : SHEAF_SIDE_AFTER_PREFIX);
    case PLACE_MOST: break;
    }
    return sheaf_cut_of(lead, SHEAF_SIDE_AFTER_PREFIX);
}

/* Among descending segments what was below is above. */
static struct value_cut turned_over(struct value_cut cut)
{
    static const enum place turned[] = { PLACE_MOST, PLACE_AFTER, PLACE_BEFORE, PLACE_LEAST };
    cut.place = turned[cut.place];
    return cut;
}

/* ---- conditions that are no equality -------------------------------------------------------------------------------- */

/* The two ends of a condition, by value. */
static sheaf_status find_ends(struct ranging *ranging, size_t index, const sheaf_condition *condition,
                              struct value_cut *lower, struct value_cut *upper)
{
    const struct sheaf_layout_part *part = &ranging->draft.layout->parts[index];
    sheaf_status status = SHEAF_OK;
    *lower = LEAST;
    *upper = MOST;
    switch (condition->kind) {
    case SHEAF_CONDITION_LESS: return cut_at(ranging, index, condition->low, false, upper);
    case SHEAF_CONDITION_AT_MOST: return cut_at(ranging, index, condition->low, true, upper);
    case SHEAF_CONDITION_AT_LEAST: return cut_at(ranging, index, condition->low, false, lower);
    case SHEAF_CONDITION_GREATER: return cut_at(ranging, index, condition->low, true, lower);
    case SHEAF_CONDITION_BETWEEN:
        status = cut_at(ranging, index, condition->low, false, lower);
        if (status == SHEAF_OK) status = cut_at(ranging, index, condition->high, true, upper);
        break;
    case SHEAF_CONDITION_EQUAL:
    case SHEAF_CONDITION_BEGINS_WITH: sheaf_assert(false);
    }
    if (status != SHEAF_OK || sheaf_layout_part_compare(part, condition->low, condition->high) <= 0) return status;
    return refuse(ranging, SHEAF_RANGE_INVERTED, part, condition->low, "The lower end lies above the upper one");
}

static sheaf_status range_by_order(struct ranging *ranging, size_t index, const sheaf_condition *condition,
                                   sheaf_range *out_range)
{
    struct sheaf_layout_draft *draft = &ranging->draft;
    const struct sheaf_layout_part *part = &draft->layout->parts[index];
    struct value_cut lower, upper;
    if (!sheaf_layout_part_has_order(part)) {
        return refuse(ranging, SHEAF_INVALID_ARGUMENT, part, condition->low, "A raw field has no order to ask for");
    }
    sheaf_status status = find_ends(ranging, index, condition, &lower, &upper);
    if (status != SHEAF_OK) return status;
    if (sheaf_layout_part_is_descending(part)) {
        struct value_cut swapped = turned_over(lower);
        lower = turned_over(upper);
        upper = swapped;
    }
    bool ends_key = index + 1 == draft->layout->rows[draft->which].end;
    sheaf_bytes lead = sheaf_bytes_of(draft->written.buffer, ranging->lead_size);
    *out_range = sheaf_range_of(cut_of(&lower, lead, ends_key), cut_of(&upper, lead, ends_key));
    return SHEAF_OK;
}

static sheaf_status range_by_beginning(struct ranging *ranging, size_t index, const sheaf_condition *condition,
                                       sheaf_range *out_range)
{
    struct sheaf_layout_draft *draft = &ranging->draft;
    const struct sheaf_layout_part *part = &draft->layout->parts[index];
    sheaf_detail detail;
    if (!sheaf_layout_part_has_beginnings(part)) {
        return refuse(ranging, SHEAF_INVALID_ARGUMENT, part, condition->low,
                      "Numbers and times have no beginning to ask for; BETWEEN has");
    }
    sheaf_status status = sheaf_layout_part_append_beginning(part, condition->low, &draft->written, &detail);
    if (status != SHEAF_OK) return sheaf_layout_refuse(ranging->fault, status, draft->which, part, condition->low, &detail);
    *out_range = sheaf_range_prefix(sheaf_written_since(&draft->written, 0));
    return sheaf_layout_check_size(draft, part, condition->low, ranging->fault);
}

static sheaf_status range_by_last(struct ranging *ranging, size_t index, const sheaf_condition *condition,
                                  sheaf_range *out_range)
{
    ranging->used_count++;
    sheaf_status status = check_all_used(ranging, index + 1,
                                         "A condition follows one that is no equality: that is not one range");
    if (status != SHEAF_OK) return status;
    if (condition->kind == SHEAF_CONDITION_BEGINS_WITH) return range_by_beginning(ranging, index, condition, out_range);
    return range_by_order(ranging, index, condition, out_range);
}

/* ---- all of them ---------------------------------------------------------------------------------------------------- */

static sheaf_status find_range(struct ranging *ranging, const struct sheaf_layout_row *row, sheaf_range *out_range)
{
    struct sheaf_layout_draft *draft = &ranging->draft;
    size_t index = sheaf_layout_append_literals(draft, row->first);
    const struct sheaf_layout_part *last = NULL;
    sheaf_bytes last_value = { NULL, 0 };
    for (; index < row->end; index = sheaf_layout_append_literals(draft, index + 1)) {
        ranging->lead_size = draft->written.size;
        const sheaf_condition *condition = find_condition(ranging, draft->layout->parts[index].field);
        if (!condition) break;
        if (condition->kind != SHEAF_CONDITION_EQUAL) return range_by_last(ranging, index, condition, out_range);
        last = &draft->layout->parts[index];
        last_value = condition->low;
        sheaf_status status = sheaf_layout_append_field(draft, index, condition->low, ranging->fault);
        if (status != SHEAF_OK) return status;
        ranging->used_count++;
    }
    sheaf_status status = check_all_used(ranging, index, "A field before this one has no condition: that is not one range");
    if (status == SHEAF_OK) status = sheaf_layout_check_size(draft, last, last_value, ranging->fault);
    sheaf_bytes lead = sheaf_written_since(&draft->written, 0);
    if (status == SHEAF_OK) *out_range = index == row->end ? sheaf_range_equal(lead) : sheaf_range_prefix(lead);
    return status;
}

sheaf_status sheaf_layout_range(const sheaf_layout *layout, sheaf_layout_key which, const sheaf_condition *conditions,
                                size_t count, void *buffer, size_t capacity, sheaf_range *out_range,
                                sheaf_layout_fault *out_fault)
{
    const struct sheaf_layout_row *row = sheaf_layout_find_row(layout, which, out_fault);
    if (!row) return SHEAF_INVALID_ARGUMENT;
    struct ranging ranging = { .draft = { .layout = layout, .which = which, .written = { buffer, capacity, 0 } },
                               .conditions = conditions,
                               .condition_count = count,
                               .fault = out_fault };
    sheaf_range range;
    sheaf_status status = check_conditions(&ranging);
    if (status == SHEAF_OK) status = find_range(&ranging, row, &range);
    if (status == SHEAF_OK) status = sheaf_layout_check_buffer(&ranging.draft.written, which, out_fault);
    if (status != SHEAF_OK) return status;
    sheaf_assert(!sheaf_range_is_inverted(&range));
    *out_range = range;
    return SHEAF_OK;
}
