/*
 * whole.c - what concerns all shards: sums over them, and their check. One shard after the other.
 */
#include "engine/shared/budget.h"
#include "engine/shared/load.h"

/* ---- sums ----------------------------------------------------------------------------------------------------------------- */

void sheaf_shared_add_total(sheaf_store_totals *sum, sheaf_store_totals part)
{
    sum->collection_count += part.collection_count;
    sum->entry_count += part.entry_count;
    sum->logical_bytes += part.logical_bytes;
    sum->charged_bytes += part.charged_bytes;
    sum->budget_bytes += part.budget_bytes;
    sum->retained_bytes += part.retained_bytes;
    sum->copied_blocks += part.copied_blocks;
}

sheaf_store_totals sheaf_shared_total(sheaf_shared *shared)
{
    sheaf_store_totals sum = { 0 };
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) {
        struct sheaf_shard *shard = &shared->shards[i];
        uint32_t count = sheaf_shard_begin_read(shard);
        sheaf_shared_add_total(&sum, sheaf_store_total(shard->store));
        sheaf_shard_end_read(shard, count);
    }
    (void)pthread_mutex_lock(&shared->mutex);
    sum.charged_bytes += shared->heap.charged_bytes;
    sum.budget_bytes = shared->budget_bytes;
    sum.view_count = shared->view_count;
    (void)pthread_mutex_unlock(&shared->mutex);
    return sum;
}

sheaf_status sheaf_shared_resident(sheaf_shared *shared, uint64_t *out_bytes)
{
    sheaf_status status = SHEAF_NOT_FOUND;
    uint64_t sum = 0, bytes;
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) {
        struct sheaf_shard *shard = &shared->shards[i];
        sheaf_lock_begin_write(&shard->lock);
        bool told = sheaf_store_resident(shard->store, &bytes) == SHEAF_OK;
        sheaf_lock_end_write(&shard->lock);
        if (!told) continue;
        sum += bytes;
        status = SHEAF_OK;
    }
    if (status == SHEAF_OK) *out_bytes = sum;
    return status;
}

sheaf_status sheaf_shared_statistics(sheaf_shared *shared, sheaf_statistics *out_statistics)
{
    sheaf_statistics sum = { 0 };
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) {
        struct sheaf_shard *shard = &shared->shards[i];
        sheaf_statistics part;
        uint32_t count = sheaf_shard_begin_read(shard);
        sheaf_status status = sheaf_store_statistics(shard->store, &part);
        sheaf_shard_end_read(shard, count);
        if (status != SHEAF_OK) return status; /* SH2: so it would be for all */
        sum.hits += part.hits;
        sum.misses += part.misses;
        sum.evictions += part.evictions;
        sum.evicted_bytes += part.evicted_bytes;
        sum.expirations += part.expirations;
    }
    *out_statistics = sum;
    return SHEAF_OK;
}

/* ---- check ---------------------------------------------------------------------------------------------------------------- */

static const char *broken_rule(const struct sheaf_shared *shared, uint64_t place)
{
    const struct sheaf_store *store = shared->shards[place].store, *first = shared->shards[0].store;
    sheaf_collection_info info;
    const sheaf_bytes *after = NULL;
    while (sheaf_collection_next(store, after, &info) == SHEAF_OK) {
        if (sheaf_shared_place(shared, info.partition_key_view) != place) return "SH1 a collection lies in its key's shard";
        after = &info.partition_key_view;
    }
    if (store->hash_seed != first->hash_seed || (store->cache == NULL) != (first->cache == NULL))
        return "SH2 all shards have the same rules";
    return NULL;
}

static bool check_shard(const struct sheaf_shared *shared, uint64_t place, sheaf_fault *out_fault)
{
    if (!sheaf_store_check(shared->shards[place].store, out_fault)) return false;
    const char *rule = broken_rule(shared, place);
    if (rule && out_fault) *out_fault = (sheaf_fault){ .rule = rule };
    return rule == NULL;
}

static bool check_all(const struct sheaf_shared *shared, sheaf_fault *out_fault)
{
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++)
        if (!check_shard(shared, i, out_fault)) return false;
    const char *rule = NULL;
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++)
        if (!sheaf_loads_check(&shared->shards[i])) rule = "LD1 loads in the list are each of another key, and not outdated";
    if (shared->heap.block_count != 1 + shared->view_count + shared->batch_count)
        rule = "SH3 its own blocks are its record and those of views and batches";
    if (!sheaf_budget_check(shared)) rule = "SH4 limits and what is free add up to the budget";
    if (rule && out_fault) *out_fault = (sheaf_fault){ .rule = rule };
    return rule == NULL;
}

bool sheaf_shared_check(sheaf_shared *shared, sheaf_fault *out_fault)
{
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) sheaf_lock_begin_write(&shared->shards[i].lock);
    (void)pthread_mutex_lock(&shared->mutex);
    bool sound = check_all(shared, out_fault);
    (void)pthread_mutex_unlock(&shared->mutex);
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) sheaf_lock_end_write(&shared->shards[i].lock);
    return sound;
}
