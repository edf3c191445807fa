/*
 * shared.h - one engine used by several threads at once, each peer by its own rule (peer.h: thread_rule).
 *
 * What is safe for threads by itself gets no lock of ours. What is not is guarded as its user would guard it: with one lock, or,
 * where reads may go beside each other, with a lock for each thread, of which a get takes its own and a put all, and with
 * collections spread over several engines by a hash of the partition key. (glibc's reader-writer lock sleeps and wakes whenever
 * a put waits: with 5 % puts and two threads that cost 2 microseconds an operation.) What is put is there for all threads when
 * the call returns, whatever the rule.
 */
#ifndef BENCH_SHARED_H
#define BENCH_SHARED_H

#include "bench/operations.h"
#include "bench/peers/peer.h"

struct shared;

/* A thread's way in. Belongs to the thread that made it. */
struct shared_user {
    struct shared *shared;
    unsigned index; /* from 0 */
    void *handle;   /* the engine's own, of one that is safe for threads; else NULL */
};

/* In words, how threads share it. */
const char *shared_describe(const struct peer *peer);

struct shared *shared_create(const struct peer *peer);
void shared_destroy(struct shared *shared);

/* While no other thread uses it: puts or deletes all keys of a tape; visits everything; lets the engine check its invariants. */
void shared_fill(struct shared *shared, const struct tape *keys, uint8_t *value, size_t value_size);
void shared_delete_all(struct shared *shared, const struct tape *keys);
void shared_scan(struct shared *shared, struct checksum *checksum);
bool shared_check(struct shared *shared);

/* Around all that so many threads do. */
void shared_begin(struct shared *shared, unsigned threads);
void shared_end(struct shared *shared);

/* `index` is below the number of threads, and no other thread's. */
void shared_enter(struct shared *shared, unsigned index, struct shared_user *user);
void shared_leave(struct shared_user *user);

void shared_get(const struct shared_user *user, const struct bench_key *key, struct checksum *checksum);
void shared_query(const struct shared_user *user, const struct bench_query *query, struct checksum *checksum);
void shared_put(const struct shared_user *user, const struct bench_key *key, sheaf_bytes value);

#endif
