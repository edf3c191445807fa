#include "engine/base/utf8.h"

#include <criterion/criterion.h>

#include <string.h>

Test(utf8, takes_the_shortest_form_of_each_code_point_and_nothing_else)
{
    static const struct {
        const char *bytes;
        size_t size;
    } cases[] = {
        { "\x00", 1 }, { "\x7f", 1 }, { "\x80", 0 }, { "\xc1\xbf", 0 }, { "\xc2\x80", 2 }, { "\xc2", 0 }, { "\xdf\xbf", 2 },
        { "\xe0\x9f\xbf", 0 }, { "\xe0\xa0\x80", 3 }, { "\xed\x9f\xbf", 3 }, { "\xed\xa0\x80", 0 }, { "\xee\x80\x80", 3 },
        { "\xef\xbf\xbf", 3 }, { "\xf0\x8f\xbf\xbf", 0 }, { "\xf0\x90\x80\x80", 4 }, { "\xf4\x8f\xbf\xbf", 4 },
        { "\xf4\x90\x80\x80", 0 }, { "\xf5\x80\x80\x80", 0 }, { "\xe2\x82" "a", 0 }, { "\xff", 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = cases[i].bytes[0] == '\0' ? 1 : strlen(cases[i].bytes);
        cr_assert_eq(sheaf_utf8_character_size(sheaf_bytes_of(cases[i].bytes, size)), cases[i].size, "case %zu", i);
    }
}

/* Every code point there is, written by a second method, and the surrogates, which are none. */
Test(utf8, knows_every_code_point)
{
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        uint8_t bytes[4];
        size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        for (size_t i = size; i-- > 1;) bytes[i] = (uint8_t)(0x80 | (code >> 6 * (size - 1 - i) & 0x3F));
        static const uint8_t marks[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
        bytes[0] = (uint8_t)(marks[size] | code >> 6 * (size - 1));
        bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        size_t found = sheaf_utf8_character_size(sheaf_bytes_of(bytes, size));
        if (found != (surrogate ? 0 : size)) cr_assert_fail("U+%04X: %zu", (unsigned)code, found);
        if (!surrogate && sheaf_utf8_code_point(bytes, size) != code) cr_assert_fail("U+%04X", (unsigned)code);
    }
}

/* A bad byte at every place among good ones, so that eight at a time and one at a time agree. */
Test(utf8, says_how_far_text_is_valid)
{
    cr_assert(sheaf_utf8_is_valid(sheaf_bytes_of(NULL, 0)));
    for (size_t size = 1; size <= 40; size++) {
        uint8_t bytes[40];
        memset(bytes, 'a', sizeof bytes);
        cr_assert(sheaf_utf8_is_valid(sheaf_bytes_of(bytes, size)));
        for (size_t at = 0; at < size; at++) {
            memset(bytes, 'a', sizeof bytes);
            bytes[at] = 0xFF;
            cr_assert_eq(sheaf_utf8_valid_size(sheaf_bytes_of(bytes, size)), at, "%zu of %zu", at, size);
            bytes[at] = 0xC3; /* an é, if something follows that goes on */
            if (at + 1 < size) bytes[at + 1] = 0xA9;
            cr_assert_eq(sheaf_utf8_valid_size(sheaf_bytes_of(bytes, size)), at + 1 < size ? size : at, "%zu of %zu", at, size);
        }
    }
}
