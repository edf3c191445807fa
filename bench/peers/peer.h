/*
 * peer.h - one engine behind one small table of functions.
 *
 * A peer is one file here and one feature in meson_options.txt; peers.c lists those that were built. Every engine gets the same
 * bytes in the same order and must end each operation with the same checksum. Each is used in its best way: prepared
 * statements, long read transactions, writes in batches, no copies that its interface does not force.
 *
 * An engine that meets an error it should not meet ends the program (fatal()): there is nothing left to compare.
 */
#ifndef BENCH_PEERS_PEER_H
#define BENCH_PEERS_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/export.h>
#include <sheaf/range.h>

#include "bench/checksum.h"
#include "bench/keys.h"
#include "bench/workload.h"

struct operation;

/* Peers in C++ include this too. */
SHEAF_BEGIN_DECLARATIONS

/* What an engine is opened for, beside being fast. */
enum peer_purpose {
    PEER_ACCOUNT = 1, /* keep what held_bytes() needs, even if that costs time */
    PEER_THREADS = 2  /* several threads will use it at once, by its rule */
};

/* What several threads may do at once. Where the engine does not see to it, shared.c guards it. */
enum thread_rule {
    THREADS_ALONE,         /* nothing, and there is but one: no lock at all */
    THREADS_ONE_AT_A_TIME, /* nothing: one lock around every call */
    THREADS_READ_TOGETHER, /* many read or one writes: locks, and collections spread over several engines */
    THREADS_SAFE           /* everything: no lock of ours */
};

struct peer {
    const char *name;              /* as in tables and JSON */
    const char *(*describe)(void); /* version and how it is set up, for the head of the report */

    /* Whether it has a form for an operation on a shape; NULL: for all. Without one it is left out, and its place stays blank. */
    bool (*has_form)(const struct operation *operation, enum shape shape);

    /* An empty engine. `purposes`: bits of enum peer_purpose. */
    void *(*open)(unsigned purposes);
    void (*close)(void *engine);

    /* Called around every batch of reads and of 1,000 writes. NULL where there is nothing to do. */
    void (*begin)(void *engine);
    void (*end)(void *engine);

    void (*put)(void *engine, const struct bench_key *key, sheaf_bytes value);         /* inserts or replaces */
    void (*delete_entry)(void *engine, const struct bench_key *key);                   /* there is such an entry */
    void (*get)(void *engine, const struct bench_key *key, struct checksum *checksum); /* visits it if it is there */
    /* The same for up to GET_MANY_MAX keys, in their order; NULL: one after the other. */
    void (*get_many)(void *engine, const struct bench_key *keys, unsigned count, struct checksum *checksum);

    /* Visits the entries a query asks for. */
    void (*query)(void *engine, const struct bench_query *query, struct checksum *checksum);
    /* Visits all entries of all collections; the order of the collections is the engine's own. */
    void (*scan)(void *engine, sheaf_direction direction, struct checksum *checksum);

    /* How many entries a query holds, its limit and direction apart. */
    uint64_t (*count)(void *engine, const struct bench_query *query);
    /* How many entries of the collection lie above a key. */
    uint64_t (*rank)(void *engine, const struct bench_key *key);

    /* Fills the empty engine from sorted keys with values of `value_size` bytes; NULL if inserting is all there is. */
    void (*build)(void *engine, const struct tape *sorted, uint8_t *value, size_t value_size);

    /* Bytes the engine says it holds, all overhead included. */
    uint64_t (*held_bytes)(void *engine);
    enum thread_rule threads;
    /* THREADS_SAFE: a handle on the engine for get(), put() and query() of one thread, in which what is put is there for all threads at
     * once; begin() and end() are not called. Both NULL: threads take the engine itself. */
    void *(*attach)(void *engine);
    void (*detach)(void *handle);

    /* Whether all of its own invariants hold; NULL if it cannot tell. */
    bool (*check)(void *engine);
};

/* Sheaf's shared store first, which takes part only where there are threads, and its store; then those that were built. */
extern const struct peer *const peers[];
extern const unsigned peer_count;

#define PEER_COUNT_MAX 16

extern const struct peer peer_shared;
extern const struct peer peer_sheaf;
extern const struct peer peer_sqlite;
extern const struct peer peer_relational;
extern const struct peer peer_lmdb;
extern const struct peer peer_absl;
extern const struct peer peer_tkrzw;
extern const struct peer peer_rocksdb;

SHEAF_END_DECLARATIONS

#endif
