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

static void list(struct sheaf_message_draft *draft, sheaf_bytes placeholder)
{
    if (draft->size > 0) sheaf_message_append(draft, SHEAF_LIT(", "));
    sheaf_message_append(draft, placeholder);
}

sheaf_status sheaf_expression_check_names(const sheaf_expression *const *expressions, size_t expression_count,
                                          const sheaf_expression_name *names, size_t name_count,
                                          sheaf_expression_fault *out_fault)
{
    struct sheaf_message_draft unused = { .size = 0 };
    for (size_t name = 0; name < name_count; name++) {
        bool used = false;
        for (size_t i = 0; i < expression_count && !used; i++)
            used = expressions[i] && uses_name(expressions[i], names[name].placeholder);
        if (!used) list(&unused, names[name].placeholder);
    }
    if (unused.size == 0) return SHEAF_OK;
    struct sheaf_message_parts parts = { { sheaf_message_bytes(&unused) } };
    return sheaf_expr_refuse(out_fault, SHEAF_EXPRESSION_CONDITION, SHEAF_FAULT_NAMES_USED, 0, &parts);
}
