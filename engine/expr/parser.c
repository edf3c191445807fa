#include "engine/expr/parser.h"

#include <string.h>

#include "engine/base/assert.h"
#include "engine/base/bytes.h"
#include "engine/expr/message.h"
#include "engine/expr/reserved.h"

void sheaf_parser_begin(struct sheaf_expr_parser *parser)
{
    parser->token = sheaf_token_read(parser->text, 0);
    parser->next = sheaf_token_read(parser->text, sheaf_token_end(&parser->token));
}

/* ---- tokens --------------------------------------------------------------------------------------------------------- */

void sheaf_parser_advance(struct sheaf_expr_parser *parser)
{
    sheaf_assert(parser->token.kind != SHEAF_TOKEN_END);
    parser->previous = parser->token;
    parser->token = parser->next;
    parser->next = sheaf_token_read(parser->text, sheaf_token_end(&parser->token));
}

bool sheaf_parser_take_sign(struct sheaf_expr_parser *parser, const char *sign)
{
    if (!sheaf_token_is_sign(&parser->token, sign)) return false;
    sheaf_parser_advance(parser);
    return true;
}

bool sheaf_parser_take_word(struct sheaf_expr_parser *parser, const char *word)
{
    if (!sheaf_token_is_word(&parser->token, word)) return false;
    sheaf_parser_advance(parser);
    return true;
}

sheaf_status sheaf_parser_expect_sign(struct sheaf_expr_parser *parser, const char *sign)
{
    return sheaf_parser_take_sign(parser, sign) ? SHEAF_OK : sheaf_parser_refuse_token(parser);
}

/* "near" is the token, the one before and the one behind, as they stand in the text. */
sheaf_status sheaf_parser_refuse_token(struct sheaf_expr_parser *parser)
{
    const struct sheaf_token *token = &parser->token;
    bool is_first = parser->previous.text.size == 0;
    size_t begin = is_first ? token->at : parser->previous.at;
    size_t end = sheaf_token_end(token);
    if (token->kind == SHEAF_TOKEN_END)
        end = is_first ? begin : sheaf_token_end(&parser->previous);
    else if (parser->next.kind != SHEAF_TOKEN_END)
        end = sheaf_token_end(&parser->next);
    struct sheaf_message_parts parts = { { token->kind == SHEAF_TOKEN_END ? SHEAF_LIT("<EOF>") : token->text,
                                           sheaf_bytes_of(parser->text.data + begin, end - begin) } };
    return sheaf_expr_refuse(parser->fault, parser->source->kind, SHEAF_FAULT_SYNTAX, token->at + 1, &parts);
}

/* ---- notes ---------------------------------------------------------------------------------------------------------- */

void sheaf_parser_note(struct sheaf_expr_parser *parser, sheaf_expression_rule rule, size_t column, sheaf_bytes word,
                       uint64_t number)
{
    struct sheaf_expr_note *note = &parser->notes[rule];
    if (!note->is_set) *note = (struct sheaf_expr_note){ .is_set = true, .column = column, .word = word, .number = number };
}

/* In conditions and projections DynamoDB looks for functions before it looks for reserved words; in updates the other way
 * round. Where the limits come in the order is not known. */
static const sheaf_expression_rule CONDITION_ORDER[] = {
    SHEAF_FAULT_PARENTHESES, SHEAF_FAULT_FUNCTION_KNOWN, SHEAF_FAULT_FUNCTION_PLACE, SHEAF_FAULT_RESERVED_WORD,
    SHEAF_FAULT_CALL_DEPTH,  SHEAF_FAULT_OPERATOR_COUNT, SHEAF_FAULT_IN_COUNT,       SHEAF_FAULT_PATH_DEPTH,
    SHEAF_FAULT_INDEX_RANGE, SHEAF_FAULT_NONE,
};
static const sheaf_expression_rule UPDATE_ORDER[] = {
    SHEAF_FAULT_PARENTHESES,  SHEAF_FAULT_RESERVED_WORD, SHEAF_FAULT_FUNCTION_KNOWN, SHEAF_FAULT_FUNCTION_PLACE,
    SHEAF_FAULT_SECTION_ONCE, SHEAF_FAULT_CALL_DEPTH,    SHEAF_FAULT_OPERATOR_COUNT, SHEAF_FAULT_PATH_DEPTH,
    SHEAF_FAULT_INDEX_RANGE,  SHEAF_FAULT_NONE,
};

static sheaf_status tell_note(struct sheaf_expr_parser *parser, sheaf_expression_rule rule)
{
    const struct sheaf_expr_note *note = &parser->notes[rule];
    char digits[SHEAF_MESSAGE_NUMBER_SIZE];
    sheaf_bytes part = note->word.size > 0 ? note->word : sheaf_message_number(note->number, digits);
    struct sheaf_message_parts parts = { { part } };
    return sheaf_expr_refuse(parser->fault, parser->source->kind, rule, note->column, &parts);
}

sheaf_status sheaf_parser_tell_notes(struct sheaf_expr_parser *parser)
{
    const sheaf_expression_rule *rule = parser->source->kind == SHEAF_EXPRESSION_UPDATE ? UPDATE_ORDER : CONDITION_ORDER;
    for (; *rule != SHEAF_FAULT_NONE; rule++)
        if (parser->notes[*rule].is_set) return tell_note(parser, *rule);
    return SHEAF_OK;
}

/* ---- paths ---------------------------------------------------------------------------------------------------------- */

static void add_element(struct sheaf_expr_parser *parser, size_t at, size_t size)
{
    struct sheaf_expression *draft = parser->draft;
    draft->elements[draft->element_count++] = (struct sheaf_expr_element){ (uint32_t)at, (uint32_t)size };
}

/* The ref of the #placeholder it stands at. What that stands for is looked up when the text is sound. */
static size_t intern_ref(struct sheaf_expr_parser *parser)
{
    struct sheaf_expression *draft = parser->draft;
    const struct sheaf_token *token = &parser->token;
    for (size_t i = 0; i < draft->ref_count; i++)
        if (sheaf_bytes_equal(token->text, sheaf_bytes_of(parser->text.data + draft->refs[i].at, draft->refs[i].size)))
            return i;
    draft->refs[draft->ref_count] = (struct sheaf_expr_ref){ .at = (uint32_t)token->at, .size = (uint32_t)token->text.size };
    return draft->ref_count++;
}

static sheaf_status parse_name(struct sheaf_expr_parser *parser)
{
    const struct sheaf_token *token = &parser->token;
    if (token->kind == SHEAF_TOKEN_NAME) {
        add_element(parser, intern_ref(parser), SHEAF_ELEMENT_REF);
    } else if (token->kind == SHEAF_TOKEN_WORD) {
        if (sheaf_is_reserved_word(token->text))
            sheaf_parser_note(parser, SHEAF_FAULT_RESERVED_WORD, token->at + 1, token->text, 0);
        add_element(parser, token->at, token->text.size);
    } else {
        return sheaf_parser_refuse_token(parser);
    }
    sheaf_parser_advance(parser);
    return SHEAF_OK;
}

/* From behind the [ to behind the ]. */
static sheaf_status parse_index(struct sheaf_expr_parser *parser)
{
    const struct sheaf_token *token = &parser->token;
    if (token->kind != SHEAF_TOKEN_DIGITS) return sheaf_parser_refuse_token(parser);
    uint64_t index = 0;
    for (size_t i = 0; i < token->text.size && index <= SHEAF_EXPRESSION_INDEX_MAX; i++)
        index = index * 10 + (uint64_t)(token->text.data[i] - '0');
    if (index > SHEAF_EXPRESSION_INDEX_MAX) {
        sheaf_parser_note(parser, SHEAF_FAULT_INDEX_RANGE, token->at + 1, token->text, 0);
        index = 0;
    }
    add_element(parser, index, SHEAF_ELEMENT_INDEX);
    sheaf_parser_advance(parser);
    return sheaf_parser_expect_sign(parser, "]");
}

static uint16_t add_node(struct sheaf_expr_parser *parser, struct sheaf_expr_node node)
{
    struct sheaf_expression *draft = parser->draft;
    node.next = SHEAF_EXPR_NONE;
    draft->nodes[draft->node_count] = node;
    return draft->node_count++;
}

sheaf_status sheaf_parser_path(struct sheaf_expr_parser *parser, uint16_t *out_node)
{
    uint16_t column = sheaf_parser_column(parser);
    uint16_t first = parser->draft->element_count;
    sheaf_status status = parse_name(parser);
    for (bool more = true; status == SHEAF_OK && more;) {
        if (sheaf_parser_take_sign(parser, "."))
            status = parse_name(parser);
        else if (sheaf_parser_take_sign(parser, "["))
            status = parse_index(parser);
        else
            more = false;
    }
    if (status != SHEAF_OK) return status;
    uint16_t count = (uint16_t)(parser->draft->element_count - first);
    if (count > SHEAF_EXPRESSION_PATH_MAX)
        sheaf_parser_note(parser, SHEAF_FAULT_PATH_DEPTH, column, sheaf_bytes_of(NULL, 0), count);
    *out_node = add_node(parser,
                         (struct sheaf_expr_node){ .kind = SHEAF_NODE_PATH, .column = column, .first = first, .count = count });
    return SHEAF_OK;
}

/* ---- values and calls ------------------------------------------------------------------------------------------------- */

static uint16_t intern_slot(struct sheaf_expr_parser *parser)
{
    struct sheaf_expression *draft = parser->draft;
    const struct sheaf_token *token = &parser->token;
    for (uint16_t i = 0; i < draft->slot_count; i++)
        if (sheaf_bytes_equal(token->text, sheaf_bytes_of(parser->text.data + draft->slots[i].at, draft->slots[i].size)))
            return i;
    draft->slots[draft->slot_count] = (struct sheaf_expr_slot){ .at = (uint32_t)token->at,
                                                                .size = (uint32_t)token->text.size,
                                                                .column = sheaf_parser_column(parser) };
    return draft->slot_count++;
}

sheaf_status sheaf_parser_value(struct sheaf_expr_parser *parser, uint16_t *out_node)
{
    if (parser->token.kind != SHEAF_TOKEN_VALUE) return sheaf_parser_refuse_token(parser);
    uint16_t column = sheaf_parser_column(parser);
    *out_node = add_node(parser,
                         (struct sheaf_expr_node){ .kind = SHEAF_NODE_VALUE, .column = column, .first = intern_slot(parser) });
    sheaf_parser_advance(parser);
    return SHEAF_OK;
}

void sheaf_parser_link(struct sheaf_expr_parser *parser, uint16_t *first, uint16_t *last, uint16_t node)
{
    if (*first == SHEAF_EXPR_NONE)
        *first = node;
    else
        parser->draft->nodes[*last].next = node;
    *last = node;
}

uint16_t sheaf_parser_add_call(struct sheaf_expr_parser *parser, enum sheaf_operation operation, uint16_t column,
                               uint16_t first, uint16_t count)
{
    parser->operator_count++;
    return add_node(
        parser,
        (struct sheaf_expr_node){
            .kind = SHEAF_NODE_CALL, .operation = (uint8_t)operation, .column = column, .first = first, .count = count });
}

void sheaf_parser_check_operand(struct sheaf_expr_parser *parser, uint16_t index)
{
    const struct sheaf_expr_node *node = &parser->draft->nodes[index];
    if (node->kind != SHEAF_NODE_CALL || node->operation == SHEAF_OPERATION_UNKNOWN) return;
    if (sheaf_operation_row(node->operation)->use == SHEAF_AS_PREDICATE)
        sheaf_parser_note(parser, SHEAF_FAULT_FUNCTION_PLACE, node->column, sheaf_operation_name(node->operation), 0);
}

/* list_append takes no list_append. */
static void check_argument(struct sheaf_expr_parser *parser, enum sheaf_operation operation, uint16_t argument)
{
    const struct sheaf_expr_node *node = &parser->draft->nodes[argument];
    sheaf_parser_check_operand(parser, argument);
    if (operation == SHEAF_OPERATION_LIST_APPEND && node->kind == SHEAF_NODE_CALL && node->operation == operation)
        sheaf_parser_note(parser, SHEAF_FAULT_FUNCTION_PLACE, node->column, sheaf_operation_name(operation), 0);
}

/* From behind the opening parenthesis to behind the closing one. */
static sheaf_status parse_arguments(struct sheaf_expr_parser *parser, enum sheaf_operation operation, uint16_t *out_first,
                                    uint16_t *out_count)
{
    uint16_t last = SHEAF_EXPR_NONE, node;
    *out_first = SHEAF_EXPR_NONE;
    *out_count = 0;
    do {
        sheaf_status status = sheaf_parser_operand(parser, &node);
        if (status != SHEAF_OK) return status;
        check_argument(parser, operation, node);
        sheaf_parser_link(parser, out_first, &last, node);
        ++*out_count;
    } while (sheaf_parser_take_sign(parser, ","));
    return sheaf_parser_expect_sign(parser, ")");
}

static sheaf_status parse_call(struct sheaf_expr_parser *parser, uint16_t *out_node)
{
    struct sheaf_token name = parser->token;
    uint16_t first, count;
    enum sheaf_operation operation = sheaf_find_function(name.text, parser->source->kind == SHEAF_EXPRESSION_UPDATE);
    if (operation == SHEAF_OPERATION_UNKNOWN) sheaf_parser_note(parser, SHEAF_FAULT_FUNCTION_KNOWN, name.at + 1, name.text, 0);
    if (parser->call_depth == SHEAF_EXPRESSION_CALL_DEPTH_MAX) {
        sheaf_parser_note(parser, SHEAF_FAULT_CALL_DEPTH, name.at + 1, sheaf_bytes_of(NULL, 0), parser->call_depth + 1);
        return tell_note(parser, SHEAF_FAULT_CALL_DEPTH);
    }
    parser->call_depth++;
    sheaf_parser_advance(parser);
    sheaf_parser_advance(parser);
    sheaf_status status = parse_arguments(parser, operation, &first, &count);
    parser->call_depth--;
    if (status == SHEAF_OK) *out_node = sheaf_parser_add_call(parser, operation, (uint16_t)(name.at + 1), first, count);
    return status;
}

/* A word that the language keeps for itself. Behind a dot it is a name, though a reserved one. */
static bool is_keyword(const struct sheaf_expr_parser *parser)
{
    static const char *const condition_words[] = { "AND", "OR", "NOT", "BETWEEN", "IN" };
    static const char *const update_words[] = { "SET", "REMOVE", "ADD", "DELETE" };
    bool is_update = parser->source->kind == SHEAF_EXPRESSION_UPDATE;
    const char *const *words = is_update ? update_words : condition_words;
    size_t count = is_update ? sizeof update_words / sizeof *update_words : sizeof condition_words / sizeof *condition_words;
    for (size_t i = 0; i < count; i++)
        if (sheaf_token_is_word(&parser->token, words[i])) return true;
    return false;
}

sheaf_status sheaf_parser_primary(struct sheaf_expr_parser *parser, uint16_t *out_node)
{
    if (parser->token.kind == SHEAF_TOKEN_VALUE) return sheaf_parser_value(parser, out_node);
    if (parser->token.kind == SHEAF_TOKEN_WORD) {
        if (is_keyword(parser)) return sheaf_parser_refuse_token(parser);
        if (sheaf_token_is_sign(&parser->next, "(")) return parse_call(parser, out_node);
    }
    return sheaf_parser_path(parser, out_node);
}

sheaf_status sheaf_parser_operand(struct sheaf_expr_parser *parser, uint16_t *out_node)
{
    size_t opened = 0;
    for (size_t column = sheaf_parser_column(parser); sheaf_parser_take_sign(parser, "("); opened++)
        if (opened == 1) sheaf_parser_note(parser, SHEAF_FAULT_PARENTHESES, column, sheaf_bytes_of(NULL, 0), 0);
    sheaf_status status = sheaf_parser_primary(parser, out_node);
    while (status == SHEAF_OK && opened-- > 0) status = sheaf_parser_expect_sign(parser, ")");
    return status;
}
