#include "bench/result.h"

#include <string.h>

#include "bench/measure.h"

struct spread spread_of(const double *numbers, unsigned count)
{
    double sorted[RUNS_MAX];
    memcpy(sorted, numbers, count * sizeof *numbers);
    double median = median_of(sorted, count);
    return (struct spread){ median, sorted[0], sorted[count - 1] };
}
