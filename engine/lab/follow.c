#include "engine/lab/follow.h"

#include <inttypes.h>
#include <stdlib.h>

#include "engine/base/bytes.h"

/* ---- what follows ------------------------------------------------------------------------------------------------------- */

/* Of the field itself. */
static void follow_itself(const struct condition *condition, struct consequence *consequence)
{
    consequence->field = condition->field;
    consequence->relation = condition->relation;
    consequence->whole = condition->relation != RELATION_CHILDREN_OF;
    if (condition->relation == RELATION_SUBTREE_OF || condition->relation == RELATION_CHILDREN_OF) {
        consequence->relation = RELATION_BEGINS_WITH;
    }
}

static bool is_equal_or_bound(enum relation relation)
{
    switch (relation) {
    case RELATION_EQUAL:
    case RELATION_LESS:
    case RELATION_AT_MOST:
    case RELATION_AT_LEAST:
    case RELATION_GREATER:
    case RELATION_BETWEEN: return true;
    case RELATION_BEGINS_WITH:
    case RELATION_SUBTREE_OF:
    case RELATION_CHILDREN_OF: break;
    }
    return false;
}

/* Of a field that is worked out from that of the condition. False: nothing. */
static bool follow_derived(const struct condition *condition, enum derivation derivation, struct consequence *consequence)
{
    bool equal = condition->relation == RELATION_EQUAL, children = condition->relation == RELATION_CHILDREN_OF;
    consequence->relation = RELATION_EQUAL;
    consequence->how = derivation;
    switch (derivation) {
    case DERIVE_PARENT:
        if (children) consequence->how = DERIVE_NONE;
        consequence->whole = children;
        return equal || children;
    case DERIVE_NAME: return equal;
    case DERIVE_DEPTH: consequence->one_deeper = children; return equal || children;
    case DERIVE_BARE:
        /* A user who has lost the delimiter of folders asks for what is below by the folder with its delimiter. */
        consequence->whole = !children;
        if (equal) return true;
        consequence->relation = RELATION_BEGINS_WITH;
        consequence->how = DERIVE_NONE;
        return children || condition->relation == RELATION_SUBTREE_OF;
    case DERIVE_EPOCH_S:
    case DERIVE_EPOCH_MS:
        consequence->relation = condition->relation;
        consequence->whole = true;
        return is_equal_or_bound(condition->relation);
    case DERIVE_NONE:
    case DERIVE_PLACE: break;
    }
    return false;
}

void consequences_find(const struct plan *plan, const struct pattern *pattern, struct consequences *out_consequences)
{
    struct consequences found = { .count = 0 };
    found.list = allocate_zeroed(pattern->condition_count * (plan->field_count + 1), sizeof *found.list);
    for (size_t i = 0; i < pattern->condition_count; i++) {
        const struct condition *condition = &pattern->conditions[i];
        found.list[found.count] = (struct consequence){ .condition = i };
        follow_itself(condition, &found.list[found.count++]);
        for (size_t field = 0; field < plan->field_count; field++) {
            struct consequence consequence = { .condition = i, .field = field };
            if (field == condition->field || plan->fields[field].of != condition->field) continue;
            if (plan->fields[field].derivation == DERIVE_NONE) continue;
            if (follow_derived(condition, plan->fields[field].derivation, &consequence))
                found.list[found.count++] = consequence;
        }
    }
    *out_consequences = found;
}

void consequences_release(struct consequences *consequences)
{
    free(consequences->list);
    *consequences = (struct consequences){ .list = NULL };
}

/* ---- what of it is asked ------------------------------------------------------------------------------------------------ */

const struct consequence *consequences_on(const struct consequences *consequences, size_t field, bool equal)
{
    const struct consequence *found = NULL;
    for (size_t i = 0; i < consequences->count; i++) {
        const struct consequence *consequence = &consequences->list[i];
        if (consequence->field != field || (consequence->relation == RELATION_EQUAL) != equal) continue;
        if (!found || (consequence->whole && !found->whole)) found = consequence;
    }
    return found;
}

bool consequences_fix(const struct consequences *consequences, const struct plan *plan, const struct pattern *pattern,
                      size_t field)
{
    if (consequences_on(consequences, field, true)) return true;
    if (plan->fields[field].derivation != DERIVE_PARENT) return false;
    for (size_t i = 0; i < pattern->condition_count; i++) {
        const struct condition *condition = &pattern->conditions[i];
        if (condition->field == plan->fields[field].of && condition->relation == RELATION_CHILDREN_OF) return true;
    }
    return false;
}

/* ---- its value ---------------------------------------------------------------------------------------------------------- */

/* What lies in a folder is one part deeper; the root's depth is 0. */
static bool append_depth_below(const struct plan_field *field, sheaf_bytes folder, struct buffer *buffer)
{
    struct buffer depth = { 0 };
    struct complaint complaint;
    (void)derive_append(DERIVE_DEPTH, field->delimiter, folder, &depth, &complaint);
    buffer_append_byte(&depth, '\0');
    buffer_append_format(buffer, "%llu", strtoull((const char *)depth.data, NULL, 10) + 1);
    buffer_release(&depth);
    return true;
}

bool consequence_append_value(const struct consequence *consequence, const struct plan *plan, const struct argument *arguments,
                              size_t index, struct buffer *buffer, struct complaint *complaint)
{
    sheaf_bytes value = arguments[consequence->condition].values[index];
    const struct plan_field *field = &plan->fields[consequence->field];
    if (consequence->one_deeper) return append_depth_below(field, value, buffer);
    if (consequence->how == DERIVE_NONE) {
        buffer_append(buffer, value);
        return true;
    }
    return derive_append(consequence->how, field->delimiter, value, buffer, complaint);
}

bool consequence_is_vain(const struct consequence *consequence, const struct plan *plan, const struct pattern *pattern,
                         const struct argument *arguments)
{
    const struct condition *condition = &pattern->conditions[consequence->condition];
    bool folder = condition->relation == RELATION_SUBTREE_OF || condition->relation == RELATION_CHILDREN_OF;
    return folder && consequence->relation == RELATION_BEGINS_WITH &&
           path_is_root(arguments[consequence->condition].values[0], plan->fields[condition->field].delimiter);
}
