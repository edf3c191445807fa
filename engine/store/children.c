/*
 * children.c - the direct children of a folder, by seeking past each subtree.
 *
 * The state is a cursor on what lies below the prefix, and nothing else: the child given last is the one its key belongs to.
 * A step from a file is a step of the cursor; a step from a folder seeks past all keys that start with the folder's. So the
 * listing is as live as the cursor is: whatever is put or deleted, no child is given twice.
 */
#include <sheaf/scan.h>

#include <string.h>

#include "engine/base/bytes.h"
#include "engine/store/expiry.h"
#include "engine/tree/cursor.h"

sheaf_status sheaf_children_open(sheaf_children *children, const sheaf_store *store, sheaf_bytes partition_key,
                                 sheaf_bytes prefix, sheaf_bytes delimiter, sheaf_direction direction, sheaf_detail *out_detail)
{
    /* Above the prefix, not at it: the folder's own entry is no child of itself. */
    sheaf_range range = sheaf_range_prefix(prefix);
    range.lower.side = SHEAF_SIDE_AFTER;
    sheaf_status status = sheaf_cursor_open(&children->cursor, store, partition_key, &range, out_detail);
    if (status != SHEAF_OK) return status;
    if (delimiter.size == 0) {
        sheaf_detail detail = { .field = SHEAF_FIELD_DELIMITER, .limit = 1, .message = "The delimiter is empty" };
        return sheaf_refuse(out_detail, SHEAF_INVALID_ARGUMENT, detail);
    }
    sheaf_tree_cursor_rewind(&children->cursor, direction);
    children->delimiter = delimiter;
    children->direction = direction;
    return SHEAF_OK;
}

void sheaf_children_resume(sheaf_children *children, sheaf_bytes child_key)
{
    sheaf_tree_cursor_set_position(&children->cursor, child_key);
}

/* The size of the folder that `key` lies in, delimiter included; 0 if it is a file. */
static size_t folder_size(const sheaf_children *children, sheaf_bytes key)
{
    sheaf_bytes prefix = children->cursor.range.lower.bytes;
    if (!sheaf_bytes_starts_with(key, prefix)) return 0; /* resumed from elsewhere */
    sheaf_bytes rest = sheaf_bytes_skip(key, prefix.size);
    const uint8_t *found = memmem(rest.data, rest.size, children->delimiter.data, children->delimiter.size);
    return found ? (size_t)(found - key.data) + children->delimiter.size : 0;
}

/* To the nearest entry beyond the folder that the cursor's key lies in. The range is narrowed for the time of the seek. */
static bool seek_past_folder(sheaf_children *children, size_t size)
{
    sheaf_cursor *cursor = &children->cursor;
    uint8_t copy[SHEAF_SORT_KEY_SIZE_MAX]; /* the seek writes over the cursor's key */
    memcpy(copy, cursor->key.data, size);
    sheaf_bytes folder = sheaf_bytes_of(copy, size);
    sheaf_range range = cursor->range;
    bool found;
    if (children->direction == SHEAF_FORWARD) {
        cursor->range.lower = sheaf_cut_of(folder, SHEAF_SIDE_AFTER_PREFIX);
        found = sheaf_cursor_first(cursor);
    } else {
        cursor->range.upper = sheaf_cut_of(folder, SHEAF_SIDE_BEFORE);
        found = sheaf_cursor_last(cursor);
    }
    cursor->range = range;
    return found;
}

static bool step(sheaf_children *children)
{
    size_t size = folder_size(children, children->cursor.key);
    if (size > 0) return seek_past_folder(children, size);
    return children->direction == SHEAF_FORWARD ? sheaf_cursor_next(&children->cursor)
                                                : sheaf_cursor_previous(&children->cursor);
}

bool sheaf_children_next(sheaf_children *children, sheaf_child *out_child)
{
    if (!step(children)) return false;
    const sheaf_cursor *cursor = &children->cursor;
    size_t size = folder_size(children, cursor->key);
    if (size == 0) {
        sheaf_totals own = { .count = 1, .bytes = (uint64_t)cursor->key.size + cursor->value.size };
        *out_child = (sheaf_child){ cursor->key, false, own };
        return true;
    }
    sheaf_bytes folder = sheaf_bytes_of(cursor->key.data, size);
    sheaf_range below = sheaf_range_prefix(folder);
    *out_child = (sheaf_child){ folder, true, sheaf_store_visible_range(cursor->store, cursor->tree, &below) };
    return true;
}
