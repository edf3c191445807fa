/*
 * zipf.h - ranks drawn by Zipf's law: rank r (from 0) with a probability in proportion to 1 / (r + 1) ^ exponent.
 *
 * Few are asked for very often, most hardly ever: how the keys of a service are asked for.
 */
#ifndef BENCH_ZIPF_H
#define BENCH_ZIPF_H

#include <stdint.h>

#include "bench/random.h"

struct zipf {
    double *cumulative; /* how probable ranks 0 to r are together, as multiples of the first */
    uint32_t count;
};

void zipf_init(struct zipf *zipf, uint32_t count, double exponent);
void zipf_release(struct zipf *zipf);

/* 0 to count - 1. */
uint32_t zipf_draw(const struct zipf *zipf, struct random_stream *random);

#endif
