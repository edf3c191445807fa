/*
 * parse_condition.c - conditions, by operator precedence, without recursion.
 *
 *     cond    := cond OR cond | cond AND cond | NOT cond | ( cond ) | simple         in rising order of precedence
 *     simple  := operand < operand | operand BETWEEN operand AND operand | operand IN ( operand , ... ) | function ( ... )
 *     operand := path | :value | size ( operand ) | ( operand )
 *
 * An opening parenthesis does not say whether a condition or an operand is in it. Both begin with an operand: the
 * parenthesis is put aside, and if it closes right behind that operand, it was the operand's.
 *
 * What is put aside, operators with their left sides and parentheses, waits in a stack beside the text, as in any
 * parser by precedence. When all is read the conditions form a tree of joints, each behind those it joins. From its
 * root down each joint tells those below where to go on, so that at the end each step knows.
 */
#include "engine/base/assert.h"
#include "engine/expr/message.h"
#include "engine/expr/parser.h"

/* A condition that has been read, or an operand that may become one. */
struct piece {
    uint16_t index; /* joint or node */
    bool in_parentheses;
};

/* How tightly an operator binds. */
static int priority(uint8_t kind)
{
    switch (kind) {
    case 'N': return 3;
    case 'A': return 2;
    case 'O': return 1;
    }
    return 0; /* a parenthesis: nothing reaches through it */
}

static void push(struct sheaf_expr_parser *parser, uint8_t kind, uint16_t left, uint16_t column)
{
    if (kind != '(') parser->operator_count++;
    parser->pending[parser->pending_count++] = (struct sheaf_expr_pending){ .kind = kind, .left = left, .column = column };
}

static const struct sheaf_expr_pending *top(const struct sheaf_expr_parser *parser)
{
    return parser->pending_count == 0 ? NULL : &parser->pending[parser->pending_count - 1];
}

static bool top_is(const struct sheaf_expr_parser *parser, uint8_t kind)
{
    return parser->pending_count > 0 && top(parser)->kind == kind;
}

/* ---- simple conditions ------------------------------------------------------------------------------------------------ */

static uint16_t add_step(struct sheaf_expr_parser *parser, enum sheaf_operation operation, uint16_t column, uint16_t first,
                         uint16_t count)
{
    struct sheaf_expression *draft = parser->draft;
    uint16_t step = draft->step_count++;
    draft->steps[step] = (struct sheaf_expr_step){
        .operation = (uint8_t)operation, .column = column, .first = first, .count = count, .node_end = draft->node_count
    };
    parser->joints[parser->joint_count] = (struct sheaf_expr_joint){ .kind = 'S', .left = step, .first_step = step };
    return (uint16_t)parser->joint_count++;
}

static sheaf_status parse_next_operand(struct sheaf_expr_parser *parser, uint16_t *first, uint16_t *last)
{
    uint16_t node;
    sheaf_status status = sheaf_parser_operand(parser, &node);
    if (status != SHEAF_OK) return status;
    sheaf_parser_check_operand(parser, node);
    sheaf_parser_link(parser, first, last, node);
    return SHEAF_OK;
}

static sheaf_status parse_between(struct sheaf_expr_parser *parser, uint16_t first, uint16_t *last)
{
    sheaf_status status = parse_next_operand(parser, &first, last);
    if (status != SHEAF_OK) return status;
    if (!sheaf_parser_take_word(parser, "AND")) return sheaf_parser_refuse_token(parser);
    return parse_next_operand(parser, &first, last);
}

static sheaf_status parse_in(struct sheaf_expr_parser *parser, uint16_t first, uint16_t *last, uint16_t *out_count)
{
    uint16_t column = (uint16_t)(parser->previous.at + 1);
    sheaf_status status = sheaf_parser_expect_sign(parser, "(");
    if (status != SHEAF_OK) return status;
    do {
        status = parse_next_operand(parser, &first, last);
        if (status != SHEAF_OK) return status;
        ++*out_count;
    } while (sheaf_parser_take_sign(parser, ","));
    if (*out_count - 1 > SHEAF_EXPRESSION_IN_MAX)
        sheaf_parser_note(parser, SHEAF_FAULT_IN_COUNT, column, sheaf_bytes_of(NULL, 0), *out_count - 1u);
    return sheaf_parser_expect_sign(parser, ")");
}

/* From behind the first operand, which is in parentheses of its own or not, to behind the condition. */
static sheaf_status parse_rest(struct sheaf_expr_parser *parser, struct piece operand, struct piece *out_condition)
{
    const struct sheaf_expr_node *node = &parser->draft->nodes[operand.index];
    uint16_t first = operand.index, last = operand.index, count = 2, column = sheaf_parser_column(parser);
    sheaf_status status;
    enum sheaf_operation operation = parser->token.kind == SHEAF_TOKEN_SIGN ? sheaf_find_comparator(parser->token.text)
                                                                            : SHEAF_OPERATION_COUNT;
    if (operation != SHEAF_OPERATION_COUNT) {
        sheaf_parser_check_operand(parser, first);
        sheaf_parser_advance(parser);
        status = parse_next_operand(parser, &first, &last);
    } else if (sheaf_parser_take_word(parser, "BETWEEN")) {
        sheaf_parser_check_operand(parser, first);
        operation = SHEAF_OPERATION_BETWEEN;
        count = 3;
        status = parse_between(parser, first, &last);
    } else if (sheaf_parser_take_word(parser, "IN")) {
        sheaf_parser_check_operand(parser, first);
        operation = SHEAF_OPERATION_IN;
        count = 1;
        status = parse_in(parser, first, &last, &count);
    } else if (node->kind == SHEAF_NODE_CALL) {
        if (node->operation == SHEAF_OPERATION_SIZE)
            sheaf_parser_note(parser, SHEAF_FAULT_FUNCTION_PLACE, node->column, sheaf_operation_name(node->operation), 0);
        out_condition->in_parentheses = operand.in_parentheses;
        out_condition->index = add_step(parser, node->operation, node->column, node->first, node->count);
        return SHEAF_OK;
    } else {
        return sheaf_parser_refuse_token(parser);
    }
    if (status != SHEAF_OK) return status;
    parser->operator_count++;
    *out_condition = (struct piece){ .index = add_step(parser, operation, column, first, count) };
    return SHEAF_OK;
}

/* An operand with the parentheses put aside for it. */
static sheaf_status parse_first_operand(struct sheaf_expr_parser *parser, struct piece *out_operand)
{
    struct piece operand = { .in_parentheses = false };
    sheaf_status status = sheaf_parser_primary(parser, &operand.index);
    if (status != SHEAF_OK) return status;
    while (top_is(parser, '(') && sheaf_token_is_sign(&parser->token, ")")) {
        if (operand.in_parentheses)
            sheaf_parser_note(parser, SHEAF_FAULT_PARENTHESES, top(parser)->column, sheaf_bytes_of(NULL, 0), 0);
        operand.in_parentheses = true;
        parser->pending_count--;
        sheaf_parser_advance(parser);
    }
    *out_operand = operand;
    return SHEAF_OK;
}

/* ---- joining ---------------------------------------------------------------------------------------------------------- */

/* The first operator in it that no key condition has, from the left as a reader of the tree meets it. */
static struct sheaf_expr_connective find_connective(const struct sheaf_expr_parser *parser,
                                                    const struct sheaf_expr_pending *operator, uint16_t right,
                                                    uint16_t first_step)
{
    if (operator->kind != 'A')
        return (
            struct sheaf_expr_connective){ .operation_name = operator->kind, .column = operator->column, .step = first_step };
    const struct sheaf_expr_connective *left = &parser->joints[operator->left].connective;
    return left->operation_name != 0 ? *left : parser->joints[right].connective;
}

/* Joins what binds at least as tightly as `least`. */
static void reduce(struct sheaf_expr_parser *parser, int least, struct piece *condition)
{
    while (parser->pending_count > 0 && top(parser)->kind != '(' && priority(top(parser)->kind) >= least) {
        struct sheaf_expr_pending operator= * top(parser);
        uint16_t right = condition->index;
        uint16_t left = operator.kind == 'N' ? right : operator.left;
        uint16_t first_step = parser->joints[left].first_step;
        parser->pending_count--;
        parser->joints[parser->joint_count] = (struct sheaf_expr_joint){ .kind = operator.kind,
                                                                         .left = left,
                                                                         .right = right,
                                                                         .first_step = first_step,
                                                                         .connective = find_connective(parser, &operator, right,
                                                                                                       first_step) };
        *condition = (struct piece){ .index = (uint16_t)parser->joint_count++ };
    }
}

/* Closes a parenthesis behind a condition. False if none is open. */
static bool close_parenthesis(struct sheaf_expr_parser *parser, struct piece *condition)
{
    reduce(parser, 1, condition);
    if (!top_is(parser, '(')) return false;
    if (condition->in_parentheses)
        sheaf_parser_note(parser, SHEAF_FAULT_PARENTHESES, top(parser)->column, sheaf_bytes_of(NULL, 0), 0);
    condition->in_parentheses = true;
    parser->pending_count--;
    sheaf_parser_advance(parser);
    return true;
}

/* Tells each step where to go on: a joint stands behind those it joins, so they are told from the last on. */
static void aim_steps(struct sheaf_expr_parser *parser)
{
    struct sheaf_expr_joint *joints = parser->joints;
    joints[parser->joint_count - 1].on_true = SHEAF_EXPR_ACCEPT;
    joints[parser->joint_count - 1].on_false = SHEAF_EXPR_REJECT;
    for (size_t i = parser->joint_count; i-- > 0;) {
        const struct sheaf_expr_joint *joint = &joints[i];
        struct sheaf_expr_joint *left = &joints[joint->left], *right = &joints[joint->right];
        if (joint->kind == 'S') {
            parser->draft->steps[joint->left].on_true = joint->on_true;
            parser->draft->steps[joint->left].on_false = joint->on_false;
        } else if (joint->kind == 'N') {
            left->on_true = joint->on_false;
            left->on_false = joint->on_true;
        } else {
            left->on_true = joint->kind == 'A' ? right->first_step : joint->on_true;
            left->on_false = joint->kind == 'A' ? joint->on_false : right->first_step;
            right->on_true = joint->on_true;
            right->on_false = joint->on_false;
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------------------------------ */

/* What stands before a simple condition. */
static void put_aside(struct sheaf_expr_parser *parser)
{
    for (;;) {
        uint16_t column = sheaf_parser_column(parser);
        if (sheaf_parser_take_sign(parser, "("))
            push(parser, '(', 0, column);
        else if (sheaf_parser_take_word(parser, "NOT"))
            push(parser, 'N', 0, column);
        else
            return;
    }
}

/* From behind a condition to the beginning of the next, or the end. */
static sheaf_status parse_connective(struct sheaf_expr_parser *parser, struct piece *condition, bool *out_more)
{
    while (sheaf_token_is_sign(&parser->token, ")"))
        if (!close_parenthesis(parser, condition)) return sheaf_parser_refuse_token(parser);
    uint8_t kind = sheaf_token_is_word(&parser->token, "AND") ? 'A' : sheaf_token_is_word(&parser->token, "OR") ? 'O' : 0;
    *out_more = kind != 0;
    reduce(parser, kind == 0 ? 1 : priority(kind), condition);
    if (kind == 0) {
        bool is_whole = parser->token.kind == SHEAF_TOKEN_END && parser->pending_count == 0;
        return is_whole ? SHEAF_OK : sheaf_parser_refuse_token(parser);
    }
    push(parser, kind, condition->index, sheaf_parser_column(parser));
    sheaf_parser_advance(parser);
    return SHEAF_OK;
}

sheaf_status sheaf_parse_condition(struct sheaf_expr_parser *parser)
{
    for (bool more = true; more;) {
        struct piece operand, condition;
        put_aside(parser);
        sheaf_status status = parse_first_operand(parser, &operand);
        if (status == SHEAF_OK) status = parse_rest(parser, operand, &condition);
        if (status == SHEAF_OK) status = parse_connective(parser, &condition, &more);
        if (status != SHEAF_OK) return status;
    }
    if (parser->operator_count > SHEAF_EXPRESSION_OPERATOR_MAX)
        sheaf_parser_note(parser, SHEAF_FAULT_OPERATOR_COUNT, 1, sheaf_bytes_of(NULL, 0), parser->operator_count);
    parser->draft->connective = parser->joints[parser->joint_count - 1].connective;
    aim_steps(parser);
    return SHEAF_OK;
}
