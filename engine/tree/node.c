#include "engine/tree/node.h"

#include "engine/tree/search.h"
#include "engine/tree/tag.h"

enum {
    SLOT_STEP = 8, /* slots by which the arrays grow */
};

sheaf_bytes sheaf_node_key(const struct sheaf_node *node, uint32_t slot, uint8_t *out)
{
    struct sheaf_cell cell = sheaf_node_cell(node, slot);
    sheaf_bytes prefix = sheaf_node_prefix(node);
    memcpy(out, prefix.data, prefix.size);
    sheaf_suffix_write(out + prefix.size, sheaf_node_heads(node)[slot], &cell);
    return sheaf_bytes_of(out, prefix.size + cell.suffix_size);
}

sheaf_totals sheaf_node_totals(const struct sheaf_node *node)
{
    sheaf_totals totals = { 0 };
    if (sheaf_node_is_leaf(node)) {
        totals.count = node->count;
        for (uint32_t slot = 0; slot < node->count; slot++) totals.bytes += sheaf_node_entry_bytes(node, slot);
        return totals;
    }
    const sheaf_totals *sums = sheaf_node_sums(node);
    for (uint32_t slot = 0; slot < node->count; slot++) {
        totals.count += sums[slot].count;
        totals.bytes += sums[slot].bytes;
    }
    return totals;
}

uint32_t sheaf_node_used(const struct sheaf_node *node)
{
    return sheaf_node_front_size(node->prefix_size) + sheaf_node_arrays_size(node->level, node->extra_size, node->count) +
           sheaf_node_live_size(node);
}

struct sheaf_node *sheaf_node_allocate(struct sheaf_grove *grove, uint32_t size, uint32_t level, sheaf_bytes prefix,
                                       uint32_t slot_max)
{
    sheaf_assert(size <= NODE_SIZE_HARD);
    struct sheaf_node *node = sheaf_heap_allocate(&grove->heap, size);
    if (!node) return NULL;
    *node = (struct sheaf_node){
        .birth = grove->version,
        .size = (uint16_t)size,
        .slot_max = (uint16_t)slot_max,
        .heap = (uint16_t)size,
        .tail = (uint16_t)size,
        .prefix_size = (uint16_t)prefix.size,
        .level = (uint8_t)level,
        .extra_size = level == 0 ? (uint8_t)sheaf_grove_extra_size(grove) : grove->due.size,
    };
    if (prefix.size > 0) memcpy((uint8_t *)node + sizeof *node, prefix.data, prefix.size);
    sheaf_assert(sheaf_node_arrays_end(node) <= size); /* N4 */
    sheaf_node_set_due(node, UINT64_MAX);
    return node;
}

void sheaf_node_free(struct sheaf_grove *grove, struct sheaf_node *node)
{
    if (node) sheaf_heap_free(&grove->heap, node, node->size);
}

/* ---- cells -------------------------------------------------------------------------------------------------------------- */

static uint8_t *write_number(uint8_t *out, uint32_t number)
{
    sheaf_assert(number < 32768);
    if (number < 128) {
        *out++ = (uint8_t)number;
        return out;
    }
    *out++ = (uint8_t)(128U | number >> 8);
    *out++ = (uint8_t)number;
    return out;
}

void sheaf_cell_write(uint8_t *out, uint32_t suffix_size, sheaf_bytes rest, const struct sheaf_payload *payload)
{
    bool large = payload && payload->large;
    out = write_number(out, suffix_size << 1 | (large ? 1U : 0U));
    if (large) {
        uint32_t value_size = (uint32_t)payload->bytes.size;
        memset(out, 0, sizeof(uint64_t)); /* an address may be shorter */
        memcpy(out, &payload->large, sizeof payload->large);
        memcpy(out + sizeof(uint64_t), &payload->birth, sizeof payload->birth);
        memcpy(out + 2 * sizeof(uint64_t), &value_size, sizeof value_size);
        out += LARGE_REFERENCE_SIZE;
    } else if (payload) {
        out = write_number(out, (uint32_t)payload->bytes.size);
    }
    if (rest.size > 0) memcpy(out, rest.data, rest.size);
    if (payload && !large && payload->bytes.size > 0) memcpy(out + rest.size, payload->bytes.data, payload->bytes.size);
}

/* What a cell takes from the gap: nothing, if there is room for it behind the others. */
static uint32_t taken_from_gap(const struct sheaf_node *node, uint32_t cell_size)
{
    return cell_size <= sheaf_node_tail_room(node) ? 0 : cell_size;
}

/* Takes a cell's bytes, behind the others or else from the gap, and returns their offset. */
static uint16_t take_cell(struct sheaf_node *node, uint32_t cell_size)
{
    if (taken_from_gap(node, cell_size) == 0) {
        node->tail = (uint16_t)(node->tail + cell_size);
        return (uint16_t)(node->tail - cell_size);
    }
    sheaf_assert(cell_size <= sheaf_node_gap(node));
    node->heap = (uint16_t)(node->heap - cell_size);
    return node->heap;
}

static sheaf_bytes rest_of(sheaf_bytes suffix)
{
    return suffix.size > 4 ? sheaf_bytes_skip(suffix, 4) : sheaf_bytes_of(NULL, 0);
}

/* ---- slots -------------------------------------------------------------------------------------------------------------- */

/* What the arrays grow by for `more` slots. */
static uint32_t widening_size(const struct sheaf_node *node, uint32_t more)
{
    return sheaf_node_arrays_size(node->level, node->extra_size, node->slot_max + more) -
           sheaf_node_arrays_size(node->level, node->extra_size, node->slot_max);
}

/* Widens the arrays in place: from the last one down, each moves up by what those before it grow. */
static void widen_slots(struct sheaf_node *node, uint32_t more)
{
    sheaf_assert(widening_size(node, more) <= sheaf_node_gap(node));
    struct sheaf_node before = *node;
    uint64_t due = sheaf_node_due(node);
    const uint8_t *bytes = sheaf_node_bytes(node);
    node->slot_max = (uint16_t)(node->slot_max + more);
    if (sheaf_node_is_leaf(node)) {
        if (sheaf_leaf_keeps_dues(node)) {
            memmove(sheaf_node_dues_writable(node), bytes + sheaf_node_dues_at(&before), node->count * sizeof(uint64_t));
        }
        memmove(sheaf_node_heads_writable(node), bytes + sheaf_node_heads_at(&before), node->count * sizeof(uint32_t));
        memmove(sheaf_node_offsets_writable(node), bytes + sheaf_node_offsets_at(&before), node->count * sizeof(uint16_t));
        memmove(sheaf_node_tags_writable(node), bytes + sheaf_node_tags_at(&before), node->count);
        sheaf_node_set_due(node, due);
        return;
    }
    memmove(sheaf_node_sums_writable(node), bytes + sheaf_node_sums_at(&before), node->count * sizeof(sheaf_totals));
    memmove(sheaf_node_children_writable(node), bytes + sheaf_node_links_at(&before), node->count * sizeof(struct sheaf_node *));
    memmove(sheaf_node_offsets_writable(node), bytes + sheaf_node_offsets_at(&before), node->count * sizeof(uint16_t));
    sheaf_node_set_due(node, due);
}

/* How many slots to widen by for one more beside a cell of `cell_size` bytes: a step if the gap allows, else just one. */
static uint32_t widening(const struct sheaf_node *node, uint32_t cell_size)
{
    return widening_size(node, SLOT_STEP) + taken_from_gap(node, cell_size) <= sheaf_node_gap(node) ? SLOT_STEP : 1;
}

/* Opens a hole at `slot` in all arrays. */
static void open_slot(struct sheaf_node *node, uint32_t slot)
{
    sheaf_assert(node->count < node->slot_max);
    sheaf_assert(slot <= node->count);
    uint32_t after = node->count - slot;
    uint32_t *heads = sheaf_node_heads_writable(node);
    uint16_t *offsets = sheaf_node_offsets_writable(node);
    memmove(heads + slot + 1, heads + slot, after * sizeof *heads);
    memmove(offsets + slot + 1, offsets + slot, after * sizeof *offsets);
    if (sheaf_node_is_leaf(node)) {
        uint8_t *tags = sheaf_node_tags_writable(node);
        memmove(tags + slot + 1, tags + slot, after);
        if (sheaf_leaf_keeps_uses(node)) {
            uint8_t *uses = sheaf_node_uses_writable(node);
            memmove(uses + slot + 1, uses + slot, after);
        }
        if (sheaf_leaf_keeps_dues(node)) {
            uint64_t *dues = sheaf_node_dues_writable(node);
            memmove(dues + slot + 1, dues + slot, after * sizeof *dues);
        }
    } else {
        struct sheaf_node **children = sheaf_node_children_writable(node);
        sheaf_totals *sums = sheaf_node_sums_writable(node);
        memmove(children + slot + 1, children + slot, after * sizeof *children);
        memmove(sums + slot + 1, sums + slot, after * sizeof *sums);
    }
    node->count++;
}

bool sheaf_node_fits(const struct sheaf_node *node, sheaf_bytes key, const struct sheaf_payload *payload)
{
    uint32_t need = taken_from_gap(node, sheaf_cell_size((uint32_t)key.size - node->prefix_size, payload));
    if (node->count == node->slot_max) need += widening_size(node, 1);
    return need <= sheaf_node_gap(node);
}

/* Makes a slot, but for its tag or link. */
static void insert_slot(struct sheaf_node *node, uint32_t slot, sheaf_bytes key, const struct sheaf_payload *payload)
{
    sheaf_assert(sheaf_node_fits(node, key, payload));
    sheaf_assert(sheaf_bytes_starts_with(key, sheaf_node_prefix(node)));
    sheaf_bytes suffix = sheaf_bytes_skip(key, node->prefix_size);
    uint32_t cell_size = sheaf_cell_size((uint32_t)suffix.size, payload);
    if (node->count == node->slot_max) widen_slots(node, widening(node, cell_size));
    uint16_t offset = take_cell(node, cell_size);
    sheaf_cell_write((uint8_t *)node + offset, (uint32_t)suffix.size, rest_of(suffix), payload);
    open_slot(node, slot);
    sheaf_node_heads_writable(node)[slot] = sheaf_bytes_head(suffix);
    sheaf_node_offsets_writable(node)[slot] = offset;
}

void sheaf_node_insert(struct sheaf_node *node, uint32_t slot, sheaf_bytes key, const struct sheaf_payload *payload,
                       const struct sheaf_link *link)
{
    sheaf_assert(sheaf_node_is_leaf(node) ? payload && !link : link && !payload);
    if (!link) {
        sheaf_leaf_insert(node, slot, key, sheaf_key_tag(key), payload);
        return;
    }
    insert_slot(node, slot, key, NULL);
    sheaf_node_set_link(node, slot, link);
}

void sheaf_leaf_insert(struct sheaf_node *leaf, uint32_t slot, sheaf_bytes key, uint8_t tag,
                       const struct sheaf_payload *payload)
{
    sheaf_assert(tag == sheaf_key_tag(key)); /* N6 */
    insert_slot(leaf, slot, key, payload);
    sheaf_node_tags_writable(leaf)[slot] = tag;
    if (sheaf_leaf_keeps_uses(leaf)) sheaf_node_uses_writable(leaf)[slot] = payload->use;
    sheaf_leaf_set_due(leaf, slot, payload->due);
}

bool sheaf_leaf_append(struct sheaf_node *leaf, sheaf_bytes key, uint8_t tag, const struct sheaf_payload *payload)
{
    uint32_t slot = leaf->count;
    sheaf_assert(slot > 0);
    if (slot == leaf->slot_max || !sheaf_bytes_starts_with(key, sheaf_node_prefix(leaf))) return false;
    sheaf_bytes suffix = sheaf_bytes_skip(key, leaf->prefix_size);
    struct sheaf_leaf_arrays arrays = sheaf_leaf_arrays(leaf);
    uint32_t head = sheaf_bytes_head(suffix);
    uint32_t cell_size = sheaf_cell_size((uint32_t)suffix.size, payload);
    if (head < arrays.heads[slot - 1] || cell_size > sheaf_node_tail_room(leaf)) return false;
    if (head == arrays.heads[slot - 1] && !sheaf_slot_is_below(leaf, slot - 1, suffix)) return false;
    sheaf_cell_write((uint8_t *)leaf + leaf->tail, (uint32_t)suffix.size, rest_of(suffix), payload);
    arrays.heads[slot] = head;
    arrays.offsets[slot] = leaf->tail;
    arrays.tags[slot] = tag;
    if (sheaf_leaf_keeps_uses(leaf)) sheaf_node_uses_writable(leaf)[slot] = payload->use;
    sheaf_leaf_set_due(leaf, slot, payload->due);
    leaf->tail = (uint16_t)(leaf->tail + cell_size);
    leaf->count++;
    return true;
}

void sheaf_node_begin_cells(struct sheaf_node *node, uint32_t cells_size, bool upwards)
{
    sheaf_assert(node->count == 0);
    sheaf_assert(cells_size <= sheaf_node_gap(node));
    node->heap = (uint16_t)(upwards ? sheaf_node_arrays_end(node) : node->size - cells_size);
    node->tail = (uint16_t)(node->heap + cells_size);
}

void sheaf_node_append(struct sheaf_node *node, uint32_t *at, uint32_t head, uint32_t suffix_size, sheaf_bytes rest,
                       uint8_t tag, const struct sheaf_payload *payload, const struct sheaf_link *link)
{
    sheaf_assert(node->count < node->slot_max);
    sheaf_assert(*at >= node->heap && *at + sheaf_cell_size(suffix_size, payload) <= node->size);
    uint32_t slot = node->count++;
    sheaf_cell_write((uint8_t *)node + *at, suffix_size, rest, payload);
    sheaf_node_heads_writable(node)[slot] = head;
    sheaf_node_offsets_writable(node)[slot] = (uint16_t)*at;
    if (link) {
        sheaf_node_set_link(node, slot, link);
    } else {
        sheaf_node_tags_writable(node)[slot] = tag;
        if (sheaf_leaf_keeps_uses(node)) sheaf_node_uses_writable(node)[slot] = payload->use;
        sheaf_leaf_set_due(node, slot, payload->due);
    }
    *at += sheaf_cell_size(suffix_size, payload);
}

/* Writes a cell anew at `offset`. The value may lie in the cell being overwritten, so it goes by way of a copy. */
static void rewrite_cell(struct sheaf_node *node, uint16_t offset, const struct sheaf_cell *old,
                         const struct sheaf_payload *payload)
{
    uint8_t rest[SHEAF_SORT_KEY_SIZE_HARD];
    uint8_t value[VALUE_INLINE_SIZE_MAX];
    struct sheaf_payload copy = *payload;
    if (old->rest_size > 0) memcpy(rest, old->rest, old->rest_size);
    if (!copy.large && copy.bytes.size > 0) {
        memcpy(value, copy.bytes.data, copy.bytes.size);
        copy.bytes.data = value;
    }
    sheaf_cell_write((uint8_t *)node + offset, old->suffix_size, sheaf_bytes_of(rest, old->rest_size), &copy);
}

bool sheaf_node_can_replace(const struct sheaf_node *node, uint32_t slot, const struct sheaf_payload *payload)
{
    struct sheaf_cell old = sheaf_node_cell(node, slot);
    uint32_t cell_size = sheaf_cell_size(old.suffix_size, payload);
    return cell_size <= old.size || taken_from_gap(node, cell_size) <= sheaf_node_gap(node);
}

bool sheaf_node_replace(struct sheaf_node *node, uint32_t slot, const struct sheaf_payload *payload)
{
    sheaf_assert(sheaf_node_is_leaf(node));
    struct sheaf_cell old = sheaf_node_cell(node, slot);
    uint16_t offset = sheaf_node_offsets(node)[slot];
    if (!old.large && !payload->large && old.value_size == payload->bytes.size) {
        uint8_t *value = (uint8_t *)node + (old.value - sheaf_node_bytes(node));
        if (old.value_size > 0) memmove(value, payload->bytes.data, old.value_size);
        return true;
    }
    uint32_t cell_size = sheaf_cell_size(old.suffix_size, payload);
    if (cell_size <= old.size) {
        rewrite_cell(node, offset, &old, payload);
        node->dead = (uint16_t)(node->dead + (old.size - cell_size));
        return true;
    }
    if (taken_from_gap(node, cell_size) > sheaf_node_gap(node)) return false;
    uint16_t fresh = take_cell(node, cell_size);
    sheaf_cell_write((uint8_t *)node + fresh, old.suffix_size, sheaf_bytes_of(old.rest, old.rest_size), payload);
    node->dead = (uint16_t)(node->dead + old.size);
    sheaf_node_offsets_writable(node)[slot] = fresh;
    return true;
}

/* Takes the separator from a branch's slot 0 (N1): the cell shrinks to a single byte. */
static void delete_first_separator(struct sheaf_node *node)
{
    struct sheaf_cell cell = sheaf_node_cell(node, 0);
    if (cell.suffix_size == 0) return;
    uint16_t offset = sheaf_node_offsets(node)[0];
    sheaf_cell_write((uint8_t *)node + offset, 0, sheaf_bytes_of(NULL, 0), NULL);
    node->dead = (uint16_t)(node->dead + cell.size - 1);
    sheaf_node_heads_writable(node)[0] = 0;
}

void sheaf_node_delete(struct sheaf_node *node, uint32_t begin, uint32_t end)
{
    sheaf_assert(begin <= end);
    sheaf_assert(end <= node->count);
    for (uint32_t slot = begin; slot < end; slot++) node->dead = (uint16_t)(node->dead + sheaf_node_cell(node, slot).size);
    uint32_t after = node->count - end;
    uint32_t *heads = sheaf_node_heads_writable(node);
    uint16_t *offsets = sheaf_node_offsets_writable(node);
    memmove(heads + begin, heads + end, after * sizeof *heads);
    memmove(offsets + begin, offsets + end, after * sizeof *offsets);
    if (sheaf_node_is_leaf(node)) {
        uint8_t *tags = sheaf_node_tags_writable(node);
        memmove(tags + begin, tags + end, after);
        if (sheaf_leaf_keeps_uses(node)) {
            uint8_t *uses = sheaf_node_uses_writable(node);
            memmove(uses + begin, uses + end, after);
        }
        if (sheaf_leaf_keeps_dues(node)) {
            uint64_t *dues = sheaf_node_dues_writable(node);
            memmove(dues + begin, dues + end, after * sizeof *dues);
        }
    } else {
        struct sheaf_node **children = sheaf_node_children_writable(node);
        sheaf_totals *sums = sheaf_node_sums_writable(node);
        memmove(children + begin, children + end, after * sizeof *children);
        memmove(sums + begin, sums + end, after * sizeof *sums);
    }
    node->count = (uint16_t)(node->count - (end - begin));
    if (node->count == 0) {
        node->heap = node->size;
        node->tail = node->size;
        node->dead = 0;
    } else if (!sheaf_node_is_leaf(node) && begin == 0) {
        delete_first_separator(node);
    }
}
