/*
 * build.c - packing ascending entries into a tree from below.
 *
 *      stage 1   [ link | link |            ]   separators and links of finished leaves
 *                           ^
 *      stage 0   [ entry | entry | entry |  ]   the leaf being filled
 *
 * Each level has one stage: a roomy node without prefix, filled in order. When what it holds would no longer fit a node of its
 * own prefix, that node is built, packed, and its link goes to the stage above. The room above is made first, then the node is
 * built, and only then anything moves: an addition that finds no memory leaves the build as it was.
 */
#include "engine/tree/build.h"

#include "engine/tree/clear.h"
#include "engine/tree/large.h"
#include "engine/tree/run.h"

struct stage {
    struct sheaf_node *node; /* NODE_SIZE_HARD bytes, no prefix; count 0 when nothing is staged */
    /* Parts the staged node from the one before; unused for the first of a level. */
    size_t separator_size;
    uint8_t separator[SHEAF_SORT_KEY_SIZE_HARD];
};

struct sheaf_tree_build {
    struct sheaf_grove *grove;
    uint32_t level_count;
    struct stage *stages[SHEAF_TREE_DEPTH_MAX];
    bool begun; /* last_key is set */
    size_t last_key_size;
    uint8_t last_key[SHEAF_SORT_KEY_SIZE_HARD];
};

static sheaf_bytes last_key(const struct sheaf_tree_build *build)
{
    return sheaf_bytes_of(build->last_key, build->last_key_size);
}

static sheaf_bytes separator_of(const struct stage *stage)
{
    return sheaf_bytes_of(stage->separator, stage->separator_size);
}

static void set_separator(struct stage *stage, sheaf_bytes separator)
{
    stage->separator_size = separator.size;
    if (separator.size > 0) memcpy(stage->separator, separator.data, separator.size);
}

/* An empty staged node again, with no slots but those the arrays have grown to. */
static void empty_stage(struct stage *stage)
{
    stage->node->count = 0;
    stage->node->heap = (uint16_t)stage->node->size;
    stage->node->dead = 0;
}

static void free_stage(struct sheaf_grove *grove, struct stage *stage)
{
    if (!stage) return;
    sheaf_node_free(grove, stage->node);
    sheaf_heap_free(&grove->heap, stage, sizeof *stage);
}

static bool add_stage(struct sheaf_tree_build *build)
{
    struct sheaf_grove *grove = build->grove;
    sheaf_assert(build->level_count < SHEAF_TREE_DEPTH_MAX);
    struct stage *stage = sheaf_heap_allocate(&grove->heap, sizeof *stage);
    if (!stage) return false;
    stage->separator_size = 0;
    stage->node = sheaf_node_allocate(grove, NODE_SIZE_HARD, build->level_count, sheaf_bytes_of(NULL, 0), 0);
    if (!stage->node) {
        free_stage(grove, stage);
        return false;
    }
    build->stages[build->level_count++] = stage;
    return true;
}

/* Whether the slots of a run make one packed node, and fit the stage they would be kept in. `run` is the staged node and one
 * more at its end. */
static bool stage_takes(const struct stage *stage, const struct sheaf_run *run)
{
    const struct sheaf_payload *payload = run->level == 0 ? &run->payload : NULL;
    if (!sheaf_node_fits(stage->node, run->key, payload)) return false;
    /* Most of the time the stage, which has no prefix, is within the limit already: then there is nothing to compute. */
    uint64_t whole = sheaf_node_used(stage->node) + sheaf_node_arrays_size(run->level, 1) +
                     sheaf_cell_size((uint32_t)run->key.size, payload);
    return whole <= SHEAF_NODE_SIZE || sheaf_run_size(run, 0, run->length) <= SHEAF_NODE_SIZE;
}

static struct sheaf_run run_with_next_link(const struct stage *stage, sheaf_bytes separator)
{
    struct sheaf_run run = sheaf_run_of_node(stage->node);
    run.insert_at = run.length++;
    run.key = separator;
    return run;
}

/* Builds the staged node of a level and hands its link to the level above. */
static bool flush(struct sheaf_tree_build *build, uint32_t level)
{
    struct stage *stage = build->stages[level];
    if (level + 1 == build->level_count && !add_stage(build)) return false;
    struct stage *above = build->stages[level + 1];
    if (above->node->count >= 2) {
        struct sheaf_run run = run_with_next_link(above, separator_of(stage));
        if (!stage_takes(above, &run)) {
            if (!flush(build, level + 1)) return false;
            set_separator(above, separator_of(stage));
        }
    }
    struct sheaf_run run = sheaf_run_of_node(stage->node);
    struct sheaf_node *node = sheaf_run_build(build->grove, &run, 0, run.length, SHEAF_ROOM_NONE);
    if (!node) return false;
    struct sheaf_link link = { .child = node, .totals = sheaf_node_totals(node) };
    sheaf_bytes separator = above->node->count == 0 ? sheaf_bytes_of(NULL, 0) : separator_of(stage);
    sheaf_node_insert(above->node, above->node->count, separator, NULL, &link);
    empty_stage(stage);
    return true;
}

sheaf_status sheaf_tree_build_begin(struct sheaf_grove *grove, struct sheaf_tree_build **out_build)
{
    struct sheaf_tree_build *build = sheaf_heap_allocate(&grove->heap, sizeof *build);
    if (!build) return SHEAF_NO_MEMORY;
    build->grove = grove;
    build->level_count = 0;
    build->begun = false;
    build->last_key_size = 0;
    if (!add_stage(build)) {
        sheaf_heap_free(&grove->heap, build, sizeof *build);
        return SHEAF_NO_MEMORY;
    }
    *out_build = build;
    return SHEAF_OK;
}

sheaf_status sheaf_tree_build_add(struct sheaf_tree_build *build, sheaf_bytes key, sheaf_bytes value)
{
    if (build->begun && sheaf_bytes_order(last_key(build), key) >= 0) return SHEAF_OUT_OF_ORDER;
    struct sheaf_payload payload;
    sheaf_status status = sheaf_payload_make(build->grove, value, &payload);
    if (status != SHEAF_OK) return status;
    struct stage *stage = build->stages[0];
    if (stage->node->count > 0) {
        struct sheaf_run run = sheaf_run_with_entry(stage->node, stage->node->count, false, key, &payload);
        if (!stage_takes(stage, &run) && !flush(build, 0)) {
            sheaf_payload_free(build->grove, &payload);
            return SHEAF_NO_MEMORY;
        }
    }
    if (stage->node->count == 0) {
        /* The shortest key that parts this leaf from the one before. */
        size_t shared = sheaf_bytes_shared(last_key(build), key);
        set_separator(stage, build->begun ? sheaf_bytes_of(key.data, shared + 1) : sheaf_bytes_of(NULL, 0));
    }
    sheaf_node_insert(stage->node, stage->node->count, key, &payload, NULL);
    build->begun = true;
    build->last_key_size = key.size;
    if (key.size > 0) memcpy(build->last_key, key.data, key.size);
    return SHEAF_OK;
}

/* Whether the node staged at `level` is all there is. Stages above it may be there without content: made for a flush that then
 * found no memory. */
static bool is_top(const struct sheaf_tree_build *build, uint32_t level)
{
    for (uint32_t above = level + 1; above < build->level_count; above++)
        if (build->stages[above]->node->count > 0) return false;
    return true;
}

sheaf_status sheaf_tree_build_finish(struct sheaf_tree_build *build, struct sheaf_tree *tree)
{
    sheaf_assert(!tree->root);
    struct sheaf_node *root = NULL;
    for (uint32_t level = 0; level < build->level_count; level++) {
        struct stage *stage = build->stages[level];
        if (stage->node->count == 0) continue;
        if (!is_top(build, level)) {
            if (!flush(build, level)) return SHEAF_NO_MEMORY;
            continue;
        }
        struct sheaf_run run = sheaf_run_of_node(stage->node);
        root = sheaf_run_build(build->grove, &run, 0, run.length, SHEAF_ROOM_NONE);
        if (!root) return SHEAF_NO_MEMORY;
        empty_stage(stage);
    }
    tree->root = root;
    tree->totals = root ? sheaf_node_totals(root) : (sheaf_totals){ 0 };
    tree->changed = ++tree->grove->changes;
    sheaf_tree_build_abort(build);
    return SHEAF_OK;
}

/* Frees what a staged node refers to. */
static void free_staged(struct sheaf_grove *grove, const struct sheaf_node *node)
{
    if (sheaf_node_is_leaf(node)) {
        sheaf_leaf_free_values(grove, node, 0, node->count);
        return;
    }
    for (uint32_t slot = 0; slot < node->count; slot++) sheaf_subtree_free(grove, sheaf_node_links(node)[slot].child);
}

void sheaf_tree_build_abort(struct sheaf_tree_build *build)
{
    if (!build) return;
    for (uint32_t level = 0; level < build->level_count; level++) {
        free_staged(build->grove, build->stages[level]->node);
        free_stage(build->grove, build->stages[level]);
    }
    sheaf_heap_free(&build->grove->heap, build, sizeof *build);
}
