/*
 * test_number_model.c - random numbers against columns of digits.
 *
 * The reference writes a number out in full, 126 digits before the point and 167 behind it, and adds and compares as one does
 * on paper. It shares nothing with the engine: not the coefficient, not the exponent.
 */
#include <sheaf/number.h>

#include <criterion/criterion.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/random.h"

enum { BEFORE = 127, BEHIND = 167, COLUMNS = BEFORE + BEHIND }; /* one column more: a sum may carry */

struct columns {
    bool negative;
    uint8_t digits[COLUMNS]; /* the highest first; the point is behind BEFORE of them */
};

/* A number as digits and where they go, so that text and columns are made from the same draw. */
struct drawn {
    char text[512];
    struct columns columns;
};

static bool is_zero(const struct columns *columns)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (columns->digits[i] != 0) return false;
    return true;
}

static int compare_digits(const struct columns *left, const struct columns *right)
{
    int order = memcmp(left->digits, right->digits, COLUMNS);
    return (order > 0) - (order < 0);
}

static int compare(const struct columns *left, const struct columns *right)
{
    bool left_below = left->negative && !is_zero(left), right_below = right->negative && !is_zero(right);
    if (left_below != right_below) return left_below ? -1 : 1;
    return left_below ? compare_digits(right, left) : compare_digits(left, right);
}

static void add(const struct columns *left, const struct columns *right, struct columns *out)
{
    int carry = 0;
    bool same = left->negative == right->negative;
    if (!same && compare_digits(left, right) < 0) {
        const struct columns *larger = right;
        right = left;
        left = larger;
    }
    out->negative = left->negative;
    for (size_t i = COLUMNS; i-- > 0;) {
        int digit = left->digits[i] + (same ? right->digits[i] : -right->digits[i]) + carry;
        carry = digit > 9 ? 1 : digit < 0 ? -1 : 0;
        out->digits[i] = (uint8_t)(digit - 10 * carry);
    }
}

/* SHEAF_OK if a number can be that. */
static sheaf_status judge(const struct columns *columns)
{
    size_t first = 0, last = COLUMNS;
    if (is_zero(columns)) return SHEAF_OK;
    while (columns->digits[first] == 0) first++;
    while (columns->digits[last - 1] == 0) last--;
    if (last - first > SHEAF_NUMBER_DIGITS_MAX) return SHEAF_NUMBER_OVERFLOW;
    if (first < BEFORE - 126) return SHEAF_NUMBER_OVERFLOW;
    return first > BEFORE + 129 ? SHEAF_NUMBER_UNDERFLOW : SHEAF_OK;
}

static size_t print(const struct columns *columns, char *out)
{
    size_t size = 0, first = 0, last = COLUMNS;
    if (is_zero(columns)) {
        out[0] = '0';
        return 1;
    }
    while (first < BEFORE - 1 && columns->digits[first] == 0) first++;
    while (last > BEFORE && columns->digits[last - 1] == 0) last--;
    if (columns->negative) out[size++] = '-';
    for (size_t i = first; i < last; i++) {
        if (i == BEFORE) out[size++] = '.';
        out[size++] = (char)('0' + columns->digits[i]);
    }
    return size;
}

/* Text in some form, with zeros and a point where they change nothing. */
static void write_text(struct random *random, struct drawn *drawn, const uint8_t *digits, uint32_t count, int last_exponent)
{
    char *at = drawn->text;
    if (drawn->columns.negative) *at++ = '-';
    else if (random_once_in(random, 4)) *at++ = '+';
    for (uint32_t i = random_below(random, 3); i > 0; i--) *at++ = '0';
    uint32_t point = random_below(random, count + 2); /* digits before it; more than there are: no point */
    for (uint32_t i = 0; i < count; i++) {
        if (i == point) *at++ = '.';
        *at++ = (char)('0' + digits[i]);
    }
    uint32_t zeros = random_below(random, 3);
    for (uint32_t i = 0; i < zeros; i++) *at++ = '0';
    int exponent = last_exponent - (int)zeros + (point < count ? (int)(count - point + zeros) : 0);
    if (exponent != 0 || random_once_in(random, 4)) at += sprintf(at, random_once_in(random, 2) ? "e%d" : "E%+d", exponent);
    *at = '\0';
}

static void draw(struct random *random, struct drawn *drawn)
{
    uint8_t digits[SHEAF_NUMBER_DIGITS_MAX];
    uint32_t count = random_once_in(random, 3) ? random_between(random, 1, SHEAF_NUMBER_DIGITS_MAX) : random_between(random, 1, 3);
    for (uint32_t i = 0; i < count; i++)
        digits[i] = (uint8_t)(random_once_in(random, 3) ? 9 * random_below(random, 2) : random_below(random, 10));
    if (digits[0] == 0) digits[0] = 1; /* so that the first exponent is what was drawn */
    int first = random_once_in(random, 4) ? (int)random_between(random, 0, 255) - 130 : (int)random_below(random, 45) - 22;
    memset(&drawn->columns, 0, sizeof drawn->columns);
    drawn->columns.negative = random_once_in(random, 2);
    for (uint32_t i = 0; i < count; i++) drawn->columns.digits[(size_t)(BEFORE - 1 - first) + i] = digits[i];
    write_text(random, drawn, digits, count, first - (int)count + 1);
}

static sheaf_number parse(const struct drawn *drawn, uint64_t seed, uint64_t step)
{
    sheaf_number number = { 0 };
    sheaf_status status = sheaf_number_parse(sheaf_bytes_of(drawn->text, strlen(drawn->text)), &number, NULL);
    if (status != SHEAF_OK) cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": %s", seed, step, drawn->text);
    return number;
}

static void expect_print(sheaf_number number, const struct columns *columns, uint64_t seed, uint64_t step)
{
    char wanted[COLUMNS + 2], found[SHEAF_NUMBER_TEXT_SIZE_MAX];
    size_t wanted_size = print(columns, wanted), found_size = sheaf_number_print(number, found);
    if (wanted_size != found_size || memcmp(wanted, found, found_size) != 0) {
        cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": %.*s, not %.*s", seed, step, (int)found_size, found, (int)wanted_size,
                       wanted);
    }
}

static void expect_key(sheaf_number left, sheaf_number right, int order, uint64_t seed, uint64_t step)
{
    uint8_t left_key[SHEAF_NUMBER_KEY_SIZE_MAX], right_key[SHEAF_NUMBER_KEY_SIZE_MAX];
    size_t left_size = sheaf_number_to_key(left, left_key), right_size = sheaf_number_to_key(right, right_key), size = 0;
    int found = sheaf_bytes_compare(sheaf_bytes_of(left_key, left_size), sheaf_bytes_of(right_key, right_size));
    sheaf_number back = { 0 };
    bool sound = (found > 0) - (found < 0) == order && left_size <= sizeof left_key &&
                 sheaf_number_from_key(sheaf_bytes_of(left_key, left_size), &back, &size) == SHEAF_OK && size == left_size &&
                 memcmp(&back.coefficient_high, &left.coefficient_high, 16) == 0 && back.exponent == left.exponent &&
                 back.negative == left.negative;
    size_t shorter = left_size < right_size ? left_size : right_size;
    if (order != 0 && memcmp(left_key, right_key, shorter) == 0) sound = false; /* no key is the beginning of another */
    if (!sound) cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": key", seed, step);
}

static void expect_sum(const struct drawn *left, const struct drawn *right, sheaf_number a, sheaf_number b, uint64_t seed,
                       uint64_t step)
{
    struct columns sum;
    sheaf_number found;
    add(&left->columns, &right->columns, &sum);
    sheaf_status wanted = judge(&sum), status = sheaf_number_add(a, b, &found, NULL);
    if (status != wanted)
        cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": %s + %s is %d", seed, step, left->text, right->text, (int)status);
    if (status == SHEAF_OK) expect_print(found, &sum, seed, step);
}

Test(number_model, agrees_with_columns_of_digits)
{
    uint64_t seed = random_seed("number_model", 20261201);
    struct random random = random_from_seed(seed);
    struct drawn left, right;
    for (uint64_t step = 0, steps = random_scaled(1000000); step < steps; step++) {
        draw(&random, &left);
        draw(&random, &right);
        sheaf_number a = parse(&left, seed, step), b = parse(&right, seed, step);
        expect_print(a, &left.columns, seed, step);
        int order = compare(&left.columns, &right.columns), found = sheaf_number_compare(a, b);
        if ((found > 0) - (found < 0) != order)
            cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": %s, %s: %d", seed, step, left.text, right.text, found);
        expect_key(a, b, order, seed, step);
        expect_sum(&left, &right, a, b, seed, step);
    }
}

/* Any bytes: what is taken for a key is the one way to write that number. */
Test(number_model, takes_no_other_bytes_for_a_key)
{
    uint64_t seed = random_seed("number_keys", 20261202), taken = 0;
    struct random random = random_from_seed(seed);
    for (uint64_t step = 0, steps = random_scaled(1000000); step < steps; step++) {
        uint8_t bytes[SHEAF_NUMBER_KEY_SIZE_MAX + 2], again[SHEAF_NUMBER_KEY_SIZE_MAX];
        size_t size = random_below(&random, sizeof bytes + 1), found = 0;
        for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)random_below(&random, 256);
        if (size > 0) bytes[0] = (uint8_t)random_below(&random, 5);
        sheaf_number number;
        if (sheaf_number_from_key(sheaf_bytes_of(bytes, size), &number, &found) != SHEAF_OK) continue;
        taken++;
        bool same = found <= size && sheaf_number_to_key(number, again) == found && memcmp(again, bytes, found) == 0;
        if (!same) cr_assert_fail("seed %" PRIu64 " step %" PRIu64 ": %zu bytes", seed, step, found);
    }
    cr_assert_gt(taken, random_scaled(1000000) / 20, "some are keys");
}
