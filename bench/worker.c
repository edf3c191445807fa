#include "bench/worker.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "bench/fatal.h"
#include "bench/measure.h"
#include "bench/mix.h"
#include "bench/stopwatch.h"

#define WRITES_PER_TRANSACTION 1000

void worker_init(struct worker *worker, const struct peer *peer, const struct workload *workload, bool account, bool verify,
                 const int *cores)
{
    *worker = (struct worker){ .peer = peer, .workload = workload, .account = account, .verify = verify, .cores = cores };
    worker->value = allocate_or_fail(workload->value_size, 1);
    for (size_t i = 0; i < workload->value_size; i++) worker->value[i] = (uint8_t)mix64(i);
}

static void close_engine(struct worker *worker)
{
    if (worker->engine) worker->peer->close(worker->engine);
    (void)malloc_trim(0); /* a store gives its memory back when it ends: nobody shall begin with pages that are there already */
    shared_destroy(worker->shared);
    worker->engine = NULL;
    worker->shared = NULL;
    worker->content = CONTENT_NONE;
}

void worker_deinit(struct worker *worker)
{
    close_engine(worker);
    free(worker->value);
    worker->value = NULL;
}

static void begin(const struct worker *worker)
{
    if (worker->peer->begin) worker->peer->begin(worker->engine);
}

static void end(const struct worker *worker)
{
    if (worker->peer->end) worker->peer->end(worker->engine);
}

/* ---- writes ----------------------------------------------------------------------------------------------------------- */

/* Ends a transaction and begins the next after every thousandth write. */
static void count_write(const struct worker *worker, uint64_t written)
{
    if (written % WRITES_PER_TRANSACTION != 0) return;
    end(worker);
    begin(worker);
}

static void put_all(const struct worker *worker, const struct tape *keys, uint32_t generation)
{
    const struct peer *peer = worker->peer;
    const uint8_t *at = keys->bytes;
    size_t value_size = worker->workload->value_size;
    begin(worker);
    for (uint64_t i = 0; i < keys->count; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        peer->put(worker->engine, &key, value_of(worker->value, value_size, key.number, generation));
        count_write(worker, i + 1);
    }
    end(worker);
}

static void delete_all(const struct worker *worker, const struct tape *keys)
{
    const uint8_t *at = keys->bytes;
    begin(worker);
    for (uint64_t i = 0; i < keys->count; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        worker->peer->delete_entry(worker->engine, &key);
        count_write(worker, i + 1);
    }
    end(worker);
}

/* Fills the empty engine in the given way. */
static void fill(const struct worker *worker, enum content content)
{
    const struct workload *workload = worker->workload;
    switch (content) {
    case CONTENT_NONE: break;
    case CONTENT_RANDOM: put_all(worker, &workload->random, 0); break;
    case CONTENT_ASCENDING: put_all(worker, &workload->ascending, 0); break;
    case CONTENT_BUILT:
        if (worker->peer->build) {
            worker->peer->build(worker->engine, &workload->ascending, worker->value, workload->value_size);
        } else {
            put_all(worker, &workload->ascending, 0);
        }
        break;
    }
}

/* ---- reads ------------------------------------------------------------------------------------------------------------ */

static void get_all(const struct worker *worker, const struct prepared *prepared, uint64_t count, struct checksum *checksum)
{
    const uint8_t *at = prepared->keys.bytes;
    for (uint64_t i = 0; i < count; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        worker->peer->get(worker->engine, &key, checksum);
    }
}

/* In groups. The last one may be smaller. */
static void get_in_groups(const struct worker *worker, const struct prepared *prepared, uint64_t count,
                          struct checksum *checksum)
{
    struct bench_key keys[GET_MANY_MAX];
    const uint8_t *at = prepared->keys.bytes;
    for (uint64_t done = 0, size; done < count; done += size) {
        size = prepared->operation->target < count - done ? prepared->operation->target : count - done;
        for (uint64_t i = 0; i < size; i++) at = tape_read_key(at, &keys[i]);
        worker->peer->get_many(worker->engine, keys, (unsigned)size, checksum);
    }
}

static void query_all(const struct worker *worker, const struct prepared *prepared, uint64_t count, struct checksum *checksum)
{
    const uint8_t *at = prepared->queries.bytes;
    for (uint64_t i = 0; i < count; i++) {
        struct bench_query query;
        at = tape_read_query(at, &query);
        worker->peer->query(worker->engine, &query, checksum);
    }
}

/* Counting visits nothing: what was counted goes into the sum as a number, and stands as `entries`. */
static void add_count(struct checksum *checksum, uint64_t counted)
{
    checksum_add(checksum, counted);
    checksum->entries += counted;
}

static void count_all(const struct worker *worker, const struct prepared *prepared, uint64_t count, struct checksum *checksum)
{
    const uint8_t *at = prepared->queries.bytes;
    for (uint64_t i = 0; i < count; i++) {
        struct bench_query query;
        at = tape_read_query(at, &query);
        add_count(checksum, worker->peer->count(worker->engine, &query));
    }
}

static void rank_all(const struct worker *worker, const struct prepared *prepared, uint64_t count, struct checksum *checksum)
{
    const uint8_t *at = prepared->keys.bytes;
    for (uint64_t i = 0; i < count; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        add_count(checksum, worker->peer->rank(worker->engine, &key));
    }
}

/* The first `count` operations of a reading batch. */
static void read_batch(const struct worker *worker, const struct prepared *prepared, uint64_t count, struct checksum *checksum)
{
    switch (prepared->operation->kind) {
    case OPERATION_GET:
    case OPERATION_GET_MISS: get_all(worker, prepared, count, checksum); break;
    case OPERATION_GET_MANY: (worker->peer->get_many ? get_in_groups : get_all)(worker, prepared, count, checksum); break;
    case OPERATION_QUERY: query_all(worker, prepared, count, checksum); break;
    case OPERATION_COUNT: count_all(worker, prepared, count, checksum); break;
    case OPERATION_RANK: rank_all(worker, prepared, count, checksum); break;
    case OPERATION_SCAN: worker->peer->scan(worker->engine, prepared->operation->direction, checksum); break;
    case OPERATION_OVERWRITE:
    case OPERATION_INSERT:
    case OPERATION_BUILD:
    case OPERATION_DELETE:
    case OPERATION_HOLD:
    case OPERATION_MIX: fatal("%s is no read", prepared->operation->name);
    }
}

/* ---- one run ---------------------------------------------------------------------------------------------------------- */

/* Sees to it that the engine holds what the operation starts from. Untimed. */
static void make_ready(struct worker *worker, const struct operation *operation)
{
    if (worker->engine && worker->content == operation->content && !operation_fills(operation)) return;
    close_engine(worker);
    worker->engine = worker->peer->open(worker->account ? PEER_ACCOUNT : 0);
    if (operation_fills(operation)) return;
    fill(worker, operation->content);
    worker->content = operation->content;
}

/* The operation once untimed on a part of the batch, so that code and hot nodes are in the caches, then the whole, timed. A
 * full scan is its own warm-up: it goes through more than any cache holds. */
static void run_read(const struct worker *worker, const struct prepared *prepared, struct measurement *out)
{
    struct checksum warm_up = { 0 };
    begin(worker);
    if (prepared->operation->kind != OPERATION_SCAN) read_batch(worker, prepared, (prepared->count + 7) / 8, &warm_up);
    struct stopwatch stopwatch = stopwatch_start(prepared->operation->name);
    read_batch(worker, prepared, prepared->count, &out->checksum);
    out->elapsed_ns = stopwatch_stop(&stopwatch);
    end(worker);
}

static void write_batch(const struct worker *worker, const struct prepared *prepared, uint32_t generation)
{
    switch (prepared->operation->kind) {
    case OPERATION_OVERWRITE: put_all(worker, &prepared->keys, generation); break;
    case OPERATION_INSERT:
    case OPERATION_BUILD:
    case OPERATION_HOLD: fill(worker, prepared->operation->content); break;
    case OPERATION_DELETE: delete_all(worker, &worker->workload->deletes); break;
    case OPERATION_GET:
    case OPERATION_GET_MISS:
    case OPERATION_GET_MANY:
    case OPERATION_QUERY:
    case OPERATION_SCAN:
    case OPERATION_COUNT:
    case OPERATION_RANK:
    case OPERATION_MIX: fatal("%s is no write of one thread", prepared->operation->name);
    }
}

static void run_write(const struct worker *worker, const struct prepared *prepared, uint32_t generation,
                      struct measurement *out)
{
    uint64_t resident_before = private_resident_bytes();
    struct stopwatch stopwatch = stopwatch_start(prepared->operation->name);
    write_batch(worker, prepared, generation);
    out->elapsed_ns = stopwatch_stop(&stopwatch);
    uint64_t resident_after = private_resident_bytes();
    out->resident_bytes = resident_after > resident_before ? resident_after - resident_before : 0;
    if (worker->account) out->held_bytes = worker->peer->held_bytes(worker->engine);
    begin(worker);
    worker->peer->scan(worker->engine, SHEAF_FORWARD, &out->checksum);
    end(worker);
    if (worker->verify && worker->peer->check) out->sound = worker->peer->check(worker->engine);
}

/* Several threads on what they share, which is filled before the first run. */
static void run_mix(struct worker *worker, const struct prepared *prepared, struct measurement *out)
{
    const struct workload *workload = worker->workload;
    struct mix_outcome outcome;
    if (!worker->shared) {
        close_engine(worker);
        worker->shared = shared_create(worker->peer);
        shared_fill(worker->shared, &workload->random, worker->value, workload->value_size);
    }
    mix_run(worker->shared, prepared, workload, worker->cores, &outcome);
    out->elapsed_ns = outcome.wall_ns;
    out->cpu_ns = outcome.cpu_ns;
    out->checksum = outcome.checksum;
    if (worker->verify) out->sound = shared_check(worker->shared);
}

void worker_run(struct worker *worker, const struct prepared *prepared, uint32_t generation, struct measurement *out)
{
    const struct operation *operation = prepared->operation;
    *out = (struct measurement){ .operations = prepared->count, .sound = true };
    out->checksum.turn = operation_ordered(operation) ? CHECKSUM_ORDERED : CHECKSUM_UNORDERED;
    if (operation->kind == OPERATION_MIX) {
        run_mix(worker, prepared, out);
        return;
    }
    make_ready(worker, operation);
    if (operation_writes(operation)) {
        run_write(worker, prepared, generation, out);
        worker->content = operation_leaves(operation, worker->content);
    } else {
        run_read(worker, prepared, out);
    }
}
