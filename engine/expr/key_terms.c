/*
 * key_terms.c - what expressions have to do with keys: what a key condition asks of each attribute, and which
 * expressions must leave keys alone.
 */
#include "engine/base/bytes.h"
#include "engine/expr/expression.h"
#include "engine/expr/message.h"

static sheaf_status refuse(const struct sheaf_expression *expression, sheaf_expression_rule rule, size_t column,
                           sheaf_bytes part, sheaf_bytes other, sheaf_expression_fault *out_fault)
{
    struct sheaf_message_parts parts = { { part, other } };
    return sheaf_expr_refuse(out_fault, expression->kind, rule, column, &parts);
}

/* ---- terms ---------------------------------------------------------------------------------------------------------- */

/* What an operator asks, the key on its left side, and on its right. */
static const struct asked {
    sheaf_condition_kind key_left, key_right;
} ASKED[SHEAF_OPERATION_COUNT] = {
    [SHEAF_OPERATION_EQUAL] = { SHEAF_CONDITION_EQUAL, SHEAF_CONDITION_EQUAL },
    [SHEAF_OPERATION_LESS] = { SHEAF_CONDITION_LESS, SHEAF_CONDITION_GREATER },
    [SHEAF_OPERATION_AT_MOST] = { SHEAF_CONDITION_AT_MOST, SHEAF_CONDITION_AT_LEAST },
    [SHEAF_OPERATION_GREATER] = { SHEAF_CONDITION_GREATER, SHEAF_CONDITION_LESS },
    [SHEAF_OPERATION_AT_LEAST] = { SHEAF_CONDITION_AT_LEAST, SHEAF_CONDITION_AT_MOST },
    [SHEAF_OPERATION_BETWEEN] = { SHEAF_CONDITION_BETWEEN, SHEAF_CONDITION_BETWEEN },
    [SHEAF_OPERATION_BEGINS_WITH] = { SHEAF_CONDITION_BEGINS_WITH, SHEAF_CONDITION_BEGINS_WITH },
};

/* A condition taken apart. */
struct clause {
    sheaf_bytes name;
    size_t column;
    sheaf_key_term term;
};

static void read_clause(const struct sheaf_expression *expression, const sheaf_value *slots, size_t index, struct clause *out)
{
    const struct sheaf_expr_step *step = &expression->steps[index];
    const struct sheaf_expr_node *node = &expression->nodes[step->first];
    bool key_left = node->kind == SHEAF_NODE_PATH;
    size_t value_count = 0;
    sheaf_value values[2] = { { .type = SHEAF_TYPE_NULL }, { .type = SHEAF_TYPE_NULL } };
    for (uint16_t i = step->first; i != SHEAF_EXPR_NONE; i = node->next) {
        node = &expression->nodes[i];
        if (node->kind == SHEAF_NODE_VALUE) {
            values[value_count++] = slots[node->first];
        } else {
            out->name = sheaf_element_name(expression, &expression->elements[node->first]);
            out->column = node->column;
        }
    }
    const struct asked *asked = &ASKED[step->operation];
    out->term = (sheaf_key_term){ key_left ? asked->key_left : asked->key_right, values[0], values[1] };
}

/* The clause on this attribute. False: there is none. */
static bool find_clause(const struct sheaf_expression *expression, const sheaf_value *slots, sheaf_bytes name,
                        struct clause *out_clause)
{
    for (size_t i = 0; i < expression->step_count; i++) {
        read_clause(expression, slots, i, out_clause);
        if (sheaf_bytes_equal(out_clause->name, name)) return true;
    }
    return false;
}

/* Whether its values are what the attribute is. */
static sheaf_status check_types(const struct sheaf_expression *expression, const struct clause *clause, sheaf_type type,
                                sheaf_expression_fault *out_fault)
{
    bool fits = clause->term.low.type == type &&
                (clause->term.kind != SHEAF_CONDITION_BETWEEN || clause->term.high.type == type) &&
                (clause->term.kind != SHEAF_CONDITION_BEGINS_WITH || type != SHEAF_TYPE_NUMBER);
    sheaf_bytes none = { NULL, 0 };
    return fits ? SHEAF_OK : refuse(expression, SHEAF_FAULT_KEY_TYPE, clause->column, none, none, out_fault);
}

static sheaf_status take_partition(const struct sheaf_expression *expression, const sheaf_value *slots,
                                   const sheaf_key_schema *schema, sheaf_key_term *out_terms, sheaf_expression_fault *out_fault)
{
    sheaf_bytes none = { NULL, 0 };
    for (size_t i = 0; i < schema->partition_count; i++) {
        const sheaf_key_attribute *attribute = &schema->attributes[i];
        struct clause clause = { .column = 0 };
        if (!find_clause(expression, slots, attribute->name, &clause))
            return refuse(expression, SHEAF_FAULT_KEY_MISSED, 0, attribute->name, none, out_fault);
        sheaf_status status = check_types(expression, &clause, attribute->type, out_fault);
        if (status != SHEAF_OK) return status;
        if (clause.term.kind != SHEAF_CONDITION_EQUAL)
            return refuse(expression, SHEAF_FAULT_KEY_SUPPORTED, clause.column, none, none, out_fault);
        out_terms[i] = clause.term;
    }
    return SHEAF_OK;
}

/* As many sort attributes from the first on as there are clauses left. */
static sheaf_status take_sort(const struct sheaf_expression *expression, const sheaf_value *slots,
                              const sheaf_key_schema *schema, sheaf_key_term *out_terms, size_t *out_count,
                              sheaf_expression_fault *out_fault)
{
    const sheaf_key_attribute *attributes = schema->attributes + schema->partition_count, *gap = NULL;
    sheaf_bytes none = { NULL, 0 };
    size_t count = 0;
    for (size_t i = 0; i < schema->sort_count; i++) {
        struct clause clause = { .column = 0 };
        bool found = find_clause(expression, slots, attributes[i].name, &clause);
        if (found && gap)
            return refuse(expression, SHEAF_FAULT_KEY_GAP, clause.column, gap->name, attributes[i].name, out_fault);
        if (!found || clause.term.kind != SHEAF_CONDITION_EQUAL) gap = gap ? gap : &attributes[i];
        if (!found) continue;
        sheaf_status status = check_types(expression, &clause, attributes[i].type, out_fault);
        if (status != SHEAF_OK) return status;
        out_terms[count++] = clause.term;
    }
    if (schema->partition_count + count < expression->step_count) /* a clause on what is no key */
        return gap ? refuse(expression, SHEAF_FAULT_KEY_MISSED, 0, gap->name, none, out_fault)
                   : refuse(expression, SHEAF_FAULT_KEY_SUPPORTED, 0, none, none, out_fault);
    *out_count = count;
    return SHEAF_OK;
}

sheaf_status sheaf_expression_key_terms(const sheaf_expression *expression, const sheaf_value *slots,
                                        const sheaf_key_schema *schema, sheaf_key_term *out_terms, size_t *out_term_count,
                                        sheaf_expression_fault *out_fault)
{
    char asked[SHEAF_MESSAGE_NUMBER_SIZE], there[SHEAF_MESSAGE_NUMBER_SIZE];
    sheaf_key_term terms[2 * SHEAF_KEY_ATTRIBUTE_MAX];
    size_t attribute_count = schema->partition_count + schema->sort_count, sort_count = 0;
    sheaf_bytes none = { NULL, 0 };
    if (expression->step_count > attribute_count && expression->step_count > 2)
        return refuse(expression, SHEAF_FAULT_KEY_COUNT, 0, sheaf_message_number(expression->step_count, asked),
                      sheaf_message_number(attribute_count, there), out_fault);
    sheaf_status status = take_partition(expression, slots, schema, terms, out_fault);
    if (status == SHEAF_OK && schema->sort_count == 0 && expression->step_count > schema->partition_count)
        status = refuse(expression, SHEAF_FAULT_KEY_SUPPORTED, 0, none, none, out_fault);
    if (status == SHEAF_OK)
        status = take_sort(expression, slots, schema, terms + schema->partition_count, &sort_count, out_fault);
    if (status != SHEAF_OK) return status;
    *out_term_count = schema->partition_count + sort_count;
    for (size_t i = 0; i < *out_term_count; i++) out_terms[i] = terms[i];
    return SHEAF_OK;
}

/* ---- keys left alone ------------------------------------------------------------------------------------------------ */

/* The attribute of the key with which a path begins; NULL: it begins with none. */
static const sheaf_key_attribute *find_attribute(const struct sheaf_expression *expression, const struct sheaf_expr_node *path,
                                                 const sheaf_key_schema *schema)
{
    sheaf_bytes name = sheaf_element_name(expression, &expression->elements[path->first]);
    for (size_t i = 0; i < schema->partition_count + schema->sort_count; i++)
        if (sheaf_bytes_equal(name, schema->attributes[i].name)) return &schema->attributes[i];
    return NULL;
}

static sheaf_status check_targets(const struct sheaf_expression *expression, const sheaf_key_schema *schema,
                                  sheaf_expression_fault *out_fault)
{
    const struct sheaf_expr_node *first = NULL;
    for (size_t i = 0; i < expression->action_count; i++) {
        const struct sheaf_expr_node *target = &expression->nodes[expression->actions[i].target];
        if (find_attribute(expression, target, schema) && (!first || target->column < first->column)) first = target;
    }
    if (!first) return SHEAF_OK;
    return refuse(expression, SHEAF_FAULT_UPDATE_KEY, first->column, find_attribute(expression, first, schema)->name,
                  sheaf_bytes_of(NULL, 0), out_fault);
}

sheaf_status sheaf_expression_check_keys(const sheaf_expression *expression, const sheaf_key_schema *schema,
                                         sheaf_expression_fault *out_fault)
{
    if (expression->kind == SHEAF_EXPRESSION_UPDATE) return check_targets(expression, schema, out_fault);
    if (expression->kind != SHEAF_EXPRESSION_FILTER) return SHEAF_OK;
    for (size_t i = 0; i < expression->node_count; i++) {
        const struct sheaf_expr_node *node = &expression->nodes[i];
        const sheaf_key_attribute *key = node->kind == SHEAF_NODE_PATH ? find_attribute(expression, node, schema) : NULL;
        if (key) return refuse(expression, SHEAF_FAULT_FILTER_KEY, node->column, key->name, sheaf_bytes_of(NULL, 0), out_fault);
    }
    return SHEAF_OK;
}

sheaf_status sheaf_expression_check_scalars(const sheaf_expression *expression, const sheaf_key_schema *schema, bool is_index,
                                            sheaf_expression_fault *out_fault)
{
    for (size_t i = 0; i < expression->node_count; i++) {
        const struct sheaf_expr_node *node = &expression->nodes[i];
        const sheaf_key_attribute *key = node->kind == SHEAF_NODE_PATH ? find_attribute(expression, node, schema) : NULL;
        if (!key || node->count == 1) continue;
        return refuse(expression, SHEAF_FAULT_KEY_SCALAR, node->column, is_index ? SHEAF_LIT("IndexKey") : SHEAF_LIT("Key"),
                      key->name, out_fault);
    }
    return SHEAF_OK;
}
