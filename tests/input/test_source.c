/*
 * test_source.c - files as records: formats found out, headers, fields by name, and faults with their place.
 */
#include "engine/input/source.h"

#include <criterion/criterion.h>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tests/input/stream.h"

struct source_case {
    const char *name;
    sheaf_bytes text;
    struct source_options options;
    const char *fields; /* names joined by | */
    const char *wanted; /* fields joined by |, records each ended by ;, then the fault if there is one */
};

static const struct source_options TSV_HEADER = { .header = SOURCE_HEADER_FIRST_LINE };
static const struct source_options NO_HEADER = { .header = SOURCE_HEADER_NONE };
static const struct source_options DYNAMODB = { .format_given = true, .format = RECORD_DYNAMODB };
static const struct source_options JSON_LINES = { .format_given = true, .format = RECORD_JSON_LINES };
static const struct source_options CSV = { .format_given = true, .format = RECORD_CSV };
static const struct source_options NUL_HEADER = { .header = SOURCE_HEADER_FIRST_LINE, .zero_terminated = true };

/* Reads the fields of a record. False at a fault. */
static bool append_fields(struct source *source, const char *names, struct buffer *out)
{
    sheaf_bytes rest = sheaf_bytes_of(names, strlen(names));
    for (;;) {
        const uint8_t *bar = rest.size == 0 ? NULL : memchr(rest.data, '|', rest.size);
        sheaf_bytes name = sheaf_bytes_of(rest.data, bar ? (size_t)(bar - rest.data) : rest.size);
        struct field field = field_of(name);
        sheaf_bytes bytes;
        if (!source_field(source, &field, &bytes)) return false;
        buffer_append(out, bytes);
        buffer_append_byte(out, bar ? '|' : ';');
        if (!bar) return true;
        rest = sheaf_bytes_skip(rest, name.size + 1);
    }
}

static void read_all(const struct source_case *test, size_t step, struct buffer *out)
{
    struct stream stream = { .rest = test->text, .step = step };
    struct source source;
    bool sound = source_open_stream(&source, test->name, stream_give, &stream, &test->options);
    enum source_result result = SOURCE_FAULT;
    while (sound && (result = source_next(&source)) == SOURCE_RECORD) sound = append_fields(&source, test->fields, out);
    if (!sound || result != SOURCE_END) source_describe(&source, out);
    else cr_assert_eq(source_size(&source), test->text.size);
    source_close(&source);
}

static void expect(const struct source_case *cases, size_t count)
{
    static const size_t steps[] = { 1, 2, 5, 1000 };
    for (size_t i = 0; i < count; i++) {
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            struct buffer out = { 0 };
            read_all(&cases[i], steps[s], &out);
            cr_assert(sheaf_bytes_equal(buffer_view(&out), sheaf_bytes_of(cases[i].wanted, strlen(cases[i].wanted))),
                      "case %zu, step %zu: %.*s, not %s", i, steps[s], (int)out.size, (const char *)out.data, cases[i].wanted);
            buffer_release(&out);
        }
    }
}

#define EXPECT_ALL(cases) expect(cases, sizeof(cases) / sizeof *(cases))

Test(source, reads_tab_separated_lines)
{
    const struct source_case cases[] = {
        { "f", SHEAF_LIT(""), { 0 }, "1", "" },
        { "f", SHEAF_LIT("\n\r\n"), { 0 }, "1", "" },
        { "f", SHEAF_LIT("a\t1\n\nb\t2"), { 0 }, "2|1|", "1|a|a\t1;2|b|b\t2;" },
        { "f", SHEAF_LIT("a\t1\t\tx\n"), { 0 }, "2-|3|3-|5-", "1\t\tx||\tx|;" },
        { "f", SHEAF_LIT("a\n"), { 0 }, "2", "f:1: expected at least 2 tab-separated columns, found 1" },
        { "f", SHEAF_LIT("a\n"), { 0 }, "x",
          "f:1: expected a column number, 1 to 1000, found \"x\" (names are for files with a header, and for JSON)" },
        { "f", SHEAF_LIT("\xEF\xBB\xBF"
                         "a\t1\n"),
          { 0 }, "1", "\xEF\xBB\xBF" "a;" }, /* bytes are bytes */
        { "f.gz", SHEAF_LIT("not packed\n"), { 0 }, "1", "not packed;" },
    };
    EXPECT_ALL(cases);
}

Test(source, finds_columns_by_the_names_of_the_header)
{
    const struct source_case cases[] = {
        { "f", SHEAF_LIT("name\tsize\na\t1\n\nb\t2\n"), TSV_HEADER, "size|name|1|2-", "1|a|a|1;2|b|b|2;" },
        { "f", SHEAF_LIT("\xEF\xBB\xBFname\tsize\r\na\t1\r\n"), TSV_HEADER, "name|size", "a|1;" },
        { "f", SHEAF_LIT("name\tsize\na\t1\n"), TSV_HEADER, "Name",
          "f:2: expected a column \"Name\", found in the header \"name,size\"" },
        { "f", SHEAF_LIT("x\ty\tx\na\t1\t2\n"), TSV_HEADER, "y|3|x", "1|2|f:2: expected one column \"x\" in the header, found several" },
        { "f", SHEAF_LIT("x\ty\na\n"), TSV_HEADER, "x", "f:2:2: expected 2 columns, as the header has, found 1: \"y\" is missing" },
        { "f", SHEAF_LIT("x\ty\na\tb\tc\td\n"), TSV_HEADER, "x", "f:2:5: expected 2 columns, as the header has, found 4" },
        { "f", SHEAF_LIT("x\ty\n"), TSV_HEADER, "x", "" },
        { "f", SHEAF_LIT("x\ty\0a\nb\tc\0d\0"), NUL_HEADER, "x", "a\nb;f:3:2: expected 2 columns, as the header has, found 1: "
                                                                   "\"y\" is missing" },
        { "f.csv", SHEAF_LIT("name,size\na,1\n"), { 0 }, "size|name|2|1-", "1|a|1|a,1;" },
        { "f.csv", SHEAF_LIT("2,1\na,b\n"), { 0 }, "2|1", "b|a;" }, /* digits are numbers, not names */
        { "f.csv.gz", SHEAF_LIT("\"na,me\"\na\n"), { 0 }, "na,me", "a;" },
        { "f.csv", SHEAF_LIT("a,b\nc,d\n"), NO_HEADER, "2", "b;d;" },
        { "f.csv", SHEAF_LIT("a,b\nc\n"), NO_HEADER, "2", "b;f.csv:2: expected at least 2 columns, found 1" },
        { "f.csv", SHEAF_LIT("a,b\n"), NO_HEADER, "x",
          "f.csv:1: expected a column number, 1 to 1000, found \"x\" (names are for files with a header, and for JSON)" },
        { "f.csv", SHEAF_LIT(""), { 0 }, "x", "" },
    };
    EXPECT_ALL(cases);
}

Test(source, reads_csv_with_its_quotes)
{
    const struct source_case cases[] = {
        { "f", SHEAF_LIT("\xEF\xBB\xBF\"a\",b\r\n\"x\r\ny\",\"1,\"\"2\"\"\"\r\n\r\n\"\",z"), CSV, "a|b|2-",
          "x\r\ny|1,\"2\"|\"1,\"\"2\"\"\";|z|z;" },
        { "f", SHEAF_LIT("\"a\n\nb\",c\n1,2\n"), CSV, "a\n\nb", "1;" }, /* a name of three lines */
        { "f", SHEAF_LIT("\xEF\xBB\xBF\"a\n\nb\",c\n1,2\n"), CSV, "a\n\nb|c", "1|2;" },
        { "f", SHEAF_LIT("a,b\n1,\"x\ny\n"), CSV, "a", "f:2:3: expected a closing quote, found the end of the file" },
        { "f", SHEAF_LIT("a,b\n1,\"x\ny"), CSV, "a", "f:2:3: expected a closing quote, found the end of the file" },
        { "f", SHEAF_LIT("a,\"b\nc\n"), CSV, "a", "f:1:3: expected a closing quote, found the end of the file" },
        { "f", SHEAF_LIT("a,b\n\"x\n\ny\"z,1\n"), CSV, "a", "f:4:3: expected a comma behind the closing quote, found \"z\"" },
        { "f", SHEAF_LIT("a,b\n1,2\n3,\"\n4\",5\n"), CSV, "a", "1;f:4:4: expected 2 columns, as the header has, found 3" },
        { "f", SHEAF_LIT("a,b\n1,2\"\n"), CSV, "a",
          "f:2:4: expected no quote within a field that does not begin with one" },
    };
    EXPECT_ALL(cases);
}

Test(source, reads_json_lines_with_the_texts_of_numbers)
{
    const struct source_case cases[] = {
        { "f.jsonl", SHEAF_LIT("{\"a\":1e400,\"b\":{\"c\":1.10}}\n \n{\"a\":\"x\",\"b.c\":true}"), { 0 }, "a|b.c",
          "1e400|1.10;x|true;" },
        { "f.ndjson.gz", SHEAF_LIT("{\"3\":-0.0}\n"), { 0 }, "3", "-0.0;" },
        { "f", SHEAF_LIT("\xEF\xBB\xBF{\"a\":1}\n"), JSON_LINES, "a|", "1|{\"a\":1};" },
        { "f", SHEAF_LIT("{\"a\":1}\n[]\n"), JSON_LINES, "a", "1;f:2: expected a JSON object, found an array" },
        { "f", SHEAF_LIT("{\"a\":1}\n"), JSON_LINES, "b", "f:1: expected a member \"b\", found none" },
        { "f", SHEAF_LIT("{\"a\":{\"S\":\"x\"}}\n"), JSON_LINES, "a.S", "x;" }, /* what is said holds, whatever it looks like */
    };
    EXPECT_ALL(cases);
}

Test(source, sees_that_items_of_dynamodb_follow)
{
    const struct source_case cases[] = {
        { "f", SHEAF_LIT("{\"Item\":{\"a\":{\"N\":\"1.10\"},\"m\":{\"M\":{\"x\":{\"S\":\"y\"}}}}}\n"), { 0 }, "a|m.x", "1.10|y;" },
        { "f.jsonl", SHEAF_LIT("\n{\"a\":{\"B\":\"AAE=\"}}\n{\"a\":{\"B\":\"AAE\"}}\n"), { 0 }, "1-", /* a name, here */
          "f.jsonl:2: expected an attribute \"1-\", found none" },
        { "f.csv", SHEAF_LIT("{\"a\":{\"S\":\"x\"}}\n{\"a\":{\"B\":\"AAE\"}}\n"), { 0 }, "a",
          "x;f.csv:2: expected base64 in the B of \"a\", found \"AAE\"" },
        { "f.jsonl", SHEAF_LIT("{\"a\":1}\n{\"a\":{\"S\":\"x\"}}\n"), { 0 }, "a",
          "1;f.jsonl:2: expected a string, a number, true or false in member \"a\", found an object" },
        { "f", SHEAF_LIT("{\"a\":1}\n"), { 0 }, "1", "{\"a\":1};" },
        { "f", SHEAF_LIT("{\"a\":1}\n"), DYNAMODB, "a",
          "f:1: expected an item of DynamoDB JSON, with values such as {\"S\":\"text\"}, found another value in \"a\"" },
        { "f", SHEAF_LIT("{}\n"), DYNAMODB, "a", "f:1: expected an attribute \"a\", found none" },
    };
    EXPECT_ALL(cases);
}

Test(source, tells_numbers_of_dynamodb_from_text)
{
    struct stream stream = { .rest = SHEAF_LIT("{\"a\":{\"S\":\"1\"},\"b\":{\"N\":\"1\"},\"3\":{\"N\":\"4\"}}\n"), .step = 100 };
    struct source source;
    cr_assert(source_open_stream(&source, "f", stream_give, &stream, NULL));
    cr_assert_eq(source_next(&source), SOURCE_RECORD);
    const struct field text = field_of(SHEAF_LIT("a")), number = field_of(SHEAF_LIT("b")), third = field_of(SHEAF_LIT("3"));
    const struct field missing = field_of(SHEAF_LIT("c")), whole = field_of(SHEAF_LIT(""));
    cr_assert_not(record_field_is_number(&source.record, &text));
    cr_assert(record_field_is_number(&source.record, &number));
    cr_assert(record_field_is_number(&source.record, &third));
    cr_assert_not(record_field_is_number(&source.record, &missing));
    cr_assert_not(record_field_is_number(&source.record, &whole));
    source_close(&source);
}

Test(source, opens_files_and_says_why_not)
{
    char path[] = "source_test_XXXXXX";
    int descriptor = mkstemp(path);
    cr_assert_geq(descriptor, 0);
    cr_assert_eq(write(descriptor, "a\t1\n", 4), 4);
    cr_assert_eq(close(descriptor), 0);
    struct source source;
    struct buffer text = { 0 };
    sheaf_bytes bytes;
    struct field second = field_of(SHEAF_LIT("2"));
    cr_assert(source_open(&source, path, NULL));
    cr_assert_eq(source_next(&source), SOURCE_RECORD);
    cr_assert(source_field(&source, &second, &bytes));
    cr_assert(bytes.size == 1 && bytes.data[0] == '1');
    cr_assert_eq(source_next(&source), SOURCE_END);
    cr_assert_eq(source_next(&source), SOURCE_END);
    source_close(&source);
    cr_assert_eq(unlink(path), 0);

    cr_assert_not(source_open(&source, "no/such/file", NULL));
    source_describe(&source, &text);
    cr_assert(sheaf_bytes_equal(buffer_view(&text), SHEAF_LIT("cannot open no/such/file: No such file or directory")));
    source_close(&source);

    buffer_clear(&text);
    cr_assert_not(source_open(&source, "/", NULL));
    source_describe(&source, &text);
    cr_assert(sheaf_bytes_equal(buffer_view(&text), SHEAF_LIT("cannot read /: Is a directory")));
    source_close(&source);
    buffer_release(&text);
}

Test(source, says_at_which_line_packed_data_ends)
{
    static const uint8_t cut[] = { 0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0, 6, 0, 0xF9, 0xFF, 'a', '\n', 'b', '\n', 'c', '\n' };
    const struct source_case cases[] = {
        { "f.gz", { cut, sizeof cut }, { 0 }, "1",
          "a;b;c;f.gz:4: expected sound gzip data, found the end at byte 21 of the compressed file" },
        { "f.gz", { cut, 15 }, { 0 }, "1", "f.gz:1: expected sound gzip data, found the end at byte 15 of the compressed file" },
    };
    EXPECT_ALL(cases);
}
