/*
 * events_restore.c - the events of going back to a view: what is there now and was not then.
 *
 *      now    a:1  b:2'  d:4            then   a:1  b:2  c:3            b:2' leaves, replaced; d:4 leaves, cut
 *
 * What was born before the view is the same in both and not looked at, so it costs what has changed since, and a search for
 * each entry of the leaves that did.
 */
#include "engine/store/events.h"
#include "engine/store/view.h"
#include "engine/tree/large.h"

struct comparison {
    struct sheaf_store *store;
    const struct sheaf_tree *then; /* NULL: the collection was not there */
    sheaf_bytes partition_key;
    uint64_t since; /* what was born before is the same */
    uint8_t *key;   /* room for one */
};

/* False when an event finds no memory; likewise the following. */
static bool compare_slot(const struct comparison *comparison, const struct sheaf_node *leaf, uint32_t slot)
{
    sheaf_bytes sort_key = sheaf_node_key(leaf, slot, comparison->key);
    sheaf_bytes value = sheaf_payload_of_slot(leaf, slot).bytes, old;
    const struct sheaf_tree *then = comparison->then;
    bool was_there = then && sheaf_tree_get(then, sort_key, &old) == SHEAF_OK;
    if (was_there && sheaf_bytes_equal(old, value)) return true;
    sheaf_cause cause = was_there ? SHEAF_CAUSE_REPLACED : SHEAF_CAUSE_CUT;
    return sheaf_events_note_entry(comparison->store, cause, comparison->partition_key, sort_key, value);
}

static bool compare_node(const struct comparison *comparison, const struct sheaf_node *node)
{
    if (node->birth < comparison->since) return true;
    for (uint32_t slot = 0; slot < node->count; slot++) {
        bool noted = sheaf_node_is_leaf(node) ? compare_slot(comparison, node, slot)
                                              : compare_node(comparison, sheaf_node_children(node)[slot]);
        if (!noted) return false;
    }
    return true;
}

static bool compare_collection(struct sheaf_store *store, const struct sheaf_slot *slot, const struct sheaf_store *then,
                               uint64_t since)
{
    const struct sheaf_collection *collection = slot->collection;
    sheaf_bytes partition_key = sheaf_collection_key(collection);
    if (collection->tree.changed < since) return true;
    const struct sheaf_slot *twin = sheaf_directory_find(&then->directory, slot->hash, partition_key);
    uint8_t key[SHEAF_SORT_KEY_SIZE_HARD];
    struct comparison comparison = { store, twin ? &twin->collection->tree : NULL, partition_key, since, key };
    return compare_node(&comparison, collection->tree.root);
}

bool sheaf_events_note_restore(struct sheaf_store *store, const struct sheaf_view *view, bool linear)
{
    const struct sheaf_directory *directory = &store->directory;
    uint64_t since = linear ? view->version.number : 0;
    if (!store->events) return true;
    for (size_t i = 0; i < sheaf_directory_bucket_count(directory); i++) {
        const struct sheaf_bucket *bucket = directory->buckets[i];
        if (bucket->birth < since) continue;
        for (size_t k = 0; k < bucket->slot_count; k++) {
            const struct sheaf_slot *slot = &bucket->slots[k];
            if (slot->collection && !compare_collection(store, slot, &view->store, since)) return false;
        }
    }
    return true;
}
