/*
 * encoding.h - the bytes of a record (the drawing is in <sheaf/item.h>): kinds, sizes, and stepping over a value.
 *
 * These trust what they read: bytes from outside go through sheaf_item_check() first.
 */
#ifndef SHEAF_ITEM_ENCODING_H
#define SHEAF_ITEM_ENCODING_H

#include <sheaf/item.h>

#include "engine/base/assert.h"
#include "engine/base/bytes.h"

enum { ITEM_VERSION = 1, ITEM_VERSION_SIZE = 1 };

/* Of values, in the upper half of a byte. The three without content come as kinds of their own. */
enum item_kind {
    KIND_STRING = 0,
    KIND_NUMBER = 1,
    KIND_BINARY = 2,
    KIND_FALSE = 3,
    KIND_TRUE = 4,
    KIND_NULL = 5,
    KIND_MAP = 6,
    KIND_LIST = 7,
    KIND_STRING_SET = 8,
    KIND_NUMBER_SET = 9,
    KIND_BINARY_SET = 10,
    KIND_COUNT = 11
};

enum { NAME_SIZE_FOLLOWS = 15 };

static inline bool sheaf_type_is_set(sheaf_type type)
{
    return type >= SHEAF_TYPE_STRING_SET;
}

static inline bool sheaf_type_is_container(sheaf_type type)
{
    return type >= SHEAF_TYPE_MAP;
}

/* The type of a set's members. */
static inline sheaf_type sheaf_type_of_member(sheaf_type set)
{
    return (sheaf_type)(set - SHEAF_TYPE_STRING_SET);
}

/* ---- sizes and counts: 1, 2 or 4 bytes -------------------------------------------------------------------------------- */

enum {
    SIZE_SHORT = 248,                     /* below: one byte */
    SIZE_MIDDLE = SIZE_SHORT + 7 * 256,   /* below: two */
    SIZE_LONG = 255,                      /* the first of four */
    SIZE_ENCODED_MAX = 4,
    SIZE_LIMIT = 1 << 24
};

static inline size_t sheaf_size_encoded_size(size_t size)
{
    return size < SIZE_SHORT ? 1 : size < SIZE_MIDDLE ? 2 : SIZE_ENCODED_MAX;
}

/* Writes a size below SIZE_LIMIT. Returns how many bytes it took. */
static inline size_t sheaf_size_encode(uint8_t *out, size_t size)
{
    sheaf_assert(size < SIZE_LIMIT);
    if (size < SIZE_SHORT) {
        out[0] = (uint8_t)size;
        return 1;
    }
    if (size < SIZE_MIDDLE) {
        out[0] = (uint8_t)(SIZE_SHORT + (size - SIZE_SHORT) / 256);
        out[1] = (uint8_t)((size - SIZE_SHORT) % 256);
        return 2;
    }
    out[0] = SIZE_LONG;
    for (size_t i = 1; i < SIZE_ENCODED_MAX; i++) out[i] = (uint8_t)(size >> 8 * (SIZE_ENCODED_MAX - 1 - i));
    return SIZE_ENCODED_MAX;
}

/* Takes a size from the start of `rest`. */
static inline size_t sheaf_size_take(sheaf_bytes *rest)
{
    const uint8_t *at = rest->data;
    size_t size = at[0], used = 1;
    if (at[0] == SIZE_LONG) {
        size = (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
        used = SIZE_ENCODED_MAX;
    } else if (at[0] >= SIZE_SHORT) {
        size = SIZE_SHORT + (size_t)(at[0] - SIZE_SHORT) * 256 + at[1];
        used = 2;
    }
    *rest = sheaf_bytes_skip(*rest, used);
    return size;
}

static inline sheaf_bytes sheaf_take_bytes(sheaf_bytes *rest, size_t size)
{
    sheaf_bytes taken = sheaf_bytes_of(rest->data, size);
    *rest = sheaf_bytes_skip(*rest, size);
    return taken;
}

/* ---- values ----------------------------------------------------------------------------------------------------------- */

/* How many bytes the key of a number takes that begins here: its last pair is even, or odd if all is flipped. */
static inline size_t sheaf_number_key_size(const uint8_t *key)
{
    if (key[0] == 2) return 1; /* zero */
    size_t size = 2;
    uint8_t more = key[0] == 3;
    while ((key[size] & 1) == more) size++;
    return size + 1;
}

/* Takes a value of this kind. */
static inline sheaf_value sheaf_value_take(sheaf_bytes *rest, uint8_t kind)
{
    sheaf_value value = { SHEAF_TYPE_NULL, false, { NULL, 0 } };
    if (kind >= KIND_MAP) {
        value.type = (sheaf_type)(kind - KIND_MAP + SHEAF_TYPE_MAP);
    } else if (kind <= KIND_BINARY) {
        value.type = (sheaf_type)kind;
    } else {
        value.type = kind == KIND_NULL ? SHEAF_TYPE_NULL : SHEAF_TYPE_BOOL;
        value.boolean = kind == KIND_TRUE;
        return value;
    }
    size_t size = kind == KIND_NUMBER ? sheaf_number_key_size(rest->data) : sheaf_size_take(rest);
    value.bytes = sheaf_take_bytes(rest, size);
    return value;
}

static inline uint8_t sheaf_value_kind(sheaf_value value)
{
    switch (value.type) {
    case SHEAF_TYPE_BOOL: return value.boolean ? KIND_TRUE : KIND_FALSE;
    case SHEAF_TYPE_NULL: return KIND_NULL;
    case SHEAF_TYPE_STRING:
    case SHEAF_TYPE_NUMBER:
    case SHEAF_TYPE_BINARY: return (uint8_t)value.type;
    case SHEAF_TYPE_MAP:
    case SHEAF_TYPE_LIST:
    case SHEAF_TYPE_STRING_SET:
    case SHEAF_TYPE_NUMBER_SET:
    case SHEAF_TYPE_BINARY_SET: break;
    }
    return (uint8_t)(value.type - SHEAF_TYPE_MAP + KIND_MAP);
}

#endif
