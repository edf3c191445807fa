#include "bench/zipf.h"

#include <math.h>
#include <stdlib.h>

#include "bench/fatal.h"

void zipf_init(struct zipf *zipf, uint32_t count, double exponent)
{
    double sum = 0;
    zipf->cumulative = allocate_or_fail(count, sizeof *zipf->cumulative);
    zipf->count = count;
    for (uint32_t rank = 0; rank < count; rank++) {
        sum += pow((double)rank + 1, -exponent);
        zipf->cumulative[rank] = sum;
    }
}

void zipf_release(struct zipf *zipf)
{
    free(zipf->cumulative);
    *zipf = (struct zipf){ 0 };
}

uint32_t zipf_draw(const struct zipf *zipf, struct random_stream *random)
{
    double unit = (double)(random_next(random) >> 11) / (double)(1ull << 53);
    double wanted = unit * zipf->cumulative[zipf->count - 1];
    uint32_t low = 0, high = zipf->count - 1;
    while (low < high) { /* the first rank whose sum lies above */
        uint32_t middle = low + (high - low) / 2;
        if (zipf->cumulative[middle] > wanted) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}
