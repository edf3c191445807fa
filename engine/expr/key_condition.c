/*
 * key_condition.c - what a condition on keys may be: comparisons of single attributes with values, all of which must hold.
 *
 * The text has been parsed as a condition. What is refused is told of as one meets it who reads the tree from its root
 * and the left.
 */
#include "engine/base/bytes.h"
#include "engine/expr/expression.h"
#include "engine/expr/message.h"

static sheaf_status refuse(const struct sheaf_expression *expression, sheaf_expression_rule rule, size_t column,
                           sheaf_bytes part, sheaf_expression_fault *out_fault)
{
    struct sheaf_message_parts parts = { { part } };
    return sheaf_expr_refuse(out_fault, expression->kind, rule, column, &parts);
}

/* What no key condition has. */
static bool is_foreign(enum sheaf_operation operation)
{
    static const bool foreign[SHEAF_OPERATION_COUNT] = {
        [SHEAF_OPERATION_NOT_EQUAL] = true,  [SHEAF_OPERATION_IN] = true,   [SHEAF_OPERATION_EXISTS] = true,
        [SHEAF_OPERATION_NOT_EXISTS] = true, [SHEAF_OPERATION_TYPE] = true, [SHEAF_OPERATION_CONTAINS] = true,
    };
    return foreign[operation];
}

static sheaf_status check_operands(const struct sheaf_expression *expression, const struct sheaf_expr_step *step,
                                   const struct sheaf_expr_node **out_key, sheaf_expression_fault *out_fault)
{
    const struct sheaf_expr_node *key = NULL, *node;
    for (uint16_t i = step->first; i != SHEAF_EXPR_NONE; i = node->next) {
        node = &expression->nodes[i];
        if (node->kind == SHEAF_NODE_CALL)
            return refuse(expression, SHEAF_FAULT_KEY_NESTED_OPERATION, node->column, sheaf_bytes_of(NULL, 0), out_fault);
        if (node->kind != SHEAF_NODE_PATH) continue;
        if (key) return refuse(expression, SHEAF_FAULT_KEY_ONE_NAME, node->column, sheaf_bytes_of(NULL, 0), out_fault);
        if (node->count > 1)
            return refuse(expression, SHEAF_FAULT_KEY_TOP_LEVEL, node->column, sheaf_bytes_of(NULL, 0), out_fault);
        key = node;
    }
    if (!key) return refuse(expression, SHEAF_FAULT_KEY_NAMED, step->column, sheaf_bytes_of(NULL, 0), out_fault);
    *out_key = key;
    return SHEAF_OK;
}

static const struct sheaf_expr_node *key_of(const struct sheaf_expression *expression, const struct sheaf_expr_step *step)
{
    uint16_t i = step->first;
    while (expression->nodes[i].kind != SHEAF_NODE_PATH) i = expression->nodes[i].next;
    return &expression->nodes[i];
}

static sheaf_status check_once(const struct sheaf_expression *expression, size_t step, const struct sheaf_expr_node *key,
                               sheaf_expression_fault *out_fault)
{
    for (size_t i = 0; i < step; i++) {
        const struct sheaf_expr_node *other = key_of(expression, &expression->steps[i]);
        if (sheaf_element_compare(expression, &expression->elements[key->first], &expression->elements[other->first]) == 0)
            return refuse(expression, SHEAF_FAULT_KEY_ONCE, key->column, sheaf_bytes_of(NULL, 0), out_fault);
    }
    return SHEAF_OK;
}

static sheaf_status check_step(const struct sheaf_expression *expression, size_t index, sheaf_expression_fault *out_fault)
{
    const struct sheaf_expr_step *step = &expression->steps[index];
    enum sheaf_operation operation = step->operation;
    bool key_first = operation == SHEAF_OPERATION_BETWEEN || operation == SHEAF_OPERATION_BEGINS_WITH;
    const struct sheaf_expr_node *key = NULL;
    if (is_foreign(operation))
        return refuse(expression, SHEAF_FAULT_KEY_OPERATOR, step->column, sheaf_operation_name(operation), out_fault);
    if (key_first && expression->nodes[step->first].kind != SHEAF_NODE_PATH)
        return refuse(expression, SHEAF_FAULT_KEY_FIRST_OPERAND, step->column, sheaf_operation_name(operation), out_fault);
    sheaf_status status = check_operands(expression, step, &key, out_fault);
    return status == SHEAF_OK ? check_once(expression, index, key, out_fault) : status;
}

sheaf_status sheaf_expression_check_key_condition(const struct sheaf_expression *expression, sheaf_expression_fault *out_fault)
{
    const struct sheaf_expr_connective *connective = &expression->connective;
    sheaf_status status = SHEAF_OK;
    for (size_t i = 0; i < expression->step_count && status == SHEAF_OK; i++) {
        if (connective->operation_name != 0 && connective->step == i)
            return refuse(expression, SHEAF_FAULT_KEY_OPERATOR, connective->column,
                          connective->operation_name == 'O' ? SHEAF_LIT("OR") : SHEAF_LIT("NOT"), out_fault);
        status = check_step(expression, i, out_fault);
    }
    return status;
}
