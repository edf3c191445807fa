/*
 * batch.h - several writes as one: all of them are done, or none has left a trace.
 *
 *     sheaf_batch_write writes[] = {
 *         sheaf_batch_delete(SHEAF_LIT("DRIVE#a"), SHEAF_LIT("root/old")),
 *         sheaf_batch_put(SHEAF_LIT("DRIVE#b"), SHEAF_LIT("root/new"), value),
 *     };
 *     status = sheaf_batch_apply(store, writes, 2, NULL, NULL);
 *
 * The writes may be to any collections. They are done in their order, so that a later one finds what an earlier one has left.
 *
 * Thread rule: as store.h: a batch is a write. Several threads have sheaf_shared_batch_apply() (shared.h).
 */
#ifndef SHEAF_BATCH_H
#define SHEAF_BATCH_H

#include <stddef.h>

#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/range.h>
#include <sheaf/status.h>
#include <sheaf/store.h>

SHEAF_BEGIN_DECLARATIONS

/** What one write of a batch does. */
typedef enum sheaf_batch_kind {
    SHEAF_BATCH_PUT = 0,      /**< as sheaf_store_put() */
    SHEAF_BATCH_DELETE,       /**< as sheaf_store_delete(); that there is no such entry is no failure */
    SHEAF_BATCH_DELETE_RANGE, /**< as sheaf_store_delete_range() */
    SHEAF_BATCH_DROP          /**< as sheaf_collection_drop(); that there is no such collection is no failure */
} sheaf_batch_kind;

/** One write. What its kind has no use for is not looked at. All bytes are borrowed for the call; they may lie in the store. */
typedef struct sheaf_batch_write {
    sheaf_batch_kind kind;
    sheaf_bytes partition_key;
    sheaf_bytes sort_key;
    sheaf_bytes value;
    sheaf_range range; /**< zeroed: all */
    uint64_t deadline; /**< of a put, as sheaf_store_put_until() (<sheaf/expiry.h>); 0: none */
} sheaf_batch_write;

/** A write that puts an entry. */
static inline sheaf_batch_write sheaf_batch_put(sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_bytes value)
{
    sheaf_batch_write write = { SHEAF_BATCH_PUT, partition_key, sort_key, value, sheaf_range_all(), 0 };
    return write;
}

/** A write that deletes an entry. */
static inline sheaf_batch_write sheaf_batch_delete(sheaf_bytes partition_key, sheaf_bytes sort_key)
{
    sheaf_batch_write write = { SHEAF_BATCH_DELETE, partition_key, sort_key, sheaf_bytes_of(NULL, 0), sheaf_range_all(), 0 };
    return write;
}

/** A write that deletes the entries of a range. */
static inline sheaf_batch_write sheaf_batch_delete_range(sheaf_bytes partition_key, sheaf_range range)
{
    sheaf_bytes none = sheaf_bytes_of(NULL, 0);
    sheaf_batch_write write = { SHEAF_BATCH_DELETE_RANGE, partition_key, none, none, range, 0 };
    return write;
}

/** A write that drops a collection. */
static inline sheaf_batch_write sheaf_batch_drop(sheaf_bytes partition_key)
{
    sheaf_bytes none = sheaf_bytes_of(NULL, 0);
    sheaf_batch_write write = { SHEAF_BATCH_DROP, partition_key, none, none, sheaf_range_all(), 0 };
    return write;
}

/**
 * Does all writes, or none.
 *
 * All are looked at first: one that no store would accept refuses the batch before anything is done. Then they are done beneath
 * a view of the call's own, to which the store goes back should one find no memory.
 *
 * @param[out] out_refused  Which write was refused, counted from 0. Written only when the status is not SHEAF_OK. May be NULL.
 * @param[out] out_detail   Why. May be NULL.
 * @retval SHEAF_OK         Also for a batch of none.
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG, SHEAF_VALUE_TOO_LARGE, SHEAF_RANGE_INVERTED
 * @retval SHEAF_INVALID_ARGUMENT  A kind that is none.
 * @retval SHEAF_NO_MEMORY, SHEAF_OVER_BUDGET  Every node that a batch changes is there twice until its end. In a cache a batch
 *         of two writes or more evicts nobody, for what there is may have to come back: make room with sheaf_store_evict().
 * @retval SHEAF_READ_ONLY
 * @par Cost  That of its writes, and a copy of each node they change (counted in `copied_blocks`); after a refusal as much
 *      again. A batch of one write is that write.
 */
SHEAF_API sheaf_status sheaf_batch_apply(sheaf_store *store, const sheaf_batch_write *writes, size_t count,
                                         size_t *out_refused, sheaf_detail *out_detail);

SHEAF_END_DECLARATIONS

#endif
