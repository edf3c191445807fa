/*
 * edge_case.h - small inputs on which stores of this kind have been wrong in public, each with the right answer.
 *
 * A test bears the number of its case and covers the whole kind: both directions, the neighbouring inputs, and every read that
 * could answer the same question. listed() compares cursor, page and count on its way. Here is what the test_edge_*.c share.
 */
#ifndef TESTS_API_EDGE_CASE_H
#define TESTS_API_EDGE_CASE_H

#include <criterion/criterion.h>

#include <sheaf/sheaf.h>

#include "tests/support/listing.h"

/* What a range lists in each direction. */
#define expect_listed(store, range, forward, reverse)                             \
    do {                                                                          \
        cr_assert_str_eq(listed((store), (range), SHEAF_FORWARD), (forward));     \
        cr_assert_str_eq(listed((store), (range), SHEAF_REVERSE), (reverse));     \
    } while (0)

/* Opens a cursor on a range of the shelf, NULL for all; returns the cursor. */
static inline sheaf_cursor *open_on(sheaf_cursor *cursor, const sheaf_store *store, const sheaf_range *range)
{
    cr_assert_eq(sheaf_cursor_open(cursor, store, SHELF, range, NULL), SHEAF_OK);
    return cursor;
}

#endif
