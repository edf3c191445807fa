/*
 * counted_store.h - a store on a counted heap, for tests of one store.
 */
#ifndef TESTS_SUPPORT_COUNTED_STORE_H
#define TESTS_SUPPORT_COUNTED_STORE_H

#include <sheaf/sheaf.h>

#include "tests/support/test_heap.h"

/* An empty store of usual options on a fresh heap. `heap` must not move afterwards. */
sheaf_store *counted_store_begin(struct test_heap *heap);

/* Checks the store, destroys it, and sees that nothing leaked. */
void counted_store_end(sheaf_store *store, const struct test_heap *heap);

#endif
