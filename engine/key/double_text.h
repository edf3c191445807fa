/*
 * double_text.h - doubles as text: the nearest to a decimal, and the shortest decimal that is nearest to it.
 *
 * What is read and printed has no point by the time libc sees it, so its locale plays no part.
 */
#ifndef SHEAF_KEY_DOUBLE_TEXT_H
#define SHEAF_KEY_DOUBLE_TEXT_H

#include <stdbool.h>

#include <sheaf/bytes.h>

/* The longest printed form: a sign, 17 digits, a point, an exponent; or zeros. */
#define SHEAF_DOUBLE_TEXT_SIZE_MAX 32

/*
 * ['-'] digits ['.' digits] [('e' | 'E') ['+' | '-'] digits], or "inf", "-inf". To the nearest, ties to even; a number too
 * large is none. False if it is not that.
 */
bool sheaf_double_parse(sheaf_bytes text, double *out_value);

/* Prints it so that it is read back the same, in as few digits as that takes. No NaN. Returns the size. */
size_t sheaf_double_print(double value, char *out_text);

#endif
