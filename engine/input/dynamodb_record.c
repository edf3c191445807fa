#include "engine/input/dynamodb_record.h"

#include <string.h>

#include <jansson.h>

#include "engine/input/base64.h"

/* ---- types -------------------------------------------------------------------------------------------------------------- */

enum shape {
    SHAPE_TEXT,
    SHAPE_BASE64,
    SHAPE_BOOLEAN,
    SHAPE_ARRAY,
    SHAPE_MAP
};

static const struct type {
    const char *name;
    enum shape shape;
} TYPES[] = {
    { "S", SHAPE_TEXT },  { "N", SHAPE_TEXT }, { "B", SHAPE_BASE64 }, { "BOOL", SHAPE_BOOLEAN }, { "NULL", SHAPE_BOOLEAN },
    { "L", SHAPE_ARRAY }, { "M", SHAPE_MAP },  { "SS", SHAPE_ARRAY }, { "NS", SHAPE_ARRAY },     { "BS", SHAPE_ARRAY },
};

static bool has_shape(const json_t *content, enum shape shape)
{
    switch (shape) {
    case SHAPE_TEXT:
    case SHAPE_BASE64: return json_is_string(content);
    case SHAPE_BOOLEAN: return json_is_boolean(content);
    case SHAPE_ARRAY: return json_is_array(content);
    case SHAPE_MAP: return json_is_object(content);
    }
    return false;
}

/* The type of {"S":"a"}, and what stands under it; NULL if it is no value of DynamoDB. What is deep in a map is not looked at. */
static const struct type *type_of(const json_t *value, const json_t **out_content)
{
    if (!json_is_object(value) || json_object_size(value) != 1) return NULL;
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++) {
        const json_t *content = json_object_get(value, TYPES[i].name);
        if (!content || !has_shape(content, TYPES[i].shape)) continue;
        *out_content = content;
        return &TYPES[i];
    }
    return NULL;
}

const char *dynamodb_type(const json_t *value)
{
    const json_t *content;
    const struct type *type = type_of(value, &content);
    return type ? type->name : "";
}

/* ---- items -------------------------------------------------------------------------------------------------------------- */

/* The name of the first attribute whose value has no type; NULL: all have. */
static const char *untyped_attribute(json_t *item)
{
    const json_t *content;
    for (void *at = json_object_iter(item); at; at = json_object_iter_next(item, at))
        if (!type_of(json_object_iter_value(at), &content)) return json_object_iter_key(at);
    return NULL;
}

static bool is_item(json_t *object)
{
    return json_is_object(object) && !untyped_attribute(object);
}

/* The only member of an object, if it has that name; else NULL. */
static json_t *only_member(const json_t *object, const char *name)
{
    return json_object_size(object) == 1 ? json_object_get(object, name) : NULL;
}

/* What stands under "Item". An item whose only attribute is called so is told from it by what the attribute holds. */
static json_t *wrapped_item(json_t *object)
{
    json_t *request = only_member(object, "PutRequest");
    json_t *item = only_member(request ? request : object, "Item");
    return item && is_item(item) ? item : NULL;
}

bool dynamodb_shows(json_t *object)
{
    json_t *item = wrapped_item(object);
    if (!item) item = is_item(object) ? object : NULL;
    return item && json_object_size(item) > 0;
}

json_t *dynamodb_item(json_t *object, struct complaint *complaint)
{
    json_t *item = wrapped_item(object);
    if (item) return item;
    if (is_item(object)) return object;
    if (json_object_get(object, "Keys") && json_object_get(object, "Metadata")) {
        complain(complaint, "expected an item, found a change (this is an incremental export; export the table in full)");
        return NULL;
    }
    json_t *wrapper = only_member(object, "Item");
    const char *untyped = untyped_attribute(json_is_object(wrapper) ? wrapper : object);
    complain(complaint, "expected an item of DynamoDB JSON, with values such as {\"S\":\"text\"}, found another value in %s",
             quote(sheaf_bytes_of(untyped, strlen(untyped))).text);
    return NULL;
}

/* ---- values ------------------------------------------------------------------------------------------------------------- */

const json_t *dynamodb_value(const json_t *item, sheaf_bytes path)
{
    const json_t *map = item;
    const json_t *whole = json_object_getn(item, (const char *)path.data, path.size);
    if (whole) return whole; /* dots are allowed in names */
    for (;;) {
        const uint8_t *dot = memchr(path.data, '.', path.size);
        size_t size = dot ? (size_t)(dot - path.data) : path.size;
        const json_t *value = json_object_getn(map, (const char *)path.data, size);
        if (!value || !dot) return value;
        map = json_object_get(value, "M"); /* NULL where it is no map, and so is what is looked for in that */
        path = sheaf_bytes_of(dot + 1, path.size - size - 1);
    }
}

static int append_chunk(const char *text, size_t size, void *buffer)
{
    buffer_append(buffer, sheaf_bytes_of(text, size));
    return 0;
}

static sheaf_bytes json_text_of(const json_t *content, struct spill *spill)
{
    struct buffer *buffer = spill_next(spill);
    if (json_dump_callback(content, append_chunk, buffer, JSON_COMPACT | JSON_ENCODE_ANY) != 0) end_without_memory();
    return buffer_view(buffer);
}

bool dynamodb_bytes(const json_t *value, sheaf_bytes path, struct spill *spill, sheaf_bytes *out_bytes,
                    struct complaint *complaint)
{
    const json_t *content = NULL;
    const struct type *type = type_of(value, &content);
    if (!type) { /* in a map, where the line's check does not reach */
        return complain(complaint, "expected a value such as {\"S\":\"text\"} in %s, found another", quote(path).text);
    }
    sheaf_bytes text = json_is_string(content) ? sheaf_bytes_of(json_string_value(content), json_string_length(content))
                                               : sheaf_bytes_of(NULL, 0);
    switch (type->shape) {
    case SHAPE_TEXT: *out_bytes = text; return true;
    case SHAPE_BOOLEAN:
        if (strcmp(type->name, "NULL") == 0) *out_bytes = SHEAF_LIT("null");
        else *out_bytes = json_is_true(content) ? SHEAF_LIT("true") : SHEAF_LIT("false");
        return true;
    case SHAPE_ARRAY:
    case SHAPE_MAP: *out_bytes = json_text_of(content, spill); return true;
    case SHAPE_BASE64: break;
    }
    struct buffer *buffer = spill_next(spill);
    if (!base64_append_decoded(buffer, text)) {
        return complain(complaint, "expected base64 in the B of %s, found %s", quote(path).text, quote(text).text);
    }
    *out_bytes = buffer_view(buffer);
    return true;
}
