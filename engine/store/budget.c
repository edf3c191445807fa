#include "engine/store/budget.h"

#include "engine/store/cache.h"
#include "engine/store/events.h"
#include "engine/tree/node.h"

enum {
    RESERVE_BYTES = SHEAF_NODE_SIZE, /* a merged node takes three quarters of it, and an eighth to grow into */
    RESERVE_FRACTION = 8,            /* of a budget so small that a node is much of it */
    EVENT_BYTES = 1 << 15,           /* what eviction notes before it has to stop and tell of it */
    EVENT_FRACTION = 16,
};

static uint64_t part_of(uint64_t budget_bytes, uint64_t fraction, uint64_t most)
{
    return budget_bytes / fraction < most ? budget_bytes / fraction : most;
}

uint64_t sheaf_budget_reserve(uint64_t budget_bytes, bool has_events)
{
    uint64_t event_bytes = has_events ? part_of(budget_bytes, EVENT_FRACTION, EVENT_BYTES) : 0;
    return part_of(budget_bytes, RESERVE_FRACTION, RESERVE_BYTES) + event_bytes;
}

void sheaf_budget_set(struct sheaf_heap *heap, uint64_t budget_bytes, bool has_events)
{
    if (budget_bytes == 0) {
        sheaf_heap_set_limit(heap, HEAP_NO_LIMIT, 0);
        return;
    }
    sheaf_heap_set_limit(heap, budget_bytes, sheaf_budget_reserve(budget_bytes, has_events));
}

uint64_t sheaf_budget_get(const struct sheaf_heap *heap)
{
    return heap->limit_bytes == HEAP_NO_LIMIT ? 0 : heap->limit_bytes;
}

sheaf_status sheaf_budget_report(const struct sheaf_heap *heap, sheaf_detail *out_detail, sheaf_status status)
{
    if (status != SHEAF_NO_MEMORY || heap->refused_bytes == 0) return sheaf_report(out_detail, status);
    sheaf_detail detail = { .field = SHEAF_FIELD_BUDGET,
                            .size = heap->refused_bytes,
                            .limit = heap->ceiling_bytes,
                            .message = sheaf_status_message(SHEAF_OVER_BUDGET) };
    return sheaf_refuse(out_detail, SHEAF_OVER_BUDGET, detail);
}

static sheaf_status set_budget(struct sheaf_store *store, uint64_t budget_bytes, sheaf_detail *out_detail)
{
    struct sheaf_heap *heap = &store->grove.heap;
    bool has_events = store->events != NULL;
    if (budget_bytes != 0 && heap->charged_bytes > budget_bytes) /* a cache makes it fit, if it can */
        (void)sheaf_cache_evict_to(store, budget_bytes - sheaf_budget_reserve(budget_bytes, has_events));
    if (budget_bytes != 0 && heap->charged_bytes > budget_bytes) {
        sheaf_detail detail = { SHEAF_FIELD_BUDGET, heap->charged_bytes, budget_bytes, "The store holds more than the budget" };
        return sheaf_refuse(out_detail, SHEAF_OVER_BUDGET, detail);
    }
    sheaf_budget_set(heap, budget_bytes, has_events);
    return SHEAF_OK;
}

sheaf_status sheaf_store_set_budget(sheaf_store *store, uint64_t budget_bytes, sheaf_detail *out_detail)
{
    sheaf_status status = set_budget(store, budget_bytes, out_detail);
    sheaf_events_flush(store);
    return status;
}

sheaf_status sheaf_store_resident(sheaf_store *store, uint64_t *out_bytes)
{
    bool told = store->has_backend && sheaf_backend_resident(&store->backend, out_bytes);
    return told ? SHEAF_OK : SHEAF_NOT_FOUND;
}
