#include "engine/expr/message.h"

#include <stdbool.h>
#include <string.h>

#include "engine/base/assert.h"
#include "engine/base/utf8.h"

static const char *const KIND_NAMES[] = {
    [SHEAF_EXPRESSION_CONDITION] = "ConditionExpression",
    [SHEAF_EXPRESSION_FILTER] = "FilterExpression",
    [SHEAF_EXPRESSION_KEY_CONDITION] = "KeyConditionExpression",
    [SHEAF_EXPRESSION_PROJECTION] = "ProjectionExpression",
    [SHEAF_EXPRESSION_UPDATE] = "UpdateExpression",
};

/* Those with a prefix begin with "Invalid ...Expression: ". OPV is how DynamoDB begins some of the others. */
#define OPV "One or more parameter values were invalid: "
static const struct message {
    bool prefixed;
    const char *text;
} MESSAGES[SHEAF_FAULT_COUNT] = {
    [SHEAF_FAULT_NONE] = { false, "" },
    [SHEAF_FAULT_NOT_EMPTY] = { true, "The expression can not be empty;" },
    [SHEAF_FAULT_SIZE] = { true, "Expression size has exceeded the maximum allowed size; expression size: %1" },
    [SHEAF_FAULT_SYNTAX] = { true, "Syntax error; token: \"%1\", near: \"%2\"" },
    [SHEAF_FAULT_PARENTHESES] = { true, "The expression has redundant parentheses;" },
    [SHEAF_FAULT_FUNCTION_KNOWN] = { true, "Invalid function name; function: %1" },
    [SHEAF_FAULT_FUNCTION_PLACE] = { true, "The function is not allowed to be used this way in an expression; function: %1" },
    [SHEAF_FAULT_RESERVED_WORD] = { true, "Attribute name is a reserved keyword; reserved keyword: %1" },
    [SHEAF_FAULT_SECTION_ONCE] = { true, "The \"%1\" section can only be used once in an update expression;" },
    [SHEAF_FAULT_OPERATOR_COUNT] = { true, "The expression contains too many operators; operator count: %1" },
    [SHEAF_FAULT_IN_COUNT] = { true, "The IN operator is provided with too many operands; number of operands: %1" },
    [SHEAF_FAULT_PATH_DEPTH] = { true, "The document path has too many nesting levels; nesting levels: %1" },
    [SHEAF_FAULT_INDEX_RANGE] = { true, "List index is not within the allowable range; index: [%1]" },
    [SHEAF_FAULT_CALL_DEPTH] = { true, "The expression has too many nesting levels; nesting levels: %1" }, /* ours */
    [SHEAF_FAULT_OPERAND_COUNT] = { true, "Incorrect number of operands for operator or function; operator or function: %1, "
                                          "number of operands: %2" },
    [SHEAF_FAULT_OPERANDS_DISTINCT] = { true,
                                        "The first operand must be distinct from the remaining operands for this operator "
                                        "or function; operator: %1, first operand: %2" },
    [SHEAF_FAULT_PATH_REQUIRED] = { true, "Operator or function requires a document path; operator or function: %1" },
    [SHEAF_FAULT_PATHS_OVERLAP] = { true, "Two document paths overlap with each other; must remove or rewrite one of these "
                                          "paths; path one: %1, path two: %2" },
    [SHEAF_FAULT_PATHS_CONFLICT] = { true, "Two document paths conflict with each other; must remove or rewrite one of these "
                                           "paths; path one: %1, path two: %2" },

    [SHEAF_FAULT_NAME_DEFINED] = { true, "An expression attribute name used in the document path is not defined; attribute "
                                         "name: %1" },
    [SHEAF_FAULT_NAMES_USED] = { false, "Value provided in ExpressionAttributeNames unused in expressions: keys: {%1}" },
    [SHEAF_FAULT_VALUE_DEFINED] = { true, "An expression attribute value used in expression is not defined; attribute value: "
                                          "%1" },
    [SHEAF_FAULT_VALUES_USED] = { false, "Value provided in ExpressionAttributeValues unused in expressions: keys: {%1}" },
    [SHEAF_FAULT_OPERAND_TYPE] = { true, "Incorrect operand type for operator or function; operator or function: %1, operand "
                                         "type: %2" },
    [SHEAF_FAULT_SECTION_TYPE] = { true, "Incorrect operand type for operator or function; operator: %1, operand type: %2" },
    [SHEAF_FAULT_TYPE_NAME] = { true, "Invalid attribute type name found; type: %1, valid types: "
                                      "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}" },
    [SHEAF_FAULT_BETWEEN_TYPE] = { true, "The BETWEEN operator requires same data type for lower and upper bounds; lower bound "
                                         "operand: AttributeValue: {%1:%2}, upper bound operand: AttributeValue: {%3:%4}" },
    [SHEAF_FAULT_BETWEEN_ORDER] = { true,
                                    "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
                                    "lower bound operand: AttributeValue: {%1:%2}, upper bound operand: AttributeValue: "
                                    "{%3:%4}" },

    [SHEAF_FAULT_KEY_OPERATOR] = { false, "Invalid operator used in KeyConditionExpression: %1" },
    [SHEAF_FAULT_KEY_NESTED_OPERATION] = { false, "KeyConditionExpressions cannot contain nested operations" },
    [SHEAF_FAULT_KEY_FIRST_OPERAND] = { false, "Invalid condition in KeyConditionExpression: %1 operator must have the key "
                                               "attribute as its first operand" },
    [SHEAF_FAULT_KEY_ONE_NAME] = { false, "Invalid condition in KeyConditionExpression: Multiple attribute names used in one "
                                          "condition" },
    [SHEAF_FAULT_KEY_TOP_LEVEL] = { false, "KeyConditionExpressions cannot have conditions on nested attributes" },
    [SHEAF_FAULT_KEY_NAMED] = { false, "Invalid condition in KeyConditionExpression: No key attribute specified" },
    [SHEAF_FAULT_KEY_ONCE] = { true, "KeyConditionExpressions must only contain one condition per key" },
    [SHEAF_FAULT_KEY_COUNT] = { false,
                                "The number of query conditions (%1) exceeds the number of key attributes defined in the "
                                "schema (%2)" },
    [SHEAF_FAULT_KEY_TYPE] = { false, OPV "Condition parameter type does not match schema type" },
    [SHEAF_FAULT_KEY_MISSED] = { false, "Query condition missed key schema element: %1" },
    [SHEAF_FAULT_KEY_SUPPORTED] = { false, "Query key condition not supported" },
    [SHEAF_FAULT_KEY_GAP] = { false, "RANGE key attributes %1 must have equality conditions specified in the query because a "
                                     "condition is present on key attribute %2" },

    [SHEAF_FAULT_UPDATE_ATTRIBUTE] = { false,
                                       "The provided expression refers to an attribute that does not exist in the item" },
    [SHEAF_FAULT_UPDATE_TYPE] = { false, "An operand in the update expression has an incorrect data type" },
    [SHEAF_FAULT_UPDATE_PATH] = { false, "The document path provided in the update expression is invalid for update" },
    [SHEAF_FAULT_UPDATE_KEY] = { false, OPV "Cannot update attribute %1. This attribute is part of the key" },
    [SHEAF_FAULT_UPDATE_NUMBER] = { false, "%1" },
    [SHEAF_FAULT_UPDATE_SIZE] = { false, "Item size to update has exceeded the maximum allowed size" },
    [SHEAF_FAULT_UPDATE_ITEM] = { false, "%1" },

    [SHEAF_FAULT_FILTER_KEY] = { false, "Filter Expression can only contain non-primary key attributes: Primary key attribute: "
                                        "%1" },
    [SHEAF_FAULT_KEY_SCALAR] = { false, "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
                                        "allowed: %1: %2" },
};

/* ---- rendering -------------------------------------------------------------------------------------------------------- */

void sheaf_message_append(struct sheaf_message_draft *draft, sheaf_bytes bytes)
{
    size_t room = SHEAF_EXPRESSION_MESSAGE_SIZE - 1 - draft->size;
    size_t taken = sheaf_size_min(room, bytes.size);
    while (taken > 0 && taken < bytes.size && (bytes.data[taken] & 0xC0) == 0x80) taken--; /* no half of a character */
    if (taken > 0) memcpy(draft->text + draft->size, bytes.data, taken);
    draft->size += taken;
}

static void append_string(struct sheaf_message_draft *draft, const char *string)
{
    sheaf_message_append(draft, sheaf_bytes_of(string, strlen(string)));
}

static void append_message(struct sheaf_message_draft *draft, const char *text, const struct sheaf_message_parts *parts)
{
    for (const char *mark = strchr(text, '%'); mark; mark = strchr(text, '%')) {
        sheaf_message_append(draft, sheaf_bytes_of(text, (size_t)(mark - text)));
        size_t part = (size_t)(mark[1] - '1');
        sheaf_assert(parts && part < SHEAF_MESSAGE_PART_MAX);
        sheaf_message_append(draft, parts->parts[part]);
        text = mark + 2;
    }
    append_string(draft, text);
}

sheaf_status sheaf_expr_refuse(sheaf_expression_fault *out_fault, sheaf_expression_kind kind, sheaf_expression_rule rule,
                               size_t column, const struct sheaf_message_parts *parts)
{
    if (!out_fault) return SHEAF_EXPRESSION_REFUSED;
    struct sheaf_message_draft draft = { .size = 0 };
    if (MESSAGES[rule].prefixed) {
        append_string(&draft, "Invalid ");
        append_string(&draft, KIND_NAMES[kind]);
        append_string(&draft, ": ");
    }
    append_message(&draft, MESSAGES[rule].text, parts);
    out_fault->rule = rule;
    out_fault->column = column;
    out_fault->message_size = draft.size;
    memcpy(out_fault->message, draft.text, draft.size);
    out_fault->message[draft.size] = 0;
    return SHEAF_EXPRESSION_REFUSED;
}

sheaf_bytes sheaf_message_number(uint64_t number, char buffer[SHEAF_MESSAGE_NUMBER_SIZE])
{
    size_t at = SHEAF_MESSAGE_NUMBER_SIZE;
    do {
        buffer[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return sheaf_bytes_of(buffer + at, SHEAF_MESSAGE_NUMBER_SIZE - at);
}

/* Three bytes as four letters; what is missing of three as =. */
static void append_base64(struct sheaf_message_draft *draft, sheaf_bytes bytes)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < bytes.size; at += 3) {
        uint32_t group = 0;
        char text[4];
        size_t count = sheaf_size_min(3, bytes.size - at);
        for (size_t i = 0; i < 3; i++) group = group << 8 | (i < count ? bytes.data[at + i] : 0u);
        for (size_t i = 0; i < 4; i++) text[i] = i <= count ? letters[group >> (18 - 6 * i) & 63] : '=';
        sheaf_message_append(draft, sheaf_bytes_of(text, sizeof text));
    }
}

void sheaf_message_append_value(struct sheaf_message_draft *draft, sheaf_value value)
{
    char text[SHEAF_NUMBER_TEXT_SIZE_MAX];
    if (value.type == SHEAF_TYPE_STRING) sheaf_message_append(draft, value.bytes);
    if (value.type == SHEAF_TYPE_BINARY) append_base64(draft, value.bytes);
    if (value.type == SHEAF_TYPE_NUMBER)
        sheaf_message_append(draft, sheaf_bytes_of(text, sheaf_number_print(sheaf_value_number(value), text)));
}
