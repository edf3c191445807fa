/*
 * test_dynamodb_record.c - items in the lines of an export: which lines are some, and what their attributes are as bytes.
 */
#include "engine/input/dynamodb_record.h"

#include <criterion/criterion.h>

#include <string.h>

#include "engine/base/bytes.h"
#include "engine/input/format.h"
#include "engine/input/json_record.h"

struct scene {
    struct buffer scratch;
    struct spill spill;
    struct complaint complaint;
    struct json_t *object;
    struct json_t *item;
};

static void parse(struct scene *scene, const char *line)
{
    *scene = (struct scene){ .complaint = { .text = "" } };
    scene->object = json_record_parse(sheaf_bytes_of(line, strlen(line)), &scene->scratch, &scene->complaint);
    cr_assert_not_null(scene->object, "%s", scene->complaint.text);
    scene->item = dynamodb_item(scene->object, &scene->complaint);
}

static void release(struct scene *scene)
{
    json_record_release(scene->object);
    buffer_release(&scene->scratch);
    spill_release(&scene->spill);
}

static const char ITEM[] =
    "{\"Item\":{\"pk\":{\"S\":\"a\\u0000b\"},\"n\":{\"N\":\"1.10\"},\"big\":{\"N\":\"-1E+125\"},\"b\":{\"B\":\"AAH/\"},"
    "\"t\":{\"BOOL\":true},\"f\":{\"BOOL\":false},\"z\":{\"NULL\":true},\"ss\":{\"SS\":[\"x\",\"y\"]},\"ns\":{\"NS\":[\"1.0\"]},"
    "\"l\":{\"L\":[{\"N\":\"007\"},{\"S\":\"\\\"\"}]},\"dot.ted\":{\"S\":\"d\"},\"empty\":{\"S\":\"\"},"
    "\"user\":{\"M\":{\"id\":{\"N\":\"7\"},\"home\":{\"M\":{\"city\":{\"S\":\"Kyoto\"}}}}}}}";

static const struct {
    const char *path;
    const char *bytes;
    size_t size;
    const char *type;
} ATTRIBUTES[] = {
    { "pk", "a\0b", 3, "S" },
    { "n", "1.10", 4, "N" },
    { "big", "-1E+125", 7, "N" },
    { "b", "\0\1\xff", 3, "B" },
    { "t", "true", 4, "BOOL" },
    { "f", "false", 5, "BOOL" },
    { "z", "null", 4, "NULL" },
    { "ss", "[\"x\",\"y\"]", 9, "SS" },
    { "ns", "[\"1.0\"]", 7, "NS" },
    { "l", "[{\"N\":\"007\"},{\"S\":\"\\\"\"}]", 24, "L" },
    { "dot.ted", "d", 1, "S" },
    { "empty", "", 0, "S" },
    { "user.id", "7", 1, "N" },
    { "user.home.city", "Kyoto", 5, "S" },
    { "user.home", "{\"city\":{\"S\":\"Kyoto\"}}", 22, "M" },
};

Test(dynamodb_record, gives_attributes_by_path)
{
    struct scene scene;
    sheaf_bytes found[sizeof ATTRIBUTES / sizeof *ATTRIBUTES];
    parse(&scene, ITEM);
    cr_assert_not_null(scene.item);
    for (size_t i = 0; i < sizeof ATTRIBUTES / sizeof *ATTRIBUTES; i++) {
        sheaf_bytes path = sheaf_bytes_of(ATTRIBUTES[i].path, strlen(ATTRIBUTES[i].path));
        const struct json_t *value = dynamodb_value(scene.item, path);
        cr_assert_not_null(value, "%s", ATTRIBUTES[i].path);
        cr_assert(dynamodb_bytes(value, path, &scene.spill, &found[i], &scene.complaint), "%s", scene.complaint.text);
        cr_assert_str_eq(dynamodb_type(value), ATTRIBUTES[i].type);
    }
    for (size_t i = 0; i < sizeof ATTRIBUTES / sizeof *ATTRIBUTES; i++) /* none has disturbed another */
        cr_assert(sheaf_bytes_equal(found[i], sheaf_bytes_of(ATTRIBUTES[i].bytes, ATTRIBUTES[i].size)), "%s: %.*s",
                  ATTRIBUTES[i].path, (int)found[i].size, (const char *)found[i].data);
    static const char *const missing[] = { "x", "user.x", "user.id.x", "pk.x", "user.home.city.x", "ss.0", "user.M.id", "dot" };
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        cr_assert_null(dynamodb_value(scene.item, sheaf_bytes_of(missing[i], strlen(missing[i]))), "%s", missing[i]);
    release(&scene);
}

Test(dynamodb_record, says_what_is_no_base64_and_what_has_no_type)
{
    struct scene scene;
    sheaf_bytes bytes;
    parse(&scene, "{\"b\":{\"B\":\"A\"},\"m\":{\"M\":{\"x\":\"plain\"}}}");
    const struct json_t *value = dynamodb_value(scene.item, SHEAF_LIT("b"));
    cr_assert_not(dynamodb_bytes(value, SHEAF_LIT("b"), &scene.spill, &bytes, &scene.complaint));
    cr_assert_str_eq(scene.complaint.text, "expected base64 in the B of \"b\", found \"A\"");
    value = dynamodb_value(scene.item, SHEAF_LIT("m.x"));
    cr_assert_not(dynamodb_bytes(value, SHEAF_LIT("m.x"), &scene.spill, &bytes, &scene.complaint));
    cr_assert_str_eq(scene.complaint.text, "expected a value such as {\"S\":\"text\"} in \"m.x\", found another");
    release(&scene);
}

struct line_case {
    const char *line;
    const char *attribute; /* one that the item has; NULL: there is no item */
    bool shown;            /* and the line shows that items follow */
};

static const struct line_case LINES[] = {
    { "{\"Item\":{\"a\":{\"S\":\"x\"}}}", "a", true },
    { "{\"PutRequest\":{\"Item\":{\"a\":{\"S\":\"x\"}}}}", "a", true },
    { "{\"a\":{\"S\":\"x\"}}", "a", true },
    { " {\"a\":{\"N\":\"1\"},\"b\":{\"NULL\":true}} ", "b", true },
    { "{\"Item\":{\"S\":\"x\"}}", "Item", true },           /* an attribute of that name */
    { "{\"Item\":{\"M\":{\"M\":{}}}}", "M", true },         /* could be either; an export is likelier */
    { "{\"Item\":{\"M\":{\"a\":\"x\"}}}", "Item", true },
    { "{\"Item\":{\"a\":{\"S\":\"x\"}},\"b\":{\"S\":\"y\"}}", NULL, false },
    { "{}", "", false },
    { "{\"Item\":{}}", "", false },
    { "{\"a\":\"x\"}", NULL, false },
    { "{\"a\":{\"S\":true}}", NULL, false },
    { "{\"a\":{\"s\":\"x\"}}", NULL, false },
    { "{\"a\":{\"S\":\"x\",\"N\":\"1\"}}", NULL, false },
    { "{\"a\":{\"BOOL\":\"true\"}}", NULL, false },
    { "{\"a\":{\"L\":{}}}", NULL, false },
    { "{\"a\":{\"S\":\"x\"},\"b\":1}", NULL, false },
    { "{\"Metadata\":{\"WriteTimestampMicros\":{\"N\":\"1\"}},\"Keys\":{\"a\":{\"S\":\"x\"}}}", NULL, false },
};

Test(dynamodb_record, knows_the_lines_that_hold_an_item)
{
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
        struct scene scene;
        const char *line = LINES[i].line;
        parse(&scene, line);
        cr_assert_eq(scene.item != NULL, LINES[i].attribute != NULL, "%s", line);
        cr_assert_eq(dynamodb_shows(scene.object), LINES[i].shown, "%s", line);
        cr_assert_eq(format_is_dynamodb(sheaf_bytes_of(line, strlen(line))), LINES[i].shown, "%s", line);
        if (LINES[i].attribute && *LINES[i].attribute) {
            sheaf_bytes name = sheaf_bytes_of(LINES[i].attribute, strlen(LINES[i].attribute));
            cr_assert_not_null(dynamodb_value(scene.item, name), "%s", line);
        }
        release(&scene);
    }
}

Test(dynamodb_record, says_why_a_line_holds_none)
{
    struct scene scene;
    parse(&scene, "{\"Item\":{\"a\":{\"S\":\"x\"},\"b\":7}}");
    cr_assert_str_eq(scene.complaint.text,
                     "expected an item of DynamoDB JSON, with values such as {\"S\":\"text\"}, found another value in \"b\"");
    release(&scene);
    parse(&scene, "{\"Metadata\":{\"WriteTimestampMicros\":{\"N\":\"1\"}},\"Keys\":{\"a\":{\"S\":\"x\"}}}");
    cr_assert_str_eq(scene.complaint.text,
                     "expected an item, found a change (this is an incremental export; export the table in full)");
    release(&scene);
}

Test(dynamodb_record, is_not_seen_in_other_lines)
{
    static const char *const lines[] = { "", " ", "{", "a\tb", "[{\"a\":{\"S\":\"x\"}}]", "{\"a\":{\"S\":\"x\"}", "x{}", "1" };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_assert_not(format_is_dynamodb(sheaf_bytes_of(lines[i], strlen(lines[i]))), "%s", lines[i]);
}
