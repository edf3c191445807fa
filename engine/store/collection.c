#include "engine/store/collection.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

#include "engine/base/assert.h"
#include "engine/tree/clear.h"
#include "engine/tree/version.h"

/* Where what lies behind the key begins: the deadline, then the statistics, where they are kept. */
static size_t extras_offset(size_t partition_key_size)
{
    size_t end = offsetof(struct sheaf_collection, partition_key) + partition_key_size;
    return (end + alignof(uint64_t) - 1) & ~(alignof(uint64_t) - 1);
}

static size_t block_size_of(size_t partition_key_size, bool in_cache, bool has_due)
{
    if (in_cache || has_due)
        return extras_offset(partition_key_size) + (has_due ? sizeof(uint64_t) : 0) + (in_cache ? sizeof(sheaf_statistics) : 0);
    /* The key may begin in what would else be padding, but the block must hold a whole record for the shortest key too. */
    size_t size = offsetof(struct sheaf_collection, partition_key) + partition_key_size;
    return size < sizeof(struct sheaf_collection) ? sizeof(struct sheaf_collection) : size;
}

size_t sheaf_collection_block_size(const struct sheaf_collection *collection)
{
    return block_size_of(collection->partition_key_size, collection->in_cache, collection->has_due);
}

static const uint64_t *due_of(const struct sheaf_collection *collection)
{
    size_t offset = extras_offset(collection->partition_key_size);
    return (const uint64_t *)(const void *)((const uint8_t *)collection + offset);
}

uint64_t sheaf_collection_due(const struct sheaf_collection *collection)
{
    return collection->has_due ? *due_of(collection) : UINT64_MAX;
}

void sheaf_collection_set_due(struct sheaf_collection *collection, uint64_t due)
{
    sheaf_assert(collection->has_due);
    size_t offset = extras_offset(collection->partition_key_size);
    *(uint64_t *)(void *)((uint8_t *)collection + offset) = due;
}

sheaf_statistics *sheaf_collection_books(struct sheaf_collection *collection)
{
    sheaf_assert(collection->in_cache);
    size_t offset = extras_offset(collection->partition_key_size) + (collection->has_due ? sizeof(uint64_t) : 0);
    return (sheaf_statistics *)(void *)((uint8_t *)collection + offset);
}

struct sheaf_collection *sheaf_collection_create(struct sheaf_grove *grove, sheaf_bytes partition_key, bool in_cache)
{
    bool has_due = grove->due.size > 0;
    struct sheaf_collection *collection =
        sheaf_heap_allocate(&grove->heap, block_size_of(partition_key.size, in_cache, has_due));
    if (!collection) return NULL;
    sheaf_tree_init(&collection->tree, grove);
    collection->partition_key_size = (uint32_t)partition_key.size;
    collection->use = 0;
    collection->in_cache = in_cache;
    collection->has_due = has_due;
    if (partition_key.size > 0) memcpy(collection->partition_key, partition_key.data, partition_key.size);
    if (has_due) sheaf_collection_set_due(collection, UINT64_MAX);
    if (in_cache) *sheaf_collection_books(collection) = (sheaf_statistics){ 0 };
    return collection;
}

struct sheaf_collection *sheaf_collection_copy(const struct sheaf_collection *collection, struct sheaf_grove *grove)
{
    size_t block_size = sheaf_collection_block_size(collection);
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
    sheaf_heap_free(&grove->heap, collection, sheaf_collection_block_size(collection));
}

void sheaf_collection_retire(struct sheaf_grove *grove, struct sheaf_collection *collection)
{
    sheaf_grove_retire(grove, collection, sheaf_collection_block_size(collection), collection->tree.changed);
}
