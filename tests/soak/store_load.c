/*
 * store_load.c - a store of one thread at its budget: puts that evict, reads, deletes of all kinds, batches, bulk builds, views
 * that stay open for a while, forks of them, and going back to them; deadlines, by a clock that counts operations, and sweeps.
 */
#include "tests/soak/soak.h"

#include <string.h>

enum { VIEW_MAX = 3, BATCH_SIZE = 12, FORK_WRITES = 100, BUILD_SIZE = 300, LOOK_EVERY = 4096, BATCH_ROOM = 1 << 18,
    SWEEP_EVERY = 512, LIFETIME_MAX = 200000 };

struct kept {
    sheaf_view *view; /* NULL: none */
    uint64_t entry_count;
};

struct load {
    struct random random;
    sheaf_store *store;
    struct soak_books *books;
    uint64_t entered; /* values that were put or came back */
    struct kept kept[VIEW_MAX];
    uint8_t bytes[BATCH_SIZE][SOAK_VALUE_SIZE_MAX];
};

static void on_event(void *context, const sheaf_event *event)
{
    struct load *load = context;
    uint32_t number;
    memcpy(&number, event->value.data, sizeof number);
    if (event->cause == SHEAF_CAUSE_EVICTED) load->books->evictions++;
    if (event->cause == SHEAF_CAUSE_EXPIRED) load->books->expirations++;
    if (load->books->events++ % 16 == 0) soak_expect_value(number, event->value);
}

static uint64_t count_entries(const struct load *load)
{
    return sheaf_store_total(load->store).entry_count;
}

static void close_view(struct load *load, size_t i)
{
    sheaf_view_close(load->kept[i].view);
    load->kept[i].view = NULL;
}

/* A store that is full, with views open that see most of it, refuses: one of them goes. */
static bool done(struct load *load, sheaf_status status)
{
    if (status == SHEAF_OK) return true;
    soak_expect(status == SHEAF_OVER_BUDGET, "nothing but want of room refuses a write");
    load->books->refusals++;
    close_view(load, random_below(&load->random, VIEW_MAX));
    return false;
}

/* ---- operations ----------------------------------------------------------------------------------------------------------- */

static void put(struct load *load)
{
    struct soak_key key;
    uint32_t number = soak_draw(&load->random);
    soak_key(number, &key);
    sheaf_bytes value = soak_value(&load->random, number, load->bytes[0]);
    uint64_t deadline = SHEAF_NO_DEADLINE;
    if (random_once_in(&load->random, 3)) deadline = load->books->operations + random_below(&load->random, LIFETIME_MAX);
    if (done(load, sheaf_store_put_until(load->store, key.partition_key, key.sort_key, value, deadline, NULL, NULL)))
        load->entered++;
}

static void sweep(struct load *load)
{
    (void)done(load, sheaf_store_sweep(load->store, load->books->operations, 0, NULL, NULL));
}

static void get(struct load *load)
{
    struct soak_key key;
    sheaf_bytes value;
    uint32_t number = soak_draw(&load->random);
    soak_key(number, &key);
    if (sheaf_store_get(load->store, key.partition_key, key.sort_key, &value, NULL) == SHEAF_OK) soak_expect_value(number, value);
}

static void scan(struct load *load)
{
    struct soak_key key;
    char folder[48];
    uint32_t number = soak_draw(&load->random);
    size_t i = random_below(&load->random, 2 * VIEW_MAX);
    bool of_view = i < VIEW_MAX && load->kept[i].view;
    const sheaf_store *store = of_view ? sheaf_view_store(load->kept[i].view) : load->store;
    soak_key(number, &key);
    sheaf_range range = sheaf_range_prefix(soak_folder(number, folder));
    sheaf_cursor cursor;
    sheaf_totals totals = { 0 };
    uint64_t count = 0;
    soak_expect(sheaf_cursor_open(&cursor, store, key.partition_key, &range, NULL) == SHEAF_OK, "a cursor opens");
    for (sheaf_cursor_first(&cursor); sheaf_cursor_valid(&cursor); sheaf_cursor_next(&cursor)) {
        memcpy(&number, cursor.value.data, sizeof number);
        soak_expect_value(number, cursor.value);
        count++;
    }
    if (sheaf_range_total(store, key.partition_key, &range, &totals, NULL) == SHEAF_OK)
        soak_expect(totals.count == count, "a range has as many entries as are counted");
}

static void delete_some(struct load *load)
{
    struct soak_key key;
    char folder[48];
    uint32_t number = soak_draw(&load->random);
    soak_key(number, &key);
    sheaf_range range = sheaf_range_prefix(soak_folder(number, folder));
    uint32_t kind = random_below(&load->random, 1000);
    sheaf_status status = kind < 980   ? sheaf_store_delete(load->store, key.partition_key, key.sort_key, NULL)
                          : kind < 999 ? sheaf_store_delete_range(load->store, key.partition_key, &range, NULL, NULL)
                                      : sheaf_collection_drop(load->store, key.partition_key, NULL);
    if (status != SHEAF_NOT_FOUND) (void)done(load, status);
}

static void batch(struct load *load)
{
    struct soak_key keys[BATCH_SIZE];
    sheaf_batch_write writes[BATCH_SIZE];
    uint64_t put_count = 0;
    for (size_t i = 0; i < BATCH_SIZE; i++) {
        uint32_t number = soak_draw(&load->random);
        soak_key(number, &keys[i]);
        bool is_put = !random_once_in(&load->random, 4);
        writes[i] = is_put ? sheaf_batch_put(keys[i].partition_key, keys[i].sort_key,
                                             soak_value(&load->random, number, load->bytes[i]))
                           : sheaf_batch_delete(keys[i].partition_key, keys[i].sort_key);
        put_count += is_put;
    }
    sheaf_status status = sheaf_batch_apply(load->store, writes, BATCH_SIZE, NULL, NULL);
    if (status == SHEAF_OVER_BUDGET) { /* a batch evicts nobody */
        (void)sheaf_store_evict(load->store, sheaf_store_total(load->store).charged_bytes - BATCH_ROOM);
        status = sheaf_batch_apply(load->store, writes, BATCH_SIZE, NULL, NULL);
    }
    if (done(load, status)) load->entered += put_count;
}

static void build(struct load *load)
{
    struct soak_key key;
    sheaf_builder *builder;
    uint32_t first = soak_draw(&load->random);
    soak_key(first, &key);
    (void)sheaf_collection_drop(load->store, key.partition_key, NULL);
    sheaf_status status = sheaf_builder_begin(load->store, key.partition_key, &builder, NULL);
    if (status == SHEAF_EXISTS || !done(load, status)) return;
    uint64_t count = 0;
    for (uint32_t i = 0; i < BUILD_SIZE; i++) {
        uint32_t number = first - first % 1000 + i;
        soak_key(number, &key);
        sheaf_bytes value = soak_value(&load->random, number, load->bytes[0]);
        if (done(load, sheaf_builder_add(builder, key.sort_key, value, NULL))) count++;
    }
    status = sheaf_builder_finish(builder);
    if (status == SHEAF_OK) load->entered += count;
    else sheaf_builder_abort(builder);
}

static void turn_view(struct load *load)
{
    struct kept *kept = &load->kept[random_below(&load->random, VIEW_MAX)];
    if (kept->view) {
        soak_expect(sheaf_store_total(sheaf_view_store(kept->view)).entry_count == kept->entry_count, "a view stays as it was");
        close_view(load, (size_t)(kept - load->kept));
        return;
    }
    sheaf_status status = sheaf_view_open(load->store, &kept->view, NULL);
    if (status != SHEAF_OK) kept->view = NULL;
    if (done(load, status)) kept->entry_count = count_entries(load);
}

static void fork_view(struct load *load)
{
    struct kept *kept = &load->kept[random_below(&load->random, VIEW_MAX)];
    sheaf_store *fork;
    if (!kept->view) return;
    soak_expect(sheaf_store_fork(kept->view, &fork, NULL) == SHEAF_OK, "a fork");
    for (uint32_t i = 0; i < FORK_WRITES; i++) {
        struct soak_key key;
        uint32_t number = soak_draw(&load->random);
        soak_key(number, &key);
        sheaf_bytes value = soak_value(&load->random, number, load->bytes[0]);
        soak_expect(sheaf_store_put(fork, key.partition_key, key.sort_key, value, NULL, NULL) == SHEAF_OK, "a put to a fork");
    }
    sheaf_store_destroy(fork);
}

static void go_back(struct load *load)
{
    struct kept *kept = &load->kept[random_below(&load->random, VIEW_MAX)];
    if (!kept->view) return;
    uint64_t count = count_entries(load), told = load->books->events;
    if (!done(load, sheaf_store_restore(load->store, kept->view, NULL))) return;
    uint64_t left = load->books->events - told;
    soak_expect(count_entries(load) == kept->entry_count, "going back leads to what the view has");
    load->entered += kept->entry_count + left - count;
}

/* ---- the run -------------------------------------------------------------------------------------------------------------- */

static void step(struct load *load)
{
    uint32_t choice = random_below(&load->random, 10000);
    if (choice < 4000) get(load);
    else if (choice < 8700) put(load);
    else if (choice < 9300) delete_some(load);
    else if (choice < 9700) scan(load);
    else if (choice < 9980) batch(load);
    else if (choice < 9990) turn_view(load);
    else if (choice < 9998) fork_view(load);
    else if (random_once_in(&load->random, 10)) build(load);
    else if (random_once_in(&load->random, 10)) go_back(load);
}

static void look(struct load *load)
{
    sheaf_store_totals totals = sheaf_store_total(load->store);
    uint64_t resident_bytes = 0;
    (void)sheaf_store_resident(load->store, &resident_bytes);
    soak_expect(totals.charged_bytes <= totals.budget_bytes, "the budget is kept");
    soak_expect(load->entered - load->books->events == totals.entry_count, "each value is there or has been told of, once");
    load->books->charged_bytes = totals.charged_bytes;
    load->books->resident_bytes = resident_bytes;
    load->books->view_count = totals.view_count;
}

void soak_store(struct soak *soak, struct soak_books *books)
{
    static struct load load;
    sheaf_cache_options cache = { .eviction = soak->seed % 2 ? SHEAF_EVICTION_RECENCY : SHEAF_EVICTION_FREQUENCY };
    sheaf_event_options events = { .callback = on_event, .context = &load };
    sheaf_expiry_options expiry = { .rule = SHEAF_EXPIRY_READABLE };
    sheaf_store_options options = {
        .budget_bytes = soak->budget_bytes, .cache = &cache, .events = &events, .expiry = &expiry
    };
    load.random = random_from_seed(soak->seed);
    load.books = books;
    soak_expect(sheaf_store_create(&options, &load.store, NULL) == SHEAF_OK, "a store");
    while (!atomic_load_explicit(&soak->ending, memory_order_relaxed)) {
        step(&load);
        if (books->operations++ % LOOK_EVERY == 0) look(&load);
        if (books->operations % SWEEP_EVERY == 0) sweep(&load);
    }
    look(&load);
    soak_expect(sheaf_store_check(load.store, NULL), "the store is sound");
    for (size_t i = 0; i < VIEW_MAX; i++) close_view(&load, i);
    soak_expect(sheaf_store_check(load.store, NULL), "the store is sound without its views");
    soak_expect(sheaf_store_total(load.store).retained_bytes == 0, "views leave nothing behind");
    sheaf_store_destroy(load.store);
}
