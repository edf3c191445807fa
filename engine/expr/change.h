/*
 * change.h - what the right side of a SET comes to, worked out from the item as it was.
 */
#ifndef SHEAF_EXPR_CHANGE_H
#define SHEAF_EXPR_CHANGE_H

#include "engine/expr/expression.h"

/* An update under way. */
struct sheaf_change {
    const struct sheaf_expression *expression;
    const sheaf_value *slots;
    const sheaf_item *item; /* as it was; NULL or without a record: there was none */
    sheaf_item_builder *builder;
    sheaf_expression_fault *fault;
};

enum sheaf_result_kind {
    SHEAF_RESULT_VALUE,  /* of the item or of a slot */
    SHEAF_RESULT_NUMBER, /* a sum or difference */
    SHEAF_RESULT_JOINED  /* two lists: the call of list_append, whose operands are known to be lists */
};

struct sheaf_result {
    enum sheaf_result_kind kind;
    sheaf_value value;
    sheaf_number number;
    uint16_t call;
};

sheaf_status sheaf_change_refuse(const struct sheaf_change *change, sheaf_expression_rule rule, size_t column);

/* Adds or subtracts two values. */
sheaf_status sheaf_change_compute(const struct sheaf_change *change, size_t column, enum sheaf_operation operation,
                                  sheaf_value left, sheaf_value right, sheaf_number *out_number);

/* Works out an operand. SHEAF_OK or SHEAF_EXPRESSION_REFUSED. */
sheaf_status sheaf_change_work_out(const struct sheaf_change *change, uint16_t node, struct sheaf_result *out_result);

/* Adds to the builder what was worked out. */
void sheaf_change_add_result(const struct sheaf_change *change, sheaf_bytes name, const struct sheaf_result *result);

#endif
