/*
 * stress_load.c - many threads miss the same keys and have them computed, while others change what they are computed from.
 *
 *     stress_load [CHANGES]           twice: in a store that keeps everything, then in a cache with deadlines
 *
 * The source of each key is a number that only grows. Who changes it raises the number and then deletes the key, alone, by
 * prefix, in a batch or with its collection; once that has returned nobody may be given an older number, whatever was being
 * computed meanwhile. A key is never computed by two threads at once unless it was deleted in between; a source that is "down"
 * fails, and all who wait are told. In the cache values also go by themselves, because they expire, are swept or evicted, and are
 * computed again. Exit code 0: all was right.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "tests/support/expect.h"
#include "tests/support/random.h"

enum { SHELVES = 4, KEYS_EACH = 4, KEYS = SHELVES * KEYS_EACH, READERS = 3, DOWN_EVERY = 50 };

/* Of the cache. What is put beside the keys takes about twice as much as it has. */
enum { BALLAST = 1000, BALLAST_SIZE = 400, BUDGET_BYTES = 200 * 1000, LIFETIME_MAX = 20 };

struct source {
    _Atomic uint32_t started;  /* the number that is, or is about to be, what the key is computed from */
    _Atomic uint32_t finished; /* the one that whoever begins now must be given, or a later one */
    _Atomic uint32_t deletes_begun;
    _Atomic uint32_t deletes_ended;
    _Atomic uint32_t loading; /* 1 while it is computed for a call that began between two deletes, beside twice their number */
};

static struct source sources[KEYS];
static sheaf_shared *shared;
static bool lossy; /* a cache with deadlines */
static atomic_ulong clock_now;
static atomic_bool finished;
static atomic_ulong call_count, load_count, failure_count, swept_count;

struct actor {
    pthread_t thread;
    struct random random;
    uint64_t changes;
};

/* What a loader is asked for. */
struct errand {
    uint32_t key;
    uint8_t bytes[64];
    bool called;
    bool yields;
    bool is_calm;     /* no delete was under way as the call began */
    uint32_t deletes; /* that had been by then */
};

static sheaf_bytes shelf_name(uint32_t key, char *buffer)
{
    return sheaf_bytes_of(buffer, (size_t)sprintf(buffer, "SHELF#%u", key / KEYS_EACH));
}

static sheaf_bytes key_name(uint32_t key, char *buffer)
{
    return sheaf_bytes_of(buffer, (size_t)sprintf(buffer, "k/%u", key % KEYS_EACH));
}

/* ---- loading ------------------------------------------------------------------------------------------------------------ */

/* Two calls between the same two deletes that compute at once are a stampede: nothing has outdated the first one's load. */
static void begin_load(const struct errand *errand)
{
    struct source *source = &sources[errand->key];
    if (!errand->is_calm) return;
    uint32_t mine = errand->deletes * 2 + 1, before = atomic_exchange(&source->loading, mine);
    EXPECT(before != mine || atomic_load(&source->deletes_begun) != errand->deletes, "key %u is computed twice at once",
           errand->key);
}

static void end_load(const struct errand *errand)
{
    uint32_t mine = errand->deletes * 2 + 1;
    if (errand->is_calm) (void)atomic_compare_exchange_strong(&sources[errand->key].loading, &mine, mine - 1);
}

static sheaf_status load(void *context, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_loaded *out_loaded)
{
    struct errand *errand = context;
    struct source *source = &sources[errand->key];
    char shelf[20], name[20];
    EXPECT(sheaf_bytes_compare(partition_key, shelf_name(errand->key, shelf)) == 0, "another collection");
    EXPECT(sheaf_bytes_compare(sort_key, key_name(errand->key, name)) == 0, "another key");
    EXPECT(!errand->called, "a loader is called twice");
    errand->called = true;
    atomic_fetch_add(&load_count, 1);
    begin_load(errand);
    uint32_t number = atomic_load(&source->started);
    if (errand->yields) (void)sched_yield();
    memset(errand->bytes, (int)number, sizeof errand->bytes);
    memcpy(errand->bytes, &number, sizeof number);
    out_loaded->value = sheaf_bytes_of(errand->bytes, 16 + number % 40);
    if (lossy && number % 3 > 0) out_loaded->deadline = atomic_load(&clock_now) + number % LIFETIME_MAX;
    end_load(errand);
    return number % DOWN_EVERY == DOWN_EVERY - 1 ? SHEAF_OUT_OF_ORDER : SHEAF_OK; /* a status that no store would give */
}

static void read_one(struct random *random)
{
    struct errand errand = { .key = random_below(random, KEYS), .yields = random_once_in(random, 2) };
    char shelf[20], name[20];
    uint8_t value[64];
    size_t size = 0;
    uint32_t number;
    errand.deletes = atomic_load(&sources[errand.key].deletes_ended);
    errand.is_calm = atomic_load(&sources[errand.key].deletes_begun) == errand.deletes;
    uint32_t earliest = atomic_load(&sources[errand.key].finished);
    sheaf_status status = sheaf_shared_get_or_load(shared, shelf_name(errand.key, shelf), key_name(errand.key, name), load,
                                                   &errand, value, sizeof value, &size, NULL);
    uint32_t latest = atomic_load(&sources[errand.key].started);
    atomic_fetch_add(&call_count, 1);
    if (status == SHEAF_OUT_OF_ORDER) {
        bool was_down = latest / DOWN_EVERY > earliest / DOWN_EVERY || latest % DOWN_EVERY == DOWN_EVERY - 1;
        EXPECT(was_down, "key %u failed from %u to %u", errand.key, earliest, latest);
        atomic_fetch_add(&failure_count, 1);
        return;
    }
    EXPECT(status == SHEAF_OK, "key %u: %s", errand.key, sheaf_status_name(status));
    memcpy(&number, value, sizeof number);
    EXPECT(size == 16 + number % 40, "%zu bytes", size);
    for (size_t i = sizeof number; i < size; i++) EXPECT(value[i] == (uint8_t)number, "byte %zu", i);
    EXPECT(number >= earliest && number <= latest, "key %u: %u, not %u to %u", errand.key, number, earliest, latest);
}

static void *run_reader(void *argument)
{
    struct actor *actor = argument;
    while (!atomic_load(&finished)) read_one(&actor->random);
    return NULL;
}

/* ---- changing ----------------------------------------------------------------------------------------------------------- */

/* Keys from `begin` to before `end`, all of one shelf. */
static void change(uint32_t begin, uint32_t end, uint32_t way)
{
    char shelf[20], name[20];
    sheaf_bytes partition_key = shelf_name(begin, shelf), sort_key = key_name(begin, name);
    sheaf_range range = sheaf_range_prefix(SHEAF_LIT("k/"));
    sheaf_batch_write writes[] = { sheaf_batch_delete(partition_key, sort_key),
                                   sheaf_batch_put(SHEAF_LIT("log"), sort_key, sort_key) };
    sheaf_status status = SHEAF_OK;
    for (uint32_t key = begin; key < end; key++) {
        atomic_fetch_add(&sources[key].deletes_begun, 1);
        atomic_fetch_add(&sources[key].started, 1);
    }
    switch (way) {
    case 0: status = sheaf_shared_delete_range(shared, partition_key, &range, NULL, NULL); break;
    case 1: status = sheaf_shared_collection_drop(shared, partition_key, NULL); break;
    case 2: status = sheaf_shared_batch_apply(shared, writes, 2, NULL, NULL); break;
    default: status = sheaf_shared_delete(shared, partition_key, sort_key, NULL); break;
    }
    if (lossy && way == 2 && status == SHEAF_OVER_BUDGET) /* a batch evicts nobody */
        status = sheaf_shared_delete(shared, partition_key, sort_key, NULL);
    EXPECT(status == SHEAF_OK || status == SHEAF_NOT_FOUND, "%s", sheaf_status_name(status));
    for (uint32_t key = begin; key < end; key++) {
        atomic_store(&sources[key].finished, atomic_load(&sources[key].started));
        atomic_fetch_add(&sources[key].deletes_ended, 1);
    }
}

/* Makes loaded values go by themselves: for want of room, or because their time has come. */
static void wear_out(struct random *random)
{
    char name[20];
    static const char weight[BALLAST_SIZE];
    sheaf_bytes key = sheaf_bytes_of(name, (size_t)sprintf(name, "%u", random_below(random, BALLAST)));
    sheaf_status status = sheaf_shared_put(shared, key, key, sheaf_bytes_of(weight, BALLAST_SIZE), NULL, NULL);
    EXPECT(status == SHEAF_OK, "a put gave %s", sheaf_status_name(status));
    if (!random_once_in(random, 4)) return;
    sheaf_totals swept;
    uint64_t now = atomic_fetch_add(&clock_now, 1);
    EXPECT(sheaf_shared_sweep(shared, now, random_below(random, 4), &swept, NULL) == SHEAF_OK, "a sweep");
    atomic_fetch_add(&swept_count, swept.count);
}

static void *run_changer(void *argument)
{
    struct actor *actor = argument;
    for (uint64_t i = 0; i < actor->changes; i++) {
        if (lossy) wear_out(&actor->random);
        uint32_t key = random_below(&actor->random, KEYS), way = random_below(&actor->random, 8);
        uint32_t shelf = key / KEYS_EACH * KEYS_EACH;
        if (way < 2) change(shelf, shelf + KEYS_EACH, way);
        else change(key, key + 1, way);
        if (i % 4 == 0) (void)sched_yield();
    }
    return NULL;
}

static uint64_t read_clock(void *context)
{
    (void)context;
    return atomic_load(&clock_now);
}

static void run_with(const sheaf_shared_options *options, uint64_t changes, uint64_t seed)
{
    static struct actor readers[READERS], changer;
    sheaf_fault fault = { 0 };
    lossy = options->store.cache != NULL;
    atomic_store(&finished, false);
    EXPECT(sheaf_shared_create(options, &shared, NULL) == SHEAF_OK, "memory");
    for (uint32_t i = 0; i < READERS; i++) {
        readers[i].random = random_from_seed(seed + 1 + i);
        EXPECT(pthread_create(&readers[i].thread, NULL, run_reader, &readers[i]) == 0, "a thread");
    }
    changer = (struct actor){ .random = random_from_seed(seed), .changes = changes };
    EXPECT(pthread_create(&changer.thread, NULL, run_changer, &changer) == 0, "a thread");
    EXPECT(pthread_join(changer.thread, NULL) == 0, "its end");
    atomic_store(&finished, true);
    for (uint32_t i = 0; i < READERS; i++) EXPECT(pthread_join(readers[i].thread, NULL) == 0, "its end");
    EXPECT(sheaf_shared_check(shared, &fault), "%s", fault.rule);
    sheaf_statistics statistics = { 0 };
    EXPECT(!lossy || sheaf_shared_statistics(shared, &statistics) == SHEAF_OK, "statistics of a cache");
    EXPECT(statistics.expirations >= atomic_load(&swept_count), "what was swept had expired");
    sheaf_shared_destroy(shared);
    printf("%s: %lu calls, %lu loads, %lu failures beside %llu changes; %llu expired, %lu of them swept, %llu evicted\n",
           lossy ? "cache" : "store", atomic_exchange(&call_count, 0), atomic_exchange(&load_count, 0),
           atomic_exchange(&failure_count, 0), (unsigned long long)changes, (unsigned long long)statistics.expirations,
           atomic_load(&swept_count), (unsigned long long)statistics.evictions);
}

int main(int argument_count, char **arguments)
{
    uint64_t changes = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : random_scaled(20000);
    uint64_t seed = random_seed("stress_load", 20261201);
    sheaf_shared_options store = { .shard_count = 2 };
    sheaf_cache_options rules = { 0 };
    sheaf_expiry_options expiry = { .rule = SHEAF_EXPIRY_HIDDEN, .now = read_clock };
    sheaf_shared_options cache = { .store = { .cache = &rules, .expiry = &expiry, .budget_bytes = BUDGET_BYTES },
                                   .shard_count = 2 };
    run_with(&store, changes, seed);
    run_with(&cache, changes, seed);
    return 0;
}
