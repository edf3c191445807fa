/*
 * directory.h - from partition key to item collection: a hash table whose slots lie in hash order.
 *
 * Ordered linear probing. A collection's home is the slot that the top bits of its hash name; if others are there it stands
 * further right, and all that stand to the right of their homes are kept in order of (hash, partition key):
 *
 *     top bits of hash   0       1       2       3       4 homes, then spill slots: nothing wraps round
 *                        +-------+-------+-------+-------+-------+-------+-----
 *     slots              | 0.1   | 0.7   | 0.9   | 2.2   |  3.5  |       |         "2.2": home 2, rest of the hash 2
 *                        +-------+-------+-------+-------+-------+-------+-----
 *
 * So a walk over the slots gives hash order whatever the size of the table, and an enumeration can go on from any key, whether
 * or not it is there, across growth and shrinking. A search stops at the first hash that is not smaller, found or not.
 *
 * D1  Collections stand in strictly ascending order of (hash, partition key).
 * D2  None stands left of its home, and no slot between its home and where it stands is empty.
 * D3  An empty slot has the highest hash there is and no collection: a search stops at it without another test.
 * D4  The last slot is empty: a walk to the right needs no bound.
 * D5  There are slots only while there are collections.
 */
#ifndef SHEAF_STORE_DIRECTORY_H
#define SHEAF_STORE_DIRECTORY_H

#include <stdint.h>

#include <sheaf/status.h>
#include <sheaf/store.h>

#include "engine/base/bytes.h"
#include "engine/base/heap.h"
#include "engine/store/collection.h"

struct sheaf_slot {
    uint64_t hash;
    struct sheaf_collection *collection;
    const struct sheaf_node *root; /* of the collection's tree, or once was: only ever prefetched */
};

struct sheaf_directory {
    struct sheaf_slot *slots; /* homes and spill; NULL when there are no collections */
    size_t slot_count;
    uint64_t count;   /* of collections */
    uint64_t changes; /* moves whenever a collection comes or goes: a pointer found before may be stale */
    struct sheaf_heap *heap;
    uint32_t shift; /* a hash shifted right by this is its home */
};

/* Allocates nothing. */
void sheaf_directory_init(struct sheaf_directory *directory, struct sheaf_heap *heap);

/* Ends all collections with the directory. */
void sheaf_directory_deinit(struct sheaf_directory *directory);

/*
 * A collection that is found is about to be read. Its record and its root are fetched at the same time, where following the
 * pointer in the record would be one cache miss after another: a fifth of a get among many small collections.
 */
static inline void sheaf_slot_prefetch_root(const struct sheaf_slot *slot)
{
    enum { CACHE_LINE_SIZE = 64, FETCHED_SIZE = 256 }; /* a small leaf up to its cells */
    for (size_t at = 0; at < FETCHED_SIZE; at += CACHE_LINE_SIZE) __builtin_prefetch((const char *)slot->root + at);
}

/* The slot of the collection of this key, whose hash is `hash`; NULL if there is none. Valid until `changes` moves. */
static inline struct sheaf_slot *sheaf_directory_find(const struct sheaf_directory *directory, uint64_t hash,
                                                      sheaf_bytes partition_key)
{
    if (!directory->slots) return NULL;
    struct sheaf_slot *slot = directory->slots + (hash >> directory->shift);
    while (slot->hash < hash) slot++;
    for (; slot->hash == hash && slot->collection; slot++) {
        sheaf_slot_prefetch_root(slot);
        if (sheaf_bytes_equal(sheaf_collection_key(slot->collection), partition_key)) return slot;
    }
    return NULL;
}

/* Takes in a collection whose key is not there yet. SHEAF_OK or SHEAF_NO_MEMORY (nothing changed). */
sheaf_status sheaf_directory_insert(struct sheaf_directory *directory, uint64_t hash, struct sheaf_collection *collection);

/* Lets go of the collection in a slot, without touching it. */
void sheaf_directory_delete(struct sheaf_directory *directory, struct sheaf_slot *slot);

/* The first collection in the directory's order; NULL if there is none. */
struct sheaf_collection *sheaf_directory_first(const struct sheaf_directory *directory);

/* The first collection above the place of a key, which need not be there; NULL if there is none. */
struct sheaf_collection *sheaf_directory_after(const struct sheaf_directory *directory, uint64_t hash,
                                               sheaf_bytes partition_key);

/* The slot of the collection that follows another; NULL if there is none. */
const struct sheaf_slot *sheaf_directory_next(const struct sheaf_directory *directory, const struct sheaf_slot *slot);

/* D1 to D5. The slot of the fault is that of the directory. */
bool sheaf_directory_check(const struct sheaf_directory *directory, sheaf_fault *out_fault);

#endif
