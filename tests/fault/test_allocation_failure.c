/*
 * test_allocation_failure.c - every call that may need memory, with every allocation refused in turn.
 *
 * A sweep calls the same call again and again, refusing its allocation 0, then 1, then 2 ... until a run meets no refusal.
 * After each refused run the store must be what it was, to the byte, with nothing leaked. It is done twice: refusing one
 * allocation, and refusing one and all that follow. Nodes are small, so a few hundred puts meet every growth and split.
 *
 * A third time it is the store's budget that refuses, a little larger in each run: then no allocation fails, and at no moment
 * is more memory live than the budget allows.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/compare.h"
#include "tests/support/expect.h"
#include "tests/support/random.h"
#include "tests/support/shape.h"
#include "tests/support/snapshot.h"
#include "tests/support/test_heap.h"

enum refusal {
    REFUSE_ONE,
    REFUSE_ALL_FROM, /* one on */
    REFUSE_BY_BUDGET /* the allocator refuses none */
};

struct fixture {
    struct test_heap heap;
    sheaf_store *store;
    enum refusal refusal;
    uint64_t refused_runs; /* over all sweeps: that something was refused at all */
};

static const sheaf_bytes PARTITION_KEY = { (const uint8_t *)"p", 1 };

static void begin(struct fixture *fixture, enum refusal refusal)
{
    *fixture = (struct fixture){ .heap = test_heap_new(), .refusal = refusal };
    sheaf_allocator hooks = test_heap_hooks(&fixture->heap);
    sheaf_store_options options = { .allocator = &hooks, .allow_empty_sort_key = true, .sort_key_size_max = 8192 };
    EXPECT(sheaf_store_create(&options, &fixture->store, NULL) == SHEAF_OK, "nothing is refused yet");
}

static void end(struct fixture *fixture)
{
    fixture->heap.fail_from = 0; /* destroying asks for nothing */
    uint64_t requests = fixture->heap.requests;
    sheaf_store_destroy(fixture->store);
    EXPECT(fixture->heap.requests == requests, "destroy asked for memory");
    EXPECT(fixture->heap.live_blocks == 0 && fixture->heap.live_bytes == 0, "%" PRIu64 " blocks leaked",
           fixture->heap.live_blocks);
}

/* Gives the store the n-th budget above what it holds. */
static void set_budget(struct fixture *fixture, uint64_t n)
{
    uint64_t charged_bytes = sheaf_store_total(fixture->store).charged_bytes;
    EXPECT(sheaf_store_set_budget(fixture->store, charged_bytes + n * n * 32, NULL) == SHEAF_OK, "a budget that fits");
    fixture->heap.peak_real_bytes = 0;
}

static void expect_budget_kept(struct fixture *fixture)
{
    uint64_t budget_bytes = sheaf_store_total(fixture->store).budget_bytes;
    EXPECT(fixture->heap.peak_real_bytes <= budget_bytes, "%" PRIu64 " bytes of a budget of %" PRIu64,
           fixture->heap.peak_real_bytes, budget_bytes);
}

/* Refuses the n-th request from now on. */
static void refuse(struct fixture *fixture, uint64_t n)
{
    fixture->heap.refusals = 0;
    if (fixture->refusal == REFUSE_ALL_FROM) fixture->heap.fail_from = fixture->heap.requests + n;
    else fixture->heap.fail_at = fixture->heap.requests + n;
}

typedef sheaf_status (*call)(struct fixture *fixture, void *context);

/*
 * Sweeps a call with ever larger budgets. When it gives SHEAF_OVER_BUDGET all must be as before; the sweep ends when it gives
 * SHEAF_OK.
 */
static void sweep_budgets(struct fixture *fixture, call run, void *context)
{
    struct snapshot before = snapshot_take(fixture->store);
    for (uint64_t n = 0;; n++) {
        EXPECT(n < 1000, "a call that takes 32 MB");
        set_budget(fixture, n);
        sheaf_status status = run(fixture, context);
        expect_budget_kept(fixture);
        EXPECT(sheaf_store_set_budget(fixture->store, 0, NULL) == SHEAF_OK, "no budget");
        if (status == SHEAF_OK) break;
        EXPECT(status == SHEAF_OVER_BUDGET, "budget %" PRIu64 " gave %s", n, sheaf_status_name(status));
        fixture->refused_runs++;
        snapshot_expect(&before, fixture->store);
    }
    EXPECT(fixture->heap.refusals == 0, "the allocator refused nothing");
    EXPECT(sheaf_store_total(fixture->store).charged_bytes == fixture->heap.live_real_bytes, "bytes charged are bytes live");
    snapshot_free(&before);
}

/*
 * Sweeps a call. When it gives SHEAF_NO_MEMORY all must be as before; the sweep ends when it gives SHEAF_OK, which it may do in
 * spite of a refusal of something it could do without.
 */
static void sweep(struct fixture *fixture, call run, void *context)
{
    if (fixture->refusal == REFUSE_BY_BUDGET) {
        sweep_budgets(fixture, run, context);
        return;
    }
    struct snapshot before = snapshot_take(fixture->store);
    for (uint64_t n = 0;; n++) {
        EXPECT(n < 1000, "a call that takes a thousand allocations");
        refuse(fixture, n);
        sheaf_status status = run(fixture, context);
        test_heap_relent(&fixture->heap);
        if (status == SHEAF_OK) break;
        EXPECT(status == SHEAF_NO_MEMORY, "refusing allocation %" PRIu64 " gave %s", n, sheaf_status_name(status));
        EXPECT(fixture->heap.refusals > 0, "no memory, but none was refused");
        fixture->refused_runs++;
        snapshot_expect(&before, fixture->store);
        EXPECT(before.totals.charged_bytes == fixture->heap.live_real_bytes, "%" PRIu64 " bytes live, %" PRIu64 " charged",
               fixture->heap.live_real_bytes, before.totals.charged_bytes);
    }
    EXPECT(sheaf_store_total(fixture->store).charged_bytes == fixture->heap.live_real_bytes, "bytes charged are bytes live");
    snapshot_free(&before);
}

/* ---- create ----------------------------------------------------------------------------------------------------------- */

Test(allocation_failure, of_create)
{
    for (uint64_t n = 0;; n++) {
        struct test_heap heap = test_heap_new();
        sheaf_allocator hooks = test_heap_hooks(&heap);
        sheaf_store_options options = { .allocator = &hooks };
        heap.fail_at = n;
        sheaf_store *store = NULL;
        sheaf_status status = sheaf_store_create(&options, &store, NULL);
        if (status == SHEAF_OK) {
            cr_assert_eq(heap.refusals, 0);
            cr_assert_gt(n, 0, "a store takes at least one block");
            sheaf_store_destroy(store);
            cr_assert_eq(heap.live_blocks, 0);
            return;
        }
        cr_assert_eq(status, SHEAF_NO_MEMORY);
        cr_assert_null(store);
        cr_assert_eq(heap.live_blocks, 0);
    }
}

/* ---- single entries --------------------------------------------------------------------------------------------------- */

struct entry {
    sheaf_bytes partition_key;
    sheaf_bytes key;
    sheaf_bytes value;
    bool replaced;
};

static sheaf_status run_put(struct fixture *fixture, void *context)
{
    struct entry *entry = context;
    bool untouched = entry->replaced;
    sheaf_detail detail = { 0 };
    sheaf_status status =
        sheaf_store_put(fixture->store, entry->partition_key, entry->key, entry->value, &entry->replaced, &detail);
    if (status != SHEAF_OK) EXPECT(entry->replaced == untouched, "out parameters are written on success only");
    if (status != SHEAF_OK) EXPECT(detail.message && detail.message[0], "a refusal says why");
    return status;
}

/* What follows must do without memory: every allocation is refused, or there is no budget for any. */
static void forbid_memory(struct fixture *fixture)
{
    if (fixture->refusal == REFUSE_BY_BUDGET) set_budget(fixture, 0);
    else fixture->heap.fail_from = fixture->heap.requests;
}

static void allow_memory(struct fixture *fixture)
{
    if (fixture->refusal == REFUSE_BY_BUDGET) expect_budget_kept(fixture);
    EXPECT(sheaf_store_set_budget(fixture->store, 0, NULL) == SHEAF_OK, "no budget");
    test_heap_relent(&fixture->heap);
}

/* Deletes never need memory. */
static void delete_without_memory(struct fixture *fixture, struct model *model, sheaf_bytes key)
{
    bool expected = model_delete(model, key);
    forbid_memory(fixture);
    sheaf_status status = sheaf_store_delete(fixture->store, PARTITION_KEY, key, NULL);
    allow_memory(fixture);
    EXPECT(status == (expected ? SHEAF_OK : SHEAF_NOT_FOUND), "delete without memory gave %d", (int)status);
}

static void delete_range_without_memory(struct fixture *fixture, struct model *model, const sheaf_range *range)
{
    sheaf_totals expected = model_delete_range(model, range);
    sheaf_totals deleted = { 77, 77 };
    forbid_memory(fixture);
    sheaf_status status = sheaf_store_delete_range(fixture->store, PARTITION_KEY, range, &deleted, NULL);
    allow_memory(fixture);
    EXPECT(status == SHEAF_OK, "delete range without memory gave %d", (int)status);
    EXPECT(deleted.count == expected.count && deleted.bytes == expected.bytes, "%" PRIu64 " entries", deleted.count);
}

/* What pages take is the caller's: a page refused leaves no block, one released neither. */
struct page_call {
    const struct model *model;
    sheaf_page_request request;
};

static sheaf_status run_page(struct fixture *fixture, void *context)
{
    struct page_call *page_call = context;
    sheaf_page page = { .count = 77 };
    uint64_t live = fixture->heap.live_blocks;
    sheaf_status status = sheaf_page_read(fixture->store, PARTITION_KEY, &page_call->request, &page, NULL);
    if (status != SHEAF_OK) {
        EXPECT(page.count == 77, "out parameters are written on success only");
    } else {
        struct model_page expected = model_page_of(page_call->model, &page_call->request);
        EXPECT(page.count == expected.count && page.bytes == expected.bytes, "a page of %zu", page.count);
        sheaf_page_release(&page);
    }
    EXPECT(fixture->heap.live_blocks == live, "a page leaked");
    return status;
}

static void compare_with(struct fixture *fixture, const struct model *model)
{
    static uint8_t wide[SHEAF_SORT_KEY_SIZE_HARD];
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_store_check(fixture->store, &fault), "%s, level %u, slot %u", fault.rule, fault.level, fault.slot);
    struct subject subject = { fixture->store, PARTITION_KEY, model };
    sheaf_range all = sheaf_range_all();
    sheaf_cursor cursor;
    open_public_cursor(&subject, &cursor, &all, wide, sizeof wide);
    cursor_scan_both_ways(&cursor, &public_cursor_calls, model, &all, SIZE_MAX);
}

struct run {
    struct fixture fixture;
    struct random random;
    struct shape_source source;
    struct model model;
    struct range_bytes range_bytes;
    uint8_t key_bytes[SHEAF_SORT_KEY_SIZE_HARD + 1];
};

static void step(struct run *run, bool growing)
{
    struct fixture *fixture = &run->fixture;
    uint32_t choice = random_below(&run->random, 16);
    if (choice < (growing ? 12u : 4u)) {
        struct entry entry = { .partition_key = PARTITION_KEY, .key = draw_key(&run->source, run->key_bytes) };
        if (choice == 0) entry.key = draw_key_near(&run->source, &run->model, run->key_bytes);
        entry.value = draw_value(&run->source);
        expect_scene.operation = "put";
        bool expected = model_has(&run->model, entry.key);
        sweep(fixture, run_put, &entry);
        EXPECT(entry.replaced == expected, "replaced is %d", entry.replaced);
        (void)model_put(&run->model, entry.key, entry.value);
    } else if (choice == 12 && fixture->refusal != REFUSE_BY_BUDGET) { /* pages are no part of a budget */
        expect_scene.operation = "page";
        struct page_call page_call = { .model = &run->model };
        page_call.request.range = draw_range(&run->source, &run->model, &run->range_bytes);
        page_call.request.limit = random_between(&run->random, 1, 30);
        page_call.request.direction = random_below(&run->random, 2) ? SHEAF_REVERSE : SHEAF_FORWARD;
        sweep(fixture, run_page, &page_call);
    } else if (choice == 13) {
        expect_scene.operation = "delete range";
        sheaf_range range = draw_range(&run->source, &run->model, &run->range_bytes);
        struct model_slice slice = model_slice_of(&run->model, &range);
        if (slice.end - slice.begin < 40) delete_range_without_memory(fixture, &run->model, &range);
    } else {
        expect_scene.operation = "delete";
        delete_without_memory(fixture, &run->model, draw_key_near(&run->source, &run->model, run->key_bytes));
    }
}

static void run_shape(const struct shape *shape, enum refusal refusal)
{
    struct run *run = calloc(1, sizeof *run);
    EXPECT(run, "memory for the test");
    run->random = random_from_seed(random_seed(shape->name, 2026));
    shape_source_init(&run->source, shape, &run->random);
    model_init(&run->model);
    begin(&run->fixture, refusal);
    uint64_t step_count = random_scaled(600);
    for (uint64_t i = 0; i < step_count; i++) {
        expect_scene.step = i;
        step(run, i % 300 < 200);
        compare_with(&run->fixture, &run->model);
    }
    EXPECT(run->fixture.refused_runs > step_count / 8, "%" PRIu64 " refused runs only", run->fixture.refused_runs);
    end(&run->fixture);
    model_deinit(&run->model);
    free(run);
}

ParameterizedTestParameters(allocation_failure, of_one_in_each_call)
{
    static size_t indexes[64];
    for (size_t i = 0; i < shape_count; i++) indexes[i] = i;
    return cr_make_param_array(size_t, indexes, shape_count);
}

ParameterizedTest(const size_t *shape, allocation_failure, of_one_in_each_call)
{
    run_shape(&shapes[*shape], REFUSE_ONE);
}

ParameterizedTestParameters(allocation_failure, of_all_from_one_on)
{
    static size_t indexes[64];
    for (size_t i = 0; i < shape_count; i++) indexes[i] = i;
    return cr_make_param_array(size_t, indexes, shape_count);
}

ParameterizedTest(const size_t *shape, allocation_failure, of_all_from_one_on)
{
    run_shape(&shapes[*shape], REFUSE_ALL_FROM);
}

ParameterizedTestParameters(allocation_failure, of_the_budget)
{
    static size_t indexes[64];
    for (size_t i = 0; i < shape_count; i++) indexes[i] = i;
    return cr_make_param_array(size_t, indexes, shape_count);
}

ParameterizedTest(const size_t *shape, allocation_failure, of_the_budget)
{
    run_shape(&shapes[*shape], REFUSE_BY_BUDGET);
}

/* ---- collections ------------------------------------------------------------------------------------------------------ */

/* The first put of each of many partitions: the collection's record, its first leaf, and the directory's growth. */
static void sweep_collections(enum refusal refusal)
{
    enum { COLLECTIONS = 300 };
    struct fixture fixture;
    begin(&fixture, refusal);
    char name[16];
    for (unsigned i = 0; i < COLLECTIONS; i++) {
        expect_scene.step = i;
        int size = snprintf(name, sizeof name, "pk-%u", i);
        struct entry entry = { sheaf_bytes_of(name, (size_t)size), SHEAF_LIT("k"), SHEAF_LIT("v"), true };
        sweep(&fixture, run_put, &entry);
        EXPECT(!entry.replaced, "the first of its collection");
    }
    EXPECT(fixture.refused_runs >= 2 * COLLECTIONS, "a record and a leaf each, at least");
    EXPECT(sheaf_store_total(fixture.store).collection_count == COLLECTIONS, "all of them");
    for (unsigned i = 0; i < COLLECTIONS; i++) { /* the directory shrinks, or not, without memory */
        int size = snprintf(name, sizeof name, "pk-%u", i);
        sheaf_bytes partition_key = sheaf_bytes_of(name, (size_t)size);
        forbid_memory(&fixture);
        sheaf_status status = i % 2 ? sheaf_collection_drop(fixture.store, partition_key, NULL)
                                    : sheaf_store_delete(fixture.store, partition_key, SHEAF_LIT("k"), NULL);
        allow_memory(&fixture);
        EXPECT(status == SHEAF_OK, "ending a collection gave %d", (int)status);
        EXPECT(sheaf_store_check(fixture.store, NULL), "sound after collection %u ended", i);
        EXPECT(sheaf_store_total(fixture.store).collection_count == COLLECTIONS - 1 - i, "one less");
    }
    end(&fixture);
}

Test(allocation_failure, of_new_collections)
{
    (void)random_seed("of_new_collections", 0);
    sweep_collections(REFUSE_ONE);
    sweep_collections(REFUSE_ALL_FROM);
    sweep_collections(REFUSE_BY_BUDGET);
}

/* ---- bulk build ------------------------------------------------------------------------------------------------------- */

enum on_refusal { TRY_AGAIN, LEAVE_OUT, FINISH_AT_ONCE, ABORT };

struct build_plan {
    uint32_t entry_count;
    uint64_t refused;        /* the allocation from sheaf_builder_begin() on that is refused */
    enum on_refusal on_refusal;
    enum refusal refusal;
};

static sheaf_bytes build_key(uint32_t number, char *buffer)
{
    int size = snprintf(buffer, 16, "%07u", number * 3);
    return sheaf_bytes_of(buffer, (size_t)size);
}

/* Some values lie out of line. */
static sheaf_bytes build_value(uint32_t number)
{
    static const uint8_t bytes[200] = { 1, 2, 3 };
    return sheaf_bytes_of(bytes, number % 7 == 3 ? 200 : number % 5);
}

/* Adds all entries the plan's way; false: the build is to end here. */
static bool add_entries(struct fixture *fixture, const struct build_plan *plan, sheaf_builder *builder, struct model *model)
{
    char buffer[16];
    for (uint32_t i = 0; i < plan->entry_count; i++) {
        sheaf_bytes key = build_key(i, buffer);
        sheaf_status status = sheaf_builder_add(builder, key, build_value(i), NULL);
        if (status == SHEAF_NO_MEMORY) {
            test_heap_relent(&fixture->heap);
            if (plan->on_refusal == ABORT) return false;
            if (plan->on_refusal == FINISH_AT_ONCE) return true;
            if (plan->on_refusal == LEAVE_OUT) continue;
            status = sheaf_builder_add(builder, key, build_value(i), NULL);
        }
        EXPECT(status == SHEAF_OK, "adding entry %u gave %d", i, (int)status);
        (void)model_put(model, key, build_value(i));
    }
    return true;
}

/* Finishes; when memory is refused, again. */
static void finish(struct fixture *fixture, const struct build_plan *plan, sheaf_builder *builder, struct model *model)
{
    sheaf_status status = sheaf_builder_finish(builder);
    if (status == SHEAF_NO_MEMORY) {
        EXPECT(sheaf_store_total(fixture->store).entry_count == 0, "nothing is seen before a build is finished");
        test_heap_relent(&fixture->heap);
        if (plan->on_refusal == ABORT) {
            sheaf_builder_abort(builder);
            model_clear(model);
            return;
        }
        status = sheaf_builder_finish(builder);
    }
    EXPECT(status == SHEAF_OK, "finish gave %d", (int)status);
}

/* Returns whether anything was refused. */
static bool build(const struct build_plan *plan)
{
    struct fixture fixture;
    struct model model;
    begin(&fixture, plan->refusal);
    model_init(&model);
    struct snapshot empty = snapshot_take(fixture.store);
    refuse(&fixture, plan->refused);
    sheaf_builder *builder = NULL;
    sheaf_status status = sheaf_builder_begin(fixture.store, PARTITION_KEY, &builder, NULL);
    if (status == SHEAF_OK) {
        if (add_entries(&fixture, plan, builder, &model)) {
            finish(&fixture, plan, builder, &model);
        } else {
            sheaf_builder_abort(builder);
            model_clear(&model);
        }
    } else {
        EXPECT(status == SHEAF_NO_MEMORY && !builder, "begin gave %d", (int)status);
    }
    test_heap_relent(&fixture.heap);
    if (model.count == 0) snapshot_expect(&empty, fixture.store);
    else compare_with(&fixture, &model);
    EXPECT(sheaf_store_total(fixture.store).charged_bytes == fixture.heap.live_real_bytes, "bytes charged are bytes live");
    bool refused = fixture.heap.refusals > 0;
    end(&fixture);
    model_deinit(&model);
    snapshot_free(&empty);
    return refused;
}

ParameterizedTestParameters(allocation_failure, of_a_bulk_build)
{
    static int ways[] = { TRY_AGAIN, LEAVE_OUT, FINISH_AT_ONCE, ABORT };
    return cr_make_param_array(int, ways, sizeof ways / sizeof *ways);
}

ParameterizedTest(const int *way, allocation_failure, of_a_bulk_build)
{
    static const uint32_t sizes[] = { 0, 1, 2, 10, 60, 400 };
    (void)random_seed("of_a_bulk_build", 0);
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        for (int refusal = REFUSE_ONE; refusal <= REFUSE_ALL_FROM; refusal++) {
            struct build_plan plan = { sizes[size], 0, (enum on_refusal)*way, (enum refusal)refusal };
            while (build(&plan)) expect_scene.step = ++plan.refused;
            cr_assert_geq(plan.refused, 2, "a builder takes some blocks");
        }
    }
}

/* The last entry makes a leaf full, or not: each number of entries, refused at each place, and then finished. */
Test(allocation_failure, of_a_bulk_build_of_any_size)
{
    (void)random_seed("of_a_bulk_build_of_any_size", 0);
    for (uint32_t entry_count = 0; entry_count < 130; entry_count++) {
        struct build_plan plan = { entry_count, 0, LEAVE_OUT, REFUSE_ONE };
        while (build(&plan)) expect_scene.step = ++plan.refused;
    }
}
