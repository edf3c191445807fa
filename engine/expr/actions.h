/*
 * actions.h - sorted actions by groups: those whose paths are alike up to some depth.
 */
#ifndef SHEAF_EXPR_ACTIONS_H
#define SHEAF_EXPR_ACTIONS_H

#include "engine/expr/expression.h"

/* Actions side by side. */
struct sheaf_action_group {
    size_t begin, end;
};

static inline const struct sheaf_expr_node *sheaf_action_target(const struct sheaf_expression *expression, size_t action)
{
    return &expression->nodes[expression->actions[action].target];
}

static inline const struct sheaf_expr_element *sheaf_action_element(const struct sheaf_expression *expression, size_t action,
                                                                    size_t depth)
{
    return &expression->elements[sheaf_action_target(expression, action)->first + depth];
}

/* The action at `begin` and those behind it, before `limit`, with the same element at `depth`. All are alike before that. */
static inline struct sheaf_action_group sheaf_action_group_at(const struct sheaf_expression *expression, size_t begin,
                                                              size_t limit, size_t depth)
{
    struct sheaf_action_group group = { begin, begin + 1 };
    while (group.end < limit && sheaf_element_compare(expression, sheaf_action_element(expression, begin, depth),
                                                      sheaf_action_element(expression, group.end, depth)) == 0)
        group.end++;
    return group;
}

/* Whether a group is one action whose path is `depth` elements long: by X4 it is that, or all its paths are longer. */
static inline bool sheaf_action_ends(const struct sheaf_expression *expression, struct sheaf_action_group group, size_t depth)
{
    return sheaf_action_target(expression, group.begin)->count == depth;
}

/* What an element leads to in a map or list. */
static inline bool sheaf_element_find(const struct sheaf_expression *expression, const struct sheaf_expr_element *element,
                                      sheaf_value container, sheaf_value *out_value)
{
    if (sheaf_element_is_index(element)) return sheaf_value_element(container, element->at, out_value);
    return sheaf_value_member(container, sheaf_element_name(expression, element), out_value);
}

#endif
