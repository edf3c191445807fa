/*
 * check.c - whether a parsed expression makes sense: rule by rule, in the order in which DynamoDB tells of them.
 *
 * Conditions are checked one step after another: its placeholders, the counts of its operands, that they are distinct,
 * what they are. Updates are checked rule after rule, each over the whole.
 */
#include <stdio.h>
#include <string.h>

#include "engine/base/assert.h"
#include "engine/base/bytes.h"
#include "engine/expr/expression.h"
#include "engine/expr/message.h"

/* An operation and its operands, be it a step or a call. */
struct use {
    enum sheaf_operation operation;
    size_t column;
    uint16_t first, count;
};

struct checker {
    const struct sheaf_expression *expression;
    const struct sheaf_expr_values *values;
    bool knows_values; /* whether there are any to be checked */
    bool values_only;  /* all else has been checked when the expression was made */
    sheaf_expression_fault *fault;
};

typedef sheaf_status rule_check(const struct checker *checker, const struct use *use);

static const struct sheaf_expr_node *node_at(const struct checker *checker, uint16_t index)
{
    return &checker->expression->nodes[index];
}

static sheaf_status refuse(const struct checker *checker, sheaf_expression_rule rule, size_t column, sheaf_bytes part,
                           sheaf_bytes other)
{
    struct sheaf_message_parts parts = { { part, other } };
    return sheaf_expr_refuse(checker->fault, checker->expression->kind, rule, column, &parts);
}

/* ---- placeholders ----------------------------------------------------------------------------------------------------- */

static sheaf_status check_names_of(const struct checker *checker, const struct sheaf_expr_node *node)
{
    const struct sheaf_expression *expression = checker->expression;
    for (size_t i = 0; node->kind == SHEAF_NODE_PATH && i < node->count; i++) {
        const struct sheaf_expr_element *element = &expression->elements[node->first + i];
        if (element->size != SHEAF_ELEMENT_REF) continue;
        const struct sheaf_expr_ref *ref = &expression->refs[element->at];
        return refuse(checker, SHEAF_FAULT_NAME_DEFINED, node->column, sheaf_bytes_of(expression->words + ref->at, ref->size),
                      sheaf_bytes_of(NULL, 0));
    }
    return SHEAF_OK;
}

static sheaf_status check_value_of(const struct checker *checker, const struct sheaf_expr_node *node)
{
    const struct sheaf_expression *expression = checker->expression;
    if (node->kind != SHEAF_NODE_VALUE || !checker->knows_values) return SHEAF_OK;
    if (sheaf_slot_value(expression, checker->values, node->first).type != SHEAF_TYPE_UNDEFINED) return SHEAF_OK;
    return refuse(checker, SHEAF_FAULT_VALUE_DEFINED, node->column,
                  sheaf_slot_placeholder(expression, &expression->slots[node->first]), sheaf_bytes_of(NULL, 0));
}

/* From the left, be it a name or a value. */
static sheaf_status check_placeholders(const struct checker *checker, size_t begin, size_t end)
{
    sheaf_status status = SHEAF_OK;
    for (size_t i = begin; i < end && status == SHEAF_OK; i++) {
        if (!checker->values_only) status = check_names_of(checker, &checker->expression->nodes[i]);
        if (status == SHEAF_OK) status = check_value_of(checker, &checker->expression->nodes[i]);
    }
    return status;
}

/* ---- operands --------------------------------------------------------------------------------------------------------- */

static sheaf_status check_count(const struct checker *checker, const struct use *use)
{
    char digits[SHEAF_MESSAGE_NUMBER_SIZE];
    uint8_t wanted = sheaf_operation_row(use->operation)->operand_count;
    if (wanted == 0 || use->count == wanted) return SHEAF_OK;
    return refuse(checker, SHEAF_FAULT_OPERAND_COUNT, use->column, sheaf_operation_name(use->operation),
                  sheaf_message_number(use->count, digits));
}

static bool same_path(const struct sheaf_expression *expression, const struct sheaf_expr_node *left,
                      const struct sheaf_expr_node *right)
{
    if (left->kind != SHEAF_NODE_PATH || right->kind != SHEAF_NODE_PATH || left->count != right->count) return false;
    for (size_t i = 0; i < left->count; i++)
        if (sheaf_element_compare(expression, &expression->elements[left->first + i],
                                  &expression->elements[right->first + i]) != 0)
            return false;
    return true;
}

static sheaf_status check_distinct(const struct checker *checker, const struct use *use)
{
    const struct sheaf_expr_node *first = node_at(checker, use->first);
    enum sheaf_operation_use kind = sheaf_operation_row(use->operation)->use;
    if (kind == SHEAF_AS_CHANGE || kind == SHEAF_AS_ARITHMETIC) return SHEAF_OK;
    for (uint16_t other = first->next; other != SHEAF_EXPR_NONE; other = node_at(checker, other)->next) {
        if (!same_path(checker->expression, first, node_at(checker, other))) continue;
        struct sheaf_message_draft path = { .size = 0 };
        sheaf_path_print(checker->expression, first, &path);
        return refuse(checker, SHEAF_FAULT_OPERANDS_DISTINCT, use->column, sheaf_operation_name(use->operation),
                      sheaf_message_bytes(&path));
    }
    return SHEAF_OK;
}

/* The type that an operand is known to have before any item is seen; empty if it is not known. */
static sheaf_bytes known_type(const struct checker *checker, const struct sheaf_expr_node *node)
{
    if (node->kind == SHEAF_NODE_CALL && node->operation == SHEAF_OPERATION_SIZE) return SHEAF_LIT("N");
    if (node->kind != SHEAF_NODE_VALUE || !checker->knows_values) return sheaf_bytes_of(NULL, 0);
    const char *letters = sheaf_type_letters(sheaf_slot_value(checker->expression, checker->values, node->first).type);
    return sheaf_bytes_of(letters, strlen(letters));
}

/* The types that operands may have, each in brackets; NULL: all. */
static const char *const ALLOWED_TYPES[SHEAF_OPERATION_COUNT] = {
    [SHEAF_OPERATION_LESS] = "[S][N][B]",    [SHEAF_OPERATION_AT_MOST] = "[S][N][B]",
    [SHEAF_OPERATION_GREATER] = "[S][N][B]", [SHEAF_OPERATION_AT_LEAST] = "[S][N][B]",
    [SHEAF_OPERATION_BETWEEN] = "[S][N][B]", [SHEAF_OPERATION_BEGINS_WITH] = "[S][B]",
    [SHEAF_OPERATION_LIST_APPEND] = "[L]",   [SHEAF_OPERATION_SIZE] = "[S][B][M][L][SS][NS][BS]",
    [SHEAF_OPERATION_ADD] = "[N]",           [SHEAF_OPERATION_SUBTRACT] = "[N]",
};

static bool is_allowed(const char *allowed, sheaf_bytes type)
{
    char bracketed[8];
    if (!allowed || type.size == 0) return true;
    snprintf(bracketed, sizeof bracketed, "[%.*s]", (int)type.size, (const char *)type.data);
    return strstr(allowed, bracketed) != NULL;
}

static sheaf_status refuse_type(const struct checker *checker, const struct use *use, const struct sheaf_expr_node *operand,
                                sheaf_bytes type)
{
    return refuse(checker, SHEAF_FAULT_OPERAND_TYPE, operand->column, sheaf_operation_name(use->operation), type);
}

/* The second operand of attribute_type is a value that names a type. */
static sheaf_status check_type_operand(const struct checker *checker, const struct use *use)
{
    const struct sheaf_expr_node *second = node_at(checker, node_at(checker, use->first)->next);
    sheaf_bytes type = known_type(checker, second);
    if (second->kind != SHEAF_NODE_VALUE && type.size == 0) type = SHEAF_LIT("{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
    if (type.size == 0) return SHEAF_OK;
    if (!sheaf_bytes_equal(type, SHEAF_LIT("S"))) return refuse_type(checker, use, second, type);
    sheaf_bytes name = sheaf_slot_value(checker->expression, checker->values, second->first).bytes;
    for (sheaf_type i = SHEAF_TYPE_STRING; i <= SHEAF_TYPE_BINARY_SET; i++)
        if (sheaf_bytes_equal(name, sheaf_bytes_of(sheaf_type_letters(i), strlen(sheaf_type_letters(i))))) return SHEAF_OK;
    return refuse(checker, SHEAF_FAULT_TYPE_NAME, second->column, name, sheaf_bytes_of(NULL, 0));
}

/* Both bounds of a BETWEEN, if both are values. */
static sheaf_status check_bounds(const struct checker *checker, const struct use *use)
{
    const struct sheaf_expr_node *low = node_at(checker, node_at(checker, use->first)->next);
    const struct sheaf_expr_node *high = node_at(checker, low->next);
    struct sheaf_message_draft texts[2] = { { .size = 0 }, { .size = 0 } };
    int order = 0;
    if (low->kind != SHEAF_NODE_VALUE || high->kind != SHEAF_NODE_VALUE || !checker->knows_values) return SHEAF_OK;
    sheaf_value from = sheaf_slot_value(checker->expression, checker->values, low->first);
    sheaf_value to = sheaf_slot_value(checker->expression, checker->values, high->first);
    if (sheaf_value_compare(from, to, &order) && order <= 0) return SHEAF_OK;
    sheaf_message_append_value(&texts[0], from);
    sheaf_message_append_value(&texts[1], to);
    struct sheaf_message_parts parts = { { known_type(checker, low), sheaf_message_bytes(&texts[0]), known_type(checker, high),
                                           sheaf_message_bytes(&texts[1]) } };
    return sheaf_expr_refuse(checker->fault, checker->expression->kind,
                             order > 0 ? SHEAF_FAULT_BETWEEN_ORDER : SHEAF_FAULT_BETWEEN_TYPE, low->column, &parts);
}

static sheaf_status check_kinds(const struct checker *checker, const struct use *use)
{
    const struct sheaf_operation_row *row = sheaf_operation_row(use->operation);
    const struct sheaf_expr_node *first = node_at(checker, use->first);
    if (row->path_first && first->kind != SHEAF_NODE_PATH)
        return refuse(checker, SHEAF_FAULT_PATH_REQUIRED, first->column, sheaf_operation_name(use->operation),
                      sheaf_bytes_of(NULL, 0));
    if (use->operation == SHEAF_OPERATION_TYPE) return check_type_operand(checker, use);
    for (uint16_t i = use->first; i != SHEAF_EXPR_NONE; i = node_at(checker, i)->next) {
        sheaf_bytes type = known_type(checker, node_at(checker, i));
        if (!is_allowed(ALLOWED_TYPES[use->operation], type)) return refuse_type(checker, use, node_at(checker, i), type);
    }
    return use->operation == SHEAF_OPERATION_BETWEEN ? check_bounds(checker, use) : SHEAF_OK;
}

/* One rule on all calls among these nodes. A call stands behind those in it. */
static sheaf_status check_calls(const struct checker *checker, rule_check *rule, size_t begin, size_t end)
{
    sheaf_status status = SHEAF_OK;
    for (size_t i = begin; i < end && status == SHEAF_OK; i++) {
        const struct sheaf_expr_node *node = &checker->expression->nodes[i];
        if (node->kind != SHEAF_NODE_CALL) continue;
        struct use use = { node->operation, node->column, node->first, node->count };
        status = rule(checker, &use);
    }
    return status;
}

/* ---- the languages -------------------------------------------------------------------------------------------------- */

static sheaf_status check_step(const struct checker *checker, const struct sheaf_expr_step *step, size_t begin)
{
    static rule_check *const rules[] = { check_count, check_distinct, check_kinds };
    struct use use = { step->operation, step->column, step->first, step->count };
    sheaf_status status = check_placeholders(checker, begin, step->node_end);
    for (size_t i = checker->values_only ? 2 : 0; i < sizeof rules / sizeof *rules && status == SHEAF_OK; i++) {
        status = check_calls(checker, rules[i], begin, step->node_end);
        if (status == SHEAF_OK) status = rules[i](checker, &use);
    }
    return status;
}

static sheaf_status check_condition(const struct checker *checker)
{
    const struct sheaf_expression *expression = checker->expression;
    size_t begin = 0;
    sheaf_status status = SHEAF_OK;
    for (size_t i = 0; i < expression->step_count && status == SHEAF_OK; i++) {
        status = check_step(checker, &expression->steps[i], begin);
        begin = expression->steps[i].node_end;
    }
    return status;
}

/* The counts and kinds of a call are one rule here. */
static sheaf_status check_change(const struct checker *checker, const struct use *use)
{
    sheaf_status status = check_count(checker, use);
    return status == SHEAF_OK ? check_kinds(checker, use) : status;
}

/* What a value is called by ADD and DELETE if they do not take it; empty: they do. */
static sheaf_bytes refused_type(const struct sheaf_expr_action *action, sheaf_type type)
{
    static const char *const words[] = { "STRING", "NUMBER", "BINARY", "BOOLEAN", "NULL", "MAP", "LIST" };
    bool adds_number = action->section == SHEAF_SECTION_ADD && type == SHEAF_TYPE_NUMBER;
    if (type > SHEAF_TYPE_LIST || adds_number) return sheaf_bytes_of(NULL, 0);
    return sheaf_bytes_of(words[type], strlen(words[type]));
}

/* Actions are sorted: of those at fault the one that comes first in the text is told of. */
static sheaf_status check_sections(const struct checker *checker)
{
    const struct sheaf_expr_action *faulty = NULL;
    const struct sheaf_expr_node *nodes = checker->expression->nodes;
    sheaf_bytes type = { NULL, 0 };
    for (size_t i = 0; checker->knows_values && i < checker->expression->action_count; i++) {
        const struct sheaf_expr_action *action = &checker->expression->actions[i];
        if (action->section != SHEAF_SECTION_ADD && action->section != SHEAF_SECTION_DELETE) continue;
        sheaf_value value = sheaf_slot_value(checker->expression, checker->values, nodes[action->value].first);
        sheaf_bytes refused = refused_type(action, value.type);
        if (refused.size == 0 || (faulty && nodes[faulty->value].column < nodes[action->value].column)) continue;
        faulty = action;
        type = refused;
    }
    if (!faulty) return SHEAF_OK;
    return refuse(checker, SHEAF_FAULT_SECTION_TYPE, nodes[faulty->value].column,
                  faulty->section == SHEAF_SECTION_ADD ? SHEAF_LIT("ADD") : SHEAF_LIT("DELETE"), type);
}

/* All names, then all values. */
static sheaf_status check_all_placeholders(const struct checker *checker)
{
    sheaf_status status = SHEAF_OK;
    for (size_t i = 0; i < checker->expression->node_count && status == SHEAF_OK && !checker->values_only; i++)
        status = check_names_of(checker, &checker->expression->nodes[i]);
    for (size_t i = 0; i < checker->expression->node_count && status == SHEAF_OK; i++)
        status = check_value_of(checker, &checker->expression->nodes[i]);
    return status;
}

sheaf_status sheaf_expression_check(struct sheaf_expression *expression, const struct sheaf_expr_values *values,
                                    sheaf_expression_fault *out_fault)
{
    struct checker checker = { expression, values, values->values != NULL, false, out_fault };
    if (sheaf_expression_is_condition(expression->kind)) {
        sheaf_status status = check_condition(&checker);
        if (status != SHEAF_OK || expression->kind != SHEAF_EXPRESSION_KEY_CONDITION) return status;
        return sheaf_expression_check_key_condition(expression, out_fault);
    }
    sheaf_status status = check_all_placeholders(&checker);
    if (status == SHEAF_OK) status = sheaf_expression_check_paths(expression, out_fault);
    if (status == SHEAF_OK) status = check_sections(&checker);
    return status == SHEAF_OK ? check_calls(&checker, check_change, 0, expression->node_count) : status;
}

sheaf_status sheaf_expression_check_bound(const struct sheaf_expression *expression, const struct sheaf_expr_values *values,
                                          sheaf_expression_fault *out_fault)
{
    struct checker checker = { expression, values, true, true, out_fault };
    if (sheaf_expression_is_condition(expression->kind)) return check_condition(&checker);
    sheaf_status status = check_all_placeholders(&checker);
    if (status == SHEAF_OK) status = check_sections(&checker);
    return status == SHEAF_OK ? check_calls(&checker, check_kinds, 0, expression->node_count) : status;
}
