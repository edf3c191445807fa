/*
 * batch.c - many steps of a cursor at once.
 *
 * All entries of a batch come from one leaf, so nothing but the cells need be looked at for each. Their keys are put
 * together one behind the other in the cursor's key buffer, as many as it has room for.
 *
 *     key buffer   | prefix head rest | prefix head rest | prefix head rest |    room    |
 *                    entry 0            entry 1            entry 2, where the cursor stands in the end
 */
#include "engine/tree/cursor.h"

enum { PREFIX_STRIDE = COPY_SIZE / 2 };

/* Where a batch has got to. */
struct batch {
    sheaf_entry *next; /* to be filled */
    const sheaf_entry *end;
    uint8_t *key;  /* where the next key goes */
    uint32_t slot; /* where the next entry comes from */
};

/* Reads entries from plain cells while there is room for wide copies; stops at the first that is not so, or at the end. What
 * the compiler cannot know to stay the same while keys are written stands in variables of its own. */
static inline __attribute__((always_inline)) void read_plain(sheaf_cursor *cursor, struct batch *batch, bool up)
{
    const uint8_t *leaf = sheaf_node_bytes(cursor->leaf), *wide_end = cursor->leaf_wide_end;
    const uint32_t *heads = cursor->leaf_heads;
    const uint16_t *offsets = cursor->leaf_offsets;
    const uint8_t *prefix = sheaf_node_prefix(cursor->leaf).data;
    const size_t prefix_size = cursor->leaf_prefix_size;
    if (!wide_end) return;
    const uint8_t *key_end = cursor->key_buffer + cursor->key_buffer_size - (prefix_size + WIDE_SUFFIX_MAX);
    struct {
        uint8_t bytes[PREFIX_STRIDE];
    } front;
    memcpy(&front, prefix, PREFIX_STRIDE);
    sheaf_entry *entry = batch->next;
    uint8_t *key = batch->key;
    const uint8_t *ahead = cursor->ahead;
    const size_t stride = cursor->ahead_stride;
    size_t slot = batch->slot;
    for (; entry < batch->end && key <= key_end; entry++) {
        const uint8_t *at = leaf + offsets[slot];
        size_t suffix_size;
        if (at > wide_end || !sheaf_cell_is_plain(at, &suffix_size)) break;
        size_t rest_size = suffix_size > HEAD_SIZE ? suffix_size - HEAD_SIZE : 0;
        ahead = sheaf_fetch_ahead(ahead, stride);
        memcpy(key, &front, PREFIX_STRIDE);
        for (size_t i = PREFIX_STRIDE; i < prefix_size; i += PREFIX_STRIDE) memcpy(key + i, prefix + i, PREFIX_STRIDE);
        sheaf_bytes_write_head(key + prefix_size, heads[slot]);
        memcpy(key + prefix_size + HEAD_SIZE, at + PLAIN_CELL_FRONT, COPY_SIZE);
        entry->key = sheaf_bytes_of(key, prefix_size + suffix_size);
        entry->value = sheaf_bytes_of(at + PLAIN_CELL_FRONT + rest_size, at[1]);
        key += prefix_size + suffix_size;
        slot = up ? slot + 1 : slot - 1;
    }
    batch->next = entry;
    batch->key = key;
    cursor->ahead = ahead;
    batch->slot = (uint32_t)slot;
}

/* Reads one entry, whatever its cell is like. False if there is no room for its key. */
static bool read_odd(sheaf_cursor *cursor, struct batch *batch)
{
    struct sheaf_cell cell = sheaf_node_cell(cursor->leaf, batch->slot);
    size_t key_size = (size_t)cursor->leaf_prefix_size + cell.suffix_size;
    if (key_size > (size_t)(cursor->key_buffer + cursor->key_buffer_size - batch->key)) return false;
    memcpy(batch->key, sheaf_node_prefix(cursor->leaf).data, cursor->leaf_prefix_size);
    sheaf_suffix_write(batch->key + cursor->leaf_prefix_size, cursor->leaf_heads[batch->slot], &cell);
    batch->next->key = sheaf_bytes_of(batch->key, key_size);
    batch->next->value = sheaf_bytes_of(cell.value, cell.value_size);
    batch->key += key_size;
    cursor->ahead = sheaf_fetch_ahead(cursor->ahead, cursor->ahead_stride);
    return true;
}

/* The slow twin: whether the entries are those of the slots from `slot` on. Only named where slow assertions are off. */
static __attribute__((unused)) bool batch_is_right(const sheaf_cursor *cursor, uint32_t slot, const sheaf_entry *entries,
                                                   size_t count, bool up)
{
    for (size_t i = 0; i < count; i++) {
        if (!sheaf_leaf_holds_entry(cursor->leaf, slot, entries[i].key, entries[i].value)) return false;
        slot = up ? slot + 1 : slot - 1;
    }
    return true;
}

/* Reads up to `count` > 0 entries of the leaf from `slot` on; there is always room for the first. */
static inline __attribute__((always_inline)) size_t read_many(sheaf_cursor *cursor, uint32_t slot, sheaf_entry *entries,
                                                              size_t count, bool up)
{
    struct batch batch = { .next = entries, .end = entries + count, .key = cursor->key_buffer, .slot = slot };
    for (read_plain(cursor, &batch, up); batch.next < batch.end; read_plain(cursor, &batch, up)) {
        if (!read_odd(cursor, &batch)) break;
        batch.next++;
        batch.slot = up ? batch.slot + 1 : batch.slot - 1;
    }
    sheaf_assert(batch.next > entries);
    sheaf_assert_slow(batch_is_right(cursor, slot, entries, (size_t)(batch.next - entries), up));
    cursor->slot = up ? batch.slot - 1 : batch.slot + 1;
    cursor->key = batch.next[-1].key;
    cursor->value = batch.next[-1].value;
    return (size_t)(batch.next - entries);
}

size_t sheaf_tree_cursor_next_many(sheaf_cursor *cursor, sheaf_entry *out_entries, size_t capacity)
{
    if (capacity == 0) return 0;
    uint32_t slot = cursor->slot + 1;
    if (*cursor->changes != cursor->changes_seen || slot >= cursor->slot_end) {
        if (!sheaf_tree_cursor_next(cursor)) return 0;
        slot = cursor->slot;
    }
    size_t left = cursor->slot_end - slot;
    if (capacity > left && cursor->ahead_stride == 0) sheaf_cursor_look_ahead(cursor, SHEAF_FORWARD);
    return read_many(cursor, slot, out_entries, sheaf_size_min(left, capacity), true);
}

size_t sheaf_tree_cursor_previous_many(sheaf_cursor *cursor, sheaf_entry *out_entries, size_t capacity)
{
    if (capacity == 0) return 0;
    uint32_t slot = cursor->slot - 1;
    if (*cursor->changes != cursor->changes_seen || cursor->slot <= cursor->slot_begin) {
        if (!sheaf_tree_cursor_previous(cursor)) return 0;
        slot = cursor->slot;
    }
    size_t left = slot + 1 - cursor->slot_begin;
    if (capacity > left && cursor->ahead_stride == 0) sheaf_cursor_look_ahead(cursor, SHEAF_REVERSE);
    return read_many(cursor, slot, out_entries, sheaf_size_min(left, capacity), false);
}
