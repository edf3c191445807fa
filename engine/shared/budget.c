#include "engine/shared/budget.h"

#include "engine/shared/events.h"
#include "engine/store/budget.h"
#include "engine/store/store.h"

enum {
    STEPS_OF_SHARE = 64, /* a shard draws so small a part of its share at once: two of them may lie idle in each */
    KEPT_FRACTION = 64,  /* of the budget, for shards that have less than their share */
    ROUNDS_MAX = 16,     /* of evicting from all, while others go on putting */
};

static struct sheaf_heap *heap_of(struct sheaf_shard *shard)
{
    return &shard->store->grove.heap;
}

/* ---- dividing ------------------------------------------------------------------------------------------------------------- */

static uint64_t sum_charged(const struct sheaf_shared *shared)
{
    uint64_t sum = shared->heap.charged_bytes;
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++)
        sum += shared->shards[i].store->grove.heap.charged_bytes;
    return sum;
}

/* Lets a heap have what it is charged and, as far as there is, a reserve. */
static void set_limit(struct sheaf_heap *heap, struct sheaf_purse *purse, uint64_t reserve_bytes)
{
    if (purse->free_bytes < reserve_bytes) reserve_bytes = purse->free_bytes;
    purse->free_bytes -= reserve_bytes;
    sheaf_heap_set_limit(heap, heap->charged_bytes + reserve_bytes, reserve_bytes);
    heap->purse = purse;
}

static void set_no_limit(struct sheaf_heap *heap)
{
    sheaf_heap_set_limit(heap, HEAP_NO_LIMIT, 0);
    heap->purse = NULL;
}

/* Of each shard. */
static uint64_t reserve_of(const struct sheaf_shared *shared, uint64_t budget_bytes)
{
    return sheaf_budget_reserve(budget_bytes / sheaf_shared_shard_count(shared), shared->shards[0].store->events != NULL);
}

static void divide(struct sheaf_shared *shared, uint64_t budget_bytes)
{
    uint64_t share_bytes = budget_bytes / sheaf_shared_shard_count(shared);
    shared->purse = (struct sheaf_purse){ .free_bytes = budget_bytes - sum_charged(shared),
                                          .share_bytes = share_bytes,
                                          .kept_bytes = budget_bytes / KEPT_FRACTION,
                                          .step_bytes = share_bytes / STEPS_OF_SHARE };
    set_limit(&shared->heap, &shared->purse, 0);
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++)
        set_limit(heap_of(&shared->shards[i]), &shared->purse, reserve_of(shared, budget_bytes));
}

sheaf_status sheaf_budget_divide(struct sheaf_shared *shared, uint64_t budget_bytes, sheaf_detail *out_detail)
{
    uint64_t charged_bytes = sum_charged(shared);
    if (budget_bytes != 0 && charged_bytes > budget_bytes) {
        sheaf_detail detail = { SHEAF_FIELD_BUDGET, charged_bytes, budget_bytes, "The store holds more than the budget" };
        return sheaf_refuse(out_detail, SHEAF_OVER_BUDGET, detail);
    }
    shared->budget_bytes = budget_bytes;
    if (budget_bytes != 0) {
        divide(shared, budget_bytes);
        return SHEAF_OK;
    }
    set_no_limit(&shared->heap);
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) set_no_limit(heap_of(&shared->shards[i]));
    return SHEAF_OK;
}

sheaf_status sheaf_shared_set_budget(sheaf_shared *shared, uint64_t budget_bytes, sheaf_detail *out_detail)
{
    uint64_t reserves_bytes = reserve_of(shared, budget_bytes) * sheaf_shared_shard_count(shared);
    if (budget_bytes != 0) (void)sheaf_shared_evict(shared, budget_bytes - reserves_bytes); /* a cache makes it fit */
    sheaf_shared_begin_write(shared);
    (void)pthread_mutex_lock(&shared->mutex);
    sheaf_status status = sheaf_budget_divide(shared, budget_bytes, out_detail);
    (void)pthread_mutex_unlock(&shared->mutex);
    sheaf_shared_end_write(shared);
    return status;
}

/* ---- evicting ------------------------------------------------------------------------------------------------------------- */

/* The part of a shard when all `before_bytes` are to come down to `after_bytes`. */
static uint64_t scale(uint64_t charged_bytes, uint64_t before_bytes, uint64_t after_bytes)
{
    return (uint64_t)((double)charged_bytes * ((double)after_bytes / (double)before_bytes));
}

/* Evicts in each shard its part of what must go. */
static void evict_from_all(struct sheaf_shared *shared, uint64_t before_bytes, uint64_t after_bytes)
{
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) {
        struct sheaf_shard *shard = &shared->shards[i];
        sheaf_shard_begin_write(shard);
        uint64_t part_bytes = scale(heap_of(shard)->charged_bytes, before_bytes, after_bytes);
        (void)sheaf_store_evict(shard->store, part_bytes);
        while (sheaf_shard_end_change(shared, shard)) {
            sheaf_shard_begin_write(shard);
            (void)sheaf_store_evict(shard->store, part_bytes);
        }
    }
}

/* Every shard takes some bytes even when it is empty, so the first round may not be enough. */
sheaf_status sheaf_shared_evict(sheaf_shared *shared, uint64_t charged_bytes)
{
    uint64_t before_bytes = sheaf_shared_total(shared).charged_bytes;
    for (int round = 0; before_bytes > charged_bytes && round < ROUNDS_MAX; round++) {
        evict_from_all(shared, before_bytes, charged_bytes);
        uint64_t after_bytes = sheaf_shared_total(shared).charged_bytes;
        if (after_bytes >= before_bytes) break;
        before_bytes = after_bytes;
    }
    return before_bytes <= charged_bytes ? SHEAF_OK : SHEAF_NOT_FOUND;
}

/* ---- levelling ------------------------------------------------------------------------------------------------------------ */

uint64_t sheaf_budget_missing(const struct sheaf_shared *shared, const struct sheaf_shard *shard, sheaf_status status)
{
    const struct sheaf_heap *heap = &shard->store->grove.heap;
    const struct sheaf_purse *purse = &shared->purse;
    if (!heap->purse || heap->limit_bytes >= purse->share_bytes) return 0;
    if (status == SHEAF_OVER_BUDGET && heap->refused_bytes > heap->ceiling_bytes)
        return heap->refused_bytes - heap->ceiling_bytes;
    bool is_short = heap->limit_bytes - heap->charged_bytes < heap->reserve_bytes + purse->step_bytes;
    return is_short && sheaf_purse_free(purse) < purse->kept_bytes ? purse->step_bytes : 0;
}

static struct sheaf_shard *find_richest(struct sheaf_shared *shared)
{
    struct sheaf_shard *richest = &shared->shards[0];
    uint64_t most_bytes = 0;
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) {
        uint64_t limit_bytes = __atomic_load_n(&shared->shards[i].limit_bytes, __ATOMIC_RELAXED);
        if (limit_bytes <= most_bytes) continue;
        most_bytes = limit_bytes;
        richest = &shared->shards[i];
    }
    return richest;
}

/* Lets a shard that is the caller's alone have `bytes` less, but not less than a share. */
static bool make_give(struct sheaf_shared *shared, struct sheaf_shard *shard, uint64_t bytes)
{
    struct sheaf_heap *heap = heap_of(shard);
    if (!heap->purse || heap->limit_bytes < shared->purse.share_bytes + bytes) return false;
    uint64_t before_bytes = heap->limit_bytes, kept_bytes = heap->reserve_bytes + bytes;
    if (heap->charged_bytes > before_bytes - kept_bytes) (void)sheaf_store_evict(shard->store, before_bytes - kept_bytes);
    sheaf_purse_give_back(&shared->purse, heap, 0);
    return heap->limit_bytes < before_bytes;
}

bool sheaf_budget_level(struct sheaf_shared *shared, uint64_t bytes)
{
    struct sheaf_shard *richest = find_richest(shared);
    sheaf_shard_begin_write(richest);
    bool gave = make_give(shared, richest, bytes);
    (void)sheaf_shard_end_change(shared, richest);
    return gave;
}

/* ---- check ---------------------------------------------------------------------------------------------------------------- */

bool sheaf_budget_check(const struct sheaf_shared *shared)
{
    if (shared->budget_bytes == 0) return true;
    uint64_t sum = shared->heap.charged_bytes + shared->purse.free_bytes;
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) sum += shared->shards[i].store->grove.heap.limit_bytes;
    return sum == shared->budget_bytes && shared->heap.limit_bytes == shared->heap.charged_bytes;
}
