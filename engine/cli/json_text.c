#include "engine/cli/json_text.h"

#include <stdbool.h>

#include "engine/base/bytes.h"
#include "engine/base/utf8.h"

/* Two-character escapes, where JSON has one; 0 elsewhere. */
static uint8_t short_escape(uint8_t byte)
{
    switch (byte) {
    case '"': return '"';
    case '\\': return '\\';
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    default: return 0;
    }
}

static void append_string(struct buffer *buffer, sheaf_bytes text)
{
    buffer_append_byte(buffer, '"');
    for (size_t i = 0; i < text.size; i++) {
        uint8_t byte = text.data[i];
        uint8_t escape = short_escape(byte);
        if (escape) {
            buffer_append_byte(buffer, '\\');
            buffer_append_byte(buffer, escape);
        } else if (byte < 0x20) {
            buffer_append_format(buffer, "\\u%04x", byte);
        } else {
            buffer_append_byte(buffer, byte);
        }
    }
    buffer_append_byte(buffer, '"');
}

/* RFC 4648, with padding. */
static void append_base64(struct buffer *buffer, sheaf_bytes bytes)
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

void json_text_append(struct buffer *buffer, sheaf_bytes bytes)
{
    if (sheaf_utf8_is_valid(bytes)) {
        append_string(buffer, bytes);
        return;
    }
    buffer_append_text(buffer, "{\"base64\":\"");
    append_base64(buffer, bytes);
    buffer_append_text(buffer, "\"}");
}
