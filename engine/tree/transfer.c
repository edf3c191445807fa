/*
 * transfer.c - slots that go over from one leaf to another.
 *
 * Nodes are built anew when they grow, split or merge (run.h), and nearly all of their slots come from a leaf that had them.
 * Under the same prefix cells go over as they are. Under another the bytes between the two move from one side to the other:
 *
 *      longer    abc | d e f g ...       shorter    abcde | f g ...
 *                abcd  | e f g ...                  abc   | d e f g ...
 *                        ^ head and rest, shifted             ^ the prefix's tail, before what was there
 */
#include "engine/tree/node.h"

/* A cell's bytes with `suffix_size` instead of its own. */
static uint32_t resized(const struct sheaf_cell *cell, uint32_t suffix_size)
{
    uint32_t size = cell->size - cell->rest_size - sheaf_cell_number_size(cell->suffix_size << 1);
    return size + (suffix_size > 4 ? suffix_size - 4 : 0) + sheaf_cell_number_size(suffix_size << 1);
}

uint32_t sheaf_leaf_cells_size(const struct sheaf_node *leaf, uint32_t begin, uint32_t end, uint32_t prefix_size)
{
    sheaf_assert(sheaf_node_is_leaf(leaf));
    uint32_t size = 0;
    const uint16_t *offsets = sheaf_node_offsets(leaf);
    for (uint32_t slot = begin; slot < end; slot++) {
        struct sheaf_cell cell = sheaf_cell_decode(sheaf_node_bytes(leaf) + offsets[slot], true);
        size += resized(&cell, cell.suffix_size + leaf->prefix_size - prefix_size);
    }
    return size;
}

/* Copies cells as they are; neighbours that lie side by side go in one piece. */
static void copy_cells(struct sheaf_node *leaf, uint32_t *at, const struct sheaf_node *from, uint32_t begin, uint32_t end)
{
    uint16_t *out = sheaf_node_offsets_writable(leaf) + leaf->count;
    const uint16_t *offsets = sheaf_node_offsets(from);
    memcpy(sheaf_node_heads_writable(leaf) + leaf->count, sheaf_node_heads(from) + begin, (end - begin) * sizeof(uint32_t));
    for (uint32_t slot = begin; slot < end;) {
        uint32_t start = offsets[slot];
        uint32_t stop = start;
        do {
            *out++ = (uint16_t)(*at + (stop - start));
            stop += sheaf_cell_decode(sheaf_node_bytes(from) + stop, true).size;
            slot++;
        } while (slot < end && offsets[slot] == stop);
        sheaf_assert(*at + (stop - start) <= leaf->size);
        memcpy((uint8_t *)leaf + *at, sheaf_node_bytes(from) + start, stop - start);
        *at += stop - start;
    }
}

/* Writes a cell at `at` and moves that behind it; returns its offset. */
static uint16_t put_cell(struct sheaf_node *leaf, uint32_t *at, uint32_t suffix_size, sheaf_bytes rest,
                         const struct sheaf_payload *payload)
{
    uint32_t offset = *at;
    *at += sheaf_cell_size(suffix_size, payload);
    sheaf_assert(*at <= leaf->size);
    sheaf_cell_write((uint8_t *)leaf + offset, suffix_size, rest, payload);
    return (uint16_t)offset;
}

/* The head of a suffix, given as head and rest, without its first `shift` bytes. */
static uint32_t shifted_head(uint32_t head, sheaf_bytes rest, uint32_t shift)
{
    if (shift >= 4) return sheaf_bytes_head(sheaf_bytes_skip(rest, sheaf_size_min(shift - 4, rest.size)));
    uint32_t next = sheaf_bytes_head(sheaf_bytes_of(rest.data, sheaf_size_min(shift, rest.size)));
    return shift == 0 ? head : head << (8 * shift) | next >> (32 - 8 * shift);
}

/* Writes a cell with less of its suffix; returns where it ends. What is left of the suffix and the value lie in one piece. */
static uint32_t shorten_cell(struct sheaf_node *leaf, uint32_t at, const struct sheaf_cell *cell, uint32_t suffix_size,
                             sheaf_bytes rest)
{
    uint8_t *out = (uint8_t *)leaf + at;
    if (cell->large || suffix_size >= 64 || cell->value_size >= 128) {
        struct sheaf_payload payload = sheaf_cell_payload(cell);
        sheaf_cell_write(out, suffix_size, rest, &payload);
        return at + sheaf_cell_size(suffix_size, &payload);
    }
    out[0] = (uint8_t)(suffix_size << 1);
    out[1] = (uint8_t)cell->value_size;
    size_t size = rest.size + cell->value_size;
    if (size > 0) memcpy(out + 2, cell->value - rest.size, size);
    sheaf_assert(at + 2 + size <= leaf->size);
    return at + 2 + (uint32_t)size;
}

/* Copies cells whose suffixes lose their first `shift` bytes. */
static void shorten_cells(struct sheaf_node *leaf, uint32_t *at, const struct sheaf_node *from, uint32_t begin, uint32_t end,
                          uint32_t shift)
{
    uint32_t *heads = sheaf_node_heads_writable(leaf) + leaf->count;
    uint16_t *offsets = sheaf_node_offsets_writable(leaf) + leaf->count;
    const uint8_t *bytes = sheaf_node_bytes(from);
    const uint32_t *from_heads = sheaf_node_heads(from);
    const uint16_t *from_offsets = sheaf_node_offsets(from);
    for (uint32_t slot = begin; slot < end; slot++) {
        struct sheaf_cell cell = sheaf_cell_decode(bytes + from_offsets[slot], true);
        sheaf_bytes rest = sheaf_bytes_of(cell.rest, cell.rest_size);
        sheaf_assert(cell.suffix_size >= shift);
        *heads++ = shifted_head(from_heads[slot], rest, shift);
        rest = sheaf_bytes_skip(rest, sheaf_size_min(shift, rest.size));
        *offsets++ = (uint16_t)*at;
        *at = shorten_cell(leaf, *at, &cell, cell.suffix_size - shift, rest);
    }
}

/* Copies cells whose suffixes begin with what the prefix loses. */
static void lengthen_cells(struct sheaf_node *leaf, uint32_t *at, const struct sheaf_node *from, uint32_t begin, uint32_t end)
{
    uint8_t suffix[SHEAF_SORT_KEY_SIZE_HARD];
    sheaf_bytes tail = sheaf_bytes_skip(sheaf_node_prefix(from), leaf->prefix_size);
    memcpy(suffix, tail.data, tail.size);
    uint32_t *heads = sheaf_node_heads_writable(leaf) + leaf->count;
    uint16_t *offsets = sheaf_node_offsets_writable(leaf) + leaf->count;
    for (uint32_t slot = begin; slot < end; slot++) {
        struct sheaf_cell cell = sheaf_node_cell(from, slot);
        struct sheaf_payload payload = sheaf_cell_payload(&cell);
        sheaf_suffix_write(suffix + tail.size, sheaf_node_heads(from)[slot], &cell);
        sheaf_bytes whole = sheaf_bytes_of(suffix, tail.size + cell.suffix_size);
        *heads++ = sheaf_bytes_head(whole);
        *offsets++ = put_cell(leaf, at, (uint32_t)whole.size, sheaf_bytes_skip(whole, sheaf_size_min(4, whole.size)), &payload);
    }
}

static void copy_dues(struct sheaf_node *leaf, const struct sheaf_node *from, uint32_t begin, uint32_t end)
{
    uint64_t *out = sheaf_node_dues_writable(leaf) + leaf->count;
    const uint64_t *dues = sheaf_node_dues(from);
    for (uint32_t slot = begin; slot < end; slot++) {
        *out++ = dues[slot];
        sheaf_node_lower_due(leaf, dues[slot]);
    }
}

void sheaf_leaf_append_slots(struct sheaf_node *leaf, uint32_t *at, const struct sheaf_node *from, uint32_t begin, uint32_t end)
{
    sheaf_assert(leaf->count + (end - begin) <= leaf->slot_max);
    memcpy(sheaf_node_tags_writable(leaf) + leaf->count, sheaf_node_tags(from) + begin, end - begin);
    if (sheaf_leaf_keeps_uses(leaf))
        memcpy(sheaf_node_uses_writable(leaf) + leaf->count, sheaf_node_uses(from) + begin, end - begin);
    if (sheaf_leaf_keeps_dues(leaf)) copy_dues(leaf, from, begin, end);
    if (leaf->prefix_size == from->prefix_size) {
        copy_cells(leaf, at, from, begin, end);
    } else if (leaf->prefix_size > from->prefix_size) {
        shorten_cells(leaf, at, from, begin, end, (uint32_t)leaf->prefix_size - from->prefix_size);
    } else {
        lengthen_cells(leaf, at, from, begin, end);
    }
    leaf->count = (uint16_t)(leaf->count + (end - begin));
}
