/*
 * read_views.c - threads that read views, and write forks, while another writes the store: none takes a lock for it.
 *
 *     read_views [writes]
 *
 * The main thread writes, opens views, goes back to some, closes those nobody reads. Readers take the newest view, read all of
 * it in several ways that must agree with one another and with the number of entries at the opening; now and then one is lent a
 * fork of its own to write. Locks guard only the shelf on which views and forks are handed over. Exit code 0: nothing disagreed.
 * With -Db_sanitize=thread it also proves that no two touch the same memory; tests/run --all builds it so.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <sheaf/sheaf.h>

#include "tests/support/expect.h"
#include "tests/support/random.h"

enum { READERS = 2, SHELF_MAX = 24, COLLECTIONS = 200, KEYS = 1500, WRITES_EACH = 250, FORK_WRITES = 60 };

/* A view or a fork on the shelf. */
struct lent {
    sheaf_view *view;
    sheaf_store *fork; /* of the view; NULL: the view is to be read */
    uint64_t entry_count;
    int borrowers;
    bool done; /* the fork was written */
};

static struct {
    pthread_mutex_t lock;
    struct lent lent[SHELF_MAX];
    size_t count;
} shelf = { .lock = PTHREAD_MUTEX_INITIALIZER };

static atomic_bool finished;
static atomic_ulong read_count, fork_count;

/* ---- writing ------------------------------------------------------------------------------------------------------------ */

static sheaf_bytes draw_text(struct random *random, char *buffer, const char *format, uint32_t bound)
{
    return sheaf_bytes_of(buffer, (size_t)sprintf(buffer, format, random_below(random, bound)));
}

/* A value of one byte, repeated: a torn one shows. */
static sheaf_bytes draw_uniform(struct random *random, uint8_t *buffer)
{
    size_t size = random_once_in(random, 40) ? 1500 : random_below(random, 60);
    uint8_t byte = (uint8_t)random_next(random);
    for (size_t i = 0; i < size; i++) buffer[i] = byte;
    return sheaf_bytes_of(buffer, size);
}

static void write_once(sheaf_store *store, struct random *random)
{
    static _Thread_local char partition_text[16], key_text[16];
    static _Thread_local uint8_t value_bytes[1500];
    uint32_t collections = random_below(random, 2) ? 3 : COLLECTIONS;
    sheaf_bytes partition_key = draw_text(random, partition_text, "P#%u", collections);
    sheaf_bytes key = draw_text(random, key_text, "%08u", KEYS);
    uint32_t choice = random_below(random, 200);
    sheaf_status status = SHEAF_OK;
    if (choice < 130) {
        status = sheaf_store_put(store, partition_key, key, draw_uniform(random, value_bytes), NULL, NULL);
    } else if (choice < 185) {
        status = sheaf_store_delete(store, partition_key, key, NULL);
    } else if (choice < 199) {
        sheaf_range range = sheaf_range_prefix(sheaf_bytes_of(key.data, 7));
        status = sheaf_store_delete_range(store, partition_key, &range, NULL, NULL);
    } else {
        status = sheaf_collection_drop(store, partition_key, NULL);
    }
    EXPECT(status == SHEAF_OK || status == SHEAF_NOT_FOUND, "a write gave %s", sheaf_status_name(status));
}

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

static void check_value(sheaf_bytes value)
{
    for (size_t i = 1; i < value.size; i++) EXPECT(value.data[i] == value.data[0], "a value is torn");
}

static uint64_t read_collection(const sheaf_store *store, const sheaf_collection_info *info)
{
    sheaf_cursor cursor;
    sheaf_totals read = { 0 }, summed = { 0 };
    EXPECT(sheaf_cursor_open(&cursor, store, info->partition_key_view, NULL, NULL) == SHEAF_OK, "opening a cursor");
    for (bool at = sheaf_cursor_first(&cursor); at; at = sheaf_cursor_next(&cursor)) {
        sheaf_bytes value;
        read.count++;
        read.bytes += cursor.key.size + cursor.value.size;
        check_value(cursor.value);
        if (read.count % 16 != 1) continue;
        EXPECT(sheaf_store_get(store, info->partition_key_view, cursor.key, &value, NULL) == SHEAF_OK, "an entry there is");
        EXPECT(value.data == cursor.value.data, "a point read finds what the cursor stands on");
    }
    EXPECT(sheaf_range_total(store, info->partition_key_view, NULL, &summed, NULL) == SHEAF_OK, "the sums");
    EXPECT(read.count == summed.count && read.bytes == summed.bytes, "what is read is what the sums say");
    EXPECT(read.count == info->totals.count && read.bytes == info->totals.bytes, "and what the enumeration says");
    return read.count;
}

static void read_all(const sheaf_store *store, uint64_t entry_count)
{
    sheaf_collection_info info;
    sheaf_bytes after;
    uint64_t read = 0;
    for (const sheaf_bytes *from = NULL; sheaf_collection_next(store, from, &info) == SHEAF_OK; from = &after) {
        after = info.partition_key_view;
        read += read_collection(store, &info);
    }
    EXPECT(read == entry_count, "as many entries as at the opening");
}

/* ---- handing over ------------------------------------------------------------------------------------------------------- */

static bool borrow(struct random *random, struct lent *out_lent)
{
    pthread_mutex_lock(&shelf.lock);
    bool found = shelf.count > 0;
    if (found) {
        bool any = random_once_in(random, 4); /* else the newest */
        struct lent *lent = &shelf.lent[any ? random_below(random, (uint32_t)shelf.count) : shelf.count - 1];
        found = !lent->fork || (lent->borrowers == 0 && !lent->done);
        if (found) lent->borrowers++;
        *out_lent = *lent;
    }
    pthread_mutex_unlock(&shelf.lock);
    return found;
}

static void give_back(const struct lent *borrowed)
{
    pthread_mutex_lock(&shelf.lock);
    for (size_t i = 0; i < shelf.count; i++) {
        struct lent *lent = &shelf.lent[i];
        if (lent->view != borrowed->view || lent->fork != borrowed->fork) continue;
        lent->borrowers--;
        lent->done = true;
    }
    pthread_mutex_unlock(&shelf.lock);
}

static void *borrow_and_use(void *seed)
{
    struct random random = random_from_seed(*(const uint64_t *)seed);
    struct lent lent;
    while (!atomic_load(&finished)) {
        if (!borrow(&random, &lent)) continue;
        if (lent.fork) {
            for (uint32_t i = 0; i < FORK_WRITES; i++) write_once(lent.fork, &random);
            read_all(lent.fork, sheaf_store_total(lent.fork).entry_count);
            atomic_fetch_add(&fork_count, 1);
        } else {
            read_all(sheaf_view_store(lent.view), lent.entry_count);
            atomic_fetch_add(&read_count, 1);
        }
        give_back(&lent);
    }
    return NULL;
}

/* Takes what nobody has borrowed off the shelf, by chance but for the newest; all of it at the end. */
static void clear_shelf(struct random *random, bool all)
{
    for (size_t i = 0; i + (all ? 0 : 1) < shelf.count;) {
        struct lent lent = shelf.lent[i];
        if (!all && (lent.borrowers > 0 || random_below(random, 3) > 0)) {
            i++;
            continue;
        }
        sheaf_store_destroy(lent.fork);
        sheaf_view_close(lent.view);
        shelf.lent[i] = shelf.lent[--shelf.count];
    }
}

static void fill_shelf(sheaf_store *store, struct random *random)
{
    struct lent lent = { .entry_count = sheaf_store_total(store).entry_count };
    if (shelf.count == SHELF_MAX) return;
    EXPECT(sheaf_view_open(store, &lent.view, NULL) == SHEAF_OK, "memory for a view");
    if (random_once_in(random, 5)) EXPECT(sheaf_store_fork(lent.view, &lent.fork, NULL) == SHEAF_OK, "memory for a fork");
    shelf.lent[shelf.count++] = lent;
}

/* ---- the run ------------------------------------------------------------------------------------------------------------ */

static void write_on(sheaf_store *store, struct random *random, uint64_t rounds)
{
    for (uint64_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < WRITES_EACH; i++) write_once(store, random);
        pthread_mutex_lock(&shelf.lock);
        clear_shelf(random, false);
        fill_shelf(store, random);
        sheaf_view *back = round % 20 == 7 ? shelf.lent[random_below(random, (uint32_t)shelf.count)].view : NULL;
        pthread_mutex_unlock(&shelf.lock);
        if (back) EXPECT(sheaf_store_restore(store, back, NULL) == SHEAF_OK, "memory to go back");
    }
}

int main(int argument_count, char **arguments)
{
    uint64_t writes = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : random_scaled(100000);
    uint64_t seed = random_seed("read_views", 20261201);
    struct random random = random_from_seed(seed);
    sheaf_store *store = NULL;
    EXPECT(sheaf_store_create(NULL, &store, NULL) == SHEAF_OK, "memory for a store");
    pthread_t readers[READERS];
    uint64_t seeds[READERS];
    for (size_t i = 0; i < READERS; i++) {
        seeds[i] = seed + 1 + i;
        EXPECT(pthread_create(&readers[i], NULL, borrow_and_use, &seeds[i]) == 0, "a thread");
    }
    write_on(store, &random, writes / WRITES_EACH);
    atomic_store(&finished, true);
    for (size_t i = 0; i < READERS; i++) EXPECT(pthread_join(readers[i], NULL) == 0, "its end");
    clear_shelf(&random, true);
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_store_check(store, &fault), "%s", fault.rule);
    EXPECT(sheaf_store_total(store).retained_bytes == 0, "nothing is retained without views");
    printf("%lu views read and %lu forks written beside %llu writes\n", atomic_load(&read_count), atomic_load(&fork_count),
           (unsigned long long)writes);
    sheaf_store_destroy(store);
    return 0;
}
