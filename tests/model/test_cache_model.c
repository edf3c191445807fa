/*
 * test_cache_model.c - a full cache, under each policy and on every shape of keys, against sorted arrays.
 *
 * Who is evicted is the policy's affair. But what is there must be what was put last, what is missing must have been counted as
 * evicted, entry by entry and byte by byte, no put of an entry that the budget can hold may be refused, and at no moment may
 * more be live than the budget allows. Now and then the allocator refuses too, in the midst of an eviction or a put.
 *
 * Sometimes a view is open: what it sees cannot be evicted, so that calls may be refused; and it must go on seeing what it saw.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/expect.h"
#include "tests/support/model.h"
#include "tests/support/shape_run.h"
#include "tests/support/snapshot.h"
#include "tests/support/test_heap.h"

enum {
    COLLECTION_COUNT = 12,
    POLICY_COUNT = 4,
    BUDGET_MIN = 16000,
    BUDGET_MIN_KEYS = 16, /* of the longest keys, that the budget must hold besides: those that one insertion moves */
    PRELOAD_COUNT = 600,
    BUDGET_LEAST = 1500,
    BUDGET_LEAST_KEYS = 16,
    BUDGET_BUILDING = 4000000,
    COUNT_MAX = 40, /* of a collection, in every third run */
};

struct run {
    struct random *random;
    struct shape_source source;
    struct test_heap heap;
    sheaf_store *store;
    sheaf_cache_options options;
    uint64_t empty_bytes; /* charged for an empty store */
    uint64_t budget_min;
    struct model models[COLLECTION_COUNT];
    sheaf_statistics expected;
    uint64_t evicting_puts;
    sheaf_view *view; /* NULL: none is open */
    struct snapshot seen;
    struct range_bytes range_bytes;
    uint8_t key_bytes[SHEAF_SORT_KEY_SIZE_HARD + 1];
    uint8_t other_bytes[SHEAF_SORT_KEY_SIZE_HARD + 1];
    uint8_t value_bytes[SHAPE_VALUE_SIZE_MAX + 256];
};

static sheaf_bytes partition_key(size_t collection)
{
    static const uint8_t names[COLLECTION_COUNT + 1] = "abcdefghijkl";
    return sheaf_bytes_of(names + collection, 1);
}

static sheaf_statistics statistics(const struct run *run)
{
    sheaf_statistics now = { 0 };
    EXPECT(sheaf_store_statistics(run->store, &now) == SHEAF_OK, "a cache has statistics");
    return now;
}

/* ---- what is there ------------------------------------------------------------------------------------------------------ */

static void count_evicted(struct run *run, size_t collection, sheaf_bytes key)
{
    struct model *model = &run->models[collection];
    const struct model_entry *entry = model_get(model, key);
    run->expected.evictions++;
    run->expected.evicted_bytes += entry->key.size + entry->value.size;
    (void)model_delete(model, key);
}

/* Takes from the model what the store does not have any more: it was evicted. */
static void follow_evictions(struct run *run, size_t collection)
{
    struct model *model = &run->models[collection];
    for (size_t i = 0; i < model->count;) {
        struct model_entry *entry = &model->entries[i];
        sheaf_bytes value = { 0 };
        sheaf_status status = sheaf_store_get(run->store, partition_key(collection), entry->key, &value, NULL);
        EXPECT(status == SHEAF_OK || status == SHEAF_NOT_FOUND, "get gave %s", sheaf_status_name(status));
        if (status == SHEAF_OK) {
            run->expected.hits++;
            EXPECT(model_same(value, entry->value), "the value put last");
            i++;
            continue;
        }
        run->expected.misses++;
        memcpy(run->other_bytes, entry->key.data, entry->key.size);
        count_evicted(run, collection, sheaf_bytes_of(run->other_bytes, entry->key.size));
    }
}

static void compare_all(struct run *run)
{
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_store_check(run->store, &fault), "%s, level %u, slot %u", fault.rule, fault.level, fault.slot);
    sheaf_statistics before = statistics(run);
    run->expected.hits = before.hits;
    run->expected.misses = before.misses;
    uint64_t count = 0, bytes = 0;
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        follow_evictions(run, i);
        count += run->models[i].count;
        bytes += run->models[i].bytes + (run->models[i].count > 0 ? 1 : 0);
        if (run->options.collection_count_max > 0)
            EXPECT(run->models[i].count <= run->options.collection_count_max, "%zu entries", run->models[i].count);
    }
    sheaf_store_totals totals = sheaf_store_total(run->store);
    EXPECT(totals.entry_count == count && totals.logical_bytes == bytes, "%" PRIu64 " entries, not %" PRIu64,
           totals.entry_count, count);
    sheaf_statistics now = statistics(run);
    EXPECT(memcmp(&now, &run->expected, sizeof now) == 0,
           "%" PRIu64 " evictions of %" PRIu64 " bytes, not %" PRIu64 " of %" PRIu64, now.evictions, now.evicted_bytes,
           run->expected.evictions, run->expected.evicted_bytes);
}

/* After every operation. */
static void compare_sums(struct run *run)
{
    sheaf_store_totals totals = sheaf_store_total(run->store);
    EXPECT(totals.charged_bytes == run->heap.live_real_bytes, "%" PRIu64 " bytes charged, %" PRIu64 " live",
           totals.charged_bytes, run->heap.live_real_bytes);
    EXPECT(totals.charged_bytes <= totals.budget_bytes, "%" PRIu64 " bytes of a budget of %" PRIu64, totals.charged_bytes,
           totals.budget_bytes);
}

/* Whether a refusal is because a view holds what would have to go. */
static bool is_held(const struct run *run, sheaf_status status)
{
    return run->view && status == SHEAF_OVER_BUDGET;
}

/* ---- operations --------------------------------------------------------------------------------------------------------- */

/* A value, from the store itself now and then. */
static sheaf_bytes draw_any_value(struct run *run)
{
    size_t collection = random_below(run->random, COLLECTION_COUNT);
    const struct model *model = &run->models[collection];
    if (model->count == 0 || !random_once_in(run->random, 6)) return draw_value(&run->source);
    sheaf_bytes key = model->entries[random_below(run->random, (uint32_t)model->count)].key;
    sheaf_bytes value;
    sheaf_status status = sheaf_store_get(run->store, partition_key(collection), key, &value, NULL);
    return status == SHEAF_OK ? value : draw_value(&run->source);
}

static void put(struct run *run, size_t collection)
{
    struct model *model = &run->models[collection];
    sheaf_bytes key = random_once_in(run->random, 4) ? draw_key_near(&run->source, model, run->key_bytes)
                                                     : draw_key(&run->source, run->key_bytes);
    sheaf_bytes value = draw_any_value(run);
    sheaf_bytes copy = sheaf_bytes_of(run->value_bytes, value.size);
    if (value.size > 0) memcpy(run->value_bytes, value.data, value.size);
    bool refusing = random_once_in(run->random, 8);
    if (refusing) run->heap.fail_from = run->heap.requests + random_below(run->random, 12);
    uint64_t evictions = statistics(run).evictions;
    bool replaced = false;
    sheaf_status status = sheaf_store_put(run->store, partition_key(collection), key, value, &replaced, NULL);
    test_heap_relent(&run->heap);
    if (statistics(run).evictions > evictions) run->evicting_puts++;
    if (status != SHEAF_OK) {
        bool may_be = (refusing && status == SHEAF_NO_MEMORY) || is_held(run, status);
        EXPECT(may_be, "put gave %s", sheaf_status_name(status));
        return;
    }
    EXPECT(!replaced || model_has(model, key), "replaced what nobody put");
    if (!replaced && model_has(model, key)) count_evicted(run, collection, key);
    (void)model_put(model, key, copy);
}

static void delete(struct run *run, size_t collection)
{
    struct model *model = &run->models[collection];
    sheaf_bytes key = draw_key_near(&run->source, model, run->key_bytes);
    bool known = model_has(model, key);
    sheaf_status status = sheaf_store_delete(run->store, partition_key(collection), key, NULL);
    EXPECT(status == SHEAF_NOT_FOUND || (status == SHEAF_OK && known) || is_held(run, status), "delete gave %s",
           sheaf_status_name(status));
    if (status == SHEAF_OK) (void)model_delete(model, key);
    else if (status == SHEAF_NOT_FOUND && known) count_evicted(run, collection, key);
}

static void delete_range(struct run *run, size_t collection)
{
    struct model *model = &run->models[collection];
    follow_evictions(run, collection);
    sheaf_range range = draw_range(&run->source, model, &run->range_bytes);
    sheaf_totals deleted = { 77, 77 };
    sheaf_status status = sheaf_store_delete_range(run->store, partition_key(collection), &range, &deleted, NULL);
    if (is_held(run, status)) return;
    sheaf_totals expected = model_delete_range(model, &range);
    EXPECT(status == SHEAF_OK, "delete range gave %s", sheaf_status_name(status));
    EXPECT(deleted.count == expected.count && deleted.bytes == expected.bytes, "%" PRIu64 " entries deleted", deleted.count);
}

/* Reads some entries, by point reads or a scan, so that there is something to choose by. */
static void read_some(struct run *run, size_t collection)
{
    const struct model *model = &run->models[collection];
    sheaf_bytes value;
    for (int i = 0; i < 4; i++) {
        sheaf_bytes key = draw_key_near(&run->source, model, run->key_bytes);
        sheaf_status status = sheaf_store_get(run->store, partition_key(collection), key, &value, NULL);
        EXPECT(status == SHEAF_NOT_FOUND || model_same(value, model_get(model, key)->value), "the value put last");
    }
    sheaf_cursor cursor;
    static uint8_t wide[SHEAF_SORT_KEY_SIZE_HARD];
    sheaf_status status = sheaf_cursor_open_wide(&cursor, run->store, partition_key(collection), NULL, wide, sizeof wide, NULL);
    EXPECT(status == SHEAF_OK, "opening a cursor gave %s", sheaf_status_name(status));
    sheaf_entry entries[5];
    size_t steps = random_below(run->random, 12);
    for (size_t i = 0; i < steps && sheaf_cursor_next(&cursor); i++)
        EXPECT(model_same(cursor.value, model_get(model, cursor.key)->value), "the value put last");
    for (size_t i = sheaf_cursor_next_many(&cursor, entries, 5); i > 0; i--)
        EXPECT(model_same(entries[i - 1].value, model_get(model, entries[i - 1].key)->value), "the value put last");
}

static void move_budget(struct run *run)
{
    uint64_t budget_bytes = run->budget_min + random_next(run->random) % (run->budget_min - run->empty_bytes);
    sheaf_status status = sheaf_store_set_budget(run->store, budget_bytes, NULL);
    if (is_held(run, status)) return;
    EXPECT(status == SHEAF_OK, "budget gave %s", sheaf_status_name(status));
    EXPECT(sheaf_store_total(run->store).budget_bytes == budget_bytes, "the budget set");
}

static void evict(struct run *run)
{
    uint64_t charged_bytes = sheaf_store_total(run->store).charged_bytes;
    uint64_t target = charged_bytes - random_next(run->random) % (charged_bytes / 8);
    uint64_t count = sheaf_store_total(run->store).entry_count;
    sheaf_status status = sheaf_store_evict(run->store, target);
    EXPECT(status == (count > 0 || target == charged_bytes ? SHEAF_OK : SHEAF_NOT_FOUND), "evict gave %s",
           sheaf_status_name(status));
    sheaf_store_totals totals = sheaf_store_total(run->store);
    EXPECT(totals.charged_bytes <= target || totals.entry_count == 0 || run->view, "%" PRIu64 " of %" PRIu64, totals.charged_bytes, target);
}

/*
 * Drops a collection and bulk builds it again; what is being built does not count as there, and is not evicted. A builder holds
 * some 70 KiB for each level of the tree: for this time the budget is larger, or else the build may be refused.
 */
static void rebuild(struct run *run, size_t collection)
{
    struct model *model = &run->models[collection];
    follow_evictions(run, collection);
    if (model->count == 0 || run->view) return;
    bool ample = random_below(run->random, 2);
    if (ample) EXPECT(sheaf_store_set_budget(run->store, BUDGET_BUILDING, NULL) == SHEAF_OK, "more of it");
    EXPECT(sheaf_collection_drop(run->store, partition_key(collection), NULL) == SHEAF_OK, "a collection there is");
    sheaf_builder *builder = NULL;
    sheaf_status status = sheaf_builder_begin(run->store, partition_key(collection), &builder, NULL);
    for (size_t i = 0; i < model->count && status == SHEAF_OK; i++)
        status = sheaf_builder_add(builder, model->entries[i].key, model->entries[i].value, NULL);
    if (status == SHEAF_OK) status = sheaf_builder_finish(builder);
    EXPECT(status == SHEAF_OK || (!ample && status == SHEAF_OVER_BUDGET), "the build gave %s", sheaf_status_name(status));
    if (status != SHEAF_OK) {
        sheaf_builder_abort(builder);
        model_clear(model);
    }
    move_budget(run);
}

/* Not where a collection has a most: it may have more while a view sees all that is there. */
static void open_or_close_view(struct run *run)
{
    if (run->options.collection_count_max > 0) return;
    if (!run->view) {
        sheaf_status status = sheaf_view_open(run->store, &run->view, NULL);
        if (status == SHEAF_OK) run->seen = snapshot_take(sheaf_view_store(run->view));
        EXPECT(status == SHEAF_OK || status == SHEAF_OVER_BUDGET, "opening a view gave %s", sheaf_status_name(status));
        return;
    }
    snapshot_expect(&run->seen, sheaf_view_store(run->view));
    snapshot_free(&run->seen);
    sheaf_view_close(run->view);
    run->view = NULL;
}

static void step(struct run *run)
{
    size_t collection = random_once_in(run->random, 2) ? random_below(run->random, COLLECTION_COUNT) : 0;
    uint32_t choice = random_below(run->random, 1000);
    if (choice < 600) put(run, collection);
    else if (choice < 900) read_some(run, collection);
    else if (choice < 975) delete(run, collection);
    else if (choice < (run->view ? 985 : 978)) open_or_close_view(run);
    else if (choice < 985) read_some(run, collection);
    else if (choice < 989) delete_range(run, collection);
    else if (choice < 993) move_budget(run);
    else if (choice < 997) evict(run);
    else rebuild(run, collection);
}

/* ---- a run -------------------------------------------------------------------------------------------------------------- */

/* What differs between runs: 13 shapes or so, each under one policy at a time. */
static sheaf_cache_options options_of(uint64_t number)
{
    static const sheaf_eviction policies[POLICY_COUNT] = { SHEAF_EVICTION_FREQUENCY, SHEAF_EVICTION_RECENCY,
                                                           SHEAF_EVICTION_COLLECTION, SHEAF_EVICTION_FAR_END };
    return (sheaf_cache_options){ .eviction = policies[number % POLICY_COUNT],
                                  .scans_are_uses = number % 2 == 0,
                                  .collection_count_max = number % 3 == 0 ? COUNT_MAX : 0,
                                  .far_end = number % 5 < 2 ? SHEAF_FORWARD : SHEAF_REVERSE };
}

static void begin(struct run *run, struct random *random, const struct exercise_plan *plan, uint64_t number)
{
    run->random = random;
    run->options = options_of(number);
    run->heap = test_heap_new();
    run->heap.size_classes = plan->size_classes;
    shape_source_init(&run->source, plan->shape, random);
    for (size_t i = 0; i < COLLECTION_COUNT; i++) model_init(&run->models[i]);
    sheaf_allocator hooks = test_heap_hooks(&run->heap);
    sheaf_store_options options = { .allocator = &hooks,
                                    .allow_empty_sort_key = true,
                                    .sort_key_size_max = SHEAF_SORT_KEY_SIZE_HARD,
                                    .cache = &run->options };
    EXPECT(sheaf_store_create(&options, &run->store, NULL) == SHEAF_OK, "no memory is refused");
}

/* Fills the store, and sets a budget of a third of what that took; but it must hold any entry, and what one insertion moves. */
static void fill(struct run *run)
{
    run->empty_bytes = sheaf_store_total(run->store).charged_bytes;
    for (int i = 0; i < PRELOAD_COUNT; i++) put(run, random_below(run->random, COLLECTION_COUNT));
    uint64_t full_bytes = sheaf_store_total(run->store).charged_bytes;
    uint64_t least = run->empty_bytes + BUDGET_LEAST + BUDGET_LEAST_KEYS * run->source.shape->key_size_max;
    run->budget_min = run->empty_bytes + (full_bytes - run->empty_bytes) / 3;
    if (run->budget_min < least) run->budget_min = least;
    move_budget(run);
}

static void run_policy(struct random *random, const struct exercise_plan *plan, uint64_t number)
{
    struct run *run = calloc(1, sizeof *run);
    EXPECT(run, "memory for the test");
    begin(run, random, plan, number);
    fill(run);
    for (uint64_t i = 0; i < plan->step_count; i++) {
        expect_scene.step = i;
        step(run);
        compare_sums(run);
        if (i % plan->check_every == 0) compare_all(run);
    }
    if (run->view) open_or_close_view(run);
    compare_all(run);
    EXPECT(run->evicting_puts > plan->step_count / 1500, "only %" PRIu64 " puts evicted", run->evicting_puts);
    sheaf_store_destroy(run->store);
    EXPECT(run->heap.live_blocks == 0, "%" PRIu64 " blocks leaked", run->heap.live_blocks);
    for (size_t i = 0; i < COLLECTION_COUNT; i++) model_deinit(&run->models[i]);
    free(run);
}

static void cache_exercise(struct random *random, const struct exercise_plan *plan)
{
    static const char *const names[POLICY_COUNT] = { "frequency", "recency", "collection", "far end" };
    uint64_t offset = random_next(random) % 60;
    for (uint64_t i = 0; i < POLICY_COUNT; i++) {
        expect_scene.operation = names[(offset + i) % POLICY_COUNT];
        run_policy(random, plan, offset + i);
    }
}

ParameterizedTestParameters(cache_model, of_every_shape)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, cache_model, of_every_shape)
{
    struct exercise_plan plan = { .shape = &shapes[*shape],
                                  .step_count = 6000,
                                  .check_every = 40,
                                  .size_classes = *shape % 2 == 0 };
    run_exercise(cache_exercise, "cache_model/of_every_shape", 20261501 + *shape, plan);
}
