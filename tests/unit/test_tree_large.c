#include "engine/tree/large.h"

#include <criterion/criterion.h>

#include <string.h>

#include "tests/support/orchard.h"

static uint8_t bytes[VALUE_INLINE_SIZE_MAX + 1];

Test(large, a_value_goes_out_of_line_just_above_the_threshold)
{
    struct orchard orchard;
    orchard_begin(&orchard);
    memset(bytes, 'x', sizeof bytes);
    struct sheaf_payload at, above;
    cr_assert_eq(sheaf_payload_make(&orchard.grove, sheaf_bytes_of(bytes, VALUE_INLINE_SIZE_MAX), &at), SHEAF_OK);
    cr_assert_null(at.large);
    cr_assert_eq(at.bytes.data, bytes, "an inline value is borrowed until it is written to its cell");
    cr_assert_eq(orchard.heap.live_blocks, 0);
    orchard.grove.version = 7;
    cr_assert_eq(sheaf_payload_make(&orchard.grove, sheaf_bytes_of(bytes, VALUE_INLINE_SIZE_MAX + 1), &above), SHEAF_OK);
    cr_assert_not_null(above.large);
    cr_assert_eq(above.birth, 7);
    cr_assert_eq(above.bytes.size, VALUE_INLINE_SIZE_MAX + 1);
    cr_assert_eq(memcmp(above.large, bytes, sizeof bytes), 0);
    cr_assert_eq(orchard.heap.live_bytes, sizeof bytes, "nothing but the value, so that 4096 bytes are a block of 4096");
    sheaf_payload_free(&orchard.grove, &at);
    sheaf_payload_free(&orchard.grove, &above);
    orchard_end(&orchard);
}

Test(large, a_refusal_makes_nothing)
{
    struct orchard orchard;
    orchard_begin(&orchard);
    orchard.heap.fail_from = 0;
    struct sheaf_payload payload = { .bytes = SHEAF_LIT("untouched") };
    cr_assert_eq(sheaf_payload_make(&orchard.grove, sheaf_bytes_of(bytes, sizeof bytes), &payload), SHEAF_NO_MEMORY);
    cr_assert_eq(payload.bytes.size, 9);
    orchard_end(&orchard);
}

/* Through the tree: every way a value can change between the two places frees what it leaves. */
Test(large, replacing_moves_values_in_and_out)
{
    struct orchard orchard;
    orchard_begin(&orchard);
    static const size_t sizes[] = { 0, 1, VALUE_INLINE_SIZE_MAX, VALUE_INLINE_SIZE_MAX + 1, 5000, 4999 };
    static uint8_t value[5000];
    for (size_t from = 0; from < 6; from++) {
        for (size_t to = 0; to < 6; to++) {
            memset(value, (int)('a' + from), sizeof value);
            orchard_put(&orchard, SHEAF_LIT("key"), sheaf_bytes_of(value, sizes[from]));
            memset(value, (int)('A' + to), sizeof value);
            orchard_put(&orchard, SHEAF_LIT("key"), sheaf_bytes_of(value, sizes[to]));
            sheaf_bytes read;
            cr_assert_eq(sheaf_tree_get(&orchard.tree, SHEAF_LIT("key"), &read), SHEAF_OK);
            cr_assert(sheaf_bytes_equal(read, sheaf_bytes_of(value, sizes[to])));
            cr_assert_eq(orchard.heap.live_blocks, sizes[to] > VALUE_INLINE_SIZE_MAX ? 2 : 1);
            cr_assert_eq(orchard.tree.totals.bytes, 3 + sizes[to]);
            orchard_check(&orchard);
        }
    }
    orchard_end(&orchard);
}
