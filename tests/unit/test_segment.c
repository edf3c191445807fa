#include <sheaf/segment.h>

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "engine/base/bytes.h"
#include "tests/support/expect.h"
#include "tests/support/random.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

static sheaf_segment of(sheaf_form form, uint8_t width, uint8_t digits, int delimiter)
{
    return (sheaf_segment){ form, width, digits, delimiter };
}

struct written_case {
    sheaf_segment segment;
    const char *value;
    const char *written;
    const char *read; /* NULL: the value */
};

#define PAD(width) \
    { \
        SHEAF_FORM_PAD, width, 0, SHEAF_NO_DELIMITER \
    }
#define INVERT(width) \
    { \
        SHEAF_FORM_INVERT, width, 0, SHEAF_NO_DELIMITER \
    }
#define SIGNED(width, digits) \
    { \
        SHEAF_FORM_SIGNED, width, digits, SHEAF_NO_DELIMITER \
    }
#define DECIMAL(width, digits) \
    { \
        SHEAF_FORM_PAD, width, digits, SHEAF_NO_DELIMITER \
    }
#define TIME(digits) \
    { \
        SHEAF_FORM_TIME, 0, digits, SHEAF_NO_DELIMITER \
    }
#define EPOCH(digits) \
    { \
        SHEAF_FORM_EPOCH, 0, digits, SHEAF_NO_DELIMITER \
    }
#define TEXTUAL(form, delimiter) \
    { \
        SHEAF_FORM_##form, 0, 0, delimiter \
    }

/* Worked out by hand; times and epochs by date(1). */
static const struct written_case CASES[] = {
    { PAD(10), "1500", "0000001500", NULL },
    { PAD(10), "9", "0000000009", NULL },
    { PAD(10), "0", "0000000000", NULL },
    { PAD(10), "0000000000000000000042", "0000000042", "42" },
    { PAD(10), "9999999999", "9999999999", NULL },
    { PAD(1), "0", "0", NULL },
    { PAD(1), "9", "9", NULL },
    { PAD(38), "99999999999999999999999999999999999999", "99999999999999999999999999999999999999", NULL },
    { PAD(38), "1", "00000000000000000000000000000000000001", NULL },
    /* the table of the leaderboard: largest 9999999999 */
    { INVERT(10), "1500", "9999998499", NULL },
    { INVERT(10), "240", "9999999759", NULL },
    { INVERT(10), "10", "9999999989", NULL },
    { INVERT(10), "9", "9999999990", NULL },
    { INVERT(10), "0", "9999999999", NULL },
    { INVERT(10), "9999999999", "0000000000", NULL },
    { { SHEAF_FORM_INVERT, 3, 2, SHEAF_NO_DELIMITER }, "1.5", "998.49", NULL },
    { SIGNED(4, 0), "15", "10015", NULL },
    { SIGNED(4, 0), "-15", "09985", NULL },
    { SIGNED(4, 0), "0", "10000", NULL },
    { SIGNED(4, 0), "-0", "10000", "0" },
    { SIGNED(4, 0), "-1", "09999", NULL },
    { SIGNED(4, 0), "-10", "09990", NULL },
    { SIGNED(4, 0), "-9999", "00001", NULL },
    { SIGNED(4, 0), "9999", "19999", NULL },
    { SIGNED(4, 0), "-9000", "01000", NULL },
    { DECIMAL(4, 2), "12.5", "0012.50", NULL },
    { DECIMAL(4, 2), "12.50", "0012.50", "12.5" },
    { DECIMAL(4, 2), "12", "0012.00", NULL },
    { DECIMAL(4, 2), "0.05", "0000.05", NULL },
    { DECIMAL(4, 2), "007.100000", "0007.10", "7.1" },
    { DECIMAL(4, 2), "9999.99", "9999.99", NULL },
    { SIGNED(4, 2), "12.5", "10012.50", NULL },
    { SIGNED(4, 2), "-12.5", "09987.50", NULL },
    { SIGNED(4, 2), "-0.01", "09999.99", NULL },
    { SIGNED(4, 2), "-9999.99", "00000.01", NULL },
    { TIME(0), "2026-05-01T09:07:03Z", "2026-05-01T09:07:03Z", NULL },
    { TIME(0), "2026-05-01T11:07:03+02:00", "2026-05-01T09:07:03Z", "2026-05-01T09:07:03Z" },
    { TIME(0), "2026-05-01T09:07:03.000Z", "2026-05-01T09:07:03Z", "2026-05-01T09:07:03Z" },
    { TIME(0), "2026-05-01t09:07:03z", "2026-05-01T09:07:03Z", "2026-05-01T09:07:03Z" },
    { TIME(0), "2026-05-01 04:37:03-0430", "2026-05-01T09:07:03Z", "2026-05-01T09:07:03Z" },
    { TIME(0), "2026-05-01T00:07:03-09", "2026-05-01T09:07:03Z", "2026-05-01T09:07:03Z" },
    { TIME(0), "2024-02-29T23:59:59-00:01", "2024-03-01T00:00:59Z", "2024-03-01T00:00:59Z" },
    { TIME(0), "2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z", NULL },
    { TIME(0), "2025-01-01T00:00:00+00:01", "2024-12-31T23:59:00Z", "2024-12-31T23:59:00Z" },
    { TIME(0), "0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z", NULL },
    { TIME(0), "0000-02-29T12:00:00Z", "0000-02-29T12:00:00Z", NULL },
    { TIME(0), "9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z", NULL },
    { TIME(0), "1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z", NULL },
    { TIME(0), "1900-03-01T00:00:00+01:00", "1900-02-28T23:00:00Z", "1900-02-28T23:00:00Z" },
    { TIME(3), "2026-05-01T09:07:03Z", "2026-05-01T09:07:03.000Z", "2026-05-01T09:07:03.000Z" },
    { TIME(3), "2026-05-01T09:07:03.5Z", "2026-05-01T09:07:03.500Z", "2026-05-01T09:07:03.500Z" },
    { TIME(3), "2026-05-01T09:07:03,25Z", "2026-05-01T09:07:03.250Z", "2026-05-01T09:07:03.250Z" },
    { TIME(6), "2026-05-01T09:07:03.000001000Z", "2026-05-01T09:07:03.000001Z", "2026-05-01T09:07:03.000001Z" },
    { EPOCH(0), "1970-01-01T00:00:00Z", "0000000000", "0" },
    { EPOCH(0), "2026-05-01T09:07:03Z", "1777626423", "1777626423" },
    { EPOCH(0), "1719100800", "1719100800", NULL },
    { EPOCH(0), "2286-11-20T17:46:39Z", "9999999999", "9999999999" },
    { EPOCH(3), "2026-05-01T09:07:03.25Z", "1777626423250", "1777626423250" },
    { EPOCH(3), "5", "0000000000005", NULL },
    { EPOCH(6), "1970-01-01T00:00:01.000002Z", "0000000001000002", "1000002" },
    { TEXTUAL(TEXT, '#'), "p_8842", "p_8842", NULL },
    { TEXTUAL(TEXT, '#'), "a$b", "a$b", NULL },
    { TEXTUAL(TEXT, '#'), "\xC3\xA9", "\xC3\xA9", NULL },
    { TEXTUAL(TEXT, SHEAF_NO_DELIMITER), "a b#c", "a b#c", NULL },
    { TEXTUAL(RAW, '#'), "a b!", "a b!", NULL },
    { TEXTUAL(ESCAPE, '#'), "a#b c$d%", "a$23b$20c$24d%", NULL },
    { TEXTUAL(ESCAPE, '#'), "\xFF\x01", "\xFF$01", NULL },
    { TEXTUAL(ESCAPE, ':'), "10:30;\x1F", ";31;30;3A;33;30;3B;1F", NULL },
    { TEXTUAL(ESCAPE, SHEAF_NO_DELIMITER), "a#\xFF", "a#\xFF", NULL },
    { TEXTUAL(PATH, '/'), "root/photos/", "root/photos/", NULL },
    { TEXTUAL(PATH, '/'), "/", "/", NULL },
    { TEXTUAL(PATH, '/'), "/team/a b", "/team/a b", NULL },
};

Test(segment, is_written_and_read_back)
{
    for (size_t i = 0; i < COUNT(CASES); i++) {
        const struct written_case *c = &CASES[i];
        uint8_t buffer[64], back[64];
        sheaf_bytes written, value;
        sheaf_detail detail = { .message = "" };
        sheaf_status status = sheaf_segment_write(&c->segment, text(c->value), buffer, sizeof buffer, &written, &detail);
        cr_assert_eq(status, SHEAF_OK, "case %zu, %s: %s", i, c->value, detail.message);
        cr_assert(sheaf_bytes_equal(written, text(c->written)), "case %zu, %s: %.*s", i, c->value, (int)written.size,
                  (const char *)written.data);
        status = sheaf_segment_read(&c->segment, written, back, sizeof back, &value, &detail);
        cr_assert_eq(status, SHEAF_OK, "case %zu, %s: %s", i, c->written, detail.message);
        cr_assert(sheaf_bytes_equal(value, text(c->read ? c->read : c->value)), "case %zu, %s: %.*s", i, c->written,
                  (int)value.size, (const char *)value.data);
    }
}

/* NULs are bytes like any other, which a table of strings cannot say. */
Test(segment, takes_nul_bytes)
{
    uint8_t buffer[16];
    sheaf_bytes written;
    sheaf_segment escape = of(SHEAF_FORM_ESCAPE, 0, 0, '#'), before_nul = of(SHEAF_FORM_TEXT, 0, 0, 0);
    cr_assert_eq(sheaf_segment_write(&escape, SHEAF_LIT("a\0b"), buffer, sizeof buffer, &written, NULL), SHEAF_OK);
    cr_assert(sheaf_bytes_equal(written, text("a$00b")));
    sheaf_detail detail;
    cr_assert_eq(sheaf_segment_write(&before_nul, SHEAF_LIT("a\0b"), buffer, sizeof buffer, &written, &detail),
                 SHEAF_SEGMENT_REFUSED);
    cr_assert_eq(detail.size, 1);
    cr_assert_eq(sheaf_segment_write(&before_nul, SHEAF_LIT("a\1b"), buffer, sizeof buffer, &written, NULL), SHEAF_OK);
}

struct refused_case {
    sheaf_segment segment;
    const char *value;
    sheaf_status status;
    uint64_t size, limit;
    const char *message; /* a piece of it */
};

static const struct refused_case REFUSED[] = {
    { PAD(10), "10000000000", SHEAF_SEGMENT_REFUSED, 11, 10, "more digits than its width" },
    { INVERT(10), "10000000000", SHEAF_SEGMENT_REFUSED, 11, 10, "more digits than its width" },
    { PAD(38), "100000000000000000000000000000000000000", SHEAF_SEGMENT_REFUSED, 39, 38, "more digits than its width" },
    { SIGNED(4, 0), "10000", SHEAF_SEGMENT_REFUSED, 5, 4, "more digits than its width" },
    { SIGNED(4, 0), "-10000", SHEAF_SEGMENT_REFUSED, 5, 4, "more digits than its width" },
    { PAD(10), "-5", SHEAF_SEGMENT_REFUSED, 0, 0, "no sign" },
    { PAD(10), "-0", SHEAF_SEGMENT_REFUSED, 0, 0, "no sign" },
    { INVERT(10), "-1", SHEAF_SEGMENT_REFUSED, 0, 0, "no sign" },
    { DECIMAL(4, 2), "-0.5", SHEAF_SEGMENT_REFUSED, 0, 0, "no sign" },
    { PAD(10), "1.5", SHEAF_SEGMENT_REFUSED, 1, 0, "whole numbers" },
    { PAD(10), "1.0", SHEAF_SEGMENT_REFUSED, 0, 0, "whole numbers" },
    { DECIMAL(4, 2), "1.005", SHEAF_SEGMENT_REFUSED, 3, 2, "behind the point" },
    { DECIMAL(4, 2), "12345", SHEAF_SEGMENT_REFUSED, 5, 4, "more digits than its width" },
    { SIGNED(4, 2), "-0.001", SHEAF_SEGMENT_REFUSED, 3, 2, "behind the point" },
    { PAD(10), "", SHEAF_NUMBER_MALFORMED, 0, 0, "no decimal number" },
    { PAD(10), "1a", SHEAF_NUMBER_MALFORMED, 0, 0, "no decimal number" },
    { PAD(10), " 1", SHEAF_NUMBER_MALFORMED, 0, 0, "no decimal number" },
    { PAD(10), "+1", SHEAF_NUMBER_MALFORMED, 0, 0, "no decimal number" },
    { PAD(10), "1e3", SHEAF_NUMBER_MALFORMED, 0, 0, "no decimal number" },
    { PAD(10), "1.", SHEAF_NUMBER_MALFORMED, 0, 0, "no decimal number" },
    { DECIMAL(4, 2), ".5", SHEAF_NUMBER_MALFORMED, 0, 0, "no decimal number" },
    { SIGNED(4, 0), "-", SHEAF_NUMBER_MALFORMED, 0, 0, "no decimal number" },
    { SIGNED(4, 0), "--1", SHEAF_NUMBER_MALFORMED, 0, 0, "no decimal number" },
    { TEXTUAL(TEXT, '#'), "", SHEAF_SEGMENT_REFUSED, 0, 0, "empty" },
    { TEXTUAL(TEXT, '#'), "a#b", SHEAF_SEGMENT_REFUSED, 1, 0, "delimiter occurs" },
    { TEXTUAL(TEXT, '#'), "ab c", SHEAF_SEGMENT_REFUSED, 2, 0, "below the delimiter" },
    { TEXTUAL(TEXT, '/'), "beach.jpg", SHEAF_SEGMENT_REFUSED, 5, 0, "below the delimiter" },
    { TEXTUAL(TEXT, '#'), "ab\xFF", SHEAF_TEXT_MALFORMED, 2, 0, "UTF-8" },
    { TEXTUAL(TEXT, SHEAF_NO_DELIMITER), "\xED\xA0\x80", SHEAF_TEXT_MALFORMED, 0, 0, "UTF-8" },
    { TEXTUAL(TEXT, SHEAF_NO_DELIMITER), "", SHEAF_SEGMENT_REFUSED, 0, 0, "empty" },
    { TEXTUAL(RAW, '#'), "a#", SHEAF_SEGMENT_REFUSED, 1, 0, "delimiter occurs" },
    { TEXTUAL(RAW, '#'), "\xC3", SHEAF_TEXT_MALFORMED, 0, 0, "UTF-8" },
    { TEXTUAL(ESCAPE, '#'), "", SHEAF_SEGMENT_REFUSED, 0, 0, "empty" },
    { TEXTUAL(PATH, '/'), "", SHEAF_SEGMENT_REFUSED, 0, 0, "empty" },
    { TEXTUAL(PATH, '/'), "a//b", SHEAF_SEGMENT_REFUSED, 2, 0, "empty part" },
    { TEXTUAL(PATH, '/'), "//", SHEAF_SEGMENT_REFUSED, 1, 0, "empty part" },
    { TEXTUAL(PATH, '/'), "a/\x80", SHEAF_TEXT_MALFORMED, 2, 0, "UTF-8" },
    { TIME(0), "", SHEAF_SEGMENT_REFUSED, 0, 0, "no time" },
    { TIME(0), "2026-05-01", SHEAF_SEGMENT_REFUSED, 0, 0, "no time" },
    { TIME(0), "2026-5-01T09:07:03Z", SHEAF_SEGMENT_REFUSED, 0, 0, "no time" },
    { TIME(0), "20260501T090703Z", SHEAF_SEGMENT_REFUSED, 0, 0, "no time" },
    { TIME(0), "2026-05-01T09:07Z", SHEAF_SEGMENT_REFUSED, 0, 0, "no time" },
    { TIME(0), "2026-05-01T09:07:03", SHEAF_SEGMENT_REFUSED, 0, 0, "no Z and no offset" },
    { TIME(0), "2026-05-01T09:07:03ZZ", SHEAF_SEGMENT_REFUSED, 0, 0, "no time" },
    { TIME(0), "2026-05-01T09:07:03.Z", SHEAF_SEGMENT_REFUSED, 0, 0, "no time" },
    { TIME(0), "2026-05-01T09:07:03+2", SHEAF_SEGMENT_REFUSED, 0, 0, "no time" },
    { TIME(0), "2026-05-01T09:07:03+02:", SHEAF_SEGMENT_REFUSED, 0, 0, "no time" },
    { TIME(0), "2026-05-01T09:07:03+02:000", SHEAF_SEGMENT_REFUSED, 0, 0, "no time" },
    { TIME(0), "2026-05-01T09:07:03+24:00", SHEAF_SEGMENT_REFUSED, 0, 0, "no such offset" },
    { TIME(0), "2026-05-01T09:07:03+00:60", SHEAF_SEGMENT_REFUSED, 0, 0, "no such offset" },
    { TIME(0), "2026-13-01T09:07:03Z", SHEAF_SEGMENT_REFUSED, 0, 0, "no such month" },
    { TIME(0), "2026-00-01T09:07:03Z", SHEAF_SEGMENT_REFUSED, 0, 0, "no such month" },
    { TIME(0), "2026-04-31T09:07:03Z", SHEAF_SEGMENT_REFUSED, 0, 0, "no such day" },
    { TIME(0), "2026-04-00T09:07:03Z", SHEAF_SEGMENT_REFUSED, 0, 0, "no such day" },
    { TIME(0), "2023-02-29T09:07:03Z", SHEAF_SEGMENT_REFUSED, 0, 0, "no such day" },
    { TIME(0), "1900-02-29T09:07:03Z", SHEAF_SEGMENT_REFUSED, 0, 0, "no such day" },
    { TIME(0), "2026-05-01T24:00:00Z", SHEAF_SEGMENT_REFUSED, 0, 0, "hour 24" },
    { TIME(0), "2026-05-01T25:00:00Z", SHEAF_SEGMENT_REFUSED, 0, 0, "no such hour" },
    { TIME(0), "2026-05-01T09:60:00Z", SHEAF_SEGMENT_REFUSED, 0, 0, "no such minute" },
    { TIME(0), "2016-12-31T23:59:60Z", SHEAF_SEGMENT_REFUSED, 0, 0, "leap second" },
    { TIME(0), "2016-12-31T23:59:61Z", SHEAF_SEGMENT_REFUSED, 0, 0, "no such second" },
    { TIME(0), "2026-05-01T09:07:03.5Z", SHEAF_SEGMENT_REFUSED, 0, 0, "finer" },
    { TIME(3), "2026-05-01T09:07:03.0005Z", SHEAF_SEGMENT_REFUSED, 0, 3, "finer" },
    { TIME(6), "2026-05-01T09:07:03.0000000001Z", SHEAF_SEGMENT_REFUSED, 0, 6, "finer" },
    { TIME(0), "0000-01-01T00:00:00+00:01", SHEAF_SEGMENT_REFUSED, 0, 0, "before the year 0000" },
    { TIME(0), "9999-12-31T23:59:59-00:01", SHEAF_SEGMENT_REFUSED, 0, 0, "after the year 9999" },
    { TIME(0), "1719100800", SHEAF_SEGMENT_REFUSED, 0, 0, "no time" },
    { EPOCH(0), "1969-12-31T23:59:59Z", SHEAF_SEGMENT_REFUSED, 0, 0, "before 1970" },
    { EPOCH(0), "2286-11-20T17:46:40Z", SHEAF_SEGMENT_REFUSED, 0, 0, "more digits" },
    { EPOCH(0), "1719100800000", SHEAF_SEGMENT_REFUSED, 13, 10, "more digits" },
    { EPOCH(0), "-1", SHEAF_SEGMENT_REFUSED, 0, 0, "no sign" },
    { EPOCH(0), "1719100800.5", SHEAF_SEGMENT_REFUSED, 0, 0, "no time" },
    { EPOCH(3), "2026-05-01T09:07:03.0005Z", SHEAF_SEGMENT_REFUSED, 0, 3, "finer" },
};

Test(segment, refuses_what_would_sort_wrongly)
{
    for (size_t i = 0; i < COUNT(REFUSED); i++) {
        const struct refused_case *c = &REFUSED[i];
        uint8_t buffer[64];
        sheaf_bytes written = text("untouched");
        sheaf_detail detail = { .message = "" };
        sheaf_status status = sheaf_segment_write(&c->segment, text(c->value), buffer, sizeof buffer, &written, &detail);
        cr_assert_eq(status, c->status, "case %zu, %s: %s", i, c->value, sheaf_status_name(status));
        cr_assert_eq(detail.field, SHEAF_FIELD_SEGMENT);
        cr_assert(detail.size == c->size && detail.limit == c->limit, "case %zu, %s: %llu of %llu", i, c->value,
                  (unsigned long long)detail.size, (unsigned long long)detail.limit);
        cr_assert(strstr(detail.message, c->message), "case %zu, %s: %s", i, c->value, detail.message);
        cr_assert(sheaf_bytes_equal(written, text("untouched")));
        cr_assert_eq(sheaf_segment_write(&c->segment, text(c->value), buffer, sizeof buffer, &written, NULL), c->status);
    }
}

/* Bytes that no value is written as, however much they look like it. */
static const struct {
    sheaf_segment segment;
    const char *bytes;
} MALFORMED[] = {
    { PAD(10), "000000150" },
    { PAD(10), "00000015000" },
    { PAD(10), "000000150a" },
    { PAD(10), "-000000150" },
    { SIGNED(4, 0), "20015" },
    { SIGNED(4, 0), "00000" },
    { SIGNED(4, 0), "1001" },
    { DECIMAL(4, 2), "0012,50" },
    { DECIMAL(4, 2), "001.250" },
    { DECIMAL(4, 2), "0012.5" },
    { SIGNED(4, 2), "00000.00" },
    { TIME(0), "2026-05-01T09:07:03z" },
    { TIME(0), "2026-05-01 09:07:03Z" },
    { TIME(0), "2026-02-29T09:07:03Z" },
    { TIME(0), "2026-05-01T09:07:03" },
    { TIME(0), "2026-05-01T09:07:0Z+" },
    { TIME(3), "2026-05-01T09:07:03,000Z" },
    { TIME(3), "2026-05-01T09:07:03Z" },
    { EPOCH(0), "171910080" },
    { EPOCH(0), "2026-05-01" },
    { TEXTUAL(TEXT, '#'), "" },
    { TEXTUAL(TEXT, '#'), "a b" },
    { TEXTUAL(TEXT, '#'), "a#" },
    { TEXTUAL(TEXT, '#'), "\xFF" },
    { TEXTUAL(RAW, '#'), "a#b" },
    { TEXTUAL(ESCAPE, '#'), "a$2" },
    { TEXTUAL(ESCAPE, '#'), "a$2g" },
    { TEXTUAL(ESCAPE, '#'), "a$0a" },
    { TEXTUAL(ESCAPE, '#'), "a$25" },
    { TEXTUAL(ESCAPE, '#'), "a b" },
    { TEXTUAL(ESCAPE, '#'), "" },
    { TEXTUAL(PATH, '/'), "a//b" },
    { TEXTUAL(PATH, '/'), "" },
};

Test(segment, reads_nothing_it_does_not_write)
{
    for (size_t i = 0; i < COUNT(MALFORMED); i++) {
        uint8_t buffer[64];
        sheaf_bytes value = text("untouched");
        sheaf_detail detail = { .message = "" };
        sheaf_status status = sheaf_segment_read(&MALFORMED[i].segment, text(MALFORMED[i].bytes), buffer, sizeof buffer,
                                                 &value, &detail);
        cr_assert_eq(status, SHEAF_KEY_MALFORMED, "case %zu, %s", i, MALFORMED[i].bytes);
        cr_assert(strlen(detail.message) > 0);
        cr_assert(sheaf_bytes_equal(value, text("untouched")));
    }
}

/* Writes it, and expects these bytes. */
static void expect_written(const sheaf_segment *segment, const char *value, const char *wanted)
{
    uint8_t buffer[64];
    sheaf_bytes written;
    sheaf_detail detail;
    sheaf_status status = sheaf_segment_write(segment, text(value), buffer, sizeof buffer, &written, &detail);
    cr_assert_eq(status, SHEAF_OK, "%s in width %d: %s", value, segment->width, detail.message);
    cr_assert(sheaf_bytes_equal(written, text(wanted)), "%s in width %d", value, segment->width);
}

/* Of each width the least, the largest, one in the middle and one too many. */
Test(segment, has_every_width_from_end_to_end)
{
    for (uint8_t width = 1; width <= SHEAF_SEGMENT_DIGITS_MAX; width++) {
        char zeros[48] = "", nines[48] = "", too_many[48] = "1", one[48] = "", signed_form[64], minus[64];
        memset(zeros, '0', width);
        memset(nines, '9', width);
        memset(too_many + 1, '0', width);
        memset(one, '0', width);
        one[width - 1] = '1';
        sheaf_segment pad = of(SHEAF_FORM_PAD, width, 0, SHEAF_NO_DELIMITER);
        sheaf_segment invert = of(SHEAF_FORM_INVERT, width, 0, SHEAF_NO_DELIMITER);
        sheaf_segment sign = of(SHEAF_FORM_SIGNED, width, 0, SHEAF_NO_DELIMITER);
        expect_written(&pad, "0", zeros);
        expect_written(&pad, "1", one);
        expect_written(&pad, nines, nines);
        expect_written(&invert, "0", nines);
        expect_written(&invert, nines, zeros);
        (void)snprintf(signed_form, sizeof signed_form, "1%s", nines);
        expect_written(&sign, nines, signed_form);
        (void)snprintf(signed_form, sizeof signed_form, "0%s", nines);
        expect_written(&sign, "-1", signed_form);
        (void)snprintf(minus, sizeof minus, "-%s", nines);
        (void)snprintf(signed_form, sizeof signed_form, "0%s", one);
        expect_written(&sign, minus, signed_form);
        for (int form = SHEAF_FORM_PAD; form <= SHEAF_FORM_SIGNED; form++) {
            sheaf_segment segment = of((sheaf_form)form, width, 0, SHEAF_NO_DELIMITER);
            sheaf_detail detail;
            sheaf_bytes written;
            uint8_t buffer[64];
            cr_assert_eq(sheaf_segment_write(&segment, text(too_many), buffer, sizeof buffer, &written, &detail),
                         SHEAF_SEGMENT_REFUSED);
            cr_assert(detail.size == width + 1u && detail.limit == width);
        }
    }
}

/* Numbers of up to 38 digits, whose order is told by their digits in columns. */
Test(segment, sorts_wide_numbers)
{
    struct random random = random_from_seed(random_seed("segment", 38));
    for (uint64_t count = random_scaled(40000); count > 0; count--) {
        uint8_t width = (uint8_t)random_between(&random, 1, 30), digits = (uint8_t)random_below(&random, 9), buffers[2][48];
        sheaf_form form = (sheaf_form)random_between(&random, SHEAF_FORM_PAD, SHEAF_FORM_SIGNED);
        sheaf_segment segment = of(form, width, digits, SHEAF_NO_DELIMITER);
        char columns[2][40], values[2][48];
        int signs[2] = { 1, 1 };
        for (int i = 0; i < 2; i++) {
            size_t same = i == 1 ? random_below(&random, width + digits + 1u) : 0; /* they share their first columns */
            for (size_t j = 0; j < (size_t)width + digits; j++)
                columns[i][j] = j < same ? columns[0][j] : "00199"[random_below(&random, 5)];
            columns[i][width + digits] = '\0';
            if (form == SHEAF_FORM_SIGNED && random_once_in(&random, 2)) signs[i] = -1;
            (void)snprintf(values[i], sizeof values[i], "%s%.*s%s%s", signs[i] < 0 ? "-" : "", width, columns[i],
                           digits > 0 ? "." : "", columns[i] + width);
        }
        int order = strcmp(columns[0], columns[1]);
        bool zeros = strspn(columns[0], "0") + strspn(columns[1], "0") == 2u * (width + digits);
        if (signs[0] != signs[1])
            order = zeros ? 0 : signs[0];
        else
            order = order * signs[0];
        if (form == SHEAF_FORM_INVERT) order = -order;
        sheaf_bytes written[2];
        for (int i = 0; i < 2; i++)
            EXPECT(sheaf_segment_write(&segment, text(values[i]), buffers[i], 48, &written[i], NULL) == SHEAF_OK, "%s",
                   values[i]);
        int found = sheaf_bytes_order(written[0], written[1]);
        EXPECT((order < 0) == (found < 0) && (order == 0) == (found == 0), "%s and %s", values[0], values[1]);
    }
}

Test(segment, tells_how_large_a_buffer_it_needs)
{
    uint8_t buffer[16];
    sheaf_bytes written;
    sheaf_detail detail;
    sheaf_segment pad = of(SHEAF_FORM_PAD, 10, 0, SHEAF_NO_DELIMITER), escape = of(SHEAF_FORM_ESCAPE, 0, 0, '#');
    cr_assert_eq(sheaf_segment_write(&pad, text("7"), buffer, 9, &written, &detail), SHEAF_BUFFER_TOO_SMALL);
    cr_assert(detail.size == 10 && detail.limit == 9);
    cr_assert_eq(sheaf_segment_write(&pad, text("7"), NULL, 0, &written, &detail), SHEAF_BUFFER_TOO_SMALL);
    cr_assert_eq(sheaf_segment_write(&escape, text("a#b"), buffer, 4, &written, &detail), SHEAF_BUFFER_TOO_SMALL);
    cr_assert_eq(detail.size, 5);
    cr_assert_eq(sheaf_segment_write(&escape, text("a#b"), buffer, 5, &written, &detail), SHEAF_OK);
    cr_assert_eq(sheaf_segment_read(&pad, text("0000001500"), buffer, 3, &written, &detail), SHEAF_BUFFER_TOO_SMALL);
    cr_assert_eq(detail.size, 4);
}

Test(segment, refuses_forms_that_there_are_not)
{
    static const sheaf_segment forms[] = {
        PAD(0),
        PAD(39),
        DECIMAL(30, 9),
        TIME(1),
        TIME(9),
        EPOCH(2),
        TEXTUAL(TEXT, 0x7F),
        TEXTUAL(TEXT, -2),
        TEXTUAL(TEXT, 256),
        TEXTUAL(PATH, SHEAF_NO_DELIMITER),
        { (sheaf_form)9, 1, 0, SHEAF_NO_DELIMITER },
    };
    for (size_t i = 0; i < COUNT(forms); i++) {
        uint8_t buffer[64];
        sheaf_bytes written;
        sheaf_detail detail;
        cr_assert_eq(sheaf_segment_write(&forms[i], text("1"), buffer, sizeof buffer, &written, &detail),
                     SHEAF_INVALID_ARGUMENT, "case %zu", i);
        cr_assert_eq(sheaf_segment_read(&forms[i], text("1"), buffer, sizeof buffer, &written, &detail),
                     SHEAF_INVALID_ARGUMENT, "case %zu", i);
    }
}

/* ---- machine numbers ------------------------------------------------------------------------------------------------- */

Test(segment, writes_machine_numbers)
{
    uint8_t bytes[40];
    sheaf_detail detail;
    cr_assert_eq(sheaf_segment_pad(1500, 10, bytes, &detail), SHEAF_OK);
    cr_assert(memcmp(bytes, "0000001500", 10) == 0);
    cr_assert_eq(sheaf_segment_pad(UINT64_MAX, 20, bytes, &detail), SHEAF_OK);
    cr_assert(memcmp(bytes, "18446744073709551615", 20) == 0);
    cr_assert_eq(sheaf_segment_pad(UINT64_MAX, 19, bytes, &detail), SHEAF_SEGMENT_REFUSED);
    cr_assert(detail.size == 20 && detail.limit == 19);
    cr_assert_eq(sheaf_segment_invert(1500, 10, bytes, &detail), SHEAF_OK);
    cr_assert(memcmp(bytes, "9999998499", 10) == 0);
    cr_assert_eq(sheaf_segment_signed(-15, 4, bytes, &detail), SHEAF_OK);
    cr_assert(memcmp(bytes, "09985", 5) == 0);
    cr_assert_eq(sheaf_segment_signed(INT64_MIN, 19, bytes, &detail), SHEAF_OK);
    cr_assert(memcmp(bytes, "00776627963145224192", 20) == 0); /* 10^19 - 2^63 */
    cr_assert_eq(sheaf_segment_pad(1, 0, bytes, &detail), SHEAF_INVALID_ARGUMENT);
    cr_assert_eq(sheaf_segment_pad(1, 39, bytes, &detail), SHEAF_INVALID_ARGUMENT);
}

Test(segment, reads_machine_numbers)
{
    uint64_t number;
    int64_t integer;
    cr_assert_eq(sheaf_segment_unpad(text("0000001500"), &number), SHEAF_OK);
    cr_assert_eq(number, 1500);
    cr_assert_eq(sheaf_segment_unpad(text("18446744073709551615"), &number), SHEAF_OK);
    cr_assert_eq(number, UINT64_MAX);
    cr_assert_eq(sheaf_segment_unpad(text("18446744073709551616"), &number), SHEAF_KEY_MALFORMED);
    cr_assert_eq(sheaf_segment_unpad(text(""), &number), SHEAF_KEY_MALFORMED);
    cr_assert_eq(sheaf_segment_unpad(text("000000150x"), &number), SHEAF_KEY_MALFORMED);
    cr_assert_eq(sheaf_segment_uninvert(text("9999998499"), &number), SHEAF_OK);
    cr_assert_eq(number, 1500);
    cr_assert_eq(sheaf_segment_unsign(text("09985"), &integer), SHEAF_OK);
    cr_assert_eq(integer, -15);
    cr_assert_eq(sheaf_segment_unsign(text("00776627963145224192"), &integer), SHEAF_OK);
    cr_assert_eq(integer, INT64_MIN);
    cr_assert_eq(sheaf_segment_unsign(text("00776627963145224191"), &integer), SHEAF_KEY_MALFORMED);
    cr_assert_eq(sheaf_segment_unsign(text("19223372036854775807"), &integer), SHEAF_OK);
    cr_assert_eq(integer, INT64_MAX);
    cr_assert_eq(sheaf_segment_unsign(text("19223372036854775808"), &integer), SHEAF_KEY_MALFORMED);
    cr_assert_eq(sheaf_segment_unsign(text("1"), &integer), SHEAF_KEY_MALFORMED);
}

/* ---- times ---------------------------------------------------------------------------------------------------------- */

/* Each day from the year 0 to 9999, counted up by the rules of the calendar, one by one. */
Test(segment, knows_every_day)
{
    static const int lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int64_t microseconds = INT64_C(-62167219200) * 1000000; /* 0000-01-01, by date(1) */
    for (int year = 0; year <= 9999; year++) {
        for (int month = 1; month <= 12; month++) {
            bool leap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0);
            for (int day = 1; day <= lengths[month - 1] + (month == 2 && leap); day++) {
                char expected[64], printed[SHEAF_TIME_TEXT_SIZE_MAX];
                size_t size;
                int64_t parsed;
                (void)snprintf(expected, sizeof expected, "%04d-%02d-%02dT23:59:59.999999Z", year, month, day);
                microseconds += INT64_C(86400) * 1000000;
                if (sheaf_time_print(microseconds - 1, 6, printed, &size) != SHEAF_OK || size != 27 ||
                    memcmp(printed, expected, 27) != 0) {
                    cr_assert_fail("%s, not %.27s", expected, printed);
                }
                if (sheaf_time_parse(text(expected), &parsed, NULL) != SHEAF_OK || parsed != microseconds - 1) {
                    cr_assert_fail("%s: %lld", expected, (long long)parsed);
                }
            }
        }
    }
    cr_assert_eq(microseconds, INT64_C(253402300800) * 1000000);
}

Test(segment, prints_times_in_each_precision)
{
    char printed[SHEAF_TIME_TEXT_SIZE_MAX];
    size_t size;
    cr_assert_eq(sheaf_time_print(-1, 0, printed, &size), SHEAF_OK);
    cr_assert(size == 20 && memcmp(printed, "1969-12-31T23:59:59Z", 20) == 0);
    cr_assert_eq(sheaf_time_print(-1, 3, printed, &size), SHEAF_OK);
    cr_assert(size == 24 && memcmp(printed, "1969-12-31T23:59:59.999Z", 24) == 0);
    cr_assert_eq(sheaf_time_print(INT64_C(253402300800) * 1000000, 0, printed, &size), SHEAF_SEGMENT_REFUSED);
    cr_assert_eq(sheaf_time_print(INT64_C(-62167219200) * 1000000 - 1, 0, printed, &size), SHEAF_SEGMENT_REFUSED);
    cr_assert_eq(sheaf_time_print(0, 1, printed, &size), SHEAF_INVALID_ARGUMENT);
    sheaf_detail detail;
    int64_t microseconds;
    cr_assert_eq(sheaf_time_parse(text("2026-05-01T09:07:03.0000001Z"), &microseconds, &detail), SHEAF_SEGMENT_REFUSED);
    cr_assert(strstr(detail.message, "finer"));
    cr_assert_eq(sheaf_time_parse(text("0000-01-01T00:00:00+01:00"), &microseconds, &detail), SHEAF_SEGMENT_REFUSED);
    cr_assert(strstr(detail.message, "0000 to 9999"));
}
