/*
 * store.h - the record behind sheaf_store, and what the files of this folder share.
 *
 *     sheaf_store ── directory ── slot ── collection ── tree ── nodes
 *           ├─ grove: the heap all of them come from
 *           └─ views ── a sheaf_store each, which leads to the state of then
 *
 * S1  A collection is in the directory exactly while it has entries. New ones are filled before they are taken in.
 * S2  `totals` is the sum of the trees' totals, `partition_key_bytes` that of the sizes of the partition keys.
 * S3  The hash in a slot is that of the collection's partition key under `hash_seed`; the key is within the limits.
 * S4  The heap has given, and charged, just the blocks that can be seen from here and from the views, those on dead lists, and
 *     what bulk builds under way hold; and no more than the budget.
 * S5  A view's store is what this one was: S1 to S3 hold in it.
 * S6  A fork shares all that was born before its base; what it leads to of that is in its base too.
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

struct sheaf_cache;
struct sheaf_events;

/* How entries expire: see expiry.h. */
struct sheaf_expiry {
    bool keeps;   /* deadlines; all false: none */
    bool hides;   /* what has expired */
    bool stopped; /* in a view's store: the clock stands still */
    uint64_t stopped_at;
    uint64_t swept_before; /* no deadline is earlier: sweeps have seen to that */
    uint64_t sweep_count;  /* sweeps that were begun */
    uint64_t given_least;  /* the earliest deadline given since the last of these */
    uint64_t (*now)(void *context);
    void *context;
};

struct sheaf_store {
    struct sheaf_directory directory;
    struct sheaf_limits limits;
    bool has_backend; /* memory comes from `backend`; otherwise from the embedder's hooks */
    uint64_t hash_seed;
    struct sheaf_cache *cache; /* NULL: the store is none */
    struct sheaf_events *events; /* NULL: nobody is told of what leaves */
    struct sheaf_expiry expiry;
    struct sheaf_tree deadlines; /* which collection is due next (deadline.h) */
    sheaf_totals totals;
    uint64_t partition_key_bytes;
    const struct sheaf_store *origin; /* in a view's store: whose state this was; NULL elsewhere */
    struct sheaf_view *base;          /* in a fork: the view it began as; NULL elsewhere */
    uint64_t builder_count;
    struct sheaf_grove grove;
    struct sheaf_backend backend;
};

/* Whether this is the state that a view keeps: for reading only. */
static inline bool sheaf_store_is_view(const struct sheaf_store *store)
{
    return store->origin != NULL;
}

/* A store of no collections, its limits and seed still to be set; `allocator` NULL: on a backend of its own. SHEAF_OK,
 * SHEAF_NO_MEMORY or SHEAF_OVER_BUDGET. */
sheaf_status sheaf_store_allocate(const sheaf_allocator *allocator, uint64_t budget_bytes, struct sheaf_store **out_store,
                                  sheaf_detail *out_detail);

uint64_t sheaf_store_hash(const struct sheaf_store *store, sheaf_bytes partition_key);

/* The slot of a key's collection; NULL if it has no entries. */
struct sheaf_slot *sheaf_store_find_slot(const struct sheaf_store *store, sheaf_bytes partition_key);

/* The tree of a key's collection, for reading; NULL if it has no entries. */
static inline const struct sheaf_tree *sheaf_store_find_tree(const struct sheaf_store *store, sheaf_bytes partition_key)
{
    const struct sheaf_slot *slot = sheaf_store_find_slot(store, partition_key);
    return slot ? &slot->collection->tree : NULL;
}

/* Takes in a collection that has entries and whose key is not there. SHEAF_OK or SHEAF_NO_MEMORY (nothing changed). A change
 * of its own: settles. */
sheaf_status sheaf_store_begin_collection(struct sheaf_store *store, uint64_t hash, struct sheaf_collection *collection);

/* sheaf_store_put(), of an entry with the deadline that the grove has for fresh ones, but for the delivery of events. */
sheaf_status sheaf_store_put_fresh(struct sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                   sheaf_bytes value, bool *out_replaced, sheaf_detail *out_detail);

/* As sheaf_store_put_once(), but knows nothing of deadlines. */
sheaf_status sheaf_store_put_plainly(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                     sheaf_bytes value, bool *out_replaced);

/* Puts an entry whose keys and value are within the limits. SHEAF_OK; SHEAF_NO_MEMORY or SHEAF_READ_ONLY (nothing changed). */
sheaf_status sheaf_store_put_once(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                  sheaf_bytes value, bool *out_replaced);

#endif
