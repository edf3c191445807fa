/*
 * number.c - numbers as values: made within the range, compared, added.
 */
#include "engine/item/number.h"

#include <string.h>

#include "engine/base/assert.h"

/* ---- the parts of a number -------------------------------------------------------------------------------------------- */

sheaf_coefficient sheaf_power_of_ten(uint32_t exponent)
{
    sheaf_assert(exponent <= SHEAF_NUMBER_DIGITS_MAX);
    sheaf_coefficient power = 1;
    for (uint32_t i = 0; i < exponent; i++) power *= 10;
    return power;
}

uint32_t sheaf_coefficient_digit_count(sheaf_coefficient coefficient)
{
    uint32_t count = 0;
    for (; coefficient >= UINT64_C(10000000000000000000); coefficient /= UINT64_C(10000000000000000000)) count += 19;
    for (uint64_t rest = (uint64_t)coefficient; rest > 0; rest /= 10) count++;
    return count;
}

uint32_t sheaf_number_digits(sheaf_number number, uint8_t out_digits[SHEAF_NUMBER_DIGITS_MAX])
{
    sheaf_coefficient rest = sheaf_number_coefficient(number);
    uint32_t count = sheaf_coefficient_digit_count(rest);
    sheaf_assert(count <= SHEAF_NUMBER_DIGITS_MAX); /* N1 */
    uint32_t at = count;
    while (rest > UINT64_MAX) {
        out_digits[--at] = (uint8_t)(rest % 10);
        rest /= 10;
    }
    for (uint64_t low = (uint64_t)rest; at > 0; low /= 10) out_digits[--at] = (uint8_t)(low % 10);
    return count;
}

int32_t sheaf_number_first_exponent(sheaf_number number)
{
    return number.exponent + (int32_t)sheaf_coefficient_digit_count(sheaf_number_coefficient(number)) - 1;
}

/* ---- made within the range -------------------------------------------------------------------------------------------- */

/* DynamoDB's sentences. */
static const char *refusal(sheaf_status status)
{
    if (status == SHEAF_NUMBER_TOO_LONG) return "Attempting to store more than 38 significant digits in a Number";
    if (status == SHEAF_NUMBER_OVERFLOW)
        return "Number overflow. Attempting to store a number with magnitude larger than supported range";
    if (status == SHEAF_NUMBER_UNDERFLOW)
        return "Number underflow. Attempting to store a number with magnitude smaller than supported range";
    return "The parameter cannot be converted to a numeric value";
}

sheaf_status sheaf_number_refuse(sheaf_status status, uint64_t digit_count, sheaf_detail *out_detail)
{
    if (out_detail) {
        uint64_t limit = digit_count > 0 ? SHEAF_NUMBER_DIGITS_MAX : 0;
        *out_detail = (sheaf_detail){ SHEAF_FIELD_NUMBER, digit_count, limit, refusal(status) };
    }
    return status;
}

sheaf_status sheaf_number_make(bool negative, sheaf_coefficient coefficient, int64_t exponent, sheaf_number *out_number,
                               sheaf_detail *out_detail)
{
    if (coefficient == 0) {
        *out_number = (sheaf_number){ 0 };
        return SHEAF_OK;
    }
    for (; coefficient % 10 == 0; coefficient /= 10) exponent++;
    int64_t first = exponent + (int64_t)sheaf_coefficient_digit_count(coefficient) - 1;
    if (first > SHEAF_NUMBER_EXPONENT_MAX) return sheaf_number_refuse(SHEAF_NUMBER_OVERFLOW, 0, out_detail);
    if (first < SHEAF_NUMBER_EXPONENT_MIN) return sheaf_number_refuse(SHEAF_NUMBER_UNDERFLOW, 0, out_detail);
    *out_number = (sheaf_number){
        .coefficient_high = (uint64_t)(coefficient >> 64), .coefficient_low = (uint64_t)coefficient,
        .exponent = (int16_t)exponent, .negative = negative
    };
    return SHEAF_OK;
}

static sheaf_number of_integer(bool negative, uint64_t magnitude)
{
    sheaf_number number = { 0 };
    (void)sheaf_number_make(negative, magnitude, 0, &number, NULL); /* twenty digits are in the range */
    return number;
}

sheaf_number sheaf_number_of_u64(uint64_t value)
{
    return of_integer(false, value);
}

sheaf_number sheaf_number_of_i64(int64_t value)
{
    return of_integer(value < 0, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

sheaf_status sheaf_number_to_i64(sheaf_number number, int64_t *out_value)
{
    uint64_t limit = number.negative ? (uint64_t)1 << 63 : INT64_MAX;
    uint64_t magnitude = number.coefficient_low;
    if (number.coefficient_high > 0 || number.exponent < 0) return SHEAF_NUMBER_OVERFLOW;
    for (int i = 0; i < number.exponent; i++)
        if (__builtin_mul_overflow(magnitude, (uint64_t)10, &magnitude)) return SHEAF_NUMBER_OVERFLOW;
    if (magnitude > limit) return SHEAF_NUMBER_OVERFLOW;
    *out_value = (int64_t)(number.negative ? -magnitude : magnitude);
    return SHEAF_OK;
}

/* ---- compared --------------------------------------------------------------------------------------------------------- */

/* Both other than zero. */
static int compare_magnitudes(sheaf_number left, sheaf_number right)
{
    sheaf_coefficient a = sheaf_number_coefficient(left), b = sheaf_number_coefficient(right);
    uint32_t a_count = sheaf_coefficient_digit_count(a), b_count = sheaf_coefficient_digit_count(b);
    int32_t a_first = left.exponent + (int32_t)a_count, b_first = right.exponent + (int32_t)b_count;
    if (a_first != b_first) return a_first > b_first ? 1 : -1;
    if (a_count < b_count) a *= sheaf_power_of_ten(b_count - a_count); /* as many digits as the other: below 10^38 */
    if (b_count < a_count) b *= sheaf_power_of_ten(a_count - b_count);
    return (a > b) - (a < b);
}

static int sign(sheaf_number number)
{
    return number.negative ? -1 : !sheaf_number_is_zero(number);
}

int sheaf_number_compare(sheaf_number left, sheaf_number right)
{
    int left_sign = sign(left), right_sign = sign(right);
    if (left_sign != right_sign) return left_sign > right_sign ? 1 : -1;
    return left_sign == 0 ? 0 : left_sign * compare_magnitudes(left, right);
}

/* ---- added ------------------------------------------------------------------------------------------------------------ */

/*
 * Digits in columns, the lowest first, from the lower of the two last digits on. Two numbers whose digits span more columns
 * than this cannot cancel to 38 digits: for that their first digits must be at most a column apart, and neither has more than
 * 38.
 */
enum { COLUMNS = SHEAF_NUMBER_DIGITS_MAX + 2, SPAN_MAX = SHEAF_NUMBER_DIGITS_MAX + 1 };

static void lay_out(sheaf_number number, int32_t lowest, int8_t columns[COLUMNS])
{
    uint8_t digits[SHEAF_NUMBER_DIGITS_MAX];
    uint32_t count = sheaf_number_digits(number, digits);
    memset(columns, 0, COLUMNS);
    uint32_t place = (uint32_t)(number.exponent - lowest);
    for (uint32_t i = 0; i < count; i++) columns[place + i] = (int8_t)digits[count - 1 - i];
}

/* left + right, or left - right where right is not the larger one; carried to digits. */
static void combine(int8_t columns[COLUMNS], const int8_t right[COLUMNS], int sign_of_right)
{
    int carry = 0;
    for (uint32_t i = 0; i < COLUMNS; i++) {
        int sum = columns[i] + sign_of_right * right[i] + carry;
        carry = sum < 0 ? -1 : sum / 10;
        columns[i] = (int8_t)(sum - 10 * carry);
    }
    sheaf_assert(carry == 0);
}

/* The number in the columns, if it has no more digits than a number can. */
static sheaf_status collect(bool negative, const int8_t columns[COLUMNS], int32_t lowest, sheaf_number *out_number,
                            sheaf_detail *out_detail)
{
    uint32_t first = COLUMNS, last = 0;
    while (first > 0 && columns[first - 1] == 0) first--;
    while (last < first && columns[last] == 0) last++;
    if (first - last > SHEAF_NUMBER_DIGITS_MAX) return sheaf_number_refuse(SHEAF_NUMBER_OVERFLOW, first - last, out_detail);
    sheaf_coefficient coefficient = 0;
    for (uint32_t i = first; i > last; i--) coefficient = coefficient * 10 + (uint8_t)columns[i - 1];
    return sheaf_number_make(negative, coefficient, (int64_t)lowest + last, out_number, out_detail);
}

static sheaf_status add_laid_out(sheaf_number left, sheaf_number right, int32_t lowest, sheaf_number *out_sum,
                                 sheaf_detail *out_detail)
{
    int8_t columns[COLUMNS], others[COLUMNS];
    if (left.negative != right.negative && compare_magnitudes(left, right) < 0) { /* the larger one gives the sign */
        sheaf_number larger = right;
        right = left;
        left = larger;
    }
    lay_out(left, lowest, columns);
    lay_out(right, lowest, others);
    combine(columns, others, left.negative == right.negative ? 1 : -1);
    return collect(left.negative, columns, lowest, out_sum, out_detail);
}

sheaf_status sheaf_number_add(sheaf_number left, sheaf_number right, sheaf_number *out_sum, sheaf_detail *out_detail)
{
    if (sheaf_number_is_zero(left) || sheaf_number_is_zero(right)) {
        *out_sum = sheaf_number_is_zero(left) ? right : left;
        return SHEAF_OK;
    }
    int32_t left_first = sheaf_number_first_exponent(left), right_first = sheaf_number_first_exponent(right);
    int32_t lowest = left.exponent < right.exponent ? left.exponent : right.exponent;
    int32_t span = (left_first > right_first ? left_first : right_first) - lowest + 1;
    if (span > SPAN_MAX) return sheaf_number_refuse(SHEAF_NUMBER_OVERFLOW, (uint64_t)span, out_detail);
    return add_laid_out(left, right, lowest, out_sum, out_detail);
}

sheaf_status sheaf_number_subtract(sheaf_number left, sheaf_number right, sheaf_number *out_difference, sheaf_detail *out_detail)
{
    if (!sheaf_number_is_zero(right)) right.negative = !right.negative;
    return sheaf_number_add(left, right, out_difference, out_detail);
}
