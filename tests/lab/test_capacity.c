/*
 * test_capacity.c - sizes and units as DynamoDB counts them.
 */
#include "engine/lab/capacity.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <string.h>

struct size_case {
    char number[48];
    size_t size;
};

/* As measured at the limit of an item's size. */
static struct size_case size_cases[] = {
    { "0", 1 },     { "1", 2 },    { "12", 2 },        { "123", 3 },    { "1234", 3 },
    { "100", 2 },   { "42", 2 },   { "1010", 3 },      { "123456", 4 }, { "-42", 3 },
    { "1.5", 3 },   { "15", 2 },   { "1.2", 3 },       { "1.234", 4 },  { "3.14159", 5 },
    { "100.5", 4 }, { "0.15", 2 }, { "0.0000001", 2 }, { "-0.5", 3 },   { "98765432109876543210987654321098765432", 20 },
};

ParameterizedTestParameters(capacity, numbers_take_a_byte_for_two_digits)
{
    return cr_make_param_array(struct size_case, size_cases, sizeof size_cases / sizeof *size_cases);
}

ParameterizedTest(struct size_case *c, capacity, numbers_take_a_byte_for_two_digits)
{
    cr_assert_eq(capacity_value_size(VALUE_NUMBER, sheaf_bytes_of(c->number, strlen(c->number))), c->size, "%s: %zu", c->number,
                 capacity_value_size(VALUE_NUMBER, sheaf_bytes_of(c->number, strlen(c->number))));
}

Test(capacity, texts_take_their_bytes)
{
    cr_assert_eq(capacity_value_size(VALUE_TEXT, SHEAF_LIT("100")), 3);
    cr_assert_eq(capacity_value_size(VALUE_PATH, SHEAF_LIT("docs/")), 5);
    cr_assert_eq(capacity_value_size(VALUE_TIME, SHEAF_LIT("2026-05-01T09:07:03Z")), 20);
    cr_assert_eq(capacity_value_size(VALUE_TEXT, SHEAF_LIT("")), 0);
}

Test(capacity, what_is_read_is_summed_and_then_rounded)
{
    struct capacity capacity = { 0 };
    cr_assert_eq(capacity_halves(&capacity), 1, "nothing costs half a unit, too");
    capacity_add(&capacity, 4000);
    cr_assert_eq(capacity_halves(&capacity), 1);
    capacity_add(&capacity, 96);
    cr_assert_eq(capacity_halves(&capacity), 1, "4096 bytes");
    capacity_add(&capacity, 1);
    cr_assert_eq(capacity_halves(&capacity), 2);
    for (int i = 0; i < 6; i++) capacity_add(&capacity, 230);
    cr_assert_eq(capacity.bytes, 4097 + 1380);
    cr_assert_eq(capacity.entry_count, 9);
    cr_assert_eq(capacity_halves(&capacity), 2, "each for itself would be 8");
}

Test(capacity, a_page_ends_with_the_item_that_brings_it_to_a_megabyte)
{
    struct capacity capacity = { 0 };
    capacity_add(&capacity, 1048575);
    capacity_add(&capacity, 4097); /* 1,052,672 bytes: 257 times 4096 */
    cr_assert_eq(capacity_halves(&capacity), 257);
    cr_assert_eq(capacity.page_count, 0);
    capacity_add(&capacity, 1);
    cr_assert_eq(capacity_halves(&capacity), 258);
    cr_assert_eq(capacity.page_count, 1);
}
