#include "engine/lab/html.h"

#include <stdint.h>

#include "engine/input/display.h"

static void append_byte(struct buffer *buffer, uint8_t byte)
{
    switch (byte) {
    case '&': buffer_append_text(buffer, "&amp;"); break;
    case '<': buffer_append_text(buffer, "&lt;"); break;
    case '>': buffer_append_text(buffer, "&gt;"); break;
    case '"': buffer_append_text(buffer, "&quot;"); break;
    case '\'': buffer_append_text(buffer, "&#39;"); break;
    default: buffer_append_byte(buffer, byte);
    }
}

void html_append(struct buffer *buffer, sheaf_bytes bytes)
{
    struct buffer shown = { 0 };
    (void)display_append(&shown, bytes, SIZE_MAX);
    for (size_t i = 0; i < shown.size; i++) append_byte(buffer, shown.data[i]);
    buffer_release(&shown);
}
