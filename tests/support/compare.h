/*
 * compare.h - one collection of a store against its model, read by read, through the public calls.
 *
 * Each compares everything its call gives, and aborts on a difference. Used by the store's exercise and by tests that go
 * through pages, children or ranges in full.
 */
#ifndef TESTS_SUPPORT_COMPARE_H
#define TESTS_SUPPORT_COMPARE_H

#include <sheaf/sheaf.h>

#include "tests/support/cursor_pair.h"
#include "tests/support/model.h"

extern const struct cursor_calls public_cursor_calls;

struct subject {
    const sheaf_store *store;
    sheaf_bytes partition_key;
    const struct model *model;
};

/* Opens a cursor; `wide`, of SHEAF_SORT_KEY_SIZE_HARD bytes, is used where the store takes long keys. */
void open_public_cursor(const struct subject *subject, sheaf_cursor *cursor, const sheaf_range *range, uint8_t *wide,
                        size_t key_size_max);

void compare_get(const struct subject *subject, sheaf_bytes key);
void compare_rank(const struct subject *subject, sheaf_bytes key, sheaf_direction direction);
void compare_total(const struct subject *subject, const sheaf_range *range);

/* Reads the page and compares it; `out_page` may be NULL, else the caller releases it. */
void compare_page(const struct subject *subject, const sheaf_page_request *request, sheaf_page *out_page);

/* All pages of a limit, on from each `last` until nothing follows, then back from each `first`. */
void compare_walk(const struct subject *subject, const sheaf_range *range, sheaf_direction direction, uint64_t limit);

/* All children, and the same resumed with a new listing after each. */
void compare_children(const struct subject *subject, sheaf_bytes prefix, sheaf_bytes delimiter, sheaf_direction direction);

#endif
