/*
 * view.h - views: the state of a store as it was at one moment, for as long as it is wanted.
 *
 *     sheaf_view *view;
 *     sheaf_view_open(store, &view, NULL);
 *     ... the store goes on being written ...
 *     sheaf_page_read(sheaf_view_store(view), key, &request, &page, NULL);      reads what was there at the opening
 *     sheaf_view_close(view);
 *
 * A view is opened in constant time, whatever the store holds. It shares everything with the store: what is written later is
 * written beside what the view sees, in copies of the nodes concerned, and when the view closes what only it needed is freed at
 * once. Any number of views may be open, to be closed in any order. While none is open, writes copy nothing.
 *
 * What views cost: the first change below each node copies that node, once for each view opened; a collection's first change
 * also copies its record and its part of the directory (some 2 KiB, and 8 bytes for each 50 collections or so). And deletes,
 * which else never need memory, may be refused for want of it, like puts.
 *
 * Thread rule: opening and closing are writes to the store. Reading the view is not: any number of threads may read
 * sheaf_view_store() while another writes the store, without a lock; the view must have been handed to them in a way that
 * orders memory (a mutex, the start of the thread), and be closed only after they are done.
 */
#ifndef SHEAF_VIEW_H
#define SHEAF_VIEW_H

#include <sheaf/export.h>
#include <sheaf/status.h>
#include <sheaf/store.h>

SHEAF_BEGIN_DECLARATIONS

typedef struct sheaf_view sheaf_view;

/**
 * Opens a view of the store as it is now.
 *
 * @param[out] out_view    Ends with sheaf_view_close(), before its store does.
 * @param[out] out_detail  May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_NO_MEMORY, SHEAF_OVER_BUDGET  The handle takes about 1 KiB, charged to the store.
 * @retval SHEAF_READ_ONLY  @p store is itself a view's.
 * @par Cost  O(1), one allocation.
 */
SHEAF_API sheaf_status sheaf_view_open(sheaf_store *store, sheaf_view **out_view, sheaf_detail *out_detail);

/**
 * The state that a view keeps, as a store for reading: every call that takes a `const sheaf_store *` works on it, cursors and
 * children included, and gives what it would have given at the opening. So do sheaf_store_total(), whose memory figures are
 * those of then, and sheaf_store_check().
 *
 * @return Borrowed: lives as long as the view, and all values and keys read from it do. Writing to it by way of a cast is
 *         refused with SHEAF_READ_ONLY; do not destroy it.
 */
SHEAF_API const sheaf_store *sheaf_view_store(const sheaf_view *view);

/**
 * Closes a view and frees what only it needed. NULL is fine. Never needs memory.
 *
 * @par Cost  O(blocks that were replaced or deleted in the store since the view was opened and before the next one was).
 */
SHEAF_API void sheaf_view_close(sheaf_view *view);

/**
 * A store that begins as the view: written like any, without effect on the view or the store it came from. It shares with them
 * what neither changes, so it costs what is changed in it, in time and in memory.
 *
 * A store filled once and forked for each test gives every test its own copy in less time than it takes to fill:
 *
 *     sheaf_store_fork(view, &store, NULL);
 *     ... test, writing as it likes ...
 *     sheaf_store_destroy(store);
 *
 * @param      view       Stays open for the fork: sheaf_view_close() before the fork's end takes effect then. The store it is
 *                        a view of must live longer than the fork.
 * @param[out] out_store  Ends with sheaf_store_destroy(), which frees what the fork does not share. Its options are those of
 *                        the view's store, without budget, cache or events; its memory is its own, from the same
 *                        allocator, and its `charged_bytes` say what it takes besides what it shares.
 * @param[out] out_detail May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_NO_MEMORY
 * @note Thread rule: a write to the view's store, and so is the destruction of the fork. Otherwise the two may be used by
 *       different threads at once (with hooks, if these may be called from several threads).
 * @par Cost  O(1), one allocation. The destruction: O(what was changed in the fork).
 */
SHEAF_API sheaf_status sheaf_store_fork(sheaf_view *view, sheaf_store **out_store, sheaf_detail *out_detail);

/**
 * Goes back to a view: the store then holds again what the view does. The view stays open, and all others with it.
 *
 * @param view  One of this store; for a fork also the one it began as.
 * @retval SHEAF_OK
 * @retval SHEAF_INVALID_ARGUMENT  A view of another store.
 * @retval SHEAF_NO_MEMORY, SHEAF_OVER_BUDGET  Only while views are open that were opened after this one, or in a store with
 *         events, for the values that leave (<sheaf/events.h>); nothing has changed.
 * @retval SHEAF_READ_ONLY
 * @note Cursors on the store stay usable, as after any write. Bulk builds under way go on.
 * @par Cost  O(what has changed since the view was opened). Once the store has gone back to a view while newer ones were open,
 *      going to a view that was open then costs O(nodes).
 */
SHEAF_API sheaf_status sheaf_store_restore(sheaf_store *store, sheaf_view *view, sheaf_detail *out_detail);

SHEAF_END_DECLARATIONS

#endif
