#include "engine/key/time.h"

#include <sheaf/segment.h>

#include "engine/base/assert.h"
#include "engine/base/bytes.h"
#include "engine/key/segment.h"

enum {
    YEAR_LAST = 9999,
    DAYS_TO_1970 = 719528, /* from the first day of the year 0000 */
    DAYS_OF_400_YEARS = 146097,
    SECONDS_OF_A_DAY = 86400,
    MICROSECONDS_OF_A_SECOND = 1000000
};

/* ---- the calendar --------------------------------------------------------------------------------------------------- */

struct date {
    int64_t year;
    int64_t month, day; /* from 1 */
};

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int64_t days_of_month(int64_t year, int64_t month)
{
    static const uint8_t days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return days[month - 1] + (month == 2 && is_leap(year));
}

/* Days from the first one of the year 0000 to the first one of this, which is not negative: 365 for each, and one for each
 * leap year. */
static int64_t days_before_year(int64_t year)
{
    return year * 365 + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400;
}

static int64_t days_before(struct date date)
{
    int64_t days = days_before_year(date.year) + date.day - 1;
    for (int64_t month = 1; month < date.month; month++) days += days_of_month(date.year, month);
    return days;
}

static struct date date_of(int64_t days)
{
    struct date date = { days * 400 / DAYS_OF_400_YEARS, 1, 1 }; /* or one year off */
    while (days_before_year(date.year) > days) date.year--;
    while (days_before_year(date.year + 1) <= days) date.year++;
    days -= days_before_year(date.year);
    for (; days >= days_of_month(date.year, date.month); date.month++) days -= days_of_month(date.year, date.month);
    date.day += days;
    return date;
}

/* ---- reading -------------------------------------------------------------------------------------------------------- */

static const char NO_TIME[] = "The value is no time such as 2026-05-01T09:07:03Z";

static bool take_byte(sheaf_bytes *rest, uint8_t wanted)
{
    if (rest->size == 0 || rest->data[0] != wanted) return false;
    *rest = sheaf_bytes_skip(*rest, 1);
    return true;
}

static bool is_digit(sheaf_bytes rest, size_t at)
{
    return at < rest.size && rest.data[at] >= '0' && rest.data[at] <= '9';
}

/* A number of exactly so many digits. */
static bool take_number(sheaf_bytes *rest, size_t digits, int64_t *out_number)
{
    int64_t number = 0;
    for (size_t i = 0; i < digits; i++) {
        if (!is_digit(*rest, i)) return false;
        number = number * 10 + (rest->data[i] - '0');
    }
    *rest = sheaf_bytes_skip(*rest, digits);
    *out_number = number;
    return true;
}

static const char *take_date(sheaf_bytes *rest, int64_t *out_days)
{
    struct date date;
    bool there = take_number(rest, 4, &date.year) && take_byte(rest, '-') && take_number(rest, 2, &date.month) &&
                 take_byte(rest, '-') && take_number(rest, 2, &date.day);
    if (!there) return NO_TIME;
    if (date.month < 1 || date.month > 12) return "There is no such month";
    if (date.day < 1 || date.day > days_of_month(date.year, date.month)) return "There is no such day in that month";
    *out_days = days_before(date);
    return NULL;
}

static const char *take_clock(sheaf_bytes *rest, int64_t *out_seconds)
{
    int64_t hour, minute, second;
    bool there = take_number(rest, 2, &hour) && take_byte(rest, ':') && take_number(rest, 2, &minute) &&
                 take_byte(rest, ':') && take_number(rest, 2, &second);
    if (!there) return NO_TIME;
    if (hour == 24) return "The hour 24 is the hour 0 of the next day, and written so";
    if (hour > 24) return "There is no such hour";
    if (minute > 59) return "There is no such minute";
    if (second == 60) return "A leap second has no place among the others";
    if (second > 60) return "There is no such second";
    *out_seconds = hour * 3600 + minute * 60 + second;
    return NULL;
}

static const char *take_fraction(sheaf_bytes *rest, struct sheaf_moment *moment)
{
    if (!take_byte(rest, '.') && !take_byte(rest, ',')) return NULL;
    size_t size = 0;
    uint32_t microseconds = 0;
    while (is_digit(*rest, size)) size++;
    if (size == 0) return NO_TIME;
    for (size_t i = 0; i < 6; i++) microseconds = microseconds * 10 + (i < size ? rest->data[i] - (uint32_t)'0' : 0);
    moment->microseconds = microseconds;
    moment->rest = size > 6 ? sheaf_bytes_of(rest->data + 6, size - 6) : sheaf_bytes_of(NULL, 0);
    while (moment->rest.size > 0 && moment->rest.data[moment->rest.size - 1] == '0') moment->rest.size--;
    *rest = sheaf_bytes_skip(*rest, size);
    return NULL;
}

/* Z, or a sign, two digits of hours and maybe two of minutes: seconds ahead of UTC. */
static const char *take_offset(sheaf_bytes *rest, int64_t *out_seconds)
{
    int64_t hours, minutes = 0;
    *out_seconds = 0;
    if (take_byte(rest, 'Z') || take_byte(rest, 'z')) return NULL;
    bool behind = take_byte(rest, '-');
    if (!behind && !take_byte(rest, '+')) return "The time has no Z and no offset, so nobody knows which one it is";
    if (!take_number(rest, 2, &hours)) return NO_TIME;
    bool more = take_byte(rest, ':') || rest->size > 0;
    if (more && !take_number(rest, 2, &minutes)) return NO_TIME;
    if (hours > 23 || minutes > 59) return "There is no such offset";
    *out_seconds = (hours * 3600 + minutes * 60) * (behind ? -1 : 1);
    return NULL;
}

const char *sheaf_moment_parse(sheaf_bytes text, struct sheaf_moment *out_moment)
{
    struct sheaf_moment moment = { 0 };
    int64_t days, clock, offset;
    const char *wrong = take_date(&text, &days);
    if (wrong) return wrong;
    if (!take_byte(&text, 'T') && !take_byte(&text, 't') && !take_byte(&text, ' ')) return NO_TIME;
    if ((wrong = take_clock(&text, &clock))) return wrong;
    if ((wrong = take_fraction(&text, &moment))) return wrong;
    if ((wrong = take_offset(&text, &offset))) return wrong;
    if (text.size > 0) return NO_TIME;
    moment.seconds = (days - DAYS_TO_1970) * SECONDS_OF_A_DAY + clock - offset;
    *out_moment = moment;
    return NULL;
}

int sheaf_moment_compare(const struct sheaf_moment *left, const struct sheaf_moment *right)
{
    if (left->seconds != right->seconds) return left->seconds < right->seconds ? -1 : 1;
    if (left->microseconds != right->microseconds) return left->microseconds < right->microseconds ? -1 : 1;
    return sheaf_bytes_order(left->rest, right->rest);
}

/* ---- printing ------------------------------------------------------------------------------------------------------- */

/* Writes a number in so many digits, which hold it, and a byte. */
static uint8_t *print(uint8_t *out, int64_t number, size_t digits, char behind)
{
    for (size_t i = digits; i-- > 0; number /= 10) out[i] = (uint8_t)('0' + number % 10);
    sheaf_assert(number == 0);
    out[digits] = (uint8_t)behind;
    return out + digits + 1;
}

size_t sheaf_moment_print(int64_t seconds, uint32_t microseconds, unsigned digits, uint8_t *out_text)
{
    sheaf_assert(seconds >= SHEAF_SECOND_FIRST && seconds <= SHEAF_SECOND_LAST);
    seconds -= SHEAF_SECOND_FIRST;
    struct date date = date_of(seconds / SECONDS_OF_A_DAY);
    int64_t clock = seconds % SECONDS_OF_A_DAY;
    uint8_t *out = print(out_text, date.year, 4, '-');
    out = print(out, date.month, 2, '-');
    out = print(out, date.day, 2, 'T');
    out = print(out, clock / 3600, 2, ':');
    out = print(out, clock / 60 % 60, 2, ':');
    out = print(out, clock % 60, 2, digits > 0 ? '.' : 'Z');
    if (digits == 3) out = print(out, microseconds / 1000, 3, 'Z');
    if (digits == 6) out = print(out, microseconds, 6, 'Z');
    return (size_t)(out - out_text);
}

/* ---- public --------------------------------------------------------------------------------------------------------- */

sheaf_status sheaf_time_parse(sheaf_bytes text, int64_t *out_microseconds, sheaf_detail *out_detail)
{
    struct sheaf_moment moment;
    const char *wrong = sheaf_moment_parse(text, &moment);
    if (!wrong && moment.rest.size > 0) wrong = "The time is finer than microseconds";
    bool in_range = !wrong && moment.seconds >= SHEAF_SECOND_FIRST && moment.seconds <= SHEAF_SECOND_LAST;
    if (!wrong && !in_range) wrong = "In UTC the time is not in the years 0000 to 9999";
    if (wrong) return sheaf_segment_refuse(out_detail, SHEAF_SEGMENT_REFUSED, 0, 0, wrong);
    *out_microseconds = moment.seconds * MICROSECONDS_OF_A_SECOND + moment.microseconds;
    return SHEAF_OK;
}

sheaf_status sheaf_time_print(int64_t microseconds, unsigned digits, char *out_text, size_t *out_size)
{
    if (digits != 0 && digits != 3 && digits != 6) return SHEAF_INVALID_ARGUMENT;
    int64_t seconds = microseconds / MICROSECONDS_OF_A_SECOND, rest = microseconds % MICROSECONDS_OF_A_SECOND;
    if (rest < 0) {
        seconds--;
        rest += MICROSECONDS_OF_A_SECOND;
    }
    if (seconds < SHEAF_SECOND_FIRST || seconds > SHEAF_SECOND_LAST) return SHEAF_SEGMENT_REFUSED;
    *out_size = sheaf_moment_print(seconds, (uint32_t)rest, digits, (uint8_t *)out_text);
    return SHEAF_OK;
}
