/*
 * test_json_record.c - numbers keep their text, and JSON stays as strict as the library makes it.
 */
#include "engine/input/json_record.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <string.h>

struct quote_case {
    char text[64];
    char quoted[80]; /* empty: refused */
};

static struct quote_case quote_cases[] = {
    { "{\"a\":1}", "{\"a\":\"1\"}" },
    { "[1,-2,0,-0]", "[\"1\",\"-2\",\"0\",\"-0\"]" },
    { "[1.5e+10 , 0.0E-0]", "[\"1.5e+10\" , \"0.0E-0\"]" },
    { "[123456789012345678901234567890.12345678]", "[\"123456789012345678901234567890.12345678\"]" },
    { "{\"1\":\"2\"}", "{\"1\":\"2\"}" },
    { "[\"a\\\"1\",3,\"\\\\\",4]", "[\"a\\\"1\",\"3\",\"\\\\\",\"4\"]" },
    { "\"1", "\"1" },
    { "\"1\\", "\"1\\" },
    { "[01]", "" },
    { "[1.]", "" },
    { "[.5]", "[.\"5\"]" }, /* a fault that is left to the library */
    { "[-]", "" },
    { "[1e]", "" },
    { "[1e+]", "" },
    { "[--1]", "" },
    { "[1-2]", "" },
    { "[1.2.3]", "" },
    { "{1:2}", "" },
    { "{1 :2}", "" },
};

ParameterizedTestParameters(json_record, quotes_numbers)
{
    return cr_make_param_array(struct quote_case, quote_cases, sizeof quote_cases / sizeof *quote_cases);
}

ParameterizedTest(struct quote_case *test, json_record, quotes_numbers)
{
    struct buffer buffer = { 0 };
    struct complaint complaint;
    bool quoted = json_quote_numbers(sheaf_bytes_of(test->text, strlen(test->text)), &buffer, &complaint);
    cr_assert_eq(quoted, test->quoted[0] != '\0', "%s", test->text);
    if (quoted) {
        cr_assert_eq(buffer.size, strlen(test->quoted), "%s", test->text);
        cr_assert(memcmp(buffer.data, test->quoted, buffer.size) == 0, "%s", test->text);
    }
    buffer_release(&buffer);
}

struct refusal_case {
    char text[48];
};

static struct refusal_case refusal_cases[] = {
    { "" }, { " " }, { "1" }, { "\"a\"" }, { "[]" }, { "{" }, { "{\"a\"}" }, { "{\"a\":}" }, { "{\"a\":.5}" }, { "{\"a\":1,}" },
    { "{\"a\":1 2}" }, { "{\"a\":1\"b\"}" }, { "{\"a\":\"b\"1}" }, { "{\"a\":\"b" }, { "{\"a\":1}x" }, { "{\"a\":+1}" },
    { "{\"a\":1,\"a\":2}" }, { "{\"a\":tru}" }, { "{'a':1}" }, { "{\"a\":\"\\ud800\"}" }, { "{\"a\":\"\xff\"}" },
    { "{\"a\":\"\x01\"}" },
};

ParameterizedTestParameters(json_record, refuses)
{
    return cr_make_param_array(struct refusal_case, refusal_cases, sizeof refusal_cases / sizeof *refusal_cases);
}

ParameterizedTest(struct refusal_case *test, json_record, refuses)
{
    struct buffer scratch = { 0 };
    struct complaint complaint = { .text = "" };
    cr_assert_null(json_record_parse(sheaf_bytes_of(test->text, strlen(test->text)), &scratch, &complaint), "%s", test->text);
    cr_assert(strncmp(complaint.text, "expected ", 9) == 0, "%s: %s", test->text, complaint.text);
    buffer_release(&scratch);
}

Test(json_record, gives_members_by_path)
{
    struct buffer scratch = { 0 };
    struct complaint complaint;
    sheaf_bytes bytes;
    sheaf_bytes line = SHEAF_LIT("{\"a\":{\"b\":{\"c\":-0.0e5}},\"\":\"none\",\"t\":true,\"f\":false,\"z\":\"x\\u0000y\"}");
    struct json_t *object = json_record_parse(line, &scratch, &complaint);
    cr_assert_not_null(object);
    cr_assert(json_record_member(object, SHEAF_LIT("a.b.c"), &bytes, &complaint));
    cr_assert(bytes.size == 6 && memcmp(bytes.data, "-0.0e5", 6) == 0);
    cr_assert(json_record_member(object, SHEAF_LIT("t"), &bytes, &complaint));
    cr_assert(bytes.size == 4 && memcmp(bytes.data, "true", 4) == 0);
    cr_assert(json_record_member(object, SHEAF_LIT("f"), &bytes, &complaint));
    cr_assert(bytes.size == 5 && memcmp(bytes.data, "false", 5) == 0);
    cr_assert(json_record_member(object, SHEAF_LIT("z"), &bytes, &complaint));
    cr_assert(bytes.size == 3 && memcmp(bytes.data, "x\0y", 3) == 0);
    cr_assert_not(json_record_member(object, SHEAF_LIT("a.b"), &bytes, &complaint));
    cr_assert_str_eq(complaint.text, "expected a string, a number, true or false in member \"a.b\", found an object");
    cr_assert_not(json_record_member(object, SHEAF_LIT("t.x"), &bytes, &complaint));
    cr_assert_str_eq(complaint.text, "expected a member \"t.x\", found none");
    json_record_release(object);
    buffer_release(&scratch);
}
