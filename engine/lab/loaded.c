#include "engine/lab/loaded.h"

#include <stdlib.h>

#include "engine/base/bytes.h"
#include "engine/lab/capacity.h"

/* Of the attributes "pk" and "sk". */
#define KEY_NAME_SIZE 2

size_t loaded_row(sheaf_bytes value)
{
    return sheaf_load32(value.data);
}

/* ---- one record --------------------------------------------------------------------------------------------------------- */

static size_t key_item_size(const struct keys *keys, sheaf_layout_key which, sheaf_bytes key, const sheaf_bytes *values)
{
    switch (keys->keys[which].type) {
    case SHEAF_LAYOUT_NUMBER:
        return KEY_NAME_SIZE + capacity_value_size(VALUE_NUMBER, values[keys->keys[which].parts[0].field]);
    case SHEAF_LAYOUT_NONE:
        if (which == SHEAF_LAYOUT_SORT_KEY) return 0; /* there need be none */
        break;
    case SHEAF_LAYOUT_TEXT:
    case SHEAF_LAYOUT_BINARY: break;
    }
    return KEY_NAME_SIZE + key.size;
}

/* The value of an entry, and the size of the item it stands for, but for the keys. */
static size_t make_value(const struct plan *plan, const sheaf_bytes *values, uint32_t row, struct buffer *buffer)
{
    size_t item_size = 0;
    buffer_clear(buffer);
    buffer_append(buffer, sheaf_bytes_of(&row, sizeof row));
    for (size_t i = 0; i < plan->field_count; i++) {
        const struct plan_field *field = &plan->fields[i];
        if (!field->attribute) continue;
        buffer_append(buffer, values[i]);
        item_size += field->name.size + capacity_value_size(field->type, values[i]);
    }
    return item_size;
}

static void note_refusal(struct loaded *loaded, size_t row, const struct complaint *complaint)
{
    if (loaded->refused_count++ > 0) return;
    loaded->refused_row = row;
    loaded->refusal = *complaint;
}

static void note_replacement(struct loaded *loaded, size_t replaced, size_t replacing)
{
    if (loaded->replaced_count++ > 0) return;
    loaded->replaced_row = replaced;
    loaded->replacing_row = replacing;
}

/* Which row is there already; as long as none was, for the first alone is told. */
static bool find_row(const struct loaded *loaded, sheaf_bytes partition_key, sheaf_bytes sort_key, size_t *out_row)
{
    sheaf_bytes value;
    if (loaded->replaced_count > 0) return true;
    if (sheaf_store_get(loaded->store, partition_key, sort_key, &value, NULL) != SHEAF_OK) return false;
    *out_row = loaded_row(value);
    return true;
}

static void load_row(const struct plan *plan, const struct records *records, size_t row, struct buffer *value,
                     struct loaded *loaded)
{
    const sheaf_bytes *values = records->values + row * records->field_count;
    struct key_room rooms[2];
    sheaf_bytes partition_key, sort_key;
    struct complaint complaint;
    sheaf_detail detail;
    size_t before = 0;
    bool replaced = false;
    if (!keys_encode(&loaded->keys, SHEAF_LAYOUT_PARTITION_KEY, values, &rooms[0], &partition_key, &complaint) ||
        !keys_encode(&loaded->keys, SHEAF_LAYOUT_SORT_KEY, values, &rooms[1], &sort_key, &complaint)) {
        note_refusal(loaded, row, &complaint);
        return;
    }
    size_t item_size = make_value(plan, values, (uint32_t)row, value);
    bool there = find_row(loaded, partition_key, sort_key, &before);
    sheaf_status status = sheaf_store_put(loaded->store, partition_key, sort_key, buffer_view(value), &replaced, &detail);
    if (status == SHEAF_NO_MEMORY) end_without_memory();
    if (status != SHEAF_OK) {
        complain(&complaint, "%s", detail.message);
        note_refusal(loaded, row, &complaint);
        return;
    }
    item_size += key_item_size(&loaded->keys, SHEAF_LAYOUT_PARTITION_KEY, partition_key, values);
    item_size += key_item_size(&loaded->keys, SHEAF_LAYOUT_SORT_KEY, sort_key, values);
    loaded->item_bytes[row] = item_size < UINT32_MAX ? (uint32_t)item_size : UINT32_MAX;
    if (there && replaced) note_replacement(loaded, before, row);
}

/* ---- all of them -------------------------------------------------------------------------------------------------------- */

static void measure_collection(struct loaded *loaded, const sheaf_collection_info *info)
{
    sheaf_cursor cursor;
    loaded->partition_key_bytes += info->totals.count * info->partition_key_view.size;
    bool first = info->totals.count == loaded->hottest_count &&
                 sheaf_bytes_order(info->partition_key_view, loaded->hottest) < 0;
    if (info->totals.count > loaded->hottest_count || first) {
        loaded->hottest_count = info->totals.count;
        loaded->hottest = info->partition_key_view;
    }
    if (sheaf_cursor_open(&cursor, loaded->store, info->partition_key_view, NULL, NULL) != SHEAF_OK) return;
    while (sheaf_cursor_next(&cursor)) {
        loaded->sort_key_bytes += cursor.key.size;
        if (cursor.key.size > loaded->sort_key_size_max) loaded->sort_key_size_max = cursor.key.size;
    }
}

static void measure(struct loaded *loaded)
{
    sheaf_collection_info info = { .totals = { 0, 0 } };
    sheaf_bytes after;
    for (const sheaf_bytes *from = NULL; sheaf_collection_next(loaded->store, from, &info) == SHEAF_OK; from = &after) {
        measure_collection(loaded, &info);
        after = info.partition_key_view;
    }
    loaded->hottest = arena_copy(&loaded->arena, loaded->hottest);
    loaded->depth = sheaf_collection_depth(loaded->store, loaded->hottest);
    loaded->totals = sheaf_store_total(loaded->store);
}

void loaded_make(const struct plan *plan, const struct records *records, const struct keys *keys, struct loaded *out_loaded)
{
    struct loaded *loaded = out_loaded;
    struct buffer value = { 0 };
    *loaded = (struct loaded){ .keys = *keys };
    if (sheaf_store_create(NULL, &loaded->store, NULL) != SHEAF_OK) end_without_memory();
    loaded->item_bytes = allocate_zeroed(records->count, sizeof *loaded->item_bytes);
    for (size_t row = 0; row < records->count; row++) load_row(plan, records, row, &value, loaded);
    buffer_release(&value);
    measure(loaded);
}

void loaded_release(struct loaded *loaded)
{
    keys_release(&loaded->keys);
    sheaf_store_destroy(loaded->store);
    free(loaded->item_bytes);
    arena_release(&loaded->arena);
    *loaded = (struct loaded){ .store = NULL };
}
