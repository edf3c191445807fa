/*
 * test_csv.c - RFC 4180: what the columns of a record are, and at which byte it is none.
 */
#include "engine/input/csv.h"

#include <criterion/criterion.h>

#include <string.h>

#include "engine/base/bytes.h"

static const struct {
    const char *text;
    const char *columns; /* joined by | */
} RECORDS[] = {
    { "", "" },
    { "a", "a" },
    { "a,b", "a|b" },
    { ",", "|" },
    { "a,,", "a||" },
    { "a b , c", "a b | c" },
    { "\"a\"", "a" },
    { "\"\"", "" },
    { "\"\",\"\"", "|" },
    { "\"a,b\",c", "a,b|c" },
    { "\"a\nb\",\"\n\"", "a\nb|\n" },
    { "\"a\r\nb\"", "a\r\nb" },
    { "\"a \"\"b\"\" c\"", "a \"b\" c" },
    { "\"\"\"\"", "\"" },
    { "\"\"\"\"\"\"", "\"\"" },
    { "\"\"\"a\",\"b\"\"\"", "\"a|b\"" },
    { "x,\"y\",z", "x|y|z" },
    { "a\rb,c", "a\rb|c" },
    { "caf\xc3\xa9,\xff", "caf\xc3\xa9|\xff" },
};

static void expect_columns(sheaf_bytes text, const struct column_list *list, const char *wanted)
{
    struct buffer joined = { 0 };
    for (size_t i = 0; i < list->count; i++) {
        const struct column *column = &list->columns[i];
        sheaf_bytes bytes = sheaf_bytes_of(text.size == 0 ? NULL : text.data + column->begin, column->end - column->begin);
        if (i > 0) buffer_append_byte(&joined, '|');
        if (column->doubled) csv_append_unquoted(&joined, bytes);
        else buffer_append(&joined, bytes);
    }
    cr_assert(sheaf_bytes_equal(buffer_view(&joined), sheaf_bytes_of(wanted, strlen(wanted))), "%.*s, not %s", (int)joined.size,
              (const char *)joined.data, wanted);
    buffer_release(&joined);
}

Test(csv, has_these_columns)
{
    for (size_t i = 0; i < sizeof RECORDS / sizeof *RECORDS; i++) {
        struct csv_scan scan = { 0 };
        struct column_list list = { 0 };
        struct complaint complaint;
        sheaf_bytes text = sheaf_bytes_of(RECORDS[i].text, strlen(RECORDS[i].text));
        cr_assert_eq(csv_scan(&scan, text, &list, &complaint), CSV_WHOLE, "%s", RECORDS[i].text);
        expect_columns(text, &list, RECORDS[i].columns);
        column_list_release(&list);
    }
}

/* Cut at any line end within quotes, the record comes out the same. */
Test(csv, goes_on_where_the_text_ended)
{
    sheaf_bytes text = SHEAF_LIT("1,\"a\n\nb\"\"\n,c\",\"\n\"");
    struct csv_scan scan = { 0 };
    struct column_list list = { 0 };
    struct complaint complaint;
    for (size_t size = 0; size < text.size; size++)
        if (text.data[size] == '\n')
            cr_assert_eq(csv_scan(&scan, sheaf_bytes_of(text.data, size), &list, &complaint), CSV_UNFINISHED, "%zu", size);
    cr_assert_eq(csv_scan(&scan, text, &list, &complaint), CSV_WHOLE);
    expect_columns(text, &list, "1|a\n\nb\"\n,c|\n");
    column_list_release(&list);
}

static const struct {
    const char *text;
    size_t at;
    const char *complaint;
} FAULTS[] = {
    { "a\"b", 1, "expected no quote within a field that does not begin with one" },
    { "a,b\"", 3, "expected no quote within a field that does not begin with one" },
    { " \"a\"", 1, "expected no quote within a field that does not begin with one" },
    { "\"a\"b", 3, "expected a comma behind the closing quote, found \"b\"" },
    { "x,\"a\" ,y", 5, "expected a comma behind the closing quote, found \" \"" },
    { "\"a\"\r", 3, "expected a comma behind the closing quote, found \"\\x0d\"" },
};

Test(csv, is_refused_at_the_byte_at_fault)
{
    for (size_t i = 0; i < sizeof FAULTS / sizeof *FAULTS; i++) {
        struct csv_scan scan = { 0 };
        struct column_list list = { 0 };
        struct complaint complaint;
        sheaf_bytes text = sheaf_bytes_of(FAULTS[i].text, strlen(FAULTS[i].text));
        cr_assert_eq(csv_scan(&scan, text, &list, &complaint), CSV_FAULT, "%s", FAULTS[i].text);
        cr_assert_eq(scan.at, FAULTS[i].at, "%s: at %zu", FAULTS[i].text, scan.at);
        cr_assert_str_eq(complaint.text, FAULTS[i].complaint);
        column_list_release(&list);
    }
}

Test(csv, has_at_most_as_many_columns_as_the_limit_says)
{
    static char commas[COLUMN_COUNT_MAX];
    memset(commas, ',', sizeof commas);
    for (size_t extra = 0; extra <= 1; extra++) {
        struct csv_scan scan = { 0 };
        struct column_list list = { 0 };
        struct complaint complaint;
        sheaf_bytes text = sheaf_bytes_of(commas, COLUMN_COUNT_MAX - 1 + extra);
        cr_assert_eq(csv_scan(&scan, text, &list, &complaint), extra == 0 ? CSV_WHOLE : CSV_FAULT);
        cr_assert_eq(list.count, COLUMN_COUNT_MAX);
        if (extra == 1) cr_assert_str_eq(complaint.text, "expected at most 16384 columns");
        column_list_release(&list);
    }
}
