/*
 * peer_sqlite.c - SQLite in memory, at its best.
 *
 * One table without rowid, so that the primary key's B-tree holds the entries themselves; reads inside one transaction, writes in
 * transactions of a thousand.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/fatal.h"
#include "bench/peers/peer.h"
#include "bench/peers/sqlite_database.h"

enum statement {
    BEGIN,
    COMMIT,
    PUT,
    DELETE,
    GET,
    ALL,
    ALL_REVERSE,
    BETWEEN,
    BETWEEN_REVERSE,
    PREFIX,
    PREFIX_REVERSE,
    AT_MOST,
    AT_MOST_REVERSE,
    SCAN,
    SCAN_REVERSE,
    COUNT_BETWEEN,
    COUNT_PREFIX,
    COUNT_ABOVE,
    STATEMENT_COUNT
};

/* Reading forward the bench never stops early, so only the reverse statements pay for a LIMIT. */
static const char *const sql[STATEMENT_COUNT] = {
    [BEGIN] = "BEGIN",
    [COMMIT] = "COMMIT",
    [PUT] = "REPLACE INTO entry VALUES (?1, ?2, ?3)",
    [DELETE] = "DELETE FROM entry WHERE pk = ?1 AND sk = ?2",
    [GET] = "SELECT value FROM entry WHERE pk = ?1 AND sk = ?2",
    [ALL] = "SELECT sk, value FROM entry WHERE pk = ?1 ORDER BY sk",
    [ALL_REVERSE] = "SELECT sk, value FROM entry WHERE pk = ?1 ORDER BY sk DESC LIMIT ?4",
    [BETWEEN] = "SELECT sk, value FROM entry WHERE pk = ?1 AND sk BETWEEN ?2 AND ?3 ORDER BY sk",
    [BETWEEN_REVERSE] = "SELECT sk, value FROM entry WHERE pk = ?1 AND sk BETWEEN ?2 AND ?3 ORDER BY sk DESC LIMIT ?4",
    [PREFIX] = "SELECT sk, value FROM entry WHERE pk = ?1 AND sk >= ?2 AND sk < ?3 ORDER BY sk",
    [PREFIX_REVERSE] = "SELECT sk, value FROM entry WHERE pk = ?1 AND sk >= ?2 AND sk < ?3 ORDER BY sk DESC LIMIT ?4",
    [AT_MOST] = "SELECT sk, value FROM entry WHERE pk = ?1 AND sk <= ?3 ORDER BY sk",
    [AT_MOST_REVERSE] = "SELECT sk, value FROM entry WHERE pk = ?1 AND sk <= ?3 ORDER BY sk DESC LIMIT ?4",
    [SCAN] = "SELECT sk, value FROM entry ORDER BY pk, sk",
    [SCAN_REVERSE] = "SELECT sk, value FROM entry ORDER BY pk DESC, sk DESC",
    [COUNT_BETWEEN] = "SELECT count(*) FROM entry WHERE pk = ?1 AND sk BETWEEN ?2 AND ?3",
    [COUNT_PREFIX] = "SELECT count(*) FROM entry WHERE pk = ?1 AND sk >= ?2 AND sk < ?3",
    [COUNT_ABOVE] = "SELECT count(*) FROM entry WHERE pk = ?1 AND sk > ?2",
};

#define PREFIX_SIZE_MAX 1024

struct sqlite_engine {
    struct sqlite_database database;
    uint8_t beyond[PREFIX_SIZE_MAX]; /* upper bound of a prefix, while a query uses it */
};

static const char *describe(void)
{
    static char text[96];
    snprintf(text, sizeof text, "%s, :memory:, WITHOUT ROWID, prepared statements", sqlite3_libversion());
    return text;
}

static void *open_engine(unsigned purposes)
{
    struct sqlite_engine *engine = allocate_or_fail(1, sizeof *engine);
    sqlite_database_open(&engine->database,
                         "CREATE TABLE entry (pk BLOB, sk BLOB, value BLOB, PRIMARY KEY (pk, sk)) WITHOUT ROWID", sql,
                         STATEMENT_COUNT, purposes & PEER_ACCOUNT);
    return engine;
}

static void close_engine(void *opaque)
{
    struct sqlite_engine *engine = opaque;
    sqlite_database_close(&engine->database);
    free(engine);
}

static void begin(void *opaque)
{
    struct sqlite_engine *engine = opaque;
    sqlite_database_run(&engine->database, BEGIN);
}

static void end(void *opaque)
{
    struct sqlite_engine *engine = opaque;
    sqlite_database_run(&engine->database, COMMIT);
}

static sqlite3_stmt *bind_key(struct sqlite_engine *engine, enum statement which, const struct bench_key *key)
{
    sqlite3_stmt *statement = engine->database.statements[which];
    sqlite_bind_bytes(statement, 1, bench_key_partition(key));
    sqlite_bind_bytes(statement, 2, bench_key_sort(key));
    return statement;
}

static void put(void *opaque, const struct bench_key *key, sheaf_bytes value)
{
    struct sqlite_engine *engine = opaque;
    sqlite_bind_bytes(bind_key(engine, PUT, key), 3, value);
    sqlite_database_run(&engine->database, PUT);
}

static void delete_entry(void *opaque, const struct bench_key *key)
{
    struct sqlite_engine *engine = opaque;
    bind_key(engine, DELETE, key);
    sqlite_database_run(&engine->database, DELETE);
}

static void get(void *opaque, const struct bench_key *key, struct checksum *checksum)
{
    struct sqlite_engine *engine = opaque;
    sqlite3_stmt *statement = bind_key(engine, GET, key);
    if (!sqlite_database_step(&engine->database, GET)) return;
    checksum_visit(checksum, bench_key_sort(key), sqlite_column_bytes(statement, 0));
    sqlite3_reset(statement);
}

/* Steps through (sort key, value) rows. */
static void visit_rows(struct sqlite_engine *engine, enum statement which, struct checksum *checksum)
{
    sqlite3_stmt *statement = engine->database.statements[which];
    while (sqlite_database_step(&engine->database, which)) {
        checksum_visit(checksum, sqlite_column_bytes(statement, 0), sqlite_column_bytes(statement, 1));
    }
}

/* The first key above all that start with `prefix`, in engine->beyond. The bench's prefixes never end in FF. */
static sheaf_bytes beyond_prefix(struct sqlite_engine *engine, sheaf_bytes prefix)
{
    if (prefix.size == 0 || prefix.size > PREFIX_SIZE_MAX || prefix.data[prefix.size - 1] == 0xFF) {
        fatal("sqlite: a prefix without a simple upper bound");
    }
    memcpy(engine->beyond, prefix.data, prefix.size);
    engine->beyond[prefix.size - 1]++;
    return sheaf_bytes_of(engine->beyond, prefix.size);
}

/* Binds a query's bounds to whichever of the statements answers it. */
static enum statement bind_bounds(struct sqlite_engine *engine, const struct bench_query *query, enum statement all,
                                  enum statement between, enum statement prefix, enum statement at_most)
{
    static const enum query_kind kinds[] = { QUERY_ALL, QUERY_BETWEEN, QUERY_PREFIX, QUERY_AT_MOST };
    const enum statement statements[] = { all, between, prefix, at_most };
    enum statement which = all;
    for (int i = 0; i < 4; i++) {
        if (kinds[i] == query->kind) which = statements[i];
    }
    sqlite3_stmt *statement = engine->database.statements[which];
    sheaf_bytes low = bench_key_sort(&query->low);
    sqlite_bind_bytes(statement, 1, bench_key_partition(&query->low));
    if (query->kind == QUERY_BETWEEN || query->kind == QUERY_PREFIX) sqlite_bind_bytes(statement, 2, low);
    if (query->kind == QUERY_PREFIX) sqlite_bind_bytes(statement, 3, beyond_prefix(engine, low));
    if (query->kind == QUERY_BETWEEN || query->kind == QUERY_AT_MOST) {
        sqlite_bind_bytes(statement, 3, bench_key_sort(&query->high));
    }
    return which;
}

static void query_range(void *opaque, const struct bench_query *query, struct checksum *checksum)
{
    struct sqlite_engine *engine = opaque;
    bool forward = query->direction == SHEAF_FORWARD;
    enum statement which = bind_bounds(engine, query, forward ? ALL : ALL_REVERSE, forward ? BETWEEN : BETWEEN_REVERSE,
                                       forward ? PREFIX : PREFIX_REVERSE, forward ? AT_MOST : AT_MOST_REVERSE);
    if (!forward) sqlite3_bind_int64(engine->database.statements[which], 4, query->limit);
    if (forward && query->limit != UINT32_MAX) fatal("sqlite: no forward statement has a limit");
    visit_rows(engine, which, checksum);
}

static void scan(void *engine, sheaf_direction direction, struct checksum *checksum)
{
    visit_rows(engine, direction == SHEAF_FORWARD ? SCAN : SCAN_REVERSE, checksum);
}

static uint64_t count(void *opaque, const struct bench_query *query)
{
    struct sqlite_engine *engine = opaque;
    if (query->kind != QUERY_BETWEEN && query->kind != QUERY_PREFIX) fatal("sqlite: no statement counts this");
    enum statement which = bind_bounds(engine, query, COUNT_BETWEEN, COUNT_BETWEEN, COUNT_PREFIX, COUNT_BETWEEN);
    return sqlite_database_number(&engine->database, which);
}

static uint64_t rank(void *opaque, const struct bench_key *key)
{
    struct sqlite_engine *engine = opaque;
    bind_key(engine, COUNT_ABOVE, key);
    return sqlite_database_number(&engine->database, COUNT_ABOVE);
}

static uint64_t held_bytes(void *engine)
{
    (void)engine; /* one database in the process */
    return (uint64_t)sqlite3_memory_used();
}

static bool check(void *opaque)
{
    struct sqlite_engine *engine = opaque;
    return sqlite_database_check(&engine->database);
}

const struct peer peer_sqlite = {
    .name = "sqlite",
    .describe = describe,
    .open = open_engine,
    .close = close_engine,
    .begin = begin,
    .end = end,
    .put = put,
    .delete_entry = delete_entry,
    .get = get,
    .query = query_range,
    .scan = scan,
    .count = count,
    .rank = rank,
    .held_bytes = held_bytes,
    .threads = THREADS_ONE_AT_A_TIME,
    .check = check,
};
