/*
 * base64.h - bytes as letters, RFC 4648 section 4: with padding, and one text for each run of bytes.
 */
#ifndef SHEAF_BASE_BASE64_H
#define SHEAF_BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>

static inline size_t sheaf_base64_size(size_t size)
{
    return (size + 2) / 3 * 4;
}

/* The four letters of the up to three bytes at `data`. */
static inline void sheaf_base64_encode(const uint8_t *data, size_t size, uint8_t *out_letters)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t three = 0;
    for (size_t i = 0; i < 3; i++) three = three << 8 | (i < size ? data[i] : 0u);
    for (size_t i = 0; i < 4; i++) out_letters[i] = i <= size ? (uint8_t)alphabet[three >> (18 - 6 * i) & 63] : (uint8_t)'=';
}

/* The six bits of a letter; 64: it is none. */
static inline uint32_t sheaf_base64_bits(uint8_t letter)
{
    if (letter >= 'A' && letter <= 'Z') return (uint32_t)(letter - 'A');
    if (letter >= 'a' && letter <= 'z') return (uint32_t)(letter - 'a' + 26);
    if (letter >= '0' && letter <= '9') return (uint32_t)(letter - '0' + 52);
    if (letter == '+') return 62;
    return letter == '/' ? 63u : 64u;
}

/*
 * Writes the bytes that `text` stands for, three for each four letters at most. False: it is not how they are written.
 * Bits that no byte has must be zero.
 */
static inline bool sheaf_base64_decode(sheaf_bytes text, uint8_t *out_bytes, size_t *out_size)
{
    size_t size = 0;
    if (text.size % 4 != 0) return false;
    for (size_t at = 0; at < text.size; at += 4) {
        size_t padding = 0;
        while (at + 4 == text.size && padding < 2 && text.data[text.size - 1 - padding] == '=') padding++;
        uint32_t three = 0;
        for (size_t i = 0; i < 4; i++) {
            uint32_t bits = i >= 4 - padding ? 0 : sheaf_base64_bits(text.data[at + i]);
            if (bits == 64) return false;
            three = three << 6 | bits;
        }
        if ((three & ((1u << 8 * padding) - 1)) != 0) return false;
        for (size_t i = 0; i < 3 - padding; i++) out_bytes[size++] = (uint8_t)(three >> (16 - 8 * i));
    }
    *out_size = size;
    return true;
}

#endif
