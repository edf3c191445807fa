/*
 * budget.h - the budget of a shared store: one purse from which its shards draw as they grow, and its own records too.
 *
 *     budget ─┬─ limit of shard 0 ── what it is charged, a reserve, a step's slack
 *             ├─ limit of shard 1
 *             ├─ charged to the shared store itself
 *             └─ free, for whoever needs it
 *
 * A single big collection may so have all of the budget, though it lies in one shard. When nothing is free any more, a cache's
 * shard that has less than its fair part makes the richest one evict; one that has more evicts its own.
 *
 * SH4  Limits, what the shared store itself is charged, and what is free add up to the budget.
 */
#ifndef SHEAF_SHARED_BUDGET_H
#define SHEAF_SHARED_BUDGET_H

#include "engine/shared/shared.h"

/* Divides a budget among shards that nobody else uses just now, each with a store or without; 0: none. The mutex is the
 * caller's too. SHEAF_OK, or SHEAF_OVER_BUDGET (nothing changed): more is charged already. */
sheaf_status sheaf_budget_divide(struct sheaf_shared *shared, uint64_t budget_bytes, sheaf_detail *out_detail);

/* How many bytes more a shard should have after a put that ended so, while its lock is held for writing: 0 unless it has less
 * than its share. */
uint64_t sheaf_budget_missing(const struct sheaf_shared *shared, const struct sheaf_shard *shard, sheaf_status status);

/* Makes the shard that has most evict `bytes` and give them back, if it can do so and keep its share. The caller holds no lock.
 * Returns whether it did. */
bool sheaf_budget_level(struct sheaf_shared *shared, uint64_t bytes);

/* SH4, while all is the caller's. */
bool sheaf_budget_check(const struct sheaf_shared *shared);

#endif
