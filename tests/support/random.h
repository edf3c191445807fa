/*
 * random.h - where a test's choices come from: a seed, or a tape of bytes.
 *
 * From a seed (splitmix64) for model tests; from a tape for fuzzing, so that the fuzzer's bytes are the choices and the same
 * exercise serves both. A tape at its end gives zeroes; whoever loops asks random_is_spent().
 *
 * SHEAF_SEED=n in the environment replaces a test's seed, SHEAF_SEED=clock takes a fresh one; SHEAF_TEST_SCALE=x multiplies the
 * number of operations (0.1 for a quick look, 20 for a night).
 */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state;
    const uint8_t *tape; /* NULL: from the seed */
    size_t tape_size;
    size_t tape_at;
};

static inline struct random random_from_seed(uint64_t seed)
{
    return (struct random){ .state = seed };
}

static inline struct random random_from_tape(const uint8_t *tape, size_t size)
{
    return (struct random){ .tape = tape, .tape_size = size };
}

static inline bool random_is_spent(const struct random *random)
{
    return random->tape && random->tape_at >= random->tape_size;
}

static inline uint64_t random_next(struct random *random)
{
    random->state += 0x9E3779B97F4A7C15u;
    uint64_t mixed = random->state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

static inline uint64_t random_tape_byte(struct random *random)
{
    return random->tape_at < random->tape_size ? random->tape[random->tape_at++] : 0;
}

/* 0 to bound - 1; bound from 1 to 65536. */
static inline uint32_t random_below(struct random *random, uint32_t bound)
{
    if (!random->tape) return (uint32_t)(((random_next(random) >> 32) * bound) >> 32);
    if (bound <= 1) return 0;
    uint64_t drawn = random_tape_byte(random);
    if (bound > 256) drawn = drawn << 8 | random_tape_byte(random);
    return (uint32_t)(drawn % bound);
}

/* low to high, both in. */
static inline uint32_t random_between(struct random *random, uint32_t low, uint32_t high)
{
    return low + random_below(random, high - low + 1);
}

/* True once in `times`. A spent tape says no, so that loops end. */
static inline bool random_once_in(struct random *random, uint32_t times)
{
    return random_below(random, times) == times - 1;
}

/* The seed to use for a test of this name, printed to standard error together with the name. */
uint64_t random_seed(const char *name, uint64_t usual);

/* `usual` operations, scaled by SHEAF_TEST_SCALE. */
uint64_t random_scaled(uint64_t usual);

#endif
