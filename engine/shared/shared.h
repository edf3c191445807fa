/*
 * shared.h - the record behind sheaf_shared: shards, each a store with a lock.
 *
 *     sheaf_shared ─┬─ heap: the blocks of its own, this record and those of its views
 *                   └─ shards[hash of the partition key, its lowest bits]
 *                           ├─ lock
 *                           ├─ version: moves with each write
 *                           └─ store ── directory, by the highest bits of the same hash
 *
 * Whoever holds a shard's lock for reading may call all that takes a `const sheaf_store *`; who holds it for writing, all else.
 * Locks are taken in this order: those of shards by their place, then `mutex`.
 *
 * SH1  A collection lies in the shard that its partition key's hash says.
 * SH2  All shards have the same limits, seed and rules.
 * SH3  Blocks of its own are the record, and one for each view and for each batch under way over several shards.
 * SH4  The budget is divided (budget.h).
 */
#ifndef SHEAF_SHARED_SHARED_H
#define SHEAF_SHARED_SHARED_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <sheaf/shared.h>

#include "engine/base/purse.h"
#include "engine/shared/lock.h"
#include "engine/store/store.h"

struct sheaf_shared_view;
struct sheaf_load;

struct sheaf_shard {
    struct sheaf_lock lock;
    struct sheaf_store *store;
    uint64_t version;
    uint64_t limit_bytes; /* of the store's heap after its last write: for those who have not got the lock */
    struct sheaf_load *loads; /* a list of those under way (load.h); guarded by the shared store's mutex */
    uint64_t load_count;      /* how many; read without a lock */
};

struct sheaf_shared {
    uint64_t hash_seed;
    uint64_t shard_mask; /* the count, a power of two, less 1 */
    uint64_t sweep_place; /* where the next sweep begins; read and written atomically */
    struct sheaf_purse purse; /* what is left of the budget */
    pthread_mutex_t mutex;    /* guards all that follows */
    uint64_t budget_bytes;    /* 0: none */
    struct sheaf_heap heap;
    struct sheaf_shared_view *views; /* a list of those that are open */
    uint64_t view_count;
    uint64_t batch_count; /* of those under way over several shards */
    void *block;                     /* in which this record lies, at the start of a cache line */
    size_t block_size;
    struct sheaf_shard shards[];
};

static inline uint64_t sheaf_shared_shard_count(const struct sheaf_shared *shared)
{
    return shared->shard_mask + 1;
}

/* The place of a key's shard, and the shard. */
uint64_t sheaf_shared_place(const struct sheaf_shared *shared, sheaf_bytes partition_key);

static inline struct sheaf_shard *sheaf_shared_find(struct sheaf_shared *shared, sheaf_bytes partition_key)
{
    return &shared->shards[sheaf_shared_place(shared, partition_key)];
}

static inline uint32_t sheaf_shard_begin_read(struct sheaf_shard *shard)
{
    return sheaf_lock_begin_read(&shard->lock);
}

static inline void sheaf_shard_end_read(struct sheaf_shard *shard, uint32_t count)
{
    sheaf_lock_end_read(&shard->lock, count);
}

static inline void sheaf_shard_begin_write(struct sheaf_shard *shard)
{
    sheaf_lock_begin_write(&shard->lock);
    shard->version++;
}

static inline void sheaf_shard_end_write(struct sheaf_shard *shard)
{
    struct sheaf_heap *heap = &shard->store->grove.heap;
    sheaf_purse_settle(heap);
    __atomic_store_n(&shard->limit_bytes, heap->limit_bytes, __ATOMIC_RELAXED);
    sheaf_lock_end_write(&shard->lock);
}

/* A block of the shared store's own; NULL when refused. The mutex is the caller's. */
void *sheaf_shared_allocate(struct sheaf_shared *shared, size_t size);
void sheaf_shared_free(struct sheaf_shared *shared, void *block, size_t size);

/* Adds the counts of one shard to those of others, but for its views. */
void sheaf_shared_add_total(sheaf_store_totals *sum, sheaf_store_totals part);

/* All shards, for a moment of the whole. */
void sheaf_shared_begin_write(struct sheaf_shared *shared);
void sheaf_shared_end_write(struct sheaf_shared *shared);

#endif
