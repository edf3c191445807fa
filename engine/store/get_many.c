/*
 * get_many.c - many point reads at once, so that what one waits for is fetched while the others go on.
 *
 * A point read waits for one cache miss after another: slot, record, nodes, cell. Here a group of them goes down together. Each
 * stage looks at what the stage before it began to fetch, for one after another, and begins to fetch what the next will want:
 *
 *      begin      partition keys are checked and hashed        slots of the directory
 *      approach   the slots                                    records, and roots by the slots' hints
 *      enter      the records: which trees                     roots
 *      descend    a branch each, until all are at leaves       the next nodes
 *      point      the leaves' tags: which cells may be it      cells
 *      answer     the cells                                    values out of line
 */
#include "engine/store/store.h"
#include "engine/tree/search.h"
#include "engine/tree/tag.h"

enum { GROUP_SIZE = 16 };

struct descent {
    sheaf_get *get;
    uint64_t hash;
    const struct sheaf_node *node; /* NULL: answered */
    uint8_t tag;
};

static bool same_slice(sheaf_bytes left, sheaf_bytes right)
{
    return left.data == right.data && left.size == right.size;
}

/* Takes the gets whose keys are sound into the group; returns how many those are. The others are answered. */
static size_t begin(const sheaf_store *store, sheaf_get *gets, size_t count, struct descent *group)
{
    size_t size = 0;
    sheaf_bytes last_key = { 0 };
    uint64_t last_hash = sheaf_store_hash(store, last_key);
    for (sheaf_get *get = gets; get < gets + count; get++) {
        get->status = sheaf_validate_keys(&store->limits, get->partition_key, get->sort_key, NULL);
        if (get->status != SHEAF_OK) continue;
        if (!same_slice(get->partition_key, last_key)) {
            last_key = get->partition_key;
            last_hash = sheaf_store_hash(store, last_key);
            sheaf_directory_prefetch(&store->directory, last_hash);
        }
        group[size++] = (struct descent){ .get = get, .hash = last_hash, .tag = sheaf_key_tag(get->sort_key) };
    }
    return size;
}

static void approach(const sheaf_store *store, const struct descent *group, size_t size)
{
    for (size_t i = 0; i < size; i++) sheaf_directory_prefetch_collection(&store->directory, group[i].hash);
}

static void enter(const sheaf_store *store, struct descent *group, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const struct sheaf_slot *slot = sheaf_directory_find(&store->directory, group[i].hash, group[i].get->partition_key);
        group[i].node = slot ? slot->collection->tree.root : NULL;
        if (group[i].node) {
            sheaf_node_prefetch(group[i].node);
        } else {
            group[i].get->status = SHEAF_NOT_FOUND;
        }
    }
}

static void descend(struct descent *group, size_t size)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < size; i++) {
            const struct sheaf_node *node = group[i].node;
            if (!node || sheaf_node_is_leaf(node)) continue;
            group[i].node = sheaf_node_children(node)[sheaf_branch_search(node, group[i].get->sort_key)];
            sheaf_node_prefetch(group[i].node);
            moved = true;
        }
    }
}

static void point(const struct descent *group, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (group[i].node) sheaf_leaf_prefetch_tagged(group[i].node, group[i].tag);
}

/* Returns how many are found. */
static size_t answer(const struct descent *group, size_t size)
{
    size_t found = 0;
    for (size_t i = 0; i < size; i++) {
        if (!group[i].node) continue;
        sheaf_get *get = group[i].get;
        uint32_t slot = sheaf_leaf_find_tagged(group[i].node, get->sort_key, group[i].tag);
        if (slot == SLOT_NONE) {
            get->status = SHEAF_NOT_FOUND;
            continue;
        }
        struct sheaf_cell cell = sheaf_node_cell(group[i].node, slot);
        get->value_view = sheaf_bytes_of(cell.value, cell.value_size);
        __builtin_prefetch(cell.value);
        found++;
    }
    return found;
}

/* A cache marks and counts what is read, and what may be hidden has to be looked at: there each goes by itself. */
static size_t get_one_by_one(const sheaf_store *store, sheaf_get *gets, size_t count)
{
    size_t found = 0;
    for (sheaf_get *get = gets; get < gets + count; get++) {
        get->status = sheaf_store_get(store, get->partition_key, get->sort_key, &get->value_view, NULL);
        found += get->status == SHEAF_OK;
    }
    return found;
}

size_t sheaf_store_get_many(const sheaf_store *store, sheaf_get *gets, size_t count)
{
    size_t found = 0;
    if (store->cache || store->expiry.hides) return get_one_by_one(store, gets, count);
    for (size_t done = 0; done < count; done += GROUP_SIZE) {
        struct descent group[GROUP_SIZE];
        size_t size = begin(store, gets + done, sheaf_size_min(count - done, GROUP_SIZE), group);
        approach(store, group, size);
        enter(store, group, size);
        descend(group, size);
        point(group, size);
        found += answer(group, size);
    }
    return found;
}
