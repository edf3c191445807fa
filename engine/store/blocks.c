#include "engine/store/blocks.h"

static void add_bucket(struct sheaf_census *census, struct sheaf_bucket *bucket, const struct sheaf_version *version)
{
    sheaf_census_add(census, bucket, sheaf_bucket_size(bucket), bucket->birth, version);
    for (size_t i = 0; i < bucket->slot_count; i++) {
        struct sheaf_collection *collection = bucket->slots[i].collection;
        if (!collection) continue;
        sheaf_census_add(census, collection, sheaf_collection_block_size(collection),
                         collection->tree.changed, version);
        sheaf_census_add_tree(census, collection->tree.root, version);
    }
}

void sheaf_census_add_state(struct sheaf_census *census, const struct sheaf_store *store, const struct sheaf_version *version)
{
    const struct sheaf_directory *directory = &store->directory;
    size_t bucket_count = sheaf_directory_bucket_count(directory);
    sheaf_census_add_tree(census, store->deadlines.root, version);
    if (bucket_count == 0) return;
    sheaf_census_add(census, directory->buckets, sheaf_directory_table_size(directory), directory->table_birth, version);
    for (size_t i = 0; i < bucket_count; i++) add_bucket(census, directory->buckets[i], version);
}
