#include "engine/cli/wrap.h"

#include <stdbool.h>
#include <string.h>

#include "engine/base/bytes.h"
#include "engine/input/display.h"

void wrap_append_spaces(struct buffer *buffer, size_t count)
{
    if (count == 0) return;
    memset(buffer_reserve(buffer, count), ' ', count);
    buffer->size += count;
}

/* Takes the spaces off, and then the word that follows them. */
static sheaf_bytes next_word(sheaf_bytes *rest)
{
    while (rest->size > 0 && rest->data[0] == ' ') *rest = sheaf_bytes_skip(*rest, 1);
    const uint8_t *space = rest->size == 0 ? NULL : memchr(rest->data, ' ', rest->size);
    sheaf_bytes word = sheaf_bytes_of(rest->data, space ? (size_t)(space - rest->data) : rest->size);
    *rest = sheaf_bytes_skip(*rest, word.size);
    return word;
}

void wrap_append(struct buffer *buffer, sheaf_bytes text, size_t column, size_t indent, size_t width)
{
    struct buffer shown = { 0 };
    bool first = true; /* word of its line */
    for (sheaf_bytes word = next_word(&text); word.size > 0; word = next_word(&text)) {
        buffer_clear(&shown);
        size_t columns = display_append(&shown, word, SIZE_MAX);
        if (!first && column + 1 + columns > width) {
            buffer_append_byte(buffer, '\n');
            wrap_append_spaces(buffer, indent);
            column = indent;
            first = true;
        }
        if (!first) buffer_append_byte(buffer, ' ');
        buffer_append(buffer, buffer_view(&shown));
        column += columns + !first;
        first = false;
    }
    buffer_append_byte(buffer, '\n');
    buffer_release(&shown);
}
