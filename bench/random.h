/*
 * random.h - numbers that are the same on every machine for the same seed (SplitMix64).
 */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

static inline uint64_t mix64(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

struct random_stream {
    uint64_t state;
};

static inline uint64_t random_next(struct random_stream *random)
{
    uint64_t value = mix64(random->state);
    random->state += 0x9E3779B97F4A7C15u;
    return value;
}

/* 0 to bound - 1; bound below 2^32. */
static inline uint64_t random_below(struct random_stream *random, uint64_t bound)
{
    return (random_next(random) >> 32) * bound >> 32;
}

#endif
