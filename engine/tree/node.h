/*
 * node.h - the slotted node that leaves and branches share.
 *
 *   0        24                                                       heap                    tail   size
 *   +--------+--------+-------+--------------------------- - - ---------+---------- - - --------+- - -+
 *   | header | prefix | (pad) | arrays                        gap       | cells, in any order   | room |
 *   +--------+--------+-------+--------------------------- - - ---------+---------- - - --------+- - -+
 *              what all           both sides grow into the gap                                   behind them only in
 *              keys share                                                                        a leaf filled in order
 *
 *   arrays of a leaf      | uses | tags | (pad) | offsets | (pad) | heads | (pad) | deadlines | bound |
 *                           0 or 1, 1, 2, 4, 0 or 8 bytes a slot
 *   arrays of a branch    | heads | offsets | (pad) | children | sums | bound |        4, 2, 8, 16 bytes a slot
 *
 *   key of slot i  =  prefix | first 4 bytes of the suffix, in heads[i] | rest, in the cell
 *
 *   leaf cell    | suffix_size << 1 | 0 | value_size | rest | value |
 *                | suffix_size << 1 | 1 | large:8 birth:8 value_size:4 | rest |     the value lies out of line
 *   branch cell  | suffix_size << 1 | 0 | rest |                               no value
 *                  ^ sizes take 1 byte below 128, else 2
 *
 * The arrays have room for slot_max slots, of which count are used. A head is big-endian and zero-filled, so heads order as
 * the bytes do and most comparisons end in the heads array; no key byte is stored twice. A tag is a byte of the hash of the
 * whole key: a point read compares the leaf's tags many at a time and looks at no cell but the one it wants. That is why a leaf
 * begins with them, and goes on with the offsets: it is cache lines that a point read pays for, and so it wants half of those
 * in front of the cells; the heads it looks at, one of them, while the cell is on its way. A use is a byte
 * that says how an entry has been used; only leaves of a grove whose entries can be evicted have them. They lie before the tags
 * because a reader may mark one while another compares tags, sixteen at a time and so beyond the last. A link is a child with
 * the count and bytes of what lies below it; the children lie before the sums, so that a descent, which asks for no sums,
 * touches few lines. Nodes are blocks of the allocator's size classes up to SHEAF_NODE_SIZE, chosen to fit: a collection of
 * one entry is one small block. Only a node of very long keys may be larger (see split.h), never than NODE_SIZE_HARD.
 *
 * In a branch slot i leads to the child that holds the keys from separator i (included) to separator i + 1 (excluded). Slot 0
 * has no separator: its suffix is empty and plays no part in order or prefix.
 *
 * N1  Keys strictly ascend over the slots (in a branch from slot 1 on).
 * N2  Head bytes beyond the suffix are zero.
 * N3  Cells lie between heap and tail, do not overlap, and together with `dead` fill that space.
 * N4  count <= slot_max, and the arrays end at or before heap.
 * N5  A node has at least one slot; a child's level is one less than its parent's.
 * N6  A tag is that of its slot's key.
 * N7  All leaves of a grove keep uses, or none does; likewise deadlines.
 * N8  The bound is at most the earliest deadline of what lies below, and the highest number there is where none is kept.
 */
#ifndef SHEAF_TREE_NODE_H
#define SHEAF_TREE_NODE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <sheaf/limits.h>
#include <sheaf/store.h>

#include "engine/base/assert.h"
#include "engine/base/bytes.h"
#include "engine/tree/tree.h"

/* Size a node grows to before it splits, in bytes. Chosen by measuring, beside 3.5, 4, 5, 6 and 14 KiB: puts, deletes, bulk builds
 * and scans gain with size, up to a quarter against 4 KiB, gets a little; short ranges of paths lose a tenth. And jemalloc gives
 * four blocks of 7 KiB at a time, of 4 KiB one, which takes as long. Tests shrink it. */
#ifndef SHEAF_NODE_SIZE
#define SHEAF_NODE_SIZE 7168
#endif

enum {
    NODE_SIZE_HARD = 65535,                       /* offsets are 16 bits wide */
    NODE_SPLIT_COUNT_MIN = 4,                     /* fewer slots than this never split, whatever they weigh */
    VALUE_INLINE_SIZE_MAX = SHEAF_NODE_SIZE / 8,  /* larger values lie out of line */
    CACHE_LINE = 64,
    NODE_FRONT_LINES = 8,                         /* hold header, prefix and arrays of most leaves */
    LEAF_POINT_LINES = 4,                         /* of these, what a point read wants: all but the heads */
    LARGE_REFERENCE_SIZE = 20,                    /* address, birth and size of a value out of line */
    EXTRA_USE = 1,                                /* uses, as the grove keeps them */
    EXTRA_DUE = 8,                                /* deadlines, likewise */
};

struct sheaf_node {
    uint64_t birth;       /* grove version when it was made */
    uint16_t size;        /* of the block */
    uint16_t count;       /* slots used */
    uint16_t slot_max;    /* slots there is room for */
    uint16_t heap;        /* offset of the lowest cell */
    uint16_t tail;        /* where the highest cell ends: heap if there is none */
    uint16_t dead;        /* bytes between heap and tail that no cell uses */
    uint16_t prefix_size;
    uint8_t level;        /* 0: leaf */
    uint8_t extra_size;   /* what is kept besides: EXTRA_USE, in leaves, and EXTRA_DUE */
};

_Static_assert(sizeof(struct sheaf_node) == 24, "the prefix starts at byte 24");
_Static_assert(SHEAF_NODE_SIZE >= 192 && SHEAF_NODE_SIZE <= 32768, "a full node must be able to split");
_Static_assert(VALUE_INLINE_SIZE_MAX < 32768, "a value size in a cell takes at most 15 bits");
/*
 * What a node can weigh at most. Below four slots: four keys and values of the largest size, checked here. With more it is cut
 * in two as soon as it is above SHEAF_NODE_SIZE; a half weighs at most half of the whole and one entry, W' <= (W + E) / 2 + E,
 * so W stays below 3 E and what fits SHEAF_NODE_SIZE. A key that breaks a long prefix, which would weigh on every entry, is cut
 * off alone.
 */
_Static_assert(NODE_SPLIT_COUNT_MIN * (SHEAF_SORT_KEY_SIZE_HARD + VALUE_INLINE_SIZE_MAX + 64) < NODE_SIZE_HARD,
               "nodes that do not split for want of slots fit 16-bit offsets");

/* What a branch keeps of a child: where it is and what lies below it. */
struct sheaf_link {
    _Alignas(8) struct sheaf_node *child; /* on 32 bits too: links are the same everywhere */
    sheaf_totals totals;
};

_Static_assert(sizeof(struct sheaf_link) == 24, "links are packed");

/* A decoded cell. Pointers borrow from the node. */
struct sheaf_cell {
    uint32_t suffix_size;  /* key bytes after the prefix */
    uint32_t rest_size;    /* of these, how many follow the head */
    uint32_t value_size;
    bool large;            /* value lies out of line */
    const uint8_t *rest;
    const uint8_t *value;  /* readable bytes, in the cell or out of line; NULL in a branch */
    uint32_t size;         /* of the cell itself */
};

/* ---- where things are --------------------------------------------------------------------------------------------------- */

static inline bool sheaf_node_is_leaf(const struct sheaf_node *node)
{
    return node->level == 0;
}

static inline const uint8_t *sheaf_node_bytes(const struct sheaf_node *node)
{
    return (const uint8_t *)node;
}

static inline sheaf_bytes sheaf_node_prefix(const struct sheaf_node *node)
{
    return sheaf_bytes_of(sheaf_node_bytes(node) + sizeof *node, node->prefix_size);
}

/* Begins to fetch what a search looks at first. */
static inline __attribute__((always_inline)) void sheaf_node_prefetch(const struct sheaf_node *node)
{
    for (uint32_t line = 0; line < NODE_FRONT_LINES; line++) __builtin_prefetch(sheaf_node_bytes(node) + line * CACHE_LINE);
}

/* The same of a leaf for a point read. */
static inline __attribute__((always_inline)) void sheaf_leaf_prefetch_point(const struct sheaf_node *leaf)
{
    for (uint32_t line = 0; line < LEAF_POINT_LINES; line++) __builtin_prefetch(sheaf_node_bytes(leaf) + line * CACHE_LINE);
}

/* Bytes before the slot arrays. */
static inline uint32_t sheaf_node_front_size(uint32_t prefix_size)
{
    return ((uint32_t)sizeof(struct sheaf_node) + prefix_size + 7U) & ~7U;
}

/* Where the offsets of a leaf's arrays begin, and where the heads, counted from the start of the arrays. */
static inline uint32_t sheaf_leaf_offsets_from_start(uint32_t extra_size, uint32_t slots)
{
    return (slots * (1 + (extra_size & EXTRA_USE)) + 1U) & ~1U;
}

static inline uint32_t sheaf_leaf_heads_from_start(uint32_t extra_size, uint32_t slots)
{
    return (sheaf_leaf_offsets_from_start(extra_size, slots) + slots * (uint32_t)sizeof(uint16_t) + 3U) & ~3U;
}

/* Where the deadlines of a leaf begin, and where the links of a branch. */
static inline uint32_t sheaf_leaf_dues_from_start(uint32_t extra_size, uint32_t slots)
{
    return (sheaf_leaf_heads_from_start(extra_size, slots) + slots * (uint32_t)sizeof(uint32_t) + 7U) & ~7U;
}

static inline uint32_t sheaf_branch_links_from_start(uint32_t slots)
{
    return (slots * (uint32_t)(sizeof(uint32_t) + sizeof(uint16_t)) + 7U) & ~7U;
}

/* Bytes that the arrays of `slots` slots take, with the node's bound last where there are deadlines. `extra_size` is that of the
 * grove. */
static inline uint32_t sheaf_node_arrays_size(uint32_t level, uint32_t extra_size, uint32_t slots)
{
    if (level > 0) {
        uint32_t size = sheaf_branch_links_from_start(slots) + slots * (uint32_t)sizeof(struct sheaf_link);
        return extra_size & EXTRA_DUE ? size + (uint32_t)sizeof(uint64_t) : size;
    }
    if (extra_size & EXTRA_DUE) return sheaf_leaf_dues_from_start(extra_size, slots) + (slots + 1) * (uint32_t)sizeof(uint64_t);
    return sheaf_leaf_heads_from_start(extra_size, slots) + slots * (uint32_t)sizeof(uint32_t);
}

static inline uint32_t sheaf_node_arrays_end(const struct sheaf_node *node)
{
    return sheaf_node_front_size(node->prefix_size) + sheaf_node_arrays_size(node->level, node->extra_size, node->slot_max);
}

/* Bytes free between the arrays and the cells. */
static inline uint32_t sheaf_node_gap(const struct sheaf_node *node)
{
    return node->heap - sheaf_node_arrays_end(node);
}

/* Bytes free behind the cells: most of a leaf that is being filled in order, where cells go up as keys do; else none. */
static inline uint32_t sheaf_node_tail_room(const struct sheaf_node *node)
{
    return (uint32_t)node->size - node->tail;
}

/* Bytes of the cells. */
static inline uint32_t sheaf_node_live_size(const struct sheaf_node *node)
{
    return (uint32_t)node->tail - node->heap - node->dead;
}

/* Of a leaf, like the four that follow: where the tags begin. */
static inline uint32_t sheaf_node_tags_at(const struct sheaf_node *leaf)
{
    sheaf_assert(sheaf_node_is_leaf(leaf));
    return sheaf_node_front_size(leaf->prefix_size) + (leaf->extra_size & EXTRA_USE ? leaf->slot_max : 0U);
}

static inline const uint8_t *sheaf_node_tags(const struct sheaf_node *leaf)
{
    return sheaf_node_bytes(leaf) + sheaf_node_tags_at(leaf);
}

static inline uint8_t *sheaf_node_tags_writable(struct sheaf_node *leaf)
{
    return (uint8_t *)leaf + sheaf_node_tags_at(leaf);
}

static inline bool sheaf_leaf_keeps_uses(const struct sheaf_node *leaf)
{
    return (leaf->extra_size & EXTRA_USE) != 0;
}

static inline bool sheaf_leaf_keeps_dues(const struct sheaf_node *leaf)
{
    return (leaf->extra_size & EXTRA_DUE) != 0;
}

/* Where they are kept. */
static inline const uint8_t *sheaf_node_uses(const struct sheaf_node *leaf)
{
    sheaf_assert(leaf->extra_size & EXTRA_USE);
    return sheaf_node_bytes(leaf) + sheaf_node_front_size(leaf->prefix_size);
}

static inline uint8_t *sheaf_node_uses_writable(struct sheaf_node *leaf)
{
    sheaf_assert(leaf->extra_size & EXTRA_USE);
    return (uint8_t *)leaf + sheaf_node_front_size(leaf->prefix_size);
}

/* The arrays of a leaf, found together: for what is done to a leaf often. */
struct sheaf_leaf_arrays {
    uint8_t *tags;
    uint16_t *offsets;
    uint32_t *heads;
};

static inline __attribute__((always_inline)) struct sheaf_leaf_arrays sheaf_leaf_arrays(struct sheaf_node *leaf)
{
    sheaf_assert(sheaf_node_is_leaf(leaf));
    uint8_t *start = (uint8_t *)leaf + sheaf_node_front_size(leaf->prefix_size);
    uint32_t slots = leaf->slot_max, extra_size = leaf->extra_size;
    return (struct sheaf_leaf_arrays){
        .tags = start + (extra_size & EXTRA_USE ? slots : 0U),
        .offsets = (uint16_t *)(void *)(start + sheaf_leaf_offsets_from_start(extra_size, slots)),
        .heads = (uint32_t *)(void *)(start + sheaf_leaf_heads_from_start(extra_size, slots)),
    };
}

static inline uint32_t sheaf_node_heads_at(const struct sheaf_node *node)
{
    uint32_t behind = sheaf_node_is_leaf(node) ? sheaf_leaf_heads_from_start(node->extra_size, node->slot_max) : 0;
    return sheaf_node_front_size(node->prefix_size) + behind;
}

static inline const uint32_t *sheaf_node_heads(const struct sheaf_node *node)
{
    return (const uint32_t *)(const void *)(sheaf_node_bytes(node) + sheaf_node_heads_at(node));
}

static inline uint32_t *sheaf_node_heads_writable(struct sheaf_node *node)
{
    return (uint32_t *)(void *)((uint8_t *)node + sheaf_node_heads_at(node));
}

static inline uint32_t sheaf_node_offsets_at(const struct sheaf_node *node)
{
    uint32_t behind = sheaf_node_is_leaf(node) ? sheaf_leaf_offsets_from_start(node->extra_size, node->slot_max)
                                               : node->slot_max * (uint32_t)sizeof(uint32_t);
    return sheaf_node_front_size(node->prefix_size) + behind;
}

static inline const uint16_t *sheaf_node_offsets(const struct sheaf_node *node)
{
    return (const uint16_t *)(const void *)(sheaf_node_bytes(node) + sheaf_node_offsets_at(node));
}

static inline uint16_t *sheaf_node_offsets_writable(struct sheaf_node *node)
{
    return (uint16_t *)(void *)((uint8_t *)node + sheaf_node_offsets_at(node));
}

/* The deadlines, in a leaf that keeps them. */
static inline uint32_t sheaf_node_dues_at(const struct sheaf_node *leaf)
{
    return sheaf_node_front_size(leaf->prefix_size) + sheaf_leaf_dues_from_start(leaf->extra_size, leaf->slot_max);
}

static inline const uint64_t *sheaf_node_dues(const struct sheaf_node *leaf)
{
    sheaf_assert(sheaf_leaf_keeps_dues(leaf));
    return (const uint64_t *)(const void *)(sheaf_node_bytes(leaf) + sheaf_node_dues_at(leaf));
}

static inline uint64_t *sheaf_node_dues_writable(struct sheaf_node *leaf)
{
    sheaf_assert(sheaf_leaf_keeps_dues(leaf));
    return (uint64_t *)(void *)((uint8_t *)leaf + sheaf_node_dues_at(leaf));
}

/* The bound of a node: no deadline below is earlier. The highest number where none is kept. */
static inline uint64_t sheaf_node_due(const struct sheaf_node *node)
{
    uint64_t due = UINT64_MAX;
    if (node->extra_size & EXTRA_DUE)
        memcpy(&due, sheaf_node_bytes(node) + sheaf_node_arrays_end(node) - sizeof due, sizeof due);
    return due;
}

static inline void sheaf_node_set_due(struct sheaf_node *node, uint64_t due)
{
    if (node->extra_size & EXTRA_DUE)
        memcpy((uint8_t *)node + sheaf_node_arrays_end(node) - sizeof due, &due, sizeof due);
}

/* Something with this deadline is below the node now. */
static inline void sheaf_node_lower_due(struct sheaf_node *node, uint64_t due)
{
    if (due < sheaf_node_due(node)) sheaf_node_set_due(node, due);
}

/* Gives a slot of a leaf its deadline, if the leaf keeps them. */
static inline void sheaf_leaf_set_due(struct sheaf_node *leaf, uint32_t slot, uint64_t due)
{
    if (!sheaf_leaf_keeps_dues(leaf)) return;
    sheaf_node_dues_writable(leaf)[slot] = due;
    sheaf_node_lower_due(leaf, due);
}

/* Notes that the entry in a slot was read. An entry read all the time is not written all the time. */
static inline void sheaf_leaf_note_use(struct sheaf_node *leaf, uint32_t slot, const struct sheaf_use *use)
{
    uint8_t *at = sheaf_node_uses_writable(leaf) + slot;
    uint8_t before = __atomic_load_n(at, __ATOMIC_RELAXED);
    uint8_t after = use->used[before];
    if (after != before) __atomic_store_n(at, after, __ATOMIC_RELAXED);
}

/* Of a branch: where its links begin. */
static inline uint32_t sheaf_node_links_at(const struct sheaf_node *branch)
{
    sheaf_assert(!sheaf_node_is_leaf(branch));
    return sheaf_node_front_size(branch->prefix_size) + sheaf_branch_links_from_start(branch->slot_max);
}

/* Of a branch, like the following. */
static inline struct sheaf_node *const *sheaf_node_children(const struct sheaf_node *branch)
{
    return (struct sheaf_node *const *)(const void *)(sheaf_node_bytes(branch) + sheaf_node_links_at(branch));
}

static inline struct sheaf_node **sheaf_node_children_writable(struct sheaf_node *branch)
{
    return (struct sheaf_node **)(void *)((uint8_t *)branch + sheaf_node_links_at(branch));
}

static inline uint32_t sheaf_node_sums_at(const struct sheaf_node *branch)
{
    return sheaf_node_links_at(branch) + branch->slot_max * (uint32_t)(sizeof(struct sheaf_link) - sizeof(sheaf_totals));
}

static inline const sheaf_totals *sheaf_node_sums(const struct sheaf_node *branch)
{
    return (const sheaf_totals *)(const void *)(sheaf_node_bytes(branch) + sheaf_node_sums_at(branch));
}

static inline sheaf_totals *sheaf_node_sums_writable(struct sheaf_node *branch)
{
    return (sheaf_totals *)(void *)((uint8_t *)branch + sheaf_node_sums_at(branch));
}

static inline struct sheaf_link sheaf_node_link(const struct sheaf_node *branch, uint32_t slot)
{
    return (struct sheaf_link){ .child = sheaf_node_children(branch)[slot], .totals = sheaf_node_sums(branch)[slot] };
}

static inline void sheaf_node_set_link(struct sheaf_node *branch, uint32_t slot, const struct sheaf_link *link)
{
    sheaf_node_children_writable(branch)[slot] = link->child;
    sheaf_node_sums_writable(branch)[slot] = link->totals;
}

/* ---- cells -------------------------------------------------------------------------------------------------------------- */

static inline uint32_t sheaf_cell_number_size(uint32_t number)
{
    return number < 128 ? 1 : 2;
}

/* Decodes the cell at `at`, of a leaf or a branch. Forced inline: it is the inner loop of every scan. */
static inline __attribute__((always_inline)) struct sheaf_cell sheaf_cell_decode(const uint8_t *at, bool leaf)
{
    const uint8_t *start = at;
    struct sheaf_cell cell;
    uint32_t number = *at++;
    if (number >= 128) number = (number & 127U) << 8 | *at++;
    cell.suffix_size = number >> 1;
    cell.rest_size = cell.suffix_size > 4 ? cell.suffix_size - 4 : 0;
    cell.large = leaf && (number & 1U) != 0;
    if (cell.large) {
        memcpy(&cell.value, at, sizeof cell.value);
        memcpy(&cell.value_size, at + 2 * sizeof(uint64_t), sizeof cell.value_size);
        cell.rest = at + LARGE_REFERENCE_SIZE;
        cell.size = (uint32_t)(cell.rest - start) + cell.rest_size;
        return cell;
    }
    cell.value_size = 0;
    if (leaf) {
        cell.value_size = *at++;
        if (cell.value_size >= 128) cell.value_size = (cell.value_size & 127U) << 8 | *at++;
    }
    cell.rest = at;
    cell.value = leaf ? at + cell.rest_size : NULL;
    cell.size = (uint32_t)(at - start) + cell.rest_size + cell.value_size;
    return cell;
}

static inline struct sheaf_cell sheaf_node_cell(const struct sheaf_node *node, uint32_t slot)
{
    sheaf_assert(slot < node->count);
    return sheaf_cell_decode(sheaf_node_bytes(node) + sheaf_node_offsets(node)[slot], sheaf_node_is_leaf(node));
}

/* Bytes of a slot's key. */
static inline uint32_t sheaf_node_key_size(const struct sheaf_node *node, uint32_t slot)
{
    return node->prefix_size + sheaf_node_cell(node, slot).suffix_size;
}

/* Writes a suffix, from its head and rest, to `out`. */
static inline void sheaf_suffix_write(uint8_t *out, uint32_t head, const struct sheaf_cell *cell)
{
    if (cell->suffix_size >= 4) {
        sheaf_bytes_write_head(out, head);
        memcpy(out + 4, cell->rest, cell->rest_size);
        return;
    }
    for (uint32_t i = 0; i < cell->suffix_size; i++) out[i] = (uint8_t)(head >> (24 - 8 * i));
}

/* Writes a slot's whole key to `out`, which has room for any key; returns it. */
sheaf_bytes sheaf_node_key(const struct sheaf_node *node, uint32_t slot, uint8_t *out);

/* Logical bytes of a leaf's slot: key and value. */
static inline uint64_t sheaf_node_entry_bytes(const struct sheaf_node *node, uint32_t slot)
{
    struct sheaf_cell cell = sheaf_node_cell(node, slot);
    return (uint64_t)node->prefix_size + cell.suffix_size + cell.value_size;
}

/* What lies below a node, from its own slots. */
sheaf_totals sheaf_node_totals(const struct sheaf_node *node);

/* Bytes a node needs for what it holds: the size of the smallest block that would do. */
uint32_t sheaf_node_used(const struct sheaf_node *node);

/* ---- what is to be stored ----------------------------------------------------------------------------------------------- */

/*
 * A leaf's value as it is to be stored: bytes for the cell, or a large block already made (then `bytes` is what it holds).
 */
struct sheaf_payload {
    sheaf_bytes bytes;
    uint8_t *large; /* the block, of just the value's bytes; NULL: in the cell */
    uint64_t birth; /* of a large value, stamped like a node so that views can share it */
    uint8_t use;    /* of the entry, where uses are kept */
    uint64_t due;   /* likewise its deadline */
};

/* The payload of a leaf's cell as it is, but for its use and its deadline. */
static inline struct sheaf_payload sheaf_cell_payload(const struct sheaf_cell *cell)
{
    struct sheaf_payload payload = { .bytes = sheaf_bytes_of(cell->value, cell->value_size) };
    if (cell->large) {
        const uint8_t *reference = cell->rest - LARGE_REFERENCE_SIZE;
        memcpy(&payload.large, reference, sizeof payload.large);
        memcpy(&payload.birth, reference + sizeof(uint64_t), sizeof payload.birth);
    }
    return payload;
}

/* Bytes of a cell for a suffix of this size. `payload` NULL: a branch's. */
static inline uint32_t sheaf_cell_size(uint32_t suffix_size, const struct sheaf_payload *payload)
{
    uint32_t size = sheaf_cell_number_size(suffix_size << 1) + (suffix_size > 4 ? suffix_size - 4 : 0);
    if (!payload) return size;
    if (payload->large) return size + LARGE_REFERENCE_SIZE;
    uint32_t value_size = (uint32_t)payload->bytes.size;
    return size + sheaf_cell_number_size(value_size) + value_size;
}

/* ---- changes in place --------------------------------------------------------------------------------------------------- */

/* A block for a node of `size` bytes, header filled in, no slots. NULL when memory is refused. */
struct sheaf_node *sheaf_node_allocate(struct sheaf_grove *grove, uint32_t size, uint32_t level, sheaf_bytes prefix,
                                       uint32_t slot_max);

/* Frees the block of a node, not what it refers to. */
void sheaf_node_free(struct sheaf_grove *grove, struct sheaf_node *node);

/* Whether a key of this node's prefix fits in as a new slot without moving any cell. `payload` NULL: a branch's. */
bool sheaf_node_fits(const struct sheaf_node *node, sheaf_bytes key, const struct sheaf_payload *payload);

/* Inserts a slot; it must fit. `link` in a branch, `payload` in a leaf, the other NULL. */
void sheaf_node_insert(struct sheaf_node *node, uint32_t slot, sheaf_bytes key, const struct sheaf_payload *payload,
                       const struct sheaf_link *link);

/* The same in a leaf, of a key whose tag is `tag`. */
void sheaf_leaf_insert(struct sheaf_node *leaf, uint32_t slot, sheaf_bytes key, uint8_t tag,
                       const struct sheaf_payload *payload);

/* Does that behind all other slots if the key is above them, and if there is room behind the cells and in the
 * arrays as they are: what happens again and again in a leaf that is being filled in order. False, with nothing done, else. */
bool sheaf_leaf_append(struct sheaf_node *leaf, sheaf_bytes key, uint8_t tag, const struct sheaf_payload *payload);

/* Makes way for `cells_size` bytes of cells in a node just allocated, to be filled by sheaf_node_append(): at its end, or
 * `upwards` from its arrays, so that room stays behind them. */
void sheaf_node_begin_cells(struct sheaf_node *node, uint32_t cells_size, bool upwards);

/* Appends a slot in a node being built, its suffix given as head and rest, its tag (not used in a branch); `at` is where its
 * cell goes, and is moved behind it. So cells lie in key order, upwards: scans stream. Same rule for payload and link. */
void sheaf_node_append(struct sheaf_node *node, uint32_t *at, uint32_t head, uint32_t suffix_size, sheaf_bytes rest,
                       uint8_t tag, const struct sheaf_payload *payload, const struct sheaf_link *link);

/* Writes a cell. `rest` is the suffix without its first four bytes; `payload` NULL in a branch. */
void sheaf_cell_write(uint8_t *out, uint32_t suffix_size, sheaf_bytes rest, const struct sheaf_payload *payload);

/* ---- slots that go over from one leaf to another (transfer.c) ----------------------------------------------------------- */

/* Bytes that the cells of a leaf's slots from `begin` to before `end` would take under a prefix of `prefix_size` bytes, which
 * their keys share. */
uint32_t sheaf_leaf_cells_size(const struct sheaf_node *leaf, uint32_t begin, uint32_t end, uint32_t prefix_size);

/* Appends slots of another leaf, whose keys all begin with this one's prefix. Same rule for `at`. */
void sheaf_leaf_append_slots(struct sheaf_node *leaf, uint32_t *at, const struct sheaf_node *from, uint32_t begin,
                             uint32_t end);

/* Whether the value of a leaf's slot can be replaced in place. */
bool sheaf_node_can_replace(const struct sheaf_node *node, uint32_t slot, const struct sheaf_payload *payload);

/* Replaces the value of a leaf's slot if that needs no cell to move; false: it does. */
bool sheaf_node_replace(struct sheaf_node *node, uint32_t slot, const struct sheaf_payload *payload);

/* Deletes the slots from `begin` to before `end`; the node may be left with none, to be dropped by the caller. In a branch the
 * slot that becomes first loses its separator. Does not free what the slots refer to. */
void sheaf_node_delete(struct sheaf_node *node, uint32_t begin, uint32_t end);

#endif
