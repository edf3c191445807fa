#include "engine/tree/search.h"

#include "engine/tree/tag.h"

enum {
    PREFETCH_PARTS = 8,   /* the first three halvings of a run */
    PREFETCH_RUN_MIN = 4, /* a shorter run is searched at once */
    WINDOW = 16,          /* heads that are counted together */
    TIED_SIZE = sizeof(uint32_t) + sizeof(uint64_t), /* of a suffix: its head, and a number more */
};

/* ---- by heads ----------------------------------------------------------------------------------------------------------- */

/* Halving without branches: what would be a misprediction a step becomes a conditional move. */
static uint32_t heads_lower_bound_by_halves(const uint32_t *heads, uint32_t begin, uint32_t end, uint32_t head)
{
    const uint32_t *base = heads + begin;
    uint32_t size = end - begin;
    while (size > 1) {
        uint32_t half = size / 2;
        base += half & -(uint32_t)(base[half - 1] < head); /* by mask: as a choice gcc makes it a jump */
        size -= half;
    }
    return (uint32_t)(base - heads) + (size == 1 && *base < head ? 1 : 0);
}

typedef uint32_t four_heads __attribute__((vector_size(16)));

/* How many of the heads of a window are below `head`. */
static inline __attribute__((always_inline)) uint32_t count_below(const uint32_t *window, uint32_t head)
{
    four_heads wanted = { head, head, head, head };
    four_heads below = { 0 };
    for (uint32_t i = 0; i < WINDOW; i += 4) {
        four_heads four;
        memcpy(&four, window + i, sizeof four);
        below -= (four_heads)(four < wanted); /* all ones where it is */
    }
    return below[0] + below[1] + below[2] + below[3];
}

/*
 * First slot in [begin, end) whose head is at least `head` (or above it, with head + 1). The last head of each window tells
 * whether all of it is below; in the window where that ends they are counted. No step waits for the one before, as in halving:
 * the next node's address is known some 40 cycles earlier.
 */
static inline __attribute__((always_inline)) uint32_t heads_lower_bound(const uint32_t *heads, uint32_t begin, uint32_t end,
                                                                        uint32_t head)
{
    uint32_t size = end - begin;
    if (size < WINDOW) return heads_lower_bound_by_halves(heads, begin, end, head);
    uint32_t at = begin;
    for (uint32_t last = begin + WINDOW - 1; last < end; last += WINDOW) {
        at += heads[last] < head ? WINDOW : 0;
        __asm__("" : "+r"(at)); /* some five steps: gcc would make vectors of them, at twice the instructions */
    }
    if (at > end - WINDOW) at = end - WINDOW; /* the last window may overlap the one before: all of that is below */
    uint32_t slot = at + count_below(heads + at, head);
    sheaf_assert_slow(slot == heads_lower_bound_by_halves(heads, begin, end, head));
    return slot;
}

/* The end of the run of slots from `begin` on whose head is `head`. */
static uint32_t heads_run_end(const uint32_t *heads, uint32_t begin, uint32_t end, uint32_t head)
{
    if (begin + 1 >= end || heads[begin + 1] != head) return begin + 1;
    return head == UINT32_MAX ? end : heads_lower_bound(heads, begin, end, head + 1);
}

/* Begins to fetch the cells that a binary search of a run looks at first, all at once: fetched one after another they would be
 * most of what a point read costs where many heads tie. */
static inline __attribute__((always_inline)) void prefetch_run(const struct sheaf_node *node, uint32_t begin, uint32_t end)
{
    const uint16_t *offsets = sheaf_node_offsets(node);
    if (end - begin < PREFETCH_RUN_MIN) return;
    uint32_t step = (end - begin) / PREFETCH_PARTS;
    if (step == 0) step = 1;
    for (uint32_t slot = begin + step; slot < end; slot += step) __builtin_prefetch(sheaf_node_bytes(node) + offsets[slot]);
}

/* Orders a slot's suffix against `suffix`, of the same head. */
static int compare_rest(const struct sheaf_node *node, uint32_t slot, sheaf_bytes suffix)
{
    struct sheaf_cell cell = sheaf_node_cell(node, slot);
    uint32_t rest_size = suffix.size > 4 ? (uint32_t)suffix.size - 4 : 0;
    uint32_t shared = cell.rest_size < rest_size ? cell.rest_size : rest_size;
    int order = shared == 0 ? 0 : memcmp(cell.rest, suffix.data + 4, shared);
    if (order != 0) return order;
    /* Heads tie, so one suffix is the other, zero-extended perhaps: the shorter comes first. */
    return (cell.suffix_size > suffix.size) - (cell.suffix_size < suffix.size);
}

uint32_t sheaf_node_search(const struct sheaf_node *node, uint32_t first, sheaf_bytes key, bool *out_exact)
{
    *out_exact = false;
    sheaf_bytes prefix = sheaf_node_prefix(node);
    if (prefix.size > 0) {
        int order = memcmp(key.data ? key.data : prefix.data, prefix.data, sheaf_size_min(key.size, prefix.size));
        if (order != 0) return order < 0 ? first : node->count;
        if (key.size < prefix.size) return first;
    }
    sheaf_bytes suffix = sheaf_bytes_skip(key, prefix.size);
    uint32_t head = sheaf_bytes_head(suffix);
    const uint32_t *heads = sheaf_node_heads(node);
    if (first < node->count && heads[node->count - 1] < head) return node->count; /* keys that come in order end up here */
    uint32_t low = heads_lower_bound(heads, first, node->count, head);
    if (low == node->count || heads[low] != head) return low;
    uint32_t high = heads_run_end(heads, low, node->count, head);
    prefetch_run(node, low, high);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_rest(node, middle, suffix);
        if (order == 0) {
            *out_exact = true;
            return middle;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool sheaf_slot_is_below(const struct sheaf_node *node, uint32_t slot, sheaf_bytes suffix)
{
    struct sheaf_cell cell = sheaf_node_cell(node, slot);
    uint32_t rest_size = suffix.size > 4 ? (uint32_t)suffix.size - 4 : 0;
    uint32_t shared = cell.rest_size < rest_size ? cell.rest_size : rest_size;
    int order = shared == 0 ? 0 : sheaf_bytes_order_recent(cell.rest, suffix.data + 4, shared);
    bool below = order < 0 || (order == 0 && cell.suffix_size < suffix.size);
    sheaf_assert_slow(below == (compare_rest(node, slot, suffix) < 0));
    return below;
}

bool sheaf_leaf_is_below(const struct sheaf_node *leaf, sheaf_bytes key)
{
    sheaf_bytes prefix = sheaf_node_prefix(leaf);
    if (!sheaf_bytes_starts_with(key, prefix)) return sheaf_bytes_order(key, prefix) > 0;
    sheaf_bytes suffix = sheaf_bytes_skip(key, prefix.size);
    uint32_t last = leaf->count - 1U;
    uint32_t head = sheaf_bytes_head(suffix);
    uint32_t last_head = sheaf_node_heads(leaf)[last];
    if (head != last_head) return head > last_head;
    return compare_rest(leaf, last, suffix) < 0;
}

/* ---- by tags ------------------------------------------------------------------------------------------------------------ */

static inline uint64_t in_each_byte(uint8_t byte)
{
    return UINT64_MAX / 255 * byte;
}

/* The eight tags from `slot` on, the first in the lowest byte; zeroes beyond the block. */
static inline uint64_t load_tags(const struct sheaf_node *leaf, const uint8_t *tags, uint32_t slot)
{
    uint64_t eight = 0;
    const uint8_t *at = tags + slot;
    size_t left = (size_t)(sheaf_node_bytes(leaf) + leaf->size - at);
    if (left >= sizeof eight) {
        memcpy(&eight, at, sizeof eight);
    } else {
        memcpy(&eight, at, left);
    }
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    return eight;
}

/* A mark, the highest bit, in each byte of `eight` that equals `tag`; now and then in one that follows such a byte and does
 * not. */
static inline uint64_t mark_equal(uint64_t eight, uint8_t tag)
{
    uint64_t differ = eight ^ in_each_byte(tag);
    return (differ - in_each_byte(1)) & ~differ & in_each_byte(128);
}

static bool slot_holds(const struct sheaf_node *leaf, uint32_t slot, sheaf_bytes suffix, uint32_t head)
{
    const uint8_t *at = sheaf_node_bytes(leaf) + sheaf_node_offsets(leaf)[slot];
    __builtin_prefetch(at);
    __builtin_prefetch(at + CACHE_LINE); /* where the value begins, if not here */
    if (sheaf_node_heads(leaf)[slot] != head) return false;
    struct sheaf_cell cell = sheaf_node_cell(leaf, slot);
    if (cell.suffix_size != suffix.size) return false;
    return cell.rest_size == 0 || sheaf_bytes_same(cell.rest, suffix.data + 4, cell.rest_size);
}

uint32_t sheaf_leaf_find(const struct sheaf_node *leaf, sheaf_bytes key)
{
    return sheaf_leaf_find_tagged(leaf, key, sheaf_key_tag(key));
}

/* A mark for each of the eight slots from `first` on that has this tag; what lies behind the last slot has none. */
static inline uint64_t mark_tagged(const struct sheaf_node *leaf, const uint8_t *tags, uint32_t first, uint8_t tag)
{
    uint64_t marks = mark_equal(load_tags(leaf, tags, first), tag);
    uint32_t left = leaf->count - first;
    return left < 8 ? marks & ((UINT64_C(1) << (8 * left)) - 1) : marks;
}

static inline uint32_t first_marked(uint32_t first, uint64_t marks)
{
    return first + (uint32_t)__builtin_ctzll(marks) / 8;
}

/* The first slot from `first` on, among those marked, that holds a key; SLOT_NONE if there is none. */
static inline __attribute__((always_inline)) uint32_t find_marked(const struct sheaf_node *leaf, uint32_t first, uint64_t marks,
                                                                  sheaf_bytes suffix, uint32_t head)
{
    for (; marks != 0; marks &= marks - 1) {
        uint32_t slot = first_marked(first, marks);
        if (slot < leaf->count && slot_holds(leaf, slot, suffix, head)) return slot;
    }
    return SLOT_NONE;
}

enum { SIXTEEN = 16 };
typedef uint8_t sixteen_tags __attribute__((vector_size(SIXTEEN)));
typedef uint64_t two_words __attribute__((vector_size(SIXTEEN)));

static inline uint64_t marks_of(uint64_t equal)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    equal = __builtin_bswap64(equal);
#endif
    return equal & in_each_byte(128);
}

uint32_t sheaf_leaf_find_tagged(const struct sheaf_node *leaf, sheaf_bytes key, uint8_t tag)
{
    sheaf_assert(tag == sheaf_key_tag(key));
    sheaf_bytes prefix = sheaf_node_prefix(leaf);
    if (!sheaf_bytes_starts_with(key, prefix)) return SLOT_NONE;
    sheaf_bytes suffix = sheaf_bytes_skip(key, prefix.size);
    uint32_t head = sheaf_bytes_head(suffix);
    const uint8_t *tags = sheaf_node_tags(leaf);
    uint32_t first = 0, count = leaf->count;
    uint32_t there = (uint32_t)(sheaf_node_bytes(leaf) + leaf->size - tags); /* to the end of the block: cells mostly */
    sixteen_tags wanted = (sixteen_tags){ 0 } + tag;
    for (; first < count && first + SIXTEEN <= there; first += SIXTEEN) {
        sixteen_tags sixteen;
        memcpy(&sixteen, tags + first, sizeof sixteen);
        two_words equal = (two_words)(sixteen == wanted);
        if ((equal[0] | equal[1]) == 0) continue;
        uint32_t slot = find_marked(leaf, first, marks_of(equal[0]), suffix, head);
        if (slot == SLOT_NONE) slot = find_marked(leaf, first + SIXTEEN / 2, marks_of(equal[1]), suffix, head);
        if (slot != SLOT_NONE) return slot;
    }
    for (; first < count; first += 8) {
        uint32_t slot = find_marked(leaf, first, mark_tagged(leaf, tags, first, tag), suffix, head);
        if (slot != SLOT_NONE) return slot;
    }
    return SLOT_NONE;
}

void sheaf_leaf_prefetch_tagged(const struct sheaf_node *leaf, uint8_t tag)
{
    const uint8_t *tags = sheaf_node_tags(leaf);
    for (uint32_t first = 0; first < leaf->count; first += 8) {
        uint64_t marks = mark_tagged(leaf, tags, first, tag);
        if (marks == 0) continue;
        const uint8_t *cell = sheaf_node_bytes(leaf) + sheaf_node_offsets(leaf)[first_marked(first, marks)];
        __builtin_prefetch(cell);
        __builtin_prefetch(cell + CACHE_LINE);
        return;
    }
}

/* ---- by cuts ------------------------------------------------------------------------------------------------------------ */

/* Whether a slot lies before the end of everything that starts with `suffix`, which has four bytes or more and the same
 * head. */
static bool before_prefix_end(const struct sheaf_node *node, uint32_t slot, sheaf_bytes suffix)
{
    struct sheaf_cell cell = sheaf_node_cell(node, slot);
    size_t shared = sheaf_size_min(cell.rest_size, suffix.size - 4);
    return shared == 0 || memcmp(cell.rest, suffix.data + 4, shared) <= 0;
}

/* The first slot above everything that starts with `key`. */
static uint32_t search_prefix_end(const struct sheaf_node *node, uint32_t first, sheaf_bytes key)
{
    sheaf_bytes prefix = sheaf_node_prefix(node);
    size_t shared = sheaf_size_min(key.size, prefix.size);
    int order = shared == 0 ? 0 : memcmp(key.data, prefix.data, shared);
    if (order != 0) return order < 0 ? first : node->count;
    if (key.size <= prefix.size) return node->count;
    sheaf_bytes suffix = sheaf_bytes_skip(key, prefix.size);
    uint32_t head = sheaf_bytes_head(suffix);
    const uint32_t *heads = sheaf_node_heads(node);
    if (suffix.size < 4) {
        /* Heads up to the suffix filled with FF are below it or start with it. */
        uint32_t highest = head | UINT32_MAX >> (8 * suffix.size);
        return highest == UINT32_MAX ? node->count : heads_lower_bound(heads, first, node->count, highest + 1);
    }
    uint32_t low = heads_lower_bound(heads, first, node->count, head);
    if (low == node->count || heads[low] != head) return low;
    uint32_t high = heads_run_end(heads, low, node->count, head);
    prefetch_run(node, low, high);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (before_prefix_end(node, middle, suffix)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t sheaf_leaf_search_cut(const struct sheaf_node *leaf, const sheaf_cut *cut)
{
    bool exact = false;
    switch (cut->side) {
    case SHEAF_SIDE_UNBOUNDED: return 0;
    case SHEAF_SIDE_BEFORE: return sheaf_node_search(leaf, 0, cut->bytes, &exact);
    case SHEAF_SIDE_AFTER: {
        uint32_t slot = sheaf_node_search(leaf, 0, cut->bytes, &exact);
        return exact ? slot + 1 : slot;
    }
    case SHEAF_SIDE_AFTER_PREFIX: return search_prefix_end(leaf, 0, cut->bytes);
    }
    return 0;
}

static uint32_t branch_search_plainly(const struct sheaf_node *branch, sheaf_bytes key)
{
    bool exact;
    uint32_t slot = sheaf_node_search(branch, 1, key, &exact);
    return exact ? slot : slot - 1;
}

/* The same among the slots from `low` on, whose heads tie with that of `suffix`. */
static __attribute__((noinline)) uint32_t branch_search_tied(const struct sheaf_node *branch, uint32_t low, sheaf_bytes suffix)
{
    const uint32_t *heads = sheaf_node_heads(branch);
    const uint16_t *offsets = sheaf_node_offsets(branch);
    uint32_t high = heads_run_end(heads, low, branch->count, heads[low]);
    prefetch_run(branch, low, high);
    /* Most separators tell by the next eight bytes; each is a number then, and needs no decoding. */
    bool wide = suffix.size >= TIED_SIZE;
    uint64_t next = wide ? sheaf_load64_ordered(suffix.data + sizeof *heads) : 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const uint8_t *cell = sheaf_node_bytes(branch) + offsets[middle];
        int order = 0;
        if (wide && *cell >= 2 * TIED_SIZE && *cell < 128) {
            uint64_t there = sheaf_load64_ordered(cell + 1);
            order = (there > next) - (there < next);
        }
        if (order == 0) order = compare_rest(branch, middle, suffix);
        if (order == 0) return middle;
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - 1;
}

/*
 * The slot of a branch whose child may hold `key`, without what else a search has to tell: a descent is little more than this,
 * once for each level.
 */
static inline __attribute__((always_inline)) uint32_t branch_search(const struct sheaf_node *branch, sheaf_bytes key)
{
    size_t prefix_size = branch->prefix_size;
    if (key.size < prefix_size + sizeof(uint32_t)) return branch_search_plainly(branch, key);
    if (!sheaf_bytes_same(key.data, sheaf_node_prefix(branch).data, prefix_size)) return branch_search_plainly(branch, key);
    sheaf_bytes suffix = sheaf_bytes_skip(key, prefix_size);
    uint32_t head = sheaf_bytes_head(suffix);
    uint32_t slot = heads_lower_bound(sheaf_node_heads(branch), 1, branch->count, head);
    bool tied = slot < branch->count && sheaf_node_heads(branch)[slot] == head;
    slot = tied ? branch_search_tied(branch, slot, suffix) : slot - 1;
    sheaf_assert_slow(slot == branch_search_plainly(branch, key));
    return slot;
}

uint32_t sheaf_branch_search(const struct sheaf_node *branch, sheaf_bytes key)
{
    return branch_search(branch, key);
}

uint32_t sheaf_branch_search_cut(const struct sheaf_node *branch, const sheaf_cut *cut)
{
    switch (cut->side) {
    case SHEAF_SIDE_UNBOUNDED: return 0;
    case SHEAF_SIDE_BEFORE:
    case SHEAF_SIDE_AFTER: return sheaf_branch_search(branch, cut->bytes);
    case SHEAF_SIDE_AFTER_PREFIX: return search_prefix_end(branch, 1, cut->bytes) - 1;
    }
    return 0;
}

struct sheaf_node *sheaf_tree_leaf(const struct sheaf_tree *tree, sheaf_bytes key)
{
    struct sheaf_node *node = tree->root;
    while (!sheaf_node_is_leaf(node)) {
        bool above_leaf = node->level == 1;
        node = sheaf_node_children(node)[branch_search(node, key)];
        if (above_leaf) sheaf_leaf_prefetch_point(node);
        else sheaf_node_prefetch(node);
    }
    return node;
}

bool sheaf_path_descend(struct sheaf_path *path, const struct sheaf_tree *tree, sheaf_bytes key, uint8_t tag)
{
    struct sheaf_node *node = tree->root;
    uint32_t depth = 0;
    sheaf_assert(node);
    for (; !sheaf_node_is_leaf(node); depth++) {
        sheaf_assert(depth < SHEAF_TREE_DEPTH_MAX);
        uint32_t slot = branch_search(node, key);
        path->step[depth].node = node;
        path->step[depth].slot = slot;
        node = sheaf_node_children(node)[slot];
        sheaf_node_prefetch(node);
    }
    path->step[depth].node = node;
    path->depth = depth + 1;
    path->step[depth].slot = sheaf_leaf_find_tagged(node, key, tag);
    return path->step[depth].slot != SLOT_NONE;
}

void sheaf_path_find_place(struct sheaf_path *path, sheaf_bytes key)
{
    bool exact;
    path->step[path->depth - 1].slot = sheaf_node_search(path->step[path->depth - 1].node, 0, key, &exact);
    sheaf_assert(!exact);
}

void sheaf_path_add(const struct sheaf_path *path, uint32_t depth, sheaf_totals added)
{
    for (uint32_t i = 0; i < depth; i++) {
        sheaf_totals *sum = &sheaf_node_sums_writable(path->step[i].node)[path->step[i].slot];
        sum->count += added.count;
        sum->bytes += added.bytes;
    }
}
