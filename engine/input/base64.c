#include "engine/input/base64.h"

#include "engine/base/bytes.h"

void base64_append(struct buffer *buffer, sheaf_bytes bytes)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.size; i += 3) {
        size_t left = bytes.size - i;
        uint32_t three = (uint32_t)bytes.data[i] << 16 | (left > 1 ? (uint32_t)bytes.data[i + 1] << 8 : 0) |
                         (left > 2 ? (uint32_t)bytes.data[i + 2] : 0);
        for (size_t digit = 0; digit < 4; digit++) {
            uint8_t shown = digit <= left ? (uint8_t)alphabet[three >> (18 - 6 * digit) & 63] : (uint8_t)'=';
            buffer_append_byte(buffer, shown);
        }
    }
}

/* The six bits of a letter; 64: it is none. */
static uint32_t bits_of(uint8_t letter)
{
    if (letter >= 'A' && letter <= 'Z') return (uint32_t)(letter - 'A');
    if (letter >= 'a' && letter <= 'z') return (uint32_t)(letter - 'a' + 26);
    if (letter >= '0' && letter <= '9') return (uint32_t)(letter - '0' + 52);
    if (letter == '+') return 62;
    return letter == '/' ? 63 : 64;
}

/* Four letters, of which the last `padding` are '='. Bits that no byte has must be zero. */
static bool append_four(struct buffer *buffer, const uint8_t *letters, size_t padding)
{
    uint32_t three = 0;
    for (size_t i = 0; i < 4; i++) {
        uint32_t bits = i >= 4 - padding ? 0 : bits_of(letters[i]);
        if (bits == 64) return false;
        three = three << 6 | bits;
    }
    if ((three & ((1u << 8 * padding) - 1)) != 0) return false;
    for (size_t i = 0; i < 3 - padding; i++) buffer_append_byte(buffer, (uint8_t)(three >> (16 - 8 * i)));
    return true;
}

bool base64_append_decoded(struct buffer *buffer, sheaf_bytes text)
{
    size_t before = buffer->size;
    bool sound = text.size % 4 == 0;
    for (size_t at = 0; at < text.size && sound; at += 4) {
        size_t padding = 0;
        while (at + 4 == text.size && padding < 2 && text.data[text.size - 1 - padding] == '=') padding++;
        sound = append_four(buffer, text.data + at, padding);
    }
    if (!sound) buffer->size = before;
    return sound;
}
