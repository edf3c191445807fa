#include "engine/key/double_text.h"

#include <criterion/criterion.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/bytes.h"
#include "tests/support/expect.h"
#include "tests/support/random.h"

static sheaf_bytes text(const char *string)
{
    return sheaf_bytes_of(string, strlen(string));
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Bits from IEEE 754, the printed form by hand. */
static const struct {
    const char *text;
    uint64_t bits;
    const char *printed;
} CASES[] = {
    { "0", 0, "0" },
    { "-0.000e99", 0, "0" },
    { "1", 0x3FF0000000000000, "1" },
    { "0.1", 0x3FB999999999999A, "0.1" },
    { "-0.1", 0xBFB999999999999A, "-0.1" },
    { "1500", 0x4097700000000000, "1500" },
    { "12345678901234567", 0x4345EE2A2EB5A5C4, "12345678901234568" },
    { "0.00001", 0x3EE4F8B588E368F1, "0.00001" },
    { "0.000001", 0x3EB0C6F7A0B5ED8D, "1e-6" },
    { "15e-8", 0x3E8421F5F40D8376, "1.5e-7" },
    { "1e17", 0x4376345785D8A000, "1e17" },
    { "1E+22", 0x4480F0CF064DD592, "1e22" },
    { "5e-324", 1, "5e-324" },
    { "2.4703282292062327208e-324", 0, "0" },   /* just below half of that */
    { "2.4703282292062328e-324", 1, "5e-324" }, /* just above */
    { "2.2250738585072014e-308", 0x0010000000000000, "2.2250738585072014e-308" },
    { "1.7976931348623157e308", 0x7FEFFFFFFFFFFFFF, "1.7976931348623157e308" },
    { "9007199254740993", 0x4340000000000000, "9007199254740992" }, /* half way: to the even one */
    { "9007199254740993.0000000000000000000000000000000000000001", 0x4340000000000001, "9007199254740994" },
    { "1e-99999999999999999999", 0, "0" },
    { "inf", 0x7FF0000000000000, "inf" },
    { "-inf", 0xFFF0000000000000, "-inf" },
};

Test(double_text, is_read_to_the_nearest_and_printed_in_few_digits)
{
    (void)setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is there, with a comma for a point */
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        double value = 7;
        char printed[SHEAF_DOUBLE_TEXT_SIZE_MAX + 1];
        cr_assert(sheaf_double_parse(text(CASES[i].text), &value), "%s", CASES[i].text);
        cr_assert_eq(bits_of(value), CASES[i].bits, "%s: %llx", CASES[i].text, (unsigned long long)bits_of(value));
        size_t size = sheaf_double_print(value, printed);
        printed[size] = '\0';
        cr_assert_str_eq(printed, CASES[i].printed);
    }
}

/* What is behind the eight hundredth digit counts, if only to say that it is there. */
Test(double_text, looks_at_all_digits)
{
    char digits[2000];
    double value;
    (void)snprintf(digits, sizeof digits, "9007199254740993.%0*d", 1500, 1);
    cr_assert(sheaf_double_parse(text(digits), &value));
    cr_assert_eq(bits_of(value), 0x4340000000000001);
    (void)snprintf(digits, sizeof digits, "9007199254740993.%0*d", 1500, 0);
    cr_assert(sheaf_double_parse(text(digits), &value));
    cr_assert_eq(bits_of(value), 0x4340000000000000);
    (void)snprintf(digits, sizeof digits, "%0*d", 1500, 7);
    cr_assert(sheaf_double_parse(text(digits), &value));
    cr_assert_eq(bits_of(value), bits_of(7));
    memset(digits, '1', 1000);
    (void)snprintf(digits + 1000, 20, "e-999");
    cr_assert(sheaf_double_parse(text(digits), &value));
    cr_assert_eq(bits_of(value), bits_of(1.1111111111111111111111));
}

Test(double_text, is_not_read_from_anything_else)
{
    static const char *const texts[] = {
        "",
        "-",
        ".",
        ".5",
        "1.",
        "+1",
        "1e",
        "1e+",
        "1e5.0",
        " 1",
        "1 ",
        "0x1",
        "nan",
        "infinity",
        "Inf",
        "--1",
        "1,5",
        "1e309",
        "-1e309",
        "1.7976931348623159e308",
        "1e99999999999999999999",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double value = 7;
        cr_assert(!sheaf_double_parse(text(texts[i]), &value), "%s", texts[i]);
    }
}

Test(double_text, gives_any_double_back)
{
    struct random random = random_from_seed(random_seed("double_text", 7));
    for (uint64_t count = random_scaled(30000); count > 0; count--) {
        uint64_t bits = random_next(&random);
        double value, again = 0;
        char printed[SHEAF_DOUBLE_TEXT_SIZE_MAX + 1];
        memcpy(&value, &bits, sizeof value);
        if (__builtin_isnan(value)) continue;
        if (random_once_in(&random, 2)) value = (double)(int64_t)bits / (double)(1u << random_below(&random, 20));
        size_t size = sheaf_double_print(value, printed);
        printed[size] = '\0';
        EXPECT(sheaf_double_parse(sheaf_bytes_of(printed, size), &again), "%s", printed);
        EXPECT(bits_of(again) == bits_of(value), "%s", printed);
        EXPECT(bits_of(strtod(printed, NULL)) == bits_of(value), "%s by libc", printed);
    }
}
