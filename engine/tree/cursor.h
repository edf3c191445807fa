/*
 * cursor.h - the tree's half of a public sheaf_cursor.
 *
 * The store opens a cursor (fills store, partition key, range and buffer) and, before each call below, points cursor->tree
 * at the collection's tree, or NULL while there is none. Everything about positions, steps and changes is done here. Where
 * the store knows which root will be read after this tree, it says so in cursor->following: it is only ever prefetched, so
 * it may have gone since.
 */
#ifndef SHEAF_TREE_CURSOR_H
#define SHEAF_TREE_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/scan.h>

#include "engine/tree/entry.h"
#include "engine/tree/tree.h"

/* Where a cursor stands, kept in sheaf_cursor.place. */
enum sheaf_cursor_place {
    SHEAF_PLACE_BEFORE = 0, /* before the first entry of the range */
    SHEAF_PLACE_AT,         /* at cursor->key: an entry, or where one was */
    SHEAF_PLACE_BEHIND      /* behind the last entry of the range */
};

/* Sets everything the tree's half needs: before the first entry, no tree yet. `changes` counts the writes to all trees the
 * cursor may come to read. `buffer` must hold any key of the store. */
void sheaf_tree_cursor_init(sheaf_cursor *cursor, const uint64_t *changes, const sheaf_range *range, void *buffer,
                            size_t buffer_size);

/* At the position `key`, whether or not there is such an entry: as if one had been deleted there. */
void sheaf_tree_cursor_set_position(sheaf_cursor *cursor, sheaf_bytes key);

/* Each as the public function of the like name, on cursor->tree. */
bool sheaf_tree_cursor_first(sheaf_cursor *cursor);
bool sheaf_tree_cursor_last(sheaf_cursor *cursor);
bool sheaf_tree_cursor_seek(sheaf_cursor *cursor, sheaf_bytes key);
bool sheaf_tree_cursor_seek_at_most(sheaf_cursor *cursor, sheaf_bytes key);
bool sheaf_tree_cursor_seek_nth(sheaf_cursor *cursor, uint64_t index, sheaf_direction direction);
bool sheaf_tree_cursor_next(sheaf_cursor *cursor);
bool sheaf_tree_cursor_previous(sheaf_cursor *cursor);
sheaf_status sheaf_tree_cursor_refresh(sheaf_cursor *cursor);
size_t sheaf_tree_cursor_next_many(sheaf_cursor *cursor, sheaf_entry *out_entries, size_t capacity);
size_t sheaf_tree_cursor_previous_many(sheaf_cursor *cursor, sheaf_entry *out_entries, size_t capacity);
void sheaf_tree_cursor_rewind(sheaf_cursor *cursor, sheaf_direction direction);

/* Keeps the position alone, as if the entry had been deleted; the next refresh looks whether it is there. */
void sheaf_tree_cursor_forget_value(sheaf_cursor *cursor);

/* Notes that the entries in the slots from `begin` to before `end` of the leaf it stands in were read, in a tree that keeps
 * uses. Its next step is not the short one below: whoever notes them wants to be asked each time. */
void sheaf_tree_cursor_note_uses(sheaf_cursor *cursor, uint32_t begin, uint32_t end);

/*
 * A step up or down within the leaf, if that is all it takes: nothing was written (C3 in cursor.c), and the next slot is in
 * the range. Needs no tree. False, with nothing done, if there is more to it.
 */
static inline bool sheaf_tree_cursor_step_up(sheaf_cursor *cursor)
{
    if (*cursor->changes != cursor->changes_seen || cursor->slot + 1 >= cursor->slot_end) return false;
    sheaf_cursor_read(cursor, cursor->slot + 1);
    return true;
}

static inline bool sheaf_tree_cursor_step_down(sheaf_cursor *cursor)
{
    if (*cursor->changes != cursor->changes_seen || cursor->slot <= cursor->slot_begin) return false;
    sheaf_cursor_read(cursor, cursor->slot - 1);
    return true;
}

#endif
