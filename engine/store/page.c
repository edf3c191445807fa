/*
 * page.c - a bounded piece of a scan, copied out.
 *
 * A page is one block, filled from both ends while the cursor moves, so that neither the number of entries to come nor their
 * sizes need be known:
 *
 *     +---------------------------+---- - - ----+---------------------------------+
 *     | key value key value ...   |    free     | ... entry 2 | entry 1 | entry 0 |
 *     +---------------------------+---- - - ----+---------------------------------+
 *
 * The entries thus lie in memory against the order of reading, which is what a page before some position wants: it is read
 * backwards from there and listed forwards. The others are turned at the end.
 */
#include <sheaf/scan.h>

#include <stdalign.h>
#include <string.h>

#include "engine/base/bytes.h"
#include "engine/store/store.h"

enum {
    FIRST_BLOCK_SIZE_MIN = 256,
    FIRST_BLOCK_SIZE_MAX = 16384 /* a limit says little of what the range holds: go on from here by doubling */
};

struct draft {
    sheaf_allocator allocator;
    uint8_t *block;
    size_t block_size;
    size_t bytes_size; /* keys and values, at the start of the block */
    size_t count;      /* of entries, at its end */
};

static sheaf_entry *draft_entries(const struct draft *draft)
{
    return (sheaf_entry *)(void *)(draft->block + draft->block_size) - draft->count;
}

/* ---- filling ---------------------------------------------------------------------------------------------------------- */

/* A block that would just hold the page if all entries of the collection were alike, within bounds. */
static size_t first_block_size(const struct sheaf_tree *tree, uint64_t limit)
{
    uint64_t expected_count = limit < tree->totals.count ? limit : tree->totals.count;
    uint64_t entry_size = tree->totals.bytes / tree->totals.count + sizeof(sheaf_entry);
    entry_size += entry_size / 8;
    if (expected_count >= FIRST_BLOCK_SIZE_MAX / entry_size) return FIRST_BLOCK_SIZE_MAX;
    size_t size = (size_t)(expected_count * entry_size);
    return size < FIRST_BLOCK_SIZE_MIN ? FIRST_BLOCK_SIZE_MIN : size;
}

/* Moves to a block of at least `block_size` bytes. False, with nothing changed, when there is no memory. */
static bool move_to_block(struct draft *draft, size_t block_size)
{
    block_size += -block_size % alignof(max_align_t); /* entries are laid down from its end */
    uint8_t *block = draft->allocator.resize(draft->allocator.context, NULL, 0, block_size);
    if (!block) return false;
    struct draft moved = *draft;
    moved.block = block;
    moved.block_size = block_size;
    if (draft->block) {
        const sheaf_entry *from = draft_entries(draft);
        sheaf_entry *to = draft_entries(&moved);
        memcpy(block, draft->block, draft->bytes_size);
        for (size_t i = 0; i < draft->count; i++) {
            to[i].key = sheaf_bytes_of(block + (from[i].key.data - draft->block), from[i].key.size);
            to[i].value = sheaf_bytes_of(block + (from[i].value.data - draft->block), from[i].value.size);
        }
        (void)draft->allocator.resize(draft->allocator.context, draft->block, draft->block_size, 0);
    }
    *draft = moved;
    return true;
}

static sheaf_bytes copy_bytes(struct draft *draft, sheaf_bytes bytes)
{
    uint8_t *copy = draft->block + draft->bytes_size;
    if (bytes.size > 0) memcpy(copy, bytes.data, bytes.size);
    draft->bytes_size += bytes.size;
    return sheaf_bytes_of(copy, bytes.size);
}

static bool add_entry(struct draft *draft, const sheaf_cursor *cursor, uint64_t limit)
{
    size_t used = draft->bytes_size + draft->count * sizeof(sheaf_entry);
    size_t needed = cursor->key.size + cursor->value.size + sizeof(sheaf_entry);
    if (!draft->block || draft->block_size - used < needed) {
        size_t wanted = draft->block ? 2 * draft->block_size : first_block_size(cursor->tree, limit);
        if (!move_to_block(draft, wanted < used + needed ? used + needed : wanted)) return false;
    }
    draft->count++;
    sheaf_entry *entry = draft_entries(draft);
    entry->key = copy_bytes(draft, cursor->key);
    entry->value = copy_bytes(draft, cursor->value);
    return true;
}

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

static bool step(sheaf_cursor *cursor, bool upward)
{
    return upward ? sheaf_cursor_next(cursor) : sheaf_cursor_previous(cursor);
}

/*
 * To the first entry to be read. `out_more_behind`: whether the range has one on the other side. From a position that shows on
 * the way: the nearest entry on the other side, the position's own included, is where the first step starts.
 */
static bool begin(sheaf_cursor *cursor, const sheaf_page_request *request, bool upward, bool *out_more_behind)
{
    if (request->anchor == SHEAF_ANCHOR_START) {
        *out_more_behind = false;
        return upward ? sheaf_cursor_first(cursor) : sheaf_cursor_last(cursor);
    }
    *out_more_behind = upward ? sheaf_cursor_seek_at_most(cursor, request->position)
                              : sheaf_cursor_seek(cursor, request->position);
    return step(cursor, upward);
}

static void reverse_entries(sheaf_entry *entries, size_t count)
{
    for (size_t low = 0; low < count / 2; low++) {
        sheaf_entry entry = entries[low];
        entries[low] = entries[count - 1 - low];
        entries[count - 1 - low] = entry;
    }
}

/* Hands the draft over. `turn`: the entries are wanted in the order in which they were read. */
static void fill_page(const struct draft *draft, bool turn, sheaf_page *out_page)
{
    *out_page = (sheaf_page){ .count = draft->count,
                              .bytes = draft->bytes_size,
                              .allocator = draft->allocator,
                              .block = draft->block,
                              .block_size = draft->block_size };
    if (draft->count == 0) return;
    sheaf_entry *entries = draft_entries(draft);
    if (turn) reverse_entries(entries, draft->count);
    out_page->entries = entries;
    out_page->first = entries[0].key;
    out_page->last = entries[draft->count - 1].key;
}

static sheaf_allocator page_allocator(const struct sheaf_store *store)
{
    return store->has_backend ? sheaf_backend_hooks(NULL) : store->grove.heap.hooks;
}

sheaf_status sheaf_page_read(const sheaf_store *store, sheaf_bytes partition_key, const sheaf_page_request *request,
                             sheaf_page *out_page, sheaf_detail *out_detail)
{
    uint8_t key_buffer[SHEAF_SORT_KEY_SIZE_HARD];
    sheaf_cursor cursor;
    sheaf_status status = sheaf_cursor_open_wide(&cursor, store, partition_key, &request->range, key_buffer, sizeof key_buffer,
                                                 out_detail);
    if (status != SHEAF_OK) return status;
    if (request->limit == 0) {
        sheaf_detail detail = { .field = SHEAF_FIELD_LIMIT, .message = "The limit of a page is at least 1 entry" };
        return sheaf_refuse(out_detail, SHEAF_INVALID_ARGUMENT, detail);
    }

    bool before = request->anchor == SHEAF_ANCHOR_BEFORE;
    bool upward = (request->direction == SHEAF_FORWARD) != before;
    bool more_behind;
    struct draft draft = { .allocator = page_allocator(store) };
    bool more_ahead = begin(&cursor, request, upward, &more_behind);
    while (more_ahead && draft.count < request->limit) {
        if (!add_entry(&draft, &cursor, request->limit)) goto no_memory;
        more_ahead = step(&cursor, upward);
    }
    fill_page(&draft, !before, out_page);
    out_page->more_before = before ? more_ahead : more_behind;
    out_page->more_after = before ? more_behind : more_ahead;
    out_page->limit_reached = draft.count == request->limit;
    return SHEAF_OK;
no_memory:
    if (draft.block) (void)draft.allocator.resize(draft.allocator.context, draft.block, draft.block_size, 0);
    return sheaf_report(out_detail, SHEAF_NO_MEMORY);
}

void sheaf_page_release(sheaf_page *page)
{
    if (!page) return;
    if (page->block) (void)page->allocator.resize(page->allocator.context, page->block, page->block_size, 0);
    *page = (sheaf_page){ 0 };
}
