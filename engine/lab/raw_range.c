#include "engine/lab/raw_range.h"

#include <string.h>

#include "engine/base/bytes.h"

/* The range of keys whose last part is equal to a value. */
static bool equal_range(const struct keys *keys, const sheaf_condition *conditions, size_t count, sheaf_bytes value,
                        struct key_room *room, sheaf_range *out_range, struct complaint *complaint)
{
    sheaf_condition equal[PLAN_FIELD_MAX];
    memcpy(equal, conditions, count * sizeof *equal);
    equal[count - 1].kind = SHEAF_CONDITION_EQUAL;
    equal[count - 1].low = value;
    return keys_range(keys, equal, count, room, out_range, complaint);
}

bool raw_range(const struct keys *keys, const sheaf_condition *conditions, size_t count, struct key_room *rooms,
               sheaf_range *out_range, struct complaint *complaint)
{
    const sheaf_condition *last = &conditions[count - 1];
    sheaf_range all, low, high;
    if (last->kind == SHEAF_CONDITION_EQUAL || last->kind == SHEAF_CONDITION_BEGINS_WITH) {
        return keys_range(keys, conditions, count, &rooms[0], out_range, complaint);
    }
    bool between = last->kind == SHEAF_CONDITION_BETWEEN;
    if (!keys_range(keys, conditions, count - 1, &rooms[0], &all, complaint) ||
        !equal_range(keys, conditions, count, last->low, &rooms[1], &low, complaint) ||
        !equal_range(keys, conditions, count, between ? last->high : last->low, &rooms[2], &high, complaint))
        return false;
    switch (last->kind) {
    case SHEAF_CONDITION_LESS: *out_range = sheaf_range_of(all.lower, low.lower); break;
    case SHEAF_CONDITION_AT_MOST: *out_range = sheaf_range_of(all.lower, low.upper); break;
    case SHEAF_CONDITION_AT_LEAST: *out_range = sheaf_range_of(low.lower, all.upper); break;
    case SHEAF_CONDITION_GREATER: *out_range = sheaf_range_of(low.upper, all.upper); break;
    case SHEAF_CONDITION_BETWEEN: *out_range = sheaf_range_of(low.lower, high.upper); break;
    case SHEAF_CONDITION_EQUAL:
    case SHEAF_CONDITION_BEGINS_WITH: break;
    }
    return true;
}

/* The library has added the delimiter if its bound is longer than what was asked by just that. */
static sheaf_bytes without_delimiter(sheaf_bytes bound, sheaf_bytes asked, uint8_t delimiter)
{
    if (bound.size <= asked.size || bound.data[bound.size - 1] != delimiter) return bound;
    sheaf_bytes shorter = sheaf_bytes_of(bound.data, bound.size - 1);
    return sheaf_bytes_equal(sheaf_bytes_skip(shorter, shorter.size - asked.size), asked) ? shorter : bound;
}

bool raw_beginning(const struct keys *keys, const sheaf_condition *conditions, size_t count, struct key_room *room,
                   sheaf_range *out_range, struct complaint *complaint)
{
    const sheaf_condition *last = &conditions[count - 1];
    uint8_t delimiter = keys->plan->fields[last->field].delimiter;
    if (!keys_range(keys, conditions, count, room, out_range, complaint)) return false;
    if (path_is_folder(last->low, delimiter)) return true;
    out_range->lower.bytes = without_delimiter(out_range->lower.bytes, last->low, delimiter);
    out_range->upper.bytes = without_delimiter(out_range->upper.bytes, last->low, delimiter);
    return true;
}
