/*
 * shared_load.c - a shared store at its budget, written and read by two threads, while a third opens views and reads them.
 */
#include "tests/soak/soak.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { THREAD_COUNT = 2, BATCH_SIZE = 6, BATCH_ROOM = 1 << 18 };

static struct soak *soak_of_run;
static struct soak_books *books_of_run;
static sheaf_shared *shared;
static atomic_ullong entered; /* values that were put */

static void on_event(void *context, const sheaf_event *event)
{
    uint32_t number;
    (void)context;
    memcpy(&number, event->value.data, sizeof number);
    if (event->cause == SHEAF_CAUSE_EVICTED) books_of_run->evictions++;
    if (books_of_run->events++ % 16 == 0) soak_expect_value(number, event->value);
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
        status = sheaf_shared_put(shared, key.partition_key, key.sort_key, value, NULL, NULL);
        if (status == SHEAF_OK) entered++;
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

static void *run_thread(void *seed)
{
    uint8_t bytes[SOAK_VALUE_SIZE_MAX];
    struct random random = random_from_seed(*(const uint64_t *)seed);
    while (!is_ending()) {
        if (random_once_in(&random, 500)) batch(&random);
        else if (random_once_in(&random, 2)) write(&random, bytes);
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
        if (sheaf_shared_view_open(shared, &view, NULL) != SHEAF_OK) continue;
        read_view(view);
        sheaf_shared_view_close(view);
    }
}

void soak_shared(struct soak *soak, struct soak_books *books)
{
    sheaf_cache_options cache = { .eviction = SHEAF_EVICTION_FREQUENCY };
    sheaf_event_options events = { .callback = on_event };
    sheaf_shared_options options = { .store = { .budget_bytes = soak->budget_bytes, .cache = &cache, .events = &events } };
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
    sheaf_store_totals totals = sheaf_shared_total(shared);
    look();
    soak_expect(totals.charged_bytes <= soak->budget_bytes, "the budget is kept");
    soak_expect(entered - books->events == totals.entry_count, "each value is there or has been told of, once");
    soak_expect(totals.view_count == 0 && totals.retained_bytes == 0, "views leave nothing behind");
    soak_expect(sheaf_shared_check(shared, NULL), "the shared store is sound");
    sheaf_shared_destroy(shared);
}
