/*
 * test_shape.c - which pattern a layout answers by one query, in which direction, and with which query.
 */
#include "engine/lab/shape.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "engine/lab/draw.h"
#include "engine/lab/query.h"
#include "tests/lab/world.h"

#define FIELDS \
    "\"fields\":[{\"name\":\"c\",\"from\":\"1\"},{\"name\":\"n\",\"from\":\"2\",\"type\":\"number\"},{\"name\":\"t\"," \
    "\"from\":\"3\"}," \
    "{\"name\":\"p\",\"from\":\"4\",\"type\":\"path\"},{\"name\":\"parent\",\"derive\":\"parent\",\"of\":\"p\"}," \
    "{\"name\":\"name\",\"derive\":\"name\",\"of\":\"p\"},{\"name\":\"depth\",\"derive\":\"depth\",\"of\":\"p\"}," \
    "{\"name\":\"bare\",\"derive\":\"bare\",\"of\":\"p\"},{\"name\":\"at\",\"from\":\"5\",\"type\":\"time\"}," \
    "{\"name\":\"epoch\",\"derive\":\"epoch_s\",\"of\":\"at\"}]"

struct shape_case {
    char layout[96];
    char pattern[176];
    char shape[112]; /* "query FORM", or what else it takes */
};

#define LEADERBOARD "pk = \\\"{c}\\\", sk = \\\"{n:pad(4)}#{t}\\\""
#define INVERTED "pk = \\\"{c}\\\", sk = \\\"{n:invert(4)}#{t}\\\""
#define RAW "pk = \\\"{c}\\\", sk = \\\"{n:raw}#{t}\\\""
#define PATHS "pk = \\\"D\\\", sk = \\\"{p:path(/)}\\\""
#define BARE "pk = \\\"D\\\", sk = \\\"{bare}\\\""
#define PARENTS "pk = \\\"F#{parent}\\\", sk = \\\"{name}\\\""
#define LEVELS "pk = \\\"D\\\", sk = \\\"{depth:pad(2)}#{p:path(/)}\\\""
#define EPOCHS "pk = \\\"{c}\\\", sk = \\\"{epoch:invert(10)}#{t}\\\""
#define TUPLE "pk = \\\"{c}\\\", sk = (n:u64 desc, t:text)"
#define NUMBER "pk = \\\"{c}\\\", sk = n:number"
#define IS_X "\"where\":{\"c\":\"x\"}"

static struct shape_case shape_cases[] = {
    /* order */
    { LEADERBOARD, IS_X, "query pk = \"x\"" },
    { LEADERBOARD, IS_X ",\"order\":[\"n\"]", "query pk = \"x\"" },
    { LEADERBOARD, IS_X ",\"order\":[{\"descending\":\"n\"}],\"limit\":3", "query pk = \"x\", reverse, limit 3" },
    { INVERTED, IS_X ",\"order\":[{\"descending\":\"n\"}]", "query pk = \"x\"" },
    { INVERTED, IS_X ",\"order\":[\"n\"]", "query pk = \"x\", reverse" },
    { LEADERBOARD, IS_X ",\"order\":[\"n\",\"t\"]", "query pk = \"x\"" },
    { LEADERBOARD, IS_X ",\"order\":[{\"descending\":\"n\"},{\"descending\":\"t\"}]", "query pk = \"x\", reverse" },
    { LEADERBOARD, IS_X ",\"order\":[{\"descending\":\"n\"},\"t\"]", "sort" },
    { INVERTED, IS_X ",\"order\":[{\"descending\":\"n\"},\"t\"]", "query pk = \"x\"" },
    { LEADERBOARD, IS_X ",\"order\":[\"t\"]", "sort" },
    { LEADERBOARD, "\"where\":{\"c\":\"x\",\"n\":7},\"order\":[\"t\"]", "query pk = \"x\", sk begins_with \"0007#\"" },
    { LEADERBOARD, IS_X ",\"order\":[\"c\",\"n\"]", "query pk = \"x\"" },
    { LEADERBOARD, IS_X ",\"order\":[\"n\",\"t\",\"p\"]", "query pk = \"x\"" }, /* keys are unique: no ties are left */
    { RAW, IS_X ",\"order\":[{\"descending\":\"n\"}]", "query pk = \"x\", reverse" },
    { TUPLE, IS_X ",\"order\":[{\"descending\":\"n\"},\"t\"]", "query pk = \"x\"" },
    { TUPLE, IS_X ",\"order\":[\"n\",{\"descending\":\"t\"}]", "query pk = \"x\", reverse" },
    { TUPLE, IS_X ",\"order\":[\"n\",\"t\"]", "sort" },
    { NUMBER, IS_X ",\"order\":[{\"descending\":\"n\"}]", "query pk = \"x\", reverse" },
    /* ranges */
    { TUPLE, "\"where\":{\"c\":\"x\",\"n\":{\"between\":[5,12]}}", /* 15 0C and 15 05, each byte turned over */
      "query pk = \"x\", sk >= <eaf3>, sk through all of <eafa>" },
    { LEADERBOARD, "\"where\":{\"c\":\"x\",\"n\":{\"between\":[5,12]}}",
      "query pk = \"x\", sk >= \"0005#\", sk through all of \"0012#\"" },
    { RAW, "\"where\":{\"c\":\"x\",\"n\":{\"between\":[12,5]}}", "" }, /* refused by the plan */
    { RAW, "\"where\":{\"c\":\"x\",\"n\":{\"between\":[12,50]}}",
      "query pk = \"x\", sk >= \"12#\", sk through all of \"50#\"" },
    { RAW, "\"where\":{\"c\":\"x\",\"n\":{\"between\":[5,12]}}", "the lower bound \"5#\" sorts above the upper bound \"12#\"" },
    { RAW, "\"where\":{\"c\":\"x\",\"n\":{\"less\":12}}", "query pk = \"x\", sk < \"12#\"" },
    { RAW, "\"where\":{\"c\":\"x\",\"n\":{\"at_most\":12}}", "query pk = \"x\", sk through all of \"12#\"" },
    { RAW, "\"where\":{\"c\":\"x\",\"n\":{\"at_least\":12}}", "query pk = \"x\", sk >= \"12#\"" },
    { RAW, "\"where\":{\"c\":\"x\",\"n\":{\"greater\":12}}", "query pk = \"x\", sk beyond all of \"12#\"" },
    { RAW, "\"where\":{\"c\":\"x\",\"n\":12}", "query pk = \"x\", sk begins_with \"12#\"" },
    { LEADERBOARD, "\"where\":{\"c\":\"x\",\"n\":7,\"t\":{\"begins_with\":\"a\"}}",
      "query pk = \"x\", sk begins_with \"0007#a\"" },
    { LEADERBOARD, "\"where\":{\"c\":\"x\",\"n\":7,\"t\":\"a\"}", "query pk = \"x\", sk = \"0007#a\"" },
    { LEADERBOARD, "\"where\":{\"c\":\"x\",\"n\":10000}", "n: " },
    /* what takes more */
    { LEADERBOARD, "\"where\":{\"c\":\"x\",\"t\":\"a\"}", "filter" },
    { LEADERBOARD, "\"where\":{\"c\":\"x\",\"n\":{\"less\":7},\"t\":\"a\"}", "filter" },
    { LEADERBOARD, "\"where\":{\"n\":7}", "scan" },
    { LEADERBOARD, "\"where\":{\"c\":{\"begins_with\":\"x\"}}", "scan" },
    { LEADERBOARD, "\"limit\":5", "scan" },
    /* folders */
    { PATHS, "\"where\":{\"p\":{\"subtree_of\":\"a/\"}},\"order\":[\"p\"]", "query pk = \"D\", sk begins_with \"a/\"" },
    { PATHS, "\"where\":{\"p\":{\"subtree_of\":\"/\"}},\"order\":[\"p\"]", "query pk = \"D\"" },
    { PATHS, "\"where\":{\"p\":{\"children_of\":\"a/\"}}", "filter" },
    { PATHS, "\"where\":{\"p\":{\"begins_with\":\"a/b\"}}", "query pk = \"D\", sk begins_with \"a/b\"" },
    { PATHS, "\"where\":{\"p\":{\"begins_with\":\"a/\"}}", "query pk = \"D\", sk begins_with \"a/\"" },
    { PATHS, "\"where\":{\"p\":\"a/b\"}", "query pk = \"D\", sk = \"a/b\"" },
    { BARE, "\"where\":{\"p\":{\"subtree_of\":\"a/\"}},\"order\":[\"p\"]", "query pk = \"D\", sk begins_with \"a/\"" },
    { BARE, "\"where\":{\"p\":\"a/\"}", "query pk = \"D\", sk = \"a\"" },
    { PARENTS, "\"where\":{\"p\":{\"children_of\":\"a/\"}},\"order\":[{\"descending\":\"p\"}]",
      "query pk = \"F#a/\", reverse" },
    { PARENTS, "\"where\":{\"p\":\"a/b\"}", "query pk = \"F#a/\", sk = \"b\"" },
    { PARENTS, "\"where\":{\"p\":{\"subtree_of\":\"a/\"}}", "scan" },
    { LEVELS, "\"where\":{\"p\":{\"children_of\":\"a/\"}},\"order\":[\"p\"]", "query pk = \"D\", sk begins_with \"02#a/\"" },
    { LEVELS, "\"where\":{\"p\":{\"children_of\":\"/\"}},\"order\":[\"p\"]", "query pk = \"D\", sk begins_with \"01#\"" },
    { LEVELS, "\"where\":{\"p\":{\"subtree_of\":\"a/\"}}", "filter" },
    { LEVELS, "\"where\":{\"p\":\"a/b\"}", "query pk = \"D\", sk = \"02#a/b\"" },
    { LEVELS, "\"where\":{\"depth\":3},\"order\":[\"p\"]", "query pk = \"D\", sk begins_with \"03#\"" },
    /* times: the latest first is what is inverted */
    { EPOCHS,
      "\"where\":{\"c\":\"x\",\"at\":{\"less\":\"2001-09-09T01:46:40Z\"}},\"order\":[{\"descending\":\"at\"}],\"limit\":2",
      "query pk = \"x\", sk beyond all of \"8999999999#\", limit 2" },
};

ParameterizedTestParameters(shape, is_found)
{
    return cr_make_param_array(struct shape_case, shape_cases, sizeof shape_cases / sizeof *shape_cases);
}

/* What shape_cases say of a pattern on a layout. */
static void describe(struct world *world, struct buffer *said)
{
    struct keys keys;
    struct shape shape;
    struct draws draws;
    struct query query;
    const struct pattern *pattern = &world->plan.patterns[0];
    cr_assert(keys_compile(&world->plan, 0, &keys, &world->complaint), "%s", world->complaint.text);
    shape_find(&world->plan, pattern, &keys, &shape);
    if (!shape.partition_fixed) {
        buffer_append_text(said, "scan");
    } else if (shape.left_over != 0) {
        buffer_append_text(said, "filter");
    } else if (!shape.ordered) {
        buffer_append_text(said, "sort");
    } else {
        cr_assert(draws_make(&world->plan, 0, &world->records, &draws, &world->complaint));
        struct inquiry inquiry = { &world->plan, &world->records, pattern, draws_run(&draws, 0) };
        if (query_form(&query, &keys, &shape, &inquiry, &world->complaint)) {
            buffer_append_text(said, "query ");
            query_append(&query, &keys, said);
        } else {
            buffer_append_text(said, world->complaint.text);
        }
        query_release(&query);
        draws_release(&draws);
    }
    shape_release(&shape);
    keys_release(&keys);
}

ParameterizedTest(struct shape_case *c, shape, is_found)
{
    struct world world;
    struct buffer said = { 0 };
    char layouts[160], patterns[256];
    if (c->shape[0] == '\0') return;
    (void)snprintf(layouts, sizeof layouts, "[{\"name\":\"l\",\"layout\":\"%s\"}]", c->layout);
    (void)snprintf(patterns, sizeof patterns, "[{\"name\":\"p\",%s}]", c->pattern);
    world_plan(&world, "x\t7\ta\ta/b\t2001-09-09\n", FIELDS, layouts, patterns);
    cr_assert(records_read(&world.plan, &world.records, &world.complaint), "%s", world.complaint.text);
    describe(&world, &said);
    buffer_append_byte(&said, '\0');
    if (strcmp(c->shape, "n: ") == 0) {
        cr_assert_eq(strncmp((const char *)said.data, "n: ", 3), 0, "%s", (const char *)said.data);
    } else {
        cr_assert_str_eq((const char *)said.data, c->shape, "%s", (const char *)said.data);
    }
    buffer_release(&said);
    world_close(&world);
}

Test(shape, of_layouts_that_do_not_fit_is_refused_with_their_place)
{
    struct world world;
    struct keys keys;
    world_plan(&world, "x\n", "\"fields\":[{\"name\":\"a\",\"from\":\"1\"}]",
               "[{\"name\":\"l\",\"layout\":\"sk = \\\"{a}\\\"\"},{\"name\":\"m\",\"layout\":\"sk = \\\"{b}\\\"\"},"
               "{\"name\":\"n\",\"layout\":\"sk = \\\"{a:pda(3)}\\\"\"}]",
               "[{\"name\":\"p\"}]");
    cr_assert(keys_compile(&world.plan, 0, &keys, &world.complaint));
    keys_release(&keys);
    cr_assert_not(keys_compile(&world.plan, 1, &keys, &world.complaint));
    cr_assert_str_eq(world.complaint.text, "layouts[1].layout: there is no field \"b\" among those of the records");
    cr_assert_not(keys_compile(&world.plan, 2, &keys, &world.complaint));
    cr_assert_eq(strncmp(world.complaint.text, "layouts[2].layout, column ", 26), 0, "%s", world.complaint.text);
    world_close(&world);
}
