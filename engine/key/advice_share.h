/*
 * advice_share.h - which item collections have most of something, in bounded memory.
 *
 * Space-saving counters (Metwally, Agrawal, El Abbadi, 2005): a key without a counter takes over the smallest, and what that
 * had is the most its count can be too high by. Every key with more than a 64th of the whole has a counter.
 */
#ifndef SHEAF_KEY_ADVICE_SHARE_H
#define SHEAF_KEY_ADVICE_SHARE_H

#include "engine/key/advice_segment.h"

enum { ADVICE_SHARE_COUNTERS = 64, ADVICE_SHARE_BITS = 1 << 16 };

struct advice_share {
    uint64_t hash;
    uint64_t weight;
    uint64_t error; /* of the weight, at most */
    struct advice_example key;
};

struct advice_shares {
    uint64_t total;
    size_t counter_count;
    struct advice_share counters[ADVICE_SHARE_COUNTERS];
    uint64_t seen[ADVICE_SHARE_BITS / 64]; /* a bit for each hash, to guess how many keys there are */
};

void sheaf_advice_shares_add(struct advice_shares *shares, sheaf_bytes key, uint64_t hash, uint64_t weight);

/* The one that has most for certain; NULL: none was added. */
const struct advice_share *sheaf_advice_shares_largest(const struct advice_shares *shares);

/* About how many different keys were added, by the bits still unset (linear counting); at least as many beyond half a
 * million. */
uint64_t sheaf_advice_shares_key_count(const struct advice_shares *shares);

#endif
