/*
 * sqlite_cache.c - Sheaf as a cache in front of SQLite: several threads, a hard budget, deadlines, and invalidation by prefix.
 *
 * What it prints is exact, though threads ask in any order: each value is fetched once, until it is invalidated or expires.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <sheaf/sheaf.h>
#include <sqlite3.h>

enum { THREAD_COUNT = 4, DRIVE_COUNT = 3, FILE_COUNT = 200, KEEP_SECONDS = 60, BUDGET = 4 << 20 };

static sqlite3 *database;
static sheaf_shared *cache;
static atomic_uint_fast64_t clock_seconds; /* a program would ask the system */
static atomic_int fetch_count;
static atomic_int wrong_count;

static uint64_t now(void *context)
{
    (void)context;
    return atomic_load(&clock_seconds);
}

/* Reads a size from the database. It is what the cache is there to save. */
static sheaf_status fetch(void *context, sheaf_bytes drive, sheaf_bytes path, sheaf_loaded *out_loaded)
{
    sqlite3_int64 *size = context; /* stays where it is until sheaf_shared_get_or_load() returns */
    sqlite3_stmt *query;
    sheaf_status status = SHEAF_NOT_FOUND;
    if (sqlite3_prepare_v2(database, "SELECT size FROM file WHERE drive = ? AND path = ?", -1, &query, NULL) != SQLITE_OK)
        return SHEAF_NO_MEMORY;
    sqlite3_bind_text(query, 1, (const char *)drive.data, (int)drive.size, SQLITE_STATIC);
    sqlite3_bind_text(query, 2, (const char *)path.data, (int)path.size, SQLITE_STATIC);
    if (sqlite3_step(query) == SQLITE_ROW) {
        *size = sqlite3_column_int64(query, 0);
        out_loaded->value = sheaf_bytes_of(size, sizeof *size);
        out_loaded->deadline = now(NULL) + KEEP_SECONDS;
        status = SHEAF_OK;
    }
    sqlite3_finalize(query);
    atomic_fetch_add(&fetch_count, 1);
    return status;
}

/* The size of a file, from the cache if it is there. Any number of threads may ask, for the same file too. */
static sqlite3_int64 size_of(sheaf_bytes drive, sheaf_bytes path)
{
    sqlite3_int64 fetched, size = -1;
    size_t value_size;
    sheaf_status status =
        sheaf_shared_get_or_load(cache, drive, path, fetch, &fetched, &size, sizeof size, &value_size, NULL);
    return status == SHEAF_OK ? size : -1;
}

/* All photos of a drive have changed: what the cache knows of them is deleted, in one piece. Returns how many that were. */
static uint64_t change_photos(const char *drive)
{
    sheaf_totals deleted;
    sheaf_range photos = sheaf_range_prefix(SHEAF_LIT("photos/"));
    char *update = sqlite3_mprintf("UPDATE file SET size = size + 1 WHERE drive = %Q AND path LIKE 'photos/%%'", drive);
    sqlite3_exec(database, update, NULL, NULL, NULL); /* first here, then there: a fetch between the two is not kept */
    sqlite3_free(update);
    sheaf_shared_delete_range(cache, sheaf_bytes_of(drive, strlen(drive)), &photos, &deleted, NULL);
    return deleted.count;
}

/* ---- the rest tries it --------------------------------------------------------------------------------------------------- */

static char names[DRIVE_COUNT][FILE_COUNT][32];
static const char *const drives[DRIVE_COUNT] = { "DRIVE#a91", "DRIVE#b27", "DRIVE#c03" };
static sqlite3_int64 sizes[DRIVE_COUNT][FILE_COUNT];

static void fill(void)
{
    sqlite3_exec(database, "CREATE TABLE file (drive TEXT, path TEXT, size INTEGER, PRIMARY KEY (drive, path))", NULL, NULL, NULL);
    for (int drive = 0; drive < DRIVE_COUNT; drive++) {
        for (int i = 0; i < FILE_COUNT; i++) {
            snprintf(names[drive][i], sizeof names[drive][i], "%s/%04d", i % 2 ? "photos" : "docs", i);
            sizes[drive][i] = 1000 * drive + i;
            char *insert = sqlite3_mprintf("INSERT INTO file VALUES (%Q, %Q, %lld)", drives[drive], names[drive][i], sizes[drive][i]);
            sqlite3_exec(database, insert, NULL, NULL, NULL);
            sqlite3_free(insert);
        }
    }
}

/* One thread: asks for every file of every drive, beginning somewhere of its own, twice. */
static void *ask(void *argument)
{
    int start = *(const int *)argument;
    for (int round = 0; round < 2 * DRIVE_COUNT * FILE_COUNT; round++) {
        int number = (start + round) % (DRIVE_COUNT * FILE_COUNT);
        int drive = number / FILE_COUNT, i = number % FILE_COUNT;
        sheaf_bytes path = sheaf_bytes_of(names[drive][i], strlen(names[drive][i]));
        if (size_of(sheaf_bytes_of(drives[drive], strlen(drives[drive])), path) != sizes[drive][i]) atomic_fetch_add(&wrong_count, 1);
    }
    return NULL;
}

static void ask_all(const char *when)
{
    pthread_t threads[THREAD_COUNT];
    int starts[THREAD_COUNT], before = atomic_load(&fetch_count);
    for (int i = 0; i < THREAD_COUNT; i++) {
        starts[i] = i * 97;
        pthread_create(&threads[i], NULL, ask, &starts[i]);
    }
    for (int i = 0; i < THREAD_COUNT; i++) pthread_join(threads[i], NULL);
    printf("%s: %d fetched, %d wrong\n", when, atomic_load(&fetch_count) - before, atomic_load(&wrong_count));
}

int main(void)
{
    sheaf_cache_options rules = { .eviction = SHEAF_EVICTION_FREQUENCY };
    sheaf_expiry_options expiry = { .rule = SHEAF_EXPIRY_HIDDEN, .now = now };
    sheaf_shared_options options = { .store = { .budget_bytes = BUDGET, .cache = &rules, .expiry = &expiry } };
    sheaf_totals swept;
    if (sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK) return 1;
    if (sheaf_shared_create(&options, &cache, NULL) != SHEAF_OK) return 1;
    fill();
    ask_all("4 threads ask for 600 files");

    atomic_store(&clock_seconds, 30);
    printf("photos of a drive change: %d invalidated\n", (int)change_photos(drives[1]));
    for (int i = 1; i < FILE_COUNT; i += 2) sizes[1][i]++;
    ask_all("after 30 seconds");

    atomic_store(&clock_seconds, KEEP_SECONDS);
    sheaf_shared_sweep(cache, KEEP_SECONDS, 0, &swept, NULL);
    printf("a minute is over: %d swept\n", (int)swept.count);
    ask_all("after 60 seconds");
    printf("%s the budget\n", sheaf_shared_total(cache).charged_bytes <= BUDGET ? "within" : "over");
    sheaf_shared_destroy(cache);
    sqlite3_close(database);
    return 0;
}
