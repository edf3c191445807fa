/*
 * instant.h - a point in time: read from ISO 8601, and written in the one way that all of them are.
 *
 *     2026-05-01   2026-05-01T09:07Z   2026-05-01T11:07:03.500+02:00   ->   seconds since 1970, digits of the fraction
 *
 * The calendar is the Gregorian one, years 0000 to 9999; there are no leap seconds, as in POSIX. Fractions keep as many digits
 * as they have. A time of day without an offset is no instant, and refused; a date alone is its first moment, UTC.
 */
#ifndef SHEAF_LAB_INSTANT_H
#define SHEAF_LAB_INSTANT_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"

struct instant {
    int64_t seconds;      /* since 1970-01-01T00:00:00Z */
    sheaf_bytes fraction; /* digits behind the point, without trailing zeros; borrowed from the text */
};

bool instant_read(sheaf_bytes text, struct instant *out_instant);

/* Appends it as 2026-05-01T09:07:03Z, with a fraction where it has one. */
void instant_append(const struct instant *instant, struct buffer *buffer);

/* Less than, equal to or greater than 0, of two texts that instant_append() wrote. */
int instant_text_order(sheaf_bytes left, sheaf_bytes right);

#endif
