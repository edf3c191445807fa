/*
 * follow.h - what a condition of a pattern says about the fields that are worked out from its own.
 *
 *     path children_of docs/     parent = docs/                           the same said of another field
 *                                depth = 2, path begins with docs/        the same if both are there
 *     path subtree_of docs/      path begins with docs/                   the same
 *     time at_least 2026-05-01   epoch_s at least 1777593600              the same
 *     path = docs/cv.pdf         parent = docs/, depth = 2                follows, and is less
 *
 * So a layout that keys by parents can answer for children, though the plan does not know of layouts when it names patterns.
 */
#ifndef SHEAF_LAB_FOLLOW_H
#define SHEAF_LAB_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/input/buffer.h"
#include "engine/input/complaint.h"
#include "engine/lab/plan.h"
#include "engine/lab/truth.h"

/* A condition on a field, as it follows from one of a pattern. */
struct consequence {
    size_t field;
    enum relation relation; /* RELATION_EQUAL to RELATION_BEGINS_WITH */
    size_t condition;       /* of the pattern */
    enum derivation how;    /* what has to be worked out from its value */
    bool one_deeper;        /* DERIVE_DEPTH: of what lies in the folder */
    bool whole;             /* it says all that the condition does */
};

/* Each condition can say something of itself and of every other field. */
struct consequences {
    struct consequence *list;
    size_t count;
};

void consequences_find(const struct plan *plan, const struct pattern *pattern, struct consequences *out_consequences);
void consequences_release(struct consequences *consequences);

/* The consequence on a field that says most, if `equal` an equality, else something other; NULL: there is none. */
const struct consequence *consequences_on(const struct consequences *consequences, size_t field, bool equal);

/* Whether all rows that satisfy the pattern have the same value in a field. */
bool consequences_fix(const struct consequences *consequences, const struct plan *plan, const struct pattern *pattern,
                      size_t field);

/* Appends the value that a consequence asks for. False, with a complaint, where it cannot be worked out. `index` 1: of the
 * upper bound. */
bool consequence_append_value(const struct consequence *consequence, const struct plan *plan, const struct argument *arguments,
                              size_t index, struct buffer *buffer, struct complaint *complaint);

/* Whether it asks for a beginning, and all there is begins so: the subtree of the root. */
bool consequence_is_vain(const struct consequence *consequence, const struct plan *plan, const struct pattern *pattern,
                         const struct argument *arguments);

#endif
