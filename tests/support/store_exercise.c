#include "tests/support/store_exercise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/compare.h"
#include "tests/support/expect.h"
#include "tests/support/test_heap.h"

enum { COLLECTION_COUNT = 4, PAIR_COUNT = 3, WINDOW = 6, MANY_MAX = 40 };

struct exercise {
    struct random *random;
    struct shape_source source;
    struct test_heap heap;
    sheaf_store *store;
    struct model models[COLLECTION_COUNT];
    bool growing[COLLECTION_COUNT];
    struct cursor_pair pairs[PAIR_COUNT];
    size_t pair_collection[PAIR_COUNT];
    sheaf_cursor window;
    struct range_bytes window_bytes;
    uint8_t window_wide[SHEAF_SORT_KEY_SIZE_HARD];
    uint8_t key_bytes[SHEAF_SORT_KEY_SIZE_HARD + 1];
    uint8_t other_bytes[SHEAF_SORT_KEY_SIZE_HARD + 1];
    uint8_t many_bytes[MANY_MAX][SHEAF_SORT_KEY_SIZE_HARD + 1];
};

/* The empty key, a key within another, and one at the limit. */
static sheaf_bytes partition_key(size_t collection)
{
    static uint8_t longest[SHEAF_PARTITION_KEY_SIZE_MAX];
    switch (collection) {
    case 0: return SHEAF_LIT("DRIVE#a");
    case 1: return SHEAF_LIT("DRIVE#a\0");
    case 2: return sheaf_bytes_of(NULL, 0);
    default: memset(longest, 'p', sizeof longest); return sheaf_bytes_of(longest, sizeof longest);
    }
}

static struct subject subject_of(const struct exercise *exercise, size_t collection)
{
    return (struct subject){ exercise->store, partition_key(collection), &exercise->models[collection] };
}

static size_t draw_collection(struct exercise *exercise)
{
    return random_once_in(exercise->random, 8) ? random_below(exercise->random, COLLECTION_COUNT) : 0;
}

/* ---- comparisons ------------------------------------------------------------------------------------------------------ */

static void compare_collection(const struct exercise *exercise, size_t collection)
{
    const struct model *model = &exercise->models[collection];
    sheaf_totals totals = { 77, 77 };
    sheaf_status status = sheaf_collection_total(exercise->store, partition_key(collection), &totals);
    if (model->count == 0) {
        EXPECT(status == SHEAF_NOT_FOUND && totals.count == 77, "an empty collection gave %d", (int)status);
        return;
    }
    EXPECT(status == SHEAF_OK && totals.count == model->count && totals.bytes == model->bytes,
           "collection of %" PRIu64 " entries and %" PRIu64 " bytes, not %zu and %" PRIu64, totals.count, totals.bytes,
           model->count, model->bytes);
}

static void compare_store_totals(const struct exercise *exercise)
{
    sheaf_store_totals expected = { 0 };
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        compare_collection(exercise, i);
        if (exercise->models[i].count == 0) continue;
        expected.collection_count++;
        expected.entry_count += exercise->models[i].count;
        expected.logical_bytes += exercise->models[i].bytes + partition_key(i).size;
    }
    sheaf_store_totals totals = sheaf_store_total(exercise->store);
    EXPECT(totals.collection_count == expected.collection_count, "%" PRIu64 " collections", totals.collection_count);
    EXPECT(totals.entry_count == expected.entry_count, "%" PRIu64 " entries", totals.entry_count);
    EXPECT(totals.logical_bytes == expected.logical_bytes, "%" PRIu64 " logical bytes, not %" PRIu64, totals.logical_bytes,
           expected.logical_bytes);
    EXPECT(totals.charged_bytes == exercise->heap.live_real_bytes, "%" PRIu64 " bytes charged, %" PRIu64 " live",
           totals.charged_bytes, exercise->heap.live_real_bytes);
}

/* Each collection that has entries once, with its totals. */
static void compare_enumeration(struct exercise *exercise)
{
    bool met[COLLECTION_COUNT] = { false };
    sheaf_collection_info info;
    sheaf_bytes after;
    for (const sheaf_bytes *from = NULL; sheaf_collection_next(exercise->store, from, &info) == SHEAF_OK; from = &after) {
        after = info.partition_key_view;
        size_t i = 0;
        while (i < COLLECTION_COUNT && !model_same(partition_key(i), after)) i++;
        EXPECT(i < COLLECTION_COUNT, "a collection nobody made");
        EXPECT(!met[i], "collection %zu given twice", i);
        met[i] = true;
        EXPECT(info.totals.count == exercise->models[i].count && info.totals.bytes == exercise->models[i].bytes,
               "totals of collection %zu", i);
    }
    for (size_t i = 0; i < COLLECTION_COUNT; i++)
        EXPECT(met[i] == (exercise->models[i].count > 0), "collection %zu met: %d", i, met[i]);
}

static void scan(struct exercise *exercise, size_t collection, const sheaf_range *range, size_t entry_max)
{
    struct subject subject = subject_of(exercise, collection);
    open_public_cursor(&subject, &exercise->window, range, exercise->window_wide, exercise->source.shape->key_size_max);
    cursor_scan_both_ways(&exercise->window, &public_cursor_calls, subject.model, range, entry_max);
}

static void compare_all(struct exercise *exercise)
{
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_store_check(exercise->store, &fault), "%s, level %u, slot %u", fault.rule, fault.level, fault.slot);
    sheaf_range all = sheaf_range_all();
    for (size_t i = 0; i < COLLECTION_COUNT; i++) scan(exercise, i, &all, SIZE_MAX);
    compare_enumeration(exercise);
}

/* ---- writes ----------------------------------------------------------------------------------------------------------- */

static void put(struct exercise *exercise, size_t collection)
{
    struct model *model = &exercise->models[collection];
    sheaf_bytes key = random_once_in(exercise->random, 4) ? draw_key_near(&exercise->source, model, exercise->key_bytes)
                                                          : draw_key(&exercise->source, exercise->key_bytes);
    sheaf_bytes value = draw_value(&exercise->source);
    if (model->count > 0 && random_once_in(exercise->random, 16)) { /* a value that lies in the store itself */
        sheaf_bytes from = model->entries[random_below(exercise->random, (uint32_t)model->count)].key;
        sheaf_status read = sheaf_store_get(exercise->store, partition_key(collection), from, &value, NULL);
        EXPECT(read == SHEAF_OK, "an entry there is");
    }
    bool expected = model_put(model, key, value);
    bool replaced = !expected;
    sheaf_status status = sheaf_store_put(exercise->store, partition_key(collection), key, value, &replaced, NULL);
    EXPECT(status == SHEAF_OK, "put gave %d", (int)status);
    EXPECT(replaced == expected, "replaced is %d", replaced);
}

static void delete(struct exercise *exercise, size_t collection)
{
    struct model *model = &exercise->models[collection];
    sheaf_bytes key = draw_key_near(&exercise->source, model, exercise->key_bytes);
    bool expected = model_delete(model, key);
    sheaf_status status = sheaf_store_delete(exercise->store, partition_key(collection), key, NULL);
    EXPECT(status == (expected ? SHEAF_OK : SHEAF_NOT_FOUND), "delete gave %d", (int)status);
}

static void write(struct exercise *exercise)
{
    size_t collection = draw_collection(exercise);
    size_t count = exercise->models[collection].count;
    uint32_t favour = random_below(exercise->random, 4);
    if (count >= exercise->source.shape->live_count) exercise->growing[collection] = false;
    if (count <= exercise->source.shape->live_count / 8) exercise->growing[collection] = true;
    bool puts = exercise->growing[collection] ? favour > 0 : favour == 0;
    expect_scene.operation = puts ? "put" : "delete";
    if (puts) put(exercise, collection);
    else delete(exercise, collection);
}

static void delete_range(struct exercise *exercise)
{
    size_t collection = draw_collection(exercise);
    struct model *model = &exercise->models[collection];
    sheaf_range range = draw_range(&exercise->source, model, &exercise->window_bytes);
    struct model_slice slice = model_slice_of(model, &range);
    if (slice.end - slice.begin > 16 && !random_once_in(exercise->random, 16)) return;
    sheaf_totals expected = model_delete_range(model, &range);
    sheaf_totals deleted = { 77, 77 };
    sheaf_status status = sheaf_store_delete_range(exercise->store, partition_key(collection), &range, &deleted, NULL);
    EXPECT(status == SHEAF_OK, "delete range gave %d", (int)status);
    EXPECT(deleted.count == expected.count && deleted.bytes == expected.bytes, "%" PRIu64 " entries deleted, not %" PRIu64,
           deleted.count, expected.count);
}

static void drop(struct exercise *exercise)
{
    if (!random_once_in(exercise->random, 12)) return;
    size_t collection = random_below(exercise->random, COLLECTION_COUNT);
    struct model *model = &exercise->models[collection];
    sheaf_totals deleted = { 77, 77 };
    sheaf_status status = sheaf_collection_drop(exercise->store, partition_key(collection), &deleted);
    sheaf_totals expected = { model->count, model->bytes };
    if (model->count == 0) expected = (sheaf_totals){ 77, 77 };
    EXPECT(status == (model->count ? SHEAF_OK : SHEAF_NOT_FOUND), "drop gave %d", (int)status);
    EXPECT(deleted.count == expected.count && deleted.bytes == expected.bytes, "%" PRIu64 " entries dropped", deleted.count);
    model_clear(model);
}

static void add_all(struct exercise *exercise, sheaf_builder *builder, const struct model *model)
{
    for (size_t i = 0; i < model->count; i++) {
        const struct model_entry *entry = &model->entries[i];
        EXPECT(sheaf_builder_add(builder, entry->key, entry->value, NULL) == SHEAF_OK, "entry %zu", i);
        if (!random_once_in(exercise->random, 16)) continue;
        sheaf_bytes low = model->entries[random_below(exercise->random, (uint32_t)i + 1)].key;
        EXPECT(sheaf_builder_add(builder, low, entry->value, NULL) == SHEAF_OUT_OF_ORDER, "not above entry %zu", i);
    }
}

/* Drops a collection and builds it again, packed, from its model; now and then in vain. */
static void rebuild(struct exercise *exercise)
{
    if (!random_once_in(exercise->random, 8)) return;
    size_t collection = draw_collection(exercise);
    struct model *model = &exercise->models[collection];
    sheaf_builder *builder = NULL;
    if (model->count > 0) {
        sheaf_status status = sheaf_builder_begin(exercise->store, partition_key(collection), &builder, NULL);
        EXPECT(status == SHEAF_EXISTS, "beginning where entries are gave %d", (int)status);
        EXPECT(sheaf_collection_drop(exercise->store, partition_key(collection), NULL) == SHEAF_OK, "a collection there is");
    }
    EXPECT(sheaf_builder_begin(exercise->store, partition_key(collection), &builder, NULL) == SHEAF_OK, "nothing in the way");
    add_all(exercise, builder, model);
    if (random_once_in(exercise->random, 4)) {
        sheaf_builder_abort(builder);
        model_clear(model);
        return;
    }
    EXPECT(sheaf_builder_finish(builder) == SHEAF_OK, "nothing in the way");
}

/* Calls that must be refused and change nothing; the totals compared after every step see to the latter. */
static void misuse(struct exercise *exercise)
{
    size_t key_size_max = exercise->source.shape->key_size_max;
    memset(exercise->key_bytes, 'k', key_size_max + 1);
    sheaf_bytes too_long = sheaf_bytes_of(exercise->key_bytes, key_size_max + 1);
    sheaf_bytes pk = partition_key(0);
    sheaf_detail detail = { 0 };
    sheaf_status status = sheaf_store_put(exercise->store, pk, too_long, SHEAF_LIT("v"), NULL, &detail);
    EXPECT(status == SHEAF_KEY_TOO_LONG, "put of a long key gave %d", (int)status);
    EXPECT(detail.size == key_size_max + 1 && detail.limit == key_size_max, "size and limit of a long key");
    EXPECT(sheaf_store_delete(exercise->store, pk, too_long, NULL) == SHEAF_KEY_TOO_LONG, "delete of a long key");
    sheaf_range inverted = sheaf_range_between(SHEAF_LIT("b"), SHEAF_LIT("a"));
    EXPECT(sheaf_store_delete_range(exercise->store, pk, &inverted, NULL, NULL) == SHEAF_RANGE_INVERTED, "delete [b, a]");
}

/* ---- reads ------------------------------------------------------------------------------------------------------------ */

static void read_points(struct exercise *exercise)
{
    struct subject subject = subject_of(exercise, draw_collection(exercise));
    sheaf_bytes key = draw_key_near(&exercise->source, subject.model, exercise->key_bytes);
    compare_get(&subject, key);
    compare_rank(&subject, key, SHEAF_FORWARD);
    compare_rank(&subject, key, SHEAF_REVERSE);
}

/* Of any collections, hits and misses, with a key now and then that is refused. */
static void read_many(struct exercise *exercise)
{
    sheaf_get gets[MANY_MAX];
    const struct model *models[MANY_MAX];
    size_t count = random_below(exercise->random, MANY_MAX + 1), found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t collection = draw_collection(exercise);
        models[i] = &exercise->models[collection];
        gets[i] = (sheaf_get){ .partition_key = partition_key(collection), .value_view = SHEAF_LIT("untouched") };
        gets[i].sort_key = draw_key_near(&exercise->source, models[i], exercise->many_bytes[i]);
        if (random_once_in(exercise->random, 16)) {
            gets[i].sort_key = sheaf_bytes_of(exercise->many_bytes[i], exercise->source.shape->key_size_max + 1);
        }
    }
    size_t said = sheaf_store_get_many(exercise->store, gets, count);
    for (size_t i = 0; i < count; i++) {
        const struct model_entry *entry = model_get(models[i], gets[i].sort_key);
        bool refused = gets[i].sort_key.size > exercise->source.shape->key_size_max;
        sheaf_status expected = refused ? SHEAF_KEY_TOO_LONG : entry ? SHEAF_OK : SHEAF_NOT_FOUND;
        EXPECT(gets[i].status == expected, "get %zu of %zu gave %d", i, count, (int)gets[i].status);
        EXPECT(model_same(gets[i].value_view, entry ? entry->value : SHEAF_LIT("untouched")), "value %zu of %zu", i, count);
        if (entry) found++;
    }
    EXPECT(said == found, "%zu found, not %zu", said, found);
}

static void read_total(struct exercise *exercise)
{
    struct subject subject = subject_of(exercise, draw_collection(exercise));
    sheaf_range range = draw_range(&exercise->source, subject.model, &exercise->window_bytes);
    compare_total(&subject, &range);
}

static void read_page(struct exercise *exercise)
{
    struct subject subject = subject_of(exercise, draw_collection(exercise));
    sheaf_page_request request = { .range = draw_range(&exercise->source, subject.model, &exercise->window_bytes) };
    request.direction = random_below(exercise->random, 2) ? SHEAF_REVERSE : SHEAF_FORWARD;
    request.limit = random_once_in(exercise->random, 16) ? UINT64_MAX : random_between(exercise->random, 1, 20);
    static const sheaf_anchor anchors[] = { SHEAF_ANCHOR_START, SHEAF_ANCHOR_AFTER, SHEAF_ANCHOR_BEFORE };
    request.anchor = anchors[random_below(exercise->random, 3)];
    request.position = draw_key_near(&exercise->source, subject.model, exercise->key_bytes);
    compare_page(&subject, &request, NULL);
}

static void read_children(struct exercise *exercise)
{
    if (exercise->source.shape->key_size_max > SHEAF_SORT_KEY_SIZE_MAX) return;
    struct subject subject = subject_of(exercise, draw_collection(exercise));
    sheaf_bytes prefix = draw_key_near(&exercise->source, subject.model, exercise->key_bytes);
    if (!random_once_in(exercise->random, 3)) prefix.size = prefix.size < 2 ? prefix.size : random_below(exercise->random, 3);
    sheaf_bytes delimiter = SHEAF_LIT("/");
    if (exercise->source.shape->keys != KEYS_PATHS) {
        delimiter = draw_key_near(&exercise->source, subject.model, exercise->other_bytes);
        delimiter.size = delimiter.size > 2 ? random_between(exercise->random, 1, 2) : delimiter.size;
        if (delimiter.size == 0) delimiter = SHEAF_LIT("a");
    }
    compare_children(&subject, prefix, delimiter, random_below(exercise->random, 2) ? SHEAF_REVERSE : SHEAF_FORWARD);
}

/* ---- cursors ---------------------------------------------------------------------------------------------------------- */

static void open_pair(struct exercise *exercise, size_t index)
{
    struct cursor_pair *pair = &exercise->pairs[index];
    exercise->pair_collection[index] = draw_collection(exercise);
    struct subject subject = subject_of(exercise, exercise->pair_collection[index]);
    sheaf_range range = draw_range(&exercise->source, subject.model, &pair->bytes);
    pair->calls = &public_cursor_calls;
    model_cursor_open(&pair->expected, subject.model, &range);
    open_public_cursor(&subject, &pair->real, &range, pair->wide, exercise->source.shape->key_size_max);
}

static void open_cursor(struct exercise *exercise)
{
    open_pair(exercise, random_below(exercise->random, PAIR_COUNT));
}

static void move_cursor(struct exercise *exercise)
{
    cursor_pair_move(&exercise->pairs[random_below(exercise->random, PAIR_COUNT)], &exercise->source);
}

static void delete_at_cursor(struct exercise *exercise)
{
    size_t index = random_below(exercise->random, PAIR_COUNT);
    struct cursor_pair *pair = &exercise->pairs[index];
    size_t collection = exercise->pair_collection[index];
    if (pair->expected.place != MODEL_AT) return;
    bool expected = model_delete(&exercise->models[collection], model_cursor_key(&pair->expected));
    sheaf_status status = sheaf_store_delete(exercise->store, partition_key(collection), pair->real.key, NULL);
    EXPECT(status == (expected ? SHEAF_OK : SHEAF_NOT_FOUND), "delete at a cursor gave %d", (int)status);
    cursor_pair_compare_place(pair);
}

/* Entries from a seed of its own. */
static void preload(struct exercise *exercise, uint32_t count)
{
    struct random *random = exercise->random;
    struct random seeded = random_from_seed(count);
    exercise->random = exercise->source.random = &seeded;
    for (uint32_t i = 0; i < count; i++) put(exercise, 0);
    exercise->random = exercise->source.random = random;
}

/* ---- the run ---------------------------------------------------------------------------------------------------------- */

static void operate(struct exercise *exercise)
{
    static const struct {
        uint32_t weight; /* of 256 */
        const char *name;
        void (*run)(struct exercise *exercise);
    } operations[] = {
        { 124, "write", write },
        { 52, "move a cursor", move_cursor },
        { 16, "point reads", read_points },
        { 4, "many point reads", read_many },
        { 12, "total", read_total },
        { 20, "page", read_page },
        { 4, "children", read_children },
        { 6, "delete at a cursor", delete_at_cursor },
        { 6, "delete range", delete_range },
        { 6, "open a cursor", open_cursor },
        { 2, "misuse", misuse },
        { 2, "rebuild", rebuild },
        { 2, "drop", drop },
    };
    uint32_t choice = random_below(exercise->random, 256);
    size_t i = 0;
    while (choice >= operations[i].weight) choice -= operations[i++].weight;
    expect_scene.operation = operations[i].name;
    operations[i].run(exercise);
}

static void begin(struct exercise *exercise, struct random *random, const struct exercise_plan *plan)
{
    exercise->random = random;
    shape_source_init(&exercise->source, plan->shape, random);
    exercise->heap = test_heap_new();
    exercise->heap.size_classes = plan->size_classes;
    sheaf_allocator hooks = test_heap_hooks(&exercise->heap);
    sheaf_store_options options = { .allocator = &hooks,
                                    .sort_key_size_max = plan->shape->key_size_max,
                                    .value_size_max = SHAPE_VALUE_SIZE_MAX,
                                    .allow_empty_partition_key = true,
                                    .allow_empty_sort_key = true,
                                    .hash_seed = 7 };
    EXPECT(sheaf_store_create(&options, &exercise->store, NULL) == SHEAF_OK, "no memory is refused");
    for (size_t i = 0; i < COLLECTION_COUNT; i++) model_init(&exercise->models[i]);
    for (size_t i = 0; i < PAIR_COUNT; i++) open_pair(exercise, i);
}

static void end(struct exercise *exercise)
{
    expect_scene.operation = "the end";
    compare_all(exercise);
    sheaf_store_destroy(exercise->store);
    EXPECT(exercise->heap.live_blocks == 0 && exercise->heap.live_bytes == 0, "%" PRIu64 " blocks leaked",
           exercise->heap.live_blocks);
    for (size_t i = 0; i < COLLECTION_COUNT; i++) model_deinit(&exercise->models[i]);
    free(exercise);
}

void store_exercise(struct random *random, const struct exercise_plan *plan)
{
    struct exercise *exercise = calloc(1, sizeof *exercise);
    EXPECT(exercise, "memory for the exercise");
    begin(exercise, random, plan);
    preload(exercise, plan->preload_count);
    for (uint64_t step = 0; step < plan->step_count && !random_is_spent(random); step++) {
        expect_scene.step = step;
        operate(exercise);
        compare_store_totals(exercise);
        if (step % plan->window_every == 0) {
            size_t collection = draw_collection(exercise);
            sheaf_range range = draw_range(&exercise->source, &exercise->models[collection], &exercise->window_bytes);
            scan(exercise, collection, &range, WINDOW);
        }
        if (step % plan->check_every == 0) compare_all(exercise);
    }
    end(exercise);
}
