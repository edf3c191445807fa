#include "engine/shared/shared.h"

#include "engine/base/assert.h"
#include "engine/base/backend.h"
#include "engine/base/hash.h"
#include "engine/shared/budget.h"
#include "engine/shared/view.h"
#include "engine/store/events.h"
#include "engine/store/validate.h"

_Static_assert(sizeof(struct sheaf_shard) % LOCK_LINE_SIZE == 0, "shards share no cache line");

/* ---- a shared store comes and goes -------------------------------------------------------------------------------------- */

static sheaf_status validate_shard_count(uint32_t count, sheaf_detail *out_detail)
{
    sheaf_detail detail = { .field = SHEAF_FIELD_OPTION };
    if ((count & (count - 1)) != 0) detail.message = "The option shard_count is no power of two";
    if (count > SHEAF_SHARD_COUNT_MAX) detail.message = "The option shard_count is above its limit";
    return detail.message ? sheaf_refuse(out_detail, SHEAF_INVALID_ARGUMENT, detail) : SHEAF_OK;
}

/* A record of so many shards without stores. NULL when there is no memory. */
static struct sheaf_shared *allocate(const sheaf_allocator *hooks, uint32_t shard_count)
{
    struct sheaf_heap heap;
    sheaf_heap_init(&heap, hooks);
    size_t record_size = sizeof(struct sheaf_shared) + shard_count * sizeof(struct sheaf_shard);
    size_t block_size = record_size + LOCK_LINE_SIZE - 1; /* hooks align for usual types only */
    void *block = sheaf_heap_allocate_zeroed(&heap, block_size);
    if (!block) return NULL;
    uintptr_t start = ((uintptr_t)block + LOCK_LINE_SIZE - 1) & ~(uintptr_t)(LOCK_LINE_SIZE - 1);
    struct sheaf_shared *shared = (struct sheaf_shared *)start;
    shared->shard_mask = shard_count - 1;
    shared->heap = heap;
    shared->block = block;
    shared->block_size = block_size;
    return shared;
}

static void free_record(struct sheaf_shared *shared)
{
    struct sheaf_heap heap = shared->heap;
    sheaf_heap_free(&heap, shared->block, shared->block_size);
    sheaf_assert(heap.block_count == 0);
}

/* Locks first: whoever ends the record half-built then finds all of them. */
static bool init_locks(struct sheaf_shared *shared)
{
    uint64_t count = sheaf_shared_shard_count(shared), done = 0;
    if (pthread_mutex_init(&shared->mutex, NULL) != 0) return false;
    while (done < count && sheaf_lock_init(&shared->shards[done].lock)) done++;
    if (done == count) return true;
    while (done > 0) sheaf_lock_deinit(&shared->shards[--done].lock);
    (void)pthread_mutex_destroy(&shared->mutex);
    return false;
}

/* What is left of a budget when `bytes` are charged; 1 where that is nothing, for 0 would be no budget at all. */
static uint64_t budget_left(uint64_t budget_bytes, uint64_t bytes)
{
    if (budget_bytes == 0) return 0;
    return budget_bytes > bytes ? budget_bytes - bytes : 1;
}

static sheaf_status create_stores(struct sheaf_shared *shared, const sheaf_store_options *options, sheaf_detail *out_detail)
{
    sheaf_store_options each = *options;
    uint64_t charged_bytes = shared->heap.charged_bytes;
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) {
        each.budget_bytes = budget_left(options->budget_bytes, charged_bytes);
        sheaf_status status = sheaf_store_create(&each, &shared->shards[i].store, out_detail);
        if (status != SHEAF_OK) return status;
        sheaf_events_defer(shared->shards[i].store);
        charged_bytes += sheaf_store_total(shared->shards[i].store).charged_bytes;
    }
    return SHEAF_OK;
}

sheaf_status sheaf_shared_create(const sheaf_shared_options *options, sheaf_shared **out_shared, sheaf_detail *out_detail)
{
    static const sheaf_shared_options defaults;
    if (!options) options = &defaults;
    uint32_t shard_count = options->shard_count ? options->shard_count : SHEAF_SHARD_COUNT;
    sheaf_status status = validate_shard_count(shard_count, out_detail);
    if (status != SHEAF_OK) return status;
    const sheaf_store_options *each = &options->store;
    struct sheaf_limits limits; /* looked at before anything is asked of the hooks */
    status = sheaf_limits_init(&limits, each, out_detail);
    if (status != SHEAF_OK) return status;

    sheaf_allocator hooks = each->allocator ? *each->allocator : sheaf_backend_hooks(NULL);
    struct sheaf_shared *shared = allocate(&hooks, shard_count);
    if (!shared) return sheaf_report(out_detail, SHEAF_NO_MEMORY);
    shared->hash_seed = each->hash_seed;
    if (!init_locks(shared)) {
        free_record(shared);
        return sheaf_report(out_detail, SHEAF_NO_MEMORY);
    }
    status = create_stores(shared, each, out_detail);
    if (status == SHEAF_OK) status = sheaf_budget_divide(shared, each->budget_bytes, out_detail);
    if (status != SHEAF_OK) {
        sheaf_shared_destroy(shared);
        return status;
    }
    *out_shared = shared;
    return SHEAF_OK;
}

void sheaf_shared_destroy(sheaf_shared *shared)
{
    if (!shared) return;
    sheaf_shared_views_end(shared);
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) {
        sheaf_store_destroy(shared->shards[i].store);
        sheaf_lock_deinit(&shared->shards[i].lock);
    }
    (void)pthread_mutex_destroy(&shared->mutex);
    free_record(shared);
}

/* ---- blocks of its own -------------------------------------------------------------------------------------------------- */

void *sheaf_shared_allocate(struct sheaf_shared *shared, size_t size)
{
    void *block = sheaf_heap_allocate_zeroed(&shared->heap, size);
    if (shared->heap.purse) sheaf_purse_give_back(&shared->purse, &shared->heap, 0); /* what a draw had too much */
    return block;
}

void sheaf_shared_free(struct sheaf_shared *shared, void *block, size_t size)
{
    sheaf_heap_free(&shared->heap, block, size);
    if (shared->heap.purse) sheaf_purse_give_back(&shared->purse, &shared->heap, 0);
}

/* ---- shards ------------------------------------------------------------------------------------------------------------- */

uint64_t sheaf_shared_place(const struct sheaf_shared *shared, sheaf_bytes partition_key)
{
    return sheaf_hash(partition_key, shared->hash_seed) & shared->shard_mask;
}

void sheaf_shared_begin_write(struct sheaf_shared *shared)
{
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) sheaf_shard_begin_write(&shared->shards[i]);
}

void sheaf_shared_end_write(struct sheaf_shared *shared)
{
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) sheaf_shard_end_write(&shared->shards[i]);
}
