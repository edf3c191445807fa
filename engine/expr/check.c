/*
 * check.c - whether a parsed expression makes sense: rule by rule, in the order in which DynamoDB tells of them.
 *
 * Conditions are checked one step after another: its placeholders, the counts of its operands, that they are distinct,
 * what they are. Updates are checked rule after rule, each over the whole.
 */
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

static sheaf_status check_placeholders(const struct checker *checker, size_t begin, size_t end)
{
    sheaf_status status = SHEAF_OK;
    for (size_t i = begin; i < end && status == SHEAF_OK; i++) status = check_names_of(checker, &checker->expression->nodes[i]);
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
static sheaf_bytes known_type(const struct sheaf_expr_node *node)
{
    bool is_size = node->kind == SHEAF_NODE_CALL && node->operation == SHEAF_OPERATION_SIZE;
    return is_size ? SHEAF_LIT("N") : sheaf_bytes_of(NULL, 0);
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
    if (second->kind == SHEAF_NODE_VALUE) return SHEAF_OK;
    sheaf_bytes type = known_type(second);
    if (type.size == 0) type = SHEAF_LIT("{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
    return refuse_type(checker, use, second, type);
}

static sheaf_status check_kinds(const struct checker *checker, const struct use *use)
{
    const struct sheaf_operation_row *row = sheaf_operation_row(use->operation);
    const struct sheaf_expr_node *first = node_at(checker, use->first);
    if (row->path_first && first->kind != SHEAF_NODE_PATH)
        return refuse(checker, SHEAF_FAULT_PATH_REQUIRED, first->column, sheaf_operation_name(use->operation),
                      sheaf_bytes_of(NULL, 0));
    if (use->operation == SHEAF_OPERATION_TYPE) return check_type_operand(checker, use);
    if (use->operation != SHEAF_OPERATION_SIZE && use->operation != SHEAF_OPERATION_BEGINS_WITH) return SHEAF_OK;
    for (uint16_t i = use->first; i != SHEAF_EXPR_NONE; i = node_at(checker, i)->next) {
        sheaf_bytes type = known_type(node_at(checker, i));
        if (type.size > 0) return refuse_type(checker, use, node_at(checker, i), type);
    }
    return SHEAF_OK;
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
    for (size_t i = 0; i < sizeof rules / sizeof *rules && status == SHEAF_OK; i++) {
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

sheaf_status sheaf_expression_check(struct sheaf_expression *expression, sheaf_expression_fault *out_fault)
{
    struct checker checker = { expression, out_fault };
    if (sheaf_expression_is_condition(expression->kind)) {
        sheaf_status status = check_condition(&checker);
        if (status != SHEAF_OK || expression->kind != SHEAF_EXPRESSION_KEY_CONDITION) return status;
        return sheaf_expression_check_key_condition(expression, out_fault);
    }
    sheaf_status status = check_placeholders(&checker, 0, expression->node_count);
    if (status == SHEAF_OK) status = sheaf_expression_check_paths(expression, out_fault);
    return status == SHEAF_OK ? check_calls(&checker, check_change, 0, expression->node_count) : status;
}
