/*
 * expiry.h - what a store knows of time: its rule, its clock, and what of it can be seen now.
 *
 * Under the rule HIDDEN each read asks, and where the bound of a tree (engine/tree/due.h) is above the clock that is all. Else it
 * takes away what has expired from what it would give without. A view's store has the clock of its opening, which stands still.
 */
#ifndef SHEAF_STORE_EXPIRY_H
#define SHEAF_STORE_EXPIRY_H

#include <sheaf/expiry.h>

#include "engine/store/store.h"
#include "engine/tree/due.h"

/* SHEAF_OK or SHEAF_INVALID_ARGUMENT. NULL is no expiry, and sound. */
sheaf_status sheaf_expiry_validate(const sheaf_expiry_options *options, sheaf_detail *out_detail);

/* Of a call with a deadline, in a store that keeps none. */
sheaf_status sheaf_expiry_refuse(sheaf_detail *out_detail);

/* Sets a store, empty as yet, up for deadlines. */
void sheaf_expiry_begin(struct sheaf_store *store, const sheaf_expiry_options *options);

/* The rule and the clock of a view's store, or a fork. */
struct sheaf_expiry sheaf_expiry_stopped(const struct sheaf_expiry *expiry);

/* What time it is, for a store that hides. */
static inline uint64_t sheaf_store_now(const struct sheaf_store *store)
{
    return store->expiry.stopped ? store->expiry.stopped_at : store->expiry.now(store->expiry.context);
}

/* Whether something in a tree is to be hidden now; the clock is asked if so be. */
static inline bool sheaf_store_hides(const struct sheaf_store *store, const struct sheaf_tree *tree, uint64_t *out_now)
{
    if (__builtin_expect(!store->expiry.hides, 1)) return false;
    *out_now = sheaf_store_now(store);
    return sheaf_tree_may_expire(tree, *out_now);
}

/* Whether an entry is there and hidden. */
bool sheaf_store_hides_entry(const struct sheaf_store *store, const struct sheaf_tree *tree, sheaf_bytes sort_key);

/* What can be seen of a tree, and of a range of it. */
sheaf_totals sheaf_store_visible(const struct sheaf_store *store, const struct sheaf_tree *tree);
sheaf_totals sheaf_store_visible_range(const struct sheaf_store *store, const struct sheaf_tree *tree, const sheaf_range *range);

/* Takes away from the totals of a store what is hidden in it. */
void sheaf_expiry_hide(const struct sheaf_store *store, sheaf_store_totals *totals);

#endif
