#include "engine/store/collection.h"

#include <stddef.h>
#include <string.h>

size_t sheaf_collection_block_size(size_t partition_key_size)
{
    /* The key may begin in what would else be padding, but the block must hold a whole record for the shortest key too. */
    size_t size = offsetof(struct sheaf_collection, partition_key) + partition_key_size;
    return size < sizeof(struct sheaf_collection) ? sizeof(struct sheaf_collection) : size;
}

struct sheaf_collection *sheaf_collection_create(struct sheaf_grove *grove, sheaf_bytes partition_key)
{
    size_t block_size = sheaf_collection_block_size(partition_key.size);
    struct sheaf_collection *collection = sheaf_heap_allocate(&grove->heap, block_size);
    if (!collection) return NULL;
    sheaf_tree_init(&collection->tree, grove);
    collection->partition_key_size = (uint32_t)partition_key.size;
    if (partition_key.size > 0) memcpy(collection->partition_key, partition_key.data, partition_key.size);
    return collection;
}

void sheaf_collection_destroy(struct sheaf_collection *collection)
{
    if (!collection) return;
    struct sheaf_heap *heap = &collection->tree.grove->heap;
    sheaf_tree_clear(&collection->tree);
    sheaf_heap_free(heap, collection, sheaf_collection_block_size(collection->partition_key_size));
}
