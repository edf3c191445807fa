/*
 * events.h - the queue of values that have left and have not been told of.
 *
 *      a change   ──▶  queue: [ entry ] [ entry ] [ range ] ...  ──▶  at the end of the public call: callback, one after another
 *
 * What goes is queued before the change and taken off again should the change be refused. An item of the queue is
 *
 *      an entry    its keys and value, copied
 *      nodes       what a cut has taken out of a tree, kept until it has been told of: whole subtrees, and copies of the leaves
 *                  at both ends. Only while no version is open
 *      a range     in a view of the store's own
 *
 * Their own memory comes from hooks that any thread may call; it is counted here and not by the heap, whose limit it may pass:
 * an item is let in while the heap and the queue together are within the limit. The heap is told of it at the end of each call
 * (`beside_bytes`), so that what is queued already, by a batch or for callbacks to come, takes of the room of later calls. Nodes
 * and views are the heap's.
 *
 * The first item stays in the queue while it is delivered, and what its callbacks cause is queued behind all others, so nothing
 * nests. Eviction cannot free anything by an item that holds nodes, and is refused items once the queue is full. So it stops
 * there (`stopped`), has the queue delivered, and goes on.
 *
 * A store of which several threads make use hands its queue out instead (a lock's holder cannot let callbacks run):
 *
 *      once       sheaf_events_defer(store)
 *      locked     status = sheaf_store_put(store, ...);
 *                 bool any = sheaf_events_take(store, &list);
 *      unlocked   if (any && sheaf_events_deliver(&list)) ...
 *      locked     ... sheaf_events_give_back(store, &list);
 *
 * and where a call was refused with SHEAF_OVER_BUDGET and `list.stopped` is set, it is made again after that: eviction had no
 * room to note more. What is on a taken list is no longer counted in the store's charge, but for nodes and views.
 *
 * E1  `queued_bytes` is what the blocks of the queue's items take.
 * E2  Between public calls, unless the queue is handed out, `queued_bytes` are the heap's `beside_bytes`.
 * E3  Between public calls, unless that or in a callback, the queue is empty.
 */
#ifndef SHEAF_STORE_EVENTS_H
#define SHEAF_STORE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/events.h>

#include "engine/store/store.h"

struct sheaf_view;

/* What a cut has taken out: slots of a copy of a leaf, or a node with all below it. */
struct sheaf_event_piece {
    struct sheaf_node *node;
    uint16_t begin, end;
    bool whole;
};

enum sheaf_event_kind { SHEAF_EVENT_ENTRY, SHEAF_EVENT_NODES, SHEAF_EVENT_RANGE };

struct sheaf_event_item {
    struct sheaf_event_item *next;
    size_t block_size;
    enum sheaf_event_kind kind;
    sheaf_cause cause;
    sheaf_bytes partition_key; /* like all that follows in this block, but for whole nodes and the view */
    union {
        struct {
            sheaf_bytes sort_key, value;
        } entry;
        struct {
            struct sheaf_event_piece *pieces;
            size_t piece_count;
        } nodes;
        struct {
            struct sheaf_view *view;
            sheaf_range range;
        } range;
    };
};

struct sheaf_event_list {
    struct sheaf_event_item *first, *last;
    struct sheaf_events *events;
    struct sheaf_event_list *next_taken; /* of those that hold blocks of the heap */
    bool holds;                          /* blocks of the heap */
    bool stopped;                        /* eviction did, for want of room to note more */
};

struct sheaf_events {
    sheaf_event_options options;
    sheaf_allocator hooks; /* of the items */
    struct sheaf_event_list queue;
    struct sheaf_event_list *taken;
    uint64_t queued_bytes;
    uint32_t held; /* while it is not 0 nothing is delivered */
    bool delivering;
    bool deferred; /* somebody takes the queue after each call, and delivers */
};

/* SHEAF_OK or SHEAF_INVALID_ARGUMENT. NULL is no events, and sound. */
sheaf_status sheaf_events_validate(const sheaf_event_options *options, sheaf_detail *out_detail);

/* Gives a store, empty as yet, events. SHEAF_OK or SHEAF_NO_MEMORY. */
sheaf_status sheaf_events_begin(struct sheaf_store *store, const sheaf_event_options *options);

/* Frees what they take; what is queued is not told of. A store without is fine. */
void sheaf_events_end(struct sheaf_store *store);

/* ---- noting --------------------------------------------------------------------------------------------------------------- */

/* Queues an entry that is about to go, in a store with events; all that follows does nothing in one without. False when it finds
 * no memory: as by the heap, which knows why. */
bool sheaf_events_note_entry(struct sheaf_store *store, sheaf_cause cause, sheaf_bytes partition_key, sheaf_bytes sort_key,
                             sheaf_bytes value);

/* The entry of a collection, if it is there. */
bool sheaf_events_note_entry_of(struct sheaf_store *store, sheaf_cause cause, const struct sheaf_collection *collection,
                                sheaf_bytes sort_key);

static inline bool sheaf_events_note_found(struct sheaf_store *store, sheaf_cause cause,
                                           const struct sheaf_collection *collection, sheaf_bytes sort_key)
{
    return !store->events || sheaf_events_note_entry_of(store, cause, collection, sort_key);
}

/* Where the queue ends now, and taking off what came after: of a change that did not happen. No nodes may be among it. */
static inline struct sheaf_event_item *sheaf_events_mark(const struct sheaf_store *store)
{
    return store->events ? store->events->queue.last : NULL;
}

void sheaf_events_undo_to(struct sheaf_store *store, struct sheaf_event_item *mark);

static inline void sheaf_events_undo(struct sheaf_store *store, struct sheaf_event_item *mark)
{
    if (store->events && store->events->queue.last != mark) sheaf_events_undo_to(store, mark);
}

/*
 * A cut of a range of a slot's tree, be it all of it, that is made between the two; `done`: it was. SHEAF_OK or SHEAF_NO_MEMORY
 * (then nothing is to be ended).
 */
struct sheaf_event_cut {
    struct sheaf_event_item *item;
    struct sheaf_event_item *mark;
};

sheaf_status sheaf_events_begin_cut(struct sheaf_store *store, const struct sheaf_slot *slot, const sheaf_range *range,
                                    sheaf_cause cause, struct sheaf_event_cut *out_cut);
void sheaf_events_end_cut(struct sheaf_store *store, const struct sheaf_event_cut *cut, bool done);

/* Queues what leaves when the store goes back to a view. `linear`: the store differs from it by what was born since alone. */
bool sheaf_events_note_restore(struct sheaf_store *store, const struct sheaf_view *view, bool linear);

/* ---- delivering ----------------------------------------------------------------------------------------------------------- */

void sheaf_events_deliver_queue(struct sheaf_store *store);

/* The end of a public call that changes something. */
static inline void sheaf_events_flush(struct sheaf_store *store)
{
    if (__builtin_expect(store->events != NULL, 0)) sheaf_events_deliver_queue(store);
}

/* Between the two nothing is delivered. */
static inline void sheaf_events_hold(struct sheaf_store *store)
{
    if (store->events) store->events->held++;
}

static inline void sheaf_events_release(struct sheaf_store *store)
{
    if (store->events) store->events->held--;
}

/* Whether eviction has to stop until the queue is delivered: it would free nothing, or what it frees would be wanted by a put
 * while the queue is still there, and has outgrown what is kept for it. */
static inline bool sheaf_events_stop(const struct sheaf_store *store)
{
    const struct sheaf_heap *heap = &store->grove.heap;
    if (!store->events) return false;
    if (heap->limit_bytes != HEAP_NO_LIMIT && store->events->queued_bytes > heap->reserve_bytes)
        store->events->queue.stopped = true;
    return store->events->queue.stopped;
}

/* Delivers in the midst of an eviction that has stopped, so that it can go on. False if that is not possible here. */
bool sheaf_events_make_room(struct sheaf_store *store);

/* What the queue takes. */
static inline uint64_t sheaf_events_bytes(const struct sheaf_store *store)
{
    return store->events ? store->events->queued_bytes : 0;
}

/* Adds the blocks of the heap that the events and what is queued take. */
void sheaf_events_count_blocks(const struct sheaf_store *store, uint64_t *block_count, uint64_t *charged_bytes);

/* The rule that the queue breaks; NULL: none. */
const char *sheaf_events_broken_rule(const struct sheaf_store *store);

/* ---- handing out ---------------------------------------------------------------------------------------------------------- */

/* From now on the store delivers nothing by itself. */
void sheaf_events_defer(struct sheaf_store *store);

/* Takes the queue, to be delivered by the caller. `out_list` must not move until it is given back. False: there is nothing on
 * it. A store without events is fine. */
bool sheaf_events_take(struct sheaf_store *store, struct sheaf_event_list *out_list);

static inline bool sheaf_events_are_none(const struct sheaf_store *store)
{
    return !store->events || !store->events->queue.first;
}

/* Tells of all on a list; needs no lock. True: it must be given back, under the lock; else it is gone. */
bool sheaf_events_deliver(struct sheaf_event_list *list);
void sheaf_events_give_back(struct sheaf_store *store, struct sheaf_event_list *list);

/* ---- shared by the files of events ---------------------------------------------------------------------------------------- */

/* A block for an item of so many bytes, its partition key to be set. NULL when refused. */
struct sheaf_event_item *sheaf_event_item_allocate(struct sheaf_store *store, size_t block_size);
void sheaf_event_item_free(const struct sheaf_events *events, struct sheaf_event_item *item);
void sheaf_event_queue_append(struct sheaf_store *store, struct sheaf_event_item *item);

/* Frees what nodes are kept, or closes the view. */
void sheaf_event_item_let_go(struct sheaf_store *store, struct sheaf_event_item *item);

/* Tells of what an item of nodes or of a range is about. */
void sheaf_event_item_deliver_cut(const struct sheaf_events *events, const struct sheaf_event_item *item);

#endif
