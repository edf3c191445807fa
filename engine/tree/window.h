/*
 * window.h - the leaf around some entry of a tree, to look at the use of its entries and delete some of them.
 *
 *      entries of the tree   0 . . . . | first . . . index . . |  . . . .
 *                                       '------- one leaf ----'
 *
 * It is how eviction goes through a tree, leaf by leaf, with no state of its own but a number. What versions see is passed
 * over: deleting there would give nothing back, and take a copy.
 */
#ifndef SHEAF_TREE_WINDOW_H
#define SHEAF_TREE_WINDOW_H

#include "engine/tree/node.h"

struct sheaf_window {
    struct sheaf_tree *tree;
    struct sheaf_path path; /* to the leaf */
    uint64_t first;         /* number of its first entry */
    uint64_t count;         /* of its entries now; when it is not open, of all that is to be passed over */
    bool deleted;           /* something was */
};

/* On the leaf of entry number `index`, which there is. Until it is closed the tree is written through the window only. False:
 * a version sees it; nothing is open, but `first` and `count` say how far that goes. */
bool sheaf_window_open(struct sheaf_window *window, struct sheaf_tree *tree, uint64_t index);

static inline struct sheaf_node *sheaf_window_leaf(const struct sheaf_window *window)
{
    return window->path.step[window->path.depth - 1].node;
}

/* Deletes the entries in the slots from `begin` to before `end`; returns what went. That is nothing if a version sees values of
 * theirs, and there is no memory to keep those. */
sheaf_totals sheaf_window_delete(struct sheaf_window *window, uint32_t begin, uint32_t end);

/* Gives back what the leaf does not need any more. */
void sheaf_window_close(struct sheaf_window *window);

#endif
