/*
 * peer_lmdb.c - LMDB on a RAM disk, at its best.
 *
 * One unnamed database in one file, which is deleted as soon as it is open, so that nothing stays behind however the process
 * ends. No lock file, no sync of data or meta pages, pages written in the map itself. Writes in transactions of a thousand,
 * reads in one long transaction with one cursor; keys and values are looked at where they lie in the map.
 *
 * Threads need its lock file. Each has a reading transaction of its own, renewed for every get so that it sees what others have
 * put, and every put is a transaction.
 */
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "bench/fatal.h"
#include "bench/peers/flat.h"
#include "bench/peers/peer.h"
#include "bench/workload.h"

/* Address space, not memory: the file grows page by page. A million values of 4 KiB take half of it. */
#define MAP_BYTES ((size_t)16 << 30)

/* A RAM disk smaller than this (containers are often given 64 MiB) would end the process with a bus error. */
#define RAM_DISK_BYTES_MIN ((uint64_t)2 << 30)

#define WRITES_PER_TRANSACTION 1000

struct lmdb_engine {
    MDB_env *environment;
    MDB_dbi database;
    MDB_txn *transaction; /* NULL outside of batches, and in one before its first operation */
    MDB_cursor *cursor;   /* of `transaction`; NULL before its first query */
    bool writes;          /* `transaction` does */
    bool attached;        /* a thread's handle: `transaction` is its reading one, reset between gets */
    struct flat_bounds bounds;
};

static void must(int code, const char *what)
{
    if (code != MDB_SUCCESS) fatal("lmdb: %s: %s", what, mdb_strerror(code));
}

/* The RAM disk, or where temporary files go if there is none of a useful size. */
static const char *data_folder(void)
{
    struct statvfs disk;
    if (statvfs("/dev/shm", &disk) == 0 && access("/dev/shm", W_OK) == 0 &&
        (uint64_t)disk.f_bavail * disk.f_frsize >= RAM_DISK_BYTES_MIN) {
        return "/dev/shm";
    }
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

static const char *describe(void)
{
    static char text[128];
    snprintf(text, sizeof text, "%d.%d.%d, file in %s, NOSYNC, NOMETASYNC, WRITEMAP, NOLOCK", MDB_VERSION_MAJOR,
             MDB_VERSION_MINOR, MDB_VERSION_PATCH, data_folder());
    return text;
}

/* ---- transactions ----------------------------------------------------------------------------------------------------- */

static void end(void *opaque)
{
    struct lmdb_engine *engine = opaque;
    if (engine->cursor) mdb_cursor_close(engine->cursor);
    if (engine->transaction && engine->writes) must(mdb_txn_commit(engine->transaction), "commit");
    if (engine->transaction && !engine->writes) mdb_txn_abort(engine->transaction);
    engine->cursor = NULL;
    engine->transaction = NULL;
}

/* The batch's transaction. Its first operation tells whether it is to read or to write. */
static MDB_txn *transaction_for(struct lmdb_engine *engine, bool writes)
{
    if (engine->transaction && (engine->writes || !writes)) return engine->transaction;
    end(engine);
    must(mdb_txn_begin(engine->environment, NULL, writes ? 0 : MDB_RDONLY, &engine->transaction), "begin");
    engine->writes = writes;
    return engine->transaction;
}

static MDB_cursor *cursor_for(struct lmdb_engine *engine, bool writes)
{
    MDB_txn *transaction = transaction_for(engine, writes);
    if (!engine->cursor) must(mdb_cursor_open(transaction, engine->database, &engine->cursor), "open cursor");
    return engine->cursor;
}

/* Opens the file, and deletes it and its lock. */
static void open_environment(MDB_env *environment, const char *path, bool with_lock)
{
    unsigned flags = MDB_NOSUBDIR | MDB_NOSYNC | MDB_NOMETASYNC | MDB_WRITEMAP | MDB_NORDAHEAD | MDB_NOTLS;
    char lock_path[600];
    snprintf(lock_path, sizeof lock_path, "%s-lock", path);
    int code = mdb_env_open(environment, path, with_lock ? flags : flags | MDB_NOLOCK, 0600);
    unlink(path);
    unlink(lock_path);
    must(code, "open environment");
}

static void *open_engine(unsigned purposes)
{
    struct lmdb_engine *engine = allocate_or_fail(1, sizeof *engine);
    char path[512];
    snprintf(path, sizeof path, "%s/sheaf-bench-lmdb-XXXXXX", data_folder());
    int file = mkstemp(path);
    if (file < 0) fatal("lmdb: cannot make a file in %s", data_folder());
    close(file);
    must(mdb_env_create(&engine->environment), "create environment");
    must(mdb_env_set_mapsize(engine->environment, MAP_BYTES), "set map size");
    open_environment(engine->environment, path, purposes & PEER_THREADS);
    must(mdb_dbi_open(transaction_for(engine, true), NULL, 0, &engine->database), "open database");
    end(engine);
    return engine;
}

static void close_engine(void *opaque)
{
    struct lmdb_engine *engine = opaque;
    end(engine);
    mdb_env_close(engine->environment);
    free(engine);
}

/* ---- entries ---------------------------------------------------------------------------------------------------------- */

/* LMDB's slices are not const, though it only reads what they hold. */
static MDB_val slice(sheaf_bytes bytes)
{
    return (MDB_val){ bytes.size, (void *)(uintptr_t)bytes.data };
}

static MDB_val joined_slice(const struct bench_key *key)
{
    return slice(bench_key_joined(key));
}

static void put_at_once(const struct lmdb_engine *engine, MDB_val *key, MDB_val *value)
{
    MDB_txn *transaction;
    must(mdb_txn_begin(engine->environment, NULL, 0, &transaction), "begin");
    must(mdb_put(transaction, engine->database, key, value, 0), "put");
    must(mdb_txn_commit(transaction), "commit");
}

static void put(void *opaque, const struct bench_key *key, sheaf_bytes value)
{
    struct lmdb_engine *engine = opaque;
    MDB_val joined = joined_slice(key), data = slice(value);
    if (engine->attached) {
        put_at_once(engine, &joined, &data);
        return;
    }
    must(mdb_put(transaction_for(engine, true), engine->database, &joined, &data, 0), "put");
}

static void delete_entry(void *opaque, const struct bench_key *key)
{
    struct lmdb_engine *engine = opaque;
    MDB_val joined = joined_slice(key);
    must(mdb_del(transaction_for(engine, true), engine->database, &joined, NULL), "delete");
}

static void get(void *opaque, const struct bench_key *key, struct checksum *checksum)
{
    struct lmdb_engine *engine = opaque;
    MDB_val joined = joined_slice(key), value;
    if (engine->attached) must(mdb_txn_renew(engine->transaction), "renew");
    int code = mdb_get(transaction_for(engine, false), engine->database, &joined, &value);
    if (code != MDB_NOTFOUND) {
        must(code, "get");
        checksum_visit(checksum, bench_key_sort(key), sheaf_bytes_of(value.mv_data, value.mv_size));
    }
    if (engine->attached) mdb_txn_reset(engine->transaction);
}

static void *attach(void *opaque)
{
    const struct lmdb_engine *engine = opaque;
    struct lmdb_engine *handle = allocate_or_fail(1, sizeof *handle);
    *handle = (struct lmdb_engine){ .environment = engine->environment, .database = engine->database, .attached = true };
    must(mdb_txn_begin(handle->environment, NULL, MDB_RDONLY, &handle->transaction), "begin");
    mdb_txn_reset(handle->transaction);
    return handle;
}

static void detach(void *opaque)
{
    struct lmdb_engine *handle = opaque;
    if (handle->cursor) mdb_cursor_close(handle->cursor);
    mdb_txn_abort(handle->transaction);
    free(handle);
}

static void build(void *opaque, const struct tape *sorted, uint8_t *value, size_t value_size)
{
    struct lmdb_engine *engine = opaque;
    const uint8_t *at = sorted->bytes;
    for (uint64_t i = 0; i < sorted->count; i++) {
        struct bench_key key;
        at = tape_read_key(at, &key);
        MDB_val joined = joined_slice(&key), data = slice(value_of(value, value_size, key.number, 0));
        must(mdb_cursor_put(cursor_for(engine, true), &joined, &data, MDB_APPEND), "append");
        if ((i + 1) % WRITES_PER_TRANSACTION == 0) end(engine);
    }
    end(engine);
}

/* ---- ranges ----------------------------------------------------------------------------------------------------------- */

/* Moves the cursor; false if there is nothing. */
static bool move(MDB_cursor *cursor, MDB_val *key, MDB_val *value, MDB_cursor_op where)
{
    int code = mdb_cursor_get(cursor, key, value, where);
    if (code != MDB_NOTFOUND) must(code, "move cursor");
    return code == MDB_SUCCESS;
}

static void visit(const struct flat_bounds *bounds, const MDB_val *key, const MDB_val *value, struct checksum *checksum)
{
    checksum_visit(checksum, sheaf_bytes_of((const uint8_t *)key->mv_data + bounds->sort_at, key->mv_size - bounds->sort_at),
                   sheaf_bytes_of(value->mv_data, value->mv_size));
}

/* Visits the keys between the bounds, or only counts them if there is no sum to add to. */
static uint64_t walk_forward(struct lmdb_engine *engine, uint64_t limit, struct checksum *checksum)
{
    const struct flat_bounds *bounds = &engine->bounds;
    MDB_cursor *cursor = cursor_for(engine, false);
    MDB_val key = slice(bounds->low), value;
    uint64_t walked = 0;
    for (bool on = move(cursor, &key, &value, MDB_SET_RANGE); on && walked < limit; on = move(cursor, &key, &value, MDB_NEXT)) {
        if (!flat_below(key.mv_data, key.mv_size, bounds->beyond)) break;
        if (checksum) visit(bounds, &key, &value, checksum);
        walked++;
    }
    return walked;
}

static void walk_backward(struct lmdb_engine *engine, uint64_t limit, struct checksum *checksum)
{
    const struct flat_bounds *bounds = &engine->bounds;
    MDB_cursor *cursor = cursor_for(engine, false);
    MDB_val key = slice(bounds->beyond), value;
    bool on = move(cursor, &key, &value, MDB_SET_RANGE) ? move(cursor, &key, &value, MDB_PREV)
                                                        : move(cursor, &key, &value, MDB_LAST);
    for (; on && !flat_below(key.mv_data, key.mv_size, bounds->low); on = move(cursor, &key, &value, MDB_PREV)) {
        visit(bounds, &key, &value, checksum);
        if (--limit == 0) break;
    }
}

/* A thread's transaction, and its cursor if it has one. */
static void renew(struct lmdb_engine *engine)
{
    must(mdb_txn_renew(engine->transaction), "renew");
    if (engine->cursor) must(mdb_cursor_renew(engine->transaction, engine->cursor), "renew cursor");
}

static void query_range(void *opaque, const struct bench_query *query, struct checksum *checksum)
{
    struct lmdb_engine *engine = opaque;
    flat_bounds_of_query(&engine->bounds, query);
    if (engine->attached) renew(engine);
    if (query->direction == SHEAF_FORWARD) {
        walk_forward(engine, query->limit, checksum);
    } else {
        walk_backward(engine, query->limit, checksum);
    }
    if (engine->attached) mdb_txn_reset(engine->transaction);
}

static void scan(void *engine, sheaf_direction direction, struct checksum *checksum)
{
    MDB_cursor_op first = direction == SHEAF_FORWARD ? MDB_FIRST : MDB_LAST;
    MDB_cursor_op next = direction == SHEAF_FORWARD ? MDB_NEXT : MDB_PREV;
    MDB_cursor *cursor = cursor_for(engine, false);
    MDB_val key, value;
    for (bool on = move(cursor, &key, &value, first); on; on = move(cursor, &key, &value, next)) {
        checksum_visit(checksum, flat_sort_key(key.mv_data, key.mv_size), sheaf_bytes_of(value.mv_data, value.mv_size));
    }
}

static uint64_t count(void *opaque, const struct bench_query *query)
{
    struct lmdb_engine *engine = opaque;
    flat_bounds_of_query(&engine->bounds, query);
    return walk_forward(engine, UINT64_MAX, NULL);
}

static uint64_t rank(void *opaque, const struct bench_key *key)
{
    struct lmdb_engine *engine = opaque;
    flat_bounds_above(&engine->bounds, key);
    return walk_forward(engine, UINT64_MAX, NULL);
}

/* Every page that was ever used: those that are free again stay in the file. */
static uint64_t held_bytes(void *opaque)
{
    struct lmdb_engine *engine = opaque;
    MDB_envinfo info;
    MDB_stat stat;
    must(mdb_env_info(engine->environment, &info), "info");
    must(mdb_env_stat(engine->environment, &stat), "stat");
    return (uint64_t)(info.me_last_pgno + 1) * stat.ms_psize;
}

const struct peer peer_lmdb = {
    .name = "lmdb",
    .describe = describe,
    .open = open_engine,
    .close = close_engine,
    .end = end,
    .put = put,
    .delete_entry = delete_entry,
    .get = get,
    .query = query_range,
    .scan = scan,
    .count = count,
    .rank = rank,
    .build = build,
    .held_bytes = held_bytes,
    .threads = THREADS_SAFE,
    .attach = attach,
    .detach = detach,
};
