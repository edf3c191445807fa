#include "tests/support/cursor_pair.h"

#include "tests/support/expect.h"

static void compare_entry(const sheaf_cursor *real, const struct model_entry *entry)
{
    EXPECT(model_same(real->key, entry->key), "key of %zu bytes at the cursor, not the one of %zu", real->key.size,
           entry->key.size);
    EXPECT(model_same(real->value, entry->value), "value of %zu bytes at the cursor, not the one of %zu", real->value.size,
           entry->value.size);
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
    bool expected = false;
    bool stands = move(pair, source, &expected);
    EXPECT(stands == expected, "the move returned %d", stands);
    cursor_pair_compare_place(pair);
    if (stands) compare_entry(&pair->real, model_get(pair->expected.model, model_cursor_key(&pair->expected)));
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
}
