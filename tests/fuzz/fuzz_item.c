/*
 * fuzz_item.c - any bytes as a record: what is taken for sound is read to the end, and built again it is the same.
 */
#include <sheaf/item.h>

#include <string.h>

#include "tests/support/expect.h"

static size_t read_all(sheaf_value value)
{
    size_t count = 1, index = 0;
    sheaf_value_cursor cursor = sheaf_value_begin(value);
    sheaf_bytes name;
    for (sheaf_value within, found; sheaf_value_next(&cursor, &name, &within); index++) {
        if (value.type == SHEAF_TYPE_MAP)
            EXPECT(sheaf_value_member(value, name, &found) && sheaf_value_equal(found, within), "member %zu", index);
        if (value.type == SHEAF_TYPE_LIST && index < 50)
            EXPECT(sheaf_value_element(value, index, &found) && sheaf_value_equal(found, within), "element %zu", index);
        count += read_all(within);
    }
    EXPECT(index == sheaf_value_count(value), "%zu values", index);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sheaf_bytes record = sheaf_bytes_of(data, size), again, name;
    sheaf_detail detail;
    if (size > 1 << 16) return 0;
    if (sheaf_item_check(record, &detail) != SHEAF_OK) {
        EXPECT(detail.size <= size, "offset %zu", (size_t)detail.size);
        return 0;
    }
    sheaf_item item = { .record = record };
    EXPECT(read_all(sheaf_item_value(record)) > 0 && sheaf_item_size(&item) <= 8 * size, "a size");
    sheaf_item_builder *builder;
    EXPECT(sheaf_item_builder_create(NULL, &builder) == SHEAF_OK, "a builder");
    sheaf_value_cursor cursor = sheaf_value_begin(sheaf_item_value(record));
    for (sheaf_value value; sheaf_value_next(&cursor, &name, &value);) sheaf_item_add(builder, name, value);
    EXPECT(sheaf_item_end(builder, &again, &detail) == SHEAF_OK, "%s", detail.message);
    EXPECT(sheaf_bytes_compare(again, record) == 0, "another record");
    sheaf_item_builder_destroy(builder);
    return 0;
}
