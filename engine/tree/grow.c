#include "engine/tree/grow.h"

static uint32_t cell_size_of(const struct sheaf_node *leaf, sheaf_bytes key, const struct sheaf_payload *payload)
{
    return sheaf_cell_size((uint32_t)key.size - leaf->prefix_size, payload);
}

/* Bytes that the leaf needs with a cell more. */
static uint32_t need_with(const struct sheaf_node *leaf, uint32_t cell_size)
{
    return sheaf_node_front_size(leaf->prefix_size) +
           sheaf_node_arrays_size(0, leaf->extra_size, leaf->count + 1U) + sheaf_node_live_size(leaf) + cell_size;
}

bool sheaf_leaf_can_grow(const struct sheaf_node *leaf, uint32_t slot, sheaf_bytes key, const struct sheaf_payload *payload)
{
    sheaf_assert(sheaf_node_is_leaf(leaf) && slot <= leaf->count);
    if (leaf->dead > 0 || !sheaf_bytes_starts_with(key, sheaf_node_prefix(leaf))) return false;
    const uint32_t *heads = sheaf_node_heads(leaf);
    uint32_t head = sheaf_bytes_head(sheaf_bytes_skip(key, leaf->prefix_size));
    uint32_t lowest = slot == 0 ? head : heads[0];
    uint32_t highest = slot == leaf->count ? head : heads[leaf->count - 1];
    if (lowest >> 24 == highest >> 24) return false; /* they may share more than the prefix */
    return need_with(leaf, cell_size_of(leaf, key, payload)) <= SHEAF_NODE_SIZE;
}

/* Copies an array with a gap of one at `slot`. */
static void copy_apart(void *to, const void *from, uint32_t slot, uint32_t count, size_t size)
{
    memcpy(to, from, slot * size);
    if (slot < count) memcpy((uint8_t *)to + (slot + 1) * size, (const uint8_t *)from + slot * size, (count - slot) * size);
}

/* The arrays but for what is new, offsets moved by `shift`. */
static void copy_arrays(struct sheaf_node *to, const struct sheaf_node *from, uint32_t slot, uint16_t shift)
{
    uint32_t count = from->count;
    copy_apart(sheaf_node_tags_writable(to), sheaf_node_tags(from), slot, count, sizeof(uint8_t));
    if (sheaf_leaf_keeps_uses(from))
        copy_apart(sheaf_node_uses_writable(to), sheaf_node_uses(from), slot, count, sizeof(uint8_t));
    if (sheaf_leaf_keeps_dues(from))
        copy_apart(sheaf_node_dues_writable(to), sheaf_node_dues(from), slot, count, sizeof(uint64_t));
    copy_apart(sheaf_node_heads_writable(to), sheaf_node_heads(from), slot, count, sizeof(uint32_t));
    uint16_t *offsets = sheaf_node_offsets_writable(to);
    const uint16_t *before = sheaf_node_offsets(from);
    for (uint32_t i = 0; i < slot; i++) offsets[i] = (uint16_t)(before[i] + shift);
    for (uint32_t i = slot; i < count; i++) offsets[i + 1] = (uint16_t)(before[i] + shift);
}

struct sheaf_node *sheaf_leaf_grow(struct sheaf_grove *grove, const struct sheaf_node *leaf, uint32_t slot, sheaf_bytes key,
                                   uint8_t tag, const struct sheaf_payload *payload, enum sheaf_room room, bool ordered)
{
    sheaf_assert(sheaf_leaf_can_grow(leaf, slot, key, payload));
    uint32_t cell_size = cell_size_of(leaf, key, payload), live_size = sheaf_node_live_size(leaf);
    uint32_t need = need_with(leaf, cell_size), count = leaf->count + 1U;
    uint32_t size = sheaf_room_block_size(grove, need, room);
    uint32_t weight = need - sheaf_node_front_size(leaf->prefix_size);
    uint32_t spare = ordered ? sheaf_room_ordered_slots(size, need, count, weight) : sheaf_room_spare_slots(size, need, count);
    struct sheaf_node *larger = sheaf_node_allocate(grove, size, 0, sheaf_node_prefix(leaf), count + spare);
    if (!larger) return NULL;
    sheaf_node_begin_cells(larger, live_size + cell_size, ordered);
    uint32_t cells_at = ordered ? larger->heap : larger->heap + cell_size;
    uint32_t cell_at = ordered ? larger->heap + live_size : larger->heap;
    memcpy((uint8_t *)larger + cells_at, sheaf_node_bytes(leaf) + leaf->heap, live_size);
    copy_arrays(larger, leaf, slot, (uint16_t)(cells_at - leaf->heap));
    sheaf_bytes suffix = sheaf_bytes_skip(key, leaf->prefix_size);
    sheaf_bytes rest = suffix.size > 4 ? sheaf_bytes_skip(suffix, 4) : sheaf_bytes_of(NULL, 0);
    sheaf_cell_write((uint8_t *)larger + cell_at, (uint32_t)suffix.size, rest, payload);
    sheaf_node_heads_writable(larger)[slot] = sheaf_bytes_head(suffix);
    sheaf_node_offsets_writable(larger)[slot] = (uint16_t)cell_at;
    sheaf_node_tags_writable(larger)[slot] = tag;
    if (sheaf_leaf_keeps_uses(leaf)) sheaf_node_uses_writable(larger)[slot] = payload->use;
    sheaf_node_set_due(larger, sheaf_node_due(leaf));
    sheaf_leaf_set_due(larger, slot, payload->due);
    larger->count = (uint16_t)count;
    return larger;
}
