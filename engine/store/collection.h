/*
 * collection.h - the record of one item collection: its tree and its partition key, in one block.
 *
 * A store of many small collections pays for this record as often, so it holds nothing that can be had otherwise: the hash
 * stands in the directory's slot, and the way to the store's heap leads through the tree. Whether a version sees the record is
 * told by its tree's last write: whoever wrote it made it his own by then.
 */
#ifndef SHEAF_STORE_COLLECTION_H
#define SHEAF_STORE_COLLECTION_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/cache.h>

#include "engine/tree/tree.h"

struct sheaf_collection {
    struct sheaf_tree tree;
    uint32_t partition_key_size;
    uint8_t use;     /* how its entries are used, in a cache that evicts whole collections */
    bool in_cache;   /* its statistics lie behind the key */
    bool has_due;    /* and so does the deadline under which it stands in the store's index */
    uint8_t partition_key[];
};

static inline sheaf_bytes sheaf_collection_key(const struct sheaf_collection *collection)
{
    return sheaf_bytes_of(collection->partition_key, collection->partition_key_size);
}

/* The size of a record's block. */
size_t sheaf_collection_block_size(const struct sheaf_collection *collection);

/* A collection without entries that no directory knows yet. NULL when there is no memory. */
struct sheaf_collection *sheaf_collection_create(struct sheaf_grove *grove, sheaf_bytes partition_key, bool in_cache);

/* The deadline under which it stands in the store's index (deadline.h); the highest number: it does not. */
uint64_t sheaf_collection_due(const struct sheaf_collection *collection);
void sheaf_collection_set_due(struct sheaf_collection *collection, uint64_t due);

/* The statistics of a collection in a cache. */
sheaf_statistics *sheaf_collection_books(struct sheaf_collection *collection);

/* Frees the record and all entries. For one that no version sees. NULL is fine. */
void sheaf_collection_destroy(struct sheaf_collection *collection);

/* A record of the same entries, to be written in place of one that a version sees. NULL when there is no memory. */
struct sheaf_collection *sheaf_collection_copy(const struct sheaf_collection *collection, struct sheaf_grove *grove);

/* Frees the record alone, or keeps it for the versions that see it. */
void sheaf_collection_retire(struct sheaf_grove *grove, struct sheaf_collection *collection);

#endif
