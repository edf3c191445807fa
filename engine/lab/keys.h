/*
 * keys.h - a layout of the plan, compiled: the library's layout seen in terms of the plan's fields.
 *
 *     pk = "COUNTRY#{country}", sk = "{population:invert(10)}#{town}"
 *
 *     partition key   S   country ascending
 *     sort key        S   population descending, town ascending
 */
#ifndef SHEAF_LAB_KEYS_H
#define SHEAF_LAB_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include <sheaf/layout.h>
#include <sheaf/limits.h>
#include <sheaf/range.h>

#include "engine/lab/plan.h"

struct key_part {
    size_t field;             /* of the plan */
    sheaf_layout_order order; /* how the bytes of the part follow the values of its field */
};

/* One of the two keys. */
struct key {
    struct key_part parts[PLAN_FIELD_MAX];
    size_t part_count;
    sheaf_layout_type type; /* SHEAF_LAYOUT_NONE: the layout has no such key; it is then the same for all */
};

/* The key of a layout that has none. */
#define KEYS_NO_KEY SHEAF_LIT("all")

struct keys {
    const struct plan *plan;
    sheaf_layout *layout;
    size_t fields[SHEAF_LAYOUT_PART_MAX]; /* of the plan, by the layout's */
    size_t layout_fields[PLAN_FIELD_MAX]; /* the other way round; SHEAF_LAYOUT_NO_FIELD: none */
    struct key keys[2];                   /* by sheaf_layout_key */
};

/* Room for the longest key, or the two bounds of a range. */
struct key_room {
    uint8_t bytes[2 * SHEAF_PARTITION_KEY_SIZE_MAX];
};

/* Compiles layout number `index`. False, with a complaint that has place and column, and nothing to release. */
bool keys_compile(const struct plan *plan, size_t index, struct keys *out_keys, struct complaint *complaint);

/* Zeroed is fine. */
void keys_release(struct keys *keys);

/*
 * Writes a key from values by field of the plan, of which those it is made of are looked at. False, with a complaint that names
 * field and limit, for values that the layout refuses.
 */
bool keys_encode(const struct keys *keys, sheaf_layout_key which, const sheaf_bytes *values, struct key_room *room,
                 sheaf_bytes *out_key, struct complaint *complaint);

/* The range of sort keys that satisfy conditions, whose fields are the plan's. False, with a complaint. */
bool keys_range(const struct keys *keys, const sheaf_condition *conditions, size_t count, struct key_room *room,
                sheaf_range *out_range, struct complaint *complaint);

#endif
