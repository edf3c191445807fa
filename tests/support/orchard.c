#include "tests/support/orchard.h"

#include <stdio.h>

#include "tests/support/expect.h"

void orchard_begin(struct orchard *orchard)
{
    orchard->heap = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(&orchard->heap);
    orchard->grove = (struct sheaf_grove){ .version = 1 };
    sheaf_heap_init(&orchard->grove.heap, &hooks);
    sheaf_tree_init(&orchard->tree, &orchard->grove);
}

void orchard_check(const struct orchard *orchard)
{
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_tree_check(&orchard->tree, &fault), "%s, level %u, slot %u", fault.rule, fault.level, fault.slot);
}

void orchard_end(struct orchard *orchard)
{
    orchard_check(orchard);
    sheaf_tree_clear(&orchard->tree);
    EXPECT(orchard->tree.totals.count == 0 && orchard->tree.totals.bytes == 0, "a cleared tree is empty");
    EXPECT(orchard->heap.live_blocks == 0 && orchard->heap.live_bytes == 0, "%d blocks leaked", (int)orchard->heap.live_blocks);
    EXPECT(orchard->grove.heap.charged_bytes == 0, "%d bytes charged for nothing", (int)orchard->grove.heap.charged_bytes);
}

void orchard_put(struct orchard *orchard, sheaf_bytes key, sheaf_bytes value)
{
    bool replaced;
    EXPECT(sheaf_tree_put(&orchard->tree, key, value, &replaced) == SHEAF_OK, "no memory is refused");
}

sheaf_bytes orchard_number(uint32_t number, char *buffer)
{
    int size = snprintf(buffer, 16, "%06u", number);
    return sheaf_bytes_of(buffer, (size_t)size);
}

void orchard_put_numbers(struct orchard *orchard, uint32_t begin, uint32_t end)
{
    char buffer[17] = "v";
    for (uint32_t number = begin; number < end; number++) {
        sheaf_bytes key = orchard_number(number, buffer + 1);
        orchard_put(orchard, key, sheaf_bytes_of(buffer, key.size + 1));
    }
}
