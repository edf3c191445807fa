#include "engine/input/json_text.h"

#include <stdbool.h>

#include "engine/base/bytes.h"
#include "engine/base/utf8.h"
#include "engine/input/base64.h"

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

void json_text_append(struct buffer *buffer, sheaf_bytes bytes)
{
    if (sheaf_utf8_is_valid(bytes)) {
        append_string(buffer, bytes);
        return;
    }
    buffer_append_text(buffer, "{\"base64\":\"");
    base64_append(buffer, bytes);
    buffer_append_text(buffer, "\"}");
}
