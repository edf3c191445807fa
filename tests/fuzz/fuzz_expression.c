/*
 * fuzz_expression.c - any bytes as a text of each of the four languages: what is taken keeps the invariants of the
 * compact form, what is refused is told of in words and at a place.
 *
 *     | kind : 1 | text |
 */
#include <string.h>

#include "engine/base/bytes.h"
#include "engine/expr/expression.h"
#include "tests/support/expect.h"
#include "tests/support/item_text.h"

enum { KIND_COUNT = SHEAF_EXPRESSION_UPDATE + 1, SIZE_MAX_TAKEN = 8192 };

/* X1, X3, X5 */
static void check_node(const struct sheaf_expression *expression, size_t index)
{
    const struct sheaf_expr_node *node = &expression->nodes[index];
    EXPECT(node->column >= 1 && node->column <= expression->text_size, "column %u", node->column);
    EXPECT(node->next == SHEAF_EXPR_NONE || node->next < expression->node_count, "next %u", node->next);
    if (node->kind == SHEAF_NODE_VALUE) {
        EXPECT(node->first < expression->slot_count, "slot %u", node->first);
    } else if (node->kind == SHEAF_NODE_PATH) {
        EXPECT(node->count >= 1 && node->count <= SHEAF_EXPRESSION_PATH_MAX, "%u elements", node->count);
        EXPECT((size_t)node->first + node->count <= expression->element_count, "element %u", node->first);
        EXPECT(!sheaf_element_is_index(&expression->elements[node->first]), "a path that begins with an index");
    } else {
        const struct sheaf_operation_row *row = sheaf_operation_row(node->operation);
        EXPECT(node->operation < SHEAF_OPERATION_UNKNOWN && node->first < index, "operation %u", node->operation);
        EXPECT(node->count == row->operand_count, "%u operands", node->count);
        EXPECT(!row->path_first || expression->nodes[node->first].kind == SHEAF_NODE_PATH, "no path");
    }
}

/* X2 */
static void check_step(const struct sheaf_expression *expression, size_t index)
{
    const struct sheaf_expr_step *step = &expression->steps[index];
    const uint16_t targets[] = { step->on_true, step->on_false };
    for (size_t i = 0; i < 2; i++) {
        bool is_end = targets[i] == SHEAF_EXPR_ACCEPT || targets[i] == SHEAF_EXPR_REJECT;
        EXPECT(is_end || (targets[i] > index && targets[i] < expression->step_count), "target %u", targets[i]);
    }
    size_t count = 0;
    for (uint16_t i = step->first; i != SHEAF_EXPR_NONE; i = expression->nodes[i].next) count++;
    EXPECT(count == step->count && count >= 1, "%zu operands", count);
}

static void check_elements(const struct sheaf_expression *expression)
{
    for (size_t i = 0; i < expression->element_count; i++) {
        const struct sheaf_expr_element *element = &expression->elements[i];
        EXPECT(element->size != SHEAF_ELEMENT_REF, "an undefined name");
        if (sheaf_element_is_index(element))
            EXPECT(element->at <= SHEAF_EXPRESSION_INDEX_MAX, "index %u", element->at);
        else
            EXPECT(expression->words + element->at + element->size <= (const uint8_t *)expression + expression->block_size,
                   "words");
    }
}

/* X4, pair by pair */
static void check_actions(const struct sheaf_expression *expression)
{
    for (size_t i = 0; i < expression->action_count; i++) {
        for (size_t j = i + 1; j < expression->action_count && j < i + 50; j++) {
            const struct sheaf_expr_node *left = &expression->nodes[expression->actions[i].target];
            const struct sheaf_expr_node *right = &expression->nodes[expression->actions[j].target];
            size_t at = 0;
            int order = 0;
            for (; order == 0 && at < left->count && at < right->count; at++)
                order = sheaf_element_compare(expression, &expression->elements[left->first + at],
                                              &expression->elements[right->first + at]);
            EXPECT(order < 0, "actions %zu and %zu", i, j);
            EXPECT(sheaf_element_is_index(&expression->elements[left->first + at - 1]) ==
                       sheaf_element_is_index(&expression->elements[right->first + at - 1]),
                   "a conflict");
        }
    }
}

/* ---- on an item ------------------------------------------------------------------------------------------------------- */

#define ITEM \
    "{a: 5, b: {c: [1, \"x\", {d: 2}], d: \"text\"}, c: \"text\", d: [1, [2], <3>], e: <\"x\", \"y\">, f: null, g: 'bytes', " \
    "h: true, v: [1, 2], w: <1, 2>}"
#define VALUE_SET "{a: 5, b: \"text\", c: 'bytes', d: true, e: null, f: {d: 2}, g: [1], h: <\"x\">, i: <1>, j: <'x'>, k: \"S\"}"
enum { VALUE_COUNT = 11, SLOT_MAX = 2048 };

static void expect_told(sheaf_status status, const sheaf_expression_fault *fault)
{
    EXPECT(status == SHEAF_OK || status == SHEAF_EXPRESSION_REFUSED, "status %d", (int)status);
    if (status != SHEAF_OK) EXPECT(fault->message_size > 0 && fault->message_size < sizeof fault->message, "a message");
}

static void use(const sheaf_expression *expression, const sheaf_value *slots, const sheaf_item *item,
                sheaf_item_builder *builder)
{
    sheaf_expression_fault fault;
    sheaf_bytes record;
    if (expression->step_count > 0) {
        sheaf_expression_holds(expression, slots, item);
    } else if (expression->kind == SHEAF_EXPRESSION_PROJECTION) {
        sheaf_item_begin(builder);
        sheaf_expression_project(expression, item, builder);
        EXPECT(sheaf_item_end(builder, &record, NULL) == SHEAF_OK, "a projection is an item");
        EXPECT(record.size <= item->record.size || item->record.size == 0, "a projection larger than its item");
    } else {
        sheaf_status status = sheaf_expression_update(expression, slots, item, builder, &record, &fault);
        expect_told(status, &fault);
        if (status == SHEAF_OK) EXPECT(sheaf_item_check(record, NULL) == SHEAF_OK, "an unsound record");
    }
}

static void use_key_condition(const sheaf_expression *expression, const sheaf_value *slots)
{
    const sheaf_key_attribute attributes[] = { { SHEAF_LIT("a"), SHEAF_TYPE_STRING }, { SHEAF_LIT("b"), SHEAF_TYPE_NUMBER } };
    const sheaf_key_schema schemas[] = { { attributes, 1, 0 }, { attributes, 1, 1 }, { attributes, 2, 0 } };
    sheaf_key_term terms[2];
    sheaf_expression_fault fault;
    for (size_t i = 0; i < 3; i++) {
        size_t count = 0;
        sheaf_status status = sheaf_expression_key_terms(expression, slots, &schemas[i], terms, &count, &fault);
        expect_told(status, &fault);
        if (status == SHEAF_OK) EXPECT(count >= schemas[i].partition_count && count <= 2, "%zu terms", count);
    }
}

static void try_on_item(const sheaf_expression *expression, size_t first_value)
{
    static sheaf_item_builder *builders[3];
    static sheaf_value slots[SLOT_MAX], values[VALUE_COUNT];
    static sheaf_item item, none;
    sheaf_expression_value given[VALUE_COUNT];
    sheaf_expression_fault fault;
    if (!builders[0]) {
        for (size_t i = 0; i < 3; i++) EXPECT(sheaf_item_builder_create(NULL, &builders[i]) == SHEAF_OK, "a builder");
        item.record = item_text_build(builders[0], ITEM);
        sheaf_value_cursor cursor = sheaf_value_begin(sheaf_item_value(item_text_build(builders[1], VALUE_SET)));
        for (size_t i = 0; i < VALUE_COUNT; i++) EXPECT(sheaf_value_next(&cursor, NULL, &values[i]), "a value");
    }
    size_t count = expression->slot_count < VALUE_COUNT ? expression->slot_count : VALUE_COUNT;
    for (size_t i = 0; i < count; i++)
        given[i] = (sheaf_expression_value){ sheaf_expression_slot_name_view(expression, i),
                                             values[(first_value + i) % VALUE_COUNT] };
    EXPECT(expression->slot_count <= SLOT_MAX, "%u slots", expression->slot_count);
    sheaf_status status = sheaf_expression_bind(expression, given, count, slots, &fault);
    expect_told(status, &fault);
    if (status != SHEAF_OK) return;
    use(expression, slots, &item, builders[2]);
    use(expression, slots, &none, builders[2]);
    if (expression->kind == SHEAF_EXPRESSION_KEY_CONDITION) use_key_condition(expression, slots);
}

static void try_kind(sheaf_expression_kind kind, size_t first_value, sheaf_bytes text)
{
    const sheaf_expression_name names[] = { { SHEAF_LIT("#a"), SHEAF_LIT("a") },
                                            { SHEAF_LIT("#b"), SHEAF_LIT("b.c") },
                                            { SHEAF_LIT("#e"), SHEAF_LIT("") } };
    sheaf_expression_source source = { .kind = kind, .text = text, .names = names, .name_count = 3 };
    sheaf_expression *expression = NULL;
    sheaf_expression_fault fault;
    sheaf_status status = sheaf_expression_create(&source, NULL, &expression, &fault);
    if (status == SHEAF_EXPRESSION_REFUSED) {
        EXPECT(fault.rule > SHEAF_FAULT_NONE && fault.rule < SHEAF_FAULT_COUNT, "rule %d", (int)fault.rule);
        EXPECT(fault.column <= text.size + 1, "column %zu", fault.column);
        EXPECT(fault.message_size > 0 && fault.message[fault.message_size] == 0, "a message");
        return;
    }
    EXPECT(status == SHEAF_OK, "status %d", (int)status);
    for (size_t i = 0; i < expression->node_count; i++) check_node(expression, i);
    for (size_t i = 0; i < expression->step_count; i++) check_step(expression, i);
    check_elements(expression);
    check_actions(expression);
    try_on_item(expression, first_value);
    sheaf_expression_destroy(expression);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > SIZE_MAX_TAKEN) return 0;
    try_kind((sheaf_expression_kind)(data[0] % KIND_COUNT), data[0] / KIND_COUNT, sheaf_bytes_of(data + 1, size - 1));
    return 0;
}
