/*
 * json_place.h - where in a JSON document one is, and what is complained of there.
 *
 *     patterns[2].where.score: expected a number such as 1500 or -2.5, found "ten"
 *
 * Places are chained on the stack while a document is walked. All readers give false at a fault, with a complaint that begins
 * with the place.
 */
#ifndef SHEAF_LAB_JSON_PLACE_H
#define SHEAF_LAB_JSON_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>

#include "engine/input/complaint.h"

struct json_t;

struct json_place {
    const struct json_place *parent; /* NULL: this is the document */
    const char *name;                /* of a member; NULL: an element of an array */
    size_t index;
    struct complaint *complaint; /* of all places of a document */
};

static inline struct json_place json_place_of_member(const struct json_place *parent, const char *name)
{
    return (struct json_place){ .parent = parent, .name = name, .complaint = parent->complaint };
}

static inline struct json_place json_place_of_element(const struct json_place *parent, size_t index)
{
    return (struct json_place){ .parent = parent, .index = index, .complaint = parent->complaint };
}

/* Complains of what is at a place. Returns false. */
bool json_complain(const struct json_place *place, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "expected WHAT, found ...", by what `value` is; NULL: nothing. Returns false. */
bool json_complain_of(const struct json_place *place, const char *what, const struct json_t *value);

/* The text of a string, borrowed from it. */
sheaf_bytes json_bytes(const struct json_t *string);

/* That `value` is an object and has no members but those of `names`, which ends with NULL. */
bool json_expect_object(const struct json_place *place, const struct json_t *value, const char *const *names);

/* That `value` is an array of `least` to `most` elements. */
bool json_expect_array(const struct json_place *place, const struct json_t *value, size_t least, size_t most, const char *what);

/* A member that is a text of at least one byte. Without `required` it may be missing, and is then left as it was. */
bool json_read_text(const struct json_place *place, const struct json_t *object, const char *name, bool required,
                    sheaf_bytes *out_text);

/* A member that is a whole number from `least` to `most`; it may be missing, and is then left as it was. */
bool json_read_count(const struct json_place *place, const struct json_t *object, const char *name, uint64_t least,
                     uint64_t most, uint64_t *out_count);

/* A member that is true or false; it may be missing, and is then left as it was. */
bool json_read_flag(const struct json_place *place, const struct json_t *object, const char *name, bool *out_flag);

#endif
