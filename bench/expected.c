#include "bench/expected.h"

#include <stdlib.h>
#include <string.h>

#include "bench/fatal.h"
#include "bench/mix.h"

void expected_init(struct expected *expected, const struct workload *workload)
{
    *expected = (struct expected){ .workload = workload };
    expected->generations = allocate_or_fail(workload->count, sizeof *expected->generations);
}

void expected_release(struct expected *expected)
{
    free(expected->generations);
    *expected = (struct expected){ 0 };
}

static void visit(const struct expected *expected, uint32_t number, struct checksum *checksum)
{
    struct bench_key key = workload_key(expected->workload, number);
    uint64_t head = value_head(number, expected->generations[number]);
    sheaf_bytes value = sheaf_bytes_of(&head, sizeof head);
    checksum_visit(checksum, bench_key_sort(&key), value);
    checksum->bytes += expected->workload->value_size - sizeof head;
}

static void visit_query(const struct expected *expected, const struct bench_query *query, struct checksum *checksum)
{
    for (uint32_t i = 0; i < query->entries; i++) {
        bool forward = query->direction == SHEAF_FORWARD;
        visit(expected, query->first + (forward ? i : query->entries - 1 - i), checksum);
    }
}

static void visit_queries(const struct expected *expected, const struct prepared *prepared, struct checksum *checksum)
{
    const uint8_t *at = prepared->queries.bytes;
    for (uint64_t i = 0; i < prepared->count; i++) {
        struct bench_query query;
        at = tape_read_query(at, &query);
        if (prepared->operation->kind == OPERATION_COUNT) {
            checksum_add(checksum, query.entries);
            checksum->entries += query.entries;
        } else {
            visit_query(expected, &query, checksum);
        }
    }
}

/* How many entries of the same collection lie above: only asked of shapes with one collection. */
static void add_rank(const struct expected *expected, const struct bench_key *key, struct checksum *checksum)
{
    uint64_t above = expected->workload->count - 1 - key->number;
    checksum_add(checksum, above);
    checksum->entries += above;
}

static void visit_keys(struct expected *expected, const struct prepared *prepared, uint32_t generation,
                       struct checksum *checksum)
{
    const uint8_t *at = prepared->keys.bytes;
    for (uint64_t i = 0; i < prepared->count; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        bool gets = prepared->operation->kind == OPERATION_GET || prepared->operation->kind == OPERATION_GET_MANY;
        if (gets) visit(expected, key.number, checksum);
        if (prepared->operation->kind == OPERATION_RANK) add_rank(expected, &key, checksum);
        if (prepared->operation->kind == OPERATION_OVERWRITE) expected->generations[key.number] = generation;
    }
}

/* Every entry, or what the deletes leave. */
static void visit_all(const struct expected *expected, bool after_deletes, struct checksum *checksum)
{
    const struct workload *workload = expected->workload;
    uint8_t *deleted = allocate_or_fail(workload->count, 1);
    const uint8_t *at = workload->deletes.bytes;
    for (uint64_t i = 0; after_deletes && i < workload->deletes.count; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        deleted[key.number] = 1;
    }
    for (uint32_t i = 0; i < workload->count; i++) {
        if (!deleted[i]) visit(expected, i, checksum);
    }
    free(deleted);
}

/* What the threads get, then everything: what was there, and what they have added. */
static void visit_mix(const struct expected *expected, const struct prepared *prepared, struct checksum *checksum)
{
    for (unsigned thread = 0; thread < prepared->operation->threads; thread++) {
        const uint8_t *at = prepared->mix[thread].bytes;
        for (uint64_t i = 0; i < prepared->mix[thread].count; i++) {
            struct bench_key key;
            at = tape_read_key(at, &key);
            if (key.number & MIX_PUT) continue;
            if (prepared->operation->target == 0) {
                visit(expected, key.number, checksum);
                continue;
            }
            struct bench_query query;
            mix_query(expected->workload, &key, prepared->operation->target, &query);
            visit_query(expected, &query, checksum);
        }
    }
    visit_all(expected, false, checksum);
    const uint8_t *at = prepared->keys.bytes;
    uint8_t *value = allocate_or_fail(expected->workload->value_size, 1);
    for (uint64_t i = 0; i < prepared->keys.count; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        checksum_visit(checksum, bench_key_sort(&key), mix_value(value, expected->workload->value_size, key.number));
    }
    free(value);
}

struct checksum expected_run(struct expected *expected, const struct prepared *prepared, uint32_t generation)
{
    const struct operation *operation = prepared->operation;
    struct checksum checksum = { .turn = operation_ordered(operation) ? CHECKSUM_ORDERED : CHECKSUM_UNORDERED };
    if (operation_fills(operation) || operation->content != expected->content) {
        memset(expected->generations, 0, expected->workload->count * sizeof *expected->generations);
    }
    expected->content = operation_leaves(operation, operation->content);
    switch (operation->kind) {
    case OPERATION_GET:
    case OPERATION_GET_MISS:
    case OPERATION_GET_MANY:
    case OPERATION_RANK: visit_keys(expected, prepared, generation, &checksum); break;
    case OPERATION_QUERY:
    case OPERATION_COUNT: visit_queries(expected, prepared, &checksum); break;
    case OPERATION_OVERWRITE:
        visit_keys(expected, prepared, generation, &checksum);
        visit_all(expected, false, &checksum);
        break;
    case OPERATION_SCAN:
    case OPERATION_INSERT:
    case OPERATION_BUILD:
    case OPERATION_HOLD: visit_all(expected, false, &checksum); break;
    case OPERATION_DELETE: visit_all(expected, true, &checksum); break;
    case OPERATION_MIX: visit_mix(expected, prepared, &checksum); break;
    }
    return checksum;
}
