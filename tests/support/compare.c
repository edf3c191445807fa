#include "tests/support/compare.h"

#include <inttypes.h>
#include <string.h>

#include "tests/support/expect.h"

const struct cursor_calls public_cursor_calls = {
    .first = sheaf_cursor_first,
    .last = sheaf_cursor_last,
    .seek = sheaf_cursor_seek,
    .seek_at_most = sheaf_cursor_seek_at_most,
    .seek_nth = sheaf_cursor_seek_nth,
    .next = sheaf_cursor_next,
    .previous = sheaf_cursor_previous,
    .next_many = sheaf_cursor_next_many,
    .previous_many = sheaf_cursor_previous_many,
    .rewind = sheaf_cursor_rewind,
    .refresh = sheaf_cursor_refresh,
};

void open_public_cursor(const struct subject *subject, sheaf_cursor *cursor, const sheaf_range *range, uint8_t *wide,
                        size_t key_size_max)
{
    sheaf_status status =
        key_size_max <= SHEAF_SORT_KEY_SIZE_MAX
            ? sheaf_cursor_open(cursor, subject->store, subject->partition_key, range, NULL)
            : sheaf_cursor_open_wide(cursor, subject->store, subject->partition_key, range, wide, key_size_max, NULL);
    EXPECT(status == SHEAF_OK, "opening a cursor gave %d", (int)status);
    EXPECT(!sheaf_cursor_valid(cursor), "a cursor just opened stands before the first entry");
}

void compare_get(const struct subject *subject, sheaf_bytes key)
{
    const struct model_entry *entry = model_get(subject->model, key);
    sheaf_status expected = entry ? SHEAF_OK : SHEAF_NOT_FOUND;
    sheaf_bytes value = SHEAF_LIT("untouched");
    sheaf_status status = sheaf_store_get(subject->store, subject->partition_key, key, &value, NULL);
    EXPECT(status == expected, "get gave %d", (int)status);
    EXPECT(model_same(value, entry ? entry->value : SHEAF_LIT("untouched")), "value of %zu bytes", value.size);
    status = sheaf_store_exists(subject->store, subject->partition_key, key, NULL);
    EXPECT(status == expected, "exists gave %d", (int)status);
}

void compare_rank(const struct subject *subject, sheaf_bytes key, sheaf_direction direction)
{
    uint64_t rank = UINT64_MAX;
    bool exists = !model_has(subject->model, key);
    sheaf_status status = sheaf_rank(subject->store, subject->partition_key, key, direction, &rank, &exists, NULL);
    uint64_t expected = model_rank(subject->model, key, direction);
    EXPECT(status == SHEAF_OK, "rank gave %d", (int)status);
    EXPECT(rank == expected, "rank %" PRIu64 ", not %" PRIu64, rank, expected);
    EXPECT(exists == model_has(subject->model, key), "rank says the key exists: %d", exists);
}

void compare_total(const struct subject *subject, const sheaf_range *range)
{
    sheaf_totals expected = model_totals(subject->model, model_slice_of(subject->model, range));
    sheaf_totals totals = { UINT64_MAX, UINT64_MAX };
    sheaf_status status = sheaf_range_total(subject->store, subject->partition_key, range, &totals, NULL);
    EXPECT(status == SHEAF_OK, "total gave %d", (int)status);
    EXPECT(totals.count == expected.count, "%" PRIu64 " entries, not %" PRIu64, totals.count, expected.count);
    EXPECT(totals.bytes == expected.bytes, "%" PRIu64 " bytes, not %" PRIu64, totals.bytes, expected.bytes);
}

/* ---- pages ------------------------------------------------------------------------------------------------------------ */

static void compare_page_entries(const struct subject *subject, const sheaf_page_request *request, const sheaf_page *page,
                                 const struct model_page *expected)
{
    for (size_t i = 0; i < expected->count; i++) {
        const struct model_entry *entry = model_page_entry(subject->model, expected, request->direction, i);
        EXPECT(model_same(page->entries[i].key, entry->key), "key %zu of a page of %zu", i, page->count);
        EXPECT(model_same(page->entries[i].value, entry->value), "value %zu of a page of %zu", i, page->count);
    }
    sheaf_bytes none = sheaf_bytes_of(NULL, 0);
    EXPECT(model_same(page->first, expected->count ? page->entries[0].key : none), "first of a page of %zu", page->count);
    EXPECT(model_same(page->last, expected->count ? page->entries[page->count - 1].key : none), "last of a page of %zu",
           page->count);
}

void compare_page(const struct subject *subject, const sheaf_page_request *request, sheaf_page *out_page)
{
    struct model_page expected = model_page_of(subject->model, request);
    sheaf_page page;
    memset(&page, 0x5A, sizeof page);
    sheaf_status status = sheaf_page_read(subject->store, subject->partition_key, request, &page, NULL);
    EXPECT(status == SHEAF_OK, "page gave %d", (int)status);
    EXPECT(page.count == expected.count, "%zu entries in the page, not %zu", page.count, expected.count);
    EXPECT(page.bytes == expected.bytes, "%" PRIu64 " bytes in the page, not %" PRIu64, page.bytes, expected.bytes);
    EXPECT(page.more_before == expected.more_before, "more before is %d", page.more_before);
    EXPECT(page.more_after == expected.more_after, "more after is %d", page.more_after);
    EXPECT(page.limit_reached == expected.limit_reached, "limit reached is %d", page.limit_reached);
    compare_page_entries(subject, request, &page, &expected);
    if (out_page) *out_page = page;
    else sheaf_page_release(&page);
}

/* Positions of pages read on the way there, for the way back. */
void compare_walk(const struct subject *subject, const sheaf_range *range, sheaf_direction direction, uint64_t limit)
{
    uint8_t position[SHEAF_SORT_KEY_SIZE_HARD];
    size_t entries_read = 0;
    sheaf_page_request request = { .range = *range, .direction = direction, .limit = limit };
    for (bool more = true; more;) {
        sheaf_page page;
        compare_page(subject, &request, &page);
        entries_read += page.count;
        more = page.more_after;
        EXPECT(!more || page.count == limit, "a page of %zu is cut short, yet more follows", page.count);
        if (page.last.size > 0) memcpy(position, page.last.data, page.last.size);
        request.anchor = SHEAF_ANCHOR_AFTER;
        request.position = sheaf_bytes_of(position, page.last.size);
        sheaf_page_release(&page);
    }
    struct model_slice slice = model_slice_of(subject->model, range);
    EXPECT(entries_read == slice.end - slice.begin, "%zu entries in all pages", entries_read);
    if (entries_read == 0) return;
    entries_read = 1; /* `position` is the last entry */
    request.anchor = SHEAF_ANCHOR_BEFORE;
    for (bool more = entries_read < slice.end - slice.begin; more;) {
        sheaf_page page;
        compare_page(subject, &request, &page);
        entries_read += page.count;
        more = page.more_before;
        if (page.first.size > 0) memcpy(position, page.first.data, page.first.size);
        request.position = sheaf_bytes_of(position, page.first.size);
        sheaf_page_release(&page);
    }
    EXPECT(entries_read == slice.end - slice.begin, "%zu entries in all pages backward", entries_read);
}

/* ---- children --------------------------------------------------------------------------------------------------------- */

static void compare_child(const sheaf_child *child, const struct model_child *expected)
{
    EXPECT(model_same(child->key, expected->key), "child key of %zu bytes, not the one of %zu", child->key.size,
           expected->key.size);
    EXPECT(child->is_folder == expected->is_folder, "is_folder is %d", child->is_folder);
    EXPECT(child->totals.count == expected->totals.count, "%" PRIu64 " entries in the child, not %" PRIu64, child->totals.count,
           expected->totals.count);
    EXPECT(child->totals.bytes == expected->totals.bytes, "%" PRIu64 " bytes in the child, not %" PRIu64, child->totals.bytes,
           expected->totals.bytes);
}

void compare_children(const struct subject *subject, sheaf_bytes prefix, sheaf_bytes delimiter, sheaf_direction direction)
{
    sheaf_children children, resumed;
    sheaf_status status =
        sheaf_children_open(&children, subject->store, subject->partition_key, prefix, delimiter, direction, NULL);
    EXPECT(status == SHEAF_OK, "opening children gave %d", (int)status);
    struct model_child expected = { 0 };
    sheaf_bytes after = { NULL, 0 };
    while (model_next_child(subject->model, prefix, delimiter, direction, after.data ? &after : NULL, &expected)) {
        sheaf_child child;
        EXPECT(sheaf_children_next(&children, &child), "a child of %zu bytes is missing", expected.key.size);
        compare_child(&child, &expected);
        EXPECT(sheaf_children_open(&resumed, subject->store, subject->partition_key, prefix, delimiter, direction, NULL) ==
                   SHEAF_OK, "opening children again");
        if (after.data) sheaf_children_resume(&resumed, after);
        EXPECT(sheaf_children_next(&resumed, &child), "a child of %zu bytes is missing, resumed", expected.key.size);
        compare_child(&child, &expected);
        after = expected.key;
    }
    sheaf_child none = { .key = SHEAF_LIT("untouched") };
    EXPECT(!sheaf_children_next(&children, &none), "a child of %zu bytes too many", none.key.size);
    EXPECT(!sheaf_children_next(&children, &none), "a child after the end");
}
