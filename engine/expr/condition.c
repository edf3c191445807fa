/*
 * condition.c - whether a condition holds for an item: from step to step, nothing copied, nothing allocated.
 *
 * An operand is a value, or nothing. Nothing is equal to no value and differs from all; it is in no order. What has no size,
 * being nothing or of a type without one, makes any comparison false, "differs" too.
 */
#include <string.h>

#include "engine/base/assert.h"
#include "engine/base/bytes.h"
#include "engine/base/utf8.h"
#include "engine/expr/expression.h"

struct scene {
    const struct sheaf_expression *expression;
    const sheaf_value *slots;
    const sheaf_item *item;
};

enum presence { ABSENT, PRESENT, SIZELESS };

struct operand {
    enum presence presence;
    sheaf_value value;
    uint8_t size_key[SHEAF_NUMBER_KEY_SIZE_MAX]; /* of a size() */
};

bool sheaf_path_follow(const struct sheaf_expression *expression, const struct sheaf_expr_node *path, const sheaf_item *item,
                       sheaf_value *out_value)
{
    const struct sheaf_expr_element *elements = &expression->elements[path->first];
    sheaf_value value;
    if (!item || item->record.size == 0) return false;
    bool found = sheaf_item_attribute(item, sheaf_element_name(expression, elements), &value);
    for (size_t i = 1; i < path->count && found; i++) {
        found = sheaf_element_is_index(&elements[i])
                    ? sheaf_value_element(value, elements[i].at, &value)
                    : sheaf_value_member(value, sheaf_element_name(expression, &elements[i]), &value);
    }
    if (found) *out_value = value;
    return found;
}

/* ---- operands ------------------------------------------------------------------------------------------------------- */

/* How many units of UTF-16 a text takes: two for what lies above U+FFFF, whose four bytes begin with F0 or more. */
static size_t utf16_size(sheaf_bytes text)
{
    size_t size = 0;
    for (size_t i = 0; i < text.size; i++) size += ((text.data[i] & 0xC0) != 0x80) + (size_t)(text.data[i] >= 0xF0);
    return size;
}

/* What size() is of a value. False: it has none. */
static bool size_of(sheaf_value value, size_t *out_size)
{
    switch (value.type) {
    case SHEAF_TYPE_STRING: *out_size = utf16_size(value.bytes); return true;
    case SHEAF_TYPE_BINARY: *out_size = value.bytes.size; return true;
    case SHEAF_TYPE_MAP:
    case SHEAF_TYPE_LIST:
    case SHEAF_TYPE_STRING_SET:
    case SHEAF_TYPE_NUMBER_SET:
    case SHEAF_TYPE_BINARY_SET: *out_size = sheaf_value_count(value); return true;
    case SHEAF_TYPE_NUMBER:
    case SHEAF_TYPE_BOOL:
    case SHEAF_TYPE_NULL: break;
    }
    return false;
}

/* A path or a value. */
static bool find_value(const struct scene *scene, const struct sheaf_expr_node *node, sheaf_value *out_value)
{
    if (node->kind == SHEAF_NODE_PATH) return sheaf_path_follow(scene->expression, node, scene->item, out_value);
    sheaf_assert(node->kind == SHEAF_NODE_VALUE);
    *out_value = scene->slots[node->first];
    return true;
}

static void find_operand(const struct scene *scene, const struct sheaf_expr_node *node, struct operand *out)
{
    size_t size;
    if (node->kind != SHEAF_NODE_CALL) {
        out->presence = find_value(scene, node, &out->value) ? PRESENT : ABSENT;
        return;
    }
    sheaf_assert(node->operation == SHEAF_OPERATION_SIZE);
    bool has_size = find_value(scene, &scene->expression->nodes[node->first], &out->value) && size_of(out->value, &size);
    out->presence = has_size ? PRESENT : SIZELESS;
    if (!has_size) return;
    size_t key_size = sheaf_number_to_key(sheaf_number_of_u64(size), out->size_key);
    out->value = sheaf_value_of_bytes(SHEAF_TYPE_NUMBER, sheaf_bytes_of(out->size_key, key_size));
}

static bool both_present(const struct operand *left, const struct operand *right)
{
    return left->presence == PRESENT && right->presence == PRESENT;
}

/* ---- comparisons ---------------------------------------------------------------------------------------------------- */

static bool is_equal(const struct operand *left, const struct operand *right)
{
    return both_present(left, right) && sheaf_value_equal(left->value, right->value);
}

static bool is_different(const struct operand *left, const struct operand *right)
{
    return left->presence != SIZELESS && right->presence != SIZELESS && !is_equal(left, right);
}

/* Whether the two have an order, and which. */
static bool has_order(const struct operand *left, const struct operand *right, int *out_order)
{
    return both_present(left, right) && sheaf_value_compare(left->value, right->value, out_order);
}

static bool is_less(const struct operand *left, const struct operand *right)
{
    int order;
    return has_order(left, right, &order) && order < 0;
}

static bool is_at_most(const struct operand *left, const struct operand *right)
{
    int order;
    return has_order(left, right, &order) && order <= 0;
}

static bool is_greater(const struct operand *left, const struct operand *right)
{
    return is_less(right, left);
}

static bool is_at_least(const struct operand *left, const struct operand *right)
{
    return is_at_most(right, left);
}

/* ---- functions ------------------------------------------------------------------------------------------------------ */

static bool has_type(const struct operand *operand, const struct operand *type)
{
    if (!both_present(operand, type)) return false;
    const char *letters = sheaf_type_letters(operand->value.type);
    return sheaf_bytes_equal(type->value.bytes, sheaf_bytes_of(letters, strlen(letters)));
}

static bool begins_with(const struct operand *operand, const struct operand *prefix)
{
    if (!both_present(operand, prefix) || operand->value.type != prefix->value.type) return false;
    if (operand->value.type != SHEAF_TYPE_STRING && operand->value.type != SHEAF_TYPE_BINARY) return false;
    return sheaf_bytes_starts_with(operand->value.bytes, prefix->value.bytes);
}

static bool list_has(sheaf_value list, sheaf_value wanted)
{
    sheaf_value_cursor cursor = sheaf_value_begin(list);
    sheaf_value element;
    while (sheaf_value_next(&cursor, NULL, &element))
        if (sheaf_value_equal(element, wanted)) return true;
    return false;
}

static bool bytes_have(sheaf_bytes bytes, sheaf_bytes part)
{
    return part.size == 0 || (bytes.size > 0 && memmem(bytes.data, bytes.size, part.data, part.size) != NULL);
}

static bool contains(const struct operand *operand, const struct operand *part)
{
    if (!both_present(operand, part)) return false;
    sheaf_value value = operand->value, wanted = part->value;
    switch (value.type) {
    case SHEAF_TYPE_STRING:
    case SHEAF_TYPE_BINARY: return value.type == wanted.type && bytes_have(value.bytes, wanted.bytes);
    case SHEAF_TYPE_LIST: return list_has(value, wanted);
    case SHEAF_TYPE_STRING_SET: return wanted.type == SHEAF_TYPE_STRING && sheaf_value_set_has(value, wanted);
    case SHEAF_TYPE_NUMBER_SET: return wanted.type == SHEAF_TYPE_NUMBER && sheaf_value_set_has(value, wanted);
    case SHEAF_TYPE_BINARY_SET: return wanted.type == SHEAF_TYPE_BINARY && sheaf_value_set_has(value, wanted);
    case SHEAF_TYPE_NUMBER:
    case SHEAF_TYPE_BOOL:
    case SHEAF_TYPE_NULL:
    case SHEAF_TYPE_MAP: break;
    }
    return false;
}

/* ---- steps ---------------------------------------------------------------------------------------------------------- */

typedef bool predicate(const struct operand *left, const struct operand *right);

/* Those of two operands. */
static predicate *const PREDICATES[SHEAF_OPERATION_COUNT] = {
    [SHEAF_OPERATION_EQUAL] = is_equal,     [SHEAF_OPERATION_NOT_EQUAL] = is_different,
    [SHEAF_OPERATION_LESS] = is_less,       [SHEAF_OPERATION_AT_MOST] = is_at_most,
    [SHEAF_OPERATION_GREATER] = is_greater, [SHEAF_OPERATION_AT_LEAST] = is_at_least,
    [SHEAF_OPERATION_TYPE] = has_type,      [SHEAF_OPERATION_BEGINS_WITH] = begins_with,
    [SHEAF_OPERATION_CONTAINS] = contains,
};

/* Whether a relation holds between the first operand and any one, or each one, of the others. */
static bool is_in(const struct scene *scene, const struct operand *first, uint16_t other)
{
    struct operand operand;
    for (; other != SHEAF_EXPR_NONE; other = scene->expression->nodes[other].next) {
        find_operand(scene, &scene->expression->nodes[other], &operand);
        if (is_equal(first, &operand)) return true;
    }
    return false;
}

static bool is_between(const struct scene *scene, const struct operand *first, uint16_t other)
{
    struct operand low, high;
    find_operand(scene, &scene->expression->nodes[other], &low);
    if (!is_at_least(first, &low)) return false;
    find_operand(scene, &scene->expression->nodes[scene->expression->nodes[other].next], &high);
    return is_at_most(first, &high);
}

static bool step_holds(const struct scene *scene, const struct sheaf_expr_step *step)
{
    const struct sheaf_expr_node *nodes = scene->expression->nodes;
    struct operand first, second;
    uint16_t other = nodes[step->first].next;
    find_operand(scene, &nodes[step->first], &first);
    if (step->operation == SHEAF_OPERATION_EXISTS) return first.presence == PRESENT;
    if (step->operation == SHEAF_OPERATION_NOT_EXISTS) return first.presence != PRESENT;
    if (step->operation == SHEAF_OPERATION_IN) return is_in(scene, &first, other);
    if (step->operation == SHEAF_OPERATION_BETWEEN) return is_between(scene, &first, other);
    find_operand(scene, &nodes[other], &second);
    return PREDICATES[step->operation](&first, &second);
}

bool sheaf_expression_holds(const sheaf_expression *expression, const sheaf_value *slots, const sheaf_item *item)
{
    struct scene scene = { expression, slots, item };
    uint16_t index = 0;
    sheaf_assert(expression->step_count > 0);
    while (index < expression->step_count) {
        const struct sheaf_expr_step *step = &expression->steps[index];
        index = step_holds(&scene, step) ? step->on_true : step->on_false;
    }
    return index == SHEAF_EXPR_ACCEPT;
}
