/*
 * number_form.h - whole numbers as text that sorts by value.
 *
 *     padded to 10     9 -> 0000000009    1500 -> 0000001500
 *     inverted to 10   9 -> 9999999990    1500 -> 9999998499     the largest first: 9999999999 - n
 *
 * Works on digits, so a width of 38 costs no big numbers. A number wider than its width would sort wrongly and is refused.
 */
#ifndef SHEAF_CLI_NUMBER_FORM_H
#define SHEAF_CLI_NUMBER_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"

/* As many digits as a DynamoDB number can have. */
#define NUMBER_FORM_WIDTH_MAX 38

enum number_form {
    NUMBER_PLAIN, /* the field's bytes as they are */
    NUMBER_PADDED,
    NUMBER_INVERTED
};

/*
 * Appends `digits` in the padded or inverted form. False, and nothing appended, unless they are decimal digits, at least one
 * and at most `width` without leading zeros.
 */
bool number_form_append(struct buffer *buffer, sheaf_bytes digits, enum number_form form, size_t width);

#endif
