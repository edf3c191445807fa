/*
 * parser.h - what the parsers of the four languages share: the token they stand at, the draft they write, and their notes.
 *
 * A parser stands between two tokens read ahead. It stops at the first syntax error. Whatever else is wrong is noted
 * and parsing goes on: DynamoDB tells of a reserved word only if all the text is sound, and of an unknown function
 * before that. When the text is read, the note that comes first in the order of its language is told.
 *
 * A draft is the compact form with room in each array for as many records as the text has tokens: each record takes at
 * least one token, so no array overflows.
 *
 * No parser recurses, but for functions in functions (SHEAF_EXPRESSION_CALL_DEPTH_MAX).
 */
#ifndef SHEAF_EXPR_PARSER_H
#define SHEAF_EXPR_PARSER_H

#include "engine/expr/expression.h"
#include "engine/expr/token.h"

/* AND, OR and NOT between conditions, and the steps they join: a tree, gone when steps know where to go. */
struct sheaf_expr_joint {
    uint8_t kind;         /* 'A', 'O', 'N', or 'S' for a step */
    uint16_t left, right; /* joints; of a step: left is its index */
    uint16_t first_step;
    uint16_t on_true, on_false;
    struct sheaf_expr_connective connective; /* the first OR or NOT in it */
};

/* An operator or parenthesis whose right side is not read yet. */
struct sheaf_expr_pending {
    uint8_t kind; /* 'A', 'O', 'N', '(' */
    uint16_t left;
    uint16_t column;
};

/* Something wrong that is no syntax error. */
struct sheaf_expr_note {
    bool is_set;
    size_t column;
    sheaf_bytes word; /* of the text */
    uint64_t number;
};

struct sheaf_expr_parser {
    struct sheaf_expression *draft; /* counts and arrays; its words are the text */
    sheaf_bytes text;
    const sheaf_expression_source *source;
    struct sheaf_token previous, token, next; /* `token` is the one it stands at */
    struct sheaf_expr_joint *joints;
    size_t joint_count;
    struct sheaf_expr_pending *pending;
    size_t pending_count;
    size_t operator_count;
    size_t call_depth;
    struct sheaf_expr_note notes[SHEAF_FAULT_COUNT];
    sheaf_expression_fault *fault;
};

/* Stands at the first token. */
void sheaf_parser_begin(struct sheaf_expr_parser *parser);

/* ---- tokens --------------------------------------------------------------------------------------------------------- */

void sheaf_parser_advance(struct sheaf_expr_parser *parser);
bool sheaf_parser_take_sign(struct sheaf_expr_parser *parser, const char *sign);
bool sheaf_parser_take_word(struct sheaf_expr_parser *parser, const char *word);

/* Takes the sign or refuses the token. */
sheaf_status sheaf_parser_expect_sign(struct sheaf_expr_parser *parser, const char *sign);

/* The token is none that could stand here. */
sheaf_status sheaf_parser_refuse_token(struct sheaf_expr_parser *parser);

static inline uint16_t sheaf_parser_column(const struct sheaf_expr_parser *parser)
{
    return (uint16_t)(parser->token.at + 1);
}

/* ---- notes ---------------------------------------------------------------------------------------------------------- */

/* Only the first of a rule is kept. */
void sheaf_parser_note(struct sheaf_expr_parser *parser, sheaf_expression_rule rule, size_t column, sheaf_bytes word,
                       uint64_t number);

/* At the end of a sound text: refuses it for the note that is first in the order of the language, if there is any. */
sheaf_status sheaf_parser_tell_notes(struct sheaf_expr_parser *parser);

/* ---- operands ------------------------------------------------------------------------------------------------------- */

/* Links `node` behind `last`, or begins a list with it. */
void sheaf_parser_link(struct sheaf_expr_parser *parser, uint16_t *first, uint16_t *last, uint16_t node);

uint16_t sheaf_parser_add_call(struct sheaf_expr_parser *parser, enum sheaf_operation operation, uint16_t column,
                               uint16_t first, uint16_t count);

/* A path, a value or a call, without parentheses around it. */
sheaf_status sheaf_parser_primary(struct sheaf_expr_parser *parser, uint16_t *out_node);

/* The same with parentheses or without, where nothing but an operand can stand. */
sheaf_status sheaf_parser_operand(struct sheaf_expr_parser *parser, uint16_t *out_node);

sheaf_status sheaf_parser_path(struct sheaf_expr_parser *parser, uint16_t *out_node);
sheaf_status sheaf_parser_value(struct sheaf_expr_parser *parser, uint16_t *out_node);

/* Notes a function that is no operand, where one stands. */
void sheaf_parser_check_operand(struct sheaf_expr_parser *parser, uint16_t node);

/* ---- the languages: from the first token to the end ------------------------------------------------------------------- */

sheaf_status sheaf_parse_condition(struct sheaf_expr_parser *parser);
sheaf_status sheaf_parse_projection(struct sheaf_expr_parser *parser);
sheaf_status sheaf_parse_update(struct sheaf_expr_parser *parser);

#endif
