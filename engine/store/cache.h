/*
 * cache.h - what makes a store a cache: the use of its entries, the hand that goes round them, and the statistics.
 *
 *      hand ──▶ collection, and a number in it        directory order, then key order; a leaf at a time
 *                  '── uses of that leaf ── sifter ──▶ who goes         engine/cache decides, tree/window deletes
 *
 * The hand is two numbers and survives whatever happens to the store between two steps: it may then skip some entries once, or
 * meet them twice.
 */
#ifndef SHEAF_STORE_CACHE_H
#define SHEAF_STORE_CACHE_H

#include <sheaf/cache.h>
#include <sheaf/scan.h>

#include "engine/cache/ghost.h"
#include "engine/cache/sifter.h"
#include "engine/cache/use.h"
#include "engine/store/store.h"

/* Where eviction goes on: in the collection that stands after `skip` others of `hash`, at entry number `index`. */
struct sheaf_hand {
    uint64_t hash;
    uint64_t skip;
    uint64_t index;
    uint64_t quota; /* entries that the collection under the hand has yet to give, by the far end */
};

struct sheaf_cache {
    sheaf_cache_options options;
    struct sheaf_use_rules rules;
    struct sheaf_sifter sifter;
    struct sheaf_ghost ghost; /* of entries, or of collections */
    struct sheaf_hand hand;
    sheaf_statistics statistics;
    bool paused; /* beneath a view to which the store may go back: nobody is evicted to make room */
    sheaf_statistics before_pause;
};

/* SHEAF_OK or SHEAF_INVALID_ARGUMENT. NULL is no cache, and sound. */
sheaf_status sheaf_cache_validate(const sheaf_cache_options *options, sheaf_detail *out_detail);

/* Makes a store, empty as yet, a cache. SHEAF_OK or SHEAF_NO_MEMORY. */
sheaf_status sheaf_cache_begin(struct sheaf_store *store, const sheaf_cache_options *options);

/* Frees what it takes. A store that is no cache is fine. */
void sheaf_cache_end(struct sheaf_store *store);

/* A point read: counts it and marks the entry as used. SHEAF_OK or SHEAF_NOT_FOUND. */
sheaf_status sheaf_cache_get(const struct sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                             sheaf_bytes *out_value_view);

/* A cursor was given the entries in the slots from `begin` to before `end` of its leaf: marks them where scans are uses. */
void sheaf_cache_note_scan(sheaf_cursor *cursor, uint32_t begin, uint32_t end);

/* As sheaf_store_put_once(), but evicts rather than be refused for the budget. */
sheaf_status sheaf_cache_put(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key,
                             sheaf_bytes value, bool *out_replaced);

/* Sees to it that an entry put now begins with the use that is due to it. */
void sheaf_cache_expect(struct sheaf_store *store, uint64_t partition_hash, sheaf_bytes sort_key);

/* The same for a collection that is about to be taken in. */
void sheaf_cache_expect_collection(struct sheaf_store *store, uint64_t partition_hash, struct sheaf_collection *collection);

/* Between the two no room is made. `done`: what was written stays; else it did not happen, and was not counted. A store that is
 * no cache is fine. */
void sheaf_cache_pause(struct sheaf_store *store);
void sheaf_cache_resume(struct sheaf_store *store, bool done);

/* ---- eviction ----------------------------------------------------------------------------------------------------------- */

/* What keys are remembered by once they are evicted. */
uint64_t sheaf_cache_entry_hash(uint64_t partition_hash, sheaf_bytes sort_key);

/* Evicts until at most `charged_bytes` are charged. False if that cannot be had. */
bool sheaf_cache_evict_to(struct sheaf_store *store, uint64_t charged_bytes);

/* After a refusal of the heap: evicts as much as it takes, and something more. False if nothing was evicted: then it is no use
 * to try again. */
bool sheaf_cache_make_room(struct sheaf_store *store);

/* Notes in the statistics what was evicted of a collection. */
void sheaf_cache_book(struct sheaf_cache *cache, struct sheaf_collection *collection, sheaf_totals evicted);

/* The number of the entry at the far end of a tree, which has some. */
static inline uint64_t sheaf_cache_farthest(const struct sheaf_cache *cache, const struct sheaf_tree *tree)
{
    return cache->options.far_end == SHEAF_FORWARD ? 0 : tree->totals.count - 1;
}

/* Evicts from the far end of a collection what it has beyond its most, if there is such a number (trim.c). */
void sheaf_cache_trim(struct sheaf_store *store, uint64_t partition_hash, sheaf_bytes partition_key);

#endif
