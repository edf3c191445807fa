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

static void try_kind(sheaf_expression_kind kind, sheaf_bytes text)
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
    sheaf_expression_destroy(expression);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > SIZE_MAX_TAKEN) return 0;
    try_kind((sheaf_expression_kind)(data[0] % KIND_COUNT), sheaf_bytes_of(data + 1, size - 1));
    return 0;
}
