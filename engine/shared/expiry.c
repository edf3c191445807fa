/*
 * expiry.c - deadlines of entries in a shared store, and the sweep that goes round its shards.
 */
#include "engine/shared/events.h"
#include "engine/shared/write.h"
#include "engine/store/sweep.h"

enum { STEP_COUNT = 64 }; /* entries swept and keys of the index seen to under one lock: some ten microseconds */

/* ---- one entry ------------------------------------------------------------------------------------------------------------ */

sheaf_status sheaf_shared_put_until(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_bytes value,
                                    uint64_t deadline, bool *out_replaced, sheaf_detail *out_detail)
{
    sheaf_batch_write put = sheaf_batch_put(partition_key, sort_key, value);
    put.deadline = deadline;
    return sheaf_shard_put(shared, sheaf_shared_find(shared, partition_key), &put, NULL, out_replaced, out_detail);
}

sheaf_status sheaf_shared_set_deadline(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key, uint64_t deadline,
                                       sheaf_detail *out_detail)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    sheaf_shard_begin_write(shard);
    sheaf_status status = sheaf_store_set_deadline(shard->store, partition_key, sort_key, deadline, out_detail);
    (void)sheaf_shard_end_change(shared, shard);
    return status;
}

sheaf_status sheaf_shared_get_deadline(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                       uint64_t *out_deadline, sheaf_detail *out_detail)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    uint32_t count = sheaf_shard_begin_read(shard);
    sheaf_status status = sheaf_store_get_deadline(shard->store, partition_key, sort_key, out_deadline, out_detail);
    sheaf_shard_end_read(shard, count);
    return status;
}

/* ---- all of them ---------------------------------------------------------------------------------------------------------- */

static uint64_t next_deadline_of(struct sheaf_shard *shard)
{
    uint32_t count = sheaf_shard_begin_read(shard);
    uint64_t deadline = sheaf_store_next_deadline(shard->store);
    sheaf_shard_end_read(shard, count);
    return deadline;
}

uint64_t sheaf_shared_next_deadline(sheaf_shared *shared)
{
    uint64_t least = SHEAF_NO_DEADLINE;
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) {
        uint64_t deadline = next_deadline_of(&shared->shards[i]);
        if (deadline < least) least = deadline;
    }
    return least;
}

/* Sweeps a shard, at most `count_max` entries, and adds what went. Where events have no room for more it stops, tells of them, and
 * goes on. */
static sheaf_status sweep_shard(struct sheaf_shared *shared, struct sheaf_shard *shard, uint64_t now, uint64_t count_max,
                                sheaf_totals *swept, sheaf_detail *out_detail)
{
    struct sheaf_sweep sweep = { .store = shard->store, .now = now };
    sheaf_status status = SHEAF_OK;
    while (status == SHEAF_OK && !sweep.ended && sweep.swept.count < count_max) {
        uint64_t count = sweep.swept.count, left = count_max - count;
        sweep.left = left < STEP_COUNT ? left : STEP_COUNT;
        sheaf_shard_begin_write(shard);
        status = sheaf_sweep_step(&sweep, STEP_COUNT, out_detail);
        bool stopped = sheaf_shard_end_change(shared, shard);
        if (stopped && sweep.swept.count > count) status = SHEAF_OK;
    }
    swept->count += sweep.swept.count;
    swept->bytes += sweep.swept.bytes;
    return status;
}

sheaf_status sheaf_shared_sweep(sheaf_shared *shared, uint64_t now, uint64_t count_max, sheaf_totals *out_swept,
                                sheaf_detail *out_detail)
{
    uint64_t most = count_max == 0 ? UINT64_MAX : count_max;
    uint64_t first = __atomic_load_n(&shared->sweep_place, __ATOMIC_RELAXED);
    sheaf_totals swept = { 0 };
    sheaf_status status = SHEAF_OK;
    for (uint64_t i = 0; i <= shared->shard_mask && status == SHEAF_OK && swept.count < most; i++) {
        uint64_t place = (first + i) & shared->shard_mask;
        __atomic_store_n(&shared->sweep_place, place, __ATOMIC_RELAXED);
        status = sweep_shard(shared, &shared->shards[place], now, most - swept.count, &swept, out_detail);
    }
    if (out_swept) *out_swept = swept;
    return status;
}
