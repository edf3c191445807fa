/*
 * scan.h - reading ranges: cursors, pages, counts and ranks, children.
 *
 * All of these read the live store, or the state that a view keeps (view.h). A cursor is the tool underneath (no copy, no
 * allocation); a page is a bounded piece copied out, with the positions to go on from; totals and ranks come from sums the
 * tree keeps, in O(log n) whatever the range holds; children skips whole subtrees.
 *
 * Thread rule: as store.h. A cursor itself belongs to one thread.
 */
#ifndef SHEAF_SCAN_H
#define SHEAF_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/limits.h>
#include <sheaf/range.h>
#include <sheaf/status.h>
#include <sheaf/store.h>

SHEAF_BEGIN_DECLARATIONS

/* ---- cursors ---------------------------------------------------------------------------------------------------------- */

/** Private: bytes of a cursor for keys: the longest, and some to copy in wide strides. */
#define SHEAF_CURSOR_KEY_ROOM (SHEAF_SORT_KEY_SIZE_MAX + 64)

/** Private: one level of a cursor's way down. */
struct sheaf_step {
    const struct sheaf_node *node;
    uint32_t slot;
};

/**
 * A position in a range of one collection. The caller holds it (about 2 KiB, on the stack as a rule); it allocates nothing
 * and needs no closing. Only `key` and `value` are for reading; do not copy a cursor by assignment, its key points into
 * itself.
 *
 * It stands on an entry, or before the first, or behind the last. Read it as
 *
 *     for (sheaf_cursor_first(&cursor); sheaf_cursor_valid(&cursor); sheaf_cursor_next(&cursor))
 *         use(cursor.key, cursor.value);
 *
 * Lifetimes. `key` lies in the cursor: valid until the cursor moves, whatever the store does. `value` is borrowed from the
 * store: valid until the next write to the collection.
 *
 * Changes. The collection may be written while a cursor is open, its entry deleted, the whole collection dropped. The cursor
 * keeps its *position*, the key: its next step goes to the first key above (or below) that position that is there now. So an
 * entry that is present throughout is given exactly once in one direction, deleting at the cursor is allowed, and an entry
 * put in ahead of the cursor is met. After a write, sheaf_cursor_refresh() brings `value` up to date.
 */
typedef struct sheaf_cursor {
    sheaf_bytes key;   /**< of the entry it stands on, within the cursor; empty when not valid */
    sheaf_bytes value; /**< borrowed from the store; empty when not valid */
    /* What follows is private. First what every step looks at. */
    const uint64_t *changes;
    uint64_t changes_seen;
    const struct sheaf_node *leaf;
    const uint32_t *leaf_heads;
    const uint16_t *leaf_offsets;
    const uint8_t *leaf_wide_end;
    const uint8_t *ahead;
    uint32_t ahead_stride;
    uint32_t leaf_prefix_size;
    uint32_t slot;
    uint32_t slot_begin;
    uint32_t slot_end;
    uint8_t *key_buffer;
    size_t key_buffer_size;
    const struct sheaf_store *store;
    const struct sheaf_tree *tree;
    sheaf_bytes partition_key;
    uint64_t partition_hash;
    uint64_t directory_seen;
    uint64_t tree_seen;
    const struct sheaf_node *following;
    uint32_t following_size;
    sheaf_range range;
    uint32_t place;
    uint32_t depth;
    struct sheaf_step path[SHEAF_TREE_DEPTH_MAX];
    uint8_t key_inline[SHEAF_CURSOR_KEY_ROOM];
} sheaf_cursor;

/**
 * Opens a cursor on a range of a collection, before its first entry. A collection that is not there is an empty one; should
 * it appear later, the cursor sees it.
 *
 * @param partition_key  Borrowed: must live as long as the cursor is used.
 * @param range          NULL for all. Copied, but the bytes of its cuts are borrowed likewise.
 * @retval SHEAF_OK
 * @retval SHEAF_RANGE_INVERTED
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG  Of the partition key.
 * @retval SHEAF_INVALID_ARGUMENT  The store accepts sort keys longer than SHEAF_SORT_KEY_SIZE_MAX: use
 *                                 sheaf_cursor_open_wide().
 * @par Cost  O(1).
 */
SHEAF_API sheaf_status sheaf_cursor_open(sheaf_cursor *cursor, const sheaf_store *store, sheaf_bytes partition_key,
                                         const sheaf_range *range, sheaf_detail *out_detail);

/** As sheaf_cursor_open(), with room for long keys: @p buffer must be as large as the store's sort key limit, and stays the
 *  caller's. */
SHEAF_API sheaf_status sheaf_cursor_open_wide(sheaf_cursor *cursor, const sheaf_store *store, sheaf_bytes partition_key,
                                              const sheaf_range *range, void *buffer, size_t buffer_size,
                                              sheaf_detail *out_detail);

/** Whether the cursor stands on an entry (or on the position of one deleted since). */
SHEAF_API bool sheaf_cursor_valid(const sheaf_cursor *cursor);

/** To the lowest entry of the range. Returns whether there is one. Cost: O(log n). */
SHEAF_API bool sheaf_cursor_first(sheaf_cursor *cursor);

/** To the highest entry of the range. Returns whether there is one. Cost: O(log n). */
SHEAF_API bool sheaf_cursor_last(sheaf_cursor *cursor);

/** To the lowest entry of the range with key >= @p key; behind the last if there is none. Cost: O(log n). */
SHEAF_API bool sheaf_cursor_seek(sheaf_cursor *cursor, sheaf_bytes key);

/** To the highest entry of the range with key <= @p key; before the first if there is none. Cost: O(log n). */
SHEAF_API bool sheaf_cursor_seek_at_most(sheaf_cursor *cursor, sheaf_bytes key);

/** To entry number @p index of the range, counted from 0 at its start in @p direction. False, and past that end, if the
 *  range has fewer. Cost: O(log n). */
SHEAF_API bool sheaf_cursor_seek_nth(sheaf_cursor *cursor, uint64_t index, sheaf_direction direction);

/**
 * To the entry above. Before the first: to the first. Behind the last: stays there.
 * Returns whether it stands on an entry. Cost: O(1) amortized; O(log n) when the collection was written since.
 */
SHEAF_API bool sheaf_cursor_next(sheaf_cursor *cursor);

/** To the entry below. Behind the last: to the last. Before the first: stays there. Otherwise as sheaf_cursor_next(). */
SHEAF_API bool sheaf_cursor_previous(sheaf_cursor *cursor);

/** To where reading in a direction begins: before the first entry of the range, or with SHEAF_REVERSE behind the last, so
 *  that sheaf_cursor_previous() gives that next. Cost: O(1). */
SHEAF_API void sheaf_cursor_rewind(sheaf_cursor *cursor, sheaf_direction direction);

/** One entry, as steps by the dozen and pages give it. */
typedef struct sheaf_entry {
    sheaf_bytes key;
    sheaf_bytes value;
} sheaf_entry;

/**
 * Several entries at once, for those who read many: the same as so many calls of sheaf_cursor_next(), for less.
 *
 *     sheaf_entry entries[32];
 *     size_t count;
 *     while ((count = sheaf_cursor_next_many(&cursor, entries, 32)) > 0)
 *         for (size_t i = 0; i < count; i++) use(entries[i].key, entries[i].value);
 *
 * The cursor ends on the last one given. Keys lie in the cursor, all of them valid until it moves; values are borrowed from
 * the store, valid until the next write to the collection.
 *
 * @param[out] out_entries  Room for @p capacity entries, in the order of reading.
 * @param      capacity     As many as are wanted; 0 moves nothing. One call gives some dozens at most, but what is known to
 *                          be wanted is fetched from memory in time: ask for much if you want much, for ten if you want ten.
 * @return How many; 0 where sheaf_cursor_next() would be false, else at least 1, and often fewer than there are.
 * @par Cost  O(1) per entry, amortized; O(log n) more when the collection was written since.
 */
SHEAF_API size_t sheaf_cursor_next_many(sheaf_cursor *cursor, sheaf_entry *out_entries, size_t capacity);

/** Likewise, the same as so many calls of sheaf_cursor_previous(). */
SHEAF_API size_t sheaf_cursor_previous_many(sheaf_cursor *cursor, sheaf_entry *out_entries, size_t capacity);

/**
 * Reads the cursor's entry anew after a write.
 *
 * @retval SHEAF_OK         `value` is current.
 * @retval SHEAF_NOT_FOUND  The entry is gone, or the cursor stands on none; `value` is empty. The position stays.
 */
SHEAF_API sheaf_status sheaf_cursor_refresh(sheaf_cursor *cursor);

/* ---- counts and ranks ------------------------------------------------------------------------------------------------- */

/**
 * Entries and bytes of a range, without reading it.
 *
 * @param range  NULL for all.
 * @retval SHEAF_OK  Zeroes for a collection that is not there.
 * @retval SHEAF_RANGE_INVERTED
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG  Of the partition key.
 * @par Cost  O(log n); bytes also reads the two leaves at the ends.
 */
SHEAF_API sheaf_status sheaf_range_total(const sheaf_store *store, sheaf_bytes partition_key, const sheaf_range *range,
                                         sheaf_totals *out_totals, sheaf_detail *out_detail);

/**
 * How many entries of the collection come before @p sort_key in @p direction: 0 is the first place. Forward that is the
 * number of lower keys, in reverse that of higher ones (the place on a leaderboard). There need not be such an entry.
 *
 * @param[out] out_exists  Whether there is. May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG
 * @par Cost  O(log n).
 */
SHEAF_API sheaf_status sheaf_rank(const sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key,
                                  sheaf_direction direction, uint64_t *out_rank, bool *out_exists, sheaf_detail *out_detail);

/* ---- pages ------------------------------------------------------------------------------------------------------------ */

/** Which page of a listing. */
typedef enum sheaf_anchor {
    SHEAF_ANCHOR_START = 0, /**< the first */
    SHEAF_ANCHOR_AFTER,     /**< the one that follows `position` in listing order */
    SHEAF_ANCHOR_BEFORE     /**< the one that ends just before `position`, given in listing order all the same */
} sheaf_anchor;

/** What page is wanted. A listing is a range read in a direction. */
typedef struct sheaf_page_request {
    sheaf_range range; /**< zeroed: all */
    sheaf_direction direction;
    uint64_t limit; /**< most entries in the page; at least 1 */
    sheaf_anchor anchor;
    /** A position, excluded from the page, in both directions: as a rule `last` (to go on) or `first` (to go back) of the
     *  page before. It need not be the key of an entry, nor lie in the range. */
    sheaf_bytes position;
} sheaf_page_request;

/** A bounded piece of a scan, copied: it owns its bytes and does not change with the store. */
typedef struct sheaf_page {
    const sheaf_entry *entries; /**< `count` of them, in listing order */
    size_t count;
    uint64_t bytes;     /**< sort keys and values of the page */
    sheaf_bytes first;  /**< key of the first entry; empty when there is none */
    sheaf_bytes last;   /**< key of the last entry; empty when there is none */
    bool more_before;   /**< an entry of the range lies before this page in listing order */
    bool more_after;    /**< an entry of the range lies after it */
    bool limit_reached; /**< it ended because of `limit`, with no look ahead: DynamoDB then gives a LastEvaluatedKey, even if
                             nothing follows */
    /* What follows is private. */
    sheaf_allocator allocator;
    void *block;
    size_t block_size;
} sheaf_page;

/**
 * Reads one page.
 *
 * @param[out] out_page  Ends with sheaf_page_release().
 * @retval SHEAF_OK      Also for an empty page.
 * @retval SHEAF_INVALID_ARGUMENT  A limit of 0.
 * @retval SHEAF_RANGE_INVERTED
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG  Of the partition key.
 * @retval SHEAF_NO_MEMORY
 * @note The page's memory comes from the store's allocator hooks but is the caller's: it is not charged to the store. Beside
 *       other readers this is safe when the hooks may be called from several threads; the built-in ones may.
 * @par Cost  O(log n + bytes of the page).
 */
SHEAF_API sheaf_status sheaf_page_read(const sheaf_store *store, sheaf_bytes partition_key, const sheaf_page_request *request,
                                       sheaf_page *out_page, sheaf_detail *out_detail);

/** Frees a page's bytes. A zeroed page, a released one and NULL are fine. Thread rule: any thread; hooks are called as by
 *  sheaf_page_read(). */
SHEAF_API void sheaf_page_release(sheaf_page *page);

/* ---- children --------------------------------------------------------------------------------------------------------- */

/**
 * The direct children of a folder: each next path part below `prefix` once, in key order, seeking past the subtree below it.
 *
 *     prefix "root/", delimiter "/"        root/              the folder's own entry: not a child of itself
 *                                          root/cv.pdf        child "root/cv.pdf", no folder
 *                                          root/docs/a        child "root/docs/", a folder: count and bytes of all that
 *                                          root/docs/b/c                            starts with it
 *
 * The caller holds it, as a cursor; prefix, delimiter and partition key are borrowed as long. It is live as a cursor is.
 */
typedef struct sheaf_children {
    sheaf_cursor cursor; /**< private */
    sheaf_bytes delimiter; /**< private */
    sheaf_direction direction; /**< private */
} sheaf_children;

/** One child. */
typedef struct sheaf_child {
    /** Whole key of the child, with its delimiter if a folder; lies in the sheaf_children, until its next step. */
    sheaf_bytes key;
    bool is_folder;      /**< the delimiter follows the part, so the child stands for all keys that start with `key` */
    sheaf_totals totals; /**< entries and bytes of the child: 1 and its own if it is no folder */
} sheaf_child;

/**
 * Begins to list children.
 *
 * @param delimiter  At least one byte.
 * @retval SHEAF_OK
 * @retval SHEAF_INVALID_ARGUMENT  An empty delimiter; or long keys, as sheaf_cursor_open().
 * @retval SHEAF_KEY_EMPTY, SHEAF_KEY_TOO_LONG  Of the partition key.
 */
SHEAF_API sheaf_status sheaf_children_open(sheaf_children *children, const sheaf_store *store, sheaf_bytes partition_key,
                                           sheaf_bytes prefix, sheaf_bytes delimiter, sheaf_direction direction,
                                           sheaf_detail *out_detail);

/** Goes on after the child of key @p child_key (as a sheaf_child gave it), which need not exist any more. */
SHEAF_API void sheaf_children_resume(sheaf_children *children, sheaf_bytes child_key);

/** The next child. False when there is none left. Cost: O(log n), whatever the child holds. */
SHEAF_API bool sheaf_children_next(sheaf_children *children, sheaf_child *out_child);

SHEAF_END_DECLARATIONS

#endif
