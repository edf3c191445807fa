/*
 * counted_shared.h - a shared store on a counted heap, for tests by one thread: the heap knows of no other.
 */
#ifndef TESTS_SUPPORT_COUNTED_SHARED_H
#define TESTS_SUPPORT_COUNTED_SHARED_H

#include <sheaf/shared.h>

#include "tests/support/test_heap.h"

/* An empty one of these options, but on a fresh heap. `heap` must not move afterwards. */
sheaf_shared *counted_shared_begin(struct test_heap *heap, sheaf_shared_options options);

/* Checks it, destroys it, and sees that it asked for nothing and that nothing leaked. */
void counted_shared_end(sheaf_shared *shared, struct test_heap *heap);

#endif
