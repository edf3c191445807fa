/*
 * utf8.h - the one place that knows what UTF-8 is.
 *
 * Unicode, section 3.9, table 3-7: the shortest form only, no surrogates, nothing above U+10FFFF. Byte order of UTF-8 is the
 * order of its code points.
 */
#ifndef SHEAF_BASE_UTF8_H
#define SHEAF_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>

#include "engine/base/bytes.h"

/* How many bytes a character takes that begins with `lead`; 0: none does. */
static inline size_t sheaf_utf8_announced_size(uint8_t lead)
{
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return 2;
    if (lead >= 0xE0 && lead <= 0xEF) return 3;
    if (lead >= 0xF0 && lead <= 0xF4) return 4;
    return 0;
}

/* The code point of a character of `size` bytes. */
static inline uint32_t sheaf_utf8_code_point(const uint8_t *data, size_t size)
{
    static const uint8_t lead_bits[] = { 0, 0x7F, 0x1F, 0x0F, 0x07 };
    uint32_t code = data[0] & lead_bits[size];
    for (size_t i = 1; i < size; i++) code = code << 6 | (data[i] & 0x3Fu);
    return code;
}

/* How many bytes of `bytes`, which has some, form a character at its start; 0: none, it is not UTF-8. */
static inline size_t sheaf_utf8_character_size(sheaf_bytes bytes)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t size = sheaf_utf8_announced_size(bytes.data[0]);
    if (size == 0 || size > bytes.size) return 0;
    for (size_t i = 1; i < size; i++)
        if ((bytes.data[i] & 0xC0) != 0x80) return 0;
    uint32_t code = sheaf_utf8_code_point(bytes.data, size);
    if (code < least[size] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return 0;
    return size;
}

/* How many bytes from the start are UTF-8: all of them, if it is that. Eight at a time while they are ASCII. */
static inline size_t sheaf_utf8_valid_size(sheaf_bytes bytes)
{
    size_t at = 0;
    while (at < bytes.size) {
        if (bytes.size - at >= 8 && (sheaf_load64(bytes.data + at) & 0x8080808080808080u) == 0) {
            at += 8;
            continue;
        }
        size_t size = sheaf_utf8_character_size(sheaf_bytes_skip(bytes, at));
        if (size == 0) return at;
        at += size;
    }
    return at;
}

static inline bool sheaf_utf8_is_valid(sheaf_bytes bytes)
{
    return sheaf_utf8_valid_size(bytes) == bytes.size;
}

#endif
