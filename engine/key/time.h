/*
 * time.h - times as ISO-8601 has them, and as seconds since 1970.
 *
 * The Gregorian calendar, also before there was one; no leap seconds, as in POSIX. No clock, no time zone of the system.
 */
#ifndef SHEAF_KEY_TIME_H
#define SHEAF_KEY_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/bytes.h>

/* The first and the last second of the years 0000 to 9999. */
#define SHEAF_SECOND_FIRST INT64_C(-62167219200)
#define SHEAF_SECOND_LAST INT64_C(253402300799)

/* A time: so many seconds since 1970, and a fraction of one more. */
struct sheaf_moment {
    int64_t seconds;       /* an offset can take it out of the years there are */
    uint32_t microseconds; /* below 10^6 */
    sheaf_bytes rest;      /* digits of the fraction behind those six, without zeros at the end; borrows the text */
};

/* NULL, or what is wrong. */
const char *sheaf_moment_parse(sheaf_bytes text, struct sheaf_moment *out_moment);

/* Less than, equal to or greater than 0. */
int sheaf_moment_compare(const struct sheaf_moment *left, const struct sheaf_moment *right);

/* Writes 20 bytes, and a point and `digits` of the second more: 0, 3 or 6. The second is in the years there are. Returns
 * the size. */
size_t sheaf_moment_print(int64_t seconds, uint32_t microseconds, unsigned digits, uint8_t *out_text);

#endif
