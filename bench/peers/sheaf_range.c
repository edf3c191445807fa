#include "bench/peers/sheaf_range.h"

#include <sheaf/scan.h>

#include "bench/fatal.h"

sheaf_range sheaf_range_of_query(const struct bench_query *query)
{
    switch (query->kind) {
    case QUERY_ALL: return sheaf_range_all();
    case QUERY_PREFIX: return sheaf_range_prefix(bench_key_sort(&query->low));
    case QUERY_BETWEEN: return sheaf_range_between(bench_key_sort(&query->low), bench_key_sort(&query->high));
    case QUERY_AT_MOST: return sheaf_range_at_most(bench_key_sort(&query->high));
    }
    fatal("no such query");
}

void sheaf_read_range(const sheaf_store *store, sheaf_bytes partition, const sheaf_range *range, sheaf_direction direction,
                      uint64_t limit, struct checksum *checksum)
{
    sheaf_cursor cursor;
    if (sheaf_cursor_open(&cursor, store, partition, range, NULL) != SHEAF_OK) fatal("sheaf: cannot open a cursor");
    sheaf_cursor_rewind(&cursor, direction);
    while (limit > 0) {
        sheaf_entry entries[32];
        size_t wanted = limit < 32 ? (size_t)limit : 32;
        size_t count = direction == SHEAF_FORWARD ? sheaf_cursor_next_many(&cursor, entries, wanted)
                                                  : sheaf_cursor_previous_many(&cursor, entries, wanted);
        if (count == 0) break;
        for (size_t i = 0; i < count; i++) checksum_visit(checksum, entries[i].key, entries[i].value);
        limit -= count;
    }
}
