/*
 * test_expression.c - what the four languages take, what they refuse, and with which words.
 */
#include <sheaf/expression.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "engine/base/bytes.h"
#include "engine/expr/expression.h"
#include "engine/expr/reserved.h"
#include "tests/support/test_heap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum {
    CONDITION = SHEAF_EXPRESSION_CONDITION,
    FILTER = SHEAF_EXPRESSION_FILTER,
    KEY = SHEAF_EXPRESSION_KEY_CONDITION,
    PROJECTION = SHEAF_EXPRESSION_PROJECTION,
    UPDATE = SHEAF_EXPRESSION_UPDATE
};

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

/* The names that all texts here may use; "#x" and others are not defined. */
static sheaf_expression_source source_of(int kind, sheaf_bytes bytes)
{
    static sheaf_expression_name names[4];
    static const char *const pairs[][2] = { { "#a", "a" }, { "#1", "one.two" }, { "#_", "" }, { "#s", "status" } };
    for (size_t i = 0; i < COUNT(pairs); i++) names[i] = (sheaf_expression_name){ text(pairs[i][0]), text(pairs[i][1]) };
    return (sheaf_expression_source){
        .kind = (sheaf_expression_kind)kind, .text = bytes, .names = names, .name_count = COUNT(names)
    };
}

static sheaf_status try(int kind, sheaf_bytes bytes, sheaf_expression **out, sheaf_expression_fault *fault)
{
    sheaf_expression_source source = source_of(kind, bytes);
    return sheaf_expression_create(&source, NULL, out, fault);
}

static sheaf_expression *parse(int kind, const char *string)
{
    sheaf_expression *expression = NULL;
    sheaf_expression_fault fault = { .rule = SHEAF_FAULT_NONE };
    cr_assert_eq(try(kind, text(string), &expression, &fault), SHEAF_OK, "%s: column %zu: %s", string, fault.column,
                 fault.message);
    return expression;
}

/* ---- what is taken ---------------------------------------------------------------------------------------------------- */

static const struct {
    int kind;
    const char *text;
} TAKEN[] = {
    { CONDITION, "a = :v" },
    { CONDITION, " \t\r\na\n=\r:v " },
    { CONDITION, "a=:v" },
    { CONDITION, "a<>:v" },
    { CONDITION, "a<b" },
    { CONDITION, ":v<=:w" },
    { CONDITION, "a . b [ 0 ] . #a [ 12 ] >= :v" },
    { CONDITION, "#1 = :1 and #_ > :_9" },
    { CONDITION, "a BETWEEN :v AND :w AND b = :v" },
    { CONDITION, "a between b and c or d in (e) and not f = g" },
    { CONDITION, "a IN (:a, :b, c.d, size(e))" },
    { CONDITION, "size(a) > :v" },
    { CONDITION, "size (:v) = size ( b )" },
    { CONDITION, "(size(a)) > (:v)" },
    { CONDITION, "attribute_exists(a)" },
    { CONDITION, "(attribute_not_exists(a.b[3]))" },
    { CONDITION, "attribute_type(a, :t)" },
    { CONDITION, "begins_with(a, :v) OR begins_with(:v, a)" },
    { CONDITION, "contains(a, b)" },
    { CONDITION, "contains((a), (:v))" },
    { CONDITION, "contains(a, size(b))" },
    { CONDITION, "NOT NOT NOT a = :v" },
    { CONDITION, "((a = :b) AND c = :d)" },
    { CONDITION, "(NOT (a = :b)) OR ((a) = (:b))" },
    { CONDITION, "NOT(a = :b)" },
    { CONDITION, "a = :v AND b = :w OR c = :x AND NOT d = :y" },
    { CONDITION, "contains = :v" },            /* a function's name is a name, if no parenthesis follows */
    { CONDITION, "nots = :v AND andy = orc" }, /* words that begin like keywords */
    { CONDITION, "a[2147483647] = :v" },
    { CONDITION, "a[007] = :v" },
    { FILTER, "a = :v" },
    { KEY, "a = :v" },
    { KEY, "a = :v AND b > :w" },
    { KEY, "(#a = :p) AND (:lo <= #s)" },
    { KEY, "b BETWEEN :v AND :w and a = :v" },
    { KEY, "a = :v AND begins_with(b, :w)" },
    { KEY, "a = :v AND b = :w AND c = :x" }, /* whether there are so many keys, the schema says */
    { KEY, "(a = :v AND b = :w)" },
    { PROJECTION, "a" },
    { PROJECTION, "a, b.c, #1, d[0], d[1].x" },
    { PROJECTION, "a.b, a.c" },
    { PROJECTION, "a[0], a[1]" },
    { UPDATE, "SET a = :v" },
    { UPDATE, "set a = :v remove b add c :w delete d :x" },
    { UPDATE, "DELETE d :x ADD c :w REMOVE b SET a = :v" },
    { UPDATE, "SET a = b, b = a" },
    { UPDATE, "SET a = a + :v, b = :v - c" },
    { UPDATE, "SET a = (a + :v)" },
    { UPDATE, "SET a = (a) + (:v)" },
    { UPDATE, "SET a = (b)" },
    { UPDATE, "SET a = if_not_exists(a, :v) + :w" },
    { UPDATE, "SET a = list_append(if_not_exists(a, :v), :w)" },
    { UPDATE, "SET a = if_not_exists(a, if_not_exists(b, c))" },
    { UPDATE, "SET a.b[0] = :v REMOVE a.b[1], a.c" },
    { UPDATE, "ADD a.b :v, c :w" },
    { UPDATE, "SET settings = :v" },
};

Test(expression, takes_what_the_grammar_says)
{
    for (size_t i = 0; i < COUNT(TAKEN); i++) {
        sheaf_expression *expression = parse(TAKEN[i].kind, TAKEN[i].text);
        cr_assert_eq((int)sheaf_expression_kind_of(expression), TAKEN[i].kind);
        cr_assert(sheaf_bytes_equal(sheaf_expression_text_view(expression), text(TAKEN[i].text)));
        sheaf_expression_destroy(expression);
    }
    sheaf_expression_destroy(NULL);
}

/* ---- what is refused -------------------------------------------------------------------------------------------------- */

static const struct {
    int kind;
    const char *text;
    size_t column;
    const char *message;
} REFUSED[] = {
    { CONDITION, "", 0, "Invalid ConditionExpression: The expression can not be empty;" },
    { FILTER, "", 0, "Invalid FilterExpression: The expression can not be empty;" },
    { KEY, "", 0, "Invalid KeyConditionExpression: The expression can not be empty;" },
    { PROJECTION, "", 0, "Invalid ProjectionExpression: The expression can not be empty;" },
    { UPDATE, "", 0, "Invalid UpdateExpression: The expression can not be empty;" },

    /* Syntax, observed on AWS. */
    { CONDITION, "a = = b", 5, "Invalid ConditionExpression: Syntax error; token: \"=\", near: \"= = b\"" },
    { UPDATE, "INVALID SYNTAX HERE", 1,
      "Invalid UpdateExpression: Syntax error; token: \"INVALID\", near: \"INVALID SYNTAX\"" },
    { CONDITION, "!!", 1, "Invalid ConditionExpression: Syntax error; token: \"!\", near: \"!!\"" },
    { UPDATE, "SET _123 = :v", 5, "Invalid UpdateExpression: Syntax error; token: \"_\", near: \"SET _123\"" },
    { CONDITION, "attribute_not_exists(", 22, "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"(\"" },

    /* Syntax, conditions. */
    { CONDITION, " ", 2, "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"\"" },
    { CONDITION, "a", 2, "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"a\"" },
    { CONDITION, ":v", 3, "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \":v\"" },
    { CONDITION, "(a)", 4, "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \")\"" },
    { CONDITION, "a = :v AND", 11, "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"AND\"" },
    { CONDITION, "a != :v", 3, "Invalid ConditionExpression: Syntax error; token: \"!\", near: \"a !=\"" },
    { CONDITION, "a == :v", 4, "Invalid ConditionExpression: Syntax error; token: \"=\", near: \"== :v\"" },
    { CONDITION, "a = 5", 5, "Invalid ConditionExpression: Syntax error; token: \"5\", near: \"= 5\"" },
    { CONDITION, "a = \"x\"", 5, "Invalid ConditionExpression: Syntax error; token: \"\"\", near: \"= \"x\"" },
    { CONDITION, "a = :v)", 7, "Invalid ConditionExpression: Syntax error; token: \")\", near: \":v)\"" },
    { CONDITION, "(a = :v", 8, "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \":v\"" },
    { CONDITION, "a = :v b", 8, "Invalid ConditionExpression: Syntax error; token: \"b\", near: \":v b\"" },
    { CONDITION, "a AND b = :v", 3, "Invalid ConditionExpression: Syntax error; token: \"AND\", near: \"a AND b\"" },
    { CONDITION, "(a = :v AND c)", 14, "Invalid ConditionExpression: Syntax error; token: \")\", near: \"c)\"" },
    { CONDITION, "(NOT c)", 7, "Invalid ConditionExpression: Syntax error; token: \")\", near: \"c)\"" },
    { CONDITION, "(a = :v) = :w", 10, "Invalid ConditionExpression: Syntax error; token: \"=\", near: \") = :w\"" },
    { CONDITION, "a = (b = :v)", 8, "Invalid ConditionExpression: Syntax error; token: \"=\", near: \"b = :v\"" },
    { CONDITION, "a = b = c", 7, "Invalid ConditionExpression: Syntax error; token: \"=\", near: \"b = c\"" },
    { CONDITION, "a IN ()", 7, "Invalid ConditionExpression: Syntax error; token: \")\", near: \"()\"" },
    { CONDITION, "a IN :v", 6, "Invalid ConditionExpression: Syntax error; token: \":v\", near: \"IN :v\"" },
    { CONDITION, "a IN (:v", 9, "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \":v\"" },
    { CONDITION, "a IN (:v,)", 10, "Invalid ConditionExpression: Syntax error; token: \")\", near: \",)\"" },
    { CONDITION, "a BETWEEN :v", 13, "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \":v\"" },
    { CONDITION, "a BETWEEN :v OR :w", 14, "Invalid ConditionExpression: Syntax error; token: \"OR\", near: \":v OR :w\"" },
    { CONDITION, "attribute_exists()", 18, "Invalid ConditionExpression: Syntax error; token: \")\", near: \"()\"" },
    { CONDITION, "a[ = :v", 4, "Invalid ConditionExpression: Syntax error; token: \"=\", near: \"[ = :v\"" },
    { CONDITION, "a[-1] = :v", 3, "Invalid ConditionExpression: Syntax error; token: \"-\", near: \"[-1\"" },
    { CONDITION, "a[:v] = :v", 3, "Invalid ConditionExpression: Syntax error; token: \":v\", near: \"[:v]\"" },
    { CONDITION, "a. = :v", 4, "Invalid ConditionExpression: Syntax error; token: \"=\", near: \". = :v\"" },
    { CONDITION, "a.:v = :v", 3, "Invalid ConditionExpression: Syntax error; token: \":v\", near: \".:v =\"" },
    { CONDITION, "[0] = :v", 1, "Invalid ConditionExpression: Syntax error; token: \"[\", near: \"[0\"" },
    { CONDITION, "# = :v", 1, "Invalid ConditionExpression: Syntax error; token: \"#\", near: \"# =\"" },
    { CONDITION, "a = :", 5, "Invalid ConditionExpression: Syntax error; token: \":\", near: \"= :\"" },
    { CONDITION, "a = \xC3\xA9t", 5, "Invalid ConditionExpression: Syntax error; token: \"\xC3\xA9\", near: \"= \xC3\xA9t\"" },
    { CONDITION, "NOT", 4, "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"NOT\"" },
    { CONDITION, "and = :v", 1, "Invalid ConditionExpression: Syntax error; token: \"and\", near: \"and =\"" },
    { CONDITION, "1a = :v", 1, "Invalid ConditionExpression: Syntax error; token: \"1\", near: \"1a\"" },

    /* Syntax, projections. */
    { PROJECTION, "a,", 3, "Invalid ProjectionExpression: Syntax error; token: \"<EOF>\", near: \",\"" },
    { PROJECTION, ",a", 1, "Invalid ProjectionExpression: Syntax error; token: \",\", near: \",a\"" },
    { PROJECTION, "a b", 3, "Invalid ProjectionExpression: Syntax error; token: \"b\", near: \"a b\"" },
    { PROJECTION, "a, :v", 4, "Invalid ProjectionExpression: Syntax error; token: \":v\", near: \", :v\"" },
    { PROJECTION, "size(a)", 5, "Invalid ProjectionExpression: Syntax error; token: \"(\", near: \"size(a\"" },
    { PROJECTION, "a..b", 3, "Invalid ProjectionExpression: Syntax error; token: \".\", near: \"..b\"" },

    /* Syntax, updates. */
    { UPDATE, "a = :v", 1, "Invalid UpdateExpression: Syntax error; token: \"a\", near: \"a =\"" },
    { UPDATE, "SET", 4, "Invalid UpdateExpression: Syntax error; token: \"<EOF>\", near: \"SET\"" },
    { UPDATE, "SET a", 6, "Invalid UpdateExpression: Syntax error; token: \"<EOF>\", near: \"a\"" },
    { UPDATE, "SET a =", 8, "Invalid UpdateExpression: Syntax error; token: \"<EOF>\", near: \"=\"" },
    { UPDATE, "SET a = :v,", 12, "Invalid UpdateExpression: Syntax error; token: \"<EOF>\", near: \",\"" },
    { UPDATE, "SET a = :v b = :w", 12, "Invalid UpdateExpression: Syntax error; token: \"b\", near: \":v b =\"" },
    { UPDATE, "SET a = a + :x + :y", 16, "Invalid UpdateExpression: Syntax error; token: \"+\", near: \":x + :y\"" },
    { UPDATE, "SET a = (a + :x) - :y", 18, "Invalid UpdateExpression: Syntax error; token: \"-\", near: \") - :y\"" },
    { UPDATE, "SET a = (b", 11, "Invalid UpdateExpression: Syntax error; token: \"<EOF>\", near: \"b\"" },
    { UPDATE, "SET a = b)", 10, "Invalid UpdateExpression: Syntax error; token: \")\", near: \"b)\"" },
    { UPDATE, "REMOVE a = :v", 10, "Invalid UpdateExpression: Syntax error; token: \"=\", near: \"a = :v\"" },
    { UPDATE, "ADD a b", 7, "Invalid UpdateExpression: Syntax error; token: \"b\", near: \"a b\"" },
    { UPDATE, "DELETE a", 9, "Invalid UpdateExpression: Syntax error; token: \"<EOF>\", near: \"a\"" },
    { UPDATE, "SET :v = a", 5, "Invalid UpdateExpression: Syntax error; token: \":v\", near: \"SET :v =\"" },
    { UPDATE, "SET REMOVE a", 5, "Invalid UpdateExpression: Syntax error; token: \"REMOVE\", near: \"SET REMOVE a\"" },

    /* Parentheses. */
    { CONDITION, "((a = :b))", 1, "Invalid ConditionExpression: The expression has redundant parentheses;" },
    { CONDITION, "(((a = :b) AND c = :d))", 1, "Invalid ConditionExpression: The expression has redundant parentheses;" },
    { CONDITION, "((attribute_exists(a)))", 1, "Invalid ConditionExpression: The expression has redundant parentheses;" },
    { CONDITION, "a = ((:v))", 5, "Invalid ConditionExpression: The expression has redundant parentheses;" },
    { CONDITION, "((a)) = :v", 1, "Invalid ConditionExpression: The expression has redundant parentheses;" },
    { CONDITION, "contains(((a)), :v)", 10, "Invalid ConditionExpression: The expression has redundant parentheses;" },
    { UPDATE, "SET a = ((b))", 13, "Invalid UpdateExpression: The expression has redundant parentheses;" },
    { UPDATE, "SET a = ((b + :v))", 18, "Invalid UpdateExpression: The expression has redundant parentheses;" },

    /* Functions. */
    { CONDITION, "f(a)", 1, "Invalid ConditionExpression: Invalid function name; function: f" },
    { CONDITION, "Contains(a, :v)", 1, "Invalid ConditionExpression: Invalid function name; function: Contains" },
    { CONDITION, "a = if_not_exists(a, :v)", 5, "Invalid ConditionExpression: Invalid function name; function: if_not_exists" },
    { UPDATE, "SET a = size(b)", 9, "Invalid UpdateExpression: Invalid function name; function: size" },
    { CONDITION, "size(a)", 1,
      "Invalid ConditionExpression: The function is not allowed to be used this way in an expression; "
      "function: size" },
    { CONDITION, "(size(a)) AND b = :v", 2,
      "Invalid ConditionExpression: The function is not allowed to be used this way in an "
      "expression; function: size" },
    { CONDITION, "attribute_exists(a) = :v", 1,
      "Invalid ConditionExpression: The function is not allowed to be used this way in "
      "an expression; function: attribute_exists" },
    { CONDITION, ":v = contains(a, b)", 6,
      "Invalid ConditionExpression: The function is not allowed to be used this way in an "
      "expression; function: contains" },
    { CONDITION, "a IN (:v, contains(a, b))", 11,
      "Invalid ConditionExpression: The function is not allowed to be used this way "
      "in an expression; function: contains" },
    { CONDITION, "contains(a, begins_with(b, c))", 13,
      "Invalid ConditionExpression: The function is not allowed to be used this "
      "way in an expression; function: begins_with" },
    { UPDATE, "SET a = list_append(list_append(a, :v), :w)", 21,
      "Invalid UpdateExpression: The function is not allowed to be "
      "used this way in an expression; function: list_append" },

    /* Reserved words, at every place of a path, as written. */
    { CONDITION, "Status = :v", 1,
      "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: Status" },
    { CONDITION, "a.b.NAME = :v", 5,
      "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: NAME" },
    { CONDITION, "a.and = :v", 3, "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: and" },
    { PROJECTION, "a, size", 4, "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: size" },
    { UPDATE, "SET a = zone", 9, "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: zone" },
    { CONDITION, "set = :v", 1, "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: set" },

    /* Sections. */
    { UPDATE, "SET a = :v SET b = :w", 12,
      "Invalid UpdateExpression: The \"SET\" section can only be used once in an update "
      "expression;" },
    { UPDATE, "remove a ADD b :v Remove c", 19,
      "Invalid UpdateExpression: The \"REMOVE\" section can only be used once in an "
      "update expression;" },
    { UPDATE, "ADD a :v ADD b :v", 10,
      "Invalid UpdateExpression: The \"ADD\" section can only be used once in an update "
      "expression;" },
    { UPDATE, "DELETE a :v DELETE b :v", 13,
      "Invalid UpdateExpression: The \"DELETE\" section can only be used once in an update "
      "expression;" },

    /* Indexes. */
    { PROJECTION, "a[2147483648]", 3,
      "Invalid ProjectionExpression: List index is not within the allowable range; index: "
      "[2147483648]" },
    { CONDITION, "a[99999999999999999999999] = :v", 3,
      "Invalid ConditionExpression: List index is not within the allowable "
      "range; index: [99999999999999999999999]" },

    /* Names. */
    { CONDITION, "#x = :v", 1,
      "Invalid ConditionExpression: An expression attribute name used in the document path is not "
      "defined; attribute name: #x" },
    { CONDITION, "a = b.#x", 5,
      "Invalid ConditionExpression: An expression attribute name used in the document path is not "
      "defined; attribute name: #x" },
    { PROJECTION, "a, a.#A", 4,
      "Invalid ProjectionExpression: An expression attribute name used in the document path is not "
      "defined; attribute name: #A" },
    { UPDATE, "SET a = #x REMOVE #y", 9,
      "Invalid UpdateExpression: An expression attribute name used in the document path is "
      "not defined; attribute name: #x" },

    /* Operands. */
    { CONDITION, "attribute_exists(a, b)", 1,
      "Invalid ConditionExpression: Incorrect number of operands for operator or "
      "function; operator or function: attribute_exists, number of operands: 2" },
    { CONDITION, "begins_with(a)", 1,
      "Invalid ConditionExpression: Incorrect number of operands for operator or function; "
      "operator or function: begins_with, number of operands: 1" },
    { CONDITION, "contains(a, b, c)", 1,
      "Invalid ConditionExpression: Incorrect number of operands for operator or function; "
      "operator or function: contains, number of operands: 3" },
    { CONDITION, "size(a, b) > :v", 1,
      "Invalid ConditionExpression: Incorrect number of operands for operator or function; "
      "operator or function: size, number of operands: 2" },
    { UPDATE, "SET a = if_not_exists(a)", 9,
      "Invalid UpdateExpression: Incorrect number of operands for operator or function; "
      "operator or function: if_not_exists, number of operands: 1" },
    { UPDATE, "SET a = list_append(a, b, c)", 9,
      "Invalid UpdateExpression: Incorrect number of operands for operator or "
      "function; operator or function: list_append, number of operands: 3" },
    { CONDITION, "a = a", 3,
      "Invalid ConditionExpression: The first operand must be distinct from the remaining operands for "
      "this operator or function; operator: =, first operand: [a]" },
    { CONDITION, "a.b[0] <= #a.b[0]", 8,
      "Invalid ConditionExpression: The first operand must be distinct from the remaining "
      "operands for this operator or function; operator: <=, first operand: [a, b, [0]]" },
    { CONDITION, "contains(#1, #1)", 1,
      "Invalid ConditionExpression: The first operand must be distinct from the remaining "
      "operands for this operator or function; operator: contains, first operand: [one.two]" },
    { CONDITION, "a BETWEEN :v AND a", 3,
      "Invalid ConditionExpression: The first operand must be distinct from the remaining "
      "operands for this operator or function; operator: BETWEEN, first operand: [a]" },
    { CONDITION, "a IN (b, a)", 3,
      "Invalid ConditionExpression: The first operand must be distinct from the remaining operands "
      "for this operator or function; operator: IN, first operand: [a]" },
    { CONDITION, "attribute_exists(:v)", 18,
      "Invalid ConditionExpression: Operator or function requires a document path; operator "
      "or function: attribute_exists" },
    { CONDITION, "attribute_not_exists(size(a))", 22,
      "Invalid ConditionExpression: Operator or function requires a document "
      "path; operator or function: attribute_not_exists" },
    { UPDATE, "SET a = if_not_exists(:v, a)", 23,
      "Invalid UpdateExpression: Operator or function requires a document path; "
      "operator or function: if_not_exists" },
    { CONDITION, "size(size(a)) > :v", 6,
      "Invalid ConditionExpression: Incorrect operand type for operator or function; operator "
      "or function: size, operand type: N" },
    { CONDITION, "begins_with(a, size(b))", 16,
      "Invalid ConditionExpression: Incorrect operand type for operator or function; "
      "operator or function: begins_with, operand type: N" },
    { CONDITION, "attribute_type(a, b)", 19,
      "Invalid ConditionExpression: Incorrect operand type for operator or function; "
      "operator or function: attribute_type, operand type: "
      "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}" },

    /* Overlaps and conflicts. */
    { PROJECTION, "a, a", 4,
      "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one "
      "of these paths; path one: [a], path two: [a]" },
    { PROJECTION, "a, b, a.b", 7,
      "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite "
      "one of these paths; path one: [a], path two: [a, b]" },
    { PROJECTION, "a.b[1].c, a.c, a.b[1]", 16,
      "Invalid ProjectionExpression: Two document paths overlap with each other; must "
      "remove or rewrite one of these paths; path one: [a, b, [1], c], path two: "
      "[a, b, [1]]" },
    { PROJECTION, "a.b, a[0]", 6,
      "Invalid ProjectionExpression: Two document paths conflict with each other; must remove or "
      "rewrite one of these paths; path one: [a, b], path two: [a, [0]]" },
    { PROJECTION, "x, a[0].b, y.z, a.b", 17,
      "Invalid ProjectionExpression: Two document paths conflict with each other; must "
      "remove or rewrite one of these paths; path one: [a, [0], b], path two: [a, b]" },
    { PROJECTION, "a[0], a.b, c, c", 15,
      "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or "
      "rewrite one of these paths; path one: [c], path two: [c]" },
    { UPDATE, "SET a = :v REMOVE a", 19,
      "Invalid UpdateExpression: Two document paths overlap with each other; must remove or "
      "rewrite one of these paths; path one: [a], path two: [a]" },
    { UPDATE, "ADD #a.b :v DELETE a :v", 20,
      "Invalid UpdateExpression: Two document paths overlap with each other; must remove or "
      "rewrite one of these paths; path one: [a, b], path two: [a]" },
    { UPDATE, "SET a.b = :v, a[1] = :w", 15,
      "Invalid UpdateExpression: Two document paths conflict with each other; must remove or "
      "rewrite one of these paths; path one: [a, b], path two: [a, [1]]" },

    /* Key conditions. */
    { KEY, "a = :v OR b = :w", 8, "Invalid operator used in KeyConditionExpression: OR" },
    { KEY, "NOT a = :v", 1, "Invalid operator used in KeyConditionExpression: NOT" },
    { KEY, "a = :v AND (b = :w OR c = :x)", 20, "Invalid operator used in KeyConditionExpression: OR" },
    { KEY, "a <> :v AND NOT b = :w", 3, "Invalid operator used in KeyConditionExpression: <>" },
    { KEY, "a <> :v OR b = :w", 9, "Invalid operator used in KeyConditionExpression: OR" },
    { KEY, "a > b and size(b) > c or a > c", 23, "Invalid operator used in KeyConditionExpression: OR" },
    { KEY, "a IN (b, size(c), d)", 3, "Invalid operator used in KeyConditionExpression: IN" },
    { KEY, "attribute_exists(a)", 1, "Invalid operator used in KeyConditionExpression: attribute_exists" },
    { KEY, "attribute_not_exists(a)", 1, "Invalid operator used in KeyConditionExpression: attribute_not_exists" },
    { KEY, "attribute_type(a, :v)", 1, "Invalid operator used in KeyConditionExpression: attribute_type" },
    { KEY, "contains(a.d, b)", 1, "Invalid operator used in KeyConditionExpression: contains" },
    { KEY, "a = size(b)", 5, "KeyConditionExpressions cannot contain nested operations" },
    { KEY, ":v BETWEEN a AND :w", 4,
      "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as "
      "its first operand" },
    { KEY, "begins_with(:v, a)", 1,
      "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute "
      "as its first operand" },
    { KEY, "a = b", 5, "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition" },
    { KEY, "a BETWEEN :v AND b", 18,
      "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition" },
    { KEY, "a = :v AND b.c = :w", 12, "KeyConditionExpressions cannot have conditions on nested attributes" },
    { KEY, "a[0] = :v", 1, "KeyConditionExpressions cannot have conditions on nested attributes" },
    { KEY, ":v = :w", 4, "Invalid condition in KeyConditionExpression: No key attribute specified" },
    { KEY, "a = :v AND #a > :w", 12,
      "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per "
      "key" },

    /* What comes first. */
    { CONDITION, "((f(status)))", 1, "Invalid ConditionExpression: The expression has redundant parentheses;" },
    { CONDITION, "status = :v AND f(a)", 17, "Invalid ConditionExpression: Invalid function name; function: f" },
    { CONDITION, "status = :v AND size(a)", 17,
      "Invalid ConditionExpression: The function is not allowed to be used this way in an "
      "expression; function: size" },
    { CONDITION, "#x = :v AND status = :v", 13,
      "Invalid ConditionExpression: Attribute name is a reserved keyword; reserved "
      "keyword: status" },
    { CONDITION, "a = a AND #x = :v", 3,
      "Invalid ConditionExpression: The first operand must be distinct from the remaining "
      "operands for this operator or function; operator: =, first operand: [a]" },
    { CONDITION, "contains(size(a, b), #x)", 22,
      "Invalid ConditionExpression: An expression attribute name used in the document "
      "path is not defined; attribute name: #x" },
    { CONDITION, "contains(a, a, a)", 1,
      "Invalid ConditionExpression: Incorrect number of operands for operator or function; "
      "operator or function: contains, number of operands: 3" },
    { CONDITION, "status = :v AND ((b = :w)) =", 28, "Invalid ConditionExpression: Syntax error; token: \"=\", near: \") =\"" },
    { UPDATE, "SET a = f(status)", 11,
      "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: status" },
    { UPDATE, "SET a = :v SET b = f(a)", 20, "Invalid UpdateExpression: Invalid function name; function: f" },
    { UPDATE, "SET a = :v, #x = :v, a = :v", 13,
      "Invalid UpdateExpression: An expression attribute name used in the document "
      "path is not defined; attribute name: #x" },
    { UPDATE, "SET a = if_not_exists(:v), a = :v", 28,
      "Invalid UpdateExpression: Two document paths overlap with each other; must "
      "remove or rewrite one of these paths; path one: [a], path two: [a]" },
};

Test(expression, refuses_with_the_words_of_dynamodb)
{
    for (size_t i = 0; i < COUNT(REFUSED); i++) {
        sheaf_expression *expression = NULL;
        sheaf_expression_fault fault = { .rule = SHEAF_FAULT_NONE };
        cr_assert_eq(try(REFUSED[i].kind, text(REFUSED[i].text), &expression, &fault), SHEAF_EXPRESSION_REFUSED, "%s",
                     REFUSED[i].text);
        cr_assert_null(expression);
        cr_assert_str_eq(fault.message, REFUSED[i].message, "%s: %s", REFUSED[i].text, fault.message);
        cr_assert_eq(fault.column, REFUSED[i].column, "%s: column %zu", REFUSED[i].text, fault.column);
        cr_assert_eq(fault.message_size, strlen(REFUSED[i].message));
        cr_assert_neq(fault.rule, SHEAF_FAULT_NONE);
        cr_assert_eq(try(REFUSED[i].kind, text(REFUSED[i].text), &expression, NULL), SHEAF_EXPRESSION_REFUSED);
    }
}

/* ---- limits ----------------------------------------------------------------------------------------------------------- */

static char room[300000];

/* `count` times `piece`, with `separator` between. */
static char *repeat(char *at, const char *piece, const char *separator, size_t count)
{
    for (size_t i = 0; i < count; i++) at += sprintf(at, "%s%s", i > 0 ? separator : "", piece);
    return at;
}

static void expect(int kind, const char *string, const char *message)
{
    sheaf_expression *expression = NULL;
    sheaf_expression_fault fault = { .message = "" };
    sheaf_status status = try(kind, text(string), &expression, &fault);
    cr_assert_eq(status, message ? SHEAF_EXPRESSION_REFUSED : SHEAF_OK, "%.80s: %s", string, fault.message);
    if (message) cr_assert_str_eq(fault.message, message, "%.80s: %s", string, fault.message);
    sheaf_expression_destroy(expression);
}

Test(expression, is_at_most_4096_bytes_long)
{
    memset(room, ' ', sizeof room);
    memcpy(room, "a = :v", 6);
    room[4096] = 0;
    expect(CONDITION, room, NULL);
    room[4096] = ' ';
    room[4097] = 0;
    expect(CONDITION, room,
           "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression size: "
           "4097");
}

Test(expression, has_at_most_300_operators)
{
    sprintf(repeat(room, "NOT", " ", 299), " a = :v");
    expect(CONDITION, room, NULL);
    sprintf(repeat(room, "NOT", " ", 300), " a = :v");
    expect(CONDITION, room, "Invalid ConditionExpression: The expression contains too many operators; operator count: 301");
    repeat(room, "a=:v", " OR ", 150); /* 150 comparisons, 149 OR */
    expect(CONDITION, room, NULL);
    sprintf(repeat(room, "a=:v", " OR ", 150), " OR size(a)=:v");
    expect(CONDITION, room, "Invalid ConditionExpression: The expression contains too many operators; operator count: 302");
    char *at = room + sprintf(room, "SET ");
    for (int i = 0; i < 301; i++) at += sprintf(at, "%sa%d=b+c", i > 0 ? "," : "", i);
    expect(UPDATE, room, "Invalid UpdateExpression: The expression contains too many operators; operator count: 301");
    *strrchr(room, ',') = 0;
    expect(UPDATE, room, NULL);
}

Test(expression, has_at_most_100_operands_of_in)
{
    char *at = room + sprintf(room, "a IN (");
    sprintf(repeat(at, ":v", ",", 100), ")");
    expect(CONDITION, room, NULL);
    sprintf(repeat(at, ":v", ",", 101), ")");
    expect(CONDITION, room,
           "Invalid ConditionExpression: The IN operator is provided with too many operands; number of operands: "
           "101");
}

Test(expression, has_paths_of_at_most_32_elements)
{
    repeat(room, "a", ".", 32);
    expect(PROJECTION, room, NULL);
    repeat(room, "a", ".", 33);
    expect(PROJECTION, room, "Invalid ProjectionExpression: The document path has too many nesting levels; nesting levels: 33");
    sprintf(repeat(room + sprintf(room, "a"), "[0]", "", 32), " = :v");
    expect(CONDITION, room, "Invalid ConditionExpression: The document path has too many nesting levels; nesting levels: 33");
}

Test(expression, survives_any_depth)
{
    char *at = repeat(room, "(", "", 2000);
    at += sprintf(at, "a = :v");
    repeat(at, ")", "", 2000);
    expect(CONDITION, room, "Invalid ConditionExpression: The expression has redundant parentheses;");
    at = repeat(room, "(", "", 4000);
    expect(CONDITION, room, "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"(\"");
    at = repeat(room + sprintf(room, "a = "), "(", "", 2000);
    at += sprintf(at, ":v");
    repeat(at, ")", "", 2000);
    expect(CONDITION, room, "Invalid ConditionExpression: The expression has redundant parentheses;");
    at = repeat(room + sprintf(room, "SET a = "), "(", "", 2000);
    at += sprintf(at, ":v");
    repeat(at, ")", "", 2000);
    expect(UPDATE, room, "Invalid UpdateExpression: The expression has redundant parentheses;");
    sprintf(repeat(room, "(NOT ", "", 145), "a = :v");
    repeat(room + strlen(room), ")", "", 145);
    expect(CONDITION, room, NULL);
    for (size_t depth = 32; depth <= 33; depth++) {
        at = repeat(room + sprintf(room, "SET a = "), "if_not_exists(b,", "", depth);
        at += sprintf(at, ":v");
        repeat(at, ")", "", depth);
        expect(UPDATE, room,
               depth == 32 ? NULL
                           : "Invalid UpdateExpression: The expression has too many nesting levels; nesting "
                             "levels: 33");
    }
    repeat(room, "size(", "", 800);
    expect(CONDITION, room, "Invalid ConditionExpression: The expression has too many nesting levels; nesting levels: 33");
}

/* Two thousand paths in ascending and descending order, and one pair of them that overlaps. */
Test(expression, sorts_many_paths)
{
    char *at = room;
    for (char first = 'a'; first <= 'z'; first++)
        for (char second = 'a'; second <= 'z'; second++) at += sprintf(at, "%c%c%c,", first, second, '0');
    sprintf(at, "zz9");
    expect(PROJECTION, room, NULL);
    at = room;
    for (char first = 'z'; first >= 'a'; first--)
        for (char second = 'z'; second >= 'a'; second--) at += sprintf(at, "%c%c0,", first, second);
    sprintf(at, "mm0.x");
    expect(PROJECTION, room,
           "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of "
           "these paths; path one: [mm0], path two: [mm0, x]");
}

Test(expression, cuts_messages_between_characters)
{
    static char name[3001];
    for (size_t i = 0; i + 3 <= sizeof name; i += 3) memcpy(name + i, "\xE2\x82\xAC", 3);
    sheaf_expression_name names = { text("#n"), sheaf_bytes_of(name, 3000) };
    sheaf_expression_source source = {
        .kind = SHEAF_EXPRESSION_CONDITION, .text = text("#n = #n"), .names = &names, .name_count = 1
    };
    sheaf_expression *expression;
    sheaf_expression_fault fault;
    cr_assert_eq(sheaf_expression_create(&source, NULL, &expression, &fault), SHEAF_EXPRESSION_REFUSED);
    cr_assert_eq(fault.message_size, strlen(fault.message));
    cr_assert_lt(fault.message_size, SHEAF_EXPRESSION_MESSAGE_SIZE);
    cr_assert_gt(fault.message_size, SHEAF_EXPRESSION_MESSAGE_SIZE - 4);
    cr_assert_eq(memcmp(fault.message + fault.message_size - 3, "\xE2\x82\xAC", 3), 0);
}

/* ---- the compact form ------------------------------------------------------------------------------------------------- */

/* Where each step goes: "1F" is step 1 if it holds, and REJECT if not. */
static const struct {
    const char *text;
    const char *targets;
} AIMED[] = {
    { "a = :v", "TF" },
    { "NOT a = :v", "FT" },
    { "NOT NOT a = :v", "TF" },
    { "a = :v AND b = :v", "1F TF" },
    { "a = :v OR b = :v", "T1 TF" },
    { "a = :v AND (NOT b = :v OR c < :v)", "1F 2T TF" },
    { "a = :v OR b = :v AND c = :v", "T1 2F TF" },
    { "a = :v AND b = :v OR c = :v", "12 T2 TF" },
    { "(a = :v OR b = :v) AND c = :v", "21 2F TF" },
    { "NOT (a = :v OR b = :v)", "F1 FT" },
    { "NOT (a = :v AND b = :v)", "1T FT" },
    { "NOT a = :v AND b = :v", "F1 TF" },
    { "a BETWEEN :v AND :w AND b = :v", "1F TF" },
    { "a = :v OR b = :v OR c = :v", "T1 T2 TF" },
};

static char *print_target(char *at, uint16_t target)
{
    *at++ = target == SHEAF_EXPR_ACCEPT ? 'T' : target == SHEAF_EXPR_REJECT ? 'F' : (char)('0' + target);
    return at;
}

Test(expression, aims_steps_by_precedence)
{
    for (size_t i = 0; i < COUNT(AIMED); i++) {
        char printed[64], *at = printed;
        sheaf_expression *expression = parse(CONDITION, AIMED[i].text);
        for (size_t step = 0; step < expression->step_count; step++) {
            if (step > 0) *at++ = ' ';
            at = print_target(print_target(at, expression->steps[step].on_true), expression->steps[step].on_false);
        }
        *at = 0;
        cr_assert_str_eq(printed, AIMED[i].targets, "%s: %s", AIMED[i].text, printed);
        sheaf_expression_destroy(expression);
    }
}

Test(expression, sorts_actions_by_path)
{
    static const char *const sorted[] = {
        "[#]", "[a, b]", "[a, c, [2]]", "[a, c, [10]]", "[b, [0], z]", "[b, [1]]", "[one.two]"
    };
    sheaf_expression_name names[] = { { text("#h"), text("#") }, { text("#1"), text("one.two") } };
    sheaf_expression_source source = { .kind = SHEAF_EXPRESSION_PROJECTION,
                                       .names = names,
                                       .name_count = 2,
                                       .text = text("b[1], a.c[10], #1, a.c[2], b[0].z, a.b, #h") };
    sheaf_expression *expression;
    cr_assert_eq(sheaf_expression_create(&source, NULL, &expression, NULL), SHEAF_OK);
    cr_assert_eq(expression->action_count, COUNT(sorted));
    for (size_t i = 0; i < COUNT(sorted); i++) {
        char printed[64] = "[", *at = printed + 1;
        const struct sheaf_expr_node *path = &expression->nodes[expression->actions[i].target];
        for (size_t j = 0; j < path->count; j++) {
            const struct sheaf_expr_element *element = &expression->elements[path->first + j];
            sheaf_bytes name = sheaf_element_is_index(element) ? text("") : sheaf_element_name(expression, element);
            at += sprintf(at, j > 0 ? ", " : "");
            if (sheaf_element_is_index(element))
                at += sprintf(at, "[%u]", element->at);
            else
                at += sprintf(at, "%.*s", (int)name.size, (const char *)name.data);
        }
        sprintf(at, "]");
        cr_assert_str_eq(printed, sorted[i]);
    }
    sheaf_expression_destroy(expression);
}

Test(expression, numbers_values_as_they_appear)
{
    sheaf_expression *expression = parse(CONDITION, "a = :b OR c IN (:a, :b) OR :_ < d");
    static const char *const slots[] = { ":b", ":a", ":_" };
    cr_assert_eq(sheaf_expression_slot_count(expression), COUNT(slots));
    for (size_t i = 0; i < COUNT(slots); i++)
        cr_assert(sheaf_bytes_equal(sheaf_expression_slot_name_view(expression, i), text(slots[i])));
    cr_assert_eq(sheaf_expression_slot_name_view(expression, COUNT(slots)).size, 0);
    sheaf_expression_destroy(expression);
}

/* Nothing of what it was made from is needed later. */
Test(expression, keeps_its_own_text_and_names)
{
    char line[] = "#n = :v", placeholder[] = "#n", name[] = "status";
    sheaf_expression_name names = { text(placeholder), text(name) };
    sheaf_expression_source source = {
        .kind = SHEAF_EXPRESSION_CONDITION, .text = text(line), .names = &names, .name_count = 1
    };
    sheaf_expression *expression;
    cr_assert_eq(sheaf_expression_create(&source, NULL, &expression, NULL), SHEAF_OK);
    memset(line, 'x', sizeof line);
    memset(placeholder, 'x', sizeof placeholder);
    memset(name, 'x', sizeof name);
    cr_assert(sheaf_bytes_equal(sheaf_expression_text_view(expression), text("#n = :v")));
    cr_assert(sheaf_bytes_equal(sheaf_element_name(expression, &expression->elements[0]), text("status")));
    cr_assert(sheaf_bytes_equal(sheaf_expression_slot_name_view(expression, 0), text(":v")));
    cr_assert_geq(sheaf_expression_size(expression), sizeof(struct sheaf_expression));
    sheaf_expression_destroy(expression);
}

/* ---- names of a request --------------------------------------------------------------------------------------------- */

Test(expression, misses_no_unused_name)
{
    sheaf_expression_name names[] = {
        { text("#z"), text("z") }, { text("#a"), text("a") }, { text("#s"), text("status") }, { text("#b"), text("b") }
    };
    const sheaf_expression *expressions[] = { parse(CONDITION, "#a = :v"), NULL, parse(PROJECTION, "x.#s") };
    sheaf_expression_fault fault;
    cr_assert_eq(sheaf_expression_check_names(expressions, 3, names + 1, 2, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_expression_check_names(expressions, 3, names, 4, &fault), SHEAF_EXPRESSION_REFUSED);
    cr_assert_str_eq(fault.message, "Value provided in ExpressionAttributeNames unused in expressions: keys: {#z, #b}");
    cr_assert_eq(fault.rule, SHEAF_FAULT_NAMES_USED);
    cr_assert_eq(fault.column, 0);
    sheaf_expression_destroy((sheaf_expression *)(uintptr_t)expressions[0]);
    sheaf_expression_destroy((sheaf_expression *)(uintptr_t)expressions[2]);
}

/* ---- memory --------------------------------------------------------------------------------------------------------- */

/* One block remains; refused ones leave nothing behind. */
Test(expression, takes_one_block_or_none)
{
    struct test_heap heap = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(&heap);
    sheaf_expression *expression = NULL;
    sheaf_expression_source source = source_of(UPDATE,
                                               text("SET #a.b = list_append(if_not_exists(c, :v), :w) REMOVE d[0], d[1]"));
    sheaf_status status = SHEAF_NO_MEMORY;
    size_t refused = 0;
    for (; status == SHEAF_NO_MEMORY; refused++) {
        heap.fail_at = heap.requests + refused;
        status = sheaf_expression_create(&source, &hooks, &expression, NULL);
        cr_assert(status == SHEAF_OK || heap.live_blocks == 0);
    }
    cr_assert_eq(status, SHEAF_OK);
    cr_assert_eq(refused, 3, "two blocks are asked for");
    cr_assert_eq(heap.live_blocks, 1);
    cr_assert_eq(heap.live_bytes, sheaf_expression_size(expression));
    sheaf_expression_destroy(expression);
    cr_assert_eq(heap.live_blocks, 0);
    test_heap_relent(&heap);
    for (size_t i = 0; i < COUNT(REFUSED); i++) {
        source = source_of(REFUSED[i].kind, text(REFUSED[i].text));
        cr_assert_eq(sheaf_expression_create(&source, &hooks, &expression, NULL), SHEAF_EXPRESSION_REFUSED);
        cr_assert_eq(heap.live_blocks, 0, "%s", REFUSED[i].text);
    }
    hooks.resize = NULL;
    cr_assert_eq(sheaf_expression_create(&source, &hooks, &expression, NULL), SHEAF_INVALID_ARGUMENT);
}

/* ---- reserved words ------------------------------------------------------------------------------------------------- */

Test(expression, knows_reserved_words)
{
    static const char *const reserved[] = { "ABORT", "abort",      "Zone",          "NAME",       "status", "SIZE",
                                            "TTL",   "asensitive", "AUTHORIZATION", "descriptor", "_" };
    for (size_t i = 0; i + 1 < COUNT(reserved); i++) cr_assert(sheaf_is_reserved_word(text(reserved[i])), "%s", reserved[i]);
    static const char *const free_words[] = {
        "", "a", "pk", "sk", "abor", "aborts", "zones", "zzz", "name_", "sta tus", "averyveryverylongword", "\xC3\xA9"
    };
    for (size_t i = 0; i < COUNT(free_words); i++)
        cr_assert_not(sheaf_is_reserved_word(text(free_words[i])), "%s", free_words[i]);
}
