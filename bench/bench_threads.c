/*
 * bench_threads - 95 % gets and 5 % puts, by one thread and by two, keys drawn evenly and by Zipf's law; and scans while others
 * write.
 */
#include "bench/harness.h"

#define ON_ALL (ON_L | ON_T | ON_P)

/* clang-format off */
static const struct operation operations[] = {
    { .bench = "threads", .name = "mix_even_1", .title = "evenly, one thread", .kind = OPERATION_MIX, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1, .batch = 400000, .threads = 1 },
    { .bench = "threads", .name = "mix_even_2", .title = "evenly, two threads", .kind = OPERATION_MIX, .shapes = ON_ALL,
      .content = CONTENT_RANDOM, .group = 1, .batch = 400000, .threads = 2 },
    { .bench = "threads", .name = "mix_zipf_1", .title = "by Zipf's law, one thread", .kind = OPERATION_MIX,
      .shapes = ON_ALL, .content = CONTENT_RANDOM, .group = 1, .batch = 400000, .threads = 1, .skewed = true },
    { .bench = "threads", .name = "mix_zipf_2", .title = "by Zipf's law, two threads", .kind = OPERATION_MIX,
      .shapes = ON_ALL, .content = CONTENT_RANDOM, .group = 1, .batch = 400000, .threads = 2, .skewed = true },
    { .bench = "threads", .name = "mix_scan_1", .title = "scans of 100 and puts, one thread", .kind = OPERATION_MIX,
      .shapes = ON_L | ON_T, .content = CONTENT_RANDOM, .group = 1, .batch = 100000, .threads = 1, .target = 100 },
    { .bench = "threads", .name = "mix_scan_2", .title = "scans of 100 and puts, two", .kind = OPERATION_MIX,
      .shapes = ON_L | ON_T, .content = CONTENT_RANDOM, .group = 1, .batch = 100000, .threads = 2, .target = 100 },
};
/* clang-format on */

int main(int argc, char **argv)
{
    static const struct bench bench = {
        .name = "threads",
        .title = "Threads: 95 % gets, 5 % puts (half of them of new keys); scans and puts, half and half",
        .operations = operations,
        .operation_count = sizeof operations / sizeof *operations,
        .threads = true,
    };
    return bench_main(argc, argv, &bench);
}
