/*
 * update.c - the record of an updated item, from the old one and the sorted actions, in one pass.
 *
 *     old       a  b  d  e             members of a map, sorted by name, as in the record
 *     actions   b = :x, c = :y, e.f = :z         groups, sorted by name
 *     new       a  b' c  d  e'         merged: copied, set, added, gone into
 *
 * A list is merged in the same way by index: indexes are those of the old list, whatever is deleted, and what is set
 * beyond its end comes behind it in the order of the indexes. All values are worked out from the old item (change.h).
 * What the merge goes into must be there and be of the kind that the path says.
 */
#include <string.h>

#include "engine/base/assert.h"
#include "engine/base/bytes.h"
#include "engine/expr/actions.h"
#include "engine/expr/change.h"
#include "engine/expr/message.h"

/* ---- one action ------------------------------------------------------------------------------------------------------- */

static sheaf_status set_value(struct sheaf_change *change, const struct sheaf_expr_action *action, sheaf_bytes name)
{
    struct sheaf_result result;
    sheaf_status status = sheaf_change_work_out(change, action->value, &result);
    if (status == SHEAF_OK) sheaf_change_add_result(change, name, &result);
    return status;
}

static sheaf_status add_numbers(struct sheaf_change *change, const struct sheaf_expr_action *action, sheaf_bytes name,
                                sheaf_value old, sheaf_value added)
{
    sheaf_number sum;
    sheaf_status status = sheaf_change_compute(change, change->expression->nodes[action->value].column, SHEAF_OPERATION_ADD,
                                               old, added, &sum);
    if (status == SHEAF_OK) sheaf_item_add_number(change->builder, name, sum);
    return status;
}

/* Adds the members of a set that are in the other one, or are not. */
static void add_members(struct sheaf_change *change, sheaf_value set, sheaf_value other, bool in_other)
{
    sheaf_value_cursor cursor = sheaf_value_begin(set);
    sheaf_value member;
    while (sheaf_value_next(&cursor, NULL, &member))
        if (sheaf_value_set_has(other, member) == in_other) sheaf_item_add(change->builder, sheaf_bytes_of(NULL, 0), member);
}

static bool is_subset(sheaf_value set, sheaf_value of)
{
    sheaf_value_cursor cursor = sheaf_value_begin(set);
    sheaf_value member;
    while (sheaf_value_next(&cursor, NULL, &member))
        if (!sheaf_value_set_has(of, member)) return false;
    return true;
}

/* ADD and DELETE where something is. */
static sheaf_status combine(struct sheaf_change *change, const struct sheaf_expr_action *action, sheaf_bytes name,
                            sheaf_value old)
{
    const struct sheaf_expr_node *node = &change->expression->nodes[action->value];
    sheaf_value given = change->slots[node->first];
    bool adds = action->section == SHEAF_SECTION_ADD;
    if (given.type != old.type) return sheaf_change_refuse(change, SHEAF_FAULT_UPDATE_TYPE, node->column);
    if (given.type == SHEAF_TYPE_NUMBER) return add_numbers(change, action, name, old, given);
    if (!adds && is_subset(old, given)) return SHEAF_OK; /* no set is empty: the attribute goes with its last member */
    sheaf_item_open(change->builder, name, old.type);
    if (adds) {
        add_members(change, old, old, true);
        add_members(change, given, old, false);
    } else {
        add_members(change, old, given, false);
    }
    sheaf_item_close(change->builder);
    return SHEAF_OK;
}

/* What one action does to a member or element; `old` is NULL where there is none. */
static sheaf_status apply(struct sheaf_change *change, size_t index, sheaf_bytes name, const sheaf_value *old)
{
    const struct sheaf_expr_action *action = &change->expression->actions[index];
    switch ((enum sheaf_expr_section)action->section) {
    case SHEAF_SECTION_SET: return set_value(change, action, name);
    case SHEAF_SECTION_REMOVE: return SHEAF_OK;
    case SHEAF_SECTION_ADD: return old ? combine(change, action, name, *old) : set_value(change, action, name);
    case SHEAF_SECTION_DELETE: return old ? combine(change, action, name, *old) : SHEAF_OK;
    }
    return SHEAF_OK;
}

/* ---- merging ---------------------------------------------------------------------------------------------------------- */

static sheaf_status merge(struct sheaf_change *change, struct sheaf_action_group all, size_t depth, sheaf_value container);

/* A group whose paths have `depth` elements behind them, at what is there, or NULL. */
static sheaf_status change_member(struct sheaf_change *change, struct sheaf_action_group group, size_t depth, sheaf_bytes name,
                                  const sheaf_value *old)
{
    if (sheaf_action_ends(change->expression, group, depth)) return apply(change, group.begin, name, old);
    bool wants_list = sheaf_element_is_index(sheaf_action_element(change->expression, group.begin, depth));
    if (!old || old->type != (wants_list ? SHEAF_TYPE_LIST : SHEAF_TYPE_MAP))
        return sheaf_change_refuse(change, SHEAF_FAULT_UPDATE_PATH,
                                   sheaf_action_target(change->expression, group.begin)->column);
    sheaf_item_open(change->builder, name, old->type);
    sheaf_status status = merge(change, group, depth, *old);
    sheaf_item_close(change->builder);
    return status;
}

/* Where a group stands to a member by this name or index: before it, at it or behind it. */
static int compare_member(const struct sheaf_change *change, const struct sheaf_expr_element *element, sheaf_bytes name,
                          size_t index)
{
    if (sheaf_element_is_index(element)) return (element->at > index) - (element->at < index);
    return sheaf_bytes_order(sheaf_element_name(change->expression, element), name);
}

/* The groups from `*at` on that stand before a member, and are not there; all that are left if `has_member` is false. */
static sheaf_status add_missing(struct sheaf_change *change, size_t *at, size_t end, size_t depth, bool has_member,
                                sheaf_bytes member, size_t index)
{
    while (*at < end) {
        const struct sheaf_expr_element *element = sheaf_action_element(change->expression, *at, depth);
        sheaf_bytes name = sheaf_bytes_of(NULL, 0);
        if (has_member && compare_member(change, element, member, index) >= 0) return SHEAF_OK;
        if (!sheaf_element_is_index(element)) name = sheaf_element_name(change->expression, element);
        struct sheaf_action_group group = sheaf_action_group_at(change->expression, *at, end, depth);
        sheaf_status status = change_member(change, group, depth + 1, name, NULL);
        if (status != SHEAF_OK) return status;
        *at = group.end;
    }
    return SHEAF_OK;
}

static sheaf_status merge(struct sheaf_change *change, struct sheaf_action_group all, size_t depth, sheaf_value container)
{
    sheaf_value_cursor cursor = sheaf_value_begin(container);
    sheaf_bytes name;
    sheaf_value value;
    size_t at = all.begin;
    sheaf_status status = SHEAF_OK;
    sheaf_assert(depth < SHEAF_EXPRESSION_PATH_MAX);
    for (size_t index = 0; status == SHEAF_OK && sheaf_value_next(&cursor, &name, &value); index++) {
        status = add_missing(change, &at, all.end, depth, true, name, index);
        if (status != SHEAF_OK) return status;
        if (at < all.end && compare_member(change, sheaf_action_element(change->expression, at, depth), name, index) == 0) {
            struct sheaf_action_group group = sheaf_action_group_at(change->expression, at, all.end, depth);
            status = change_member(change, group, depth + 1, name, &value);
            at = group.end;
        } else {
            sheaf_item_add(change->builder, name, value);
        }
    }
    return status == SHEAF_OK ? add_missing(change, &at, all.end, depth, false, name, 0) : status;
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

/* Where there is no item, all that is deleted is nowhere; what is set makes one. */
static sheaf_status make_item(struct sheaf_change *change)
{
    const struct sheaf_expression *expression = change->expression;
    sheaf_status status = SHEAF_OK;
    for (size_t i = 0; i < expression->action_count && status == SHEAF_OK; i++) {
        uint8_t section = expression->actions[i].section;
        if (section == SHEAF_SECTION_REMOVE || section == SHEAF_SECTION_DELETE) continue;
        sheaf_bytes name = sheaf_element_name(expression, sheaf_action_element(expression, i, 0));
        status = change_member(change, (struct sheaf_action_group){ i, i + 1 }, 1, name, NULL);
    }
    return status;
}

/* What the builder says of an item that broke its rules. */
static sheaf_status end_item(struct sheaf_change *change, const sheaf_item *item, sheaf_bytes *out_record)
{
    sheaf_bytes record;
    sheaf_detail detail = { .message = "" };
    sheaf_status status = sheaf_item_end(change->builder, &record, &detail);
    if (status == SHEAF_NO_MEMORY) return status;
    if (status == SHEAF_VALUE_TOO_LARGE) return sheaf_change_refuse(change, SHEAF_FAULT_UPDATE_SIZE, 0);
    if (status != SHEAF_OK) {
        struct sheaf_message_parts parts = { { sheaf_bytes_of(detail.message, strlen(detail.message)) } };
        return sheaf_expr_refuse(change->fault, change->expression->kind, SHEAF_FAULT_UPDATE_ITEM, 0, &parts);
    }
    sheaf_item updated = { .record = record, .keys = item ? item->keys : NULL, .key_count = item ? item->key_count : 0 };
    if (sheaf_item_size(&updated) > SHEAF_ITEM_SIZE_MAX) return sheaf_change_refuse(change, SHEAF_FAULT_UPDATE_SIZE, 0);
    *out_record = record;
    return SHEAF_OK;
}

sheaf_status sheaf_expression_update(const sheaf_expression *expression, const sheaf_value *slots, const sheaf_item *item,
                                     sheaf_item_builder *builder, sheaf_bytes *out_record_view,
                                     sheaf_expression_fault *out_fault)
{
    struct sheaf_change change = { expression, slots, item, builder, out_fault };
    bool exists = item && item->record.size > 0;
    struct sheaf_action_group all = { 0, expression->action_count };
    sheaf_item_begin(builder);
    sheaf_status status = exists ? merge(&change, all, 0, sheaf_item_value(item->record)) : make_item(&change);
    return status == SHEAF_OK ? end_item(&change, item, out_record_view) : status;
}

bool sheaf_expression_creates(const sheaf_expression *expression)
{
    for (size_t i = 0; i < expression->action_count; i++) {
        uint8_t section = expression->actions[i].section;
        if (section == SHEAF_SECTION_SET || section == SHEAF_SECTION_ADD) return true;
    }
    return false;
}
