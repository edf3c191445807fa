/*
 * cursor.c - public cursors: the store's half.
 *
 * A cursor belongs to a partition key, not to a collection: that may end and begin again while the cursor is open. So before
 * each move it is looked up anew, but only when the directory has changed since. Positions are the tree's business.
 */
#include <sheaf/scan.h>

#include "engine/store/cache.h"
#include "engine/store/expiry.h"
#include "engine/tree/count.h"
#include "engine/tree/cursor.h"
#include "engine/tree/node.h"

/* ---- opening ---------------------------------------------------------------------------------------------------------- */

/* About what a leaf takes beyond keys and values, and what to fetch of a root that holds more than a leaf can. */
enum { LEAF_OVERHEAD = 64, ENTRY_OVERHEAD = 12, BRANCH_FRONT_SIZE = 512 };

/*
 * A partition key that lies in the collection's own record came from sheaf_collection_next(): so the collections are being
 * read one after another. The root of the next one, which the directory knows, is to be fetched while this one is read. With
 * the records fetched some slots ahead that takes three quarters off the time of reading many small collections.
 */
static void expect_following(sheaf_cursor *cursor, const struct sheaf_slot *slot)
{
    const struct sheaf_slot *next = sheaf_directory_next(&cursor->store->directory, slot);
    if (!next) return;
    sheaf_totals totals = next->collection->tree.totals;
    uint64_t size = totals.bytes + totals.count * ENTRY_OVERHEAD + LEAF_OVERHEAD;
    cursor->following = next->root;
    cursor->following_size = size <= SHEAF_NODE_SIZE ? (uint32_t)size : BRANCH_FRONT_SIZE;
}

static void look_up(sheaf_cursor *cursor)
{
    const struct sheaf_directory *directory = &cursor->store->directory;
    const struct sheaf_slot *slot = sheaf_directory_find(directory, cursor->partition_hash, cursor->partition_key);
    cursor->tree = slot ? &slot->collection->tree : NULL;
    cursor->directory_seen = directory->changes;
    cursor->following = NULL;
    if (slot && cursor->partition_key.data == slot->collection->partition_key) expect_following(cursor, slot);
}

static sheaf_status open_cursor(sheaf_cursor *cursor, const sheaf_store *store, sheaf_bytes partition_key,
                                const sheaf_range *range, void *buffer, size_t buffer_size, sheaf_detail *out_detail)
{
    sheaf_range sound;
    sheaf_status status = sheaf_validate_partition_key(&store->limits, partition_key, out_detail);
    if (status != SHEAF_OK) return status;
    status = sheaf_validate_range(range, &sound, out_detail);
    if (status != SHEAF_OK) return status;
    if (buffer_size < store->limits.sort_key_size_max) {
        sheaf_detail detail = { .field = SHEAF_FIELD_KEY_BUFFER,
                                .size = buffer_size,
                                .limit = store->limits.sort_key_size_max,
                                .message = "The cursor's buffer is smaller than the longest sort key of the store" };
        return sheaf_refuse(out_detail, SHEAF_INVALID_ARGUMENT, detail);
    }
    sheaf_tree_cursor_init(cursor, &store->grove.changes, &sound, buffer, buffer_size);
    cursor->store = store;
    cursor->partition_key = partition_key;
    cursor->partition_hash = sheaf_store_hash(store, partition_key);
    look_up(cursor);
    return SHEAF_OK;
}

sheaf_status sheaf_cursor_open(sheaf_cursor *cursor, const sheaf_store *store, sheaf_bytes partition_key,
                               const sheaf_range *range, sheaf_detail *out_detail)
{
    return open_cursor(cursor, store, partition_key, range, cursor->key_inline, sizeof cursor->key_inline, out_detail);
}

sheaf_status sheaf_cursor_open_wide(sheaf_cursor *cursor, const sheaf_store *store, sheaf_bytes partition_key,
                                    const sheaf_range *range, void *buffer, size_t buffer_size, sheaf_detail *out_detail)
{
    return open_cursor(cursor, store, partition_key, range, buffer, buffer_size, out_detail);
}

/* ---- moving ----------------------------------------------------------------------------------------------------------- */

static inline void follow_directory(sheaf_cursor *cursor)
{
    if (cursor->directory_seen != cursor->store->directory.changes) look_up(cursor);
}

bool sheaf_cursor_valid(const sheaf_cursor *cursor)
{
    return cursor->place == SHEAF_PLACE_AT;
}

void sheaf_cursor_rewind(sheaf_cursor *cursor, sheaf_direction direction)
{
    sheaf_tree_cursor_rewind(cursor, direction);
}

/* Whether it has found an entry: in a cache where scans are uses, that is one. */
static inline bool note_found(sheaf_cursor *cursor, bool found)
{
    if (found && cursor->store->cache) sheaf_cache_note_scan(cursor, cursor->slot, cursor->slot + 1);
    return found;
}

static inline bool is_expired(const sheaf_cursor *cursor, uint64_t now)
{
    return sheaf_is_expired(sheaf_node_dues(cursor->leaf)[cursor->slot], now);
}

/* The entry that was found going up, or the next above that can be seen. */
static inline bool visible_up(sheaf_cursor *cursor, bool found)
{
    uint64_t now;
    if (found && sheaf_store_hides(cursor->store, cursor->tree, &now))
        while (found && is_expired(cursor, now)) found = sheaf_tree_cursor_next(cursor);
    return note_found(cursor, found);
}

static inline bool visible_down(sheaf_cursor *cursor, bool found)
{
    uint64_t now;
    if (found && sheaf_store_hides(cursor->store, cursor->tree, &now))
        while (found && is_expired(cursor, now)) found = sheaf_tree_cursor_previous(cursor);
    return note_found(cursor, found);
}

bool sheaf_cursor_first(sheaf_cursor *cursor)
{
    follow_directory(cursor);
    return visible_up(cursor, sheaf_tree_cursor_first(cursor));
}

bool sheaf_cursor_last(sheaf_cursor *cursor)
{
    follow_directory(cursor);
    return visible_down(cursor, sheaf_tree_cursor_last(cursor));
}

bool sheaf_cursor_seek(sheaf_cursor *cursor, sheaf_bytes key)
{
    follow_directory(cursor);
    return visible_up(cursor, sheaf_tree_cursor_seek(cursor, key));
}

bool sheaf_cursor_seek_at_most(sheaf_cursor *cursor, sheaf_bytes key)
{
    follow_directory(cursor);
    return visible_down(cursor, sheaf_tree_cursor_seek_at_most(cursor, key));
}

/* The number, among all entries of the range, of number `index` of those that can be seen, both from its start. False if there
 * are fewer. */
static bool index_of_visible(const sheaf_cursor *cursor, uint64_t index, sheaf_direction direction, uint64_t now,
                             uint64_t *out_index)
{
    const struct sheaf_tree *tree = cursor->tree;
    sheaf_range before = { .upper = cursor->range.lower };
    uint64_t visible = sheaf_tree_range_total(tree, &cursor->range).count - sheaf_tree_expired(tree, &cursor->range, now).count;
    if (index >= visible) return false;
    if (direction == SHEAF_REVERSE) index = visible - 1 - index;
    uint64_t below = before.upper.side == SHEAF_SIDE_UNBOUNDED ? 0 : sheaf_tree_count_below(tree, &before.upper);
    uint64_t hidden = below == 0 ? 0 : sheaf_tree_expired(tree, &before, now).count;
    uint64_t number;
    if (!sheaf_tree_visible_index(tree, below - hidden + index, now, &number)) return false;
    *out_index = number - below;
    return true;
}

bool sheaf_cursor_seek_nth(sheaf_cursor *cursor, uint64_t index, sheaf_direction direction)
{
    uint64_t now, number;
    follow_directory(cursor);
    if (cursor->tree && sheaf_store_hides(cursor->store, cursor->tree, &now)) {
        if (!index_of_visible(cursor, index, direction, now, &number))
            return sheaf_tree_cursor_seek_nth(cursor, UINT64_MAX, direction); /* past that end */
        return note_found(cursor, sheaf_tree_cursor_seek_nth(cursor, number, SHEAF_FORWARD));
    }
    return note_found(cursor, sheaf_tree_cursor_seek_nth(cursor, index, direction));
}

bool sheaf_cursor_next(sheaf_cursor *cursor)
{
    if (!cursor->store->expiry.hides && sheaf_tree_cursor_step_up(cursor)) return true;
    follow_directory(cursor);
    return visible_up(cursor, sheaf_tree_cursor_next(cursor));
}

bool sheaf_cursor_previous(sheaf_cursor *cursor)
{
    if (!cursor->store->expiry.hides && sheaf_tree_cursor_step_down(cursor)) return true;
    follow_directory(cursor);
    return visible_down(cursor, sheaf_tree_cursor_previous(cursor));
}

/* Where something may be hidden, entries are read one by one. */
static size_t read_one(sheaf_cursor *cursor, sheaf_entry *out_entries, size_t capacity, bool up)
{
    if (capacity == 0 || !(up ? sheaf_cursor_next(cursor) : sheaf_cursor_previous(cursor))) return 0;
    out_entries[0] = (sheaf_entry){ cursor->key, cursor->value };
    return 1;
}

static bool may_hide(const sheaf_cursor *cursor)
{
    uint64_t now;
    return cursor->tree && sheaf_store_hides(cursor->store, cursor->tree, &now);
}

size_t sheaf_cursor_next_many(sheaf_cursor *cursor, sheaf_entry *out_entries, size_t capacity)
{
    follow_directory(cursor);
    if (may_hide(cursor)) return read_one(cursor, out_entries, capacity, true);
    size_t count = sheaf_tree_cursor_next_many(cursor, out_entries, capacity);
    if (count > 0 && cursor->store->cache)
        sheaf_cache_note_scan(cursor, cursor->slot + 1 - (uint32_t)count, cursor->slot + 1);
    return count;
}

size_t sheaf_cursor_previous_many(sheaf_cursor *cursor, sheaf_entry *out_entries, size_t capacity)
{
    follow_directory(cursor);
    if (may_hide(cursor)) return read_one(cursor, out_entries, capacity, false);
    size_t count = sheaf_tree_cursor_previous_many(cursor, out_entries, capacity);
    if (count > 0 && cursor->store->cache) sheaf_cache_note_scan(cursor, cursor->slot, cursor->slot + (uint32_t)count);
    return count;
}

sheaf_status sheaf_cursor_refresh(sheaf_cursor *cursor)
{
    follow_directory(cursor);
    uint64_t now;
    sheaf_status status = sheaf_tree_cursor_refresh(cursor);
    if (status != SHEAF_OK || !sheaf_store_hides(cursor->store, cursor->tree, &now) || !is_expired(cursor, now)) return status;
    sheaf_tree_cursor_forget_value(cursor);
    return SHEAF_NOT_FOUND;
}
