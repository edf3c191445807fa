/*
 * test_lab.c - a small plan carried out: entries, bytes and units worked out by hand, and what is wrong first.
 */
#include "engine/lab/lab.h"

#include <criterion/criterion.h>

#include "engine/lab/words.h"
#include "tests/lab/world.h"

/*
 * Seasons, scores, players. As items: pk, sk, season, score, player; names have 2 + 2 + 6 + 5 + 6 = 21 bytes. Under "padded":
 *
 *     row                       pk  sk               values           size
 *     0  s1      9  ann         2   0009#ann    8    2 + 2 + 3        21 + 17 = 38
 *     1  s1     10  bob         2   0010#bob    8    2 + 2 + 3        38       10 is one digit and a zero
 *     2  s1    240  cat         2   0240#cat    8    2 + 2 + 3        38       24
 *     3  s1   1500  dan         2   1500#dan    8    2 + 2 + 3        38       15
 *     4  s2      7  eve         2   0007#eve    8    2 + 2 + 3        38
 */
#define SCORES "s1\t9\tann\ns1\t10\tbob\ns1\t240\tcat\ns1\t1500\tdan\ns2\t7\teve\n"
#define FIELDS \
    "\"fields\":[{\"name\":\"season\",\"from\":\"1\"},{\"name\":\"score\",\"from\":\"2\",\"type\":\"number\"}," \
    "{\"name\":\"player\",\"from\":\"3\"}]"
#define LAYOUTS \
    "[{\"name\":\"padded\",\"layout\":\"pk = \\\"{season}\\\", sk = \\\"{score:pad(4)}#{player}\\\"\"}," \
    "{\"name\":\"unpadded\",\"layout\":\"pk = \\\"{season}\\\", sk = \\\"{score:raw}#{player}\\\"\"}," \
    "{\"name\":\"too narrow\",\"layout\":\"pk = \\\"{season}\\\", sk = \\\"{score:pad(3)}#{player}\\\"\"}," \
    "{\"name\":\"by season alone\",\"layout\":\"pk = \\\"ALL\\\", sk = \\\"{season}\\\"\"}," \
    "{\"name\":\"by player\",\"layout\":\"pk = \\\"{player}\\\", sk = \\\"{season}\\\"\"}," \
    "{\"name\":\"number\",\"layout\":\"pk = \\\"{season}\\\", sk = score:number\"}]"
#define PATTERNS \
    "[{\"name\":\"top 2\",\"where\":{\"season\":\"s1\"},\"order\":[{\"descending\":\"score\"}],\"limit\":2}," \
    "{\"name\":\"from 10 to " \
    "240\",\"where\":{\"season\":{\"each\":[\"s1\",\"s2\"]},\"score\":{\"between\":[10,240]}},\"order\":[\"score\"]}," \
    "{\"name\":\"one player\",\"where\":{\"season\":\"s1\",\"player\":\"bob\"}}," \
    "{\"name\":\"others\",\"where\":{\"score\":{\"less\":100}},\"order\":[\"player\"]}]"

enum { PADDED, UNPADDED, NARROW, SEASONS, PLAYERS, NUMBERS };
enum { TOP, BETWEEN, PLAYER, TOWARDS };

static struct world world;
static struct lab lab;

static void begin(void)
{
    struct lab_options options = { .reproducible = true };
    world_plan(&world, SCORES, FIELDS, LAYOUTS, PATTERNS);
    cr_assert(lab_run(&world.plan, &options, &lab, &world.complaint), "%s", world.complaint.text);
}

static void end(void)
{
    lab_release(&lab);
    world_close(&world);
}

TestSuite(lab, .init = begin, .fini = end);

struct expected {
    enum way way;
    size_t wrong;
    uint64_t read, read_bytes, returned, returned_bytes, halves;
};

static void check(size_t layout, size_t pattern, struct expected expected)
{
    const struct trial *trial = lab_trial(&lab, layout, pattern);
    cr_assert_eq(way_of(trial), expected.way, "%zu %zu: %s", layout, pattern, way_word(way_of(trial)));
    cr_assert_eq(trial->wrong_count, expected.wrong, "%zu %zu: %zu wrong", layout, pattern, trial->wrong_count);
    cr_assert_eq(trial->read_count, expected.read, "%zu %zu: %lu read", layout, pattern, (unsigned long)trial->read_count);
    cr_assert_eq(trial->read_bytes, expected.read_bytes, "%zu %zu: %lu bytes", layout, pattern,
                 (unsigned long)trial->read_bytes);
    cr_assert_eq(trial->returned_count, expected.returned, "%zu %zu: %lu returned", layout, pattern,
                 (unsigned long)trial->returned_count);
    cr_assert_eq(trial->returned_bytes, expected.returned_bytes, "%zu %zu: %lu bytes returned", layout, pattern,
                 (unsigned long)trial->returned_bytes);
    cr_assert_eq(trial->unit_halves, expected.halves, "%zu %zu: %lu halves", layout, pattern,
                 (unsigned long)trial->unit_halves);
    cr_assert_eq(trial->measured_count, 0);
}

static void check_words(const struct buffer *words, const char *expected)
{
    cr_assert_eq(words->size, strlen(expected), "%.*s", (int)words->size, (const char *)words->data);
    cr_assert_eq(memcmp(words->data, expected, words->size), 0, "%.*s", (int)words->size, (const char *)words->data);
}

static void check_wrong(size_t layout, size_t pattern, const char *expected)
{
    struct buffer words = { 0 };
    words_append_wrong(&lab, layout, pattern, &words);
    check_words(&words, expected);
    buffer_release(&words);
}

Test(lab, padded_scores_are_right)
{
    check(PADDED, TOP, (struct expected){ WAY_QUERY, 0, 2, 76, 2, 76, 1 });
    check(PADDED, BETWEEN, (struct expected){ WAY_QUERY, 0, 2, 76, 2, 76, 2 }); /* the second run finds none, for half a unit */
    check(PADDED, PLAYER, (struct expected){ WAY_FILTER, 0, 4, 152, 1, 38, 1 });
}

/* Sort keys 10#bob 1500#dan 240#cat 9#ann: 6, 8, 7, 5 bytes; so items of 36, 38, 37, 35. */
Test(lab, unpadded_scores_are_caught)
{
    check(UNPADDED, TOP, (struct expected){ WAY_QUERY, 1, 2, 35 + 37, 2, 35 + 37, 1 });
    check_wrong(UNPADDED, TOP,
                "wrong in 1 of 1: season = \"s1\"; place 1 is score 9, player \"ann\"; should be score 1500, player \"dan\"");
    check(UNPADDED, BETWEEN, (struct expected){ WAY_QUERY, 1, 3, 36 + 38 + 37, 3, 36 + 38 + 37, 2 });
    check_wrong(
        UNPADDED, BETWEEN,
        "wrong in 1 of 2: season = \"s1\", score between 10 and 240; place 2 is score 1500, player \"dan\": not asked for");
    check(UNPADDED, PLAYER, (struct expected){ WAY_FILTER, 0, 4, 146, 1, 36, 1 });
}

Test(lab, what_a_layout_cannot_hold_is_missed)
{
    struct buffer words = { 0 };
    cr_assert_eq(lab.loaded[NARROW].totals.entry_count, 4);
    cr_assert_eq(lab.loaded[NARROW].refused_count, 1);
    cr_assert(words_append_refused(&lab, NARROW, &words));
    static const char expected[] = "cannot hold 1 record; the first is season \"s1\", score 1500, player \"dan\": score: ";
    cr_assert_eq(memcmp(words.data, expected, sizeof expected - 1), 0, "%.*s", (int)words.size, (const char *)words.data);
    buffer_release(&words);
    check(NARROW, TOP, (struct expected){ WAY_QUERY, 1, 2, 74, 2, 74, 1 });
    check_wrong(NARROW, TOP,
                "wrong in 1 of 1: season = \"s1\"; place 1 is score 240, player \"cat\"; should be score 1500, player \"dan\"");
}

/* pk 3, sk 2, values 7: items of 33 bytes. Only the last of each season is left: dan and eve. */
Test(lab, what_overwrites_each_other_is_missed)
{
    struct buffer words = { 0 };
    cr_assert_eq(lab.loaded[SEASONS].totals.entry_count, 2);
    cr_assert_eq(lab.loaded[SEASONS].replaced_count, 3);
    cr_assert(words_append_replaced(&lab, SEASONS, &words));
    check_words(&words, "loses 3 records to others with the same keys; the first is season \"s1\", score 9, player \"ann\", "
                        "replaced by season \"s1\", score 10, player \"bob\"");
    buffer_release(&words);
    check(SEASONS, TOP, (struct expected){ WAY_QUERY, 1, 1, 33, 1, 33, 1 });
    check_wrong(SEASONS, TOP, "wrong in 1 of 1: season = \"s1\"; the answer lacks score 240, player \"cat\"");
    check(SEASONS, PLAYER, (struct expected){ WAY_FILTER, 1, 1, 33, 0, 0, 1 });
}

/* pk 3, sk 2, values 7: items of 33 bytes, in five collections. */
Test(lab, what_is_not_in_the_keys_is_scanned_for)
{
    check(PLAYERS, TOP, (struct expected){ WAY_SCAN, 0, 5, 165, 2, 66, 1 });
    check(PLAYERS, BETWEEN, (struct expected){ WAY_SCAN, 0, 10, 330, 2, 66, 2 });
    check(PLAYERS, PLAYER, (struct expected){ WAY_QUERY, 0, 1, 33, 1, 33, 1 });
    struct buffer words = { 0 };
    words_append_need(&lab, PLAYERS, TOP, &words);
    check_words(&words, "reads everything, filters by season, sorts: 60.0 % of what is read is thrown away");
    buffer_clear(&words);
    words_append_index(&world.plan, &world.plan.patterns[TOP], &words);
    check_words(&words, "one query would do with an index: partition key season, sort key score");
    buffer_clear(&words);
    words_append_index(&world.plan, &world.plan.patterns[PLAYER], &words);
    check_words(&words, "one query would do with an index: partition key season, player");
    buffer_clear(&words);
    words_append_index(&world.plan, &world.plan.patterns[TOWARDS], &words);
    check_words(&words, "no index answers this by one query: bounds on one field, the order of another");
    buffer_release(&words);
}

/* pk 2, sk a number of two bytes whatever its key takes, values 7: items of 32 bytes. */
Test(lab, numbers_as_keys_are_right)
{
    check(NUMBERS, TOP, (struct expected){ WAY_QUERY, 0, 2, 64, 2, 64, 1 });
    check(NUMBERS, BETWEEN, (struct expected){ WAY_QUERY, 0, 2, 64, 2, 64, 2 });
    check(NUMBERS, PLAYER, (struct expected){ WAY_FILTER, 0, 4, 128, 1, 32, 1 });
}

Test(lab, layouts_are_measured)
{
    const struct loaded *padded = &lab.loaded[PADDED], *players = &lab.loaded[PLAYERS];
    cr_assert_eq(padded->totals.entry_count, 5);
    cr_assert_eq(padded->totals.collection_count, 2);
    cr_assert_eq(padded->partition_key_bytes, 10);
    cr_assert_eq(padded->sort_key_bytes, 40);
    cr_assert_eq(padded->sort_key_size_max, 8);
    cr_assert_eq(padded->hottest_count, 4);
    cr_assert(padded->hottest.size == 2 && memcmp(padded->hottest.data, "s1", 2) == 0);
    cr_assert_eq(padded->depth, 1);
    /* sort keys; values: 4 bytes for the row, and 6 + 7 + 8 + 9 + 6 of texts; each partition key once */
    cr_assert_eq(padded->totals.logical_bytes, 40 + 20 + 36 + 4);
    cr_assert_gt(padded->totals.charged_bytes, padded->totals.logical_bytes);
    cr_assert_eq(players->totals.collection_count, 5);
    cr_assert_eq(players->hottest_count, 1);
    cr_assert_eq(lab.loaded[PADDED].refused_count + lab.loaded[PADDED].replaced_count, 0);
}
