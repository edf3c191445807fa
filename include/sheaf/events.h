/*
 * events.h - removal events: a store tells of every value that leaves it, once.
 *
 *     static void on_event(void *context, const sheaf_event *event)
 *     {
 *         release_what(event->value);
 *     }
 *     sheaf_event_options events = { .callback = on_event };
 *     sheaf_store_options options = { .events = &events };
 *
 * Every value that was put leaves once, unless the store ends first, and for each there is one event:
 *
 *     REPLACED   a put over its entry; or going back to a view that has another value for the key
 *     DELETED    sheaf_store_delete()
 *     EXPIRED    its deadline has passed
 *     EVICTED    the cache let it go: for want of room, on demand, or beyond the most that a collection may have
 *     CUT        it went with others: a range or prefix deleted, a collection dropped; going back to a view without the key
 *
 * When. Events are delivered when the change is complete, before the call that made it returns: what is gone can no longer be
 * read, what replaces it can. The store is in order then and may be read and written, by any call of this library but those that
 * end it or a builder under way. Events come in the order in which values leave, those of a range in the order of its keys. What
 * a callback's own writes cause comes last of all, after it has returned; so nothing nests, however much it writes. (A callback
 * that puts back what was evicted makes the store evict for ever.) A put that must evict very much, and sheaf_store_evict(), may
 * deliver before they are done: between two evictions, each a complete change. From within a callback they may not: there a put
 * to a full cache may be refused with SHEAF_OVER_BUDGET, while what is still to be told of takes all the room there is for it.
 *
 * How often. A call that is refused has changed nothing and has no events, but for what a cache evicted or a sweep deleted
 * before it was refused, and for what had expired in the place of a put. A batch has all of its events once it is done, and
 * none if it is refused. Going back to a view: what is there then as it is now, byte for byte, does not leave; what comes back
 * may leave once more. sheaf_store_destroy() tells of nothing. Forks have no events, nor have the stores of views.
 *
 * What it costs. The keys and the value of an entry are copied before it goes; so a delete, too, needs memory, and is refused
 * where there is none. Ranges are not copied: their nodes are kept until they have been told of, or, where views are open, by a
 * view of the store's own (counted in `view_count`); only the nodes at their two ends are. All of it is charged. Below a budget
 * some room is kept for it (32 KiB, or a sixteenth of the budget); a copy may pass the budget if nothing has passed it yet, so
 * that it is passed by no more than one entry takes (or, for a range, its two end nodes and 16 bytes for each child of the nodes
 * above them), and only until the event is delivered. A store without events pays a branch.
 */
#ifndef SHEAF_EVENTS_H
#define SHEAF_EVENTS_H

#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/store.h>

SHEAF_BEGIN_DECLARATIONS

/** Why a value has left. */
typedef enum sheaf_cause {
    SHEAF_CAUSE_REPLACED = 0, /**< by another value of the same keys */
    SHEAF_CAUSE_DELETED,      /**< as one entry */
    SHEAF_CAUSE_EXPIRED,      /**< its deadline has passed */
    SHEAF_CAUSE_EVICTED,      /**< by the cache */
    SHEAF_CAUSE_CUT           /**< with the others of a range or of its collection, expired or not */
} sheaf_cause;

/** One value that has left. All bytes are borrowed for the callback. */
typedef struct sheaf_event {
    sheaf_cause cause;
    sheaf_bytes partition_key;
    sheaf_bytes sort_key;
    sheaf_bytes value;
} sheaf_event;

/** What a store calls. Runs in the thread of the call that made the change. */
typedef void sheaf_event_callback(void *context, const sheaf_event *event);

/** Options of a store with events. Copied. */
struct sheaf_event_options {
    sheaf_event_callback *callback; /**< not NULL */
    void *context;                  /**< passed on; may be NULL */
};

/** The name of @p cause in words: "replaced", "deleted", "expired", "evicted", "cut"; "?" for a value that is none. Static.
 *  Cost: O(1). Thread rule: any thread. */
SHEAF_API const char *sheaf_cause_name(sheaf_cause cause);

SHEAF_END_DECLARATIONS

#endif
