/*
 * cache_put.c - puts that evict.
 *
 * A put that the budget has no room for is tried again after each eviction, until it goes in or nothing is left to evict. The
 * value may lie in the store, in an entry that is about to go (and keys may, in a careless program); so for the second try all
 * three are copied. What they take meanwhile is not the store's: it comes from the allocator and is charged to nobody.
 */
#include <string.h>

#include "engine/store/cache.h"

enum { NEAR_SIZE = 2048 };

/* Copies of what is put. */
struct copies {
    sheaf_bytes partition_key;
    sheaf_bytes sort_key;
    sheaf_bytes value;
    uint8_t *block; /* where they lie: `near`, or a block of their own when they are large */
    size_t block_size;
    uint8_t near[NEAR_SIZE];
};

static sheaf_bytes copy_to(uint8_t **at, sheaf_bytes bytes)
{
    if (bytes.size > 0) memcpy(*at, bytes.data, bytes.size);
    *at += bytes.size;
    return sheaf_bytes_of(*at - bytes.size, bytes.size);
}

/* False when memory is refused. */
static bool make_copies(struct copies *copies, const sheaf_allocator *hooks, sheaf_bytes partition_key, sheaf_bytes sort_key,
                        sheaf_bytes value)
{
    copies->block = copies->near;
    copies->block_size = partition_key.size + sort_key.size + value.size;
    if (copies->block_size > sizeof copies->near) {
        copies->block = hooks->resize(hooks->context, NULL, 0, copies->block_size);
        if (!copies->block) return false;
    }
    uint8_t *at = copies->block;
    copies->partition_key = copy_to(&at, partition_key);
    copies->sort_key = copy_to(&at, sort_key);
    copies->value = copy_to(&at, value);
    return true;
}

static void free_copies(struct copies *copies, const sheaf_allocator *hooks)
{
    if (copies->block != copies->near) (void)hooks->resize(hooks->context, copies->block, copies->block_size, 0);
}

/* Whether an entry would not fit in if it were the only one: then nothing should be evicted for it. */
static bool is_hopeless(const struct sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_bytes value)
{
    const struct sheaf_heap *heap = &store->grove.heap;
    uint64_t fixed_size = sheaf_heap_real_size(heap, sizeof *store) + sheaf_heap_real_size(heap, sizeof *store->cache);
    uint64_t size = (uint64_t)partition_key.size + sort_key.size + value.size + fixed_size;
    return size > sheaf_heap_most(heap);
}

static sheaf_status put_and_trim(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                 sheaf_bytes value, bool *out_replaced)
{
    sheaf_status status = sheaf_store_put_once(store, hash, partition_key, sort_key, value, out_replaced);
    if (status == SHEAF_OK && !*out_replaced) sheaf_cache_trim(store, hash, partition_key);
    return status;
}

static sheaf_status put_evicting(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                 sheaf_bytes value, bool *out_replaced)
{
    const sheaf_allocator *hooks = &store->grove.heap.hooks;
    if (is_hopeless(store, partition_key, sort_key, value)) return SHEAF_NO_MEMORY;
    struct copies copies;
    if (!make_copies(&copies, hooks, partition_key, sort_key, value)) {
        store->grove.heap.refused_bytes = 0; /* it was the allocator */
        return SHEAF_NO_MEMORY;
    }
    sheaf_status status = SHEAF_NO_MEMORY;
    while (status == SHEAF_NO_MEMORY && sheaf_cache_make_room(store)) {
        if (store->events) sheaf_cache_expect(store, hash, copies.sort_key); /* callbacks may have put others */
        status = put_and_trim(store, hash, copies.partition_key, copies.sort_key, copies.value, out_replaced);
    }
    free_copies(&copies, hooks);
    return status;
}

sheaf_status sheaf_cache_put(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key,
                             sheaf_bytes value, bool *out_replaced)
{
    sheaf_cache_expect(store, hash, sort_key);
    sheaf_status status = put_and_trim(store, hash, partition_key, sort_key, value, out_replaced);
    if (status == SHEAF_NO_MEMORY) status = put_evicting(store, hash, partition_key, sort_key, value, out_replaced);
    return status;
}
