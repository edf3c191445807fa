/*
 * test_truth.c - records as they are read, runs as they are drawn, and answers worked out by hand.
 */
#include "engine/lab/truth.h"

#include <criterion/criterion.h>

#include "engine/lab/draw.h"
#include "tests/lab/world.h"

static bool value_is(const struct world *world, size_t row, size_t field, const char *text)
{
    sheaf_bytes value = records_value(&world->records, row, field);
    return value.size == strlen(text) && (value.size == 0 || memcmp(value.data, text, value.size) == 0);
}

/* The answer of run 0 of a pattern, as rows "2 0 1". */
static void check_answer(struct world *world, size_t pattern, const char *rows, size_t match_count)
{
    struct draws draws;
    struct truth truth;
    char got[256] = "";
    size_t size = 0;
    cr_assert(draws_make(&world->plan, pattern, &world->records, &draws, &world->complaint), "%s", world->complaint.text);
    struct inquiry inquiry = { .plan = &world->plan,
                               .records = &world->records,
                               .pattern = &world->plan.patterns[pattern],
                               .arguments = draws_run(&draws, 0) };
    truth_find(&inquiry, &truth);
    for (size_t i = 0; i < truth.count; i++)
        size += (size_t)snprintf(got + size, sizeof got - size, "%s%u", i == 0 ? "" : " ", truth.rows[i]);
    cr_assert_str_eq(got, rows, "pattern %zu", pattern);
    cr_assert_eq(truth.match_count, match_count);
    truth_release(&truth);
    draws_release(&draws);
}

/* ---- records ---------------------------------------------------------------------------------------------------------- */

Test(records, are_canonical_and_have_what_is_worked_out)
{
    struct world world;
    bool read = world_open(
        &world, "docs/a\t007\nb\t-0\n",
        "\"fields\":[{\"name\":\"path\",\"from\":\"1\",\"type\":\"path\"},"
        "{\"name\":\"parent\",\"derive\":\"parent\",\"of\":\"path\"},"
        "{\"name\":\"depth\",\"derive\":\"depth\",\"of\":\"path\"},{\"name\":\"place\",\"derive\":\"place\"},"
        "{\"name\":\"n\",\"from\":\"2\",\"type\":\"number\"}]",
        "[{\"name\":\"p\"}]");
    cr_assert(read, "%s", world.complaint.text);
    cr_assert_eq(world.records.count, 2);
    cr_assert(value_is(&world, 0, 0, "docs/a") && value_is(&world, 0, 1, "docs/") && value_is(&world, 0, 2, "2"));
    cr_assert(value_is(&world, 0, 3, "1") && value_is(&world, 0, 4, "7"));
    cr_assert(value_is(&world, 1, 0, "b") && value_is(&world, 1, 1, "/") && value_is(&world, 1, 2, "1"));
    cr_assert(value_is(&world, 1, 3, "2") && value_is(&world, 1, 4, "0"));
    world_close(&world);
}

static void check_refused(const char *lines, const char *fields, const char *message)
{
    struct world world;
    char expected[256];
    cr_assert_not(world_open(&world, lines, fields, "[{\"name\":\"p\"}]"));
    (void)snprintf(expected, sizeof expected, "%s%s", world.file, message);
    cr_assert_str_eq(world.complaint.text, expected);
    world_close(&world);
}

#define ONE_NUMBER "\"fields\":[{\"name\":\"a\",\"from\":\"1\",\"type\":\"number\"}]"

Test(records, are_refused_with_their_place)
{
    check_refused("1\n\n2x\n", ONE_NUMBER, ":3: expected a number such as 1500 or -2.5, found \"2x\" (field \"a\")");
    check_refused("", ONE_NUMBER, ": expected records, found none");
    check_refused("a\n", "\"fields\":[{\"name\":\"a\",\"from\":\"2\"}]",
                  ":1: expected at least 2 tab-separated columns, found 1 (field \"a\")");
    check_refused(
        "2026-01-01T00:00:00.5Z\n",
        "\"fields\":[{\"name\":\"t\",\"from\":\"1\",\"type\":\"time\"},{\"name\":\"e\",\"derive\":\"epoch_s\",\"of\":\"t\"}]",
        ":1: expected a time of whole seconds, found \"2026-01-01T00:00:00.5Z\" (field \"e\")");
}

Test(records, come_in_the_order_drawn_and_none_is_lost)
{
    struct world world;
    char lines[1024];
    size_t size = 0;
    bool seen[100] = { false };
    size_t moved = 0;
    for (int i = 0; i < 100; i++) size += (size_t)snprintf(lines + size, sizeof lines - size, "%d\n", i);
    cr_assert(world_open(&world, lines, "\"shuffle\":3," ONE_NUMBER, "[{\"name\":\"p\"}]"));
    cr_assert_eq(world.records.count, 100);
    for (size_t row = 0; row < 100; row++) {
        char text[16] = "";
        sheaf_bytes value = records_value(&world.records, row, 0);
        memcpy(text, value.data, value.size);
        int number = atoi(text);
        cr_assert_not(seen[number]);
        seen[number] = true;
        moved += (size_t)number != row;
    }
    cr_assert_gt(moved, 80);
    world_close(&world);
}

/* ---- answers ---------------------------------------------------------------------------------------------------------- */

#define SCORES \
    "s1\t9\tann\n"    /* 0 */ \
    "s1\t10\tbob\n"   /* 1 */ \
    "s2\t10\tcat\n"   /* 2 */ \
    "s1\t240\tdan\n"  /* 3 */ \
    "s1\t10\teve\n"   /* 4 */ \
    "s1\t1500\tflo\n" /* 5 */
#define SCORE_FIELDS \
    "\"fields\":[{\"name\":\"season\",\"from\":\"1\"},{\"name\":\"score\",\"from\":\"2\",\"type\":\"number\"}," \
    "{\"name\":\"player\",\"from\":\"3\"}]"

Test(truth, of_a_leaderboard)
{
    struct world world;
    cr_assert(
        world_open(&world, SCORES, SCORE_FIELDS,
                   "[{\"name\":\"top\",\"where\":{\"season\":\"s1\"},\"order\":[{\"descending\":\"score\"}],\"limit\":3},"
                   "{\"name\":\"ties\",\"where\":{\"season\":\"s1\",\"score\":10},\"order\":[{\"descending\":\"player\"}]},"
                   "{\"name\":\"less\",\"where\":{\"season\":\"s1\",\"score\":{\"less\":10}}},"
                   "{\"name\":\"most\",\"where\":{\"season\":\"s1\",\"score\":{\"at_most\":10}}},"
                   "{\"name\":\"least\",\"where\":{\"season\":\"s1\",\"score\":{\"at_least\":240}}},"
                   "{\"name\":\"greater\",\"where\":{\"season\":\"s1\",\"score\":{\"greater\":240}}},"
                   "{\"name\":\"between\",\"where\":{\"score\":{\"between\":[10,240]}},\"order\":[\"score\",\"season\"]},"
                   "{\"name\":\"begin\",\"where\":{\"player\":{\"begins_with\":\"f\"}}},"
                   "{\"name\":\"none\",\"where\":{\"season\":\"s3\"}}]"));
    check_answer(&world, 0, "5 3 1", 5);
    check_answer(&world, 1, "4 1", 2);
    check_answer(&world, 2, "0", 1);
    check_answer(&world, 3, "0 1 4", 3);
    check_answer(&world, 4, "3 5", 2);
    check_answer(&world, 5, "5", 1);
    check_answer(&world, 6, "1 4 2 3", 4);
    check_answer(&world, 7, "5", 1);
    check_answer(&world, 8, "", 0);
    world_close(&world);
}

#define TREE \
    "docs/\n"      /* 0 */ \
    "docs/a\n"     /* 1 */ \
    "docs/img/\n"  /* 2 */ \
    "docs/img/x\n" /* 3 */ \
    "docs-old/\n"  /* 4 */ \
    "docs-old/b\n" /* 5 */ \
    "readme\n"     /* 6 */
#define TREE_FIELDS "\"fields\":[{\"name\":\"path\",\"from\":\"1\",\"type\":\"path\"}]"

Test(truth, of_a_file_tree)
{
    struct world world;
    cr_assert(
        world_open(&world, TREE, TREE_FIELDS,
                   "[{\"name\":\"subtree\",\"where\":{\"path\":{\"subtree_of\":\"docs/\"}},\"order\":[\"path\"]},"
                   "{\"name\":\"children\",\"where\":{\"path\":{\"children_of\":\"docs/\"}},\"order\":[\"path\"]},"
                   "{\"name\":\"of the root\",\"where\":{\"path\":{\"children_of\":\"/\"}},\"order\":[\"path\"]},"
                   "{\"name\":\"all\",\"where\":{\"path\":{\"subtree_of\":\"/\"}},\"order\":[{\"descending\":\"path\"}]}]"));
    check_answer(&world, 0, "0 1 2 3", 4);
    check_answer(&world, 1, "1 2", 2);
    check_answer(&world, 2, "4 0 6", 3); /* '-' is below '/' */
    check_answer(&world, 3, "6 3 2 1 0 5 4", 7);
    world_close(&world);
}

/* ---- runs ------------------------------------------------------------------------------------------------------------- */

static bool argument_is(sheaf_bytes value, const char *text)
{
    return value.size == strlen(text) && memcmp(value.data, text, value.size) == 0;
}

Test(draws, are_what_the_plan_gives)
{
    struct world world;
    struct draws draws;
    cr_assert(world_open(
        &world, SCORES, SCORE_FIELDS,
        "[{\"name\":\"p\",\"where\":{\"season\":{\"each\":[\"s1\",\"s2\"]},\"score\":{\"between\":[1,{\"each\":[5,6]}]}}}]"));
    cr_assert(draws_make(&world.plan, 0, &world.records, &draws, &world.complaint));
    cr_assert_eq(draws.run_count, 2);
    for (size_t run = 0; run < 2; run++) {
        const struct argument *arguments = draws_run(&draws, run);
        cr_assert(argument_is(arguments[0].values[0], run == 0 ? "s1" : "s2"));
        cr_assert(argument_is(arguments[1].values[0], "1"));
        cr_assert(argument_is(arguments[1].values[1], run == 0 ? "5" : "6"));
    }
    draws_release(&draws);
    world_close(&world);
}

/* What one run samples comes from one record, and bounds from two of its season, in order. */
Test(draws, ask_for_what_is_there)
{
    struct world world;
    struct draws draws;
    bool bob = false, cat = false;
    cr_assert(
        world_open(&world, SCORES, SCORE_FIELDS,
                   "[{\"name\":\"p\",\"where\":{\"season\":{\"sample\":true},\"score\":{\"between\":[{\"sample\":true},"
                   "{\"sample\":true}]},\"player\":{\"begins_with\":{\"sample\":true,\"characters\":2}}},\"samples\":200}]"));
    cr_assert(draws_make(&world.plan, 0, &world.records, &draws, &world.complaint));
    for (size_t run = 0; run < 200; run++) {
        const struct argument *arguments = draws_run(&draws, run);
        cr_assert_eq(arguments[2].values[0].size, 2);
        bool second = argument_is(arguments[0].values[0], "s2");
        cr_assert(second || argument_is(arguments[0].values[0], "s1"));
        cr_assert_eq(second, argument_is(arguments[2].values[0], "ca"), "season and player are those of one record");
        if (second) cr_assert(argument_is(arguments[1].values[0], "10") && argument_is(arguments[1].values[1], "10"));
        cr_assert_leq(value_order(VALUE_NUMBER, arguments[1].values[0], arguments[1].values[1]), 0);
        bob |= argument_is(arguments[2].values[0], "bo");
        cat |= second;
    }
    cr_assert(bob && cat);
    draws_release(&draws);
    world_close(&world);
}

Test(draws, take_folders_that_have_something_in_them)
{
    struct world world;
    struct draws subtrees, children;
    bool root = false, images = false;
    cr_assert(world_open(&world, TREE, TREE_FIELDS,
                         "[{\"name\":\"s\",\"where\":{\"path\":{\"subtree_of\":{\"sample\":true}}},\"samples\":100},"
                         "{\"name\":\"c\",\"where\":{\"path\":{\"children_of\":{\"sample\":true}}},\"samples\":100}]"));
    cr_assert(draws_make(&world.plan, 0, &world.records, &subtrees, &world.complaint));
    cr_assert(draws_make(&world.plan, 1, &world.records, &children, &world.complaint));
    for (size_t run = 0; run < 100; run++) {
        sheaf_bytes folder = draws_run(&subtrees, run)->values[0];
        cr_assert(argument_is(folder, "docs/") || argument_is(folder, "docs/img/") || argument_is(folder, "docs-old/"));
        images |= argument_is(folder, "docs/img/");
        root |= argument_is(draws_run(&children, run)->values[0], "/");
    }
    cr_assert(root && images);
    draws_release(&subtrees);
    draws_release(&children);
    world_close(&world);
}

Test(draws, are_the_same_for_the_same_seed_and_others_for_another)
{
    struct world world;
    struct draws first, again, other;
    size_t different = 0;
    cr_assert(world_open(&world, SCORES, SCORE_FIELDS,
                         "[{\"name\":\"p\",\"where\":{\"player\":{\"sample\":true}},\"samples\":100}]"));
    cr_assert(draws_make(&world.plan, 0, &world.records, &first, &world.complaint));
    cr_assert(draws_make(&world.plan, 0, &world.records, &again, &world.complaint));
    world.plan.seed++;
    cr_assert(draws_make(&world.plan, 0, &world.records, &other, &world.complaint));
    for (size_t run = 0; run < 100; run++) {
        cr_assert_eq(draws_run(&first, run)->values[0].data, draws_run(&again, run)->values[0].data);
        different += draws_run(&first, run)->values[0].data != draws_run(&other, run)->values[0].data;
    }
    cr_assert_gt(different, 50);
    draws_release(&first);
    draws_release(&again);
    draws_release(&other);
    world_close(&world);
}

Test(draws, say_that_there_is_nothing_to_draw_from)
{
    struct world world;
    struct draws draws;
    cr_assert(world_open(&world, SCORES, SCORE_FIELDS,
                         "[{\"name\":\"q\"},{\"name\":\"p\",\"where\":{\"season\":\"s9\",\"player\":{\"sample\":true}}}]"));
    cr_assert_not(draws_make(&world.plan, 1, &world.records, &draws, &world.complaint));
    cr_assert_str_eq(world.complaint.text, "patterns[1]: no record satisfies what is given, so there is none to sample from");
    world_close(&world);
}
