#include "tests/support/model_cursor.h"

#include <string.h>

void model_cursor_open(struct model_cursor *cursor, const struct model *model, const sheaf_range *range)
{
    cursor->model = model;
    cursor->range = *range;
    cursor->place = MODEL_BEFORE;
    cursor->key_size = 0;
}

sheaf_bytes model_cursor_key(const struct model_cursor *cursor)
{
    return sheaf_bytes_of(cursor->key, cursor->place == MODEL_AT ? cursor->key_size : 0);
}

/* At the entry of this index if it lies in the range, otherwise `off_end`. */
static bool stand(struct model_cursor *cursor, size_t index, struct model_slice slice, enum model_place off_end)
{
    cursor->place = off_end;
    cursor->key_size = 0;
    if (index < slice.begin || index >= slice.end) return false;
    sheaf_bytes key = cursor->model->entries[index].key;
    cursor->place = MODEL_AT;
    cursor->key_size = key.size;
    if (key.size > 0) memcpy(cursor->key, key.data, key.size);
    return true;
}

static size_t larger(size_t left, size_t right)
{
    return left > right ? left : right;
}

static size_t smaller(size_t left, size_t right)
{
    return left < right ? left : right;
}

bool model_cursor_first(struct model_cursor *cursor)
{
    struct model_slice slice = model_slice_of(cursor->model, &cursor->range);
    return stand(cursor, slice.begin, slice, MODEL_BEHIND);
}

bool model_cursor_last(struct model_cursor *cursor)
{
    struct model_slice slice = model_slice_of(cursor->model, &cursor->range);
    return stand(cursor, slice.end - 1, slice, MODEL_BEFORE); /* end 0 wraps: outside */
}

bool model_cursor_seek(struct model_cursor *cursor, sheaf_bytes key)
{
    struct model_slice slice = model_slice_of(cursor->model, &cursor->range);
    return stand(cursor, larger(slice.begin, model_place(cursor->model, key)), slice, MODEL_BEHIND);
}

/* How many keys are at or below `key`. */
static size_t place_above(const struct model *model, sheaf_bytes key)
{
    return model_place(model, key) + (model_has(model, key) ? 1 : 0);
}

bool model_cursor_seek_at_most(struct model_cursor *cursor, sheaf_bytes key)
{
    struct model_slice slice = model_slice_of(cursor->model, &cursor->range);
    return stand(cursor, smaller(slice.end, place_above(cursor->model, key)) - 1, slice, MODEL_BEFORE);
}

bool model_cursor_seek_nth(struct model_cursor *cursor, uint64_t index, sheaf_direction direction)
{
    struct model_slice slice = model_slice_of(cursor->model, &cursor->range);
    enum model_place past = direction == SHEAF_FORWARD ? MODEL_BEHIND : MODEL_BEFORE;
    if (index >= slice.end - slice.begin) return stand(cursor, SIZE_MAX, slice, past);
    return stand(cursor, direction == SHEAF_FORWARD ? slice.begin + (size_t)index : slice.end - 1 - (size_t)index, slice, past);
}

bool model_cursor_next(struct model_cursor *cursor)
{
    if (cursor->place == MODEL_BEHIND) return false;
    if (cursor->place == MODEL_BEFORE) return model_cursor_first(cursor);
    struct model_slice slice = model_slice_of(cursor->model, &cursor->range);
    size_t above = place_above(cursor->model, model_cursor_key(cursor));
    return stand(cursor, larger(slice.begin, above), slice, MODEL_BEHIND);
}

bool model_cursor_previous(struct model_cursor *cursor)
{
    if (cursor->place == MODEL_BEFORE) return false;
    if (cursor->place == MODEL_BEHIND) return model_cursor_last(cursor);
    struct model_slice slice = model_slice_of(cursor->model, &cursor->range);
    size_t below = model_place(cursor->model, model_cursor_key(cursor));
    return stand(cursor, smaller(slice.end, below) - 1, slice, MODEL_BEFORE);
}
