/*
 * stress_shared.c - threads that write, read, load, scan, open views, batch, evict, expire and sweep at once in one shared store.
 *
 *     stress_shared [WRITES]          of each writer, twice: first in a store that keeps everything, then in a cache with deadlines
 *
 * Every read must give a value that was current at some moment between its start and its end (history.h). What is pinned stays as
 * it is, byte for byte, until it is let go. A view is one moment: each key in it was current as it was opened, a batch is in it
 * whole or not at all, and it reads the same for as long as it is open. In the cache keys may be missing, but of every value
 * that was put either it is there at the end, or its removal was told of once. Exit code 0: all was right.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/shared/shared.h"
#include "tests/support/expect.h"
#include "tests/support/random.h"
#include "tests/thread/history.h"

enum {
    READERS = 2,
    VIEWS = 4,      /* open at a time */
    SET_SIZE = 12,  /* of the keys that a writer only ever writes together, one in each of so many collections */
    RANGE_SIZE = 8, /* of keys deleted at once */
    SHARDS = 4,
    BUDGET_BYTES = 300 * 1000, /* of the cache: half of what all keys and the views of them take */
};

static struct {
    sheaf_shared *shared;
    bool lossy; /* a cache with deadlines */
    atomic_ulong clock;
    atomic_bool finished;
    atomic_ulong put_count, event_count, read_count, view_count;
} stage;

struct actor {
    pthread_t thread;
    struct random random;
    uint32_t number;
    uint64_t writes;
    uint8_t buffer[VALUE_MAX];
};

/* Whether a write was done. In the cache the views may leave no room for it; its version may be begun once more. */
static bool is_done(sheaf_status status, const char *what)
{
    if (stage.lossy && status == SHEAF_OVER_BUDGET) return false;
    EXPECT(status == SHEAF_OK || status == SHEAF_NOT_FOUND, "%s gave %s", what, sheaf_status_name(status));
    return true;
}

/* ---- writers ------------------------------------------------------------------------------------------------------------ */

/* The keys that a writer writes together: his last one in each of the first collections. */
static uint32_t set_key(uint32_t writer, uint32_t index)
{
    uint32_t collection = index + index / 7; /* not those that are one writer's alone */
    return collection * KEYS_EACH + (writer + 1) * KEYS_EACH / WRITERS - 1;
}

static bool is_in_set(uint32_t key)
{
    return !is_whole(collection_of(key)) && (key + 1) % (KEYS_EACH / WRITERS) == 0;
}

static uint32_t draw_own_key(struct actor *actor)
{
    for (;;) {
        uint32_t key = random_below(&actor->random, KEYS);
        if (writer_of(key) == actor->number && !is_in_set(key)) return key;
    }
}

static void put(struct actor *actor, uint32_t key)
{
    struct name collection = collection_name(collection_of(key)), name = key_name(key);
    uint32_t version = history_next(key, false);
    bool replaced, was_there = !is_absent(history_now(key));
    sheaf_bytes value = value_for(key, version, actor->buffer);
    history_start(key, version);
    uint64_t deadline = atomic_load(&stage.clock) + random_below(&actor->random, 200);
    sheaf_status status = stage.lossy && random_below(&actor->random, 2)
                              ? sheaf_shared_put_until(stage.shared, name_bytes(&collection), name_bytes(&name), value, deadline,
                                                       &replaced, NULL)
                              : sheaf_shared_put(stage.shared, name_bytes(&collection), name_bytes(&name), value, &replaced, NULL);
    if (!is_done(status, "a put")) return;
    history_finish(key, version);
    EXPECT(stage.lossy ? !replaced || was_there : replaced == was_there, "key %u was %sthere", key, was_there ? "" : "not ");
    atomic_fetch_add(&stage.put_count, 1);
}

static void delete_one(uint32_t key)
{
    struct name collection = collection_name(collection_of(key)), name = key_name(key);
    bool was_there = !is_absent(history_now(key));
    uint32_t version = was_there ? history_next(key, true) : history_now(key);
    history_start(key, version);
    sheaf_status status = sheaf_shared_delete(stage.shared, name_bytes(&collection), name_bytes(&name), NULL);
    if (!is_done(status, "a delete")) return;
    history_finish(key, version);
    EXPECT(stage.lossy || (status == SHEAF_OK) == was_there, "key %u was %sthere", key, was_there ? "" : "not ");
}

/* Starts the absence of keys from `begin` on; returns how many were there. */
static uint64_t start_absence(uint32_t begin, uint32_t count, uint32_t *out_versions)
{
    uint64_t there = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool was_there = !is_absent(history_now(begin + i));
        out_versions[i] = was_there ? history_next(begin + i, true) : history_now(begin + i);
        history_start(begin + i, out_versions[i]);
        there += was_there;
    }
    return there;
}

/* Side by side, all the writer's own and none of his set. */
static void delete_range(struct actor *actor)
{
    uint32_t begin = draw_own_key(actor) / RANGE_SIZE * RANGE_SIZE, versions[RANGE_SIZE];
    if (is_in_set(begin + RANGE_SIZE - 1)) return;
    struct name collection = collection_name(collection_of(begin));
    struct name low = key_name(begin), high = key_name(begin + RANGE_SIZE - 1);
    sheaf_range range = sheaf_range_between(name_bytes(&low), name_bytes(&high));
    sheaf_totals deleted;
    uint64_t there = start_absence(begin, RANGE_SIZE, versions);
    sheaf_status status = sheaf_shared_delete_range(stage.shared, name_bytes(&collection), &range, &deleted, NULL);
    if (!is_done(status, "a cut")) return;
    for (uint32_t i = 0; i < RANGE_SIZE; i++) history_finish(begin + i, versions[i]);
    EXPECT(stage.lossy ? deleted.count <= there : deleted.count == there, "%u deleted", (unsigned)deleted.count);
}

static void drop_collection(struct actor *actor)
{
    uint32_t collection = (actor->number + WRITERS * random_below(&actor->random, 2)) * 8 + 7, versions[KEYS_EACH];
    struct name name = collection_name(collection);
    uint64_t there = start_absence(collection * KEYS_EACH, KEYS_EACH, versions);
    sheaf_status status = sheaf_shared_collection_drop(stage.shared, name_bytes(&name), NULL);
    if (!is_done(status, "a drop")) return;
    for (uint32_t i = 0; i < KEYS_EACH; i++) history_finish(collection * KEYS_EACH + i, versions[i]);
    EXPECT(stage.lossy || (status == SHEAF_OK) == (there > 0), "a drop gave %s", sheaf_status_name(status));
}

/* All keys of the set at once, each with its next version; now and then with a write that no store accepts: then none. */
static void write_set(struct actor *actor)
{
    static uint8_t values[WRITERS][SET_SIZE][VALUE_MAX];
    struct name collections[SET_SIZE], names[SET_SIZE];
    sheaf_batch_write writes[SET_SIZE + 1];
    bool refused = random_once_in(&actor->random, 4);
    uint32_t version = history_next(set_key(actor->number, 0), false);
    for (uint32_t i = 0; i < SET_SIZE; i++) {
        uint32_t key = set_key(actor->number, i);
        collections[i] = collection_name(collection_of(key));
        names[i] = key_name(key);
        writes[i] = sheaf_batch_put(name_bytes(&collections[i]), name_bytes(&names[i]),
                                    value_for(key, version, values[actor->number][i]));
        if (!refused) history_start(key, version);
    }
    writes[SET_SIZE] = sheaf_batch_drop(sheaf_bytes_of(names, refused ? SHEAF_PARTITION_KEY_SIZE_MAX + 1 : 1));
    if (!refused) writes[SET_SIZE].partition_key = SHEAF_LIT("nothing there");
    sheaf_status status = sheaf_shared_batch_apply(stage.shared, writes, SET_SIZE + 1, NULL, NULL);
    EXPECT((status == SHEAF_KEY_TOO_LONG) == refused, "a batch gave %s", sheaf_status_name(status));
    if (refused || !is_done(status, "a batch")) return;
    for (uint32_t i = 0; i < SET_SIZE; i++) history_finish(set_key(actor->number, i), version);
    atomic_fetch_add(&stage.put_count, SET_SIZE);
}

static void *run_writer(void *argument)
{
    struct actor *actor = argument;
    for (uint64_t i = 0; i < actor->writes; i++) {
        uint32_t choice = random_below(&actor->random, 100);
        if (choice < 65) put(actor, draw_own_key(actor));
        else if (choice < 85) delete_one(draw_own_key(actor));
        else if (choice < 90) delete_range(actor);
        else if (choice < 91) drop_collection(actor);
        else write_set(actor);
    }
    return NULL;
}

/* ---- readers ------------------------------------------------------------------------------------------------------------ */

/* Finds nothing: so a read that has what it misses loaded gives what one without would. */
static sheaf_status find_nothing(void *context, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_loaded *out_loaded)
{
    (void)partition_key, (void)sort_key, (void)out_loaded;
    EXPECT(++*(int *)context == 1, "a loader is called once");
    return SHEAF_NOT_FOUND;
}

static void read_one(struct actor *actor)
{
    uint32_t key = random_below(&actor->random, KEYS), version = ABSENT;
    struct name collection = collection_name(collection_of(key)), name = key_name(key);
    size_t size = 0;
    int load_count = 0;
    uint32_t earliest = history_earliest(key);
    sheaf_status status =
        random_once_in(&actor->random, 4)
            ? sheaf_shared_get_or_load(stage.shared, name_bytes(&collection), name_bytes(&name), find_nothing, &load_count,
                                       actor->buffer, VALUE_MAX, &size, NULL)
            : sheaf_shared_get(stage.shared, name_bytes(&collection), name_bytes(&name), actor->buffer, VALUE_MAX, &size, NULL);
    uint32_t latest = history_latest(key);
    EXPECT(status == (load_count > 0 ? SHEAF_NOT_FOUND : SHEAF_OK) || status == SHEAF_NOT_FOUND, "a get gave %s",
           sheaf_status_name(status));
    if (status == SHEAF_OK) version = version_in(key, sheaf_bytes_of(actor->buffer, size));
    history_expect(key, version, earliest, latest, stage.lossy);
}

/* What a scan finds of a collection: versions, and where the values lie. */
struct found {
    uint32_t versions[KEYS_EACH];
    sheaf_bytes values[KEYS_EACH];
    uint64_t count;
};

/* `still`: so does the clock. */
static void scan(const sheaf_store *store, uint32_t collection, bool still, struct found *found)
{
    struct name name = collection_name(collection);
    sheaf_cursor cursor;
    sheaf_totals totals;
    *found = (struct found){ 0 };
    EXPECT(sheaf_cursor_open(&cursor, store, name_bytes(&name), NULL, NULL) == SHEAF_OK, "opening a cursor");
    for (bool at = sheaf_cursor_first(&cursor); at; at = sheaf_cursor_next(&cursor)) {
        uint32_t key = key_named(collection, cursor.key);
        found->versions[key % KEYS_EACH] = version_in(key, cursor.value);
        found->values[key % KEYS_EACH] = cursor.value;
        found->count++;
    }
    EXPECT(sheaf_range_total(store, name_bytes(&name), NULL, &totals, NULL) == SHEAF_OK, "the sums");
    EXPECT(still ? totals.count == found->count : totals.count <= found->count, "%u entries read", (unsigned)found->count);
}

static void read_pinned(struct actor *actor)
{
    uint32_t collection = random_below(&actor->random, COLLECTIONS), earliest[KEYS_EACH];
    struct name name = collection_name(collection);
    struct found found;
    sheaf_pin pin;
    for (uint32_t i = 0; i < KEYS_EACH; i++) earliest[i] = history_earliest(collection * KEYS_EACH + i);
    scan(sheaf_shared_pin(stage.shared, name_bytes(&name), &pin), collection, !stage.lossy, &found);
    if (random_once_in(&actor->random, 4)) (void)sched_yield();
    for (uint32_t i = 0; i < KEYS_EACH; i++) /* whoever overwrites, deletes or evicts them waits */
        if (found.versions[i] != ABSENT) (void)version_in(collection * KEYS_EACH + i, found.values[i]);
    sheaf_shared_unpin(&pin);
    for (uint32_t i = 0; i < KEYS_EACH; i++) {
        uint32_t key = collection * KEYS_EACH + i;
        history_expect(key, found.versions[i], earliest[i], history_latest(key), stage.lossy);
    }
}

/* Keys that a writer only writes together, and any. Those of one shard are read at one moment: of a batch all or none. */
static void read_many(struct actor *actor)
{
    enum { GET_COUNT = SET_SIZE + 20 };
    static uint8_t buffers[READERS][GET_COUNT * VALUE_MAX];
    struct name collections[GET_COUNT], names[GET_COUNT];
    uint32_t keys[GET_COUNT], earliest[GET_COUNT], versions[GET_COUNT], of_shard[SHARDS] = { 0 };
    bool any[SHARDS] = { false };
    sheaf_get gets[GET_COUNT];
    size_t found = 0, size = 0, writer = random_below(&actor->random, WRITERS);
    for (uint32_t i = 0; i < GET_COUNT; i++) {
        keys[i] = i < SET_SIZE ? set_key((uint32_t)writer, i) : random_below(&actor->random, KEYS);
        collections[i] = collection_name(collection_of(keys[i]));
        names[i] = key_name(keys[i]);
        gets[i] = (sheaf_get){ .partition_key = name_bytes(&collections[i]), .sort_key = name_bytes(&names[i]) };
        earliest[i] = history_earliest(keys[i]);
    }
    size_t copied = sheaf_shared_get_many(stage.shared, gets, GET_COUNT, buffers[actor->number], sizeof buffers[0], &size);
    for (uint32_t i = 0; i < GET_COUNT; i++) {
        EXPECT(gets[i].status == SHEAF_OK || gets[i].status == SHEAF_NOT_FOUND, "a get gave %s", sheaf_status_name(gets[i].status));
        versions[i] = gets[i].status == SHEAF_OK ? version_in(keys[i], gets[i].value_view) : ABSENT;
        history_expect(keys[i], versions[i], earliest[i], history_latest(keys[i]), stage.lossy);
        found += gets[i].status == SHEAF_OK;
        size -= gets[i].status == SHEAF_OK ? gets[i].value_view.size : 0;
    }
    EXPECT(found == copied && size == 0, "%u found", (unsigned)found);
    for (uint32_t i = 0; i < SET_SIZE; i++) {
        uint64_t place = sheaf_shared_place(stage.shared, gets[i].partition_key);
        if (stage.lossy && versions[i] == ABSENT) continue;
        EXPECT(!any[place] || of_shard[place] == versions[i], "half a batch: %u, %u", of_shard[place], versions[i]);
        any[place] = true;
        of_shard[place] = versions[i];
    }
}

static void read_page(struct actor *actor)
{
    uint32_t collection = random_below(&actor->random, COLLECTIONS), earliest[KEYS_EACH];
    struct name name = collection_name(collection);
    sheaf_page_request request = { .limit = 1 + random_below(&actor->random, 20),
                                   .direction = random_below(&actor->random, 2) ? SHEAF_REVERSE : SHEAF_FORWARD };
    sheaf_page page;
    for (uint32_t i = 0; i < KEYS_EACH; i++) earliest[i] = history_earliest(collection * KEYS_EACH + i);
    EXPECT(sheaf_shared_page_read(stage.shared, name_bytes(&name), &request, &page, NULL, NULL) == SHEAF_OK, "a page");
    for (size_t i = 0; i < page.count; i++) {
        uint32_t key = key_named(collection, page.entries[i].key);
        uint32_t version = version_in(key, page.entries[i].value);
        history_expect(key, version, earliest[key % KEYS_EACH], history_latest(key), stage.lossy);
    }
    sheaf_page_release(&page);
}

static void *run_reader(void *argument)
{
    struct actor *actor = argument;
    while (!atomic_load(&stage.finished)) {
        uint32_t choice = random_below(&actor->random, 100);
        if (choice < 70) read_one(actor);
        else if (choice < 80) read_many(actor);
        else if (choice < 90) read_pinned(actor);
        else read_page(actor);
        atomic_fetch_add(&stage.read_count, 1);
    }
    return NULL;
}

/* ---- views, and what concerns the whole --------------------------------------------------------------------------------- */

/* A view, and what may be in it. */
struct kept {
    sheaf_shared_view *view; /* NULL: the place is free */
    uint32_t earliest[KEYS];
    uint32_t latest[KEYS];
    uint64_t sum; /* of all that was found the first time; 0: not read yet */
};

static void open_view(struct kept *kept)
{
    for (uint32_t key = 0; key < KEYS; key++) kept->earliest[key] = history_earliest(key);
    sheaf_status status = sheaf_shared_view_open(stage.shared, &kept->view, NULL);
    EXPECT(status == SHEAF_OK || (stage.lossy && status == SHEAF_OVER_BUDGET), "a view: %s", sheaf_status_name(status));
    if (status != SHEAF_OK) kept->view = NULL;
    for (uint32_t key = 0; key < KEYS; key++) kept->latest[key] = history_latest(key);
    kept->sum = 0;
}

static uint32_t find_in_view(const sheaf_shared_view *view, uint32_t key)
{
    struct name collection = collection_name(collection_of(key)), name = key_name(key);
    const sheaf_store *store = sheaf_shared_view_store(view, name_bytes(&collection));
    sheaf_bytes value;
    sheaf_status status = sheaf_store_get(store, name_bytes(&collection), name_bytes(&name), &value, NULL);
    return status == SHEAF_OK ? version_in(key, value) : ABSENT;
}

static void expect_whole_sets(const sheaf_shared_view *view)
{
    for (uint32_t writer = 0; writer < WRITERS; writer++) {
        uint32_t version = ABSENT;
        for (uint32_t i = 0; i < SET_SIZE; i++) {
            uint32_t found = find_in_view(view, set_key(writer, i));
            if (stage.lossy && found == ABSENT) continue;
            EXPECT(i == 0 || version == found || (stage.lossy && version == ABSENT), "half a batch: %u, %u", version, found);
            version = found;
        }
    }
}

static void read_view(struct kept *kept)
{
    uint64_t sum = 1, entry_count = 0, collection_count = 0;
    struct found found;
    for (uint32_t collection = 0; collection < COLLECTIONS; collection++) {
        struct name name = collection_name(collection);
        scan(sheaf_shared_view_store(kept->view, name_bytes(&name)), collection, true, &found);
        for (uint32_t i = 0; i < KEYS_EACH; i++) {
            uint32_t key = collection * KEYS_EACH + i;
            history_expect(key, found.versions[i], kept->earliest[key], kept->latest[key], stage.lossy);
            sum = sum * 31 + found.versions[i];
        }
        entry_count += found.count;
    }
    EXPECT(kept->sum == 0 || kept->sum == sum, "a view has changed");
    kept->sum = sum;
    EXPECT(sheaf_shared_view_total(kept->view).entry_count == entry_count, "the view's sums");
    sheaf_collection_info info;
    const sheaf_bytes *after = NULL;
    for (; sheaf_shared_view_next(kept->view, after, &info) == SHEAF_OK; after = &info.partition_key_view) collection_count++;
    EXPECT(sheaf_shared_view_total(kept->view).collection_count == collection_count, "the view's collections");
    expect_whole_sets(kept->view);
    atomic_fetch_add(&stage.view_count, 1);
}

static void look_at_whole(struct random *random)
{
    sheaf_fault fault = { 0 };
    sheaf_store_totals totals = sheaf_shared_total(stage.shared);
    EXPECT(totals.budget_bytes == (stage.lossy ? BUDGET_BYTES : 0), "the budget");
    if (random_once_in(random, 10)) EXPECT(sheaf_shared_check(stage.shared, &fault), "%s", fault.rule);
    if (stage.lossy) {
        uint64_t now = atomic_fetch_add(&stage.clock, 1);
        sheaf_status status = sheaf_shared_sweep(stage.shared, now, random_below(random, 100), NULL, NULL);
        EXPECT(status == SHEAF_OK || status == SHEAF_OVER_BUDGET, "a sweep gave %s", sheaf_status_name(status));
    }
    if (stage.lossy && random_once_in(random, 20)) {
        (void)sheaf_shared_evict(stage.shared, totals.charged_bytes - totals.charged_bytes / 20);
        EXPECT(sheaf_shared_set_budget(stage.shared, BUDGET_BYTES, NULL) == SHEAF_OK, "the same budget again");
    }
}

static void *run_keeper(void *argument)
{
    struct actor *actor = argument;
    struct kept *all = calloc(VIEWS, sizeof *all);
    EXPECT(all, "memory");
    while (!atomic_load(&stage.finished)) {
        struct kept *kept = &all[random_below(&actor->random, VIEWS)];
        if (!kept->view) {
            open_view(kept);
        } else if (random_below(&actor->random, 3) > 0) {
            read_view(kept);
        } else {
            sheaf_shared_view_close(kept->view);
            kept->view = NULL;
        }
        look_at_whole(&actor->random);
    }
    for (uint32_t i = 0; i < VIEWS; i++) {
        if (!all[i].view) continue;
        read_view(&all[i]);
        sheaf_shared_view_close(all[i].view);
    }
    free(all);
    return NULL;
}

/* ---- the run ------------------------------------------------------------------------------------------------------------ */

static uint64_t read_clock(void *context)
{
    (void)context;
    return atomic_load(&stage.clock);
}

static void on_event(void *context, const sheaf_event *event)
{
    uint32_t collection = 0;
    (void)context;
    for (size_t i = 6; i < event->partition_key.size; i++) collection = collection * 10 + (event->partition_key.data[i] - (uint32_t)'0');
    (void)version_in(key_named(collection, event->sort_key), event->value);
    atomic_fetch_add(&stage.event_count, 1);
}

static void expect_end(void)
{
    sheaf_fault fault = { 0 };
    if (stage.lossy) EXPECT(sheaf_shared_sweep(stage.shared, atomic_load(&stage.clock), 0, NULL, NULL) == SHEAF_OK, "a sweep");
    sheaf_store_totals totals = sheaf_shared_total(stage.shared);
    EXPECT(sheaf_shared_check(stage.shared, &fault), "%s", fault.rule);
    EXPECT(totals.view_count == 0 && totals.retained_bytes == 0, "nothing is retained without views");
    EXPECT(atomic_load(&stage.put_count) == atomic_load(&stage.event_count) + totals.entry_count,
           "%lu values put, %lu told of, %lu there", atomic_load(&stage.put_count), atomic_load(&stage.event_count),
           (unsigned long)totals.entry_count);
    for (uint32_t key = 0; key < KEYS; key++) {
        struct name collection = collection_name(collection_of(key)), name = key_name(key);
        uint8_t buffer[VALUE_MAX];
        size_t size = 0;
        sheaf_status status =
            sheaf_shared_get(stage.shared, name_bytes(&collection), name_bytes(&name), buffer, VALUE_MAX, &size, NULL);
        uint32_t version = status == SHEAF_OK ? version_in(key, sheaf_bytes_of(buffer, size)) : ABSENT;
        history_expect(key, version, history_now(key), history_now(key), stage.lossy);
    }
}

static void start(struct actor *actor, void *(*run)(void *), uint32_t number, uint64_t writes, uint64_t seed)
{
    actor->random = random_from_seed(seed + number * 1000);
    actor->number = number;
    actor->writes = writes;
    EXPECT(pthread_create(&actor->thread, NULL, run, actor) == 0, "a thread");
}

static void run_with(const sheaf_shared_options *options, uint64_t writes, uint64_t seed)
{
    static struct actor writers[WRITERS], readers[READERS], keeper;
    EXPECT(sheaf_shared_create(options, &stage.shared, NULL) == SHEAF_OK, "memory for a store");
    for (uint32_t key = 0; key < KEYS; key++) history_start(key, 0), history_finish(key, 0);
    stage.lossy = options->store.cache != NULL;
    atomic_store(&stage.finished, false);
    atomic_store(&stage.put_count, 0);
    atomic_store(&stage.event_count, 0);
    for (uint32_t i = 0; i < WRITERS; i++) start(&writers[i], run_writer, i, writes, seed);
    for (uint32_t i = 0; i < READERS; i++) start(&readers[i], run_reader, i, 0, seed + 1);
    start(&keeper, run_keeper, 0, 0, seed + 2);
    for (uint32_t i = 0; i < WRITERS; i++) EXPECT(pthread_join(writers[i].thread, NULL) == 0, "its end");
    atomic_store(&stage.finished, true);
    for (uint32_t i = 0; i < READERS; i++) EXPECT(pthread_join(readers[i].thread, NULL) == 0, "its end");
    EXPECT(pthread_join(keeper.thread, NULL) == 0, "its end");
    expect_end();
    sheaf_shared_destroy(stage.shared);
    printf("%s: %lu reads and %lu views read beside %llu writes; %lu of %lu values have left\n",
           stage.lossy ? "cache" : "store", atomic_load(&stage.read_count), atomic_load(&stage.view_count),
           (unsigned long long)writes * WRITERS, atomic_load(&stage.event_count), atomic_load(&stage.put_count));
}

int main(int argument_count, char **arguments)
{
    uint64_t writes = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : random_scaled(60000);
    uint64_t seed = random_seed("stress_shared", 20261201);
    sheaf_event_options events = { .callback = on_event };
    sheaf_cache_options rules = { .scans_are_uses = true };
    sheaf_shared_options store = { .store = { .events = &events }, .shard_count = SHARDS };
    sheaf_expiry_options expiry = { .rule = SHEAF_EXPIRY_HIDDEN, .now = read_clock };
    sheaf_shared_options cache = {
        .store = { .events = &events, .cache = &rules, .budget_bytes = BUDGET_BYTES, .expiry = &expiry }, .shard_count = SHARDS
    };
    run_with(&store, writes, seed);
    run_with(&cache, writes, seed);
    return 0;
}
