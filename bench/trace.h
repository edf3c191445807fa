/*
 * trace.h - what a cache is asked for, request by request.
 *
 *     block     a machine's reads and writes of its disk: a recorded trace
 *     zipf-0.8  50,000 keys by Zipf's law, exponent 0.8
 *     zipf-1.0  likewise, 1.0
 *     loop      keys in order, again and again, a tenth more of them than the cache holds
 *     scan      a hot set, 20,000 keys by Zipf's law (0.9), and now and then a scan of 10,000 others
 *
 * Keys are numbers; how they lie beside each other is part of a trace (a store keeps them in order), so those drawn by Zipf's
 * law are scattered.
 */
#ifndef BENCH_TRACE_H
#define BENCH_TRACE_H

#include <stdint.h>

struct trace {
    const char *name;
    uint32_t *requests; /* numbers of keys */
    uint32_t request_count;
    uint32_t key_count; /* they are below this, and each occurs */
    uint64_t *keys;     /* by number: ascending */
};

enum trace_kind { TRACE_BLOCK, TRACE_ZIPF_08, TRACE_ZIPF_10, TRACE_LOOP, TRACE_SCAN, TRACE_KIND_COUNT };

/* `capacity` is what the cache holds, for the loop; only every `divisor`-th request of the long ones is made. */
void trace_init(struct trace *trace, enum trace_kind kind, uint32_t capacity, uint32_t divisor, const char *data_folder);
void trace_release(struct trace *trace);

#endif
