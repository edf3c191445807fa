/*
 * cursor.c - a position in a range, moved over the leaves.
 *
 * On entering a leaf the cursor finds which of its slots lie in the range (slot_begin to slot_end), so that a step compares
 * nothing: it moves the slot and reads the entry there (entry.h). There are no sibling pointers; the next leaf is found
 * through the path, which holds the branches above the leaf.
 *
 * C1  place AT: `key` lies in the key buffer. If tree_seen == tree->changed, path and leaf lead to its entry and
 *     slot_begin <= slot < slot_end; otherwise the tree was written and only the key counts.
 * C2  place BEFORE or BEHIND: key and value are empty; path and leaf mean nothing.
 * C3  changes_seen == *changes only where C1 has path and leaf lead to the entry. So one comparison is all that a step
 * within
 *     a leaf has to ask.
 */
#include "engine/tree/cursor.h"

#include "engine/tree/count.h"
#include "engine/tree/search.h"

#define NEVER UINT64_MAX /* no count of writes gets there */

void sheaf_tree_cursor_init(sheaf_cursor *cursor, const uint64_t *changes, const sheaf_range *range, void *buffer,
                            size_t buffer_size)
{
    cursor->changes = changes;
    cursor->changes_seen = NEVER;
    cursor->following = NULL;
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

void sheaf_cursor_read_odd(sheaf_cursor *cursor, uint32_t slot)
{
    struct sheaf_cell cell = sheaf_node_cell(cursor->leaf, slot);
    sheaf_suffix_write(cursor->key_buffer + cursor->leaf_prefix_size, cursor->leaf_heads[slot], &cell);
    cursor->ahead = sheaf_fetch_ahead(cursor->ahead, cursor->ahead_stride);
    cursor->slot = slot;
    cursor->key = sheaf_bytes_of(cursor->key_buffer, (size_t)cursor->leaf_prefix_size + cell.suffix_size);
    cursor->value = sheaf_bytes_of(cell.value, cell.value_size);
}

bool sheaf_leaf_holds_entry(const struct sheaf_node *leaf, uint32_t slot, sheaf_bytes key, sheaf_bytes value)
{
    uint8_t buffer[SHEAF_SORT_KEY_SIZE_HARD];
    struct sheaf_cell cell = sheaf_node_cell(leaf, slot);
    return sheaf_bytes_equal(key, sheaf_node_key(leaf, slot, buffer)) &&
           sheaf_bytes_equal(value, sheaf_bytes_of(cell.value, cell.value_size));
}

static bool leave(sheaf_cursor *cursor, enum sheaf_cursor_place place)
{
    cursor->place = place;
    cursor->changes_seen = NEVER; /* C3 */
    cursor->key = sheaf_bytes_of(cursor->key_buffer, 0);
    cursor->value = sheaf_bytes_of(NULL, 0);
    return false;
}

static void find_slot_begin(sheaf_cursor *cursor)
{
    cursor->slot_begin = sheaf_leaf_search_cut(cursor->leaf, &cursor->range.lower);
}

static void find_slot_end(sheaf_cursor *cursor)
{
    bool open = cursor->range.upper.side == SHEAF_SIDE_UNBOUNDED;
    cursor->slot_end = open ? cursor->leaf->count : sheaf_leaf_search_cut(cursor->leaf, &cursor->range.upper);
}

/* At the entry of a slot that lies in the range. */
static bool stand(sheaf_cursor *cursor)
{
    cursor->place = SHEAF_PLACE_AT;
    cursor->tree_seen = cursor->tree->changed;
    cursor->changes_seen = *cursor->changes;
    sheaf_cursor_enter_leaf(cursor);
    sheaf_cursor_read(cursor, cursor->slot);
    return true;
}

/* ---- moving over leaves -------------------------------------------------------------------------------------------------
 * */

/* Walks down from the branch at step `depth` - 1 along the outermost children on one side, to the outermost slot. */
static void descend_edge(sheaf_cursor *cursor, uint32_t depth, bool to_last)
{
    const struct sheaf_node *node = sheaf_node_children(cursor->path[depth - 1].node)[cursor->path[depth - 1].slot];
    for (; !sheaf_node_is_leaf(node); depth++) {
        cursor->path[depth].node = node;
        cursor->path[depth].slot = to_last ? node->count - 1U : 0;
        node = sheaf_node_children(node)[cursor->path[depth].slot];
    }
    cursor->leaf = node;
    cursor->slot = to_last ? node->count - 1U : 0;
}

/* To the first slot of the leaf above; false, with the path as it was, if there is none. */
static bool next_leaf(sheaf_cursor *cursor)
{
    for (uint32_t depth = cursor->depth; depth > 0; depth--) {
        struct sheaf_step *step = &cursor->path[depth - 1];
        if (step->slot + 1U >= step->node->count) continue;
        step->slot++;
        descend_edge(cursor, depth, false);
        return true;
    }
    return false;
}

static bool previous_leaf(sheaf_cursor *cursor)
{
    for (uint32_t depth = cursor->depth; depth > 0; depth--) {
        struct sheaf_step *step = &cursor->path[depth - 1];
        if (step->slot == 0) continue;
        step->slot--;
        descend_edge(cursor, depth, true);
        return true;
    }
    return false;
}

/* The slot of the leaf that is read after this one, in the branch that leads to this one, if the range goes on there; or
 * SLOT_NONE. */
static uint32_t next_leaf_slot(const sheaf_cursor *cursor, sheaf_direction direction)
{
    if (cursor->depth == 0) return SLOT_NONE;
    const struct sheaf_step *parent = &cursor->path[cursor->depth - 1];
    if (direction == SHEAF_FORWARD) {
        bool goes_on = cursor->slot_end == cursor->leaf->count && parent->slot + 1U < parent->node->count;
        return goes_on ? parent->slot + 1U : SLOT_NONE;
    }
    return cursor->slot_begin == 0 && parent->slot > 0 ? parent->slot - 1U : SLOT_NONE;
}

/* Sets what is fetched while the rest of the leaf is read. */
void sheaf_cursor_look_ahead(sheaf_cursor *cursor, sheaf_direction direction)
{
    uint32_t slot = next_leaf_slot(cursor, direction);
    if (slot == SLOT_NONE) return;
    const struct sheaf_node *parent = cursor->path[cursor->depth - 1].node;
    uint32_t left = direction == SHEAF_FORWARD ? cursor->slot_end - cursor->slot : cursor->slot + 1 - cursor->slot_begin;
    /* As many bytes as if its entries were like ours, spread over ours that are left. */
    cursor->ahead = sheaf_node_bytes(sheaf_node_children(parent)[slot]);
    uint32_t count = (uint32_t)sheaf_node_sums(parent)[slot].count;
    cursor->ahead_stride = cursor->leaf->size * count / (cursor->leaf->count * left) + 1;
}

/* Stands in a leaf that was reached from its neighbour: so another one will be wanted. */
static bool stand_ahead(sheaf_cursor *cursor, sheaf_direction direction)
{
    (void)stand(cursor);
    sheaf_cursor_look_ahead(cursor, direction);
    return true;
}

static bool enter_next_leaf(sheaf_cursor *cursor)
{
    if (!next_leaf(cursor)) return leave(cursor, SHEAF_PLACE_BEHIND);
    cursor->slot_begin = 0; /* what lies above a slot in the range is above its lower bound */
    find_slot_end(cursor);
    return cursor->slot_end > 0 ? stand_ahead(cursor, SHEAF_FORWARD) : leave(cursor, SHEAF_PLACE_BEHIND);
}

static bool enter_previous_leaf(sheaf_cursor *cursor)
{
    if (!previous_leaf(cursor)) return leave(cursor, SHEAF_PLACE_BEFORE);
    cursor->slot_end = cursor->leaf->count;
    find_slot_begin(cursor);
    return cursor->slot_begin < cursor->slot_end ? stand_ahead(cursor, SHEAF_REVERSE) : leave(cursor, SHEAF_PLACE_BEFORE);
}

/* ---- seeking ------------------------------------------------------------------------------------------------------------
 * */

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
        node = sheaf_node_children(node)[cursor->path[depth].slot];
        sheaf_node_prefetch(node);
    }
    cursor->leaf = node;
    cursor->slot = behind ? node->count : sheaf_leaf_search_cut(node, cut);
    cursor->depth = depth;
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
    if (cursor->slot == cursor->leaf->count && !next_leaf(cursor)) return leave(cursor, SHEAF_PLACE_BEHIND);
    find_slot_begin(cursor);
    find_slot_end(cursor);
    if (cursor->slot < cursor->slot_begin) return sheaf_tree_cursor_first(cursor);
    if (cursor->slot >= cursor->slot_end) return leave(cursor, SHEAF_PLACE_BEHIND);
    return stand(cursor);
}

/* From where a cut falls to the slot below it; false if there is none. */
static bool step_down(sheaf_cursor *cursor)
{
    if (cursor->slot == 0) return previous_leaf(cursor);
    cursor->slot--;
    return true;
}

/* To the last entry of the range below a cut; likewise. */
static bool stand_below(sheaf_cursor *cursor, const sheaf_cut *cut)
{
    if (is_empty(cursor)) return leave(cursor, SHEAF_PLACE_BEFORE);
    descend_cut(cursor, cut, true);
    if (!step_down(cursor)) return leave(cursor, SHEAF_PLACE_BEFORE);
    find_slot_begin(cursor);
    find_slot_end(cursor);
    if (cursor->slot >= cursor->slot_end) return sheaf_tree_cursor_last(cursor);
    if (cursor->slot < cursor->slot_begin) return leave(cursor, SHEAF_PLACE_BEFORE);
    return stand(cursor);
}

/* Where the descent ends is where the range begins in that leaf: one search less than stand_above(). */
bool sheaf_tree_cursor_first(sheaf_cursor *cursor)
{
    if (is_empty(cursor)) return leave(cursor, SHEAF_PLACE_BEHIND);
    descend_cut(cursor, &cursor->range.lower, false);
    if (cursor->slot == cursor->leaf->count && !next_leaf(cursor)) return leave(cursor, SHEAF_PLACE_BEHIND);
    cursor->slot_begin = cursor->slot;
    find_slot_end(cursor);
    if (cursor->slot >= cursor->slot_end) return leave(cursor, SHEAF_PLACE_BEHIND);
    return stand(cursor);
}

bool sheaf_tree_cursor_last(sheaf_cursor *cursor)
{
    if (is_empty(cursor)) return leave(cursor, SHEAF_PLACE_BEFORE);
    descend_cut(cursor, &cursor->range.upper, true);
    if (!step_down(cursor)) return leave(cursor, SHEAF_PLACE_BEFORE);
    cursor->slot_end = cursor->slot + 1;
    find_slot_begin(cursor);
    if (cursor->slot < cursor->slot_begin) return leave(cursor, SHEAF_PLACE_BEFORE);
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
    cursor->changes_seen = NEVER;
    cursor->key.size = sheaf_size_min(key.size, cursor->key_buffer_size);
    if (cursor->key.size > 0) memmove(cursor->key_buffer, key.data, cursor->key.size);
    cursor->key.data = cursor->key_buffer;
    cursor->value = sheaf_bytes_of(NULL, 0);
}

void sheaf_tree_cursor_rewind(sheaf_cursor *cursor, sheaf_direction direction)
{
    (void)leave(cursor, direction == SHEAF_FORWARD ? SHEAF_PLACE_BEFORE : SHEAF_PLACE_BEHIND);
}

/* To entry number `index` of the whole tree, which has more. */
static void descend_nth(sheaf_cursor *cursor, uint64_t index)
{
    const struct sheaf_node *node = cursor->tree->root;
    uint32_t depth = 0;
    for (; !sheaf_node_is_leaf(node); depth++) {
        const sheaf_totals *sums = sheaf_node_sums(node);
        uint32_t slot = 0;
        while (index >= sums[slot].count) index -= sums[slot++].count;
        cursor->path[depth].node = node;
        cursor->path[depth].slot = slot;
        node = sheaf_node_children(node)[slot];
    }
    cursor->leaf = node;
    cursor->slot = (uint32_t)index;
    cursor->depth = depth;
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
    return stand(cursor);
}

/* ---- stepping -----------------------------------------------------------------------------------------------------------
 * */

/* Whether path and leaf still lead to the cursor's entry (C1). What was written since was then some other tree. */
static bool is_current(sheaf_cursor *cursor)
{
    if (!cursor->tree || cursor->tree->changed != cursor->tree_seen) return false;
    cursor->changes_seen = *cursor->changes;
    return true;
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
    if (sheaf_tree_cursor_step_up(cursor)) return true;
    if (cursor->slot_end < cursor->leaf->count) return leave(cursor, SHEAF_PLACE_BEHIND);
    return enter_next_leaf(cursor);
}

bool sheaf_tree_cursor_previous(sheaf_cursor *cursor)
{
    if (cursor->place == SHEAF_PLACE_BEFORE) return false;
    if (cursor->place == SHEAF_PLACE_BEHIND) return sheaf_tree_cursor_last(cursor);
    if (!is_current(cursor)) return step_from_key(cursor, SHEAF_REVERSE);
    if (sheaf_tree_cursor_step_down(cursor)) return true;
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

void sheaf_tree_cursor_forget_value(sheaf_cursor *cursor)
{
    cursor->value = sheaf_bytes_of(NULL, 0);
    cursor->changes_seen = cursor->tree_seen = NEVER;
}

void sheaf_tree_cursor_note_uses(sheaf_cursor *cursor, uint32_t begin, uint32_t end)
{
    struct sheaf_node *leaf = cursor->tree->root;
    if (cursor->depth > 0) { /* the same leaf, by a way that lets it be written */
        const struct sheaf_step *parent = &cursor->path[cursor->depth - 1];
        leaf = sheaf_node_children(parent->node)[parent->slot];
    }
    sheaf_assert(leaf == cursor->leaf);
    for (uint32_t slot = begin; slot < end; slot++) sheaf_leaf_note_use(leaf, slot, &cursor->tree->grove->use);
    cursor->changes_seen = NEVER; /* C3 */
}
