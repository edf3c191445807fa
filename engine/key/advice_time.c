/*
 * advice_time.c - whether a segment is a time, in which of the formats people write, and which instant it is.
 *
 * Everything that means a time is taken, right or not: it is the wrong ones that are looked for.
 */
#include "engine/key/advice_segment.h"

enum {
    FORMAT_OF_DAY = 1 << 4,
    FORMAT_SECONDS = 1 << 5,
    FORMAT_BLANK = 1 << 6,
    FORMAT_Z = 1 << 8,
    FORMAT_OFFSET = 1 << 9,
    FORMAT_DATE = 1 << 10, /* so that none is 0 */
    FORMAT_OFFSET_SHIFT = 16,
    FRACTION_MOST = 9
};

struct reading {
    sheaf_bytes rest;
    advice_format format;
};

static bool take(struct reading *reading, char wanted)
{
    if (reading->rest.size == 0 || reading->rest.data[0] != (uint8_t)wanted) return false;
    reading->rest = sheaf_bytes_of(reading->rest.data + 1, reading->rest.size - 1);
    return true;
}

/* A number of up to `most` digits, within the bounds; fewer than `most` is a zero left out. */
static bool take_number(struct reading *reading, size_t most, int64_t low, int64_t high, int64_t *out_number)
{
    size_t digits = 0;
    int64_t number = 0;
    while (digits < most && digits < reading->rest.size && reading->rest.data[digits] >= '0' && reading->rest.data[digits] <= '9')
        number = 10 * number + (reading->rest.data[digits++] - '0');
    reading->rest = sheaf_bytes_of(reading->rest.data + digits, reading->rest.size - digits);
    if (digits < most) reading->format |= ADVICE_FORMAT_UNPADDED;
    *out_number = number;
    return digits > 0 && number >= low && number <= high;
}

/* Days from 1970-01-01, by the count of a year that begins in March (the leap day is then its last). */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    int64_t march_year = month <= 2 ? year - 1 : year, march_month = month <= 2 ? month + 9 : month - 3;
    int64_t era = (march_year >= 0 ? march_year : march_year - 399) / 400, year_of_era = march_year - 400 * era;
    int64_t day_of_year = (153 * march_month + 2) / 5 + day - 1;
    return 146097 * era + 365 * year_of_era + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

static bool take_date(struct reading *reading, int64_t *out_days)
{
    int64_t year, month, day;
    if (!take_number(reading, 4, 1000, 9999, &year) || reading->format & ADVICE_FORMAT_UNPADDED || !take(reading, '-')) return false;
    if (!take_number(reading, 2, 1, 12, &month) || !take(reading, '-') || !take_number(reading, 2, 1, 31, &day)) return false;
    *out_days = days_of(year, month, day);
    reading->format |= FORMAT_DATE;
    return true;
}

static void take_fraction(struct reading *reading, int64_t *out_us)
{
    uint32_t digits = 0;
    int64_t weight = 100000;
    *out_us = 0;
    for (; reading->rest.size > 0 && reading->rest.data[0] >= '0' && reading->rest.data[0] <= '9'; digits++, weight /= 10) {
        *out_us += weight * (reading->rest.data[0] - '0');
        reading->rest = sheaf_bytes_of(reading->rest.data + 1, reading->rest.size - 1);
    }
    reading->format |= digits < FRACTION_MOST ? digits : FRACTION_MOST;
}

static bool take_time_of_day(struct reading *reading, int64_t *out_us)
{
    int64_t hours, minutes, seconds = 0, us = 0;
    if (!take_number(reading, 2, 0, 24, &hours) || !take(reading, ':') || !take_number(reading, 2, 0, 59, &minutes)) return false;
    if (take(reading, ':')) {
        if (!take_number(reading, 2, 0, 60, &seconds)) return false;
        reading->format |= FORMAT_SECONDS;
        if (take(reading, '.')) take_fraction(reading, &us);
    }
    *out_us = ((hours * 60 + minutes) * 60 + seconds) * 1000000 + us;
    return true;
}

/* What is behind the time of day, if anything. */
static bool take_zone(struct reading *reading, int64_t *out_us)
{
    int64_t hours, minutes = 0;
    *out_us = 0;
    if (reading->rest.size == 0) return true;
    if (take(reading, 'Z')) {
        reading->format |= FORMAT_Z;
        return true;
    }
    bool west = take(reading, '-');
    if (!west && !take(reading, '+')) return false;
    if (!take_number(reading, 2, 0, 18, &hours)) return false;
    (void)take(reading, ':');
    if (reading->rest.size > 0 && !take_number(reading, 2, 0, 59, &minutes)) return false;
    int64_t offset = (hours * 60 + minutes) * (west ? -1 : 1);
    reading->format |= FORMAT_OFFSET | (advice_format)(offset + 1440) << FORMAT_OFFSET_SHIFT;
    *out_us = offset * 60 * 1000000;
    return true;
}

bool sheaf_advice_read_time(sheaf_bytes segment, struct advice_time *out_time)
{
    enum { SHORTEST = 8, LONGEST = 40 };
    struct reading reading = { .rest = segment };
    int64_t days, of_day_us = 0, offset_us = 0;
    if (segment.size < SHORTEST || segment.size > LONGEST || !take_date(&reading, &days)) return false;
    if (reading.rest.size > 0) {
        bool blank = take(&reading, ' ');
        if (!blank && !take(&reading, 'T')) return false;
        reading.format |= FORMAT_OF_DAY | (blank ? FORMAT_BLANK : 0);
        if (!take_time_of_day(&reading, &of_day_us) || !take_zone(&reading, &offset_us)) return false;
    }
    if (reading.rest.size > 0) return false;
    *out_time = (struct advice_time){ reading.format, days * 86400 * INT64_C(1000000) + of_day_us - offset_us };
    return true;
}
