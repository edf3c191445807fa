/*
 * split.h - whether a run needs two nodes, and where to cut it. Only chooses; insert.c builds.
 */
#ifndef SHEAF_TREE_SPLIT_H
#define SHEAF_TREE_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/tree/run.h"

/* Where in the tree the node lies whose run this is. */
struct sheaf_edges {
    bool left;  /* nothing lies below it */
    bool right; /* nothing lies above it */
};

/*
 * 0 if the run is to be one node, else the index of the first slot of the right one.
 *
 * - Appending at the tree's right end leaves a full node behind and begins a new one: keys that come in order, as times do,
 *   end in full nodes. The same in mirror image at the left end.
 * - A key that does not share a long prefix with its node would make every suffix longer; if the halves would not fit, it gets
 *   a node of its own. (It can only be at the end or the start of the run.)
 * - Elsewhere: near the middle by bytes, where the separator is shortest.
 */
uint32_t sheaf_split_choose(const struct sheaf_run *run, struct sheaf_edges edges);

/* The shortest key above slot `cut - 1` and not above slot `cut`, in a branch the separator of slot `cut`, written to `out`. */
sheaf_bytes sheaf_split_separator(const struct sheaf_run *run, uint32_t cut, uint8_t *out);

#endif
