/*
 * entry.h - reading the entries of the leaf that a cursor stands in.
 *
 * A key lies in three places: the prefix in the node, the next four bytes in the heads array, the rest in the cell. The
 * prefix stands at the start of the cursor's key buffer from when it entered the leaf, so an entry costs the copy of its
 * suffix.
 *
 *     key buffer   | prefix | head | rest            |   slack   |
 *                                    '-- copied in one wide stride, whatever its size: what lies behind it is overwritten
 *                                        by the next key, or never looked at
 *
 * A copy of a size that is not known costs more than all else a step does; a copy of COPY_SIZE bytes is two moves. It may be
 * made where the block goes on for as long, and so does the buffer: for all but the last cells of a block.
 */
#ifndef SHEAF_TREE_ENTRY_H
#define SHEAF_TREE_ENTRY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <sheaf/scan.h>

#include "engine/tree/node.h"

enum {
    HEAD_SIZE = sizeof(uint32_t),
    COPY_SIZE = 32,                          /* bytes of a wide copy */
    WIDE_SUFFIX_MAX = HEAD_SIZE + COPY_SIZE, /* a longer suffix is copied by its size */
    PLAIN_CELL_FRONT = 2,                    /* both sizes, of a cell of small sizes that holds its value */
};

_Static_assert(2 * WIDE_SUFFIX_MAX < 128, "a wide suffix has its size in one byte of the cell");

/* Sets what the cursor keeps of its leaf, and puts the prefix in the key buffer. */
static inline void sheaf_cursor_enter_leaf(sheaf_cursor *cursor)
{
    const struct sheaf_node *leaf = cursor->leaf;
    uint32_t prefix_size = leaf->prefix_size;
    sheaf_assert(prefix_size <= cursor->key_buffer_size);
    cursor->leaf_heads = sheaf_node_heads(leaf);
    cursor->leaf_offsets = sheaf_node_offsets(leaf);
    cursor->leaf_prefix_size = prefix_size;
    bool room = prefix_size + WIDE_SUFFIX_MAX <= cursor->key_buffer_size;
    room = room && leaf->size >= sizeof *leaf + prefix_size + COPY_SIZE;
    cursor->leaf_wide_end = room ? sheaf_node_bytes(leaf) + leaf->size - PLAIN_CELL_FRONT - COPY_SIZE : NULL;
    memcpy(cursor->key_buffer, sheaf_node_prefix(leaf).data, prefix_size);
    bool lone = cursor->depth == 0 && cursor->following;
    cursor->ahead = sheaf_node_bytes(lone ? cursor->following : leaf); /* the leaf's own first lines: nothing */
    cursor->ahead_stride = lone ? cursor->following_size / leaf->count + 1 : 0;
}

/*
 * With every entry that is read, a piece of the leaf that will be read next is fetched, so that all of it is there in time
 * and the fetches never queue. Halves the time of a scan: what the processor fetches by itself ends at the page, or at the
 * leaf. Two lines a time are what most leaves take, without a question; where there is nothing to fetch, lines that are
 * there.
 */
static inline const uint8_t *sheaf_fetch_ahead(const uint8_t *ahead, size_t stride)
{
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + CACHE_LINE);
    for (size_t at = 2 * CACHE_LINE; at < stride; at += CACHE_LINE) __builtin_prefetch(ahead + at);
    return ahead + stride;
}

/* Whether a cell has the common form: small sizes, its value inside. If so, its first byte turned right by one bit is the
 * size of the suffix; if its value lies elsewhere that number is large. */
static inline bool sheaf_cell_is_plain(const uint8_t *cell, size_t *out_suffix_size)
{
    uint8_t turned = (uint8_t)(cell[0] >> 1 | cell[0] << 7);
    *out_suffix_size = turned;
    return turned <= WIDE_SUFFIX_MAX && cell[1] < 128;
}

/* Sees to it that the neighbour of the leaf, on the side where reading goes on, is fetched while the rest of the leaf is
 * read; if the range goes on there and the neighbour is known without another cache miss. */
void sheaf_cursor_look_ahead(sheaf_cursor *cursor, sheaf_direction direction);

/* Reads the leaf's slot `slot`, whatever its cell is like. */
void sheaf_cursor_read_odd(sheaf_cursor *cursor, uint32_t slot);

/* Whether key and value are those of the leaf's slot `slot`, put together the plain way: the slow twin of all reading here.
 * */
bool sheaf_leaf_holds_entry(const struct sheaf_node *leaf, uint32_t slot, sheaf_bytes key, sheaf_bytes value);

/* Reads the leaf's slot `slot`, which is in the range. */
static inline void sheaf_cursor_read(sheaf_cursor *cursor, uint32_t slot)
{
    const uint8_t *at = sheaf_node_bytes(cursor->leaf) + cursor->leaf_offsets[slot];
    size_t suffix_size;
    if (at > cursor->leaf_wide_end || !sheaf_cell_is_plain(at, &suffix_size)) {
        sheaf_cursor_read_odd(cursor, slot);
        return;
    }
    uint8_t *suffix = cursor->key_buffer + cursor->leaf_prefix_size;
    size_t rest_size = suffix_size > HEAD_SIZE ? suffix_size - HEAD_SIZE : 0;
    sheaf_bytes_write_head(suffix, cursor->leaf_heads[slot]);
    memcpy(suffix + HEAD_SIZE, at + PLAIN_CELL_FRONT, COPY_SIZE);
    cursor->ahead = sheaf_fetch_ahead(cursor->ahead, cursor->ahead_stride);
    cursor->slot = slot;
    cursor->key = sheaf_bytes_of(cursor->key_buffer, cursor->leaf_prefix_size + suffix_size);
    cursor->value = sheaf_bytes_of(at + PLAIN_CELL_FRONT + rest_size, at[1]);
    sheaf_assert_slow(sheaf_leaf_holds_entry(cursor->leaf, slot, cursor->key, cursor->value));
}

#endif
