/*
 * sqlite_database.h - a SQLite database in memory with its prepared statements: what the two peers made of it have in common.
 *
 * No journal, no mutexes, no memory statistics unless asked for, statements prepared once and bound without copies.
 */
#ifndef BENCH_PEERS_SQLITE_DATABASE_H
#define BENCH_PEERS_SQLITE_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>

#include <sheaf/bytes.h>

#define SQLITE_STATEMENTS_MAX 24

struct sqlite_database {
    sqlite3 *handle;
    const char *const *sql; /* of each statement */
    unsigned statement_count;
    sqlite3_stmt *statements[SQLITE_STATEMENTS_MAX];
};

/* Opens an empty database, runs `schema`, prepares all of `sql`. `account`: it will be asked how much memory it uses. */
void sqlite_database_open(struct sqlite_database *database, const char *schema, const char *const *sql, unsigned count,
                          bool account);
void sqlite_database_close(struct sqlite_database *database);

/* Runs a statement that gives no rows, or whose rows are not wanted. */
void sqlite_database_run(struct sqlite_database *database, unsigned statement);

/* Moves to the next row of a statement; false, and the statement is reset, when there is none. */
bool sqlite_database_step(struct sqlite_database *database, unsigned statement);

/* The one number that a statement gives. */
uint64_t sqlite_database_number(struct sqlite_database *database, unsigned statement);

/* Whether its own check of its integrity finds nothing. */
bool sqlite_database_check(struct sqlite_database *database);

static inline void sqlite_bind_bytes(sqlite3_stmt *statement, int index, sheaf_bytes bytes)
{
    sqlite3_bind_blob(statement, index, bytes.data, (int)bytes.size, SQLITE_STATIC);
}

static inline sheaf_bytes sqlite_column_bytes(sqlite3_stmt *statement, int index)
{
    const void *data = sqlite3_column_blob(statement, index);
    return sheaf_bytes_of(data, (size_t)sqlite3_column_bytes(statement, index));
}

#endif
