/*
 * budget.h - a store's budget: the limit of its heap, and how a refusal for it is told from one by the allocator.
 *
 * The heap keeps the promise: every block of the store comes from it, so nothing can pass the limit. What is left for the store
 * is to choose the reserve, one node, from which merging and shrinking may borrow: without it a store that is full to the brim
 * could delete entries and yet get no memory back.
 */
#ifndef SHEAF_STORE_BUDGET_H
#define SHEAF_STORE_BUDGET_H

#include <sheaf/status.h>

#include "engine/base/heap.h"

/* Gives the heap the limit that belongs to a budget; 0: none. What is charged must not be above it. `has_events`: some room is
 * kept for those (events.h). */
void sheaf_budget_set(struct sheaf_heap *heap, uint64_t budget_bytes, bool has_events);

/* What is kept back of a budget. */
uint64_t sheaf_budget_reserve(uint64_t budget_bytes, bool has_events);

/* The budget in force; 0: none. */
uint64_t sheaf_budget_get(const struct sheaf_heap *heap);

/* Fills the record of a call, which may be NULL, and returns its status: SHEAF_NO_MEMORY is SHEAF_OVER_BUDGET when it was the
 * limit that refused the last block. */
sheaf_status sheaf_budget_report(const struct sheaf_heap *heap, sheaf_detail *out_detail, sheaf_status status);

#endif
