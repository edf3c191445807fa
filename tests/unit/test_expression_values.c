/*
 * test_expression_values.c - what expressions mean: for values that are bound, for items they are tried on, for keys.
 */
#include <sheaf/expression.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "engine/base/bytes.h"
#include "tests/support/item_text.h"
#include "tests/support/test_heap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum {
    CONDITION = SHEAF_EXPRESSION_CONDITION,
    FILTER = SHEAF_EXPRESSION_FILTER,
    KEY = SHEAF_EXPRESSION_KEY_CONDITION,
    PROJECTION = SHEAF_EXPRESSION_PROJECTION,
    UPDATE = SHEAF_EXPRESSION_UPDATE
};
enum { SLOT_MAX = 128 };

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

/* An expression with its values in slots; those are members of an item: {v: 1} is :v. */
struct bound {
    sheaf_expression *expression;
    sheaf_item_builder *builder;
    sheaf_expression_value values[SLOT_MAX];
    char placeholders[SLOT_MAX][16];
    size_t value_count;
    sheaf_value slots[SLOT_MAX];
};

static void read_values(struct bound *bound, const char *values)
{
    sheaf_bytes name;
    cr_assert_eq(sheaf_item_builder_create(NULL, &bound->builder), SHEAF_OK);
    sheaf_value_cursor cursor = sheaf_value_begin(sheaf_item_value(item_text_build(bound->builder, values)));
    bound->value_count = 0;
    for (size_t i = 0; sheaf_value_next(&cursor, &name, &bound->values[i].value); i++) {
        snprintf(bound->placeholders[i], sizeof bound->placeholders[i], ":%.*s", (int)name.size, (const char *)name.data);
        bound->values[i].placeholder = text(bound->placeholders[i]);
        bound->value_count = i + 1;
    }
}

static void end(struct bound *bound)
{
    sheaf_expression_destroy(bound->expression);
    sheaf_item_builder_destroy(bound->builder);
}

static sheaf_status begin(struct bound *bound, int kind, const char *line, const char *values, sheaf_expression_fault *fault)
{
    sheaf_expression_source source = { .kind = (sheaf_expression_kind)kind, .text = text(line) };
    bound->expression = NULL;
    read_values(bound, values);
    sheaf_status status = sheaf_expression_create(&source, NULL, &bound->expression, fault);
    if (status == SHEAF_OK)
        status = sheaf_expression_bind(bound->expression, bound->values, bound->value_count, bound->slots, fault);
    return status;
}

static void must_begin(struct bound *bound, int kind, const char *line, const char *values)
{
    sheaf_expression_fault fault = { .message = "" };
    cr_assert_eq(begin(bound, kind, line, values, &fault), SHEAF_OK, "%s with %s: %s", line, values, fault.message);
}

/* ---- values ----------------------------------------------------------------------------------------------------------- */

#define OPERAND(operator, type) \
    "Incorrect operand type for operator or function; operator or function: " operator", operand type: " type
#define SECTION(operator, type) "Incorrect operand type for operator or function; operator: " operator", operand type: " type

static const struct {
    int kind;
    const char *text;
    const char *values;
    size_t column;
    const char *message; /* behind the prefix; NULL: it is taken */
} VALUES[] = {
    { CONDITION, "a = :v", "{v: true}", 0, NULL },
    { CONDITION, "a <> :v", "{v: {x: 1}}", 0, NULL },
    { CONDITION, "a IN (:v, :w)", "{v: true, w: [1]}", 0, NULL },
    { CONDITION, "contains(a, :v)", "{v: null}", 0, NULL },
    { CONDITION, "begins_with(:v, :w)", "{v: \"x\", w: 'y'}", 0, NULL },
    { CONDITION, "size(:v) > :w", "{v: <1>, w: 1}", 0, NULL },
    { CONDITION, "size(a) = :w", "{w: \"x\"}", 0, NULL },
    { CONDITION, "a BETWEEN :v AND :v", "{v: 1}", 0, NULL },
    { CONDITION, "a BETWEEN :v AND b", "{v: 1}", 0, NULL },
    { CONDITION, "a = :v", "{}", 5, "An expression attribute value used in expression is not defined; attribute value: :v" },
    { CONDITION, "a = :v AND b < :x", "{v: 1}", 16,
      "An expression attribute value used in expression is not defined; attribute value: :x" },
    { CONDITION, "a < :v AND b = :x", "{v: true}", 5, OPERAND("<", "BOOL") }, /* from the left */
    { CONDITION, "b = :x AND a < :v", "{v: true}", 5,
      "An expression attribute value used in expression is not defined; attribute value: :x" },
    { CONDITION, "a < :v", "{v: null}", 5, OPERAND("<", "NULL") },
    { CONDITION, ":v <= a", "{v: {x: 1}}", 1, OPERAND("<=", "M") },
    { CONDITION, "a > :v", "{v: []}", 5, OPERAND(">", "L") },
    { CONDITION, "a >= :v", "{v: <\"x\">}", 6, OPERAND(">=", "SS") },
    { CONDITION, "a BETWEEN :v AND :w", "{v: <1>, w: 1}", 11, OPERAND("BETWEEN", "NS") },
    { CONDITION, "begins_with(a, :v)", "{v: 1}", 16, OPERAND("begins_with", "N") },
    { CONDITION, "begins_with(:v, a)", "{v: <'x'>}", 13, OPERAND("begins_with", "BS") },
    { CONDITION, "size(:v) > :w", "{v: 5, w: 1}", 6, OPERAND("size", "N") },
    { CONDITION, "size(:v) > :w", "{v: true, w: 1}", 6, OPERAND("size", "BOOL") },
    { CONDITION, "size(:v) > :w", "{v: null, w: 1}", 6, OPERAND("size", "NULL") },
    { CONDITION, "attribute_type(a, :v)", "{v: 1}", 19, OPERAND("attribute_type", "N") },
    { CONDITION, "attribute_type(a, :v)", "{v: \"DOG\"}", 19,
      "Invalid attribute type name found; type: DOG, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}" },
    { CONDITION, "a BETWEEN :v AND :w", "{v: 1, w: \"a\"}", 11,
      "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, "
      "upper bound operand: AttributeValue: {S:a}" },
    { KEY, "a = :v AND b BETWEEN :w AND :v", "{v: \"a\", w: \"b\"}", 22,
      "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: "
      "AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}" },
    { FILTER, "a BETWEEN :v AND :w", "{v: 10, w: 9}", 11,
      "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: "
      "AttributeValue: {N:10}, upper bound operand: AttributeValue: {N:9}" },
    { CONDITION, "a BETWEEN :v AND :w", "{v: 'zzzz', w: 'a'}", 11,
      "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: "
      "AttributeValue: {B:enp6eg==}, upper bound operand: AttributeValue: {B:YQ==}" },
    { KEY, "begins_with(a, :v)", "{v: 1}", 16, OPERAND("begins_with", "N") },
    { UPDATE, "SET a = :v + b", "{v: \"x\"}", 9, OPERAND("+", "S") },
    { UPDATE, "SET a = b - :v", "{v: true}", 13, OPERAND("-", "BOOL") },
    { UPDATE, "SET a = list_append(b, :v)", "{v: \"x\"}", 24, OPERAND("list_append", "S") },
    { UPDATE, "SET a = if_not_exists(b, :v)", "{v: \"x\"}", 0, NULL },
    { UPDATE, "ADD a :v, b :w", "{v: 1, w: <\"x\">}", 0, NULL },
    { UPDATE, "DELETE a :v", "{v: <'x'>}", 0, NULL },
    { UPDATE, "ADD a :v", "{v: \"x\"}", 7, SECTION("ADD", "STRING") },
    { UPDATE, "ADD a :v", "{v: 'x'}", 7, SECTION("ADD", "BINARY") },
    { UPDATE, "ADD a :v", "{v: null}", 7, SECTION("ADD", "NULL") },
    { UPDATE, "ADD a :v", "{v: false}", 7, SECTION("ADD", "BOOLEAN") },
    { UPDATE, "ADD a :v", "{v: [1]}", 7, SECTION("ADD", "LIST") },
    { UPDATE, "ADD a :v", "{v: {}}", 7, SECTION("ADD", "MAP") },
    { UPDATE, "DELETE a :v", "{v: 1}", 10, SECTION("DELETE", "NUMBER") },
    { UPDATE, "DELETE z :v ADD b :v", "{v: \"x\"}", 10, SECTION("DELETE", "STRING") }, /* first in the text, not in order */
    { UPDATE, "SET a = :v + b DELETE c :v", "{v: \"x\"}", 25, SECTION("DELETE", "STRING") },
    { UPDATE, "SET a = :v, b = :x", "{v: 1}", 17,
      "An expression attribute value used in expression is not defined; attribute value: :x" },
};

Test(expression_values, are_checked_when_bound)
{
    static const char *const prefixes[] = { [CONDITION] = "Invalid ConditionExpression: ",
                                            [FILTER] = "Invalid FilterExpression: ",
                                            [KEY] = "Invalid KeyConditionExpression: ",
                                            [UPDATE] = "Invalid UpdateExpression: " };
    for (size_t i = 0; i < COUNT(VALUES); i++) {
        struct bound bound;
        sheaf_expression_fault fault = { .message = "" };
        char wanted[1024];
        sheaf_status status = begin(&bound, VALUES[i].kind, VALUES[i].text, VALUES[i].values, &fault);
        cr_assert_eq(status, VALUES[i].message ? SHEAF_EXPRESSION_REFUSED : SHEAF_OK, "%s with %s: %s", VALUES[i].text,
                     VALUES[i].values, fault.message);
        if (VALUES[i].message) {
            snprintf(wanted, sizeof wanted, "%s%s", prefixes[VALUES[i].kind], VALUES[i].message);
            cr_assert_str_eq(fault.message, wanted, "%s with %s: %s", VALUES[i].text, VALUES[i].values, fault.message);
            cr_assert_eq(fault.column, VALUES[i].column, "%s: column %zu", VALUES[i].text, fault.column);
        }
        /* Given at once, they are told of at once. */
        sheaf_expression_source source = { .kind = (sheaf_expression_kind)VALUES[i].kind,
                                           .text = text(VALUES[i].text),
                                           .values = bound.values,
                                           .value_count = bound.value_count };
        sheaf_expression *expression = NULL;
        cr_assert_eq(sheaf_expression_create(&source, NULL, &expression, &fault), status, "%s: %s", VALUES[i].text,
                     fault.message);
        if (VALUES[i].message) cr_assert_str_eq(fault.message, wanted);
        sheaf_expression_destroy(expression);
        end(&bound);
    }
}

/* With the values at hand the leftmost fault is told, be it one of names or of values. */
Test(expression_values, do_not_wait_for_what_is_behind_them)
{
    struct bound bound;
    sheaf_expression_fault fault;
    read_values(&bound, "{v: true}");
    sheaf_expression_source source = { .kind = SHEAF_EXPRESSION_CONDITION,
                                       .text = text("a < :v AND b = b"),
                                       .values = bound.values,
                                       .value_count = bound.value_count };
    cr_assert_eq(sheaf_expression_create(&source, NULL, &bound.expression, &fault), SHEAF_EXPRESSION_REFUSED);
    cr_assert_eq(fault.rule, SHEAF_FAULT_OPERAND_TYPE);
    source.values = NULL;
    cr_assert_eq(sheaf_expression_create(&source, NULL, &bound.expression, &fault), SHEAF_EXPRESSION_REFUSED);
    cr_assert_eq(fault.rule, SHEAF_FAULT_OPERANDS_DISTINCT);
    bound.expression = NULL;
    end(&bound);
}

Test(expression_values, miss_no_unused_one)
{
    struct bound bound;
    sheaf_expression_fault fault;
    must_begin(&bound, CONDITION, "a = :v", "{a: 1, v: 2, w: 3}");
    const sheaf_expression *expressions[] = { NULL, bound.expression };
    cr_assert_eq(sheaf_expression_check_values(expressions, 2, bound.values + 1, 1, &fault), SHEAF_OK);
    cr_assert_eq(sheaf_expression_check_values(expressions, 2, bound.values, 3, &fault), SHEAF_EXPRESSION_REFUSED);
    cr_assert_str_eq(fault.message, "Value provided in ExpressionAttributeValues unused in expressions: keys: {:a, :w}");
    end(&bound);
}

/* ---- conditions ------------------------------------------------------------------------------------------------------- */

#define ITEM \
    "{s: \"hello\", e: \"\", n: 5, m1: -5, b: 'bin', t: true, f: false, z: null, l: [1, \"x\", {y: 2}, [3]], " \
    "m: {k: {j: [\"deep\"]}, u: 1}, ss: <\"a\", \"b\">, ns: <1, 2.5>, bs: <'p', 'q'>, em: {}, el: [], s2: \"hello\", n2: 5.0}"

static const struct {
    const char *text;
    const char *values;
    bool holds;
} CONDITIONS[] = {
    { "s = :v", "{v: \"hello\"}", true },
    { "s = :v", "{v: \"hell\"}", false },
    { "n = :v", "{v: 5.00}", true },
    { "n = :v", "{v: \"5\"}", false },
    { "n <> :v", "{v: \"5\"}", true },
    { "n <> :v", "{v: 5}", false },
    { "s = s2 AND n = n2", "{}", true },
    { "t = :v", "{v: true}", true },
    { "t <> f", "{}", true },
    { "z = :v", "{v: null}", true },
    { "l = :v", "{v: [1, \"x\", {y: 2}, [3]]}", true },
    { "l = :v", "{v: [\"x\", 1, {y: 2}, [3]]}", false },
    { "m = :v", "{v: {u: 1, k: {j: [\"deep\"]}}}", true },
    { "ss = :v", "{v: <\"b\", \"a\">}", true },
    { "ns = :v", "{v: <2.5, 1.0>}", true },
    { "em = :v", "{v: {}}", true },
    { "em = el", "{}", false },
    /* Nothing. */
    { "q = :v", "{v: 1}", false },
    { "q <> :v", "{v: 1}", true },
    { ":v = q", "{v: 1}", false },
    { ":v <> q", "{v: 1}", true },
    { "q = r", "{}", false },
    { "q <> r", "{}", true },
    { "q < :v", "{v: 1}", false },
    { "NOT q < :v", "{v: 1}", true },
    { "q >= :v", "{v: 1}", false },
    { "q BETWEEN :v AND :w", "{v: 1, w: 2}", false },
    { "q IN (:v, r)", "{v: 1}", false },
    { "NOT q IN (:v)", "{v: 1}", true },
    { "s.x = :v", "{v: 1}", false },
    { "m.k.j[1] = :v", "{v: 1}", false },
    { "l[4] <> :v", "{v: 1}", true },
    { "m[0] = :v", "{v: 1}", false },
    { "l.y = :v", "{v: 1}", false },
    /* Order. */
    { "n < :v", "{v: 10}", true },
    { "n < :v", "{v: 5}", false },
    { "n <= :v", "{v: 5}", true },
    { "n > m1", "{}", true },
    { "m1 >= :v", "{v: -5.0}", true },
    { "n > :v", "{v: \"1\"}", false },
    { "n < :v", "{v: \"9\"}", false },
    { "s > :v", "{v: \"hell\"}", true },
    { "s < :v", "{v: \"i\"}", true },
    { "e < s", "{}", true },
    { "b >= :v", "{v: 'bi'}", true },
    { "b < :v", "{v: \"z\"}", false },
    { "t < f", "{}", false },
    { "l > el", "{}", false },
    { "n BETWEEN :v AND :w", "{v: 5, w: 5}", true },
    { "n BETWEEN :v AND :w", "{v: -1, w: 4.999}", false },
    { "n BETWEEN m1 AND :w", "{w: 6}", true },
    { "n BETWEEN :w AND m1", "{w: 6}", false },
    { "n BETWEEN m1 AND s", "{}", false },
    { ":v BETWEEN m1 AND n", "{v: 0}", true },
    { "s BETWEEN :v AND :w", "{v: \"h\", w: \"hello\"}", true },
    { "n IN (:v, :w)", "{v: 4, w: 5}", true },
    { "n IN (:v, n2)", "{v: 4}", true },
    { "n IN (:v)", "{v: \"5\"}", false },
    { "l IN (:v)", "{v: [1, \"x\", {y: 2}, [3]]}", true },
    /* Functions. */
    { "attribute_exists(z)", "{}", true },
    { "attribute_exists(q)", "{}", false },
    { "attribute_exists(m.k.j[0])", "{}", true },
    { "attribute_exists(l[2].y)", "{}", true },
    { "attribute_not_exists(l[2].x)", "{}", true },
    { "attribute_not_exists(z)", "{}", false },
    { "attribute_type(s, :v)", "{v: \"S\"}", true },
    { "attribute_type(n, :v)", "{v: \"N\"}", true },
    { "attribute_type(b, :v)", "{v: \"B\"}", true },
    { "attribute_type(t, :v)", "{v: \"BOOL\"}", true },
    { "attribute_type(z, :v)", "{v: \"NULL\"}", true },
    { "attribute_type(l, :v)", "{v: \"L\"}", true },
    { "attribute_type(m, :v)", "{v: \"M\"}", true },
    { "attribute_type(ss, :v)", "{v: \"SS\"}", true },
    { "attribute_type(ns, :v)", "{v: \"NS\"}", true },
    { "attribute_type(bs, :v)", "{v: \"BS\"}", true },
    { "attribute_type(bs, :v)", "{v: \"B\"}", false },
    { "attribute_type(q, :v)", "{v: \"S\"}", false },
    { "begins_with(s, :v)", "{v: \"hel\"}", true },
    { "begins_with(s, :v)", "{v: \"\"}", true },
    { "begins_with(s, :v)", "{v: \"hello!\"}", false },
    { "begins_with(s, :v)", "{v: 'hel'}", false },
    { "begins_with(b, :v)", "{v: 'bi'}", true },
    { "begins_with(:v, s)", "{v: \"hello world\"}", true },
    { "begins_with(n, :v)", "{v: \"5\"}", false },
    { "begins_with(q, :v)", "{v: \"5\"}", false },
    { "contains(s, :v)", "{v: \"ll\"}", true },
    { "contains(s, :v)", "{v: \"lll\"}", false },
    { "contains(s, :v)", "{v: \"\"}", true },
    { "contains(e, :v)", "{v: \"\"}", true },
    { "contains(s, :v)", "{v: 'll'}", false },
    { "contains(b, :v)", "{v: 'in'}", true },
    { "contains(l, :v)", "{v: \"x\"}", true },
    { "contains(l, :v)", "{v: {y: 2}}", true },
    { "contains(l, :v)", "{v: 3}", false },
    { "contains(l, n)", "{}", false },
    { "contains(ss, :v)", "{v: \"b\"}", true },
    { "contains(ss, :v)", "{v: 1}", false },
    { "contains(ns, :v)", "{v: 2.50}", true },
    { "contains(ns, :v)", "{v: \"1\"}", false },
    { "contains(bs, :v)", "{v: 'p'}", true },
    { "contains(m, :v)", "{v: \"u\"}", false },
    { "contains(n, :v)", "{v: 5}", false },
    { "contains(:v, s)", "{v: [\"hello\"]}", true },
    { "contains(:v, s)", "{v: <\"hello\", \"x\">}", true },
    { "contains(q, :v)", "{v: \"x\"}", false },
    { "contains(s, q)", "{}", false },
    { "size(s) = :v", "{v: 5}", true },
    { "size(:u) = :v", "{u: \"\xC3\xA9\xF0\x9D\x84\x9E\", v: 3}", true }, /* units of UTF-16 */
    { "size(b) = :v", "{v: 3}", true },
    { "size(l) = :v", "{v: 4}", true },
    { "size(m) = :v", "{v: 2}", true },
    { "size(ss) = :v AND size(ns) = :v AND size(bs) = :v", "{v: 2}", true },
    { "size(e) = :v AND size(em) = :v AND size(el) = :v", "{v: 0}", true },
    { "size(s) > size(b)", "{}", true },
    { "size(s) = n", "{}", true },
    { "size(s) = :v", "{v: \"5\"}", false },
    { "size(s) BETWEEN :v AND :w", "{v: 1, w: 5}", true },
    { "size(s) IN (:v, size(l), :w)", "{v: 1, w: 5}", true },
    { "size(n) > :v", "{v: 0}", false },
    { "size(t) <> :v", "{v: 0}", false },
    { "size(q) = :v", "{v: 0}", false },
    { "size(q) <> :v", "{v: 0}", false },
    { "contains(ns, size(em)) OR contains(:v, size(s))", "{v: <5>}", true },
    /* Precedence. */
    { "attribute_exists(q) AND attribute_exists(s) OR attribute_exists(n)", "{}", true },
    { "attribute_exists(q) AND (attribute_exists(s) OR attribute_exists(n))", "{}", false },
    { "NOT attribute_exists(q) AND attribute_exists(n)", "{}", true },
    { "NOT (attribute_exists(q) OR attribute_exists(n))", "{}", false },
};

static bool try_condition(const char *line, const char *values, const sheaf_item *item)
{
    struct bound bound;
    must_begin(&bound, CONDITION, line, values);
    bool holds = sheaf_expression_holds(bound.expression, bound.slots, item);
    end(&bound);
    return holds;
}

Test(expression_values, make_conditions_hold_or_not)
{
    sheaf_item_builder *builder;
    cr_assert_eq(sheaf_item_builder_create(NULL, &builder), SHEAF_OK);
    sheaf_item item = { .record = item_text_build(builder, ITEM) };
    for (size_t i = 0; i < COUNT(CONDITIONS); i++) {
        cr_assert_eq(try_condition(CONDITIONS[i].text, CONDITIONS[i].values, &item), CONDITIONS[i].holds, "%s with %s",
                     CONDITIONS[i].text, CONDITIONS[i].values);
    }
    sheaf_item_builder_destroy(builder);
}

/* A missing item is one of no attributes; those of the key are not in the record, and yet there. */
Test(expression_values, make_conditions_hold_for_keys_and_for_nothing)
{
    sheaf_attribute keys[] = { { text("pk"), sheaf_value_of_bytes(SHEAF_TYPE_STRING, text("p")) } };
    sheaf_item_builder *builder;
    cr_assert_eq(sheaf_item_builder_create(NULL, &builder), SHEAF_OK);
    sheaf_item item = { .record = item_text_build(builder, "{}"), .keys = keys, .key_count = 1 };
    sheaf_item missing = { .keys = keys, .key_count = 1 };
    cr_assert(try_condition("pk = :v AND attribute_not_exists(sk)", "{v: \"p\"}", &item));
    cr_assert_not(try_condition("attribute_not_exists(pk)", "{}", &item));
    cr_assert(try_condition("attribute_not_exists(pk)", "{}", &missing));
    cr_assert(try_condition("attribute_not_exists(pk) AND a <> :v", "{v: 1}", NULL));
    sheaf_item_builder_destroy(builder);
}

/* ---- projections ------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *text;
    const char *item;
    const char *projected;
} PROJECTIONS[] = {
    { "a", "{a: 1, b: 2}", "{a:1}" },
    { "b, a", "{a: 1, b: 2, c: 3}", "{a:1,b:2}" },
    { "q", "{a: 1}", "{}" },
    { "a.b[2]", "{a: {b: [1, 2, 3], c: 1}}", "{a:{b:[3]}}" },
    { "a[5], a[0], a[2]", "{a: [10, 11, 12]}", "{a:[10,12]}" },
    { "a.x, a.y.z, a.w", "{a: {x: 1, y: {z: 2, zz: 3}, v: 4}}", "{a:{x:1,y:{z:2}}}" },
    { "a.x", "{a: {b: 1}, c: 2}", "{}" },
    { "a.x.y, c", "{a: {x: {z: 1}}, c: 2}", "{c:2}" },
    { "a.x", "{a: [1]}", "{}" },
    { "a[0]", "{a: {x: 1}}", "{}" },
    { "a[0]", "{a: <1>}", "{}" },
    { "a.b", "{a: \"text\"}", "{}" },
    { "a[1].x, a[0].x, a[1].y", "{a: [{y: 1}, {x: 2, y: 3}]}", "{a:[{x:2,y:3}]}" },
    { "a", "{a: {}}", "{a:{}}" },
    { "a.b", "{a: {b: []}}", "{a:{b:[]}}" },
    { "a[0][1]", "{a: [[1, 2], 3]}", "{a:[[2]]}" },
};

Test(expression_values, of_items_are_projected)
{
    static char printed[ITEM_TEXT_MAX];
    sheaf_item_builder *builders[2];
    for (size_t i = 0; i < 2; i++) cr_assert_eq(sheaf_item_builder_create(NULL, &builders[i]), SHEAF_OK);
    for (size_t i = 0; i < COUNT(PROJECTIONS); i++) {
        struct bound bound;
        sheaf_bytes record;
        must_begin(&bound, PROJECTION, PROJECTIONS[i].text, "{}");
        sheaf_item item = { .record = item_text_build(builders[0], PROJECTIONS[i].item) };
        sheaf_item_begin(builders[1]);
        sheaf_expression_project(bound.expression, &item, builders[1]);
        cr_assert_eq(sheaf_item_end(builders[1], &record, NULL), SHEAF_OK);
        item_text_print(record, printed);
        cr_assert_str_eq(printed, PROJECTIONS[i].projected, "%s of %s: %s", PROJECTIONS[i].text, PROJECTIONS[i].item, printed);
        end(&bound);
    }
    for (size_t i = 0; i < 2; i++) sheaf_item_builder_destroy(builders[i]);
}

/* Keys are projected like other attributes; of no item there is nothing. */
Test(expression_values, of_keys_are_projected)
{
    static char printed[ITEM_TEXT_MAX];
    sheaf_attribute keys[] = { { text("pk"), sheaf_value_of_bytes(SHEAF_TYPE_STRING, text("p")) } };
    sheaf_item_builder *builders[2];
    struct bound bound;
    sheaf_bytes record;
    for (size_t i = 0; i < 2; i++) cr_assert_eq(sheaf_item_builder_create(NULL, &builders[i]), SHEAF_OK);
    must_begin(&bound, PROJECTION, "z, pk, a", "{}");
    sheaf_item item = { .record = item_text_build(builders[0], "{a: 1}"), .keys = keys, .key_count = 1 };
    sheaf_item_begin(builders[1]);
    sheaf_expression_project(bound.expression, &item, builders[1]);
    cr_assert_eq(sheaf_item_end(builders[1], &record, NULL), SHEAF_OK);
    item_text_print(record, printed);
    cr_assert_str_eq(printed, "{a:1,pk:\"p\"}");
    sheaf_item_begin(builders[1]);
    sheaf_expression_project(bound.expression, NULL, builders[1]);
    cr_assert_eq(sheaf_item_end(builders[1], &record, NULL), SHEAF_OK);
    item_text_print(record, printed);
    cr_assert_str_eq(printed, "{}");
    end(&bound);
    for (size_t i = 0; i < 2; i++) sheaf_item_builder_destroy(builders[i]);
}

/* ---- updates ---------------------------------------------------------------------------------------------------------- */

#define NO_ATTRIBUTE "The provided expression refers to an attribute that does not exist in the item"
#define BAD_TYPE "An operand in the update expression has an incorrect data type"
#define BAD_PATH "The document path provided in the update expression is invalid for update"
#define TOO_LARGE "Number overflow. Attempting to store a number with magnitude larger than supported range"

static const struct {
    const char *text;
    const char *values;
    const char *item;    /* NULL: there is none */
    const char *updated; /* or the message */
} UPDATES[] = {
    { "SET a = :v", "{v: 1}", "{}", "{a:1}" },
    { "SET a = :v", "{v: \"x\"}", "{a: 1, b: 2}", "{a:\"x\",b:2}" },
    { "SET c = :v, a = :v", "{v: 0}", "{b: 1, d: 2}", "{a:0,b:1,c:0,d:2}" },
    { "SET a = b, b = a", "{}", "{a: 1, b: 2}", "{a:2,b:1}" },
    { "SET a = a + :v, b = a", "{v: 1}", "{a: 1}", "{a:2,b:1}" },
    { "SET a = :v - a", "{v: 1.5}", "{a: 2}", "{a:-0.5}" },
    { "SET a = a + a", "{}", "{a: 0.1}", "{a:0.2}" },
    { "SET a = (b - :v)", "{v: 1}", "{b: 1}", "{a:0,b:1}" },
    { "SET a.b = :v", "{v: 1}", "{a: {}}", "{a:{b:1}}" },
    { "SET a.b = :v, a.d = a.c, a.c = :v", "{v: 1}", "{a: {c: 2, e: 3}}", "{a:{b:1,c:1,d:2,e:3}}" },
    { "SET a[1] = :v", "{v: 0}", "{a: [1, 2, 3]}", "{a:[1,0,3]}" },
    { "SET a[7] = :x, a[5] = :y", "{x: 7, y: 5}", "{a: [1, 2, 3]}", "{a:[1,2,3,5,7]}" },
    { "SET a[3] = :v", "{v: 0}", "{a: [1, 2, 3]}", "{a:[1,2,3,0]}" },
    { "REMOVE a[1] SET a[3] = :v", "{v: 0}", "{a: [1, 2, 3, 4]}", "{a:[1,3,0]}" },
    { "REMOVE a[0], a[2]", "{}", "{a: [1, 2, 3, 4]}", "{a:[2,4]}" },
    { "SET a[0].b = :v", "{v: 1}", "{a: [{c: 2}]}", "{a:[{b:1,c:2}]}" },
    { "REMOVE a", "{}", "{a: 1, b: 2}", "{b:2}" },
    { "REMOVE a, q", "{}", "{a: 1}", "{}" },
    { "REMOVE a.b", "{}", "{a: {b: 1}}", "{a:{}}" },
    { "REMOVE a.q", "{}", "{a: {b: 1}}", "{a:{b:1}}" },
    { "REMOVE a[5]", "{}", "{a: [1]}", "{a:[1]}" },
    { "REMOVE a[0]", "{}", "{a: [1]}", "{a:[]}" },
    { "ADD a :v", "{v: 1}", "{}", "{a:1}" },
    { "ADD a :v", "{v: -1}", "{a: 1}", "{a:0}" },
    { "ADD a :v", "{v: <\"x\">}", "{}", "{a:<\"x\">}" },
    { "ADD a :v", "{v: <\"x\", \"b\">}", "{a: <\"b\", \"a\">}", "{a:<\"a\",\"b\",\"x\">}" },
    { "ADD a :v", "{v: <1, 2>}", "{a: <2.0, 3>}", "{a:<1,2,3>}" },
    { "ADD a.b :v, a.c :v", "{v: 1}", "{a: {b: 1}}", "{a:{b:2,c:1}}" },
    { "ADD a[0] :v, a[9] :v", "{v: 1}", "{a: [1]}", "{a:[2,1]}" },
    { "DELETE a :v", "{v: <\"x\", \"b\">}", "{a: <\"b\", \"a\">}", "{a:<\"a\">}" },
    { "DELETE a :v", "{v: <\"a\", \"b\">}", "{a: <\"b\", \"a\">, c: 1}", "{c:1}" },
    { "DELETE a :v", "{v: <'z'>}", "{a: <'b'>}", "{a:<'b'>}" },
    { "DELETE a :v, q :v", "{v: <1>}", "{a: <1, 2>}", "{a:<2>}" },
    { "DELETE a[0] :v", "{v: <1>}", "{a: [<1>, 2]}", "{a:[2]}" },
    { "SET a = if_not_exists(a, :v)", "{v: 1}", "{a: null}", "{a:null}" },
    { "SET a = if_not_exists(a, :v)", "{v: 1}", "{}", "{a:1}" },
    { "SET a = if_not_exists(q, if_not_exists(b.c, :v))", "{v: 1}", "{b: {c: 2}}", "{a:2,b:{c:2}}" },
    { "SET a = if_not_exists(a, :z) + :v", "{v: 1, z: 0}", "{}", "{a:1}" },
    { "SET a = list_append(a, :v)", "{v: [3]}", "{a: [1, 2]}", "{a:[1,2,3]}" },
    { "SET a = list_append(:v, a)", "{v: [3, [4]]}", "{a: [1, {x: 2}]}", "{a:[3,[4],1,{x:2}]}" },
    { "SET a = list_append(if_not_exists(a, :e), :v)", "{v: [3], e: []}", "{}", "{a:[3]}" },
    { "SET a = list_append(if_not_exists(q, list_append(a, :v)), :v)", "{v: [3]}", "{a: [1]}", "{a:[1,3,3]}" },
    { "SET a = list_append(a, a)", "{}", "{a: [1]}", "{a:[1,1]}" },
    { "SET b.c = a, b.d = b", "{}", "{a: [1], b: {x: 1}}", "{a:[1],b:{c:[1],d:{x:1},x:1}}" },
    /* No item. */
    { "SET a = :v", "{v: 1}", NULL, "{a:1}" },
    { "ADD a :v, b :w", "{v: 1, w: <1>}", NULL, "{a:1,b:<1>}" },
    { "REMOVE a, b.c, d[3]", "{}", NULL, "{}" },
    { "DELETE a :v", "{v: <1>}", NULL, "{}" },
    { "SET a = :v REMOVE x.y", "{v: 1}", NULL, "{a:1}" },
    { "SET a.b = :v", "{v: 1}", NULL, BAD_PATH },
    { "SET a = b", "{}", NULL, NO_ATTRIBUTE },
    /* Faults. */
    { "SET a = b", "{}", "{}", NO_ATTRIBUTE },
    { "SET a = b.c", "{}", "{b: 1}", NO_ATTRIBUTE },
    { "SET a = a + :v", "{v: 1}", "{}", NO_ATTRIBUTE },
    { "SET a = list_append(b, :v)", "{v: []}", "{}", NO_ATTRIBUTE },
    { "SET a = a + :v", "{v: 1}", "{a: \"1\"}", BAD_TYPE },
    { "SET a = :v - b", "{v: 1}", "{b: [1]}", BAD_TYPE },
    { "SET a = list_append(b, :v)", "{v: []}", "{b: <1>}", BAD_TYPE },
    { "SET a = list_append(if_not_exists(b, :s), :v)", "{v: [], s: 1}", "{}", BAD_TYPE },
    { "SET a = list_append(:v, :v) + :n", "{v: [], n: 1}", "{}", BAD_TYPE },
    { "ADD a :v", "{v: 1}", "{a: \"1\"}", BAD_TYPE },
    { "ADD a :v", "{v: <1>}", "{a: 1}", BAD_TYPE },
    { "ADD a :v", "{v: <1>}", "{a: <\"1\">}", BAD_TYPE },
    { "DELETE a :v", "{v: <1>}", "{a: <\"1\">}", BAD_TYPE },
    { "DELETE a :v", "{v: <1>}", "{a: [1]}", BAD_TYPE },
    { "SET a.b = :v", "{v: 1}", "{}", BAD_PATH },
    { "SET a.b.c = :v", "{v: 1}", "{a: {}}", BAD_PATH },
    { "SET a.b = :v", "{v: 1}", "{a: [1]}", BAD_PATH },
    { "SET a[0] = :v", "{v: 1}", "{a: {}}", BAD_PATH },
    { "SET a[0] = :v", "{v: 1}", "{a: <1>}", BAD_PATH },
    { "SET a[5].b = :v", "{v: 1}", "{a: [1]}", BAD_PATH },
    { "REMOVE x.y", "{}", "{a: 1}", BAD_PATH },
    { "REMOVE a.b[0]", "{}", "{a: {c: 1}}", BAD_PATH },
    { "ADD x.y :v", "{v: 1}", "{}", BAD_PATH },
    { "DELETE x.y :v", "{v: <1>}", "{}", BAD_PATH },
    { "SET a = a + :v", "{v: 1}", "{a: 1e40}", TOO_LARGE },
    { "ADD a :v", "{v: 9e125}", "{a: 9e125}", TOO_LARGE },
};

static sheaf_item_builder *builders[2];

static void begin_builders(const sheaf_allocator *allocator)
{
    cr_assert_eq(sheaf_item_builder_create(NULL, &builders[0]), SHEAF_OK);
    cr_assert_eq(sheaf_item_builder_create(allocator, &builders[1]), SHEAF_OK);
}

static void end_builders(void)
{
    for (size_t i = 0; i < 2; i++) sheaf_item_builder_destroy(builders[i]);
}

Test(expression_values, update_items)
{
    static char printed[ITEM_TEXT_MAX];
    begin_builders(NULL);
    for (size_t i = 0; i < COUNT(UPDATES); i++) {
        struct bound bound;
        sheaf_bytes record = { NULL, 0 };
        sheaf_expression_fault fault = { .message = "" };
        must_begin(&bound, UPDATE, UPDATES[i].text, UPDATES[i].values);
        sheaf_item item = { .record = { NULL, 0 } };
        if (UPDATES[i].item) item.record = item_text_build(builders[0], UPDATES[i].item);
        sheaf_status status = sheaf_expression_update(bound.expression, bound.slots, &item, builders[1], &record, &fault);
        bool is_item = UPDATES[i].updated[0] == '{';
        cr_assert_eq(status, is_item ? SHEAF_OK : SHEAF_EXPRESSION_REFUSED, "%s of %s: %s", UPDATES[i].text, UPDATES[i].item,
                     fault.message);
        if (is_item) item_text_print(record, printed);
        cr_assert_str_eq(is_item ? printed : fault.message, UPDATES[i].updated, "%s of %s: %s", UPDATES[i].text,
                         UPDATES[i].item, is_item ? printed : fault.message);
        end(&bound);
    }
    end_builders();
}

Test(expression_values, say_whether_an_update_makes_an_item)
{
    static const struct {
        const char *text;
        bool creates;
    } cases[] = { { "SET a = b", true },
                  { "ADD a :v", true },
                  { "REMOVE a", false },
                  { "DELETE a :v", false },
                  { "DELETE a :v REMOVE b", false },
                  { "REMOVE a SET b = :v", true } };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bound bound;
        must_begin(&bound, UPDATE, cases[i].text, "{v: <1>}");
        cr_assert_eq(sheaf_expression_creates(bound.expression), cases[i].creates, "%s", cases[i].text);
        end(&bound);
    }
}

/* What UPDATED_OLD and UPDATED_NEW show: the paths of an update, before and after it. */
Test(expression_values, of_updates_are_shown_before_and_after)
{
    static const struct {
        const char *text;
        const char *before;
        const char *after;
    } cases[] = {
        { "SET a.c[1] = :v", "{a:{c:[2]}}", "{a:{c:[9]}}" },
        { "REMOVE a.c[1]", "{a:{c:[2]}}", "{a:{c:[3]}}" },
        { "SET a.c[100] = :v", "{}", "{}" },
        { "SET b = :v, a.d = :v", "{b:5}", "{a:{d:9},b:9}" },
        { "REMOVE b", "{b:5}", "{}" },
    };
    static char printed[ITEM_TEXT_MAX];
    sheaf_item_builder *shown;
    begin_builders(NULL);
    cr_assert_eq(sheaf_item_builder_create(NULL, &shown), SHEAF_OK);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bound bound;
        sheaf_bytes record;
        must_begin(&bound, UPDATE, cases[i].text, "{v: 9}");
        sheaf_item items[2] = { { .record = item_text_build(builders[0], "{a: {c: [1, 2, 3]}, b: 5}") } };
        cr_assert_eq(sheaf_expression_update(bound.expression, bound.slots, &items[0], builders[1], &items[1].record, NULL),
                     SHEAF_OK);
        for (size_t when = 0; when < 2; when++) {
            sheaf_item_begin(shown);
            sheaf_expression_project(bound.expression, &items[when], shown);
            cr_assert_eq(sheaf_item_end(shown, &record, NULL), SHEAF_OK);
            item_text_print(record, printed);
            cr_assert_str_eq(printed, when == 0 ? cases[i].before : cases[i].after, "%s: %s", cases[i].text, printed);
        }
        end(&bound);
    }
    sheaf_item_builder_destroy(shown);
    end_builders();
}

/* At 400 KiB with its key an item is whole, a byte more is too much; 32 levels are as deep as it gets. */
Test(expression_values, update_items_up_to_their_limits)
{
    static char long_text[SHEAF_ITEM_SIZE_MAX];
    memset(long_text, 'x', sizeof long_text);
    sheaf_attribute key = { text("pk"), sheaf_value_of_bytes(SHEAF_TYPE_STRING, text("p")) };
    sheaf_expression_fault fault;
    struct bound bound;
    begin_builders(NULL);
    must_begin(&bound, UPDATE, "SET a = :v", "{v: 1}");
    for (size_t more = 0; more < 2; more++) {
        sheaf_item item = { .record = item_text_build(builders[0], "{}"), .keys = &key, .key_count = 1 };
        sheaf_bytes record;
        bound.slots[0] = sheaf_value_of_bytes(SHEAF_TYPE_STRING, sheaf_bytes_of(long_text, SHEAF_ITEM_SIZE_MAX - 4 + more));
        sheaf_status status = sheaf_expression_update(bound.expression, bound.slots, &item, builders[1], &record, &fault);
        cr_assert_eq(status, more ? SHEAF_EXPRESSION_REFUSED : SHEAF_OK);
    }
    cr_assert_str_eq(fault.message, "Item size to update has exceeded the maximum allowed size");
    end(&bound);
    must_begin(&bound, UPDATE, "SET a.a = :v", "{v: {a: {}}}");
    sheaf_item_builder *third;
    cr_assert_eq(sheaf_item_builder_create(NULL, &third), SHEAF_OK);
    for (size_t lists = 30; lists <= 31; lists++) { /* :v is a map with so many lists in it, and itself in the map a */
        char deep[256] = "{a: ";
        for (size_t i = 0; i < lists; i++) strcat(deep, "[");
        for (size_t i = 0; i < lists; i++) strcat(deep, "]");
        strcat(deep, "}");
        sheaf_item item = { .record = item_text_build(builders[0], "{a: {}}") };
        sheaf_bytes record;
        bound.slots[0] = sheaf_item_value(item_text_build(third, deep));
        sheaf_status status = sheaf_expression_update(bound.expression, bound.slots, &item, builders[1], &record, &fault);
        cr_assert_eq(status, lists == 30 ? SHEAF_OK : SHEAF_EXPRESSION_REFUSED, "%zu lists", lists);
    }
    cr_assert_str_eq(fault.message,
                     "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
                     "supported limit");
    sheaf_item_builder_destroy(third);
    end(&bound);
    end_builders();
}

Test(expression_values, update_no_item_into_one_with_unfit_names)
{
    static uint8_t name[65536];
    memset(name, 'n', sizeof name);
    sheaf_expression_fault fault;
    begin_builders(NULL);
    for (size_t size = 65535; size <= 65536; size++) {
        sheaf_expression_name names = { text("#n"), sheaf_bytes_of(name, size) };
        sheaf_expression_source source = {
            .kind = SHEAF_EXPRESSION_UPDATE, .text = text("SET #n = a"), .names = &names, .name_count = 1
        };
        sheaf_expression *expression;
        sheaf_bytes record;
        sheaf_item item = { .record = item_text_build(builders[0], "{a: 1}") };
        cr_assert_eq(sheaf_expression_create(&source, NULL, &expression, NULL), SHEAF_OK);
        cr_assert_eq(sheaf_expression_update(expression, NULL, &item, builders[1], &record, &fault),
                     size == 65535 ? SHEAF_OK : SHEAF_EXPRESSION_REFUSED);
        sheaf_expression_destroy(expression);
    }
    cr_assert_eq(fault.rule, SHEAF_FAULT_UPDATE_ITEM);
    cr_assert_str_eq(fault.message, "The name of an attribute is longer than 65535 bytes");
    end_builders();
}

/* Each allocation of an update refused in turn: it says so, and the next one is as good as ever. */
Test(expression_values, update_items_when_memory_is_refused)
{
    static char printed[ITEM_TEXT_MAX];
    struct test_heap heap = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(&heap);
    struct bound bound;
    sheaf_status status = SHEAF_NO_MEMORY;
    must_begin(&bound, UPDATE, "SET a = list_append(a, :v), b.c = b REMOVE d[0] ADD n :n DELETE s :s",
               "{v: [3, {x: \"long enough to need some room of its own, or so one hopes\"}], n: 1, s: <1>}");
    for (size_t refused = 0; status != SHEAF_OK; refused++) {
        begin_builders(&hooks);
        sheaf_item item = { .record = item_text_build(builders[0], "{a: [1, 2], b: {x: 1}, d: [5, 6], n: 1, s: <1, 2>}") };
        sheaf_bytes record;
        heap.fail_at = heap.requests + refused;
        status = sheaf_expression_update(bound.expression, bound.slots, &item, builders[1], &record, NULL);
        cr_assert(status == SHEAF_OK || status == SHEAF_NO_MEMORY);
        if (status == SHEAF_OK) {
            item_text_print(record, printed);
            cr_assert_str_eq(printed, "{a:[1,2,3,{x:\"long enough to need some room of its own, or so one hopes\"}],"
                                      "b:{c:{x:1},x:1},d:[6],n:2,s:<2>}");
            cr_assert_gt(refused, 0, "nothing was ever refused");
        }
        test_heap_relent(&heap);
        end_builders();
        cr_assert_eq(heap.live_blocks, 0);
    }
    end(&bound);
}

/* ---- keys ------------------------------------------------------------------------------------------------------------- */

static const char *print_term(const sheaf_key_term *term, char out[128])
{
    static const char *const kinds[] = { "=", "<", "<=", ">=", ">", "between", "begins" };
    int size = sprintf(out, "%s", kinds[term->kind]);
    for (size_t i = 0; i < (term->kind == SHEAF_CONDITION_BETWEEN ? 2u : 1u); i++) {
        sheaf_value value = i == 0 ? term->low : term->high;
        char number[SHEAF_NUMBER_TEXT_SIZE_MAX];
        sheaf_bytes bytes = value.type == SHEAF_TYPE_NUMBER
                                ? sheaf_bytes_of(number, sheaf_number_print(sheaf_value_number(value), number))
                                : value.bytes;
        size += sprintf(out + size, " %.*s", (int)bytes.size, (const char *)bytes.data);
    }
    return out;
}

/* Schemas: "h" has a hash key h of S; "hr" also a range key r of N; "4" has h, i and the sort keys a, b, c, all of S. */
static sheaf_key_schema schema_of(const char *name)
{
    static sheaf_key_attribute attributes[2][5];
    static const char *const names[] = { "h", "i", "a", "b", "c" };
    attributes[0][0] = (sheaf_key_attribute){ text("h"), SHEAF_TYPE_STRING };
    attributes[0][1] = (sheaf_key_attribute){ text("r"), SHEAF_TYPE_NUMBER };
    for (size_t i = 0; i < 5; i++) attributes[1][i] = (sheaf_key_attribute){ text(names[i]), SHEAF_TYPE_STRING };
    if (strcmp(name, "4") == 0) return (sheaf_key_schema){ attributes[1], 2, 3 };
    return (sheaf_key_schema){ attributes[0], 1, strcmp(name, "hr") == 0 ? 1 : 0 };
}

#define VALUE_SET "{p: \"p\", q: \"q\", n: 5, m: 7, t: true}"

static const struct {
    const char *schema;
    const char *text;
    const char *terms; /* or the message */
} KEYS[] = {
    { "h", "h = :p", "= p" },
    { "h", ":p = h", "= p" },
    { "hr", "h = :p", "= p" },
    { "hr", "h = :p AND r = :n", "= p; = 5" },
    { "hr", "r < :n AND h = :p", "= p; < 5" },
    { "hr", "h = :p AND :n < r", "= p; > 5" },
    { "hr", "h = :p AND :n <= r", "= p; >= 5" },
    { "hr", "h = :p AND :n > r", "= p; < 5" },
    { "hr", "h = :p AND :n >= r", "= p; <= 5" },
    { "hr", "(h = :p) AND (r BETWEEN :n AND :m)", "= p; between 5 7" },
    { "4", "c >= :q AND h = :p AND b = :q AND i = :p AND a = :p", "= p; = p; = p; = q; >= q" },
    { "4", "h = :p AND i = :p AND begins_with(a, :q)", "= p; = p; begins q" },
    { "4", "h = :p AND i = :p", "= p; = p" },
    { "h", "h > :p", "Query key condition not supported" },
    { "h", "h = :p AND r = :n", "Query key condition not supported" },
    { "hr", "begins_with(h, :p) AND r = :n", "Query key condition not supported" },
    { "hr", "r = :n", "Query condition missed key schema element: h" },
    { "hr", "x = :p AND r = :n", "Query condition missed key schema element: h" },
    { "hr", "h = :p AND x = :n", "Query condition missed key schema element: r" },
    { "hr", "h = :p AND r = :n AND x = :n",
      "The number of query conditions (3) exceeds the number of key attributes defined in the "
      "schema (2)" },
    { "hr", "h = :n", "One or more parameter values were invalid: Condition parameter type does not match schema type" },
    { "hr", "h = :t", "One or more parameter values were invalid: Condition parameter type does not match schema type" },
    { "hr", "h = :p AND r > :q",
      "One or more parameter values were invalid: Condition parameter type does not match schema type" },
    { "hr", "h = :p AND begins_with(r, :q)",
      "One or more parameter values were invalid: Condition parameter type does not match "
      "schema type" },
    { "4", "h = :p AND i = :p AND b = :q",
      "RANGE key attributes a must have equality conditions specified in the query because a "
      "condition is present on key attribute b" },
    { "4", "h = :p AND i = :p AND a > :q AND b = :q",
      "RANGE key attributes a must have equality conditions specified in the query "
      "because a condition is present on key attribute b" },
    { "4", "h = :p AND a = :q", "Query condition missed key schema element: i" },
    { "4", "h = :p AND i = :p AND x = :q", "Query condition missed key schema element: a" },
};

Test(expression_values, of_key_conditions_become_terms)
{
    for (size_t i = 0; i < COUNT(KEYS); i++) {
        struct bound bound;
        sheaf_key_term terms[2 * SHEAF_KEY_ATTRIBUTE_MAX];
        size_t count = 0;
        char printed[1024] = "", term[128];
        sheaf_expression_fault fault = { .message = "" };
        sheaf_key_schema schema = schema_of(KEYS[i].schema);
        must_begin(&bound, KEY, KEYS[i].text, VALUE_SET);
        sheaf_status status = sheaf_expression_key_terms(bound.expression, bound.slots, &schema, terms, &count, &fault);
        for (size_t j = 0; j < count; j++) {
            if (j > 0) strcat(printed, "; ");
            strcat(printed, print_term(&terms[j], term));
        }
        cr_assert_str_eq(status == SHEAF_OK ? printed : fault.message, KEYS[i].terms, "%s: %s%s", KEYS[i].text, printed,
                         fault.message);
        end(&bound);
    }
}

static const struct {
    int kind;
    const char *text;
    size_t column;
    const char *message; /* of sheaf_expression_check_keys(); NULL: nothing is wrong */
    const char *scalar;  /* of sheaf_expression_check_scalars() */
} LEFT_ALONE[] = {
    { UPDATE, "SET a = h, b = r", 0, NULL, NULL },
    { UPDATE, "SET z = :p REMOVE r, a", 19,
      "One or more parameter values were invalid: Cannot update attribute r. This attribute is "
      "part of the key",
      NULL },
    { UPDATE, "REMOVE r SET h = :p", 8,
      "One or more parameter values were invalid: Cannot update attribute r. This attribute is part "
      "of the key",
      NULL },
    { FILTER, "a = :p AND b.h = :p", 0, NULL, NULL },
    { FILTER, "a = h", 5, "Filter Expression can only contain non-primary key attributes: Primary key attribute: h", NULL },
    { FILTER, "size(r) > :n", 6, "Filter Expression can only contain non-primary key attributes: Primary key attribute: r",
      NULL },
    { CONDITION, "h = :p AND r > :n", 0, NULL, NULL },
    { PROJECTION, "a, h", 0, NULL, NULL },
    { PROJECTION, "a.h, r[0]", 6, NULL,
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: "
      "Key: r" },
};

Test(expression_values, of_keys_are_left_alone)
{
    for (size_t i = 0; i < COUNT(LEFT_ALONE); i++) {
        struct bound bound;
        sheaf_expression_fault fault = { .message = "" };
        sheaf_key_schema schema = schema_of("hr");
        must_begin(&bound, LEFT_ALONE[i].kind, LEFT_ALONE[i].text, VALUE_SET);
        sheaf_status status = sheaf_expression_check_keys(bound.expression, &schema, &fault);
        cr_assert_eq(status, LEFT_ALONE[i].message ? SHEAF_EXPRESSION_REFUSED : SHEAF_OK, "%s", LEFT_ALONE[i].text);
        if (LEFT_ALONE[i].message) cr_assert_str_eq(fault.message, LEFT_ALONE[i].message);
        status = sheaf_expression_check_scalars(bound.expression, &schema, false, &fault);
        cr_assert_eq(status, LEFT_ALONE[i].scalar ? SHEAF_EXPRESSION_REFUSED : SHEAF_OK, "%s", LEFT_ALONE[i].text);
        if (LEFT_ALONE[i].scalar) {
            cr_assert_str_eq(fault.message, LEFT_ALONE[i].scalar);
            cr_assert_eq(sheaf_expression_check_scalars(bound.expression, &schema, true, &fault), SHEAF_EXPRESSION_REFUSED);
            cr_assert(strstr(fault.message, ": IndexKey: "));
        }
        if (LEFT_ALONE[i].column > 0) cr_assert_eq(fault.column, LEFT_ALONE[i].column, "%s", LEFT_ALONE[i].text);
        end(&bound);
    }
}
