#include "tests/support/tree_exercise.h"

#include <inttypes.h>
#include <stdlib.h>

#include "engine/tree/build.h"
#include "engine/tree/cursor.h"
#include "engine/tree/tree.h"
#include "tests/support/cursor_pair.h"
#include "tests/support/expect.h"
#include "tests/support/model.h"
#include "tests/support/test_heap.h"

enum { PAIR_COUNT = 3, WINDOW = 6 };

struct exercise {
    struct random *random;
    struct shape_source source;
    struct test_heap heap;
    struct sheaf_grove grove;
    struct sheaf_tree tree;
    struct model model;
    bool growing;
    struct cursor_pair pairs[PAIR_COUNT];
    sheaf_cursor window;
    struct range_bytes window_bytes;
    uint8_t window_wide[SHEAF_SORT_KEY_SIZE_HARD];
    uint8_t key_bytes[SHEAF_SORT_KEY_SIZE_HARD + 1];
};

static const struct cursor_calls calls = {
    .first = sheaf_tree_cursor_first,
    .last = sheaf_tree_cursor_last,
    .seek = sheaf_tree_cursor_seek,
    .seek_at_most = sheaf_tree_cursor_seek_at_most,
    .seek_nth = sheaf_tree_cursor_seek_nth,
    .next = sheaf_tree_cursor_next,
    .previous = sheaf_tree_cursor_previous,
    .next_many = sheaf_tree_cursor_next_many,
    .previous_many = sheaf_tree_cursor_previous_many,
    .rewind = sheaf_tree_cursor_rewind,
    .refresh = sheaf_tree_cursor_refresh,
};

/* The store hands the tree no range whose cuts cross: above k and below k has come to be both at k. */
static sheaf_range draw_sound_range(struct exercise *exercise, struct range_bytes *bytes)
{
    sheaf_range range = draw_range(&exercise->source, &exercise->model, bytes);
    bool crossed = range.lower.side == SHEAF_SIDE_AFTER && range.upper.side == SHEAF_SIDE_BEFORE &&
                   model_same(range.lower.bytes, range.upper.bytes);
    if (crossed) range.upper = range.lower;
    return range;
}

/* ---- comparisons ------------------------------------------------------------------------------------------------------ */

static void compare_totals(const struct exercise *exercise)
{
    EXPECT(exercise->tree.totals.count == exercise->model.count, "%" PRIu64 " entries, not %zu", exercise->tree.totals.count,
           exercise->model.count);
    EXPECT(exercise->tree.totals.bytes == exercise->model.bytes, "%" PRIu64 " bytes, not %" PRIu64,
           exercise->tree.totals.bytes, exercise->model.bytes);
    EXPECT(exercise->grove.heap.block_count == exercise->heap.live_blocks,
           "%" PRIu64 " blocks on the account, %" PRIu64 " live", exercise->grove.heap.block_count, exercise->heap.live_blocks);
    EXPECT(exercise->grove.heap.charged_bytes == exercise->heap.live_real_bytes, "%" PRIu64 " bytes charged, %" PRIu64 " live",
           exercise->grove.heap.charged_bytes, exercise->heap.live_real_bytes);
}

static void scan(struct exercise *exercise, const sheaf_range *range, size_t entry_max)
{
    sheaf_tree_cursor_init(&exercise->window, &exercise->grove.changes, range, exercise->window_wide,
                           sizeof exercise->window_wide);
    exercise->window.tree = &exercise->tree;
    cursor_scan_both_ways(&exercise->window, &calls, &exercise->model, range, entry_max);
}

static void compare_all(struct exercise *exercise)
{
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_tree_check(&exercise->tree, &fault), "%s, level %u, slot %u", fault.rule, fault.level, fault.slot);
    sheaf_range all = sheaf_range_all();
    scan(exercise, &all, SIZE_MAX);
}

/* ---- operations ------------------------------------------------------------------------------------------------------- */

static void put(struct exercise *exercise)
{
    struct sheaf_tree *tree = &exercise->tree;
    sheaf_bytes key = random_once_in(exercise->random, 4)
                          ? draw_key_near(&exercise->source, &exercise->model, exercise->key_bytes)
                          : draw_key(&exercise->source, exercise->key_bytes);
    sheaf_bytes value = draw_value(&exercise->source);
    if (exercise->model.count > 0 && random_once_in(exercise->random, 16)) { /* a value that lies in the tree itself */
        uint32_t index = random_below(exercise->random, (uint32_t)exercise->model.count);
        EXPECT(sheaf_tree_get(tree, exercise->model.entries[index].key, &value) == SHEAF_OK, "an entry there is");
    }
    bool expected = model_has(&exercise->model, key);
    (void)model_put(&exercise->model, key, value);
    bool replaced = !expected;
    sheaf_status status = sheaf_tree_put(tree, key, value, &replaced);
    EXPECT(status == SHEAF_OK, "put gave %d", (int)status);
    EXPECT(replaced == expected, "replaced is %d", replaced);
}

static void delete(struct exercise *exercise)
{
    sheaf_bytes key = draw_key_near(&exercise->source, &exercise->model, exercise->key_bytes);
    bool expected = model_delete(&exercise->model, key);
    sheaf_status status = sheaf_tree_delete(&exercise->tree, key);
    EXPECT(status == (expected ? SHEAF_OK : SHEAF_NOT_FOUND), "delete gave %d", (int)status);
}

static void write(struct exercise *exercise)
{
    uint32_t favour = random_below(exercise->random, 4);
    if (exercise->model.count >= exercise->source.shape->live_count) exercise->growing = false;
    if (exercise->model.count <= exercise->source.shape->live_count / 8) exercise->growing = true;
    bool puts = exercise->growing ? favour > 0 : favour == 0;
    expect_scene.operation = puts ? "put" : "delete";
    if (puts) put(exercise);
    else delete(exercise);
}

static void get(struct exercise *exercise)
{
    sheaf_bytes key = draw_key_near(&exercise->source, &exercise->model, exercise->key_bytes);
    const struct model_entry *entry = model_get(&exercise->model, key);
    sheaf_bytes value = sheaf_bytes_of("untouched", 9);
    sheaf_status status = sheaf_tree_get(&exercise->tree, key, &value);
    EXPECT(status == (entry ? SHEAF_OK : SHEAF_NOT_FOUND), "get gave %d", (int)status);
    EXPECT(model_same(value, entry ? entry->value : SHEAF_LIT("untouched")), "value of %zu bytes", value.size);
}

static void total(struct exercise *exercise)
{
    sheaf_range range = draw_sound_range(exercise, &exercise->window_bytes);
    struct model_slice slice = model_slice_of(&exercise->model, &range);
    sheaf_totals expected = model_totals(&exercise->model, slice);
    sheaf_totals totals = sheaf_tree_range_total(&exercise->tree, &range);
    EXPECT(totals.count == expected.count && totals.bytes == expected.bytes, "%" PRIu64 " entries, %" PRIu64 " bytes, not %"
           PRIu64 " and %" PRIu64, totals.count, totals.bytes, expected.count, expected.bytes);
    if (range.upper.side == SHEAF_SIDE_UNBOUNDED) return;
    sheaf_range through = sheaf_range_of(sheaf_cut_none(), range.upper);
    expected = model_totals(&exercise->model, model_slice_of(&exercise->model, &through));
    totals = sheaf_tree_below(&exercise->tree, &range.upper);
    EXPECT(totals.count == expected.count && totals.bytes == expected.bytes, "%" PRIu64 " entries below, not %" PRIu64,
           totals.count, expected.count);
}

/* Mostly narrow cuts: wide ones would keep the tree small. */
static void cut(struct exercise *exercise)
{
    sheaf_range range = draw_sound_range(exercise, &exercise->window_bytes);
    struct model_slice slice = model_slice_of(&exercise->model, &range);
    if (slice.end - slice.begin > 16 && !random_once_in(exercise->random, 16)) return;
    sheaf_totals expected = model_delete_range(&exercise->model, &range);
    sheaf_totals deleted = sheaf_tree_cut(&exercise->tree, &range);
    EXPECT(deleted.count == expected.count && deleted.bytes == expected.bytes, "%" PRIu64 " entries cut, not %" PRIu64,
           deleted.count, expected.count);
}

static void open_pair(struct exercise *exercise, struct cursor_pair *pair)
{
    sheaf_range range = draw_sound_range(exercise, &pair->bytes);
    pair->calls = &calls;
    model_cursor_open(&pair->expected, &exercise->model, &range);
    sheaf_tree_cursor_init(&pair->real, &exercise->grove.changes, &range, pair->wide, sizeof pair->wide);
    pair->real.tree = &exercise->tree;
}

static void open_cursor(struct exercise *exercise)
{
    struct cursor_pair *pair = &exercise->pairs[random_below(exercise->random, PAIR_COUNT)];
    open_pair(exercise, pair);
    cursor_pair_compare_place(pair);
}

static void move_cursor(struct exercise *exercise)
{
    cursor_pair_move(&exercise->pairs[random_below(exercise->random, PAIR_COUNT)], &exercise->source);
}

static void delete_at_cursor(struct exercise *exercise)
{
    struct cursor_pair *pair = &exercise->pairs[random_below(exercise->random, PAIR_COUNT)];
    bool expected = pair->expected.place == MODEL_AT && model_delete(&exercise->model, model_cursor_key(&pair->expected));
    if (expected) EXPECT(sheaf_tree_delete(&exercise->tree, pair->real.key) == SHEAF_OK, "the key is the cursor's own");
    cursor_pair_compare_place(pair);
}

static void clear(struct exercise *exercise)
{
    if (!random_once_in(exercise->random, 12)) return;
    model_clear(&exercise->model);
    sheaf_tree_clear(&exercise->tree);
    EXPECT(exercise->heap.live_blocks == 0, "%" PRIu64 " blocks left in an empty tree", exercise->heap.live_blocks);
}

static void add_to_build(struct sheaf_tree_build *build, const struct model *model, struct random *random)
{
    for (size_t i = 0; i < model->count; i++) {
        const struct model_entry *entry = &model->entries[i];
        EXPECT(sheaf_tree_build_add(build, entry->key, entry->value) == SHEAF_OK, "entry %zu", i);
        if (!random_once_in(random, 16)) continue;
        sheaf_bytes low = model->entries[random_below(random, (uint32_t)i + 1)].key;
        EXPECT(sheaf_tree_build_add(build, low, entry->value) == SHEAF_OUT_OF_ORDER, "not above entry %zu", i);
    }
}

/* The same entries again, packed. */
static void rebuild(struct exercise *exercise)
{
    if (!random_once_in(exercise->random, 8)) return;
    struct sheaf_tree built;
    struct sheaf_tree_build build;
    sheaf_tree_init(&built, &exercise->grove);
    sheaf_tree_build_begin(&build, &built);
    add_to_build(&build, &exercise->model, exercise->random);
    if (random_once_in(exercise->random, 4)) {
        sheaf_tree_clear(&built);
        return;
    }
    sheaf_tree_clear(&exercise->tree);
    sheaf_tree_build_finish(&build);
    exercise->tree = built;
}

/* Entries from a seed of its own. */
static void preload(struct exercise *exercise, uint32_t count)
{
    struct random *random = exercise->random;
    struct random seeded = random_from_seed(count);
    exercise->random = exercise->source.random = &seeded;
    for (uint32_t i = 0; i < count; i++) put(exercise);
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
        { 140, "write", write },
        { 62, "move a cursor", move_cursor },
        { 20, "get", get },
        { 12, "total", total },
        { 6, "delete at a cursor", delete_at_cursor },
        { 6, "cut", cut },
        { 6, "open a cursor", open_cursor },
        { 2, "rebuild", rebuild },
        { 2, "clear", clear },
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
    exercise->growing = true;
    shape_source_init(&exercise->source, plan->shape, random);
    exercise->heap = test_heap_new();
    exercise->heap.size_classes = plan->size_classes;
    sheaf_allocator hooks = test_heap_hooks(&exercise->heap);
    exercise->grove = (struct sheaf_grove){ .version = 1 };
    sheaf_heap_init(&exercise->grove.heap, &hooks);
    sheaf_tree_init(&exercise->tree, &exercise->grove);
    model_init(&exercise->model);
    for (size_t i = 0; i < PAIR_COUNT; i++) open_pair(exercise, &exercise->pairs[i]);
}

static void end(struct exercise *exercise)
{
    expect_scene.operation = "the end";
    compare_all(exercise);
    sheaf_tree_clear(&exercise->tree);
    EXPECT(exercise->heap.live_blocks == 0 && exercise->heap.live_bytes == 0, "%" PRIu64 " blocks leaked",
           exercise->heap.live_blocks);
    EXPECT(exercise->grove.heap.charged_bytes == 0, "%" PRIu64 " bytes still charged", exercise->grove.heap.charged_bytes);
    model_deinit(&exercise->model);
    free(exercise);
}

void tree_exercise(struct random *random, const struct exercise_plan *plan)
{
    struct exercise *exercise = calloc(1, sizeof *exercise);
    EXPECT(exercise, "memory for the exercise");
    begin(exercise, random, plan);
    preload(exercise, plan->preload_count);
    for (uint64_t step = 0; step < plan->step_count && !random_is_spent(random); step++) {
        expect_scene.step = step;
        operate(exercise);
        compare_totals(exercise);
        if (step % plan->window_every == 0) {
            sheaf_range range = draw_sound_range(exercise, &exercise->window_bytes);
            scan(exercise, &range, WINDOW);
        }
        if (step % plan->check_every == 0) compare_all(exercise);
    }
    end(exercise);
}
