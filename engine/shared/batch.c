/*
 * batch.c - several writes to collections of several shards, as one: all are locked, each begins a batch, and all end it alike.
 */
#include "engine/store/batch.h"

#include "engine/shared/events.h"
#include "engine/shared/write.h"
#include "engine/store/budget.h"
#include "engine/store/events.h"

/* The part of one shard. */
struct part {
    struct sheaf_shard *shard;
    struct sheaf_batch batch;
    struct sheaf_event_list list;
    bool has_events;
};

/* The shards of a batch, by their place. */
struct parts {
    struct sheaf_shared *shared;
    size_t count;
    uint16_t index[SHEAF_SHARD_COUNT_MAX]; /* 1 and up; 0: the batch does not write it */
    struct part *of;                       /* NULL: not allocated yet */
};

_Static_assert(SHEAF_SHARD_COUNT_MAX < UINT16_MAX, "a part's index fits");

/* ---- which shards ------------------------------------------------------------------------------------------------------- */

/* Numbers the shards that are written, in the order in which locks are taken. */
static void find_parts(struct parts *parts, struct sheaf_shared *shared, const sheaf_batch_write *writes, size_t count)
{
    *parts = (struct parts){ .shared = shared };
    for (size_t i = 0; i < count; i++) parts->index[sheaf_shared_place(shared, writes[i].partition_key)] = 1;
    for (uint64_t place = 0; place < sheaf_shared_shard_count(shared); place++)
        if (parts->index[place]) parts->index[place] = (uint16_t)++parts->count;
}

static struct part *part_of(const struct parts *parts, const sheaf_batch_write *write)
{
    return &parts->of[parts->index[sheaf_shared_place(parts->shared, write->partition_key)] - 1];
}

static sheaf_status allocate(struct parts *parts, sheaf_detail *out_detail)
{
    struct sheaf_shared *shared = parts->shared;
    (void)pthread_mutex_lock(&shared->mutex);
    parts->of = sheaf_shared_allocate(shared, parts->count * sizeof *parts->of);
    if (parts->of) shared->batch_count++;
    sheaf_status status = sheaf_budget_report(&shared->heap, out_detail, parts->of ? SHEAF_OK : SHEAF_NO_MEMORY);
    (void)pthread_mutex_unlock(&shared->mutex);
    if (status != SHEAF_OK) return status;
    for (uint64_t place = 0; place < sheaf_shared_shard_count(shared); place++)
        if (parts->index[place]) parts->of[parts->index[place] - 1].shard = &shared->shards[place];
    return SHEAF_OK;
}

static void release(const struct parts *parts)
{
    struct sheaf_shared *shared = parts->shared;
    (void)pthread_mutex_lock(&shared->mutex);
    sheaf_shared_free(shared, parts->of, parts->count * sizeof *parts->of);
    shared->batch_count--;
    (void)pthread_mutex_unlock(&shared->mutex);
}

/* ---- all at once -------------------------------------------------------------------------------------------------------- */

static void outdate_loads(struct sheaf_shared *shared, struct sheaf_shard *shard, const sheaf_batch_write *write)
{
    switch (write->kind) {
    case SHEAF_BATCH_PUT:
    case SHEAF_BATCH_DELETE:
        sheaf_loads_outdate_entry(shared, shard, write->partition_key, write->sort_key);
        return;
    case SHEAF_BATCH_DELETE_RANGE:
        sheaf_loads_outdate(shared, shard, write->partition_key, &write->range);
        return;
    case SHEAF_BATCH_DROP:
        sheaf_loads_outdate(shared, shard, write->partition_key, NULL);
        return;
    }
}

static sheaf_status write_all(const struct parts *parts, const sheaf_batch_write *writes, size_t count, size_t *out_refused,
                              sheaf_detail *out_detail)
{
    for (size_t i = 0; i < count; i++) {
        sheaf_status status = sheaf_batch_write_once(part_of(parts, &writes[i])->shard->store, &writes[i], out_detail);
        if (status == SHEAF_OK) continue;
        if (out_refused) *out_refused = i;
        return status;
    }
    for (size_t i = 0; i < count; i++) outdate_loads(parts->shared, part_of(parts, &writes[i])->shard, &writes[i]);
    return SHEAF_OK;
}

/* Under all locks. */
static sheaf_status apply(const struct parts *parts, const sheaf_batch_write *writes, size_t count, size_t *out_refused,
                          sheaf_detail *out_detail)
{
    for (size_t i = 0; i < parts->count; i++) sheaf_batch_begin(parts->of[i].shard->store, &parts->of[i].batch);
    sheaf_status status = write_all(parts, writes, count, out_refused, out_detail);
    for (size_t i = 0; i < parts->count; i++) {
        struct part *part = &parts->of[i];
        sheaf_batch_end(part->shard->store, &part->batch, status == SHEAF_OK);
        part->has_events = sheaf_shard_take_events(parts->shared, part->shard, &part->list);
    }
    return status;
}

static sheaf_status apply_to_several(const struct parts *parts, const sheaf_batch_write *writes, size_t count,
                                     size_t *out_refused, sheaf_detail *out_detail)
{
    for (size_t i = 0; i < parts->count; i++) sheaf_shard_begin_write(parts->of[i].shard);
    sheaf_status status = apply(parts, writes, count, out_refused, out_detail);
    for (size_t i = 0; i < parts->count; i++) sheaf_shard_end_write(parts->of[i].shard);
    struct sheaf_teller teller;
    sheaf_teller_begin(&teller, parts->shared);
    for (size_t i = 0; i < parts->count; i++)
        if (parts->of[i].has_events) sheaf_teller_tell(parts->of[i].shard, &parts->of[i].list);
    sheaf_teller_end(&teller);
    return status;
}

static sheaf_status apply_to_one(struct sheaf_shared *shared, const sheaf_batch_write *writes, size_t count, size_t *out_refused,
                                 sheaf_detail *out_detail)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, writes->partition_key);
    sheaf_shard_begin_write(shard);
    sheaf_status status = sheaf_batch_apply(shard->store, writes, count, out_refused, out_detail);
    for (size_t i = 0; status == SHEAF_OK && i < count; i++) outdate_loads(shared, shard, &writes[i]);
    (void)sheaf_shard_end_change(shared, shard);
    return status;
}

/* It may evict, other than a batch of two. */
static sheaf_status apply_put(struct sheaf_shared *shared, const sheaf_batch_write *put, size_t *out_refused,
                              sheaf_detail *out_detail)
{
    struct sheaf_shard *shard = sheaf_shared_find(shared, put->partition_key);
    sheaf_status status = sheaf_shard_put(shared, shard, put, NULL, NULL, out_detail);
    if (status != SHEAF_OK && out_refused) *out_refused = 0;
    return status;
}

sheaf_status sheaf_shared_batch_apply(sheaf_shared *shared, const sheaf_batch_write *writes, size_t count, size_t *out_refused,
                                      sheaf_detail *out_detail)
{
    const struct sheaf_limits *limits = &shared->shards[0].store->limits; /* SH2, and they never change */
    sheaf_status status = sheaf_batch_validate(limits, writes, count, out_refused, out_detail);
    if (status != SHEAF_OK || count == 0) return status;
    if (count == 1 && writes->kind == SHEAF_BATCH_PUT) return apply_put(shared, writes, out_refused, out_detail);
    struct parts parts;
    find_parts(&parts, shared, writes, count);
    if (parts.count == 1) return apply_to_one(shared, writes, count, out_refused, out_detail);
    status = allocate(&parts, out_detail);
    if (status != SHEAF_OK) {
        if (out_refused) *out_refused = 0;
        return status;
    }
    status = apply_to_several(&parts, writes, count, out_refused, out_detail);
    release(&parts);
    return status;
}
