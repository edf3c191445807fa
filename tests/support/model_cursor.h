/*
 * model_cursor.h - what a cursor must do, said as plainly as can be: a position in a range of a model.
 *
 * It is before the first entry, at a key (there or not any more), or behind the last; every step looks for its answer among all
 * entries of the range as they are now.
 */
#ifndef TESTS_SUPPORT_MODEL_CURSOR_H
#define TESTS_SUPPORT_MODEL_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/model.h"

enum model_place { MODEL_BEFORE, MODEL_AT, MODEL_BEHIND };

struct model_cursor {
    const struct model *model;
    sheaf_range range; /* bytes borrowed */
    enum model_place place;
    size_t key_size;
    uint8_t key[SHEAF_SORT_KEY_SIZE_HARD];
};

void model_cursor_open(struct model_cursor *cursor, const struct model *model, const sheaf_range *range);
sheaf_bytes model_cursor_key(const struct model_cursor *cursor); /* empty unless at a key */

/* Each returns whether the cursor stands on an entry now. */
bool model_cursor_first(struct model_cursor *cursor);
bool model_cursor_last(struct model_cursor *cursor);
bool model_cursor_seek(struct model_cursor *cursor, sheaf_bytes key);
bool model_cursor_seek_at_most(struct model_cursor *cursor, sheaf_bytes key);
bool model_cursor_seek_nth(struct model_cursor *cursor, uint64_t index, sheaf_direction direction);
bool model_cursor_next(struct model_cursor *cursor);
bool model_cursor_previous(struct model_cursor *cursor);

#endif
