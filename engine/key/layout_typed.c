#include "engine/key/layout_typed.h"

#include "engine/base/assert.h"
#include "engine/key/double_text.h"
#include "engine/key/segment_number.h"
#include "engine/key/tuple.h"

enum { SCALAR_SIZE_MAX = 1 + SHEAF_NUMBER_KEY_SIZE_MAX };

/* ---- texts to values ------------------------------------------------------------------------------------------------ */

static const char NO_NUMBER[] = "The value is no decimal number";

/* A whole number, or the one towards zero, and where the number stands to it among those that the kind has. */
struct integer {
    bool negative;
    uint64_t magnitude;
    enum sheaf_spot spot;
};

/* False: no decimal number. */
static bool parse_integer(enum sheaf_typed_kind kind, sheaf_bytes value, struct integer *out_integer)
{
    struct sheaf_decimal number;
    if (!sheaf_decimal_parse(value, &number)) return false;
    *out_integer = (struct integer){ .spot = SPOT_AT };
    uint64_t most = kind == TYPED_U64 ? UINT64_MAX : (uint64_t)INT64_MAX + number.is_negative;
    bool out = number.is_negative && kind == TYPED_U64;
    for (size_t i = 0; i < number.whole.size && !out; i++)
        out = __builtin_mul_overflow(out_integer->magnitude, 10u, &out_integer->magnitude) ||
              __builtin_add_overflow(out_integer->magnitude, (uint64_t)(number.whole.data[i] - '0'),
                                     &out_integer->magnitude) ||
              out_integer->magnitude > most;
    out_integer->negative = number.is_negative && out_integer->magnitude > 0;
    if (out)
        out_integer->spot = number.is_negative ? SPOT_LEAST : SPOT_MOST;
    else if (number.fraction.size > 0)
        out_integer->spot = number.is_negative ? SPOT_BELOW : SPOT_ABOVE;
    return true;
}

/* Adds it. Of an i64 the magnitude is at most 2^63. */
static void add_integer(sheaf_key_writer *writer, const struct integer *integer, sheaf_order order)
{
    if (integer->negative)
        sheaf_key_add_i64(writer, (int64_t)(0 - integer->magnitude), order);
    else
        sheaf_key_add_u64(writer, integer->magnitude, order);
}

static bool parse_bool(sheaf_bytes value, bool *out_bool)
{
    *out_bool = sheaf_bytes_equal(value, SHEAF_LIT("true"));
    return *out_bool || sheaf_bytes_equal(value, SHEAF_LIT("false"));
}

/* ---- scalars -------------------------------------------------------------------------------------------------------- */

static sheaf_status locate_integer(const struct sheaf_typed *typed, sheaf_bytes value, sheaf_key_writer *writer,
                                   enum sheaf_spot *out_spot, sheaf_detail *out_detail)
{
    struct integer integer;
    if (!parse_integer(typed->kind, value, &integer)) {
        return sheaf_segment_refuse(out_detail, SHEAF_NUMBER_MALFORMED, 0, 0, NO_NUMBER);
    }
    *out_spot = integer.spot;
    if (integer.spot != SPOT_LEAST && integer.spot != SPOT_MOST) add_integer(writer, &integer, typed->order);
    return SHEAF_OK;
}

static sheaf_status add_number(const struct sheaf_typed *typed, sheaf_bytes value, sheaf_key_writer *writer,
                               sheaf_detail *out_detail)
{
    sheaf_number number;
    sheaf_detail detail;
    sheaf_status status = sheaf_number_parse(value, &number, &detail);
    if (status != SHEAF_OK) return sheaf_segment_refuse(out_detail, status, detail.size, detail.limit, detail.message);
    if (typed->kind == TYPED_NUMBER)
        sheaf_key_add_number(writer, number, typed->order);
    else
        writer->size += sheaf_number_to_key(number, writer->buffer); /* alone, without a tag */
    return SHEAF_OK;
}

static sheaf_status add_double(const struct sheaf_typed *typed, sheaf_bytes value, sheaf_key_writer *writer,
                               sheaf_detail *out_detail)
{
    double number;
    if (!sheaf_double_parse(value, &number)) {
        return sheaf_segment_refuse(out_detail, SHEAF_NUMBER_MALFORMED, 0, 0,
                                    "The value is no decimal number, or too large for a double");
    }
    sheaf_key_add_double(writer, number, typed->order);
    return SHEAF_OK;
}

static sheaf_status add_bool(const struct sheaf_typed *typed, sheaf_bytes value, sheaf_key_writer *writer,
                             sheaf_detail *out_detail)
{
    bool boolean;
    if (!parse_bool(value, &boolean)) {
        return sheaf_segment_refuse(out_detail, SHEAF_SEGMENT_REFUSED, 0, 0, "The value is neither true nor false");
    }
    sheaf_key_add_bool(writer, boolean, typed->order);
    return SHEAF_OK;
}

static sheaf_status locate_scalar(const struct sheaf_typed *typed, sheaf_bytes value, struct sheaf_written *written,
                                  enum sheaf_spot *out_spot, sheaf_detail *out_detail)
{
    uint8_t bytes[SCALAR_SIZE_MAX];
    sheaf_key_writer writer;
    sheaf_status status = SHEAF_OK;
    sheaf_key_begin(&writer, bytes, sizeof bytes);
    *out_spot = SPOT_AT;
    switch (typed->kind) {
    case TYPED_U64:
    case TYPED_I64: status = locate_integer(typed, value, &writer, out_spot, out_detail); break;
    case TYPED_DOUBLE: status = add_double(typed, value, &writer, out_detail); break;
    case TYPED_NUMBER:
    case TYPED_NUMBER_KEY: status = add_number(typed, value, &writer, out_detail); break;
    case TYPED_BOOL: status = add_bool(typed, value, &writer, out_detail); break;
    case TYPED_NONE:
    case TYPED_TEXT:
    case TYPED_BYTES: sheaf_assert(false);
    }
    sheaf_assert(writer.status == SHEAF_OK);
    if (status == SHEAF_OK) sheaf_write(written, bytes, writer.size);
    return status;
}

/* ---- texts and bytes ------------------------------------------------------------------------------------------------ */

/* A tag, the bytes, of which those that are escaped take two, and an end. */
static size_t escaped_size(sheaf_bytes value)
{
    size_t size = 2;
    for (size_t i = 0; i < value.size; i++)
        if (__builtin_add_overflow(size, value.data[i] <= TUPLE_ESCAPE ? 2u : 1u, &size)) return SIZE_MAX;
    return size;
}

static sheaf_status append_escaped(const struct sheaf_typed *typed, sheaf_bytes value, struct sheaf_written *written,
                                   sheaf_detail *out_detail)
{
    size_t size = escaped_size(value);
    size_t room = sheaf_written_fits(written) ? written->capacity - written->size : 0;
    sheaf_key_writer writer;
    sheaf_key_begin(&writer, room > 0 ? written->buffer + written->size : NULL, room);
    if (typed->kind == TYPED_TEXT)
        sheaf_key_add_text(&writer, value, typed->order);
    else
        sheaf_key_add_bytes(&writer, value, typed->order);
    if (writer.status == SHEAF_TEXT_MALFORMED) {
        return sheaf_segment_refuse(out_detail, SHEAF_TEXT_MALFORMED, writer.detail.size, 0, "The text is not UTF-8");
    }
    sheaf_assert(size > room ? writer.status == SHEAF_KEY_TOO_LONG : writer.size == size);
    if (__builtin_add_overflow(written->size, size, &written->size)) written->size = SIZE_MAX;
    return SHEAF_OK;
}

/* ---- as of any field ------------------------------------------------------------------------------------------------ */

sheaf_status sheaf_typed_locate(const struct sheaf_typed *typed, sheaf_bytes value, struct sheaf_written *written,
                                enum sheaf_spot *out_spot, sheaf_detail *out_detail)
{
    *out_spot = SPOT_AT;
    if (sheaf_typed_has_beginnings(typed)) return append_escaped(typed, value, written, out_detail);
    return locate_scalar(typed, value, written, out_spot, out_detail);
}

sheaf_status sheaf_typed_append(const struct sheaf_typed *typed, sheaf_bytes value, struct sheaf_written *written,
                                sheaf_detail *out_detail)
{
    enum sheaf_spot spot;
    sheaf_status status = sheaf_typed_locate(typed, value, written, &spot, out_detail);
    if (status != SHEAF_OK || spot == SPOT_AT) return status;
    bool is_fraction = spot == SPOT_BELOW || spot == SPOT_ABOVE;
    return sheaf_segment_refuse(out_detail, SHEAF_SEGMENT_REFUSED, 0, 0,
                                is_fraction ? "The number has a fraction, its type has none"
                                            : "The number is not in the range of its type");
}

/* All but the end. */
sheaf_status sheaf_typed_append_beginning(const struct sheaf_typed *typed, sheaf_bytes value, struct sheaf_written *written,
                                          sheaf_detail *out_detail)
{
    sheaf_assert(sheaf_typed_has_beginnings(typed));
    sheaf_status status = append_escaped(typed, value, written, out_detail);
    if (status == SHEAF_OK) written->size--;
    return status;
}

static int compare_numbers(sheaf_bytes left, sheaf_bytes right)
{
    sheaf_number left_number, right_number;
    sheaf_status status = sheaf_number_parse(left, &left_number, NULL);
    if (status == SHEAF_OK) status = sheaf_number_parse(right, &right_number, NULL);
    sheaf_assert(status == SHEAF_OK);
    return status == SHEAF_OK ? sheaf_number_compare(left_number, right_number) : 0;
}

static int compare_integers(sheaf_bytes left, sheaf_bytes right)
{
    struct sheaf_decimal left_number, right_number;
    bool both = sheaf_decimal_parse(left, &left_number) && sheaf_decimal_parse(right, &right_number);
    sheaf_assert(both);
    return both ? sheaf_decimal_compare(&left_number, &right_number) : 0;
}

static int compare_doubles(sheaf_bytes left, sheaf_bytes right)
{
    double left_number = 0, right_number = 0;
    bool both = sheaf_double_parse(left, &left_number) && sheaf_double_parse(right, &right_number);
    sheaf_assert(both);
    (void)both;
    return (left_number > right_number) - (left_number < right_number);
}

int sheaf_typed_compare(const struct sheaf_typed *typed, sheaf_bytes left, sheaf_bytes right)
{
    switch (typed->kind) {
    case TYPED_U64:
    case TYPED_I64: return compare_integers(left, right);
    case TYPED_DOUBLE: return compare_doubles(left, right);
    case TYPED_NUMBER:
    case TYPED_NUMBER_KEY: return compare_numbers(left, right);
    case TYPED_NONE:
    case TYPED_TEXT:
    case TYPED_BYTES:
    case TYPED_BOOL: break; /* "false" is below "true" */
    }
    return sheaf_bytes_order(left, right);
}

/* ---- back to texts -------------------------------------------------------------------------------------------------- */

static bool write_integer(enum sheaf_typed_kind kind, const sheaf_key_part *part, struct sheaf_written *written)
{
    uint8_t text[24];
    size_t at = sizeof text;
    uint64_t magnitude = part->magnitude;
    if (kind == TYPED_U64 ? part->negative : !part->negative && magnitude > (uint64_t)INT64_MAX) return false;
    do text[--at] = (uint8_t)('0' + magnitude % 10);
    while ((magnitude /= 10) > 0);
    if (part->negative) text[--at] = '-';
    sheaf_write(written, text + at, sizeof text - at);
    return true;
}

static void write_number(sheaf_number number, struct sheaf_written *written)
{
    char text[SHEAF_NUMBER_TEXT_SIZE_MAX];
    sheaf_write(written, text, sheaf_number_print(number, text));
}

static void write_double(double number, struct sheaf_written *written)
{
    char text[SHEAF_DOUBLE_TEXT_SIZE_MAX];
    sheaf_write(written, text, sheaf_double_print(number, text));
}

static sheaf_part_kind part_kind_of(enum sheaf_typed_kind kind)
{
    switch (kind) {
    case TYPED_U64:
    case TYPED_I64: return SHEAF_PART_INTEGER;
    case TYPED_DOUBLE: return SHEAF_PART_DOUBLE;
    case TYPED_TEXT: return SHEAF_PART_TEXT;
    case TYPED_BYTES: return SHEAF_PART_BYTES;
    case TYPED_BOOL: return SHEAF_PART_BOOL;
    case TYPED_NONE:
    case TYPED_NUMBER:
    case TYPED_NUMBER_KEY: break;
    }
    return SHEAF_PART_NUMBER;
}

/* False: a value that the type has not. Bytes have been written by the reader. */
static bool write_part(const struct sheaf_typed *typed, const sheaf_key_part *part, struct sheaf_written *written)
{
    switch (typed->kind) {
    case TYPED_U64:
    case TYPED_I64: return write_integer(typed->kind, part, written);
    case TYPED_DOUBLE: write_double(part->floating, written); break;
    case TYPED_TEXT:
    case TYPED_BYTES:
        sheaf_assert(part->bytes.size == 0 || part->bytes.data == written->buffer + written->size);
        written->size += part->bytes.size;
        break;
    case TYPED_BOOL: sheaf_write_slice(written, part->boolean ? SHEAF_LIT("true") : SHEAF_LIT("false")); break;
    case TYPED_NUMBER: write_number(part->number, written); break;
    case TYPED_NONE:
    case TYPED_NUMBER_KEY: sheaf_assert(false);
    }
    return true;
}

static sheaf_status take_number_key(sheaf_bytes rest, size_t *out_size, struct sheaf_written *written,
                                    sheaf_detail *out_detail)
{
    sheaf_number number;
    if (sheaf_number_from_key(rest, &number, out_size) != SHEAF_OK) {
        return sheaf_segment_refuse(out_detail, SHEAF_KEY_MALFORMED, 0, 0, "There is no number");
    }
    write_number(number, written);
    return SHEAF_OK;
}

sheaf_status sheaf_typed_take(const struct sheaf_typed *typed, sheaf_bytes rest, size_t *out_size,
                              struct sheaf_written *written, sheaf_detail *out_detail)
{
    if (typed->kind == TYPED_NUMBER_KEY) return take_number_key(rest, out_size, written, out_detail);
    sheaf_key_reader reader;
    sheaf_key_part part;
    sheaf_assert(written->capacity - written->size >= rest.size);
    sheaf_key_read(&reader, rest, written->buffer + written->size, written->capacity - written->size);
    sheaf_status status = sheaf_key_next_part(&reader, &part, NULL);
    bool is_right = status == SHEAF_OK && part.kind == part_kind_of(typed->kind) && part.order == typed->order;
    if (!is_right || !write_part(typed, &part, written)) {
        return sheaf_segment_refuse(out_detail, SHEAF_KEY_MALFORMED, 0, 0, "There is no part of this type and order");
    }
    *out_size = rest.size - reader.rest.size;
    return SHEAF_OK;
}
