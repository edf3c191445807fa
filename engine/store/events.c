#include "engine/store/events.h"

#include <string.h>

#include "engine/base/assert.h"
#include "engine/store/budget.h"

const char *sheaf_cause_name(sheaf_cause cause)
{
    switch (cause) {
    case SHEAF_CAUSE_REPLACED: return "replaced";
    case SHEAF_CAUSE_DELETED: return "deleted";
    case SHEAF_CAUSE_EXPIRED: return "expired";
    case SHEAF_CAUSE_EVICTED: return "evicted";
    case SHEAF_CAUSE_CUT: return "cut";
    }
    return "?";
}

/* ---- items -------------------------------------------------------------------------------------------------------------- */

/* An item may pass the limit if nothing has yet. When the queue is why it may not, eviction is told to stop. */
static bool has_room(struct sheaf_store *store, size_t real_size)
{
    struct sheaf_heap *heap = &store->grove.heap;
    struct sheaf_events *events = store->events;
    uint64_t charged_bytes = heap->charged_bytes + events->queued_bytes;
    if (heap->limit_bytes == HEAP_NO_LIMIT || charged_bytes <= heap->limit_bytes) return true;
    heap->refused_bytes = charged_bytes + real_size;
    events->queue.stopped = true;
    return false;
}

struct sheaf_event_item *sheaf_event_item_allocate(struct sheaf_store *store, size_t block_size)
{
    struct sheaf_events *events = store->events;
    size_t real_size = sheaf_heap_real_size(&store->grove.heap, block_size);
    if (!has_room(store, real_size)) return NULL;
    struct sheaf_event_item *item = events->hooks.resize(events->hooks.context, NULL, 0, block_size);
    if (!item) {
        store->grove.heap.refused_bytes = 0; /* it was the allocator */
        return NULL;
    }
    item->next = NULL;
    item->block_size = block_size;
    return item;
}

void sheaf_event_item_free(const struct sheaf_events *events, struct sheaf_event_item *item)
{
    (void)events->hooks.resize(events->hooks.context, item, item->block_size, 0);
}

static bool holds_blocks(const struct sheaf_event_item *item)
{
    return item->kind != SHEAF_EVENT_ENTRY;
}

/* ---- the queue ---------------------------------------------------------------------------------------------------------- */

static size_t real_size_of(const struct sheaf_store *store, const struct sheaf_event_item *item)
{
    return sheaf_heap_real_size(&store->grove.heap, item->block_size);
}

void sheaf_event_queue_append(struct sheaf_store *store, struct sheaf_event_item *item)
{
    struct sheaf_event_list *queue = &store->events->queue;
    if (queue->last) queue->last->next = item;
    else queue->first = item;
    queue->last = item;
    store->events->queued_bytes += real_size_of(store, item);
}

/* Frees an item that is off the queue, with what it keeps. */
static void end_item(struct sheaf_store *store, struct sheaf_event_item *item)
{
    store->events->queued_bytes -= real_size_of(store, item);
    if (holds_blocks(item)) sheaf_event_item_let_go(store, item);
    sheaf_event_item_free(store->events, item);
}

void sheaf_events_undo_to(struct sheaf_store *store, struct sheaf_event_item *mark)
{
    struct sheaf_event_list *queue = &store->events->queue;
    struct sheaf_event_item *item = mark ? mark->next : queue->first;
    queue->last = mark;
    if (mark) mark->next = NULL;
    else queue->first = NULL;
    while (item) {
        struct sheaf_event_item *next = item->next;
        sheaf_assert(item->kind != SHEAF_EVENT_NODES); /* they are gone from the tree */
        end_item(store, item);
        item = next;
    }
    if (store->grove.heap.beside_bytes > store->events->queued_bytes)
        sheaf_heap_set_beside(&store->grove.heap, store->events->queued_bytes);
}

/* ---- a store's events come and go --------------------------------------------------------------------------------------- */

sheaf_status sheaf_events_validate(const sheaf_event_options *options, sheaf_detail *out_detail)
{
    if (!options || options->callback) return SHEAF_OK;
    sheaf_detail detail = { .field = SHEAF_FIELD_OPTION, .message = "The option events has no callback" };
    return sheaf_refuse(out_detail, SHEAF_INVALID_ARGUMENT, detail);
}

sheaf_status sheaf_events_begin(struct sheaf_store *store, const sheaf_event_options *options)
{
    struct sheaf_events *events = sheaf_heap_allocate(&store->grove.heap, sizeof *events);
    if (!events) return SHEAF_NO_MEMORY;
    *events = (struct sheaf_events){ .options = *options };
    events->hooks = store->has_backend ? sheaf_backend_hooks(NULL) : store->grove.heap.hooks;
    store->events = events;
    sheaf_budget_set(&store->grove.heap, sheaf_budget_get(&store->grove.heap), true);
    return SHEAF_OK;
}

void sheaf_events_end(struct sheaf_store *store)
{
    struct sheaf_events *events = store->events;
    if (!events) return;
    sheaf_assert(!events->delivering && !events->taken);
    while (events->queue.first) {
        struct sheaf_event_item *item = events->queue.first;
        events->queue.first = item->next;
        end_item(store, item);
    }
    sheaf_heap_free(&store->grove.heap, events, sizeof *events);
    store->events = NULL;
}

/* ---- noting entries ----------------------------------------------------------------------------------------------------- */

static sheaf_bytes copy_to(uint8_t **at, sheaf_bytes bytes)
{
    if (bytes.size > 0) memcpy(*at, bytes.data, bytes.size);
    *at += bytes.size;
    return sheaf_bytes_of(*at - bytes.size, bytes.size);
}

bool sheaf_events_note_entry(struct sheaf_store *store, sheaf_cause cause, sheaf_bytes partition_key, sheaf_bytes sort_key,
                             sheaf_bytes value)
{
    size_t block_size = sizeof(struct sheaf_event_item) + partition_key.size + sort_key.size + value.size;
    struct sheaf_event_item *item = sheaf_event_item_allocate(store, block_size);
    if (!item) return false;
    uint8_t *at = (uint8_t *)(item + 1);
    item->kind = SHEAF_EVENT_ENTRY;
    item->cause = cause;
    item->partition_key = copy_to(&at, partition_key);
    item->entry.sort_key = copy_to(&at, sort_key);
    item->entry.value = copy_to(&at, value);
    sheaf_event_queue_append(store, item);
    return true;
}

bool sheaf_events_note_entry_of(struct sheaf_store *store, sheaf_cause cause, const struct sheaf_collection *collection,
                                sheaf_bytes sort_key)
{
    sheaf_bytes value;
    if (sheaf_tree_get(&collection->tree, sort_key, &value) != SHEAF_OK) return true;
    return sheaf_events_note_entry(store, cause, sheaf_collection_key(collection), sort_key, value);
}

/* ---- delivering --------------------------------------------------------------------------------------------------------- */

static void deliver_item(const struct sheaf_events *events, const struct sheaf_event_item *item)
{
    if (item->kind != SHEAF_EVENT_ENTRY) {
        sheaf_event_item_deliver_cut(events, item);
        return;
    }
    sheaf_event event = { item->cause, item->partition_key, item->entry.sort_key, item->entry.value };
    events->options.callback(events->options.context, &event);
}

void sheaf_events_deliver_queue(struct sheaf_store *store)
{
    struct sheaf_events *events = store->events;
    struct sheaf_event_list *queue = &events->queue;
    if (events->deferred) return;
    sheaf_heap_set_beside(&store->grove.heap, events->queued_bytes);
    if (events->held > 0 || events->delivering) return;
    events->delivering = true;
    while (queue->first) {
        struct sheaf_event_item *item = queue->first;
        deliver_item(events, item);
        queue->first = item->next;
        if (queue->last == item) queue->last = NULL;
        end_item(store, item);
        sheaf_heap_set_beside(&store->grove.heap, events->queued_bytes);
        queue->stopped = false;
    }
    queue->stopped = false;
    events->delivering = false;
}

bool sheaf_events_make_room(struct sheaf_store *store)
{
    struct sheaf_events *events = store->events;
    if (events->deferred || events->held > 0 || events->delivering) return false;
    sheaf_events_deliver_queue(store);
    return true;
}

/* ---- handing out -------------------------------------------------------------------------------------------------------- */

void sheaf_events_defer(struct sheaf_store *store)
{
    if (store->events) store->events->deferred = true;
}

bool sheaf_events_take(struct sheaf_store *store, struct sheaf_event_list *out_list)
{
    struct sheaf_events *events = store->events;
    if (!events || !events->queue.first) return false;
    *out_list = events->queue;
    out_list->events = events;
    for (const struct sheaf_event_item *item = out_list->first; item; item = item->next)
        if (holds_blocks(item)) out_list->holds = true;
    if (out_list->holds) {
        out_list->next_taken = events->taken;
        events->taken = out_list;
    }
    events->queue = (struct sheaf_event_list){ 0 };
    events->queued_bytes = 0;
    return true;
}

bool sheaf_events_deliver(struct sheaf_event_list *list)
{
    for (struct sheaf_event_item *item = list->first, *next; item; item = next) {
        next = item->next;
        deliver_item(list->events, item);
        if (!list->holds) sheaf_event_item_free(list->events, item);
    }
    return list->holds;
}

void sheaf_events_give_back(struct sheaf_store *store, struct sheaf_event_list *list)
{
    struct sheaf_event_list **place = &store->events->taken;
    while (*place != list) place = &(*place)->next_taken;
    *place = list->next_taken;
    for (struct sheaf_event_item *item = list->first, *next; item; item = next) {
        next = item->next;
        if (holds_blocks(item)) sheaf_event_item_let_go(store, item);
        sheaf_event_item_free(store->events, item);
    }
}

/* ---- check -------------------------------------------------------------------------------------------------------------- */

const char *sheaf_events_broken_rule(const struct sheaf_store *store)
{
    const struct sheaf_events *events = store->events;
    uint64_t queued_bytes = 0;
    if (!events) return NULL;
    for (const struct sheaf_event_item *item = events->queue.first; item; item = item->next) {
        queued_bytes += real_size_of(store, item);
        if (!item->next && item != events->queue.last) return "E1: the last item of the queue is known";
    }
    if (queued_bytes != events->queued_bytes) return "E1: what the queue takes is summed";
    if (events->deferred) return NULL;
    if (queued_bytes != store->grove.heap.beside_bytes) return "E2: the heap knows what the queue takes";
    if (events->queue.first && !events->delivering) return "E3: between calls the queue is empty";
    return NULL;
}
