/*
 * query.h - one run of a pattern as a query of the layout: a partition key and a range of sort keys.
 */
#ifndef SHEAF_LAB_QUERY_H
#define SHEAF_LAB_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/sheaf.h>

#include "engine/input/buffer.h"
#include "engine/lab/shape.h"
#include "engine/lab/truth.h"

struct query {
    sheaf_bytes partition_key;
    sheaf_range range;
    sheaf_direction direction;
    uint64_t limit; /* most entries to be read */
    /* What follows is private: what the slices above lie in. */
    struct key_room partition_room;
    struct key_room sort_rooms[3];
    struct arena values;
};

/*
 * Forms the query; the shape's partition is fixed. False, with a complaint, where the layout cannot hold what is asked for, or
 * the range turns out inverted: DynamoDB refuses such a query. Ends with query_release() in any case.
 */
bool query_form(struct query *query, const struct keys *keys, const struct shape *shape, const struct inquiry *inquiry,
                struct complaint *complaint);

void query_release(struct query *query);

/* Appends the query as one would write it down: pk = "COUNTRY#IS", sk begins_with "0000", reverse, limit 10. */
void query_append(const struct query *query, const struct keys *keys, struct buffer *buffer);

#endif
