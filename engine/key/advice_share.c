#include "engine/key/advice_share.h"

static struct advice_share *find(struct advice_shares *shares, uint64_t hash)
{
    for (size_t i = 0; i < shares->counter_count; i++)
        if (shares->counters[i].hash == hash) return &shares->counters[i];
    return NULL;
}

static struct advice_share *smallest(struct advice_shares *shares)
{
    struct advice_share *least = &shares->counters[0];
    for (size_t i = 1; i < shares->counter_count; i++)
        if (shares->counters[i].weight < least->weight) least = &shares->counters[i];
    return least;
}

static struct advice_share *take_counter(struct advice_shares *shares, sheaf_bytes key, uint64_t hash)
{
    bool has_room = shares->counter_count < ADVICE_SHARE_COUNTERS;
    struct advice_share *share = has_room ? &shares->counters[shares->counter_count++] : smallest(shares);
    if (has_room) share->weight = 0;
    share->error = share->weight;
    share->hash = hash;
    sheaf_advice_example_set(&share->key, key, 0, 0);
    return share;
}

void sheaf_advice_shares_add(struct advice_shares *shares, sheaf_bytes key, uint64_t hash, uint64_t weight)
{
    if (weight == 0) return;
    shares->total += weight;
    shares->seen[hash / 64 % (ADVICE_SHARE_BITS / 64)] |= (uint64_t)1 << (hash % 64);
    struct advice_share *share = find(shares, hash);
    if (!share) share = take_counter(shares, key, hash);
    share->weight += weight;
}

const struct advice_share *sheaf_advice_shares_largest(const struct advice_shares *shares)
{
    const struct advice_share *largest = NULL;
    for (size_t i = 0; i < shares->counter_count; i++) {
        const struct advice_share *share = &shares->counters[i];
        if (!largest || share->weight - share->error > largest->weight - largest->error) largest = share;
    }
    return largest;
}

/* -n ln(unset / n), by halves: ln 2 is 0.693, and between two powers of two a line is near enough. */
uint64_t sheaf_advice_shares_key_count(const struct advice_shares *shares)
{
    uint64_t set = 0, unset, estimate = 0;
    for (size_t i = 0; i < ADVICE_SHARE_BITS / 64; i++) set += (uint64_t)__builtin_popcountll(shares->seen[i]);
    unset = ADVICE_SHARE_BITS - set;
    if (unset == 0) unset = 1;
    uint64_t above = ADVICE_SHARE_BITS;
    for (; above / 2 >= unset; above /= 2) estimate += ADVICE_SHARE_BITS / 1000 * 693;
    return estimate + (above - unset) * ADVICE_SHARE_BITS / above;
}
