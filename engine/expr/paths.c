/*
 * paths.c - the order of paths, and which of them cannot stand together.
 *
 *     a   a.b   a.c   a[0]   a[2].x   b      by their elements, names before indexes, a beginning before what goes on
 *
 * Two paths overlap if one is the beginning of the other. They conflict if, where they part, one goes into a map and
 * the other into a list. In sorted order whatever two paths do that, some two neighbours do it; only if they do, all
 * pairs are looked at, to tell of the same two as DynamoDB.
 */
#include "engine/base/assert.h"
#include "engine/base/bytes.h"
#include "engine/expr/expression.h"
#include "engine/expr/message.h"

int sheaf_element_compare(const struct sheaf_expression *expression, const struct sheaf_expr_element *left,
                          const struct sheaf_expr_element *right)
{
    bool left_is_index = sheaf_element_is_index(left), right_is_index = sheaf_element_is_index(right);
    if (left_is_index != right_is_index) return left_is_index ? 1 : -1;
    if (left_is_index) return (left->at > right->at) - (left->at < right->at);
    return sheaf_bytes_order(sheaf_element_name(expression, left), sheaf_element_name(expression, right));
}

void sheaf_path_print(const struct sheaf_expression *expression, const struct sheaf_expr_node *path,
                      struct sheaf_message_draft *out_draft)
{
    char digits[SHEAF_MESSAGE_NUMBER_SIZE];
    sheaf_message_append(out_draft, SHEAF_LIT("["));
    for (size_t i = 0; i < path->count; i++) {
        const struct sheaf_expr_element *element = &expression->elements[path->first + i];
        if (i > 0) sheaf_message_append(out_draft, SHEAF_LIT(", "));
        if (!sheaf_element_is_index(element)) {
            sheaf_message_append(out_draft, sheaf_element_name(expression, element));
            continue;
        }
        sheaf_message_append(out_draft, SHEAF_LIT("["));
        sheaf_message_append(out_draft, sheaf_message_number(element->at, digits));
        sheaf_message_append(out_draft, SHEAF_LIT("]"));
    }
    sheaf_message_append(out_draft, SHEAF_LIT("]"));
}

/* ---- order ------------------------------------------------------------------------------------------------------------ */

static const struct sheaf_expr_node *target_of(const struct sheaf_expression *expression,
                                               const struct sheaf_expr_action *action)
{
    return &expression->nodes[action->target];
}

/* How many elements two paths begin with alike. */
static size_t shared_count(const struct sheaf_expression *expression, const struct sheaf_expr_node *left,
                           const struct sheaf_expr_node *right)
{
    size_t limit = sheaf_size_min(left->count, right->count), shared = 0;
    while (shared < limit && sheaf_element_compare(expression, &expression->elements[left->first + shared],
                                                   &expression->elements[right->first + shared]) == 0)
        shared++;
    return shared;
}

static bool is_before(const struct sheaf_expression *expression, const struct sheaf_expr_action *left,
                      const struct sheaf_expr_action *right)
{
    const struct sheaf_expr_node *one = target_of(expression, left), *two = target_of(expression, right);
    size_t shared = shared_count(expression, one, two);
    if (shared == one->count || shared == two->count) return one->count < two->count;
    return sheaf_element_compare(expression, &expression->elements[one->first + shared],
                                 &expression->elements[two->first + shared]) < 0;
}

/* Lets the action at `root` sink to its place in a heap whose largest is first. */
static void sink(struct sheaf_expression *expression, size_t root, size_t count)
{
    struct sheaf_expr_action *actions = expression->actions;
    for (size_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && is_before(expression, &actions[child], &actions[child + 1])) child++;
        if (!is_before(expression, &actions[root], &actions[child])) return;
        struct sheaf_expr_action sunk = actions[root];
        actions[root] = actions[child];
        actions[child] = sunk;
        root = child;
    }
}

/* In place, without recursion, never slower than n log n: a text may have two thousand paths in the worst order. */
static void sort_actions(struct sheaf_expression *expression)
{
    struct sheaf_expr_action *actions = expression->actions;
    for (size_t root = expression->action_count / 2; root-- > 0;) sink(expression, root, expression->action_count);
    for (size_t count = expression->action_count; count > 1; count--) {
        struct sheaf_expr_action largest = actions[0];
        actions[0] = actions[count - 1];
        actions[count - 1] = largest;
        sink(expression, 0, count - 1);
    }
}

/* ---- faults ----------------------------------------------------------------------------------------------------------- */

/* Which of the two rules the paths of two actions break; NONE: neither. */
static sheaf_expression_rule compare_targets(const struct sheaf_expression *expression, const struct sheaf_expr_action *left,
                                             const struct sheaf_expr_action *right)
{
    const struct sheaf_expr_node *one = target_of(expression, left), *two = target_of(expression, right);
    size_t shared = shared_count(expression, one, two);
    if (shared == one->count || shared == two->count) return SHEAF_FAULT_PATHS_OVERLAP;
    bool one_is_index = sheaf_element_is_index(&expression->elements[one->first + shared]);
    bool two_is_index = sheaf_element_is_index(&expression->elements[two->first + shared]);
    return one_is_index != two_is_index ? SHEAF_FAULT_PATHS_CONFLICT : SHEAF_FAULT_NONE;
}

static sheaf_status refuse_pair(const struct sheaf_expression *expression, sheaf_expression_rule rule,
                                const struct sheaf_expr_node *one, const struct sheaf_expr_node *two,
                                sheaf_expression_fault *out_fault)
{
    struct sheaf_message_draft first = { .size = 0 }, second = { .size = 0 };
    sheaf_path_print(expression, one, &first);
    sheaf_path_print(expression, two, &second);
    struct sheaf_message_parts parts = { { sheaf_message_bytes(&first), sheaf_message_bytes(&second) } };
    return sheaf_expr_refuse(out_fault, expression->kind, rule, two->column, &parts);
}

/* Of all pairs that break the rule, the one whose later path comes first in the text, and with that one the first. */
static sheaf_status refuse_first(const struct sheaf_expression *expression, sheaf_expression_rule rule,
                                 sheaf_expression_fault *out_fault)
{
    const struct sheaf_expr_node *best_one = NULL, *best_two = NULL;
    for (size_t i = 0; i < expression->action_count; i++) {
        for (size_t j = i + 1; j < expression->action_count; j++) {
            if (compare_targets(expression, &expression->actions[i], &expression->actions[j]) != rule) continue;
            const struct sheaf_expr_node *one = target_of(expression, &expression->actions[i]);
            const struct sheaf_expr_node *two = target_of(expression, &expression->actions[j]);
            const struct sheaf_expr_node *earlier = one->column < two->column ? one : two, *later = earlier == one ? two : one;
            bool is_better = !best_two || later->column < best_two->column ||
                             (later == best_two && earlier->column < best_one->column);
            if (!is_better) continue;
            best_one = earlier;
            best_two = later;
        }
    }
    sheaf_assert(best_two);
    return refuse_pair(expression, rule, best_one, best_two, out_fault);
}

sheaf_status sheaf_expression_check_paths(struct sheaf_expression *expression, sheaf_expression_fault *out_fault)
{
    bool overlap = false, conflict = false;
    sort_actions(expression);
    for (size_t i = 1; i < expression->action_count; i++) {
        sheaf_expression_rule rule = compare_targets(expression, &expression->actions[i - 1], &expression->actions[i]);
        overlap = overlap || rule == SHEAF_FAULT_PATHS_OVERLAP;
        conflict = conflict || rule == SHEAF_FAULT_PATHS_CONFLICT;
    }
    if (overlap) return refuse_first(expression, SHEAF_FAULT_PATHS_OVERLAP, out_fault);
    if (conflict) return refuse_first(expression, SHEAF_FAULT_PATHS_CONFLICT, out_fault);
    return SHEAF_OK;
}
