/*
 * store.h - the record behind sheaf_store, and what the files of this folder share.
 *
 *     sheaf_store ── directory ── slot ── collection ── tree ── nodes
 *           └─ grove: the heap all of them come from
 *
 * S1  A collection is in the directory exactly while it has entries. New ones are filled before they are taken in.
 * S2  `totals` is the sum of the trees' totals, `partition_key_bytes` that of the sizes of the partition keys.
 * S3  The hash in a slot is that of the collection's partition key under `hash_seed`.
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
    bool has_backend; /* the built-in one, below; otherwise the embedder's hooks */
    uint64_t hash_seed;
    sheaf_totals totals;
    uint64_t partition_key_bytes;
    struct sheaf_grove grove;
    struct sheaf_backend backend;
};

uint64_t sheaf_store_hash(const struct sheaf_store *store, sheaf_bytes partition_key);

/* The collection of a key; NULL if it has no entries. */
struct sheaf_collection *sheaf_store_find(const struct sheaf_store *store, sheaf_bytes partition_key);

/* Books what a write made of a tree that held `before`. */
static inline void sheaf_store_account(struct sheaf_store *store, sheaf_totals before, sheaf_totals after)
{
    store->totals.count += after.count - before.count;
    store->totals.bytes += after.bytes - before.bytes;
}

/* Takes in a collection that has entries and whose key is not there. SHEAF_OK or SHEAF_NO_MEMORY (nothing changed). */
sheaf_status sheaf_store_begin_collection(struct sheaf_store *store, uint64_t hash, struct sheaf_collection *collection);

/* Ends a collection that is there, with all its entries. The key it was found by may lie in it. */
void sheaf_store_end_collection(struct sheaf_store *store, uint64_t hash, struct sheaf_collection *collection);

#endif
