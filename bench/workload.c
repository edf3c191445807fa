#include "bench/workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/dataset.h"
#include "bench/fatal.h"

#define LEADERBOARD_PARTITION SHEAF_LIT("SEASON#2026-SPRING")
#define TREE_PARTITION SHEAF_LIT("DRIVE#a91")

/* ---- keys, in whatever order they come -------------------------------------------------------------------------------- */

/* Scores up to 10 million, the cube of an even spread: half of the players have less than an eighth of the best. */
static uint64_t draw_score(struct random_stream *random)
{
    uint64_t unit = random_below(random, 1u << 20);
    return (uint64_t)((double)unit * (double)unit * (double)unit / (double)(1ull << 60) * 10000000.0);
}

static void generate_leaderboard(struct tape *tape, uint64_t count, struct random_stream *random)
{
    uint64_t time_us = 1772323200000000; /* 2026-03-01 */
    for (uint64_t i = 0; i < count; i++) {
        char key[64];
        time_us += 1 + random_below(random, 2000000);
        int size = snprintf(key, sizeof key, "%010" PRIu64 "#%016" PRIu64 "#p_%07" PRIu64, draw_score(random), time_us,
                            random_below(random, 10000000));
        tape_add_key(tape, LEADERBOARD_PARTITION, sheaf_bytes_of(key, (size_t)size), 0);
    }
}

/* Two check-outs of the real tree per project, a folder above each, until there are enough paths. */
static void generate_tree(struct tape *tape, uint64_t count, const char *data_folder)
{
    static const char *const project[] = { "atlas",  "beacon",  "cobalt",  "drift", "ember",    "fathom", "granite", "harbor",
                                           "indigo", "juniper", "kestrel", "lumen", "meridian", "nimbus", "orchid",  "prism" };
    static const char *const checkout[] = { "main/", "release-2026.1/" };
    struct dataset files;
    dataset_load(&files, data_folder, "git-tree.tsv", 2);
    for (uint64_t copy = 0; tape->count < count; copy++) {
        char path[1024];
        int folder = snprintf(path, sizeof path, "%s-%03" PRIu64 "/", project[copy / 2 % 16], copy / 2);
        if (copy % 2 == 0) tape_add_key(tape, TREE_PARTITION, sheaf_bytes_of(path, (size_t)folder), 0);
        int root = folder + snprintf(path + folder, sizeof path - (size_t)folder, "%s", checkout[copy % 2]);
        if (tape->count < count) tape_add_key(tape, TREE_PARTITION, sheaf_bytes_of(path, (size_t)root), 0);
        for (size_t row = 0; row < files.row_count && tape->count < count; row++) {
            sheaf_bytes file = dataset_field(&files, row, 0);
            if ((size_t)root + file.size > sizeof path) fatal("git-tree.tsv: a path of %zu bytes", file.size);
            memcpy(path + root, file.data, file.size);
            tape_add_key(tape, TREE_PARTITION, sheaf_bytes_of(path, (size_t)root + file.size), 0);
        }
    }
    dataset_release(&files);
}

static void generate_many(struct tape *tape, uint64_t collection_count, struct random_stream *random)
{
    for (uint64_t user = 0; user < collection_count; user++) {
        char partition[32], key[64];
        int partition_size = snprintf(partition, sizeof partition, "USER#%08" PRIu64, user);
        uint64_t time_s = 1709251200 + random_below(random, 10000000);
        for (int i = 0; i < ENTRIES_PER_SMALL_COLLECTION; i++) {
            time_s += 1 + random_below(random, 5000000); /* strictly later, so the keys of a collection differ */
            int size = snprintf(key, sizeof key, "ORDER#%010" PRIu64 "#%08" PRIx64, time_s, random_below(random, UINT32_MAX));
            tape_add_key(tape, sheaf_bytes_of(partition, (size_t)partition_size), sheaf_bytes_of(key, (size_t)size), 0);
        }
    }
}

/* ---- the tapes -------------------------------------------------------------------------------------------------------- */

static int order_of_records(const void *left, const void *right)
{
    struct bench_key a, b;
    tape_read_key(*(const uint8_t *const *)left, &a);
    tape_read_key(*(const uint8_t *const *)right, &b);
    return sheaf_bytes_compare(bench_key_joined(&a), bench_key_joined(&b));
}

/* Copies the records of `raw` to workload->ascending, numbered. */
static void sort_keys(struct workload *workload, const struct tape *raw)
{
    const uint8_t **records = allocate_or_fail(raw->count, sizeof *records);
    const uint8_t *at = raw->bytes;
    struct bench_key key, previous = { 0 };
    for (uint64_t i = 0; i < raw->count; i++) {
        records[i] = at;
        at = tape_read_key(at, &key);
    }
    qsort(records, raw->count, sizeof *records, order_of_records);
    workload->at = allocate_or_fail(raw->count, sizeof *workload->at);
    for (uint32_t i = 0; i < raw->count; i++) {
        tape_read_key(records[i], &key);
        if (i > 0 && sheaf_bytes_compare(bench_key_joined(&previous), bench_key_joined(&key)) == 0) {
            fatal("shape %s: the same key twice", shape_letter(workload->shape));
        }
        previous = key;
        workload->at[i] = tape_add_key(&workload->ascending, bench_key_partition(&key), bench_key_sort(&key), i);
        workload->key_bytes += key.sort_size;
    }
    free(records);
}

/* The entries in random order; of every sixteen (by number) one is left out when `leave_some`. */
static void shuffle_keys(const struct workload *workload, struct tape *out, struct random_stream *random, int leave_some)
{
    uint32_t *order = allocate_or_fail(workload->count, sizeof *order);
    for (uint32_t i = 0; i < workload->count; i++) order[i] = i;
    for (uint32_t i = workload->count; i > 1; i--) {
        uint32_t other = (uint32_t)random_below(random, i), last = order[i - 1];
        order[i - 1] = order[other];
        order[other] = last;
    }
    for (uint32_t i = 0; i < workload->count; i++) {
        if (leave_some && order[i] % 16 == 7) continue;
        struct bench_key key = workload_key(workload, order[i]);
        tape_add_key(out, bench_key_partition(&key), bench_key_sort(&key), key.number);
    }
    free(order);
}

const char *shape_letter(enum shape shape)
{
    static const char *const letters[SHAPE_COUNT] = { "L", "T", "P" };
    return letters[shape];
}

void workload_init(struct workload *workload, enum shape shape, uint64_t count, size_t value_size, uint64_t seed,
                   const char *data_folder)
{
    struct random_stream random = { seed + shape };
    struct tape raw = { 0 };
    *workload = (struct workload){ .shape = shape, .seed = seed, .value_size = value_size, .collection_count = 1 };
    switch (shape) {
    case SHAPE_LEADERBOARD: generate_leaderboard(&raw, count, &random); break;
    case SHAPE_TREE: generate_tree(&raw, count, data_folder); break;
    case SHAPE_MANY:
        workload->collection_count = (uint32_t)(count / 10 ? count / 10 : 1);
        generate_many(&raw, workload->collection_count, &random);
        break;
    case SHAPE_COUNT: fatal("no such shape");
    }
    workload->count = (uint32_t)raw.count;
    sort_keys(workload, &raw);
    tape_release(&raw);
    shuffle_keys(workload, &workload->random, &random, 0);
    shuffle_keys(workload, &workload->deletes, &random, 1);
}

void workload_release(struct workload *workload)
{
    tape_release(&workload->ascending);
    tape_release(&workload->random);
    tape_release(&workload->deletes);
    free(workload->at);
    *workload = (struct workload){ 0 };
}

/* 1234567 as "1,234,567". */
static const char *grouped(uint64_t number, char *out)
{
    char digits[32];
    int size = snprintf(digits, sizeof digits, "%" PRIu64, number), at = 0;
    for (int i = 0; i < size; i++) {
        if (i > 0 && (size - i) % 3 == 0) out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}

void workload_describe(const struct workload *workload, char *out, size_t size)
{
    static const char *const names[SHAPE_COUNT] = { "leaderboard", "file tree", "many small" };
    char collections[48], entries[48];
    snprintf(out, size, "%s  %s: %s collection%s, %s entries, sort keys of %.1f bytes, values of %zu bytes",
             shape_letter(workload->shape), names[workload->shape], grouped(workload->collection_count, collections),
             workload->collection_count == 1 ? "" : "s", grouped(workload->count, entries),
             (double)workload->key_bytes / workload->count, workload->value_size);
}

struct bench_key workload_key(const struct workload *workload, uint32_t number)
{
    struct bench_key key;
    tape_read_key(workload->ascending.bytes + workload->at[number], &key);
    return key;
}

uint32_t workload_lower_bound(const struct workload *workload, sheaf_bytes joined)
{
    uint32_t low = 0, high = workload->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        struct bench_key key = workload_key(workload, middle);
        if (sheaf_bytes_compare(bench_key_joined(&key), joined) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
