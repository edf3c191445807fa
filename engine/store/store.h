/*
 * store.h - the record behind sheaf_store, and what the files of this folder share.
 *
 *     sheaf_store ── directory ── slot ── collection ── tree ── nodes
 *           └─ grove: the heap all of them come from
 *
 * S1  A collection is in the directory exactly while it has entries. New ones are filled before they are taken in.
 * S2  `totals` is the sum of the trees' totals, `partition_key_bytes` that of the sizes of the partition keys.
 * S3  The hash in a slot is that of the collection's partition key under `hash_seed`; the key is within the limits.
 * S4  The heap has given, and charged, at least the blocks that can be seen from here, and no more than the budget.
 */
#ifndef SHEAF_STORE_STORE_H
#define SHEAF_STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/store.h>

#include "engine/base/backend.h"
#include "engine/store/directory.h"
#include "engine/store/validate.h"
#include "engine/tree/tree.h"

struct sheaf_store {
    struct sheaf_directory directory;
    struct sheaf_limits limits;
    bool has_backend; /* memory comes from `backend`; otherwise from the embedder's hooks */
    uint64_t hash_seed;
    sheaf_totals totals;
    uint64_t partition_key_bytes;
    struct sheaf_grove grove;
    struct sheaf_backend backend;
};

uint64_t sheaf_store_hash(const struct sheaf_store *store, sheaf_bytes partition_key);

/* The slot of a key's collection; NULL if it has no entries. */
struct sheaf_slot *sheaf_store_find_slot(const struct sheaf_store *store, sheaf_bytes partition_key);

/* The tree of a key's collection, for reading; NULL if it has no entries. */
static inline const struct sheaf_tree *sheaf_store_find_tree(const struct sheaf_store *store, sheaf_bytes partition_key)
{
    const struct sheaf_slot *slot = sheaf_store_find_slot(store, partition_key);
    return slot ? &slot->collection->tree : NULL;
}

/* Takes in a collection that has entries and whose key is not there. SHEAF_OK or SHEAF_NO_MEMORY (nothing changed). */
sheaf_status sheaf_store_begin_collection(struct sheaf_store *store, uint64_t hash, struct sheaf_collection *collection);

/* Ends the collection in a slot, with all its entries. The key it was found by may lie in it. */
void sheaf_store_end_collection(struct sheaf_store *store, struct sheaf_slot *slot);

/* After a write to a slot's tree, which held `before`: S2 and S1. The collection ends if nothing is left in it. */
static inline void sheaf_store_settle(struct sheaf_store *store, struct sheaf_slot *slot, sheaf_totals before)
{
    const struct sheaf_tree *tree = &slot->collection->tree;
    store->totals.count += tree->totals.count - before.count;
    store->totals.bytes += tree->totals.bytes - before.bytes;
    slot->root = tree->root;
    if (tree->totals.count == 0) sheaf_store_end_collection(store, slot);
}

#endif
