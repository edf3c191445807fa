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

/* What comes before a key in `direction`. */
static sheaf_range range_before(sheaf_bytes sort_key, sheaf_direction direction)
{
    sheaf_range before = sheaf_range_all();
    if (direction == SHEAF_FORWARD) before.upper = sheaf_cut_of(sort_key, SHEAF_SIDE_BEFORE);
    else before.lower = sheaf_cut_of(sort_key, SHEAF_SIDE_AFTER);
    return before;
}

/* The rank among what can be seen at a time. */
static uint64_t visible_rank(const struct sheaf_tree *tree, sheaf_bytes sort_key, sheaf_direction direction, uint64_t now,
                             bool *out_exists)
{
    uint64_t due;
    sheaf_bytes value;
    sheaf_range before = range_before(sort_key, direction);
    *out_exists = sheaf_tree_get_due(tree, sort_key, &due, &value) == SHEAF_OK && !sheaf_is_expired(due, now);
    return sheaf_tree_range_total(tree, &before).count - sheaf_tree_expired(tree, &before, now).count;
}

/* Among all entries. */
static uint64_t rank_in(const struct sheaf_tree *tree, sheaf_bytes sort_key, sheaf_direction direction)
{
    sheaf_cut cut = sheaf_cut_of(sort_key, direction == SHEAF_FORWARD ? SHEAF_SIDE_BEFORE : SHEAF_SIDE_AFTER);
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
    uint64_t now;
    bool exists = false;
    if (!tree) {
        *out_rank = 0;
    } else if (sheaf_store_hides(store, tree, &now)) {
        *out_rank = visible_rank(tree, sort_key, direction, now, &exists);
    } else {
        *out_rank = rank_in(tree, sort_key, direction);
        exists = out_exists && sheaf_tree_get(tree, sort_key, &value) == SHEAF_OK;
    }
    if (out_exists) *out_exists = exists;
    return SHEAF_OK;
}
