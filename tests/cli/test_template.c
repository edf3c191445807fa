/*
 * test_template.c - templates: what compiles, what it renders, and what is refused.
 */
#include "engine/cli/template.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <string.h>

/* Arrays, not pointers: parameters travel to another process. */
struct render_case {
    char template[40];
    char line[40];
    bool json;
    char rendered[96]; /* or what the complaint begins with */
    bool refused;
};

static struct render_case render_cases[] = {
    { "", "a\tb", false, "", false },
    { "text", "a\tb", false, "text", false },
    { "{1}", "a\tb", false, "a", false },
    { "{2}", "a\tb", false, "b", false },
    { "{2}", "a\t", false, "", false },
    { "{3}", "a\tb", false, "expected at least 3 tab-separated columns, found 2", true },
    { "{2-}", "a\tb\t\tc", false, "b\t\tc", false },
    { "{1-}", "a\tb", false, "a\tb", false },
    { "{3-}", "a\tb", false, "", false },
    { "{}", "a\tb", false, "a\tb", false },
    { "{2}{1}{2}", "a\tb", false, "bab", false },
    { "{{{1}}}", "a\tb", false, "{a}", false },
    { "}}{{", "a", false, "}{", false },
    { "S#{1:pad(5)}", "240", false, "S#00240", false },
    { "{1:pad(1)}", "0", false, "0", false },
    { "{1:pad(1)}", "10", false, "expected a whole number of at most 1 digits in column 1", true },
    { "{1:pad(2)}", "00010", false, "10", false },
    { "{1:pad(2)}", "", false, "expected a whole number of at most 2 digits in column 1, found \"\"", true },
    { "{1:pad(2)}", "+1", false, "expected a whole number", true },
    { "{1:pad(2)}", "1.", false, "expected a whole number", true },
    { "{1:pad(2)}", " 1", false, "expected a whole number", true },
    { "{2-:pad(3)}", "a", false, "expected a whole number of at most 3 digits in columns 2 and", true },
    { "{1:invert(10)}", "1500", false, "9999998499", false },
    { "{1:invert(10)}", "240", false, "9999999759", false },
    { "{1:invert(10)}", "10", false, "9999999989", false },
    { "{1:invert(10)}", "9", false, "9999999990", false },
    { "{1:invert(3)}", "999", false, "000", false },
    { "{a}", "{\"a\":1.50}", true, "1.50", false },
    { "{a.b}", "{\"a\":{\"b\":\"x\"}}", true, "x", false },
    { "{a.b.c}", "{\"a\":{\"b\":\"x\"}}", true, "expected a member \"a.b.c\", found none", true },
    { "{a}", "{\"a\":null}", true, "expected a string, a number", true },
    { "{a:pad(4)}", "{\"a\":12}", true, "0012", false },
    { "{a:pad(4)}", "{\"a\":1e1}", true, "expected a whole number of at most 4 digits in member \"a\"", true },
    { "{}", "{\"a\":1}", true, "{\"a\":1}", false },
};

ParameterizedTestParameters(template, renders)
{
    return cr_make_param_array(struct render_case, render_cases, sizeof render_cases / sizeof *render_cases);
}

ParameterizedTest(struct render_case *test, template, renders)
{
    enum record_format format = test->json ? RECORD_JSON_LINES : RECORD_TSV;
    struct template template;
    struct record record;
    struct buffer scratch = { 0 };
    struct complaint complaint;
    sheaf_bytes rendered;
    cr_assert(template_compile(&template, test->template, &complaint), "%s", complaint.text);
    cr_assert(template_fits(&template, format, false, &complaint), "%s", complaint.text);
    record_init(&record, format, NULL);
    cr_assert_eq(record_parse(&record, sheaf_bytes_of(test->line, strlen(test->line)), &complaint), RECORD_PARSED, "%s",
                 complaint.text);
    bool done = template_render(&template, &record, &scratch, &rendered, &complaint);
    cr_assert_eq(done, !test->refused, "%s of %s", test->template, test->line);
    if (done) {
        cr_assert_eq(rendered.size, strlen(test->rendered), "%s of %s", test->template, test->line);
        cr_assert(rendered.size == 0 || memcmp(rendered.data, test->rendered, rendered.size) == 0, "%s of %s", test->template,
                  test->line);
    } else {
        cr_assert(strncmp(complaint.text, test->rendered, strlen(test->rendered)) == 0, "%s", complaint.text);
    }
    record_deinit(&record);
    template_release(&template);
    buffer_release(&scratch);
}

struct refusal_case {
    char template[40];
    bool json;
    char complaint[96];
};

static struct refusal_case refusal_cases[] = {
    { "{", false, "expected a } for the { at position 1" },
    { "ab{1", false, "expected a } for the { at position 3" },
    { "}", false, "expected a { before the } at position 1" },
    { "{1}}", false, "expected a { before the } at position 4" },
    { "{0}", false, "expected a column number, 1 to 1000, found \"0\"" },
    { "{1001}", false, "expected a column number" },
    { "{99999999999999999999999}", false, "expected a column number" },
    { "{-}", false, "expected a column number, 1 to 1000, found \"-\"" },
    { "{1-2}", false, "expected a column number" },
    { "{ 1}", false, "expected a column number" },
    { "{name}", false, "expected a column number" },
    { "{1:}", false, "expected pad(WIDTH) or invert(WIDTH), found \"\"" },
    { "{1:pad}", false, "expected pad(WIDTH) or invert(WIDTH), found \"pad\"" },
    { "{1:pad(}", false, "expected pad(WIDTH) or invert(WIDTH)" },
    { "{1:pad(0)}", false, "expected a width, 1 to 38, found \"0\"" },
    { "{1:pad(39)}", false, "expected a width, 1 to 38, found \"39\"" },
    { "{1:pad(1x)}", false, "expected a width, 1 to 38, found \"1x\"" },
    { "{1:pad10}", false, "expected pad(WIDTH) or invert(WIDTH), found \"pad10\"" },
    { "{.a}", true, "expected names joined by dots, found \".a\"" },
    { "{a.}", true, "expected names joined by dots" },
    { "{a..b}", true, "expected names joined by dots" },
    { "{:pad(3}", true, "expected pad(WIDTH) or invert(WIDTH)" },
};

ParameterizedTestParameters(template, refuses)
{
    return cr_make_param_array(struct refusal_case, refusal_cases, sizeof refusal_cases / sizeof *refusal_cases);
}

ParameterizedTest(struct refusal_case *test, template, refuses)
{
    struct template template;
    struct complaint complaint;
    enum record_format format = test->json ? RECORD_JSON_LINES : RECORD_TSV;
    bool good = template_compile(&template, test->template, &complaint) && template_fits(&template, format, false, &complaint);
    cr_assert_not(good, "%s", test->template);
    cr_assert(strncmp(complaint.text, test->complaint, strlen(test->complaint)) == 0, "%s", complaint.text);
    template_release(&template);
}

Test(template, of_one_field_takes_its_name_as_it_is)
{
    struct template template;
    struct record record;
    struct buffer scratch = { 0 };
    struct complaint complaint;
    sheaf_bytes rendered;
    template_of_field(&template, "3}:pad(");
    record_init(&record, RECORD_JSON_LINES, NULL);
    cr_assert(template_fits(&template, RECORD_JSON_LINES, false, &complaint));
    cr_assert_not(template_fits(&template, RECORD_TSV, false, &complaint));
    cr_assert_eq(record_parse(&record, SHEAF_LIT("{\"3}:pad(\":\"x\"}"), &complaint), RECORD_PARSED);
    cr_assert(template_render(&template, &record, &scratch, &rendered, &complaint));
    cr_assert(rendered.size == 1 && rendered.data[0] == 'x');
    record_deinit(&record);
    template_release(&template);
    buffer_release(&scratch);
}

Test(template, has_at_most_as_many_parts_as_the_limit_says)
{
    char text[3 * TEMPLATE_PART_MAX + 4];
    struct template template;
    struct complaint complaint;
    for (size_t i = 0; i <= TEMPLATE_PART_MAX; i++) memcpy(text + 3 * i, "{1}", 3);
    text[3 * TEMPLATE_PART_MAX] = '\0';
    cr_assert(template_compile(&template, text, &complaint));
    cr_assert_eq(template.part_count, TEMPLATE_PART_MAX);
    template_release(&template);
    text[3 * TEMPLATE_PART_MAX] = '{';
    text[3 * TEMPLATE_PART_MAX + 3] = '\0';
    cr_assert_not(template_compile(&template, text, &complaint));
    cr_assert_str_eq(complaint.text, "expected a template of at most 256 parts");
    template_release(&template);
}
