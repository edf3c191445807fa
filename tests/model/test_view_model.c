/*
 * test_view_model.c - views of a store, opened and closed at random among writes, each against its own copy of the models;
 * forks that begin as views and are written beside the store, going back to views, and batches.
 *
 * On nodes of 256 bytes, through the public calls. A view is read in every way there is: points, cursors, pages, counts, ranks,
 * children, enumeration; and what it sees is summed up byte by byte, since it must not be written. Some writes find no memory:
 * then nothing may have changed, what is charged included. Cursors on the store live through all of it.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/compare.h"
#include "tests/support/expect.h"
#include "tests/support/shape_run.h"
#include "tests/support/state_sum.h"
#include "tests/support/test_heap.h"

enum { COLLECTION_COUNT = 150, BUSY_COUNT = 4, VIEW_MAX = 6, WORLD_MAX = 4, PAIR_COUNT = 3 };

/* A store and what it must hold. The first is there from the beginning to the end, the others are forks. */
struct world {
    sheaf_store *store; /* NULL: none */
    struct model models[COLLECTION_COUNT];
    struct world *origin; /* of a fork: the store of its view */
    sheaf_view *base;     /* of a fork: the view it began as, */
    struct model base_models[COLLECTION_COUNT];
    size_t fork_count; /* forks of its views */
    bool growing;
};

struct kept {
    sheaf_view *view; /* NULL: not open */
    struct world *world;
    struct model models[COLLECTION_COUNT];
    sheaf_store_totals totals;
    uint64_t sum;
};

struct scene {
    struct random *random;
    struct shape_source source;
    struct test_heap heap;
    struct world worlds[WORLD_MAX];
    struct world *world; /* the one that an operation is about */
    uint64_t refused_count;
    struct kept kept[VIEW_MAX];
    struct cursor_pair pairs[PAIR_COUNT];
    size_t pair_collection[PAIR_COUNT];
    sheaf_cursor cursor;
    struct range_bytes range_bytes;
    uint8_t wide[SHEAF_SORT_KEY_SIZE_HARD];
    uint8_t key_bytes[SHEAF_SORT_KEY_SIZE_HARD + 1];
    uint8_t value_bytes[SHAPE_VALUE_SIZE_MAX];
};

static sheaf_bytes partition_key(size_t collection)
{
    static char names[COLLECTION_COUNT][8];
    return sheaf_bytes_of(names[collection], (size_t)snprintf(names[collection], sizeof *names, "P#%zu", collection));
}

static struct subject subject_of(const sheaf_store *store, const struct model *models, size_t collection)
{
    return (struct subject){ store, partition_key(collection), &models[collection] };
}

static size_t draw_collection(struct scene *scene)
{
    return random_below(scene->random, random_once_in(scene->random, 3) ? COLLECTION_COUNT : BUSY_COUNT);
}

/* ---- comparisons -------------------------------------------------------------------------------------------------------- */

static void compare_totals(const sheaf_store *store, const struct model *models)
{
    sheaf_store_totals expected = { 0 };
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        if (models[i].count == 0) continue;
        expected.collection_count++;
        expected.entry_count += models[i].count;
        expected.logical_bytes += models[i].bytes + partition_key(i).size;
    }
    sheaf_store_totals totals = sheaf_store_total(store);
    EXPECT(totals.collection_count == expected.collection_count, "%" PRIu64 " collections, not %" PRIu64,
           totals.collection_count, expected.collection_count);
    EXPECT(totals.entry_count == expected.entry_count, "%" PRIu64 " entries", totals.entry_count);
    EXPECT(totals.logical_bytes == expected.logical_bytes, "%" PRIu64 " logical bytes", totals.logical_bytes);
}

static void compare_enumeration(const sheaf_store *store, const struct model *models)
{
    bool met[COLLECTION_COUNT] = { false };
    sheaf_collection_info info;
    sheaf_bytes after;
    for (const sheaf_bytes *from = NULL; sheaf_collection_next(store, from, &info) == SHEAF_OK; from = &after) {
        after = info.partition_key_view;
        size_t i = 0;
        while (i < COLLECTION_COUNT && !model_same(partition_key(i), after)) i++;
        EXPECT(i < COLLECTION_COUNT && !met[i], "a collection nobody made, or given twice");
        EXPECT(info.totals.count == models[i].count && info.totals.bytes == models[i].bytes, "totals of collection %zu", i);
        met[i] = true;
    }
    for (size_t i = 0; i < COLLECTION_COUNT; i++) EXPECT(met[i] == (models[i].count > 0), "collection %zu met: %d", i, met[i]);
}

static void compare_state(struct scene *scene, const sheaf_store *store, const struct model *models)
{
    sheaf_fault fault = { 0 };
    sheaf_range all = sheaf_range_all();
    EXPECT(sheaf_store_check(store, &fault), "%s, level %u, slot %u", fault.rule, fault.level, fault.slot);
    compare_totals(store, models);
    compare_enumeration(store, models);
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        struct subject subject = subject_of(store, models, i);
        open_public_cursor(&subject, &scene->cursor, &all, scene->wide, scene->source.shape->key_size_max);
        cursor_scan_both_ways(&scene->cursor, &public_cursor_calls, &models[i], &all, SIZE_MAX);
    }
}

static void compare_kept(struct scene *scene, const struct kept *kept)
{
    const sheaf_store *state = sheaf_view_store(kept->view);
    sheaf_store_totals totals = sheaf_store_total(state);
    compare_state(scene, state, kept->models);
    EXPECT(state_sum(state) == kept->sum, "what a view sees was written");
    EXPECT(memcmp(&totals, &kept->totals, sizeof totals) == 0, "a view's totals are those of then");
}

static void compare_all(struct scene *scene)
{
    for (size_t i = 0; i < WORLD_MAX; i++)
        if (scene->worlds[i].store) compare_state(scene, scene->worlds[i].store, scene->worlds[i].models);
    for (size_t i = 0; i < VIEW_MAX; i++)
        if (scene->kept[i].view) compare_kept(scene, &scene->kept[i]);
}

static void compare_account(const struct scene *scene)
{
    uint64_t charged = 0;
    for (size_t i = 0; i < WORLD_MAX; i++)
        if (scene->worlds[i].store) charged += sheaf_store_total(scene->worlds[i].store).charged_bytes;
    EXPECT(charged == scene->heap.live_real_bytes, "%" PRIu64 " bytes charged, %" PRIu64 " live", charged,
           scene->heap.live_real_bytes);
}

/* ---- writes, some of them refused --------------------------------------------------------------------------------------- */

static sheaf_store_totals begin_write(struct scene *scene)
{
    if (random_once_in(scene->random, 8)) {
        uint64_t nth = scene->heap.requests + random_below(scene->random, 8);
        if (random_below(scene->random, 2)) scene->heap.fail_from = nth;
        else scene->heap.fail_at = nth;
    }
    return sheaf_store_total(scene->world->store);
}

/* Whether the write was done; if not, nothing has changed. */
static bool end_write(struct scene *scene, const sheaf_store_totals *before, sheaf_status status)
{
    test_heap_relent(&scene->heap);
    sheaf_store_totals after = sheaf_store_total(scene->world->store);
    bool unseen = before->view_count == 0 && !scene->world->base;
    if (unseen) EXPECT(after.copied_blocks == before->copied_blocks, "copied without a view");
    if (status != SHEAF_NO_MEMORY) return true;
    EXPECT(memcmp(before, &after, sizeof after) == 0, "a refused write has left a trace");
    scene->refused_count++;
    return false;
}

static void put(struct scene *scene, size_t collection)
{
    struct model *model = &scene->world->models[collection];
    sheaf_bytes key = random_once_in(scene->random, 4) ? draw_key_near(&scene->source, model, scene->key_bytes)
                                                       : draw_key(&scene->source, scene->key_bytes);
    sheaf_bytes value = draw_value(&scene->source);
    if (model->count > 0 && random_once_in(scene->random, 16)) { /* a value that lies in the store itself */
        sheaf_bytes from = model->entries[random_below(scene->random, (uint32_t)model->count)].key;
        sheaf_status found = sheaf_store_get(scene->world->store, partition_key(collection), from, &value, NULL);
        EXPECT(found == SHEAF_OK, "an entry there is");
    }
    if (value.size > 0) memcpy(scene->value_bytes, value.data, value.size);
    bool expected = model_has(model, key);
    bool replaced = !expected;
    sheaf_store_totals before = begin_write(scene);
    sheaf_status status = sheaf_store_put(scene->world->store, partition_key(collection), key, value, &replaced, NULL);
    if (!end_write(scene, &before, status)) return;
    EXPECT(status == SHEAF_OK && replaced == expected, "put gave %d, replaced %d", (int)status, replaced);
    (void)model_put(model, key, sheaf_bytes_of(scene->value_bytes, value.size));
}

static void delete(struct scene *scene, size_t collection)
{
    struct model *model = &scene->world->models[collection];
    sheaf_bytes key = draw_key_near(&scene->source, model, scene->key_bytes);
    bool expected = model_has(model, key);
    sheaf_store_totals before = begin_write(scene);
    sheaf_status status = sheaf_store_delete(scene->world->store, partition_key(collection), key, NULL);
    if (!end_write(scene, &before, status)) {
        EXPECT((before.view_count > 0 || scene->world->base) && expected, "only what a view sees has to be copied");
        return;
    }
    EXPECT(status == (expected ? SHEAF_OK : SHEAF_NOT_FOUND), "delete gave %d", (int)status);
    (void)model_delete(model, key);
}

static void write(struct scene *scene)
{
    size_t collection = draw_collection(scene);
    size_t count = scene->world->models[0].count;
    if (count >= scene->source.shape->live_count) scene->world->growing = false;
    if (count <= scene->source.shape->live_count / 8) scene->world->growing = true;
    uint32_t favour = random_below(scene->random, 4);
    if (scene->world->growing ? favour > 0 : favour == 0) put(scene, collection);
    else delete(scene, collection);
}

static void delete_range(struct scene *scene)
{
    size_t collection = draw_collection(scene);
    struct model *model = &scene->world->models[collection];
    sheaf_range range = draw_range(&scene->source, model, &scene->range_bytes);
    struct model_slice slice = model_slice_of(model, &range);
    if (slice.end - slice.begin > 16 && !random_once_in(scene->random, 8)) return;
    sheaf_totals deleted = { 77, 77 };
    sheaf_store_totals before = begin_write(scene);
    sheaf_status status = sheaf_store_delete_range(scene->world->store, partition_key(collection), &range, &deleted, NULL);
    if (!end_write(scene, &before, status)) {
        EXPECT(deleted.count == 77 && (before.view_count > 0 || scene->world->base), "only what a view sees has to be copied");
        return;
    }
    sheaf_totals expected = model_delete_range(model, &range);
    EXPECT(deleted.count == expected.count && deleted.bytes == expected.bytes, "%" PRIu64 " entries deleted, not %" PRIu64,
           deleted.count, expected.count);
}

static void drop(struct scene *scene)
{
    size_t collection = draw_collection(scene);
    struct model *model = &scene->world->models[collection];
    sheaf_totals deleted = { 77, 77 };
    sheaf_store_totals before = begin_write(scene);
    sheaf_status status = sheaf_collection_drop(scene->world->store, partition_key(collection), &deleted);
    if (!end_write(scene, &before, status)) {
        EXPECT(deleted.count == 77 && (before.view_count > 0 || scene->world->base), "only what a view sees has to be copied");
        return;
    }
    EXPECT(status == (model->count ? SHEAF_OK : SHEAF_NOT_FOUND), "drop gave %d", (int)status);
    EXPECT(deleted.count == (model->count ? model->count : 77), "%" PRIu64 " entries dropped", deleted.count);
    model_clear(model);
}

static void open_view(struct scene *scene);

/* Drops a collection and builds it again, packed; a view may be opened meanwhile. */
static void rebuild(struct scene *scene)
{
    size_t collection = draw_collection(scene);
    struct model *model = &scene->world->models[collection];
    sheaf_bytes pk = partition_key(collection);
    sheaf_builder *builder = NULL;
    if (model->count == 0) return;
    struct model copy = model_copy(model);
    EXPECT(sheaf_collection_drop(scene->world->store, pk, NULL) == SHEAF_OK, "a collection there is");
    model_clear(model);
    EXPECT(sheaf_builder_begin(scene->world->store, pk, &builder, NULL) == SHEAF_OK, "nothing in the way");
    for (size_t i = 0; i < copy.count; i++) {
        const struct model_entry *entry = &copy.entries[i];
        EXPECT(sheaf_builder_add(builder, entry->key, entry->value, NULL) == SHEAF_OK, "entry %zu", i);
        if (i == copy.count / 2 && random_below(scene->random, 2)) open_view(scene);
    }
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_store_check(scene->world->store, &fault), "%s, beside a bulk build", fault.rule);
    if (random_once_in(scene->random, 4)) {
        sheaf_builder_abort(builder);
        model_deinit(&copy);
        return;
    }
    EXPECT(sheaf_builder_finish(builder) == SHEAF_OK, "nothing in the way");
    model_deinit(model);
    *model = copy;
}

/* ---- batches ------------------------------------------------------------------------------------------------------------ */

enum { BATCH_MAX = 12, BATCH_KEY_SIZE_MAX = 80, BATCH_VALUE_SIZE_MAX = 300 };

struct batch {
    sheaf_batch_write writes[BATCH_MAX];
    size_t collections[BATCH_MAX];
    uint8_t keys[BATCH_MAX][BATCH_KEY_SIZE_MAX];
    uint8_t values[BATCH_MAX][BATCH_VALUE_SIZE_MAX];
    struct range_bytes ranges[BATCH_MAX];
};

static sheaf_bytes copy_of(sheaf_bytes bytes, uint8_t *buffer, size_t size_max)
{
    size_t size = bytes.size < size_max ? bytes.size : size_max;
    if (size > 0) memcpy(buffer, bytes.data, size);
    return sheaf_bytes_of(buffer, size);
}

static void draw_write(struct scene *scene, struct batch *batch, size_t index)
{
    size_t collection = draw_collection(scene);
    const struct model *model = &scene->world->models[collection];
    sheaf_bytes pk = partition_key(collection);
    sheaf_bytes key = random_below(scene->random, 2) ? draw_key_near(&scene->source, model, scene->key_bytes)
                                                     : draw_key(&scene->source, scene->key_bytes);
    key = copy_of(key, batch->keys[index], BATCH_KEY_SIZE_MAX);
    uint32_t kind = random_below(scene->random, 16);
    batch->collections[index] = collection;
    if (kind < 10) {
        sheaf_bytes value = copy_of(draw_value(&scene->source), batch->values[index], BATCH_VALUE_SIZE_MAX);
        batch->writes[index] = sheaf_batch_put(pk, key, value);
    } else if (kind < 14) {
        batch->writes[index] = sheaf_batch_delete(pk, key);
    } else if (kind < 15) {
        batch->writes[index] = sheaf_batch_delete_range(pk, draw_range(&scene->source, model, &batch->ranges[index]));
    } else {
        batch->writes[index] = sheaf_batch_drop(pk);
    }
}

static void apply_to_model(struct model *model, const sheaf_batch_write *write)
{
    switch (write->kind) {
    case SHEAF_BATCH_PUT: (void)model_put(model, write->sort_key, write->value); break;
    case SHEAF_BATCH_DELETE: (void)model_delete(model, write->sort_key); break;
    case SHEAF_BATCH_DELETE_RANGE: (void)model_delete_range(model, &write->range); break;
    case SHEAF_BATCH_DROP: model_clear(model); break;
    }
}

static void apply_batch(struct scene *scene)
{
    struct batch *batch = calloc(1, sizeof *batch);
    EXPECT(batch, "memory for a batch");
    size_t count = random_between(scene->random, 0, BATCH_MAX);
    for (size_t i = 0; i < count; i++) draw_write(scene, batch, i);
    sheaf_store_totals before = begin_write(scene);
    if (random_below(scene->random, 2)) scene->heap.fail_at = scene->heap.requests + random_below(scene->random, 60);
    size_t refused = SIZE_MAX;
    sheaf_status status = sheaf_batch_apply(scene->world->store, batch->writes, count, &refused, NULL);
    before.copied_blocks = sheaf_store_total(scene->world->store).copied_blocks; /* it may copy, whatever comes of it */
    if (end_write(scene, &before, status)) {
        EXPECT(status == SHEAF_OK && refused == SIZE_MAX, "a batch gave %d", (int)status);
        for (size_t i = 0; i < count; i++)
            apply_to_model(&scene->world->models[batch->collections[i]], &batch->writes[i]);
    } else {
        EXPECT(refused < count, "which write it was");
        compare_state(scene, scene->world->store, scene->world->models);
    }
    free(batch);
}

/* ---- views -------------------------------------------------------------------------------------------------------------- */

static void clear_models(struct model *models)
{
    for (size_t i = 0; i < COLLECTION_COUNT; i++) model_deinit(&models[i]);
}

static void copy_models(struct model *to, const struct model *from)
{
    clear_models(to);
    for (size_t i = 0; i < COLLECTION_COUNT; i++) to[i] = model_copy(&from[i]);
}

static void open_view(struct scene *scene)
{
    struct kept *kept = &scene->kept[random_below(scene->random, VIEW_MAX)];
    if (kept->view) return;
    sheaf_store_totals before = begin_write(scene);
    sheaf_status status = sheaf_view_open(scene->world->store, &kept->view, NULL);
    if (!end_write(scene, &before, status)) return;
    EXPECT(status == SHEAF_OK, "opening a view gave %d", (int)status);
    kept->totals = sheaf_store_total(sheaf_view_store(kept->view));
    kept->sum = state_sum(sheaf_view_store(kept->view));
    copy_models(kept->models, scene->world->models);
    kept->world = scene->world;
}

static void forget(struct kept *kept)
{
    kept->view = NULL;
    clear_models(kept->models);
}

static void close_view(struct scene *scene)
{
    struct kept *kept = &scene->kept[random_below(scene->random, VIEW_MAX)];
    if (!kept->view) return;
    compare_kept(scene, kept);
    uint64_t requests = scene->heap.requests;
    sheaf_view_close(kept->view);
    EXPECT(scene->heap.requests == requests, "closing a view asks for no memory");
    sheaf_store_totals totals = sheaf_store_total(kept->world->store);
    forget(kept);
    if (totals.view_count == 0) EXPECT(totals.retained_bytes == 0, "nothing is retained without views");
}

/* One collection of one view, in all ways of reading. */
static void read_view(struct scene *scene)
{
    struct kept *kept = &scene->kept[random_below(scene->random, VIEW_MAX)];
    if (!kept->view) return;
    const sheaf_store *state = sheaf_view_store(kept->view);
    struct subject subject = subject_of(state, kept->models, draw_collection(scene));
    sheaf_bytes key = draw_key_near(&scene->source, subject.model, scene->key_bytes);
    compare_get(&subject, key);
    compare_rank(&subject, key, SHEAF_FORWARD);
    compare_rank(&subject, key, SHEAF_REVERSE);
    sheaf_page_request request = { .range = draw_range(&scene->source, subject.model, &scene->range_bytes),
                                   .limit = random_between(scene->random, 1, 20),
                                   .anchor = SHEAF_ANCHOR_AFTER };
    compare_total(&subject, &request.range);
    request.direction = random_below(scene->random, 2) ? SHEAF_REVERSE : SHEAF_FORWARD;
    request.position = key;
    compare_page(&subject, &request, NULL);
    if (scene->source.shape->key_size_max > SHEAF_SORT_KEY_SIZE_MAX) return;
    sheaf_bytes prefix = sheaf_bytes_of(key.data, key.size < 3 ? key.size : 3);
    compare_children(&subject, prefix, SHEAF_LIT("/"), request.direction);
}

/* ---- forks, and going back ---------------------------------------------------------------------------------------------- */

static struct kept *draw_kept(struct scene *scene)
{
    struct kept *kept = &scene->kept[random_below(scene->random, VIEW_MAX)];
    return kept->view ? kept : NULL;
}

static void fork_view(struct scene *scene)
{
    struct kept *kept = draw_kept(scene);
    struct world *fork = &scene->worlds[random_between(scene->random, 1, WORLD_MAX - 1)];
    if (!kept || fork->store) return;
    scene->world = kept->world;
    sheaf_store_totals before = begin_write(scene);
    sheaf_status status = sheaf_store_fork(kept->view, &fork->store, NULL);
    if (!end_write(scene, &before, status)) return;
    EXPECT(status == SHEAF_OK, "fork gave %d", (int)status);
    fork->base = kept->view;
    fork->origin = kept->world;
    fork->origin->fork_count++;
    copy_models(fork->models, kept->models);
    copy_models(fork->base_models, kept->models);
}

/* Ends a fork with its views, unless others began as one of these. */
static void end_fork(struct scene *scene, struct world *fork)
{
    if (!fork->base || fork->fork_count > 0) return;
    for (size_t i = 0; i < VIEW_MAX; i++) {
        struct kept *kept = &scene->kept[i];
        if (!kept->view || kept->world != fork) continue;
        if (random_below(scene->random, 2)) sheaf_view_close(kept->view);
        forget(kept);
    }
    sheaf_store_destroy(fork->store);
    fork->origin->fork_count--;
    clear_models(fork->models);
    clear_models(fork->base_models);
    *fork = (struct world){ 0 };
}

static void end_some_fork(struct scene *scene)
{
    end_fork(scene, &scene->worlds[random_between(scene->random, 1, WORLD_MAX - 1)]);
}

static void restore(struct scene *scene)
{
    struct kept *kept = draw_kept(scene);
    if (kept) scene->world = kept->world;
    if (!kept && !scene->world->base) return;
    sheaf_view *view = kept ? kept->view : scene->world->base;
    const struct model *models = kept ? kept->models : scene->world->base_models;
    sheaf_store_totals before = begin_write(scene);
    sheaf_status status = sheaf_store_restore(scene->world->store, view, NULL);
    if (!end_write(scene, &before, status)) return;
    EXPECT(status == SHEAF_OK, "restore gave %d", (int)status);
    copy_models(scene->world->models, models);
    compare_state(scene, scene->world->store, scene->world->models);
}

/* ---- cursors on the store ----------------------------------------------------------------------------------------------- */

static void open_pair(struct scene *scene, size_t index)
{
    struct cursor_pair *pair = &scene->pairs[index];
    scene->pair_collection[index] = draw_collection(scene);
    struct subject subject = subject_of(scene->worlds[0].store, scene->worlds[0].models, scene->pair_collection[index]);
    sheaf_range range = draw_range(&scene->source, subject.model, &pair->bytes);
    pair->calls = &public_cursor_calls;
    model_cursor_open(&pair->expected, subject.model, &range);
    open_public_cursor(&subject, &pair->real, &range, pair->wide, scene->source.shape->key_size_max);
}

static void move_cursor(struct scene *scene)
{
    size_t index = random_below(scene->random, PAIR_COUNT);
    if (random_once_in(scene->random, 10)) open_pair(scene, index);
    else cursor_pair_move(&scene->pairs[index], &scene->source);
}

/* ---- the run ------------------------------------------------------------------------------------------------------------ */

static void operate(struct scene *scene)
{
    static const struct {
        uint32_t weight; /* of 256 */
        const char *name;
        void (*run)(struct scene *scene);
    } operations[] = {
        { 138, "write", write },
        { 12, "batch", apply_batch },
        { 33, "move a cursor", move_cursor },
        { 4, "fork", fork_view },
        { 3, "end a fork", end_some_fork },
        { 3, "restore", restore },
        { 20, "read a view", read_view },
        { 12, "delete range", delete_range },
        { 8, "open a view", open_view },
        { 7, "close a view", close_view },
        { 10, "drop", drop },
        { 6, "rebuild", rebuild },
    };
    uint32_t choice = random_below(scene->random, 256);
    size_t i = 0;
    while (choice >= operations[i].weight) choice -= operations[i++].weight;
    expect_scene.operation = operations[i].name;
    scene->world = &scene->worlds[random_below(scene->random, 2) ? random_below(scene->random, WORLD_MAX) : 0];
    if (!scene->world->store) scene->world = &scene->worlds[0];
    operations[i].run(scene);
}

static void begin(struct scene *scene, struct random *random, const struct exercise_plan *plan)
{
    scene->random = random;
    scene->world = &scene->worlds[0];
    shape_source_init(&scene->source, plan->shape, random);
    scene->heap = test_heap_new();
    scene->heap.size_classes = plan->size_classes;
    sheaf_allocator hooks = test_heap_hooks(&scene->heap);
    sheaf_store_options options = { .allocator = &hooks,
                                    .sort_key_size_max = plan->shape->key_size_max,
                                    .value_size_max = SHAPE_VALUE_SIZE_MAX,
                                    .allow_empty_sort_key = true,
                                    .hash_seed = 7 };
    EXPECT(sheaf_store_create(&options, &scene->world->store, NULL) == SHEAF_OK, "no memory is refused");
    for (size_t i = 0; i < PAIR_COUNT; i++) open_pair(scene, i);
}

/* Some views are left for the store to close. */
static void end(struct scene *scene)
{
    expect_scene.operation = "the end";
    compare_all(scene);
    for (size_t pass = 0; pass < WORLD_MAX; pass++) /* forks of forks first */
        for (size_t i = 1; i < WORLD_MAX; i++) end_fork(scene, &scene->worlds[i]);
    for (size_t i = 0; i < VIEW_MAX; i++) {
        if (!scene->kept[i].view) continue;
        if (i % 2) sheaf_view_close(scene->kept[i].view);
        forget(&scene->kept[i]);
    }
    sheaf_store_destroy(scene->worlds[0].store);
    EXPECT(scene->heap.live_blocks == 0 && scene->heap.live_bytes == 0, "%" PRIu64 " blocks leaked", scene->heap.live_blocks);
    clear_models(scene->worlds[0].models);
    free(scene);
}

static void exercise(struct random *random, const struct exercise_plan *plan)
{
    struct scene *scene = calloc(1, sizeof *scene);
    EXPECT(scene, "memory for the scene");
    begin(scene, random, plan);
    for (uint64_t step = 0; step < plan->step_count; step++) {
        expect_scene.step = step;
        operate(scene);
        compare_account(scene);
        if (step % plan->check_every == 0) compare_all(scene);
    }
    EXPECT(plan->step_count < 1000 || scene->refused_count > 0, "something was refused");
    end(scene);
}

static void run(const char *name, size_t shape, uint64_t step_count, uint32_t check_every, bool size_classes)
{
    struct exercise_plan plan = { .shape = &shapes[shape],
                                  .step_count = step_count,
                                  .check_every = check_every,
                                  .size_classes = size_classes };
    run_exercise(exercise, name, 20261206 + shape, plan);
}

ParameterizedTestParameters(view_model, thorough)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, view_model, thorough)
{
    run("view_model/thorough", *shape, 600, 4, false);
}

ParameterizedTestParameters(view_model, long)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, view_model, long)
{
    run("view_model/long", *shape, 8000, 250, true);
}
