#include "bench/shared.h"

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdlib.h>

#include "bench/fatal.h"
#include "bench/random.h"

/* Eight for each of two threads: they seldom want the same one, and each still holds many collections. */
#define SHARD_COUNT 16 /* as shared_describe() says */
#define WRITES_PER_TRANSACTION 1000
#define TRIES_BEFORE_SLEEP 50 /* some 20 microseconds */

/* Two cache lines each, since they are fetched in pairs: locks that share one would slow each other down. */
struct lock {
    alignas(128) pthread_mutex_t mutex;
};

struct shard {
    struct lock locks[THREADS_MAX]; /* of each thread; all threads take the first where nothing may go beside each other */
    void *engine;
};

struct shared {
    const struct peer *peer;
    unsigned count;
    unsigned lock_count; /* of those in each shard */
    struct shard shards[SHARD_COUNT];
};

const char *shared_describe(const struct peer *peer)
{
    switch (peer->threads) {
    case THREADS_ALONE: return "one thread alone, without a lock";
    case THREADS_ONE_AT_A_TIME: return "one lock of the bench";
    case THREADS_READ_TOGETHER: return "locks of the bench, reads go together, collections spread over 16 engines";
    case THREADS_SAFE: return "its own locks";
    }
    return "";
}

/* Tries for longer than a put takes before it sleeps: to be woken again costs a hundred times as much on a virtual machine. */
static void take(struct lock *lock)
{
    for (int tries = 0; tries < TRIES_BEFORE_SLEEP; tries++) {
        if (pthread_mutex_trylock(&lock->mutex) == 0) return;
        sched_yield(); /* whoever has it may need this core */
    }
    pthread_mutex_lock(&lock->mutex);
}

static void give_back(struct lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

struct shared *shared_create(const struct peer *peer)
{
    struct shared *shared = aligned_alloc(alignof(struct shared), sizeof *shared);
    if (!shared) fatal("out of memory for %s", peer->name);
    shared->peer = peer;
    shared->count = peer->threads == THREADS_READ_TOGETHER ? SHARD_COUNT : 1;
    for (unsigned i = 0; i < shared->count; i++) {
        for (unsigned thread = 0; thread < THREADS_MAX; thread++) {
            if (pthread_mutex_init(&shared->shards[i].locks[thread].mutex, NULL) != 0) fatal("cannot make a lock");
        }
        shared->shards[i].engine = peer->open(PEER_THREADS);
    }
    return shared;
}

void shared_destroy(struct shared *shared)
{
    if (!shared) return;
    for (unsigned i = 0; i < shared->count; i++) {
        shared->peer->close(shared->shards[i].engine);
        for (unsigned thread = 0; thread < THREADS_MAX; thread++) {
            pthread_mutex_destroy(&shared->shards[i].locks[thread].mutex);
        }
    }
    free(shared);
}

static bool takes_no_lock(const struct peer *peer)
{
    return peer->threads == THREADS_SAFE || peer->threads == THREADS_ALONE;
}

static struct shard *shard_of(struct shared *shared, const struct bench_key *key)
{
    sheaf_bytes partition = bench_key_partition(key);
    uint64_t hash = partition.size;
    if (shared->count == 1) return &shared->shards[0];
    for (size_t i = 0; i < partition.size; i++) hash = hash * 31 + partition.data[i];
    return &shared->shards[mix64(hash) % shared->count];
}

/* ---- one thread alone ------------------------------------------------------------------------------------------------- */

static void begin_all(struct shared *shared)
{
    for (unsigned i = 0; shared->peer->begin && i < shared->count; i++) shared->peer->begin(shared->shards[i].engine);
}

static void end_all(struct shared *shared)
{
    for (unsigned i = 0; shared->peer->end && i < shared->count; i++) shared->peer->end(shared->shards[i].engine);
}

/* Ends all transactions and begins the next after every thousandth write. */
static void count_write(struct shared *shared, uint64_t written)
{
    if (written % WRITES_PER_TRANSACTION != 0) return;
    end_all(shared);
    begin_all(shared);
}

void shared_fill(struct shared *shared, const struct tape *keys, uint8_t *value, size_t value_size)
{
    const uint8_t *at = keys->bytes;
    begin_all(shared);
    for (uint64_t i = 0; i < keys->count; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        shared->peer->put(shard_of(shared, &key)->engine, &key, value_of(value, value_size, key.number, 0));
        count_write(shared, i + 1);
    }
    end_all(shared);
}

void shared_delete_all(struct shared *shared, const struct tape *keys)
{
    const uint8_t *at = keys->bytes;
    begin_all(shared);
    for (uint64_t i = 0; i < keys->count; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        shared->peer->delete_entry(shard_of(shared, &key)->engine, &key);
        count_write(shared, i + 1);
    }
    end_all(shared);
}

void shared_scan(struct shared *shared, struct checksum *checksum)
{
    begin_all(shared);
    for (unsigned i = 0; i < shared->count; i++) shared->peer->scan(shared->shards[i].engine, SHEAF_FORWARD, checksum);
    end_all(shared);
}

bool shared_check(struct shared *shared)
{
    for (unsigned i = 0; shared->peer->check && i < shared->count; i++) {
        if (!shared->peer->check(shared->shards[i].engine)) return false;
    }
    return true;
}

/* ---- all threads ------------------------------------------------------------------------------------------------------ */

/* One engine under one lock has one transaction, in which every thread sees what the others did. */
void shared_begin(struct shared *shared, unsigned threads)
{
    shared->lock_count = shared->peer->threads == THREADS_READ_TOGETHER ? threads : 1;
    if (!takes_no_lock(shared->peer)) begin_all(shared);
}

void shared_end(struct shared *shared)
{
    if (!takes_no_lock(shared->peer)) end_all(shared);
}

void shared_enter(struct shared *shared, unsigned index, struct shared_user *user)
{
    *user = (struct shared_user){ .shared = shared, .index = index };
    if (!takes_no_lock(shared->peer)) return;
    user->handle = shared->peer->attach ? shared->peer->attach(shared->shards[0].engine) : shared->shards[0].engine;
}

void shared_leave(struct shared_user *user)
{
    if (user->handle && user->shared->peer->detach) user->shared->peer->detach(user->handle);
    user->handle = NULL;
}

void shared_get(const struct shared_user *user, const struct bench_key *key, struct checksum *checksum)
{
    struct shared *shared = user->shared;
    if (user->handle) {
        shared->peer->get(user->handle, key, checksum);
        return;
    }
    struct shard *shard = shard_of(shared, key);
    struct lock *own = &shard->locks[user->index % shared->lock_count];
    take(own);
    shared->peer->get(shard->engine, key, checksum);
    give_back(own);
}

void shared_put(const struct shared_user *user, const struct bench_key *key, sheaf_bytes value)
{
    struct shared *shared = user->shared;
    if (user->handle) {
        shared->peer->put(user->handle, key, value);
        return;
    }
    struct shard *shard = shard_of(shared, key);
    for (unsigned i = 0; i < shared->lock_count; i++) take(&shard->locks[i]);
    shared->peer->put(shard->engine, key, value);
    for (unsigned i = shared->lock_count; i > 0; i--) give_back(&shard->locks[i - 1]);
}

void shared_query(const struct shared_user *user, const struct bench_query *query, struct checksum *checksum)
{
    struct shared *shared = user->shared;
    if (user->handle) {
        shared->peer->query(user->handle, query, checksum);
        return;
    }
    struct shard *shard = shard_of(shared, &query->low);
    struct lock *own = &shard->locks[user->index % shared->lock_count];
    take(own);
    shared->peer->query(shard->engine, query, checksum);
    give_back(own);
}
