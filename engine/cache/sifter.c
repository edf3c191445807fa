#include "engine/cache/sifter.h"

#include <string.h>

#include "engine/base/assert.h"

enum {
    GOING_FRACTION = 8,    /* of what is met, goes */
    ROUND_COUNT_MIN = 256, /* enough for a threshold */
    IDLE_COUNT = 256,      /* entries, beyond a whole round, of which one should have gone */
    DRAW_BITS = 16,
};

/* Ranks below the first go, and of it as many as `chance` says, of 1 << DRAW_BITS. */
struct threshold {
    uint32_t rank;
    uint32_t chance;
};

void sheaf_sifter_init(struct sheaf_sifter *sifter)
{
    *sifter = (struct sheaf_sifter){ .random = 0x9E3779B97F4A7C15u };
}

uint32_t sheaf_sifter_draw(struct sheaf_sifter *sifter)
{
    uint64_t x = sifter->random; /* xorshift */
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    sifter->random = x;
    return (uint32_t)(x >> (64 - DRAW_BITS));
}

/* A round begins: those that stayed in the last one will be met again, a round older unless they are used, and others that came
 * for those that went. */
static void begin_round(struct sheaf_sifter *sifter, const struct sheaf_use_rules *rules)
{
    memset(sifter->met, 0, sizeof sifter->met);
    sifter->met_count = 0;
    for (uint32_t use = 0; use <= UINT8_MAX; use++) {
        sifter->met[rules->rank[use]] += sifter->expected[use] / 2;
        sifter->met_count += sifter->expected[use] / 2;
    }
    memset(sifter->expected, 0, sizeof sifter->expected);
    sifter->round_count = 0;
}

static void meet(struct sheaf_sifter *sifter, const struct sheaf_use_rules *rules, uint64_t population, const uint8_t *uses,
                 uint32_t count)
{
    if (sifter->round_count > population && sifter->round_count > ROUND_COUNT_MIN) begin_round(sifter, rules);
    for (uint32_t i = 0; i < count; i++) sifter->met[rules->rank[uses[i]]]++;
    sifter->met_count += count;
    sifter->round_count += count;
    if (sifter->round_count >= population) sifter->has_been_round = true;
}

static struct threshold find_threshold(const struct sheaf_sifter *sifter)
{
    uint64_t wanted = (sifter->met_count << DRAW_BITS) / GOING_FRACTION;
    uint32_t rank = 0;
    while (rank < UINT8_MAX && sifter->met[rank] << DRAW_BITS < wanted) wanted -= sifter->met[rank++] << DRAW_BITS;
    uint64_t of_rank = sifter->met[rank];
    return (struct threshold){ .rank = rank, .chance = of_rank > 0 ? (uint32_t)(wanted / of_rank) : 0 };
}

static bool goes(struct sheaf_sifter *sifter, struct threshold threshold, uint32_t rank)
{
    if (!sifter->has_been_round) return false;
    if (rank != threshold.rank) return rank < threshold.rank;
    return sheaf_sifter_draw(sifter) < threshold.chance;
}

static uint32_t lowest(const struct sheaf_use_rules *rules, const uint8_t *uses, uint32_t count)
{
    uint32_t low = 0;
    for (uint32_t i = 1; i < count; i++)
        if (rules->rank[uses[i]] < rules->rank[uses[low]]) low = i;
    return low;
}

uint32_t sheaf_sifter_sift(struct sheaf_sifter *sifter, const struct sheaf_use_rules *rules, uint64_t population, uint8_t *uses,
                           uint32_t count, bool *out_going)
{
    sheaf_assert(count > 0);
    meet(sifter, rules, population, uses, count);
    struct threshold threshold = find_threshold(sifter);
    uint32_t going_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        out_going[i] = goes(sifter, threshold, rules->rank[uses[i]]);
        going_count += out_going[i];
    }
    sifter->idle = going_count > 0 ? 0 : sifter->idle + count;
    if (sifter->idle >= population + IDLE_COUNT) {
        out_going[lowest(rules, uses, count)] = true;
        going_count = 1;
        sifter->idle = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!out_going[i]) uses[i] = rules->aged[uses[i]];
        sifter->expected[out_going[i] ? rules->fresh : uses[i]]++; /* a new one for each that goes */
    }
    return going_count;
}
