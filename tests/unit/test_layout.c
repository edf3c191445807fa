#include <sheaf/layout.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "engine/base/bytes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

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

/* ---- compiling -------------------------------------------------------------------------------------------------------- */

Test(layout, knows_its_fields)
{
    sheaf_layout *layout = compile(
        "pk = \"SEASON#{season}\", sk = \"{score:invert(10)}#{time:pad(16)}#{season}{{}}{player:raw}\"");
    static const char *const names[] = { "season", "score", "time", "player" };
    static const size_t sort_fields[] = { 1, 2, 0, 3, SHEAF_LAYOUT_NO_FIELD };
    static const sheaf_layout_order orders[] = { SHEAF_LAYOUT_DESCENDING, SHEAF_LAYOUT_ASCENDING, SHEAF_LAYOUT_ASCENDING,
                                                 SHEAF_LAYOUT_UNORDERED, SHEAF_LAYOUT_UNORDERED };
    cr_assert_eq(sheaf_layout_field_count(layout), COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++) {
        cr_assert(sheaf_bytes_equal(sheaf_layout_field_name_view(layout, i), text(names[i])));
        cr_assert_eq(sheaf_layout_find_field(layout, text(names[i])), i);
    }
    cr_assert_eq(sheaf_layout_field_name_view(layout, COUNT(names)).size, 0);
    cr_assert_eq(sheaf_layout_find_field(layout, text("scor")), SHEAF_LAYOUT_NO_FIELD);
    cr_assert_eq(sheaf_layout_key_field_count(layout, SHEAF_LAYOUT_PARTITION_KEY), 1);
    cr_assert_eq(sheaf_layout_key_field_count(layout, SHEAF_LAYOUT_SORT_KEY), 4);
    cr_assert_eq(sheaf_layout_key_field(layout, SHEAF_LAYOUT_PARTITION_KEY, 0), 0);
    for (size_t i = 0; i < COUNT(sort_fields); i++) {
        cr_assert_eq(sheaf_layout_key_field(layout, SHEAF_LAYOUT_SORT_KEY, i), sort_fields[i]);
        cr_assert_eq(sheaf_layout_key_field_order(layout, SHEAF_LAYOUT_SORT_KEY, i), orders[i], "field %zu", i);
    }
    cr_assert_eq(sheaf_layout_key_type(layout, SHEAF_LAYOUT_SORT_KEY), SHEAF_LAYOUT_TEXT);
    cr_assert_eq(sheaf_layout_key_size_max(layout, SHEAF_LAYOUT_PARTITION_KEY), 2048);
    cr_assert_eq(sheaf_layout_key_size_max(layout, SHEAF_LAYOUT_SORT_KEY), 1024);
    sheaf_layout_destroy(layout);
    sheaf_layout_destroy(NULL);
}

/* The text is copied: what it was made from may go. */
Test(layout, keeps_its_own_text)
{
    char line[] = "sk = \"A#{a}\"";
    sheaf_layout *layout = compile(line);
    memset(line, 'x', sizeof line);
    uint8_t buffer[16];
    sheaf_bytes key, value = text("1");
    cr_assert_eq(sheaf_layout_encode(layout, SHEAF_LAYOUT_SORT_KEY, &value, buffer, sizeof buffer, &key, NULL), SHEAF_OK);
    cr_assert(sheaf_bytes_equal(key, text("A#1")));
    cr_assert(sheaf_bytes_equal(sheaf_layout_field_name_view(layout, 0), text("a")));
    sheaf_layout_destroy(layout);
}

Test(layout, may_be_written_in_many_ways)
{
    static const char *const lines[] = {
        "sk=\"A#{a:pad(4)}\"",
        "  sk  =  \"A#{ a : pad ( 4 ) }\"  ",
        "sk=\"A#{a:pad(4)}\",",
        "pk=\"x\";sk=\"A#{a:pad(4)}\"",
        "pk=\"x\"\nsk=\"A#{a:pad(4)}\"\n",
        "sk=\"A#{a:pad(4)}\"\r\n\r\n\tpk = \"x\"",
        "pk=\"x\" , sk=\"A#{a:pad(4)}\" ;\n",
    };
    for (size_t i = 0; i < COUNT(lines); i++) {
        sheaf_layout *layout = compile(lines[i]);
        uint8_t buffer[16];
        sheaf_bytes key, value = text("7");
        cr_assert_eq(sheaf_layout_encode(layout, SHEAF_LAYOUT_SORT_KEY, &value, buffer, sizeof buffer, &key, NULL),
                     SHEAF_OK);
        cr_assert(sheaf_bytes_equal(key, text("A#0007")), "%s", lines[i]);
        sheaf_layout_destroy(layout);
    }
}

static const struct {
    const char *line;
    size_t column;
    const char *message; /* a piece of it */
} MALFORMED[] = {
    { "", 1, "pk or sk" },
    { "   ", 4, "pk or sk" },
    { "key = \"a\"", 1, "pk or sk" },
    { "sk", 3, "= is missing" },
    { "sk = ", 6, "A key is missing" },
    { "sk = a", 7, "a type are missing" },
    { "sk = \"\"", 6, "empty" },
    { "sk = \"abc", 6, "never closed" },
    { "sk = \"a\\b\"", 8, "backslash" },
    { "sk = \"a}\"", 8, "{ is missing" },
    { "sk = \"{}\"", 8, "name of a field is missing" },
    { "sk = \"{:pad(1)}\"", 8, "name of a field is missing" },
    { "sk = \"{a\"", 9, "} is missing" },
    { "sk = \"{a b}\"", 10, "} is missing" },
    { "sk = \"{a:}\"", 10, "form is none of" },
    { "sk = \"{a:padded(3)}\"", 10, "form is none of" },
    { "sk = \"{a:pad}\"", 13, "( is missing" },
    { "sk = \"{a:pad()}\"", 14, "width is a number from 1 to 38" },
    { "sk = \"{a:pad(0)}\"", 14, "width is a number from 1 to 38" },
    { "sk = \"{a:pad(39)}\"", 14, "width is a number from 1 to 38" },
    { "sk = \"{a:pad(99999999999999999999999999)}\"", 14, "width is a number from 1 to 38" },
    { "sk = \"{a:pad(x)}\"", 14, "width is a number from 1 to 38" },
    { "sk = \"{a:pad(3}\"", 15, ") is missing" },
    { "sk = \"{a:pad(3,2)}\"", 15, ") is missing" },
    { "sk = \"{a:decimal(3)}\"", 19, "comma" },
    { "sk = \"{a:decimal(3,0)}\"", 20, "digits behind the point" },
    { "sk = \"{a:decimal(30,9)}\"", 21, "digits behind the point" },
    { "sk = \"{a:signed(38,1)}\"", 20, "digits behind the point" },
    { "sk = \"{a:time(s)}\"", 15, "ms or us" },
    { "sk = \"{a:time()}\"", 15, "ms or us" },
    { "sk = \"{a:epoch}\"", 15, "( is missing" },
    { "sk = \"{a:epoch(h)}\"", 16, "s, ms or us" },
    { "sk = \"{a:text(3)}\"", 14, "} is missing" },
    { "sk = \"{a:path}\"", 14, "( is missing" },
    { "sk = \"{a:path()}\"", 16, ") is missing" },
    { "sk = \"{a:path(//)}\"", 16, ") is missing" },
    { "sk = \"{a:path(\")}\"", 15, "delimiter is missing" },
    { "sk = \"{a:path(\xC3\xA9)}\"", 15, "ASCII" },
    { "sk = \"{a:path(/)}#\"", 7, "last of its key" },
    { "sk = \"{a:path(/)}{b:pad(3)}\"", 7, "last of its key" },
    { "sk = \"{tag}{value}\"", 12, "a delimiter is needed" }, /* B59 */
    { "sk = \"{a:escape}{b:pad(2)}\"", 17, "a delimiter is needed" },
    { "sk = \"{a:raw}{b:text}\"", 14, "a delimiter is needed" },
    { "sk = \"{a}\xE2\x86\x92{b}\"", 10, "ASCII" },
    { "sk = \"{a}\x7F{b}\"", 10, "ASCII" },
    { "sk = \"{a}#{a}\"", 11, "in this key already" },
    { "sk = \"{a}#{b}#{a:pad(3)}\"", 15, "in this key already" },
    { "sk = \"a\" sk = \"b\"", 10, "comma is missing" },
    { "sk = \"a\", sk = \"b\"", 11, "has this key already" },
    { "sk = \"a\",, pk = \"b\"", 10, "pk or sk" },
    { "sk = \"a\" x", 10, "comma is missing" },
    { "sk = \"a\"; x", 11, "pk or sk" },
    { "sk = \"a\xFF\"", 8, "UTF-8" },
};

Test(layout, says_where_its_text_is_wrong)
{
    for (size_t i = 0; i < COUNT(MALFORMED); i++) {
        sheaf_layout *layout = NULL;
        sheaf_layout_fault fault = { .message = "" };
        sheaf_status status = sheaf_layout_create(text(MALFORMED[i].line), NULL, &layout, &fault);
        cr_assert_eq(status, SHEAF_LAYOUT_MALFORMED, "%s", MALFORMED[i].line);
        cr_assert_eq(fault.field, SHEAF_FIELD_LAYOUT);
        cr_assert_eq(fault.column, MALFORMED[i].column, "%s: column %zu, %s", MALFORMED[i].line, fault.column,
                     fault.message);
        cr_assert(strstr(fault.message, MALFORMED[i].message), "%s: %s", MALFORMED[i].line, fault.message);
        cr_assert(fault.value_view.data == (const uint8_t *)MALFORMED[i].line + MALFORMED[i].column - 1);
        cr_assert_null(layout);
        cr_assert_eq(sheaf_layout_create(text(MALFORMED[i].line), NULL, &layout, NULL), SHEAF_LAYOUT_MALFORMED);
    }
}

/* 64 parts are enough for anybody, and one more is refused where it stands. */
Test(layout, has_a_limit_of_parts)
{
    char line[1000] = "sk = \"", *end = line + 6;
    for (int i = 0; i < SHEAF_LAYOUT_PART_MAX; i++) end += snprintf(end, 16, "{a%02d:pad(9)}", i);
    memcpy(end, "\"", 2);
    sheaf_layout *layout = compile(line);
    cr_assert_eq(sheaf_layout_field_count(layout), 64);
    sheaf_layout_destroy(layout);
    memcpy(end, "#\"", 3);
    sheaf_layout_fault fault;
    cr_assert_eq(sheaf_layout_create(text(line), NULL, &layout, &fault), SHEAF_LAYOUT_MALFORMED);
    cr_assert_eq(fault.column, (size_t)(end - line) + 1);
    cr_assert(fault.size == 65 && fault.limit == 64);
}

/* What no value could make a key of is refused when it is made: 1023 bytes of text and a field are a key, one byte more is not. */
Test(layout, is_not_made_if_every_key_is_too_long)
{
    char line[1100] = "sk = \"";
    sheaf_layout *layout;
    sheaf_layout_fault fault;
    memset(line + 6, 'x', 1023);
    memcpy(line + 6 + 1023, "{a}\"", 5);
    sheaf_layout_destroy(compile(line));
    memcpy(line + 6 + 1023, "x{a}\"", 6);
    cr_assert_eq(sheaf_layout_create(text(line), NULL, &layout, &fault), SHEAF_LAYOUT_MALFORMED);
    cr_assert(fault.column == 6 && fault.size == 1025 && fault.limit == 1024);
}

Test(layout, checks_its_options)
{
    sheaf_allocator hollow = { 0 };
    sheaf_layout_options options[] = {
        { .partition_key_size_max = SHEAF_PARTITION_KEY_SIZE_HARD + 1 },
        { .sort_key_size_max = SHEAF_SORT_KEY_SIZE_HARD + 1 },
        { .allocator = &hollow },
    };
    for (size_t i = 0; i < COUNT(options); i++) {
        sheaf_layout *layout;
        sheaf_layout_fault fault;
        cr_assert_eq(sheaf_layout_create(text("sk=\"{a}\""), &options[i], &layout, &fault), SHEAF_INVALID_ARGUMENT);
        cr_assert_eq(fault.field, SHEAF_FIELD_OPTION);
    }
}

/* ---- fields to keys and back ------------------------------------------------------------------------------------------ */

static const struct {
    const char *line;
    const char *values[4]; /* of the sort key's fields, in order */
    const char *key;
} KEYS[] = {
    /* the leaderboard */
    { "pk = \"SEASON#{season}\", sk = \"{score:pad(10)}#{time:pad(10)}#{player}\"",
      { "2026-SPRING", "1500", "1719100800", "p_8842" },
      "0000001500#1719100800#p_8842" },
    { "sk = \"{score:pad(10)}#{time:pad(16)}#{player}\"",
      { "1500", "1719100800", "p_8842" },
      "0000001500#0000001719100800#p_8842" },
    { "sk = \"{score:invert(10)}#{player}\"", { "1500", "p_8842" }, "9999998499#p_8842" },
    { "sk = \"{score:invert(10)}#{player}\"", { "9", "p_1" }, "9999999990#p_1" },
    /* the drive */
    { "sk = \"{path}\"", { "root/photos/2026/" }, "root/photos/2026/" },
    { "sk = \"{path:path(/)}\"", { "root/photos/beach.jpg" }, "root/photos/beach.jpg" },
    { "sk = \"{{{a}!}}\\\"\\\\{b:epoch(ms)}{c:time}\"",
      { "x~", "2026-05-01T09:07:03.25Z", "2026-05-01T11:07:03+02:00" },
      "{x~!}\"\\17776264232502026-05-01T09:07:03Z" },
    { "sk = \"{a:pad(3)}{b:signed(2)}{c}\"",
      { "7", "-7", "7" },
      "007093"
      "7" },
    { "sk = \"ORDER#{a:escape}#ITEM#{b:decimal(3,2)}\"", { "a#b", "9.5" }, "ORDER#a$23b#ITEM#009.50" },
    { "sk = \"\xC3\xA9#{a}\"", { "\xF0\x9F\x98\x80" }, "\xC3\xA9#\xF0\x9F\x98\x80" },
};

Test(layout, makes_keys_of_fields_and_fields_of_keys)
{
    for (size_t i = 0; i < COUNT(KEYS); i++) {
        sheaf_layout *layout = compile(KEYS[i].line);
        sheaf_bytes values[4], key, again, back[4];
        for (size_t j = 0; j < 4; j++) values[j] = KEYS[i].values[j] ? text(KEYS[i].values[j]) : text("");
        uint8_t buffer[128], texts[128], anew[128];
        sheaf_layout_fault fault = { .message = "" };
        sheaf_status status = sheaf_layout_encode(layout, SHEAF_LAYOUT_SORT_KEY, values, buffer, sizeof buffer, &key,
                                                  &fault);
        cr_assert_eq(status, SHEAF_OK, "case %zu: %s", i, fault.message);
        cr_assert(sheaf_bytes_equal(key, text(KEYS[i].key)), "case %zu: %.*s", i, (int)key.size, (const char *)key.data);
        size_t room = sheaf_layout_decode_size(layout, SHEAF_LAYOUT_SORT_KEY, key.size);
        cr_assert(room <= sizeof texts);
        memcpy(back, values, sizeof back); /* the fields of the other key stay */
        status = sheaf_layout_decode(layout, SHEAF_LAYOUT_SORT_KEY, key, texts, room, back, &fault);
        cr_assert_eq(status, SHEAF_OK, "case %zu: %s", i, fault.message);
        status = sheaf_layout_encode(layout, SHEAF_LAYOUT_SORT_KEY, back, anew, sizeof anew, &again, &fault);
        cr_assert_eq(status, SHEAF_OK, "case %zu: %s", i, fault.message);
        cr_assert(sheaf_bytes_equal(again, key), "case %zu: %.*s", i, (int)again.size, (const char *)again.data);
        sheaf_layout_destroy(layout);
    }
}

Test(layout, gives_fields_back_as_they_print)
{
    sheaf_layout *layout = compile("pk = \"P#{tenant}\", sk = \"{score:invert(10)}#{when:epoch(s)}#{player}\"");
    sheaf_bytes values[4] = { text("other"), { 0 }, { 0 }, { 0 } };
    uint8_t texts[64];
    cr_assert_eq(sheaf_layout_decode(layout, SHEAF_LAYOUT_SORT_KEY, text("9999998499#1777626423#p_8842"), texts,
                                     sizeof texts, values, NULL),
                 SHEAF_OK);
    cr_assert(sheaf_bytes_equal(values[0], text("other")));
    cr_assert(sheaf_bytes_equal(values[1], text("1500")));
    cr_assert(sheaf_bytes_equal(values[2], text("1777626423")));
    cr_assert(sheaf_bytes_equal(values[3], text("p_8842")));
    cr_assert_eq(sheaf_layout_decode(layout, SHEAF_LAYOUT_PARTITION_KEY, text("P#t1"), texts, sizeof texts, values, NULL),
                 SHEAF_OK);
    cr_assert(sheaf_bytes_equal(values[0], text("t1")));
    cr_assert(sheaf_bytes_equal(values[3], text("p_8842")));
    sheaf_layout_destroy(layout);
}

static const struct {
    const char *line;
    const char *values[3];
    sheaf_status status;
    size_t segment, column;
    uint64_t size, limit;
} REFUSED[] = {
    { "sk = \"{score:pad(10)}#{player}\"", { "10000000000", "p" }, SHEAF_SEGMENT_REFUSED, 0, 7, 11, 10 },
    { "sk = \"{score:pad(10)}#{player}\"", { "-1", "p" }, SHEAF_SEGMENT_REFUSED, 0, 7, 0, 0 },
    { "sk = \"{score:pad(10)}#{player}\"", { "x", "p" }, SHEAF_NUMBER_MALFORMED, 0, 7, 0, 0 },
    { "sk = \"{score:pad(10)}#{player}\"", { "1", "" }, SHEAF_SEGMENT_REFUSED, 1, 23, 0, 0 },
    { "sk = \"{score:pad(10)}#{player}\"", { "1", "a\xFF" }, SHEAF_TEXT_MALFORMED, 1, 23, 1, 0 },
    { "sk = \"USER#{user}#{order}\"", { "a#b", "1" }, SHEAF_SEGMENT_REFUSED, 0, 12, 1, 0 },
    { "sk = \"USER#{user}#{order}\"", { "a b", "1" }, SHEAF_SEGMENT_REFUSED, 0, 12, 1, 0 },
    { "sk = \"{{{a}}}\"", { "x~}" }, SHEAF_SEGMENT_REFUSED, 0, 9, 0, 0 },
    { "sk = \"{t:time}\"", { "2016-12-31T23:59:60Z" }, SHEAF_SEGMENT_REFUSED, 0, 7, 0, 0 },
};

Test(layout, says_which_segment_refuses_what)
{
    for (size_t i = 0; i < COUNT(REFUSED); i++) {
        sheaf_layout *layout = compile(REFUSED[i].line);
        sheaf_bytes values[3], key = text("untouched");
        for (size_t j = 0; j < 3; j++) values[j] = REFUSED[i].values[j] ? text(REFUSED[i].values[j]) : text("");
        uint8_t buffer[128];
        sheaf_layout_fault fault = { .message = "" };
        sheaf_status status = sheaf_layout_encode(layout, SHEAF_LAYOUT_SORT_KEY, values, buffer, sizeof buffer, &key,
                                                  &fault);
        cr_assert_eq(status, REFUSED[i].status, "case %zu: %s", i, sheaf_status_name(status));
        cr_assert_eq(fault.field, SHEAF_FIELD_SORT_KEY);
        cr_assert(fault.segment == REFUSED[i].segment && fault.column == REFUSED[i].column,
                  "case %zu: segment %zu, column %zu", i, fault.segment, fault.column);
        cr_assert(fault.size == REFUSED[i].size && fault.limit == REFUSED[i].limit, "case %zu: %llu, %llu", i,
                  (unsigned long long)fault.size, (unsigned long long)fault.limit);
        cr_assert(sheaf_bytes_equal(fault.value_view, values[REFUSED[i].segment]));
        cr_assert(sheaf_bytes_equal(key, text("untouched")));
        sheaf_layout_destroy(layout);
    }
}

/* Both limits, on both sides. */
Test(layout, keeps_keys_within_their_limits)
{
    static uint8_t long_text[2100], buffer[4200];
    memset(long_text, 'a', sizeof long_text);
    sheaf_layout *layout = compile("pk = \"P#{a}\", sk = \"{n:pad(4)}#{a}!\"");
    for (int which = 0; which < 2; which++) {
        size_t limit = which == 0 ? 2048 : 1024, fixed = which == 0 ? 2 : 6;
        sheaf_bytes key, values[2] = { sheaf_bytes_of(long_text, limit - fixed), text("7") };
        sheaf_layout_fault fault;
        cr_assert_eq(sheaf_layout_encode(layout, (sheaf_layout_key)which, values, buffer, limit, &key, &fault), SHEAF_OK);
        cr_assert_eq(key.size, limit);
        cr_assert_eq(sheaf_layout_encode(layout, (sheaf_layout_key)which, values, buffer, limit - 1, &key, &fault),
                     SHEAF_BUFFER_TOO_SMALL);
        cr_assert(fault.size == limit && fault.limit == limit - 1);
        values[0].size++;
        cr_assert_eq(sheaf_layout_encode(layout, (sheaf_layout_key)which, values, buffer, sizeof buffer, &key, &fault),
                     SHEAF_KEY_TOO_LONG);
        cr_assert(fault.size == limit + 1 && fault.limit == limit && fault.segment == 0);
        cr_assert(sheaf_bytes_equal(fault.value_view, values[0]));
        cr_assert_eq(fault.field, which == 0 ? SHEAF_FIELD_PARTITION_KEY : SHEAF_FIELD_SORT_KEY);
    }
    sheaf_bytes values[2];
    sheaf_layout_fault fault;
    cr_assert_eq(sheaf_layout_decode(layout, SHEAF_LAYOUT_SORT_KEY, sheaf_bytes_of(long_text, 1025), buffer, sizeof buffer,
                                     values, &fault),
                 SHEAF_KEY_TOO_LONG);
    sheaf_layout_destroy(layout);
    sheaf_layout_options options = { .sort_key_size_max = 8 };
    cr_assert_eq(sheaf_layout_create(text("sk = \"{a}\""), &options, &layout, NULL), SHEAF_OK);
    sheaf_bytes key, value = text("123456789");
    cr_assert_eq(sheaf_layout_encode(layout, SHEAF_LAYOUT_SORT_KEY, &value, buffer, sizeof buffer, &key, NULL),
                 SHEAF_KEY_TOO_LONG);
    value.size--;
    cr_assert_eq(sheaf_layout_encode(layout, SHEAF_LAYOUT_SORT_KEY, &value, buffer, sizeof buffer, &key, NULL), SHEAF_OK);
    sheaf_layout_destroy(layout);
}

static const struct {
    const char *key;
    size_t segment, column;
    uint64_t place;
} NO_KEYS[] = {
    /* of USER#{user}#{n:pad(4)}#{rest} */
    { "", SHEAF_LAYOUT_NO_FIELD, 7, 0 },
    { "USER", SHEAF_LAYOUT_NO_FIELD, 7, 0 },
    { "USER#", 0, 12, 5 },
    { "USER##0001#x", 0, 12, 5 },
    { "USER#a b#0001#x", SHEAF_LAYOUT_NO_FIELD, 18, 6 },
    { "USER#a#001#x", 1, 19, 7 },
    { "USER#a#00", 1, 19, 9 },
    { "USER#a#0001", SHEAF_LAYOUT_NO_FIELD, 29, 11 },
    { "USER#a#0001#", 2, 30, 12 },
    { "USER#a#0001#\xFF", 2, 30, 12 },
    { "USER#a#00010#x", SHEAF_LAYOUT_NO_FIELD, 29, 11 },
};

Test(layout, says_where_a_key_is_none_of_its)
{
    sheaf_layout *layout = compile("sk = \"USER#{user}#{n:pad(4)}#{rest}\"");
    for (size_t i = 0; i < COUNT(NO_KEYS); i++) {
        sheaf_bytes values[3] = { { 0 }, { 0 }, { 0 } };
        uint8_t texts[64];
        sheaf_layout_fault fault = { .message = "" };
        sheaf_status status = sheaf_layout_decode(layout, SHEAF_LAYOUT_SORT_KEY, text(NO_KEYS[i].key), texts, sizeof texts,
                                                  values, &fault);
        cr_assert_eq(status, SHEAF_KEY_MALFORMED, "%s", NO_KEYS[i].key);
        cr_assert(fault.segment == NO_KEYS[i].segment && fault.column == NO_KEYS[i].column &&
                      fault.size == NO_KEYS[i].place,
                  "%s: segment %zu, column %zu, place %llu: %s", NO_KEYS[i].key, fault.segment, fault.column,
                  (unsigned long long)fault.size, fault.message);
        cr_assert_null(values[0].data, "nothing is set");
    }
    sheaf_layout_destroy(layout);
    layout = compile("sk = \"{n:pad(4)}\"");
    sheaf_bytes value;
    uint8_t texts[8];
    sheaf_layout_fault fault;
    cr_assert_eq(sheaf_layout_decode(layout, SHEAF_LAYOUT_SORT_KEY, text("00012"), texts, sizeof texts, &value, &fault),
                 SHEAF_KEY_MALFORMED);
    cr_assert_eq(fault.size, 4);
    cr_assert_eq(sheaf_layout_decode(layout, SHEAF_LAYOUT_SORT_KEY, text("0123"), texts, 2, &value, &fault),
                 SHEAF_BUFFER_TOO_SMALL);
    cr_assert(fault.size == 3 && fault.limit == 2);
    sheaf_layout_destroy(layout);
}

Test(layout, has_only_the_keys_it_says)
{
    sheaf_layout *layout = compile("sk = \"{a}\"");
    sheaf_bytes key, value = text("x");
    sheaf_range range;
    sheaf_layout_fault fault;
    uint8_t buffer[8];
    cr_assert_eq(sheaf_layout_key_type(layout, SHEAF_LAYOUT_PARTITION_KEY), SHEAF_LAYOUT_NONE);
    cr_assert_eq(sheaf_layout_key_field_count(layout, SHEAF_LAYOUT_PARTITION_KEY), 0);
    cr_assert_eq(sheaf_layout_encode(layout, SHEAF_LAYOUT_PARTITION_KEY, &value, buffer, 8, &key, &fault),
                 SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(fault.field, SHEAF_FIELD_PARTITION_KEY);
    cr_assert_eq(sheaf_layout_decode(layout, SHEAF_LAYOUT_PARTITION_KEY, value, buffer, 8, &key, &fault),
                 SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(sheaf_layout_range(layout, SHEAF_LAYOUT_PARTITION_KEY, NULL, 0, buffer, 8, &range, &fault),
                 SHEAF_INVALID_ARGUMENT);
    sheaf_layout_destroy(layout);
}
