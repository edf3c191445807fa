/*
 * test_item_failure.c - building an item, and reading one from JSON, with every allocation refused in turn.
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/test_heap.h"

/* Names and strings with escapes, for which the parser needs memory; nested; binaries; more than first rooms hold. */
static sheaf_bytes make_json(char *room)
{
    char *at = room;
    at += sprintf(at, "{\"b\":{\"B\":\"AAECAwQFBgcICQ==\"},\"\\u0061\":{\"L\":[");
    for (int i = 0; i < 120; i++)
        at += sprintf(at, "%s{\"M\":{\"z\\n\":{\"S\":\"\\t%d of many\"},\"n\":{\"NS\":[\"2\",\"1\"]}}}", i ? "," : "", i);
    at += sprintf(at, "]}}");
    return sheaf_bytes_of(room, (size_t)(at - room));
}

Test(item_failure, reading_json_leaves_nothing_behind)
{
    static char room[20000];
    sheaf_bytes json = make_json(room), wanted = { 0 };
    sheaf_item_builder *reference;
    cr_assert_eq(sheaf_item_builder_create(NULL, &reference), SHEAF_OK);
    cr_assert_eq(sheaf_item_read_json(reference, json, SHEAF_JSON_DYNAMODB, &wanted, NULL), SHEAF_OK);
    sheaf_status status = SHEAF_NO_MEMORY;
    size_t tried = 0;
    for (; status != SHEAF_OK; tried++) {
        struct test_heap heap = test_heap_new();
        sheaf_allocator hooks = test_heap_hooks(&heap);
        sheaf_item_builder *builder = NULL;
        sheaf_bytes record = { 0 };
        sheaf_json_fault fault = { 0 };
        heap.fail_at = tried;
        status = sheaf_item_builder_create(&hooks, &builder);
        if (status == SHEAF_OK) {
            status = sheaf_item_read_json(builder, json, SHEAF_JSON_DYNAMODB, &record, &fault);
            if (status != SHEAF_OK) {
                cr_assert_eq(status, SHEAF_NO_MEMORY, "allocation %zu: %s", tried, fault.message);
                cr_assert_gt(strlen(fault.message), 0);
                cr_assert_eq(sheaf_item_read_json(builder, json, SHEAF_JSON_DYNAMODB, &record, &fault), SHEAF_OK);
            }
            cr_assert_eq(sheaf_bytes_compare(record, wanted), 0);
        }
        sheaf_item_builder_destroy(builder);
        cr_assert_eq(heap.live_bytes, 0, "a leak when allocation %zu fails", tried);
    }
    cr_assert_gt(tried, 10);
    sheaf_item_builder_destroy(reference);
}
