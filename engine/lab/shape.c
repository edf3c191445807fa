#include "engine/lab/shape.h"

/* One condition a field at most. */
_Static_assert(PLAN_FIELD_MAX <= 64, "a bit for each condition");

/* ---- which entries ------------------------------------------------------------------------------------------------------ */

static void fix_partition(const struct keys *keys, struct shape *shape)
{
    const struct key *key = &keys->keys[SHEAF_LAYOUT_PARTITION_KEY];
    shape->partition_fixed = true;
    for (size_t i = 0; i < key->part_count; i++) {
        shape->partition[i] = consequences_on(&shape->consequences, key->parts[i].field, true);
        if (!shape->partition[i]) shape->partition_fixed = false;
    }
}

/* Equalities as far as they go, then one other relation. */
static void bound_sort(const struct keys *keys, struct shape *shape)
{
    const struct key *key = &keys->keys[SHEAF_LAYOUT_SORT_KEY];
    for (size_t i = 0; i < key->part_count; i++) {
        const struct consequence *equal = consequences_on(&shape->consequences, key->parts[i].field, true);
        const struct consequence *other = equal ? NULL : consequences_on(&shape->consequences, key->parts[i].field, false);
        if (!equal && !other) return;
        shape->sort[shape->sort_count++] = equal ? equal : other;
        if (!equal) return;
    }
}

/* What the consequences used say of a condition together. */
struct said {
    bool all;
    bool parent, name;     /* which make up a path */
    bool depth, beginning; /* which make up a level of a folder */
};

static void say(const struct consequence *used, size_t condition, struct said *said)
{
    if (!used || used->condition != condition) return;
    said->all |= used->whole;
    said->parent |= used->how == DERIVE_PARENT;
    said->name |= used->how == DERIVE_NAME;
    said->depth |= used->one_deeper;
    said->beginning |= used->relation == RELATION_BEGINS_WITH;
}

static bool is_covered(const struct keys *keys, const struct shape *shape, const struct condition *condition, size_t index)
{
    struct said said = { .all = false };
    for (size_t i = 0; i < keys->keys[SHEAF_LAYOUT_PARTITION_KEY].part_count; i++) say(shape->partition[i], index, &said);
    for (size_t i = 0; i < shape->sort_count; i++) say(shape->sort[i], index, &said);
    if (condition->relation == RELATION_EQUAL && said.parent && said.name) return true;
    if (condition->relation == RELATION_CHILDREN_OF && said.depth && said.beginning) return true;
    return said.all;
}

/* ---- in which order ----------------------------------------------------------------------------------------------------- */

/* Whether a part of the key sorts as a field does, among the rows that the pattern asks for. */
static bool sorts_as(const struct plan *plan, const struct pattern *pattern, const struct shape *shape, size_t part,
                     size_t field)
{
    if (part == field) return true;
    if (plan->fields[part].of != field) return false;
    switch (plan->fields[part].derivation) {
    case DERIVE_BARE:
    case DERIVE_EPOCH_S:
    case DERIVE_EPOCH_MS: return true;
    case DERIVE_NAME: /* among the children of one folder */
        for (size_t i = 0; i < plan->field_count; i++) {
            if (plan->fields[i].derivation != DERIVE_PARENT || plan->fields[i].of != field) continue;
            if (consequences_fix(&shape->consequences, plan, pattern, i)) return true;
        }
        return false;
    case DERIVE_NONE:
    case DERIVE_PARENT:
    case DERIVE_DEPTH:
    case DERIVE_PLACE: break;
    }
    return false;
}

/* The first part of the sort key from `at` on that differs between rows; part_count: there is none. */
static size_t next_part(const struct plan *plan, const struct pattern *pattern, const struct keys *keys,
                        const struct shape *shape, size_t at)
{
    const struct key *key = &keys->keys[SHEAF_LAYOUT_SORT_KEY];
    while (at < key->part_count && consequences_fix(&shape->consequences, plan, pattern, key->parts[at].field)) at++;
    return at;
}

/* Keys are unique in a partition: once all their parts are used up there are no ties left to order. */
static void order_sort(const struct plan *plan, const struct pattern *pattern, const struct keys *keys, struct shape *shape)
{
    const struct key *key = &keys->keys[SHEAF_LAYOUT_SORT_KEY];
    bool forward = true, reverse = true;
    size_t at = next_part(plan, pattern, keys, shape, 0);
    for (size_t i = 0; i < pattern->order_count && at < key->part_count; i++) {
        const struct order_part *asked = &pattern->order[i];
        if (consequences_fix(&shape->consequences, plan, pattern, asked->field)) continue;
        if (!sorts_as(plan, pattern, shape, key->parts[at].field, asked->field)) return;
        bool same = (key->parts[at].order == SHEAF_LAYOUT_DESCENDING) == asked->descending;
        forward &= same;
        reverse &= !same;
        at = next_part(plan, pattern, keys, shape, at + 1);
    }
    shape->ordered = shape->partition_fixed && (forward || reverse);
    shape->direction = forward ? SHEAF_FORWARD : SHEAF_REVERSE;
}

void shape_find(const struct plan *plan, const struct pattern *pattern, const struct keys *keys, struct shape *out_shape)
{
    struct shape *shape = out_shape;
    *shape = (struct shape){ .left_over = 0 };
    consequences_find(plan, pattern, &shape->consequences);
    fix_partition(keys, shape);
    if (shape->partition_fixed) bound_sort(keys, shape);
    for (size_t i = 0; i < pattern->condition_count; i++)
        if (!shape->partition_fixed || !is_covered(keys, shape, &pattern->conditions[i], i))
            shape->left_over |= (uint64_t)1 << i;
    order_sort(plan, pattern, keys, shape);
    if (pattern->order_count == 0) shape->ordered = true;
}

void shape_release(struct shape *shape)
{
    consequences_release(&shape->consequences);
}
