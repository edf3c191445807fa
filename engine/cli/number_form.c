#include "engine/cli/number_form.h"

static bool all_digits(sheaf_bytes digits)
{
    for (size_t i = 0; i < digits.size; i++)
        if (digits.data[i] < '0' || digits.data[i] > '9') return false;
    return digits.size > 0;
}

static sheaf_bytes without_leading_zeros(sheaf_bytes digits)
{
    while (digits.size > 0 && digits.data[0] == '0') digits = sheaf_bytes_of(digits.data + 1, digits.size - 1);
    return digits;
}

bool number_form_append(struct buffer *buffer, sheaf_bytes digits, enum number_form form, size_t width)
{
    if (!all_digits(digits)) return false;
    digits = without_leading_zeros(digits);
    if (digits.size > width) return false;
    uint8_t *out = buffer_reserve(buffer, width);
    for (size_t i = 0; i < width; i++) {
        size_t zeros = width - digits.size;
        uint8_t digit = i < zeros ? '0' : digits.data[i - zeros];
        out[i] = form == NUMBER_INVERTED ? (uint8_t)('9' - (digit - '0')) : digit; /* 99..9 - n never borrows */
    }
    buffer->size += width;
    return true;
}
