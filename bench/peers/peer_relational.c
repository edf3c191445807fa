/*
 * peer_relational.c - the relational way, which people come from: SQLite with a row that knows its parent, and scores by order.
 *
 *   file   id | parent_id | name | value             a subtree is a recursive join with itself on parent_id
 *   score  id | season | score | time | player | value   the top is ORDER BY score DESC LIMIT n
 *
 * Shape T goes into `file`, L into `score`; each has the index that people give it, and statements are prepared. The id of the
 * folder whose subtree is wanted is at hand, as it is in programs that work this way. A path is put together while the subtree
 * is read, for the rows have only names; folders' names end in '/', so that the order of paths is the order of keys. Scores that
 * are equal need an order too, so the index goes on with time and player. What has no natural form (a range of paths, counts
 * of them) is left out, and so is P.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/fatal.h"
#include "bench/operations.h"
#include "bench/peers/peer.h"
#include "bench/peers/sqlite_database.h"

enum statement {
    BEGIN,
    COMMIT,
    FOLDER_ID,
    ADD_FOLDER,
    PUT_FILE,
    SUBTREE,
    PUT_SCORE,
    RANGE,
    RANGE_REVERSE,
    TOP,
    COUNT_RANGE,
    COUNT_ABOVE,
    SCAN,
    SCAN_REVERSE,
    STATEMENT_COUNT
};

static const char schema[] =
    "CREATE TABLE file (id INTEGER PRIMARY KEY, parent_id INTEGER, name TEXT, value BLOB);"
    "CREATE UNIQUE INDEX file_in_folder ON file (parent_id, name);"
    "CREATE TABLE score (id INTEGER PRIMARY KEY, season TEXT, score INTEGER, time INTEGER, player TEXT,"
    " value BLOB);"
    "CREATE UNIQUE INDEX score_in_season ON score (season, score, time, player)";

#define SCORES "SELECT score, time, player, value FROM score WHERE season = ?1"
#define WITHIN " AND (score, time, player) >= (?2, ?3, ?4) AND (score, time, player) <= (?5, ?6, ?7)"
#define UPWARD " ORDER BY score, time, player"
#define DOWNWARD " ORDER BY score DESC, time DESC, player DESC"

static const char *const sql[STATEMENT_COUNT] = {
    [BEGIN] = "BEGIN",
    [COMMIT] = "COMMIT",
    [FOLDER_ID] = "SELECT id FROM file WHERE parent_id = ?1 AND name = ?2",
    [ADD_FOLDER] = "INSERT INTO file (parent_id, name) VALUES (?1, ?2) RETURNING id",
    [PUT_FILE] = "INSERT INTO file (parent_id, name, value) VALUES (?1, ?2, ?3)"
                 " ON CONFLICT (parent_id, name) DO UPDATE SET value = excluded.value RETURNING id",
    [SUBTREE] = "WITH RECURSIVE below (id, path, value) AS ("
                " SELECT id, ?2, value FROM file WHERE id = ?1"
                " UNION ALL"
                " SELECT file.id, below.path || file.name, file.value FROM below JOIN file ON file.parent_id = below.id"
                ") SELECT path, value FROM below ORDER BY path",
    [PUT_SCORE] = "INSERT INTO score (season, score, time, player, value) VALUES (?1, ?2, ?3, ?4, ?5)"
                  " ON CONFLICT (season, score, time, player) DO UPDATE SET value = excluded.value",
    [RANGE] = SCORES WITHIN UPWARD,
    [RANGE_REVERSE] = SCORES " AND (score, time, player) <= (?5, ?6, ?7)" DOWNWARD " LIMIT ?8",
    [TOP] = SCORES DOWNWARD " LIMIT ?8",
    [COUNT_RANGE] = "SELECT count(*) FROM score WHERE season = ?1" WITHIN,
    [COUNT_ABOVE] = "SELECT count(*) FROM score WHERE season = ?1 AND (score, time, player) > (?2, ?3, ?4)",
    [SCAN] = SCORES UPWARD,
    [SCAN_REVERSE] = SCORES DOWNWARD,
};

struct relational_engine {
    struct sqlite_database database;
    int64_t *ids; /* of the row of each entry of T, by the entry's number */
    size_t id_count;
    sheaf_bytes season; /* what the first score was put into */
    uint8_t season_room[64];
};

static const char *describe(void)
{
    static char text[112];
    snprintf(text, sizeof text, "SQLite %s: T by parent_id and a recursive join, L by ORDER BY score", sqlite3_libversion());
    return text;
}

static bool has_form(const struct operation *operation, enum shape shape)
{
    if (shape == SHAPE_MANY) return false;
    bool tree = shape == SHAPE_TREE;
    switch (operation->kind) {
    case OPERATION_QUERY: return !tree || operation->query == QUERY_PREFIX;
    case OPERATION_COUNT: return !tree && operation->query == QUERY_BETWEEN;
    case OPERATION_SCAN:
    case OPERATION_RANK: return !tree;
    case OPERATION_GET:
    case OPERATION_GET_MISS:
    case OPERATION_GET_MANY:
    case OPERATION_OVERWRITE:
    case OPERATION_INSERT:
    case OPERATION_BUILD:
    case OPERATION_DELETE:
    case OPERATION_HOLD:
    case OPERATION_MIX: return false;
    }
    return false;
}

static void *open_engine(unsigned purposes)
{
    struct relational_engine *engine = allocate_or_fail(1, sizeof *engine);
    sqlite_database_open(&engine->database, schema, sql, STATEMENT_COUNT, purposes & PEER_ACCOUNT);
    return engine;
}

static void close_engine(void *opaque)
{
    struct relational_engine *engine = opaque;
    sqlite_database_close(&engine->database);
    free(engine->ids);
    free(engine);
}

static void begin(void *opaque)
{
    struct relational_engine *engine = opaque;
    sqlite_database_run(&engine->database, BEGIN);
}

static void end(void *opaque)
{
    struct relational_engine *engine = opaque;
    sqlite_database_run(&engine->database, COMMIT);
}

static void bind_text(sqlite3_stmt *statement, int index, sheaf_bytes text)
{
    sqlite3_bind_text(statement, index, (const char *)text.data, (int)text.size, SQLITE_STATIC);
}

/* ---- T: files in folders ---------------------------------------------------------------------------------------------- */

/* The size of the first name in a path: with its '/' if it is a folder's. */
static size_t name_size(sheaf_bytes path)
{
    const uint8_t *slash = memchr(path.data, '/', path.size);
    return slash ? (size_t)(slash - path.data) + 1 : path.size;
}

static int64_t folder_id(struct relational_engine *engine, int64_t parent, sheaf_bytes name)
{
    for (enum statement which = FOLDER_ID;; which = ADD_FOLDER) { /* one that is not there yet is made: its turn will come */
        sqlite3_stmt *statement = engine->database.statements[which];
        sqlite3_bind_int64(statement, 1, parent);
        bind_text(statement, 2, name);
        if (!sqlite_database_step(&engine->database, which)) continue;
        int64_t id = sqlite3_column_int64(statement, 0);
        sqlite3_reset(statement);
        return id;
    }
}

static void remember_id(struct relational_engine *engine, uint32_t number, int64_t id)
{
    if (number >= engine->id_count) {
        size_t count = (size_t)number * 2 + 1024;
        int64_t *ids = realloc(engine->ids, count * sizeof *ids);
        if (!ids) fatal("out of memory for the ids of %zu files", count);
        engine->ids = ids;
        engine->id_count = count;
    }
    engine->ids[number] = id;
}

static void put_file(struct relational_engine *engine, const struct bench_key *key, sheaf_bytes value)
{
    sheaf_bytes path = bench_key_sort(key);
    int64_t parent = 0;
    for (size_t size; (size = name_size(path)) < path.size; path = sheaf_bytes_of(path.data + size, path.size - size)) {
        parent = folder_id(engine, parent, sheaf_bytes_of(path.data, size));
    }
    sqlite3_stmt *statement = engine->database.statements[PUT_FILE];
    sqlite3_bind_int64(statement, 1, parent);
    bind_text(statement, 2, path);
    sqlite_bind_bytes(statement, 3, value);
    remember_id(engine, key->number, (int64_t)sqlite_database_number(&engine->database, PUT_FILE));
}

/* A subtree's first entry is the folder itself: there is no path between "a/" and what lies below it. */
static void visit_subtree(struct relational_engine *engine, const struct bench_query *query, struct checksum *checksum)
{
    sqlite3_stmt *statement = engine->database.statements[SUBTREE];
    sqlite3_bind_int64(statement, 1, engine->ids[query->first]);
    bind_text(statement, 2, bench_key_sort(&query->low));
    while (sqlite_database_step(&engine->database, SUBTREE)) {
        checksum_visit(checksum, sqlite_column_bytes(statement, 0), sqlite_column_bytes(statement, 1));
    }
}

/* ---- L: scores -------------------------------------------------------------------------------------------------------- */

/* score#time#player, of fixed widths */
#define SCORE_DIGITS 10
#define TIME_DIGITS 16
#define PLAYER_SIZE 9
#define SCORE_KEY_SIZE (SCORE_DIGITS + 1 + TIME_DIGITS + 1 + PLAYER_SIZE)

static int64_t number_of(const uint8_t *digits, int count)
{
    int64_t number = 0;
    for (int i = 0; i < count; i++) number = number * 10 + (digits[i] - '0');
    return number;
}

/* Binds the three columns that a whole sort key stands for. */
static void bind_score(sqlite3_stmt *statement, int index, const uint8_t *key)
{
    sqlite3_bind_int64(statement, index, number_of(key, SCORE_DIGITS));
    sqlite3_bind_int64(statement, index + 1, number_of(key + SCORE_DIGITS + 1, TIME_DIGITS));
    sqlite3_bind_text(statement, index + 2, (const char *)key + SCORE_KEY_SIZE - PLAYER_SIZE, PLAYER_SIZE, SQLITE_STATIC);
}

static void put_score(struct relational_engine *engine, const struct bench_key *key, sheaf_bytes value)
{
    sqlite3_stmt *statement = engine->database.statements[PUT_SCORE];
    if (key->sort_size != SCORE_KEY_SIZE) fatal("relational: a score of %u bytes", key->sort_size);
    bind_text(statement, 1, bench_key_partition(key));
    bind_score(statement, 2, bench_key_sort(key).data);
    sqlite_bind_bytes(statement, 5, value);
    sqlite_database_run(&engine->database, PUT_SCORE);
}

/* Steps through (score, time, player, value) rows. A key's size and first byte follow from its columns. */
static void visit_scores(struct relational_engine *engine, enum statement which, struct checksum *checksum)
{
    sqlite3_stmt *statement = engine->database.statements[which];
    while (sqlite_database_step(&engine->database, which)) {
        int64_t score = sqlite3_column_int64(statement, 0);
        (void)sqlite3_column_int64(statement, 1); /* all columns are fetched, as a caller would */
        size_t player_size = sqlite_column_bytes(statement, 2).size;
        uint8_t first = (uint8_t)('0' + score / 1000000000);
        sheaf_bytes key = sheaf_bytes_of(&first, SCORE_KEY_SIZE - PLAYER_SIZE + player_size);
        checksum_visit(checksum, key, sqlite_column_bytes(statement, 3));
    }
}

/* A prefix as a whole key: what is missing is taken from the lowest or the highest there could be. */
static void complete(uint8_t *out, sheaf_bytes prefix, const char *rest)
{
    memcpy(out, rest, SCORE_KEY_SIZE);
    memcpy(out, prefix.data, prefix.size);
}

/* Binds the lowest and the highest key of a query, which are kept in `room` (two keys) while it is answered. */
static void bind_range(sqlite3_stmt *statement, const struct bench_query *query, uint8_t room[2 * SCORE_KEY_SIZE])
{
    sheaf_bytes low = bench_key_sort(&query->low), high = bench_key_sort(&query->high);
    complete(room, low, "0000000000#0000000000000000#p_0000000");
    complete(room + SCORE_KEY_SIZE, query->kind == QUERY_PREFIX ? low : high, "9999999999#9999999999999999#p_9999999");
    bind_score(statement, 2, room);
    bind_score(statement, 5, room + SCORE_KEY_SIZE);
}

static void query_scores(struct relational_engine *engine, const struct bench_query *query, struct checksum *checksum)
{
    uint8_t room[2 * SCORE_KEY_SIZE];
    bool forward = query->direction == SHEAF_FORWARD;
    enum statement which = forward ? RANGE : query->kind == QUERY_ALL ? TOP : RANGE_REVERSE;
    sqlite3_stmt *statement = engine->database.statements[which];
    if (forward ? query->limit != UINT32_MAX : query->kind == QUERY_PREFIX) fatal("relational: no statement reads this");
    bind_text(statement, 1, bench_key_partition(&query->low));
    if (which == RANGE) bind_range(statement, query, room);
    if (which == RANGE_REVERSE) bind_score(statement, 5, bench_key_sort(&query->high).data);
    if (!forward) sqlite3_bind_int64(statement, 8, query->limit);
    visit_scores(engine, which, checksum);
}

/* ---- the table of functions ------------------------------------------------------------------------------------------- */

static bool is_file(const struct bench_key *key)
{
    return key->joined[0] == 'D'; /* DRIVE#..., not SEASON#... */
}

static void put(void *opaque, const struct bench_key *key, sheaf_bytes value)
{
    struct relational_engine *engine = opaque;
    if (is_file(key)) {
        put_file(engine, key, value);
        return;
    }
    put_score(engine, key, value);
    sheaf_bytes season = bench_key_partition(key);
    if (season.size > sizeof engine->season_room) fatal("relational: a season's name of %zu bytes", season.size);
    if (engine->season.size != 0) return;
    memcpy(engine->season_room, season.data, season.size);
    engine->season = sheaf_bytes_of(engine->season_room, season.size);
}

static void query_range(void *engine, const struct bench_query *query, struct checksum *checksum)
{
    if (is_file(&query->low)) {
        visit_subtree(engine, query, checksum);
    } else {
        query_scores(engine, query, checksum);
    }
}

static void scan(void *opaque, sheaf_direction direction, struct checksum *checksum)
{
    struct relational_engine *engine = opaque;
    enum statement which = direction == SHEAF_FORWARD ? SCAN : SCAN_REVERSE;
    bind_text(engine->database.statements[which], 1, engine->season);
    visit_scores(engine, which, checksum);
}

static uint64_t count(void *opaque, const struct bench_query *query)
{
    struct relational_engine *engine = opaque;
    uint8_t room[2 * SCORE_KEY_SIZE];
    sqlite3_stmt *statement = engine->database.statements[COUNT_RANGE];
    bind_text(statement, 1, bench_key_partition(&query->low));
    bind_range(statement, query, room);
    return sqlite_database_number(&engine->database, COUNT_RANGE);
}

static uint64_t rank(void *opaque, const struct bench_key *key)
{
    struct relational_engine *engine = opaque;
    sqlite3_stmt *statement = engine->database.statements[COUNT_ABOVE];
    bind_text(statement, 1, bench_key_partition(key));
    bind_score(statement, 2, bench_key_sort(key).data);
    return sqlite_database_number(&engine->database, COUNT_ABOVE);
}

static uint64_t held_bytes(void *engine)
{
    (void)engine; /* one database in the process */
    return (uint64_t)sqlite3_memory_used();
}

static bool check(void *opaque)
{
    struct relational_engine *engine = opaque;
    return sqlite_database_check(&engine->database);
}

const struct peer peer_relational = {
    .name = "relational",
    .describe = describe,
    .has_form = has_form,
    .open = open_engine,
    .close = close_engine,
    .begin = begin,
    .end = end,
    .put = put,
    .query = query_range,
    .scan = scan,
    .count = count,
    .rank = rank,
    .held_bytes = held_bytes,
    .threads = THREADS_ONE_AT_A_TIME,
    .check = check,
};
