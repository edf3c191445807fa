/*
 * test_advice.c - what is found in keys: each rule with the counts and the pair it must show, and nothing in keys that are
 * right.
 */
#include <sheaf/advice.h>

#include <criterion/criterion.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/test_heap.h"

static sheaf_adviser *adviser;
static const sheaf_finding *findings;
static size_t finding_count;

static void begin(void)
{
    cr_assert_eq(sheaf_adviser_create(NULL, &adviser), SHEAF_OK);
}

static void finish(void)
{
    sheaf_adviser_destroy(adviser);
}

TestSuite(advice, .init = begin, .fini = finish);

static sheaf_bytes text(const char *characters)
{
    return sheaf_bytes_of(characters, strlen(characters));
}

static void add_bytes(sheaf_bytes partition_key, sheaf_bytes sort_key)
{
    sheaf_advice_key key = { .partition_key = partition_key, .sort_key = sort_key };
    cr_assert_eq(sheaf_adviser_add(adviser, &key), SHEAF_OK);
}

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
    char sort_key[2048];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sort_key, sizeof sort_key, format, arguments);
    va_end(arguments);
    add_bytes(text("P"), text(sort_key));
}

static void judge(void)
{
    cr_assert_eq(sheaf_adviser_findings(adviser, &findings, &finding_count), SHEAF_OK);
}

static void expect_text(sheaf_bytes found, const char *wanted)
{
    cr_assert(found.size == strlen(wanted) && memcmp(found.data, wanted, found.size) == 0, "\"%.*s\", not \"%s\"", (int)found.size,
              (const char *)found.data, wanted);
}

/* The only finding there is. */
static const sheaf_finding *only(sheaf_rule rule, sheaf_severity severity, uint64_t key_count)
{
    judge();
    cr_assert_eq(finding_count, 1, "%zu findings; the first: %s", finding_count,
                 finding_count > 0 ? sheaf_rule_describe(findings[0].rule)->name : "none");
    cr_assert_eq(findings[0].rule, rule, "%s", sheaf_rule_describe(findings[0].rule)->name);
    cr_assert_eq(findings[0].severity, severity);
    cr_assert_eq(findings[0].key_count, key_count, "%llu keys", (unsigned long long)findings[0].key_count);
    return findings;
}

static void expect_pair(const sheaf_finding *finding, const char *low, const char *high)
{
    cr_assert_eq(finding->example_count, 2);
    expect_text(finding->examples[0], low);
    expect_text(finding->examples[1], high);
    cr_assert_lt(sheaf_bytes_compare(finding->examples[0], finding->examples[1]), 0);
}

static void expect_nothing(void)
{
    judge();
    for (size_t i = 0; i < finding_count; i++) {
        const sheaf_finding *finding = &findings[i];
        sheaf_bytes example = finding->example_count > 0 ? finding->examples[0] : text("");
        cr_assert_fail("%s: %.*s", sheaf_rule_describe(finding->rule)->name, (int)example.size, (const char *)example.data);
    }
}

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

Test(advice, finds_unpadded_numbers)
{
    add("9#p1");
    add("10#p2");
    add("1500#p3");
    const sheaf_finding *finding = only(SHEAF_RULE_UNPADDED_NUMBERS, SHEAF_ERROR, 3);
    expect_pair(finding, "10#p2", "9#p1");
    expect_text(finding->repair, "sk = \"{number:pad(10)}#{text}\"");
    cr_assert_eq(finding->segment, 1);
    cr_assert_eq(finding->of_count, 3);
    cr_assert_not(finding->examples_are_made);
}

Test(advice, warns_of_unpadded_numbers_that_happen_to_be_in_order)
{
    add("1#p1");
    add("20#p2");
    expect_pair(only(SHEAF_RULE_UNPADDED_NUMBERS, SHEAF_WARNING, 2), "1#p1", "20#p2");
}

Test(advice, finds_an_unpadded_number_in_the_tie_breaker)
{
    add("SCORE#0000001500#999#p_1");
    add("SCORE#0000001500#1000#p_2");
    add("SCORE#0000000009#7#p_3");
    const sheaf_finding *finding = only(SHEAF_RULE_UNPADDED_NUMBERS, SHEAF_ERROR, 3);
    cr_assert_eq(finding->segment, 3, "the entity counts");
    expect_text(finding->entity, "SCORE");
    cr_assert_lt(sheaf_bytes_compare(finding->examples[0], finding->examples[1]), 0);
    expect_text(finding->repair, "sk = \"SCORE#{number:pad(10)}#{number2:pad(10)}#{text}\"");
}

Test(advice, makes_a_pair_where_the_beginnings_differ)
{
    add("0000000002#9");
    add("0000000001#10");
    const sheaf_finding *finding = only(SHEAF_RULE_UNPADDED_NUMBERS, SHEAF_ERROR, 2);
    cr_assert(finding->examples_are_made);
    expect_pair(finding, "0000000001#10", "0000000001#9");
}

Test(advice, b08_finds_mixed_widths_after_a_migration)
{
    for (int i = 0; i < 100; i++) add("%010d#x", 7 * i);
    add("5#x");
    add("12345678901#x");
    const sheaf_finding *finding = only(SHEAF_RULE_MIXED_WIDTHS, SHEAF_ERROR, 2);
    cr_assert_eq(finding->example_count, 2);
    cr_assert_lt(sheaf_bytes_compare(finding->examples[0], finding->examples[1]), 0);
    expect_text(finding->repair, "sk = \"{number:pad(13)}#{text}\"");
}

Test(advice, finds_mixed_widths_between_others_whatever_comes_first)
{
    static const char *const keys[] = { "001#a", "050#b", "999#c", "0100#d" };
    for (size_t first = 0; first < 4; first++) {
        for (size_t i = 0; i < 4; i++) add("%s", keys[(first + i) % 4]);
        expect_pair(only(SHEAF_RULE_MIXED_WIDTHS, SHEAF_ERROR, 1), "0100#d", "050#b"); /* 100 before 50 */
        finish();
        begin();
    }
}

Test(advice, finds_signs_points_and_exponents)
{
    add("-1#a");
    add("-2#b");
    add("0#c");
    const sheaf_finding *finding = only(SHEAF_RULE_NUMBER_FORMS, SHEAF_ERROR, 2);
    expect_pair(finding, "-1#a", "-2#b");
    expect_text(finding->repair, "sk = \"{number:signed(10)}#{text}\"");
    finish();
    begin();
    add("9.5#a");
    add("10.25#b");
    finding = only(SHEAF_RULE_NUMBER_FORMS, SHEAF_ERROR, 2);
    expect_pair(finding, "10.25#b", "9.5#a");
    expect_text(finding->repair, "sk = \"{number:decimal(10,2)}#{text}\"");
    finish();
    begin();
    add("1.5e3#a");
    add("2.5e2#b");
    expect_pair(only(SHEAF_RULE_NUMBER_FORMS, SHEAF_ERROR, 2), "1.5e3#a", "2.5e2#b");
}

Test(advice, finds_numbers_about_to_outgrow_their_width)
{
    for (int i = 0; i < 50; i++) add("%04d#x", 180 * i);
    add("9800#x");
    const sheaf_finding *finding = only(SHEAF_RULE_NARROW_NUMBERS, SHEAF_WARNING, 1);
    cr_assert_eq(finding->example_count, 1);
    expect_text(finding->examples[0], "9800#x");
    expect_text(finding->repair, "sk = \"{number:pad(10)}#{text}\"");
}

Test(advice, finds_decimals_out_of_order_between_others)
{
    add("1.5#a");
    add("10.5#b");
    add("9.5#c");
    expect_pair(only(SHEAF_RULE_NUMBER_FORMS, SHEAF_ERROR, 3), "10.5#b", "9.5#c");
}

static void add_to(const char *partition_key, const char *sort_key)
{
    add_bytes(text(partition_key), text(sort_key));
}

Test(advice, lets_each_collection_have_its_own_width)
{
    for (int i = 1; i < 300; i++) {
        char sort_key[32];
        (void)snprintf(sort_key, sizeof sort_key, "%06d#x", i);
        add_to("G1", sort_key);
        (void)snprintf(sort_key, sizeof sort_key, "%010d#x", i);
        add_to("G2", sort_key);
    }
    expect_nothing();
    add_to("G2", "000007#x");
    (void)only(SHEAF_RULE_MIXED_WIDTHS, SHEAF_ERROR, 299);
}

Test(advice, has_no_word_for_numbers_drawn_evenly)
{
    for (int i = 0; i < 1000; i++) add("%03d#%09d", i % 100 * 10, (int)((unsigned)i * 2654435761u % 1000000000u));
    expect_nothing();
}

/* ---- times ------------------------------------------------------------------------------------------------------------ */

Test(advice, finds_times_of_two_precisions_in_the_wrong_order)
{
    add("2026-05-01T09:07:03Z#a");
    add("2026-05-01T09:07:03.500Z#b");
    const sheaf_finding *finding = only(SHEAF_RULE_MIXED_TIMES, SHEAF_ERROR, 1);
    expect_pair(finding, "2026-05-01T09:07:03.500Z#b", "2026-05-01T09:07:03Z#a"); /* half a second later, but before */
    expect_text(finding->repair, "sk = \"{time:time(ms)}#{text}\"");
}

Test(advice, finds_times_of_two_zones)
{
    add("2026-05-01T23:00:00-05:00");
    add("2026-05-02T01:00:00Z");
    expect_pair(only(SHEAF_RULE_MIXED_TIMES, SHEAF_ERROR, 1), "2026-05-01T23:00:00-05:00", "2026-05-02T01:00:00Z");
}

Test(advice, finds_a_zone_between_others)
{
    add("2026-01-01T00:00:00Z#a");
    add("2026-06-01T12:00:00Z#b");
    add("2026-12-31T00:00:00Z#c");
    add("2026-06-01T13:00:00+02:00#d"); /* an hour before b, and behind it */
    expect_pair(only(SHEAF_RULE_MIXED_TIMES, SHEAF_ERROR, 1), "2026-06-01T12:00:00Z#b", "2026-06-01T13:00:00+02:00#d");
}

Test(advice, finds_times_with_parts_that_lack_their_zero)
{
    add("2026-5-1#a");
    add("2026-10-1#b");
    expect_pair(only(SHEAF_RULE_MIXED_TIMES, SHEAF_ERROR, 2), "2026-10-1#b", "2026-5-1#a");
}

Test(advice, finds_dates_beside_numbers)
{
    add("2026-05-01T09:07:03Z");
    add("1777626423");
    expect_pair(only(SHEAF_RULE_MIXED_TIMES, SHEAF_ERROR, 1), "1777626423", "2026-05-01T09:07:03Z");
}

/* ---- segments --------------------------------------------------------------------------------------------------------- */

Test(advice, finds_a_delimiter_within_a_segment)
{
    for (int i = 0; i < 30; i++) add("USER#u%03dx#name", i);
    add("USER#u7#x#name");
    const sheaf_finding *finding = only(SHEAF_RULE_SEGMENT_COUNT, SHEAF_WARNING, 1);
    cr_assert_eq(finding->example_count, 2);
    expect_text(finding->examples[0], "USER#u000x#name");
    expect_text(finding->examples[1], "USER#u7#x#name");
}

Test(advice, notes_keys_with_fewer_segments)
{
    for (int i = 0; i < 30; i++) add("USER#u%03dx#name", i);
    add("USER#u007x");
    (void)only(SHEAF_RULE_SEGMENT_COUNT, SHEAF_NOTE, 1);
}

Test(advice, finds_empty_segments_blanks_and_bytes_that_are_no_text)
{
    add("USER##name");
    expect_text(only(SHEAF_RULE_EMPTY_SEGMENT, SHEAF_WARNING, 1)->examples[0], "USER##name");
    finish();
    begin();
    add("USER#ada #x");
    add("USER#b\tob#y");
    expect_text(only(SHEAF_RULE_BLANKS, SHEAF_WARNING, 2)->examples[0], "USER#ada #x");
    finish();
    begin();
    add("USER#\xC3#x");
    (void)only(SHEAF_RULE_NOT_UTF8, SHEAF_ERROR, 1);
}

Test(advice, finds_two_spellings_and_two_cases_of_hexadecimal_digits)
{
    add("alice#1");
    add("Alice#2");
    expect_pair(only(SHEAF_RULE_MIXED_CASE, SHEAF_NOTE, 1), "Alice", "alice");
    finish();
    begin();
    add("3f2a9c01#x");
    add("3F2A9C02#y");
    expect_pair(only(SHEAF_RULE_MIXED_CASE, SHEAF_WARNING, 1), "3F2A9C02#y", "3f2a9c01#x");
}

Test(advice, finds_a_folder_spelled_in_two_ways)
{
    add("team/a");
    add("Team/b");
    add("team/c");
    expect_pair(only(SHEAF_RULE_MIXED_CASE, SHEAF_NOTE, 1), "Team", "team");
}

Test(advice, b05_notes_what_utf16_sorts_otherwise)
{
    add("\xEF\xBD\x9E"); /* U+FF5E */
    add("\xF0\x9F\x98\x80"); /* U+1F600 */
    expect_pair(only(SHEAF_RULE_UTF16_ORDER, SHEAF_NOTE, 1), "\xEF\xBD\x9E", "\xF0\x9F\x98\x80");
    finish();
    begin();
    add("a\xEF\xBD\x9E"); /* told apart before these characters */
    add("b\xF0\x9F\x98\x80");
    expect_nothing();
}

/* ---- paths ------------------------------------------------------------------------------------------------------------ */

Test(advice, b58_finds_a_folder_without_its_delimiter_and_who_shares_its_name)
{
    add("/team");
    add("/team/a");
    add("/team_x");
    judge();
    cr_assert_eq(finding_count, 2);
    cr_assert_eq(findings[0].rule, SHEAF_RULE_FOLDER_DELIMITER);
    cr_assert_eq(findings[0].severity, SHEAF_ERROR);
    expect_pair(&findings[0], "/team", "/team/a");
    cr_assert_eq(findings[1].rule, SHEAF_RULE_SIBLING_PREFIX);
    expect_pair(&findings[1], "/team", "/team_x");
    expect_text(findings[0].repair, "sk = \"{path:path(/)}\"");
}

Test(advice, compares_folders_within_a_collection)
{
    add_to("U1", "docs");
    add_to("U2", "docs/x");
    add_to("U2", "docs/");
    add_to("U3", "a/b");
    expect_nothing();
    add_to("U2", "docs");
    (void)only(SHEAF_RULE_FOLDER_DELIMITER, SHEAF_ERROR, 1);
}

Test(advice, finds_a_folder_with_and_without_its_delimiter)
{
    add("docs/");
    add("other/");
    add("docs");
    expect_text(only(SHEAF_RULE_FOLDER_DELIMITER, SHEAF_ERROR, 1)->examples[0], "docs");
}

Test(advice, finds_folders_whatever_the_order_of_keys)
{
    add("/team_x");
    add("/team/a");
    add("/team/b/c");
    add("/team");
    judge();
    cr_assert_eq(finding_count, 2);
    cr_assert_eq(findings[0].key_count, 1);
    cr_assert_eq(findings[1].rule, SHEAF_RULE_SIBLING_PREFIX);
}

/* ---- items and collections -------------------------------------------------------------------------------------------- */

Test(advice, finds_expiry_in_milliseconds)
{
    sheaf_advice_key key = { .partition_key = text("P"), .sort_key = text("a"), .expiry = 1777626423 };
    cr_assert_eq(sheaf_adviser_add(adviser, &key), SHEAF_OK);
    expect_nothing();
    key.expiry *= 1000;
    key.sort_key = text("b");
    cr_assert_eq(sheaf_adviser_add(adviser, &key), SHEAF_OK);
    const sheaf_finding *finding = only(SHEAF_RULE_EXPIRY_MILLISECONDS, SHEAF_ERROR, 1);
    cr_assert_eq(finding->field, SHEAF_FIELD_VALUE);
    expect_text(finding->examples[0], "b");
}

static void add_many(uint64_t large_reads)
{
    for (int i = 0; i < 2000; i++) {
        char partition_key[32], sort_key[32];
        (void)snprintf(partition_key, sizeof partition_key, "c%d", i % 100);
        (void)snprintf(sort_key, sizeof sort_key, "k%05d", i);
        sheaf_advice_key key = { .partition_key = text(partition_key), .sort_key = text(sort_key), .size = 10, .reads = 1 };
        if (i % 100 == 42) key.reads = large_reads;
        cr_assert_eq(sheaf_adviser_add(adviser, &key), SHEAF_OK);
    }
}

Test(advice, finds_a_hot_collection)
{
    add_many(1);
    expect_nothing();
    add_many(1000);
    const sheaf_finding *finding = only(SHEAF_RULE_HOT_COLLECTION, SHEAF_WARNING, 20 * 1000); /* for certain */
    expect_text(finding->examples[0], "c42");
}

Test(advice, finds_a_large_collection)
{
    add_many(1);
    for (int i = 0; i < 1000; i++) add("x%05d", i);
    const sheaf_finding *finding = only(SHEAF_RULE_LARGE_COLLECTION, SHEAF_WARNING, 1000);
    expect_text(finding->examples[0], "P");
    cr_assert_eq(finding->of_count, 3000);
}

Test(advice, notes_collections_of_several_kinds)
{
    for (int i = 0; i < 20; i++) {
        add("ORDER#%05d", i);
        add("USER#%05d", i);
    }
    const sheaf_finding *finding = only(SHEAF_RULE_OPEN_RANGE, SHEAF_NOTE, 11); /* from the tenth on it counts as a kind */
    expect_pair(finding, "ORDER#00000", "USER#00009");
}

Test(advice, finds_keys_near_their_limits_and_beyond)
{
    char key[2100];
    memset(key, 'k', sizeof key);
    add_bytes(text("P"), sheaf_bytes_of(key, 918)); /* nine tenths of 1024, rounded down */
    expect_nothing();
    add_bytes(text("P"), sheaf_bytes_of(key, 1024));
    cr_assert_eq(only(SHEAF_RULE_LONG_KEY, SHEAF_WARNING, 1)->examples[0].size, SHEAF_ADVICE_EXAMPLE_SIZE_MAX);
    finish();
    begin();
    add_bytes(text("P"), sheaf_bytes_of(key, 1025));
    (void)only(SHEAF_RULE_LONG_KEY, SHEAF_ERROR, 1);
    finish();
    begin();
    add_bytes(sheaf_bytes_of(key, 2049), text("a"));
    cr_assert_eq(only(SHEAF_RULE_LONG_KEY, SHEAF_ERROR, 1)->field, SHEAF_FIELD_PARTITION_KEY);
}

/* ---- what is right ---------------------------------------------------------------------------------------------------- */

Test(advice, finds_nothing_in_keys_that_are_right)
{
    for (int i = 0; i < 500; i++) {
        add("%010d#%016d#p_%d", (i * 7919) % 100000, i * 37, i);            /* a leaderboard; ids as they come */
        add("SCORE#%010lld#p_%d", 9999999999LL - (i * 7919) % 100000, i);   /* inverted */
        add("PRICE#%06d.%02d#x", i, i % 100);                              /* fixed point */
        add("EVENT#2026-05-%02dT09:07:%02d.%03dZ#%d-x", 1 + i % 28, i % 60, i, i);
        add("DAY#2026-05-%02d", 1 + i % 28);
        add("root/photos/%d/", i);
        add("root/photos/%d/beach %d.jpg", i, i);
    }
    add("root/photos/");
    judge();
    for (size_t i = 0; i < finding_count; i++)
        cr_assert_eq(findings[i].rule, SHEAF_RULE_OPEN_RANGE, "%s", sheaf_rule_describe(findings[i].rule)->name);
}

Test(advice, finds_nothing_in_nothing)
{
    expect_nothing();
}

Test(advice, looks_only_at_the_length_of_binary_keys)
{
    finish();
    cr_assert_eq(sheaf_adviser_create(&(sheaf_advice_options){ .binary = true }, &adviser), SHEAF_OK);
    add_bytes(text("P"), sheaf_bytes_of("\xFF#\0#1", 5));
    add_bytes(text("P"), sheaf_bytes_of("\xFF#\0#10", 6));
    expect_nothing();
}

Test(advice, keeps_apart_more_kinds_than_it_has_room_for)
{
    for (int round = 0; round < 12; round++)
        for (int kind = 0; kind < 200; kind++) add("K%c%c#%06d", 'A' + kind / 20, 'A' + kind % 20, round);
    judge();
    for (size_t i = 0; i < finding_count; i++) cr_assert_eq(findings[i].rule, SHEAF_RULE_OPEN_RANGE);
}

Test(advice, every_rule_has_words_of_its_own)
{
    for (int rule = 0; rule < SHEAF_ADVICE_RULE_COUNT; rule++) {
        const sheaf_rule_info *info = sheaf_rule_describe((sheaf_rule)rule);
        cr_assert_gt(strlen(info->name), 3);
        cr_assert_gt(strlen(info->explanation), 30);
        cr_assert_neq(info->explanation[strlen(info->explanation) - 1], '.');
        for (int other = 0; other < rule; other++)
            cr_assert_str_neq(info->name, sheaf_rule_describe((sheaf_rule)other)->name);
    }
    cr_assert_str_eq(sheaf_severity_name(SHEAF_ERROR), "error");
}

/* ---- memory ----------------------------------------------------------------------------------------------------------- */

Test(advice, memory_is_bounded)
{
    struct test_heap heap = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(&heap);
    finish();
    cr_assert_eq(sheaf_adviser_create(&(sheaf_advice_options){ .allocator = &hooks }, &adviser), SHEAF_OK);
    cr_assert_lt(heap.live_bytes, 8 << 20);
    for (int i = 0; i < 200000; i++) add("/a%d/b%d/c%d", i % 1000, i % 77, i);
    for (int i = 0; i < 1000; i++) add("k_%c%c#%d", 'a' + i / 26 % 26, 'a' + i % 26, i);
    cr_assert_lt(heap.live_bytes, (8 << 20) + 64 * 200 * 1024);
    finish();
    cr_assert_eq(heap.live_bytes, 0);
    adviser = NULL;
}

Test(advice, a_key_that_is_refused_for_memory_leaves_no_trace)
{
    for (uint64_t fail_at = 0; ; fail_at++) {
        struct test_heap heap = test_heap_new();
        sheaf_allocator hooks = test_heap_hooks(&heap);
        heap.fail_at = fail_at;
        sheaf_adviser *other = NULL;
        sheaf_status status = sheaf_adviser_create(&(sheaf_advice_options){ .allocator = &hooks }, &other);
        if (status != SHEAF_OK) {
            cr_assert_eq(status, SHEAF_NO_MEMORY);
            cr_assert_eq(heap.live_bytes, 0);
            continue;
        }
        static const char *const keys[] = { "9#x", "10#y", "USER#7#", "a/b", "a" };
        size_t refused = 0;
        for (size_t i = 0; i < 5; i++) {
            sheaf_advice_key key = { .partition_key = text("P"), .sort_key = text(keys[i]) };
            while (sheaf_adviser_add(other, &key) != SHEAF_OK) refused++;
        }
        cr_assert_eq(refused, heap.refusals);
        size_t count = 0;
        cr_assert_eq(sheaf_adviser_findings(other, &findings, &count), SHEAF_OK);
        cr_assert_eq(count, 2); /* an empty segment at the end is none */
        cr_assert_eq(findings[0].rule, SHEAF_RULE_UNPADDED_NUMBERS);
        cr_assert_eq(findings[0].key_count, 2, "once each");
        cr_assert_eq(findings[1].rule, SHEAF_RULE_FOLDER_DELIMITER);
        sheaf_adviser_destroy(other);
        cr_assert_eq(heap.live_bytes, 0);
        if (heap.refusals == 0) return;
    }
}
