#include "engine/shared/view.h"

#include "engine/store/budget.h"
#include "engine/store/view.h"

static size_t block_size(const struct sheaf_shared *shared)
{
    return sizeof(struct sheaf_shared_view) + sheaf_shared_shard_count(shared) * sizeof(struct sheaf_view *);
}

/* ---- records ------------------------------------------------------------------------------------------------------------ */

/* Puts the record into the list of those that are open. */
static void link_record(struct sheaf_shared *shared, struct sheaf_shared_view *view)
{
    view->next = shared->views;
    view->previous = NULL;
    if (view->next) view->next->previous = view;
    shared->views = view;
    view->open_count = ++shared->view_count;
}

static void unlink_record(struct sheaf_shared *shared, struct sheaf_shared_view *view)
{
    shared->view_count--;
    if (view->next) view->next->previous = view->previous;
    if (view->previous) view->previous->next = view->next;
    else shared->views = view->next;
}

/* A record in the list, its views still to be opened. */
static sheaf_status create_record(struct sheaf_shared *shared, struct sheaf_shared_view **out_view, sheaf_detail *out_detail)
{
    (void)pthread_mutex_lock(&shared->mutex);
    struct sheaf_shared_view *view = sheaf_shared_allocate(shared, block_size(shared));
    sheaf_status status = view ? SHEAF_OK : sheaf_budget_report(&shared->heap, out_detail, SHEAF_NO_MEMORY);
    if (view) {
        view->shared = shared;
        link_record(shared, view);
        *out_view = view;
    }
    (void)pthread_mutex_unlock(&shared->mutex);
    return status;
}

static void destroy_record(struct sheaf_shared_view *view)
{
    struct sheaf_shared *shared = view->shared;
    (void)pthread_mutex_lock(&shared->mutex);
    unlink_record(shared, view);
    sheaf_shared_free(shared, view, block_size(shared));
    (void)pthread_mutex_unlock(&shared->mutex);
}

void sheaf_shared_views_end(struct sheaf_shared *shared)
{
    while (shared->views) destroy_record(shared->views);
}

/* ---- opening and closing -------------------------------------------------------------------------------------------------- */

/* Each store has asked the clock when it was opened: one moment is that of the first. */
static void agree_on_clock(struct sheaf_shared_view *view)
{
    const struct sheaf_expiry *first = &view->views[0]->store.expiry;
    for (uint64_t i = 1; i < sheaf_shared_shard_count(view->shared); i++)
        view->views[i]->store.expiry.stopped_at = first->stopped_at;
}

/* Opens a view of each shard, all of which are the caller's alone; none if one cannot be had. */
static sheaf_status open_all(struct sheaf_shared_view *view, sheaf_detail *out_detail)
{
    struct sheaf_shared *shared = view->shared;
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) {
        sheaf_status status = sheaf_view_open(shared->shards[i].store, &view->views[i], out_detail);
        if (status == SHEAF_OK) continue;
        while (i > 0) sheaf_view_close(view->views[--i]);
        return status;
    }
    agree_on_clock(view);
    return SHEAF_OK;
}

sheaf_status sheaf_shared_view_open(sheaf_shared *shared, sheaf_shared_view **out_view, sheaf_detail *out_detail)
{
    struct sheaf_shared_view *view = NULL;
    sheaf_status status = create_record(shared, &view, out_detail);
    if (!view) return status;
    sheaf_shared_begin_write(shared);
    status = open_all(view, out_detail);
    sheaf_shared_end_write(shared);
    if (status == SHEAF_OK) *out_view = view;
    else destroy_record(view);
    return status;
}

void sheaf_shared_view_close(sheaf_shared_view *view)
{
    if (!view) return;
    struct sheaf_shared *shared = view->shared;
    for (uint64_t i = 0; i < sheaf_shared_shard_count(shared); i++) {
        sheaf_shard_begin_write(&shared->shards[i]);
        sheaf_view_close(view->views[i]);
        sheaf_shard_end_write(&shared->shards[i]);
    }
    destroy_record(view);
}

/* ---- reading -------------------------------------------------------------------------------------------------------------- */

static const struct sheaf_store *state_of(const struct sheaf_shared_view *view, uint64_t place)
{
    return sheaf_view_store(view->views[place]);
}

const sheaf_store *sheaf_shared_view_store(const sheaf_shared_view *view, sheaf_bytes partition_key)
{
    return state_of(view, sheaf_shared_place(view->shared, partition_key));
}

sheaf_store_totals sheaf_shared_view_total(const sheaf_shared_view *view)
{
    sheaf_store_totals sum = { 0 };
    for (uint64_t i = 0; i < sheaf_shared_shard_count(view->shared); i++)
        sheaf_shared_add_total(&sum, sheaf_store_total(state_of(view, i)));
    sum.view_count = view->open_count;
    return sum;
}

sheaf_status sheaf_shared_view_next(const sheaf_shared_view *view, const sheaf_bytes *after, sheaf_collection_info *out_info)
{
    uint64_t place = after ? sheaf_shared_place(view->shared, *after) : 0;
    sheaf_status status = sheaf_collection_next(state_of(view, place), after, out_info);
    while (status == SHEAF_NOT_FOUND && place < view->shared->shard_mask)
        status = sheaf_collection_next(state_of(view, ++place), NULL, out_info);
    return status;
}
