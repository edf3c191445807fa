#include "bench/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct number_text readable(double number)
{
    char digits[32];
    struct number_text out = { "" };
    if (isnan(number)) return out;
    int size = snprintf(digits, sizeof digits, number < 99.95 ? "%.1f" : "%.0f", number), at = 0;
    if (number < 99.95) {
        memcpy(out.text, digits, (size_t)size + 1);
        return out;
    }
    for (int i = 0; i < size && at < (int)sizeof out.text - 2; i++) {
        if (i > 0 && (size - i) % 3 == 0) out.text[at++] = ',';
        out.text[at++] = digits[i];
    }
    out.text[at] = '\0';
    return out;
}

struct number_text readable_ratio(double ratio)
{
    struct number_text out = { "" };
    if (!isnan(ratio)) snprintf(out.text, sizeof out.text, "%.*f", ratio < 9.95 ? 2 : 0, ratio);
    return out;
}

const char *verdict(double ratio)
{
    return ratio >= 1.05 ? "ahead" : ratio > 0.95 ? "level" : "BEHIND";
}

double per_entry(uint64_t bytes, const struct workload *workload)
{
    return (double)bytes / workload->count;
}

double payload_per_entry(const struct workload *workload)
{
    return (double)workload->key_bytes / workload->count + (double)workload->value_size;
}

double entries_per_operation(const struct engine_result *result)
{
    return (double)result->last.checksum.entries / (double)result->last.operations;
}

bool has_time_per_entry(const struct result *result)
{
    return result->prepared->operation->kind == OPERATION_QUERY;
}

double bytes_per_operation(const struct engine_result *result)
{
    return (double)result->last.checksum.bytes / (double)result->last.operations;
}

double bytes_per_entry(const struct workload *workload, const struct result *result, const struct engine_result *engine)
{
    if (result->prepared->operation->kind == OPERATION_HOLD) return per_entry(engine->last.held_bytes, workload);
    if (operation_writes(result->prepared->operation)) return payload_per_entry(workload);
    if (engine->last.checksum.entries == 0) return 0;
    return (double)engine->last.checksum.bytes / (double)engine->last.checksum.entries;
}
