/*
 * test_advice_model.c - real keys, laid out rightly and with a fault put in.
 *
 * Towns of the world and a source tree: as they are no rule has a word to say. Then some of them, drawn at random, are written
 * in one wrong way; the rule that is about it finds them, counts them, and shows two that are in the wrong order indeed.
 */
#include <sheaf/advice.h>
#include <sheaf/number.h>

#include <criterion/criterion.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/random.h"

enum { TOWNS_MAX = 30000, PATHS_MAX = 6000 };

struct town {
    char *country, *name;
    uint64_t population;
};

static struct town towns[TOWNS_MAX];
static char *paths[PATHS_MAX];
static size_t town_count, path_count;

/* Lines of a file of ours, without their ends. */
static size_t read_lines(const char *name, char **lines, size_t most)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", DATA_FOLDER, name);
    FILE *file = fopen(path, "r");
    size_t count = 0, capacity = 0;
    cr_assert_not_null(file, "%s", path);
    char *line = NULL;
    while (count < most && getline(&line, &capacity, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        lines[count++] = line;
        line = NULL;
        capacity = 0;
    }
    free(line);
    (void)fclose(file);
    return count;
}

static void read_data(void)
{
    static char *lines[TOWNS_MAX];
    town_count = read_lines("cities.tsv", lines, TOWNS_MAX);
    for (size_t i = 0; i < town_count; i++) {
        char *rest = lines[i];
        towns[i].country = strsep(&rest, "\t");
        towns[i].population = strtoull(strsep(&rest, "\t"), NULL, 10);
        towns[i].name = rest;
    }
    path_count = read_lines("git-tree.tsv", paths, PATHS_MAX);
    for (size_t i = 0; i < path_count; i++) paths[i][strcspn(paths[i], "\t")] = '\0';
    cr_assert(town_count > 20000 && path_count > 5000);
}

TestSuite(advice_model, .init = read_data);

static void add(sheaf_adviser *adviser, const char *partition_key, const char *sort_key)
{
    sheaf_advice_key key = {
        .partition_key = sheaf_bytes_of(partition_key, strlen(partition_key)),
        .sort_key = sheaf_bytes_of(sort_key, strlen(sort_key)),
        .size = 100,
    };
    cr_assert_eq(sheaf_adviser_add(adviser, &key), SHEAF_OK);
}

static void expect_nothing(sheaf_adviser *adviser, const char *what)
{
    const sheaf_finding *findings;
    size_t count;
    cr_assert_eq(sheaf_adviser_findings(adviser, &findings, &count), SHEAF_OK);
    for (size_t i = 0; i < count; i++) {
        sheaf_bytes example = findings[i].example_count > 0 ? findings[i].examples[0] : sheaf_bytes_of(NULL, 0);
        cr_assert_fail("%s: %s: %.*s", what, sheaf_rule_describe(findings[i].rule)->name, (int)example.size,
                       (const char *)example.data);
    }
    sheaf_adviser_destroy(adviser);
}

Test(advice_model, has_no_word_for_keys_that_are_right)
{
    static const char *const layouts[] = { "by population", "by name", "largest first", "names alone" };
    for (size_t layout = 0; layout < 4; layout++) {
        sheaf_adviser *adviser;
        cr_assert_eq(sheaf_adviser_create(NULL, &adviser), SHEAF_OK);
        for (size_t i = 0; i < town_count; i++) {
            char key[512];
            switch (layout) {
            case 0: (void)snprintf(key, sizeof key, "%010" PRIu64 "#%09zu", towns[i].population, i * 37); break;
            case 1: (void)snprintf(key, sizeof key, "%s#%09zu", towns[i].name, i * 37); break;
            case 2: (void)snprintf(key, sizeof key, "TOWN#%010" PRIu64 "#%s", 9999999999 - towns[i].population, towns[i].name); break;
            default: (void)snprintf(key, sizeof key, "%s", towns[i].name); break;
            }
            add(adviser, towns[i].country, key);
        }
        expect_nothing(adviser, layouts[layout]);
    }
    sheaf_adviser *adviser;
    cr_assert_eq(sheaf_adviser_create(NULL, &adviser), SHEAF_OK);
    for (size_t i = 0; i < path_count; i++) add(adviser, "DRIVE#a91", paths[i]);
    expect_nothing(adviser, "paths");
}

/* ---- faults ----------------------------------------------------------------------------------------------------------- */

struct fault {
    const char *name;
    sheaf_rule rule;
    bool has_order; /* the pair is out of order by what its first segment means */
};

static const struct fault faults[] = {
    { "unpadded", SHEAF_RULE_MIXED_WIDTHS, true },
    { "a digit more", SHEAF_RULE_MIXED_WIDTHS, true },
    { "narrower", SHEAF_RULE_MIXED_WIDTHS, true },
    { "below zero", SHEAF_RULE_NUMBER_FORMS, true },
    { "a fraction", SHEAF_RULE_NUMBER_FORMS, true },
    { "full width", SHEAF_RULE_NARROW_NUMBERS, false },
    { "delimiter", SHEAF_RULE_SEGMENT_COUNT, false },
    { "empty", SHEAF_RULE_EMPTY_SEGMENT, false },
    { "blank", SHEAF_RULE_BLANKS, false },
    { "control", SHEAF_RULE_BLANKS, false },
    { "bytes", SHEAF_RULE_NOT_UTF8, false },
};

static void write_right(char *key, size_t size, const struct town *town, size_t number)
{
    (void)snprintf(key, size, "%010" PRIu64 "#id%09zu", town->population, number);
}

static void write_wrong(char *key, size_t size, const struct town *town, size_t number, size_t fault)
{
    switch (fault) {
    case 0: (void)snprintf(key, size, "%" PRIu64 "#id%09zu", town->population % 90000 + 1, number); break;
    case 1: (void)snprintf(key, size, "%011" PRIu64 "#id%09zu", town->population, number); break;
    case 2: (void)snprintf(key, size, "%07" PRIu64 "#id%09zu", town->population % 90000, number); break;
    case 3: (void)snprintf(key, size, "-%010" PRIu64 "#id%09zu", town->population + number, number); break;
    case 4: (void)snprintf(key, size, "%" PRIu64 ".5#id%09zu", town->population % 90000 + 5, number); break;
    case 5: (void)snprintf(key, size, "9%09" PRIu64 "#id%09zu", town->population, number); break;
    case 6: (void)snprintf(key, size, "%010" PRIu64 "#i#d%09zu", town->population, number); break;
    case 7: (void)snprintf(key, size, "%010" PRIu64 "##id%09zu", town->population, number); break;
    case 8: (void)snprintf(key, size, "%010" PRIu64 "#id%09zu ", town->population, number); break;
    case 9: (void)snprintf(key, size, "%010" PRIu64 "#id\x01%09zu", town->population, number); break;
    default: (void)snprintf(key, size, "%010" PRIu64 "#id\xFF%09zu", town->population, number); break;
    }
}

static sheaf_number first_number(sheaf_bytes key)
{
    const uint8_t *end = memchr(key.data, '#', key.size);
    sheaf_number number = { 0 };
    sheaf_bytes segment = sheaf_bytes_of(key.data, end ? (size_t)(end - key.data) : key.size);
    cr_assert_eq(sheaf_number_parse(segment, &number, NULL), SHEAF_OK);
    return number;
}

static void expect_fault(sheaf_adviser *adviser, const struct fault *fault, uint64_t wrong_count, uint64_t seed)
{
    const sheaf_finding *findings, *found = NULL;
    size_t count;
    cr_assert_eq(sheaf_adviser_findings(adviser, &findings, &count), SHEAF_OK);
    for (size_t i = 0; i < count; i++)
        if (findings[i].rule == fault->rule) found = &findings[i];
    cr_assert_not_null(found, "seed %" PRIu64 ": %s is not found", seed, fault->name);
    cr_assert_eq(found->key_count, wrong_count, "seed %" PRIu64 ": %s: %" PRIu64 " keys, not %" PRIu64, seed, fault->name,
                 found->key_count, wrong_count);
    if (!fault->has_order) return;
    cr_assert_eq(found->severity, SHEAF_ERROR, "%s", fault->name);
    cr_assert_eq(found->example_count, 2, "%s", fault->name);
    cr_assert_lt(sheaf_bytes_compare(found->examples[0], found->examples[1]), 0, "%s", fault->name);
    cr_assert_gt(sheaf_number_compare(first_number(found->examples[0]), first_number(found->examples[1])), 0,
                 "seed %" PRIu64 ": %s: the pair is in order", seed, fault->name);
}

Test(advice_model, finds_every_fault_put_into_real_keys)
{
    uint64_t seed = random_seed("advice_model", 20261205);
    struct random random = random_from_seed(seed);
    for (uint64_t round = 0, rounds = random_scaled(4) + 1; round < rounds; round++) {
        for (size_t fault = 0; fault < sizeof faults / sizeof *faults; fault++) {
            sheaf_adviser *adviser;
            uint64_t wrong_count = 0;
            cr_assert_eq(sheaf_adviser_create(NULL, &adviser), SHEAF_OK);
            for (size_t i = 0; i < town_count; i += 1 + random_below(&random, 4)) {
                char key[512];
                bool wrong = random_once_in(&random, 1000) || (wrong_count < 2 && i > town_count / 2);
                wrong_count += wrong;
                if (wrong) write_wrong(key, sizeof key, &towns[i], i, fault);
                else write_right(key, sizeof key, &towns[i], i);
                add(adviser, towns[i].country, key);
            }
            expect_fault(adviser, &faults[fault], wrong_count, seed);
            sheaf_adviser_destroy(adviser);
        }
    }
}

/* ---- faults of other keys than numbers ------------------------------------------------------------------------------------ */

/* One key among many of its kind, right or wrong. `index` makes it its own. */
struct drawn_key {
    char partition_key[32];
    char sort_key[1200];
    uint64_t size;
    int64_t expiry;
};

typedef void (*draw_key)(struct drawn_key *key, size_t index, bool wrong);

__attribute__((format(printf, 2, 3))) static void print_key(struct drawn_key *key, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    (void)vsnprintf(key->sort_key, sizeof key->sort_key, format, arguments);
    __builtin_va_end(arguments);
}

static void draw_precision(struct drawn_key *key, size_t index, bool wrong)
{
    print_key(key, "2026-%02zu-%02zuT09:07:03%sZ#%zu-x", 1 + index % 12, 1 + index % 28, wrong ? ".5" : "", index);
}

static void draw_zone(struct drawn_key *key, size_t index, bool wrong)
{
    print_key(key, "2026-%02zu-%02zuT09:07:03%s#%zu-x", 1 + index % 12, 1 + index % 28, wrong ? "+02:00" : "Z", index);
}

static void draw_date(struct drawn_key *key, size_t index, bool wrong)
{
    print_key(key, wrong ? "2026-%zu-%02zu#%zu-x" : "2026-%02zu-%02zu#%zu-x", wrong ? 1 + index % 9 : 1 + index % 12, 1 + index % 28, index);
}

static void draw_hexadecimal(struct drawn_key *key, size_t index, bool wrong)
{
    print_key(key, wrong ? "A%08zXF#x" : "a%08zxf#x", index);
}

static void draw_case(struct drawn_key *key, size_t index, bool wrong)
{
    print_key(key, wrong ? "Town %zu#1" : "town %zu#1", wrong ? index - 1 : index); /* that before it, spelled otherwise */
}

static void draw_astral(struct drawn_key *key, size_t index, bool wrong)
{
    print_key(key, "%s%09zu", wrong ? "\xF0\x9F\x98\x80" : "\xEF\xBD\x9E", index);
}

static void draw_near_limit(struct drawn_key *key, size_t index, bool wrong)
{
    print_key(key, "%0*zu-x", wrong ? 1000 : 9, index);
}

static void draw_over_limit(struct drawn_key *key, size_t index, bool wrong)
{
    print_key(key, "%0*zu-x", wrong ? 1100 : 9, index);
}

static void draw_milliseconds(struct drawn_key *key, size_t index, bool wrong)
{
    print_key(key, "%09zu", index);
    key->expiry = (int64_t)(1777626423 + index) * (wrong ? 1000 : 1);
}

static void draw_delimiter(struct drawn_key *key, size_t index, bool wrong)
{
    print_key(key, wrong ? "ITEM#a%zu#b#c#d" : "ITEM#a%zu#b#c", index);
}

static const struct {
    const char *name;
    draw_key draw;
    sheaf_rule rule;
    sheaf_severity least; /* severity it must have, or worse */
    bool has_pair;
} other_faults[] = {
    { "precision", draw_precision, SHEAF_RULE_MIXED_TIMES, SHEAF_WARNING, true },
    { "zone", draw_zone, SHEAF_RULE_MIXED_TIMES, SHEAF_WARNING, true },
    { "date", draw_date, SHEAF_RULE_MIXED_TIMES, SHEAF_WARNING, true },
    { "hexadecimal", draw_hexadecimal, SHEAF_RULE_MIXED_CASE, SHEAF_WARNING, true },
    { "case", draw_case, SHEAF_RULE_MIXED_CASE, SHEAF_NOTE, true },
    { "astral", draw_astral, SHEAF_RULE_UTF16_ORDER, SHEAF_NOTE, true },
    { "near the limit", draw_near_limit, SHEAF_RULE_LONG_KEY, SHEAF_WARNING, false },
    { "over the limit", draw_over_limit, SHEAF_RULE_LONG_KEY, SHEAF_ERROR, false },
    { "milliseconds", draw_milliseconds, SHEAF_RULE_EXPIRY_MILLISECONDS, SHEAF_ERROR, false },
    { "segments", draw_delimiter, SHEAF_RULE_SEGMENT_COUNT, SHEAF_WARNING, true },
};

/* Some thousands of keys in a random order, a few of them wrong. Returns how many. */
static uint64_t add_drawn(struct random *random, sheaf_adviser *adviser, draw_key draw, bool any_wrong)
{
    enum { KEYS = 4000 };
    static size_t order[KEYS];
    uint64_t wrong_count = 0;
    for (size_t i = 0; i < KEYS; i++) order[i] = i;
    for (size_t i = KEYS; i > 1; i--) {
        size_t other = random_below(random, (uint32_t)i), moved = order[i - 1];
        order[i - 1] = order[other];
        order[other] = moved;
    }
    for (size_t i = 0; i < KEYS; i++) {
        struct drawn_key drawn = { .size = 100 };
        bool wrong = any_wrong && order[i] % 2 == 1 && (random_once_in(random, 200) || (i > KEYS - 50 && wrong_count < 3));
        wrong_count += wrong;
        (void)snprintf(drawn.partition_key, sizeof drawn.partition_key, "P%zu", order[i] / 2 % 20);
        draw(&drawn, order[i], wrong);
        sheaf_advice_key key = {
            .partition_key = sheaf_bytes_of(drawn.partition_key, strlen(drawn.partition_key)),
            .sort_key = sheaf_bytes_of(drawn.sort_key, strlen(drawn.sort_key)),
            .size = drawn.size, .expiry = drawn.expiry
        };
        cr_assert_eq(sheaf_adviser_add(adviser, &key), SHEAF_OK);
    }
    return wrong_count;
}

Test(advice_model, finds_every_other_fault_and_only_that)
{
    uint64_t seed = random_seed("advice_others", 20261207);
    struct random random = random_from_seed(seed);
    for (size_t i = 0; i < sizeof other_faults / sizeof *other_faults; i++) {
        sheaf_adviser *adviser;
        const sheaf_finding *findings;
        size_t count;
        cr_assert_eq(sheaf_adviser_create(NULL, &adviser), SHEAF_OK);
        (void)add_drawn(&random, adviser, other_faults[i].draw, false);
        expect_nothing(adviser, other_faults[i].name);
        cr_assert_eq(sheaf_adviser_create(NULL, &adviser), SHEAF_OK);
        uint64_t wrong_count = add_drawn(&random, adviser, other_faults[i].draw, true);
        cr_assert_eq(sheaf_adviser_findings(adviser, &findings, &count), SHEAF_OK);
        cr_assert_eq(count, 1, "seed %" PRIu64 ": %s: %zu findings", seed, other_faults[i].name, count);
        cr_assert_eq(findings[0].rule, other_faults[i].rule, "seed %" PRIu64 ": %s: %s", seed, other_faults[i].name,
                     sheaf_rule_describe(findings[0].rule)->name);
        cr_assert_geq(findings[0].severity, other_faults[i].least, "%s", other_faults[i].name);
        cr_assert_eq(findings[0].key_count, wrong_count, "seed %" PRIu64 ": %s: %" PRIu64 " of %" PRIu64, seed,
                     other_faults[i].name, findings[0].key_count, wrong_count);
        if (other_faults[i].has_pair) {
            cr_assert_eq(findings[0].example_count, 2, "%s", other_faults[i].name);
            cr_assert_lt(sheaf_bytes_compare(findings[0].examples[0], findings[0].examples[1]), 0);
        }
        sheaf_adviser_destroy(adviser);
    }
}

/* A quarter of everything in one of a hundred collections. */
Test(advice_model, finds_a_collection_that_is_far_larger)
{
    uint64_t seed = random_seed("advice_large", 20261208), large_count = 0;
    struct random random = random_from_seed(seed);
    sheaf_adviser *adviser;
    const sheaf_finding *findings;
    size_t count;
    cr_assert_eq(sheaf_adviser_create(NULL, &adviser), SHEAF_OK);
    for (size_t i = 0; i < 5000; i++) {
        char partition_key[32], sort_key[32];
        bool large = random_below(&random, 3) == 0;
        large_count += large;
        (void)snprintf(partition_key, sizeof partition_key, "P%u", large ? 7 : random_below(&random, 60) + 10);
        (void)snprintf(sort_key, sizeof sort_key, "%09zu", i);
        add(adviser, partition_key, sort_key);
    }
    cr_assert_eq(sheaf_adviser_findings(adviser, &findings, &count), SHEAF_OK);
    cr_assert_eq(count, 2, "entries and bytes");
    cr_assert(findings[0].rule == SHEAF_RULE_LARGE_COLLECTION && findings[0].key_count == large_count, "seed %" PRIu64, seed);
    sheaf_adviser_destroy(adviser);
}

/* Some folders without their delimiter: all that have something in them are found, by a list of all paths. */
Test(advice_model, finds_every_folder_without_its_delimiter)
{
    uint64_t seed = random_seed("advice_folders", 20261206), wanted = 0;
    struct random random = random_from_seed(seed);
    static bool is_bare[PATHS_MAX];
    sheaf_adviser *adviser;
    cr_assert_eq(sheaf_adviser_create(NULL, &adviser), SHEAF_OK);
    for (size_t i = 0; i < path_count; i++) {
        size_t size = strlen(paths[i]);
        is_bare[i] = paths[i][size - 1] == '/' && random_once_in(&random, 5);
        if (!is_bare[i]) continue;
        bool has_children = false;
        for (size_t j = 0; j < path_count && !has_children; j++) has_children = j != i && strncmp(paths[j], paths[i], size) == 0;
        wanted += has_children;
    }
    for (size_t i = path_count; i > 1; i--) { /* in any order */
        size_t other = random_below(&random, (uint32_t)i);
        char *path = paths[i - 1];
        bool bare = is_bare[i - 1];
        paths[i - 1] = paths[other];
        is_bare[i - 1] = is_bare[other];
        paths[other] = path;
        is_bare[other] = bare;
    }
    for (size_t i = 0; i < path_count; i++) {
        if (is_bare[i]) paths[i][strlen(paths[i]) - 1] = '\0';
        add(adviser, "DRIVE#a91", paths[i]);
    }
    const sheaf_finding *findings;
    size_t count;
    cr_assert_eq(sheaf_adviser_findings(adviser, &findings, &count), SHEAF_OK);
    cr_assert_gt(count, 0);
    cr_assert_eq(findings[0].rule, SHEAF_RULE_FOLDER_DELIMITER);
    cr_assert(wanted > 10 && findings[0].key_count == wanted, "seed %" PRIu64 ": %" PRIu64 " of %" PRIu64, seed,
              findings[0].key_count, wanted);
    sheaf_adviser_destroy(adviser);
}
