/*
 * build.c - packing ascending entries into a tree from below.
 *
 *      stage 1   [ link | link |            ]   separators and links of finished leaves
 *                           ^
 *      stage 0   [ entry | entry | entry |  ]   the leaf being filled
 *
 * Each level has one stage: a roomy node, filled in order. It begins without a prefix; when it is full that way and would
 * not be with the prefix its keys share, it is built anew with it, which for most leaves happens once. When that does not
 * help any more the node is built, packed, and its link goes to the stage above. The room above is made first, then the node
 * is built, and only then anything moves: an addition that finds no memory leaves the build as it was.
 */
#include "engine/tree/build.h"

#include "engine/tree/clear.h"
#include "engine/tree/large.h"
#include "engine/tree/run.h"
#include "engine/tree/tag.h"

struct stage {
    struct sheaf_node *node; /* NODE_SIZE_HARD bytes; count 0 when nothing is staged */
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
    stage->node->prefix_size = 0;
    stage->node->heap = stage->node->size;
    stage->node->tail = stage->node->size;
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

/* Whether one more slot fits what is staged, as it stands, and a packed node of it. `payload` NULL: a link's. */
static bool stage_takes(const struct stage *stage, sheaf_bytes key, const struct sheaf_payload *payload)
{
    const struct sheaf_node *node = stage->node;
    if (!sheaf_bytes_starts_with(key, sheaf_node_prefix(node)) || !sheaf_node_fits(node, key, payload)) return false;
    uint32_t more = sheaf_node_arrays_size(node->level, node->count + 1U) - sheaf_node_arrays_size(node->level, node->count);
    more += sheaf_cell_size((uint32_t)key.size - node->prefix_size, payload);
    return sheaf_node_used(node) + more <= SHEAF_NODE_SIZE;
}

static struct sheaf_run run_with_next_link(const struct stage *stage, sheaf_bytes separator)
{
    struct sheaf_run run = sheaf_run_of_node(stage->node);
    run.insert_at = run.length++;
    run.key = separator;
    return run;
}

/* The same for a link, with the prefix that the node to be built would have. */
static bool stage_takes_link(const struct stage *stage, sheaf_bytes separator)
{
    if (stage_takes(stage, separator, NULL)) return true;
    struct sheaf_run run = run_with_next_link(stage, separator);
    return sheaf_node_fits(stage->node, separator, NULL) && sheaf_run_size(&run, 0, run.length) <= SHEAF_NODE_SIZE;
}

/* Builds the staged node of a level and hands its link to the level above. */
static bool flush(struct sheaf_tree_build *build, uint32_t level)
{
    struct stage *stage = build->stages[level];
    if (level + 1 == build->level_count && !add_stage(build)) return false;
    struct stage *above = build->stages[level + 1];
    if (above->node->count >= 2 && !stage_takes_link(above, separator_of(stage))) {
        if (!flush(build, level + 1)) return false;
        set_separator(above, separator_of(stage));
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

/* Stages an entry by building the staged leaf anew with the prefix all its keys share, if then it is not too large. */
static bool stage_anew(struct sheaf_tree_build *build, const struct sheaf_run *run)
{
    struct stage *stage = build->stages[0];
    struct sheaf_node *node = sheaf_run_build(build->grove, run, 0, run->length, SHEAF_ROOM_HARD);
    if (!node) return false;
    sheaf_node_free(build->grove, stage->node);
    stage->node = node;
    return true;
}

/* The shortest key that parts the leaf that begins with `key` from the one before. */
static void begin_leaf(struct sheaf_tree_build *build, sheaf_bytes key)
{
    size_t shared = sheaf_bytes_shared(last_key(build), key);
    set_separator(build->stages[0], build->begun ? sheaf_bytes_of(key.data, shared + 1) : sheaf_bytes_of(NULL, 0));
}

/* False, with nothing staged that was not before, when memory is refused. */
static bool stage_entry(struct sheaf_tree_build *build, sheaf_bytes key, const struct sheaf_payload *payload)
{
    struct stage *stage = build->stages[0];
    if (stage->node->count > 0 && !stage_takes(stage, key, payload)) {
        struct sheaf_run run = sheaf_run_with_entry(stage->node, stage->node->count, false, key, sheaf_key_tag(key), payload);
        if (sheaf_run_size(&run, 0, run.length) <= SHEAF_NODE_SIZE) return stage_anew(build, &run);
        if (!flush(build, 0)) return false;
    }
    if (stage->node->count == 0) begin_leaf(build, key);
    sheaf_node_insert(stage->node, stage->node->count, key, payload, NULL);
    return true;
}

sheaf_status sheaf_tree_build_add(struct sheaf_tree_build *build, sheaf_bytes key, sheaf_bytes value)
{
    if (build->begun && sheaf_bytes_order(last_key(build), key) >= 0) return SHEAF_OUT_OF_ORDER;
    struct sheaf_payload payload;
    sheaf_status status = sheaf_payload_make(build->grove, value, &payload);
    if (status != SHEAF_OK) return status;
    if (!stage_entry(build, key, &payload)) {
        sheaf_payload_free(build->grove, &payload);
        return SHEAF_NO_MEMORY;
    }
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
