#include "engine/key/segment_number.h"

#include "engine/base/assert.h"

/* ---- decimal text --------------------------------------------------------------------------------------------------- */

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* Takes the digits at the start of `rest` off it. */
static sheaf_bytes take_digits(sheaf_bytes *rest)
{
    size_t size = 0;
    while (size < rest->size && is_digit(rest->data[size])) size++;
    sheaf_bytes digits = sheaf_bytes_of(rest->data, size);
    *rest = sheaf_bytes_skip(*rest, size);
    return digits;
}

bool sheaf_decimal_parse(sheaf_bytes text, struct sheaf_decimal *out_number)
{
    bool has_minus = text.size > 0 && text.data[0] == '-';
    if (has_minus) text = sheaf_bytes_skip(text, 1);
    sheaf_bytes whole = take_digits(&text), fraction = { NULL, 0 };
    if (whole.size == 0) return false;
    bool has_point = text.size > 0 && text.data[0] == '.';
    if (has_point) {
        text = sheaf_bytes_skip(text, 1);
        fraction = take_digits(&text);
        if (fraction.size == 0) return false;
    }
    if (text.size > 0) return false;
    while (whole.size > 0 && whole.data[0] == '0') whole = sheaf_bytes_skip(whole, 1);
    while (fraction.size > 0 && fraction.data[fraction.size - 1] == '0') fraction.size--;
    bool is_negative = has_minus && whole.size + fraction.size > 0;
    *out_number = (struct sheaf_decimal){ has_minus, has_point, is_negative, whole, fraction };
    return true;
}

int sheaf_decimal_compare(const struct sheaf_decimal *left, const struct sheaf_decimal *right)
{
    if (left->is_negative != right->is_negative) return left->is_negative ? -1 : 1;
    int order = (left->whole.size > right->whole.size) - (left->whole.size < right->whole.size);
    if (order == 0) order = sheaf_bytes_order(left->whole, right->whole);
    if (order == 0) order = sheaf_bytes_order(left->fraction, right->fraction);
    return left->is_negative ? -order : order;
}

/* ---- columns -------------------------------------------------------------------------------------------------------- */

/* All digits of a number, those before the point first, as numbers from 0 to 9. */
struct columns {
    uint8_t digits[SHEAF_SEGMENT_DIGITS_MAX];
    size_t count;
};

static bool are_zero(const struct columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        if (columns->digits[i] != 0) return false;
    return true;
}

/* 99...9 less the number: never borrows. */
static void complement_nines(struct columns *columns)
{
    for (size_t i = 0; i < columns->count; i++) columns->digits[i] = (uint8_t)(9 - columns->digits[i]);
}

/* 100...0 less the number, which is not zero: the zeros at its end stay, the digit before is taken from ten, the others
 * from nine. */
static void complement_tens(struct columns *columns)
{
    size_t last = columns->count;
    while (last > 0 && columns->digits[last - 1] == 0) last--;
    sheaf_assert(last > 0);
    for (size_t i = 0; i < last; i++) columns->digits[i] = (uint8_t)((i + 1 == last ? 10 : 9) - columns->digits[i]);
}

static void apply_form(const sheaf_segment *segment, bool negative, struct columns *columns)
{
    if (segment->form == SHEAF_FORM_INVERT) complement_nines(columns);
    if (negative) complement_tens(columns);
}

size_t sheaf_number_segment_size(const sheaf_segment *segment)
{
    return (size_t)segment->width + segment->digits + (segment->form == SHEAF_FORM_SIGNED) + (segment->digits > 0);
}

static void write_columns(const sheaf_segment *segment, bool negative, const struct columns *columns,
                          struct sheaf_written *written)
{
    uint8_t bytes[SHEAF_SEGMENT_FIXED_SIZE_MAX];
    size_t size = 0;
    if (segment->form == SHEAF_FORM_SIGNED) bytes[size++] = negative ? '0' : '1';
    for (size_t i = 0; i < columns->count; i++) {
        if (i == segment->width) bytes[size++] = '.';
        bytes[size++] = (uint8_t)('0' + columns->digits[i]);
    }
    sheaf_assert(size == sheaf_number_segment_size(segment));
    sheaf_write(written, bytes, size);
}

/* What is finer than the digits is cut off. */
static struct columns columns_of(const sheaf_segment *segment, const struct sheaf_decimal *number)
{
    struct columns columns = { .count = (size_t)segment->width + segment->digits };
    sheaf_assert(columns.count <= SHEAF_SEGMENT_DIGITS_MAX);
    sheaf_assert(number->whole.size <= segment->width);
    size_t begin = segment->width - number->whole.size;
    for (size_t i = 0; i < number->whole.size; i++) columns.digits[begin + i] = (uint8_t)(number->whole.data[i] - '0');
    for (size_t i = 0; i < segment->digits && i < number->fraction.size; i++)
        columns.digits[segment->width + i] = (uint8_t)(number->fraction.data[i] - '0');
    return columns;
}

enum sheaf_spot sheaf_number_segment_locate(const sheaf_segment *segment, const struct sheaf_decimal *number,
                                            struct sheaf_written *written)
{
    if (number->is_negative && segment->form != SHEAF_FORM_SIGNED) return SPOT_LEAST;
    if (number->whole.size > segment->width) return number->is_negative ? SPOT_LEAST : SPOT_MOST;
    struct columns columns = columns_of(segment, number);
    bool negative = number->is_negative && !are_zero(&columns);
    apply_form(segment, negative, &columns);
    write_columns(segment, negative, &columns, written);
    if (number->fraction.size <= segment->digits) return SPOT_AT;
    return number->is_negative ? SPOT_BELOW : SPOT_ABOVE; /* cut off towards zero */
}

sheaf_status sheaf_number_segment_append(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                         sheaf_detail *out_detail)
{
    struct sheaf_decimal number;
    if (!sheaf_decimal_parse(value, &number)) {
        return sheaf_segment_refuse(out_detail, SHEAF_NUMBER_MALFORMED, 0, 0, "The value is no decimal number");
    }
    if (number.has_minus && segment->form != SHEAF_FORM_SIGNED) {
        return sheaf_segment_refuse(out_detail, SHEAF_SEGMENT_REFUSED, 0, 0,
                                    "The number has a minus, its form has no sign");
    }
    if (number.has_point && segment->digits == 0) {
        return sheaf_segment_refuse(out_detail, SHEAF_SEGMENT_REFUSED, number.fraction.size, 0,
                                    "The number has a point, its form is for whole numbers");
    }
    if (number.whole.size > segment->width) {
        return sheaf_segment_refuse(out_detail, SHEAF_SEGMENT_REFUSED, number.whole.size, segment->width,
                                    "The number has more digits than its width");
    }
    if (number.fraction.size > segment->digits) {
        return sheaf_segment_refuse(out_detail, SHEAF_SEGMENT_REFUSED, number.fraction.size, segment->digits,
                                    "The number has more digits behind the point than its form");
    }
    enum sheaf_spot spot = sheaf_number_segment_locate(segment, &number, written);
    sheaf_assert(spot == SPOT_AT);
    (void)spot;
    return SHEAF_OK;
}

/* ---- back to a number ----------------------------------------------------------------------------------------------- */

/* False if the bytes are no sign, digits and point in their places. */
static bool read_columns(const sheaf_segment *segment, const uint8_t *bytes, bool *out_negative,
                         struct columns *out_columns)
{
    size_t at = 0;
    *out_negative = false;
    *out_columns = (struct columns){ .count = (size_t)segment->width + segment->digits };
    if (segment->form == SHEAF_FORM_SIGNED) {
        if (bytes[0] != '0' && bytes[0] != '1') return false;
        *out_negative = bytes[at++] == '0';
    }
    for (size_t i = 0; i < out_columns->count; i++) {
        if (i == segment->width && bytes[at++] != '.') return false;
        if (!is_digit(bytes[at])) return false;
        out_columns->digits[i] = (uint8_t)(bytes[at++] - '0');
    }
    return !*out_negative || !are_zero(out_columns); /* 00000 would be -10^4 */
}

static void write_number(const sheaf_segment *segment, bool negative, const struct columns *columns,
                         struct sheaf_written *written)
{
    uint8_t bytes[SHEAF_SEGMENT_FIXED_SIZE_MAX];
    size_t size = 0, begin = 0, end = columns->count;
    while (begin + 1 < segment->width && columns->digits[begin] == 0) begin++;
    while (end > segment->width && columns->digits[end - 1] == 0) end--;
    if (negative) bytes[size++] = '-';
    for (size_t i = begin; i < end; i++) {
        if (i == segment->width) bytes[size++] = '.';
        bytes[size++] = (uint8_t)('0' + columns->digits[i]);
    }
    sheaf_write(written, bytes, size);
}

sheaf_status sheaf_number_segment_take(const sheaf_segment *segment, sheaf_bytes rest, struct sheaf_written *written,
                                       sheaf_detail *out_detail)
{
    size_t size = sheaf_number_segment_size(segment);
    struct columns columns;
    bool negative;
    if (rest.size < size) {
        return sheaf_segment_refuse(out_detail, SHEAF_KEY_MALFORMED, rest.size, size, "The key ends within a number");
    }
    if (!read_columns(segment, rest.data, &negative, &columns)) {
        return sheaf_segment_refuse(out_detail, SHEAF_KEY_MALFORMED, 0, 0, "There is no number of this form");
    }
    apply_form(segment, negative, &columns); /* each complement is its own inverse */
    write_number(segment, negative, &columns, written);
    return SHEAF_OK;
}
