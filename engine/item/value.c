/*
 * value.c - values read where they lie: members by name, elements by place, comparison.
 */
#include "engine/item/encoding.h"

const char *sheaf_type_letters(sheaf_type type)
{
    static const char *const letters[] = { "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS" };
    return letters[type];
}

sheaf_value sheaf_item_value(sheaf_bytes record)
{
    sheaf_assert(record.size > ITEM_VERSION_SIZE && record.data[0] == ITEM_VERSION);
    return sheaf_value_of_bytes(SHEAF_TYPE_MAP, sheaf_bytes_skip(record, ITEM_VERSION_SIZE));
}

sheaf_number sheaf_value_number(sheaf_value value)
{
    sheaf_number number = { 0 };
    sheaf_assert(value.type == SHEAF_TYPE_NUMBER);
    (void)sheaf_number_from_key(value.bytes, &number, NULL);
    return number;
}

/* ---- members and elements --------------------------------------------------------------------------------------------- */

sheaf_value_cursor sheaf_value_begin(sheaf_value value)
{
    sheaf_value_cursor cursor = { .rest = value.bytes, .type = value.type };
    if (sheaf_type_is_container(value.type)) cursor.left = sheaf_size_take(&cursor.rest);
    return cursor;
}

size_t sheaf_value_count(sheaf_value value)
{
    return sheaf_value_begin(value).left;
}

bool sheaf_value_next(sheaf_value_cursor *cursor, sheaf_bytes *out_name, sheaf_value *out_value)
{
    sheaf_bytes name = { NULL, 0 };
    if (cursor->left == 0) return false;
    cursor->left--;
    if (sheaf_type_is_set(cursor->type)) {
        *out_value = sheaf_value_take(&cursor->rest, (uint8_t)sheaf_type_of_member(cursor->type));
    } else {
        uint8_t head = sheaf_take_bytes(&cursor->rest, 1).data[0];
        size_t size = head & NAME_SIZE_FOLLOWS;
        if (size == NAME_SIZE_FOLLOWS) size = sheaf_size_take(&cursor->rest);
        name = sheaf_take_bytes(&cursor->rest, size);
        *out_value = sheaf_value_take(&cursor->rest, head >> 4);
    }
    if (out_name) *out_name = name;
    return true;
}

bool sheaf_value_member(sheaf_value map, sheaf_bytes name, sheaf_value *out_value)
{
    if (map.type != SHEAF_TYPE_MAP) return false;
    sheaf_value_cursor cursor = sheaf_value_begin(map);
    sheaf_bytes found;
    sheaf_value value;
    while (sheaf_value_next(&cursor, &found, &value)) {
        if (sheaf_bytes_equal(found, name)) {
            *out_value = value;
            return true;
        }
        if (sheaf_bytes_order(found, name) > 0) return false; /* they are sorted */
    }
    return false;
}

bool sheaf_value_element(sheaf_value list, size_t index, sheaf_value *out_value)
{
    if (list.type != SHEAF_TYPE_LIST || index >= sheaf_value_count(list)) return false;
    sheaf_value_cursor cursor = sheaf_value_begin(list);
    sheaf_value value = list;
    for (size_t i = 0; i <= index; i++) (void)sheaf_value_next(&cursor, NULL, &value);
    *out_value = value;
    return true;
}

bool sheaf_value_set_has(sheaf_value set, sheaf_value value)
{
    if (!sheaf_type_is_set(set.type) || sheaf_type_of_member(set.type) != value.type) return false;
    sheaf_value_cursor cursor = sheaf_value_begin(set);
    sheaf_value member;
    while (sheaf_value_next(&cursor, NULL, &member))
        if (sheaf_bytes_equal(member.bytes, value.bytes)) return true;
    return false;
}

/* ---- compared --------------------------------------------------------------------------------------------------------- */

bool sheaf_value_equal(sheaf_value left, sheaf_value right)
{
    return left.type == right.type && left.boolean == right.boolean && sheaf_bytes_equal(left.bytes, right.bytes);
}

bool sheaf_value_compare(sheaf_value left, sheaf_value right, int *out_order)
{
    if (left.type != right.type || left.type > SHEAF_TYPE_BINARY) return false;
    *out_order = sheaf_bytes_order(left.bytes, right.bytes); /* keys of numbers sort by value */
    return true;
}

/* ---- counted ---------------------------------------------------------------------------------------------------------- */

enum { CONTAINER_BYTES = 3, ELEMENT_BYTES = 1 };

static size_t size_within(sheaf_value container)
{
    size_t size = 0, each = sheaf_type_is_set(container.type) ? 0 : ELEMENT_BYTES;
    sheaf_value_cursor cursor = sheaf_value_begin(container);
    sheaf_bytes name;
    sheaf_value value;
    while (sheaf_value_next(&cursor, &name, &value)) size += name.size + sheaf_value_size(value) + each;
    return size;
}

/* As deep as values are nested, which is bounded. */
size_t sheaf_value_size(sheaf_value value)
{
    switch (value.type) {
    case SHEAF_TYPE_STRING:
    case SHEAF_TYPE_BINARY: return value.bytes.size;
    case SHEAF_TYPE_NUMBER: return sheaf_number_size(sheaf_value_number(value));
    case SHEAF_TYPE_BOOL:
    case SHEAF_TYPE_NULL: return 1;
    case SHEAF_TYPE_MAP:
    case SHEAF_TYPE_LIST: return CONTAINER_BYTES + size_within(value);
    case SHEAF_TYPE_STRING_SET:
    case SHEAF_TYPE_NUMBER_SET:
    case SHEAF_TYPE_BINARY_SET: break;
    }
    return size_within(value);
}

/* ---- items ------------------------------------------------------------------------------------------------------------ */

bool sheaf_item_attribute(const sheaf_item *item, sheaf_bytes name, sheaf_value *out_value)
{
    for (size_t i = 0; i < item->key_count; i++) {
        if (!sheaf_bytes_equal(item->keys[i].name, name)) continue;
        *out_value = item->keys[i].value;
        return true;
    }
    return sheaf_value_member(sheaf_item_value(item->record), name, out_value);
}

size_t sheaf_item_size(const sheaf_item *item)
{
    size_t size = 0;
    for (size_t i = 0; i < item->key_count; i++) size += item->keys[i].name.size + sheaf_value_size(item->keys[i].value);
    sheaf_value_cursor cursor = sheaf_value_begin(sheaf_item_value(item->record));
    sheaf_bytes name;
    sheaf_value value;
    while (sheaf_value_next(&cursor, &name, &value)) size += name.size + sheaf_value_size(value);
    return size;
}
