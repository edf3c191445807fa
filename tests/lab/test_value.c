/*
 * test_value.c - canonical texts, their order, and what is worked out from them.
 */
#include "engine/lab/value.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <stdio.h>
#include <string.h>

#include "engine/lab/derive.h"
#include "engine/lab/instant.h"

static sheaf_bytes text_of(const char *text)
{
    return sheaf_bytes_of(text, strlen(text));
}

static void release(struct buffer *buffer)
{
    buffer_release(buffer);
}

/* ---- canonical texts -------------------------------------------------------------------------------------------------- */

struct canonical_case {
    enum value_type type;
    char text[40];
    char canonical[64]; /* or what the complaint is, in full */
    bool refused;
};

static struct canonical_case canonical_cases[] = {
    { VALUE_TEXT, "", "", false },
    { VALUE_TEXT, " 010", " 010", false },
    { VALUE_PATH, "docs/", "docs/", false },
    { VALUE_PATH, "", "expected a path, found nothing", true },
    { VALUE_NUMBER, "0", "0", false },
    { VALUE_NUMBER, "-0.00", "0", false },
    { VALUE_NUMBER, "+7", "7", false },
    { VALUE_NUMBER, "0000015853", "15853", false },
    { VALUE_NUMBER, "-01.500", "-1.5", false },
    { VALUE_NUMBER, "00.050", "0.05", false },
    { VALUE_NUMBER, "100", "100", false },
    { VALUE_NUMBER, "", "expected a number such as 1500 or -2.5, found \"\"", true },
    { VALUE_NUMBER, "-", "expected a number such as 1500 or -2.5, found \"-\"", true },
    { VALUE_NUMBER, "1.", "expected a number such as 1500 or -2.5, found \"1.\"", true },
    { VALUE_NUMBER, ".5", "expected a number such as 1500 or -2.5, found \".5\"", true },
    { VALUE_NUMBER, "1e3", "expected a number such as 1500 or -2.5, found \"1e3\"", true },
    { VALUE_NUMBER, "1 ", "expected a number such as 1500 or -2.5, found \"1 \"", true },
    { VALUE_TIME, "2026-05-01", "2026-05-01T00:00:00Z", false },
    { VALUE_TIME, "2026-05-01T09:07Z", "2026-05-01T09:07:00Z", false },
    { VALUE_TIME, "2026-05-01T11:07:03.500+02:00", "2026-05-01T09:07:03.5Z", false },
    { VALUE_TIME, "2026-05-01 09:07:03.000z", "2026-05-01T09:07:03Z", false },
    { VALUE_TIME, "2026-01-01T00:30:00+0100", "2025-12-31T23:30:00Z", false },
    { VALUE_TIME, "2024-02-28T23:00:00-01:00", "2024-02-29T00:00:00Z", false },
    { VALUE_TIME, "1900-02-28T23:59:59-00:01", "1900-03-01T00:00:59Z", false },
    { VALUE_TIME, "0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z", false },
    { VALUE_TIME, "9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z", false },
    { VALUE_TIME, "0000-02-29", "0000-02-29T00:00:00Z", false },
};

ParameterizedTestParameters(value, has_one_canonical_text)
{
    return cr_make_param_array(struct canonical_case, canonical_cases, sizeof canonical_cases / sizeof *canonical_cases);
}

ParameterizedTest(struct canonical_case *c, value, has_one_canonical_text)
{
    struct buffer buffer = { 0 };
    struct complaint complaint = { .text = "" };
    bool sound = value_append_canonical(c->type, text_of(c->text), &buffer, &complaint);
    cr_assert_eq(sound, !c->refused, "%s", complaint.text);
    sheaf_bytes got = c->refused ? text_of(complaint.text) : buffer_view(&buffer);
    cr_assert_eq(got.size, strlen(c->canonical), "%.*s", (int)got.size, (const char *)got.data);
    cr_assert(got.size == 0 || memcmp(got.data, c->canonical, got.size) == 0, "%.*s", (int)got.size, (const char *)got.data);
    release(&buffer);
}

struct time_case {
    char text[40];
};

static struct time_case refused_times[] = {
    { "" },
    { "2026" },
    { "2026-5-1" },
    { "2026-13-01" },
    { "2026-00-01" },
    { "2026-04-31" },
    { "2026-02-29" },
    { "1900-02-29" },
    { "2026-05-01T" },
    { "2026-05-01T09:07:03" }, /* where? */
    { "2026-05-01T24:00:00Z" },
    { "2026-05-01T09:60:00Z" },
    { "2026-05-01T09:07:60Z" },
    { "2026-05-01T09:07:03.Z" },
    { "2026-05-01T09:07:03Zx" },
    { "2026-05-01T09:07:03+24:00" },
    { "0000-01-01T00:00:00+00:01" }, /* before the year 0 */
    { "9999-12-31T23:59:59-00:01" },
};

ParameterizedTestParameters(value, refuses_what_is_no_time)
{
    return cr_make_param_array(struct time_case, refused_times, sizeof refused_times / sizeof *refused_times);
}

ParameterizedTest(struct time_case *c, value, refuses_what_is_no_time)
{
    struct buffer buffer = { 0 };
    struct complaint complaint;
    cr_assert_not(value_append_canonical(VALUE_TIME, text_of(c->text), &buffer, &complaint));
    cr_assert_eq(buffer.size, 0);
    cr_assert(strstr(complaint.text, "expected a time such as 2026-05-01T09:07:03Z or 2026-05-01, found "), "%s",
              complaint.text);
}

/* Days counted one by one, over the whole calendar. */
Test(value, every_day_is_one_day_after_the_day_before)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int64_t seconds = -62167219200; /* `date -u -d 0000-01-01 +%s` */
    for (int year = 0; year <= 9999; year += year == 401 ? 1497 : year == 2105 ? 7794 : 1) {
        if (year == 1898) seconds = -2272060800;  /* date -u -d 1898-01-01 +%s */
        if (year == 9899) seconds = 250215091200; /* date -u -d 9899-01-01 +%s */
        for (int month = 1; month <= 12; month++) {
            bool leap = month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            for (int day = 1; day <= days[month - 1] + leap; day++, seconds += 86400) {
                char text[48];
                struct instant instant;
                struct buffer buffer = { 0 };
                int size = snprintf(text, sizeof text, "%04d-%02d-%02dT00:00:00Z", year, month, day);
                cr_assert(instant_read(sheaf_bytes_of(text, (size_t)size), &instant), "%s", text);
                cr_assert_eq(instant.seconds, seconds, "%s: %lld", text, (long long)instant.seconds);
                instant_append(&instant, &buffer);
                cr_assert_eq(buffer.size, (size_t)size);
                cr_assert_eq(memcmp(buffer.data, text, (size_t)size), 0, "%.*s", (int)buffer.size, (char *)buffer.data);
                release(&buffer);
            }
        }
    }
}

/* ---- order ------------------------------------------------------------------------------------------------------------ */

static void check_ascending(enum value_type type, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            int order = value_order(type, text_of(texts[i]), text_of(texts[j]));
            cr_assert_eq((order > 0) - (order < 0), (i > j) - (i < j), "%s %s", texts[i], texts[j]);
        }
}

Test(value, numbers_sort_by_value)
{
    static const char *const texts[] = { "-1000.5",
                                         "-1000",
                                         "-999",
                                         "-10",
                                         "-9.51",
                                         "-9.5",
                                         "-1",
                                         "-0.05",
                                         "-0.005",
                                         "0",
                                         "0.005",
                                         "0.05",
                                         "0.5",
                                         "1",
                                         "1.25",
                                         "1.3",
                                         "9",
                                         "9.5",
                                         "9.51",
                                         "10",
                                         "999",
                                         "1000",
                                         "99999999999999999999999999999999999999999",
                                         "100000000000000000000000000000000000000000" };
    check_ascending(VALUE_NUMBER, texts, sizeof texts / sizeof *texts);
}

Test(value, times_sort_by_instant)
{
    static const char *const texts[] = { "0000-01-01T00:00:00Z",   "1969-12-31T23:59:59Z",    "1970-01-01T00:00:00Z",
                                         "1970-01-01T00:00:00.5Z", "1970-01-01T00:00:00.51Z", "1970-01-01T00:00:00.6Z",
                                         "1970-01-01T00:00:01Z" };
    check_ascending(VALUE_TIME, texts, sizeof texts / sizeof *texts);
}

Test(value, texts_and_paths_sort_by_bytes)
{
    static const char *const texts[] = { "", "10", "9", "B", "a", "a!", "a/", "a/b", "a0", "\xEF\xBD\x9E", "\xF0\x9F\x98\x80" };
    check_ascending(VALUE_TEXT, texts, sizeof texts / sizeof *texts);
    check_ascending(VALUE_PATH, texts + 1, sizeof texts / sizeof *texts - 1);
}

/* ---- derived fields --------------------------------------------------------------------------------------------------- */

struct derived_case {
    enum derivation derivation;
    char value[40];
    char derived[40];
};

static struct derived_case derived_cases[] = {
    { DERIVE_PARENT, "docs/", "/" },
    { DERIVE_PARENT, "docs/a.txt", "docs/" },
    { DERIVE_PARENT, "docs/img/", "docs/" },
    { DERIVE_PARENT, "a", "/" },
    { DERIVE_PARENT, "/usr/", "/" },
    { DERIVE_PARENT, "/usr/lib", "/usr/" },
    { DERIVE_PARENT, "/", "" },
    { DERIVE_NAME, "docs/", "docs/" },
    { DERIVE_NAME, "docs/img/x.png", "x.png" },
    { DERIVE_NAME, "docs/img/", "img/" },
    { DERIVE_NAME, "a", "a" },
    { DERIVE_NAME, "/usr", "usr" },
    { DERIVE_DEPTH, "a", "1" },
    { DERIVE_DEPTH, "docs/", "1" },
    { DERIVE_DEPTH, "docs/img/x.png", "3" },
    { DERIVE_DEPTH, "/usr/lib/", "2" },
    { DERIVE_DEPTH, "/", "0" },
    { DERIVE_DEPTH, "a//", "2" },
    { DERIVE_DEPTH, "a//b", "3" },
    { DERIVE_PARENT, "a//", "a/" },
    { DERIVE_PARENT, "a//b", "a//" },
    { DERIVE_BARE, "docs/", "docs" },
    { DERIVE_BARE, "docs/a", "docs/a" },
    { DERIVE_EPOCH_S, "2001-09-09T01:46:40Z", "1000000000" },
    { DERIVE_EPOCH_S, "1969-12-31T23:59:59Z", "-1" },
    { DERIVE_EPOCH_MS, "2001-09-09T01:46:40Z", "1000000000000" },
    { DERIVE_EPOCH_MS, "2001-09-09T01:46:39.05Z", "999999999050" },
    { DERIVE_EPOCH_MS, "1969-12-31T23:59:59.999Z", "-1" },
};

ParameterizedTestParameters(derive, works_out)
{
    return cr_make_param_array(struct derived_case, derived_cases, sizeof derived_cases / sizeof *derived_cases);
}

ParameterizedTest(struct derived_case *c, derive, works_out)
{
    struct buffer buffer = { 0 };
    struct complaint complaint;
    cr_assert(derive_append(c->derivation, '/', text_of(c->value), &buffer, &complaint));
    cr_assert_eq(buffer.size, strlen(c->derived), "%.*s", (int)buffer.size, (const char *)buffer.data);
    cr_assert(buffer.size == 0 || memcmp(buffer.data, c->derived, buffer.size) == 0);
    release(&buffer);
}

Test(derive, loses_no_part_of_a_second)
{
    struct buffer buffer = { 0 };
    struct complaint complaint;
    cr_assert_not(derive_append(DERIVE_EPOCH_S, '/', text_of("2001-09-09T01:46:40.5Z"), &buffer, &complaint));
    cr_assert_str_eq(complaint.text, "expected a time of whole seconds, found \"2001-09-09T01:46:40.5Z\"");
    cr_assert_not(derive_append(DERIVE_EPOCH_MS, '/', text_of("2001-09-09T01:46:40.0005Z"), &buffer, &complaint));
    cr_assert_str_eq(complaint.text, "expected a time of whole milliseconds, found \"2001-09-09T01:46:40.0005Z\"");
    cr_assert_eq(buffer.size, 0);
}
