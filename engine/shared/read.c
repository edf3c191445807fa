/*
 * read.c - reads of a shared store, each beside other readers of its shard: copied out, or in place for as long as it is pinned.
 */
#include "engine/shared/copy.h"
#include "engine/shared/shared.h"

/* ---- one entry ------------------------------------------------------------------------------------------------------------ */

sheaf_status sheaf_shared_get(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key, void *buffer,
                              size_t capacity, size_t *out_size, sheaf_detail *out_detail)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    struct sheaf_copy copy = { buffer, capacity, out_size, out_detail };
    sheaf_bytes value;
    uint32_t count = sheaf_shard_begin_read(shard);
    sheaf_status status = sheaf_store_get(shard->store, partition_key, sort_key, &value, out_detail);
    if (status == SHEAF_OK) status = sheaf_copy_out(&copy, value);
    sheaf_shard_end_read(shard, count);
    return status;
}

sheaf_status sheaf_shared_exists(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                 sheaf_detail *out_detail)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    uint32_t count = sheaf_shard_begin_read(shard);
    sheaf_status status = sheaf_store_exists(shard->store, partition_key, sort_key, out_detail);
    sheaf_shard_end_read(shard, count);
    return status;
}

/* ---- a collection --------------------------------------------------------------------------------------------------------- */

sheaf_status sheaf_shared_collection_total(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_totals *out_totals)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    uint32_t count = sheaf_shard_begin_read(shard);
    sheaf_status status = sheaf_collection_total(shard->store, partition_key, out_totals);
    sheaf_shard_end_read(shard, count);
    return status;
}

sheaf_status sheaf_shared_collection_statistics(sheaf_shared *shared, sheaf_bytes partition_key,
                                                sheaf_statistics *out_statistics)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    uint32_t count = sheaf_shard_begin_read(shard);
    sheaf_status status = sheaf_collection_statistics(shard->store, partition_key, out_statistics);
    sheaf_shard_end_read(shard, count);
    return status;
}

sheaf_status sheaf_shared_range_total(sheaf_shared *shared, sheaf_bytes partition_key, const sheaf_range *range,
                                      sheaf_totals *out_totals, sheaf_detail *out_detail)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    uint32_t count = sheaf_shard_begin_read(shard);
    sheaf_status status = sheaf_range_total(shard->store, partition_key, range, out_totals, out_detail);
    sheaf_shard_end_read(shard, count);
    return status;
}

sheaf_status sheaf_shared_rank(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_direction direction,
                               uint64_t *out_rank, bool *out_exists, sheaf_detail *out_detail)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    uint32_t count = sheaf_shard_begin_read(shard);
    sheaf_status status = sheaf_rank(shard->store, partition_key, sort_key, direction, out_rank, out_exists, out_detail);
    sheaf_shard_end_read(shard, count);
    return status;
}

sheaf_status sheaf_shared_page_read(sheaf_shared *shared, sheaf_bytes partition_key, const sheaf_page_request *request,
                                    sheaf_page *out_page, uint64_t *out_version, sheaf_detail *out_detail)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    uint32_t count = sheaf_shard_begin_read(shard);
    sheaf_status status = sheaf_page_read(shard->store, partition_key, request, out_page, out_detail);
    if (status == SHEAF_OK && out_version) *out_version = shard->version;
    sheaf_shard_end_read(shard, count);
    return status;
}

uint64_t sheaf_shared_version(sheaf_shared *shared, sheaf_bytes partition_key)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    uint32_t count = sheaf_shard_begin_read(shard);
    uint64_t version = shard->version;
    sheaf_shard_end_read(shard, count);
    return version;
}

/* ---- pins ----------------------------------------------------------------------------------------------------------------- */

const sheaf_store *sheaf_shared_pin(sheaf_shared *shared, sheaf_bytes partition_key, sheaf_pin *out_pin)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, partition_key);
    uint32_t count = sheaf_shard_begin_read(shard);
    *out_pin = (sheaf_pin){ .store = shard->store, .version = shard->version, .shard = shard, .count = count };
    return out_pin->store;
}

void sheaf_shared_unpin(sheaf_pin *pin)
{
    pin->store = NULL;
    sheaf_shard_end_read(pin->shard, pin->count);
}
