/*
 * snapshot.h - everything a store holds, in one block: to see that a refused call has changed nothing.
 */
#ifndef TESTS_SUPPORT_SNAPSHOT_H
#define TESTS_SUPPORT_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/sheaf.h>

struct snapshot {
    sheaf_store_totals totals;
    uint8_t *bytes; /* of each collection in the store's order: key, entries, each piece with its size before it */
    size_t size;
    size_t capacity;
};

/* Its memory is the test's own, not the store's. */
struct snapshot snapshot_take(const sheaf_store *store);
void snapshot_free(struct snapshot *snapshot);

/* Aborts unless the store holds the same to the byte, takes the same memory, and is sound. */
void snapshot_expect(const struct snapshot *snapshot, const sheaf_store *store);

#endif
