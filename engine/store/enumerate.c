/*
 * enumerate.c - the collections of a store, one after another in the directory's order.
 *
 * The caller holds no cursor, only the last key: the order of (hash, key) has a place for every key, there or not.
 */
#include "engine/store/expiry.h"

static const struct sheaf_collection *next_of(const struct sheaf_store *store, const sheaf_bytes *after)
{
    if (!after) return sheaf_directory_first(&store->directory);
    return sheaf_directory_after(&store->directory, sheaf_store_hash(store, *after), *after);
}

sheaf_status sheaf_collection_next(const sheaf_store *store, const sheaf_bytes *after, sheaf_collection_info *out_info)
{
    const struct sheaf_collection *collection = next_of(store, after);
    while (collection) {
        sheaf_bytes key = sheaf_collection_key(collection);
        sheaf_totals visible = sheaf_store_visible(store, &collection->tree);
        if (visible.count > 0) {
            *out_info = (sheaf_collection_info){ .partition_key_view = key, .totals = visible };
            return SHEAF_OK;
        }
        collection = next_of(store, &key);
    }
    return SHEAF_NOT_FOUND;
}
