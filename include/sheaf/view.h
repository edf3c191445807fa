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

SHEAF_END_DECLARATIONS

#endif
