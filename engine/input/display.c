#include "engine/input/display.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "engine/base/utf8.h"

static struct display_character escaped(sheaf_bytes bytes, size_t size, char out_shown[DISPLAY_CHARACTER_SIZE_MAX])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        char *shown = out_shown + 4 * i;
        shown[0] = '\\';
        shown[1] = 'x';
        shown[2] = digits[bytes.data[i] >> 4];
        shown[3] = digits[bytes.data[i] & 15];
    }
    return (struct display_character){ .size = size, .shown_size = 4 * size, .columns = 4 * size };
}

struct display_character display_character_read(sheaf_bytes bytes, char out_shown[DISPLAY_CHARACTER_SIZE_MAX])
{
    size_t size = sheaf_utf8_character_size(bytes);
    if (size == 0) return escaped(bytes, 1, out_shown);
    uint32_t code = sheaf_utf8_code_point(bytes.data, size);
    if (code < 0x20 || code == 0x7F) return escaped(bytes, 1, out_shown);
    int columns = code < 0x7F ? 1 : wcwidth((wchar_t)code); /* of the locale that main() chose; -1: not printable */
    if (columns < 0) return escaped(bytes, size, out_shown);
    memcpy(out_shown, bytes.data, size);
    return (struct display_character){ .size = size, .shown_size = size, .columns = (size_t)columns };
}

/* A tab between columns of the input is a gap. */
static struct display_character character_or_gap(sheaf_bytes bytes, char out_shown[DISPLAY_CHARACTER_SIZE_MAX])
{
    if (bytes.data[0] != '\t') return display_character_read(bytes, out_shown);
    memset(out_shown, ' ', 2);
    return (struct display_character){ .size = 1, .shown_size = 2, .columns = 2 };
}

size_t display_append(struct buffer *buffer, sheaf_bytes bytes, size_t columns_max)
{
    size_t columns = 0;
    size_t fits_size = buffer->size; /* how much may stay if "…" must follow, and its columns */
    size_t fits_columns = 0;
    while (bytes.size > 0) {
        char shown[DISPLAY_CHARACTER_SIZE_MAX];
        struct display_character character = character_or_gap(bytes, shown);
        if (columns + character.columns > columns_max) {
            buffer->size = fits_size;
            if (columns_max > 0) buffer_append_text(buffer, "…");
            return columns_max > 0 ? fits_columns + 1 : 0;
        }
        buffer_append(buffer, sheaf_bytes_of(shown, character.shown_size));
        columns += character.columns;
        if (columns < columns_max) {
            fits_size = buffer->size;
            fits_columns = columns;
        }
        bytes = sheaf_bytes_of(bytes.data + character.size, bytes.size - character.size);
    }
    return columns;
}

void display_append_number(struct buffer *buffer, uint64_t number)
{
    char digits[24];
    int size = snprintf(digits, sizeof digits, "%" PRIu64, number);
    for (int i = 0; i < size; i++) {
        if (i > 0 && (size - i) % 3 == 0) buffer_append_byte(buffer, ',');
        buffer_append_byte(buffer, (uint8_t)digits[i]);
    }
}
