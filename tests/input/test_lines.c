/*
 * test_lines.c - lines come out the same, however the bytes come in.
 */
#include "engine/input/lines.h"

#include <criterion/criterion.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that are given out so many at a time. */
struct source {
    sheaf_bytes bytes;
    size_t step;
    bool fails_at_end;
};

static ptrdiff_t read_source(void *context, void *buffer, size_t size)
{
    struct source *source = context;
    if (source->bytes.size == 0 && source->fails_at_end) {
        errno = EIO;
        return -1;
    }
    if (size > source->step) size = source->step;
    if (size > source->bytes.size) size = source->bytes.size;
    if (size > 0) memcpy(buffer, source->bytes.data, size);
    source->bytes = sheaf_bytes_of(source->bytes.data + size, source->bytes.size - size);
    return (ptrdiff_t)size;
}

struct lines_case {
    sheaf_bytes input;
    uint8_t terminator;
    size_t count;
    const char *lines[6]; /* their ends marked by | in one text would hide NULs: sizes stand apart */
    size_t sizes[6];
};

static void expect_lines(const struct lines_case *test, size_t step)
{
    struct source source = { .bytes = test->input, .step = step };
    struct lines lines = { 0 };
    sheaf_bytes line;
    lines_begin(&lines, read_source, &source, test->terminator);
    for (size_t i = 0; i < test->count; i++) {
        cr_assert_eq(lines_next(&lines, &line), LINES_LINE, "line %zu, step %zu", i, step);
        cr_assert_eq(line.size, test->sizes[i], "line %zu, step %zu: %zu bytes", i, step, line.size);
        cr_assert(line.size == 0 || memcmp(line.data, test->lines[i], line.size) == 0, "line %zu, step %zu", i, step);
        cr_assert_eq(lines.line_number, i + 1);
    }
    cr_assert_eq(lines_next(&lines, &line), LINES_END, "step %zu", step);
    cr_assert_eq(lines_next(&lines, &line), LINES_END, "step %zu, again", step);
    cr_assert_eq(lines.bytes_read, test->input.size);
    lines_release(&lines);
}

Test(lines, are_the_same_in_steps_of_any_size)
{
    const struct lines_case cases[] = {
        { SHEAF_LIT(""), '\n', 0, { 0 }, { 0 } },
        { SHEAF_LIT("\n"), '\n', 1, { "" }, { 0 } },
        { SHEAF_LIT("a"), '\n', 1, { "a" }, { 1 } },
        { SHEAF_LIT("a\n"), '\n', 1, { "a" }, { 1 } },
        { SHEAF_LIT("a\n\nbc"), '\n', 3, { "a", "", "bc" }, { 1, 0, 2 } },
        { SHEAF_LIT("a\r\n\r\n\rb\r\r\nc\r"), '\n', 4, { "a", "", "\rb\r", "c" }, { 1, 0, 3, 1 } },
        { SHEAF_LIT("a\0b\n\0\n"), '\n', 2, { "a\0b", "\0" }, { 3, 1 } },
        { SHEAF_LIT("a\nb\r\0c\0\0"), '\0', 3, { "a\nb\r", "c", "" }, { 4, 1, 0 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t step = 1; step <= 12; step++) expect_lines(&cases[i], step);
}

Test(lines, may_be_much_longer_than_a_read)
{
    size_t size = 3 * LINES_READ_SIZE + 17;
    uint8_t *text = malloc(size + 2);
    memset(text, 'x', size);
    memcpy(text + size, "\ny", 2);
    struct source source = { .bytes = sheaf_bytes_of(text, size + 2), .step = SIZE_MAX };
    struct lines lines = { 0 };
    sheaf_bytes line;
    lines_begin(&lines, read_source, &source, '\n');
    cr_assert_eq(lines_next(&lines, &line), LINES_LINE);
    cr_assert_eq(line.size, size);
    cr_assert(memcmp(line.data, text, size) == 0);
    cr_assert_eq(lines_next(&lines, &line), LINES_LINE);
    cr_assert_eq(line.size, 1);
    cr_assert_eq(lines_next(&lines, &line), LINES_END);
    lines_release(&lines);
    free(text);
}

Test(lines, end_with_the_fault_of_the_read)
{
    struct source source = { .bytes = SHEAF_LIT("a\nb"), .step = 2, .fails_at_end = true };
    struct lines lines = { 0 };
    sheaf_bytes line;
    lines_begin(&lines, read_source, &source, '\n');
    cr_assert_eq(lines_next(&lines, &line), LINES_LINE);
    cr_assert_eq(lines_next(&lines, &line), LINES_UNREADABLE);
    cr_assert_eq(errno, EIO);
    lines_release(&lines);
}

Test(lines, begin_anew_with_the_next_source)
{
    struct source first = { .bytes = SHEAF_LIT("a\nrest"), .step = 100 };
    struct source second = { .bytes = SHEAF_LIT("b\n"), .step = 100 };
    struct lines lines = { 0 };
    sheaf_bytes line;
    lines_begin(&lines, read_source, &first, '\n');
    cr_assert_eq(lines_next(&lines, &line), LINES_LINE);
    lines_begin(&lines, read_source, &second, '\n');
    cr_assert_eq(lines_next(&lines, &line), LINES_LINE);
    cr_assert_eq(line.size, 1);
    cr_assert_eq(line.data[0], 'b');
    cr_assert_eq(lines.line_number, 1);
    cr_assert_eq(lines_next(&lines, &line), LINES_END);
    lines_release(&lines);
}

Test(lines, are_extended_by_those_that_follow)
{
    for (size_t step = 1; step <= 12; step++) {
        struct source source = { .bytes = SHEAF_LIT("a\r\nb\n\nc\nd"), .step = step };
        struct lines lines = { 0 };
        sheaf_bytes line;
        lines_begin(&lines, read_source, &source, '\n');
        cr_assert_eq(lines_next(&lines, &line), LINES_LINE);
        cr_assert_eq(lines_extend(&lines, &line), LINES_LINE);
        cr_assert(line.size == 4 && memcmp(line.data, "a\r\nb", 4) == 0, "step %zu", step);
        cr_assert_eq(lines_extend(&lines, &line), LINES_LINE);
        cr_assert(line.size == 5 && memcmp(line.data, "a\r\nb\n", 5) == 0, "step %zu", step);
        cr_assert_eq(lines.line_number, 3);
        cr_assert_eq(lines_next(&lines, &line), LINES_LINE);
        cr_assert(line.size == 1 && line.data[0] == 'c', "step %zu", step);
        cr_assert_eq(lines_extend(&lines, &line), LINES_LINE);
        cr_assert(line.size == 3 && memcmp(line.data, "c\nd", 3) == 0, "step %zu", step);
        cr_assert_eq(lines_extend(&lines, &line), LINES_END);
        cr_assert(line.size == 3 && memcmp(line.data, "c\nd", 3) == 0, "step %zu", step);
        cr_assert_eq(lines.line_number, 5);
        cr_assert_eq(lines_next(&lines, &line), LINES_END);
        lines_release(&lines);
    }
}

Test(lines, that_end_with_the_stream_are_not_extended)
{
    for (size_t step = 1; step <= 3; step++) {
        struct source source = { .bytes = SHEAF_LIT("ab\n"), .step = step };
        struct lines lines = { 0 };
        sheaf_bytes line;
        lines_begin(&lines, read_source, &source, '\n');
        cr_assert_eq(lines_next(&lines, &line), LINES_LINE);
        cr_assert_eq(lines_extend(&lines, &line), LINES_END);
        cr_assert(line.size == 3 && memcmp(line.data, "ab\n", 3) == 0, "step %zu", step);
        cr_assert_eq(lines.line_number, 1);
        cr_assert_eq(lines_next(&lines, &line), LINES_END);
        lines_release(&lines);
    }
}
