/*
 * tree.h - a B+tree of sort keys and values: one item collection.
 *
 * The tree knows bytes only. Keys and values have been checked against the store's limits before they get here: a key is at
 * most SHEAF_SORT_KEY_SIZE_HARD bytes. README.md in this folder explains the algorithm; node.h draws the node.
 *
 * All trees of a store share a grove: the memory they come from, the version that stamps what is born, and the counter of
 * changes by which a cursor learns that its tree was written.
 */
#ifndef SHEAF_TREE_TREE_H
#define SHEAF_TREE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/range.h>
#include <sheaf/status.h>
#include <sheaf/store.h>

#include "engine/base/heap.h"

struct sheaf_node;
struct sheaf_tree;

/* A way down: step[0] is the root's, step[depth - 1] the leaf's. */
struct sheaf_path {
    uint32_t depth;
    struct {
        struct sheaf_node *node;
        uint32_t slot;
    } step[SHEAF_TREE_DEPTH_MAX];
};

/*
 * The way the last put went, as long as nothing has changed since: `changed` is that of its tree. Who appends, as times do,
 * goes the same way each time, and is spared the descent.
 */
struct sheaf_finger {
    const struct sheaf_tree *tree; /* NULL: there is no way to speak of */
    uint64_t changed;
    bool last;    /* the way leads to the tree's last leaf */
    bool filling; /* a bulk build's: all keys come in order, so every node gets a whole block at once */
    struct sheaf_path path;
};
struct sheaf_version;
struct sheaf_dead_chunk;

/*
 * How the use of entries is kept, for eviction: a byte each, whose meaning is the policy's. All zero: none is kept. Reads that
 * count as a use write it, relaxed: any number may do so beside each other.
 */
struct sheaf_use {
    uint8_t size;        /* 1: leaves have a byte for each slot; fixed before the first node is made */
    uint8_t fresh;       /* what an entry put now gets */
    const uint8_t *used; /* what a use makes of each byte */
};

/* How deadlines are kept, for expiry; all zero: none is. */
struct sheaf_due {
    uint8_t size;   /* 8: leaves have a deadline for each slot; fixed before the first node is made */
    uint64_t fresh; /* what an entry put now gets; the highest number: none */
};

struct sheaf_grove {
    struct sheaf_heap heap;
    struct sheaf_use use;
    struct sheaf_due due;
    uint64_t version; /* birth stamp of nodes and large values made now */
    uint64_t changes; /* counts writes to any tree; never repeats, so a tree made where another was is told apart */
    struct sheaf_finger finger;
    /* Versions that are kept: see version.h. */
    uint64_t frozen_before;  /* what was born before is never changed in place */
    uint64_t foreign_before; /* what was born before is another grove's */
    uint64_t branched_at;    /* when the store last went back to a version with newer ones open; 0: never */
    struct sheaf_version *newest;
    struct sheaf_dead_chunk *spare; /* chunks for the dead list, within a change */
    uint64_t spare_count;
    uint64_t reserved; /* places taken and not used yet, within a change */
    uint64_t version_count;
    uint64_t retained_bytes; /* blocks that only versions need */
    uint64_t copied_count;   /* blocks copied because a version sees them, since the grove began */
    bool keeping; /* within a cut: subtrees and values that go have been taken over, and are not freed (cut.h) */
};

struct sheaf_tree {
    struct sheaf_grove *grove;
    struct sheaf_node *root; /* NULL when there are no entries */
    sheaf_totals totals;
    uint64_t changed; /* grove->changes as of the last write to this tree */
};

/* Bytes that leaves keep for each slot besides. */
static inline uint32_t sheaf_grove_extra_size(const struct sheaf_grove *grove)
{
    return (uint32_t)grove->use.size + grove->due.size;
}

/* An empty tree: allocates nothing. */
void sheaf_tree_init(struct sheaf_tree *tree, struct sheaf_grove *grove);

/*
 * A tree is written in place unless an open version sees what is there (version.h). Then a write copies that first, so deleting
 * may need memory too, and is refused like a put when there is none. It may take more places on the dead list than it uses:
 * sheaf_grove_settle() follows each write.
 */

/* Frees all nodes and values; for those that versions see, sheaf_tree_reserve_clear() must have taken places. The tree is empty
 * afterwards and may be used again. */
void sheaf_tree_clear(struct sheaf_tree *tree);

/* Takes the places. False, with nothing changed, when there is no memory. */
bool sheaf_tree_reserve_clear(const struct sheaf_tree *tree);

/* SHEAF_OK or SHEAF_NO_MEMORY (tree unchanged). `value` may point into the tree. */
sheaf_status sheaf_tree_put(struct sheaf_tree *tree, sheaf_bytes key, sheaf_bytes value, bool *out_replaced);

/* SHEAF_OK or SHEAF_NOT_FOUND. `out_view` is borrowed until the next write to the tree. */
sheaf_status sheaf_tree_get(const struct sheaf_tree *tree, sheaf_bytes key, sheaf_bytes *out_view);

/* The same as a use of the entry, in a grove where uses are kept. */
sheaf_status sheaf_tree_get_used(const struct sheaf_tree *tree, sheaf_bytes key, sheaf_bytes *out_view);

/* SHEAF_OK or SHEAF_NOT_FOUND; SHEAF_NO_MEMORY (tree unchanged) only while a version is open: a merge that finds no memory is
 * left for later. */
sheaf_status sheaf_tree_delete(struct sheaf_tree *tree, sheaf_bytes key);

/* Makes what a cut changes free to be changed, and takes places for what it retires; before sheaf_tree_cut() while a version is
 * open. False, with nothing changed, when there is no memory. */
bool sheaf_tree_thaw_cut(struct sheaf_tree *tree, const sheaf_range *range);

/* Deletes the entries between two cuts, lower not above upper; returns what went. Never needs memory. */
sheaf_totals sheaf_tree_cut(struct sheaf_tree *tree, const sheaf_range *range);

/* Entries and bytes below a cut: all of them if it is unbounded. O(log n). */
sheaf_totals sheaf_tree_below(const struct sheaf_tree *tree, const sheaf_cut *cut);

/* Entries and bytes of a range. O(log n). */
sheaf_totals sheaf_tree_range_total(const struct sheaf_tree *tree, const sheaf_range *range);

/* Every invariant, recomputed. */
bool sheaf_tree_check(const struct sheaf_tree *tree, sheaf_fault *out_fault);

/* The same by the counters of another grove: those of a view's, for the tree's own may be written meanwhile by a thread. */
bool sheaf_tree_check_within(const struct sheaf_tree *tree, const struct sheaf_grove *grove, sheaf_fault *out_fault);

#endif
