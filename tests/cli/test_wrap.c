/*
 * test_wrap.c - paragraphs: where lines break, and what they are indented by.
 */
#include "engine/cli/wrap.h"

#include <criterion/criterion.h>

#include <locale.h>
#include <string.h>

#include "engine/base/bytes.h"

static void expect_wrapped(const char *text, size_t column, size_t indent, size_t width, const char *wanted)
{
    struct buffer buffer = { 0 };
    cr_assert_not_null(setlocale(LC_CTYPE, "C.UTF-8"));
    wrap_append(&buffer, sheaf_bytes_of(text, strlen(text)), column, indent, width);
    cr_assert(sheaf_bytes_equal(buffer_view(&buffer), sheaf_bytes_of(wanted, strlen(wanted))), "%.*s, not %s", (int)buffer.size,
              (const char *)buffer.data, wanted);
    buffer_release(&buffer);
}

Test(wrap, breaks_at_spaces)
{
    expect_wrapped("", 0, 0, 10, "\n");
    expect_wrapped("one", 0, 2, 10, "one\n");
    expect_wrapped("one two three four", 0, 0, 13, "one two three\nfour\n");
    expect_wrapped("one two three four", 0, 0, 12, "one two\nthree four\n");
    expect_wrapped("one two three", 6, 4, 10, "one\n    two\n    three\n");
    expect_wrapped("  one   two  ", 0, 0, 80, "one two\n");
}

Test(wrap, leaves_words_whole)
{
    expect_wrapped("a incomprehensible b", 0, 2, 8, "a\n  incomprehensible\n  b\n");
    expect_wrapped("incomprehensible", 4, 4, 8, "incomprehensible\n");
}

Test(wrap, counts_columns_as_a_terminal_does)
{
    expect_wrapped("\xe6\xbc\xa2\xe6\xbc\xa2 ab", 0, 0, 7, "\xe6\xbc\xa2\xe6\xbc\xa2 ab\n"); /* four columns of six bytes */
    expect_wrapped("\xe6\xbc\xa2\xe6\xbc\xa2 ab", 0, 0, 6, "\xe6\xbc\xa2\xe6\xbc\xa2\nab\n");
    expect_wrapped("a\033b c", 0, 0, 7, "a\\x1bb\nc\n");
}
