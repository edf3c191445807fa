/*
 * batch.c - several writes as one, beneath a view that nobody else holds.
 *
 * The view is the newest, so that going back to it needs no memory and undoes just what the batch did; and what the writes
 * borrow from the store stays where it is until the end.
 */
#include "engine/store/batch.h"

#include "engine/store/cache.h"
#include "engine/store/events.h"
#include "engine/store/expiry.h"

/* Whether a store of these limits could accept the write. */
static sheaf_status validate(const struct sheaf_limits *limits, const sheaf_batch_write *write, sheaf_detail *out_detail)
{
    sheaf_range sound;
    sheaf_status status = sheaf_validate_partition_key(limits, write->partition_key, out_detail);
    if (status != SHEAF_OK) return status;
    switch (write->kind) {
    case SHEAF_BATCH_PUT:
        status = sheaf_validate_sort_key(limits, write->sort_key, out_detail);
        return status == SHEAF_OK ? sheaf_validate_value(limits, write->value, out_detail) : status;
    case SHEAF_BATCH_DELETE: return sheaf_validate_sort_key(limits, write->sort_key, out_detail);
    case SHEAF_BATCH_DELETE_RANGE: return sheaf_validate_range(&write->range, &sound, out_detail);
    case SHEAF_BATCH_DROP: return SHEAF_OK;
    }
    sheaf_detail detail = { .message = "The write is of no kind there is" };
    return sheaf_refuse(out_detail, SHEAF_INVALID_ARGUMENT, detail);
}

sheaf_status sheaf_batch_write_once(struct sheaf_store *store, const sheaf_batch_write *write, sheaf_detail *out_detail)
{
    sheaf_status status = SHEAF_INVALID_ARGUMENT;
    sheaf_totals totals;
    switch (write->kind) {
    case SHEAF_BATCH_PUT:
        return write->deadline == 0 ? sheaf_store_put(store, write->partition_key, write->sort_key, write->value, NULL, out_detail)
                                    : sheaf_store_put_until(store, write->partition_key, write->sort_key, write->value,
                                                            write->deadline, NULL, out_detail);
    case SHEAF_BATCH_DELETE:
        status = sheaf_store_delete(store, write->partition_key, write->sort_key, out_detail);
        break;
    case SHEAF_BATCH_DELETE_RANGE:
        return sheaf_store_delete_range(store, write->partition_key, &write->range, NULL, out_detail);
    case SHEAF_BATCH_DROP: /* of nothing but hidden entries it drops nothing, as sheaf_collection_drop() */
        status = sheaf_collection_total(store, write->partition_key, &totals);
        if (status == SHEAF_OK) status = sheaf_store_delete_range(store, write->partition_key, NULL, NULL, out_detail);
        break;
    }
    return status == SHEAF_NOT_FOUND ? SHEAF_OK : status;
}

/* Does the writes one after another; stops at the first that is refused. */
static sheaf_status apply_all(struct sheaf_store *store, const sheaf_batch_write *writes, size_t count, size_t *out_refused,
                              sheaf_detail *out_detail)
{
    for (size_t i = 0; i < count; i++) {
        sheaf_status status = sheaf_batch_write_once(store, &writes[i], out_detail);
        if (status == SHEAF_OK) continue;
        if (out_refused) *out_refused = i;
        return status;
    }
    return SHEAF_OK;
}

sheaf_status sheaf_batch_validate(const struct sheaf_limits *limits, const sheaf_batch_write *writes, size_t count,
                                  size_t *out_refused, sheaf_detail *out_detail)
{
    for (size_t i = 0; i < count; i++) {
        sheaf_status status = validate(limits, &writes[i], out_detail);
        if (status == SHEAF_OK) continue;
        if (out_refused) *out_refused = i;
        return status;
    }
    return SHEAF_OK;
}

void sheaf_batch_begin(struct sheaf_store *store, struct sheaf_batch *batch)
{
    batch->mark = sheaf_events_mark(store);
    sheaf_view_begin(&batch->before, store);
    sheaf_cache_pause(store);
    sheaf_events_hold(store);
}

/* What was queued by a batch that is refused goes before the store goes back: views of its own are among it. */
void sheaf_batch_end(struct sheaf_store *store, struct sheaf_batch *batch, bool done)
{
    if (!done) {
        sheaf_events_undo(store, batch->mark);
        (void)sheaf_store_go_back(store, &batch->before);
    }
    sheaf_events_release(store);
    sheaf_cache_resume(store, done);
    sheaf_version_close(&store->grove, &batch->before.version);
}

sheaf_status sheaf_batch_apply(sheaf_store *store, const sheaf_batch_write *writes, size_t count, size_t *out_refused,
                               sheaf_detail *out_detail)
{
    if (sheaf_store_is_view(store)) return sheaf_report(out_detail, SHEAF_READ_ONLY);
    sheaf_status status = sheaf_batch_validate(&store->limits, writes, count, out_refused, out_detail);
    if (status != SHEAF_OK) return status;
    if (count <= 1) return apply_all(store, writes, count, out_refused, out_detail);
    struct sheaf_batch batch;
    sheaf_batch_begin(store, &batch);
    status = apply_all(store, writes, count, out_refused, out_detail);
    sheaf_batch_end(store, &batch, status == SHEAF_OK);
    sheaf_events_flush(store);
    return status;
}
