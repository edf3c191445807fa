#include "engine/lab/plan_pattern.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "engine/base/bytes.h"

static const char *const RELATION_NAMES[] = {
    [RELATION_EQUAL] = "equal",
    [RELATION_LESS] = "less",
    [RELATION_AT_MOST] = "at_most",
    [RELATION_AT_LEAST] = "at_least",
    [RELATION_GREATER] = "greater",
    [RELATION_BETWEEN] = "between",
    [RELATION_BEGINS_WITH] = "begins_with",
    [RELATION_SUBTREE_OF] = "subtree_of",
    [RELATION_CHILDREN_OF] = "children_of",
};

enum { RELATION_COUNT = sizeof RELATION_NAMES / sizeof *RELATION_NAMES };

const char *relation_name(enum relation relation)
{
    return RELATION_NAMES[relation];
}

/* A condition under way. */
struct reading {
    struct plan *plan;
    struct pattern *pattern;
    const struct plan_field *field;
    enum relation relation;
    bool sampled;      /* in any condition of the pattern so far */
    size_t each_count; /* of the pattern's lists; 0: none so far */
};

/* ---- operands --------------------------------------------------------------------------------------------------------- */

static bool needs_folder(enum relation relation)
{
    return relation == RELATION_SUBTREE_OF || relation == RELATION_CHILDREN_OF;
}

/* One given value, in its canonical text. */
static bool read_literal(const struct reading *reading, const struct json_place *place, const json_t *value,
                         sheaf_bytes *out_value)
{
    struct buffer buffer = { 0 };
    struct buffer canonical = { 0 };
    struct complaint complaint;
    const struct plan_field *field = reading->field;
    if (json_is_string(value)) {
        buffer_append(&buffer, json_bytes(value));
    } else if (json_is_integer(value)) {
        buffer_append_format(&buffer, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else {
        return json_complain_of(place, "a text or a whole number (others as text: \"2.5\")", value);
    }
    bool sound = value_append_canonical(field->type, buffer_view(&buffer), &canonical, &complaint);
    if (sound) *out_value = arena_copy(&reading->plan->arena, buffer_view(&canonical));
    buffer_release(&buffer);
    buffer_release(&canonical);
    if (!sound) return json_complain(place, "%s", complaint.text);
    if (needs_folder(reading->relation) && !path_is_folder(*out_value, field->delimiter)) {
        return json_complain(place, "expected a folder, which ends in \"%c\", found %s", field->delimiter,
                             quote(*out_value).text);
    }
    return true;
}

/* {"each": [...]} */
static bool read_each(struct reading *reading, const struct json_place *place, const json_t *list, struct operand *operand)
{
    struct json_place member = json_place_of_member(place, "each");
    if (!json_expect_array(&member, list, 1, PLAN_RUN_MAX, "values")) return false;
    size_t count = json_array_size(list);
    if (reading->each_count > 0 && reading->each_count != count) {
        return json_complain(&member, "expected %zu values, as many as in the pattern's other list, found %zu",
                             reading->each_count, count);
    }
    reading->each_count = count;
    operand->values = allocate_zeroed(count, sizeof *operand->values);
    operand->value_count = count;
    for (size_t i = 0; i < count; i++) {
        struct json_place element = json_place_of_element(&member, i);
        if (!read_literal(reading, &element, json_array_get(list, i), &operand->values[i])) return false;
    }
    return true;
}

/* {"sample": true} */
static bool read_sample(struct reading *reading, const struct json_place *place, const json_t *value, struct operand *operand)
{
    static const char *const names[] = { "sample", NULL };
    static const char *const names_of_beginning[] = { "sample", "characters", NULL };
    bool is_beginning = reading->relation == RELATION_BEGINS_WITH;
    if (!json_expect_object(place, value, is_beginning ? names_of_beginning : names)) return false;
    if (!json_is_true(json_object_get(value, "sample"))) {
        struct json_place member = json_place_of_member(place, "sample");
        return json_complain_of(&member, "true", json_object_get(value, "sample"));
    }
    if (!json_read_count(place, value, "characters", 1, 1024, &operand->character_count)) return false;
    if (is_beginning && operand->character_count == 0) {
        return json_complain(place, "expected \"characters\" as well: how long the beginning is");
    }
    operand->sampled = reading->sampled = true;
    return true;
}

static bool read_operand(struct reading *reading, const struct json_place *place, const json_t *value, struct operand *operand)
{
    static const char *const names[] = { "each", NULL };
    if (json_object_get(value, "sample")) return read_sample(reading, place, value, operand);
    if (json_is_object(value)) {
        if (!json_expect_object(place, value, names)) return false;
        if (json_object_size(value) == 0) return json_complain(place, "expected a member sample or each, found none");
        return read_each(reading, place, json_object_get(value, "each"), operand);
    }
    operand->values = allocate_zeroed(1, sizeof *operand->values);
    operand->value_count = 1;
    return read_literal(reading, place, value, &operand->values[0]);
}

static sheaf_bytes given_value(const struct operand *operand, size_t run)
{
    return operand->values[operand->value_count == 1 ? 0 : run];
}

static bool bounds_are_in_order(const struct reading *reading, const struct json_place *place,
                                const struct condition *condition)
{
    const struct operand *low = &condition->operands[0], *high = &condition->operands[1];
    if (low->sampled != high->sampled) return json_complain(place, "expected both bounds to be sampled, or none");
    if (low->sampled) return true;
    size_t count = low->value_count > high->value_count ? low->value_count : high->value_count;
    for (size_t i = 0; i < count; i++) {
        sheaf_bytes least = given_value(low, i), most = given_value(high, i);
        if (value_order(reading->field->type, least, most) <= 0) continue;
        return json_complain(place, "expected the lower bound first, found %s and %s", quote(least).text, quote(most).text);
    }
    return true;
}

static bool read_bounds(struct reading *reading, const struct json_place *place, const json_t *value,
                        struct condition *condition)
{
    if (!json_expect_array(place, value, 2, 2, "bounds")) return false;
    condition->operand_count = 2;
    for (size_t i = 0; i < 2; i++) {
        struct json_place element = json_place_of_element(place, i);
        if (!read_operand(reading, &element, json_array_get(value, i), &condition->operands[i])) return false;
    }
    return bounds_are_in_order(reading, place, condition);
}

/* ---- conditions ------------------------------------------------------------------------------------------------------- */

static bool relation_fits(const struct reading *reading, const struct json_place *place)
{
    enum value_type type = reading->field->type;
    if (needs_folder(reading->relation) && type != VALUE_PATH) {
        return json_complain(place, "expected a field of type path, found a %s", value_type_name(type));
    }
    if (reading->relation == RELATION_BEGINS_WITH && type != VALUE_TEXT && type != VALUE_PATH) {
        return json_complain(place, "expected a field of type text or path, found a %s", value_type_name(type));
    }
    return true;
}

/* A value alone says "equal"; else there is one member, the relation. */
static bool is_relation(const json_t *value)
{
    return json_is_object(value) && !json_object_get(value, "sample") && !json_object_get(value, "each");
}

static bool find_relation(const struct json_place *place, const json_t *value, enum relation *out_relation)
{
    const char *names[RELATION_COUNT + 1] = { NULL };
    memcpy(names, RELATION_NAMES, sizeof RELATION_NAMES);
    if (!json_expect_object(place, value, names)) return false;
    if (json_object_size(value) != 1) {
        return json_complain(place, "expected one relation, such as {\"at_least\": 100}, found %zu", json_object_size(value));
    }
    size_t relation = 0;
    while (!json_object_get(value, RELATION_NAMES[relation])) relation++;
    *out_relation = (enum relation)relation;
    return true;
}

static bool read_condition(struct reading *reading, const struct json_place *place, const json_t *value,
                           struct condition *condition)
{
    condition->operand_count = 1;
    if (!is_relation(value)) {
        reading->relation = condition->relation = RELATION_EQUAL;
        return read_operand(reading, place, value, &condition->operands[0]);
    }
    if (!find_relation(place, value, &reading->relation)) return false;
    condition->relation = reading->relation;
    const char *name = relation_name(reading->relation);
    struct json_place member = json_place_of_member(place, name);
    const json_t *operand = json_object_get(value, name);
    if (!relation_fits(reading, &member)) return false;
    if (condition->relation == RELATION_BETWEEN) return read_bounds(reading, &member, operand, condition);
    return read_operand(reading, &member, operand, &condition->operands[0]);
}

static bool read_where(struct reading *reading, const struct json_place *place, const json_t *where)
{
    struct pattern *pattern = reading->pattern;
    const char *name;
    json_t *value;
    if (!where) return true; /* all records */
    if (!json_is_object(where)) return json_complain_of(place, "an object", where);
    pattern->conditions = allocate_zeroed(json_object_size(where), sizeof *pattern->conditions);
    json_object_foreach((json_t *)where, name, value)
    {
        sheaf_bytes field = sheaf_bytes_of(name, strlen(name));
        size_t index = plan_find_field(reading->plan, field);
        if (index == reading->plan->field_count) return json_complain(place, "there is no field %s", quote(field).text);
        struct json_place member = json_place_of_member(place, name);
        struct condition *condition = &pattern->conditions[pattern->condition_count++];
        condition->field = index;
        reading->field = &reading->plan->fields[index];
        if (!read_condition(reading, &member, value, condition)) return false;
    }
    return true;
}

/* ---- order, limit, runs ----------------------------------------------------------------------------------------------- */

static bool read_order_part(const struct plan *plan, const struct json_place *place, const json_t *value,
                            struct pattern *pattern)
{
    static const char *const names[] = { "descending", "ascending", NULL };
    struct order_part part = { .descending = false };
    sheaf_bytes name = sheaf_bytes_of(NULL, 0);
    if (json_is_object(value)) {
        if (!json_expect_object(place, value, names)) return false;
        if (json_object_size(value) != 1) return json_complain(place, "expected ascending or descending, and a field");
        part.descending = json_object_get(value, "descending");
        if (!json_read_text(place, value, part.descending ? "descending" : "ascending", true, &name)) return false;
    } else if (json_is_string(value)) {
        name = json_bytes(value);
    } else {
        return json_complain_of(place, "the name of a field, or {\"descending\": name}", value);
    }
    part.field = plan_find_field(plan, name);
    if (part.field == plan->field_count) return json_complain(place, "there is no field %s", quote(name).text);
    for (size_t i = 0; i < pattern->order_count; i++)
        if (pattern->order[i].field == part.field) return json_complain(place, "field %s is there already", quote(name).text);
    pattern->order[pattern->order_count++] = part;
    return true;
}

static bool read_order(const struct plan *plan, const struct json_place *place, const json_t *order, struct pattern *pattern)
{
    if (!order) return true;
    if (!json_expect_array(place, order, 1, PLAN_FIELD_MAX, "fields")) return false;
    pattern->order = allocate_zeroed(json_array_size(order), sizeof *pattern->order);
    for (size_t i = 0; i < json_array_size(order); i++) {
        struct json_place element = json_place_of_element(place, i);
        if (!read_order_part(plan, &element, json_array_get(order, i), pattern)) return false;
    }
    return true;
}

static bool settle_runs(const struct reading *reading, const struct json_place *place, const json_t *value)
{
    struct pattern *pattern = reading->pattern;
    uint64_t samples = reading->plan->run_count;
    if (!json_read_count(place, value, "samples", 1, PLAN_RUN_MAX, &samples)) return false;
    struct json_place member = json_place_of_member(place, "samples");
    if (json_object_get(value, "samples") && !reading->sampled) {
        return json_complain(&member, "there is nothing to sample in this pattern");
    }
    if (json_object_get(value, "samples") && reading->each_count > 0) {
        return json_complain(&member, "the lists of this pattern say how often it runs: %zu times", reading->each_count);
    }
    pattern->run_count = reading->each_count > 0 ? reading->each_count : reading->sampled ? (size_t)samples : 1;
    return true;
}

bool pattern_read(struct plan *plan, const struct json_place *place, const struct json_t *value, struct pattern *pattern)
{
    static const char *const names[] = { "name", "where", "order", "limit", "samples", NULL };
    struct reading reading = { .plan = plan, .pattern = pattern };
    struct json_place where = json_place_of_member(place, "where");
    struct json_place order = json_place_of_member(place, "order");
    pattern->limit = PATTERN_NO_LIMIT;
    return json_expect_object(place, value, names) && json_read_text(place, value, "name", true, &pattern->name) &&
           read_where(&reading, &where, json_object_get(value, "where")) &&
           read_order(plan, &order, json_object_get(value, "order"), pattern) &&
           json_read_count(place, value, "limit", 1, UINT32_MAX, &pattern->limit) && settle_runs(&reading, place, value);
}

void pattern_release(struct pattern *pattern)
{
    for (size_t i = 0; i < pattern->condition_count; i++) {
        free(pattern->conditions[i].operands[0].values);
        free(pattern->conditions[i].operands[1].values);
    }
    free(pattern->conditions);
    free(pattern->order);
    *pattern = (struct pattern){ .limit = PATTERN_NO_LIMIT };
}
