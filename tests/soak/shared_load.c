/*
 * shared_load.c - a shared store at its budget, written and read by two threads, while a third opens views and reads them.
 *
 * Some values have deadlines, by a clock that counts operations; all threads sweep. Some reads have what they miss loaded. Whether
 * such a value was put nobody is told; so values that were loaded are told apart from those that were put, which are counted
 * exactly.
 */
#include "tests/soak/soak.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { THREAD_COUNT = 2, BATCH_SIZE = 6, BATCH_ROOM = 1 << 18, LIFETIME_MAX = 1000000, SWEEP_MAX = 300 };

static struct soak *soak_of_run;
static struct soak_books *books_of_run;
static sheaf_shared *shared;
static atomic_ullong entered, left;               /* values that were put, and of these those that were told of */
static atomic_ullong loaded, loaded_left;          /* the same of those that were loaded, if they were put */

static void on_event(void *context, const sheaf_event *event)
{
    uint32_t number;
    (void)context;
    memcpy(&number, event->value.data, sizeof number);
    if (event->cause == SHEAF_CAUSE_EVICTED) books_of_run->evictions++;
    if (event->cause == SHEAF_CAUSE_EXPIRED) books_of_run->expirations++;
    if (soak_is_loaded(event->value)) loaded_left++;
    else left++;
    if (books_of_run->events++ % 16 == 0) soak_expect_value(number, event->value);
}

static uint64_t tell_time(void *context)
{
    (void)context;
    return atomic_load_explicit(&books_of_run->operations, memory_order_relaxed);
}

static uint64_t draw_deadline(struct random *random)
{
    return random_once_in(random, 3) ? tell_time(NULL) + random_below(random, LIFETIME_MAX) : SHEAF_NO_DEADLINE;
}

static bool is_ending(void)
{
    return atomic_load_explicit(&soak_of_run->ending, memory_order_relaxed);
}

static void expect_usual(sheaf_status status)
{
    soak_expect(status == SHEAF_OK || status == SHEAF_NOT_FOUND || status == SHEAF_OVER_BUDGET,
                "nothing but want of room refuses a write");
    if (status == SHEAF_OVER_BUDGET) books_of_run->refusals++;
}

/* Puts to several shards, or to none. */
static void batch(struct random *random)
{
    struct soak_key keys[BATCH_SIZE];
    sheaf_batch_write writes[BATCH_SIZE];
    uint8_t bytes[BATCH_SIZE][SOAK_VALUE_SIZE_MAX];
    for (size_t i = 0; i < BATCH_SIZE; i++) {
        uint32_t number = soak_draw(random);
        soak_key(number, &keys[i]);
        writes[i] = sheaf_batch_put(keys[i].partition_key, keys[i].sort_key, soak_value(random, number, bytes[i]));
        writes[i].deadline = draw_deadline(random);
    }
    sheaf_status status = sheaf_shared_batch_apply(shared, writes, BATCH_SIZE, NULL, NULL);
    if (status == SHEAF_OVER_BUDGET) { /* a batch evicts nobody */
        (void)sheaf_shared_evict(shared, sheaf_shared_total(shared).charged_bytes - BATCH_ROOM);
        status = sheaf_shared_batch_apply(shared, writes, BATCH_SIZE, NULL, NULL);
    }
    expect_usual(status);
    if (status == SHEAF_OK) entered += BATCH_SIZE;
}

static void write(struct random *random, uint8_t *bytes)
{
    struct soak_key key;
    char folder[48];
    uint32_t number = soak_draw(random);
    uint32_t kind = random_below(random, 10000);
    soak_key(number, &key);
    sheaf_range range = sheaf_range_prefix(soak_folder(number, folder));
    sheaf_status status;
    if (kind < 9000) {
        sheaf_bytes value = soak_value(random, number, bytes);
        status = sheaf_shared_put_until(shared, key.partition_key, key.sort_key, value, draw_deadline(random), NULL, NULL);
        if (status == SHEAF_OK) entered++;
    } else if (kind < 9300) {
        status = sheaf_shared_set_deadline(shared, key.partition_key, key.sort_key, draw_deadline(random), NULL);
    } else {
        status = kind < 9985   ? sheaf_shared_delete(shared, key.partition_key, key.sort_key, NULL)
                 : kind < 9999 ? sheaf_shared_delete_range(shared, key.partition_key, &range, NULL, NULL)
                              : sheaf_shared_collection_drop(shared, key.partition_key, NULL);
    }
    expect_usual(status);
}

static void read(struct random *random, uint8_t *bytes)
{
    struct soak_key key;
    size_t size;
    uint32_t number = soak_draw(random);
    soak_key(number, &key);
    sheaf_status status = sheaf_shared_get(shared, key.partition_key, key.sort_key, bytes, SOAK_VALUE_SIZE_MAX, &size, NULL);
    if (status == SHEAF_OK) soak_expect_value(number, sheaf_bytes_of(bytes, size));
}

/* What a loader needs, and what its caller looks at. */
struct errand {
    struct random *random;
    uint32_t number;
    bool called;
    uint8_t bytes[SOAK_VALUE_SIZE_MAX];
};

static sheaf_status load(void *context, sheaf_bytes partition_key, sheaf_bytes sort_key, sheaf_loaded *out_loaded)
{
    struct errand *errand = context;
    struct soak_key key;
    soak_key(errand->number, &key);
    soak_expect(sheaf_bytes_compare(partition_key, key.partition_key) == 0 && sheaf_bytes_compare(sort_key, key.sort_key) == 0,
                "what is loaded is what was missed");
    soak_expect(!errand->called, "a loader is called once");
    errand->called = true;
    if (random_once_in(errand->random, 50)) return SHEAF_NOT_FOUND;
    out_loaded->value = soak_loaded_value(errand->random, errand->number, errand->bytes);
    out_loaded->deadline = draw_deadline(errand->random);
    loaded++;
    return SHEAF_OK;
}

static void read_or_load(struct random *random, uint8_t *bytes)
{
    struct soak_key key;
    size_t size;
    struct errand errand = { .random = random, .number = soak_draw(random) };
    soak_key(errand.number, &key);
    sheaf_status status = sheaf_shared_get_or_load(shared, key.partition_key, key.sort_key, load, &errand, bytes,
                                                   SOAK_VALUE_SIZE_MAX, &size, NULL);
    soak_expect(status == SHEAF_OK || status == SHEAF_NOT_FOUND, "a load gives what it found, or that it found nothing");
    if (status == SHEAF_OK) soak_expect_value(errand.number, sheaf_bytes_of(bytes, size));
}

/* Of a few entries, or of all there are. */
static void sweep(uint64_t count_max)
{
    sheaf_totals swept;
    sheaf_status status = sheaf_shared_sweep(shared, tell_time(NULL), count_max, &swept, NULL);
    expect_usual(status);
    soak_expect(count_max == 0 || swept.count <= count_max, "a sweep takes no more than it may");
}

static void *run_thread(void *seed)
{
    uint8_t bytes[SOAK_VALUE_SIZE_MAX];
    struct random random = random_from_seed(*(const uint64_t *)seed);
    while (!is_ending()) {
        if (random_once_in(&random, 500)) batch(&random);
        else if (random_once_in(&random, 500)) sweep(1 + random_below(&random, SWEEP_MAX));
        else if (random_once_in(&random, 2)) write(&random, bytes);
        else if (random_once_in(&random, 4)) read_or_load(&random, bytes);
        else read(&random, bytes);
        books_of_run->operations++;
    }
    return NULL;
}

/* All of a view is right, and stays so. */
static void read_view(const sheaf_shared_view *view)
{
    sheaf_collection_info info;
    sheaf_bytes after;
    uint64_t count = 0;
    for (const sheaf_bytes *from = NULL; sheaf_shared_view_next(view, from, &info) == SHEAF_OK && !is_ending(); from = &after) {
        after = info.partition_key_view;
        sheaf_cursor cursor;
        const sheaf_store *store = sheaf_shared_view_store(view, after);
        soak_expect(sheaf_cursor_open(&cursor, store, after, NULL, NULL) == SHEAF_OK, "a cursor opens");
        for (sheaf_cursor_first(&cursor); sheaf_cursor_valid(&cursor); sheaf_cursor_next(&cursor), count++) {
            uint32_t number;
            memcpy(&number, cursor.value.data, sizeof number);
            soak_expect_value(number, cursor.value);
        }
    }
    if (!is_ending()) soak_expect(count == sheaf_shared_view_total(view).entry_count, "a view has all it counts");
}

static void look(void)
{
    sheaf_store_totals totals = sheaf_shared_total(shared);
    uint64_t resident_bytes = 0;
    (void)sheaf_shared_resident(shared, &resident_bytes);
    books_of_run->charged_bytes = totals.charged_bytes;
    books_of_run->resident_bytes = resident_bytes;
    books_of_run->view_count = totals.view_count;
}

static void watch(void)
{
    while (!is_ending()) {
        sheaf_shared_view *view;
        struct timespec pause = { .tv_nsec = 50 * 1000 * 1000 };
        nanosleep(&pause, NULL);
        look();
        sweep(0);
        if (sheaf_shared_view_open(shared, &view, NULL) != SHEAF_OK) continue;
        read_view(view);
        sheaf_shared_view_close(view);
    }
}

/* Each value that was put is there or has been told of, once; of those that were loaded there may have been some not put. */
static void expect_accounts(void)
{
    sheaf_shared_view *view;
    sheaf_collection_info info;
    sheaf_bytes after;
    uint64_t counts[2] = { 0 };
    soak_expect(sheaf_shared_sweep(shared, tell_time(NULL), 0, NULL, NULL) == SHEAF_OK, "what has expired goes");
    soak_expect(sheaf_shared_next_deadline(shared) > tell_time(NULL), "all of it");
    (void)sheaf_shared_evict(shared, sheaf_shared_total(shared).charged_bytes - BATCH_ROOM);
    soak_expect(sheaf_shared_view_open(shared, &view, NULL) == SHEAF_OK, "a view");
    for (const sheaf_bytes *from = NULL; sheaf_shared_view_next(view, from, &info) == SHEAF_OK; from = &after) {
        after = info.partition_key_view;
        sheaf_cursor cursor;
        soak_expect(sheaf_cursor_open(&cursor, sheaf_shared_view_store(view, after), after, NULL, NULL) == SHEAF_OK, "a cursor");
        for (sheaf_cursor_first(&cursor); sheaf_cursor_valid(&cursor); sheaf_cursor_next(&cursor))
            counts[soak_is_loaded(cursor.value)]++;
    }
    sheaf_shared_view_close(view);
    soak_expect(entered == left + counts[0], "each value that was put is there or has been told of, once");
    soak_expect(loaded >= loaded_left + counts[1], "no value that was loaded is there or told of twice");
}

void soak_shared(struct soak *soak, struct soak_books *books)
{
    sheaf_cache_options cache = { .eviction = SHEAF_EVICTION_FREQUENCY };
    sheaf_event_options events = { .callback = on_event };
    sheaf_expiry_options expiry = { .rule = SHEAF_EXPIRY_HIDDEN, .now = tell_time };
    sheaf_shared_options options = {
        .store = { .budget_bytes = soak->budget_bytes, .cache = &cache, .events = &events, .expiry = &expiry }
    };
    uint64_t seeds[THREAD_COUNT];
    pthread_t threads[THREAD_COUNT];
    soak_of_run = soak;
    books_of_run = books;
    soak_expect(sheaf_shared_create(&options, &shared, NULL) == SHEAF_OK, "a shared store");
    for (size_t i = 0; i < THREAD_COUNT; i++) {
        seeds[i] = soak->seed + 1 + i;
        soak_expect(pthread_create(&threads[i], NULL, run_thread, &seeds[i]) == 0, "a thread");
    }
    watch();
    for (size_t i = 0; i < THREAD_COUNT; i++) soak_expect(pthread_join(threads[i], NULL) == 0, "a thread ends");
    look();
    expect_accounts();
    sheaf_store_totals totals = sheaf_shared_total(shared);
    soak_expect(totals.charged_bytes <= soak->budget_bytes, "the budget is kept");
    soak_expect(totals.view_count == 0 && totals.retained_bytes == 0, "views leave nothing behind");
    soak_expect(sheaf_shared_check(shared, NULL), "the shared store is sound");
    sheaf_shared_destroy(shared);
}
