#include "engine/lab/instant.h"

#include <stddef.h>

#include "engine/base/bytes.h"

#define DAY_SECONDS 86400
#define YEAR_MAX 9999
/* "2026-05-01T09:07:03": the part of fixed width. */
#define SECONDS_SIZE 19

/* ---- calendar --------------------------------------------------------------------------------------------------------- */

static bool is_leap_year(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int64_t month_days(int64_t year, int64_t month)
{
    static const int8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return days[month - 1] + (month == 2 && is_leap_year(year) ? 1 : 0);
}

/* Days from 0000-01-01 to the first day of a year: each has 365, and those before it that are leap years one more. */
static int64_t days_before_year(int64_t year)
{
    if (year == 0) return 0;
    int64_t last = year - 1;
    return 365 * year + last / 4 - last / 100 + last / 400 + 1; /* the year 0 is a leap year as well */
}

static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    int64_t days = days_before_year(year) + day - 1;
    for (int64_t before = 1; before < month; before++) days += month_days(year, before);
    return days - days_before_year(1970);
}

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

/* A text and how far it has been read; once something was not there nothing more is. */
struct reading {
    sheaf_bytes text;
    size_t at;
    bool sound;
};

static bool reads_byte(struct reading *reading, char byte)
{
    if (reading->at >= reading->text.size || reading->text.data[reading->at] != (uint8_t)byte) return false;
    reading->at++;
    return true;
}

static void expect_byte(struct reading *reading, char byte)
{
    if (!reads_byte(reading, byte)) reading->sound = false;
}

/* A number of so many digits, from `least` to `most`. */
static int64_t expect_number(struct reading *reading, size_t digits, int64_t least, int64_t most)
{
    int64_t number = 0;
    for (size_t i = 0; i < digits; i++, reading->at++) {
        if (reading->at >= reading->text.size) return reading->sound = false, least;
        uint8_t byte = reading->text.data[reading->at];
        if (byte < '0' || byte > '9') return reading->sound = false, least;
        number = 10 * number + (byte - '0');
    }
    if (number < least || number > most) reading->sound = false;
    return reading->sound ? number : least;
}

static sheaf_bytes read_fraction(struct reading *reading)
{
    if (!reads_byte(reading, '.')) return sheaf_bytes_of(NULL, 0);
    size_t begin = reading->at;
    while (reading->at < reading->text.size && reading->text.data[reading->at] >= '0' && reading->text.data[reading->at] <= '9')
        reading->at++;
    if (reading->at == begin) reading->sound = false;
    size_t end = reading->at;
    while (end > begin && reading->text.data[end - 1] == '0') end--;
    return sheaf_bytes_of(reading->text.data + begin, end - begin);
}

/* Seconds by which the local time is ahead. */
static int64_t expect_offset(struct reading *reading)
{
    if (reads_byte(reading, 'Z') || reads_byte(reading, 'z')) return 0;
    bool behind = reads_byte(reading, '-');
    if (!behind) expect_byte(reading, '+');
    int64_t hours = expect_number(reading, 2, 0, 23);
    (void)reads_byte(reading, ':');
    int64_t seconds = 3600 * hours + 60 * expect_number(reading, 2, 0, 59);
    return behind ? -seconds : seconds;
}

static int64_t expect_time_of_day(struct reading *reading, sheaf_bytes *out_fraction)
{
    int64_t seconds = 3600 * expect_number(reading, 2, 0, 23);
    expect_byte(reading, ':');
    seconds += 60 * expect_number(reading, 2, 0, 59);
    if (reads_byte(reading, ':')) {
        seconds += expect_number(reading, 2, 0, 59);
        *out_fraction = read_fraction(reading);
    }
    return seconds - expect_offset(reading);
}

bool instant_read(sheaf_bytes text, struct instant *out_instant)
{
    struct reading reading = { .text = text, .sound = true };
    sheaf_bytes fraction = sheaf_bytes_of(NULL, 0);
    int64_t year = expect_number(&reading, 4, 0, YEAR_MAX);
    expect_byte(&reading, '-');
    int64_t month = expect_number(&reading, 2, 1, 12);
    expect_byte(&reading, '-');
    int64_t day = expect_number(&reading, 2, 1, month_days(year, month));
    int64_t seconds = DAY_SECONDS * days_of(year, month, day);
    if (reads_byte(&reading, 'T') || reads_byte(&reading, ' ')) seconds += expect_time_of_day(&reading, &fraction);
    bool within = seconds >= DAY_SECONDS * days_of(0, 1, 1) && seconds < DAY_SECONDS * days_of(YEAR_MAX + 1, 1, 1);
    if (!reading.sound || reading.at != text.size || !within) return false;
    *out_instant = (struct instant){ .seconds = seconds, .fraction = fraction };
    return true;
}

/* ---- writing ---------------------------------------------------------------------------------------------------------- */

void instant_append(const struct instant *instant, struct buffer *buffer)
{
    int64_t second = instant->seconds - DAY_SECONDS * days_of(0, 1, 1);
    int64_t days = second / DAY_SECONDS;
    second %= DAY_SECONDS;
    int64_t year = days / 366; /* or some years more */
    while (days_before_year(year + 1) <= days) year++;
    days -= days_before_year(year);
    int64_t month = 1;
    for (; days >= month_days(year, month); month++) days -= month_days(year, month);
    buffer_append_format(buffer, "%04d-%02d-%02dT%02d:%02d:%02d", (int)year, (int)month, (int)days + 1, (int)(second / 3600),
                         (int)(second / 60 % 60), (int)(second % 60));
    if (instant->fraction.size > 0) buffer_append_byte(buffer, '.');
    buffer_append(buffer, instant->fraction);
    buffer_append_byte(buffer, 'Z');
}

/* The fraction's digits, between the seconds and the Z. */
static sheaf_bytes fraction_of(sheaf_bytes text)
{
    if (text.size <= SECONDS_SIZE + 1) return sheaf_bytes_of(NULL, 0);
    return sheaf_bytes_of(text.data + SECONDS_SIZE + 1, text.size - SECONDS_SIZE - 2);
}

int instant_text_order(sheaf_bytes left, sheaf_bytes right)
{
    int order = sheaf_bytes_order(sheaf_bytes_of(left.data, SECONDS_SIZE), sheaf_bytes_of(right.data, SECONDS_SIZE));
    return order != 0 ? order : sheaf_bytes_order(fraction_of(left), fraction_of(right));
}
