/*
 * cache.h - a store as a cache: who goes when it is full, and how well it serves.
 *
 * A store becomes a cache by an option of sheaf_store_create(); then a put that the budget has no room for evicts entries first
 * and is not refused. Who goes is one of five policies:
 *
 *     FREQUENCY    entries that are read seldom. Scans and keys that are read once pass through without harm: take this one
 *     RECENCY      entries not read for the longest time
 *     COLLECTION   whole collections, those of which entries are read seldom
 *     FAR_END      entries at one end of each collection: of sort keys that grow with time, the oldest
 *     NONE         nobody: what does not fit is refused
 *
 * What it costs: FREQUENCY and RECENCY keep a byte with each entry, FREQUENCY and COLLECTION two bytes more for each key that
 * was evicted lately (about as many as there are entries or collections). Every cache takes 5 KiB, and some 34 bytes with each
 * collection for its statistics.
 *
 * Lifetimes. A put may evict any entry of any collection: in a cache that evicts, a value read from the store is borrowed until
 * the next put to the store, not just to its collection.
 *
 * Reads mark what they use. They still may run beside each other (the marks are single relaxed bytes, the statistics relaxed
 * sums), under the thread rule of store.h.
 */
#ifndef SHEAF_CACHE_H
#define SHEAF_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/range.h>
#include <sheaf/status.h>
#include <sheaf/store.h>

SHEAF_BEGIN_DECLARATIONS

/** Who goes. */
typedef enum sheaf_eviction {
    SHEAF_EVICTION_FREQUENCY = 0, /**< entries seldom read, as far as is remembered; resists scans */
    SHEAF_EVICTION_RECENCY,       /**< entries not read for long: least recently used, by sampling */
    SHEAF_EVICTION_COLLECTION,    /**< whole collections, seldom read ones */
    SHEAF_EVICTION_FAR_END,       /**< an eighth of each collection in turn, from its far end */
    SHEAF_EVICTION_NONE           /**< nobody */
} sheaf_eviction;

/** Options of a cache. Zeroed is right for most. Copied. */
struct sheaf_cache_options {
    sheaf_eviction eviction;
    /** Whether each entry that a cursor comes to stand on, or gives with others, is used by that as by sheaf_store_get(); with
     *  COLLECTION, the collection. So are those of a page. */
    bool scans_are_uses;
    /**
     * The most entries a collection may have; 0: any number. A put beyond it evicts at the far end, so a collection keeps the
     * newest N of a time series, or the best N of a ranking. What has
     * expired and is not swept yet counts with them. Holds whatever the policy, with and without a budget; only
     * where a view sees what would go, and there is no memory for a copy, it has more until its next put.
     */
    uint64_t collection_count_max;
    /** Whose end is far: SHEAF_FORWARD, the lowest keys go first; SHEAF_REVERSE, the highest. */
    sheaf_direction far_end;
};

/** How a cache has served since it, or the collection, began. */
typedef struct sheaf_statistics {
    uint64_t hits;          /**< sheaf_store_get() and sheaf_store_exists() that found the entry */
    uint64_t misses;        /**< that did not */
    uint64_t evictions;     /**< entries evicted */
    uint64_t evicted_bytes; /**< their sort keys and values */
    uint64_t expirations;   /**< entries swept because their deadline had passed (<sheaf/expiry.h>) */
} sheaf_statistics;

/**
 * Statistics of the whole store.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND  The store is no cache: it keeps none.
 * @par Cost  O(1).
 */
SHEAF_API sheaf_status sheaf_store_statistics(const sheaf_store *store, sheaf_statistics *out_statistics);

/**
 * Statistics of one collection. They end with it: misses while it is not there are the store's alone.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND  No entry has this partition key, or the store is no cache.
 * @par Cost  O(1).
 */
SHEAF_API sheaf_status sheaf_collection_statistics(const sheaf_store *store, sheaf_bytes partition_key,
                                                   sheaf_statistics *out_statistics);

/**
 * Evicts entries until at most @p charged_bytes are charged, or none is left. For who wants memory back at a time of their own
 * choosing.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND  More is charged, but nothing can be evicted: no entries, no cache, or the policy evicts nobody.
 * @par Cost  O(log n) for each leaf visited; about eight entries are looked at for each that goes.
 */
SHEAF_API sheaf_status sheaf_store_evict(sheaf_store *store, uint64_t charged_bytes);

SHEAF_END_DECLARATIONS

#endif
