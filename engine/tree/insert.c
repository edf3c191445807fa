/*
 * insert.c - putting an entry.
 *
 * The common case changes one leaf in place, or moves it to a larger block (grow.h). Otherwise new nodes are built beside the
 * tree, from the leaf up: a node that has to grow is replaced by a larger one, a full one by two, and then its parent needs a
 * slot more, which may repeat. Only when everything has been built is it linked in at the lowest node that stays, and the
 * replaced nodes are freed (or kept, for the versions that see them). Whatever fails before that leaves no trace. Where versions
 * see the way down to the node that stays, it is copied first (thaw.h).
 *
 *        stays          [ .  .  . ]            in place: one link changed, or a slot inserted
 *                          /
 *        retired    (  full  )   made  [ half ] [ half ]
 *                      /
 *        retired   ( full )      made  [ half ] [ half ]      the new entry is in one of them
 */
#include "engine/tree/insert.h"

#include "engine/tree/grow.h"
#include "engine/tree/large.h"
#include "engine/tree/run.h"
#include "engine/tree/search.h"
#include "engine/tree/split.h"
#include "engine/tree/tag.h"
#include "engine/tree/thaw.h"

enum {
    ORDERED_CHILDREN_MIN = 8, /* a tree of so many leaves has an eighth of its size to spare for the next one */
};

/* Nodes built and to be replaced, in one change. */
struct regrowth {
    struct sheaf_tree *tree;
    struct sheaf_path *path;
    bool filling;        /* see sheaf_finger */
    sheaf_totals added;  /* what the change adds below every node of the path; bytes may wrap below zero, sums come out right */
    uint32_t made_count;
    uint32_t retired_count;
    uint64_t places;     /* on the dead list, for the replaced value and nodes */
    struct sheaf_node *made[2 * SHEAF_TREE_DEPTH_MAX + 1];
    struct sheaf_node *retired[SHEAF_TREE_DEPTH_MAX];
    uint8_t separators[2][SHEAF_SORT_KEY_SIZE_HARD]; /* the one just made, and that of the level below */
};

/* What a run has become: one node, or two and what parts them. */
struct halves {
    struct sheaf_node *left;  /* may be the node it was */
    struct sheaf_node *right; /* NULL: one node */
    sheaf_bytes separator;
    sheaf_totals left_totals; /* both set only if there is a right one */
    sheaf_totals right_totals;
};

static void discard(struct regrowth *regrowth)
{
    for (uint32_t i = 0; i < regrowth->made_count; i++) sheaf_node_free(regrowth->tree->grove, regrowth->made[i]);
}

static struct sheaf_node *build(struct regrowth *regrowth, const struct sheaf_run *run, uint32_t begin, uint32_t end,
                                enum sheaf_room room)
{
    struct sheaf_node *node = sheaf_run_build(regrowth->tree->grove, run, begin, end, room);
    if (node) regrowth->made[regrowth->made_count++] = node;
    return node;
}

static struct sheaf_edges edges_at(const struct sheaf_path *path, uint32_t depth)
{
    struct sheaf_edges edges = { .left = true, .right = true };
    for (uint32_t i = 0; i < depth; i++) {
        edges.left = edges.left && path->step[i].slot == 0;
        edges.right = edges.right && path->step[i].slot + 1 == path->step[i].node->count;
    }
    return edges;
}

/* Whether the tree has so many leaves that one with room to spare does not show. */
static bool is_large(const struct sheaf_path *path)
{
    return path->depth > 2 || (path->depth == 2 && path->step[0].node->count >= ORDERED_CHILDREN_MIN);
}

/* A leaf full to its block's last size class that is to be left behind as it is: a run of it with an entry behind the cut. */
static bool can_stay(const struct regrowth *regrowth, const struct sheaf_run *run, uint32_t cut)
{
    return run->level == 0 && sheaf_run_inserts_last(run) && cut == run->insert_at &&
           sheaf_heap_real_size(&regrowth->tree->grove->heap, sheaf_node_used(run->left)) >= run->left->size;
}

/* The sums of two halves: one is counted, the other is what is left of the whole. */
static void count_halves(const struct regrowth *regrowth, uint32_t depth, struct halves *halves)
{
    const struct sheaf_path *path = regrowth->path;
    sheaf_totals whole = regrowth->tree->totals;
    if (depth > 0) whole = sheaf_node_sums(path->step[depth - 1].node)[path->step[depth - 1].slot];
    halves->right_totals = sheaf_node_totals(halves->right);
    halves->left_totals.count = whole.count + regrowth->added.count - halves->right_totals.count;
    halves->left_totals.bytes = whole.bytes + regrowth->added.bytes - halves->right_totals.bytes;
}

/*
 * Builds what the run becomes. Of two halves the one that the next key in order will not go to gets no room; the last leaf of a
 * large tree that is filled in order gets a whole node at once, so that it is not built anew at every size class on the way.
 */
static bool build_halves(struct regrowth *regrowth, const struct sheaf_run *run, struct sheaf_edges edges,
                         struct halves *out_halves)
{
    bool appending = edges.right && sheaf_run_inserts_last(run);
    bool prepending = edges.left && sheaf_run_inserts_first(run);
    bool ordered = appending && (regrowth->filling || (run->level == 0 && is_large(regrowth->path)));
    enum sheaf_room room = ordered ? SHEAF_ROOM_FULL : appending ? SHEAF_ROOM_MORE : SHEAF_ROOM_GROW;
    uint32_t cut = sheaf_split_choose(run, edges);
    *out_halves = (struct halves){ 0 };
    if (cut == 0) {
        out_halves->left = build(regrowth, run, 0, run->length, room);
        return out_halves->left != NULL;
    }
    uint8_t *separator = regrowth->separators[run->level % 2];
    out_halves->separator = sheaf_split_separator(run, cut, separator);
    if (appending && can_stay(regrowth, run, cut)) {
        out_halves->left = regrowth->path->step[regrowth->path->depth - 1].node;
    } else {
        out_halves->left = build(regrowth, run, 0, cut, appending ? SHEAF_ROOM_NONE : SHEAF_ROOM_GROW);
    }
    if (!out_halves->left) return false;
    out_halves->right = build(regrowth, run, cut, run->length, prepending ? SHEAF_ROOM_NONE : room);
    return out_halves->right != NULL;
}

static struct sheaf_link link_to_left(const struct halves *halves)
{
    sheaf_assert_slow(halves->left_totals.count == sheaf_node_totals(halves->left).count);
    sheaf_assert_slow(halves->left_totals.bytes == sheaf_node_totals(halves->left).bytes);
    return (struct sheaf_link){ .child = halves->left, .totals = halves->left_totals };
}

static struct sheaf_link link_to_right(const struct halves *halves)
{
    return (struct sheaf_link){ .child = halves->right, .totals = halves->right_totals };
}

/* Whether a branch takes one more slot where it stands. */
static bool branch_takes(const struct sheaf_node *branch, sheaf_bytes separator)
{
    return sheaf_bytes_starts_with(separator, sheaf_node_prefix(branch)) && sheaf_node_fits(branch, separator, NULL);
}

/* Sees to it that the first `depth` nodes of the path may be changed, and takes places for what is retired. */
static bool make_way(struct regrowth *regrowth, uint32_t depth)
{
    const struct sheaf_grove *grove = regrowth->tree->grove;
    for (uint32_t i = 0; i < regrowth->retired_count; i++) regrowth->places += sheaf_node_places(grove, regrowth->retired[i]);
    return sheaf_path_thaw(regrowth->tree, regrowth->path, depth, regrowth->places);
}

/* The tree has changed: counts it, and frees what was replaced. Nothing can fail any more. */
static void commit(struct regrowth *regrowth)
{
    struct sheaf_tree *tree = regrowth->tree;
    tree->totals.count += regrowth->added.count;
    tree->totals.bytes += regrowth->added.bytes;
    tree->changed = ++tree->grove->changes;
    for (uint32_t i = 0; i < regrowth->retired_count; i++) sheaf_node_retire(tree->grove, regrowth->retired[i]);
}

/* Lets the first `depth` nodes of a path know of the deadline of what is put below them. */
static inline void lower_dues(const struct sheaf_grove *grove, const struct sheaf_path *path, uint32_t depth)
{
    if (grove->due.size == 0) return;
    for (uint32_t i = 0; i < depth; i++) sheaf_node_lower_due(path->step[i].node, grove->due.fresh);
}

/* Links one node in where that of step `depth` was. */
static void link_one(struct regrowth *regrowth, uint32_t depth, struct sheaf_node *node)
{
    const struct sheaf_path *path = regrowth->path;
    if (depth == 0) {
        regrowth->tree->root = node;
        return;
    }
    sheaf_node_children_writable(path->step[depth - 1].node)[path->step[depth - 1].slot] = node;
    sheaf_path_add(path, depth, regrowth->added);
    lower_dues(regrowth->tree->grove, path, depth);
}

/* Links two nodes in below the branch of step `depth`, which takes them as it stands. */
static void link_two(struct regrowth *regrowth, uint32_t depth, const struct halves *halves)
{
    const struct sheaf_path *path = regrowth->path;
    struct sheaf_node *parent = path->step[depth].node;
    uint32_t slot = path->step[depth].slot;
    struct sheaf_link right = link_to_right(halves);
    struct sheaf_link left = link_to_left(halves);
    sheaf_node_set_link(parent, slot, &left);
    sheaf_node_insert(parent, slot + 1, halves->separator, NULL, &right);
    sheaf_path_add(path, depth, regrowth->added);
    lower_dues(regrowth->tree->grove, path, depth + 1);
}

/* Puts a root over two halves. */
static bool grow_root(struct regrowth *regrowth, const struct halves *halves)
{
    sheaf_assert(regrowth->path->depth < SHEAF_TREE_DEPTH_MAX);
    struct sheaf_link left = link_to_left(halves);
    struct sheaf_link right = link_to_right(halves);
    struct sheaf_node *root = sheaf_run_build_root(regrowth->tree->grove, &left, halves->separator, &right);
    if (!root) return false;
    if (!make_way(regrowth, 0)) {
        sheaf_node_free(regrowth->tree->grove, root);
        return false;
    }
    regrowth->tree->root = root;
    return true;
}

/* Rebuilds the node at the end of the path as `run`, and those above it as far as that reaches. */
static bool regrow(struct regrowth *regrowth, struct sheaf_run run)
{
    struct sheaf_path *path = regrowth->path;
    for (uint32_t depth = path->depth - 1;; depth--) {
        struct halves halves;
        if (!build_halves(regrowth, &run, edges_at(path, depth), &halves)) return false;
        if (halves.left != path->step[depth].node) regrowth->retired[regrowth->retired_count++] = path->step[depth].node;
        if (!halves.right) {
            if (!make_way(regrowth, depth)) return false;
            link_one(regrowth, depth, halves.left);
            return true;
        }
        count_halves(regrowth, depth, &halves);
        if (depth == 0) return grow_root(regrowth, &halves);
        struct sheaf_node *parent = path->step[depth - 1].node;
        if (branch_takes(parent, halves.separator)) {
            if (!make_way(regrowth, depth)) return false;
            link_two(regrowth, depth - 1, &halves);
            return true;
        }
        struct sheaf_link left = link_to_left(&halves);
        struct sheaf_link right = link_to_right(&halves);
        run = sheaf_run_with_link(parent, path->step[depth - 1].slot, &left, halves.separator, &right);
    }
}

/* Changes the leaf at the end of the finger's path to `run`, by way of new nodes. Also takes `places` on the dead list. */
static sheaf_status rebuild(struct sheaf_tree *tree, struct sheaf_finger *finger, const struct sheaf_run *run,
                            sheaf_totals added, uint32_t places)
{
    struct regrowth regrowth;
    finger->tree = NULL; /* the way changes */
    regrowth.tree = tree;
    regrowth.path = &finger->path;
    regrowth.filling = finger->filling;
    regrowth.added = added;
    regrowth.made_count = 0;
    regrowth.retired_count = 0;
    regrowth.places = places;
    if (!regrow(&regrowth, *run)) {
        discard(&regrowth);
        return SHEAF_NO_MEMORY;
    }
    commit(&regrowth);
    return SHEAF_OK;
}

/* A change that stayed within a leaf. */
static void account(struct sheaf_tree *tree, const struct sheaf_path *path, sheaf_totals added)
{
    sheaf_path_add(path, path->depth - 1, added);
    lower_dues(tree->grove, path, path->depth);
    tree->totals.count += added.count;
    tree->totals.bytes += added.bytes;
    tree->changed = ++tree->grove->changes;
}

/* ---- the way to the leaf ------------------------------------------------------------------------------------------------ */

/* Whether a path leads to the last leaf of its tree. */
static bool is_last(const struct sheaf_path *path)
{
    return edges_at(path, path->depth - 1).right;
}

/* Whether the finger still points at the last leaf of this tree. */
static bool points_at_last(const struct sheaf_finger *finger, const struct sheaf_tree *tree)
{
    return finger->last && finger->tree == tree && finger->changed == tree->changed;
}

/* Points the finger at the place of `key`; true if it is there already. */
static bool point(struct sheaf_finger *finger, const struct sheaf_tree *tree, sheaf_bytes key, uint8_t tag)
{
    struct sheaf_path *path = &finger->path;
    if (points_at_last(finger, tree) && sheaf_leaf_is_below(path->step[path->depth - 1].node, key)) {
        path->step[path->depth - 1].slot = path->step[path->depth - 1].node->count;
        return false;
    }
    bool exact = sheaf_path_descend(path, tree, key, tag);
    if (!exact) sheaf_path_find_place(path, key);
    finger->tree = tree;
    finger->changed = tree->changed; /* a refused put leaves the finger pointing: at this tree as it is now, and no other */
    finger->last = path->step[path->depth - 1].slot == path->step[path->depth - 1].node->count && is_last(path);
    return exact;
}

/* What is put. */
struct entry {
    sheaf_bytes key;
    uint8_t tag;
    struct sheaf_payload payload;
};

/* Puts an entry behind all others in the leaf the finger points at, if that is as simple as can be; false: nothing is done. */
static bool append_in_place(struct sheaf_tree *tree, struct sheaf_finger *finger, const struct entry *entry)
{
    const struct sheaf_path *path = &finger->path;
    struct sheaf_node *leaf = path->step[path->depth - 1].node;
    if (sheaf_is_frozen(tree->grove, leaf->birth)) return false;
    sheaf_assert_slow(is_last(path));
    if (!sheaf_leaf_append(leaf, entry->key, entry->tag, &entry->payload)) return false;
    account(tree, path, (sheaf_totals){ .count = 1, .bytes = entry->key.size + entry->payload.bytes.size });
    finger->changed = tree->changed;
    return true;
}

/* ---- the three ways to put ---------------------------------------------------------------------------------------------- */

/* The first entry. In a bulk build it gets a whole node at once, which is packed when it is full, or all there is: by then it is
 * known what the keys share. */
static sheaf_status plant(struct sheaf_tree *tree, const struct sheaf_finger *finger, const struct entry *entry)
{
    struct sheaf_run run = sheaf_run_with_entry(NULL, 0, false, entry->key, entry->tag, &entry->payload);
    run.extra_size = sheaf_grove_extra_size(tree->grove);
    struct sheaf_node *root =
        sheaf_run_build(tree->grove, &run, 0, 1, finger->filling ? SHEAF_ROOM_FULL : SHEAF_ROOM_NONE);
    if (!root) return SHEAF_NO_MEMORY;
    tree->root = root;
    tree->totals = (sheaf_totals){ .count = 1, .bytes = entry->key.size + entry->payload.bytes.size };
    tree->changed = ++tree->grove->changes;
    return SHEAF_OK;
}

/* Moves the leaf at the end of the finger's path to a larger block, with the entry. The way stays known. */
static sheaf_status grow(struct sheaf_tree *tree, struct sheaf_finger *finger, const struct entry *entry, sheaf_totals added)
{
    struct sheaf_grove *grove = tree->grove;
    struct sheaf_path *path = &finger->path;
    uint32_t depth = path->depth - 1;
    struct sheaf_node *leaf = path->step[depth].node;
    uint32_t slot = path->step[depth].slot;
    bool appending = slot == leaf->count && is_last(path);
    struct sheaf_node *larger = sheaf_leaf_grow(grove, leaf, slot, entry->key, entry->tag, &entry->payload,
                                                appending ? SHEAF_ROOM_MORE : SHEAF_ROOM_GROW, appending);
    if (!larger) return SHEAF_NO_MEMORY;
    if (!sheaf_path_thaw(tree, path, depth, sheaf_node_places(grove, leaf))) {
        sheaf_node_free(grove, larger);
        return SHEAF_NO_MEMORY;
    }
    if (depth == 0) tree->root = larger;
    else sheaf_node_children_writable(path->step[depth - 1].node)[path->step[depth - 1].slot] = larger;
    path->step[depth].node = larger;
    account(tree, path, added);
    finger->changed = tree->changed;
    sheaf_node_retire(grove, leaf);
    return SHEAF_OK;
}

static sheaf_status add(struct sheaf_tree *tree, struct sheaf_finger *finger, const struct entry *entry)
{
    struct sheaf_path *path = &finger->path;
    struct sheaf_node *leaf = path->step[path->depth - 1].node;
    uint32_t slot = path->step[path->depth - 1].slot;
    sheaf_totals added = { .count = 1, .bytes = entry->key.size + entry->payload.bytes.size };
    if (sheaf_bytes_starts_with(entry->key, sheaf_node_prefix(leaf)) &&
        sheaf_node_fits(leaf, entry->key, &entry->payload)) {
        if (!sheaf_path_thaw(tree, path, path->depth, 0)) return SHEAF_NO_MEMORY;
        leaf = path->step[path->depth - 1].node;
        sheaf_leaf_insert(leaf, slot, entry->key, entry->tag, &entry->payload);
        account(tree, path, added);
        finger->changed = tree->changed;
        return SHEAF_OK;
    }
    bool ordered = finger->filling || (slot == leaf->count && is_large(path) && is_last(path)); /* a whole node is due */
    if (!ordered && sheaf_leaf_can_grow(leaf, slot, entry->key, &entry->payload)) return grow(tree, finger, entry, added);
    struct sheaf_run run = sheaf_run_with_entry(leaf, slot, false, entry->key, entry->tag, &entry->payload);
    return rebuild(tree, finger, &run, added, 0);
}

/*
 * Writes a value over one of the same size, if it lies in a leaf that no version sees and that keeps nothing else of the entry.
 * Nothing moves and no sum changes, so nothing else is written: the sums of the branches would be three cache lines made dirty.
 * To whoever holds the tree by a cursor it is no change: the value lies where it lay.
 */
static bool overwrite(const struct sheaf_tree *tree, struct sheaf_node *leaf, uint32_t slot, const struct sheaf_payload *payload)
{
    struct sheaf_cell old = sheaf_node_cell(leaf, slot);
    if (leaf->extra_size > 0 || old.large || payload->large || old.value_size != payload->bytes.size) return false;
    if (sheaf_is_frozen(tree->grove, leaf->birth)) return false;
    return sheaf_node_replace(leaf, slot, payload);
}

static sheaf_status replace(struct sheaf_tree *tree, struct sheaf_finger *finger, struct entry *entry)
{
    struct sheaf_path *path = &finger->path;
    struct sheaf_node *leaf = path->step[path->depth - 1].node;
    uint32_t slot = path->step[path->depth - 1].slot;
    if (overwrite(tree, leaf, slot, &entry->payload)) return SHEAF_OK;
    struct sheaf_payload old = sheaf_payload_of_slot(leaf, slot);
    sheaf_totals added = { .count = 0, .bytes = entry->payload.bytes.size - old.bytes.size };
    uint32_t places = sheaf_payload_places(tree->grove, &old);
    bool kept = sheaf_is_frozen(tree->grove, leaf->birth) || places > 0; /* a version sees the leaf or the value */
    finger->tree = NULL; /* who overwrites does not append */
    if (sheaf_leaf_keeps_uses(leaf)) entry->payload.use = tree->grove->use.used[sheaf_node_uses(leaf)[slot]];
    if (kept && sheaf_node_can_replace(leaf, slot, &entry->payload)) {
        if (!sheaf_path_thaw(tree, path, path->depth, places)) return SHEAF_NO_MEMORY;
        leaf = path->step[path->depth - 1].node;
        kept = false;
    }
    if (!kept && sheaf_node_replace(leaf, slot, &entry->payload)) {
        if (sheaf_leaf_keeps_uses(leaf)) sheaf_node_uses_writable(leaf)[slot] = entry->payload.use;
        sheaf_leaf_set_due(leaf, slot, entry->payload.due);
        account(tree, path, added);
    } else {
        struct sheaf_run run = sheaf_run_with_entry(leaf, slot, true, entry->key, entry->tag, &entry->payload);
        sheaf_status status = rebuild(tree, finger, &run, added, places);
        if (status != SHEAF_OK) return status;
    }
    sheaf_payload_retire(tree->grove, &old);
    return SHEAF_OK;
}

sheaf_status sheaf_tree_put(struct sheaf_tree *tree, sheaf_bytes key, sheaf_bytes value, bool *out_replaced)
{
    struct entry entry = { .key = key, .tag = sheaf_key_tag(key) };
    struct sheaf_finger *finger = &tree->grove->finger;
    sheaf_status status = sheaf_payload_make(tree->grove, value, &entry.payload);
    if (status != SHEAF_OK) return status;
    if (points_at_last(finger, tree) && append_in_place(tree, finger, &entry)) {
        *out_replaced = false;
        return SHEAF_OK;
    }
    bool exact = tree->root && point(finger, tree, key, entry.tag);
    if (!tree->root) {
        status = plant(tree, finger, &entry);
    } else {
        status = exact ? replace(tree, finger, &entry) : add(tree, finger, &entry);
    }
    if (status != SHEAF_OK) {
        sheaf_payload_free(tree->grove, &entry.payload);
        return status;
    }
    *out_replaced = exact;
    return SHEAF_OK;
}

/* Points the finger behind the last entry of a tree that has some. */
static void point_behind(struct sheaf_finger *finger, const struct sheaf_tree *tree)
{
    struct sheaf_path *path = &finger->path;
    if (finger->tree == tree) {
        path->step[path->depth - 1].slot = path->step[path->depth - 1].node->count;
        return;
    }
    struct sheaf_node *node = tree->root;
    for (path->depth = 0; !sheaf_node_is_leaf(node); node = sheaf_node_children(node)[node->count - 1]) {
        path->step[path->depth].node = node;
        path->step[path->depth++].slot = node->count - 1U;
    }
    path->step[path->depth].node = node;
    path->step[path->depth++].slot = node->count;
    finger->tree = tree;
}

sheaf_status sheaf_tree_append(struct sheaf_tree *tree, struct sheaf_finger *finger, sheaf_bytes key, sheaf_bytes value)
{
    struct entry entry = { .key = key, .tag = sheaf_key_tag(key) };
    sheaf_status status = sheaf_payload_make(tree->grove, value, &entry.payload);
    if (status != SHEAF_OK) return status;
    if (finger->tree == tree && append_in_place(tree, finger, &entry)) return SHEAF_OK;
    if (tree->root) {
        point_behind(finger, tree);
        if (!sheaf_leaf_is_below(finger->path.step[finger->path.depth - 1].node, key)) {
            sheaf_payload_free(tree->grove, &entry.payload);
            return SHEAF_OUT_OF_ORDER;
        }
    }
    status = tree->root ? add(tree, finger, &entry) : plant(tree, finger, &entry);
    if (status != SHEAF_OK) sheaf_payload_free(tree->grove, &entry.payload);
    return status;
}
