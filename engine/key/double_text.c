#include "engine/key/double_text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/assert.h"
#include "engine/base/bytes.h"

enum {
    /* A decimal of more digits than any double, or middle between two, has: 767. One more says that there is more. */
    DIGITS_MAX = 800,
    EXPONENT_MAX = 100000,  /* of text: far beyond any double */
    PRINTED_DIGITS_MAX = 17 /* of any double, so that it is read back the same */
};

/* ---- reading -------------------------------------------------------------------------------------------------------- */

/* digits * 10^exponent */
struct decimal {
    bool negative;
    char digits[DIGITS_MAX + 1];
    size_t count; /* without leading zeros */
    int64_t exponent;
};

static bool is_digit(sheaf_bytes text, size_t at)
{
    return at < text.size && text.data[at] >= '0' && text.data[at] <= '9';
}

static bool is_byte(sheaf_bytes text, size_t at, char byte)
{
    return at < text.size && text.data[at] == (uint8_t)byte;
}

/* A digit more; of those that are too many only whether one was not zero. */
static void add_digit(struct decimal *decimal, char digit, bool behind_point)
{
    decimal->exponent -= behind_point;
    if (decimal->count == 0 && digit == '0') return;
    if (decimal->count < DIGITS_MAX) {
        decimal->digits[decimal->count++] = digit;
        return;
    }
    if (digit != '0') decimal->digits[DIGITS_MAX - 1] = '1';
    decimal->exponent++;
}

/* Takes digits from `at` on. False if there are none. */
static bool add_digits(struct decimal *decimal, sheaf_bytes text, size_t *at, bool behind_point)
{
    size_t begin = *at;
    for (; is_digit(text, *at); ++*at) add_digit(decimal, (char)text.data[*at], behind_point);
    return *at > begin;
}

static bool parse_exponent(struct decimal *decimal, sheaf_bytes text, size_t *at)
{
    if (!is_byte(text, *at, 'e') && !is_byte(text, *at, 'E')) return true;
    ++*at;
    bool negative = is_byte(text, *at, '-');
    if (negative || is_byte(text, *at, '+')) ++*at;
    size_t begin = *at;
    int64_t exponent = 0;
    for (; is_digit(text, *at); ++*at)
        if (exponent < EXPONENT_MAX) exponent = exponent * 10 + (text.data[*at] - '0');
    decimal->exponent += negative ? -exponent : exponent;
    return *at > begin;
}

static bool parse_decimal(sheaf_bytes text, struct decimal *decimal)
{
    size_t at = 0;
    decimal->negative = is_byte(text, 0, '-');
    decimal->count = 0;
    decimal->exponent = 0;
    if (decimal->negative) at++;
    if (!add_digits(decimal, text, &at, false)) return false;
    if (is_byte(text, at, '.')) {
        at++;
        if (!add_digits(decimal, text, &at, true)) return false;
    }
    return parse_exponent(decimal, text, &at) && at == text.size;
}

/* The nearest double to digits * 10^exponent, by libc: there is no point in what it is given. */
static double nearest(const struct decimal *decimal)
{
    char text[DIGITS_MAX + 32];
    int64_t exponent = decimal->exponent;
    if (decimal->count == 0) return 0;
    if (exponent > EXPONENT_MAX) exponent = EXPONENT_MAX;
    if (exponent < -EXPONENT_MAX) exponent = -EXPONENT_MAX;
    memcpy(text, decimal->digits, decimal->count);
    (void)snprintf(text + decimal->count, 32, "e%d", (int)exponent);
    double value = strtod(text, NULL);
    return decimal->negative ? -value : value;
}

bool sheaf_double_parse(sheaf_bytes text, double *out_value)
{
    struct decimal decimal;
    if (sheaf_bytes_equal(text, SHEAF_LIT("inf")))
        *out_value = __builtin_inf();
    else if (sheaf_bytes_equal(text, SHEAF_LIT("-inf")))
        *out_value = -__builtin_inf();
    else {
        if (!parse_decimal(text, &decimal)) return false;
        double value = nearest(&decimal);
        if (__builtin_isinf(value)) return false;
        *out_value = value;
    }
    return true;
}

/* ---- printing ------------------------------------------------------------------------------------------------------- */

/* The first `count` digits of `value`, rounded, without zeros at the end. libc's point is passed over, whatever it is. */
static void print_digits(double value, size_t count, struct decimal *decimal)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%.*e", (int)count - 1, value);
    const char *mark = strchr(text, 'e');
    sheaf_assert(mark);
    decimal->count = 0;
    for (const char *at = text; at < mark; at++)
        if (*at >= '0' && *at <= '9') decimal->digits[decimal->count++] = *at;
    sheaf_assert(decimal->count == count);
    while (decimal->count > 1 && decimal->digits[decimal->count - 1] == '0') decimal->count--;
    decimal->exponent = strtol(mark + 1, NULL, 10) + 1 - (int64_t)decimal->count;
}

/* 0.00015, 12.5, 1500 */
static size_t print_plainly(const struct decimal *decimal, char *out)
{
    int64_t point = (int64_t)decimal->count + decimal->exponent; /* digits before it */
    char *begin = out;
    if (point <= 0) {
        *out++ = '0';
        *out++ = '.';
        for (; point < 0; point++) *out++ = '0';
        point = -1;
    }
    for (size_t i = 0; i < decimal->count; i++) {
        if ((int64_t)i == point) *out++ = '.';
        *out++ = decimal->digits[i];
    }
    for (int64_t i = (int64_t)decimal->count; i < point; i++) *out++ = '0';
    return (size_t)(out - begin);
}

/* 1.5e-7 */
static size_t print_with_exponent(const struct decimal *decimal, char *out)
{
    char *begin = out;
    *out++ = decimal->digits[0];
    if (decimal->count > 1) *out++ = '.';
    memcpy(out, decimal->digits + 1, decimal->count - 1);
    out += decimal->count - 1;
    char exponent[16];
    int size = snprintf(exponent, sizeof exponent, "e%d", (int)(decimal->exponent + (int64_t)decimal->count - 1));
    memcpy(out, exponent, (size_t)size);
    return (size_t)(out - begin) + (size_t)size;
}

size_t sheaf_double_print(double value, char *out_text)
{
    struct decimal decimal = { .negative = false };
    char *out = out_text;
    sheaf_assert(!__builtin_isnan(value));
    if (value < 0) {
        *out++ = '-';
        value = -value;
    }
    if (value == 0) {
        *out++ = '0';
    } else if (__builtin_isinf(value)) {
        memcpy(out, "inf", 3);
        out += 3;
    } else {
        size_t count = 1;
        do print_digits(value, count++, &decimal);
        while (nearest(&decimal) < value || nearest(&decimal) > value);
        sheaf_assert(count <= PRINTED_DIGITS_MAX + 1);
        int64_t point = (int64_t)decimal.count + decimal.exponent;
        bool is_plain = point > -5 && point <= PRINTED_DIGITS_MAX;
        out += is_plain ? print_plainly(&decimal, out) : print_with_exponent(&decimal, out);
    }
    sheaf_assert(out - out_text <= SHEAF_DOUBLE_TEXT_SIZE_MAX);
    return (size_t)(out - out_text);
}
