/*
 * used.c - whether all that a request brings along for its expressions is used by one of them.
 */
#include "engine/base/bytes.h"
#include "engine/expr/expression.h"
#include "engine/expr/message.h"

static bool uses_name(const struct sheaf_expression *expression, sheaf_bytes placeholder)
{
    for (size_t i = 0; i < expression->ref_count; i++) {
        const struct sheaf_expr_ref *ref = &expression->refs[i];
        if (sheaf_bytes_equal(sheaf_bytes_of(expression->words + ref->at, ref->size), placeholder)) return true;
    }
    return false;
}

static bool uses_value(const struct sheaf_expression *expression, sheaf_bytes placeholder)
{
    for (size_t i = 0; i < expression->slot_count; i++)
        if (sheaf_bytes_equal(sheaf_slot_placeholder(expression, &expression->slots[i]), placeholder)) return true;
    return false;
}

typedef bool use_test(const struct sheaf_expression *expression, sheaf_bytes placeholder);

static bool any_uses(const sheaf_expression *const *expressions, size_t count, use_test *uses, sheaf_bytes placeholder)
{
    bool used = false;
    for (size_t i = 0; i < count && !used; i++) used = expressions[i] && uses(expressions[i], placeholder);
    return used;
}

static void list(struct sheaf_message_draft *draft, sheaf_bytes placeholder)
{
    if (draft->size > 0) sheaf_message_append(draft, SHEAF_LIT(", "));
    sheaf_message_append(draft, placeholder);
}

static sheaf_status tell(const struct sheaf_message_draft *unused, sheaf_expression_rule rule,
                         sheaf_expression_fault *out_fault)
{
    if (unused->size == 0) return SHEAF_OK;
    struct sheaf_message_parts parts = { { sheaf_message_bytes(unused) } };
    return sheaf_expr_refuse(out_fault, SHEAF_EXPRESSION_CONDITION, rule, 0, &parts);
}

sheaf_status sheaf_expression_check_names(const sheaf_expression *const *expressions, size_t expression_count,
                                          const sheaf_expression_name *names, size_t name_count,
                                          sheaf_expression_fault *out_fault)
{
    struct sheaf_message_draft unused = { .size = 0 };
    for (size_t i = 0; i < name_count; i++)
        if (!any_uses(expressions, expression_count, uses_name, names[i].placeholder)) list(&unused, names[i].placeholder);
    return tell(&unused, SHEAF_FAULT_NAMES_USED, out_fault);
}

sheaf_status sheaf_expression_check_values(const sheaf_expression *const *expressions, size_t expression_count,
                                           const sheaf_expression_value *values, size_t value_count,
                                           sheaf_expression_fault *out_fault)
{
    struct sheaf_message_draft unused = { .size = 0 };
    for (size_t i = 0; i < value_count; i++)
        if (!any_uses(expressions, expression_count, uses_value, values[i].placeholder)) list(&unused, values[i].placeholder);
    return tell(&unused, SHEAF_FAULT_VALUES_USED, out_fault);
}
