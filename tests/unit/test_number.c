/*
 * test_number.c - numbers by the tables of DynamoDB's rules: what is read, printed, counted, added, and the bytes of keys.
 */
#include <sheaf/number.h>

#include <criterion/criterion.h>

#include <string.h>

static sheaf_bytes text_of(const char *text)
{
    return sheaf_bytes_of(text, strlen(text));
}

static sheaf_number number_of(const char *text)
{
    sheaf_number number = { 0 };
    cr_assert_eq(sheaf_number_parse(text_of(text), &number, NULL), SHEAF_OK, "%s", text);
    return number;
}

static void expect_printed(sheaf_number number, const char *wanted)
{
    char text[SHEAF_NUMBER_TEXT_SIZE_MAX];
    size_t size = sheaf_number_print(number, text);
    cr_assert(size == strlen(wanted) && memcmp(text, wanted, size) == 0, "%.*s, not %s", (int)size, text, wanted);
}

static void expect_refused(const char *text, sheaf_status status)
{
    sheaf_number number = { .coefficient_low = 7 };
    sheaf_detail detail = { 0 };
    cr_assert_eq(sheaf_number_parse(text_of(text), &number, &detail), status, "%s", text);
    cr_assert_eq(number.coefficient_low, 7, "%s: nothing is written", text);
    cr_assert_eq(detail.field, SHEAF_FIELD_NUMBER);
    cr_assert_neq(detail.message, NULL);
}

#define NINES_38 "99999999999999999999999999999999999999"
#define ZEROS_88 "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
#define ZEROS_125 ZEROS_88 "0000000000000000000000000000000000000"

/* ---- text ------------------------------------------------------------------------------------------------------------- */

Test(number, b43_is_printed_in_one_form)
{
    static const struct {
        const char *text, *printed;
    } cases[] = {
        { "0003", "3" }, { "00042", "42" }, { "3.0", "3" }, { ".5", "0.5" }, { "5.", "5" }, { "-0", "0" }, { "0e0", "0" },
        { "+7", "7" }, { "-1.10", "-1.1" }, { "1e3", "1000" }, { "1.5e1", "15" }, { "1.5E2", "150" }, { "12e-3", "0.012" },
        { "1.0", "1" }, { "-17.4E37", "-174000000000000000000000000000000000000" }, { "0001.23", "1.23" }, { ".123", "0.123" },
        { "1e+5", "100000" }, { "+0.00", "0" }, { "100.5", "100.5" }, { "-0.050", "-0.05" }, { "10e-1", "1" },
        { "123e-2", "1.23" }, { "123e-3", "0.123" }, { "123e-5", "0.00123" }, { "1e125", "1" ZEROS_125 },
        { NINES_38 "e88", NINES_38 ZEROS_88 }, { "9.9999999999999999999999999999999999999E125", NINES_38 ZEROS_88 },
        { "0e125", "0" }, { "0.0e126", "0" }, { "0e-130", "0" }, { "1E0", "1" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect_printed(number_of(cases[i].text), cases[i].printed);
}

Test(number, b43_refuses_what_is_no_number)
{
    static const char *const cases[] = { "", " ", " 1", "1 ", "+", "-", ".", "+.", "e1", ".e1", "1e", "1e+", "1.2.3", "1e1.5", "dog",
        "NaN", "Infinity", "-Infinity", "0x10", "1,000", "1_000", "--1", "+-1", "1-", "1e99999999999999999999", "\xd9\xa1", "1\n" };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect_refused(cases[i], SHEAF_NUMBER_MALFORMED);
    sheaf_number number;
    cr_assert_eq(sheaf_number_parse(sheaf_bytes_of("1\0", 2), &number, NULL), SHEAF_NUMBER_MALFORMED);
    cr_assert_eq(sheaf_number_parse(sheaf_bytes_of(NULL, 0), &number, NULL), SHEAF_NUMBER_MALFORMED);
}

Test(number, b43_refuses_what_is_out_of_range)
{
    expect_refused("1e126", SHEAF_NUMBER_OVERFLOW);
    expect_refused("-1E126", SHEAF_NUMBER_OVERFLOW);
    expect_refused("10e125", SHEAF_NUMBER_OVERFLOW);
    expect_refused("0e126", SHEAF_NUMBER_OVERFLOW);
    expect_refused("1e2147483648", SHEAF_NUMBER_OVERFLOW);
    expect_refused("1e9223372036854775807", SHEAF_NUMBER_OVERFLOW);
    expect_refused("1e-131", SHEAF_NUMBER_UNDERFLOW);
    expect_refused("-0.1e-130", SHEAF_NUMBER_UNDERFLOW);
    expect_refused("0e-131", SHEAF_NUMBER_UNDERFLOW);
    expect_refused("1e-9223372036854775808", SHEAF_NUMBER_UNDERFLOW);
    expect_refused("1" NINES_38, SHEAF_NUMBER_TOO_LONG);
    expect_refused("1.000000000000000000000000000000000000001", SHEAF_NUMBER_TOO_LONG);
}

Test(number, b43_names_the_digits_it_met_and_says_what_dynamodb_says)
{
    sheaf_number number;
    sheaf_detail detail;
    cr_assert_eq(sheaf_number_parse(text_of("0.0" NINES_38 "01000"), &number, &detail), SHEAF_NUMBER_TOO_LONG);
    cr_assert_eq(detail.size, 40);
    cr_assert_eq(detail.limit, 38);
    cr_assert_str_eq(detail.message, "Attempting to store more than 38 significant digits in a Number");
    (void)sheaf_number_parse(text_of("1e126"), &number, &detail);
    cr_assert_str_eq(detail.message,
                     "Number overflow. Attempting to store a number with magnitude larger than supported range");
    (void)sheaf_number_parse(text_of("1e-131"), &number, &detail);
    cr_assert_str_eq(detail.message,
                     "Number underflow. Attempting to store a number with magnitude smaller than supported range");
    (void)sheaf_number_parse(text_of("dog"), &number, &detail);
    cr_assert_str_eq(detail.message, "The parameter cannot be converted to a numeric value");
}

Test(number, b44_zeros_at_the_end_are_not_significant)
{
    expect_printed(number_of("1234567895171680000000000000000000000000"), "1234567895171680000000000000000000000000");
    expect_printed(number_of("0.1000000000000000000000000000000000000000000000000"), "0.1");
    expect_printed(number_of("000000000000000000000000000000000000000000000000001"), "1");
    expect_printed(number_of("1" ZEROS_125), "1" ZEROS_125);
}

Test(number, b46_forms_of_one_number_are_one_number)
{
    sheaf_number plain = number_of("1000"), scientific = number_of("1e3"), padded = number_of("+01000.00");
    cr_assert_eq(sheaf_number_compare(plain, scientific), 0);
    cr_assert(plain.coefficient_low == 1 && plain.exponent == 3 && !plain.negative && plain.coefficient_high == 0);
    cr_assert(scientific.coefficient_low == 1 && scientific.exponent == 3);
    cr_assert(padded.coefficient_low == 1 && padded.exponent == 3);
}

Test(number, b47_keeps_all_38_digits)
{
    expect_printed(number_of("1234567890123.12345678901234567890"), "1234567890123.1234567890123456789");
    expect_printed(number_of("12345678901234567890123456789012345678"), "12345678901234567890123456789012345678");
    sheaf_number one = number_of("1.2345678901234567890123456789012345678"), other = number_of("1.2345678901234567890123456789012345679");
    cr_assert_lt(sheaf_number_compare(one, other), 0);
    cr_assert_gt(sheaf_number_compare(other, one), 0);
}

Test(number, the_longest_text_fits)
{
    char text[SHEAF_NUMBER_TEXT_SIZE_MAX];
    cr_assert_eq(sheaf_number_print(number_of("-1.2345678901234567890123456789012345678e-130"), text), sizeof text);
    cr_assert_eq(memcmp(text, "-0.000", 6), 0);
    cr_assert_eq(memcmp(text + sizeof text - 38, "12345678901234567890123456789012345678", 38), 0);
}

Test(number, counts_bytes_as_dynamodb_does)
{
    static const struct {
        const char *text;
        size_t size;
    } cases[] = {
        { "0", 1 }, { "-0", 1 }, { "1", 2 }, { "12", 2 }, { "123", 3 }, { "1234", 3 }, { "100", 2 }, { "0042", 2 }, { "1010", 3 },
        { "123456", 4 }, { "-42", 3 }, { "1.5", 3 }, { "15", 2 }, { "1.200", 3 }, { "1.234", 4 }, { "3.14159", 5 }, { "100.5", 4 },
        { "0.15", 2 }, { "0.0000001", 2 }, { "1E125", 2 }, { "1E-100", 2 }, { NINES_38, 20 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_assert_eq(sheaf_number_size(number_of(cases[i].text)), cases[i].size, "%s", cases[i].text);
}

/* ---- integers --------------------------------------------------------------------------------------------------------- */

Test(number, comes_from_integers_and_goes_back)
{
    static const int64_t values[] = { 0, 1, -1, 10, -10, 99, 100, 1000000007, INT64_MAX, INT64_MIN, INT64_MAX - 7, INT64_MIN + 8 };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        int64_t back = 77;
        cr_assert_eq(sheaf_number_to_i64(sheaf_number_of_i64(values[i]), &back), SHEAF_OK);
        cr_assert_eq(back, values[i]);
    }
    expect_printed(sheaf_number_of_i64(INT64_MIN), "-9223372036854775808");
    expect_printed(sheaf_number_of_u64(UINT64_MAX), "18446744073709551615");
    expect_printed(sheaf_number_of_u64(UINT64_C(10000000000000000000)), "10000000000000000000");
}

Test(number, says_what_is_no_integer)
{
    static const char *const cases[] = { "0.5", "1.5", "9223372036854775808", "-9223372036854775809", "1e19", "1e125",
                                         "18446744073709551616", NINES_38, "-1e-130" };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = 77;
        cr_assert_eq(sheaf_number_to_i64(number_of(cases[i]), &value), SHEAF_NUMBER_OVERFLOW, "%s", cases[i]);
        cr_assert_eq(value, 77);
    }
}

/* ---- sums ------------------------------------------------------------------------------------------------------------- */

static void expect_sum(const char *left, const char *right, const char *wanted)
{
    sheaf_number sum, difference;
    cr_assert_eq(sheaf_number_add(number_of(left), number_of(right), &sum, NULL), SHEAF_OK, "%s + %s", left, right);
    expect_printed(sum, wanted);
    cr_assert_eq(sheaf_number_add(number_of(right), number_of(left), &sum, NULL), SHEAF_OK, "%s + %s", right, left);
    expect_printed(sum, wanted);
    cr_assert_eq(sheaf_number_subtract(number_of(wanted), number_of(right), &difference, NULL), SHEAF_OK);
    cr_assert_eq(sheaf_number_compare(difference, number_of(left)), 0, "%s - %s", wanted, right);
}

Test(number, adds_exactly)
{
    expect_sum("0", "0", "0");
    expect_sum("1", "-1", "0");
    expect_sum("0.1", "0.2", "0.3");
    expect_sum("999", "1", "1000");
    expect_sum("1000", "-1", "999");
    expect_sum("-5", "3", "-2");
    expect_sum("5", "0", "5");
    expect_sum("1.5", "1.5", "3");
    expect_sum(NINES_38, "1", "100000000000000000000000000000000000000");
    expect_sum("1e37", "1", "10000000000000000000000000000000000001");
    expect_sum("1e38", "-1", NINES_38);
    expect_sum("10", "-9.9999999999999999999999999999999999999", "0.0000000000000000000000000000000000001");
    expect_sum("5e125", "4e125", "9" ZEROS_125);
    expect_sum("1e125", "-1e125", "0");
}

Test(number, refuses_sums_without_an_exact_form)
{
    static const struct {
        const char *left, *right;
        sheaf_status status;
    } cases[] = {
        { "1e40", "1", SHEAF_NUMBER_OVERFLOW }, { "1e38", "1", SHEAF_NUMBER_OVERFLOW }, { "1e40", "-1", SHEAF_NUMBER_OVERFLOW },
        { "9e125", "1e125", SHEAF_NUMBER_OVERFLOW }, { "-9e125", "-1e125", SHEAF_NUMBER_OVERFLOW },
        { "1e125", "1e-130", SHEAF_NUMBER_OVERFLOW }, { NINES_38, "0.1", SHEAF_NUMBER_OVERFLOW },
        { "1.1e-130", "-1e-130", SHEAF_NUMBER_UNDERFLOW },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sheaf_number sum = { .coefficient_low = 7 };
        sheaf_detail detail;
        cr_assert_eq(sheaf_number_add(number_of(cases[i].left), number_of(cases[i].right), &sum, &detail), cases[i].status, "%s",
                     cases[i].left);
        cr_assert_eq(sum.coefficient_low, 7);
        cr_assert_eq(detail.field, SHEAF_FIELD_NUMBER);
    }
}

/* ---- order and keys --------------------------------------------------------------------------------------------------- */

/* Ascending, neighbours as near as they can be. */
static const char *const ASCENDING[] = {
    "-9.9999999999999999999999999999999999999e125", "-9.9999999999999999999999999999999999998e125", "-1e125", "-1e124", "-100", "-99.9",
    "-11", "-10.5", "-10", "-9", "-2", "-1.00000001", "-1", "-0.99", "-0.5", "-0.05", "-1e-129", "-1.1e-130", "-1e-130", "0",
    "1e-130", "1.0000000000000000000000000000000000001e-130", "1e-129", "0.05", "0.5", "0.99", "1", "1.00000001", "1.5", "2", "9", "10",
    "10.5", "11", "99.9", "100", "101", "1000", "1e124", "1e125", "9.9999999999999999999999999999999999998e125",
    "9.9999999999999999999999999999999999999e125",
};
enum { ASCENDING_COUNT = sizeof ASCENDING / sizeof *ASCENDING };

Test(number, b01_b55_keys_sort_by_value_whatever_follows)
{
    for (size_t i = 0; i < ASCENDING_COUNT; i++) {
        for (size_t j = 0; j < ASCENDING_COUNT; j++) {
            sheaf_number left = number_of(ASCENDING[i]), right = number_of(ASCENDING[j]);
            int wanted = (i > j) - (i < j), found = sheaf_number_compare(left, right);
            cr_assert_eq((found > 0) - (found < 0), wanted, "%s, %s", ASCENDING[i], ASCENDING[j]);
            for (int suffix = 0; suffix < 3; suffix++) {
                static const uint8_t below[] = { 0, 0x61, 0xFF }, above[] = { 0xFF, 0x61, 0 };
                uint8_t left_key[SHEAF_NUMBER_KEY_SIZE_MAX + 1], right_key[SHEAF_NUMBER_KEY_SIZE_MAX + 1];
                size_t left_size = sheaf_number_to_key(left, left_key), right_size = sheaf_number_to_key(right, right_key);
                left_key[left_size++] = i < j ? above[suffix] : below[suffix]; /* against the order */
                right_key[right_size++] = i < j ? below[suffix] : above[suffix];
                if (i == j) continue;
                int order = sheaf_bytes_compare(sheaf_bytes_of(left_key, left_size), sheaf_bytes_of(right_key, right_size));
                cr_assert_eq((order > 0) - (order < 0), wanted, "%s, %s", ASCENDING[i], ASCENDING[j]);
            }
        }
    }
}

Test(number, has_the_key_that_the_header_draws)
{
    static const struct {
        const char *text;
        size_t size;
        uint8_t key[SHEAF_NUMBER_KEY_SIZE_MAX];
    } cases[] = {
        { "0", 1, { 2 } },
        { "1", 3, { 3, 130, 20 } },
        { "150", 3, { 3, 132, 30 } },
        { "1234.5", 5, { 3, 133, 25, 69, 100 } },
        { "-150", 3, { 1, 123, 225 } },
        { "1e-130", 3, { 3, 0, 20 } },
        { "-1e125", 3, { 1, 0, 235 } },
        { "100.01", 5, { 3, 132, 21, 1, 20 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t key[SHEAF_NUMBER_KEY_SIZE_MAX];
        size_t size = sheaf_number_to_key(number_of(cases[i].text), key);
        cr_assert_eq(size, cases[i].size, "%s", cases[i].text);
        cr_assert_arr_eq(key, cases[i].key, size, "%s", cases[i].text);
    }
}

Test(number, b49_zero_has_a_key_of_its_own_between_the_signs)
{
    uint8_t below[SHEAF_NUMBER_KEY_SIZE_MAX], zero[SHEAF_NUMBER_KEY_SIZE_MAX], above[SHEAF_NUMBER_KEY_SIZE_MAX];
    size_t below_size = sheaf_number_to_key(number_of("-1.00"), below), zero_size = sheaf_number_to_key(number_of("0.00"), zero);
    size_t above_size = sheaf_number_to_key(number_of("1.00"), above);
    cr_assert_lt(sheaf_bytes_compare(sheaf_bytes_of(below, below_size), sheaf_bytes_of(zero, zero_size)), 0);
    cr_assert_lt(sheaf_bytes_compare(sheaf_bytes_of(zero, zero_size), sheaf_bytes_of(above, above_size)), 0);
}

Test(number, reads_its_key_and_not_what_follows)
{
    for (size_t i = 0; i < ASCENDING_COUNT; i++) {
        uint8_t key[SHEAF_NUMBER_KEY_SIZE_MAX + 4];
        size_t size = sheaf_number_to_key(number_of(ASCENDING[i]), key), found = 0;
        memset(key + size, 0xAB, 4);
        sheaf_number back;
        cr_assert_eq(sheaf_number_from_key(sheaf_bytes_of(key, size + 4), &back, &found), SHEAF_OK);
        cr_assert_eq(found, size);
        cr_assert_eq(sheaf_number_compare(back, number_of(ASCENDING[i])), 0);
        for (size_t cut = 0; cut < size; cut++)
            cr_assert_eq(sheaf_number_from_key(sheaf_bytes_of(key, cut), &back, NULL), SHEAF_KEY_MALFORMED, "%s", ASCENDING[i]);
    }
}

Test(number, refuses_every_other_way_to_write_a_key)
{
    static const struct {
        size_t size;
        uint8_t key[SHEAF_NUMBER_KEY_SIZE_MAX + 1];
    } cases[] = {
        { 1, { 0 } },                 /* no class */
        { 1, { 4 } },
        { 3, { 3, 130, 18 } },        /* 09: a zero at the start */
        { 4, { 3, 130, 21, 0 } },     /* 10 00: zeros at the end */
        { 3, { 3, 130, 200 } },       /* a pair of 100 */
        { 3, { 3, 130, 255 } },
        { 4, { 1, 130, 234, 255 } },  /* the same, below zero */
        { 22, { 3, 130, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 20 } }, /* 40 digits */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sheaf_number number;
        cr_assert_eq(sheaf_number_from_key(sheaf_bytes_of(cases[i].key, cases[i].size), &number, NULL), SHEAF_KEY_MALFORMED, "%zu", i);
    }
}
