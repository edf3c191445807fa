/*
 * check.c - whether bytes are a record: each in the one way it is written, and none left over.
 */
#include "engine/base/utf8.h"
#include "engine/item/encoding.h"

struct checking {
    sheaf_bytes rest;
};

static bool check_elements(struct checking *checking, sheaf_type type, uint32_t level);

/* A size in its shortest form. */
static bool check_size(struct checking *checking, size_t *out_size)
{
    if (checking->rest.size == 0) return false;
    uint8_t first = checking->rest.data[0];
    size_t needed = first == SIZE_LONG ? SIZE_ENCODED_MAX : first >= SIZE_SHORT ? 2 : 1;
    if (checking->rest.size < needed) return false;
    *out_size = sheaf_size_take(&checking->rest);
    return sheaf_size_encoded_size(*out_size) == needed;
}

static bool check_bytes(struct checking *checking, bool is_text, sheaf_bytes *out_bytes)
{
    size_t size;
    if (!check_size(checking, &size) || size > checking->rest.size) return false;
    *out_bytes = sheaf_take_bytes(&checking->rest, size);
    return !is_text || sheaf_utf8_is_valid(*out_bytes);
}

static bool check_number(struct checking *checking, sheaf_bytes *out_bytes)
{
    sheaf_number number;
    size_t size;
    if (sheaf_number_from_key(checking->rest, &number, &size) != SHEAF_OK) return false;
    *out_bytes = sheaf_take_bytes(&checking->rest, size);
    return true;
}

/* What a container holds fills the size it names. */
static bool check_container(struct checking *checking, sheaf_type type, uint32_t level)
{
    size_t size;
    if (!check_size(checking, &size) || size > checking->rest.size) return false;
    struct checking within = { sheaf_take_bytes(&checking->rest, size) };
    if (check_elements(&within, type, level + 1) && within.rest.size == 0) return true;
    checking->rest = within.rest; /* where it went wrong */
    return false;
}

static bool check_value(struct checking *checking, uint8_t kind, uint32_t level, sheaf_bytes *out_bytes)
{
    *out_bytes = sheaf_bytes_of(NULL, 0);
    if (kind >= KIND_COUNT || level > SHEAF_ITEM_DEPTH_MAX) return false;
    if (kind >= KIND_MAP) return check_container(checking, (sheaf_type)(kind - KIND_MAP + SHEAF_TYPE_MAP), level);
    if (kind == KIND_NUMBER) return check_number(checking, out_bytes);
    return kind > KIND_BINARY || check_bytes(checking, kind == KIND_STRING, out_bytes);
}

/* The kind, and the name with its size in the shortest form. */
static bool check_head(struct checking *checking, uint8_t *out_kind, sheaf_bytes *out_name)
{
    if (checking->rest.size == 0) return false;
    uint8_t head = sheaf_take_bytes(&checking->rest, 1).data[0];
    size_t size = head & NAME_SIZE_FOLLOWS;
    *out_kind = head >> 4;
    if (size == NAME_SIZE_FOLLOWS && (!check_size(checking, &size) || size < NAME_SIZE_FOLLOWS)) return false;
    if (size > checking->rest.size || size > SHEAF_ATTRIBUTE_NAME_SIZE_MAX) return false;
    *out_name = sheaf_take_bytes(&checking->rest, size);
    return sheaf_utf8_is_valid(*out_name);
}

static bool check_elements(struct checking *checking, sheaf_type type, uint32_t level)
{
    size_t count;
    sheaf_bytes last = { NULL, 0 };
    bool is_set = sheaf_type_is_set(type), is_sorted = is_set || type == SHEAF_TYPE_MAP;
    if (!check_size(checking, &count) || (is_set && count == 0)) return false;
    for (size_t i = 0; i < count; i++) { /* each takes a byte at least, so a huge count ends with the bytes */
        uint8_t kind = is_set ? (uint8_t)sheaf_type_of_member(type) : 0;
        sheaf_bytes name = { NULL, 0 }, bytes;
        if (!is_set && !check_head(checking, &kind, &name)) return false;
        if (type == SHEAF_TYPE_LIST && name.size > 0) return false;
        if (!check_value(checking, kind, level, &bytes)) return false;
        sheaf_bytes by = is_set ? bytes : name;
        if (is_sorted && i > 0 && sheaf_bytes_order(last, by) >= 0) return false;
        last = by;
    }
    return true;
}

sheaf_status sheaf_item_check(sheaf_bytes record, sheaf_detail *out_detail)
{
    struct checking checking = { record };
    bool sound = record.size > 0 && record.data[0] == ITEM_VERSION;
    if (sound) {
        checking.rest = sheaf_bytes_skip(record, ITEM_VERSION_SIZE);
        sound = check_elements(&checking, SHEAF_TYPE_MAP, 1) && checking.rest.size == 0;
    }
    if (sound) return SHEAF_OK;
    if (out_detail) {
        uint64_t offset = checking.rest.data ? (uint64_t)(checking.rest.data - record.data) : 0;
        *out_detail = (sheaf_detail){ SHEAF_FIELD_ITEM, offset, 0, sheaf_status_message(SHEAF_ITEM_MALFORMED) };
    }
    return SHEAF_ITEM_MALFORMED;
}
