/*
 * parse_update.c - updates: each of four sections at most once, in any order.
 *
 *     SET path = value , ...      value   := operand | operand + operand | operand - operand | ( value )
 *     REMOVE path , ...           operand := path | :value | ( operand )
 *     ADD path :value , ...                | if_not_exists ( path , operand ) | list_append ( operand , operand )
 *     DELETE path :value , ...
 */
#include "engine/expr/parser.h"

static const struct section {
    const char *word;
    enum sheaf_expr_section section;
    bool has_value;
} SECTIONS[] = {
    { "SET", SHEAF_SECTION_SET, true },
    { "REMOVE", SHEAF_SECTION_REMOVE, false },
    { "ADD", SHEAF_SECTION_ADD, true },
    { "DELETE", SHEAF_SECTION_DELETE, true },
};
enum { SECTION_COUNT = sizeof SECTIONS / sizeof *SECTIONS };

/* A value, with an operator in it or not, and parentheses around the whole or around its left side. */
struct value {
    uint16_t node;
    size_t opened;
    bool in_parentheses;
    bool has_operator;
};

static void close_parentheses(struct sheaf_expr_parser *parser, struct value *value)
{
    while (value->opened > 0 && sheaf_token_is_sign(&parser->token, ")")) {
        if (value->in_parentheses)
            sheaf_parser_note(parser, SHEAF_FAULT_PARENTHESES, sheaf_parser_column(parser), sheaf_bytes_of(NULL, 0), 0);
        value->in_parentheses = true;
        value->opened--;
        sheaf_parser_advance(parser);
    }
}

/* From the + or - to behind the right side. */
static sheaf_status parse_arithmetic(struct sheaf_expr_parser *parser, enum sheaf_operation operation, struct value *value)
{
    uint16_t column = sheaf_parser_column(parser), first = SHEAF_EXPR_NONE, last = SHEAF_EXPR_NONE, right;
    if (value->has_operator) return sheaf_parser_refuse_token(parser);
    sheaf_parser_advance(parser);
    sheaf_status status = sheaf_parser_operand(parser, &right);
    if (status != SHEAF_OK) return status;
    sheaf_parser_link(parser, &first, &last, value->node);
    sheaf_parser_link(parser, &first, &last, right);
    value->node = sheaf_parser_add_call(parser, operation, column, first, 2);
    value->has_operator = true;
    value->in_parentheses = false;
    return SHEAF_OK;
}

static sheaf_status parse_right_side(struct sheaf_expr_parser *parser, uint16_t *out_node)
{
    struct value value = { .opened = 0 };
    while (sheaf_parser_take_sign(parser, "(")) value.opened++;
    sheaf_status status = sheaf_parser_primary(parser, &value.node);
    while (status == SHEAF_OK) {
        close_parentheses(parser, &value);
        if (sheaf_token_is_sign(&parser->token, "+"))
            status = parse_arithmetic(parser, SHEAF_OPERATION_ADD, &value);
        else if (sheaf_token_is_sign(&parser->token, "-"))
            status = parse_arithmetic(parser, SHEAF_OPERATION_SUBTRACT, &value);
        else
            break;
    }
    if (status != SHEAF_OK) return status;
    if (value.opened > 0) return sheaf_parser_refuse_token(parser);
    *out_node = value.node;
    return SHEAF_OK;
}

static sheaf_status parse_action(struct sheaf_expr_parser *parser, const struct section *section)
{
    struct sheaf_expression *draft = parser->draft;
    struct sheaf_expr_action action = { .section = (uint8_t)section->section, .value = SHEAF_EXPR_NONE };
    if (parser->token.kind == SHEAF_TOKEN_WORD)
        for (size_t i = 0; i < SECTION_COUNT; i++)
            if (sheaf_token_is_word(&parser->token, SECTIONS[i].word)) return sheaf_parser_refuse_token(parser);
    sheaf_status status = sheaf_parser_path(parser, &action.target);
    if (status == SHEAF_OK && section->section == SHEAF_SECTION_SET) {
        status = sheaf_parser_expect_sign(parser, "=");
        if (status == SHEAF_OK) status = parse_right_side(parser, &action.value);
    } else if (status == SHEAF_OK && section->has_value) {
        status = sheaf_parser_value(parser, &action.value);
    }
    if (status == SHEAF_OK) draft->actions[draft->action_count++] = action;
    return status;
}

static sheaf_status parse_section(struct sheaf_expr_parser *parser, bool seen[SECTION_COUNT])
{
    size_t index = 0;
    while (index < SECTION_COUNT && !sheaf_token_is_word(&parser->token, SECTIONS[index].word)) index++;
    if (index == SECTION_COUNT) return sheaf_parser_refuse_token(parser);
    if (seen[index]) {
        sheaf_bytes word = sheaf_bytes_of(SECTIONS[index].word, parser->token.text.size);
        sheaf_parser_note(parser, SHEAF_FAULT_SECTION_ONCE, parser->token.at + 1, word, 0);
    }
    seen[index] = true;
    sheaf_parser_advance(parser);
    sheaf_status status;
    do {
        status = parse_action(parser, &SECTIONS[index]);
    } while (status == SHEAF_OK && sheaf_parser_take_sign(parser, ","));
    return status;
}

sheaf_status sheaf_parse_update(struct sheaf_expr_parser *parser)
{
    bool seen[SECTION_COUNT] = { false };
    sheaf_status status;
    do {
        status = parse_section(parser, seen);
    } while (status == SHEAF_OK && parser->token.kind != SHEAF_TOKEN_END);
    if (parser->operator_count > SHEAF_EXPRESSION_OPERATOR_MAX)
        sheaf_parser_note(parser, SHEAF_FAULT_OPERATOR_COUNT, 1, sheaf_bytes_of(NULL, 0), parser->operator_count);
    return status;
}
