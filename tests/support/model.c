#include "tests/support/model.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/expect.h"

void model_init(struct model *model)
{
    *model = (struct model){ 0 };
}

void model_clear(struct model *model)
{
    for (size_t i = 0; i < model->count; i++) free(model->entries[i].block);
    model->count = 0;
    model->bytes = 0;
}

void model_deinit(struct model *model)
{
    model_clear(model);
    free(model->entries);
    model_init(model);
}

int model_order(sheaf_bytes left, sheaf_bytes right)
{
    for (size_t i = 0; i < left.size && i < right.size; i++) {
        if (left.data[i] < right.data[i]) return -1;
        if (left.data[i] > right.data[i]) return 1;
    }
    if (left.size < right.size) return -1;
    return left.size > right.size ? 1 : 0;
}

bool model_same(sheaf_bytes left, sheaf_bytes right)
{
    return model_order(left, right) == 0;
}

bool model_starts_with(sheaf_bytes bytes, sheaf_bytes prefix)
{
    if (bytes.size < prefix.size) return false;
    for (size_t i = 0; i < prefix.size; i++)
        if (bytes.data[i] != prefix.data[i]) return false;
    return true;
}

bool model_above(const sheaf_cut *lower, sheaf_bytes key)
{
    switch (lower->side) {
    case SHEAF_SIDE_UNBOUNDED: return true;
    case SHEAF_SIDE_BEFORE: return model_order(key, lower->bytes) >= 0;
    case SHEAF_SIDE_AFTER: return model_order(key, lower->bytes) > 0;
    case SHEAF_SIDE_AFTER_PREFIX: return model_order(key, lower->bytes) > 0 && !model_starts_with(key, lower->bytes);
    }
    EXPECT(false, "side %d", (int)lower->side);
    return false;
}

bool model_below(const sheaf_cut *upper, sheaf_bytes key)
{
    switch (upper->side) {
    case SHEAF_SIDE_UNBOUNDED: return true;
    case SHEAF_SIDE_BEFORE: return model_order(key, upper->bytes) < 0;
    case SHEAF_SIDE_AFTER: return model_order(key, upper->bytes) <= 0;
    case SHEAF_SIDE_AFTER_PREFIX: return model_order(key, upper->bytes) < 0 || model_starts_with(key, upper->bytes);
    }
    EXPECT(false, "side %d", (int)upper->side);
    return false;
}

bool model_range_holds(const sheaf_range *range, sheaf_bytes key)
{
    return model_above(&range->lower, key) && model_below(&range->upper, key);
}

size_t model_place(const struct model *model, sheaf_bytes key)
{
    size_t low = 0;
    size_t high = model->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (model_order(model->entries[middle].key, key) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

const struct model_entry *model_get(const struct model *model, sheaf_bytes key)
{
    size_t place = model_place(model, key);
    if (place == model->count || !model_same(model->entries[place].key, key)) return NULL;
    return &model->entries[place];
}

bool model_has(const struct model *model, sheaf_bytes key)
{
    return model_get(model, key) != NULL;
}

static struct model_entry copy_entry(sheaf_bytes key, sheaf_bytes value)
{
    uint8_t *block = malloc(key.size + value.size + 1);
    EXPECT(block, "memory for the model");
    if (key.size > 0) memcpy(block, key.data, key.size);
    if (value.size > 0) memcpy(block + key.size, value.data, value.size);
    return (struct model_entry){ .key = { block, key.size }, .value = { block + key.size, value.size }, .block = block };
}

struct model model_copy(const struct model *model)
{
    struct model copy = { .count = model->count, .capacity = model->count, .bytes = model->bytes };
    if (model->count == 0) return copy;
    copy.entries = malloc(model->count * sizeof *copy.entries);
    EXPECT(copy.entries, "memory for the model");
    for (size_t i = 0; i < model->count; i++) copy.entries[i] = copy_entry(model->entries[i].key, model->entries[i].value);
    return copy;
}

static void delete_slice(struct model *model, struct model_slice slice)
{
    if (slice.begin == slice.end) return;
    model->bytes -= model_totals(model, slice).bytes;
    for (size_t i = slice.begin; i < slice.end; i++) free(model->entries[i].block);
    memmove(model->entries + slice.begin, model->entries + slice.end, (model->count - slice.end) * sizeof *model->entries);
    model->count -= slice.end - slice.begin;
}

bool model_put(struct model *model, sheaf_bytes key, sheaf_bytes value)
{
    struct model_entry entry = copy_entry(key, value); /* first: the value may be the one replaced */
    bool replaced = model_delete(model, key);
    if (model->count == model->capacity) {
        model->capacity = model->capacity * 2 + 16;
        model->entries = realloc(model->entries, model->capacity * sizeof *model->entries);
        EXPECT(model->entries, "memory for the model");
    }
    size_t place = model_place(model, entry.key);
    memmove(model->entries + place + 1, model->entries + place, (model->count - place) * sizeof *model->entries);
    model->entries[place] = entry;
    model->count++;
    model->bytes += entry.key.size + entry.value.size;
    return replaced;
}

bool model_delete(struct model *model, sheaf_bytes key)
{
    size_t place = model_place(model, key);
    if (!model_has(model, key)) return false;
    delete_slice(model, (struct model_slice){ place, place + 1 });
    return true;
}

sheaf_totals model_delete_range(struct model *model, const sheaf_range *range)
{
    struct model_slice slice = model_slice_of(model, range);
    sheaf_totals totals = model_totals(model, slice);
    delete_slice(model, slice);
    return totals;
}

/* The keys not above a lower cut come first, those not below an upper cut last: one turning point each. */
struct model_slice model_slice_of(const struct model *model, const sheaf_range *range)
{
    struct model_slice slice = { 0, 0 };
    size_t high = model->count;
    while (slice.begin < high) {
        size_t middle = slice.begin + (high - slice.begin) / 2;
        if (model_above(&range->lower, model->entries[middle].key)) high = middle;
        else slice.begin = middle + 1;
    }
    high = model->count;
    slice.end = slice.begin;
    while (slice.end < high) {
        size_t middle = slice.end + (high - slice.end) / 2;
        if (model_below(&range->upper, model->entries[middle].key)) slice.end = middle + 1;
        else high = middle;
    }
    return slice;
}

struct model_slice model_slice_by_trying(const struct model *model, const sheaf_range *range)
{
    size_t begin = 0;
    while (begin < model->count && !model_range_holds(range, model->entries[begin].key)) begin++;
    if (begin == model->count) return (struct model_slice){ 0, 0 };
    size_t end = begin;
    while (end < model->count && model_range_holds(range, model->entries[end].key)) end++;
    for (size_t i = end; i < model->count; i++)
        EXPECT(!model_range_holds(range, model->entries[i].key), "a range has no holes");
    return (struct model_slice){ begin, end };
}

sheaf_totals model_totals(const struct model *model, struct model_slice slice)
{
    sheaf_totals totals = { .count = slice.end - slice.begin, .bytes = 0 };
    for (size_t i = slice.begin; i < slice.end; i++) totals.bytes += model->entries[i].key.size + model->entries[i].value.size;
    return totals;
}

uint64_t model_rank(const struct model *model, sheaf_bytes key, sheaf_direction direction)
{
    size_t below = model_place(model, key);
    if (direction == SHEAF_FORWARD) return below;
    return model->count - below - (model_has(model, key) ? 1 : 0);
}

/* The listing as numbers: entry i of `length` is `slice.begin + i`, in reverse `slice.end - 1 - i`. How many entries of the
 * listing come before `position`, and whether it is one itself. */
static size_t listed_before(const struct model *model, struct model_slice slice, const sheaf_page_request *request,
                            bool *out_listed)
{
    size_t before = 0;
    *out_listed = false;
    for (size_t i = slice.begin; i < slice.end; i++) {
        int order = model_order(model->entries[i].key, request->position);
        if (request->direction == SHEAF_REVERSE) order = -order;
        if (order < 0) before++;
        if (order == 0) *out_listed = true;
    }
    return before;
}

struct model_page model_page_of(const struct model *model, const sheaf_page_request *request)
{
    struct model_slice slice = model_slice_of(model, &request->range);
    size_t length = slice.end - slice.begin;
    bool listed = false;
    size_t before = listed_before(model, slice, request, &listed);
    size_t begin = 0;
    size_t end = length;
    if (request->anchor == SHEAF_ANCHOR_AFTER) begin = before + (listed ? 1 : 0);
    if (request->anchor == SHEAF_ANCHOR_BEFORE) end = before;
    bool whole = end - begin < request->limit;
    if (!whole && request->anchor == SHEAF_ANCHOR_BEFORE) begin = end - (size_t)request->limit;
    if (!whole && request->anchor != SHEAF_ANCHOR_BEFORE) end = begin + (size_t)request->limit;
    struct model_page page = { .first = request->direction == SHEAF_FORWARD ? slice.begin + begin : slice.end - 1 - begin,
                               .count = end - begin,
                               .more_before = begin > 0,
                               .more_after = end < length,
                               .limit_reached = end - begin == request->limit };
    for (size_t i = 0; i < page.count; i++) {
        const struct model_entry *entry = model_page_entry(model, &page, request->direction, i);
        page.bytes += entry->key.size + entry->value.size;
    }
    return page;
}

const struct model_entry *model_page_entry(const struct model *model, const struct model_page *page,
                                           sheaf_direction direction, size_t index)
{
    return &model->entries[direction == SHEAF_FORWARD ? page->first + index : page->first - index];
}

/* The child that `key`, which starts with `prefix`, belongs to: up to and with the first delimiter behind the prefix. */
static sheaf_bytes child_of(sheaf_bytes key, sheaf_bytes prefix, sheaf_bytes delimiter, bool *out_is_folder)
{
    for (size_t at = prefix.size; at + delimiter.size <= key.size; at++) {
        if (memcmp(key.data + at, delimiter.data, delimiter.size) != 0) continue;
        *out_is_folder = true;
        return sheaf_bytes_of(key.data, at + delimiter.size);
    }
    *out_is_folder = false;
    return key;
}

static bool follows(sheaf_bytes key, sheaf_bytes after, sheaf_bytes prefix, sheaf_bytes delimiter, sheaf_direction direction)
{
    if (direction == SHEAF_REVERSE) return model_order(key, after) < 0;
    bool after_is_folder = false;
    if (model_starts_with(after, prefix)) (void)child_of(after, prefix, delimiter, &after_is_folder);
    return model_order(key, after) > 0 && !(after_is_folder && model_starts_with(key, after));
}

static sheaf_totals child_totals(const struct model *model, const struct model_child *child)
{
    sheaf_totals totals = { 0, 0 };
    for (size_t i = 0; i < model->count; i++) {
        sheaf_bytes key = model->entries[i].key;
        if (!(child->is_folder ? model_starts_with(key, child->key) : model_same(key, child->key))) continue;
        totals.count++;
        totals.bytes += key.size + model->entries[i].value.size;
    }
    return totals;
}

bool model_next_child(const struct model *model, sheaf_bytes prefix, sheaf_bytes delimiter, sheaf_direction direction,
                      const sheaf_bytes *after, struct model_child *out_child)
{
    for (size_t i = 0; i < model->count; i++) {
        sheaf_bytes key = model->entries[direction == SHEAF_FORWARD ? i : model->count - 1 - i].key;
        if (!model_starts_with(key, prefix) || key.size == prefix.size) continue;
        if (after && !follows(key, *after, prefix, delimiter, direction)) continue;
        out_child->key = child_of(key, prefix, delimiter, &out_child->is_folder);
        out_child->totals = child_totals(model, out_child);
        return true;
    }
    return false;
}
