/*
 * shared.h - a store that threads share: it keeps the locks, so that its users need none.
 *
 *     partition key ── hash ──▶ one of N shards, each a store of its own with a lock: many readers or one writer
 *
 * A collection lies whole in one shard. Reads of a shard go beside one another on all cores; a write has its shard to itself, for
 * about a microsecond. Which way to read:
 *
 *     sheaf_shared_get() and its like    copy out: nothing to care for afterwards; sheaf_shared_get_many() many at once
 *     sheaf_shared_pin()                 borrows a shard as a `const sheaf_store *`, for cursors and values in place; its
 *                                        writers wait meanwhile, so: briefly
 *     sheaf_shared_view_open()           one moment of all shards, read as long as one likes without any lock
 *
 * Thread rule of this header, unless a call says otherwise: any thread, at any time, on the same shared store. A thread that
 * holds a pin calls nothing of this header but sheaf_shared_unpin() until it has let go: a write would wait for the pin, and so
 * for ever. A call that has returned is seen by every call, of any thread, that begins later.
 *
 * A sheaf_store without threads stays what it is: it has no locks and pays for none.
 */
#ifndef SHEAF_SHARED_H
#define SHEAF_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/batch.h>
#include <sheaf/bytes.h>
#include <sheaf/cache.h>
#include <sheaf/expiry.h>
#include <sheaf/export.h>
#include <sheaf/limits.h>
#include <sheaf/range.h>
#include <sheaf/scan.h>
#include <sheaf/status.h>
#include <sheaf/store.h>

SHEAF_BEGIN_DECLARATIONS

typedef struct sheaf_shared sheaf_shared;

/** Options of a shared store. Zeroed is right for most. */
typedef struct sheaf_shared_options {
    /**
     * Those of its shards. The budget is that of all together. Allocator hooks are called by several threads at once.
     *
     * Events: the callback runs in the thread whose call made the change, before that returns and with no lock held, and may call
     * whatever it likes. What a write of its own causes is delivered after it has returned, as in a store of one thread, so that
     * nothing nests; another thread that writes there meanwhile may be the one to tell of it. Several threads may be in the
     * callback at once, and of changes that two threads make to one key the later may be told of first. Below a budget each shard
     * may pass its part by the entry it tells of.
     */
    sheaf_store_options store;
    uint32_t shard_count; /**< a power of two up to SHEAF_SHARD_COUNT_MAX; 0: SHEAF_SHARD_COUNT */
} sheaf_shared_options;

/**
 * Makes an empty shared store.
 *
 * @param      options     NULL for the defaults.
 * @param[out] out_shared  Ends with sheaf_shared_destroy().
 * @param[out] out_detail  May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_NO_MEMORY
 * @retval SHEAF_OVER_BUDGET       The budget does not even hold empty shards: a few KiB each.
 * @retval SHEAF_INVALID_ARGUMENT  As sheaf_store_create(); and a count of shards that is no power of two, or too many.
 * @par Cost  O(shards).
 */
SHEAF_API sheaf_status sheaf_shared_create(const sheaf_shared_options *options, sheaf_shared **out_shared,
                                           sheaf_detail *out_detail);

/** Frees a shared store and all it holds, with the views that are still open. NULL is fine. Thread rule: no other thread uses it
 *  any more. Cost: O(nodes). */
SHEAF_API void sheaf_shared_destroy(sheaf_shared *shared);

/* ---- entries ------------------------------------------------------------------------------------------------------------ */

/** As sheaf_store_put(). @p value is the caller's memory, not a pin's. Cost: that, and the shard to itself meanwhile. */
SHEAF_API sheaf_status sheaf_shared_put(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_bytes value,
                                        bool *out_replaced, sheaf_detail *out_detail);

/**
 * Reads one entry: copies its value.
 *
 * @param[out] buffer    Room for @p capacity bytes. What lies behind the value is not touched; without SHEAF_OK, nothing is.
 * @param[out] out_size  The size of the value; also set with SHEAF_BUFFER_TOO_SMALL. May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND
 * @retval SHEAF_BUFFER_TOO_SMALL  There is such an entry, but its value is larger than @p capacity.
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG
 * @par Cost  That of sheaf_store_get(), the copy, and some 15 ns for the lock.
 */
SHEAF_API sheaf_status sheaf_shared_get(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key, void *buffer,
                                        size_t capacity, size_t *out_size, sheaf_detail *out_detail);

/**
 * Reads many entries, as sheaf_store_get_many(), and copies their values one behind the other. Those of one shard are read together,
 * with its lock taken once, and so at one moment; those of different shards, one shard after the other.
 *
 * @param[in,out] gets      @p count of them, in any order, whose bytes are the caller's memory. `status` is what
 *                          sheaf_shared_get() would return, and `value_view` with SHEAF_OK the value's place in @p buffer, in no
 *                          particular order. With SHEAF_BUFFER_TOO_SMALL, for which there was no room left, it has the size of
 *                          the value and no bytes; others behind it may have found room.
 * @param[out]    buffer    Room for @p capacity bytes for all values together; may be NULL if that is 0.
 * @param[out]    out_size  What all values that were found take, whether there was room or not: if that is above @p capacity,
 *                          a buffer of this size holds them all, unless they are written meanwhile. May be NULL.
 * @return How many were copied: those that have SHEAF_OK.
 * @par Cost  As sheaf_store_get_many(), the copies, and some 15 ns for each shard that has one of the keys. No allocation; up to
 *      4 KiB of stack. A shard's writers wait meanwhile: not for many thousands of keys at once.
 */
SHEAF_API size_t sheaf_shared_get_many(sheaf_shared *shared, sheaf_get *gets, size_t count, void *buffer, size_t capacity,
                                       size_t *out_size);

/** As sheaf_store_exists(). */
SHEAF_API sheaf_status sheaf_shared_exists(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                           sheaf_detail *out_detail);

/** As sheaf_store_delete(). */
SHEAF_API sheaf_status sheaf_shared_delete(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                           sheaf_detail *out_detail);

/** As sheaf_store_delete_range(). */
SHEAF_API sheaf_status sheaf_shared_delete_range(sheaf_shared *shared, sheaf_bytes partition_key, const sheaf_range *range,
                                                 sheaf_totals *out_deleted, sheaf_detail *out_detail);

/** As sheaf_collection_drop(). */
SHEAF_API sheaf_status sheaf_shared_collection_drop(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_totals *out_deleted);

/**
 * Does all writes, in all the collections they are to, or none: as sheaf_batch_apply(). No other call meets a part of them, and a
 * view has all or none. Bytes are the caller's memory, not a pin's.
 *
 * @retval SHEAF_OK         Also for a batch of none.
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG, SHEAF_VALUE_TOO_LARGE, SHEAF_RANGE_INVERTED, SHEAF_INVALID_ARGUMENT
 * @retval SHEAF_NO_MEMORY, SHEAF_OVER_BUDGET  As sheaf_batch_apply(); one over several shards also takes about 1 KiB for each.
 * @par Cost  As sheaf_batch_apply(). The shards it writes are its own from the first write to the last.
 */
SHEAF_API sheaf_status sheaf_shared_batch_apply(sheaf_shared *shared, const sheaf_batch_write *writes, size_t count,
                                                size_t *out_refused, sheaf_detail *out_detail);

/* ---- deadlines ---------------------------------------------------------------------------------------------------------- */

/** As sheaf_store_put_until(). */
SHEAF_API sheaf_status sheaf_shared_put_until(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                              sheaf_bytes value, uint64_t deadline, bool *out_replaced,
                                              sheaf_detail *out_detail);

/** As sheaf_store_set_deadline(). */
SHEAF_API sheaf_status sheaf_shared_set_deadline(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                                 uint64_t deadline, sheaf_detail *out_detail);

/** As sheaf_store_get_deadline(). */
SHEAF_API sheaf_status sheaf_shared_get_deadline(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                                 uint64_t *out_deadline, sheaf_detail *out_detail);

/**
 * As sheaf_store_sweep(), one shard after the other, each in steps of some dozens of entries between which others have their turn.
 * With a @p count_max the next sweep goes on where this one has ended, so that every shard has its turn.
 *
 * @retval SHEAF_OK, SHEAF_NO_MEMORY, SHEAF_OVER_BUDGET, SHEAF_INVALID_ARGUMENT  As sheaf_store_sweep().
 */
SHEAF_API sheaf_status sheaf_shared_sweep(sheaf_shared *shared, uint64_t now, uint64_t count_max, sheaf_totals *out_swept,
                                          sheaf_detail *out_detail);

/** The least of sheaf_store_next_deadline() of all shards, asked one after the other. While two threads sweep at once it may stay
 *  at or below their `now` a little longer: let one thread do it. */
SHEAF_API uint64_t sheaf_shared_next_deadline(sheaf_shared *shared);

/* ---- values that are computed when they are missed ---------------------------------------------------------------------- */

/** What a loader has found. */
typedef struct sheaf_loaded {
    sheaf_bytes value; /**< the loader's memory: stays as it is until the sheaf_shared_get_or_load() that called it returns */
    uint64_t deadline; /**< it is put with, as by sheaf_shared_put_until(); 0: none */
} sheaf_loaded;

/**
 * Computes a value that is missing, or fetches it from where it comes from. Runs in the thread that missed it, with no lock held.
 * It may use the shared store, but must not ask for the same key by sheaf_shared_get_or_load(), nor for one whose loader asks
 * for this one: they would wait for each other.
 *
 * @param[out] out_loaded  Zeroed before the call. Not looked at unless it returns SHEAF_OK.
 * @return SHEAF_OK; or what the call, and all who wait for it, shall return: SHEAF_NOT_FOUND if there is no such value.
 */
typedef sheaf_status sheaf_loader(void *context, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_loaded *out_loaded);

/**
 * Reads one entry, as sheaf_shared_get(); if it is missing, has it computed and puts it. Threads that miss the same key at the
 * same time wait for the one that came first, whose loader runs, and are given what that finds: so a value that many want is
 * computed once.
 *
 * Writes to the key while its loader runs (put, delete, a range or batch that covers it, the drop of its collection) are later
 * than what the loader has found: that is still given to those who wait by then, but not put; and who misses the key after such
 * a write has it computed anew. So what was deleted since the loader looked never comes back. A value the store has no room for
 * is given out all the same.
 *
 * @param      loader   Called at most once.
 * @param      context  Passed on; may be NULL. Of those who wait, each has its own, and only that of the first is used.
 * @param[out] buffer, out_size  As sheaf_shared_get(). With SHEAF_BUFFER_TOO_SMALL the value has been put, if it was missing.
 * @retval SHEAF_OK
 * @retval SHEAF_BUFFER_TOO_SMALL, SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG
 * @return Else what the loader has returned: nothing is put then, and the next call has it called again.
 * @par Cost  That of sheaf_shared_get(); if it is missing that of the loader and a put. No allocation but for those.
 */
SHEAF_API sheaf_status sheaf_shared_get_or_load(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                                sheaf_loader *loader, void *context, void *buffer, size_t capacity,
                                                size_t *out_size, sheaf_detail *out_detail);

/* ---- reading ranges ----------------------------------------------------------------------------------------------------- */

/** As sheaf_collection_total(). */
SHEAF_API sheaf_status sheaf_shared_collection_total(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_totals *out_totals);

/** As sheaf_range_total(). */
SHEAF_API sheaf_status sheaf_shared_range_total(sheaf_shared *shared, sheaf_bytes partition_key, const sheaf_range *range,
                                                sheaf_totals *out_totals, sheaf_detail *out_detail);

/** As sheaf_rank(). */
SHEAF_API sheaf_status sheaf_shared_rank(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                         sheaf_direction direction, uint64_t *out_rank, bool *out_exists,
                                         sheaf_detail *out_detail);

/**
 * As sheaf_page_read(): a page is a copy, so it needs no care.
 *
 * @param[out] out_version  That of sheaf_shared_version(), as the page was read. May be NULL.
 */
SHEAF_API sheaf_status sheaf_shared_page_read(sheaf_shared *shared, sheaf_bytes partition_key, const sheaf_page_request *request,
                                              sheaf_page *out_page, uint64_t *out_version, sheaf_detail *out_detail);

/**
 * A number that moves with each write to the shard of this key: as long as it stays, so does all that was read there. For
 * those who keep what they have worked out, say a page as it was drawn. Writes to other collections of the shard move it too.
 *
 * @par Cost  Some nanoseconds.
 */
SHEAF_API uint64_t sheaf_shared_version(sheaf_shared *shared, sheaf_bytes partition_key);

/** A shard that a thread has borrowed for reading. The caller holds it, and does not copy it. */
typedef struct sheaf_pin {
    const sheaf_store *store; /**< for every call that takes a `const sheaf_store *`; not for enumerating, it is one of many */
    uint64_t version;         /**< as sheaf_shared_version() */
    /* What follows is private. */
    struct sheaf_shard *shard;
    uint32_t count;
} sheaf_pin;

/**
 * Borrows the shard of a key, with all collections in it, for reading in place: cursors, children, values not copied. Nothing in
 * it changes or is freed until sheaf_shared_unpin(), so what was read stays valid that long. Its writers wait: hold it for
 * microseconds, and for longer reads take a view.
 *
 * @param[out] out_pin  Ends with sheaf_shared_unpin(), by the same thread, which until then reads @p out_pin->store and calls
 *                      nothing else of this header, not even for another shard.
 * @return @p out_pin->store
 * @par Cost  Some 15 ns, or a write's time where the shard is being written. No allocation; cannot fail.
 */
SHEAF_API const sheaf_store *sheaf_shared_pin(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_pin *out_pin);

/** Lets go of what was pinned. All that was read there without a copy is then dead. */
SHEAF_API void sheaf_shared_unpin(sheaf_pin *pin);

/* ---- the whole ---------------------------------------------------------------------------------------------------------- */

/** Counts of all shards together, one after the other and so not of one moment (a view's are). Its `charged_bytes` have the
 *  shared store's own records in them, its `view_count` is that of shared views. Cost: O(shards). */
SHEAF_API sheaf_store_totals sheaf_shared_total(sheaf_shared *shared);

/** How much physical memory all shards take that have an arena of their own: as sheaf_store_resident(), SHEAF_NOT_FOUND if none
 *  has. */
SHEAF_API sheaf_status sheaf_shared_resident(sheaf_shared *shared, uint64_t *out_bytes);

/** As sheaf_store_statistics(), of all shards together, one after the other. */
SHEAF_API sheaf_status sheaf_shared_statistics(sheaf_shared *shared, sheaf_statistics *out_statistics);

/** As sheaf_collection_statistics(). */
SHEAF_API sheaf_status sheaf_shared_collection_statistics(sheaf_shared *shared, sheaf_bytes partition_key,
                                                          sheaf_statistics *out_statistics);

/**
 * Sets the budget of all shards together, the shared store's own records included: as sheaf_store_set_budget(). Each shard takes
 * of it as it grows, so that a single big collection may have nearly all. A sixty-fourth is kept for shards that have less than
 * an equal part; and when that is used up, a cache lets the shard that has most evict in favour of those that have less. (So an
 * eviction that a put makes need not be in its own shard.) What a shard has taken and does not use just now, a thirty-second of
 * an equal part, no other can have.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_OVER_BUDGET  As sheaf_store_set_budget(): the budget stays what it was.
 * @par Cost  O(shards), but for what a cache evicts.
 */
SHEAF_API sheaf_status sheaf_shared_set_budget(sheaf_shared *shared, uint64_t budget_bytes, sheaf_detail *out_detail);

/**
 * Evicts entries of each shard until all together are charged at most @p charged_bytes, or none is left. A shard gives in
 * proportion to what it has.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND  As sheaf_store_evict().
 */
SHEAF_API sheaf_status sheaf_shared_evict(sheaf_shared *shared, uint64_t charged_bytes);

/* ---- views ------------------------------------------------------------------------------------------------------------- */

/** A view of all shards at one moment: of each write that was under way then it has all or nothing. */
typedef struct sheaf_shared_view sheaf_shared_view;

/**
 * Opens a view of the shared store as it is now. All writers wait for some microseconds.
 *
 * @param[out] out_view    Ends with sheaf_shared_view_close(), before the shared store does.
 * @param[out] out_detail  May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_NO_MEMORY, SHEAF_OVER_BUDGET  As sheaf_view_open(), for each shard.
 * @par Cost  O(shards), whatever they hold.
 */
SHEAF_API sheaf_status sheaf_shared_view_open(sheaf_shared *shared, sheaf_shared_view **out_view, sheaf_detail *out_detail);

/**
 * The state that the view keeps of the shard of this key: for every call that takes a `const sheaf_store *`, cursors and children
 * included. It takes no lock, meets no writer and keeps none waiting.
 *
 * @return Borrowed: lives as long as the view, and all values and keys read from it do.
 * @note Thread rule: any number of threads, for as long as the view is open, if it was handed to them in a way that orders
 *       memory.
 */
SHEAF_API const sheaf_store *sheaf_shared_view_store(const sheaf_shared_view *view, sheaf_bytes partition_key);

/** Counts of the view: of one moment, other than those of sheaf_shared_total(). Thread rule: as sheaf_shared_view_store(). Cost:
 *  O(shards). */
SHEAF_API sheaf_store_totals sheaf_shared_view_total(const sheaf_shared_view *view);

/**
 * The collection that follows another in the view, as sheaf_collection_next(): @p after NULL for the first. Each collection is
 * given once. `partition_key_view` is borrowed until the view is closed.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND  There is none after it.
 * @note Thread rule: as sheaf_shared_view_store().
 * @par Cost  O(1) on average; O(shards) among empty ones.
 */
SHEAF_API sheaf_status sheaf_shared_view_next(const sheaf_shared_view *view, const sheaf_bytes *after,
                                              sheaf_collection_info *out_info);

/** Closes a view and frees what only it needed, one shard after the other, whose writers wait. No thread reads it any more. NULL
 *  is fine. Never needs memory. Cost: as sheaf_view_close(). */
SHEAF_API void sheaf_shared_view_close(sheaf_shared_view *view);

/* ---- check -------------------------------------------------------------------------------------------------------------- */

/** As sheaf_store_check(), of all shards; and that each collection lies in its shard. All others wait meanwhile. */
SHEAF_API bool sheaf_shared_check(sheaf_shared *shared, sheaf_fault *out_fault);

SHEAF_END_DECLARATIONS

#endif
