#include "bench/trace.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/dataset.h"
#include "bench/fatal.h"
#include "bench/zipf.h"

enum {
    DRAWN_REQUESTS = 400000,
    ZIPF_KEYS = 50000,
    LOOP_TURNS = 12,
    LOOP_REQUESTS_MIN = 100000,
    HOT_KEYS = 20000,
    HOT_REQUESTS = 30000, /* between two scans */
    SCAN_KEYS = 10000,    /* of one scan */
    COLD_KEYS = 80000,    /* that scans go through, one after the other */
    SEED = 20261201,
};

/* ---- drawing ------------------------------------------------------------------------------------------------------------ */

static uint64_t *draw_zipf(uint32_t count, double exponent)
{
    struct zipf zipf;
    struct random_stream random = { SEED };
    uint64_t *keys = allocate_or_fail(count, sizeof *keys);
    zipf_init(&zipf, ZIPF_KEYS, exponent);
    for (uint32_t i = 0; i < count; i++) keys[i] = mix64(zipf_draw(&zipf, &random));
    zipf_release(&zipf);
    return keys;
}

static uint64_t *draw_loop(uint32_t count, uint32_t key_count)
{
    uint64_t *keys = allocate_or_fail(count, sizeof *keys);
    for (uint32_t i = 0; i < count; i++) keys[i] = i % key_count;
    return keys;
}

/* Hot keys lie anywhere in the lower half of all numbers, those of the scans side by side above. */
static uint64_t *draw_scan(uint32_t count)
{
    struct zipf zipf;
    struct random_stream random = { SEED };
    uint64_t *keys = allocate_or_fail(count, sizeof *keys);
    uint64_t scanned = 0;
    zipf_init(&zipf, HOT_KEYS, 0.9);
    for (uint32_t i = 0; i < count; i++) {
        bool hot = i % (HOT_REQUESTS + SCAN_KEYS) < HOT_REQUESTS;
        keys[i] = hot ? mix64(zipf_draw(&zipf, &random)) >> 1 : (UINT64_C(1) << 63) + scanned++ % COLD_KEYS;
    }
    zipf_release(&zipf);
    return keys;
}

static uint64_t *read_block_trace(uint32_t *out_count, const char *data_folder)
{
    struct dataset dataset;
    dataset_load(&dataset, data_folder, "block-trace.tsv", 1);
    uint64_t *keys = allocate_or_fail(dataset.row_count, sizeof *keys);
    for (size_t i = 0; i < dataset.row_count; i++) keys[i] = dataset_number(&dataset, i, 0);
    *out_count = (uint32_t)dataset.row_count;
    dataset_release(&dataset);
    return keys;
}

/* ---- numbering ---------------------------------------------------------------------------------------------------------- */

static int compare_keys(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Numbers the keys in their order; takes `keys`, one for each request. */
static void number_keys(struct trace *trace, uint64_t *keys)
{
    uint64_t *sorted = allocate_or_fail(trace->request_count, sizeof *sorted);
    memcpy(sorted, keys, trace->request_count * sizeof *keys);
    qsort(sorted, trace->request_count, sizeof *sorted, compare_keys);
    uint32_t key_count = 0;
    for (uint32_t i = 0; i < trace->request_count; i++)
        if (i == 0 || sorted[i] != sorted[i - 1]) sorted[key_count++] = sorted[i];
    trace->requests = allocate_or_fail(trace->request_count, sizeof *trace->requests);
    for (uint32_t i = 0; i < trace->request_count; i++) {
        const uint64_t *found = bsearch(&keys[i], sorted, key_count, sizeof *sorted, compare_keys);
        trace->requests[i] = (uint32_t)(found - sorted);
    }
    trace->keys = sorted;
    trace->key_count = key_count;
    free(keys);
}

void trace_init(struct trace *trace, enum trace_kind kind, uint32_t capacity, uint32_t divisor, const char *data_folder)
{
    uint64_t *keys = NULL;
    *trace = (struct trace){ .request_count = DRAWN_REQUESTS / divisor };
    switch (kind) {
    case TRACE_BLOCK:
        trace->name = "block";
        keys = read_block_trace(&trace->request_count, data_folder);
        break;
    case TRACE_ZIPF_08:
        trace->name = "zipf-0.8";
        keys = draw_zipf(trace->request_count, 0.8);
        break;
    case TRACE_ZIPF_10:
        trace->name = "zipf-1.0";
        keys = draw_zipf(trace->request_count, 1.0);
        break;
    case TRACE_LOOP: {
        uint32_t key_count = capacity + capacity / 10;
        trace->name = "loop";
        trace->request_count = key_count * LOOP_TURNS;
        if (trace->request_count < LOOP_REQUESTS_MIN / divisor) trace->request_count = LOOP_REQUESTS_MIN / divisor;
        keys = draw_loop(trace->request_count, key_count);
        break;
    }
    case TRACE_SCAN:
        trace->name = "scan";
        keys = draw_scan(trace->request_count);
        break;
    case TRACE_KIND_COUNT: fatal("no such trace");
    }
    number_keys(trace, keys);
}

void trace_release(struct trace *trace)
{
    free(trace->requests);
    free(trace->keys);
    *trace = (struct trace){ 0 };
}
