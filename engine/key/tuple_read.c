/*
 * tuple_read.c - reads the parts of a binary tuple, each only in the one way it is written.
 */
#include <string.h>

#include "engine/base/utf8.h"
#include "engine/key/tuple.h"

/* A part on its way: what is left behind what was taken, with the flips that hold for it. */
struct taking {
    sheaf_bytes rest;
    uint8_t flip;
    bool skips; /* what bytes and texts are is not asked for */
    bool is_text;
    uint8_t character[4]; /* of a text that is skipped: the one begun, since there is nowhere to gather all of it */
    size_t character_size;
    uint8_t *scratch;
    size_t scratch_capacity;
    size_t scratch_size;
};

void sheaf_key_read(sheaf_key_reader *reader, sheaf_bytes key, void *scratch, size_t scratch_capacity)
{
    *reader = (sheaf_key_reader){ .rest = key, .scratch = scratch, .scratch_capacity = scratch_capacity };
}

static uint8_t take_byte(struct taking *taking)
{
    uint8_t byte = taking->rest.data[0] ^ taking->flip;
    taking->rest = sheaf_bytes_skip(taking->rest, 1);
    return byte;
}

static bool next_is(const struct taking *taking, uint8_t byte)
{
    return taking->rest.size > 0 && (taking->rest.data[0] ^ taking->flip) == byte;
}

/* `size` bytes, the highest first. False if there are fewer. */
static bool take_integer_bytes(struct taking *taking, uint32_t size, uint64_t *out_value)
{
    if (taking->rest.size < size) return false;
    *out_value = 0;
    for (uint32_t i = 0; i < size; i++) *out_value = *out_value << 8 | take_byte(taking);
    return true;
}

/* ---- kinds ------------------------------------------------------------------------------------------------------------ */

/* As many bytes as the tag says, and no fewer would do. */
static sheaf_status take_integer(struct taking *taking, uint8_t tag, sheaf_key_part *part)
{
    part->kind = SHEAF_PART_INTEGER;
    part->negative = tag < TAG_INTEGER_ZERO;
    uint32_t size = part->negative ? (uint32_t)(TAG_INTEGER_ZERO - tag) : (uint32_t)(tag - TAG_INTEGER_ZERO);
    uint64_t value = 0;
    if (!take_integer_bytes(taking, size, &value)) return SHEAF_KEY_MALFORMED;
    uint64_t all = size == 0 ? 0 : UINT64_MAX >> (64 - 8 * size);
    part->magnitude = part->negative ? all - value : value;
    if (size > 0 && part->magnitude >> (8 * size - 8) == 0) return SHEAF_KEY_MALFORMED;
    return part->negative && part->magnitude > (uint64_t)1 << 63 ? SHEAF_KEY_MALFORMED : SHEAF_OK;
}

static sheaf_status take_number(struct taking *taking, sheaf_key_part *part)
{
    uint8_t key[SHEAF_NUMBER_KEY_SIZE_MAX];
    size_t size = sheaf_size_min(taking->rest.size, sizeof key);
    for (size_t i = 0; i < size; i++) key[i] = taking->rest.data[i] ^ taking->flip;
    part->kind = SHEAF_PART_NUMBER;
    sheaf_status status = sheaf_number_from_key(sheaf_bytes_of(key, size), &part->number, &size);
    if (status == SHEAF_OK) taking->rest = sheaf_bytes_skip(taking->rest, size);
    return status;
}

static sheaf_status take_double(struct taking *taking, sheaf_key_part *part)
{
    uint64_t bits;
    part->kind = SHEAF_PART_DOUBLE;
    if (!take_integer_bytes(taking, sizeof bits, &bits)) return SHEAF_KEY_MALFORMED;
    if (bits == ~SHEAF_DOUBLE_SIGN) return SHEAF_KEY_MALFORMED; /* -0.0 */
    bits = bits & SHEAF_DOUBLE_SIGN ? bits & ~SHEAF_DOUBLE_SIGN : ~bits;
    memcpy(&part->floating, &bits, sizeof bits);
    return __builtin_isnan(part->floating) ? SHEAF_KEY_MALFORMED : SHEAF_OK;
}

/* False once what is skipped is no UTF-8. */
static bool skip_text_byte(struct taking *taking, uint8_t byte)
{
    taking->character[taking->character_size++] = byte;
    size_t size = sheaf_utf8_announced_size(taking->character[0]);
    if (taking->character_size < size) return true;
    taking->character_size = 0;
    return size > 0 && sheaf_utf8_character_size(sheaf_bytes_of(taking->character, size)) == size;
}

/* One byte of a value, to where it is wanted, if it is. */
static sheaf_status keep(struct taking *taking, uint8_t byte)
{
    if (taking->skips) return taking->is_text && !skip_text_byte(taking, byte) ? SHEAF_KEY_MALFORMED : SHEAF_OK;
    if (taking->scratch_size == taking->scratch_capacity) return SHEAF_BUFFER_TOO_SMALL;
    taking->scratch[taking->scratch_size++] = byte;
    return SHEAF_OK;
}

/* Up to the end. */
static sheaf_status take_escaped(struct taking *taking)
{
    while (taking->rest.size > 0) {
        uint8_t byte = take_byte(taking);
        if (byte == TUPLE_END) return SHEAF_OK;
        if (byte == TUPLE_ESCAPE) {
            if (taking->rest.size == 0) return SHEAF_KEY_MALFORMED;
            byte = (uint8_t)(take_byte(taking) - 1);
            if (byte > TUPLE_ESCAPE) return SHEAF_KEY_MALFORMED; /* written as it is; or 00, an end within an escape */
        }
        sheaf_status status = keep(taking, byte);
        if (status != SHEAF_OK) return status;
    }
    return SHEAF_KEY_MALFORMED;
}

static sheaf_status take_bytes(struct taking *taking, uint8_t tag, sheaf_key_part *part)
{
    size_t before = taking->scratch_size;
    taking->is_text = tag == TAG_TEXT;
    part->kind = taking->is_text ? SHEAF_PART_TEXT : SHEAF_PART_BYTES;
    sheaf_status status = take_escaped(taking);
    if (status == SHEAF_OK && taking->character_size > 0) return SHEAF_KEY_MALFORMED; /* ends within a character */
    if (status != SHEAF_OK || taking->skips) return status;
    size_t size = taking->scratch_size - before;
    part->bytes = sheaf_bytes_of(size == 0 ? NULL : taking->scratch + before, size);
    return taking->is_text && !sheaf_utf8_is_valid(part->bytes) ? SHEAF_KEY_MALFORMED : SHEAF_OK;
}

/* All but a tuple, of which only the tag is taken. */
static sheaf_status take_value(struct taking *taking, uint8_t tag, sheaf_key_part *part)
{
    switch (tag) {
    case TAG_NULL: part->kind = SHEAF_PART_NULL; return SHEAF_OK;
    case TAG_TUPLE: part->kind = SHEAF_PART_TUPLE; return SHEAF_OK;
    case TAG_BYTES:
    case TAG_TEXT: return take_bytes(taking, tag, part);
    case TAG_NUMBER: return take_number(taking, part);
    case TAG_DOUBLE: return take_double(taking, part);
    case TAG_FALSE:
    case TAG_TRUE:
        part->kind = SHEAF_PART_BOOL;
        part->boolean = tag == TAG_TRUE;
        return SHEAF_OK;
    default: return tag >= TAG_INTEGER_LEAST && tag <= TAG_INTEGER_MOST ? take_integer(taking, tag, part) : SHEAF_KEY_MALFORMED;
    }
}

/* ---- parts ------------------------------------------------------------------------------------------------------------ */

/* A tag above 7F is flipped once more than the tuple around it: descending. */
static sheaf_status take_part(struct taking *taking, sheaf_key_part *part)
{
    bool descending = ((taking->rest.data[0] ^ taking->flip) & 0x80) != 0;
    part->order = descending ? SHEAF_DESCENDING : SHEAF_ASCENDING;
    if (descending) taking->flip ^= TUPLE_FLIP;
    return take_value(taking, take_byte(taking), part);
}

static bool is_at_end(const sheaf_key_reader *reader, const struct taking *taking)
{
    return reader->depth == 0 ? taking->rest.size == 0 : next_is(taking, TUPLE_END);
}

static sheaf_status leave(sheaf_key_reader *reader)
{
    if (reader->depth > 0) {
        reader->rest = sheaf_bytes_skip(reader->rest, 1);
        reader->depth--;
    }
    return SHEAF_NOT_FOUND;
}

/* Nothing of it lasts unless all of it is right. */
static sheaf_status next_part(sheaf_key_reader *reader, bool skips, sheaf_key_part *out_part)
{
    struct taking taking = {
        .rest = reader->rest, .flip = sheaf_tuple_flip(reader->flips, reader->depth), .skips = skips,
        .scratch = reader->scratch, .scratch_capacity = reader->scratch_capacity, .scratch_size = reader->scratch_size
    };
    sheaf_key_part part = { .kind = SHEAF_PART_NULL };
    if (is_at_end(reader, &taking)) return leave(reader);
    if (taking.rest.size == 0) return SHEAF_KEY_MALFORMED; /* within a tuple */
    sheaf_status status = take_part(&taking, &part);
    if (status != SHEAF_OK) return status;
    if (part.kind == SHEAF_PART_TUPLE) {
        if (reader->depth == SHEAF_TUPLE_DEPTH_MAX) return SHEAF_KEY_MALFORMED;
        reader->depth++;
        reader->flips = sheaf_tuple_with_flip(reader->flips, reader->depth, taking.flip);
    }
    reader->rest = taking.rest;
    reader->scratch_size = taking.scratch_size;
    *out_part = part;
    return SHEAF_OK;
}

sheaf_status sheaf_key_next_part(sheaf_key_reader *reader, sheaf_key_part *out_part, sheaf_detail *out_detail)
{
    sheaf_status status = next_part(reader, false, out_part);
    if (out_detail && status == SHEAF_KEY_MALFORMED)
        *out_detail = (sheaf_detail){ SHEAF_FIELD_SORT_KEY, reader->rest.size, 0, "No part of a tuple begins here" };
    if (out_detail && status == SHEAF_BUFFER_TOO_SMALL) {
        *out_detail = (sheaf_detail){ SHEAF_FIELD_KEY_BUFFER, reader->rest.size, reader->scratch_capacity - reader->scratch_size,
                                      sheaf_status_message(SHEAF_BUFFER_TOO_SMALL) };
    }
    return status;
}

sheaf_status sheaf_key_prefix(sheaf_bytes key, size_t part_count, sheaf_bytes *out_prefix_view)
{
    sheaf_key_reader reader;
    sheaf_key_part part;
    sheaf_key_read(&reader, key, NULL, 0);
    for (size_t count = 0; count < part_count || reader.depth > 0;) {
        bool within = reader.depth > 0;
        sheaf_status status = next_part(&reader, true, &part);
        if (status != SHEAF_OK && !(status == SHEAF_NOT_FOUND && within)) return status;
        count += reader.depth == 0; /* a value of its own, or the end of a tuple */
    }
    *out_prefix_view = sheaf_bytes_of(key.data, key.size - reader.rest.size);
    return SHEAF_OK;
}
