#include "engine/store/edit.h"

#include "engine/base/assert.h"
#include "engine/store/deadline.h"

sheaf_status sheaf_edit_begin_copy(struct sheaf_store *store, struct sheaf_edit *edit)
{
    if (sheaf_store_is_view(store)) return SHEAF_READ_ONLY;
    struct sheaf_collection *copy = sheaf_collection_copy(edit->slot->collection, &store->grove);
    if (!copy) return SHEAF_NO_MEMORY;
    if (!sheaf_directory_open_way(&store->directory, edit->slot, &edit->way)) {
        copy->tree.root = NULL; /* not the copy's own */
        sheaf_collection_destroy(copy);
        return SHEAF_NO_MEMORY;
    }
    edit->copy = copy;
    edit->tree = &copy->tree;
    if (sheaf_grove_reserve(&store->grove, 1)) return SHEAF_OK;
    (void)sheaf_edit_take_copy(store, edit);
    sheaf_grove_settle(&store->grove);
    return SHEAF_NO_MEMORY;
}

bool sheaf_edit_take_copy(struct sheaf_store *store, struct sheaf_edit *edit)
{
    struct sheaf_collection *old = edit->slot->collection;
    if (edit->tree->changed == old->tree.changed) {
        edit->copy->tree.root = NULL;
        sheaf_collection_destroy(edit->copy);
        sheaf_directory_leave_way(&store->directory, &edit->way);
        return false;
    }
    edit->slot = sheaf_directory_take_way(&store->directory, edit->slot, &edit->way);
    edit->slot->collection = edit->copy;
    store->directory.changes++;
    store->grove.copied_count++;
    sheaf_collection_retire(&store->grove, old);
    return true;
}

void sheaf_edit_end_collection(struct sheaf_store *store, struct sheaf_edit *edit)
{
    struct sheaf_collection *collection = edit->slot->collection;
    sheaf_assert(!collection->tree.root);
    store->partition_key_bytes -= collection->partition_key_size;
    uint64_t hash = edit->slot->hash;
    sheaf_directory_delete(&store->directory, edit->slot);
    if (store->expiry.keeps) sheaf_deadlines_delete(store, sheaf_collection_due(collection), hash);
    sheaf_collection_retire(&store->grove, collection);
}
