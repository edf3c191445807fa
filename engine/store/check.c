/*
 * check.c - every invariant of a store, recomputed: S1 to S5 here, those of the directory, the trees and the dead lists by
 * their own checks. The state of each open view is checked like that of the store, and every block of the heap is found again.
 */
#include "engine/store/blocks.h"
#include "engine/store/cache.h"
#include "engine/store/deadline.h"
#include "engine/store/events.h"
#include "engine/store/view.h"

/* What the collections of one state add up to. */
struct sums {
    sheaf_totals totals;
    uint64_t partition_key_bytes;
};

/* The rule that a slot's collection breaks; NULL if none. */
static const char *broken_collection_rule(const struct sheaf_store *store, const struct sheaf_slot *slot)
{
    const struct sheaf_collection *collection = slot->collection;
    const struct sheaf_store *origin = store->origin ? store->origin : store;
    sheaf_bytes key = sheaf_collection_key(collection);
    if (collection->tree.totals.count == 0) return "S1 a collection in the directory has entries";
    if (slot->hash != sheaf_store_hash(store, key)) return "S3 the hash is that of the partition key";
    if (sheaf_validate_partition_key(&store->limits, key, NULL) != SHEAF_OK) return "S3 the key is within the limits";
    bool own = collection->tree.changed >= origin->grove.foreign_before;
    if (own && collection->tree.grove != &origin->grove) return "S1 a collection's tree belongs to the store's grove";
    return NULL;
}

static const char *broken_sum_rule(const struct sheaf_store *store, const struct sums *sums)
{
    if (sums->totals.count != store->totals.count) return "S2 the store's count is the sum of the trees'";
    if (sums->totals.bytes != store->totals.bytes) return "S2 the store's bytes are the sum of the trees'";
    if (sums->partition_key_bytes != store->partition_key_bytes) return "S2 the partition keys' bytes are their sum";
    return NULL;
}

static bool report(sheaf_fault *out_fault, const char *rule, size_t slot)
{
    if (out_fault) *out_fault = (sheaf_fault){ .rule = rule, .slot = (uint32_t)slot };
    return false;
}

static bool check_slot(const struct sheaf_store *store, const struct sheaf_slot *slot, size_t number, struct sums *sums,
                       sheaf_fault *out_fault)
{
    const struct sheaf_collection *collection = slot->collection;
    const char *rule = broken_collection_rule(store, slot);
    if (rule) return report(out_fault, rule, number);
    rule = sheaf_deadlines_broken_rule(store, slot);
    if (rule) return report(out_fault, rule, number);
    sums->totals.count += collection->tree.totals.count;
    sums->totals.bytes += collection->tree.totals.bytes;
    sums->partition_key_bytes += collection->partition_key_size;
    return sheaf_tree_check_within(&collection->tree, &store->grove, out_fault);
}

/* S1 to S3, the directory, and all trees. */
static bool check_state(const struct sheaf_store *store, sheaf_fault *out_fault)
{
    const struct sheaf_directory *directory = &store->directory;
    struct sums sums = { 0 };
    size_t number = 0;
    if (!sheaf_directory_check(directory, out_fault)) return false;
    for (size_t i = 0; i < sheaf_directory_bucket_count(directory); i++) {
        const struct sheaf_bucket *bucket = directory->buckets[i];
        for (size_t k = 0; k < bucket->slot_count; k++, number++)
            if (bucket->slots[k].collection && !check_slot(store, &bucket->slots[k], number, &sums, out_fault)) return false;
    }
    const char *rule = broken_sum_rule(store, &sums);
    if (rule) return report(out_fault, rule, 0);
    return sheaf_tree_check_within(&store->deadlines, &store->grove, out_fault);
}

/* ---- blocks ----------------------------------------------------------------------------------------------------------- */

static const char *broken_heap_rule(const struct sheaf_store *store, uint64_t block_count, uint64_t charged_bytes)
{
    const struct sheaf_heap *heap = &store->grove.heap;
    bool whole = store->builder_count == 0; /* what builds under way hold cannot be seen from here */
    if (whole ? heap->block_count != block_count : heap->block_count < block_count)
        return "S4 the heap has given every block there is, and no other";
    if (whole ? heap->charged_bytes != charged_bytes : heap->charged_bytes < charged_bytes)
        return "S4 the heap has charged every block there is, and no other";
    if (heap->charged_bytes > heap->limit_bytes) return "S4 the heap has charged no more than the budget";
    return NULL;
}

static void count_cache(const struct sheaf_store *store, uint64_t *block_count, uint64_t *charged_bytes)
{
    const struct sheaf_cache *cache = store->cache;
    if (!cache) return;
    *block_count += 1;
    *charged_bytes += sheaf_heap_real_size(&store->grove.heap, sizeof *cache);
    if (!cache->ghost.marks) return;
    *block_count += 1;
    *charged_bytes += sheaf_heap_real_size(&store->grove.heap, sheaf_ghost_size(cache->ghost.place_count));
}

/* S4, V6 and V7. Left out where there is no memory to do it in. */
static bool check_blocks(const struct sheaf_store *store, sheaf_fault *out_fault)
{
    uint64_t block_count = 0, charged_bytes = 0;
    struct sheaf_census census;
    sheaf_census_begin(&census, &store->grove);
    sheaf_census_add_state(&census, store, NULL);
    for (struct sheaf_version *version = store->grove.newest; version; version = version->older)
        sheaf_census_add_state(&census, &sheaf_view_of(version)->store, version);
    bool sound = true;
    if (!census.refused) sound = sheaf_census_check(&census, &block_count, &charged_bytes, out_fault);
    count_cache(store, &block_count, &charged_bytes);
    sheaf_events_count_blocks(store, &block_count, &charged_bytes);
    block_count += 1 + store->grove.version_count; /* the records of the store and of its views */
    charged_bytes += sheaf_heap_real_size(&store->grove.heap, sizeof *store);
    charged_bytes += store->grove.version_count * sheaf_heap_real_size(&store->grove.heap, sizeof(struct sheaf_view));
    const char *rule = sound && !census.refused ? broken_heap_rule(store, block_count, charged_bytes) : NULL;
    sheaf_census_end(&census);
    return rule ? report(out_fault, rule, 0) : sound;
}

bool sheaf_store_check(const sheaf_store *store, sheaf_fault *out_fault)
{
    if (!check_state(store, out_fault)) return false;
    if (sheaf_store_is_view(store)) return true;
    for (struct sheaf_version *version = store->grove.newest; version; version = version->older)
        if (!check_state(&sheaf_view_of(version)->store, out_fault)) return false; /* S5 */
    if (!sheaf_grove_check(&store->grove, out_fault)) return false;
    const char *rule = sheaf_events_broken_rule(store);
    return rule ? report(out_fault, rule, 0) : check_blocks(store, out_fault);
}
