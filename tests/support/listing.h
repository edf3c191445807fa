/*
 * listing.h - small stores written as text, and reads of them as text: what tests of single cases are made of.
 *
 *     sheaf_store *store = shelf_of("a b c");
 *     cr_assert_str_eq(listed(store, sheaf_range_at_least(SHEAF_LIT("b")), SHEAF_REVERSE), "c b");
 *
 * Keys are joined by spaces; bytes that are not printable ASCII, the space, and the backslash are written \xNN. All is in the
 * partition SHELF.
 */
#ifndef TESTS_SUPPORT_LISTING_H
#define TESTS_SUPPORT_LISTING_H

#include <sheaf/sheaf.h>

#define SHELF SHEAF_LIT("shelf")

/* A store with these keys, written as above; "" is none. The value of key k is "=k". Aborts when anything fails. */
sheaf_store *shelf_of(const char *keys);

/* Puts more of them. */
void shelf_put(sheaf_store *store, const char *keys);
/* Deletes one, which is there. */
void shelf_delete(sheaf_store *store, const char *key);

/* The keys a cursor meets in a range. Valid until a few more listings were made. Also checks that sheaf_range_total() and a
 * page of everything agree, and that each value is the key's own. */
const char *listed(const sheaf_store *store, sheaf_range range, sheaf_direction direction);

/* The keys of one page. */
const char *page_listed(const sheaf_page *page);

/* One key as text; "-" for a cursor that stands on none. Valid as long. */
const char *key_text(sheaf_bytes key);
const char *cursor_text(const sheaf_cursor *cursor);

/* A page of the shelf; aborts unless the status is SHEAF_OK. The caller releases it. */
sheaf_page page_of(const sheaf_store *store, sheaf_page_request request);

#endif
