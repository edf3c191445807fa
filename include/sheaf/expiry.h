/*
 * expiry.h - entries with a deadline, after which they go.
 *
 *     static uint64_t now(void *context) { return *(const uint64_t *)context; }
 *
 *     uint64_t clock = 1000;
 *     sheaf_expiry_options expiry = { .now = now, .context = &clock };
 *     sheaf_store_options options = { .expiry = &expiry };
 *     ...
 *     sheaf_store_put_until(store, user, session, value, 1060, NULL, NULL);
 *     clock = 1060;                                  the session is not there any more
 *     sheaf_store_sweep(store, clock, 0, NULL, NULL);    nor does it take memory
 *
 * Deadlines are numbers on a clock of the caller's: seconds, milliseconds, ticks of a test. An entry has expired when its
 * deadline is not above the clock. It goes when it is swept; what it is until then is one of two rules:
 *
 *     HIDDEN      not there, from the first tick on, in no read, count, rank or total, nor is it a deadline to be extended.
 *                 What a cache wants
 *     READABLE    there like any, may be read, counted, overwritten and given another deadline. What DynamoDB does: it deletes
 *                 within days (docs: "Time to Live", section "How it works")
 *
 * A store keeps eight bytes more with each entry for this, and for each collection in which there are deadlines an index entry of
 * some 40. Where nothing has expired, reads are as fast as without, but for the clock. What has expired and is not swept yet makes
 * counts, ranks and totals of its collection slower: they look at each leaf that holds some. So sweep often.
 *
 * A view keeps the clock as it was when it was opened: what it shows never changes. A fork goes on with the clock of its
 * origin.
 *
 * Thread rule of this header: that of store.h. The clock is asked in the thread of the call.
 */
#ifndef SHEAF_EXPIRY_H
#define SHEAF_EXPIRY_H

#include <stdint.h>

#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/status.h>
#include <sheaf/store.h>

SHEAF_BEGIN_DECLARATIONS

/** The deadline of an entry that has none. */
#define SHEAF_NO_DEADLINE UINT64_MAX

/** What an entry is between its deadline and the sweep. */
typedef enum sheaf_expiry_rule {
    SHEAF_EXPIRY_HIDDEN = 0, /**< not there */
    SHEAF_EXPIRY_READABLE    /**< there, until it is swept */
} sheaf_expiry_rule;

/** Options of a store whose entries may have deadlines. Copied. */
struct sheaf_expiry_options {
    sheaf_expiry_rule rule;
    /** What time it is; asked by each call that has to know, by some more than once. May be called from any thread that reads
     *  the store. Not NULL with HIDDEN; READABLE does not ask. It must not call the store. */
    uint64_t (*now)(void *context);
    void *context; /**< passed on; may be NULL */
};

/**
 * As sheaf_store_put(), with a deadline. sheaf_store_put() itself puts without: it takes away the one that there was.
 *
 * @param      deadline      SHEAF_NO_DEADLINE: none. One that has passed already is as good as any.
 * @param[out] out_replaced  Whether there was an entry of this key; a hidden one does not count. May be NULL.
 * @retval SHEAF_INVALID_ARGUMENT  The store keeps no deadlines.
 */
SHEAF_API sheaf_status sheaf_store_put_until(sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                             sheaf_bytes value, uint64_t deadline, bool *out_replaced,
                                             sheaf_detail *out_detail);

/**
 * Gives an entry another deadline, or takes it away.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND  There is no such entry; a hidden one cannot be brought back.
 * @retval SHEAF_INVALID_ARGUMENT  The store keeps no deadlines.
 * @retval SHEAF_NO_MEMORY, SHEAF_OVER_BUDGET  For the index, or while a view is open; nothing has changed.
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG, SHEAF_READ_ONLY
 * @note As a write to the collection: what was borrowed from it is not valid any more.
 * @par Cost  O(log n).
 */
SHEAF_API sheaf_status sheaf_store_set_deadline(sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                                uint64_t deadline, sheaf_detail *out_detail);

/**
 * The deadline of an entry; SHEAF_NO_DEADLINE: it has none. Not a use of it, in a cache.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND, SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG
 * @retval SHEAF_INVALID_ARGUMENT  The store keeps no deadlines.
 * @par Cost  O(log n).
 */
SHEAF_API sheaf_status sheaf_store_get_deadline(const sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                                uint64_t *out_deadline, sheaf_detail *out_detail);

/**
 * Deletes what has expired: entries whose deadline is not above @p now, by the collections' earliest deadlines.
 *
 * @param      now        As a rule what the clock says; it is not asked.
 * @param      count_max  The most entries to delete, for who must not take long; 0: any number.
 * @param[out] out_swept  What went. Also set when the call is refused. May be NULL.
 * @retval SHEAF_OK         Nothing is left to delete, or `count_max` has been reached.
 * @retval SHEAF_NO_MEMORY, SHEAF_OVER_BUDGET  Only while a view is open, or with events. What was swept stays so, and every other
 *                          entry keeps its deadline: sweep again later.
 * @retval SHEAF_INVALID_ARGUMENT  The store keeps no deadlines.
 * @retval SHEAF_READ_ONLY
 * @par Cost  O(log n) for each entry deleted, and for each collection visited: those that have some, and once each those whose
 *      earliest entry has been deleted, overwritten or put off since. Of what has not expired it looks at the neighbours in a
 *      leaf, and at the bounds of the nodes beside its way.
 */
SHEAF_API sheaf_status sheaf_store_sweep(sheaf_store *store, uint64_t now, uint64_t count_max, sheaf_totals *out_swept,
                                         sheaf_detail *out_detail);

/**
 * Nothing will have expired before this: when to sweep next. Not above the earliest deadline, and mostly that itself: below it
 * when the entry it was has been deleted, overwritten or given a later one.
 *
 * It is above the `now` of a sweep that has come to its end: that returned SHEAF_OK, less than its `count_max`, and whose events'
 * callbacks have put nothing that had expired. So who waits for it and then sweeps is never kept busy by what cannot be swept.
 * (An open view may keep a sweep from setting the index right. Then it may be as little as one above.)
 *
 * @return SHEAF_NO_DEADLINE if there are none, or the store keeps none.
 * @par Cost  O(log n).
 */
SHEAF_API uint64_t sheaf_store_next_deadline(const sheaf_store *store);

/** As sheaf_builder_add(), with a deadline. @retval SHEAF_INVALID_ARGUMENT  The store keeps no deadlines. */
SHEAF_API sheaf_status sheaf_builder_add_until(sheaf_builder *builder, sheaf_bytes sort_key, sheaf_bytes value,
                                               uint64_t deadline, sheaf_detail *out_detail);

SHEAF_END_DECLARATIONS

#endif
