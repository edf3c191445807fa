/*
 * number.h - what the files about numbers share: the coefficient in one piece, and its digits.
 *
 * N1  A coefficient is below 10^38 and no multiple of ten; zero has exponent 0 and no sign.
 * N2  The exponent of the first digit is SHEAF_NUMBER_EXPONENT_MIN to _MAX.
 */
#ifndef SHEAF_ITEM_NUMBER_H
#define SHEAF_ITEM_NUMBER_H

#include <sheaf/number.h>

__extension__ typedef unsigned __int128 sheaf_coefficient;

static inline sheaf_coefficient sheaf_number_coefficient(sheaf_number number)
{
    return (sheaf_coefficient)number.coefficient_high << 64 | number.coefficient_low;
}

static inline bool sheaf_number_is_zero(sheaf_number number)
{
    return (number.coefficient_high | number.coefficient_low) == 0;
}

/* 10^exponent, which is at most SHEAF_NUMBER_DIGITS_MAX. */
sheaf_coefficient sheaf_power_of_ten(uint32_t exponent);

/* How many digits a coefficient has; none for 0. */
uint32_t sheaf_coefficient_digit_count(sheaf_coefficient coefficient);

/* Writes the digits of a number, 0 to 9 each, the first one first. Returns how many. */
uint32_t sheaf_number_digits(sheaf_number number, uint8_t out_digits[SHEAF_NUMBER_DIGITS_MAX]);

/* The exponent of the first digit of a number other than zero. */
int32_t sheaf_number_first_exponent(sheaf_number number);

/* Says why a number is refused: SHEAF_NUMBER_TOO_LONG, _OVERFLOW, _UNDERFLOW or _MALFORMED. */
sheaf_status sheaf_number_refuse(sheaf_status status, uint64_t digit_count, sheaf_detail *out_detail);

/*
 * The number of a coefficient below 10^38 and any exponent of its last digit: trailing zeros are taken off, the range is
 * checked (N1, N2). SHEAF_OK, or SHEAF_NUMBER_OVERFLOW or _UNDERFLOW.
 */
sheaf_status sheaf_number_make(bool negative, sheaf_coefficient coefficient, int64_t exponent, sheaf_number *out_number,
                               sheaf_detail *out_detail);

#endif
