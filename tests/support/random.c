#include "tests/support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/expect.h"

static uint64_t clock_seed(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec;
}

uint64_t random_seed(const char *name, uint64_t usual)
{
    const char *wanted = getenv("SHEAF_SEED");
    uint64_t seed = usual;
    if (wanted && strcmp(wanted, "clock") == 0) seed = clock_seed();
    else if (wanted && *wanted) seed = strtoull(wanted, NULL, 0);
    expect_scene = (struct expect_scene){ .name = name, .seed = seed, .operation = "none yet" };
    fprintf(stderr, "# %s: SHEAF_SEED=%" PRIu64 "\n", name, seed);
    return seed;
}

uint64_t random_scaled(uint64_t usual)
{
    const char *scale = getenv("SHEAF_TEST_SCALE");
    if (!scale || !*scale) return usual;
    double scaled = (double)usual * strtod(scale, NULL);
    return scaled < 1 ? 1 : (uint64_t)scaled;
}
