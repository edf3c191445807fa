/*
 * test_item_json.c - items from JSON and to JSON: both forms, exact numbers, what DynamoDB refuses and in which order.
 */
#include <sheaf/item_json.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sheaf_item_builder *builder;

static void begin(void)
{
    cr_assert_eq(sheaf_item_builder_create(NULL, &builder), SHEAF_OK);
}

static void finish(void)
{
    sheaf_item_builder_destroy(builder);
}

TestSuite(item_json, .init = begin, .fini = finish);

static sheaf_bytes text(const char *characters)
{
    return sheaf_bytes_of(characters, strlen(characters));
}

static sheaf_bytes read_as(sheaf_json_form form, const char *json)
{
    sheaf_bytes record = { 0 };
    sheaf_json_fault fault = { 0 };
    cr_assert_eq(sheaf_item_read_json(builder, text(json), form, &record, &fault), SHEAF_OK, "%s: %s at %zu", json,
                 fault.message, fault.offset);
    cr_assert_eq(sheaf_item_check(record, NULL), SHEAF_OK);
    return record;
}

/* Read as one form, written as another. */
static void expect_turned(sheaf_json_form from, const char *json, sheaf_json_form to, const char *wanted)
{
    sheaf_item item = { .record = read_as(from, json) };
    char *written = malloc(strlen(wanted)); /* its own block, so that a sanitizer sees a byte too many */
    size_t size = 0;
    cr_assert_eq(sheaf_item_write_json(&item, to, written, strlen(wanted) - 1, &size), SHEAF_BUFFER_TOO_SMALL, "%s", json);
    cr_assert_eq(size, strlen(wanted), "%s takes %zu", json, size);
    cr_assert_eq(sheaf_item_write_json(&item, to, written, strlen(wanted), &size), SHEAF_OK);
    cr_assert_eq(memcmp(written, wanted, size), 0, "%s is written %.*s", json, (int)size, written);
    free(written);
}

static void expect_refused(sheaf_json_form form, const char *json, sheaf_status status, const char *message)
{
    sheaf_bytes record = SHEAF_LIT("untouched");
    sheaf_json_fault fault = { 0 };
    sheaf_status met = sheaf_item_read_json(builder, text(json), form, &record, &fault);
    cr_assert_eq(met, status, "%s: %s", json, sheaf_status_name(met));
    cr_assert_str_eq(fault.message, message, "%s: %s", json, fault.message);
    cr_assert_leq(fault.offset, strlen(json));
    cr_assert_eq(record.size, 9);
}

/* ---- both forms ------------------------------------------------------------------------------------------------------ */

Test(item_json, reads_and_writes_every_type)
{
    const char *typed =
        "{\"b\":{\"B\":\"AAE=\"},\"bs\":{\"BS\":[\"\",\"AA==\",\"/w==\"]},\"f\":{\"BOOL\":false},"
        "\"l\":{\"L\":[{\"S\":\"\"},{\"L\":[]},{\"M\":{}}]},\"m\":{\"M\":{\"a\":{\"N\":\"-1.5\"},\"z\":{\"NULL\":true}}},"
        "\"n\":{\"N\":\"0\"},\"ns\":{\"NS\":[\"-1\",\"2\",\"10\"]},\"s\":{\"S\":\"\xC3\xA9\"},\"ss\":{\"SS\":[\"\",\"x\"]},"
        "\"t\":{\"BOOL\":true}}";
    const char *plain =
        "{\"b\":\"AAE=\",\"bs\":[\"\",\"AA==\",\"/w==\"],\"f\":false,\"l\":[\"\",[],{}],\"m\":{\"a\":-1.5,\"z\":null},"
        "\"n\":0,\"ns\":[-1,2,10],\"s\":\"\xC3\xA9\",\"ss\":[\"\",\"x\"],\"t\":true}";
    expect_turned(SHEAF_JSON_DYNAMODB, typed, SHEAF_JSON_DYNAMODB, typed);
    expect_turned(SHEAF_JSON_DYNAMODB, typed, SHEAF_JSON_PLAIN, plain);
    expect_turned(SHEAF_JSON_PLAIN, plain, SHEAF_JSON_PLAIN, plain);
    expect_turned(
        SHEAF_JSON_PLAIN, "{\"s\":\"x\",\"n\":1,\"t\":true,\"z\":null,\"l\":[1,\"\"],\"m\":{\"a\":[]}}", SHEAF_JSON_DYNAMODB,
        "{\"l\":{\"L\":[{\"N\":\"1\"},{\"S\":\"\"}]},\"m\":{\"M\":{\"a\":{\"L\":[]}}},\"n\":{\"N\":\"1\"},\"s\":{\"S\":\"x\"},"
        "\"t\":{\"BOOL\":true},\"z\":{\"NULL\":true}}");
}

Test(item_json, keeps_numbers_exact)
{
    static const char *const cases[][2] = {
        { "1.10", "1.1" },
        { "-0", "0" },
        { "1e3", "1000" },
        { "0.1", "0.1" },
        { "-1.5E-3", "-0.0015" },
        { "12345678901234567890123456789012345678", "12345678901234567890123456789012345678" },
        { "0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678" },
        { "18446744073709551616", "18446744073709551616" },
        { "9007199254740993", "9007199254740993" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char plain[128], typed[128], wanted[128], wanted_typed[128];
        snprintf(plain, sizeof plain, "{\"n\":%s}", cases[i][0]);
        snprintf(typed, sizeof typed, "{\"n\":{\"N\":\"%s\"}}", cases[i][0]);
        snprintf(wanted, sizeof wanted, "{\"n\":%s}", cases[i][1]);
        snprintf(wanted_typed, sizeof wanted_typed, "{\"n\":{\"N\":\"%s\"}}", cases[i][1]);
        expect_turned(SHEAF_JSON_PLAIN, plain, SHEAF_JSON_PLAIN, wanted);
        expect_turned(SHEAF_JSON_DYNAMODB, typed, SHEAF_JSON_DYNAMODB, wanted_typed);
        expect_turned(SHEAF_JSON_PLAIN, plain, SHEAF_JSON_DYNAMODB, wanted_typed);
    }
}

Test(item_json, escapes_what_must_be)
{
    expect_turned(SHEAF_JSON_PLAIN, " { \"a\\u0000\\n\" : \"\\\"\\\\\\/\\b\\f\\r\\t\\u001f\\u00e9\\ud83d\\ude00\x7F\" } ",
                  SHEAF_JSON_PLAIN, "{\"a\\u0000\\n\":\"\\\"\\\\/\\b\\f\\r\\t\\u001f\xC3\xA9\xF0\x9F\x98\x80\x7F\"}");
    expect_turned(SHEAF_JSON_DYNAMODB, "{\"\\u0061\":{\"\\u0053\":\"b\"}}", SHEAF_JSON_DYNAMODB, "{\"a\":{\"S\":\"b\"}}");
}

Test(item_json, writes_the_key_before_the_record)
{
    sheaf_attribute keys[] = { { SHEAF_LIT("pk"), sheaf_value_of_bytes(SHEAF_TYPE_STRING, SHEAF_LIT("a")) },
                               { SHEAF_LIT("b"), sheaf_value_of_bytes(SHEAF_TYPE_BINARY, SHEAF_LIT("\xFF")) } };
    sheaf_item item = { read_as(SHEAF_JSON_PLAIN, "{\"a\":1}"), keys, 2 };
    char written[64];
    size_t size;
    cr_assert_eq(sheaf_item_write_json(&item, SHEAF_JSON_PLAIN, written, sizeof written, &size), SHEAF_OK);
    written[size] = 0;
    cr_assert_str_eq(written, "{\"pk\":\"a\",\"b\":\"/w==\",\"a\":1}");
    cr_assert_eq(sheaf_value_write_json(keys[0].value, SHEAF_JSON_DYNAMODB, NULL, 0, &size), SHEAF_BUFFER_TOO_SMALL);
    cr_assert_eq(size, strlen("{\"S\":\"a\"}"));
}

Test(item_json, takes_for_absent_what_is_null_or_unknown)
{
    expect_turned(SHEAF_JSON_DYNAMODB,
                  "{\"a\":{\"S\":null,\"x\":{\"y\":[1,{\"S\":2}]},\"N\":\"1\",\"B\":null,\"z\":[[]]},\"b\":null}",
                  SHEAF_JSON_DYNAMODB, "{\"a\":{\"N\":\"1\"}}");
    expect_turned(SHEAF_JSON_DYNAMODB, "{\"a\":{\"BOOL\":\"YES\"},\"b\":{\"BOOL\":\"0\"},\"c\":{\"NULL\":\"True\"}}",
                  SHEAF_JSON_DYNAMODB, "{\"a\":{\"BOOL\":true},\"b\":{\"BOOL\":false},\"c\":{\"NULL\":true}}");
}

/* ---- refused --------------------------------------------------------------------------------------------------------- */

#define EMPTY "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
#define SEVERAL "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
#define INVALID "One or more parameter values were invalid: "
#define TOO_DEEP \
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"

Test(item_json, refuses_values_as_dynamodb_does)
{
    static const struct {
        const char *value;
        sheaf_status status;
        const char *message;
    } cases[] = {
        { "{}", SHEAF_ITEM_REFUSED, EMPTY },
        { "{\"x\":\"a\"}", SHEAF_ITEM_REFUSED, EMPTY },
        { "{\"S\":null}", SHEAF_ITEM_REFUSED, EMPTY },
        { "{\"L\":[null]}", SHEAF_ITEM_REFUSED, EMPTY },
        { "{\"L\":[{\"M\":{\"x\":{}}}]}", SHEAF_ITEM_REFUSED, EMPTY },
        { "{\"S\":\"a\",\"N\":\"1\"}", SHEAF_ITEM_REFUSED, SEVERAL },
        { "{\"L\":[],\"M\":{\"b\":{\"S\":\"\"}}}", SHEAF_ITEM_REFUSED, SEVERAL },
        { "{\"S\":\"a\",\"N\":\"x\"}", SHEAF_NUMBER_MALFORMED, "The parameter cannot be converted to a numeric value: x" },
        { "{\"S\":\"a\",\"L\":[{\"N\":\"x\"}]}", SHEAF_NUMBER_MALFORMED,
          "The parameter cannot be converted to a numeric value: x" },
        { "{\"S\":\"a\",\"NS\":[]}", SHEAF_ITEM_REFUSED, INVALID "An number set  may not be empty" },
        { "{\"NULL\":false}", SHEAF_ITEM_REFUSED, INVALID "Null attribute value types must have the value of true" },
        { "{\"SS\":[]}", SHEAF_ITEM_REFUSED, INVALID "An string set  may not be empty" },
        { "{\"NS\":[]}", SHEAF_ITEM_REFUSED, INVALID "An number set  may not be empty" },
        { "{\"BS\":[]}", SHEAF_ITEM_REFUSED, INVALID "Binary sets should not be empty" },
        { "{\"NS\":[\"1\",\"1.0\"]}", SHEAF_EXISTS, INVALID "Input collection contains duplicates." },
        { "{\"NS\":[\"1\",\"dog\"]}", SHEAF_NUMBER_MALFORMED, "The parameter cannot be converted to a numeric value: dog" },
        { "{\"N\":\"\"}", SHEAF_NUMBER_MALFORMED, "The parameter cannot be converted to a numeric value" },
        { "{\"N\":\"1e400\"}", SHEAF_NUMBER_OVERFLOW,
          "Number overflow. Attempting to store a number with magnitude larger than supported range" },
        { "{\"N\":\"1e-131\"}", SHEAF_NUMBER_UNDERFLOW,
          "Number underflow. Attempting to store a number with magnitude smaller than supported range" },
        { "{\"N\":\"123456789012345678901234567890123456789\"}", SHEAF_NUMBER_TOO_LONG,
          "Attempting to store more than 38 significant digits in a Number" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char json[256];
        snprintf(json, sizeof json, "{\"a\":%s}", cases[i].value);
        expect_refused(SHEAF_JSON_DYNAMODB, json, cases[i].status, cases[i].message);
    }
    expect_refused(SHEAF_JSON_PLAIN, "{\"a\":1e400}", SHEAF_NUMBER_OVERFLOW,
                   "Number overflow. Attempting to store a number with magnitude larger than supported range");
    expect_refused(SHEAF_JSON_PLAIN, "{\"a\":1,\"a\":2}", SHEAF_EXISTS, "A map has the same name twice");
}

/* What stands first is told; but what is of the wrong kind is told before anything else. */
Test(item_json, tells_faults_in_dynamodb_s_order)
{
    const char *not_a_number = "The parameter cannot be converted to a numeric value: x";
    expect_refused(SHEAF_JSON_DYNAMODB, "{\"a\":{\"N\":\"x\"},\"b\":{}}", SHEAF_NUMBER_MALFORMED, not_a_number);
    expect_refused(SHEAF_JSON_DYNAMODB, "{\"a\":{},\"b\":{\"N\":\"x\"}}", SHEAF_ITEM_REFUSED, EMPTY);
    expect_refused(SHEAF_JSON_DYNAMODB, "{\"a\":{\"SS\":[\"\",\"\"]},\"b\":{}}", SHEAF_EXISTS,
                   INVALID "Input collection contains duplicates.");
    expect_refused(SHEAF_JSON_DYNAMODB, "{\"a\":{\"N\":\"x\"},\"b\":{\"S\":1}}", SHEAF_JSON_MALFORMED,
                   "NUMBER_VALUE cannot be converted to String");
    expect_refused(SHEAF_JSON_DYNAMODB, "{\"a\":{\"N\":\"x\"}", SHEAF_JSON_MALFORMED, "The text is not JSON");
}

Test(item_json, refuses_the_wrong_kinds)
{
    static const char *const cases[][2] = {
        { "{\"S\":true}", "TRUE_VALUE cannot be converted to String" },
        { "{\"N\":false}", "FALSE_VALUE cannot be converted to String" },
        { "{\"N\":3}", "NUMBER_VALUE cannot be converted to String" },
        { "{\"N\":3.5}", "DECIMAL_VALUE cannot be converted to String" },
        { "{\"S\":[]}", "Unrecognized collection type class java.lang.String" },
        { "{\"S\":{}}", "Start of structure or map found where not expected" },
        { "{\"BOOL\":1}", "NUMBER_VALUE cannot be converted to Boolean" },
        { "{\"BOOL\":\"maybe\"}", "Unexpected token received from parser" },
        { "{\"NULL\":[]}", "Unrecognized collection type class java.lang.Boolean" },
        { "{\"B\":1}", "only base-64-encoded strings are convertible to bytes" },
        { "{\"B\":[]}", "Unrecognized collection type class java.nio.ByteBuffer" },
        { "{\"B\":\"AAE\"}", "Base64 encoded length is expected a multiple of 4 bytes but found: 3" },
        { "{\"B\":\"AAF=\"}", "Invalid last non-pad Base64 character dectected" },
        { "{\"BS\":[\"A===\"]}", "Invalid last non-pad Base64 character dectected" },
        { "{\"L\":\"x\"}", "Unexpected field type" },
        { "{\"L\":{}}", "Start of structure or map found where not expected" },
        { "{\"M\":\"x\"}", "Unexpected field type" },
        { "{\"SS\":\"x\"}", "Unexpected field type" },
        { "{\"SS\":[1]}", "NUMBER_VALUE cannot be converted to String" },
        { "{\"SS\":[{}]}", "Start of structure or map found where not expected" },
        { "{\"L\":[\"x\"]}", "Unexpected value type in payload" },
        { "{\"L\":[[]]}", "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue" },
        { "{\"M\":[]}",
          "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>" },
        { "\"x\"", "Unexpected value type in payload" },
        { "[]", "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char json[256];
        snprintf(json, sizeof json, "{\"a\":%s}", cases[i][0]);
        expect_refused(SHEAF_JSON_DYNAMODB, json, SHEAF_JSON_MALFORMED, cases[i][1]);
    }
}

Test(item_json, refuses_what_is_no_json)
{
    static const char *const cases[] = {
        "",
        " ",
        "{",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":1}}",
        "{\"a\":1} 2",
        "{\"a\":01}",
        "{\"a\":1.}",
        "{\"a\":.5}",
        "{\"a\":+1}",
        "{\"a\":NaN}",
        "{\"a\":'x'}",
        "{a:1}",
        "{\"a\":\"\n\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":[1 2]}",
        "{\"a\":\"\xFF\"}",
        "{\"a\":1e}",
        "{\"a\":truely}",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refused(SHEAF_JSON_PLAIN, cases[i], SHEAF_JSON_MALFORMED, "The text is not JSON");
    static const char *const alone[][2] = {
        { "[]", "an array" }, { "\"x\"", "a string" }, { "null", "null" }, { "true", "a boolean" }, { "5", "a number" }
    };
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        char message[64];
        snprintf(message, sizeof message, "Expected an object of names and values, found %s", alone[i][1]);
        expect_refused(SHEAF_JSON_PLAIN, alone[i][0], SHEAF_JSON_MALFORMED, message);
    }
}

/* ---- nesting --------------------------------------------------------------------------------------------------------- */

static char *append(char *at, const char *characters)
{
    size_t size = strlen(characters);
    memcpy(at, characters, size + 1);
    return at + size;
}

/* {"a": `before` x times, a scalar, `after` x times}. */
static char *nested(const char *before, const char *scalar, const char *after, size_t times)
{
    char *json = malloc(16 + times * (strlen(before) + strlen(after)) + strlen(scalar));
    char *at = append(json, "{\"a\":");
    for (size_t i = 0; i < times; i++) at = append(at, before);
    at = append(at, scalar);
    for (size_t i = 0; i < times; i++) at = append(at, after);
    append(at, "}");
    return json;
}

Test(item_json, nests_31_containers_and_no_more)
{
    static const size_t times[] = { 31, 32, 33, 100, 103, 104, 200000 };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char *typed = nested("{\"M\":{\"m\":", "{\"S\":\"x\"}", "}}", times[i]);
        char *plain = nested("[", "1", "]", times[i]);
        if (times[i] <= 31) {
            expect_turned(SHEAF_JSON_DYNAMODB, typed, SHEAF_JSON_DYNAMODB, typed);
            expect_turned(SHEAF_JSON_PLAIN, plain, SHEAF_JSON_PLAIN, plain);
        } else {
            expect_refused(SHEAF_JSON_DYNAMODB, typed, SHEAF_ITEM_REFUSED, TOO_DEEP);
            expect_refused(SHEAF_JSON_PLAIN, plain, SHEAF_ITEM_REFUSED, TOO_DEEP);
        }
        free(plain);
        free(typed);
    }
    char *ignored = nested("{\"x\":", "[]", "}", 150000);
    expect_refused(SHEAF_JSON_DYNAMODB, ignored, SHEAF_ITEM_REFUSED, TOO_DEEP);
    free(ignored);
}

Test(item_json, cuts_a_message_that_is_too_long)
{
    char json[1024], digits[600];
    memset(digits, '7', sizeof digits);
    snprintf(json, sizeof json, "{\"a\":{\"N\":\"%.*sx\"}}", (int)sizeof digits, digits);
    sheaf_bytes record;
    sheaf_json_fault fault;
    cr_assert_eq(sheaf_item_read_json(builder, text(json), SHEAF_JSON_DYNAMODB, &record, &fault), SHEAF_NUMBER_MALFORMED);
    cr_assert_eq(strlen(fault.message), SHEAF_JSON_MESSAGE_SIZE - 1);
    cr_assert_eq(sheaf_item_read_json(builder, text(json), SHEAF_JSON_DYNAMODB, &record, NULL), SHEAF_NUMBER_MALFORMED);
}
