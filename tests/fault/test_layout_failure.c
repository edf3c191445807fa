/*
 * test_layout_failure.c - making a layout with every allocation refused in turn, and that only making one allocates.
 */
#include <criterion/criterion.h>

#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/test_heap.h"

static const char LINE[] = "pk = \"SEASON#{season}\", sk = (score:u64 desc, player:text)";

static sheaf_status create(struct test_heap *heap, const char *line, sheaf_layout **out_layout, sheaf_layout_fault *fault)
{
    sheaf_allocator hooks = test_heap_hooks(heap);
    sheaf_layout_options options = { .allocator = &hooks };
    return sheaf_layout_create(sheaf_bytes_of(line, strlen(line)), &options, out_layout, fault);
}

Test(layout_failure, leaves_nothing_behind)
{
    sheaf_status status = SHEAF_NO_MEMORY;
    size_t tried = 0;
    for (; status != SHEAF_OK; tried++) {
        struct test_heap heap = test_heap_new();
        sheaf_layout *layout = NULL;
        sheaf_layout_fault fault = { .message = NULL };
        heap.fail_at = tried;
        status = create(&heap, LINE, &layout, &fault);
        if (status != SHEAF_OK) {
            cr_assert_eq(status, SHEAF_NO_MEMORY);
            cr_assert_not_null(fault.message);
            cr_assert_null(layout);
            cr_assert_eq(create(&heap, LINE, &layout, NULL), SHEAF_OK, "the next time there is memory");
        }
        sheaf_layout_destroy(layout);
        cr_assert_eq(heap.live_bytes, 0, "a leak when allocation %zu fails", tried);
    }
    cr_assert_eq(tried, 2, "one block");
}

Test(layout_failure, gives_back_what_a_malformed_layout_took)
{
    struct test_heap heap = test_heap_new();
    sheaf_layout *layout;
    sheaf_layout_fault fault;
    cr_assert_eq(create(&heap, "sk = \"{a}{b}\"", &layout, &fault), SHEAF_LAYOUT_MALFORMED);
    cr_assert_eq(fault.column, 10);
    cr_assert_eq(heap.requests, 1);
    cr_assert_eq(heap.live_bytes, 0);
}

Test(layout_failure, only_making_one_allocates)
{
    struct test_heap heap = test_heap_new();
    sheaf_layout *layout;
    cr_assert_eq(create(&heap, LINE, &layout, NULL), SHEAF_OK);
    heap.fail_from = heap.requests;
    uint8_t buffer[2048], texts[2048];
    sheaf_bytes key, values[3] = { SHEAF_LIT("26"), SHEAF_LIT("1500"), SHEAF_LIT("p_8842") };
    sheaf_condition condition = { 1, SHEAF_CONDITION_GREATER, SHEAF_LIT("100"), { NULL, 0 } };
    sheaf_range range;
    for (int which = 0; which < 2; which++) {
        cr_assert_eq(sheaf_layout_encode(layout, (sheaf_layout_key)which, values, buffer, sizeof buffer, &key, NULL),
                     SHEAF_OK);
        cr_assert_eq(sheaf_layout_decode(layout, (sheaf_layout_key)which, key, texts, sizeof texts, values, NULL),
                     SHEAF_OK);
    }
    cr_assert_eq(sheaf_layout_range(layout, SHEAF_LAYOUT_SORT_KEY, &condition, 1, buffer, sizeof buffer, &range, NULL),
                 SHEAF_OK);
    cr_assert_eq(heap.refusals, 0);
    sheaf_layout_destroy(layout);
    cr_assert_eq(heap.live_bytes, 0);
}
