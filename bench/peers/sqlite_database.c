#include "bench/peers/sqlite_database.h"

#include <string.h>

#include "bench/fatal.h"

static void must(const struct sqlite_database *database, int code, const char *what)
{
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    fatal("sqlite: %s: %s", what, database->handle ? sqlite3_errmsg(database->handle) : sqlite3_errstr(code));
}

void sqlite_database_open(struct sqlite_database *database, const char *schema, const char *const *sql, unsigned count,
                          bool account)
{
    *database = (struct sqlite_database){ .sql = sql, .statement_count = count };
    if (count > SQLITE_STATEMENTS_MAX) fatal("sqlite: more statements than there is room for");
    if (sqlite3_shutdown() != SQLITE_OK || sqlite3_config(SQLITE_CONFIG_SINGLETHREAD) != SQLITE_OK ||
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, account ? 1 : 0) != SQLITE_OK) {
        fatal("sqlite: cannot be configured");
    }
    must(database, sqlite3_open(":memory:", &database->handle), "open");
    must(database,
         sqlite3_exec(database->handle, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE",
                      NULL, NULL, NULL),
         "set up");
    must(database, sqlite3_exec(database->handle, schema, NULL, NULL, NULL), "create tables");
    for (unsigned i = 0; i < count; i++) {
        must(database,
             sqlite3_prepare_v3(database->handle, sql[i], -1, SQLITE_PREPARE_PERSISTENT, &database->statements[i], NULL),
             sql[i]);
    }
}

void sqlite_database_close(struct sqlite_database *database)
{
    for (unsigned i = 0; i < database->statement_count; i++) sqlite3_finalize(database->statements[i]);
    must(database, sqlite3_close(database->handle), "close");
}

void sqlite_database_run(struct sqlite_database *database, unsigned statement)
{
    must(database, sqlite3_step(database->statements[statement]), database->sql[statement]);
    sqlite3_reset(database->statements[statement]);
}

bool sqlite_database_step(struct sqlite_database *database, unsigned statement)
{
    int code = sqlite3_step(database->statements[statement]);
    if (code == SQLITE_ROW) return true;
    must(database, code, database->sql[statement]);
    sqlite3_reset(database->statements[statement]);
    return false;
}

uint64_t sqlite_database_number(struct sqlite_database *database, unsigned statement)
{
    if (!sqlite_database_step(database, statement)) fatal("sqlite: no number from %s", database->sql[statement]);
    uint64_t number = (uint64_t)sqlite3_column_int64(database->statements[statement], 0);
    sqlite3_reset(database->statements[statement]);
    return number;
}

bool sqlite_database_check(struct sqlite_database *database)
{
    sqlite3_stmt *statement;
    must(database, sqlite3_prepare_v2(database->handle, "PRAGMA integrity_check", -1, &statement, NULL), "integrity check");
    bool sound = sqlite3_step(statement) == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(statement, 0), "ok") == 0;
    sqlite3_finalize(statement);
    return sound;
}
