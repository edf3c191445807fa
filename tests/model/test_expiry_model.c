/*
 * test_expiry_model.c - a store whose entries have deadlines, against sorted arrays that have them too.
 *
 * A collection is three arrays: the values put last, the deadlines of the same keys, and of the values those that can be seen
 * by the rule and the clock; the last is made anew whenever one of the others or the clock has changed. Every read is compared
 * with it, in the store, in views (whose clock stands still) and in a fork.
 *
 * What is there without being seen comes to light in two ways: the clock is set back to 0 now and then, when nothing has
 * expired yet, and all is read; and events must tell of each value when it leaves, with the right cause. Which entries a cache
 * evicts, and which go first in a sweep of at most so many, is not foreseen but found out like that. Now and then the allocator
 * refuses; then nothing has changed, but what was evicted or swept before.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/compare.h"
#include "tests/support/expect.h"
#include "tests/support/shape_run.h"
#include "tests/support/test_heap.h"

enum { COLLECTION_COUNT = 4, VIEW_MAX = 2, PAIR_COUNT = 2, MANY_MAX = 24, BATCH_MAX = 6, STARTS_AT = 1000 };

struct timed {
    struct model values;
    struct model dues; /* eight bytes each, of the same keys */
    struct model seen; /* borrows from `values` */
};

/* A store, or a view of one, and what it should be like. */
struct world {
    sheaf_store *store; /* NULL: nothing is written here */
    const sheaf_store *read;
    struct timed collections[COLLECTION_COUNT];
    bool stopped;
    uint64_t stopped_at;
};

struct told {
    sheaf_cause cause;
    size_t collection;
    struct model entry; /* the one that left */
};

struct told_list {
    struct told *items;
    size_t count;
    size_t capacity;
};

struct variant {
    sheaf_expiry_rule rule;
    bool events;
    bool cache; /* with a small budget; has events, too */
    sheaf_eviction eviction;
};

struct run {
    struct random *random;
    struct shape_source source;
    struct test_heap heap;
    struct variant variant;
    uint64_t clock;
    struct world main;
    sheaf_view *views[VIEW_MAX];
    struct world seen_by[VIEW_MAX];
    struct world fork; /* .store NULL: there is none */
    size_t fork_of;    /* the view that it began as; VIEW_MAX: one closed since */
    struct cursor_pair pairs[PAIR_COUNT];
    struct told_list told;
    struct told_list foreseen;
    sheaf_statistics expected; /* of the cache: what was evicted and what has expired */
    uint64_t refused_count;
    struct range_bytes range_bytes;
    uint8_t key_bytes[SHEAF_SORT_KEY_SIZE_HARD + 1];
    uint8_t other_bytes[SHEAF_SORT_KEY_SIZE_HARD + 1];
    uint8_t many_bytes[MANY_MAX][SHEAF_SORT_KEY_SIZE_HARD + 1];
    struct range_bytes many_ranges[BATCH_MAX];
    uint8_t wide[SHEAF_SORT_KEY_SIZE_HARD];
    sheaf_cursor cursor;
};

static sheaf_bytes partition_key(size_t collection)
{
    static const uint8_t names[COLLECTION_COUNT + 1] = "abcd";
    return sheaf_bytes_of(names + collection, 1);
}

static size_t draw_collection(struct run *run)
{
    return random_once_in(run->random, 3) ? random_below(run->random, COLLECTION_COUNT) : 0;
}

/* ---- what should be there --------------------------------------------------------------------------------------------- */

static uint64_t due_of(const struct timed *timed, sheaf_bytes key)
{
    uint64_t due;
    memcpy(&due, model_get(&timed->dues, key)->value.data, sizeof due);
    return due;
}

static bool has_expired(uint64_t due, uint64_t now)
{
    return due != SHEAF_NO_DEADLINE && due <= now;
}

static uint64_t now_of(const struct run *run, const struct world *world)
{
    return world->stopped ? world->stopped_at : run->clock;
}

static void see_collection(const struct run *run, struct world *world, size_t collection)
{
    struct timed *timed = &world->collections[collection];
    struct model *seen = &timed->seen;
    seen->count = 0;
    seen->bytes = 0;
    if (seen->capacity < timed->values.count) {
        seen->capacity = timed->values.count * 2;
        seen->entries = realloc(seen->entries, seen->capacity * sizeof *seen->entries);
        EXPECT(seen->entries, "memory for the model");
    }
    for (size_t i = 0; i < timed->values.count; i++) {
        struct model_entry entry = timed->values.entries[i];
        bool hides = run->variant.rule == SHEAF_EXPIRY_HIDDEN;
        if (hides && has_expired(due_of(timed, entry.key), now_of(run, world))) continue;
        entry.block = NULL;
        seen->entries[seen->count++] = entry;
        seen->bytes += entry.key.size + entry.value.size;
    }
}

static void see(const struct run *run, struct world *world)
{
    for (size_t i = 0; i < COLLECTION_COUNT; i++) see_collection(run, world, i);
}

static void set_due(struct timed *timed, sheaf_bytes key, uint64_t due)
{
    (void)model_put(&timed->dues, key, sheaf_bytes_of(&due, sizeof due));
}

static void let_in(struct timed *timed, sheaf_bytes key, sheaf_bytes value, uint64_t due)
{
    (void)model_put(&timed->values, key, value);
    set_due(timed, key, due);
}

static void let_out(struct timed *timed, sheaf_bytes key)
{
    bool there = model_delete(&timed->values, key);
    EXPECT(there, "what leaves was there");
    (void)model_delete(&timed->dues, key);
}

/* Takes the entries of another world. */
static void world_begin(const struct run *run, struct world *world, const struct world *from)
{
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        model_deinit(&world->collections[i].values);
        model_deinit(&world->collections[i].dues);
        world->collections[i].values = model_copy(&from->collections[i].values);
        world->collections[i].dues = model_copy(&from->collections[i].dues);
    }
    see(run, world);
}

static void world_end(struct world *world)
{
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        model_deinit(&world->collections[i].values);
        model_deinit(&world->collections[i].dues);
        free(world->collections[i].seen.entries);
    }
    *world = (struct world){ 0 };
}

/* ---- events ----------------------------------------------------------------------------------------------------------- */

static void add_told(struct told_list *list, sheaf_cause cause, size_t collection, sheaf_bytes key, sheaf_bytes value)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 64;
        list->items = realloc(list->items, list->capacity * sizeof *list->items);
        EXPECT(list->items, "memory for the model");
    }
    struct told *told = &list->items[list->count++];
    *told = (struct told){ .cause = cause, .collection = collection };
    (void)model_put(&told->entry, key, value);
}

static void forget(struct told_list *list)
{
    for (size_t i = 0; i < list->count; i++) model_deinit(&list->items[i].entry);
    list->count = 0;
}

static void on_event(void *context, const sheaf_event *event)
{
    struct run *run = context;
    EXPECT(event->partition_key.size == 1, "a partition key of %zu bytes", event->partition_key.size);
    add_told(&run->told, event->cause, (size_t)(event->partition_key.data[0] - 'a'), event->sort_key, event->value);
}

static void foresee(struct run *run, sheaf_cause cause, size_t collection, const struct model_entry *entry)
{
    add_told(&run->foreseen, cause, collection, entry->key, entry->value);
}

static bool is_same_told(const struct told *left, const struct told *right)
{
    const struct model_entry *one = left->entry.entries, *other = right->entry.entries;
    return left->cause == right->cause && left->collection == right->collection && model_same(one->key, other->key) &&
           model_same(one->value, other->value);
}

/* After a call: what was evicted leaves the model before the change that the call was to make is made there. */
static void follow_evictions(struct run *run)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->told.count; i++) {
        struct told *told = &run->told.items[i];
        if (told->cause != SHEAF_CAUSE_EVICTED) {
            run->told.items[kept++] = *told;
            continue;
        }
        struct timed *timed = &run->main.collections[told->collection];
        const struct model_entry *there = model_get(&timed->values, told->entry.entries[0].key);
        EXPECT(run->variant.cache, "evicted without a cache");
        EXPECT(there && model_same(there->value, told->entry.entries[0].value), "evicted is what was there");
        run->expected.evictions++;
        run->expected.evicted_bytes += told->entry.bytes;
        let_out(timed, told->entry.entries[0].key);
        model_deinit(&told->entry);
    }
    if (kept < run->told.count) {
        run->told.count = kept;
        see(run, &run->main);
    }
}

static void expect_foreseen(struct run *run, const struct world *world, bool in_order)
{
    bool listens = run->variant.events && world == &run->main;
    if (listens) EXPECT(run->told.count == run->foreseen.count, "%zu events, not %zu", run->told.count, run->foreseen.count);
    if (!listens) EXPECT(run->told.count == 0, "%zu events from nowhere", run->told.count);
    for (size_t i = 0; i < run->told.count; i++) {
        size_t at = i;
        while (!in_order && at < run->told.count && !is_same_told(&run->told.items[at], &run->foreseen.items[i])) at++;
        EXPECT(at < run->told.count && is_same_told(&run->told.items[at], &run->foreseen.items[i]),
               "event %zu of %zu, told as %s", i, run->told.count, sheaf_cause_name(run->told.items[i].cause));
        struct told other = run->told.items[i];
        run->told.items[i] = run->told.items[at];
        run->told.items[at] = other;
    }
    forget(&run->told);
    forget(&run->foreseen);
}

/* Only a store with a budget may refuse, or where the allocator did. */
static bool is_done(struct run *run, const struct world *world, sheaf_status status)
{
    if (world == &run->main) follow_evictions(run);
    if (status != SHEAF_OVER_BUDGET && status != SHEAF_NO_MEMORY) return true;
    bool full = status == SHEAF_OVER_BUDGET && run->variant.cache && world == &run->main;
    EXPECT(full || (status == SHEAF_NO_MEMORY && run->heap.refusals > 0), "refused: %s", sheaf_status_name(status));
    run->refused_count++;
    return false;
}

/* ---- comparisons ------------------------------------------------------------------------------------------------------ */

static struct subject subject_of(const struct world *world, size_t collection)
{
    return (struct subject){ world->read, partition_key(collection), &world->collections[collection].seen };
}

static void compare_sums(const struct run *run, const struct world *world)
{
    sheaf_store_totals expected = { 0 }, totals = sheaf_store_total(world->read);
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        const struct model *seen = &world->collections[i].seen;
        sheaf_totals of_one = { 77, 77 };
        sheaf_status status = sheaf_collection_total(world->read, partition_key(i), &of_one);
        EXPECT(status == (seen->count ? SHEAF_OK : SHEAF_NOT_FOUND), "collection of %zu gave %d", seen->count, (int)status);
        if (seen->count == 0) continue;
        EXPECT(of_one.count == seen->count && of_one.bytes == seen->bytes, "collection of %" PRIu64 ", not %zu",
               of_one.count, seen->count);
        expected.collection_count++;
        expected.entry_count += seen->count;
        expected.logical_bytes += seen->bytes + 1;
    }
    EXPECT(totals.collection_count == expected.collection_count, "%" PRIu64 " collections", totals.collection_count);
    EXPECT(totals.entry_count == expected.entry_count, "%" PRIu64 " entries, not %" PRIu64, totals.entry_count,
           expected.entry_count);
    EXPECT(totals.logical_bytes == expected.logical_bytes, "%" PRIu64 " logical bytes, not %" PRIu64, totals.logical_bytes,
           expected.logical_bytes);
    if (world != &run->main || run->fork.store) return;
    EXPECT(totals.charged_bytes == run->heap.live_real_bytes, "%" PRIu64 " bytes charged, %" PRIu64 " live",
           totals.charged_bytes, run->heap.live_real_bytes);
    EXPECT(totals.budget_bytes == 0 || totals.charged_bytes <= totals.budget_bytes,
           "%" PRIu64 " bytes of a budget of %" PRIu64, totals.charged_bytes, totals.budget_bytes);
}

static uint64_t earliest_of(const struct world *world)
{
    uint64_t earliest = SHEAF_NO_DEADLINE;
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        const struct timed *timed = &world->collections[i];
        for (size_t k = 0; k < timed->dues.count; k++) {
            uint64_t due;
            memcpy(&due, timed->dues.entries[k].value.data, sizeof due);
            if (due < earliest) earliest = due;
        }
    }
    return earliest;
}

static void compare_next_deadline(const struct world *world)
{
    uint64_t earliest = earliest_of(world), next = sheaf_store_next_deadline(world->read);
    EXPECT(next <= earliest, "next deadline %" PRIu64 ", earliest %" PRIu64, next, earliest);
}

/* Each collection that has something to see once, with its totals. */
static void compare_enumeration(const struct world *world)
{
    bool met[COLLECTION_COUNT] = { false };
    sheaf_collection_info info;
    sheaf_bytes after;
    for (const sheaf_bytes *from = NULL; sheaf_collection_next(world->read, from, &info) == SHEAF_OK; from = &after) {
        after = info.partition_key_view;
        size_t i = (size_t)(after.data[0] - 'a');
        EXPECT(after.size == 1 && i < COLLECTION_COUNT && !met[i], "a collection nobody made, or one given twice");
        met[i] = true;
        const struct model *seen = &world->collections[i].seen;
        EXPECT(info.totals.count == seen->count && info.totals.bytes == seen->bytes, "totals of collection %zu", i);
    }
    for (size_t i = 0; i < COLLECTION_COUNT; i++)
        EXPECT(met[i] == (world->collections[i].seen.count > 0), "collection %zu met: %d", i, met[i]);
}

static void scan_world(struct run *run, struct world *world)
{
    sheaf_range all = sheaf_range_all();
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        struct subject subject = subject_of(world, i);
        open_public_cursor(&subject, &run->cursor, &all, run->wide, run->source.shape->key_size_max);
        cursor_scan_both_ways(&run->cursor, &public_cursor_calls, subject.model, &all, SIZE_MAX);
    }
    compare_enumeration(world);
    compare_sums(run, world);
}

/* With its deadlines, as long as nothing has expired yet: also what is hidden otherwise. */
static void compare_hidden(struct run *run, struct world *world)
{
    uint64_t clock = run->clock;
    run->clock = 0;
    see(run, world);
    scan_world(run, world);
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        const struct timed *timed = &world->collections[i];
        for (size_t k = 0; k < timed->values.count; k++) {
            sheaf_bytes key = timed->values.entries[k].key;
            uint64_t due = 0;
            sheaf_status status = sheaf_store_get_deadline(world->read, partition_key(i), key, &due, NULL);
            EXPECT(status == SHEAF_OK && due == due_of(timed, key), "deadline %" PRIu64 ", not %" PRIu64 " (%s)", due,
                   due_of(timed, key), sheaf_status_name(status));
        }
    }
    run->clock = clock;
    see(run, world);
}

static void compare_statistics(const struct run *run)
{
    sheaf_statistics now;
    if (!run->variant.cache) return;
    EXPECT(sheaf_store_statistics(run->main.store, &now) == SHEAF_OK, "a cache has statistics");
    EXPECT(now.expirations == run->expected.expirations, "%" PRIu64 " expirations, not %" PRIu64, now.expirations,
           run->expected.expirations);
    EXPECT(now.evictions == run->expected.evictions && now.evicted_bytes == run->expected.evicted_bytes,
           "%" PRIu64 " evictions, not %" PRIu64, now.evictions, run->expected.evictions);
}

static void check_store(const sheaf_store *store)
{
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_store_check(store, &fault), "%s, level %u, slot %u", fault.rule, fault.level, fault.slot);
}

static void compare_all(struct run *run)
{
    check_store(run->main.store);
    scan_world(run, &run->main);
    compare_hidden(run, &run->main);
    compare_statistics(run);
    for (size_t i = 0; i < VIEW_MAX; i++)
        if (run->views[i]) scan_world(run, &run->seen_by[i]);
    if (!run->fork.store) return;
    check_store(run->fork.store);
    scan_world(run, &run->fork);
    compare_hidden(run, &run->fork);
}

/* ---- reads ------------------------------------------------------------------------------------------------------------ */

/* The store mostly, or a view or the fork, if there is one. */
static struct world *draw_world(struct run *run)
{
    size_t i = random_below(run->random, VIEW_MAX);
    if (run->views[i] && random_once_in(run->random, 4)) return &run->seen_by[i];
    return run->fork.store && random_once_in(run->random, 4) ? &run->fork : &run->main;
}

static void read_points(struct run *run)
{
    struct world *world = draw_world(run);
    size_t collection = draw_collection(run);
    struct subject subject = subject_of(world, collection);
    const struct timed *timed = &world->collections[collection];
    sheaf_bytes key = draw_key_near(&run->source, &timed->values, run->key_bytes);
    uint64_t due = 77;
    compare_get(&subject, key);
    compare_rank(&subject, key, SHEAF_FORWARD);
    compare_rank(&subject, key, SHEAF_REVERSE);
    sheaf_status status = sheaf_store_get_deadline(world->read, subject.partition_key, key, &due, NULL);
    bool seen = model_has(subject.model, key);
    EXPECT(status == (seen ? SHEAF_OK : SHEAF_NOT_FOUND), "get deadline gave %s", sheaf_status_name(status));
    EXPECT(due == (seen ? due_of(timed, key) : 77), "a deadline of %" PRIu64, due);
}

static void read_many(struct run *run)
{
    sheaf_get gets[MANY_MAX];
    const struct model *models[MANY_MAX];
    struct world *world = draw_world(run);
    size_t count = random_below(run->random, MANY_MAX + 1), found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t collection = draw_collection(run);
        models[i] = &world->collections[collection].seen;
        gets[i] = (sheaf_get){ .partition_key = partition_key(collection), .value_view = SHEAF_LIT("untouched") };
        gets[i].sort_key = draw_key_near(&run->source, &world->collections[collection].values, run->many_bytes[i]);
    }
    size_t said = sheaf_store_get_many(world->read, gets, count);
    for (size_t i = 0; i < count; i++) {
        const struct model_entry *entry = model_get(models[i], gets[i].sort_key);
        EXPECT(gets[i].status == (entry ? SHEAF_OK : SHEAF_NOT_FOUND), "get %zu of %zu gave %d", i, count,
               (int)gets[i].status);
        EXPECT(model_same(gets[i].value_view, entry ? entry->value : SHEAF_LIT("untouched")), "value %zu of %zu", i, count);
        if (entry) found++;
    }
    EXPECT(said == found, "%zu found, not %zu", said, found);
}

static void read_range(struct run *run)
{
    struct world *world = draw_world(run);
    size_t collection = draw_collection(run);
    struct subject subject = subject_of(world, collection);
    sheaf_range range = draw_range(&run->source, &world->collections[collection].values, &run->range_bytes);
    compare_total(&subject, &range);
    open_public_cursor(&subject, &run->cursor, &range, run->wide, run->source.shape->key_size_max);
    cursor_scan_both_ways(&run->cursor, &public_cursor_calls, subject.model, &range, 12);
}

static void read_page(struct run *run)
{
    struct world *world = draw_world(run);
    size_t collection = draw_collection(run);
    const struct model *values = &world->collections[collection].values;
    struct subject subject = subject_of(world, collection);
    sheaf_page_request request = { .range = draw_range(&run->source, values, &run->range_bytes) };
    request.direction = random_below(run->random, 2) ? SHEAF_REVERSE : SHEAF_FORWARD;
    request.limit = random_once_in(run->random, 16) ? UINT64_MAX : random_between(run->random, 1, 20);
    static const sheaf_anchor anchors[] = { SHEAF_ANCHOR_START, SHEAF_ANCHOR_AFTER, SHEAF_ANCHOR_BEFORE };
    request.anchor = anchors[random_below(run->random, 3)];
    request.position = draw_key_near(&run->source, values, run->key_bytes);
    compare_page(&subject, &request, NULL);
    if (random_once_in(run->random, 8))
        compare_walk(&subject, &request.range, request.direction, random_between(run->random, 3, 60));
}

static void read_children(struct run *run)
{
    if (run->source.shape->key_size_max > SHEAF_SORT_KEY_SIZE_MAX) return;
    struct world *world = draw_world(run);
    size_t collection = draw_collection(run);
    const struct model *values = &world->collections[collection].values;
    struct subject subject = subject_of(world, collection);
    sheaf_bytes prefix = draw_key_near(&run->source, values, run->key_bytes);
    if (!random_once_in(run->random, 3)) prefix.size = prefix.size < 2 ? prefix.size : random_below(run->random, 3);
    sheaf_bytes delimiter = SHEAF_LIT("/");
    if (run->source.shape->keys != KEYS_PATHS) {
        delimiter = draw_key_near(&run->source, values, run->other_bytes);
        delimiter.size = delimiter.size > 2 ? random_between(run->random, 1, 2) : delimiter.size;
        if (delimiter.size == 0) delimiter = SHEAF_LIT("a");
    }
    compare_children(&subject, prefix, delimiter, random_below(run->random, 2) ? SHEAF_REVERSE : SHEAF_FORWARD);
}

/* A pair outlives writes, sweeps and the passing of time. */
static void open_pair(struct run *run, struct cursor_pair *pair)
{
    size_t collection = draw_collection(run);
    struct subject subject = subject_of(&run->main, collection);
    sheaf_range range = draw_range(&run->source, &run->main.collections[collection].values, &pair->bytes);
    pair->calls = &public_cursor_calls;
    model_cursor_open(&pair->expected, subject.model, &range);
    open_public_cursor(&subject, &pair->real, &range, pair->wide, run->source.shape->key_size_max);
}

static void move_cursor(struct run *run)
{
    struct cursor_pair *pair = &run->pairs[random_below(run->random, PAIR_COUNT)];
    if (random_once_in(run->random, 16)) open_pair(run, pair);
    cursor_pair_move(pair, &run->source);
}

/* ---- writes ----------------------------------------------------------------------------------------------------------- */

/* In the store, or in the fork if there is one. */
static struct world *draw_writable(struct run *run)
{
    return run->fork.store && random_once_in(run->random, 3) ? &run->fork : &run->main;
}

/* Many are equal, some have passed, some are none. Never 0: when the clock is set back to that, nothing has expired. */
static uint64_t draw_due(struct run *run)
{
    uint64_t ahead = random_below(run->random, 400);
    switch (random_below(run->random, 8)) {
    case 0:
    case 1: return SHEAF_NO_DEADLINE;
    case 2: return run->clock > ahead ? run->clock - ahead : 1;
    case 3:
    case 4: return (run->clock + ahead) / 64 * 64 + 64;
    case 5: return random_once_in(run->random, 4) ? SHEAF_NO_DEADLINE - 1 : run->clock + 1;
    default: return run->clock + ahead + 1;
    }
}

/* Does a put to the model; foresees what leaves for it. Returns whether it replaces. */
static bool foresee_put(struct run *run, struct world *world, size_t collection, sheaf_bytes key, sheaf_bytes value,
                        uint64_t due)
{
    struct timed *timed = &world->collections[collection];
    const struct model_entry *before = model_get(&timed->values, key);
    bool replaces = model_has(&timed->seen, key);
    if (before) foresee(run, replaces ? SHEAF_CAUSE_REPLACED : SHEAF_CAUSE_EXPIRED, collection, before);
    if (before && !replaces && world == &run->main) run->expected.expirations++;
    let_in(timed, key, value, due);
    see_collection(run, world, collection);
    return replaces;
}

/* A refused put may have swept what was hidden in its place: that had to go in any case. */
static void follow_refused_put(struct run *run, struct world *world, size_t collection, sheaf_bytes key)
{
    struct timed *timed = &world->collections[collection];
    const struct model_entry *before = model_get(&timed->values, key);
    uint64_t due, clock = run->clock;
    if (!before || model_has(&timed->seen, key)) return;
    run->clock = 0;
    sheaf_status status = sheaf_store_get_deadline(world->read, partition_key(collection), key, &due, NULL);
    run->clock = clock;
    if (status == SHEAF_OK) return;
    foresee(run, SHEAF_CAUSE_EXPIRED, collection, before);
    if (world == &run->main) run->expected.expirations++;
    let_out(timed, key);
    see_collection(run, world, collection);
}

static void put_into(struct run *run, struct world *world, size_t collection)
{
    struct timed *timed = &world->collections[collection];
    sheaf_bytes key = random_once_in(run->random, 3) ? draw_key_near(&run->source, &timed->values, run->key_bytes)
                                                     : draw_key(&run->source, run->key_bytes);
    sheaf_bytes value = draw_value(&run->source), pk = partition_key(collection);
    uint64_t due = draw_due(run);
    bool plainly = due == SHEAF_NO_DEADLINE && random_below(run->random, 2), replaced = false;
    sheaf_status status = plainly ? sheaf_store_put(world->store, pk, key, value, &replaced, NULL)
                                  : sheaf_store_put_until(world->store, pk, key, value, due, &replaced, NULL);
    if (!is_done(run, world, status)) {
        follow_refused_put(run, world, collection, key);
    } else {
        EXPECT(status == SHEAF_OK, "put gave %s", sheaf_status_name(status));
        bool expected = foresee_put(run, world, collection, key, value, due);
        EXPECT(replaced == expected, "replaced is %d", replaced);
    }
    expect_foreseen(run, world, true);
}

static void delete(struct run *run, struct world *world, size_t collection)
{
    struct timed *timed = &world->collections[collection];
    sheaf_bytes key = draw_key_near(&run->source, &timed->values, run->key_bytes);
    sheaf_status status = sheaf_store_delete(world->store, partition_key(collection), key, NULL);
    if (is_done(run, world, status)) {
        const struct model_entry *before = model_get(&timed->seen, key);
        EXPECT(status == (before ? SHEAF_OK : SHEAF_NOT_FOUND), "delete gave %s", sheaf_status_name(status));
        if (before) {
            foresee(run, SHEAF_CAUSE_DELETED, collection, before);
            let_out(timed, key);
            see_collection(run, world, collection);
        }
    }
    expect_foreseen(run, world, true);
}

static void write(struct run *run)
{
    struct world *world = draw_writable(run);
    size_t collection = draw_collection(run);
    size_t count = world->collections[collection].values.count;
    uint32_t live = run->source.shape->live_count;
    bool puts = random_below(run->random, live * 2) >= count || random_once_in(run->random, 4);
    expect_scene.operation = puts ? "put" : "delete";
    if (puts) put_into(run, world, collection);
    else delete(run, world, collection);
}

static void set_deadline(struct run *run)
{
    struct world *world = draw_writable(run);
    size_t collection = draw_collection(run);
    struct timed *timed = &world->collections[collection];
    sheaf_bytes key = draw_key_near(&run->source, &timed->values, run->key_bytes);
    uint64_t due = draw_due(run);
    sheaf_status status = sheaf_store_set_deadline(world->store, partition_key(collection), key, due, NULL);
    if (is_done(run, world, status)) {
        bool seen = model_has(&timed->seen, key);
        EXPECT(status == (seen ? SHEAF_OK : SHEAF_NOT_FOUND), "set deadline gave %s", sheaf_status_name(status));
        if (seen) set_due(timed, key, due);
        see_collection(run, world, collection);
    }
    expect_foreseen(run, world, true);
}

/* Takes a range out of the model, what is hidden in it too; returns the totals of what could be seen. */
static sheaf_totals foresee_cut(struct run *run, struct world *world, size_t collection, const sheaf_range *range)
{
    struct timed *timed = &world->collections[collection];
    struct model_slice slice = model_slice_of(&timed->values, range);
    sheaf_totals seen = model_totals(&timed->seen, model_slice_of(&timed->seen, range));
    for (size_t i = slice.begin; i < slice.end; i++) foresee(run, SHEAF_CAUSE_CUT, collection, &timed->values.entries[i]);
    (void)model_delete_range(&timed->values, range);
    (void)model_delete_range(&timed->dues, range);
    see_collection(run, world, collection);
    return seen;
}

static void delete_range(struct run *run)
{
    struct world *world = draw_writable(run);
    size_t collection = draw_collection(run);
    struct timed *timed = &world->collections[collection];
    sheaf_range range = draw_range(&run->source, &timed->values, &run->range_bytes);
    struct model_slice slice = model_slice_of(&timed->values, &range);
    if (slice.end - slice.begin > 24 && !random_once_in(run->random, 12)) return;
    sheaf_totals deleted = { 77, 77 };
    sheaf_status status = sheaf_store_delete_range(world->store, partition_key(collection), &range, &deleted, NULL);
    if (is_done(run, world, status)) {
        EXPECT(status == SHEAF_OK, "delete range gave %s", sheaf_status_name(status));
        sheaf_totals expected = foresee_cut(run, world, collection, &range);
        EXPECT(deleted.count == expected.count && deleted.bytes == expected.bytes, "%" PRIu64 " deleted, not %" PRIu64,
               deleted.count, expected.count);
    }
    expect_foreseen(run, world, true);
}

static void drop(struct run *run)
{
    struct world *world = draw_writable(run);
    size_t collection = random_between(run->random, 1, COLLECTION_COUNT - 1);
    sheaf_range all = sheaf_range_all();
    sheaf_totals deleted = { 77, 77 };
    sheaf_status status = sheaf_collection_drop(world->store, partition_key(collection), &deleted);
    if (is_done(run, world, status)) {
        size_t seen = world->collections[collection].seen.count;
        EXPECT(status == (seen ? SHEAF_OK : SHEAF_NOT_FOUND), "drop of %zu gave %s", seen, sheaf_status_name(status));
        if (seen > 0) {
            sheaf_totals expected = foresee_cut(run, world, collection, &all);
            EXPECT(deleted.count == expected.count && deleted.bytes == expected.bytes, "%" PRIu64 " dropped", deleted.count);
        }
    }
    expect_foreseen(run, world, true);
}

/* ---- batches and builds ----------------------------------------------------------------------------------------------- */

static sheaf_batch_write draw_write(struct run *run, const struct world *world, size_t i)
{
    size_t collection = draw_collection(run);
    const struct model *values = &world->collections[collection].values;
    sheaf_bytes pk = partition_key(collection), key = draw_key_near(&run->source, values, run->many_bytes[i]);
    switch (random_below(run->random, 12)) {
    case 0: return sheaf_batch_delete_range(pk, draw_range(&run->source, values, &run->many_ranges[i]));
    case 1: return sheaf_batch_drop(partition_key(random_between(run->random, 1, COLLECTION_COUNT - 1)));
    case 2:
    case 3: return sheaf_batch_delete(pk, key);
    default: break;
    }
    sheaf_batch_write put = sheaf_batch_put(pk, key, draw_value(&run->source));
    put.deadline = random_once_in(run->random, 4) ? 0 : draw_due(run);
    return put;
}

static void foresee_write(struct run *run, struct world *world, const sheaf_batch_write *one)
{
    size_t collection = (size_t)(one->partition_key.data[0] - 'a');
    struct timed *timed = &world->collections[collection];
    const struct model_entry *before = model_get(&timed->seen, one->sort_key);
    sheaf_range all = sheaf_range_all();
    switch (one->kind) {
    case SHEAF_BATCH_PUT:
        (void)foresee_put(run, world, collection, one->sort_key, one->value,
                          one->deadline == 0 ? SHEAF_NO_DEADLINE : one->deadline);
        break;
    case SHEAF_BATCH_DELETE:
        if (!before) return;
        foresee(run, SHEAF_CAUSE_DELETED, collection, before);
        let_out(timed, one->sort_key);
        see_collection(run, world, collection);
        break;
    case SHEAF_BATCH_DELETE_RANGE: (void)foresee_cut(run, world, collection, &one->range); break;
    case SHEAF_BATCH_DROP:
        if (timed->seen.count > 0) (void)foresee_cut(run, world, collection, &all);
        break;
    }
}

static void apply_batch(struct run *run)
{
    sheaf_batch_write writes[BATCH_MAX + 1];
    struct world *world = draw_writable(run);
    size_t count = random_between(run->random, 2, BATCH_MAX), refused = 77;
    for (size_t i = 0; i < count; i++) writes[i] = draw_write(run, world, i);
    bool bad = random_once_in(run->random, 6);
    if (bad) writes[count++] = sheaf_batch_delete(sheaf_bytes_of(NULL, 0), SHEAF_LIT("k"));
    sheaf_status status = sheaf_batch_apply(world->store, writes, count, &refused, NULL);
    if (is_done(run, world, status)) {
        EXPECT(status == (bad ? SHEAF_KEY_EMPTY : SHEAF_OK), "batch gave %s", sheaf_status_name(status));
        EXPECT(refused == (bad ? count - 1 : 77), "write %zu was refused", refused);
        for (size_t i = 0; !bad && i < count; i++) foresee_write(run, world, &writes[i]);
    }
    expect_foreseen(run, world, true);
}

static void empty_collection(struct run *run, struct world *world, size_t collection)
{
    sheaf_range all = sheaf_range_all();
    sheaf_status status = sheaf_store_delete_range(world->store, partition_key(collection), &all, NULL, NULL);
    if (is_done(run, world, status)) (void)foresee_cut(run, world, collection, &all);
    expect_foreseen(run, world, true);
}

/* Builds a collection anew from the entries it had; deadlines are drawn again. */
static void build(struct run *run, struct world *world, size_t collection, struct timed *built, const struct model *from)
{
    sheaf_builder *builder = NULL;
    sheaf_status status = sheaf_builder_begin(world->store, partition_key(collection), &builder, NULL);
    if (!is_done(run, world, status)) return;
    EXPECT(status == SHEAF_OK, "nothing in the way");
    for (size_t i = 0; i < from->count; i++) {
        const struct model_entry *entry = &from->entries[i];
        uint64_t due = draw_due(run);
        bool plainly = due == SHEAF_NO_DEADLINE && random_below(run->random, 2);
        status = plainly ? sheaf_builder_add(builder, entry->key, entry->value, NULL)
                         : sheaf_builder_add_until(builder, entry->key, entry->value, due, NULL);
        if (is_done(run, world, status)) let_in(built, entry->key, entry->value, due);
    }
    if (random_once_in(run->random, 6)) {
        sheaf_builder_abort(builder);
        return;
    }
    status = sheaf_builder_finish(builder);
    if (!is_done(run, world, status)) {
        sheaf_builder_abort(builder);
        return;
    }
    EXPECT(status == SHEAF_OK, "nothing in the way");
    for (size_t i = 0; i < built->values.count; i++) {
        sheaf_bytes key = built->values.entries[i].key;
        let_in(&world->collections[collection], key, built->values.entries[i].value, due_of(built, key));
    }
}

static void rebuild(struct run *run)
{
    struct world *world = draw_writable(run);
    size_t collection = draw_collection(run);
    struct timed built = { 0 };
    struct model from = model_copy(&world->collections[collection].values);
    sheaf_builder *builder = NULL;
    if (from.count > 0) { /* hidden entries are in the way, too */
        sheaf_status status = sheaf_builder_begin(world->store, partition_key(collection), &builder, NULL);
        EXPECT(status == SHEAF_EXISTS, "beginning where entries are gave %s", sheaf_status_name(status));
        empty_collection(run, world, collection);
    }
    if (world->collections[collection].values.count == 0) build(run, world, collection, &built, &from);
    see(run, world);
    expect_foreseen(run, world, true);
    model_deinit(&from);
    model_deinit(&built.values);
    model_deinit(&built.dues);
}

/* ---- time ------------------------------------------------------------------------------------------------------------- */

static void move_clock(struct run *run)
{
    if (random_once_in(run->random, 16)) run->clock += random_below(run->random, 600);
    else if (random_once_in(run->random, 12)) run->clock -= random_below(run->random, run->clock > 100 ? 50 : 1);
    else run->clock += random_below(run->random, 12);
    see(run, &run->main);
    if (run->fork.store) see(run, &run->fork);
}

static uint64_t count_expired(const struct world *world, uint64_t now)
{
    uint64_t count = 0;
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        const struct timed *timed = &world->collections[i];
        for (size_t k = 0; k < timed->values.count; k++)
            if (has_expired(due_of(timed, timed->values.entries[k].key), now)) count++;
    }
    return count;
}

/* Takes from a collection of the model what a sweep took: looked up at a time when nothing is hidden yet. */
static void follow_sweep(struct run *run, struct world *world, size_t collection, uint64_t now, sheaf_totals *swept)
{
    struct timed *timed = &world->collections[collection];
    for (size_t i = 0; i < timed->values.count;) {
        struct model_entry entry = timed->values.entries[i];
        uint64_t due;
        sheaf_status status = sheaf_store_get_deadline(world->read, partition_key(collection), entry.key, &due, NULL);
        if (status == SHEAF_OK) {
            EXPECT(due == due_of(timed, entry.key), "a deadline of %" PRIu64 " after a sweep", due);
            i++;
            continue;
        }
        EXPECT(has_expired(due_of(timed, entry.key), now), "what has not expired is not swept");
        foresee(run, SHEAF_CAUSE_EXPIRED, collection, &entry);
        swept->count++;
        swept->bytes += entry.key.size + entry.value.size;
        memcpy(run->other_bytes, entry.key.data, entry.key.size);
        let_out(timed, sheaf_bytes_of(run->other_bytes, entry.key.size));
    }
}

static void sweep(struct run *run)
{
    struct world *world = draw_writable(run);
    uint64_t now = random_once_in(run->random, 6) ? run->clock + random_below(run->random, 40) : run->clock;
    if (random_once_in(run->random, 8)) now = run->clock - random_below(run->random, 40);
    uint64_t most = random_below(run->random, 2) ? 0 : random_between(run->random, 1, 30);
    uint64_t expired = count_expired(world, now);
    sheaf_totals swept = { 77, 77 }, gone = { 0 };
    sheaf_status status = sheaf_store_sweep(world->store, now, most, &swept, NULL);
    bool done = is_done(run, world, status);
    uint64_t clock = run->clock;
    run->clock = 0;
    for (size_t i = 0; i < COLLECTION_COUNT; i++) follow_sweep(run, world, i, now, &gone);
    run->clock = clock;
    see(run, world);
    EXPECT(swept.count == gone.count && swept.bytes == gone.bytes, "%" PRIu64 " swept, %" PRIu64 " gone", swept.count,
           gone.count);
    uint64_t expected = most > 0 && most < expired ? most : expired;
    if (done) EXPECT(status == SHEAF_OK && gone.count == expected, "%" PRIu64 " swept, not %" PRIu64, gone.count, expected);
    if (world == &run->main) run->expected.expirations += gone.count;
    bool whole = done && (most == 0 || expired < most);
    if (run->heap.refusals > 0) whole = false; /* the index may be left as it was */
    if (whole && world == &run->main && sheaf_store_total(world->store).view_count == 0)
        EXPECT(sheaf_store_next_deadline(world->store) > now, "a sweep at %" PRIu64 " has left %" PRIu64, now,
               sheaf_store_next_deadline(world->store));
    expect_foreseen(run, world, false);
}

/* ---- views ------------------------------------------------------------------------------------------------------------ */

static void close_view(struct run *run, size_t i)
{
    sheaf_view_close(run->views[i]);
    run->views[i] = NULL;
    world_end(&run->seen_by[i]);
    if (run->fork_of == i) run->fork_of = VIEW_MAX;
}

static void open_or_close_view(struct run *run)
{
    size_t i = random_below(run->random, VIEW_MAX);
    if (run->views[i]) {
        close_view(run, i);
        return;
    }
    sheaf_status status = sheaf_view_open(run->main.store, &run->views[i], NULL);
    if (!is_done(run, &run->main, status)) return;
    EXPECT(status == SHEAF_OK, "opening a view gave %s", sheaf_status_name(status));
    struct world *world = &run->seen_by[i];
    world->read = sheaf_view_store(run->views[i]);
    world->stopped = true;
    world->stopped_at = run->clock;
    world_begin(run, world, &run->main);
}

static void end_fork(struct run *run)
{
    sheaf_store_destroy(run->fork.store);
    world_end(&run->fork);
}

/* A view's entries under the clock that goes on. */
static void begin_or_end_fork(struct run *run)
{
    size_t i = random_below(run->random, VIEW_MAX);
    if (run->fork.store) {
        end_fork(run);
    } else if (run->views[i]) {
        sheaf_status status = sheaf_store_fork(run->views[i], &run->fork.store, NULL);
        if (!is_done(run, &run->fork, status)) return;
        EXPECT(status == SHEAF_OK, "a fork gave %s", sheaf_status_name(status));
        run->fork.read = run->fork.store;
        run->fork_of = i;
        world_begin(run, &run->fork, &run->seen_by[i]);
    }
}

/* What is not there then leaves, and what is with another value; another deadline alone is nothing to tell of. */
static void foresee_restore(struct run *run, const struct world *then)
{
    for (size_t i = 0; i < COLLECTION_COUNT; i++) {
        const struct model *now = &run->main.collections[i].values;
        for (size_t k = 0; k < now->count; k++) {
            const struct model_entry *entry = &now->entries[k];
            const struct model_entry *other = model_get(&then->collections[i].values, entry->key);
            if (!other) foresee(run, SHEAF_CAUSE_CUT, i, entry);
            else if (!model_same(entry->value, other->value)) foresee(run, SHEAF_CAUSE_REPLACED, i, entry);
        }
    }
}

static void restore(struct run *run)
{
    size_t i = random_below(run->random, VIEW_MAX);
    if (run->fork.store && run->fork_of < VIEW_MAX && random_below(run->random, 2)) {
        i = run->fork_of;
        EXPECT(sheaf_store_restore(run->fork.store, run->views[i], NULL) == SHEAF_OK, "back to the base");
        world_begin(run, &run->fork, &run->seen_by[i]);
        return;
    }
    if (!run->views[i]) return;
    sheaf_status status = sheaf_store_restore(run->main.store, run->views[i], NULL);
    if (is_done(run, &run->main, status)) {
        EXPECT(status == SHEAF_OK, "restore gave %s", sheaf_status_name(status));
        foresee_restore(run, &run->seen_by[i]);
        world_begin(run, &run->main, &run->seen_by[i]);
    }
    expect_foreseen(run, &run->main, false);
}

static void evict(struct run *run)
{
    if (!run->variant.cache) return;
    uint64_t charged_bytes = sheaf_store_total(run->main.store).charged_bytes;
    sheaf_status status = sheaf_store_evict(run->main.store, charged_bytes - random_below(run->random, 4000));
    EXPECT(status == SHEAF_OK || status == SHEAF_NOT_FOUND, "evict gave %s", sheaf_status_name(status));
    follow_evictions(run);
    expect_foreseen(run, &run->main, true);
}

/* ---- a run ------------------------------------------------------------------------------------------------------------ */

/* One request to come, or it and all after it. */
static void refuse_some(struct run *run)
{
    uint64_t request = run->heap.requests + random_below(run->random, 10);
    if (random_below(run->random, 2)) run->heap.fail_from = request;
    else run->heap.fail_at = request;
}

static void operate(struct run *run)
{
    static const struct {
        uint32_t weight;
        const char *name;
        void (*run)(struct run *run);
        bool writes; /* then the allocator refuses now and then */
    } operations[] = {
        { 110, "write", write, true },
        { 12, "set deadline", set_deadline, true },
        { 20, "move the clock", move_clock, false },
        { 8, "sweep", sweep, true },
        { 30, "move a cursor", move_cursor, false },
        { 20, "point reads", read_points, false },
        { 6, "many point reads", read_many, false },
        { 12, "range reads", read_range, false },
        { 14, "page", read_page, false },
        { 4, "children", read_children, false },
        { 5, "delete range", delete_range, true },
        { 1, "drop", drop, true },
        { 5, "batch", apply_batch, true },
        { 1, "rebuild", rebuild, true },
        { 3, "open or close a view", open_or_close_view, true },
        { 2, "begin or end a fork", begin_or_end_fork, true },
        { 2, "restore", restore, true },
        { 1, "evict", evict, false },
    };
    uint32_t choice = random_below(run->random, 256);
    size_t i = 0;
    while (choice >= operations[i].weight) choice -= operations[i++].weight;
    expect_scene.operation = operations[i].name;
    run->heap.refusals = 0;
    if (operations[i].writes && random_once_in(run->random, 12)) refuse_some(run);
    operations[i].run(run);
    test_heap_relent(&run->heap);
}

static uint64_t tell_time(void *context)
{
    return *(const uint64_t *)context;
}

static void begin(struct run *run, struct random *random, const struct exercise_plan *plan, struct variant variant)
{
    run->random = random;
    run->variant = variant;
    run->clock = STARTS_AT;
    run->fork_of = VIEW_MAX;
    shape_source_init(&run->source, plan->shape, random);
    run->heap = test_heap_new();
    run->heap.size_classes = plan->size_classes;
    sheaf_allocator hooks = test_heap_hooks(&run->heap);
    sheaf_expiry_options expiry = { .rule = variant.rule };
    if (variant.rule == SHEAF_EXPIRY_HIDDEN) {
        expiry.now = tell_time;
        expiry.context = &run->clock;
    }
    sheaf_cache_options cache = { .eviction = variant.eviction };
    sheaf_event_options events = { .callback = on_event, .context = run };
    sheaf_store_options options = { .allocator = &hooks,
                                    .sort_key_size_max = plan->shape->key_size_max,
                                    .value_size_max = SHAPE_VALUE_SIZE_MAX,
                                    .allow_empty_sort_key = true,
                                    .hash_seed = 7,
                                    .cache = variant.cache ? &cache : NULL,
                                    .events = variant.events ? &events : NULL,
                                    .expiry = &expiry };
    EXPECT(sheaf_store_create(&options, &run->main.store, NULL) == SHEAF_OK, "no memory is refused");
    run->main.read = run->main.store;
    for (size_t i = 0; i < PAIR_COUNT; i++) open_pair(run, &run->pairs[i]);
}

/* Fills the store; a cache is given less than that takes, but room for what one insertion moves, and for events. */
static void fill(struct run *run)
{
    uint64_t empty_bytes = sheaf_store_total(run->main.store).charged_bytes;
    expect_scene.operation = "fill";
    for (uint32_t i = 0; i < run->source.shape->live_count; i++) put_into(run, &run->main, draw_collection(run));
    if (!run->variant.cache) return;
    uint64_t used_bytes = sheaf_store_total(run->main.store).charged_bytes - empty_bytes;
    uint64_t least = 50000 + 16 * (uint64_t)run->source.shape->key_size_max;
    uint64_t budget_bytes = empty_bytes + (used_bytes < least ? least : used_bytes);
    EXPECT(sheaf_store_set_budget(run->main.store, budget_bytes, NULL) == SHEAF_OK, "a budget");
    follow_evictions(run);
    expect_foreseen(run, &run->main, true);
}

static void end(struct run *run)
{
    expect_scene.operation = "the end";
    compare_all(run);
    if (run->fork.store) end_fork(run);
    for (size_t i = 0; i < VIEW_MAX; i++)
        if (run->views[i]) close_view(run, i);
    sheaf_totals swept;
    EXPECT(sheaf_store_sweep(run->main.store, SHEAF_NO_DEADLINE, 0, &swept, NULL) == SHEAF_OK, "a sweep of all");
    EXPECT(swept.count == count_expired(&run->main, SHEAF_NO_DEADLINE), "%" PRIu64 " swept at last", swept.count);
    EXPECT(sheaf_store_next_deadline(run->main.store) == SHEAF_NO_DEADLINE, "no deadlines are left");
    check_store(run->main.store);
    sheaf_store_destroy(run->main.store);
    EXPECT(run->heap.live_blocks == 0, "%" PRIu64 " blocks leaked", run->heap.live_blocks);
    forget(&run->told);
    free(run->told.items);
    free(run->foreseen.items);
    world_end(&run->main);
    free(run);
}

static void run_variant(struct random *random, const struct exercise_plan *plan, struct variant variant)
{
    struct run *run = calloc(1, sizeof *run);
    EXPECT(run, "memory for the test");
    begin(run, random, plan, variant);
    fill(run);
    for (uint64_t step = 0; step < plan->step_count; step++) {
        expect_scene.step = step;
        operate(run);
        compare_sums(run, &run->main);
        compare_next_deadline(&run->main);
        if (run->fork.store) compare_next_deadline(&run->fork);
        if (step % plan->check_every == 0) compare_all(run);
    }
    /* A short run may be refused much, by chance. */
    EXPECT(plan->step_count < 1000 || run->refused_count * 4 < plan->step_count, "%" PRIu64 " calls were refused", run->refused_count);
    end(run);
}

static void expiry_exercise(struct random *random, const struct exercise_plan *plan)
{
    static const sheaf_eviction policies[] = { SHEAF_EVICTION_FREQUENCY, SHEAF_EVICTION_RECENCY, SHEAF_EVICTION_COLLECTION,
                                               SHEAF_EVICTION_FAR_END };
    static const sheaf_expiry_rule rules[] = { SHEAF_EXPIRY_HIDDEN, SHEAF_EXPIRY_READABLE };
    uint32_t offset = random_below(random, 4);
    for (uint32_t i = 0; i < 2; i++) {
        run_variant(random, plan, (struct variant){ .rule = rules[i] });
        run_variant(random, plan, (struct variant){ .rule = rules[i], .events = true });
        sheaf_eviction eviction = policies[(offset + i) % 4];
        run_variant(random, plan, (struct variant){ .rule = rules[i], .events = true, .cache = true, .eviction = eviction });
    }
}

ParameterizedTestParameters(expiry_model, of_every_shape)
{
    return each_shape();
}

ParameterizedTest(const size_t *shape, expiry_model, of_every_shape)
{
    struct exercise_plan plan = { .shape = &shapes[*shape],
                                  .step_count = 2500,
                                  .check_every = 100,
                                  .size_classes = *shape % 2 == 0 };
    run_exercise(expiry_exercise, "expiry_model/of_every_shape", 20261201 + *shape, plan);
}
