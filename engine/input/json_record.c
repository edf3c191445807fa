#include "engine/input/json_record.h"

#include <string.h>

#include <jansson.h>

/* ---- numbers ------------------------------------------------------------------------------------------------------------ */

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_number_byte(uint8_t byte)
{
    return is_digit(byte) || byte == '-' || byte == '+' || byte == '.' || byte == 'e' || byte == 'E';
}

static size_t skip_digits(sheaf_bytes text, size_t at)
{
    while (at < text.size && is_digit(text.data[at])) at++;
    return at;
}

/* RFC 8259: -? (0 | [1-9][0-9]*) (.[0-9]+)? ([eE][-+]?[0-9]+)? and nothing more. */
static bool is_number(sheaf_bytes token)
{
    size_t whole = token.size > 0 && token.data[0] == '-' ? 1 : 0;
    size_t at = skip_digits(token, whole);
    if (at == whole || (token.data[whole] == '0' && at > whole + 1)) return false;
    if (at < token.size && token.data[at] == '.') {
        size_t fraction = at + 1;
        at = skip_digits(token, fraction);
        if (at == fraction) return false;
    }
    if (at < token.size && (token.data[at] == 'e' || token.data[at] == 'E')) {
        at++;
        if (at < token.size && (token.data[at] == '-' || token.data[at] == '+')) at++;
        size_t exponent = at;
        at = skip_digits(token, exponent);
        if (at == exponent) return false;
    }
    return at == token.size;
}

/* The end of the string that begins at `at`, behind its closing quote, or the end of the text. */
static size_t skip_string(sheaf_bytes text, size_t at)
{
    for (at++; at < text.size && text.data[at] != '"'; at++)
        if (text.data[at] == '\\') at++;
    return at < text.size ? at + 1 : text.size;
}

static size_t number_end(sheaf_bytes text, size_t at)
{
    while (at < text.size && is_number_byte(text.data[at])) at++;
    return at;
}

/* Between quotes a number could pass for a member's name, which it is not. */
static bool colon_follows(sheaf_bytes text, size_t at)
{
    while (at < text.size && memchr(" \t\r\n", text.data[at], 4)) at++;
    return at < text.size && text.data[at] == ':';
}

static bool check_number(sheaf_bytes text, sheaf_bytes token, size_t end, struct complaint *complaint)
{
    if (!is_number(token)) return complain(complaint, "expected a JSON number, found %s", quote(token).text);
    if (!colon_follows(text, end)) return true;
    return complain(complaint, "expected a member's name between quotes, found %s", quote(token).text);
}

bool json_quote_numbers(sheaf_bytes text, struct buffer *buffer, struct complaint *complaint)
{
    size_t copied = 0;
    size_t at = 0;
    while (at < text.size) {
        uint8_t byte = text.data[at];
        if (byte == '"') {
            at = skip_string(text, at);
        } else if (byte == '-' || is_digit(byte)) {
            size_t end = number_end(text, at);
            sheaf_bytes token = sheaf_bytes_of(text.data + at, end - at);
            if (!check_number(text, token, end, complaint)) return false;
            buffer_append(buffer, sheaf_bytes_of(text.data + copied, at - copied));
            buffer_append_byte(buffer, '"');
            buffer_append(buffer, token);
            buffer_append_byte(buffer, '"');
            copied = at = end;
        } else {
            at++;
        }
    }
    if (copied < text.size) buffer_append(buffer, sheaf_bytes_of(text.data + copied, text.size - copied));
    return true;
}

/* ---- objects ------------------------------------------------------------------------------------------------------------ */

static const char *kind_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "an array";
    case JSON_STRING: return "a string";
    case JSON_INTEGER:
    case JSON_REAL: return "a number";
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    case JSON_NULL: return "null";
    }
    return "something else";
}

struct json_t *json_record_parse(sheaf_bytes line, struct buffer *scratch, struct complaint *complaint)
{
    buffer_clear(scratch);
    if (line.size > 0 && memchr(line.data, '\0', line.size)) { /* behind a number or a name jansson passes over it */
        complain(complaint, "expected a JSON object, found a NUL byte");
        return NULL;
    }
    if (!json_quote_numbers(line, scratch, complaint)) return NULL;
    json_error_t error;
    (void)buffer_reserve(scratch, 1); /* an empty line has an address as well */
    json_t *object = json_loadb((const char *)scratch->data, scratch->size, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
    if (!object) {
        if (json_error_code(&error) == json_error_out_of_memory) end_without_memory();
        struct quoted reason = quote(sheaf_bytes_of(error.text, strlen(error.text)));
        complain(complaint, "expected a JSON object: %.*s", (int)strlen(reason.text) - 2, reason.text + 1);
        return NULL;
    }
    if (json_is_object(object)) return object;
    complain(complaint, "expected a JSON object, found %s", kind_of(object));
    json_decref(object);
    return NULL;
}

/* The member at a path: one of just that name, else step by step; NULL if a step is not there. */
static const json_t *member_at(const json_t *value, sheaf_bytes path)
{
    const json_t *whole = json_object_getn(value, (const char *)path.data, path.size);
    if (whole) return whole;
    while (value) {
        const uint8_t *dot = memchr(path.data, '.', path.size);
        size_t size = dot ? (size_t)(dot - path.data) : path.size;
        value = json_object_getn(value, (const char *)path.data, size); /* NULL also where it is no object */
        if (!dot) break;
        path = sheaf_bytes_of(dot + 1, path.size - size - 1);
    }
    return value;
}

bool json_record_member(const struct json_t *object, sheaf_bytes path, sheaf_bytes *out_bytes, struct complaint *complaint)
{
    const json_t *value = member_at(object, path);
    if (!value) return complain(complaint, "expected a member %s, found none", quote(path).text);
    if (json_is_string(value)) {
        *out_bytes = sheaf_bytes_of(json_string_value(value), json_string_length(value));
    } else if (json_is_boolean(value)) {
        *out_bytes = json_is_true(value) ? SHEAF_LIT("true") : SHEAF_LIT("false");
    } else {
        return complain(complaint, "expected a string, a number, true or false in member %s, found %s", quote(path).text,
                        kind_of(value));
    }
    return true;
}

void json_record_release(struct json_t *object)
{
    json_decref(object);
}
