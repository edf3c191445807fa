#include "tests/support/counted_shared.h"

#include "tests/support/expect.h"

sheaf_shared *counted_shared_begin(struct test_heap *heap, sheaf_shared_options options)
{
    *heap = test_heap_new();
    heap->size_classes = true;
    sheaf_allocator hooks = test_heap_hooks(heap);
    options.store.allocator = &hooks;
    sheaf_shared *shared = NULL;
    EXPECT(sheaf_shared_create(&options, &shared, NULL) == SHEAF_OK, "no memory is refused");
    return shared;
}

void counted_shared_end(sheaf_shared *shared, struct test_heap *heap)
{
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_shared_check(shared, &fault), "%s, level %u, slot %u", fault.rule, fault.level, fault.slot);
    EXPECT(sheaf_shared_total(shared).charged_bytes == heap->live_real_bytes, "bytes charged are bytes live");
    uint64_t requests = heap->requests;
    sheaf_shared_destroy(shared);
    EXPECT(heap->requests == requests, "destroying asks for no memory");
    EXPECT(heap->live_blocks == 0 && heap->live_bytes == 0, "%d blocks leaked", (int)heap->live_blocks);
}
