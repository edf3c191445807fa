#include "engine/shared/events.h"

#include "engine/store/events.h"

/* Who is telling in this thread, the innermost: what a callback's own calls find on the stack below them. */
static _Thread_local struct sheaf_teller *telling;

static struct sheaf_teller *find_teller(const struct sheaf_shared *shared)
{
    struct sheaf_teller *teller = telling;
    while (teller && teller->shared != shared) teller = teller->outer;
    return teller;
}

void sheaf_teller_begin(struct sheaf_teller *teller, struct sheaf_shared *shared)
{
    *teller = (struct sheaf_teller){ .shared = shared, .outer = telling };
    telling = teller;
}

void sheaf_teller_tell(struct sheaf_shard *shard, struct sheaf_event_list *list)
{
    if (!sheaf_events_deliver(list)) return;
    sheaf_shard_begin_write(shard);
    sheaf_events_give_back(shard->store, list);
    sheaf_shard_end_write(shard);
}

/* The next shard in which events were left; NULL: none. */
static struct sheaf_shard *next_left(struct sheaf_teller *teller)
{
    for (uint64_t i = 0; i < sheaf_shared_shard_count(teller->shared); i++) {
        if (!teller->left[i]) continue;
        teller->left[i] = false;
        return &teller->shared->shards[i];
    }
    return NULL;
}

void sheaf_teller_end(struct sheaf_teller *teller)
{
    for (struct sheaf_shard *shard = next_left(teller); shard; shard = next_left(teller)) {
        struct sheaf_event_list list;
        sheaf_shard_begin_write(shard);
        bool any = sheaf_events_take(shard->store, &list);
        sheaf_shard_end_write(shard);
        if (any) sheaf_teller_tell(shard, &list);
    }
    telling = teller->outer;
}

bool sheaf_shard_take_events(struct sheaf_shared *shared, struct sheaf_shard *shard, struct sheaf_event_list *out_list)
{
    struct sheaf_teller *teller = shard->store->events ? find_teller(shared) : NULL;
    if (!teller) return sheaf_events_take(shard->store, out_list);
    if (!sheaf_events_are_none(shard->store)) teller->left[shard - shared->shards] = true;
    return false;
}

bool sheaf_shard_end_change(struct sheaf_shared *shared, struct sheaf_shard *shard)
{
    struct sheaf_event_list list;
    struct sheaf_teller teller;
    bool any = sheaf_shard_take_events(shared, shard, &list);
    sheaf_shard_end_write(shard);
    if (!any) return false;
    bool stopped = list.stopped;
    sheaf_teller_begin(&teller, shared);
    sheaf_teller_tell(shard, &list);
    sheaf_teller_end(&teller);
    return stopped;
}
