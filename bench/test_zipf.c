/*
 * test_zipf - ranks come as often as Zipf's law says.
 *
 * With the exponent 1 the sums are harmonic numbers: of 1,000 ranks, H(1000) = 7.48547, the first has a share of 1 / 7.48547,
 * the first ten of H(10) = 2.92897 / 7.48547, the first hundred of H(100) = 5.18738 / 7.48547.
 */
#include <math.h>
#include <stdio.h>

#include "bench/zipf.h"

#define DRAWS 1000000

static const struct share {
    uint32_t ranks;
    double expected;
} shares[] = { { 1, 1 / 7.48547 }, { 10, 2.92897 / 7.48547 }, { 100, 5.18738 / 7.48547 }, { 1000, 1 } };

int main(void)
{
    unsigned long drawn[1000] = { 0 };
    struct random_stream random = { 1 };
    struct zipf zipf;
    int failed = 0;
    zipf_init(&zipf, 1000, 1.0);
    for (int i = 0; i < DRAWS; i++) drawn[zipf_draw(&zipf, &random)]++;
    zipf_release(&zipf);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        unsigned long sum = 0;
        for (uint32_t rank = 0; rank < shares[i].ranks; rank++) sum += drawn[rank];
        double share = (double)sum / DRAWS;
        if (fabs(share - shares[i].expected) < 0.002) continue; /* four times the standard deviation of a share of a half */
        printf("the first %u ranks: expected a share of %.4f, got %.4f\n", shares[i].ranks, shares[i].expected, share);
        failed = 1;
    }
    return failed;
}
