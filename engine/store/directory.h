/*
 * directory.h - from partition key to item collection: a hash table whose slots lie in hash order, in buckets.
 *
 * Ordered linear probing. A collection's home is the slot that the top bits of its hash name; if others are there it stands
 * further right, and all that stand to the right of their homes are kept in order of (hash, partition key). The homes are cut
 * into buckets of 64, each a block with spill slots of its own behind its homes:
 *
 *     table      [  bucket 0  |  bucket 1  |  bucket 2  | ...                        by the first bits of the hash
 *                     |
 *                     v 64 homes, by the next six bits                spill
 *                 +-------+-------+-------+-------+-- - - --+-------+-------+-----
 *     slots       | 0.1   | 0.7   | 0.9   | 2.2   |         |  63.5 |       |         "2.2": home 2, rest of the hash 2
 *                 +-------+-------+-------+-------+-- - - --+-------+-------+-----
 *
 * So a walk over the buckets gives hash order whatever the size of the table, and an enumeration can go on from any key,
 * whether or not it is there, across growth and shrinking. A search stops at the first hash that is not smaller, found or not.
 *
 * Buckets are what views share: like nodes they bear the version of their birth, and one that an open version sees is copied
 * before it is changed, and the table with it (8 bytes a bucket). A view keeps a copy of struct sheaf_directory and has all
 * collections of then.
 *
 * D1  Collections stand in strictly ascending order of (hash, partition key).
 * D2  None stands left of its home or outside its bucket, and no slot between its home and where it stands is empty.
 * D3  An empty slot has the highest hash there is and no collection: a search stops at it without another test.
 * D4  The last slot of a bucket is empty: a walk to the right needs no bound.
 * D5  There are buckets while there are collections (after that only if there was no memory to note that versions see them).
 * D6  Below a frozen table all buckets are frozen, and below a frozen bucket all collections.
 */
#ifndef SHEAF_STORE_DIRECTORY_H
#define SHEAF_STORE_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/status.h>
#include <sheaf/store.h>

#include "engine/base/bytes.h"
#include "engine/store/collection.h"
#include "engine/tree/since.h"

struct sheaf_slot {
    uint64_t hash;
    struct sheaf_collection *collection;
    const struct sheaf_node *root; /* of the collection's tree, or once was: only ever prefetched */
};

enum { BUCKET_HOMES = 64 };

struct sheaf_bucket {
    uint64_t birth;      /* grove version when it was made */
    uint64_t slot_count; /* homes and spill */
    struct sheaf_slot slots[];
};

struct sheaf_directory {
    struct sheaf_bucket **buckets; /* the table; NULL when there are no collections */
    uint32_t shift;   /* a hash shifted right by this is its home */
    uint64_t changes; /* moves whenever a collection comes, goes or gets another record: a tree found before may be stale */
    uint64_t count;   /* of collections */
    uint64_t table_birth;
    struct sheaf_grove *grove;
};

/* Allocates nothing. */
void sheaf_directory_init(struct sheaf_directory *directory, struct sheaf_grove *grove);

/* Ends all collections with the directory. */
void sheaf_directory_deinit(struct sheaf_directory *directory);

/*
 * A collection that is found is about to be read. Its record and its root are fetched at the same time, where following the
 * pointer in the record would be one cache miss after another: a fifth of a get among many small collections.
 */
static inline __attribute__((always_inline)) void sheaf_slot_prefetch_root(const struct sheaf_slot *slot)
{
    enum { CACHE_LINE_SIZE = 64, FETCHED_SIZE = 256 }; /* a small leaf up to its cells */
    for (size_t at = 0; at < FETCHED_SIZE; at += CACHE_LINE_SIZE) __builtin_prefetch((const char *)slot->root + at);
}

/* Where a search for this hash starts; there are collections. */
static inline struct sheaf_slot *sheaf_directory_home(const struct sheaf_directory *directory, uint64_t hash)
{
    uint64_t home = hash >> directory->shift;
    return directory->buckets[home / BUCKET_HOMES]->slots + home % BUCKET_HOMES;
}

/* Begins to fetch that. */
static inline __attribute__((always_inline)) void sheaf_directory_prefetch(const struct sheaf_directory *directory,
                                                                           uint64_t hash)
{
    if (directory->buckets) __builtin_prefetch(sheaf_directory_home(directory, hash));
}

/* Begins to fetch the collection that a search for this hash will look at. */
static inline __attribute__((always_inline)) void sheaf_directory_prefetch_collection(
    const struct sheaf_directory *directory, uint64_t hash)
{
    if (!directory->buckets) return;
    const struct sheaf_slot *slot = sheaf_directory_home(directory, hash);
    while (slot->hash < hash) slot++;
    if (slot->hash != hash || !slot->collection) return;
    __builtin_prefetch(slot->collection);
    sheaf_slot_prefetch_root(slot);
}

/* The slot of the collection of this key, whose hash is `hash`; NULL if there is none. Valid until the next change. */
static inline struct sheaf_slot *sheaf_directory_find(const struct sheaf_directory *directory, uint64_t hash,
                                                      sheaf_bytes partition_key)
{
    if (!directory->buckets) return NULL;
    struct sheaf_slot *slot = sheaf_directory_home(directory, hash);
    while (slot->hash < hash) slot++;
    for (; slot->hash == hash && slot->collection; slot++) {
        sheaf_slot_prefetch_root(slot);
        if (sheaf_bytes_equal(sheaf_collection_key(slot->collection), partition_key)) return slot;
    }
    return NULL;
}

/* Takes in a collection whose key is not there yet. SHEAF_OK or SHEAF_NO_MEMORY (nothing changed). */
sheaf_status sheaf_directory_insert(struct sheaf_directory *directory, uint64_t hash, struct sheaf_collection *collection);

/* Lets go of the collection in a slot that may be changed, without touching it. */
void sheaf_directory_delete(struct sheaf_directory *directory, struct sheaf_slot *slot);

/*
 * Copies of what an open version sees of the way to a slot, made but not linked in: a change that may yet fail begins with
 * them.
 */
struct sheaf_way {
    struct sheaf_bucket **table; /* NULL: the table may be changed as it is */
    struct sheaf_bucket *bucket; /* NULL: likewise the bucket */
};

/* Makes the copies and takes places for what they replace. False, with nothing changed, when there is no memory. */
bool sheaf_directory_open_way(struct sheaf_directory *directory, const struct sheaf_slot *slot, struct sheaf_way *out_way);

/* Links the copies in. The slot may then be changed; returns where it is now. */
struct sheaf_slot *sheaf_directory_take_way(struct sheaf_directory *directory, struct sheaf_slot *slot,
                                            const struct sheaf_way *way);

/* Frees copies that were not linked in. */
void sheaf_directory_leave_way(struct sheaf_directory *directory, const struct sheaf_way *way);

/* The first collection in the directory's order; NULL if there is none. */
struct sheaf_collection *sheaf_directory_first(const struct sheaf_directory *directory);

/* The slot that stands after `skip` others of the hash `hash`, or else the first of a higher hash; NULL if there is none. */
struct sheaf_slot *sheaf_directory_from(const struct sheaf_directory *directory, uint64_t hash, uint64_t skip);

/* The first collection above the place of a key, which need not be there; NULL if there is none. */
struct sheaf_collection *sheaf_directory_after(const struct sheaf_directory *directory, uint64_t hash,
                                               sheaf_bytes partition_key);

/* The slot of the collection that follows another; NULL if there is none. */
const struct sheaf_slot *sheaf_directory_next(const struct sheaf_directory *directory, const struct sheaf_slot *slot);

/* Takes all that was born since a version: collections with their entries, buckets, the table. `twin` is the directory of
 * then. */
void sheaf_directory_take_since(const struct sheaf_directory *directory, const struct sheaf_directory *twin,
                                struct sheaf_since *since);

/* How many buckets the table has, and the bytes of its block and of a bucket's. */
size_t sheaf_directory_bucket_count(const struct sheaf_directory *directory);
size_t sheaf_directory_table_size(const struct sheaf_directory *directory);
size_t sheaf_bucket_size(const struct sheaf_bucket *bucket);

/* D1 to D6. The slot of the fault is counted over all buckets. */
bool sheaf_directory_check(const struct sheaf_directory *directory, sheaf_fault *out_fault);

#endif
