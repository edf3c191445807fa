/*
 * write.c - writes to a shared store, each alone in its shard.
 */
#include "engine/shared/write.h"

#include "engine/shared/budget.h"
#include "engine/shared/events.h"

enum { LEVELS_MAX = 3 }; /* for one put: others may take the room that is made for it */

static sheaf_status put_in(struct sheaf_store *store, const sheaf_batch_write *put, bool *out_replaced, sheaf_detail *out_detail)
{
    if (put->deadline == 0)
        return sheaf_store_put(store, put->partition_key, put->sort_key, put->value, out_replaced, out_detail);
    return sheaf_store_put_until(store, put->partition_key, put->sort_key, put->value, put->deadline, out_replaced, out_detail);
}

/* One try, in a shard that is the caller's alone. */
static sheaf_status put_once(struct sheaf_shared *shared, struct sheaf_shard *shard, const sheaf_batch_write *put,
                             const struct sheaf_load *load, bool *out_replaced, sheaf_detail *out_detail)
{
    if (load && load->outdated) return SHEAF_NOT_FOUND;
    sheaf_status status = put_in(shard->store, put, out_replaced, out_detail);
    if (status == SHEAF_OK && !load) sheaf_loads_outdate_entry(shared, shard, put->partition_key, put->sort_key);
    return status;
}

/*
 * Fetches what a write to an entry will look at, beside the readers of the shard: such a write is cache misses mostly, and others
 * need not wait for those. It marks no use and decides nothing; whatever happens before the write begins, that looks for itself.
 */
static void fetch(struct sheaf_shard *shard, sheaf_bytes partition_key, sheaf_bytes sort_key)
{
    sheaf_bytes value;
    uint32_t count = sheaf_shard_begin_read(shard);
    const struct sheaf_tree *tree = sheaf_store_find_tree(shard->store, partition_key);
    if (tree) (void)sheaf_tree_get(tree, sort_key, &value);
    sheaf_shard_end_read(shard, count);
}

/* What the budget refuses is tried again after room was made: in another shard, or by telling of what was evicted here. */
sheaf_status sheaf_shard_put(struct sheaf_shared *shared, struct sheaf_shard *shard, const sheaf_batch_write *put,
                             const struct sheaf_load *load, bool *out_replaced, sheaf_detail *out_detail)
{
    fetch(shard, put->partition_key, put->sort_key);
    for (int levels = 0;;) {
        sheaf_shard_begin_write(shard);
        sheaf_status status = put_once(shared, shard, put, load, out_replaced, out_detail);
        uint64_t missing_bytes = sheaf_budget_missing(shared, shard, status);
        bool again = sheaf_shard_end_change(shared, shard);
        if (missing_bytes > 0 && levels++ < LEVELS_MAX && sheaf_budget_level(shared, missing_bytes)) again = true;
        if (status != SHEAF_OVER_BUDGET || !again) return status;
    }
}

sheaf_status sheaf_shared_put(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_bytes value,
                              bool *out_replaced, sheaf_detail *out_detail)
{
    sheaf_batch_write put = sheaf_batch_put(partition_key, sort_key, value);
    return sheaf_shard_put(shared, sheaf_shared_find(shared, partition_key), &put, NULL, out_replaced, out_detail);
}

/* Whether what was to go is gone. It may have been missing because somebody is computing it just now. */
static bool is_done(sheaf_status status)
{
    return status == SHEAF_OK || status == SHEAF_NOT_FOUND;
}

sheaf_status sheaf_shared_delete(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                 sheaf_detail *out_detail)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    fetch(shard, partition_key, sort_key);
    sheaf_shard_begin_write(shard);
    sheaf_status status = sheaf_store_delete(shard->store, partition_key, sort_key, out_detail);
    if (is_done(status)) sheaf_loads_outdate_entry(shared, shard, partition_key, sort_key);
    (void)sheaf_shard_end_change(shared, shard);
    return status;
}

sheaf_status sheaf_shared_delete_range(sheaf_shared *shared, sheaf_bytes partition_key, const sheaf_range *range,
                                       sheaf_totals *out_deleted, sheaf_detail *out_detail)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    sheaf_shard_begin_write(shard);
    sheaf_status status = sheaf_store_delete_range(shard->store, partition_key, range, out_deleted, out_detail);
    if (is_done(status)) sheaf_loads_outdate(shared, shard, partition_key, range);
    (void)sheaf_shard_end_change(shared, shard);
    return status;
}

sheaf_status sheaf_shared_collection_drop(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_totals *out_deleted)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    sheaf_shard_begin_write(shard);
    sheaf_status status = sheaf_collection_drop(shard->store, partition_key, out_deleted);
    if (is_done(status)) sheaf_loads_outdate(shared, shard, partition_key, NULL);
    (void)sheaf_shard_end_change(shared, shard);
    return status;
}
