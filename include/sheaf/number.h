/*
 * number.h - DynamoDB's numbers: exact decimals of up to 38 digits, as values, as text and as bytes that sort by value.
 *
 *     1 = 1.0 = 1E0 = 0.1e1        one value, one printed form, one key
 *
 * A number is a whole coefficient without trailing zeros times a power of ten. No binary floating point anywhere. Range and
 * precision are DynamoDB's (AWS, "Supported data types and naming rules": 38 digits, magnitudes from 1E-130 to
 * 9.9999999999999999999999999999999999999E+125, and zero).
 *
 * The key of a number, in bytes:
 *
 *     zero       02
 *     positive   03  130 + exponent of the first digit   2p+1  2p+1  ...  2p      p: two digits each, from the first one on
 *     negative   01  the same, all bits flipped
 *
 *     150 = 1.5e2    03  84  1E            15 -> 1E, the last
 *     1234.5         03  85  19 45 64      12 34 50 -> 19 45 64
 *     -150           01  7B  E1
 *
 * The lowest bit of each byte of digits says whether more follow, so a key ends itself: no key is the beginning of another, and
 * order holds whatever is written behind.
 *
 * Thread rule: numbers are values, and these functions look at nothing else: any thread, any time. Nothing allocates, and the
 * cost of each is O(digits).
 */
#ifndef SHEAF_NUMBER_H
#define SHEAF_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/status.h>

SHEAF_BEGIN_DECLARATIONS

/** Significant digits a number can have. */
#define SHEAF_NUMBER_DIGITS_MAX 38
/** The exponents of ten that the first digit of a number can have. */
#define SHEAF_NUMBER_EXPONENT_MIN (-130)
#define SHEAF_NUMBER_EXPONENT_MAX 125
/** The longest printed form, in bytes: "-0.", 129 zeros, 38 digits. */
#define SHEAF_NUMBER_TEXT_SIZE_MAX 170
/** The longest key of a number, in bytes: class, exponent, two digits a byte. */
#define SHEAF_NUMBER_KEY_SIZE_MAX 21

/**
 * A number: coefficient * 10^exponent, below zero if `negative`. Made by these functions only; zeroed it is the number zero.
 * Equal numbers have equal members.
 */
typedef struct sheaf_number {
    uint64_t coefficient_high; /**< the upper 64 bits of the coefficient, which is below 10^38 and no multiple of ten */
    uint64_t coefficient_low;  /**< the lower ones; all of zero is 0 */
    int16_t exponent;          /**< of its last digit; 0 for zero */
    bool negative;             /**< false for zero */
} sheaf_number;

/**
 * Reads a number as DynamoDB does: `[+-]? (digits [. digits?] | . digits) ([eE] [+-]? digits)?`, nothing before or behind.
 *
 * Zeros around the significant digits do not count. A zero is refused for its exponent, as DynamoDB does: 0e126, 0e-131.
 *
 * @param[out] out_detail  May be NULL. The message is DynamoDB's, without what it appends of the text.
 * @retval SHEAF_OK
 * @retval SHEAF_NUMBER_MALFORMED  Something else than the above; or an exponent that 64 bits do not hold.
 * @retval SHEAF_NUMBER_TOO_LONG   `size` significant digits.
 * @retval SHEAF_NUMBER_OVERFLOW
 * @retval SHEAF_NUMBER_UNDERFLOW
 */
SHEAF_API sheaf_status sheaf_number_parse(sheaf_bytes text, sheaf_number *out_number, sheaf_detail *out_detail);

/** The number @p value. */
SHEAF_API sheaf_number sheaf_number_of_i64(int64_t value);

/** The number @p value. */
SHEAF_API sheaf_number sheaf_number_of_u64(uint64_t value);

/**
 * A number as an integer.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NUMBER_OVERFLOW  It has a fraction, or lies outside of what 64 signed bits hold.
 */
SHEAF_API sheaf_status sheaf_number_to_i64(sheaf_number number, int64_t *out_value);

/**
 * Writes a number in the one form in which DynamoDB returns it: plain decimal, never an exponent, no sign but a minus, no zeros
 * that say nothing. No NUL is written.
 *
 * @param[out] out_text  Room for SHEAF_NUMBER_TEXT_SIZE_MAX bytes.
 * @return How many bytes it took.
 */
SHEAF_API size_t sheaf_number_print(sheaf_number number, char *out_text);

/** Less than, equal to or greater than 0, as @p left is to @p right by value. */
SHEAF_API int sheaf_number_compare(sheaf_number left, sheaf_number right);

/**
 * The exact sum.
 *
 * @param[out] out_detail  May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_NUMBER_OVERFLOW   Too large; or the exact sum has more than 38 significant digits (1e40 + 1), for which
 *                                 DynamoDB says the same.
 * @retval SHEAF_NUMBER_UNDERFLOW  Other than zero and too small.
 */
SHEAF_API sheaf_status sheaf_number_add(sheaf_number left, sheaf_number right, sheaf_number *out_sum, sheaf_detail *out_detail);

/** The exact difference; otherwise as sheaf_number_add(). */
SHEAF_API sheaf_status sheaf_number_subtract(sheaf_number left, sheaf_number right, sheaf_number *out_difference,
                                             sheaf_detail *out_detail);

/**
 * The bytes DynamoDB counts for a number: 1 for zero; else 1, a byte for each two digits before the point and each two behind
 * it (zeros that only fill up apart), and 1 for a minus.
 */
SHEAF_API size_t sheaf_number_size(sheaf_number number);

/**
 * Writes the key of a number: keys compare, as bytes, as the numbers do.
 *
 * @param[out] out_key  Room for SHEAF_NUMBER_KEY_SIZE_MAX bytes.
 * @return How many bytes it took.
 */
SHEAF_API size_t sheaf_number_to_key(sheaf_number number, uint8_t *out_key);

/**
 * Reads the key of a number from the start of @p key, which may go on.
 *
 * @param[out] out_size  How many bytes were the number's. May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_KEY_MALFORMED  It begins with nothing that sheaf_number_to_key() writes.
 */
SHEAF_API sheaf_status sheaf_number_from_key(sheaf_bytes key, sheaf_number *out_number, size_t *out_size);

SHEAF_END_DECLARATIONS

#endif
