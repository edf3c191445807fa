#include "tests/support/state_sum.h"

#include "engine/tree/large.h"

static uint64_t add_bytes(uint64_t sum, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++) sum = (sum ^ at[i]) * 0x100000001B3u;
    return sum;
}

static uint64_t add_node(uint64_t sum, const struct sheaf_node *node)
{
    if (!node) return sum;
    sum = add_bytes(sum, node, sheaf_node_arrays_end(node));
    sum = add_bytes(sum, sheaf_node_bytes(node) + node->heap, (size_t)node->tail - node->heap);
    for (uint32_t slot = 0; slot < node->count; slot++) {
        if (!sheaf_node_is_leaf(node)) {
            sum = add_node(sum, sheaf_node_children(node)[slot]);
            continue;
        }
        struct sheaf_payload payload = sheaf_payload_of_slot(node, slot);
        if (payload.large) sum = add_bytes(sum, payload.large, payload.bytes.size);
    }
    return sum;
}

static uint64_t add_bucket(uint64_t sum, const struct sheaf_bucket *bucket)
{
    sum = add_bytes(sum, bucket, sheaf_bucket_size(bucket));
    for (uint64_t i = 0; i < bucket->slot_count; i++) {
        const struct sheaf_collection *collection = bucket->slots[i].collection;
        if (!collection) continue;
        sum = add_bytes(sum, collection, sheaf_collection_block_size(collection));
        sum = add_node(sum, collection->tree.root);
    }
    return sum;
}

uint64_t tree_sum(const struct sheaf_node *root)
{
    return add_node(1, root);
}

uint64_t state_sum(const sheaf_store *store)
{
    const struct sheaf_directory *directory = &store->directory;
    size_t bucket_count = sheaf_directory_bucket_count(directory);
    uint64_t sum = add_bytes(1, &store->totals, sizeof store->totals);
    if (bucket_count > 0) sum = add_bytes(sum, directory->buckets, sheaf_directory_table_size(directory));
    for (size_t i = 0; i < bucket_count; i++) sum = add_bucket(sum, directory->buckets[i]);
    return sum;
}
