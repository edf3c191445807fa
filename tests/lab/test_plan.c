/*
 * test_plan.c - plans: what is read from them, and every way in which they are refused.
 */
#include "engine/lab/plan.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <stdio.h>
#include <string.h>

static bool read_text(const char *text, const struct plan_overrides *overrides, struct plan *plan, struct complaint *complaint)
{
    return plan_read(sheaf_bytes_of(text, strlen(text)), "some/folder/", overrides, plan, complaint);
}

static bool is(sheaf_bytes bytes, const char *text)
{
    return bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0;
}

/* ---- what is read ----------------------------------------------------------------------------------------------------- */

static const char WHOLE[] =
    "{ \"title\": \"Files\", \"seed\": 7, \"samples\": 3,"
    "  \"records\": { \"file\": \"tree.tsv\", \"format\": \"tsv\", \"header\": true, \"shuffle\": 5, \"fields\": ["
    "    { \"name\": \"path\", \"from\": \"1\", \"type\": \"path\", \"delimiter\": \":\" },"
    "    { \"name\": \"size\", \"type\": \"number\", \"attribute\": false },"
    "    { \"name\": \"parent\", \"derive\": \"parent\", \"of\": \"path\", \"attribute\": true },"
    "    { \"name\": \"place\", \"derive\": \"place\" } ] },"
    "  \"layouts\": [ { \"name\": \"a\", \"layout\": \"sk = \\\"{path}\\\"\", \"note\": \"as it is\" } ],"
    "  \"patterns\": ["
    "    { \"name\": \"children\", \"where\": { \"path\": { \"children_of\": { \"sample\": true } } }, \"samples\": 9 },"
    "    { \"name\": \"sizes\", \"where\": { \"size\": { \"between\": [ \"007\", 10 ] }, \"parent\": \"a:\" },"
    "      \"order\": [ { \"descending\": \"size\" }, \"path\", { \"ascending\": \"place\" } ], \"limit\": 10 },"
    "    { \"name\": \"each\", \"where\": { \"size\": { \"each\": [ 1, 2 ] }, \"path\": { \"begins_with\": { \"each\": [ "
    "\"a\", \"b\" ] } } } },"
    "    { \"name\": \"all\" } ] }";

Test(plan, is_read_whole)
{
    struct plan plan;
    struct complaint complaint;
    cr_assert(read_text(WHOLE, NULL, &plan, &complaint), "%s", complaint.text);
    cr_assert(is(plan.title, "Files"));
    cr_assert_eq(plan.seed, 7);
    cr_assert_str_eq(plan.file, "some/folder/tree.tsv");
    cr_assert(plan.source.format_given && plan.source.format == RECORD_TSV);
    cr_assert_eq(plan.source.header, SOURCE_HEADER_FIRST_LINE);
    cr_assert(plan.shuffled && plan.shuffle_seed == 5);

    cr_assert_eq(plan.field_count, 4);
    const struct plan_field *fields = plan.fields;
    cr_assert(is(fields[0].name, "path") && is(fields[0].from, "1"));
    cr_assert(fields[0].type == VALUE_PATH && fields[0].delimiter == ':' && fields[0].attribute);
    cr_assert(is(fields[1].from, "size") && fields[1].type == VALUE_NUMBER && !fields[1].attribute);
    cr_assert(fields[2].derivation == DERIVE_PARENT && fields[2].of == 0 && fields[2].delimiter == ':' && fields[2].attribute);
    cr_assert(fields[2].type == VALUE_PATH);
    cr_assert(fields[3].derivation == DERIVE_PLACE && fields[3].type == VALUE_NUMBER && !fields[3].attribute);

    cr_assert_eq(plan.layout_count, 1);
    cr_assert(is(plan.layouts[0].text, "sk = \"{path}\"") && is(plan.layouts[0].note, "as it is"));

    cr_assert_eq(plan.pattern_count, 4);
    const struct pattern *patterns = plan.patterns;
    cr_assert_eq(patterns[0].run_count, 9);
    cr_assert_eq(patterns[0].conditions[0].relation, RELATION_CHILDREN_OF);
    cr_assert(patterns[0].conditions[0].operands[0].sampled);
    cr_assert_eq(patterns[0].limit, PATTERN_NO_LIMIT);

    cr_assert_eq(patterns[1].condition_count, 2);
    cr_assert(patterns[1].conditions[0].field == 1 && patterns[1].conditions[0].relation == RELATION_BETWEEN);
    cr_assert(is(patterns[1].conditions[0].operands[0].values[0], "7"));
    cr_assert(is(patterns[1].conditions[0].operands[1].values[0], "10"));
    cr_assert(patterns[1].conditions[1].field == 2 && patterns[1].conditions[1].relation == RELATION_EQUAL);
    cr_assert_eq(patterns[1].order_count, 3);
    cr_assert(patterns[1].order[0].field == 1 && patterns[1].order[0].descending);
    cr_assert(patterns[1].order[1].field == 0 && !patterns[1].order[1].descending);
    cr_assert(patterns[1].order[2].field == 3 && !patterns[1].order[2].descending);
    cr_assert_eq(patterns[1].limit, 10);
    cr_assert_eq(patterns[1].run_count, 1);

    cr_assert_eq(patterns[2].run_count, 2);
    cr_assert(is(patterns[2].conditions[1].operands[0].values[1], "b"));
    cr_assert_eq(patterns[3].condition_count, 0);
    plan_release(&plan);
}

Test(plan, what_the_command_line_says_goes_before)
{
    struct plan plan;
    struct complaint complaint;
    struct plan_overrides overrides = { .seed_given = true, .seed = 0, .run_count = 2 };
    static const char text[] = "{\"seed\":7,\"samples\":9,\"records\":{\"file\":\"/f\",\"fields\":[{\"name\":\"a\"}]},"
                               "\"layouts\":[{\"name\":\"l\",\"layout\":\"x\"}],"
                               "\"patterns\":[{\"name\":\"p\",\"where\":{\"a\":{\"sample\":true}}}]}";
    cr_assert(read_text(text, &overrides, &plan, &complaint), "%s", complaint.text);
    cr_assert_eq(plan.seed, 0);
    cr_assert_eq(plan.patterns[0].run_count, 2);
    cr_assert_str_eq(plan.file, "/f", "a path from the root is what it is");
    plan_release(&plan);
}

/* ---- what is refused -------------------------------------------------------------------------------------------------- */

enum part { DOCUMENT, RECORDS, FIELDS, LAYOUTS, PATTERNS };

struct refused_case {
    enum part part; /* what `text` stands in for; the rest is sound */
    char text[160];
    char message[200];
};

#define WHERE(condition) "[{\"name\":\"p\",\"where\":{" condition "}}]"

static struct refused_case refused_cases[] = {
    { DOCUMENT, "", "line 1, column 0: expected JSON: '[' or '{' expected near end of file" },
    { DOCUMENT, "{\n  \"title\": x\n}", "line 2, column 12: expected JSON: invalid token near 'x'" },
    { DOCUMENT, "{\"a\":1,\"a\":2}", "line 1, column 10: expected JSON: duplicate object key near '\"a\"'" },
    { DOCUMENT, "[]", "plan: expected an object, found an array of 0" },
    { DOCUMENT, "{\"tile\":\"x\"}",
      "plan: expected a member title, records, layouts, patterns, samples or seed, found \"tile\"" },
    { DOCUMENT, "{\"title\":\"\"}", "title: expected a text, found \"\"" },
    { DOCUMENT, "{\"seed\":-1}", "seed: expected a whole number from 0 to 4294967295, found -1" },
    { DOCUMENT, "{\"samples\":0}", "samples: expected a whole number from 1 to 10000, found 0" },
    { DOCUMENT, "{}", "records: expected an object, found nothing" },

    { RECORDS, "{\"fields\":[]}", "records.file: expected a text, found nothing" },
    { RECORDS, "{\"file\":\"a\\u0000b\"}",
      "line 1, column 29: expected JSON: \\u0000 is not allowed without JSON_ALLOW_NUL near "
      "'\"a\\u0000b\"'" },
    { RECORDS, "{\"file\":\"f\"}", "records.fields: expected an array of 1 to 64 fields, found nothing" },
    { RECORDS, "{\"file\":\"f\",\"fields\":[]}", "records.fields: expected an array of 1 to 64 fields, found an array of 0" },
    { RECORDS, "{\"file\":\"f\",\"format\":\"xml\"}", "records.format: expected tsv, csv, jsonl or dynamodb, found \"xml\"" },
    { RECORDS, "{\"file\":\"f\",\"header\":1}", "records.header: expected true or false, found 1" },
    { RECORDS, "{\"file\":\"f\",\"shuffle\":true}",
      "records.shuffle: expected a whole number from 0 to 4294967295, found true" },
    { RECORDS, "{\"file\":\"f\",\"feilds\":[]}",
      "records: expected a member file, format, header, shuffle or fields, found \"feilds\"" },

    { FIELDS, "[1]", "records.fields[0]: expected an object, found 1" },
    { FIELDS, "[{\"from\":\"1\"}]", "records.fields[0].name: expected a text, found nothing" },
    { FIELDS, "[{\"name\":\"a\"},{\"name\":\"a\"}]", "records.fields[1].name: there is a field \"a\" already" },
    { FIELDS, "[{\"name\":\"a\",\"type\":\"int\"}]",
      "records.fields[0].type: expected text, path, number or time, found \"int\"" },
    { FIELDS, "[{\"name\":\"a\",\"of\":\"b\"}]", "records.fields[0].of: goes with \"derive\", which is missing" },
    { FIELDS, "[{\"name\":\"a\",\"delimiter\":\"/\"}]", "records.fields[0].delimiter: only a path has a delimiter" },
    { FIELDS, "[{\"name\":\"a\",\"type\":\"path\",\"delimiter\":\"::\"}]",
      "records.fields[0].delimiter: expected one byte, found \"::\"" },
    { FIELDS, "[{\"name\":\"a\",\"derive\":\"mother\",\"of\":\"b\"}]",
      "records.fields[0].derive: expected parent, name, depth, bare, epoch_s, epoch_ms or place, found \"mother\"" },
    { FIELDS, "[{\"name\":\"a\",\"derive\":\"parent\"}]", "records.fields[0].of: expected a text, found nothing" },
    { FIELDS, "[{\"name\":\"a\",\"derive\":\"parent\",\"of\":\"b\"},{\"name\":\"b\",\"type\":\"path\"}]",
      "records.fields[0].of: expected a field named further up, found \"b\"" },
    { FIELDS, "[{\"name\":\"b\"},{\"name\":\"a\",\"derive\":\"parent\",\"of\":\"b\"}]",
      "records.fields[1].of: expected a field of type path, found \"b\", which is a text" },
    { FIELDS, "[{\"name\":\"a\",\"derive\":\"place\",\"of\":\"b\"}]",
      "records.fields[0]: expected a member name, derive or attribute, found \"of\"" },
    { FIELDS, "[{\"name\":\"a\",\"attribute\":\"no\"}]", "records.fields[0].attribute: expected true or false, found \"no\"" },

    { LAYOUTS, "{}", "layouts: expected an array of 1 to 24 layouts, found an object" },
    { LAYOUTS, "[{\"layout\":\"x\"}]", "layouts[0].name: expected a text, found nothing" },
    { LAYOUTS, "[{\"name\":\"l\"}]", "layouts[0].layout: expected a text, found nothing" },
    { LAYOUTS, "[{\"name\":\"l\",\"layout\":\"x\"},{\"name\":\"l\",\"layout\":\"y\"}]",
      "layouts[1].name: there is a layout \"l\" already" },
    { LAYOUTS, "[{\"name\":\"l\",\"pk\":\"x\"}]", "layouts[0]: expected a member name, layout or note, found \"pk\"" },

    { PATTERNS, "[]", "patterns: expected an array of 1 to 64 patterns, found an array of 0" },
    { PATTERNS, "[{}]", "patterns[0].name: expected a text, found nothing" },
    { PATTERNS, "[{\"name\":\"p\"},{\"name\":\"p\"}]", "patterns[1].name: there is a pattern \"p\" already" },
    { PATTERNS, "[{\"name\":\"p\",\"filter\":{}}]",
      "patterns[0]: expected a member name, where, order, limit or samples, found \"filter\"" },
    { PATTERNS, "[{\"name\":\"p\",\"limit\":0}]", "patterns[0].limit: expected a whole number from 1 to 4294967295, found 0" },
    { PATTERNS, "[{\"name\":\"p\",\"limit\":1.5}]",
      "patterns[0].limit: expected a whole number from 1 to 4294967295, found 1.5" },
    { PATTERNS, "[{\"name\":\"p\",\"samples\":5}]", "patterns[0].samples: there is nothing to sample in this pattern" },
    { PATTERNS, "[{\"name\":\"p\",\"where\":[]}]", "patterns[0].where: expected an object, found an array of 0" },
    { PATTERNS, WHERE("\"x\":1"), "patterns[0].where: there is no field \"x\"" },
    { PATTERNS, WHERE("\"n\":\"ten\""), "patterns[0].where.n: expected a number such as 1500 or -2.5, found \"ten\"" },
    { PATTERNS, WHERE("\"n\":2.5"),
      "patterns[0].where.n: expected a text or a whole number (others as text: \"2.5\"), found 2.5" },
    { PATTERNS, WHERE("\"n\":null"),
      "patterns[0].where.n: expected a text or a whole number (others as text: \"2.5\"), found null" },
    { PATTERNS, WHERE("\"t\":\"2026-13-01\""),
      "patterns[0].where.t: expected a time such as 2026-05-01T09:07:03Z or 2026-05-01, found \"2026-13-01\"" },
    { PATTERNS, WHERE("\"n\":{\"above\":1}"),
      "patterns[0].where.n: expected a member equal, less, at_most, at_least, greater, between, begins_with, subtree_of or "
      "children_of, found \"above\"" },
    { PATTERNS, WHERE("\"n\":{}"), "patterns[0].where.n: expected one relation, such as {\"at_least\": 100}, found 0" },
    { PATTERNS, WHERE("\"n\":{\"less\":3,\"greater\":1}"),
      "patterns[0].where.n: expected one relation, such as {\"at_least\": 100}, found 2" },
    { PATTERNS, WHERE("\"n\":{\"between\":3}"), "patterns[0].where.n.between: expected an array of 2 bounds, found 3" },
    { PATTERNS, WHERE("\"n\":{\"between\":[10,9]}"),
      "patterns[0].where.n.between: expected the lower bound first, found \"10\" and \"9\"" },
    { PATTERNS, WHERE("\"n\":{\"between\":[{\"each\":[1,5]},{\"each\":[2,4]}]}"),
      "patterns[0].where.n.between: expected the lower bound first, found \"5\" and \"4\"" },
    { PATTERNS, WHERE("\"n\":{\"between\":[{\"sample\":true},4]}"),
      "patterns[0].where.n.between: expected both bounds to be sampled, or none" },
    { PATTERNS, WHERE("\"n\":{\"between\":[1,\"x\"]}"),
      "patterns[0].where.n.between[1]: expected a number such as 1500 or -2.5, found \"x\"" },
    { PATTERNS, WHERE("\"n\":{\"begins_with\":1}"),
      "patterns[0].where.n.begins_with: expected a field of type text or path, found a number" },
    { PATTERNS, WHERE("\"n\":{\"subtree_of\":1}"),
      "patterns[0].where.n.subtree_of: expected a field of type path, found a number" },
    { PATTERNS, WHERE("\"f\":{\"subtree_of\":\"docs\"}"),
      "patterns[0].where.f.subtree_of: expected a folder, which ends in \"/\", found \"docs\"" },
    { PATTERNS, WHERE("\"f\":{\"children_of\":\"\"}"), "patterns[0].where.f.children_of: expected a path, found nothing" },
    { PATTERNS, WHERE("\"n\":{\"sample\":1}"), "patterns[0].where.n.sample: expected true, found 1" },
    { PATTERNS, WHERE("\"n\":{\"sample\":true,\"characters\":3}"),
      "patterns[0].where.n: expected a member sample, found \"characters\"" },
    { PATTERNS, WHERE("\"f\":{\"begins_with\":{\"sample\":true}}"),
      "patterns[0].where.f.begins_with: expected \"characters\" as well: how long the beginning is" },
    { PATTERNS, WHERE("\"f\":{\"begins_with\":{\"sample\":true,\"characters\":0}}"),
      "patterns[0].where.f.begins_with.characters: expected a whole number from 1 to 1024, found 0" },
    { PATTERNS, WHERE("\"n\":{\"each\":[]}"),
      "patterns[0].where.n.each: expected an array of 1 to 10000 values, found an array of 0" },
    { PATTERNS, WHERE("\"n\":{\"each\":[1,2]},\"f\":{\"each\":[\"a\"]}"),
      "patterns[0].where.f.each: expected 2 values, as many as in the pattern's other list, found 1" },
    { PATTERNS, WHERE("\"n\":{\"each\":[1,\"b\"]}"),
      "patterns[0].where.n.each[1]: expected a number such as 1500 or -2.5, found \"b\"" },
    { PATTERNS, WHERE("\"n\":{\"less\":{\"all\":1}}"), "patterns[0].where.n.less: expected a member each, found \"all\"" },
    { PATTERNS, WHERE("\"n\":{\"less\":{}}"), "patterns[0].where.n.less: expected a member sample or each, found none" },
    { PATTERNS, "[{\"name\":\"p\",\"where\":{\"n\":{\"each\":[1]},\"f\":{\"sample\":true}},\"samples\":3}]",
      "patterns[0].samples: the lists of this pattern say how often it runs: 1 times" },
    { PATTERNS, "[{\"name\":\"p\",\"order\":\"n\"}]", "patterns[0].order: expected an array of 1 to 64 fields, found \"n\"" },
    { PATTERNS, "[{\"name\":\"p\",\"order\":[1]}]",
      "patterns[0].order[0]: expected the name of a field, or {\"descending\": name}, found 1" },
    { PATTERNS, "[{\"name\":\"p\",\"order\":[\"x\"]}]", "patterns[0].order[0]: there is no field \"x\"" },
    { PATTERNS, "[{\"name\":\"p\",\"order\":[\"n\",{\"descending\":\"n\"}]}]",
      "patterns[0].order[1]: field \"n\" is there already" },
    { PATTERNS, "[{\"name\":\"p\",\"order\":[{}]}]", "patterns[0].order[0]: expected ascending or descending, and a field" },
    { PATTERNS, "[{\"name\":\"p\",\"order\":[{\"down\":\"n\"}]}]",
      "patterns[0].order[0]: expected a member descending or ascending, found \"down\"" },
};

ParameterizedTestParameters(plan, is_refused)
{
    return cr_make_param_array(struct refused_case, refused_cases, sizeof refused_cases / sizeof *refused_cases);
}

static void compose(const struct refused_case *c, char *text, size_t size)
{
    static const char sound_fields[] = "[{\"name\":\"n\",\"type\":\"number\"},{\"name\":\"t\",\"type\":\"time\"},"
                                       "{\"name\":\"f\",\"type\":\"path\"}]";
    char records[512];
    if (c->part == DOCUMENT) {
        (void)snprintf(text, size, "%s", c->text);
        return;
    }
    (void)snprintf(records, sizeof records, "{\"file\":\"f\",\"fields\":%s}", c->part == FIELDS ? c->text : sound_fields);
    (void)snprintf(text, size, "{\"records\":%s,\"layouts\":%s,\"patterns\":%s}", c->part == RECORDS ? c->text : records,
                   c->part == LAYOUTS ? c->text : "[{\"name\":\"l\",\"layout\":\"x\"}]",
                   c->part == PATTERNS ? c->text : "[{\"name\":\"p\"}]");
}

ParameterizedTest(struct refused_case *c, plan, is_refused)
{
    char text[1024];
    struct plan plan = { .field_count = 77 };
    struct complaint complaint = { .text = "" };
    compose(c, text, sizeof text);
    cr_assert_not(read_text(text, NULL, &plan, &complaint), "%s", text);
    cr_assert_str_eq(complaint.text, c->message);
    cr_assert_eq(plan.field_count, 77, "a refused plan is left as it was");
}

Test(plan, has_its_limits)
{
    static char text[8192];
    struct plan plan;
    struct complaint complaint;
    for (int count = PLAN_FIELD_MAX; count <= PLAN_FIELD_MAX + 1; count++) {
        int size = snprintf(text, sizeof text, "{\"records\":{\"file\":\"f\",\"fields\":[");
        for (int i = 0; i < count; i++)
            size += snprintf(text + size, sizeof text - (size_t)size, "%s{\"name\":\"f%d\"}", i == 0 ? "" : ",", i);
        (void)snprintf(text + size, sizeof text - (size_t)size,
                       "]},\"layouts\":[{\"name\":\"l\",\"layout\":\"x\"}],\"patterns\":[{\"name\":\"p\"}]}");
        bool read = read_text(text, NULL, &plan, &complaint);
        cr_assert_eq(read, count == PLAN_FIELD_MAX, "%s", complaint.text);
        if (read) plan_release(&plan);
    }
    cr_assert_str_eq(complaint.text, "records.fields: expected an array of 1 to 64 fields, found an array of 65");
}
