#include "tests/support/cursor_pair.h"

#include "tests/support/expect.h"

static void compare_given(const sheaf_entry *given, const struct model_entry *entry)
{
    EXPECT(model_same(given->key, entry->key), "key of %zu bytes, not the one of %zu", given->key.size, entry->key.size);
    EXPECT(model_same(given->value, entry->value), "value of %zu bytes, not the one of %zu", given->value.size,
           entry->value.size);
}

static void compare_entry(const sheaf_cursor *real, const struct model_entry *entry)
{
    compare_given(&(sheaf_entry){ real->key, real->value }, entry);
}

void cursor_pair_compare_place(const struct cursor_pair *pair)
{
    bool at = pair->expected.place == MODEL_AT;
    EXPECT(sheaf_cursor_valid(&pair->real) == at, "valid should be %d", at);
    sheaf_bytes key = model_cursor_key(&pair->expected);
    EXPECT(model_same(pair->real.key, key), "position of %zu bytes, not the one of %zu", pair->real.key.size, key.size);
    if (!at) EXPECT(pair->real.value.size == 0, "a value of %zu bytes without an entry", pair->real.value.size);
}

static void refresh(struct cursor_pair *pair)
{
    const struct model_entry *entry = NULL;
    if (pair->expected.place == MODEL_AT) entry = model_get(pair->expected.model, model_cursor_key(&pair->expected));
    sheaf_status status = pair->calls->refresh(&pair->real);
    EXPECT(status == (entry ? SHEAF_OK : SHEAF_NOT_FOUND), "refresh gave %d", (int)status);
    if (entry) compare_entry(&pair->real, entry);
    else EXPECT(pair->real.value.size == 0, "a value of %zu bytes of no entry", pair->real.value.size);
}

enum { MANY_MAX = 80 };

/* Many steps of the engine's, and as many of the model's one by one; what was given is compared when all of it is there. */
static void move_many(struct cursor_pair *pair, struct shape_source *source)
{
    sheaf_entry entries[MANY_MAX];
    bool forward = random_below(source->random, 2);
    uint32_t capacity = random_below(source->random, random_below(source->random, 4) ? 8 : MANY_MAX + 1);
    size_t count = forward ? pair->calls->next_many(&pair->real, entries, capacity)
                           : pair->calls->previous_many(&pair->real, entries, capacity);
    EXPECT(count <= capacity, "%zu entries of at most %u", count, capacity);
    if (capacity > 0 && count == 0) {
        bool stands = forward ? model_cursor_next(&pair->expected) : model_cursor_previous(&pair->expected);
        EXPECT(!stands, "no entries, where there is one at least");
    }
    for (size_t i = 0; i < count; i++) {
        bool stands = forward ? model_cursor_next(&pair->expected) : model_cursor_previous(&pair->expected);
        EXPECT(stands, "entry %zu of %zu is one too many", i, count);
        compare_given(&entries[i], model_get(pair->expected.model, model_cursor_key(&pair->expected)));
    }
    if (count > 0) compare_entry(&pair->real, model_get(pair->expected.model, model_cursor_key(&pair->expected)));
    cursor_pair_compare_place(pair);
}

static void rewind_both(struct cursor_pair *pair, struct shape_source *source)
{
    bool forward = random_below(source->random, 2);
    pair->calls->rewind(&pair->real, forward ? SHEAF_FORWARD : SHEAF_REVERSE);
    pair->expected.place = forward ? MODEL_BEFORE : MODEL_BEHIND;
    cursor_pair_compare_place(pair);
}

/* Moves both; returns whether the engine's says it stands on an entry. */
static bool move(struct cursor_pair *pair, struct shape_source *source, bool *out_expected)
{
    const struct cursor_calls *calls = pair->calls;
    struct model_cursor *expected = &pair->expected;
    uint32_t choice = random_below(source->random, 32);
    if (choice < 11) {
        *out_expected = model_cursor_next(expected);
        return calls->next(&pair->real);
    }
    if (choice < 22) {
        *out_expected = model_cursor_previous(expected);
        return calls->previous(&pair->real);
    }
    if (choice < 23) {
        *out_expected = model_cursor_first(expected);
        return calls->first(&pair->real);
    }
    if (choice < 24) {
        *out_expected = model_cursor_last(expected);
        return calls->last(&pair->real);
    }
    if (choice < 27) {
        uint32_t index = random_below(source->random, (uint32_t)expected->model->count + 2);
        sheaf_direction direction = random_below(source->random, 2) ? SHEAF_REVERSE : SHEAF_FORWARD;
        *out_expected = model_cursor_seek_nth(expected, index, direction);
        return calls->seek_nth(&pair->real, index, direction);
    }
    sheaf_bytes key = draw_key_near(source, expected->model, pair->seek_bytes);
    if (choice < 30) {
        *out_expected = model_cursor_seek(expected, key);
        return calls->seek(&pair->real, key);
    }
    *out_expected = model_cursor_seek_at_most(expected, key);
    return calls->seek_at_most(&pair->real, key);
}

void cursor_pair_move(struct cursor_pair *pair, struct shape_source *source)
{
    if (random_once_in(source->random, 8)) {
        refresh(pair);
        cursor_pair_compare_place(pair);
        return;
    }
    if (random_once_in(source->random, 4)) {
        move_many(pair, source);
        return;
    }
    if (random_once_in(source->random, 24)) {
        rewind_both(pair, source);
        return;
    }
    bool expected = false;
    bool stands = move(pair, source, &expected);
    EXPECT(stands == expected, "the move returned %d", stands);
    cursor_pair_compare_place(pair);
    if (stands) compare_entry(&pair->real, model_get(pair->expected.model, model_cursor_key(&pair->expected)));
}

/* Reads the whole range in one direction, `capacity` entries at a time, and compares as above. */
static void scan_many(sheaf_cursor *real, const struct cursor_calls *calls, const struct model *model,
                      struct model_slice slice, size_t entry_max, bool forward, size_t capacity)
{
    sheaf_entry entries[MANY_MAX];
    size_t read = 0, count = 1;
    size_t wanted = slice.end - slice.begin < entry_max ? slice.end - slice.begin : entry_max;
    calls->rewind(real, forward ? SHEAF_FORWARD : SHEAF_REVERSE);
    while (read < entry_max && count > 0) {
        count = entry_max - read < capacity ? entry_max - read : capacity;
        count = forward ? calls->next_many(real, entries, count) : calls->previous_many(real, entries, count);
        EXPECT(read + count <= wanted, "%zu entries after %zu of %zu", count, read, wanted);
        for (size_t i = 0; i < count; i++, read++) {
            compare_given(&entries[i], &model->entries[forward ? slice.begin + read : slice.end - 1 - read]);
        }
    }
    EXPECT(read == wanted, "%zu entries of %zu read, many at a time", read, wanted);
}

void cursor_scan_both_ways(sheaf_cursor *real, const struct cursor_calls *calls, const struct model *model,
                           const sheaf_range *range, size_t entry_max)
{
    struct model_slice slice = model_slice_of(model, range);
    size_t count = slice.end - slice.begin;
    size_t read = 0;
    for (bool at = calls->first(real); at && read < entry_max; at = calls->next(real), read++) {
        EXPECT(read < count, "entry %zu of %zu, forward", read, count);
        compare_entry(real, &model->entries[slice.begin + read]);
    }
    EXPECT(read == (count < entry_max ? count : entry_max), "%zu entries of %zu read forward", read, count);
    read = 0;
    for (bool at = calls->last(real); at && read < entry_max; at = calls->previous(real), read++) {
        EXPECT(read < count, "entry %zu of %zu, in reverse", read, count);
        compare_entry(real, &model->entries[slice.end - 1 - read]);
    }
    EXPECT(read == (count < entry_max ? count : entry_max), "%zu entries of %zu read in reverse", read, count);
    scan_many(real, calls, model, slice, entry_max, true, MANY_MAX);
    scan_many(real, calls, model, slice, entry_max, false, MANY_MAX);
    scan_many(real, calls, model, slice, entry_max, true, 3);
}
