/*
 * run.h - what a node is about to hold: its slots with one inserted or replaced, or two nodes' slots in a row.
 *
 *     left node      a  b  d  e                     left node    a  b
 *     + insert c           ^                        right node         d  e  (a branch's d by its separator)
 *     run            a  b  c  d  e                  run          a  b  d  e
 *
 * Nodes are never shuffled in place: growing, splitting, merging and shrinking all describe the result as a run and build new
 * nodes from pieces of it. So a change can be thrown away at any point before it is linked in, a built node has its cells in
 * key order (scans stream), and its prefix is the longest its keys share.
 */
#ifndef SHEAF_TREE_RUN_H
#define SHEAF_TREE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/tree/room.h"

#define RUN_NOWHERE UINT32_MAX /* no enumerator: ISO C holds those to int */

/* A run. Borrows everything: nodes, key, bytes. At least one slot. */
struct sheaf_run {
    uint32_t level;
    uint32_t extra_size;               /* of the leaves to be built, as in node.h */
    uint32_t length;                 /* slots in all */
    const struct sheaf_node *left;   /* NULL: the run is the inserted slot alone */
    const struct sheaf_node *right;  /* NULL but in merges */
    sheaf_bytes right_separator;     /* of a branch's right node */
    uint32_t insert_at;              /* where in left; RUN_NOWHERE: nothing is inserted */
    bool replace;                    /* the insert takes the place of left's slot insert_at */
    sheaf_bytes key;                 /* inserted */
    uint8_t tag;                     /* of it, in a leaf */
    struct sheaf_payload payload;    /* inserted in a leaf */
    struct sheaf_link link;          /* inserted in a branch */
    uint32_t patch_at;               /* slot of left whose link is `patch` instead; RUN_NOWHERE: none */
    struct sheaf_link patch;
};

/* One slot of a run: its key is prefix | head | rest. */
struct sheaf_run_piece {
    sheaf_bytes prefix;
    uint32_t head;
    uint32_t suffix_size;
    sheaf_bytes rest;
    uint8_t tag; /* in a leaf */
    struct sheaf_payload payload;
    struct sheaf_link link;
};

/* The slots of one node as they are. */
struct sheaf_run sheaf_run_of_node(const struct sheaf_node *node);

/* A leaf with an entry inserted at `slot`, or its entry there replaced. */
struct sheaf_run sheaf_run_with_entry(const struct sheaf_node *leaf, uint32_t slot, bool replace, sheaf_bytes key, uint8_t tag,
                                      const struct sheaf_payload *payload);

/* A branch whose child at `slot` has become two. */
struct sheaf_run sheaf_run_with_link(const struct sheaf_node *branch, uint32_t slot, const struct sheaf_link *left,
                                     sheaf_bytes separator, const struct sheaf_link *right);

/* Two neighbours in a row; `separator` stands between them in their parent. */
struct sheaf_run sheaf_run_of_two(const struct sheaf_node *left, sheaf_bytes separator, const struct sheaf_node *right);

/* Whether the insert is a new slot behind all others. */
static inline bool sheaf_run_inserts_last(const struct sheaf_run *run)
{
    return !run->replace && run->insert_at == run->length - 1;
}

/* Whether it is a new slot before all others; in a branch, behind the slot without separator. */
static inline bool sheaf_run_inserts_first(const struct sheaf_run *run)
{
    return !run->replace && run->insert_at == (run->level > 0 ? 1U : 0U);
}

struct sheaf_run_piece sheaf_run_piece(const struct sheaf_run *run, uint32_t index);

/* Writes the key of an item to `out`, which has room for any key. */
sheaf_bytes sheaf_run_piece_key(const struct sheaf_run_piece *item, uint8_t *out);

/* How many bytes the keys of two slots share, of which the first is the lower. In a branch neither is slot 0. */
uint32_t sheaf_run_shared(const struct sheaf_run *run, uint32_t lower, uint32_t higher);

/* Bytes of an item's cell with its place in the arrays, if its node's prefix stays as it is. */
uint32_t sheaf_run_weight(const struct sheaf_run *run, uint32_t index);

/* The weights of all items. */
uint64_t sheaf_run_whole_weight(const struct sheaf_run *run);

/* Bytes of the smallest node that holds the slots from `begin` to before `end`, of which there are some; may be more than a
 * node can have. */
uint64_t sheaf_run_size(const struct sheaf_run *run, uint32_t begin, uint32_t end);

/* The size of the block that sheaf_run_build() would ask for. */
uint32_t sheaf_run_block_size(const struct sheaf_grove *grove, const struct sheaf_run *run, uint32_t begin, uint32_t end,
                              enum sheaf_room room);

/* Builds the node of the slots from `begin` to before `end`. NULL when memory is refused. */
struct sheaf_node *sheaf_run_build(struct sheaf_grove *grove, const struct sheaf_run *run, uint32_t begin, uint32_t end,
                                   enum sheaf_room room);

/* Builds a branch over two nodes. NULL when memory is refused. */
struct sheaf_node *sheaf_run_build_root(struct sheaf_grove *grove, const struct sheaf_link *left, sheaf_bytes separator,
                                        const struct sheaf_link *right);

#endif
