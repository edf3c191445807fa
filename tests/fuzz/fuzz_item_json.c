/*
 * fuzz_item_json.c - any bytes as JSON of both forms: what is taken is written again, and read again is the same item.
 */
#include <sheaf/item_json.h>

#include <stdlib.h>
#include <string.h>

#include "tests/support/expect.h"

/* Also of B and sets, which only DynamoDB's form keeps. */
static void write_and_read(sheaf_bytes record)
{
    sheaf_item item = { .record = record };
    sheaf_item_builder *other;
    sheaf_bytes again = { 0 };
    size_t size = 0, same_size = 0;
    sheaf_json_fault fault = { 0 };
    EXPECT(sheaf_item_write_json(&item, SHEAF_JSON_DYNAMODB, NULL, 0, &size) == SHEAF_BUFFER_TOO_SMALL, "a size");
    char *written = malloc(size);
    EXPECT(sheaf_item_write_json(&item, SHEAF_JSON_DYNAMODB, written, size, &same_size) == SHEAF_OK && same_size == size,
           "written");
    EXPECT(sheaf_item_builder_create(NULL, &other) == SHEAF_OK, "a builder");
    EXPECT(sheaf_item_read_json(other, sheaf_bytes_of(written, size), SHEAF_JSON_DYNAMODB, &again, &fault) == SHEAF_OK, "%s",
           fault.message);
    EXPECT(sheaf_bytes_compare(again, record) == 0, "another item");
    sheaf_item_builder_destroy(other);
    free(written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sheaf_item_builder *builder;
    if (size > 1 << 16) return 0;
    EXPECT(sheaf_item_builder_create(NULL, &builder) == SHEAF_OK, "a builder");
    for (int form = SHEAF_JSON_DYNAMODB; form <= SHEAF_JSON_PLAIN; form++) {
        sheaf_bytes record = { 0 };
        sheaf_json_fault fault = { .offset = SIZE_MAX };
        sheaf_status status = sheaf_item_read_json(builder, sheaf_bytes_of(data, size), (sheaf_json_form)form, &record, &fault);
        if (status == SHEAF_OK) {
            EXPECT(sheaf_item_check(record, NULL) == SHEAF_OK, "a sound record");
            write_and_read(record);
        } else {
            EXPECT(fault.offset <= size, "offset %zu of %zu", fault.offset, size);
            EXPECT(memchr(fault.message, 0, sizeof fault.message), "a message that ends");
        }
    }
    sheaf_item_builder_destroy(builder);
    return 0;
}
