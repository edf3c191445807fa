#include "engine/expr/change.h"

#include <string.h>

#include "engine/base/assert.h"
#include "engine/expr/message.h"

sheaf_status sheaf_change_refuse(const struct sheaf_change *change, sheaf_expression_rule rule, size_t column)
{
    return sheaf_expr_refuse(change->fault, change->expression->kind, rule, column, NULL);
}

static sheaf_status refuse_type(const struct sheaf_change *change, uint16_t node)
{
    return sheaf_change_refuse(change, SHEAF_FAULT_UPDATE_TYPE, change->expression->nodes[node].column);
}

/* ---- arithmetic ------------------------------------------------------------------------------------------------------- */

sheaf_status sheaf_change_compute(const struct sheaf_change *change, size_t column, enum sheaf_operation operation,
                                  sheaf_value left, sheaf_value right, sheaf_number *out_number)
{
    sheaf_detail detail;
    if (left.type != SHEAF_TYPE_NUMBER || right.type != SHEAF_TYPE_NUMBER)
        return sheaf_change_refuse(change, SHEAF_FAULT_UPDATE_TYPE, column);
    sheaf_number one = sheaf_value_number(left), two = sheaf_value_number(right);
    sheaf_status status = operation == SHEAF_OPERATION_ADD ? sheaf_number_add(one, two, out_number, &detail)
                                                           : sheaf_number_subtract(one, two, out_number, &detail);
    if (status == SHEAF_OK) return SHEAF_OK;
    struct sheaf_message_parts parts = { { sheaf_bytes_of(detail.message, strlen(detail.message)) } };
    return sheaf_expr_refuse(change->fault, change->expression->kind, SHEAF_FAULT_UPDATE_NUMBER, column, &parts);
}

/* A + or -: its operands are no calls of arithmetic, so all they can come to is a value or joined lists. */
static sheaf_status work_out_arithmetic(const struct sheaf_change *change, const struct sheaf_expr_node *node,
                                        struct sheaf_result *out_result)
{
    struct sheaf_result left, right;
    uint16_t first = node->first, second = change->expression->nodes[first].next;
    sheaf_status status = sheaf_change_work_out(change, first, &left);
    if (status == SHEAF_OK) status = sheaf_change_work_out(change, second, &right);
    if (status != SHEAF_OK) return status;
    if (left.kind != SHEAF_RESULT_VALUE) return refuse_type(change, first);
    if (right.kind != SHEAF_RESULT_VALUE) return refuse_type(change, second);
    out_result->kind = SHEAF_RESULT_NUMBER;
    return sheaf_change_compute(change, node->column, node->operation, left.value, right.value, &out_result->number);
}

/* ---- lists ------------------------------------------------------------------------------------------------------------ */

static bool is_list(const struct sheaf_result *result)
{
    return result->kind == SHEAF_RESULT_JOINED || (result->kind == SHEAF_RESULT_VALUE && result->value.type == SHEAF_TYPE_LIST);
}

static sheaf_status work_out_lists(const struct sheaf_change *change, uint16_t call, struct sheaf_result *out_result)
{
    const struct sheaf_expr_node *nodes = change->expression->nodes;
    for (uint16_t operand = nodes[call].first; operand != SHEAF_EXPR_NONE; operand = nodes[operand].next) {
        struct sheaf_result result;
        sheaf_status status = sheaf_change_work_out(change, operand, &result);
        if (status != SHEAF_OK) return status;
        if (!is_list(&result)) return refuse_type(change, operand);
    }
    *out_result = (struct sheaf_result){ .kind = SHEAF_RESULT_JOINED, .call = call };
    return SHEAF_OK;
}

/* The elements of a list that was worked out, into the list that is open. */
static void add_elements(const struct sheaf_change *change, const struct sheaf_result *list)
{
    const struct sheaf_expr_node *nodes = change->expression->nodes;
    sheaf_value element;
    if (list->kind == SHEAF_RESULT_VALUE) {
        sheaf_value_cursor cursor = sheaf_value_begin(list->value);
        while (sheaf_value_next(&cursor, NULL, &element)) sheaf_item_add(change->builder, sheaf_bytes_of(NULL, 0), element);
        return;
    }
    for (uint16_t operand = nodes[list->call].first; operand != SHEAF_EXPR_NONE; operand = nodes[operand].next) {
        struct sheaf_result result;
        sheaf_status status = sheaf_change_work_out(change, operand, &result);
        sheaf_assert(status == SHEAF_OK); /* as it was before */
        if (status == SHEAF_OK) add_elements(change, &result);
    }
}

/* ---- all operands ----------------------------------------------------------------------------------------------------- */

static sheaf_status work_out_path(const struct sheaf_change *change, const struct sheaf_expr_node *node,
                                  struct sheaf_result *out_result)
{
    out_result->kind = SHEAF_RESULT_VALUE;
    if (sheaf_path_follow(change->expression, node, change->item, &out_result->value)) return SHEAF_OK;
    return sheaf_change_refuse(change, SHEAF_FAULT_UPDATE_ATTRIBUTE, node->column);
}

/* Recursion goes no deeper than calls in calls (SHEAF_EXPRESSION_CALL_DEPTH_MAX). */
sheaf_status sheaf_change_work_out(const struct sheaf_change *change, uint16_t index, struct sheaf_result *out_result)
{
    const struct sheaf_expr_node *nodes = change->expression->nodes, *node = &nodes[index];
    /* if_not_exists is what its path has, or else what its second operand is */
    while (node->kind == SHEAF_NODE_CALL && node->operation == SHEAF_OPERATION_IF_NOT_EXISTS) {
        out_result->kind = SHEAF_RESULT_VALUE;
        if (sheaf_path_follow(change->expression, &nodes[node->first], change->item, &out_result->value)) return SHEAF_OK;
        index = nodes[node->first].next;
        node = &nodes[index];
    }
    if (node->kind == SHEAF_NODE_PATH) return work_out_path(change, node, out_result);
    if (node->kind == SHEAF_NODE_CALL) {
        return node->operation == SHEAF_OPERATION_LIST_APPEND ? work_out_lists(change, index, out_result)
                                                              : work_out_arithmetic(change, node, out_result);
    }
    out_result->kind = SHEAF_RESULT_VALUE;
    out_result->value = change->slots[node->first];
    return SHEAF_OK;
}

void sheaf_change_add_result(const struct sheaf_change *change, sheaf_bytes name, const struct sheaf_result *result)
{
    switch (result->kind) {
    case SHEAF_RESULT_VALUE: sheaf_item_add(change->builder, name, result->value); break;
    case SHEAF_RESULT_NUMBER: sheaf_item_add_number(change->builder, name, result->number); break;
    case SHEAF_RESULT_JOINED:
        sheaf_item_open(change->builder, name, SHEAF_TYPE_LIST);
        add_elements(change, result);
        sheaf_item_close(change->builder);
        break;
    }
}
