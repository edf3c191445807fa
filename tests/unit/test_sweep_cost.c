/*
 * test_sweep_cost.c - a sweep costs what it deletes: counted in blocks that it looks at (tests/support/touch_heap.h), on nodes of
 * 256 bytes, so that a tree has hundreds of them.
 *
 *     way          a block on each level, and beside it all children of the same parent, of which a sweep asks the bounds
 *     an entry     its leaf, and on the way to the next of them once more the children of a parent
 *     a visit      to a collection: index, directory, record
 *
 * What has not expired makes no difference beyond that, however much it is.
 */
#include <criterion/criterion.h>

#include <inttypes.h>
#include <stdio.h>

#include <sheaf/sheaf.h>

#include "engine/store/store.h"
#include "engine/tree/due.h"
#include "tests/support/expect.h"
#include "tests/support/touch_heap.h"

enum {
    COUNT = 6000,
    DUE_AT = 1000,
    LATER = 1000000,
    VISIT_COST = 24, /* the records of store, table, bucket and collection, ways into the index and out; and what is made new */
    SPLIT_COST = 16, /* children of a node of the index that is split, now and then */
};

static sheaf_store *store;

static uint64_t tell_time(void *context)
{
    (void)context;
    return 0;
}

static void begin(void)
{
    sheaf_allocator hooks = touch_heap_begin();
    sheaf_expiry_options expiry = { .now = tell_time };
    sheaf_store_options options = { .allocator = &hooks, .expiry = &expiry };
    cr_assert_eq(sheaf_store_create(&options, &store, NULL), SHEAF_OK);
}

static void end(void)
{
    sheaf_fault fault = { 0 };
    cr_assert(sheaf_store_check(store, &fault), "%s", fault.rule);
    sheaf_store_destroy(store);
    touch_heap_end();
}

TestSuite(sweep_cost, .init = begin, .fini = end);

static sheaf_bytes shelf(uint32_t number)
{
    static char text[16];
    return sheaf_bytes_of(text, (size_t)snprintf(text, sizeof text, "S%05u", number));
}

static sheaf_bytes key(uint32_t number)
{
    static char text[16];
    return sheaf_bytes_of(text, (size_t)snprintf(text, sizeof text, "%08u", number));
}

static void put(uint32_t of_shelf, uint32_t number, uint64_t due)
{
    EXPECT(sheaf_store_put_until(store, shelf(of_shelf), key(number), SHEAF_LIT("value"), due, NULL, NULL) == SHEAF_OK, "memory");
}

/* Sweeps; the blocks that were looked at. */
static uint64_t sweep(uint64_t now, uint64_t count_max, uint64_t *out_count)
{
    sheaf_totals swept;
    touch_heap_watch();
    sheaf_status status = sheaf_store_sweep(store, now, count_max, &swept, NULL);
    uint64_t touched = touch_heap_stop();
    EXPECT(status == SHEAF_OK, "a sweep gave %s", sheaf_status_name(status));
    *out_count = swept.count;
    return touched;
}

/* ---- what there is ------------------------------------------------------------------------------------------------------ */

struct build {
    uint64_t node_count;
    uint64_t level_count;
    uint64_t width; /* of the widest branch */
};

static void look_at(const struct sheaf_node *node, struct build *build)
{
    build->node_count++;
    if (build->level_count < node->level + 1U) build->level_count = node->level + 1U;
    if (sheaf_node_is_leaf(node)) return;
    if (build->width < node->count) build->width = node->count;
    for (uint32_t slot = 0; slot < node->count; slot++) look_at(sheaf_node_children(node)[slot], build);
}

static struct build build_of(uint32_t of_shelf)
{
    struct build build = { 0 };
    look_at(sheaf_store_find_tree(store, shelf(of_shelf))->root, &build);
    return build;
}

/* Of a sweep of one collection that deletes so many entries. */
static uint64_t most(const struct build *build, uint64_t count)
{
    return VISIT_COST + build->level_count * build->width + count * (1 + build->width);
}

/* ---- one large collection ----------------------------------------------------------------------------------------------- */

/* Each tick another entry expires, somewhere. */
Test(sweep_cost, of_entries_here_and_there)
{
    uint64_t count;
    for (uint32_t i = 0; i < COUNT; i++) put(1, i, DUE_AT + i * 3919 % COUNT);
    struct build build = build_of(1);
    cr_assert(build.node_count > 700 && build.level_count >= 4, "%" PRIu64 " nodes", build.node_count);
    for (uint64_t now = DUE_AT; now < DUE_AT + 1000; now++) {
        uint64_t touched = sweep(now, 0, &count);
        EXPECT(count == 1 && touched <= most(&build, 1), "%" PRIu64 " blocks for one of %d", touched, COUNT);
        EXPECT(touched < build.node_count / 5, "%" PRIu64 " of %" PRIu64 " blocks", touched, build.node_count);
    }
    EXPECT(sweep(DUE_AT + 999, 0, &count) < 8 && count == 0, "nothing is nearly nothing");
}

/* One entry in `every` has expired, and a few of them go at a time. */
static void sweep_in_steps(uint32_t every, uint64_t count_max)
{
    uint64_t count, sum = 0, swept = 0, step_count = 0;
    for (uint32_t i = 0; i < COUNT; i++) put(1, i, i % every == 0 ? DUE_AT : LATER);
    struct build build = build_of(1);
    do {
        uint64_t touched = sweep(DUE_AT, count_max, &count);
        EXPECT(touched <= most(&build, count), "%" PRIu64 " blocks for %" PRIu64, touched, count);
        sum += touched;
        swept += count;
        step_count++;
    } while (count == count_max);
    uint64_t wanted = (COUNT + every - 1) / every;
    cr_assert_eq(swept, wanted);
    cr_assert_eq(step_count, wanted / count_max + 1);
    cr_assert_leq(sum, step_count * most(&build, 0) + swept * (1 + build.width));
}

Test(sweep_cost, in_steps_of_all_there_is)
{
    sweep_in_steps(1, 10);
}

Test(sweep_cost, in_steps_of_some)
{
    sweep_in_steps(7, 10);
}

Test(sweep_cost, in_steps_of_one_of_few)
{
    sweep_in_steps(97, 1);
}

/* ---- many collections --------------------------------------------------------------------------------------------------- */

enum { SMALL = 500, LARGE = 5000, ENTRIES_EACH = 6, EXPIRING = 50 };

/* So many collections, of which EXPIRING have an entry that expires, one each tick. */
static void put_collections(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool expires = i % (count / EXPIRING) == 0;
        for (uint32_t k = 0; k < ENTRIES_EACH; k++) put(i, k, expires && k == 3 ? DUE_AT + i / (count / EXPIRING) : LATER + i);
    }
}

static void expect_same_cost(uint64_t count_max)
{
    uint64_t count, sums[2] = { 0 };
    for (uint32_t i = 0; i < 2; i++) {
        put_collections(i == 0 ? SMALL : LARGE);
        for (uint64_t tick = 0; tick < EXPIRING; tick++) {
            uint64_t touched = sweep(DUE_AT + (count_max ? EXPIRING : tick), count_max, &count);
            EXPECT(count == 1 && touched <= VISIT_COST + SPLIT_COST, "%" PRIu64 " blocks for one", touched);
            sums[i] += touched;
        }
        EXPECT(sweep(DUE_AT + EXPIRING, count_max, &count) < 8 && count == 0, "none is left");
        for (uint32_t shelf_number = 0; shelf_number < SMALL; shelf_number++)
            (void)sheaf_collection_drop(store, shelf(shelf_number), NULL);
    }
    cr_assert_leq(sums[1], sums[0] + sums[0] / 4, "%" PRIu64 " blocks among few, %" PRIu64 " among many", sums[0], sums[1]);
}

Test(sweep_cost, of_few_among_many_collections)
{
    expect_same_cost(0);
}

Test(sweep_cost, of_few_among_many_collections_in_steps)
{
    expect_same_cost(1);
}

/* Who gives entries later deadlines leaves what stands in the index; a sweep comes by each once. */
Test(sweep_cost, of_deadlines_that_were_put_off)
{
    uint64_t count;
    for (uint32_t i = 0; i < LARGE; i++) put(i, 0, DUE_AT);
    for (uint32_t i = 0; i < LARGE; i++)
        cr_assert_eq(sheaf_store_set_deadline(store, shelf(i), key(0), LATER, NULL), SHEAF_OK);
    cr_assert_gt(sweep(DUE_AT, 1, &count), LARGE);
    cr_assert_eq(count, 0);
    cr_assert_lt(sweep(DUE_AT, 1, &count), 8);
    cr_assert_eq(sheaf_store_next_deadline(store), LATER);
}
