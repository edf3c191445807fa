#include "engine/input/complaint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/input/display.h"

bool complain(struct complaint *complaint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(complaint->text, sizeof complaint->text, format, arguments);
    va_end(arguments);
    return false;
}

struct quoted quote(sheaf_bytes bytes)
{
    static const char ellipsis[] = "…";
    struct quoted quoted = { .text = "\"" };
    size_t size = 1;
    while (bytes.size > 0) {
        char shown[DISPLAY_CHARACTER_SIZE_MAX];
        struct display_character character = display_character_read(bytes, shown);
        if (size + character.shown_size + sizeof ellipsis + 1 > sizeof quoted.text) {
            memcpy(quoted.text + size, ellipsis, sizeof ellipsis - 1);
            size += sizeof ellipsis - 1;
            break;
        }
        memcpy(quoted.text + size, shown, character.shown_size);
        size += character.shown_size;
        bytes = sheaf_bytes_of(bytes.data + character.size, bytes.size - character.size);
    }
    memcpy(quoted.text + size, "\"", 2);
    return quoted;
}

void end_without_memory(void)
{
    (void)fputs("sheaf: out of memory\n", stderr);
    exit(EXIT_TROUBLE);
}
