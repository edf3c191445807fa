/*
 * count.c - how much a range holds and which place a key has, from the sums the branches keep.
 */
#include <sheaf/scan.h>

#include "engine/store/expiry.h"
#include "engine/tree/count.h"

sheaf_status sheaf_range_total(const sheaf_store *store, sheaf_bytes partition_key, const sheaf_range *range,
                               sheaf_totals *out_totals, sheaf_detail *out_detail)
{
    sheaf_range sound;
    sheaf_status status = sheaf_validate_partition_key(&store->limits, partition_key, out_detail);
    if (status != SHEAF_OK) return status;
    status = sheaf_validate_range(range, &sound, out_detail);
    if (status != SHEAF_OK) return status;
    const struct sheaf_tree *tree = sheaf_store_find_tree(store, partition_key);
    *out_totals = tree ? sheaf_store_visible_range(store, tree, &sound) : (sheaf_totals){ 0 };
    return SHEAF_OK;
}

/* The entries of the tree that come before a key in `direction`. */
static uint64_t count_before(const struct sheaf_store *store, const struct sheaf_tree *tree, sheaf_bytes sort_key,
                             sheaf_direction direction)
{
    uint64_t now;
    sheaf_cut cut = sheaf_cut_of(sort_key, direction == SHEAF_FORWARD ? SHEAF_SIDE_BEFORE : SHEAF_SIDE_AFTER);
    if (sheaf_store_hides(store, tree, &now)) {
        sheaf_range before = sheaf_range_all();
        *(direction == SHEAF_FORWARD ? &before.upper : &before.lower) = cut;
        return sheaf_store_visible_range(store, tree, &before).count;
    }
    uint64_t below = sheaf_tree_count_below(tree, &cut);
    return direction == SHEAF_FORWARD ? below : tree->totals.count - below;
}

sheaf_status sheaf_rank(const sheaf_store *store, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_direction direction,
                        uint64_t *out_rank, bool *out_exists, sheaf_detail *out_detail)
{
    sheaf_status status = sheaf_validate_keys(&store->limits, partition_key, sort_key, out_detail);
    if (status != SHEAF_OK) return status;
    const struct sheaf_tree *tree = sheaf_store_find_tree(store, partition_key);
    sheaf_bytes value;
    *out_rank = tree ? count_before(store, tree, sort_key, direction) : 0;
    if (out_exists) {
        *out_exists = tree && sheaf_tree_get(tree, sort_key, &value) == SHEAF_OK &&
                      !sheaf_store_hides_entry(store, tree, sort_key);
    }
    return SHEAF_OK;
}
