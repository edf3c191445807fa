#include "engine/tree/run.h"

#include <stddef.h>

#include "engine/tree/tag.h"

struct sheaf_run sheaf_run_of_node(const struct sheaf_node *node)
{
    return (struct sheaf_run){
        .level = node->level,
        .extra_size = node->extra_size,
        .length = node->count,
        .left = node,
        .insert_at = RUN_NOWHERE,
        .patch_at = RUN_NOWHERE,
    };
}

struct sheaf_run sheaf_run_with_entry(const struct sheaf_node *leaf, uint32_t slot, bool replace, sheaf_bytes key, uint8_t tag,
                                      const struct sheaf_payload *payload)
{
    struct sheaf_run run = { .insert_at = slot,
                             .patch_at = RUN_NOWHERE,
                             .key = key,
                             .tag = tag,
                             .payload = *payload,
                             .length = 1 };
    if (!leaf) return run;
    run.left = leaf;
    run.extra_size = leaf->extra_size;
    run.replace = replace;
    run.length = replace ? leaf->count : leaf->count + 1U;
    return run;
}

struct sheaf_run sheaf_run_with_link(const struct sheaf_node *branch, uint32_t slot, const struct sheaf_link *left,
                                     sheaf_bytes separator, const struct sheaf_link *right)
{
    struct sheaf_run run = sheaf_run_of_node(branch);
    run.length++;
    run.insert_at = slot + 1;
    run.key = separator;
    run.link = *right;
    run.patch_at = slot;
    run.patch = *left;
    return run;
}

struct sheaf_run sheaf_run_of_two(const struct sheaf_node *left, sheaf_bytes separator, const struct sheaf_node *right)
{
    struct sheaf_run run = sheaf_run_of_node(left);
    run.right = right;
    run.right_separator = separator;
    run.length += right->count;
    return run;
}

/* ---- items -------------------------------------------------------------------------------------------------------------- */

static void set_key(struct sheaf_run_piece *item, sheaf_bytes key)
{
    item->prefix = sheaf_bytes_of(NULL, 0);
    item->head = sheaf_bytes_head(key);
    item->suffix_size = (uint32_t)key.size;
    item->rest = key.size > 4 ? sheaf_bytes_skip(key, 4) : sheaf_bytes_of(NULL, 0);
}

static struct sheaf_run_piece item_of_slot(const struct sheaf_node *node, uint32_t slot)
{
    struct sheaf_cell cell = sheaf_node_cell(node, slot);
    struct sheaf_run_piece item = {
        .prefix = sheaf_node_prefix(node),
        .head = sheaf_node_heads(node)[slot],
        .suffix_size = cell.suffix_size,
        .rest = sheaf_bytes_of(cell.rest, cell.rest_size),
    };
    if (!sheaf_node_is_leaf(node)) {
        item.link = sheaf_node_link(node, slot);
        return item;
    }
    item.tag = sheaf_node_tags(node)[slot];
    item.payload = sheaf_cell_payload(&cell);
    if (sheaf_leaf_keeps_uses(node)) item.payload.use = sheaf_node_uses(node)[slot];
    if (sheaf_leaf_keeps_dues(node)) item.payload.due = sheaf_node_dues(node)[slot];
    return item;
}

/* Under the prefix of the node it comes to, if it has that: then nothing need be put together to compare the two. */
static struct sheaf_run_piece inserted_item(const struct sheaf_run *run)
{
    struct sheaf_run_piece item = { .payload = run->payload, .link = run->link };
    sheaf_bytes prefix = run->left ? sheaf_node_prefix(run->left) : sheaf_bytes_of(NULL, 0);
    if (sheaf_bytes_starts_with(run->key, prefix)) {
        set_key(&item, sheaf_bytes_skip(run->key, prefix.size));
        item.prefix = prefix;
    } else {
        set_key(&item, run->key);
    }
    if (run->level == 0) item.tag = run->tag;
    return item;
}

struct sheaf_run_piece sheaf_run_piece(const struct sheaf_run *run, uint32_t index)
{
    sheaf_assert(index < run->length);
    if (index == run->insert_at) return inserted_item(run);
    uint32_t slot = index > run->insert_at && !run->replace ? index - 1 : index;
    if (run->left && slot < run->left->count) {
        struct sheaf_run_piece item = item_of_slot(run->left, slot);
        if (slot == run->patch_at) item.link = run->patch;
        return item;
    }
    sheaf_assert(run->right);
    slot -= run->left->count;
    struct sheaf_run_piece item = item_of_slot(run->right, slot);
    if (slot == 0 && run->level > 0) set_key(&item, run->right_separator);
    return item;
}

sheaf_bytes sheaf_run_piece_key(const struct sheaf_run_piece *item, uint8_t *out)
{
    if (item->prefix.size > 0) memcpy(out, item->prefix.data, item->prefix.size);
    uint8_t head[4];
    sheaf_bytes_write_head(head, item->head);
    memcpy(out + item->prefix.size, head, sheaf_size_min(item->suffix_size, 4));
    if (item->rest.size > 0) memcpy(out + item->prefix.size + 4, item->rest.data, item->rest.size);
    return sheaf_bytes_of(out, item->prefix.size + item->suffix_size);
}

/* How many bytes two suffixes share. */
static uint32_t suffixes_shared(const struct sheaf_run_piece *low, const struct sheaf_run_piece *high)
{
    uint32_t limit = low->suffix_size < high->suffix_size ? low->suffix_size : high->suffix_size;
    uint32_t differ = low->head ^ high->head;
    uint32_t shared = 4;
    if (differ != 0) {
        shared = (uint32_t)__builtin_clz(differ) / 8;
    } else {
        shared += (uint32_t)sheaf_bytes_shared(low->rest, high->rest);
    }
    return shared < limit ? shared : limit;
}

/* The slot of `left` that an item of the run is as it was; count if it is another's, or has been inserted. */
static uint32_t slot_of_left(const struct sheaf_run *run, uint32_t index)
{
    uint32_t count = run->left ? run->left->count : 0;
    if (index == run->insert_at) return count;
    uint32_t slot = index > run->insert_at && !run->replace ? index - 1 : index;
    return slot < count ? slot : count;
}

uint32_t sheaf_run_shared(const struct sheaf_run *run, uint32_t lower, uint32_t higher)
{
    uint32_t low_slot = slot_of_left(run, lower), high_slot = slot_of_left(run, higher);
    if (run->left && low_slot < run->left->count && high_slot < run->left->count) {
        const uint32_t *heads = sheaf_node_heads(run->left);
        uint32_t differ = heads[low_slot] ^ heads[high_slot]; /* most neighbours do */
        uint32_t shared = differ == 0 ? 0 : (uint32_t)__builtin_clz(differ) / 8;
        bool told = differ != 0 && (shared == 0 || (heads[low_slot] >> (32 - 8 * shared) & 255U) != 0); /* zeroes may be none */
        if (told) return run->left->prefix_size + shared;
    }
    struct sheaf_run_piece low = sheaf_run_piece(run, lower);
    struct sheaf_run_piece high = sheaf_run_piece(run, higher);
    if (low.prefix.data == high.prefix.data && low.prefix.size == high.prefix.size)
        return (uint32_t)low.prefix.size + suffixes_shared(&low, &high);
    uint8_t low_key[SHEAF_SORT_KEY_SIZE_HARD];
    uint8_t high_key[SHEAF_SORT_KEY_SIZE_HARD];
    return (uint32_t)sheaf_bytes_shared(sheaf_run_piece_key(&low, low_key), sheaf_run_piece_key(&high, high_key));
}

/* ---- sizes -------------------------------------------------------------------------------------------------------------- */

/* What a node of a piece of the run looks like. */
struct plan {
    uint32_t prefix_size;
    uint64_t cells_size;
    uint64_t size; /* of the smallest block */
};

/* The longest prefix the keys of a piece share: what its lowest and its highest share. A key that comes alone behind or before
 * a node's others is taken to be followed by more of their kind: it keeps what it shares of their prefix. */
static uint32_t shared_prefix(const struct sheaf_run *run, uint32_t begin, uint32_t end)
{
    uint32_t first = run->level > 0 ? begin + 1 : begin; /* a branch's first slot has no key */
    if (first + 1 < end) return sheaf_run_shared(run, first, end - 1);
    if (run->level > 0 || begin != run->insert_at || !run->left) return 0;
    return (uint32_t)sheaf_bytes_shared(sheaf_node_prefix(run->left), run->key);
}

/* Bytes of an item's suffix once `prefix_size` bytes of its key are the node's prefix. */
static uint32_t suffix_under(const struct sheaf_run_piece *item, uint32_t prefix_size)
{
    return (uint32_t)item->prefix.size + item->suffix_size - prefix_size;
}

/* Slots of a leaf that go over together. */
struct stretch {
    const struct sheaf_node *leaf;
    uint32_t begin;
    uint32_t length; /* 0: there is none here */
};

/* The slots from `index` on that one leaf has had all along: most of most runs. */
static struct stretch stretch_at(const struct sheaf_run *run, uint32_t index, uint32_t end)
{
    struct stretch none = { 0 };
    if (run->level > 0 || !run->left || index == run->insert_at) return none;
    uint32_t slot = index > run->insert_at && !run->replace ? index - 1 : index;
    struct stretch stretch = { .leaf = run->left, .begin = slot, .length = end - index };
    if (slot >= run->left->count) {
        stretch.leaf = run->right;
        stretch.begin = slot - run->left->count;
    } else {
        uint32_t stop = index < run->insert_at ? run->insert_at - index : UINT32_MAX;
        if (stretch.length > stop) stretch.length = stop;
        if (stretch.length > run->left->count - slot) stretch.length = run->left->count - slot;
    }
    return stretch;
}

/* The cells of a whole leaf with at most one entry more or another, under its prefix as it is: what is asked on the way of most
 * puts that need a new node. */
static uint64_t changed_leaf_cells_size(const struct sheaf_run *run)
{
    const struct sheaf_node *leaf = run->left;
    uint64_t size = sheaf_node_live_size(leaf);
    if (run->insert_at == RUN_NOWHERE) return size;
    if (run->replace) size -= sheaf_node_cell(leaf, run->insert_at).size;
    return size + sheaf_cell_size((uint32_t)run->key.size - leaf->prefix_size, &run->payload);
}

static bool is_changed_leaf(const struct sheaf_run *run, uint32_t begin, uint32_t end, uint32_t prefix_size)
{
    return run->level == 0 && run->left && !run->right && begin == 0 && end == run->length &&
           run->left->prefix_size == prefix_size;
}

static uint64_t cells_size(const struct sheaf_run *run, uint32_t begin, uint32_t end, uint32_t prefix_size)
{
    uint64_t size = 0;
    for (uint32_t index = begin; index < end;) {
        struct stretch stretch = stretch_at(run, index, end);
        if (stretch.length > 0) {
            size += sheaf_leaf_cells_size(stretch.leaf, stretch.begin, stretch.begin + stretch.length, prefix_size);
            index += stretch.length;
            continue;
        }
        struct sheaf_run_piece item = sheaf_run_piece(run, index);
        bool keyless = run->level > 0 && index == begin;
        uint32_t suffix_size = keyless ? 0 : suffix_under(&item, prefix_size);
        size += sheaf_cell_size(suffix_size, run->level > 0 ? NULL : &item.payload);
        index++;
    }
    return size;
}

static struct plan plan_node(const struct sheaf_run *run, uint32_t begin, uint32_t end)
{
    sheaf_assert(begin < end);
    struct plan plan = { .prefix_size = shared_prefix(run, begin, end) };
    if (is_changed_leaf(run, begin, end, plan.prefix_size)) {
        plan.cells_size = changed_leaf_cells_size(run);
        sheaf_assert_slow(plan.cells_size == cells_size(run, begin, end, plan.prefix_size));
    } else {
        plan.cells_size = cells_size(run, begin, end, plan.prefix_size);
    }
    plan.size = sheaf_node_front_size(plan.prefix_size) + plan.cells_size;
    plan.size += sheaf_node_arrays_size(run->level, run->extra_size, end - begin);
    return plan;
}

uint32_t sheaf_run_weight(const struct sheaf_run *run, uint32_t index)
{
    uint32_t place = sheaf_node_arrays_size(run->level, run->extra_size, 1);
    uint32_t slot = slot_of_left(run, index);
    if (run->left && slot < run->left->count) return place + sheaf_node_cell(run->left, slot).size;
    struct sheaf_run_piece item = sheaf_run_piece(run, index);
    return place + sheaf_cell_size(item.suffix_size, run->level > 0 ? NULL : &item.payload);
}

static uint64_t sum_of_weights(const struct sheaf_run *run)
{
    uint64_t whole = 0;
    for (uint32_t index = 0; index < run->length; index++) whole += sheaf_run_weight(run, index);
    return whole;
}

uint64_t sheaf_run_whole_weight(const struct sheaf_run *run)
{
    if (run->level > 0 || !run->left || run->right) return sum_of_weights(run);
    uint64_t whole = run->length * (uint64_t)sheaf_node_arrays_size(0, run->extra_size, 1) + sheaf_node_live_size(run->left);
    if (run->insert_at != RUN_NOWHERE) {
        struct sheaf_run_piece item = sheaf_run_piece(run, run->insert_at);
        whole += sheaf_cell_size(item.suffix_size, &item.payload);
        if (run->replace) whole -= sheaf_node_cell(run->left, run->insert_at).size;
    }
    sheaf_assert_slow(whole == sum_of_weights(run));
    return whole;
}

uint64_t sheaf_run_size(const struct sheaf_run *run, uint32_t begin, uint32_t end)
{
    return plan_node(run, begin, end).size;
}

/* ---- building ----------------------------------------------------------------------------------------------------------- */

uint32_t sheaf_run_block_size(const struct sheaf_grove *grove, const struct sheaf_run *run, uint32_t begin, uint32_t end,
                              enum sheaf_room room)
{
    return sheaf_room_block_size(grove, sheaf_run_size(run, begin, end), room);
}

static void append_item(struct sheaf_node *node, uint32_t *at, const struct sheaf_run_piece *item, bool keyless)
{
    const struct sheaf_payload *payload = sheaf_node_is_leaf(node) ? &item->payload : NULL;
    const struct sheaf_link *link = sheaf_node_is_leaf(node) ? NULL : &item->link;
    if (keyless) {
        sheaf_node_append(node, at, 0, 0, sheaf_bytes_of(NULL, 0), 0, payload, link);
        return;
    }
    if (item->prefix.size == node->prefix_size) {
        sheaf_node_append(node, at, item->head, item->suffix_size, item->rest, item->tag, payload, link);
        return;
    }
    uint8_t key[SHEAF_SORT_KEY_SIZE_HARD];
    struct sheaf_run_piece cut = { 0 };
    set_key(&cut, sheaf_bytes_skip(sheaf_run_piece_key(item, key), node->prefix_size));
    sheaf_node_append(node, at, cut.head, cut.suffix_size, cut.rest, item->tag, payload, link);
}

/* Slots to have in reserve. A leaf that begins to be filled in order goes by the leaf before, if that is known. */
static uint32_t spare_slots(const struct sheaf_run *run, const struct plan *plan, uint32_t count, uint32_t size, bool filling)
{
    if (!filling) return sheaf_room_spare_slots(size, plan->size, count);
    bool begins = count == 1 && run->left;
    uint64_t cells_size = begins ? sheaf_node_live_size(run->left) : plan->cells_size;
    uint32_t like = begins ? run->left->count : count;
    uint64_t weight = cells_size + (uint64_t)sheaf_node_arrays_size(run->level, run->extra_size, like);
    return sheaf_room_ordered_slots(size, plan->size, like, weight);
}

/* Lowers the bound of a branch that is a whole run to what its nodes know: its children are not asked. */
static void lower_bound_of(struct sheaf_node *branch, const struct sheaf_run *run)
{
    sheaf_node_lower_due(branch, sheaf_node_due(run->left));
    if (run->right) sheaf_node_lower_due(branch, sheaf_node_due(run->right));
    if (run->insert_at != RUN_NOWHERE) sheaf_node_lower_due(branch, sheaf_node_due(run->link.child));
    if (run->patch_at != RUN_NOWHERE) sheaf_node_lower_due(branch, sheaf_node_due(run->patch.child));
}

struct sheaf_node *sheaf_run_build(struct sheaf_grove *grove, const struct sheaf_run *run, uint32_t begin, uint32_t end,
                                   enum sheaf_room room)
{
    struct plan plan = plan_node(run, begin, end);
    sheaf_assert(plan.size <= NODE_SIZE_HARD);
    uint32_t size = sheaf_room_block_size(grove, plan.size, room);
    bool filling = room == SHEAF_ROOM_FULL;
    uint32_t slot_max = end - begin + spare_slots(run, &plan, end - begin, size, filling);
    uint8_t key[SHEAF_SORT_KEY_SIZE_HARD];
    sheaf_bytes prefix = sheaf_bytes_of(NULL, 0);
    if (plan.prefix_size > 0) {
        struct sheaf_run_piece last = sheaf_run_piece(run, end - 1);
        prefix = sheaf_bytes_of(sheaf_run_piece_key(&last, key).data, plan.prefix_size);
    }
    struct sheaf_node *node = sheaf_node_allocate(grove, size, run->level, prefix, slot_max);
    if (!node) return NULL;
    bool keeps_due = run->level > 0 && (node->extra_size & EXTRA_DUE) != 0;
    bool asks = keeps_due && end - begin < run->length; /* a part of a run may have a later bound than all of it */
    if (keeps_due && !asks) lower_bound_of(node, run);
    sheaf_node_begin_cells(node, (uint32_t)plan.cells_size, filling);
    uint32_t at = node->heap;
    for (uint32_t index = begin; index < end;) {
        struct stretch stretch = stretch_at(run, index, end);
        if (stretch.length > 0) {
            sheaf_leaf_append_slots(node, &at, stretch.leaf, stretch.begin, stretch.begin + stretch.length);
            index += stretch.length;
            continue;
        }
        struct sheaf_run_piece item = sheaf_run_piece(run, index);
        append_item(node, &at, &item, run->level > 0 && index == begin);
        if (asks) sheaf_node_lower_due(node, sheaf_node_due(item.link.child));
        index++;
    }
    return node;
}

struct sheaf_node *sheaf_run_build_root(struct sheaf_grove *grove, const struct sheaf_link *left, sheaf_bytes separator,
                                        const struct sheaf_link *right)
{
    uint32_t level = left->child->level + 1U;
    sheaf_bytes none = sheaf_bytes_of(NULL, 0);
    uint32_t cells_size = sheaf_cell_size(0, NULL) + sheaf_cell_size((uint32_t)separator.size, NULL);
    uint64_t need = sheaf_node_front_size(0) + (uint64_t)sheaf_node_arrays_size(level, grove->due.size, 2) + cells_size;
    struct sheaf_node *root = sheaf_node_allocate(grove, sheaf_room_block_size(grove, need, SHEAF_ROOM_GROW), level, none, 2);
    if (!root) return NULL;
    struct sheaf_run_piece item;
    set_key(&item, separator);
    sheaf_node_begin_cells(root, cells_size, false);
    uint32_t at = root->heap;
    sheaf_node_append(root, &at, 0, 0, none, 0, NULL, left);
    sheaf_node_append(root, &at, item.head, item.suffix_size, item.rest, 0, NULL, right);
    sheaf_node_lower_due(root, sheaf_node_due(left->child));
    sheaf_node_lower_due(root, sheaf_node_due(right->child));
    return root;
}
