#include "engine/store/collection.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

#include "engine/base/assert.h"
#include "engine/tree/clear.h"
#include "engine/tree/version.h"

/* Where the statistics begin. */
static size_t books_offset(size_t partition_key_size)
{
    size_t end = offsetof(struct sheaf_collection, partition_key) + partition_key_size;
    return (end + alignof(sheaf_statistics) - 1) & ~(alignof(sheaf_statistics) - 1);
}

size_t sheaf_collection_block_size(size_t partition_key_size, bool in_cache)
{
    if (in_cache) return books_offset(partition_key_size) + sizeof(sheaf_statistics);
    /* The key may begin in what would else be padding, but the block must hold a whole record for the shortest key too. */
    size_t size = offsetof(struct sheaf_collection, partition_key) + partition_key_size;
    return size < sizeof(struct sheaf_collection) ? sizeof(struct sheaf_collection) : size;
}

static size_t block_size_of(const struct sheaf_collection *collection)
{
    return sheaf_collection_block_size(collection->partition_key_size, collection->in_cache);
}

sheaf_statistics *sheaf_collection_books(struct sheaf_collection *collection)
{
    sheaf_assert(collection->in_cache);
    return (sheaf_statistics *)(void *)((uint8_t *)collection + books_offset(collection->partition_key_size));
}

struct sheaf_collection *sheaf_collection_create(struct sheaf_grove *grove, sheaf_bytes partition_key, bool in_cache)
{
    size_t block_size = sheaf_collection_block_size(partition_key.size, in_cache);
    struct sheaf_collection *collection = sheaf_heap_allocate(&grove->heap, block_size);
    if (!collection) return NULL;
    sheaf_tree_init(&collection->tree, grove);
    collection->partition_key_size = (uint32_t)partition_key.size;
    collection->use = 0;
    collection->in_cache = in_cache;
    if (partition_key.size > 0) memcpy(collection->partition_key, partition_key.data, partition_key.size);
    if (in_cache) *sheaf_collection_books(collection) = (sheaf_statistics){ 0 };
    return collection;
}

struct sheaf_collection *sheaf_collection_copy(const struct sheaf_collection *collection, struct sheaf_grove *grove)
{
    size_t block_size = block_size_of(collection);
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
    sheaf_heap_free(&grove->heap, collection, block_size_of(collection));
}

void sheaf_collection_retire(struct sheaf_grove *grove, struct sheaf_collection *collection)
{
    sheaf_grove_retire(grove, collection, block_size_of(collection), collection->tree.changed);
}
