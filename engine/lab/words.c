#include "engine/lab/words.h"

#include <inttypes.h>

#include "engine/input/display.h"
#include "engine/input/units.h"

/* ---- answers ----------------------------------------------------------------------------------------------------------- */

enum way way_of(const struct trial *trial)
{
    if (trial->one_query) return WAY_QUERY;
    if (!trial->partition_fixed) return WAY_SCAN;
    return trial->left_over != 0 ? WAY_FILTER : WAY_SORT;
}

const char *way_word(enum way way)
{
    switch (way) {
    case WAY_QUERY: return "query";
    case WAY_SORT: return "sort";
    case WAY_FILTER: return "filter";
    case WAY_SCAN: return "scan";
    }
    return "?";
}

void words_append_answer(const struct trial *trial, struct buffer *buffer)
{
    bool wrong = trial->wrong_count > 0;
    if (!trial->one_query) buffer_append_text(buffer, way_word(way_of(trial)));
    if (!trial->one_query && wrong) buffer_append_text(buffer, ", ");
    if (trial->one_query || wrong) buffer_append_text(buffer, wrong ? "WRONG" : "right");
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------ */

void words_append_mean(struct buffer *buffer, uint64_t sum, uint64_t count)
{
    double mean = count > 0 ? (double)sum / (double)count : 0;
    if (mean < 999.95) {
        buffer_append_format(buffer, "%.1f", mean);
    } else {
        display_append_number(buffer, (uint64_t)(mean + 0.5));
    }
}

void words_append_share(struct buffer *buffer, uint64_t part, uint64_t whole)
{
    double percent = whole > 0 ? 100.0 * (double)part / (double)whole : 0;
    bool nearly_all = part < whole && percent >= 99.95; /* which is not "100.0 %" */
    buffer_append_format(buffer, "%.*f %%", nearly_all ? 3 : 1, nearly_all && percent >= 99.9995 ? 99.999 : percent);
}

/* ---- fields and values -------------------------------------------------------------------------------------------------- */

static void append_name(const struct plan *plan, size_t field, struct buffer *buffer)
{
    buffer_append(buffer, plan->fields[field].name);
}

static void append_value(const struct plan_field *field, sheaf_bytes value, struct buffer *buffer)
{
    if (field->type == VALUE_TEXT || field->type == VALUE_PATH) {
        buffer_append_text(buffer, quote(value).text);
    } else {
        buffer_append(buffer, value);
    }
}

static const char *relation_words(enum relation relation)
{
    switch (relation) {
    case RELATION_EQUAL: return "=";
    case RELATION_LESS: return "<";
    case RELATION_AT_MOST: return "<=";
    case RELATION_AT_LEAST: return ">=";
    case RELATION_GREATER: return ">";
    case RELATION_BETWEEN: return "between";
    case RELATION_BEGINS_WITH: return "begins with";
    case RELATION_SUBTREE_OF: return "in the subtree of";
    case RELATION_CHILDREN_OF: return "a child of";
    }
    return "?";
}

/* A condition with the values of a run, or ("?") with those that the plan has once and for all. */
static void append_condition(const struct plan *plan, const struct condition *condition, const struct argument *argument,
                             struct buffer *buffer)
{
    append_name(plan, condition->field, buffer);
    buffer_append_format(buffer, " %s ", relation_words(condition->relation));
    for (size_t i = 0; i < condition->operand_count; i++) {
        const struct operand *operand = &condition->operands[i];
        if (i > 0) buffer_append_text(buffer, " and ");
        if (argument) {
            append_value(&plan->fields[condition->field], argument->values[i], buffer);
        } else if (operand->value_count == 1) {
            append_value(&plan->fields[condition->field], operand->values[0], buffer);
        } else {
            buffer_append_byte(buffer, '?');
        }
    }
}

static void append_conditions(const struct plan *plan, const struct pattern *pattern, const struct argument *arguments,
                              struct buffer *buffer)
{
    for (size_t i = 0; i < pattern->condition_count; i++) {
        if (i > 0) buffer_append_text(buffer, ", ");
        append_condition(plan, &pattern->conditions[i], arguments ? &arguments[i] : NULL, buffer);
    }
}

static void append_order(const struct plan *plan, const struct pattern *pattern, struct buffer *buffer)
{
    for (size_t i = 0; i < pattern->order_count; i++) {
        if (i > 0) buffer_append_text(buffer, ", ");
        append_name(plan, pattern->order[i].field, buffer);
        if (pattern->order[i].descending) buffer_append_text(buffer, " descending");
    }
}

void words_append_pattern(const struct plan *plan, const struct pattern *pattern, struct buffer *buffer)
{
    buffer_append_text(buffer, pattern->condition_count > 0 ? "where " : "all records");
    append_conditions(plan, pattern, NULL, buffer);
    if (pattern->order_count > 0) buffer_append_text(buffer, "; by ");
    append_order(plan, pattern, buffer);
    if (pattern->limit != PATTERN_NO_LIMIT) buffer_append_format(buffer, "; limit %" PRIu64, pattern->limit);
}

void words_append_inquiry(const struct inquiry *inquiry, struct buffer *buffer)
{
    if (inquiry->pattern->condition_count == 0) buffer_append_text(buffer, "all records");
    append_conditions(inquiry->plan, inquiry->pattern, inquiry->arguments, buffer);
}

static bool is_fixed(const struct pattern *pattern, size_t field)
{
    for (size_t i = 0; i < pattern->condition_count; i++)
        if (pattern->conditions[i].field == field && pattern->conditions[i].relation == RELATION_EQUAL) return true;
    return false;
}

static bool orders_by(const struct pattern *pattern, size_t field)
{
    for (size_t i = 0; pattern && i < pattern->order_count; i++)
        if (pattern->order[i].field == field) return true;
    return false;
}

void words_append_row(const struct lab *lab, const struct pattern *pattern, size_t row, struct buffer *buffer)
{
    bool first = true;
    for (size_t i = 0; i < lab->plan->field_count; i++) {
        const struct plan_field *field = &lab->plan->fields[i];
        if (pattern && is_fixed(pattern, i)) continue;
        if (field->derivation != DERIVE_NONE && !orders_by(pattern, i)) continue;
        if (!first) buffer_append_text(buffer, ", ");
        first = false;
        append_name(lab->plan, i, buffer);
        buffer_append_byte(buffer, ' ');
        append_value(field, records_value(&lab->records, row, i), buffer);
    }
}

/* ---- what went wrong ---------------------------------------------------------------------------------------------------- */

void words_append_wrong(const struct lab *lab, size_t layout, size_t pattern, struct buffer *buffer)
{
    const struct trial *trial = lab_trial(lab, layout, pattern);
    const struct wrong *wrong = &trial->wrong;
    const struct pattern *asked = &lab->plan->patterns[pattern];
    struct inquiry inquiry = lab_inquiry(lab, pattern, wrong->run);
    buffer_append_format(buffer, "wrong in %zu of %zu: ", trial->wrong_count, trial->run_count);
    words_append_inquiry(&inquiry, buffer);
    switch (wrong->kind) {
    case WRONG_REFUSED: buffer_append_format(buffer, " has no query: %s", wrong->refusal.text); return;
    case WRONG_SURPLUS:
        buffer_append_format(buffer, "; place %zu is ", wrong->place + 1);
        words_append_row(lab, asked, wrong->found, buffer);
        buffer_append_text(buffer, ": not asked for");
        return;
    case WRONG_MISPLACED:
        buffer_append_format(buffer, "; place %zu is ", wrong->place + 1);
        words_append_row(lab, asked, wrong->found, buffer);
        buffer_append_text(buffer, "; should be ");
        words_append_row(lab, asked, wrong->expected, buffer);
        return;
    case WRONG_MISSING:
        buffer_append_text(buffer, "; the answer lacks ");
        words_append_row(lab, asked, wrong->expected, buffer);
        return;
    }
}

/* ---- what is missing ---------------------------------------------------------------------------------------------------- */

/* What an equality of a pattern fixes: its field, or the parent of it. */
static void append_fixed(const struct plan *plan, const struct condition *condition, struct buffer *buffer)
{
    if (condition->relation != RELATION_CHILDREN_OF) {
        append_name(plan, condition->field, buffer);
        return;
    }
    for (size_t i = 0; i < plan->field_count; i++)
        if (plan->fields[i].derivation == DERIVE_PARENT && plan->fields[i].of == condition->field) {
            append_name(plan, i, buffer);
            return;
        }
    buffer_append_text(buffer, "parent of ");
    append_name(plan, condition->field, buffer);
}

static bool fixes(const struct condition *condition)
{
    return condition->relation == RELATION_EQUAL || condition->relation == RELATION_CHILDREN_OF;
}

/* The condition whose field must lead the sort key; condition_count: none, or_more: there are several. */
static size_t find_bounded(const struct pattern *pattern, bool *out_more)
{
    size_t found = pattern->condition_count;
    *out_more = false;
    for (size_t i = 0; i < pattern->condition_count; i++) {
        if (fixes(&pattern->conditions[i])) continue;
        if (found < pattern->condition_count)
            *out_more = true;
        else
            found = i;
    }
    return found;
}

static size_t first_order(const struct pattern *pattern)
{
    size_t i = 0;
    while (i < pattern->order_count && is_fixed(pattern, pattern->order[i].field)) i++;
    return i;
}

void words_append_index(const struct plan *plan, const struct pattern *pattern, struct buffer *buffer)
{
    bool more, any = false;
    size_t bounded = find_bounded(pattern, &more), order = first_order(pattern);
    bool has_bounded = bounded < pattern->condition_count, has_order = order < pattern->order_count;
    if (more || (has_bounded && has_order && pattern->order[order].field != pattern->conditions[bounded].field)) {
        buffer_append_text(buffer, "no index answers this by one query: bounds on one field, the order of another");
        return;
    }
    buffer_append_text(buffer, "one query would do with an index: partition key ");
    for (size_t i = 0; i < pattern->condition_count; i++) {
        if (!fixes(&pattern->conditions[i])) continue;
        if (any) buffer_append_text(buffer, ", ");
        append_fixed(plan, &pattern->conditions[i], buffer);
        any = true;
    }
    if (!any) buffer_append_text(buffer, "the same for all");
    if (has_bounded || has_order) buffer_append_text(buffer, ", sort key ");
    if (has_bounded && !has_order) append_name(plan, pattern->conditions[bounded].field, buffer);
    for (size_t i = order; i < pattern->order_count; i++) {
        if (i > order) buffer_append_text(buffer, ", ");
        append_name(plan, pattern->order[i].field, buffer);
    }
}

static void append_filtered(const struct plan *plan, const struct pattern *pattern, uint64_t left_over, struct buffer *buffer)
{
    const char *between = "";
    for (size_t i = 0; i < pattern->condition_count; i++) {
        if (!(left_over >> i & 1)) continue;
        buffer_append_text(buffer, between);
        append_name(plan, pattern->conditions[i].field, buffer);
        between = ", ";
    }
}

void words_append_need(const struct lab *lab, size_t layout, size_t pattern, struct buffer *buffer)
{
    const struct trial *trial = lab_trial(lab, layout, pattern);
    const struct pattern *asked = &lab->plan->patterns[pattern];
    buffer_append_text(buffer, trial->partition_fixed ? "a query" : "reads everything");
    if (trial->left_over != 0) {
        buffer_append_text(buffer, trial->partition_fixed ? ", a filter by " : ", filters by ");
        append_filtered(lab->plan, asked, trial->left_over, buffer);
    }
    if (!trial->ordered) buffer_append_text(buffer, trial->partition_fixed ? ", and sorting" : ", sorts");
    if (trial->read_count > trial->returned_count) {
        buffer_append_text(buffer, ": ");
        words_append_share(buffer, trial->read_count - trial->returned_count, trial->read_count);
        buffer_append_text(buffer, " of what is read is thrown away");
    }
    if (trial->folder_count > 0) {
        buffer_append_text(buffer, "; or a query for each folder, ");
        words_append_mean(buffer, trial->folder_count, trial->run_count);
        buffer_append_text(buffer, " on average");
    }
    if (trial->seeks_children) buffer_append_text(buffer, "; or sheaf_children_next(), which seeks past what lies deeper");
}

/* ---- findings ----------------------------------------------------------------------------------------------------------- */

bool words_append_refused(const struct lab *lab, size_t layout, struct buffer *buffer)
{
    const struct loaded *loaded = &lab->loaded[layout];
    if (loaded->refused_count == 0) return false;
    buffer_append_text(buffer, "cannot hold ");
    units_append_count(buffer, loaded->refused_count, "record", "records");
    buffer_append_text(buffer, "; the first is ");
    words_append_row(lab, NULL, loaded->refused_row, buffer);
    buffer_append_format(buffer, ": %s", loaded->refusal.text);
    return true;
}

bool words_append_replaced(const struct lab *lab, size_t layout, struct buffer *buffer)
{
    const struct loaded *loaded = &lab->loaded[layout];
    if (loaded->replaced_count == 0) return false;
    buffer_append_text(buffer, "loses ");
    units_append_count(buffer, loaded->replaced_count, "record", "records");
    buffer_append_text(buffer, " to others with the same keys; the first is ");
    words_append_row(lab, NULL, loaded->replaced_row, buffer);
    buffer_append_text(buffer, ", replaced by ");
    words_append_row(lab, NULL, loaded->replacing_row, buffer);
    return true;
}
