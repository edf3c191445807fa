/*
 * segment_machine.c - segments of the machine's own numbers: by way of their digits, so that there is one way to write a
 * number.
 */
#include <sheaf/segment.h>

#include "engine/key/segment.h"

enum { DIGITS_MAX = 20 }; /* of 2^64 - 1 */

/* Prints it, with a minus if wanted. Returns where it begins in `out`. */
static sheaf_bytes print(uint64_t magnitude, bool minus, uint8_t out[DIGITS_MAX + 1])
{
    size_t at = DIGITS_MAX + 1;
    do {
        out[--at] = (uint8_t)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude > 0);
    if (minus) out[--at] = '-';
    return sheaf_bytes_of(out + at, DIGITS_MAX + 1 - at);
}

static sheaf_status write(sheaf_form form, sheaf_bytes number, size_t width, void *out_bytes, sheaf_detail *out_detail)
{
    if (width < 1 || width > SHEAF_SEGMENT_DIGITS_MAX) {
        return sheaf_segment_refuse(out_detail, SHEAF_INVALID_ARGUMENT, width, SHEAF_SEGMENT_DIGITS_MAX,
                                    "A number has a width from 1 on, and at most 38 digits in all");
    }
    sheaf_segment segment = { form, (uint8_t)width, 0, SHEAF_NO_DELIMITER };
    sheaf_bytes written;
    return sheaf_segment_write(&segment, number, out_bytes, width + (form == SHEAF_FORM_SIGNED), &written, out_detail);
}

sheaf_status sheaf_segment_pad(uint64_t number, size_t width, void *out_bytes, sheaf_detail *out_detail)
{
    uint8_t text[DIGITS_MAX + 1];
    return write(SHEAF_FORM_PAD, print(number, false, text), width, out_bytes, out_detail);
}

sheaf_status sheaf_segment_invert(uint64_t number, size_t width, void *out_bytes, sheaf_detail *out_detail)
{
    uint8_t text[DIGITS_MAX + 1];
    return write(SHEAF_FORM_INVERT, print(number, false, text), width, out_bytes, out_detail);
}

sheaf_status sheaf_segment_signed(int64_t number, size_t width, void *out_bytes, sheaf_detail *out_detail)
{
    uint8_t text[DIGITS_MAX + 1];
    uint64_t magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    return write(SHEAF_FORM_SIGNED, print(magnitude, number < 0, text), width, out_bytes, out_detail);
}

/* The segment as a sign and a number of 64 bits. */
static sheaf_status read(sheaf_form form, sheaf_bytes bytes, bool *out_minus, uint64_t *out_magnitude)
{
    uint8_t text[SHEAF_SEGMENT_FIXED_SIZE_MAX];
    sheaf_bytes number;
    size_t sign = form == SHEAF_FORM_SIGNED;
    if (bytes.size < 1 + sign || bytes.size - sign > SHEAF_SEGMENT_DIGITS_MAX) return SHEAF_KEY_MALFORMED;
    sheaf_segment segment = { form, (uint8_t)(bytes.size - sign), 0, SHEAF_NO_DELIMITER };
    sheaf_status status = sheaf_segment_read(&segment, bytes, text, sizeof text, &number, NULL);
    if (status != SHEAF_OK) return status;
    *out_minus = number.data[0] == '-';
    *out_magnitude = 0;
    for (size_t i = *out_minus; i < number.size; i++)
        if (__builtin_mul_overflow(*out_magnitude, 10u, out_magnitude) ||
            __builtin_add_overflow(*out_magnitude, (uint64_t)(number.data[i] - '0'), out_magnitude))
            return SHEAF_KEY_MALFORMED;
    return SHEAF_OK;
}

static sheaf_status read_unsigned(sheaf_form form, sheaf_bytes bytes, uint64_t *out_number)
{
    bool minus;
    uint64_t magnitude;
    sheaf_status status = read(form, bytes, &minus, &magnitude);
    if (status == SHEAF_OK) *out_number = magnitude;
    return status;
}

sheaf_status sheaf_segment_unpad(sheaf_bytes bytes, uint64_t *out_number)
{
    return read_unsigned(SHEAF_FORM_PAD, bytes, out_number);
}

sheaf_status sheaf_segment_uninvert(sheaf_bytes bytes, uint64_t *out_number)
{
    return read_unsigned(SHEAF_FORM_INVERT, bytes, out_number);
}

sheaf_status sheaf_segment_unsign(sheaf_bytes bytes, int64_t *out_number)
{
    bool minus;
    uint64_t magnitude;
    sheaf_status status = read(SHEAF_FORM_SIGNED, bytes, &minus, &magnitude);
    if (status != SHEAF_OK) return status;
    if (magnitude > (uint64_t)INT64_MAX + minus) return SHEAF_KEY_MALFORMED;
    *out_number = minus ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return SHEAF_OK;
}
