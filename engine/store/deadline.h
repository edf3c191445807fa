/*
 * deadline.h - which collection is next due: an index, and what keeps it right.
 *
 *      index, a tree of the store's grove                          directory
 *      | due 40, hash of B | due 70, hash of A | ...               A: due 70, B: due 40, C: none
 *
 * The record of a collection says under which deadline it stands in the index: one that is not after the earliest of its entries.
 * It may be before it: entries are deleted and overwritten, and nobody looks what is earliest then, but the sweep. So the index
 * changes only where a put goes below what there is.
 *
 * Being a tree of the grove, the index is what views share, forks begin with and restoring brings back, like all else; and is
 * charged.
 *
 * X1  A collection whose entries have deadlines stands in the index under its record's, and that is not after any of them.
 * X2  A record without has no entry with a deadline.
 * X3  No entry is due before `swept_before`.
 *
 * The index may hold more than that: keys that could not be taken out for want of memory, while a view saw them. A sweep that
 * comes by them does it. Collections of the same hash share keys.
 *
 * So a sweep may leave keys before the time it has swept to, and who asks when to sweep next must not be told that time for ever.
 * Therefore X3: a sweep that has come to its end says how far, and each deadline that is given after that and is earlier says so.
 */
#ifndef SHEAF_STORE_DEADLINE_H
#define SHEAF_STORE_DEADLINE_H

#include <sheaf/expiry.h>

#include "engine/store/store.h"

struct sheaf_deadline_key {
    uint64_t due;
    uint64_t hash; /* of the partition key */
};

/* The key number `index` of a store's index. False if there are fewer. O(log n). */
bool sheaf_deadlines_at(const struct sheaf_store *store, uint64_t index, struct sheaf_deadline_key *out_key);

/* The first key above another. False if there is none. */
bool sheaf_deadlines_after(const struct sheaf_store *store, const struct sheaf_deadline_key *after,
                           struct sheaf_deadline_key *out_key);

/* The slot that stands after `skip` others of the key's hash; NULL if there is none. */
struct sheaf_slot *sheaf_deadlines_slot(const struct sheaf_store *store, const struct sheaf_deadline_key *key, uint64_t skip);

/* Puts a key. SHEAF_OK, also where it is there; or SHEAF_NO_MEMORY. Settling is left to the change it is part of. */
sheaf_status sheaf_deadlines_put(struct sheaf_store *store, uint64_t due, uint64_t hash);

/* Takes a key out, unless a collection stands under it, or there is no memory to. */
void sheaf_deadlines_delete(struct sheaf_store *store, uint64_t due, uint64_t hash);

/* Moves the entry of a collection whose record may be written. */
void sheaf_deadlines_move(struct sheaf_store *store, uint64_t hash, struct sheaf_collection *collection, uint64_t due);

/* Puts an entry with the deadline that the grove has for fresh ones, as sheaf_store_put_once() does without. In a store that keeps
 * deadlines. */
sheaf_status sheaf_deadline_put_once(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                     sheaf_bytes value, bool *out_replaced);

/* Between the two fresh entries get a deadline. */
static inline uint64_t sheaf_deadline_begin(struct sheaf_store *store, uint64_t deadline)
{
    uint64_t before = store->grove.due.fresh;
    store->grove.due.fresh = deadline;
    return before;
}

static inline void sheaf_deadline_end(struct sheaf_store *store, uint64_t before)
{
    store->grove.due.fresh = before;
}

/* An entry has got this deadline (X3). */
static inline void sheaf_deadline_given(struct sheaf_store *store, uint64_t deadline)
{
    if (deadline == SHEAF_NO_DEADLINE) return;
    if (deadline < store->expiry.swept_before) store->expiry.swept_before = deadline;
    if (deadline < store->expiry.given_least) store->expiry.given_least = deadline;
}

/* The rule that a collection breaks; NULL: none. */
const char *sheaf_deadlines_broken_rule(const struct sheaf_store *store, const struct sheaf_slot *slot);

#endif
