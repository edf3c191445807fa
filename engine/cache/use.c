#include "engine/cache/use.h"

enum {
    AGE_BITS = 5,
    AGE_MAX = (1 << AGE_BITS) - 1,
    FREQUENCY_MAX = 7,
    HALF_LIFE = 8, /* rounds in which a use comes to be worth half */
};

static uint8_t pack(uint32_t frequency, uint32_t age)
{
    return (uint8_t)(frequency << AGE_BITS | age);
}

/* HALF_LIFE * log2(frequency): in these units, a round of age costs 1. */
static const uint8_t WORTH[FREQUENCY_MAX + 1] = { 0, 0, 8, 13, 16, 19, 21, 22 };
_Static_assert(HALF_LIFE == 8, "WORTH is worked out for it");

static void rule_by_frequency(struct sheaf_use_rules *rules, uint32_t use)
{
    uint32_t frequency = use >> AGE_BITS;
    uint32_t age = use & AGE_MAX;
    rules->used[use] = pack(frequency < FREQUENCY_MAX ? frequency + 1 : frequency, 0);
    rules->aged[use] = pack(frequency, age < AGE_MAX ? age + 1 : age);
    rules->rank[use] = (uint8_t)(frequency == 0 ? 0 : 1 + AGE_MAX + WORTH[frequency] - age);
}

static void rule_by_recency(struct sheaf_use_rules *rules, uint32_t use)
{
    rules->used[use] = 0;
    rules->aged[use] = (uint8_t)(use < UINT8_MAX ? use + 1 : use);
    rules->rank[use] = (uint8_t)(UINT8_MAX - use);
}

void sheaf_use_rules_init(struct sheaf_use_rules *rules, enum sheaf_use_order order)
{
    rules->fresh = 0;
    rules->returned = order == SHEAF_USE_FREQUENCY ? pack(1, 0) : 0;
    for (uint32_t use = 0; use <= UINT8_MAX; use++) {
        switch (order) {
        case SHEAF_USE_FREQUENCY: rule_by_frequency(rules, use); break;
        case SHEAF_USE_RECENCY: rule_by_recency(rules, use); break;
        }
    }
}
