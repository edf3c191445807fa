#include "tests/support/counted_store.h"

#include "tests/support/expect.h"

sheaf_store *counted_store_begin(struct test_heap *heap)
{
    *heap = test_heap_new();
    sheaf_allocator hooks = test_heap_hooks(heap);
    sheaf_store_options options = { .allocator = &hooks };
    sheaf_store *store = NULL;
    EXPECT(sheaf_store_create(&options, &store, NULL) == SHEAF_OK, "no memory is refused");
    return store;
}

void counted_store_end(sheaf_store *store, const struct test_heap *heap)
{
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_store_check(store, &fault), "%s, level %u, slot %u", fault.rule, fault.level, fault.slot);
    sheaf_store_destroy(store);
    EXPECT(heap->live_blocks == 0 && heap->live_bytes == 0, "%d blocks leaked", (int)heap->live_blocks);
}
