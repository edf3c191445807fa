/*
 * number_text.c - numbers as text: read in every form DynamoDB takes, printed in the one it gives.
 */
#include <string.h>

#include "engine/item/number.h"

/* ---- read ------------------------------------------------------------------------------------------------------------- */

/* What has been read. Zeros are only counted until a digit behind them shows that they matter. */
struct reading {
    sheaf_bytes rest;
    bool negative;
    sheaf_coefficient coefficient; /* right as long as digit_count is no more than a number may have */
    uint64_t digit_count;          /* significant ones, without the zeros that wait */
    uint64_t waiting_zeros;
    uint64_t fraction_count; /* digits behind the point */
    int64_t exponent;        /* as written */
};

static bool next_is(const struct reading *reading, char wanted)
{
    return reading->rest.size > 0 && reading->rest.data[0] == (uint8_t)wanted;
}

static bool next_is_digit(const struct reading *reading)
{
    return reading->rest.size > 0 && reading->rest.data[0] >= '0' && reading->rest.data[0] <= '9';
}

static uint8_t take(struct reading *reading)
{
    uint8_t byte = reading->rest.data[0];
    reading->rest = sheaf_bytes_of(reading->rest.data + 1, reading->rest.size - 1);
    return byte;
}

/* Whether a minus stood there. */
static bool take_sign(struct reading *reading)
{
    if (!next_is(reading, '+') && !next_is(reading, '-')) return false;
    return take(reading) == '-';
}

static void take_digit(struct reading *reading)
{
    uint8_t digit = (uint8_t)(take(reading) - '0');
    if (digit == 0) {
        reading->waiting_zeros += reading->digit_count > 0;
        return;
    }
    reading->digit_count += reading->waiting_zeros + 1;
    if (reading->digit_count <= SHEAF_NUMBER_DIGITS_MAX) {
        sheaf_coefficient shift = sheaf_power_of_ten((uint32_t)reading->waiting_zeros + 1);
        reading->coefficient = reading->coefficient * shift + digit;
    }
    reading->waiting_zeros = 0;
}

/* How many digits there were. */
static uint64_t take_digits(struct reading *reading)
{
    size_t before = reading->rest.size;
    while (next_is_digit(reading)) take_digit(reading);
    return before - reading->rest.size;
}

/* False: no exponent, or one that 64 bits do not hold. */
static bool take_exponent(struct reading *reading)
{
    (void)take(reading);
    int64_t sign = take_sign(reading) ? -1 : 1;
    if (!next_is_digit(reading)) return false;
    while (next_is_digit(reading)) {
        int64_t digit = sign * (take(reading) - '0');
        if (__builtin_mul_overflow(reading->exponent, (int64_t)10, &reading->exponent) ||
            __builtin_add_overflow(reading->exponent, digit, &reading->exponent)) {
            return false;
        }
    }
    return true;
}

/* Whether the whole text is a number. */
static bool take_all(struct reading *reading)
{
    reading->negative = take_sign(reading);
    uint64_t whole_count = take_digits(reading);
    if (next_is(reading, '.')) {
        (void)take(reading);
        reading->fraction_count = take_digits(reading);
    }
    if (whole_count + reading->fraction_count == 0) return false;
    if ((next_is(reading, 'e') || next_is(reading, 'E')) && !take_exponent(reading)) return false;
    return reading->rest.size == 0;
}

/* Of a zero only the exponent can be wrong: what is written, and where the point moves it up to that is fine. */
static sheaf_status check_zero(const struct reading *reading, int64_t exponent, sheaf_detail *out_detail)
{
    if (exponent > SHEAF_NUMBER_EXPONENT_MAX) return sheaf_number_refuse(SHEAF_NUMBER_OVERFLOW, 0, out_detail);
    if (reading->exponent < SHEAF_NUMBER_EXPONENT_MIN) return sheaf_number_refuse(SHEAF_NUMBER_UNDERFLOW, 0, out_detail);
    return SHEAF_OK;
}

/* Far beyond the range, and no sum of it with the length of a text overflows. */
static int64_t bounded(int64_t exponent)
{
    const int64_t limit = INT64_MAX / 4;
    return exponent > limit ? limit : exponent < -limit ? -limit : exponent;
}

sheaf_status sheaf_number_parse(sheaf_bytes text, sheaf_number *out_number, sheaf_detail *out_detail)
{
    struct reading reading = { .rest = text };
    if (!take_all(&reading)) return sheaf_number_refuse(SHEAF_NUMBER_MALFORMED, 0, out_detail);
    if (reading.digit_count > SHEAF_NUMBER_DIGITS_MAX)
        return sheaf_number_refuse(SHEAF_NUMBER_TOO_LONG, reading.digit_count, out_detail);
    int64_t exponent = bounded(reading.exponent) - (int64_t)reading.fraction_count;
    if (reading.coefficient == 0) {
        sheaf_status status = check_zero(&reading, exponent, out_detail);
        if (status != SHEAF_OK) return status;
    }
    exponent += (int64_t)reading.waiting_zeros;
    return sheaf_number_make(reading.negative, reading.coefficient, exponent, out_number, out_detail);
}

/* ---- printed ---------------------------------------------------------------------------------------------------------- */

static char *print_zeros(char *at, int32_t count)
{
    memset(at, '0', (size_t)count);
    return at + count;
}

static char *print_digits(char *at, const uint8_t *digits, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) *at++ = (char)('0' + digits[i]);
    return at;
}

size_t sheaf_number_print(sheaf_number number, char *out_text)
{
    uint8_t digits[SHEAF_NUMBER_DIGITS_MAX];
    uint32_t count = sheaf_number_digits(number, digits);
    int32_t whole_count = number.exponent + (int32_t)count; /* digits before the point; below 0: zeros behind it */
    char *at = out_text;
    if (number.negative) *at++ = '-';
    if (number.exponent >= 0) {
        at = print_digits(at, digits, count);
        at = count == 0 ? print_zeros(at, 1) : print_zeros(at, number.exponent);
    } else if (whole_count > 0) {
        at = print_digits(at, digits, (uint32_t)whole_count);
        *at++ = '.';
        at = print_digits(at, digits + whole_count, count - (uint32_t)whole_count);
    } else {
        *at++ = '0';
        *at++ = '.';
        at = print_zeros(at, -whole_count);
        at = print_digits(at, digits, count);
    }
    return (size_t)(at - out_text);
}

size_t sheaf_number_size(sheaf_number number)
{
    if (sheaf_number_is_zero(number)) return 1;
    uint32_t count = sheaf_coefficient_digit_count(sheaf_number_coefficient(number));
    int32_t whole = number.exponent + (int32_t)count;
    uint32_t before = number.exponent >= 0 ? count : whole > 0 ? (uint32_t)whole : 0;
    uint32_t behind = count - before;
    return 1 + (before + 1) / 2 + (behind + 1) / 2 + number.negative;
}
