/*
 * expression.h - the compact form of an expression: arrays of small records in one block, which name each other by index.
 *
 *     +------------+-------+-------+----------+---------+------+-------+--------------+-----------------+
 *     | expression | steps | nodes | elements | actions | refs | slots | the text     | names of #refs  |
 *     +------------+-------+-------+----------+---------+------+-------+--------------+-----------------+
 *                                                                      ^ words: what elements, refs and slots point into
 *
 * A condition is a row of steps, one for each comparison or predicate, in the order of the text. Each says which step
 * decides next if it holds, and which if it does not, up to ACCEPT or REJECT: AND, OR, NOT and parentheses are gone.
 *
 *     a = :x AND (NOT b = :y OR c < :z)        0  a = :x    true 1       false REJECT
 *                                              1  b = :y    true 2       false ACCEPT
 *                                              2  c < :z    true ACCEPT  false REJECT
 *
 * An update or a projection is a row of actions, one for each path, sorted by path: what lies in one map or list is
 * side by side. Operands are nodes: a path, a value (a slot), or an operation on further nodes, which are linked by
 * `next`.
 *
 * X1  All indexes are in range; NONE ends a link. Nodes stand behind their operands.
 * X2  A step names steps behind it, ACCEPT or REJECT: evaluation ends.
 * X3  Elements of one path are side by side, 1 to SHEAF_EXPRESSION_PATH_MAX of them; the first is a name.
 * X4  Actions are sorted by path; no path is the beginning of another, and no two go into one place as a map and as a list.
 * X5  Operations have as many operands as their row says, and paths where it says so.
 */
#ifndef SHEAF_EXPR_EXPRESSION_H
#define SHEAF_EXPR_EXPRESSION_H

#include <stdbool.h>

#include <sheaf/expression.h>

#include "engine/base/heap.h"
#include "engine/expr/operation.h"

#define SHEAF_EXPR_NONE UINT16_MAX
#define SHEAF_EXPR_ACCEPT UINT16_MAX
#define SHEAF_EXPR_REJECT (UINT16_MAX - 1)

/* What `size` of an element says if it is no name. */
#define SHEAF_ELEMENT_INDEX UINT32_MAX     /* `at` is an index into a list */
#define SHEAF_ELEMENT_REF (UINT32_MAX - 1) /* `at` is a ref: only while it is parsed */

/* One step of a path: bytes of the words. */
struct sheaf_expr_element {
    uint32_t at;
    uint32_t size;
};

enum sheaf_expr_node_kind { SHEAF_NODE_PATH, SHEAF_NODE_VALUE, SHEAF_NODE_CALL };

/* An operand. */
struct sheaf_expr_node {
    uint8_t kind;      /* enum sheaf_expr_node_kind */
    uint8_t operation; /* of a call: enum sheaf_operation */
    uint16_t column;   /* in the text, from 1 */
    uint16_t first;    /* of a path: its first element; of a value: its slot; of a call: its first operand */
    uint16_t count;    /* of elements or operands */
    uint16_t next;     /* the operand behind it */
};

/* A comparison or predicate. */
struct sheaf_expr_step {
    uint8_t operation;
    uint16_t column;
    uint16_t first; /* operand */
    uint16_t count;
    uint16_t on_true, on_false;
    uint16_t node_end; /* its nodes are those from the end of the step before to here */
};

enum sheaf_expr_section { SHEAF_SECTION_SET = 0, SHEAF_SECTION_REMOVE, SHEAF_SECTION_ADD, SHEAF_SECTION_DELETE };

/* What is done at a path. Projections have no other sections than the first. */
struct sheaf_expr_action {
    uint8_t section; /* enum sheaf_expr_section */
    uint16_t target; /* the node of the path */
    uint16_t value;  /* the node of the right side; NONE: there is none */
};

/* A #placeholder and the name it stands for, in the words. */
struct sheaf_expr_ref {
    uint32_t at, size;
    uint32_t name_at, name_size; /* name_size NAME_UNDEFINED: nobody has said what it stands for */
};
#define SHEAF_NAME_UNDEFINED UINT32_MAX

/* A :placeholder, in the words. */
struct sheaf_expr_slot {
    uint32_t at, size;
    uint16_t column; /* where it stands first */
};

/* An operator between conditions that key conditions do not have. */
struct sheaf_expr_connective {
    uint8_t operation_name; /* 0: there is none; 'O' for OR, 'N' for NOT */
    uint16_t column;
    uint16_t step; /* how many steps stand before all that it joins */
};

struct sheaf_expression {
    struct sheaf_heap heap;
    size_t block_size;
    sheaf_expression_kind kind;
    uint16_t step_count, node_count, element_count, action_count, ref_count, slot_count;
    struct sheaf_expr_connective connective; /* the first one that a key condition cannot have */
    struct sheaf_expr_step *steps;
    struct sheaf_expr_node *nodes;
    struct sheaf_expr_element *elements;
    struct sheaf_expr_action *actions;
    struct sheaf_expr_ref *refs;
    struct sheaf_expr_slot *slots;
    size_t text_size;
    uint8_t *words;
};

static inline bool sheaf_expression_is_condition(sheaf_expression_kind kind)
{
    return kind == SHEAF_EXPRESSION_CONDITION || kind == SHEAF_EXPRESSION_FILTER || kind == SHEAF_EXPRESSION_KEY_CONDITION;
}

static inline bool sheaf_element_is_index(const struct sheaf_expr_element *element)
{
    return element->size == SHEAF_ELEMENT_INDEX;
}

/* The name of an element that is one. */
static inline sheaf_bytes sheaf_element_name(const struct sheaf_expression *expression,
                                             const struct sheaf_expr_element *element)
{
    return sheaf_bytes_of(expression->words + element->at, element->size);
}

static inline sheaf_bytes sheaf_slot_placeholder(const struct sheaf_expression *expression, const struct sheaf_expr_slot *slot)
{
    return sheaf_bytes_of(expression->words + slot->at, slot->size);
}

/* Less than, equal to or greater than 0: names come before indexes. */
int sheaf_element_compare(const struct sheaf_expression *expression, const struct sheaf_expr_element *left,
                          const struct sheaf_expr_element *right);

/* A path as messages print it, at the end of `out_draft`: [a, [0], b]. */
struct sheaf_message_draft;
void sheaf_path_print(const struct sheaf_expression *expression, const struct sheaf_expr_node *path,
                      struct sheaf_message_draft *out_draft);

/* A value in an expression that is checked: of a slot, or of the source it is made from. */
struct sheaf_expr_values {
    const sheaf_value *slots;             /* NULL: not bound */
    const sheaf_expression_value *values; /* NULL: nothing is known of values */
    size_t count;
};

/* What `type` is in a slot for which nobody gave a value. */
#define SHEAF_TYPE_UNDEFINED ((sheaf_type)(SHEAF_TYPE_BINARY_SET + 1))

/* The value of a slot; its type may be UNDEFINED. */
sheaf_value sheaf_slot_value(const struct sheaf_expression *expression, const struct sheaf_expr_values *values, size_t slot);

/*
 * Checks a new expression in DynamoDB's order: undefined names, counts and kinds of operands, paths that overlap, and
 * the values, if any are given. Sorts the actions (X4).
 */
sheaf_status sheaf_expression_check(struct sheaf_expression *expression, const struct sheaf_expr_values *values,
                                    sheaf_expression_fault *out_fault);

/* Checks the values only. */
sheaf_status sheaf_expression_check_bound(const struct sheaf_expression *expression, const struct sheaf_expr_values *values,
                                          sheaf_expression_fault *out_fault);

/* Where a path leads in an item. False: there is nothing. */
bool sheaf_path_follow(const struct sheaf_expression *expression, const struct sheaf_expr_node *path, const sheaf_item *item,
                       sheaf_value *out_value);

/* The same of the paths of a projection or an update. */
sheaf_status sheaf_expression_check_paths(struct sheaf_expression *expression, sheaf_expression_fault *out_fault);

/* And of what a key condition may not have. */
sheaf_status sheaf_expression_check_key_condition(const struct sheaf_expression *expression, sheaf_expression_fault *out_fault);

#endif
