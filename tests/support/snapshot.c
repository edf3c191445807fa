#include "tests/support/snapshot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/expect.h"

static void write(struct snapshot *snapshot, const void *data, size_t size)
{
    if (snapshot->size + size > snapshot->capacity) {
        snapshot->capacity = (snapshot->size + size) * 2;
        snapshot->bytes = realloc(snapshot->bytes, snapshot->capacity);
        EXPECT(snapshot->bytes, "memory for a snapshot");
    }
    if (size > 0) memcpy(snapshot->bytes + snapshot->size, data, size);
    snapshot->size += size;
}

static void write_piece(struct snapshot *snapshot, sheaf_bytes piece)
{
    write(snapshot, &piece.size, sizeof piece.size);
    write(snapshot, piece.data, piece.size);
}

struct snapshot snapshot_take(const sheaf_store *store)
{
    static uint8_t wide[SHEAF_SORT_KEY_SIZE_HARD];
    struct snapshot snapshot = { .totals = sheaf_store_total(store) };
    sheaf_collection_info info;
    sheaf_bytes after;
    for (const sheaf_bytes *from = NULL; sheaf_collection_next(store, from, &info) == SHEAF_OK; from = &after) {
        after = info.partition_key_view;
        write_piece(&snapshot, after);
        write(&snapshot, &info.totals, sizeof info.totals);
        sheaf_cursor cursor;
        EXPECT(sheaf_cursor_open_wide(&cursor, store, after, NULL, wide, sizeof wide, NULL) == SHEAF_OK, "opening a cursor");
        for (bool at = sheaf_cursor_first(&cursor); at; at = sheaf_cursor_next(&cursor)) {
            write_piece(&snapshot, cursor.key);
            write_piece(&snapshot, cursor.value);
        }
    }
    return snapshot;
}

void snapshot_free(struct snapshot *snapshot)
{
    free(snapshot->bytes);
    *snapshot = (struct snapshot){ 0 };
}

void snapshot_expect(const struct snapshot *snapshot, const sheaf_store *store)
{
    sheaf_fault fault = { 0 };
    EXPECT(sheaf_store_check(store, &fault), "%s, level %u, slot %u", fault.rule, fault.level, fault.slot);
    struct snapshot now = snapshot_take(store);
    EXPECT(now.totals.collection_count == snapshot->totals.collection_count, "%" PRIu64 " collections",
           now.totals.collection_count);
    EXPECT(now.totals.entry_count == snapshot->totals.entry_count, "%" PRIu64 " entries", now.totals.entry_count);
    EXPECT(now.totals.logical_bytes == snapshot->totals.logical_bytes, "%" PRIu64 " logical bytes", now.totals.logical_bytes);
    EXPECT(now.totals.charged_bytes == snapshot->totals.charged_bytes, "%" PRIu64 " bytes charged, %" PRIu64 " before",
           now.totals.charged_bytes, snapshot->totals.charged_bytes);
    bool same = now.size == snapshot->size && (now.size == 0 || memcmp(now.bytes, snapshot->bytes, now.size) == 0);
    EXPECT(same, "the same entries");
    snapshot_free(&now);
}
