/*
 * edit.h - a write to one collection, beside the views that may see it.
 *
 *      begin  ──▶  write edit.tree  ──▶  end
 *
 * Where no view sees the collection as it is, the tree is the collection's own. Else it is that of a copy of the record, and
 * the way to its slot is copied too; the end links them in if the tree was written, and frees them if not. So a write that is
 * refused, or finds nothing to do, leaves no trace.
 */
#ifndef SHEAF_STORE_EDIT_H
#define SHEAF_STORE_EDIT_H

#include "engine/store/store.h"
#include "engine/tree/version.h"

struct sheaf_edit {
    struct sheaf_tree *tree; /* to be written */
    struct sheaf_slot *slot;
    sheaf_totals before;
    struct sheaf_collection *copy; /* NULL: the collection is written as it is */
    struct sheaf_way way;
};

/* The half of sheaf_edit_begin() for a collection that a view sees. */
sheaf_status sheaf_edit_begin_copy(struct sheaf_store *store, struct sheaf_edit *edit);

/* SHEAF_OK; SHEAF_NO_MEMORY, and SHEAF_READ_ONLY in a view's store: then nothing is to be ended. */
static inline sheaf_status sheaf_edit_begin(struct sheaf_store *store, struct sheaf_slot *slot, struct sheaf_edit *edit)
{
    edit->slot = slot;
    edit->tree = &slot->collection->tree;
    edit->before = edit->tree->totals;
    edit->copy = NULL;
    if (!sheaf_is_frozen(&store->grove, edit->tree->changed)) return SHEAF_OK;
    return sheaf_edit_begin_copy(store, edit);
}

/* Links the copies in, the slot then being the new one; false: the tree was not written, and they are freed. */
bool sheaf_edit_take_copy(struct sheaf_store *store, struct sheaf_edit *edit);

/* Ends the collection in the edit's slot, which may be changed, once its tree is empty. */
void sheaf_edit_end_collection(struct sheaf_store *store, struct sheaf_edit *edit);

/* Books what was written: S2 and S1. */
static inline void sheaf_edit_end(struct sheaf_store *store, struct sheaf_edit *edit)
{
    if (!edit->copy || sheaf_edit_take_copy(store, edit)) {
        const struct sheaf_tree *tree = edit->tree;
        store->totals.count += tree->totals.count - edit->before.count;
        store->totals.bytes += tree->totals.bytes - edit->before.bytes;
        if (edit->slot->root != tree->root) edit->slot->root = tree->root; /* an overwrite leaves the line clean */
        if (tree->totals.count == 0) sheaf_edit_end_collection(store, edit);
    }
    sheaf_grove_settle(&store->grove);
}

#endif
