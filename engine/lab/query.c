#include "engine/lab/query.h"

#include <inttypes.h>

#include "engine/base/bytes.h"
#include "engine/base/utf8.h"
#include "engine/lab/raw_range.h"

/* ---- forming ------------------------------------------------------------------------------------------------------------ */

static sheaf_condition_kind kind_of(enum relation relation)
{
    switch (relation) {
    case RELATION_LESS: return SHEAF_CONDITION_LESS;
    case RELATION_AT_MOST: return SHEAF_CONDITION_AT_MOST;
    case RELATION_AT_LEAST: return SHEAF_CONDITION_AT_LEAST;
    case RELATION_GREATER: return SHEAF_CONDITION_GREATER;
    case RELATION_BETWEEN: return SHEAF_CONDITION_BETWEEN;
    case RELATION_BEGINS_WITH: return SHEAF_CONDITION_BEGINS_WITH;
    case RELATION_EQUAL:
    case RELATION_SUBTREE_OF: /* no consequence has these two */
    case RELATION_CHILDREN_OF: break;
    }
    return SHEAF_CONDITION_EQUAL;
}

static bool take_value(struct query *query, const struct consequence *consequence, const struct inquiry *inquiry, size_t index,
                       sheaf_bytes *out_value, struct complaint *complaint)
{
    struct buffer buffer = { 0 };
    bool sound = consequence_append_value(consequence, inquiry->plan, inquiry->arguments, index, &buffer, complaint);
    if (sound) *out_value = arena_copy(&query->values, buffer_view(&buffer));
    buffer_release(&buffer);
    return sound;
}

static bool form_partition(struct query *query, const struct keys *keys, const struct shape *shape,
                           const struct inquiry *inquiry, struct complaint *complaint)
{
    sheaf_bytes values[PLAN_FIELD_MAX] = { { NULL, 0 } };
    for (size_t i = 0; i < keys->keys[SHEAF_LAYOUT_PARTITION_KEY].part_count; i++) {
        const struct consequence *consequence = shape->partition[i];
        if (!take_value(query, consequence, inquiry, 0, &values[consequence->field], complaint)) return false;
    }
    return keys_encode(keys, SHEAF_LAYOUT_PARTITION_KEY, values, &query->partition_room, &query->partition_key, complaint);
}

static bool form_range(struct query *query, const struct keys *keys, const struct shape *shape, const struct inquiry *inquiry,
                       struct complaint *complaint)
{
    sheaf_condition conditions[PLAN_FIELD_MAX];
    size_t count = 0;
    bool raw = false;
    for (size_t i = 0; i < shape->sort_count; i++) {
        const struct consequence *consequence = shape->sort[i];
        if (consequence_is_vain(consequence, inquiry->plan, inquiry->pattern, inquiry->arguments)) break; /* the last */
        sheaf_condition *condition = &conditions[count++];
        *condition = (sheaf_condition){ .field = consequence->field, .kind = kind_of(consequence->relation) };
        if (!take_value(query, consequence, inquiry, 0, &condition->low, complaint)) return false;
        bool between = condition->kind == SHEAF_CONDITION_BETWEEN;
        if (between && !take_value(query, consequence, inquiry, 1, &condition->high, complaint)) return false;
        raw = keys->keys[SHEAF_LAYOUT_SORT_KEY].parts[i].order == SHEAF_LAYOUT_UNORDERED;
    }
    bool beginning = count > 0 && conditions[count - 1].kind == SHEAF_CONDITION_BEGINS_WITH;
    if (beginning && inquiry->plan->fields[conditions[count - 1].field].type == VALUE_PATH) {
        return raw_beginning(keys, conditions, count, &query->sort_rooms[0], &query->range, complaint);
    }
    if (raw) return raw_range(keys, conditions, count, query->sort_rooms, &query->range, complaint);
    return keys_range(keys, conditions, count, &query->sort_rooms[0], &query->range, complaint);
}

bool query_form(struct query *query, const struct keys *keys, const struct shape *shape, const struct inquiry *inquiry,
                struct complaint *complaint)
{
    query->values = (struct arena){ 0 };
    query->direction = shape->direction;
    query->limit = shape_is_one_query(shape) ? inquiry->pattern->limit : PATTERN_NO_LIMIT;
    if (!form_partition(query, keys, shape, inquiry, complaint)) return false;
    if (!form_range(query, keys, shape, inquiry, complaint)) return false;
    if (!sheaf_range_is_inverted(&query->range)) return true;
    return complain(complaint, "the lower bound %s sorts above the upper bound %s", quote(query->range.lower.bytes).text,
                    quote(query->range.upper.bytes).text);
}

void query_release(struct query *query)
{
    arena_release(&query->values);
}

/* ---- writing it down ---------------------------------------------------------------------------------------------------- */

/* Text between quotes; other bytes in hexadecimal, as those of binary keys. */
static void append_key(sheaf_bytes key, sheaf_layout_type type, struct buffer *buffer)
{
    if (type != SHEAF_LAYOUT_BINARY && type != SHEAF_LAYOUT_NUMBER && sheaf_utf8_is_valid(key)) {
        buffer_append_text(buffer, quote(key).text);
        return;
    }
    buffer_append_text(buffer, "<");
    for (size_t i = 0; i < key.size && i < 24; i++) buffer_append_format(buffer, "%02x", key.data[i]);
    buffer_append_text(buffer, key.size > 24 ? "…>" : ">");
}

static bool is_prefix(const sheaf_range *range)
{
    return range->lower.side == SHEAF_SIDE_BEFORE && range->upper.side == SHEAF_SIDE_AFTER_PREFIX &&
           sheaf_bytes_equal(range->lower.bytes, range->upper.bytes);
}

static bool is_equality(const sheaf_range *range)
{
    return range->lower.side == SHEAF_SIDE_BEFORE && range->upper.side == SHEAF_SIDE_AFTER &&
           sheaf_bytes_equal(range->lower.bytes, range->upper.bytes);
}

static void append_cut(sheaf_cut cut, bool lower, sheaf_layout_type type, struct buffer *buffer)
{
    bool of_all = cut.side == (lower ? SHEAF_SIDE_BEFORE : SHEAF_SIDE_AFTER_PREFIX) && cut.bytes.size == 0;
    if (of_all) return;
    switch (cut.side) {
    case SHEAF_SIDE_UNBOUNDED: return;
    case SHEAF_SIDE_BEFORE: buffer_append_text(buffer, lower ? ", sk >= " : ", sk < "); break;
    case SHEAF_SIDE_AFTER: buffer_append_text(buffer, lower ? ", sk > " : ", sk <= "); break;
    case SHEAF_SIDE_AFTER_PREFIX: buffer_append_text(buffer, lower ? ", sk beyond all of " : ", sk through all of "); break;
    }
    append_key(cut.bytes, type, buffer);
}

void query_append(const struct query *query, const struct keys *keys, struct buffer *buffer)
{
    sheaf_layout_type type = keys->keys[SHEAF_LAYOUT_SORT_KEY].type;
    buffer_append_text(buffer, "pk = ");
    append_key(query->partition_key, keys->keys[SHEAF_LAYOUT_PARTITION_KEY].type, buffer);
    if (is_prefix(&query->range) || is_equality(&query->range)) {
        buffer_append_text(buffer, is_prefix(&query->range) ? ", sk begins_with " : ", sk = ");
        append_key(query->range.lower.bytes, type, buffer);
    } else {
        append_cut(query->range.lower, true, type, buffer);
        append_cut(query->range.upper, false, type, buffer);
    }
    if (query->direction == SHEAF_REVERSE) buffer_append_text(buffer, ", reverse");
    if (query->limit != PATTERN_NO_LIMIT) buffer_append_format(buffer, ", limit %" PRIu64, query->limit);
}
