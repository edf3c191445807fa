/*
 * touch_heap.h - allocator hooks that tell how many blocks a call looks at: what it costs, without a clock.
 *
 *     | block | block .. block | free | block | ...       each on pages of its own
 *
 *     touch_heap_watch()    nothing may be accessed any more
 *     ... the call ...      the first access to a block is a fault, which is counted and lets it be from then on
 *     touch_heap_stop()     all may be accessed; how many blocks were
 *
 * Nodes, records and tables are blocks each, so what is counted are cache misses of a large store, more or less. Several accesses
 * to one block count once. One heap at a time, one thread; it takes a page at least for each block.
 */
#ifndef TESTS_SUPPORT_TOUCH_HEAP_H
#define TESTS_SUPPORT_TOUCH_HEAP_H

#include <stdint.h>

#include <sheaf/allocator.h>

/* Begins an empty heap and returns its hooks. */
sheaf_allocator touch_heap_begin(void);

/* Ends it. All blocks must have been given back. */
void touch_heap_end(void);

void touch_heap_watch(void);

/* Returns the blocks accessed since, new ones among them. */
uint64_t touch_heap_stop(void);

#endif
