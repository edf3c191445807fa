/*
 * bench_cache - how often a store used as a cache has what is asked for, beside ideal caches of the textbook.
 *
 * For each trace a store without budget takes all keys: what it is charged then is the footprint. A store with a share of
 * that as its budget then serves the trace: a get, and after a miss a put. All that a store needs beside its entries comes
 * out of the budget; the ideal caches hold that share of the entries, and pay for nothing.
 *
 * Ends with code 1 if the default policy does not beat LRU on average, or falls behind FIFO by more than two points anywhere.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "bench/fatal.h"
#include "bench/ideal.h"
#include "bench/measure.h"

enum {
    SHARE_COUNT = 3,
    POLICY_COUNT = 2,
    VALUE_SIZE_DEFAULT = 400,
    VALUE_SIZE_MAX = 100000,
    LOOP_ENTRIES = 50000, /* of which the loop's cache has its share */
    BEHIND_FIFO_MAX = 2,  /* points */
};

static const unsigned shares[SHARE_COUNT] = { 1, 10, 30 }; /* percent */
static const sheaf_eviction policies[POLICY_COUNT] = { SHEAF_EVICTION_FREQUENCY, SHEAF_EVICTION_RECENCY };

struct settings {
    size_t value_size;
    uint32_t divisor; /* of the number of requests */
    const char *data_folder;
};

/* Of one trace at one share, in percent. */
struct ratios {
    double store[POLICY_COUNT];
    double lru, fifo, optimum;
    double ns; /* a request, by the default policy */
};

static const sheaf_bytes DISK = { (const uint8_t *)"disk", 4 };

static sheaf_bytes key_of(uint64_t number, uint8_t *buffer)
{
    for (int i = 0; i < 8; i++) buffer[i] = (uint8_t)(number >> (56 - 8 * i));
    return sheaf_bytes_of(buffer, 8);
}

static sheaf_store *open_store(sheaf_eviction eviction, uint64_t budget_bytes)
{
    sheaf_cache_options cache = { .eviction = eviction };
    sheaf_store_options options = { .budget_bytes = budget_bytes, .cache = &cache };
    sheaf_store *store = NULL;
    sheaf_detail detail = { 0 };
    if (sheaf_store_create(&options, &store, &detail) != SHEAF_OK) fatal("cannot make a store: %s", detail.message);
    return store;
}

static void put(sheaf_store *store, uint64_t number, size_t value_size)
{
    static uint8_t value[VALUE_SIZE_MAX];
    uint8_t buffer[8];
    sheaf_detail detail = { 0 };
    sheaf_status status =
        sheaf_store_put(store, DISK, key_of(number, buffer), sheaf_bytes_of(value, value_size), NULL, &detail);
    if (status != SHEAF_OK) fatal("a put was refused: %s", detail.message);
}

/* What all keys of a trace are charged, put in the order in which they are first asked for. */
static uint64_t footprint(const struct trace *trace, size_t value_size)
{
    sheaf_store *store = open_store(SHEAF_EVICTION_FREQUENCY, 0);
    for (uint32_t i = 0; i < trace->request_count; i++) put(store, trace->keys[trace->requests[i]], value_size);
    uint64_t charged_bytes = sheaf_store_total(store).charged_bytes;
    sheaf_store_destroy(store);
    return charged_bytes;
}

static double percent(uint64_t hits, const struct trace *trace)
{
    return 100.0 * (double)hits / trace->request_count;
}

/* Serves the trace; returns the hit ratio. */
static double serve(const struct trace *trace, sheaf_eviction eviction, uint64_t budget_bytes, size_t value_size,
                    double *out_ns)
{
    sheaf_store *store = open_store(eviction, budget_bytes);
    uint64_t start = thread_cpu_ns();
    for (uint32_t i = 0; i < trace->request_count; i++) {
        uint8_t buffer[8];
        uint64_t number = trace->keys[trace->requests[i]];
        if (sheaf_store_exists(store, DISK, key_of(number, buffer), NULL) != SHEAF_OK) put(store, number, value_size);
        if (sheaf_store_total(store).charged_bytes > budget_bytes) fatal("the budget was passed");
    }
    *out_ns = (double)(thread_cpu_ns() - start) / trace->request_count;
    sheaf_statistics statistics;
    if (sheaf_store_statistics(store, &statistics) != SHEAF_OK) fatal("a cache without statistics");
    if (statistics.hits + statistics.misses != trace->request_count) fatal("requests were lost");
    if (!sheaf_store_check(store, NULL)) fatal("the store is broken");
    sheaf_store_destroy(store);
    return percent(statistics.hits, trace);
}

static struct ratios measure(const struct trace *trace, unsigned share, const struct settings *settings)
{
    struct ratios ratios;
    bool is_loop = strcmp(trace->name, "loop") == 0;
    uint32_t capacity = is_loop ? LOOP_ENTRIES / 100 * share : (uint32_t)((uint64_t)trace->key_count * share / 100);
    uint64_t budget_bytes = footprint(trace, settings->value_size) * capacity / trace->key_count;
    for (int i = POLICY_COUNT - 1; i >= 0; i--)
        ratios.store[i] = serve(trace, policies[i], budget_bytes, settings->value_size, &ratios.ns);
    ratios.lru = percent(ideal_lru(trace, capacity), trace);
    ratios.fifo = percent(ideal_fifo(trace, capacity), trace);
    ratios.optimum = percent(ideal_optimum(trace, capacity), trace);
    return ratios;
}

/* ---- the table ---------------------------------------------------------------------------------------------------------- */

struct sums {
    struct ratios total;
    unsigned count;
    double least_over_fifo;
};

static void print_head(const struct settings *settings)
{
    printf("Hit ratios in percent of a store as a cache, values of %zu bytes, beside ideal caches\n\n", settings->value_size);
    printf("| %-9s | %5s | %9s | %7s | %6s | %6s | %7s | %10s |\n", "trace", "share", "frequency", "recency", "LRU", "FIFO",
           "optimum", "ns/request");
    printf("|%.11s|%.6s:|%.10s:|%.8s:|%.7s:|%.7s:|%.8s:|%.11s:|\n", "-----------", "------", "----------", "--------", "-------",
           "-------", "--------", "-----------");
}

static void print_row(const char *name, const char *share, const struct ratios *ratios)
{
    printf("| %-9s | %5s | %9.2f | %7.2f | %6.2f | %6.2f | %7.2f | %10.0f |\n", name, share, ratios->store[0],
           ratios->store[1], ratios->lru, ratios->fifo, ratios->optimum, ratios->ns);
    fflush(stdout);
}

static void add(struct sums *sums, const struct ratios *ratios)
{
    for (int i = 0; i < POLICY_COUNT; i++) sums->total.store[i] += ratios->store[i];
    sums->total.lru += ratios->lru;
    sums->total.fifo += ratios->fifo;
    sums->total.optimum += ratios->optimum;
    sums->total.ns += ratios->ns;
    double over_fifo = ratios->store[0] - ratios->fifo;
    if (sums->count == 0 || over_fifo < sums->least_over_fifo) sums->least_over_fifo = over_fifo;
    sums->count++;
}

static struct ratios mean(const struct sums *sums)
{
    struct ratios ratios = sums->total;
    for (int i = 0; i < POLICY_COUNT; i++) ratios.store[i] /= sums->count;
    ratios.lru /= sums->count;
    ratios.fifo /= sums->count;
    ratios.optimum /= sums->count;
    ratios.ns /= sums->count;
    return ratios;
}

static void run_trace(enum trace_kind kind, const struct settings *settings, struct sums *sums)
{
    for (int i = 0; i < SHARE_COUNT; i++) {
        struct trace trace;
        char share[16];
        trace_init(&trace, kind, LOOP_ENTRIES / 100 * shares[i], settings->divisor, settings->data_folder);
        struct ratios ratios = measure(&trace, shares[i], settings);
        (void)snprintf(share, sizeof share, "%u %%", shares[i]);
        print_row(trace.name, share, &ratios);
        add(sums, &ratios);
        trace_release(&trace);
    }
}

static void parse(struct settings *settings, int argc, char **argv)
{
    *settings = (struct settings){ .value_size = VALUE_SIZE_DEFAULT, .divisor = 1, .data_folder = BENCH_DATA_FOLDER };
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            puts("bench_cache [--quick] [--value-size BYTES] - hit ratios of a store as a cache");
            exit(0);
        } else if (strcmp(argv[i], "--quick") == 0) {
            settings->divisor = 8;
        } else if (strcmp(argv[i], "--value-size") == 0 && i + 1 < argc) {
            settings->value_size = strtoul(argv[++i], NULL, 10);
            if (settings->value_size > VALUE_SIZE_MAX) fatal_usage("values have at most %d bytes here", VALUE_SIZE_MAX);
        } else {
            fatal_usage("unknown option %s", argv[i]);
        }
    }
}

int main(int argc, char **argv)
{
    struct settings settings;
    struct sums sums = { 0 };
    parse(&settings, argc, argv);
    print_head(&settings);
    for (int kind = 0; kind < TRACE_KIND_COUNT; kind++) run_trace((enum trace_kind)kind, &settings, &sums);
    struct ratios average = mean(&sums);
    print_row("average", "", &average);
    printf("\nThe default is %.2f points above LRU on average; beside FIFO it is never below %+.2f.\n",
           average.store[0] - average.lru, sums.least_over_fifo);
    return average.store[0] > average.lru && sums.least_over_fifo >= -BEHIND_FIFO_MAX ? 0 : 1;
}
