/*
 * test_version_model.c - versions of a tree, opened and closed at random among writes, each against its own copy of the model.
 *
 * On nodes of 256 bytes. Beside its entries each version is compared by a checksum of every block it leads to: what a version
 * sees must not be written at all, not even with the same bytes, for another thread may be reading it. Some writes find no
 * memory; then nothing may have changed, what is charged included.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tree/build.h"
#include "engine/tree/census.h"
#include "tests/support/expect.h"
#include "tests/support/model.h"
#include "tests/support/shape.h"
#include "tests/support/shape_run.h"
#include "tests/support/state_sum.h"
#include "tests/support/test_heap.h"

enum { VERSION_MAX = 5 };

struct kept {
    bool open;
    struct sheaf_version version;
    struct sheaf_tree tree;
    struct model model;
    uint64_t checksum;
};

struct scene {
    struct random *random;
    struct shape_source source;
    struct test_heap heap;
    struct sheaf_grove grove;
    struct sheaf_tree tree;
    struct model model;
    bool growing;
    uint64_t refused_count;
    struct kept kept[VERSION_MAX];
    struct range_bytes range_bytes;
    uint8_t key_bytes[SHEAF_SORT_KEY_SIZE_HARD + 1];
};

/* ---- comparisons -------------------------------------------------------------------------------------------------------- */

static void compare_tree(const struct sheaf_tree *tree, const struct model *model)
{
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_tree_check(tree, &fault), "%s, level %u, slot %u", fault.rule, fault.level, fault.slot);
    EXPECT(tree->totals.count == model->count, "%" PRIu64 " entries, not %zu", tree->totals.count, model->count);
    EXPECT(tree->totals.bytes == model->bytes, "%" PRIu64 " bytes, not %" PRIu64, tree->totals.bytes, model->bytes);
    for (size_t i = 0; i < model->count; i++) {
        sheaf_bytes value;
        EXPECT(sheaf_tree_get(tree, model->entries[i].key, &value) == SHEAF_OK, "entry %zu", i);
        EXPECT(model_same(value, model->entries[i].value), "value %zu of %zu bytes", i, value.size);
    }
}

static void compare_blocks(const struct scene *scene)
{
    struct sheaf_census census;
    sheaf_fault fault = { 0 };
    uint64_t block_count = 0, charged_bytes = 0;
    EXPECT(sheaf_grove_check(&scene->grove, &fault), "%s", fault.rule);
    sheaf_census_begin(&census, &scene->grove);
    sheaf_census_add_tree(&census, scene->tree.root, NULL);
    for (size_t i = 0; i < VERSION_MAX; i++)
        if (scene->kept[i].open) sheaf_census_add_tree(&census, scene->kept[i].tree.root, &scene->kept[i].version);
    EXPECT(!census.refused, "memory for the census");
    EXPECT(sheaf_census_check(&census, &block_count, &charged_bytes, &fault), "%s", fault.rule);
    EXPECT(sheaf_census_unseen(&census) == 0, "%" PRIu64 " blocks that nobody needs",
           sheaf_census_unseen(&census));
    EXPECT(block_count == scene->grove.heap.block_count, "%" PRIu64 " blocks found, %" PRIu64 " given", block_count,
           scene->grove.heap.block_count);
    EXPECT(charged_bytes == scene->grove.heap.charged_bytes, "%" PRIu64 " bytes found, %" PRIu64 " charged", charged_bytes,
           scene->grove.heap.charged_bytes);
    sheaf_census_end(&census);
    EXPECT(scene->grove.heap.block_count == scene->heap.live_blocks, "the census has left blocks behind");
}

static void compare_kept(const struct kept *kept)
{
    compare_tree(&kept->tree, &kept->model);
    EXPECT(tree_sum(kept->tree.root) == kept->checksum, "what a version sees was written");
}

static void compare_all(const struct scene *scene)
{
    compare_tree(&scene->tree, &scene->model);
    for (size_t i = 0; i < VERSION_MAX; i++)
        if (scene->kept[i].open) compare_kept(&scene->kept[i]);
    compare_blocks(scene);
}

/* ---- writes, some of them refused --------------------------------------------------------------------------------------- */

struct before {
    uint64_t charged_bytes;
    uint64_t copied_count;
    uint64_t changed;
    const struct sheaf_node *root;
};

static struct before begin_write(struct scene *scene)
{
    if (random_once_in(scene->random, 8)) {
        uint64_t nth = scene->heap.requests + random_below(scene->random, 6);
        if (random_below(scene->random, 2)) scene->heap.fail_from = nth;
        else scene->heap.fail_at = nth;
    }
    return (struct before){ scene->grove.heap.charged_bytes, scene->grove.copied_count, scene->tree.changed, scene->tree.root };
}

/* Whether the write was done; if not, nothing has changed. */
static bool end_write(struct scene *scene, const struct before *before, sheaf_status status)
{
    sheaf_grove_settle(&scene->grove);
    test_heap_relent(&scene->heap);
    if (!scene->grove.newest) EXPECT(scene->grove.copied_count == before->copied_count, "copied without a version");
    if (status != SHEAF_NO_MEMORY) return true;
    EXPECT(scene->grove.heap.charged_bytes == before->charged_bytes, "a refused write has left something charged");
    EXPECT(scene->tree.changed == before->changed && scene->tree.root == before->root, "a refused write has left a trace");
    scene->refused_count++;
    return false;
}

static void put(struct scene *scene)
{
    sheaf_bytes key = random_once_in(scene->random, 4) ? draw_key_near(&scene->source, &scene->model, scene->key_bytes)
                                                       : draw_key(&scene->source, scene->key_bytes);
    sheaf_bytes value = draw_value(&scene->source);
    if (scene->model.count > 0 && random_once_in(scene->random, 16)) { /* a value that lies in the tree itself */
        uint32_t index = random_below(scene->random, (uint32_t)scene->model.count);
        EXPECT(sheaf_tree_get(&scene->tree, scene->model.entries[index].key, &value) == SHEAF_OK, "an entry there is");
    }
    struct model model = scene->model;
    bool expected = model_has(&model, key);
    bool replaced = !expected;
    struct sheaf_bytes value_kept = value;
    uint8_t *copy = malloc(value.size + 1);
    EXPECT(copy, "memory for a value");
    if (value.size > 0) memcpy(copy, value.data, value.size);
    struct before before = begin_write(scene);
    sheaf_status status = sheaf_tree_put(&scene->tree, key, value_kept, &replaced);
    if (end_write(scene, &before, status)) {
        EXPECT(status == SHEAF_OK && replaced == expected, "put gave %d, replaced %d", (int)status, replaced);
        (void)model_put(&scene->model, key, sheaf_bytes_of(copy, value.size));
    }
    free(copy);
}

static void delete(struct scene *scene)
{
    sheaf_bytes key = draw_key_near(&scene->source, &scene->model, scene->key_bytes);
    bool expected = model_has(&scene->model, key);
    bool beside_version = scene->grove.newest != NULL;
    struct before before = begin_write(scene);
    sheaf_status status = sheaf_tree_delete(&scene->tree, key);
    if (!end_write(scene, &before, status)) {
        EXPECT(beside_version && expected, "only what a version sees has to be copied");
        return;
    }
    EXPECT(status == (expected ? SHEAF_OK : SHEAF_NOT_FOUND), "delete gave %d", (int)status);
    (void)model_delete(&scene->model, key);
}

static void write(struct scene *scene)
{
    if (scene->model.count >= scene->source.shape->live_count) scene->growing = false;
    if (scene->model.count <= scene->source.shape->live_count / 8) scene->growing = true;
    uint32_t favour = random_below(scene->random, 4);
    if (scene->growing ? favour > 0 : favour == 0) put(scene);
    else delete(scene);
}

static void cut(struct scene *scene)
{
    sheaf_range range = draw_range(&scene->source, &scene->model, &scene->range_bytes);
    bool crossed = range.lower.side == SHEAF_SIDE_AFTER && range.upper.side == SHEAF_SIDE_BEFORE &&
                   model_same(range.lower.bytes, range.upper.bytes);
    if (crossed) range.upper = range.lower;
    struct model_slice slice = model_slice_of(&scene->model, &range);
    if (slice.end - slice.begin > 16 && !random_once_in(scene->random, 8)) return;
    struct before before = begin_write(scene);
    bool thawed = sheaf_tree_thaw_cut(&scene->tree, &range);
    sheaf_totals deleted = { 0 };
    if (thawed) deleted = sheaf_tree_cut(&scene->tree, &range);
    if (!end_write(scene, &before, thawed ? SHEAF_OK : SHEAF_NO_MEMORY)) return;
    sheaf_totals expected = model_delete_range(&scene->model, &range);
    EXPECT(deleted.count == expected.count && deleted.bytes == expected.bytes, "%" PRIu64 " entries cut, not %" PRIu64,
           deleted.count, expected.count);
}

static void clear(struct scene *scene)
{
    struct before before = begin_write(scene);
    bool reserved = sheaf_tree_reserve_clear(&scene->tree);
    if (reserved) sheaf_tree_clear(&scene->tree);
    if (end_write(scene, &before, reserved ? SHEAF_OK : SHEAF_NO_MEMORY)) model_clear(&scene->model);
}

static void open_version(struct scene *scene);

/* The same entries again, packed; a version may be opened meanwhile. */
static void rebuild(struct scene *scene)
{
    struct sheaf_tree built;
    struct sheaf_tree_build build;
    sheaf_tree_init(&built, &scene->grove);
    sheaf_tree_build_begin(&build, &built);
    for (size_t i = 0; i < scene->model.count; i++) {
        const struct model_entry *entry = &scene->model.entries[i];
        EXPECT(sheaf_tree_build_add(&build, entry->key, entry->value) == SHEAF_OK, "entry %zu", i);
        sheaf_grove_settle(&scene->grove);
        if (i == scene->model.count / 2 && random_below(scene->random, 2)) open_version(scene);
    }
    if (random_once_in(scene->random, 4)) {
        sheaf_tree_build_abort(&build);
        return;
    }
    EXPECT(sheaf_tree_reserve_clear(&scene->tree), "no memory is refused");
    sheaf_tree_clear(&scene->tree);
    sheaf_tree_build_finish(&build);
    scene->tree = built;
    sheaf_grove_settle(&scene->grove);
}

/* ---- versions ----------------------------------------------------------------------------------------------------------- */

static void open_version(struct scene *scene)
{
    struct kept *kept = &scene->kept[random_below(scene->random, VERSION_MAX)];
    if (kept->open) return;
    uint64_t requests = scene->heap.requests;
    sheaf_version_open(&scene->grove, &kept->version);
    EXPECT(scene->heap.requests == requests, "opening a version asks for no memory");
    kept->open = true;
    kept->tree = scene->tree;
    kept->model = model_copy(&scene->model);
    kept->checksum = tree_sum(kept->tree.root);
}

static void close_version(struct scene *scene)
{
    struct kept *kept = &scene->kept[random_below(scene->random, VERSION_MAX)];
    if (!kept->open) return;
    compare_kept(kept);
    uint64_t requests = scene->heap.requests;
    sheaf_version_close(&scene->grove, &kept->version);
    EXPECT(scene->heap.requests == requests, "closing a version asks for no memory");
    kept->open = false;
    model_deinit(&kept->model);
    if (!scene->grove.newest) EXPECT(scene->grove.retained_bytes == 0, "nothing is retained without versions");
}

/* ---- the run ------------------------------------------------------------------------------------------------------------ */

static void operate(struct scene *scene)
{
    static const struct {
        uint32_t weight; /* of 256 */
        const char *name;
        void (*run)(struct scene *scene);
    } operations[] = {
        { 223, "write", write },
        { 12, "cut", cut },
        { 10, "open a version", open_version },
        { 9, "close a version", close_version },
        { 1, "rebuild", rebuild },
        { 1, "clear", clear },
    };
    uint32_t choice = random_below(scene->random, 256);
    size_t i = 0;
    while (choice >= operations[i].weight) choice -= operations[i++].weight;
    expect_scene.operation = operations[i].name;
    operations[i].run(scene);
}

static void exercise(struct random *random, const struct exercise_plan *plan)
{
    struct scene *scene = calloc(1, sizeof *scene);
    EXPECT(scene, "memory for the scene");
    scene->random = random;
    scene->growing = true;
    shape_source_init(&scene->source, plan->shape, random);
    scene->heap = test_heap_new();
    scene->heap.size_classes = plan->size_classes;
    sheaf_allocator hooks = test_heap_hooks(&scene->heap);
    sheaf_heap_init(&scene->grove.heap, &hooks);
    sheaf_tree_init(&scene->tree, &scene->grove);
    model_init(&scene->model);
    for (uint64_t step = 0; step < plan->step_count; step++) {
        expect_scene.step = step;
        operate(scene);
        if (step % plan->check_every == 0) compare_all(scene);
    }
    expect_scene.operation = "the end";
    compare_all(scene);
    EXPECT(plan->step_count < 1000 || scene->refused_count > 0, "something was refused");
    for (size_t i = 0; i < VERSION_MAX; i++) {
        if (!scene->kept[i].open) continue;
        sheaf_version_close(&scene->grove, &scene->kept[i].version);
        model_deinit(&scene->kept[i].model);
    }
    sheaf_tree_clear(&scene->tree);
    EXPECT(scene->heap.live_blocks == 0 && scene->grove.heap.charged_bytes == 0, "%" PRIu64 " blocks leaked",
           scene->heap.live_blocks);
    model_deinit(&scene->model);
    free(scene);
}

static void run(const char *name, size_t shape, uint64_t step_count, uint32_t check_every, bool size_classes)
{
    struct exercise_plan plan = { .shape = &shapes[shape],
                                  .step_count = step_count,
                                  .check_every = check_every,
                                  .size_classes = size_classes };
    run_exercise(exercise, name, 20261205 + shape, plan);
}

ParameterizedTestParameters(version_model, thorough)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, version_model, thorough)
{
    run("version_model/thorough", *shape, 1500, 1, false);
}

ParameterizedTestParameters(version_model, long)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, version_model, long)
{
    run("version_model/long", *shape, 20000, 40, true);
}

/* Trees of more levels, which wide cuts and many deletes bring down again. */
Test(version_model, deep)
{
    static const char *const names[] = { "paths", "ascending", "binary", "stems to 100" };
    for (size_t i = 0; i < shape_count; i++) {
        struct shape shape = shapes[i];
        bool chosen = false;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) chosen = chosen || strcmp(shape.name, names[k]) == 0;
        if (!chosen) continue;
        shape.live_count *= 8;
        struct exercise_plan plan = { .shape = &shape, .step_count = 30000, .check_every = 300 };
        run_exercise(exercise, "version_model/deep", 20261230 + i, plan);
    }
}
