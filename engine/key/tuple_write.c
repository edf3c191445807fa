/*
 * tuple_write.c - writes the parts of a binary tuple.
 */
#include <string.h>

#include "engine/base/utf8.h"
#include "engine/key/tuple.h"

static void refuse(sheaf_key_writer *writer, sheaf_status status, sheaf_detail detail)
{
    if (writer->status != SHEAF_OK) return;
    writer->status = status;
    writer->detail = detail;
}

static void refuse_argument(sheaf_key_writer *writer, const char *message)
{
    refuse(writer, SHEAF_INVALID_ARGUMENT, (sheaf_detail){ .field = SHEAF_FIELD_SORT_KEY, .message = message });
}

void sheaf_key_begin(sheaf_key_writer *writer, void *buffer, size_t capacity)
{
    *writer = (sheaf_key_writer){ .buffer = buffer, .capacity = capacity, .status = SHEAF_OK };
}

/* ---- bytes on their way ----------------------------------------------------------------------------------------------- */

/* What a part's bytes are flipped by: for its own order, and for the tuples around it. */
static uint8_t flip_of(const sheaf_key_writer *writer, sheaf_order order)
{
    return sheaf_tuple_flip(writer->flips, writer->depth) ^ (order == SHEAF_DESCENDING ? TUPLE_FLIP : 0);
}

/* Nothing is written once something was refused: what would follow has no place. */
static void write_bytes(sheaf_key_writer *writer, const uint8_t *bytes, size_t size, uint8_t flip)
{
    if (writer->status != SHEAF_OK) return;
    if (size > writer->capacity - writer->size) {
        refuse(writer, SHEAF_KEY_TOO_LONG, (sheaf_detail){ SHEAF_FIELD_KEY_BUFFER, writer->size + size, writer->capacity,
                                                           "The key does not fit its buffer" });
        return;
    }
    for (size_t i = 0; i < size; i++) writer->buffer[writer->size + i] = bytes[i] ^ flip;
    writer->size += size;
}

static void write_byte(sheaf_key_writer *writer, uint8_t byte, uint8_t flip)
{
    write_bytes(writer, &byte, 1, flip);
}

/* The last `size` of the eight bytes of `value`, the highest first. */
static void write_integer_bytes(sheaf_key_writer *writer, uint64_t value, uint32_t size, uint8_t flip)
{
    uint8_t bytes[sizeof value];
    for (uint32_t i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> 8 * (size - 1 - i));
    write_bytes(writer, bytes, size, flip);
}

/* ---- parts ------------------------------------------------------------------------------------------------------------ */

void sheaf_key_add_null(sheaf_key_writer *writer, sheaf_order order)
{
    write_byte(writer, TAG_NULL, flip_of(writer, order));
}

void sheaf_key_add_bool(sheaf_key_writer *writer, bool value, sheaf_order order)
{
    write_byte(writer, value ? TAG_TRUE : TAG_FALSE, flip_of(writer, order));
}

static uint32_t byte_count(uint64_t value)
{
    return value == 0 ? 0 : 8 - (uint32_t)__builtin_clzll(value) / 8;
}

void sheaf_key_add_u64(sheaf_key_writer *writer, uint64_t value, sheaf_order order)
{
    uint8_t flip = flip_of(writer, order);
    uint32_t size = byte_count(value);
    write_byte(writer, (uint8_t)(TAG_INTEGER_ZERO + size), flip);
    write_integer_bytes(writer, value, size, flip);
}

void sheaf_key_add_i64(sheaf_key_writer *writer, int64_t value, sheaf_order order)
{
    if (value >= 0) {
        sheaf_key_add_u64(writer, (uint64_t)value, order);
        return;
    }
    uint8_t flip = flip_of(writer, order);
    uint64_t magnitude = -(uint64_t)value;
    uint32_t size = byte_count(magnitude);
    write_byte(writer, (uint8_t)(TAG_INTEGER_ZERO - size), flip);
    write_integer_bytes(writer, ~magnitude, size, flip); /* 256^size - 1 - magnitude */
}

void sheaf_key_add_number(sheaf_key_writer *writer, sheaf_number value, sheaf_order order)
{
    uint8_t flip = flip_of(writer, order), key[SHEAF_NUMBER_KEY_SIZE_MAX];
    size_t size = sheaf_number_to_key(value, key);
    write_byte(writer, TAG_NUMBER, flip);
    write_bytes(writer, key, size, flip);
}

void sheaf_key_add_double(sheaf_key_writer *writer, double value, sheaf_order order)
{
    uint64_t bits;
    if (__builtin_isnan(value)) {
        refuse_argument(writer, "NaN has no place in an order");
        return;
    }
    if (value == 0) value = 0; /* -0.0 too */
    memcpy(&bits, &value, sizeof bits);
    bits = bits & SHEAF_DOUBLE_SIGN ? ~bits : bits | SHEAF_DOUBLE_SIGN;
    uint8_t flip = flip_of(writer, order);
    write_byte(writer, TAG_DOUBLE, flip);
    write_integer_bytes(writer, bits, sizeof bits, flip);
}

/* How many bytes from the start are written as they are. */
static size_t plain_size(sheaf_bytes value)
{
    size_t size = 0;
    while (size < value.size && value.data[size] > TUPLE_ESCAPE) size++;
    return size;
}

static void write_escaped(sheaf_key_writer *writer, uint8_t tag, sheaf_bytes value, sheaf_order order)
{
    uint8_t flip = flip_of(writer, order);
    write_byte(writer, tag, flip);
    for (size_t size; value.size > 0; value = sheaf_bytes_skip(value, size)) {
        size = plain_size(value);
        write_bytes(writer, value.data, size, flip);
        if (size == value.size) break;
        write_byte(writer, TUPLE_ESCAPE, flip);
        write_byte(writer, (uint8_t)(value.data[size++] + 1), flip);
    }
    write_byte(writer, TUPLE_END, flip);
}

void sheaf_key_add_bytes(sheaf_key_writer *writer, sheaf_bytes value, sheaf_order order)
{
    write_escaped(writer, TAG_BYTES, value, order);
}

void sheaf_key_add_text(sheaf_key_writer *writer, sheaf_bytes value, sheaf_order order)
{
    size_t valid_size = sheaf_utf8_valid_size(value);
    if (valid_size == value.size) {
        write_escaped(writer, TAG_TEXT, value, order);
    } else {
        refuse(writer, SHEAF_TEXT_MALFORMED,
               (sheaf_detail){ SHEAF_FIELD_TEXT, valid_size, 0, sheaf_status_message(SHEAF_TEXT_MALFORMED) });
    }
}

/* ---- tuples ----------------------------------------------------------------------------------------------------------- */

void sheaf_key_open_tuple(sheaf_key_writer *writer, sheaf_order order)
{
    if (writer->depth == SHEAF_TUPLE_DEPTH_MAX) {
        refuse_argument(writer, "Tuples are nested deeper than 16");
        return;
    }
    uint8_t flip = flip_of(writer, order);
    write_byte(writer, TAG_TUPLE, flip);
    writer->depth++;
    writer->flips = sheaf_tuple_with_flip(writer->flips, writer->depth, flip);
}

void sheaf_key_close_tuple(sheaf_key_writer *writer)
{
    if (writer->depth == 0) {
        refuse_argument(writer, "A tuple was closed that is not open");
        return;
    }
    write_byte(writer, TUPLE_END, sheaf_tuple_flip(writer->flips, writer->depth));
    writer->depth--;
}

sheaf_status sheaf_key_end(const sheaf_key_writer *writer, sheaf_bytes *out_key, sheaf_detail *out_detail)
{
    sheaf_status status = writer->status;
    sheaf_detail detail = writer->detail;
    if (status == SHEAF_OK && writer->depth > 0) {
        status = SHEAF_INVALID_ARGUMENT;
        detail = (sheaf_detail){ .field = SHEAF_FIELD_SORT_KEY, .message = "A tuple is still open" };
    }
    if (status == SHEAF_OK) {
        *out_key = sheaf_bytes_of(writer->buffer, writer->size);
    } else if (out_detail) {
        *out_detail = detail;
    }
    return status;
}
