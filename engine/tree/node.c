#include "engine/tree/node.h"

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
    const struct sheaf_link *links = sheaf_node_links(node);
    for (uint32_t slot = 0; slot < node->count; slot++) {
        totals.count += links[slot].totals.count;
        totals.bytes += links[slot].totals.bytes;
    }
    return totals;
}

uint32_t sheaf_node_used(const struct sheaf_node *node)
{
    return sheaf_node_front_size(node->prefix_size) + sheaf_node_arrays_size(node->level, node->count) +
           (node->size - node->heap - node->dead);
}

struct sheaf_node *sheaf_node_allocate(struct sheaf_grove *grove, uint32_t size, uint32_t level, sheaf_bytes prefix,
                                       uint32_t slot_max)
{
    sheaf_assert(size <= NODE_SIZE_HARD);
    struct sheaf_node *node = sheaf_heap_allocate(&grove->heap, size);
    if (!node) return NULL;
    *node = (struct sheaf_node){
        .birth = grove->version,
        .size = size,
        .slot_max = (uint16_t)slot_max,
        .heap = (uint16_t)size,
        .prefix_size = (uint16_t)prefix.size,
        .level = (uint8_t)level,
    };
    if (prefix.size > 0) memcpy((uint8_t *)node + sizeof *node, prefix.data, prefix.size);
    sheaf_assert(sheaf_node_arrays_end(node) <= size); /* N4 */
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

static void write_cell(uint8_t *out, uint32_t suffix_size, sheaf_bytes rest, const struct sheaf_payload *payload)
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

/* Takes a cell's bytes from the gap and returns their offset. */
static uint16_t take_cell(struct sheaf_node *node, uint32_t cell_size)
{
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
    return sheaf_node_arrays_size(node->level, node->slot_max + more) - sheaf_node_arrays_size(node->level, node->slot_max);
}

/* Widens the arrays in place: from the last one down, each moves up by what those before it grow. */
static void widen_slots(struct sheaf_node *node, uint32_t more)
{
    sheaf_assert(widening_size(node, more) <= sheaf_node_gap(node));
    const uint16_t *offsets = sheaf_node_offsets(node);
    bool leaf = sheaf_node_is_leaf(node);
    const void *last = leaf ? (const void *)sheaf_node_tags(node) : sheaf_node_links(node);
    node->slot_max = (uint16_t)(node->slot_max + more);
    if (leaf) {
        memmove(sheaf_node_tags_writable(node), last, node->count);
    } else {
        memmove(sheaf_node_links_writable(node), last, node->count * sizeof(struct sheaf_link));
    }
    memmove(sheaf_node_offsets_writable(node), offsets, node->count * sizeof *offsets);
}

/* How many slots to widen by for one more beside a cell of `cell_size` bytes: a step if the gap allows, else just one. */
static uint32_t widening(const struct sheaf_node *node, uint32_t cell_size)
{
    return widening_size(node, SLOT_STEP) + cell_size <= sheaf_node_gap(node) ? SLOT_STEP : 1;
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
    } else {
        struct sheaf_link *links = sheaf_node_links_writable(node);
        memmove(links + slot + 1, links + slot, after * sizeof *links);
    }
    node->count++;
}

bool sheaf_node_fits(const struct sheaf_node *node, sheaf_bytes key, const struct sheaf_payload *payload)
{
    uint32_t need = sheaf_cell_size((uint32_t)key.size - node->prefix_size, payload);
    if (node->count == node->slot_max) need += widening_size(node, 1);
    return need <= sheaf_node_gap(node);
}

void sheaf_node_insert(struct sheaf_node *node, uint32_t slot, sheaf_bytes key, const struct sheaf_payload *payload,
                       const struct sheaf_link *link)
{
    sheaf_assert(sheaf_node_fits(node, key, payload));
    sheaf_assert(sheaf_bytes_starts_with(key, sheaf_node_prefix(node)));
    sheaf_assert(sheaf_node_is_leaf(node) ? payload && !link : link && !payload);
    sheaf_bytes suffix = sheaf_bytes_skip(key, node->prefix_size);
    uint32_t cell_size = sheaf_cell_size((uint32_t)suffix.size, payload);
    if (node->count == node->slot_max) widen_slots(node, widening(node, cell_size));
    uint16_t offset = take_cell(node, cell_size);
    write_cell((uint8_t *)node + offset, (uint32_t)suffix.size, rest_of(suffix), payload);
    open_slot(node, slot);
    sheaf_node_heads_writable(node)[slot] = sheaf_bytes_head(suffix);
    sheaf_node_offsets_writable(node)[slot] = offset;
    if (link) {
        sheaf_node_links_writable(node)[slot] = *link;
    } else {
        sheaf_node_tags_writable(node)[slot] = sheaf_key_tag(key);
    }
}

void sheaf_node_begin_cells(struct sheaf_node *node, uint32_t cells_size)
{
    sheaf_assert(node->count == 0);
    (void)take_cell(node, cells_size);
}

void sheaf_node_append(struct sheaf_node *node, uint32_t *at, uint32_t head, uint32_t suffix_size, sheaf_bytes rest,
                       uint8_t tag, const struct sheaf_payload *payload, const struct sheaf_link *link)
{
    sheaf_assert(node->count < node->slot_max);
    sheaf_assert(*at >= node->heap && *at + sheaf_cell_size(suffix_size, payload) <= node->size);
    uint32_t slot = node->count++;
    write_cell((uint8_t *)node + *at, suffix_size, rest, payload);
    sheaf_node_heads_writable(node)[slot] = head;
    sheaf_node_offsets_writable(node)[slot] = (uint16_t)*at;
    if (link) {
        sheaf_node_links_writable(node)[slot] = *link;
    } else {
        sheaf_node_tags_writable(node)[slot] = tag;
    }
    *at += sheaf_cell_size(suffix_size, payload);
}

uint32_t sheaf_node_cells_size(const struct sheaf_node *node, uint32_t begin, uint32_t end)
{
    uint32_t size = 0;
    for (uint32_t slot = begin; slot < end; slot++) size += sheaf_node_cell(node, slot).size;
    return size;
}

void sheaf_leaf_append_slots(struct sheaf_node *leaf, uint32_t *at, const struct sheaf_node *from, uint32_t begin, uint32_t end)
{
    sheaf_assert(leaf->prefix_size == from->prefix_size);
    sheaf_assert(leaf->count + (end - begin) <= leaf->slot_max);
    uint32_t first = leaf->count;
    uint16_t *offsets = sheaf_node_offsets_writable(leaf) + first;
    memcpy(sheaf_node_heads_writable(leaf) + first, sheaf_node_heads(from) + begin, (end - begin) * sizeof(uint32_t));
    memcpy(sheaf_node_tags_writable(leaf) + first, sheaf_node_tags(from) + begin, end - begin);
    for (uint32_t slot = begin; slot < end; slot++) {
        uint32_t offset = sheaf_node_offsets(from)[slot];
        uint32_t cell_size = sheaf_cell_decode(sheaf_node_bytes(from) + offset, true).size;
        sheaf_assert(*at + cell_size <= leaf->size);
        memcpy((uint8_t *)leaf + *at, sheaf_node_bytes(from) + offset, cell_size);
        *offsets++ = (uint16_t)*at;
        *at += cell_size;
    }
    leaf->count = (uint16_t)(leaf->count + (end - begin));
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
    write_cell((uint8_t *)node + offset, old->suffix_size, sheaf_bytes_of(rest, old->rest_size), &copy);
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
    if (cell_size > sheaf_node_gap(node)) return false;
    uint16_t fresh = take_cell(node, cell_size);
    write_cell((uint8_t *)node + fresh, old.suffix_size, sheaf_bytes_of(old.rest, old.rest_size), payload);
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
    write_cell((uint8_t *)node + offset, 0, sheaf_bytes_of(NULL, 0), NULL);
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
    } else {
        struct sheaf_link *links = sheaf_node_links_writable(node);
        memmove(links + begin, links + end, after * sizeof *links);
    }
    node->count = (uint16_t)(node->count - (end - begin));
    if (node->count == 0) {
        node->heap = (uint16_t)node->size;
        node->dead = 0;
    } else if (!sheaf_node_is_leaf(node) && begin == 0) {
        delete_first_separator(node);
    }
}
