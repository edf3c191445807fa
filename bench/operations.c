#include "bench/operations.h"

#include <stdlib.h>
#include <string.h>

#include "bench/fatal.h"
#include "bench/mix.h"

/* ---- choosing what to ask --------------------------------------------------------------------------------------------- */

/* Entries `low` to `high` - 1. */
struct span {
    uint32_t low;
    uint32_t high;
};

/* The collection that entry `number` lies in. */
static struct span collection_of(const struct workload *workload, uint32_t number)
{
    if (workload->shape != SHAPE_MANY) return (struct span){ 0, workload->count };
    uint32_t low = number - number % ENTRIES_PER_SMALL_COLLECTION;
    return (struct span){ low, low + ENTRIES_PER_SMALL_COLLECTION };
}

static bool starts_with(const struct workload *workload, uint32_t number, sheaf_bytes prefix)
{
    struct bench_key key = workload_key(workload, number);
    return key.sort_size >= prefix.size && memcmp(bench_key_sort(&key).data, prefix.data, prefix.size) == 0;
}

/* Widens `span`, all of whose entries start with `prefix`, to all entries of the collection that do: strides that double while
 * they hit and halve when they miss. */
static void widen(const struct workload *workload, struct span *span, struct span collection, sheaf_bytes prefix)
{
    uint32_t stride = 1;
    for (bool growing = true; stride > 0;) {
        bool hit = span->low - collection.low >= stride && starts_with(workload, span->low - stride, prefix);
        if (hit) span->low -= stride;
        growing = growing && hit;
        stride = growing ? stride * 2 : stride / 2;
    }
    stride = 1;
    for (bool growing = true; stride > 0;) {
        bool hit = collection.high - span->high >= stride && starts_with(workload, span->high - 1 + stride, prefix);
        if (hit) span->high += stride;
        growing = growing && hit;
        stride = growing ? stride * 2 : stride / 2;
    }
}

/* How far `size` is from `target`, as a factor of at least 1. */
static double factor_between(uint32_t size, uint32_t target)
{
    return size > target ? (double)size / target : (double)target / size;
}

/*
 * The prefix of entry `number`'s key that holds closest to `target` entries. In T only whole folders count: a subtree is what
 * lies below a '/'. The span of a longer prefix lies in that of a shorter one, so it is widened from the longest on.
 */
static double closest_prefix(const struct workload *workload, uint32_t number, uint32_t target, struct bench_query *query)
{
    struct bench_key key = workload_key(workload, number);
    struct span collection = collection_of(workload, number), span = { number, number + 1 };
    double closest = 1e300;
    for (uint32_t size = key.sort_size; size > 0; size--) {
        sheaf_bytes prefix = sheaf_bytes_of(bench_key_sort(&key).data, size);
        if (workload->shape == SHAPE_TREE && prefix.data[size - 1] != '/') continue;
        widen(workload, &span, collection, prefix);
        uint32_t entries = span.high - span.low;
        double factor = factor_between(entries, target);
        if (factor < closest) {
            closest = factor;
            query->low = query->high = key;
            query->low.sort_size = size;
            query->high.sort_size = 0;
            query->first = span.low;
            query->entries = entries;
        }
        if (entries > target) break;
    }
    return closest;
}

static void draw_prefix(const struct workload *workload, struct random_stream *random, uint32_t target,
                        struct bench_query *query)
{
    double accepted = 2; /* not every key has a prefix of that size: take what comes close, and ask for less in time */
    for (unsigned tries = 1;; tries++) {
        uint32_t number = (uint32_t)random_below(random, workload->count);
        if (closest_prefix(workload, number, target, query) <= accepted) return;
        if (tries % 64 == 0) accepted *= 1.5;
    }
}

static void draw_between(const struct workload *workload, struct random_stream *random, uint32_t target,
                         struct bench_query *query)
{
    struct span collection = collection_of(workload, (uint32_t)random_below(random, workload->count));
    uint32_t size = collection.high - collection.low;
    uint32_t entries = target < size ? target : size;
    query->first = collection.low + (uint32_t)random_below(random, size - entries + 1);
    query->entries = entries;
    query->low = workload_key(workload, query->first);
    query->high = workload_key(workload, query->first + entries - 1);
}

/* From an entry down: the last `limit` of what lies at or below it; or the last of the whole collection. */
static void draw_last(const struct workload *workload, struct random_stream *random, uint32_t limit, struct bench_query *query)
{
    uint32_t number = (uint32_t)random_below(random, workload->count);
    struct span collection = collection_of(workload, number);
    if (query->kind == QUERY_ALL) number = collection.high - 1;
    uint32_t entries = number - collection.low + 1;
    query->entries = limit < entries ? limit : entries;
    query->first = number + 1 - query->entries;
    query->limit = limit;
    query->low = query->high = workload_key(workload, number);
    query->low.sort_size = 0;
    if (query->kind == QUERY_ALL) query->high.sort_size = 0;
}

static void draw_whole(const struct workload *workload, struct random_stream *random, struct bench_query *query)
{
    struct span collection = collection_of(workload, (uint32_t)random_below(random, workload->count));
    query->first = collection.low;
    query->entries = collection.high - collection.low;
    query->low = query->high = workload_key(workload, collection.low);
    query->low.sort_size = query->high.sort_size = 0;
}

static void draw_query(const struct operation *operation, const struct workload *workload, struct random_stream *random,
                       struct bench_query *query)
{
    /* Small workloads have no 10,000 entries to give: at most a quarter of what is there. */
    uint32_t target = operation->target < workload->count / 4 ? operation->target : workload->count / 4;
    *query = (struct bench_query){ .kind = operation->query, .direction = operation->direction, .limit = UINT32_MAX };
    switch (operation->query) {
    case QUERY_PREFIX: draw_prefix(workload, random, target, query); break;
    case QUERY_BETWEEN: draw_between(workload, random, target, query); break;
    case QUERY_AT_MOST: draw_last(workload, random, target, query); break;
    case QUERY_ALL:
        if (operation->direction == SHEAF_REVERSE) {
            draw_last(workload, random, target, query);
        } else {
            draw_whole(workload, random, query);
        }
        break;
    }
}

/* ---- writing the tapes ------------------------------------------------------------------------------------------------ */

static void add_hit(struct tape *keys, const struct workload *workload, struct random_stream *random)
{
    struct bench_key key = workload_key(workload, (uint32_t)random_below(random, workload->count));
    tape_add_key(keys, bench_key_partition(&key), bench_key_sort(&key), key.number);
}

/* A key like the others, but for its last byte: no key of any shape ends in '~'. */
static void add_miss(struct tape *keys, const struct workload *workload, struct random_stream *random)
{
    add_hit(keys, workload, random);
    keys->bytes[keys->size - 1] = '~';
}

/* An entry with about `target` others above it: half to one and a half times as many. */
static void add_rank(struct tape *keys, const struct workload *workload, struct random_stream *random, uint32_t target)
{
    uint32_t above = target / 2 + (uint32_t)random_below(random, target + 1);
    if (above >= workload->count) above = workload->count - 1;
    struct bench_key key = workload_key(workload, workload->count - 1 - above);
    tape_add_key(keys, bench_key_partition(&key), bench_key_sort(&key), key.number);
}

static void add_query(struct prepared *prepared, const struct workload *workload, struct random_stream *random)
{
    struct bench_query query;
    draw_query(prepared->operation, workload, random, &query);
    tape_add_query(&prepared->queries, &query);
}

/* How many operations a batch has: fewer on small workloads, yet enough to be timed. */
static uint64_t batch_size(const struct operation *operation, const struct workload *workload)
{
    uint64_t size = (uint64_t)operation->batch * workload->count / 1000000;
    uint64_t least = operation->batch / 10 ? operation->batch / 10 : 1;
    if (size > operation->batch) size = operation->batch;
    if (size < least) size = least;
    return size < workload->count ? size : workload->count;
}

void prepare(struct prepared *prepared, const struct operation *operation, const struct workload *workload)
{
    struct random_stream random = { workload->seed ^ mix64(operation->batch ^ (uint64_t)operation->target << 32) };
    *prepared = (struct prepared){ .operation = operation, .count = batch_size(operation, workload) };
    switch (operation->kind) {
    case OPERATION_GET:
    case OPERATION_GET_MANY:
    case OPERATION_OVERWRITE:
        for (uint64_t i = 0; i < prepared->count; i++) add_hit(&prepared->keys, workload, &random);
        break;
    case OPERATION_GET_MISS:
        for (uint64_t i = 0; i < prepared->count; i++) add_miss(&prepared->keys, workload, &random);
        break;
    case OPERATION_RANK:
        for (uint64_t i = 0; i < prepared->count; i++) add_rank(&prepared->keys, workload, &random, operation->target);
        break;
    case OPERATION_QUERY:
    case OPERATION_COUNT:
        for (uint64_t i = 0; i < prepared->count; i++) add_query(prepared, workload, &random);
        break;
    case OPERATION_SCAN:
    case OPERATION_INSERT:
    case OPERATION_BUILD:
    case OPERATION_HOLD: prepared->count = workload->count; break;
    case OPERATION_DELETE: prepared->count = workload->deletes.count; break;
    case OPERATION_MIX: mix_prepare(prepared, workload, &random); break;
    }
}

void prepared_release(struct prepared *prepared)
{
    tape_release(&prepared->keys);
    tape_release(&prepared->queries);
    for (unsigned i = 0; i < THREADS_MAX; i++) tape_release(&prepared->mix[i]);
}

/* ---- what an operation does to an engine ------------------------------------------------------------------------------ */

bool operation_writes(const struct operation *operation)
{
    switch (operation->kind) {
    case OPERATION_OVERWRITE:
    case OPERATION_INSERT:
    case OPERATION_BUILD:
    case OPERATION_DELETE:
    case OPERATION_HOLD:
    case OPERATION_MIX: return true;
    case OPERATION_GET:
    case OPERATION_GET_MISS:
    case OPERATION_GET_MANY:
    case OPERATION_QUERY:
    case OPERATION_SCAN:
    case OPERATION_COUNT:
    case OPERATION_RANK: return false;
    }
    return false;
}

bool operation_fills(const struct operation *operation)
{
    return operation->kind == OPERATION_INSERT || operation->kind == OPERATION_BUILD || operation->kind == OPERATION_HOLD;
}

enum content operation_leaves(const struct operation *operation, enum content before)
{
    if (operation_fills(operation)) return operation->content;
    return operation->kind == OPERATION_DELETE ? CONTENT_NONE : before;
}

bool operation_ordered(const struct operation *operation)
{
    return !operation_writes(operation) && operation->kind != OPERATION_SCAN;
}
