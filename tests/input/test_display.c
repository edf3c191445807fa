/*
 * test_display.c - what is shown of bytes, in text, messages, shell words and JSON; sizes and times.
 */
#include "engine/input/display.h"

#include <criterion/criterion.h>

#include <locale.h>
#include <string.h>

#include "engine/input/complaint.h"
#include "engine/input/json_text.h"
#include "engine/input/units.h"

static void use_utf8(void)
{
    cr_assert_not_null(setlocale(LC_CTYPE, "C.UTF-8"));
}

TestSuite(display, .init = use_utf8);

static void expect_text(const struct buffer *buffer, const char *wanted)
{
    cr_assert_eq(buffer->size, strlen(wanted), "%.*s, not %s", (int)buffer->size, (const char *)buffer->data, wanted);
    cr_assert(buffer->size == 0 || memcmp(buffer->data, wanted, buffer->size) == 0, "%.*s, not %s", (int)buffer->size,
              (const char *)buffer->data, wanted);
}

static void expect_shown(sheaf_bytes bytes, size_t columns_max, const char *wanted, size_t columns)
{
    struct buffer buffer = { 0 };
    cr_assert_eq(display_append(&buffer, bytes, columns_max), columns, "%s", wanted);
    expect_text(&buffer, wanted);
    buffer_release(&buffer);
}

Test(display, shows_what_a_terminal_may_see)
{
    expect_shown(SHEAF_LIT(""), 10, "", 0);
    expect_shown(SHEAF_LIT("abc"), SIZE_MAX, "abc", 3);
    expect_shown(SHEAF_LIT("a\033[0m\n\x7f"), SIZE_MAX, "a\\x1b[0m\\x0a\\x7f", 16);
    expect_shown(SHEAF_LIT("\xc2\x9b"), SIZE_MAX, "\\xc2\\x9b", 8); /* a control character of two bytes */
    expect_shown(SHEAF_LIT("caf\xe9"), SIZE_MAX, "caf\\xe9", 7);
    expect_shown(SHEAF_LIT("\xe6\xbc\xa2"), SIZE_MAX, "\xe6\xbc\xa2", 2);
    expect_shown(SHEAF_LIT("e\xcc\x81"), SIZE_MAX, "e\xcc\x81", 1);
    expect_shown(SHEAF_LIT("a\tb"), SIZE_MAX, "a  b", 4);
}

Test(display, cuts_at_the_columns_there_are)
{
    expect_shown(SHEAF_LIT("abcde"), 5, "abcde", 5);
    expect_shown(SHEAF_LIT("abcdef"), 5, "abcd…", 5);
    expect_shown(SHEAF_LIT("ab\xe6\xbc\xa2"), 4, "ab\xe6\xbc\xa2", 4);
    expect_shown(SHEAF_LIT("ab\xe6\xbc\xa2""c"), 4, "ab…", 3); /* half a wide character is not shown */
    expect_shown(SHEAF_LIT("ab\001c"), 4, "ab…", 3);
    expect_shown(SHEAF_LIT("abc"), 1, "…", 1);
    expect_shown(SHEAF_LIT("abc"), 0, "", 0);
}

Test(display, quotes_in_messages_and_cuts_what_is_long)
{
    char long_text[200];
    memset(long_text, 'x', sizeof long_text);
    cr_assert_str_eq(quote(SHEAF_LIT("a\tb\xff")).text, "\"a\\x09b\\xff\"");
    cr_assert_str_eq(quote(SHEAF_LIT("")).text, "\"\"");
    struct quoted quoted = quote(sheaf_bytes_of(long_text, sizeof long_text));
    cr_assert_eq(strlen(quoted.text), sizeof quoted.text - 1);
    cr_assert_str_eq(quoted.text + strlen(quoted.text) - 5, "x…\"");
}

static void expect_word(sheaf_bytes bytes, const char *wanted)
{
    struct buffer buffer = { 0 };
    units_append_shell_word(&buffer, bytes);
    expect_text(&buffer, wanted);
    buffer_release(&buffer);
}

Test(display, makes_words_for_a_shell)
{
    expect_word(SHEAF_LIT("a b$c\\"), "'a b$c\\'");
    expect_word(SHEAF_LIT("caf\xc3\xa9"), "'caf\xc3\xa9'");
    expect_word(SHEAF_LIT("it's"), "$'it\\047s'");
    expect_word(SHEAF_LIT("caf\xe9\n1\\"), "$'caf\\351\\0121\\134'");
}

static void expect_json(sheaf_bytes bytes, const char *wanted)
{
    struct buffer buffer = { 0 };
    json_text_append(&buffer, bytes);
    expect_text(&buffer, wanted);
    buffer_release(&buffer);
}

Test(display, writes_json_without_loss)
{
    expect_json(SHEAF_LIT(""), "\"\"");
    expect_json(SHEAF_LIT("a\0\"\\\b\f\n\r\t\x1f\x7f/"), "\"a\\u0000\\\"\\\\\\b\\f\\n\\r\\t\\u001f\x7f/\"");
    expect_json(SHEAF_LIT("\xf0\x9f\x98\x80"), "\"\xf0\x9f\x98\x80\"");
    expect_json(SHEAF_LIT("\xff"), "{\"base64\":\"/w==\"}");
    expect_json(SHEAF_LIT("fo\xff"), "{\"base64\":\"Zm//\"}");
    expect_json(SHEAF_LIT("foob\xff"), "{\"base64\":\"Zm9vYv8=\"}");
}

static void expect_time(uint64_t ns, const char *wanted)
{
    struct buffer buffer = { 0 };
    units_append_time(&buffer, ns);
    expect_text(&buffer, wanted);
    buffer_release(&buffer);
}

Test(display, scales_times_and_sizes)
{
    expect_time(0, "0 ns");
    expect_time(999, "999 ns");
    expect_time(1000, "1.00 µs");
    expect_time(9994, "9.99 µs");
    expect_time(9996, "10.0 µs");
    expect_time(99960, "100 µs");
    expect_time(999400, "999 µs");
    expect_time(999600, "1.00 ms");
    expect_time(1234567890, "1.23 s");
    expect_time(5000000000000, "5000 s");
    struct buffer buffer = { 0 };
    units_append_size(&buffer, 999);
    buffer_append_byte(&buffer, ' ');
    units_append_size(&buffer, 96100000);
    buffer_append_byte(&buffer, ' ');
    units_append_count(&buffer, 1, "entry", "entries");
    buffer_append_byte(&buffer, ' ');
    units_append_count(&buffer, 1204331, "entry", "entries");
    buffer_append_byte(&buffer, ' ');
    display_append_number(&buffer, UINT64_MAX);
    expect_text(&buffer, "999 bytes 96.1 MB 1 entry 1,204,331 entries 18,446,744,073,709,551,615");
    buffer_release(&buffer);
}
