/*
 * cursor.c - a position in a range, moved over the leaves.
 *
 * On entering a leaf the cursor finds which of its slots lie in the range (slot_begin to slot_end), so that a step compares
 * nothing: it moves the slot, copies the suffix behind the prefix that already stands in the key buffer, and points at the
 * value. There are no sibling pointers; the next leaf is found through the path.
 *
 * C1  place AT: key_buffer holds key. If tree_seen == tree->changed, the path leads to its entry and
 *     slot_begin <= slot < slot_end; otherwise the tree was written and only the key counts.
 * C2  place BEFORE or BEHIND: key and value are empty and the path means nothing.
 */
#include "engine/tree/cursor.h"

#include "engine/tree/count.h"
#include "engine/tree/search.h"

void sheaf_tree_cursor_init(sheaf_cursor *cursor, const sheaf_range *range, void *buffer, size_t buffer_size)
{
    cursor->range = *range;
    cursor->key_buffer = buffer;
    cursor->key_buffer_size = buffer_size;
    cursor->tree = NULL;
    cursor->tree_seen = 0;
    cursor->place = SHEAF_PLACE_BEFORE;
    cursor->depth = 0;
    cursor->key = sheaf_bytes_of(buffer, 0);
    cursor->value = sheaf_bytes_of(NULL, 0);
}

static bool leave(sheaf_cursor *cursor, enum sheaf_cursor_place place)
{
    cursor->place = place;
    cursor->key.size = 0;
    cursor->value = sheaf_bytes_of(NULL, 0);
    return false;
}

static struct sheaf_step *leaf_step(sheaf_cursor *cursor)
{
    return &cursor->path[cursor->depth - 1];
}

/* Puts the prefix of the leaf in the key buffer. */
static void enter_leaf(sheaf_cursor *cursor)
{
    sheaf_bytes prefix = sheaf_node_prefix(leaf_step(cursor)->node);
    sheaf_assert(prefix.size <= cursor->key_buffer_size);
    memcpy(cursor->key_buffer, prefix.data, prefix.size);
}

static void find_slot_begin(sheaf_cursor *cursor)
{
    cursor->slot_begin = sheaf_leaf_search_cut(leaf_step(cursor)->node, &cursor->range.lower);
}

static void find_slot_end(sheaf_cursor *cursor)
{
    const struct sheaf_node *leaf = leaf_step(cursor)->node;
    bool open = cursor->range.upper.side == SHEAF_SIDE_UNBOUNDED;
    cursor->slot_end = open ? leaf->count : sheaf_leaf_search_cut(leaf, &cursor->range.upper);
}

/* Gives the entry at the leaf's slot, which is in the range. The prefix is in the buffer already. */
static inline bool give(sheaf_cursor *cursor, const struct sheaf_step *step)
{
    const struct sheaf_node *leaf = step->node;
    struct sheaf_cell cell = sheaf_cell_decode(sheaf_node_bytes(leaf) + sheaf_node_offsets(leaf)[step->slot], true);
    sheaf_suffix_write(cursor->key_buffer + leaf->prefix_size, sheaf_node_heads(leaf)[step->slot], &cell);
    cursor->key.data = cursor->key_buffer;
    cursor->key.size = (size_t)leaf->prefix_size + cell.suffix_size;
    cursor->value = sheaf_bytes_of(cell.value, cell.value_size);
    return true;
}

static bool stand(sheaf_cursor *cursor)
{
    cursor->place = SHEAF_PLACE_AT;
    cursor->tree_seen = cursor->tree->changed;
    return give(cursor, leaf_step(cursor));
}

/* ---- moving over leaves ------------------------------------------------------------------------------------------------- */

/* Walks down from the branch at step `depth` - 1 along the outermost children on one side. */
static void descend_edge(sheaf_cursor *cursor, uint32_t depth, bool to_last)
{
    const struct sheaf_node *node = sheaf_node_links(cursor->path[depth - 1].node)[cursor->path[depth - 1].slot].child;
    for (;; depth++) {
        cursor->path[depth].node = node;
        cursor->path[depth].slot = to_last ? node->count - 1U : 0;
        if (sheaf_node_is_leaf(node)) return;
        node = sheaf_node_links(node)[cursor->path[depth].slot].child;
    }
}

/* To the first slot of the leaf above; false, with the path as it was, if there is none. */
static bool next_leaf(sheaf_cursor *cursor)
{
    for (uint32_t depth = cursor->depth - 1; depth > 0; depth--) {
        struct sheaf_step *step = &cursor->path[depth - 1];
        if (step->slot + 1U >= step->node->count) continue;
        step->slot++;
        descend_edge(cursor, depth, false);
        const struct sheaf_step *parent = &cursor->path[cursor->depth - 2];
        uint32_t ahead = parent->slot + 1U;
        if (ahead < parent->node->count) sheaf_node_prefetch(sheaf_node_links(parent->node)[ahead].child);
        return true;
    }
    return false;
}

static bool previous_leaf(sheaf_cursor *cursor)
{
    for (uint32_t depth = cursor->depth - 1; depth > 0; depth--) {
        struct sheaf_step *step = &cursor->path[depth - 1];
        if (step->slot == 0) continue;
        step->slot--;
        descend_edge(cursor, depth, true);
        const struct sheaf_step *parent = &cursor->path[cursor->depth - 2];
        if (parent->slot > 0) sheaf_node_prefetch(sheaf_node_links(parent->node)[parent->slot - 1].child);
        return true;
    }
    return false;
}

static bool enter_next_leaf(sheaf_cursor *cursor)
{
    if (!next_leaf(cursor)) return leave(cursor, SHEAF_PLACE_BEHIND);
    enter_leaf(cursor);
    cursor->slot_begin = 0; /* what lies above a slot in the range is above its lower bound */
    find_slot_end(cursor);
    return cursor->slot_end > 0 ? give(cursor, leaf_step(cursor)) : leave(cursor, SHEAF_PLACE_BEHIND);
}

static bool enter_previous_leaf(sheaf_cursor *cursor)
{
    if (!previous_leaf(cursor)) return leave(cursor, SHEAF_PLACE_BEFORE);
    enter_leaf(cursor);
    cursor->slot_end = leaf_step(cursor)->node->count;
    find_slot_begin(cursor);
    return cursor->slot_begin < cursor->slot_end ? give(cursor, leaf_step(cursor)) : leave(cursor, SHEAF_PLACE_BEFORE);
}

/* ---- seeking ------------------------------------------------------------------------------------------------------------ */

/* Walks down to where a cut falls: the leaf's slot is the first above it, count if that lies in the leaf above. An unbounded
 * cut falls behind everything if `at_end`, else before. */
static void descend_cut(sheaf_cursor *cursor, const sheaf_cut *cut, bool at_end)
{
    bool behind = cut->side == SHEAF_SIDE_UNBOUNDED && at_end;
    const struct sheaf_node *node = cursor->tree->root;
    uint32_t depth = 0;
    for (; !sheaf_node_is_leaf(node); depth++) {
        cursor->path[depth].node = node;
        cursor->path[depth].slot = behind ? node->count - 1U : sheaf_branch_search_cut(node, cut);
        node = sheaf_node_links(node)[cursor->path[depth].slot].child;
        sheaf_node_prefetch(node);
    }
    cursor->path[depth].node = node;
    cursor->path[depth].slot = behind ? node->count : sheaf_leaf_search_cut(node, cut);
    cursor->depth = depth + 1;
}

static bool is_empty(const sheaf_cursor *cursor)
{
    return !cursor->tree || !cursor->tree->root;
}

/* To the first entry of the range above a cut. The cut may borrow from the key buffer: nothing is written there before the
 * search is over. */
static bool stand_above(sheaf_cursor *cursor, const sheaf_cut *cut)
{
    if (is_empty(cursor)) return leave(cursor, SHEAF_PLACE_BEHIND);
    descend_cut(cursor, cut, false);
    const struct sheaf_step *step = leaf_step(cursor);
    if (step->slot == step->node->count && !next_leaf(cursor)) return leave(cursor, SHEAF_PLACE_BEHIND);
    find_slot_begin(cursor);
    find_slot_end(cursor);
    if (step->slot < cursor->slot_begin) return sheaf_tree_cursor_first(cursor);
    if (step->slot >= cursor->slot_end) return leave(cursor, SHEAF_PLACE_BEHIND);
    enter_leaf(cursor);
    return stand(cursor);
}

/* From where a cut falls to the slot below it; false if there is none. */
static bool step_down(sheaf_cursor *cursor)
{
    struct sheaf_step *step = leaf_step(cursor);
    if (step->slot == 0) return previous_leaf(cursor);
    step->slot--;
    return true;
}

/* To the last entry of the range below a cut; likewise. */
static bool stand_below(sheaf_cursor *cursor, const sheaf_cut *cut)
{
    if (is_empty(cursor)) return leave(cursor, SHEAF_PLACE_BEFORE);
    descend_cut(cursor, cut, true);
    if (!step_down(cursor)) return leave(cursor, SHEAF_PLACE_BEFORE);
    const struct sheaf_step *step = leaf_step(cursor);
    find_slot_begin(cursor);
    find_slot_end(cursor);
    if (step->slot >= cursor->slot_end) return sheaf_tree_cursor_last(cursor);
    if (step->slot < cursor->slot_begin) return leave(cursor, SHEAF_PLACE_BEFORE);
    enter_leaf(cursor);
    return stand(cursor);
}

/* Where the descent ends is where the range begins in that leaf: one search less than stand_above(). */
bool sheaf_tree_cursor_first(sheaf_cursor *cursor)
{
    if (is_empty(cursor)) return leave(cursor, SHEAF_PLACE_BEHIND);
    descend_cut(cursor, &cursor->range.lower, false);
    const struct sheaf_step *step = leaf_step(cursor);
    if (step->slot == step->node->count && !next_leaf(cursor)) return leave(cursor, SHEAF_PLACE_BEHIND);
    cursor->slot_begin = step->slot;
    find_slot_end(cursor);
    if (step->slot >= cursor->slot_end) return leave(cursor, SHEAF_PLACE_BEHIND);
    enter_leaf(cursor);
    return stand(cursor);
}

bool sheaf_tree_cursor_last(sheaf_cursor *cursor)
{
    if (is_empty(cursor)) return leave(cursor, SHEAF_PLACE_BEFORE);
    descend_cut(cursor, &cursor->range.upper, true);
    if (!step_down(cursor)) return leave(cursor, SHEAF_PLACE_BEFORE);
    cursor->slot_end = leaf_step(cursor)->slot + 1;
    find_slot_begin(cursor);
    if (leaf_step(cursor)->slot < cursor->slot_begin) return leave(cursor, SHEAF_PLACE_BEFORE);
    enter_leaf(cursor);
    return stand(cursor);
}

bool sheaf_tree_cursor_seek(sheaf_cursor *cursor, sheaf_bytes key)
{
    sheaf_cut cut = sheaf_cut_of(key, SHEAF_SIDE_BEFORE);
    return stand_above(cursor, &cut);
}

bool sheaf_tree_cursor_seek_at_most(sheaf_cursor *cursor, sheaf_bytes key)
{
    sheaf_cut cut = sheaf_cut_of(key, SHEAF_SIDE_AFTER);
    return stand_below(cursor, &cut);
}

void sheaf_tree_cursor_set_position(sheaf_cursor *cursor, sheaf_bytes key)
{
    cursor->place = SHEAF_PLACE_AT;
    cursor->tree_seen = 0; /* no tree's: C1, only the key counts */
    cursor->key.size = sheaf_size_min(key.size, cursor->key_buffer_size);
    if (cursor->key.size > 0) memmove(cursor->key_buffer, key.data, cursor->key.size);
    cursor->value = sheaf_bytes_of(NULL, 0);
}

void sheaf_tree_cursor_set_behind(sheaf_cursor *cursor)
{
    (void)leave(cursor, SHEAF_PLACE_BEHIND);
}

/* To entry number `index` of the whole tree, which has more. */
static void descend_nth(sheaf_cursor *cursor, uint64_t index)
{
    const struct sheaf_node *node = cursor->tree->root;
    uint32_t depth = 0;
    for (; !sheaf_node_is_leaf(node); depth++) {
        const struct sheaf_link *links = sheaf_node_links(node);
        uint32_t slot = 0;
        while (index >= links[slot].totals.count) index -= links[slot++].totals.count;
        cursor->path[depth].node = node;
        cursor->path[depth].slot = slot;
        node = links[slot].child;
    }
    cursor->path[depth].node = node;
    cursor->path[depth].slot = (uint32_t)index;
    cursor->depth = depth + 1;
}

bool sheaf_tree_cursor_seek_nth(sheaf_cursor *cursor, uint64_t index, sheaf_direction direction)
{
    enum sheaf_cursor_place past = direction == SHEAF_FORWARD ? SHEAF_PLACE_BEHIND : SHEAF_PLACE_BEFORE;
    if (is_empty(cursor)) return leave(cursor, past);
    bool open = cursor->range.lower.side == SHEAF_SIDE_UNBOUNDED;
    uint64_t begin = open ? 0 : sheaf_tree_count_below(cursor->tree, &cursor->range.lower);
    uint64_t end = sheaf_tree_count_below(cursor->tree, &cursor->range.upper);
    if (begin >= end || index >= end - begin) return leave(cursor, past);
    descend_nth(cursor, direction == SHEAF_FORWARD ? begin + index : end - 1 - index);
    find_slot_begin(cursor);
    find_slot_end(cursor);
    enter_leaf(cursor);
    return stand(cursor);
}

/* ---- stepping ----------------------------------------------------------------------------------------------------------- */

/* Whether the path still leads to the cursor's entry. */
static inline bool is_current(const sheaf_cursor *cursor)
{
    return cursor->tree && cursor->tree->changed == cursor->tree_seen;
}

/* From a key whose tree was written. The key lies in the buffer, which is written only when the search is over. */
static bool step_from_key(sheaf_cursor *cursor, sheaf_direction direction)
{
    sheaf_cut cut = sheaf_cut_of(cursor->key, direction == SHEAF_FORWARD ? SHEAF_SIDE_AFTER : SHEAF_SIDE_BEFORE);
    return direction == SHEAF_FORWARD ? stand_above(cursor, &cut) : stand_below(cursor, &cut);
}

bool sheaf_tree_cursor_next(sheaf_cursor *cursor)
{
    if (cursor->place == SHEAF_PLACE_BEHIND) return false;
    if (cursor->place == SHEAF_PLACE_BEFORE) return sheaf_tree_cursor_first(cursor);
    if (!is_current(cursor)) return step_from_key(cursor, SHEAF_FORWARD);
    struct sheaf_step *step = leaf_step(cursor);
    if (step->slot + 1U < cursor->slot_end) {
        step->slot++;
        return give(cursor, step);
    }
    if (cursor->slot_end < step->node->count) return leave(cursor, SHEAF_PLACE_BEHIND);
    return enter_next_leaf(cursor);
}

bool sheaf_tree_cursor_previous(sheaf_cursor *cursor)
{
    if (cursor->place == SHEAF_PLACE_BEFORE) return false;
    if (cursor->place == SHEAF_PLACE_BEHIND) return sheaf_tree_cursor_last(cursor);
    if (!is_current(cursor)) return step_from_key(cursor, SHEAF_REVERSE);
    struct sheaf_step *step = leaf_step(cursor);
    if (step->slot > cursor->slot_begin) {
        step->slot--;
        return give(cursor, step);
    }
    if (cursor->slot_begin > 0) return leave(cursor, SHEAF_PLACE_BEFORE);
    return enter_previous_leaf(cursor);
}

/* Finds the path to the cursor's key anew; false if there is no such entry any more. */
static bool stand_again(sheaf_cursor *cursor)
{
    sheaf_bytes value;
    if (is_empty(cursor) || sheaf_tree_get(cursor->tree, cursor->key, &value) != SHEAF_OK) return false;
    sheaf_cut cut = sheaf_cut_of(cursor->key, SHEAF_SIDE_BEFORE);
    return stand_above(cursor, &cut);
}

sheaf_status sheaf_tree_cursor_refresh(sheaf_cursor *cursor)
{
    if (cursor->place != SHEAF_PLACE_AT) return SHEAF_NOT_FOUND;
    if (is_current(cursor) || stand_again(cursor)) return SHEAF_OK;
    cursor->value = sheaf_bytes_of(NULL, 0);
    return SHEAF_NOT_FOUND;
}
