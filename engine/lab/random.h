/*
 * random.h - numbers that look drawn by chance and are the same for the same seed, everywhere.
 *
 * SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014): a counter and a mixer.
 */
#ifndef SHEAF_LAB_RANDOM_H
#define SHEAF_LAB_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state;
};

static inline uint64_t random_next(struct random *random)
{
    uint64_t mixed = random->state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

/* From 0 to `count` - 1. `count` is below 2^32: the bias is below one in 2^32, too. */
static inline uint64_t random_below(struct random *random, uint64_t count)
{
    return (random_next(random) >> 32) * count >> 32;
}

#endif
