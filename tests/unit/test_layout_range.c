/* Ranges worked out by hand; that they are exact for any layout is tried in test_layout_laws.c. */
#include <sheaf/sheaf.h>

#include <criterion/criterion.h>

#include <string.h>

#include "engine/base/bytes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define EQUAL SHEAF_CONDITION_EQUAL
#define LESS SHEAF_CONDITION_LESS
#define AT_MOST SHEAF_CONDITION_AT_MOST
#define AT_LEAST SHEAF_CONDITION_AT_LEAST
#define GREATER SHEAF_CONDITION_GREATER
#define BETWEEN SHEAF_CONDITION_BETWEEN
#define BEGINS_WITH SHEAF_CONDITION_BEGINS_WITH

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

static sheaf_layout *compile(const char *line)
{
    sheaf_layout *layout;
    sheaf_layout_fault fault;
    sheaf_status status = sheaf_layout_create(text(line), NULL, &layout, &fault);
    cr_assert_eq(status, SHEAF_OK, "%s: column %zu: %s", line, fault.column, fault.message);
    return layout;
}

/* Conditions as a table writes them: a kind of -1 ends them. */
struct asked {
    int kind;
    const char *field, *low, *high;
};

static size_t conditions_of(const sheaf_layout *layout, const struct asked *asked, sheaf_condition *out_conditions)
{
    size_t count = 0;
    for (; count < 3 && asked[count].field; count++)
        out_conditions[count] = (sheaf_condition){ sheaf_layout_find_field(layout, text(asked[count].field)),
                                                   (sheaf_condition_kind)asked[count].kind, text(asked[count].low),
                                                   text(asked[count].high ? asked[count].high : "") };
    return count;
}

static const struct {
    const char *line;
    struct asked asked[3];
    sheaf_side lower_side;
    const char *lower;
    sheaf_side upper_side;
    const char *upper;
} RANGES[] = {
#define BEFORE SHEAF_SIDE_BEFORE
#define AFTER SHEAF_SIDE_AFTER
#define AFTER_ALL SHEAF_SIDE_AFTER_PREFIX
    /* the top of a season: all of it, and its slices */
    { "sk = \"{score:pad(10)}#{time:pad(10)}#{player}\"", { { 0 } }, BEFORE, "", AFTER_ALL, "" },
    { "sk = \"{score:pad(10)}#{time:pad(10)}#{player}\"",
      { { BETWEEN, "score", "100", "200" } },
      BEFORE,
      "0000000100#",
      AFTER_ALL,
      "0000000200#" },
    { "sk = \"{score:pad(10)}#{time:pad(10)}#{player}\"",
      { { LESS, "score", "1500", NULL } },
      BEFORE,
      "",
      BEFORE,
      "0000001500#" },
    { "sk = \"{score:pad(10)}#{time:pad(10)}#{player}\"",
      { { GREATER, "score", "1500", NULL } },
      AFTER_ALL,
      "0000001500#",
      AFTER_ALL,
      "" },
    { "sk = \"{score:pad(10)}#{time:pad(10)}#{player}\"",
      { { EQUAL, "score", "1500", NULL }, { LESS, "time", "1719100800", NULL } },
      BEFORE,
      "0000001500#",
      BEFORE,
      "0000001500#1719100800#" },
    { "sk = \"{score:pad(10)}#{time:pad(10)}#{player}\"",
      { { EQUAL, "player", "p", NULL }, { EQUAL, "time", "2", NULL }, { EQUAL, "score", "1", NULL } },
      BEFORE,
      "0000000001#0000000002#p",
      AFTER,
      "0000000001#0000000002#p" },
    /* clamped: no score has eleven digits, or a sign */
    { "sk = \"{score:pad(10)}#{p}\"", { { AT_MOST, "score", "10000000000", NULL } }, BEFORE, "", AFTER_ALL, "" },
    { "sk = \"{score:pad(10)}#{p}\"", { { AT_LEAST, "score", "10000000000", NULL } }, AFTER_ALL, "", AFTER_ALL, "" },
    { "sk = \"{score:pad(10)}#{p}\"", { { GREATER, "score", "-1", NULL } }, BEFORE, "", AFTER_ALL, "" },
    { "sk = \"S{score:pad(2)}#{p}\"", { { LESS, "score", "-1", NULL } }, BEFORE, "S", BEFORE, "S" },
    { "sk = \"S{score:pad(2)}#{p}\"", { { AT_LEAST, "score", "9.5", NULL } }, AFTER_ALL, "S09#", AFTER_ALL, "S" },
    { "sk = \"S{score:pad(2)}#{p}\"", { { LESS, "score", "9.5", NULL } }, BEFORE, "S", AFTER_ALL, "S09#" },
    /* inverted: the ends change places */
    { "sk = \"{score:invert(10)}#{player}\"",
      { { BETWEEN, "score", "10", "240" } },
      BEFORE,
      "9999999759#",
      AFTER_ALL,
      "9999999989#" },
    { "sk = \"{score:invert(10)}#{player}\"", { { GREATER, "score", "1500", NULL } }, BEFORE, "", BEFORE, "9999998499#" },
    { "sk = \"{score:invert(10)}\"", { { AT_MOST, "score", "1500", NULL } }, BEFORE, "9999998499", AFTER_ALL, "" },
    { "sk = \"{score:invert(10)}\"", { { AT_LEAST, "score", "1500", NULL } }, BEFORE, "", AFTER, "9999998499" },
    { "sk = \"{n:signed(2,1)}|\"", { { GREATER, "n", "-1.25", NULL } }, BEFORE, "098.8|", AFTER_ALL, "" },
    /* a field is taken whole: USER#1 is not USER#10, and p1a is above p1 (B56) */
    { "sk = \"USER#{user}#{order}\"", { { EQUAL, "user", "1", NULL } }, BEFORE, "USER#1#", AFTER_ALL, "USER#1#" },
    { "sk = \"USER#{user}#{order}\"", { { BEGINS_WITH, "user", "1", NULL } }, BEFORE, "USER#1", AFTER_ALL, "USER#1" },
    { "sk = \"{project}\"", { { GREATER, "project", "p1", NULL } }, AFTER, "p1", AFTER_ALL, "" },
    { "sk = \"{project}#{x}\"", { { GREATER, "project", "p1", NULL } }, AFTER_ALL, "p1#", AFTER_ALL, "" },
    { "sk = \"{project}#{x}\"", { { AT_LEAST, "project", "p 1", NULL } }, AFTER_ALL, "p#", AFTER_ALL, "" },
    { "sk = \"{project}#{x}\"", { { LESS, "project", "#", NULL } }, BEFORE, "", BEFORE, "" },
    { "sk = \"{e:escape}#{x}\"", { { BEGINS_WITH, "e", "a#", NULL } }, BEFORE, "a$23", AFTER_ALL, "a$23" },
    { "sk = \"{r:raw}#{x}\"", { { EQUAL, "r", "a b", NULL }, { LESS, "x", "m", NULL } }, BEFORE, "a b#", BEFORE, "a b#m" },
    /* B58 */
    { "sk = \"{p:path(/)}\"", { { BEGINS_WITH, "p", "/team", NULL } }, BEFORE, "/team/", AFTER_ALL, "/team/" },
    { "sk = \"{p:path(/)}\"",
      { { BEGINS_WITH, "p", "root/photos/", NULL } },
      BEFORE,
      "root/photos/",
      AFTER_ALL,
      "root/photos/" },
    { "sk = \"{p:path(/)}\"", { { BEGINS_WITH, "p", "", NULL } }, BEFORE, "", AFTER_ALL, "" },
    { "sk = \"{p:path(/)}\"", { { EQUAL, "p", "/team", NULL } }, BEFORE, "/team", AFTER, "/team" },
    { "sk = \"{p}\"", { { BEGINS_WITH, "p", "/team", NULL } }, BEFORE, "/team", AFTER_ALL, "/team" },
    /* times, before one and finer than the key */
    { "sk = \"E#{t:time}#{id}\"",
      { { LESS, "t", "2026-05-01T11:00:00+02:00", NULL } },
      BEFORE,
      "E#",
      BEFORE,
      "E#2026-05-01T09:00:00Z#" },
    { "sk = \"E#{t:time}#{id}\"",
      { { AT_LEAST, "t", "2026-05-01T09:00:00.5Z", NULL } },
      AFTER_ALL,
      "E#2026-05-01T09:00:00Z#",
      AFTER_ALL,
      "E#" },
    { "sk = \"{t:epoch(ms)}\"",
      { { BETWEEN, "t", "0", "1970-01-01T00:00:01Z" } },
      BEFORE,
      "0000000000000",
      AFTER,
      "0000000001000" },
    { "sk = \"{t:epoch(s)}\"", { { AT_LEAST, "t", "1969-12-31T00:00:00Z", NULL } }, BEFORE, "", AFTER_ALL, "" },
};

static bool same_cut(const sheaf_cut *cut, sheaf_side side, const char *bytes)
{
    return cut->side == side && sheaf_bytes_equal(cut->bytes, text(bytes));
}

Test(layout_range, follows_from_conditions)
{
    for (size_t i = 0; i < COUNT(RANGES); i++) {
        sheaf_layout *layout = compile(RANGES[i].line);
        sheaf_condition conditions[3];
        sheaf_range range;
        sheaf_layout_fault fault = { .message = "" };
        uint8_t buffer[128];
        size_t count = conditions_of(layout, RANGES[i].asked, conditions);
        sheaf_status status = sheaf_layout_range(layout, SHEAF_LAYOUT_SORT_KEY, conditions, count, buffer, sizeof buffer,
                                                 &range, &fault);
        cr_assert_eq(status, SHEAF_OK, "case %zu, %s: %s", i, RANGES[i].line, fault.message);
        cr_assert(same_cut(&range.lower, RANGES[i].lower_side, RANGES[i].lower), "case %zu: lower is %d %.*s", i,
                  range.lower.side, (int)range.lower.bytes.size, (const char *)range.lower.bytes.data);
        cr_assert(same_cut(&range.upper, RANGES[i].upper_side, RANGES[i].upper), "case %zu: upper is %d %.*s", i,
                  range.upper.side, (int)range.upper.bytes.size, (const char *)range.upper.bytes.data);
        sheaf_layout_destroy(layout);
    }
}

static const struct {
    const char *line;
    struct asked asked[3];
    sheaf_status status;
    const char *field; /* NULL: none */
    const char *message;
} REFUSED[] = {
    { "sk = \"{a}#{b}#{c}\"", { { EQUAL, "b", "1", NULL } }, SHEAF_INVALID_ARGUMENT, "b", "before this one" },
    { "sk = \"{a}#{b}#{c}\"",
      { { EQUAL, "a", "1", NULL }, { LESS, "c", "1", NULL } },
      SHEAF_INVALID_ARGUMENT,
      "c",
      "before this one" },
    { "sk = \"{a}#{b}#{c}\"",
      { { LESS, "a", "1", NULL }, { EQUAL, "b", "1", NULL } },
      SHEAF_INVALID_ARGUMENT,
      "b",
      "no equality" },
    { "sk = \"{a}#{b}#{c}\"",
      { { BEGINS_WITH, "a", "1", NULL }, { EQUAL, "c", "1", NULL } },
      SHEAF_INVALID_ARGUMENT,
      "c",
      "no equality" },
    { "sk = \"{a}#{b}#{c}\"",
      { { EQUAL, "a", "1", NULL }, { EQUAL, "a", "1", NULL } },
      SHEAF_INVALID_ARGUMENT,
      "a",
      "two conditions" },
    { "pk = \"{p}\", sk = \"{a}\"", { { EQUAL, "p", "1", NULL } }, SHEAF_INVALID_ARGUMENT, "p", "not in this key" },
    { "sk = \"{a:raw}\"", { { LESS, "a", "1", NULL } }, SHEAF_INVALID_ARGUMENT, "a", "raw" },
    { "sk = \"{a:raw}\"", { { BETWEEN, "a", "1", "2" } }, SHEAF_INVALID_ARGUMENT, "a", "raw" },
    { "sk = \"{a:pad(3)}\"", { { BEGINS_WITH, "a", "1", NULL } }, SHEAF_INVALID_ARGUMENT, "a", "no beginning" },
    { "sk = \"{a:time}\"", { { BEGINS_WITH, "a", "2026-", NULL } }, SHEAF_INVALID_ARGUMENT, "a", "no beginning" },
    { "sk = \"{a:pad(3)}\"", { { 7, "a", "1", NULL } }, SHEAF_INVALID_ARGUMENT, "a", "no such condition" },
    { "sk = \"{a:pad(3)}\"", { { BETWEEN, "a", "2", "1" } }, SHEAF_RANGE_INVERTED, "a", "lower end" }, /* B82 */
    { "sk = \"{a:invert(3)}\"", { { BETWEEN, "a", "2", "1" } }, SHEAF_RANGE_INVERTED, "a", "lower end" },
    { "sk = \"{a:pad(3)}\"", { { BETWEEN, "a", "2000", "1001" } }, SHEAF_RANGE_INVERTED, "a", "lower end" },
    { "sk = \"{a}#\"", { { BETWEEN, "a", "a\"", "a!" } }, SHEAF_RANGE_INVERTED, "a", "lower end" },
    { "sk = \"{a:time}\"",
      { { BETWEEN, "a", "2026-05-01T09:00:00.7Z", "2026-05-01T09:00:00.5Z" } },
      SHEAF_RANGE_INVERTED,
      "a",
      "lower end" },
    { "sk = \"{a:epoch(s)}\"",
      { { BETWEEN, "a", "99999999999999999999", "2026-05-01T09:00:00Z" } },
      SHEAF_RANGE_INVERTED,
      "a",
      "lower end" },
    { "sk = \"{a:epoch(s)}\"",
      { { BETWEEN, "a", "99999999999999999999", "99999999999999999998" } },
      SHEAF_RANGE_INVERTED,
      "a",
      "lower end" },
    { "sk = \"{a:epoch(s)}\"",
      { { BETWEEN, "a", "1969-12-31T23:59:59.5Z", "-1" } },
      SHEAF_RANGE_INVERTED,
      "a",
      "lower end" },
    { "sk = \"{a:pad(3)}\"", { { EQUAL, "a", "1000", NULL } }, SHEAF_SEGMENT_REFUSED, "a", "more digits" },
    { "sk = \"{a:pad(3)}\"", { { LESS, "a", "x", NULL } }, SHEAF_NUMBER_MALFORMED, "a", "no decimal number" },
    { "sk = \"{a:time}\"", { { LESS, "a", "x", NULL } }, SHEAF_SEGMENT_REFUSED, "a", "no time" },
    { "sk = \"{a}#{b}\"", { { EQUAL, "a", "x#y", NULL } }, SHEAF_SEGMENT_REFUSED, "a", "delimiter" },
    { "sk = \"{a}#{b}\"", { { BEGINS_WITH, "a", "x#", NULL } }, SHEAF_SEGMENT_REFUSED, "a", "delimiter" },
    { "sk = \"{a}#{b}\"", { { EQUAL, "a", "", NULL } }, SHEAF_SEGMENT_REFUSED, "a", "empty" },
    { "sk = \"{a}#{b}\"", { { LESS, "a", "\xFF", NULL } }, SHEAF_TEXT_MALFORMED, "a", "UTF-8" },
    { "sk = \"{a}#{b}\"", { { BEGINS_WITH, "a", "\xC3", NULL } }, SHEAF_TEXT_MALFORMED, "a", "UTF-8" },
    { "sk = \"{a:path(/)}\"", { { BEGINS_WITH, "a", "x//y", NULL } }, SHEAF_SEGMENT_REFUSED, "a", "empty part" },
};

Test(layout_range, is_refused_where_it_is_not_one)
{
    for (size_t i = 0; i < COUNT(REFUSED); i++) {
        sheaf_layout *layout = compile(REFUSED[i].line);
        sheaf_condition conditions[3];
        sheaf_range range = sheaf_range_all();
        sheaf_layout_fault fault = { .message = "" };
        uint8_t buffer[128];
        size_t count = conditions_of(layout, REFUSED[i].asked, conditions);
        sheaf_status status = sheaf_layout_range(layout, SHEAF_LAYOUT_SORT_KEY, conditions, count, buffer, sizeof buffer,
                                                 &range, &fault);
        cr_assert_eq(status, REFUSED[i].status, "case %zu: %s, %s", i, sheaf_status_name(status), fault.message);
        cr_assert(strstr(fault.message, REFUSED[i].message), "case %zu: %s", i, fault.message);
        cr_assert_eq(fault.segment, sheaf_layout_find_field(layout, text(REFUSED[i].field)), "case %zu", i);
        cr_assert_eq(fault.field, SHEAF_FIELD_SORT_KEY);
        cr_assert_eq(range.lower.side, SHEAF_SIDE_UNBOUNDED, "untouched");
        cr_assert_eq(
            sheaf_layout_range(layout, SHEAF_LAYOUT_SORT_KEY, conditions, count, buffer, sizeof buffer, &range, NULL),
            REFUSED[i].status);
        sheaf_layout_destroy(layout);
    }
}

Test(layout_range, takes_the_right_keys_of_the_edge_cases)
{
    static const struct {
        const char *line;
        struct asked asked[3];
        const char *in[3], *out[3];
    } cases[] = {
        { "sk = \"USER#{user}#{o}\"",
          { { EQUAL, "user", "1", NULL } },
          { "USER#1#a" },
          { "USER#10#a", "USER#1", "USER#2#a" } },
        { "sk = \"{p}\"", { { GREATER, "p", "p1", NULL } }, { "p1a", "p2" }, { "p1", "p0" } },
        { "sk = \"{p:path(/)}\"",
          { { BEGINS_WITH, "p", "/team", NULL } },
          { "/team/a", "/team/" },
          { "/team_x", "/team", "/tea/" } },
        { "sk = \"{a}#{b}\"", { { EQUAL, "a", "ab", NULL } }, { "ab#c" }, { "a#bc", "abc#" } },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        sheaf_layout *layout = compile(cases[i].line);
        sheaf_condition conditions[3];
        sheaf_range range;
        uint8_t buffer[64];
        size_t count = conditions_of(layout, cases[i].asked, conditions);
        cr_assert_eq(
            sheaf_layout_range(layout, SHEAF_LAYOUT_SORT_KEY, conditions, count, buffer, sizeof buffer, &range, NULL),
            SHEAF_OK);
        for (size_t j = 0; j < 3; j++) {
            if (cases[i].in[j]) cr_assert(sheaf_range_contains(&range, text(cases[i].in[j])), "%s", cases[i].in[j]);
            if (cases[i].out[j]) cr_assert(!sheaf_range_contains(&range, text(cases[i].out[j])), "%s", cases[i].out[j]);
        }
        sheaf_layout_destroy(layout);
    }
}

/* The leaderboard as it comes out of a store: the largest first without turning the direction, and its slices. */
Test(layout_range, reads_the_leaderboard)
{
    static const char *const scores[] = { "9", "1500", "10", "240" };
    static const char *const sorted[] = { "9999998499#p", "9999999759#p", "9999999989#p", "9999999990#p" };
    sheaf_layout *layout = compile("pk = \"SEASON#{season}\", sk = \"{score:invert(10)}#{player}\"");
    sheaf_store *store;
    sheaf_cursor cursor;
    sheaf_range range;
    uint8_t buffer[128];
    sheaf_bytes season = text("SEASON#2026-SPRING"), key;
    cr_assert_eq(sheaf_store_create(NULL, &store, NULL), SHEAF_OK);
    for (size_t i = 0; i < COUNT(scores); i++) {
        sheaf_bytes values[] = { text("2026-SPRING"), text(scores[i]), text("p") };
        cr_assert_eq(sheaf_layout_encode(layout, SHEAF_LAYOUT_PARTITION_KEY, values, buffer, sizeof buffer, &key, NULL),
                     SHEAF_OK);
        cr_assert(sheaf_bytes_equal(key, season));
        cr_assert_eq(sheaf_layout_encode(layout, SHEAF_LAYOUT_SORT_KEY, values, buffer, sizeof buffer, &key, NULL),
                     SHEAF_OK);
        cr_assert_eq(sheaf_store_put(store, season, key, values[1], NULL, NULL), SHEAF_OK);
    }
    size_t met = 0;
    cr_assert_eq(sheaf_cursor_open(&cursor, store, season, NULL, NULL), SHEAF_OK);
    for (sheaf_cursor_first(&cursor); sheaf_cursor_valid(&cursor); sheaf_cursor_next(&cursor))
        cr_assert(sheaf_bytes_equal(cursor.key, text(sorted[met++])));
    cr_assert_eq(met, 4);
    sheaf_condition condition = { 1, BETWEEN, text("10"), text("1000") };
    cr_assert_eq(sheaf_layout_range(layout, SHEAF_LAYOUT_SORT_KEY, &condition, 1, buffer, sizeof buffer, &range, NULL),
                 SHEAF_OK);
    cr_assert_eq(sheaf_cursor_open(&cursor, store, season, &range, NULL), SHEAF_OK);
    for (sheaf_cursor_first(&cursor), met = 1; sheaf_cursor_valid(&cursor); sheaf_cursor_next(&cursor))
        cr_assert(sheaf_bytes_equal(cursor.key, text(sorted[met++])));
    cr_assert_eq(met, 3, "240 and 10");
    sheaf_store_destroy(store);
    sheaf_layout_destroy(layout);
}

/* The drive: a folder and what is below it, in path order, and neither the file of its name nor its siblings. */
Test(layout_range, reads_a_folder_of_the_drive)
{
    static const char *const paths[] = {
        "root/photos/sunset.jpg",
        "root/",
        "root/photos",
        "root/photos/2026/",
        "root/photos_old/a",
        "root/docs/cv.pdf",
        "root/photos/beach.jpg",
        "root/photos/",
        "root/photos/2026/x.jpg",
    };
    static const char *const sorted[] = { "root/photos/", "root/photos/2026/", "root/photos/2026/x.jpg",
                                          "root/photos/beach.jpg", "root/photos/sunset.jpg" };
    sheaf_layout *layout = compile("pk = \"DRIVE#{account}\", sk = \"{path:path(/)}\"");
    sheaf_store *store;
    sheaf_cursor cursor;
    sheaf_range range;
    uint8_t buffer[128];
    sheaf_bytes drive = text("DRIVE#a91"), key;
    cr_assert_eq(sheaf_store_create(NULL, &store, NULL), SHEAF_OK);
    for (size_t i = 0; i < COUNT(paths); i++) {
        sheaf_bytes values[] = { text("a91"), text(paths[i]) };
        cr_assert_eq(sheaf_layout_encode(layout, SHEAF_LAYOUT_SORT_KEY, values, buffer, sizeof buffer, &key, NULL),
                     SHEAF_OK);
        cr_assert_eq(sheaf_store_put(store, drive, key, text("x"), NULL, NULL), SHEAF_OK);
    }
    sheaf_condition condition = { 1, BEGINS_WITH, text("root/photos"), { NULL, 0 } };
    cr_assert_eq(sheaf_layout_range(layout, SHEAF_LAYOUT_SORT_KEY, &condition, 1, buffer, sizeof buffer, &range, NULL),
                 SHEAF_OK);
    cr_assert_eq(sheaf_cursor_open(&cursor, store, drive, &range, NULL), SHEAF_OK);
    size_t met = 0;
    for (sheaf_cursor_first(&cursor); sheaf_cursor_valid(&cursor); sheaf_cursor_next(&cursor))
        cr_assert(met < COUNT(sorted) && sheaf_bytes_equal(cursor.key, text(sorted[met++])), "%zu", met);
    cr_assert_eq(met, COUNT(sorted));
    sheaf_store_destroy(store);
    sheaf_layout_destroy(layout);
}

/* Every room that is too small is told what is needed, and twice the longest key is always enough. */
Test(layout_range, tells_how_much_room_it_needs)
{
    sheaf_layout *layout = compile("sk = \"A#{a}#{n:pad(4)}#{b}\"");
    sheaf_condition conditions[] = { { 0, EQUAL, text("xyz"), { 0 } }, { 1, BETWEEN, text("1"), text("2") } };
    uint8_t buffer[2048];
    sheaf_range range;
    sheaf_layout_fault fault;
    for (size_t room = 0; room < 22; room++) {
        cr_assert_eq(sheaf_layout_range(layout, SHEAF_LAYOUT_SORT_KEY, conditions, 2, buffer, room, &range, &fault),
                     SHEAF_BUFFER_TOO_SMALL);
        cr_assert(fault.size == 22 && fault.limit == room, "%zu", room); /* twice A#xyz#0001# */
    }
    cr_assert_eq(sheaf_layout_range(layout, SHEAF_LAYOUT_SORT_KEY, conditions, 2, buffer, 22, &range, &fault), SHEAF_OK);
    static uint8_t long_text[1100];
    memset(long_text, 'a', sizeof long_text);
    sheaf_condition last[] = { conditions[0],
                               { 1, EQUAL, text("1"), { 0 } },
                               { 2, BETWEEN, sheaf_bytes_of(long_text, 1013), sheaf_bytes_of(long_text, 1013) } };
    cr_assert_eq(sheaf_layout_range(layout, SHEAF_LAYOUT_SORT_KEY, last, 3, buffer, sizeof buffer, &range, &fault),
                 SHEAF_OK);
    last[2].high.size++;
    cr_assert_eq(sheaf_layout_range(layout, SHEAF_LAYOUT_SORT_KEY, last, 3, buffer, sizeof buffer, &range, &fault),
                 SHEAF_KEY_TOO_LONG);
    cr_assert(fault.size == 1025 && fault.limit == 1024 && fault.segment == 2);
    sheaf_layout_destroy(layout);
}
