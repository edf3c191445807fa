/*
 * cursor_pair.h - a cursor of the engine and one of the model, moved together.
 *
 * The calls come as a table, so that the same moves try the tree's half of a cursor and the public whole. Between moves the
 * collection may be written at will; the pair compares where both stand, and what a cursor must still know about its place.
 */
#ifndef TESTS_SUPPORT_CURSOR_PAIR_H
#define TESTS_SUPPORT_CURSOR_PAIR_H

#include <stdbool.h>

#include <sheaf/scan.h>

#include "tests/support/model_cursor.h"
#include "tests/support/shape.h"

struct cursor_calls {
    bool (*first)(sheaf_cursor *cursor);
    bool (*last)(sheaf_cursor *cursor);
    bool (*seek)(sheaf_cursor *cursor, sheaf_bytes key);
    bool (*seek_at_most)(sheaf_cursor *cursor, sheaf_bytes key);
    bool (*seek_nth)(sheaf_cursor *cursor, uint64_t index, sheaf_direction direction);
    bool (*next)(sheaf_cursor *cursor);
    bool (*previous)(sheaf_cursor *cursor);
    size_t (*next_many)(sheaf_cursor *cursor, sheaf_entry *out_entries, size_t capacity);
    size_t (*previous_many)(sheaf_cursor *cursor, sheaf_entry *out_entries, size_t capacity);
    void (*rewind)(sheaf_cursor *cursor, sheaf_direction direction);
    sheaf_status (*refresh)(sheaf_cursor *cursor);
};

struct cursor_pair {
    const struct cursor_calls *calls;
    sheaf_cursor real; /* opened by whoever knows how, on expected.range */
    struct model_cursor expected;
    struct range_bytes bytes;
    uint8_t seek_bytes[SHEAF_SORT_KEY_SIZE_HARD + 1];
    uint8_t wide[SHEAF_SORT_KEY_SIZE_HARD];
};

/* One move of both, drawn at random, and a comparison. */
void cursor_pair_move(struct cursor_pair *pair, struct shape_source *source);

/* Where both stand, whatever was written since the last move. */
void cursor_pair_compare_place(const struct cursor_pair *pair);

/* Reads the whole range forward and then backward, from the ends, comparing each entry with the model. */
void cursor_scan_both_ways(sheaf_cursor *real, const struct cursor_calls *calls, const struct model *model,
                           const sheaf_range *range, size_t entry_max);

#endif
