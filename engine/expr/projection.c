/*
 * projection.c - the part of an item that sorted paths name, by way of a builder.
 *
 *     a.b  a.c[0]  a.c[2]  d         group a: a map, in it b and group c: a list, in it two elements; d as it is
 *
 * Paths that go into one map or list are side by side (X4): a group, at whose depth they all have the same element. A
 * group of which nothing is there leaves no empty map behind: so it is looked for first. Depth is at most
 * SHEAF_EXPRESSION_PATH_MAX.
 */
#include "engine/base/assert.h"
#include "engine/expr/actions.h"
#include "engine/expr/expression.h"

/* Whether a path leads anywhere, from a value that lies at `depth` of it. */
static bool is_there(const struct sheaf_expression *expression, const struct sheaf_expr_node *path, size_t depth,
                     sheaf_value value)
{
    bool found = true;
    for (size_t i = depth; i < path->count && found; i++)
        found = sheaf_element_find(expression, &expression->elements[path->first + i], value, &value);
    return found;
}

static bool any_is_there(const struct sheaf_expression *expression, struct sheaf_action_group group, size_t depth,
                         sheaf_value value)
{
    for (size_t i = group.begin; i < group.end; i++)
        if (is_there(expression, sheaf_action_target(expression, i), depth, value)) return true;
    return false;
}

static void project_group(const struct sheaf_expression *expression, struct sheaf_action_group group, size_t depth,
                          sheaf_bytes name, sheaf_value value, sheaf_item_builder *builder);

/* What lies in a map or a list. */
static void project_members(const struct sheaf_expression *expression, struct sheaf_action_group all, size_t depth,
                            sheaf_value container, sheaf_item_builder *builder)
{
    for (size_t begin = all.begin; begin < all.end;) {
        struct sheaf_action_group group = sheaf_action_group_at(expression, begin, all.end, depth);
        const struct sheaf_expr_element *element = sheaf_action_element(expression, begin, depth);
        sheaf_bytes name = sheaf_element_is_index(element) ? sheaf_bytes_of(NULL, 0) : sheaf_element_name(expression, element);
        sheaf_value value;
        if (sheaf_element_find(expression, element, container, &value))
            project_group(expression, group, depth + 1, name, value, builder);
        begin = group.end;
    }
}

/* A value, or what paths that end deeper name of it. */
static void project_group(const struct sheaf_expression *expression, struct sheaf_action_group group, size_t depth,
                          sheaf_bytes name, sheaf_value value, sheaf_item_builder *builder)
{
    sheaf_assert(depth <= SHEAF_EXPRESSION_PATH_MAX);
    if (sheaf_action_ends(expression, group, depth)) {
        sheaf_item_add(builder, name, value);
    } else if (any_is_there(expression, group, depth, value)) {
        sheaf_item_open(builder, name, value.type);
        project_members(expression, group, depth, value, builder);
        sheaf_item_close(builder);
    }
}

void sheaf_expression_project(const sheaf_expression *expression, const sheaf_item *item, sheaf_item_builder *builder)
{
    if (!item || item->record.size == 0) return;
    for (size_t begin = 0; begin < expression->action_count;) {
        struct sheaf_action_group group = sheaf_action_group_at(expression, begin, expression->action_count, 0);
        sheaf_bytes name = sheaf_element_name(expression, sheaf_action_element(expression, begin, 0));
        sheaf_value value;
        if (sheaf_item_attribute(item, name, &value)) project_group(expression, group, 1, name, value, builder);
        begin = group.end;
    }
}
