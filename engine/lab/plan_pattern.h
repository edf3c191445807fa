/*
 * plan_pattern.h - the patterns of a plan. Private to it.
 */
#ifndef SHEAF_LAB_PLAN_PATTERN_H
#define SHEAF_LAB_PLAN_PATTERN_H

#include "engine/lab/json_place.h"
#include "engine/lab/plan.h"

/* Reads one pattern; the plan's fields have been read. False with a complaint; pattern_release() in any case. */
bool pattern_read(struct plan *plan, const struct json_place *place, const struct json_t *value, struct pattern *pattern);

void pattern_release(struct pattern *pattern);

#endif
