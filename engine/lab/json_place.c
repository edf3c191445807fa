#include "engine/lab/json_place.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

/* ---- complaints ------------------------------------------------------------------------------------------------------- */

/* Enough for places; the complaint itself must find room, too. */
enum { PLACE_SIZE_MAX = 200 };

static void append_place(const struct json_place *place, char *text, size_t *size)
{
    if (!place->parent) return;
    append_place(place->parent, text, size);
    size_t room = PLACE_SIZE_MAX - *size;
    int added = place->name ? snprintf(text + *size, room, "%s%s", *size > 0 ? "." : "", place->name)
                            : snprintf(text + *size, room, "[%zu]", place->index);
    if (added > 0) *size += (size_t)added < room ? (size_t)added : room - 1;
}

bool json_complain(const struct json_place *place, const char *format, ...)
{
    char where[PLACE_SIZE_MAX] = "";
    char what[sizeof place->complaint->text];
    size_t size = 0;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    append_place(place, where, &size);
    return complain(place->complaint, "%s: %s", size > 0 ? where : "plan", what);
}

bool json_complain_of(const struct json_place *place, const char *what, const struct json_t *value)
{
    if (!value) return json_complain(place, "expected %s, found nothing", what);
    switch (json_typeof(value)) {
    case JSON_OBJECT: return json_complain(place, "expected %s, found an object", what);
    case JSON_ARRAY: return json_complain(place, "expected %s, found an array of %zu", what, json_array_size(value));
    case JSON_STRING: return json_complain(place, "expected %s, found %s", what, quote(json_bytes(value)).text);
    case JSON_INTEGER: return json_complain(place, "expected %s, found %" JSON_INTEGER_FORMAT, what, json_integer_value(value));
    case JSON_REAL: return json_complain(place, "expected %s, found %.17g", what, json_real_value(value));
    case JSON_TRUE: return json_complain(place, "expected %s, found true", what);
    case JSON_FALSE: return json_complain(place, "expected %s, found false", what);
    case JSON_NULL: return json_complain(place, "expected %s, found null", what);
    }
    return json_complain(place, "expected %s", what);
}

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

sheaf_bytes json_bytes(const struct json_t *string)
{
    return sheaf_bytes_of(json_string_value(string), json_string_length(string));
}

static bool is_known(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0) return true;
    return false;
}

static bool complain_of_name(const struct json_place *place, const char *name, const char *const *names)
{
    char list[256] = "";
    size_t size = 0;
    for (size_t i = 0; names[i] && size < sizeof list; i++) {
        const char *between = i == 0 ? "" : names[i + 1] ? ", " : " or ";
        size += (size_t)snprintf(list + size, sizeof list - size, "%s%s", between, names[i]);
    }
    return json_complain(place, "expected a member %s, found %s", list, quote(sheaf_bytes_of(name, strlen(name))).text);
}

bool json_expect_object(const struct json_place *place, const struct json_t *value, const char *const *names)
{
    const char *name;
    json_t *member;
    if (!json_is_object(value)) return json_complain_of(place, "an object", value);
    json_object_foreach((json_t *)value, name, member)
    {
        (void)member;
        if (!is_known(name, names)) return complain_of_name(place, name, names);
    }
    return true;
}

bool json_expect_array(const struct json_place *place, const struct json_t *value, size_t least, size_t most, const char *what)
{
    char expected[96];
    if (least == most) {
        (void)snprintf(expected, sizeof expected, "an array of %zu %s", least, what);
    } else {
        (void)snprintf(expected, sizeof expected, "an array of %zu to %zu %s", least, most, what);
    }
    if (!json_is_array(value) || json_array_size(value) < least || json_array_size(value) > most) {
        return json_complain_of(place, expected, value);
    }
    return true;
}

bool json_read_text(const struct json_place *place, const struct json_t *object, const char *name, bool required,
                    sheaf_bytes *out_text)
{
    const json_t *value = json_object_get(object, name);
    if (!value && !required) return true;
    struct json_place member = json_place_of_member(place, name);
    if (!json_is_string(value) || json_string_length(value) == 0) return json_complain_of(&member, "a text", value);
    *out_text = json_bytes(value);
    return true;
}

bool json_read_count(const struct json_place *place, const struct json_t *object, const char *name, uint64_t least,
                     uint64_t most, uint64_t *out_count)
{
    const json_t *value = json_object_get(object, name);
    if (!value) return true;
    bool whole = json_is_integer(value) && json_integer_value(value) >= 0;
    uint64_t count = whole ? (uint64_t)json_integer_value(value) : 0;
    if (!whole || count < least || count > most) {
        char what[96];
        struct json_place member = json_place_of_member(place, name);
        (void)snprintf(what, sizeof what, "a whole number from %" PRIu64 " to %" PRIu64, least, most);
        return json_complain_of(&member, what, value);
    }
    *out_count = count;
    return true;
}

bool json_read_flag(const struct json_place *place, const struct json_t *object, const char *name, bool *out_flag)
{
    const json_t *value = json_object_get(object, name);
    if (!value) return true;
    struct json_place member = json_place_of_member(place, name);
    if (!json_is_boolean(value)) return json_complain_of(&member, "true or false", value);
    *out_flag = json_is_true(value);
    return true;
}
