#include "engine/tree/due.h"

#include "engine/tree/search.h"
#include "engine/tree/tag.h"
#include "engine/tree/thaw.h"

/* ---- one entry ------------------------------------------------------------------------------------------------------- */

sheaf_status sheaf_tree_get_due(const struct sheaf_tree *tree, sheaf_bytes key, uint64_t *out_due, sheaf_bytes *out_view)
{
    if (!tree->root) return SHEAF_NOT_FOUND;
    const struct sheaf_node *leaf = sheaf_tree_leaf(tree, key);
    uint32_t slot = sheaf_leaf_find(leaf, key);
    if (slot == SLOT_NONE) return SHEAF_NOT_FOUND;
    struct sheaf_cell cell = sheaf_node_cell(leaf, slot);
    *out_view = sheaf_bytes_of(cell.value, cell.value_size);
    *out_due = sheaf_node_dues(leaf)[slot];
    return SHEAF_OK;
}

sheaf_status sheaf_tree_set_due(struct sheaf_tree *tree, sheaf_bytes key, uint64_t due)
{
    struct sheaf_path path;
    if (!tree->root || !sheaf_path_descend(&path, tree, key, sheaf_key_tag(key))) return SHEAF_NOT_FOUND;
    if (!sheaf_path_thaw(tree, &path, path.depth, 0)) return SHEAF_NO_MEMORY;
    sheaf_leaf_set_due(path.step[path.depth - 1].node, path.step[path.depth - 1].slot, due);
    for (uint32_t depth = 0; depth + 1 < path.depth; depth++) sheaf_node_lower_due(path.step[depth].node, due);
    tree->changed = ++tree->grove->changes;
    return SHEAF_OK;
}

/* ---- what has expired ------------------------------------------------------------------------------------------------ */

static void add(sheaf_totals *sum, sheaf_totals more)
{
    sum->count += more.count;
    sum->bytes += more.bytes;
}

/* Of the slots of a leaf from `begin` to before `end`. */
static sheaf_totals expired_in_leaf(const struct sheaf_node *leaf, uint32_t begin, uint32_t end, uint64_t now)
{
    sheaf_totals expired = { 0 };
    const uint64_t *dues = sheaf_node_dues(leaf);
    for (uint32_t slot = begin; slot < end; slot++)
        if (sheaf_is_expired(dues[slot], now)) add(&expired, (sheaf_totals){ 1, sheaf_node_entry_bytes(leaf, slot) });
    return expired;
}

static const sheaf_cut UNBOUNDED = { .side = SHEAF_SIDE_UNBOUNDED };

/* Between two cuts, below a node. */
static sheaf_totals expired_below(const struct sheaf_node *node, const sheaf_cut *lower, const sheaf_cut *upper, uint64_t now)
{
    sheaf_totals expired = { 0 };
    if (!sheaf_is_expired(sheaf_node_due(node), now)) return expired;
    bool to_end = upper->side == SHEAF_SIDE_UNBOUNDED;
    if (sheaf_node_is_leaf(node)) {
        uint32_t begin = sheaf_leaf_search_cut(node, lower);
        return expired_in_leaf(node, begin, to_end ? node->count : sheaf_leaf_search_cut(node, upper), now);
    }
    uint32_t first = sheaf_branch_search_cut(node, lower);
    uint32_t last = to_end ? node->count - 1U : sheaf_branch_search_cut(node, upper);
    for (uint32_t slot = first; slot <= last; slot++) {
        const sheaf_cut *from = slot == first ? lower : &UNBOUNDED;
        const sheaf_cut *to = slot == last ? upper : &UNBOUNDED;
        add(&expired, expired_below(sheaf_node_children(node)[slot], from, to, now));
    }
    return expired;
}

sheaf_totals sheaf_tree_expired(const struct sheaf_tree *tree, const sheaf_range *range, uint64_t now)
{
    if (!tree->root) return (sheaf_totals){ 0 };
    return expired_below(tree->root, &range->lower, &range->upper, now);
}

static uint64_t visible_count(const struct sheaf_node *node, uint64_t count, uint64_t now)
{
    return count - expired_below(node, &UNBOUNDED, &UNBOUNDED, now).count;
}

/* Of a leaf that has more than `index` visible ones: the slot. */
static uint32_t visible_slot(const struct sheaf_node *leaf, uint64_t index, uint64_t now)
{
    const uint64_t *dues = sheaf_node_dues(leaf);
    for (uint32_t slot = 0;; slot++) {
        sheaf_assert(slot < leaf->count);
        if (sheaf_is_expired(dues[slot], now)) continue;
        if (index-- == 0) return slot;
    }
}

bool sheaf_tree_visible_index(const struct sheaf_tree *tree, uint64_t index, uint64_t now, uint64_t *out_index)
{
    const struct sheaf_node *node = tree->root;
    uint64_t before = 0;
    if (!node || index >= visible_count(node, tree->totals.count, now)) return false;
    while (!sheaf_node_is_leaf(node)) {
        const sheaf_totals *sums = sheaf_node_sums(node);
        uint32_t slot = 0;
        for (;; slot++) {
            uint64_t visible = visible_count(sheaf_node_children(node)[slot], sums[slot].count, now);
            if (index < visible) break;
            index -= visible;
            before += sums[slot].count;
        }
        node = sheaf_node_children(node)[slot];
    }
    *out_index = before + visible_slot(node, index, now);
    return true;
}

static bool any_expired_below(const struct sheaf_node *node, uint64_t now)
{
    if (!sheaf_is_expired(sheaf_node_due(node), now)) return false;
    for (uint32_t slot = 0; slot < node->count; slot++) {
        if (sheaf_node_is_leaf(node) ? sheaf_is_expired(sheaf_node_dues(node)[slot], now)
                                     : any_expired_below(sheaf_node_children(node)[slot], now)) return true;
    }
    return false;
}

bool sheaf_tree_has_expired(const struct sheaf_tree *tree, uint64_t now)
{
    return tree->root && any_expired_below(tree->root, now);
}

/* The earliest deadline below a node, if it is before `earliest`. */
static uint64_t earliest_below(const struct sheaf_node *node, uint64_t earliest)
{
    if (sheaf_node_due(node) >= earliest) return earliest;
    for (uint32_t slot = 0; slot < node->count; slot++) {
        uint64_t due = sheaf_node_is_leaf(node) ? sheaf_node_dues(node)[slot]
                                                : earliest_below(sheaf_node_children(node)[slot], earliest);
        if (due < earliest) earliest = due;
    }
    return earliest;
}

uint64_t sheaf_tree_earliest_due(const struct sheaf_tree *tree)
{
    return tree->root ? earliest_below(tree->root, UINT64_MAX) : UINT64_MAX;
}

/* ---- sweeping -------------------------------------------------------------------------------------------------------- */

static bool find_below(const struct sheaf_node *node, const sheaf_cut *from, uint64_t now, uint8_t *buffer,
                       sheaf_bytes *out_key)
{
    if (!sheaf_is_expired(sheaf_node_due(node), now)) return false;
    if (sheaf_node_is_leaf(node)) {
        const uint64_t *dues = sheaf_node_dues(node);
        for (uint32_t slot = sheaf_leaf_search_cut(node, from); slot < node->count; slot++) {
            if (!sheaf_is_expired(dues[slot], now)) continue;
            *out_key = sheaf_node_key(node, slot, buffer);
            return true;
        }
        return false;
    }
    uint32_t first = sheaf_branch_search_cut(node, from);
    for (uint32_t slot = first; slot < node->count; slot++)
        if (find_below(sheaf_node_children(node)[slot], slot == first ? from : &UNBOUNDED, now, buffer, out_key)) return true;
    return false;
}

bool sheaf_tree_find_expired(const struct sheaf_tree *tree, const sheaf_cut *from, uint64_t now, uint8_t *buffer,
                             sheaf_bytes *out_key)
{
    return tree->root && find_below(tree->root, from, now, buffer, out_key);
}

static uint64_t least(uint64_t left, uint64_t right)
{
    return left < right ? left : right;
}

/* The bound of a node is made that of what its children say, which is not exact where those are frozen; returned is what is. */
static uint64_t tighten(const struct sheaf_grove *grove, struct sheaf_node *node, uint64_t now)
{
    if (!sheaf_is_expired(sheaf_node_due(node), now)) return sheaf_node_due(node);
    uint64_t exact = UINT64_MAX, bound = UINT64_MAX;
    for (uint32_t slot = 0; slot < node->count; slot++) {
        if (sheaf_node_is_leaf(node)) {
            exact = least(exact, sheaf_node_dues(node)[slot]);
            bound = exact;
            continue;
        }
        struct sheaf_node *child = sheaf_node_children(node)[slot];
        exact = least(exact, tighten(grove, child, now));
        bound = least(bound, sheaf_node_due(child));
    }
    if (!sheaf_is_frozen(grove, node->birth)) sheaf_node_set_due(node, bound);
    return exact;
}

/* Of a path: children before the cut have been swept, that on it in part; of those behind it only the bounds are asked. */
static void tighten_before(const struct sheaf_grove *grove, struct sheaf_node *node, const sheaf_cut *end, uint64_t now)
{
    if (!sheaf_is_expired(sheaf_node_due(node), now) || sheaf_node_is_leaf(node)) return;
    uint32_t last = sheaf_branch_search_cut(node, end);
    uint64_t bound = UINT64_MAX;
    for (uint32_t slot = 0; slot < node->count; slot++) {
        struct sheaf_node *child = sheaf_node_children(node)[slot];
        if (slot < last) (void)tighten(grove, child, now);
        if (slot == last) tighten_before(grove, child, end, now);
        bound = least(bound, sheaf_node_due(child));
    }
    if (!sheaf_is_frozen(grove, node->birth)) sheaf_node_set_due(node, bound);
}

void sheaf_tree_tighten_due_before(struct sheaf_tree *tree, const sheaf_cut *end, uint64_t now)
{
    if (tree->root) tighten_before(tree->grove, tree->root, end, now);
}

uint64_t sheaf_tree_tighten_due(struct sheaf_tree *tree, uint64_t now)
{
    return tree->root ? tighten(tree->grove, tree->root, now) : UINT64_MAX;
}
