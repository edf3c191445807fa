#include "engine/store/collection.h"

#include <stddef.h>
#include <string.h>

#include "engine/tree/clear.h"
#include "engine/tree/version.h"

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

struct sheaf_collection *sheaf_collection_copy(const struct sheaf_collection *collection, struct sheaf_grove *grove)
{
    size_t block_size = sheaf_collection_block_size(collection->partition_key_size);
    struct sheaf_collection *copy = sheaf_heap_allocate(&grove->heap, block_size);
    if (!copy) return NULL;
    memcpy(copy, collection, block_size);
    copy->tree.grove = grove;
    return copy;
}

void sheaf_collection_destroy(struct sheaf_collection *collection)
{
    if (!collection) return;
    struct sheaf_grove *grove = collection->tree.grove;
    if (collection->tree.root) sheaf_subtree_free(grove, collection->tree.root);
    sheaf_heap_free(&grove->heap, collection, sheaf_collection_block_size(collection->partition_key_size));
}

void sheaf_collection_retire(struct sheaf_grove *grove, struct sheaf_collection *collection)
{
    size_t block_size = sheaf_collection_block_size(collection->partition_key_size);
    sheaf_grove_retire(grove, collection, block_size, collection->tree.changed);
}
