/*
 * json_write.c - items as JSON text: as much as there is room for, and counted beyond that.
 */
#include <sheaf/item_json.h>

#include "engine/base/base64.h"
#include "engine/item/encoding.h"

struct writing {
    char *text;
    size_t capacity;
    size_t size; /* may pass the capacity: nothing is written there */
    sheaf_json_form form;
};

static void write_bytes(struct writing *writing, const void *bytes, size_t size)
{
    if (size > 0 && writing->size <= writing->capacity && size <= writing->capacity - writing->size)
        memcpy(writing->text + writing->size, bytes, size);
    writing->size += size;
}

static void write_text(struct writing *writing, const char *text)
{
    write_bytes(writing, text, strlen(text));
}

/* ---- scalars --------------------------------------------------------------------------------------------------------- */

/* The escape of a byte; its size, 0 if it needs none. */
static size_t escape_of(uint8_t byte, char *out_escape)
{
    static const char hex[] = "0123456789abcdef";
    static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *found = byte == 0 ? NULL : strchr(plain, byte);
    out_escape[0] = '\\';
    if (found) {
        out_escape[1] = letters[found - plain];
        return 2;
    }
    if (byte >= 0x20) return 0;
    memcpy(out_escape + 1, "u00", 3);
    out_escape[4] = hex[byte >> 4];
    out_escape[5] = hex[byte & 15];
    return 6;
}

static void write_string(struct writing *writing, sheaf_bytes text)
{
    size_t begun = 0;
    char escape[6];
    write_text(writing, "\"");
    for (size_t at = 0; at < text.size; at++) {
        size_t size = escape_of(text.data[at], escape);
        if (size == 0) continue;
        if (at > begun) write_bytes(writing, text.data + begun, at - begun);
        write_bytes(writing, escape, size);
        begun = at + 1;
    }
    if (text.size > begun) write_bytes(writing, text.data + begun, text.size - begun);
    write_text(writing, "\"");
}

static void write_base64(struct writing *writing, sheaf_bytes bytes)
{
    write_text(writing, "\"");
    for (size_t at = 0; at < bytes.size; at += 3) {
        uint8_t letters[4];
        sheaf_base64_encode(bytes.data + at, sheaf_size_min(bytes.size - at, 3), letters);
        write_bytes(writing, letters, sizeof letters);
    }
    write_text(writing, "\"");
}

static void write_number(struct writing *writing, sheaf_value value)
{
    char digits[SHEAF_NUMBER_TEXT_SIZE_MAX];
    size_t size = sheaf_number_print(sheaf_value_number(value), digits);
    const char *quote = writing->form == SHEAF_JSON_DYNAMODB ? "\"" : "";
    write_text(writing, quote);
    write_bytes(writing, digits, size);
    write_text(writing, quote);
}

/* ---- values ---------------------------------------------------------------------------------------------------------- */

static void write_value(struct writing *writing, sheaf_value value);
static void write_content(struct writing *writing, sheaf_value value);

static void write_members(struct writing *writing, sheaf_value map, bool first)
{
    sheaf_value_cursor cursor = sheaf_value_begin(map);
    sheaf_bytes name;
    for (sheaf_value value; sheaf_value_next(&cursor, &name, &value); first = false) {
        if (!first) write_text(writing, ",");
        write_string(writing, name);
        write_text(writing, ":");
        write_value(writing, value);
    }
}

static void write_elements(struct writing *writing, sheaf_value list)
{
    sheaf_value_cursor cursor = sheaf_value_begin(list);
    const char *between = "";
    write_text(writing, "[");
    for (sheaf_value value; sheaf_value_next(&cursor, NULL, &value); between = ",") {
        write_text(writing, between);
        if (sheaf_type_is_set(list.type))
            write_content(writing, value);
        else
            write_value(writing, value);
    }
    write_text(writing, "]");
}

/* A value without its type. */
static void write_content(struct writing *writing, sheaf_value value)
{
    switch (value.type) {
    case SHEAF_TYPE_STRING: write_string(writing, value.bytes); return;
    case SHEAF_TYPE_NUMBER: write_number(writing, value); return;
    case SHEAF_TYPE_BINARY: write_base64(writing, value.bytes); return;
    case SHEAF_TYPE_BOOL: write_text(writing, value.boolean ? "true" : "false"); return;
    case SHEAF_TYPE_NULL: write_text(writing, writing->form == SHEAF_JSON_DYNAMODB ? "true" : "null"); return;
    case SHEAF_TYPE_MAP:
        write_text(writing, "{");
        write_members(writing, value, true);
        write_text(writing, "}");
        return;
    case SHEAF_TYPE_LIST:
    case SHEAF_TYPE_STRING_SET:
    case SHEAF_TYPE_NUMBER_SET:
    case SHEAF_TYPE_BINARY_SET: break;
    }
    write_elements(writing, value);
}

/* As deep as values are nested, which is bounded. */
static void write_value(struct writing *writing, sheaf_value value)
{
    bool typed = writing->form == SHEAF_JSON_DYNAMODB;
    if (typed) {
        write_text(writing, "{\"");
        write_text(writing, sheaf_type_letters(value.type));
        write_text(writing, "\":");
    }
    write_content(writing, value);
    if (typed) write_text(writing, "}");
}

static sheaf_status finish(const struct writing *writing, size_t *out_size)
{
    *out_size = writing->size;
    return writing->size <= writing->capacity ? SHEAF_OK : SHEAF_BUFFER_TOO_SMALL;
}

sheaf_status sheaf_value_write_json(sheaf_value value, sheaf_json_form form, char *out_text, size_t capacity, size_t *out_size)
{
    struct writing writing = { .text = out_text, .capacity = capacity, .form = form };
    write_value(&writing, value);
    return finish(&writing, out_size);
}

sheaf_status sheaf_item_write_json(const sheaf_item *item, sheaf_json_form form, char *out_text, size_t capacity,
                                   size_t *out_size)
{
    struct writing writing = { .text = out_text, .capacity = capacity, .form = form };
    write_text(&writing, "{");
    for (size_t i = 0; i < item->key_count; i++) {
        if (i > 0) write_text(&writing, ",");
        write_string(&writing, item->keys[i].name);
        write_text(&writing, ":");
        write_value(&writing, item->keys[i].value);
    }
    write_members(&writing, sheaf_item_value(item->record), item->key_count == 0);
    write_text(&writing, "}");
    return finish(&writing, out_size);
}
