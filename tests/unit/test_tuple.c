/*
 * test_tuple.c - binary tuples: the bytes of each kind of part, every width of integers, what is refused.
 */
#include <sheaf/key.h>

#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <string.h>

__extension__ typedef __int128 integer128;

static uint8_t buffer[4096], scratch[4096];
static sheaf_key_writer writer;

static void begin(void)
{
    sheaf_key_begin(&writer, buffer, sizeof buffer);
}

TestSuite(tuple, .init = begin);

static sheaf_bytes end(void)
{
    sheaf_bytes key = { 0 };
    cr_assert_eq(sheaf_key_end(&writer, &key, NULL), SHEAF_OK);
    return key;
}

static sheaf_bytes text(const char *characters)
{
    return sheaf_bytes_of(characters, strlen(characters));
}

/* What was written is `wanted`, and nothing else. */
static void expect(sheaf_bytes wanted)
{
    sheaf_bytes key = end();
    cr_assert_eq(key.size, wanted.size, "%zu bytes, not %zu", key.size, wanted.size);
    for (size_t i = 0; i < key.size; i++) cr_assert_eq(key.data[i], wanted.data[i], "byte %zu is %02x", i, key.data[i]);
    begin();
}

static sheaf_key_part only_part(sheaf_bytes key)
{
    sheaf_key_reader reader;
    sheaf_key_part part, none;
    sheaf_key_read(&reader, key, scratch, sizeof scratch);
    cr_assert_eq(sheaf_key_next_part(&reader, &part, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_key_next_part(&reader, &none, NULL), SHEAF_NOT_FOUND);
    return part;
}

/* ---- bytes ------------------------------------------------------------------------------------------------------------ */

Test(tuple, is_written_as_the_header_draws)
{
    sheaf_key_add_u64(&writer, 1500, SHEAF_ASCENDING);
    sheaf_key_add_text(&writer, text("p_8842"), SHEAF_ASCENDING);
    expect(SHEAF_LIT("\x16\x05\xDC\x03p_8842\x00"));
    expect(SHEAF_LIT(""));
    sheaf_key_add_null(&writer, SHEAF_ASCENDING);
    sheaf_key_add_bool(&writer, false, SHEAF_ASCENDING);
    sheaf_key_add_bool(&writer, true, SHEAF_ASCENDING);
    sheaf_key_add_null(&writer, SHEAF_DESCENDING);
    sheaf_key_add_bool(&writer, false, SHEAF_DESCENDING);
    sheaf_key_add_bool(&writer, true, SHEAF_DESCENDING);
    expect(SHEAF_LIT("\x01\x26\x27\xFE\xD9\xD8"));
    sheaf_key_add_number(&writer, sheaf_number_of_i64(150), SHEAF_ASCENDING);
    sheaf_key_add_number(&writer, sheaf_number_of_i64(150), SHEAF_DESCENDING);
    expect(SHEAF_LIT("\x20\x03\x84\x1E\xDF\xFC\x7B\xE1"));
}

Test(tuple, b53_escapes_the_byte_that_ends)
{
    sheaf_key_add_bytes(&writer, sheaf_bytes_of("a\0b", 3), SHEAF_ASCENDING);
    expect(SHEAF_LIT("\x02" "a\x01\x01" "b\x00"));
    sheaf_key_add_bytes(&writer, sheaf_bytes_of("a\0b", 3), SHEAF_DESCENDING);
    expect(SHEAF_LIT("\xFD\x9E\xFE\xFE\x9D\xFF"));
    sheaf_key_add_text(&writer, text(""), SHEAF_ASCENDING);
    sheaf_key_add_text(&writer, text(""), SHEAF_DESCENDING);
    expect(SHEAF_LIT("\x03\x00\xFC\xFF"));
    sheaf_key_add_bytes(&writer, sheaf_bytes_of("\0\1\2", 3), SHEAF_ASCENDING);
    sheaf_key_add_bytes(&writer, sheaf_bytes_of("\xFF", 1), SHEAF_ASCENDING);
    expect(SHEAF_LIT("\x02\x01\x01\x01\x02\x02\x00\x02\xFF\x00"));
}

Test(tuple, b53_sorts_bytes_whatever_follows)
{
    static const struct {
        size_t size;
        char bytes[4];
    } ascending[] = { { 0, "" }, { 1, { 0 } }, { 2, { 0, 0 } }, { 2, { 0, 1 } }, { 1, "a" }, { 2, { 'a', 0 } }, { 3, { 'a', 0, 'b' } },
                      { 2, { 'a', 1 } }, { 2, { 'a', '\xFF' } }, { 1, { '\xFF' } }, { 2, { '\xFF', 0 } }, { 2, { '\xFF', '\xFF' } } };
    enum { COUNT = sizeof ascending / sizeof *ascending };
    for (int order = 0; order < 2; order++) {
        for (int suffix = 0; suffix < 4; suffix++) {
            for (size_t i = 0; i + 1 < COUNT; i++) {
                uint8_t keys[2][64];
                sheaf_bytes key[2];
                for (size_t j = 0; j < 2; j++) {
                    sheaf_key_begin(&writer, keys[j], sizeof keys[j]);
                    sheaf_bytes value = sheaf_bytes_of(ascending[i + j].bytes, ascending[i + j].size);
                    sheaf_key_add_bytes(&writer, value, (sheaf_order)order);
                    bool high = (j == 0) == (order == 0); /* the suffix speaks against the order */
                    if (suffix == 1) sheaf_key_add_null(&writer, high ? SHEAF_DESCENDING : SHEAF_ASCENDING);
                    if (suffix == 2 && high) sheaf_key_add_null(&writer, SHEAF_DESCENDING);
                    if (suffix == 3 && !high) sheaf_key_add_null(&writer, SHEAF_ASCENDING);
                    key[j] = end();
                }
                int found = sheaf_bytes_compare(key[0], key[1]);
                cr_assert(order == 0 ? found < 0 : found > 0, "%zu, order %d, suffix %d", i, order, suffix);
            }
        }
    }
}

Test(tuple, b50_writes_doubles_by_value)
{
    static const double ascending[] = { -INFINITY, -DBL_MAX, -2.5, -1.0, -DBL_MIN, -4.9406564584124654e-324, 0.0,
                                        4.9406564584124654e-324, DBL_MIN, 1.0, 1.0000000000000002, 2.5, DBL_MAX, INFINITY };
    uint8_t before[16];
    size_t before_size = 0;
    for (size_t i = 0; i < sizeof ascending / sizeof *ascending; i++) {
        begin();
        sheaf_key_add_double(&writer, ascending[i], SHEAF_ASCENDING);
        sheaf_bytes key = end();
        cr_assert_eq(key.size, 9);
        if (i > 0) cr_assert_lt(sheaf_bytes_compare(sheaf_bytes_of(before, before_size), key), 0, "%g", ascending[i]);
        memcpy(before, key.data, before_size = key.size);
        sheaf_key_part part = only_part(key);
        cr_assert_eq(part.kind, SHEAF_PART_DOUBLE);
        cr_assert_eq(memcmp(&part.floating, &ascending[i], 8), 0, "%g", ascending[i]);
    }
    begin();
    sheaf_key_add_double(&writer, -0.0, SHEAF_ASCENDING);
    expect(SHEAF_LIT("\x21\x80\0\0\0\0\0\0\0"));
    sheaf_key_add_double(&writer, -2.5, SHEAF_ASCENDING); /* C004 0000 0000 0000, flipped */
    expect(SHEAF_LIT("\x21\x3F\xFB\xFF\xFF\xFF\xFF\xFF\xFF"));
}

/* ---- integers --------------------------------------------------------------------------------------------------------- */

Test(tuple, b52_writes_integers_in_as_few_bytes_as_they_need)
{
    sheaf_key_add_u64(&writer, 0, SHEAF_ASCENDING);
    expect(SHEAF_LIT("\x14"));
    sheaf_key_add_u64(&writer, UINT64_MAX, SHEAF_ASCENDING);
    expect(SHEAF_LIT("\x1C\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"));
    sheaf_key_add_u64(&writer, UINT64_MAX - 1, SHEAF_ASCENDING);
    expect(SHEAF_LIT("\x1C\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE"));
    sheaf_key_add_i64(&writer, -1, SHEAF_ASCENDING);
    expect(SHEAF_LIT("\x13\xFE"));
    sheaf_key_add_i64(&writer, -255, SHEAF_ASCENDING);
    expect(SHEAF_LIT("\x13\x00"));
    sheaf_key_add_i64(&writer, -256, SHEAF_ASCENDING);
    expect(SHEAF_LIT("\x12\xFE\xFF"));
    sheaf_key_add_i64(&writer, INT64_MIN, SHEAF_ASCENDING);
    expect(SHEAF_LIT("\x0C\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF"));
    sheaf_key_add_i64(&writer, 1500, SHEAF_DESCENDING);
    expect(SHEAF_LIT("\xE9\xFA\x23"));
}

/* Each boundary of a width, with its neighbours, below and above 0. */
Test(tuple, b52_every_width_has_its_boundaries_right)
{
    uint8_t before[2][16];
    size_t before_size[2] = { 0 };
    integer128 last = -((integer128)1 << 100);
    for (int side = 0; side < 2; side++) {
        for (int step = 0; step <= 64; step += 8) {
            int shift = side == 0 ? 64 - step : step;
            for (int nudge = -1; nudge <= 1; nudge++) {
                integer128 value = ((integer128)1 << shift) * (side == 0 ? -1 : 1) + nudge;
                if (value > (integer128)UINT64_MAX || value < INT64_MIN || value <= last) continue;
                last = value;
                for (int order = 0; order < 2; order++) {
                    begin();
                    if (value < 0) sheaf_key_add_i64(&writer, (int64_t)value, (sheaf_order)order);
                    else sheaf_key_add_u64(&writer, (uint64_t)value, (sheaf_order)order);
                    sheaf_bytes key = end();
                    if (before_size[order] > 0) {
                        int found = sheaf_bytes_compare(sheaf_bytes_of(before[order], before_size[order]), key);
                        cr_assert(order == 0 ? found < 0 : found > 0, "shift %d nudge %d", shift, nudge);
                    }
                    memcpy(before[order], key.data, before_size[order] = key.size);
                    sheaf_key_part part = only_part(key);
                    cr_assert_eq(part.kind, SHEAF_PART_INTEGER);
                    cr_assert_eq(part.order, (sheaf_order)order);
                    integer128 back = part.negative ? -(integer128)part.magnitude : part.magnitude;
                    cr_assert(back == value, "shift %d nudge %d", shift, nudge);
                    if (value >= 0 && value <= INT64_MAX) { /* one value, one encoding */
                        uint8_t again[16];
                        sheaf_bytes other;
                        sheaf_key_begin(&writer, again, sizeof again);
                        sheaf_key_add_i64(&writer, (int64_t)value, (sheaf_order)order);
                        cr_assert_eq(sheaf_key_end(&writer, &other, NULL), SHEAF_OK);
                        cr_assert_eq(sheaf_bytes_compare(other, sheaf_bytes_of(before[order], before_size[order])), 0);
                    }
                }
            }
        }
    }
}

/* ---- tuples ----------------------------------------------------------------------------------------------------------- */

Test(tuple, nests)
{
    sheaf_key_open_tuple(&writer, SHEAF_ASCENDING);
    sheaf_key_add_text(&writer, text("a"), SHEAF_ASCENDING);
    sheaf_key_open_tuple(&writer, SHEAF_DESCENDING);
    sheaf_key_add_u64(&writer, 1, SHEAF_ASCENDING);
    sheaf_key_add_text(&writer, text("b"), SHEAF_DESCENDING); /* twice turned: as it is */
    sheaf_key_close_tuple(&writer);
    sheaf_key_add_null(&writer, SHEAF_ASCENDING);
    sheaf_key_close_tuple(&writer);
    sheaf_key_add_bool(&writer, true, SHEAF_ASCENDING);
    sheaf_bytes key = SHEAF_LIT("\x05\x03" "a\x00\xFA\xEA\xFE\x03" "b\x00\xFF\x01\x00\x27");
    expect(key);

    static const struct {
        sheaf_status status;
        sheaf_part_kind kind;
        sheaf_order order;
        uint32_t depth;
    } wanted[] = {
        { SHEAF_OK, SHEAF_PART_TUPLE, SHEAF_ASCENDING, 1 },   { SHEAF_OK, SHEAF_PART_TEXT, SHEAF_ASCENDING, 1 },
        { SHEAF_OK, SHEAF_PART_TUPLE, SHEAF_DESCENDING, 2 },  { SHEAF_OK, SHEAF_PART_INTEGER, SHEAF_ASCENDING, 2 },
        { SHEAF_OK, SHEAF_PART_TEXT, SHEAF_DESCENDING, 2 },   { SHEAF_NOT_FOUND, SHEAF_PART_NULL, SHEAF_ASCENDING, 1 },
        { SHEAF_OK, SHEAF_PART_NULL, SHEAF_ASCENDING, 1 },    { SHEAF_NOT_FOUND, SHEAF_PART_NULL, SHEAF_ASCENDING, 0 },
        { SHEAF_OK, SHEAF_PART_BOOL, SHEAF_ASCENDING, 0 },    { SHEAF_NOT_FOUND, SHEAF_PART_NULL, SHEAF_ASCENDING, 0 },
        { SHEAF_NOT_FOUND, SHEAF_PART_NULL, SHEAF_ASCENDING, 0 },
    };
    sheaf_key_reader reader;
    sheaf_key_read(&reader, key, scratch, key.size);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        sheaf_key_part part = { .kind = SHEAF_PART_NULL, .order = SHEAF_ASCENDING };
        cr_assert_eq(sheaf_key_next_part(&reader, &part, NULL), wanted[i].status, "%zu", i);
        cr_assert_eq(reader.depth, wanted[i].depth, "%zu", i);
        if (wanted[i].status != SHEAF_OK) continue;
        cr_assert_eq(part.kind, wanted[i].kind, "%zu", i);
        cr_assert_eq(part.order, wanted[i].order, "%zu", i);
    }
}

Test(tuple, a_shorter_tuple_sorts_before_a_longer_one_and_after_it_when_descending)
{
    for (int order = 0; order < 2; order++) {
        uint8_t keys[3][32];
        sheaf_bytes key[3];
        for (uint32_t parts = 0; parts < 3; parts++) {
            sheaf_key_begin(&writer, keys[parts], sizeof keys[parts]);
            sheaf_key_open_tuple(&writer, (sheaf_order)order);
            for (uint32_t i = 0; i < parts; i++) sheaf_key_add_null(&writer, SHEAF_ASCENDING);
            sheaf_key_close_tuple(&writer);
            key[parts] = end();
        }
        for (int i = 0; i < 2; i++) {
            int found = sheaf_bytes_compare(key[i], key[i + 1]);
            cr_assert(order == 0 ? found < 0 : found > 0);
        }
    }
}

Test(tuple, gives_the_first_parts_of_a_key)
{
    sheaf_key_add_text(&writer, text("a"), SHEAF_ASCENDING);
    sheaf_key_open_tuple(&writer, SHEAF_DESCENDING);
    sheaf_key_add_u64(&writer, 7, SHEAF_ASCENDING);
    sheaf_key_close_tuple(&writer);
    sheaf_key_add_number(&writer, sheaf_number_of_u64(7), SHEAF_ASCENDING);
    sheaf_bytes key = end();
    static const size_t sizes[] = { 0, 3, 7, 11 };
    for (size_t count = 0; count < 4; count++) {
        sheaf_bytes prefix;
        cr_assert_eq(sheaf_key_prefix(key, count, &prefix), SHEAF_OK, "%zu", count);
        cr_assert_eq(prefix.size, sizes[count], "%zu: %zu", count, prefix.size);
        cr_assert_eq(prefix.data, key.data);
    }
    sheaf_bytes prefix = { .size = 77 };
    cr_assert_eq(sheaf_key_prefix(key, 4, &prefix), SHEAF_NOT_FOUND);
    cr_assert_eq(sheaf_key_prefix(sheaf_bytes_of(key.data, 6), 2, &prefix), SHEAF_KEY_MALFORMED);
    cr_assert_eq(sheaf_key_prefix(sheaf_bytes_of(NULL, 0), 0, &prefix), SHEAF_OK);
    cr_assert_eq(prefix.size, 0);
}

/* ---- refusals --------------------------------------------------------------------------------------------------------- */

static void expect_refused(sheaf_status status, sheaf_field field, uint64_t size, uint64_t limit)
{
    sheaf_bytes key = { .size = 77 };
    sheaf_detail detail = { 0 };
    sheaf_key_add_null(&writer, SHEAF_ASCENDING); /* does nothing any more, and changes no reason */
    cr_assert_eq(sheaf_key_end(&writer, &key, &detail), status);
    cr_assert_eq(key.size, 77);
    cr_assert_eq(detail.field, field);
    cr_assert_eq(detail.size, size);
    cr_assert_eq(detail.limit, limit);
    begin();
}

Test(tuple, tells_why_a_part_was_refused)
{
    sheaf_key_add_double(&writer, NAN, SHEAF_ASCENDING);
    expect_refused(SHEAF_INVALID_ARGUMENT, SHEAF_FIELD_SORT_KEY, 0, 0);
    sheaf_key_add_text(&writer, text("ab\xC3"), SHEAF_ASCENDING);
    expect_refused(SHEAF_TEXT_MALFORMED, SHEAF_FIELD_TEXT, 2, 0);
    sheaf_key_close_tuple(&writer);
    expect_refused(SHEAF_INVALID_ARGUMENT, SHEAF_FIELD_SORT_KEY, 0, 0);
    sheaf_key_open_tuple(&writer, SHEAF_ASCENDING);
    expect_refused(SHEAF_INVALID_ARGUMENT, SHEAF_FIELD_SORT_KEY, 0, 0);
}

Test(tuple, nests_to_its_limit_and_no_deeper)
{
    for (int depth = 0; depth < SHEAF_TUPLE_DEPTH_MAX; depth++) sheaf_key_open_tuple(&writer, (sheaf_order)(depth % 2));
    for (int depth = 0; depth < SHEAF_TUPLE_DEPTH_MAX; depth++) sheaf_key_close_tuple(&writer);
    sheaf_bytes key = end();
    sheaf_key_reader reader;
    sheaf_key_part part;
    sheaf_key_read(&reader, key, scratch, sizeof scratch);
    for (int depth = 0; depth < SHEAF_TUPLE_DEPTH_MAX; depth++) {
        cr_assert_eq(sheaf_key_next_part(&reader, &part, NULL), SHEAF_OK);
        cr_assert_eq(part.order, (sheaf_order)(depth % 2));
    }
    for (int depth = 0; depth <= SHEAF_TUPLE_DEPTH_MAX; depth++)
        cr_assert_eq(sheaf_key_next_part(&reader, &part, NULL), SHEAF_NOT_FOUND);
    begin();
    for (int depth = 0; depth <= SHEAF_TUPLE_DEPTH_MAX; depth++) sheaf_key_open_tuple(&writer, SHEAF_ASCENDING);
    expect_refused(SHEAF_INVALID_ARGUMENT, SHEAF_FIELD_SORT_KEY, 0, 0);
    uint8_t deep[SHEAF_TUPLE_DEPTH_MAX + 1];
    memset(deep, 5, sizeof deep);
    sheaf_key_read(&reader, sheaf_bytes_of(deep, sizeof deep), scratch, sizeof scratch);
    for (int depth = 0; depth < SHEAF_TUPLE_DEPTH_MAX; depth++)
        cr_assert_eq(sheaf_key_next_part(&reader, &part, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_key_next_part(&reader, &part, NULL), SHEAF_KEY_MALFORMED);
}

/* What is refused later, or closed in order, does not change the reason. */
Test(tuple, keeps_its_first_refusal)
{
    sheaf_key_add_text(&writer, text("ab\xC3"), SHEAF_ASCENDING);
    sheaf_key_add_double(&writer, NAN, SHEAF_ASCENDING);
    expect_refused(SHEAF_TEXT_MALFORMED, SHEAF_FIELD_TEXT, 2, 0);
    sheaf_key_add_double(&writer, NAN, SHEAF_ASCENDING);
    sheaf_key_add_text(&writer, text("ab\xC3"), SHEAF_ASCENDING);
    expect_refused(SHEAF_INVALID_ARGUMENT, SHEAF_FIELD_SORT_KEY, 0, 0);
    for (int depth = 0; depth <= SHEAF_TUPLE_DEPTH_MAX; depth++) sheaf_key_open_tuple(&writer, SHEAF_ASCENDING);
    for (int depth = 0; depth <= SHEAF_TUPLE_DEPTH_MAX; depth++) sheaf_key_close_tuple(&writer);
    expect_refused(SHEAF_INVALID_ARGUMENT, SHEAF_FIELD_SORT_KEY, 0, 0);
}

/* Text of every size of character is skipped as it is read, also where an end or an escape is near. */
Test(tuple, skips_text_of_any_characters)
{
    for (int order = 0; order < 2; order++) {
        sheaf_bytes value = SHEAF_LIT("\x00\xC2\x80\x01\xE0\xA0\x80" "a\xF0\x9F\x98\x80\xEF\xBF\xBF\xF4\x8F\xBF\xBF");
        sheaf_bytes prefix;
        begin();
        sheaf_key_add_text(&writer, value, (sheaf_order)order);
        size_t size = end().size;
        sheaf_key_add_null(&writer, SHEAF_ASCENDING);
        cr_assert_eq(size, value.size + 4); /* a tag, two escapes, an end */
        cr_assert_eq(sheaf_key_prefix(end(), 1, &prefix), SHEAF_OK);
        cr_assert_eq(prefix.size, size);
    }
}

/* Every capacity: a key is written whole or refused, and never past its buffer. */
Test(tuple, keeps_to_its_buffer)
{
    for (size_t capacity = 0; capacity <= 12; capacity++) {
        uint8_t room[16];
        sheaf_bytes key = { 0 };
        sheaf_detail detail = { 0 };
        memset(room, 0xAB, sizeof room);
        sheaf_key_begin(&writer, room, capacity);
        sheaf_key_add_u64(&writer, 1500, SHEAF_ASCENDING);
        sheaf_key_add_text(&writer, text("p_8842"), SHEAF_ASCENDING);
        sheaf_status status = sheaf_key_end(&writer, &key, &detail);
        cr_assert_eq(status, capacity >= 11 ? SHEAF_OK : SHEAF_KEY_TOO_LONG, "%zu", capacity);
        for (size_t i = capacity; i < sizeof room; i++) cr_assert_eq(room[i], 0xAB);
        if (status == SHEAF_OK) continue;
        cr_assert_eq(detail.field, SHEAF_FIELD_KEY_BUFFER);
        cr_assert_eq(detail.limit, capacity);
        cr_assert_gt(detail.size, capacity);
    }
}

Test(tuple, refuses_every_other_way_to_write_a_part)
{
    static const struct {
        size_t size;
        const char *bytes;
    } cases[] = {
        { 1, "\x00" }, { 1, "\xFF" }, { 1, "\x04" }, { 1, "\x28" }, { 1, "\x7F" }, { 1, "\x80" }, { 1, "\x0B" }, { 1, "\x1D" },
        { 2, "\x15\x00" },                                        /* 0 in a byte */
        { 3, "\x16\x00\xFF" },                                    /* 255 in two */
        { 2, "\x13\xFF" },                                        /* -0 */
        { 3, "\x12\xFF\x00" },                                    /* -255 in two */
        { 9, "\x0C\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFE" },            /* -2^63 - 1 */
        { 2, "\x16\x05" },                                        /* cut short */
        { 3, "\x02" "ab" }, { 3, "\x02" "a\x01" }, { 4, "\x02\x01\x00\x00" }, { 4, "\x02\x01\x03\x00" }, { 2, "\xFC\x9E" },
        { 3, "\x03\xC3\x00" },                                    /* no UTF-8: cut short */
        { 4, "\xFC\x9E\x3C\xFF" },                               /* the same, descending, behind an "a" */
        { 5, "\x03\xED\xA0\x80\x00" },                          /* a surrogate */
        { 4, "\x03\xC0\x80\x00" }, { 3, "\x03\x80\x00" },       /* not the shortest form; no lead */
        { 6, "\x03\xF4\x90\x80\x80\x00" },                      /* above U+10FFFF */
        { 9, "\x21\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF" },            /* -0.0 */
        { 9, "\x21\xFF\xF8\x00\x00\x00\x00\x00\x00" },            /* NaN */
        { 9, "\x21\x00\x07\xFF\xFF\xFF\xFF\xFF\xFF" },            /* NaN with a sign */
        { 8, "\x21\x80\x00\x00\x00\x00\x00\x00" }, { 4, "\x20\x03\x82\x12" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sheaf_key_reader reader;
        sheaf_key_part part;
        sheaf_detail detail = { 0 };
        sheaf_key_read(&reader, sheaf_bytes_of(cases[i].bytes, cases[i].size), scratch, sizeof scratch);
        cr_assert_eq(sheaf_key_next_part(&reader, &part, &detail), SHEAF_KEY_MALFORMED, "%zu", i);
        cr_assert_eq(detail.size, cases[i].size, "%zu", i);
        cr_assert_eq(sheaf_key_next_part(&reader, &part, NULL), SHEAF_KEY_MALFORMED, "%zu: it stays", i);
        sheaf_bytes key = sheaf_bytes_of(cases[i].bytes, cases[i].size), prefix = { .size = 77 };
        cr_assert_eq(sheaf_key_prefix(key, 1, &prefix), SHEAF_KEY_MALFORMED, "%zu: skipped", i);
        cr_assert_eq(prefix.size, 77, "%zu", i);
    }
    sheaf_key_reader reader;
    sheaf_key_part part;
    sheaf_key_read(&reader, sheaf_bytes_of("\x05\x01", 2), scratch, sizeof scratch); /* a tuple without its end */
    cr_assert_eq(sheaf_key_next_part(&reader, &part, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_key_next_part(&reader, &part, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_key_next_part(&reader, &part, NULL), SHEAF_KEY_MALFORMED);
}

Test(tuple, says_when_the_scratch_is_too_small)
{
    sheaf_key_add_text(&writer, text("abc"), SHEAF_DESCENDING);
    sheaf_bytes key = end();
    for (size_t capacity = 0; capacity <= 4; capacity++) {
        sheaf_key_reader reader;
        sheaf_key_part part;
        sheaf_detail detail = { 0 };
        sheaf_key_read(&reader, key, capacity == 0 ? NULL : scratch, capacity);
        sheaf_status status = sheaf_key_next_part(&reader, &part, &detail);
        cr_assert_eq(status, capacity >= 3 ? SHEAF_OK : SHEAF_BUFFER_TOO_SMALL, "%zu", capacity);
        if (status == SHEAF_OK) cr_assert_eq(sheaf_bytes_compare(part.bytes, text("abc")), 0);
        else cr_assert_eq(detail.limit, capacity);
    }
}
