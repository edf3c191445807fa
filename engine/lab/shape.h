/*
 * shape.h - how a layout can answer a pattern: by one query, or by what else.
 *
 *     where country = ?, population between ? and ?  order by population descending
 *
 *     pk = "{country}"  sk = "{population:pad(10)}#{town}"    one query: pk = ?, sk between, reverse
 *     pk = "{country}"  sk = "{town}"                         reads the country, filters by population, sorts
 *     pk = "{town}"     sk = "{population:pad(10)}"           reads everything
 *
 * One query is: all fields of the partition key are equal to something; leading parts of the sort key likewise, then at most
 * one part within bounds or a beginning; nothing asked is left over; and the order asked is that of the remaining parts, or
 * its reverse. Of parts without an order a user who writes such a layout expects one: they are taken for ascending here, and
 * what comes of it is held against the truth.
 */
#ifndef SHEAF_LAB_SHAPE_H
#define SHEAF_LAB_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/range.h>

#include "engine/lab/follow.h"
#include "engine/lab/keys.h"
#include "engine/lab/plan.h"

struct shape {
    struct consequences consequences;
    bool partition_fixed;                                /* else everything is read */
    const struct consequence *partition[PLAN_FIELD_MAX]; /* of the partition key's parts */
    const struct consequence *sort[PLAN_FIELD_MAX];      /* of the sort key's leading parts; the last may be no equality */
    size_t sort_count;
    uint64_t left_over; /* a bit for each condition of the pattern that only a filter can see to */
    bool ordered;       /* read so, in `direction`, entries come in the order asked */
    sheaf_direction direction;
};

/* `keys` and what it was compiled from must outlive the shape. */
void shape_find(const struct plan *plan, const struct pattern *pattern, const struct keys *keys, struct shape *out_shape);
void shape_release(struct shape *shape);

static inline bool shape_is_one_query(const struct shape *shape)
{
    return shape->partition_fixed && shape->left_over == 0 && shape->ordered;
}

#endif
