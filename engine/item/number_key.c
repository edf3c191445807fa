/*
 * number_key.c - numbers as bytes that sort by value (the drawing is in <sheaf/number.h>).
 */
#include "engine/item/number.h"

#include "engine/base/assert.h"

enum key_class {
    CLASS_NEGATIVE = 1,
    CLASS_ZERO = 2,
    CLASS_POSITIVE = 3
};

enum { PAIR_MAX = 99, PAIR_COUNT_MAX = SHEAF_NUMBER_DIGITS_MAX / 2 };
_Static_assert(SHEAF_NUMBER_DIGITS_MAX % 2 == 0 && SHEAF_NUMBER_KEY_SIZE_MAX == 2 + PAIR_COUNT_MAX, "two digits a byte");
_Static_assert(SHEAF_NUMBER_EXPONENT_MAX - SHEAF_NUMBER_EXPONENT_MIN == UINT8_MAX, "an exponent takes a byte");

size_t sheaf_number_to_key(sheaf_number number, uint8_t *out_key)
{
    if (sheaf_number_is_zero(number)) {
        out_key[0] = CLASS_ZERO;
        return 1;
    }
    uint8_t digits[SHEAF_NUMBER_DIGITS_MAX + 1];
    uint32_t count = sheaf_number_digits(number, digits);
    digits[count] = 0; /* the other half of the last pair, if it has none */
    uint8_t flip = number.negative ? UINT8_MAX : 0;
    size_t size = 0;
    out_key[size++] = number.negative ? CLASS_NEGATIVE : CLASS_POSITIVE;
    out_key[size++] = (uint8_t)(sheaf_number_first_exponent(number) - SHEAF_NUMBER_EXPONENT_MIN) ^ flip;
    for (uint32_t i = 0; i < count; i += 2) {
        uint32_t pair = 10u * digits[i] + digits[i + 1];
        out_key[size++] = (uint8_t)(2 * pair + (i + 2 < count)) ^ flip;
    }
    return size;
}

/* What the pairs say, without the zero that may fill up the last. */
struct pairs {
    sheaf_coefficient coefficient;
    uint32_t pair_count;
    uint32_t last;
};

/* False unless they are as they are written: no zero at the start, no pair of zeros at the end. */
static bool read_pairs(sheaf_bytes bytes, uint8_t flip, struct pairs *pairs)
{
    for (size_t i = 0; i < bytes.size && i < PAIR_COUNT_MAX; i++) {
        uint8_t byte = bytes.data[i] ^ flip;
        pairs->last = byte / 2;
        if (pairs->last > PAIR_MAX || (i == 0 && pairs->last < 10)) return false;
        pairs->coefficient = pairs->coefficient * 100 + pairs->last;
        pairs->pair_count++;
        if (byte % 2 == 0) return pairs->last != 0;
    }
    return false;
}

sheaf_status sheaf_number_from_key(sheaf_bytes key, sheaf_number *out_number, size_t *out_size)
{
    if (key.size > 0 && key.data[0] == CLASS_ZERO) {
        *out_number = (sheaf_number){ 0 };
        if (out_size) *out_size = 1;
        return SHEAF_OK;
    }
    if (key.size < 3 || (key.data[0] != CLASS_NEGATIVE && key.data[0] != CLASS_POSITIVE)) return SHEAF_KEY_MALFORMED;
    bool negative = key.data[0] == CLASS_NEGATIVE;
    uint8_t flip = negative ? UINT8_MAX : 0;
    struct pairs pairs = { 0 };
    if (!read_pairs(sheaf_bytes_of(key.data + 2, key.size - 2), flip, &pairs)) return SHEAF_KEY_MALFORMED;
    int32_t first = (key.data[1] ^ flip) + SHEAF_NUMBER_EXPONENT_MIN;
    int64_t exponent = first + 1 - 2 * (int64_t)pairs.pair_count;
    sheaf_status status = sheaf_number_make(negative, pairs.coefficient, exponent, out_number, NULL);
    sheaf_assert(status == SHEAF_OK); /* any first digit with any exponent of a byte is in the range */
    if (out_size) *out_size = 2 + pairs.pair_count;
    return status;
}
