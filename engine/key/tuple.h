/*
 * tuple.h - the tags of a binary tuple (the drawing is in <sheaf/key.h>), for its writer and its reader.
 *
 * T1  No tag is 00, which ends a tuple, and none is above 7F: so flipped ones are told from others.
 * T2  Within bytes and text 00 is the end and nothing else, and no byte written is below it: what goes on sorts behind what
 * ends.
 */
#ifndef SHEAF_KEY_TUPLE_H
#define SHEAF_KEY_TUPLE_H

#include <sheaf/key.h>

enum tuple_tag {
    TAG_NULL = 0x01,
    TAG_BYTES = 0x02,
    TAG_TEXT = 0x03,
    TAG_TUPLE = 0x05,
    TAG_INTEGER_LEAST = 0x0C, /* eight bytes, below 0 */
    TAG_INTEGER_ZERO = 0x14,
    TAG_INTEGER_MOST = 0x1C,
    TAG_NUMBER = 0x20,
    TAG_DOUBLE = 0x21,
    TAG_FALSE = 0x26,
    TAG_TRUE = 0x27
};

enum {
    TUPLE_END = 0x00,     /* of bytes, text and tuples */
    TUPLE_ESCAPE = 0x01, /* before a byte up to itself, which is then written one higher (T2) */
    TUPLE_FLIP = 0xFF
};

#define SHEAF_DOUBLE_SIGN ((uint64_t)1 << 63)

/* Whether the parts of the tuple that is open at `depth` are flipped: those of none are not. */
static inline uint8_t sheaf_tuple_flip(uint32_t flips, uint32_t depth)
{
    return depth > 0 && (flips >> (depth - 1) & 1) ? TUPLE_FLIP : 0;
}

/* `flips` with what holds at `depth`, which is above 0. */
static inline uint32_t sheaf_tuple_with_flip(uint32_t flips, uint32_t depth, uint8_t flip)
{
    uint32_t bit = (uint32_t)1 << (depth - 1);
    return flip ? flips | bit : flips & ~bit;
}

#endif
