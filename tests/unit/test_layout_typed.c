/* Layouts of binary tuples and of numbers; that order and ranges hold is tried in test_layout_laws.c. */
#include <sheaf/layout.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include <sheaf/number.h>

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

/* Bytes as hex digits, blanks between. */
static sheaf_bytes unhex(const char *hex, uint8_t *out)
{
    size_t size = 0;
    for (; *hex; hex++) {
        if (*hex == ' ') continue;
        unsigned byte;
        cr_assert_eq(sscanf(hex, "%2x", &byte), 1);
        out[size++] = (uint8_t)byte;
        hex++;
    }
    return sheaf_bytes_of(out, size);
}

/* Worked out by hand from the table in key.h. */
static const struct {
    const char *line;
    const char *values[3];
    const char *key;
    const char *read[3]; /* NULL: as the value */
} KEYS[] = {
    { "sk = (score:u64, player:text)", { "1500", "p_8842" }, "16 05DC 03 70 5F 38 38 34 32 00", { 0 } },
    { "sk = (score:u64 desc, player:text)", { "1500", "p_8842" }, "E9 FA23 03 70 5F 38 38 34 32 00", { 0 } },
    { "sk = ( a : u64 , b : u64 desc ) ", { "0", "0" }, "14 EB", { 0 } },
    { "sk = (a:u64)", { "00018446744073709551615" }, "1C FFFFFFFFFFFFFFFF", { "18446744073709551615" } },
    { "sk = (a:i64)", { "-1" }, "13 FE", { 0 } },
    { "sk = (a:i64)", { "-256" }, "12 FEFF", { 0 } },
    { "sk = (a:i64)", { "-9223372036854775808" }, "0C 7FFFFFFFFFFFFFFF", { 0 } },
    { "sk = (a:i64)", { "9223372036854775807" }, "1C 7FFFFFFFFFFFFFFF", { 0 } },
    { "sk = (a:i64)", { "-0" }, "14", { "0" } },
    { "sk = (a:i64)", { "7.00" }, "15 07", { "7" } },
    { "sk = (a:double)", { "1.5" }, "21 BFF8000000000000", { 0 } },
    { "sk = (a:double)", { "-2.5" }, "21 3FFBFFFFFFFFFFFF", { 0 } },
    { "sk = (a:double)", { "-0.0" }, "21 8000000000000000", { "0" } },
    { "sk = (a:double)", { "15E-1" }, "21 BFF8000000000000", { "1.5" } },
    { "sk = (a:double)", { "inf" }, "21 FFF0000000000000", { 0 } },
    { "sk = (a:double desc)", { "-inf" }, "DE FFF0000000000000", { 0 } },
    { "sk = (a:bool, b:bool desc)", { "true", "true" }, "27 D8", { 0 } },
    { "sk = (a:bool, b:bool desc)", { "false", "false" }, "26 D9", { 0 } },
    { "sk = (a:text, b:bytes, c:u64)", { "", "", "7" }, "03 00 02 00 15 07", { 0 } },
    { "sk = (a:text, b:bytes)", { "\x01", "\xFF\x01" }, "03 0102 00 02 FF0102 00", { 0 } },
    { "sk = (a:text desc)", { "a" }, "FC 9E FF", { 0 } },
};

Test(layout_typed, makes_tuples_of_fields_and_fields_of_tuples)
{
    for (size_t i = 0; i < COUNT(KEYS); i++) {
        sheaf_layout *layout = compile(KEYS[i].line);
        sheaf_bytes values[3], key, back[3];
        uint8_t buffer[128], wanted[128], texts[1024];
        sheaf_layout_fault fault = { .message = "" };
        for (size_t j = 0; j < 3; j++) values[j] = text(KEYS[i].values[j] ? KEYS[i].values[j] : "");
        cr_assert_eq(sheaf_layout_key_type(layout, SHEAF_LAYOUT_SORT_KEY), SHEAF_LAYOUT_BINARY);
        sheaf_status status = sheaf_layout_encode(layout, SHEAF_LAYOUT_SORT_KEY, values, buffer, sizeof buffer, &key,
                                                  &fault);
        cr_assert_eq(status, SHEAF_OK, "case %zu: %s", i, fault.message);
        cr_assert(sheaf_bytes_equal(key, unhex(KEYS[i].key, wanted)), "case %zu", i);
        size_t room = sheaf_layout_decode_size(layout, SHEAF_LAYOUT_SORT_KEY, key.size);
        cr_assert(room <= sizeof texts);
        status = sheaf_layout_decode(layout, SHEAF_LAYOUT_SORT_KEY, key, texts, room, back, &fault);
        cr_assert_eq(status, SHEAF_OK, "case %zu: %s", i, fault.message);
        for (size_t j = 0; j < sheaf_layout_field_count(layout); j++) {
            const char *read = KEYS[i].read[j] ? KEYS[i].read[j] : KEYS[i].values[j];
            cr_assert(sheaf_bytes_equal(back[j], text(read)), "case %zu: field %zu is %.*s", i, j, (int)back[j].size,
                      (const char *)back[j].data);
        }
        for (size_t small = 0; small < key.size; small++) {
            cr_assert_eq(sheaf_layout_encode(layout, SHEAF_LAYOUT_SORT_KEY, values, wanted, small, &key, &fault),
                         SHEAF_BUFFER_TOO_SMALL);
            cr_assert_eq(fault.size, key.size, "case %zu: %zu", i, (size_t)fault.size);
        }
        sheaf_layout_destroy(layout);
    }
}

/* The key of a number is that of number.h, and one for all its texts. */
Test(layout_typed, makes_number_keys)
{
    static const char *const texts[] = { "1", "1.0", "1E0", "0.1e1", "+1" };
    sheaf_layout *layout = compile("pk = \"A\", sk = score:number");
    uint8_t buffer[32], wanted[SHEAF_NUMBER_KEY_SIZE_MAX];
    size_t size = sheaf_number_to_key(sheaf_number_of_i64(1), wanted);
    cr_assert_eq(sheaf_layout_key_type(layout, SHEAF_LAYOUT_SORT_KEY), SHEAF_LAYOUT_NUMBER);
    for (size_t i = 0; i < COUNT(texts); i++) {
        sheaf_bytes key, value = text(texts[i]);
        uint8_t room[256];
        cr_assert_eq(sheaf_layout_encode(layout, SHEAF_LAYOUT_SORT_KEY, &value, buffer, sizeof buffer, &key, NULL),
                     SHEAF_OK);
        cr_assert(key.size == size && memcmp(key.data, wanted, size) == 0, "%s", texts[i]);
        cr_assert_eq(sheaf_layout_decode(layout, SHEAF_LAYOUT_SORT_KEY, key, room, sizeof room, &value, NULL), SHEAF_OK);
        cr_assert(sheaf_bytes_equal(value, text("1")));
    }
    sheaf_layout_destroy(layout);
}

static const struct {
    const char *line, *value;
    sheaf_status status;
} REFUSED[] = {
    { "sk = (a:u64)", "-1", SHEAF_SEGMENT_REFUSED },
    { "sk = (a:u64)", "18446744073709551616", SHEAF_SEGMENT_REFUSED },
    { "sk = (a:u64)", "1.5", SHEAF_SEGMENT_REFUSED },
    { "sk = (a:u64)", "", SHEAF_NUMBER_MALFORMED },
    { "sk = (a:u64)", "0x1", SHEAF_NUMBER_MALFORMED },
    { "sk = (a:i64)", "9223372036854775808", SHEAF_SEGMENT_REFUSED },
    { "sk = (a:i64)", "-9223372036854775809", SHEAF_SEGMENT_REFUSED },
    { "sk = (a:i64)", "-0.5", SHEAF_SEGMENT_REFUSED },
    { "sk = (a:double)", "nan", SHEAF_NUMBER_MALFORMED },
    { "sk = (a:double)", "1e309", SHEAF_NUMBER_MALFORMED },
    { "sk = (a:double)", "1.", SHEAF_NUMBER_MALFORMED },
    { "sk = (a:double)", "1,5", SHEAF_NUMBER_MALFORMED },
    { "sk = (a:double)", "1e", SHEAF_NUMBER_MALFORMED },
    { "sk = (a:number)", "1e126", SHEAF_NUMBER_OVERFLOW },
    { "sk = a:number", "1e-131", SHEAF_NUMBER_UNDERFLOW },
    { "sk = a:number", "123456789012345678901234567890123456789", SHEAF_NUMBER_TOO_LONG },
    { "sk = a:number", "x", SHEAF_NUMBER_MALFORMED },
    { "sk = (a:text)", "a\xFF", SHEAF_TEXT_MALFORMED },
    { "sk = (a:bool)", "yes", SHEAF_SEGMENT_REFUSED },
    { "sk = (a:bool)", "True", SHEAF_SEGMENT_REFUSED },
};

Test(layout_typed, refuses_what_is_no_value_of_the_type)
{
    for (size_t i = 0; i < COUNT(REFUSED); i++) {
        sheaf_layout *layout = compile(REFUSED[i].line);
        sheaf_bytes key = text("untouched"), value = text(REFUSED[i].value);
        uint8_t buffer[64];
        sheaf_layout_fault fault = { .message = "" };
        sheaf_status status = sheaf_layout_encode(layout, SHEAF_LAYOUT_SORT_KEY, &value, buffer, sizeof buffer, &key,
                                                  &fault);
        cr_assert_eq(status, REFUSED[i].status, "case %zu, %s: %s", i, REFUSED[i].value, sheaf_status_name(status));
        cr_assert(fault.segment == 0 && fault.column > 5 && strlen(fault.message) > 0);
        cr_assert(sheaf_bytes_equal(fault.value_view, value) && sheaf_bytes_equal(key, text("untouched")));
        sheaf_layout_destroy(layout);
    }
}

static const struct {
    const char *line, *key;
    size_t segment;
    uint64_t place;
} NO_KEYS[] = {
    { "sk = (a:u64, b:text)", "", 0, 0 },
    { "sk = (a:u64, b:text)", "15 07", 1, 2 },
    { "sk = (a:u64, b:text)", "13 FE 03 00", 0, 0 },   /* -1 */
    { "sk = (a:u64, b:text)", "EA F8 03 00", 0, 0 },   /* descending */
    { "sk = (a:u64, b:text)", "15 07 02 00", 1, 2 },   /* bytes */
    { "sk = (a:u64, b:text)", "15 07 03 61", 1, 2 },   /* no end */
    { "sk = (a:u64, b:text)", "16 0007 03 00", 0, 0 }, /* too many bytes */
    { "sk = (a:u64, b:text)", "15 07 03 00 14", SHEAF_LAYOUT_NO_FIELD, 4 },
    { "sk = (a:i64)", "1C 8000000000000000", 0, 0 }, /* 2^63 */
    { "sk = (a:text desc)", "03 61 00", 0, 0 },
    { "sk = (a:double)", "21 FFF8000000000000", 0, 0 }, /* no number */
    { "sk = a:number", "FF", 0, 0 },
    { "sk = a:number", "", 0, 0 },
};

Test(layout_typed, reads_no_other_keys)
{
    for (size_t i = 0; i < COUNT(NO_KEYS); i++) {
        sheaf_layout *layout = compile(NO_KEYS[i].line);
        sheaf_bytes values[2] = { { 0 }, { 0 } };
        uint8_t bytes[64], texts[1024];
        sheaf_layout_fault fault = { .message = "" };
        sheaf_bytes key = unhex(NO_KEYS[i].key, bytes);
        sheaf_status status = sheaf_layout_decode(layout, SHEAF_LAYOUT_SORT_KEY, key, texts, sizeof texts, values, &fault);
        cr_assert_eq(status, SHEAF_KEY_MALFORMED, "case %zu: %s", i, sheaf_status_name(status));
        cr_assert(fault.segment == NO_KEYS[i].segment && fault.size == NO_KEYS[i].place, "case %zu: segment %zu, place %zu",
                  i, fault.segment, (size_t)fault.size);
        cr_assert_null(values[0].data);
        size_t room = sheaf_layout_decode_size(layout, SHEAF_LAYOUT_SORT_KEY, key.size);
        status = sheaf_layout_decode(layout, SHEAF_LAYOUT_SORT_KEY, key, texts, room - 1, values, &fault);
        cr_assert_eq(status, SHEAF_BUFFER_TOO_SMALL);
        cr_assert_eq(fault.size, room);
        sheaf_layout_destroy(layout);
    }
}

static const struct {
    const char *line, *key;
    sheaf_condition_kind kind;
    const char *low, *high;
    sheaf_side lower_side;
    const char *lower;
    sheaf_side upper_side;
    const char *upper;
} RANGES[] = {
#define BEFORE SHEAF_SIDE_BEFORE
#define AFTER SHEAF_SIDE_AFTER
#define AFTER_ALL SHEAF_SIDE_AFTER_PREFIX
    { "sk = (a:u64, b:text)", "", SHEAF_CONDITION_EQUAL, "7", "", BEFORE, "1507", AFTER_ALL, "1507" },
    { "sk = (a:u64, b:text)", "", SHEAF_CONDITION_BETWEEN, "7", "256", BEFORE, "1507", AFTER_ALL, "16 0100" },
    { "sk = (a:u64 desc, b:text)", "", SHEAF_CONDITION_BETWEEN, "7", "256", BEFORE, "E9 FEFF", AFTER_ALL, "EA F8" },
    { "sk = (a:u64 desc, b:text)", "", SHEAF_CONDITION_GREATER, "7", "", BEFORE, "", BEFORE, "EA F8" },
    { "sk = (a:u64, b:text)", "", SHEAF_CONDITION_AT_LEAST, "-5", "", BEFORE, "", AFTER_ALL, "" },
    { "sk = (a:u64, b:text)", "", SHEAF_CONDITION_LESS, "18446744073709551616", "", BEFORE, "", AFTER_ALL, "" },
    { "sk = (a:u64, b:text)", "", SHEAF_CONDITION_LESS, "7.5", "", BEFORE, "", AFTER_ALL, "15 07" },
    { "sk = (a:i64)", "", SHEAF_CONDITION_GREATER, "-1.5", "", BEFORE, "13 FE", AFTER_ALL, "" },
    { "sk = (a:i64)", "", SHEAF_CONDITION_AT_MOST, "-1", "", BEFORE, "", AFTER, "13 FE" },
    { "sk = (a:text, b:u64)", "", SHEAF_CONDITION_BEGINS_WITH, "p_", "", BEFORE, "03 70 5F", AFTER_ALL, "03 70 5F" },
    { "sk = (a:text desc)", "", SHEAF_CONDITION_BEGINS_WITH, "a", "", BEFORE, "FC 9E", AFTER_ALL, "FC 9E" },
    { "sk = (a:bytes)", "", SHEAF_CONDITION_BEGINS_WITH, "\x01", "", BEFORE, "02 0102", AFTER_ALL, "02 0102" },
    { "sk = (a:bytes)", "", SHEAF_CONDITION_BEGINS_WITH, "", "", BEFORE, "02", AFTER_ALL, "02" },
    { "sk = (a:bool, b:u64)", "", SHEAF_CONDITION_LESS, "true", "", BEFORE, "", BEFORE, "27" },
};

Test(layout_typed, turns_conditions_into_ranges)
{
    for (size_t i = 0; i < COUNT(RANGES); i++) {
        sheaf_layout *layout = compile(RANGES[i].line);
        sheaf_condition condition = { 0, RANGES[i].kind, text(RANGES[i].low), text(RANGES[i].high) };
        sheaf_range range;
        uint8_t buffer[128], lower[64], upper[64];
        sheaf_layout_fault fault = { .message = "" };
        sheaf_status status = sheaf_layout_range(layout, SHEAF_LAYOUT_SORT_KEY, &condition, 1, buffer, sizeof buffer,
                                                 &range, &fault);
        cr_assert_eq(status, SHEAF_OK, "case %zu: %s", i, fault.message);
        cr_assert_eq(range.lower.side, RANGES[i].lower_side, "case %zu", i);
        cr_assert_eq(range.upper.side, RANGES[i].upper_side, "case %zu", i);
        cr_assert(sheaf_bytes_equal(range.lower.bytes, unhex(RANGES[i].lower, lower)), "case %zu", i);
        cr_assert(sheaf_bytes_equal(range.upper.bytes, unhex(RANGES[i].upper, upper)), "case %zu", i);
        sheaf_layout_destroy(layout);
    }
}

Test(layout_typed, refuses_what_is_not_one_range)
{
    static const struct {
        const char *line;
        sheaf_condition_kind kind;
        const char *low, *high;
        sheaf_status status;
    } cases[] = {
        { "sk = (a:u64)", SHEAF_CONDITION_BETWEEN, "8", "7", SHEAF_RANGE_INVERTED },
        { "sk = (a:u64 desc)", SHEAF_CONDITION_BETWEEN, "8", "7", SHEAF_RANGE_INVERTED },
        { "sk = (a:u64)", SHEAF_CONDITION_BETWEEN, "99999999999999999999", "18446744073709551616", SHEAF_RANGE_INVERTED },
        { "sk = (a:double)", SHEAF_CONDITION_BETWEEN, "0.5", "-inf", SHEAF_RANGE_INVERTED },
        { "sk = a:number", SHEAF_CONDITION_BETWEEN, "10", "9", SHEAF_RANGE_INVERTED }, /* B83: not as text */
        { "sk = (a:bool)", SHEAF_CONDITION_BETWEEN, "true", "false", SHEAF_RANGE_INVERTED },
        { "sk = (a:bytes)", SHEAF_CONDITION_BETWEEN, "b", "a", SHEAF_RANGE_INVERTED },
        { "sk = a:number", SHEAF_CONDITION_BEGINS_WITH, "1", "", SHEAF_INVALID_ARGUMENT },
        { "sk = (a:u64)", SHEAF_CONDITION_BEGINS_WITH, "1", "", SHEAF_INVALID_ARGUMENT },
        { "sk = (a:u64)", SHEAF_CONDITION_EQUAL, "1.5", "", SHEAF_SEGMENT_REFUSED },
        { "sk = (a:u64)", SHEAF_CONDITION_LESS, "x", "", SHEAF_NUMBER_MALFORMED },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        sheaf_layout *layout = compile(cases[i].line);
        sheaf_condition condition = { 0, cases[i].kind, text(cases[i].low), text(cases[i].high) };
        sheaf_range range;
        uint8_t buffer[128];
        cr_assert_eq(sheaf_layout_range(layout, SHEAF_LAYOUT_SORT_KEY, &condition, 1, buffer, sizeof buffer, &range, NULL),
                     cases[i].status, "case %zu", i);
        sheaf_layout_destroy(layout);
    }
}

Test(layout_typed, says_where_its_text_is_wrong)
{
    static const struct {
        const char *line;
        size_t column;
        const char *message;
    } cases[] = {
        { "sk = ()", 7, "name of a part" },
        { "sk = (a)", 8, "type are missing" },
        { "sk = (a:)", 9, "type is none of" },
        { "sk = (a:int)", 9, "type is none of" },
        { "sk = (a:u64 asc)", 13, "desc, or nothing" },
        { "sk = (a:u64 desc desc)", 18, "comma or a )" },
        { "sk = (a:u64", 12, "comma or a )" },
        { "sk = (a:u64,)", 13, "name of a part" },
        { "sk = (a:u64, a:text)", 14, "in this key already" },
        { "sk = a:u64", 6, "other types stand in parentheses" },
        { "sk = a:number desc", 15, "comma is missing" },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        sheaf_layout *layout;
        sheaf_layout_fault fault;
        cr_assert_eq(sheaf_layout_create(text(cases[i].line), NULL, &layout, &fault), SHEAF_LAYOUT_MALFORMED, "%s",
                     cases[i].line);
        cr_assert_eq(fault.column, cases[i].column, "%s: %zu, %s", cases[i].line, fault.column, fault.message);
        cr_assert(strstr(fault.message, cases[i].message), "%s: %s", cases[i].line, fault.message);
    }
    sheaf_layout_destroy(compile("sk = a:number; pk = (x:text,y:bool desc)"));
}
