/*
 * workload.h - the three shapes of data, the same bytes for every engine and every run.
 *
 *   L  leaderboard  one collection        SEASON#2026-SPRING   0000001500#0001719100800123#p_0008842
 *   T  file tree    one collection        DRIVE#a91            atlas-03/release/t/t0001-init.sh, folders end in /
 *   P  many small   20 entries in each    USER#00000042        ORDER#0001719100#5ad0c9f1
 *
 * L's scores are skewed to the low end, T is a real tree's file list under many roots, P's orders are spread over two years.
 * Everything follows from a seed. Keys are kept three times, each a tape in the order of its use: ascending, in random order,
 * and in another random order for deletes.
 */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include <stdint.h>

#include "bench/checksum.h"
#include "bench/keys.h"
#include "bench/random.h"

enum shape { SHAPE_LEADERBOARD, SHAPE_TREE, SHAPE_MANY, SHAPE_COUNT };

#define ENTRIES_PER_SMALL_COLLECTION 20

struct workload {
    enum shape shape;
    uint64_t seed;
    uint32_t count; /* entries */
    uint32_t collection_count;
    size_t value_size;  /* bytes, at least 8 */
    uint64_t key_bytes; /* of all sort keys */
    struct tape ascending;
    struct tape random;
    struct tape deletes; /* all but every sixteenth entry */
    size_t *at;          /* where entry number i lies in `ascending` */
};

/* "L", "T" or "P". */
const char *shape_letter(enum shape shape);

/*
 * Makes the keys of a shape. `count` is the number of entries of L and T; P has count / 10 collections of 20 entries. T reads
 * the file list git-tree.tsv in `data_folder`.
 */
void workload_init(struct workload *workload, enum shape shape, uint64_t count, size_t value_size, uint64_t seed,
                   const char *data_folder);
void workload_release(struct workload *workload);

/* One line on what it is, for the head of a table. */
void workload_describe(const struct workload *workload, char *out, size_t size);

/* Entry number `number`, from 0 in ascending order. */
struct bench_key workload_key(const struct workload *workload, uint32_t number);

/* How many keys (of all collections, joined) are below `joined`. */
uint32_t workload_lower_bound(const struct workload *workload, sheaf_bytes joined);

/* The first eight bytes of an entry's value. `generation` counts how often it was overwritten. */
static inline uint64_t value_head(uint32_t number, uint32_t generation)
{
    return mix64((uint64_t)generation << 32 | number);
}

/* A value of `size` bytes in `buffer`, whose rest the caller has filled once. */
static inline sheaf_bytes value_of(uint8_t *buffer, size_t size, uint32_t number, uint32_t generation)
{
    uint64_t head = value_head(number, generation);
    memcpy(buffer, &head, sizeof head);
    return sheaf_bytes_of(buffer, size);
}

#endif
