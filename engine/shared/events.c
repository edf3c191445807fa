#include "engine/shared/events.h"

#include "engine/store/events.h"

void sheaf_shard_tell(struct sheaf_shard *shard, struct sheaf_event_list *list)
{
    if (!sheaf_events_deliver(list)) return;
    sheaf_shard_begin_write(shard);
    sheaf_events_give_back(shard->store, list);
    sheaf_shard_end_write(shard);
}

bool sheaf_shard_end_change(struct sheaf_shard *shard)
{
    struct sheaf_event_list list;
    bool any = sheaf_events_take(shard->store, &list);
    sheaf_shard_end_write(shard);
    if (!any) return false;
    bool stopped = list.stopped;
    sheaf_shard_tell(shard, &list);
    return stopped;
}
