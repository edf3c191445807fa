/*
 * sifter.h - who goes, of the entries the hand meets: the lowest ranks of all it has met lately.
 *
 *      met lately, by rank   |#####|###|##|######|#|##|####|        an eighth of them lies to the left of the threshold;
 *                            '--going--'                            of a rank that the threshold cuts, as many as belong there
 *
 * A threshold for all, rather than the worst of a few: neighbours in a leaf are alike, and of a leaf of nothing but hot entries
 * none should go. What has been met is forgotten by and by, so the threshold follows the load.
 *
 * Which of a rank go is drawn at random: the hand's order is that of the keys, and a loop over the keys must not be just behind
 * the hand, or just before it, for ever.
 */
#ifndef SHEAF_CACHE_SIFTER_H
#define SHEAF_CACHE_SIFTER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/cache/use.h"

struct sheaf_sifter {
    uint64_t met[256];      /* by rank: in this round, and half of what is expected for it */
    uint64_t met_count;
    uint64_t expected[256]; /* by use: for the round to come */
    uint64_t round_count;   /* met in this round */
    bool has_been_round; /* until then none goes: it may have met nothing but hot ones */
    uint64_t idle; /* entries met in a row of which none went */
    uint64_t random;
};

void sheaf_sifter_init(struct sheaf_sifter *sifter);

/* A number drawn at random, from 0 to 65535. */
uint32_t sheaf_sifter_draw(struct sheaf_sifter *sifter);

/*
 * Sifts `count` entries by their uses: sets `out_going` for each, ages those that stay, and returns how many go.
 * `population` is about how many entries there are in all. If none of a whole round has gone, one goes: whoever sifts on and
 * on gets somewhere.
 */
uint32_t sheaf_sifter_sift(struct sheaf_sifter *sifter, const struct sheaf_use_rules *rules, uint64_t population, uint8_t *uses,
                           uint32_t count, bool *out_going);

#endif
