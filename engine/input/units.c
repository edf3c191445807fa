#include "engine/input/units.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "engine/base/bytes.h"
#include "engine/input/display.h"

struct unit {
    const char *name;
    double factor;
};

/* In the last unit, or the first that leaves less than 1000. */
static void append_scaled(struct buffer *buffer, double amount, const struct unit *units, size_t unit_count)
{
    size_t i = 0;
    while (i + 1 < unit_count && amount / units[i].factor >= 999.5) i++;
    double scaled = amount / units[i].factor;
    int decimals = i == 0 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
    buffer_append_format(buffer, "%.*f %s", decimals, scaled, units[i].name);
}

void units_append_time(struct buffer *buffer, uint64_t ns)
{
    static const struct unit units[] = { { "ns", 1 }, { "µs", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
    append_scaled(buffer, (double)ns, units, sizeof units / sizeof *units);
}

void units_append_size(struct buffer *buffer, uint64_t bytes)
{
    static const struct unit units[] = { { "bytes", 1 }, { "kB", 1e3 }, { "MB", 1e6 }, { "GB", 1e9 } };
    append_scaled(buffer, (double)bytes, units, sizeof units / sizeof *units);
}

void units_append_count(struct buffer *buffer, uint64_t count, const char *one, const char *many)
{
    display_append_number(buffer, count);
    buffer_append_format(buffer, " %s", count == 1 ? one : many);
}

static bool shows_as_it_is(sheaf_bytes bytes)
{
    while (bytes.size > 0) {
        char shown[DISPLAY_CHARACTER_SIZE_MAX];
        struct display_character character = display_character_read(bytes, shown);
        if (character.shown_size != character.size || bytes.data[0] == '\'') return false;
        bytes = sheaf_bytes_skip(bytes, character.size);
    }
    return true;
}

void units_append_shell_word(struct buffer *buffer, sheaf_bytes bytes)
{
    bool plain = shows_as_it_is(bytes);
    buffer_append_text(buffer, plain ? "'" : "$'");
    for (size_t i = 0; i < bytes.size; i++) {
        uint8_t byte = bytes.data[i];
        if (!plain && (byte < 0x20 || byte >= 0x7F || byte == '\'' || byte == '\\')) {
            buffer_append_format(buffer, "\\%03o", byte); /* \xHH would swallow a digit that follows in some shells */
        } else {
            buffer_append_byte(buffer, byte);
        }
    }
    buffer_append_byte(buffer, '\'');
}
