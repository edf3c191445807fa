/*
 * mix.h - 95 % gets and 5 % puts from several threads at once: what a service does.
 *
 * Or, where an operation has a target, half and half of scans of so many entries and of puts of keys that are there.
 *
 * Each thread has a tape of its own. A put is of a key that is there, or of one that is not; half and half. Check sums must not
 * depend on which thread comes first: so what is put to a key that is there is what it holds, no get asks for a new key, and
 * new keys are all different. They are deleted afterwards, so that every run starts from the same.
 */
#ifndef BENCH_MIX_H
#define BENCH_MIX_H

#include "bench/operations.h"
#include "bench/shared.h"

/* What a step is, beside the number of its key. */
#define MIX_PUT (1u << 31)
#define MIX_NEW (1u << 30)
#define MIX_NUMBER (MIX_NEW - 1)

/* Makes the tapes of all threads: prepared->mix, and prepared->keys with all new keys. */
void mix_prepare(struct prepared *prepared, const struct workload *workload, struct random_stream *random);

/* The scan that a key stands for: down from it, `target` entries or to the start of its collection. */
void mix_query(const struct workload *workload, const struct bench_key *key, uint32_t target, struct bench_query *out_query);

/* The value of the key a put is of. */
sheaf_bytes mix_value(uint8_t *buffer, size_t size, uint32_t marked_number);

/* What the threads' runs took: all times and sums, the whole content included, are those of one run. */
struct mix_outcome {
    uint64_t wall_ns; /* from the first thread's start to the last one's end */
    uint64_t cpu_ns;  /* of all threads */
    struct checksum checksum;
};

/* Runs it once on `shared`, which holds the whole workload and holds it again afterwards. Threads are pinned to `cores`, one
 * each, unless that is -1. */
void mix_run(struct shared *shared, const struct prepared *prepared, const struct workload *workload, const int *cores,
             struct mix_outcome *out);

#endif
