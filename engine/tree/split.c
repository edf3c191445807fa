#include "engine/tree/split.h"

enum {
    WINDOW_FRACTION = 8, /* the cut lies within an eighth of the bytes around the middle */
};

sheaf_bytes sheaf_split_separator(const struct sheaf_run *run, uint32_t cut, uint8_t *out)
{
    sheaf_assert(cut > 0);
    struct sheaf_run_piece high_item = sheaf_run_piece(run, cut);
    sheaf_bytes high = sheaf_run_piece_key(&high_item, out);
    if (run->level > 0) return high;
    uint8_t low[SHEAF_SORT_KEY_SIZE_HARD];
    struct sheaf_run_piece low_item = sheaf_run_piece(run, cut - 1);
    size_t shared = sheaf_bytes_shared(sheaf_run_piece_key(&low_item, low), high);
    sheaf_assert(shared < high.size); /* N1: high is above low, so it differs within its own bytes */
    return sheaf_bytes_of(out, shared + 1);
}

static uint32_t separator_size(const struct sheaf_run *run, uint32_t cut)
{
    if (run->level == 0) return sheaf_run_shared(run, cut - 1, cut) + 1;
    struct sheaf_run_piece item = sheaf_run_piece(run, cut);
    return (uint32_t)item.prefix.size + item.suffix_size;
}

static uint32_t middle_cut(const struct sheaf_run *run)
{
    uint64_t whole = sheaf_run_whole_weight(run);
    uint64_t window_begin = whole / 2 - whole / WINDOW_FRACTION / 2;
    uint64_t window_end = whole / 2 + whole / WINDOW_FRACTION / 2;
    uint64_t before = 0;
    uint64_t best_distance = UINT64_MAX;
    uint32_t best_size = UINT32_MAX;
    uint32_t best = 0;
    for (uint32_t cut = 1; cut < run->length; cut++) {
        before += sheaf_run_weight(run, cut - 1);
        bool inside = before >= window_begin && before <= window_end;
        uint32_t size = inside ? separator_size(run, cut) : UINT32_MAX - 1;
        uint64_t distance = before > whole / 2 ? before - whole / 2 : whole / 2 - before;
        if (size < best_size || (size == best_size && distance < best_distance)) {
            best = cut;
            best_size = size;
            best_distance = distance;
        }
        if (before > window_end) break;
    }
    return best;
}

/* A branch leaves two children on either side, so that each level at least halves what is above it. */
static uint32_t clamp_cut(const struct sheaf_run *run, uint32_t cut)
{
    uint32_t least = run->level > 0 ? 2 : 1;
    if (cut < least) return least;
    return cut > run->length - least ? run->length - least : cut;
}

/* Whether the inserted key cuts its node's prefix short: then it is the lowest or the highest of the run. */
static bool breaks_prefix(const struct sheaf_run *run)
{
    return !run->replace && !sheaf_bytes_starts_with(run->key, sheaf_node_prefix(run->left));
}

/* Whether a leaf with one entry more is a node as it is, whatever prefix its keys share: what most puts want to know. A longer
 * prefix takes no more than it saves, but for what the arrays are aligned by. */
static bool fits_anyway(const struct sheaf_run *run)
{
    const struct sheaf_node *leaf = run->left;
    if (run->level > 0 || !leaf || run->right || !sheaf_bytes_starts_with(run->key, sheaf_node_prefix(leaf))) return false;
    uint32_t cell_size = sheaf_cell_size((uint32_t)run->key.size - leaf->prefix_size, &run->payload);
    uint32_t more = sheaf_node_arrays_size(0, leaf->extra_size, leaf->count + 1U) -
                    sheaf_node_arrays_size(0, leaf->extra_size, leaf->count);
    return sheaf_node_used(leaf) + cell_size + more + 7U <= SHEAF_NODE_SIZE;
}

uint32_t sheaf_split_choose(const struct sheaf_run *run, struct sheaf_edges edges)
{
    if (run->length < NODE_SPLIT_COUNT_MIN || fits_anyway(run)) return 0;
    if (sheaf_run_size(run, 0, run->length) <= SHEAF_NODE_SIZE) return 0;
    bool at_end = sheaf_run_inserts_last(run);
    bool at_start = sheaf_run_inserts_first(run);
    if (at_end && edges.right) return clamp_cut(run, run->length - 1);
    if (at_start && edges.left) return clamp_cut(run, 1);
    uint32_t cut = clamp_cut(run, middle_cut(run));
    if (!breaks_prefix(run)) return cut;
    bool fits = sheaf_run_size(run, 0, cut) <= SHEAF_NODE_SIZE &&
                sheaf_run_size(run, cut, run->length) <= SHEAF_NODE_SIZE;
    if (fits) return cut;
    sheaf_assert(at_end || at_start);
    return clamp_cut(run, at_end ? run->length - 1 : 1);
}
