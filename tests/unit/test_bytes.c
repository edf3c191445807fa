#include "engine/base/bytes.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "tests/support/random.h"

/* A parameter is carried to another process: arrays, no pointers. */
struct order_case {
    uint8_t left[8];
    size_t left_size;
    uint8_t right[8];
    size_t right_size;
    int sign;
};

static int sign(int order)
{
    return (order > 0) - (order < 0);
}

ParameterizedTestParameters(bytes, order_is_unsigned_and_puts_a_prefix_first)
{
    static struct order_case cases[] = {
        { "", 0, "", 0, 0 },
        { "", 0, "\x00", 1, -1 },
        { "a", 1, "a", 1, 0 },
        { "a", 1, "ab", 2, -1 },
        { "a", 1, "a\x00", 2, -1 },
        { "b", 1, "ab", 2, 1 },
        { "\x7F", 1, "\x80", 1, -1 },
        { "\xFF", 1, "\x00", 1, 1 },
        { "\xFF", 1, "\xFF\x00", 2, -1 },
        { "a\x00" "b", 3, "a\x00" "c", 3, -1 },
        { "abcdefg", 7, "abcdefh", 7, -1 },
    };
    return cr_make_param_array(struct order_case, cases, sizeof cases / sizeof *cases);
}

ParameterizedTest(const struct order_case *c, bytes, order_is_unsigned_and_puts_a_prefix_first)
{
    sheaf_bytes left = sheaf_bytes_of(c->left, c->left_size);
    sheaf_bytes right = sheaf_bytes_of(c->right, c->right_size);
    cr_assert_eq(sign(sheaf_bytes_order(left, right)), c->sign);
    cr_assert_eq(sign(sheaf_bytes_order(right, left)), -c->sign);
    cr_assert_eq(sign(sheaf_bytes_compare(left, right)), c->sign);
    cr_assert_eq(sheaf_bytes_equal(left, right), c->sign == 0);
}

Test(bytes, an_empty_slice_may_be_null)
{
    sheaf_bytes null = sheaf_bytes_of(NULL, 0);
    cr_assert_eq(sheaf_bytes_order(null, SHEAF_LIT("")), 0);
    cr_assert_lt(sheaf_bytes_order(null, SHEAF_LIT("a")), 0);
    cr_assert(sheaf_bytes_equal(null, SHEAF_LIT("")));
    cr_assert(sheaf_bytes_starts_with(SHEAF_LIT("a"), null));
    cr_assert(sheaf_bytes_starts_with(null, null));
    cr_assert_eq(sheaf_bytes_shared(null, SHEAF_LIT("a")), 0);
    cr_assert_eq(sheaf_bytes_head(null), 0);
    cr_assert_eq(sheaf_bytes_skip(null, 0).size, 0);
}

Test(bytes, starts_with)
{
    cr_assert(sheaf_bytes_starts_with(SHEAF_LIT("abc"), SHEAF_LIT("ab")));
    cr_assert(sheaf_bytes_starts_with(SHEAF_LIT("abc"), SHEAF_LIT("abc")));
    cr_assert(!sheaf_bytes_starts_with(SHEAF_LIT("abc"), SHEAF_LIT("abcd")));
    cr_assert(!sheaf_bytes_starts_with(SHEAF_LIT("abc"), SHEAF_LIT("b")));
    cr_assert(sheaf_bytes_starts_with(SHEAF_LIT("a\0b"), SHEAF_LIT("a\0")));
    cr_assert(!sheaf_bytes_starts_with(SHEAF_LIT("a\0b"), SHEAF_LIT("a\1")));
}

/* Sizes on both sides of the eight bytes compared at once, a difference at each place. */
Test(bytes, shared_counts_up_to_the_first_difference)
{
    uint8_t left[40], right[40];
    for (size_t size = 0; size <= 40; size++) {
        for (size_t differs = 0; differs < size; differs++) {
            memset(left, 'x', sizeof left);
            memset(right, 'x', sizeof right);
            right[differs] = 'y';
            cr_assert_eq(sheaf_bytes_shared(sheaf_bytes_of(left, size), sheaf_bytes_of(right, size)), differs);
            cr_assert_eq(sheaf_bytes_shared(sheaf_bytes_of(left, size), sheaf_bytes_of(right, 40)), differs);
        }
        memset(left, 'x', sizeof left);
        memset(right, 'x', sizeof right);
        cr_assert_eq(sheaf_bytes_shared(sheaf_bytes_of(left, size), sheaf_bytes_of(right, 40)), size);
    }
}

Test(bytes, a_head_is_the_first_four_bytes_zero_filled)
{
    cr_assert_eq(sheaf_bytes_head(SHEAF_LIT("")), 0u);
    cr_assert_eq(sheaf_bytes_head(SHEAF_LIT("\x01")), 0x01000000u);
    cr_assert_eq(sheaf_bytes_head(SHEAF_LIT("\xFF\x02")), 0xFF020000u);
    cr_assert_eq(sheaf_bytes_head(SHEAF_LIT("\x01\x02\x03")), 0x01020300u);
    cr_assert_eq(sheaf_bytes_head(SHEAF_LIT("\x01\x02\x03\x04")), 0x01020304u);
    cr_assert_eq(sheaf_bytes_head(SHEAF_LIT("\x01\x02\x03\x04\x05")), 0x01020304u);
}

Test(bytes, heads_order_as_bytes_and_write_back)
{
    struct random random = random_from_seed(1);
    for (int i = 0; i < 20000; i++) {
        uint8_t left[6], right[6], back[4];
        for (size_t j = 0; j < 6; j++) {
            left[j] = (uint8_t)(random_below(&random, 3) * 127);
            right[j] = (uint8_t)(random_below(&random, 3) * 127);
        }
        sheaf_bytes a = sheaf_bytes_of(left, random_below(&random, 7));
        sheaf_bytes b = sheaf_bytes_of(right, random_below(&random, 7));
        uint32_t head_a = sheaf_bytes_head(a), head_b = sheaf_bytes_head(b);
        if (head_a != head_b) cr_assert_eq(head_a < head_b, sheaf_bytes_order(a, b) < 0);
        sheaf_bytes_write_head(back, head_a);
        if (a.size > 0) cr_assert_eq(memcmp(back, left, a.size < 4 ? a.size : 4), 0);
    }
}

Test(bytes, skip_gives_the_rest)
{
    sheaf_bytes rest = sheaf_bytes_skip(SHEAF_LIT("abc"), 2);
    cr_assert_eq(rest.size, 1);
    cr_assert_eq(rest.data[0], 'c');
    cr_assert_eq(sheaf_bytes_skip(SHEAF_LIT("abc"), 3).size, 0);
    cr_assert_eq(sheaf_bytes_skip(SHEAF_LIT("abc"), 0).size, 3);
}

Test(bytes, equal_finds_one_byte_that_differs_wherever_it_is)
{
    enum { SIZE_MAX_TRIED = 100 };
    uint8_t left[SIZE_MAX_TRIED], right[SIZE_MAX_TRIED];
    for (size_t size = 0; size <= SIZE_MAX_TRIED; size++) {
        memset(left, 'k', sizeof left);
        memset(right, 'k', sizeof right);
        cr_assert(sheaf_bytes_equal(sheaf_bytes_of(left, size), sheaf_bytes_of(right, size)), "size %zu", size);
        for (size_t at = 0; at < sizeof right; at++) {
            right[at] ^= 0x80;
            bool equal = sheaf_bytes_equal(sheaf_bytes_of(left, size), sheaf_bytes_of(right, size));
            cr_assert_eq(equal, at >= size, "size %zu, byte %zu", size, at);
            right[at] ^= 0x80;
        }
    }
}

/* Of every size, differing at every place or nowhere: what memcmp says. */
Test(bytes, comparing_pieces_says_what_memcmp_says)
{
    uint8_t left[100], right[100];
    for (size_t size = 1; size < 90; size++) {
        for (size_t at = 0; at <= size; at++) {
            for (size_t i = 0; i < size; i++) left[i] = right[i] = (uint8_t)(i * 37 + size);
            left[size] = 1; /* behind the end: must not count */
            right[size] = 2;
            if (at < size) right[at] = (uint8_t)(right[at] + 1 + (at * 91) % 255);
            int order = memcmp(left, right, size);
            cr_assert_eq(sheaf_bytes_same(left, right, size), order == 0, "size %zu, at %zu", size, at);
            int recent = sheaf_bytes_order_recent(left, right, size);
            cr_assert((recent < 0) == (order < 0) && (recent > 0) == (order > 0), "size %zu, at %zu", size, at);
            cr_assert((sheaf_bytes_order_recent(right, left, size) > 0) == (order < 0));
        }
    }
    cr_assert(sheaf_bytes_same(left, right, 0));
    cr_assert_eq(sheaf_bytes_order_recent(left, right, 0), 0);
}
