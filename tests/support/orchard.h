/*
 * orchard.h - a tree with the grove and the counted heap it grows in, for tests of engine/tree.
 */
#ifndef TESTS_SUPPORT_ORCHARD_H
#define TESTS_SUPPORT_ORCHARD_H

#include <stdint.h>

#include "engine/tree/tree.h"
#include "tests/support/test_heap.h"

struct orchard {
    struct test_heap heap;
    struct sheaf_grove grove;
    struct sheaf_tree tree;
};

/* An empty tree. `orchard` must not move afterwards. */
void orchard_begin(struct orchard *orchard);

/* Checks the tree, clears it, and sees that nothing leaked. */
void orchard_end(struct orchard *orchard);

/* Keys "000000", "000001" ... of `begin` to before `end`, value "v" and the key. */
void orchard_put_numbers(struct orchard *orchard, uint32_t begin, uint32_t end);

/* Puts one; aborts unless SHEAF_OK. */
void orchard_put(struct orchard *orchard, sheaf_bytes key, sheaf_bytes value);

/* "000042" in `buffer`, which has room for 16. */
sheaf_bytes orchard_number(uint32_t number, char *buffer);

/* Aborts with the fault unless the tree is sound. */
void orchard_check(const struct orchard *orchard);

#endif
