/*
 * store.h - a store holds item collections: a partition key names a collection, a sort key an entry in it.
 *
 *     partition key ──▶ item collection: sort key ─ value
 *                                        sort key ─ value    in the byte order of the sort keys
 *
 * Bytes in, bytes out; a store knows nothing of items. A collection exists while it has entries: the first put makes it, the
 * last delete ends it.
 *
 * Thread rule of this header, unless a call says otherwise: a store is single-threaded in writes. Calls that take a
 * `const sheaf_store *` may run beside each other in any number of threads, but not beside a call that takes a plain
 * `sheaf_store *`, or a builder, or a view to close. Different stores share nothing and need no care. For threads that write and
 * read as they like there are shared stores (shared.h).
 */
#ifndef SHEAF_STORE_H
#define SHEAF_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/allocator.h>
#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/limits.h>
#include <sheaf/range.h>
#include <sheaf/status.h>

SHEAF_BEGIN_DECLARATIONS

typedef struct sheaf_store sheaf_store;

/** In <sheaf/cache.h>. */
typedef struct sheaf_cache_options sheaf_cache_options;

/** In <sheaf/events.h>. */
typedef struct sheaf_event_options sheaf_event_options;

/** In <sheaf/expiry.h>. */
typedef struct sheaf_expiry_options sheaf_expiry_options;

/** How many entries, and the bytes of their sort keys and values together. */
typedef struct sheaf_totals {
    uint64_t count;
    uint64_t bytes;
} sheaf_totals;

/** Options of a store. Zeroed is right for most: built-in allocator, DynamoDB's limits, no empty keys. */
typedef struct sheaf_store_options {
    const sheaf_allocator *allocator; /**< NULL: the built-in backend. Copied. */
    size_t partition_key_size_max;    /**< 0: SHEAF_PARTITION_KEY_SIZE_MAX; at most SHEAF_PARTITION_KEY_SIZE_HARD */
    size_t sort_key_size_max;         /**< 0: SHEAF_SORT_KEY_SIZE_MAX; at most SHEAF_SORT_KEY_SIZE_HARD */
    size_t value_size_max;            /**< 0: SHEAF_VALUE_SIZE_MAX; at most SHEAF_VALUE_SIZE_HARD */
    bool allow_empty_partition_key;   /**< a partition key of zero bytes is a key like any other */
    bool allow_empty_sort_key;        /**< a sort key of zero bytes is a key like any other, and the lowest */
    uint64_t hash_seed; /**< keys the hash of partition keys. Set it from a random source when strangers choose the keys. */
    uint64_t budget_bytes; /**< 0: none. The most that `charged_bytes` may ever be; see sheaf_store_set_budget(). */
    const sheaf_cache_options *cache; /**< NULL: no cache; what the budget has no room for is refused. Copied. */
    const sheaf_expiry_options *expiry; /**< NULL: entries have no deadlines. Copied. */
    const sheaf_event_options *events; /**< NULL: nobody is told of values that leave. Copied. */
} sheaf_store_options;

/** What a store holds. */
typedef struct sheaf_store_totals {
    uint64_t collection_count;
    uint64_t entry_count;
    uint64_t logical_bytes; /**< sort keys and values of all entries, and each partition key once */
    uint64_t charged_bytes; /**< what the allocator says all blocks of the store take, the store's own record included */
    uint64_t budget_bytes;  /**< the most that may be; 0: no budget */
    uint64_t view_count;     /**< views that are open (view.h) */
    uint64_t retained_bytes; /**< the part of charged_bytes that only views still need: it comes back as they close */
    uint64_t copied_blocks;  /**< blocks copied so far because a view saw them: without views and batches it stands still */
} sheaf_store_totals;

/**
 * Makes an empty store.
 *
 * @param      options    NULL for the defaults.
 * @param[out] out_store  Ends with sheaf_store_destroy().
 * @param[out] out_detail May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_NO_MEMORY
 * @retval SHEAF_OVER_BUDGET       The budget does not even hold an empty store.
 * @retval SHEAF_INVALID_ARGUMENT  An option above its hard limit, or an allocator without a resize function.
 * @par Cost  O(1): microseconds. Thread rule: any thread.
 */
SHEAF_API sheaf_status sheaf_store_create(const sheaf_store_options *options, sheaf_store **out_store,
                                          sheaf_detail *out_detail);

/**
 * Sets the store's budget: the most that its `charged_bytes` may be, nodes, values, directory and all bookkeeping, builders
 * under way too. It is never passed, not even within a call: what would is refused with SHEAF_OVER_BUDGET. Reads and deletes
 * need no memory of the store; pages are the caller's. A node (7 KiB; an eighth of a small budget) is kept back for
 * giving memory back after deletes, and a put that rebuilds nodes needs room for the new ones beside the old: a full store
 * holds some 18 KiB less than its budget. With events (<sheaf/events.h>) it is some 50 KiB, for these need room, too; and while
 * one is delivered the copy of its entry may pass the budget.
 *
 * @param      budget_bytes  0: none.
 * @param[out] out_detail    May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_OVER_BUDGET  More is charged already, as the detail record says: delete first. The budget stays what it was. A
 *                            cache evicts first, and gives this only if nothing is left to evict.
 * @par Cost  O(1), but for what a cache evicts.
 */
SHEAF_API sheaf_status sheaf_store_set_budget(sheaf_store *store, uint64_t budget_bytes, sheaf_detail *out_detail);

/**
 * How much physical memory the store takes, free space that its allocator keeps for it included.
 *
 * @param[out] out_bytes
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND  The allocator does not tell: hooks and libc never do; jemalloc does once a store has grown to 2 MiB
 *                          and so has an arena of its own.
 * @par Cost  Microseconds: the allocator sums up its books. Thread rule: as a write.
 */
SHEAF_API sheaf_status sheaf_store_resident(sheaf_store *store, uint64_t *out_bytes);

/** Frees a store and all it holds, with the views that are still open: their handles are then dead. NULL is fine. Cost:
 *  O(nodes). */
SHEAF_API void sheaf_store_destroy(sheaf_store *store);

/**
 * Puts one entry, replacing the value of one that is there.
 *
 * @param      value         Copied. May be empty.
 * @param[out] out_replaced  Whether there was an entry of this key. May be NULL.
 * @param[out] out_detail    May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG, SHEAF_VALUE_TOO_LARGE
 * @retval SHEAF_NO_MEMORY
 * @retval SHEAF_OVER_BUDGET  A cache that evicts (<sheaf/cache.h>) evicts first, and gives this only for an entry that the
 *                            budget could not hold alone, or when nothing is left to evict; what was evicted stays so.
 * @note @p value may point into this store (a value read from it).
 * @par Cost  O(log n), one or two allocations when a node has to grow.
 */
SHEAF_API sheaf_status sheaf_store_put(sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_bytes value,
                                       bool *out_replaced, sheaf_detail *out_detail);

/**
 * Reads one entry.
 *
 * @param[out] out_value_view  Borrowed: valid until the next write to this collection. Copy what must live longer.
 * @param[out] out_detail      May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG  A key no put would have accepted is refused, as DynamoDB does.
 * @par Cost  O(log n), no allocation.
 */
SHEAF_API sheaf_status sheaf_store_get(const sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                       sheaf_bytes *out_value_view, sheaf_detail *out_detail);

/** One of many reads, and its answer. */
typedef struct sheaf_get {
    sheaf_bytes partition_key;
    sheaf_bytes sort_key;
    sheaf_bytes value_view; /**< set where `status` is SHEAF_OK: borrowed until the next write to the collection */
    sheaf_status status;    /**< set: what sheaf_store_get() would return */
} sheaf_get;

/**
 * Reads many entries, of one collection or of many. Each is answered on its own, as by sheaf_store_get(), in its `status`;
 * the call itself cannot fail. A read waits for memory most of the time: from some eight reads on, those of one call wait
 * together, and each costs a third to a half.
 *
 * @param[in,out] gets  @p count of them, in any order, the same key more than once if need be. Where partition keys are the
 *                      same bytes in memory for reads that stand side by side, they are hashed once.
 * @return How many are found.
 * @par Cost  O(log n) each, no allocation; about 1 KiB of stack.
 */
SHEAF_API size_t sheaf_store_get_many(const sheaf_store *store, sheaf_get *gets, size_t count);

/** Whether there is such an entry: SHEAF_OK or SHEAF_NOT_FOUND; otherwise as sheaf_store_get(). */
SHEAF_API sheaf_status sheaf_store_exists(const sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                          sheaf_detail *out_detail);

/**
 * Deletes one entry. Needs no memory, unless a view sees it or the store has events.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND
 * @retval SHEAF_NO_MEMORY, SHEAF_OVER_BUDGET  Only while a view is open, for what it sees is copied before it is changed; or
 *                            in a store with events, for which keys and value are (<sheaf/events.h>).
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG
 * @par Cost  O(log n).
 */
SHEAF_API sheaf_status sheaf_store_delete(sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                          sheaf_detail *out_detail);

/**
 * Deletes every entry of a range: a prefix, everything below a time, all of it.
 *
 * @param      range        NULL for all. Its bytes must not lie in this store (a value view, say): they may go while it is
 *                          read.
 * @param[out] out_deleted  How many entries went, and their bytes. May be NULL.
 * @retval SHEAF_OK              Also when the range held nothing.
 * @retval SHEAF_RANGE_INVERTED
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG  Of the partition key.
 * @retval SHEAF_NO_MEMORY, SHEAF_OVER_BUDGET  Only while a view is open, or in a store with events.
 * @par Cost  O(log n + nodes that lie wholly in the range). Needs no memory, unless a view sees what goes or there are events.
 */
SHEAF_API sheaf_status sheaf_store_delete_range(sheaf_store *store, sheaf_bytes partition_key, const sheaf_range *range,
                                                sheaf_totals *out_deleted, sheaf_detail *out_detail);

/** Counts of the whole store. Cost: O(1). */
SHEAF_API sheaf_store_totals sheaf_store_total(const sheaf_store *store);

/**
 * Entries and bytes of one collection.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND  No entry has this partition key.
 * @par Cost  O(1).
 */
SHEAF_API sheaf_status sheaf_collection_total(const sheaf_store *store, sheaf_bytes partition_key, sheaf_totals *out_totals);

/** How many nodes lie on the way to an entry of a collection: 1 where it is a single one, 0 where there is none. Cost: O(1). */
SHEAF_API uint32_t sheaf_collection_depth(const sheaf_store *store, sheaf_bytes partition_key);

/**
 * Drops a collection with all its entries.
 *
 * @param[out] out_deleted  What went. May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND
 * @retval SHEAF_NO_MEMORY, SHEAF_OVER_BUDGET  Only while a view is open, or in a store with events.
 * @par Cost  O(nodes). Needs no memory, unless a view sees what goes or there are events.
 */
SHEAF_API sheaf_status sheaf_collection_drop(sheaf_store *store, sheaf_bytes partition_key, sheaf_totals *out_deleted);

/** One collection met while enumerating. */
typedef struct sheaf_collection_info {
    /** Borrowed until the collection ends or, while a view is open, is written; what a view gave, until that is closed. Open
     *  cursors with it itself rather than a copy: then the next collection is fetched from memory while this one is read. */
    sheaf_bytes partition_key_view;
    sheaf_totals totals;
} sheaf_collection_info;

/**
 * The collection that follows another in the store's own order (that of the hash, not of the keys; fixed by seed and keys).
 *
 * Start with @p after NULL, then pass the partition key of the last one given. That collection need not exist any more: the
 * order has a place for every key. A collection that exists throughout is given exactly once, whatever else comes and goes.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND  There is none after it.
 * @par Cost  O(1) on average, no allocation.
 */
SHEAF_API sheaf_status sheaf_collection_next(const sheaf_store *store, const sheaf_bytes *after,
                                             sheaf_collection_info *out_info);

/** A bulk build under way: one collection from sorted input, packed. */
typedef struct sheaf_builder sheaf_builder;

/**
 * Begins the bulk build of a collection. Nothing is seen in the store before sheaf_builder_finish(); other writes to the store
 * may go on meanwhile. A builder ends before its store does. After a view was opened, or a batch applied, the next addition
 * costs O(what has been built).
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NO_MEMORY
 * @retval SHEAF_OVER_BUDGET
 * @retval SHEAF_EXISTS   The collection has entries already.
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG
 */
SHEAF_API sheaf_status sheaf_builder_begin(sheaf_store *store, sheaf_bytes partition_key, sheaf_builder **out_builder,
                                           sheaf_detail *out_detail);

/**
 * Adds the next entry; sort keys strictly ascend. In a cache neither may lie in the store: what is added may evict.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_OUT_OF_ORDER  The key is not above the last one added; the build goes on without it.
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG, SHEAF_VALUE_TOO_LARGE
 * @retval SHEAF_NO_MEMORY, SHEAF_OVER_BUDGET  The build goes on without the entry.
 * @par Cost  O(key + value), amortized.
 */
SHEAF_API sheaf_status sheaf_builder_add(sheaf_builder *builder, sheaf_bytes sort_key, sheaf_bytes value,
                                         sheaf_detail *out_detail);

/**
 * Puts the collection in its place, whole, and ends the builder on success.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NO_MEMORY, SHEAF_OVER_BUDGET  Nothing changed; try again, add more, or sheaf_builder_abort().
 * @retval SHEAF_EXISTS     The collection has got entries meanwhile; likewise.
 */
SHEAF_API sheaf_status sheaf_builder_finish(sheaf_builder *builder);

/** Ends a build without a trace. NULL is fine. */
SHEAF_API void sheaf_builder_abort(sheaf_builder *builder);

/** A broken invariant, found by sheaf_store_check(). */
typedef struct sheaf_fault {
    const char *rule; /**< label and wording of the invariant; static */
    uint32_t level;   /**< of the node, 0 being a leaf */
    uint32_t slot;
} sheaf_fault;

/**
 * Recomputes every invariant of the store, its directory and its trees. For tests and for those who distrust their memory.
 *
 * @param[out] out_fault  The first fault met. May be NULL.
 * @return Whether all is sound.
 * @par Cost  O(all bytes).
 */
SHEAF_API bool sheaf_store_check(const sheaf_store *store, sheaf_fault *out_fault);

SHEAF_END_DECLARATIONS

#endif
