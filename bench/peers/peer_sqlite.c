/*
 * peer_sqlite.c - SQLite in memory, at its best.
 *
 * One table without rowid, so that the primary key's B-tree holds the entries themselves; prepared statements bound without
 * copies; no journal, no mutexes, no memory statistics unless asked for; reads inside one transaction, writes in transactions
 * of a thousand.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/fatal.h"
#include "bench/peers/peer.h"

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
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENT_COUNT];
    uint8_t beyond[PREFIX_SIZE_MAX]; /* upper bound of a prefix, while a query uses it */
};

static void must(const struct sqlite_engine *engine, int code, const char *what)
{
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    fatal("sqlite: %s: %s", what, engine->database ? sqlite3_errmsg(engine->database) : sqlite3_errstr(code));
}

static const char *describe(void)
{
    static char text[96];
    snprintf(text, sizeof text, "%s, :memory:, WITHOUT ROWID, prepared statements", sqlite3_libversion());
    return text;
}

static void *open_engine(bool account)
{
    struct sqlite_engine *engine = allocate_or_fail(1, sizeof *engine);
    if (sqlite3_shutdown() != SQLITE_OK || sqlite3_config(SQLITE_CONFIG_SINGLETHREAD) != SQLITE_OK ||
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, account ? 1 : 0) != SQLITE_OK) {
        fatal("sqlite: cannot be configured");
    }
    must(engine, sqlite3_open(":memory:", &engine->database), "open");
    must(engine,
         sqlite3_exec(engine->database,
                      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
                      "CREATE TABLE entry (pk BLOB, sk BLOB, value BLOB, PRIMARY KEY (pk, sk)) WITHOUT ROWID",
                      NULL, NULL, NULL),
         "create table");
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        must(engine, sqlite3_prepare_v3(engine->database, sql[i], -1, SQLITE_PREPARE_PERSISTENT, &engine->statements[i], NULL),
             sql[i]);
    }
    return engine;
}

static void close_engine(void *opaque)
{
    struct sqlite_engine *engine = opaque;
    for (int i = 0; i < STATEMENT_COUNT; i++) sqlite3_finalize(engine->statements[i]);
    must(engine, sqlite3_close(engine->database), "close");
    free(engine);
}

/* Runs a statement that gives no rows, or whose rows are not wanted. */
static void run(struct sqlite_engine *engine, enum statement which)
{
    must(engine, sqlite3_step(engine->statements[which]), sql[which]);
    sqlite3_reset(engine->statements[which]);
}

static void begin(void *engine)
{
    run(engine, BEGIN);
}

static void end(void *engine)
{
    run(engine, COMMIT);
}

static void bind(sqlite3_stmt *statement, int index, sheaf_bytes bytes)
{
    sqlite3_bind_blob(statement, index, bytes.data, (int)bytes.size, SQLITE_STATIC);
}

static void bind_key(sqlite3_stmt *statement, const struct bench_key *key)
{
    bind(statement, 1, bench_key_partition(key));
    bind(statement, 2, bench_key_sort(key));
}

static sheaf_bytes column(sqlite3_stmt *statement, int index)
{
    const void *data = sqlite3_column_blob(statement, index);
    return sheaf_bytes_of(data, (size_t)sqlite3_column_bytes(statement, index));
}

static void put(void *opaque, const struct bench_key *key, sheaf_bytes value)
{
    struct sqlite_engine *engine = opaque;
    bind_key(engine->statements[PUT], key);
    bind(engine->statements[PUT], 3, value);
    run(engine, PUT);
}

static void delete_entry(void *opaque, const struct bench_key *key)
{
    struct sqlite_engine *engine = opaque;
    bind_key(engine->statements[DELETE], key);
    run(engine, DELETE);
}

static void get(void *opaque, const struct bench_key *key, struct checksum *checksum)
{
    struct sqlite_engine *engine = opaque;
    sqlite3_stmt *statement = engine->statements[GET];
    bind_key(statement, key);
    int code = sqlite3_step(statement);
    must(engine, code, sql[GET]);
    if (code == SQLITE_ROW) checksum_visit(checksum, bench_key_sort(key), column(statement, 0));
    sqlite3_reset(statement);
}

/* Steps through (sort key, value) rows. */
static void visit_rows(struct sqlite_engine *engine, sqlite3_stmt *statement, struct checksum *checksum)
{
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        checksum_visit(checksum, column(statement, 0), column(statement, 1));
    }
    must(engine, code, "read rows");
    sqlite3_reset(statement);
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
static sqlite3_stmt *bind_bounds(struct sqlite_engine *engine, const struct bench_query *query, enum statement all,
                                 enum statement between, enum statement prefix, enum statement at_most)
{
    static const enum query_kind kinds[] = { QUERY_ALL, QUERY_BETWEEN, QUERY_PREFIX, QUERY_AT_MOST };
    const enum statement statements[] = { all, between, prefix, at_most };
    sqlite3_stmt *statement = NULL;
    for (int i = 0; i < 4; i++) {
        if (kinds[i] == query->kind) statement = engine->statements[statements[i]];
    }
    sheaf_bytes low = bench_key_sort(&query->low);
    bind(statement, 1, bench_key_partition(&query->low));
    if (query->kind == QUERY_BETWEEN || query->kind == QUERY_PREFIX) bind(statement, 2, low);
    if (query->kind == QUERY_PREFIX) bind(statement, 3, beyond_prefix(engine, low));
    if (query->kind == QUERY_BETWEEN || query->kind == QUERY_AT_MOST) bind(statement, 3, bench_key_sort(&query->high));
    return statement;
}

static void query_range(void *opaque, const struct bench_query *query, struct checksum *checksum)
{
    struct sqlite_engine *engine = opaque;
    bool forward = query->direction == SHEAF_FORWARD;
    sqlite3_stmt *statement = bind_bounds(engine, query, forward ? ALL : ALL_REVERSE, forward ? BETWEEN : BETWEEN_REVERSE,
                                          forward ? PREFIX : PREFIX_REVERSE, forward ? AT_MOST : AT_MOST_REVERSE);
    if (!forward) sqlite3_bind_int64(statement, 4, query->limit);
    if (forward && query->limit != UINT32_MAX) fatal("sqlite: no forward statement has a limit");
    visit_rows(engine, statement, checksum);
}

static void scan(void *opaque, sheaf_direction direction, struct checksum *checksum)
{
    struct sqlite_engine *engine = opaque;
    visit_rows(engine, engine->statements[direction == SHEAF_FORWARD ? SCAN : SCAN_REVERSE], checksum);
}

/* The one number a counting statement gives. */
static uint64_t counted(struct sqlite_engine *engine, sqlite3_stmt *statement)
{
    if (sqlite3_step(statement) != SQLITE_ROW) fatal("sqlite: count: %s", sqlite3_errmsg(engine->database));
    uint64_t number = (uint64_t)sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return number;
}

static uint64_t count(void *opaque, const struct bench_query *query)
{
    struct sqlite_engine *engine = opaque;
    if (query->kind != QUERY_BETWEEN && query->kind != QUERY_PREFIX) fatal("sqlite: no statement counts this");
    return counted(engine, bind_bounds(engine, query, COUNT_BETWEEN, COUNT_BETWEEN, COUNT_PREFIX, COUNT_BETWEEN));
}

static uint64_t rank(void *opaque, const struct bench_key *key)
{
    struct sqlite_engine *engine = opaque;
    bind_key(engine->statements[COUNT_ABOVE], key);
    return counted(engine, engine->statements[COUNT_ABOVE]);
}

static uint64_t held_bytes(void *engine)
{
    (void)engine; /* one database in the process */
    return (uint64_t)sqlite3_memory_used();
}

static bool check(void *opaque)
{
    struct sqlite_engine *engine = opaque;
    sqlite3_stmt *statement;
    must(engine, sqlite3_prepare_v2(engine->database, "PRAGMA integrity_check", -1, &statement, NULL), "integrity check");
    bool sound = sqlite3_step(statement) == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(statement, 0), "ok") == 0;
    sqlite3_finalize(statement);
    return sound;
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
    .check = check,
};
