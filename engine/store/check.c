/*
 * check.c - every invariant of a store, recomputed: S1 to S3 here, those of the directory and the trees by their own checks.
 */
#include "engine/store/store.h"

/* What the collections add up to. `block_count` and `charged_bytes` are the least the heap must have given for them. */
struct sums {
    sheaf_totals totals;
    uint64_t partition_key_bytes;
    uint64_t block_count;
    uint64_t charged_bytes;
};

static void add_block(const struct sheaf_store *store, struct sums *sums, size_t size)
{
    sums->block_count++;
    sums->charged_bytes += sheaf_heap_real_size(&store->grove.heap, size);
}

static void add_collection(const struct sheaf_store *store, struct sums *sums, const struct sheaf_collection *collection)
{
    sums->totals.count += collection->tree.totals.count;
    sums->totals.bytes += collection->tree.totals.bytes;
    sums->partition_key_bytes += collection->partition_key_size;
    sums->block_count++; /* its root */
    add_block(store, sums, sheaf_collection_block_size(collection->partition_key_size));
}

/* The rule that a slot's collection breaks; NULL if none. */
static const char *broken_collection_rule(const struct sheaf_store *store, const struct sheaf_slot *slot)
{
    const struct sheaf_collection *collection = slot->collection;
    sheaf_bytes key = sheaf_collection_key(collection);
    if (collection->tree.totals.count == 0) return "S1 a collection in the directory has entries";
    if (slot->hash != sheaf_store_hash(store, key)) return "S3 the hash is that of the partition key";
    if (sheaf_validate_partition_key(&store->limits, key, NULL) != SHEAF_OK) return "S3 the key is within the limits";
    if (collection->tree.grove != &store->grove) return "S1 a collection's tree belongs to the store's grove";
    return NULL;
}

static const char *broken_sum_rule(const struct sheaf_store *store, const struct sums *sums)
{
    if (sums->totals.count != store->totals.count) return "S2 the store's count is the sum of the trees'";
    if (sums->totals.bytes != store->totals.bytes) return "S2 the store's bytes are the sum of the trees'";
    if (sums->partition_key_bytes != store->partition_key_bytes) return "S2 the partition keys' bytes are their sum";
    if (store->grove.heap.block_count < sums->block_count) return "S4 the heap has given every block there is";
    if (store->grove.heap.charged_bytes < sums->charged_bytes) return "S4 the heap has charged every block there is";
    if (store->grove.heap.charged_bytes > store->grove.heap.limit_bytes) return "S4 the heap has charged no more than the budget";
    return NULL;
}

static bool report(sheaf_fault *out_fault, const char *rule, size_t slot)
{
    if (out_fault) *out_fault = (sheaf_fault){ .rule = rule, .slot = (uint32_t)slot };
    return false;
}

bool sheaf_store_check(const sheaf_store *store, sheaf_fault *out_fault)
{
    const struct sheaf_directory *directory = &store->directory;
    if (!sheaf_directory_check(directory, out_fault)) return false;

    struct sums sums = { 0 };
    add_block(store, &sums, sizeof *store);
    if (directory->slot_count > 0) add_block(store, &sums, directory->slot_count * sizeof *directory->slots);
    for (size_t i = 0; i < directory->slot_count; i++) {
        const struct sheaf_slot *slot = &directory->slots[i];
        if (!slot->collection) continue;
        const char *rule = broken_collection_rule(store, slot);
        if (rule) return report(out_fault, rule, i);
        if (!sheaf_tree_check(&slot->collection->tree, out_fault)) return false;
        add_collection(store, &sums, slot->collection);
    }
    const char *rule = broken_sum_rule(store, &sums);
    return rule ? report(out_fault, rule, 0) : true;
}
