#include "engine/lab/value.h"

#include <string.h>

#include "engine/base/bytes.h"
#include "engine/lab/instant.h"

/* ---- types ------------------------------------------------------------------------------------------------------------ */

static const char *const TYPE_NAMES[] = {
    [VALUE_TEXT] = "text", [VALUE_PATH] = "path", [VALUE_NUMBER] = "number", [VALUE_TIME] = "time"
};

bool value_type_read(sheaf_bytes name, enum value_type *out_type)
{
    for (size_t i = 0; i < sizeof TYPE_NAMES / sizeof *TYPE_NAMES; i++) {
        if (!sheaf_bytes_equal(name, sheaf_bytes_of(TYPE_NAMES[i], strlen(TYPE_NAMES[i])))) continue;
        *out_type = (enum value_type)i;
        return true;
    }
    return false;
}

const char *value_type_names(void)
{
    return "text, path, number or time";
}

const char *value_type_name(enum value_type type)
{
    return TYPE_NAMES[type];
}

/* ---- numbers: [-] digits without leading zeros [. digits without trailing zeros] -------------------------------------- */

static size_t digits_end(sheaf_bytes text, size_t at)
{
    while (at < text.size && text.data[at] >= '0' && text.data[at] <= '9') at++;
    return at;
}

static bool append_number(sheaf_bytes text, struct buffer *buffer, struct complaint *complaint)
{
    bool negative = text.size > 0 && text.data[0] == '-';
    size_t whole = negative || (text.size > 0 && text.data[0] == '+') ? 1 : 0;
    size_t whole_end = digits_end(text, whole);
    bool has_point = whole_end < text.size && text.data[whole_end] == '.';
    size_t fraction = has_point ? whole_end + 1 : whole_end;
    size_t fraction_end = digits_end(text, fraction);
    if (whole == whole_end || (has_point && fraction == fraction_end) || fraction_end != text.size) {
        return complain(complaint, "expected a number such as 1500 or -2.5, found %s", quote(text).text);
    }
    while (whole + 1 < whole_end && text.data[whole] == '0') whole++;
    while (fraction_end > fraction && text.data[fraction_end - 1] == '0') fraction_end--;
    bool zero = text.data[whole] == '0' && fraction == fraction_end; /* of which there is one, without a sign */
    if (negative && !zero) buffer_append_byte(buffer, '-');
    buffer_append(buffer, sheaf_bytes_of(text.data + whole, whole_end - whole));
    if (fraction == fraction_end) return true;
    buffer_append_byte(buffer, '.');
    buffer_append(buffer, sheaf_bytes_of(text.data + fraction, fraction_end - fraction));
    return true;
}

/* Of numbers without their signs. More digits before the point are more; then the digits decide, from the left. */
static int order_magnitudes(sheaf_bytes left, sheaf_bytes right)
{
    size_t left_whole = digits_end(left, 0), right_whole = digits_end(right, 0);
    if (left_whole != right_whole) return left_whole < right_whole ? -1 : 1;
    return sheaf_bytes_order(left, right); /* the point is below all digits, and the end below the point */
}

static int order_numbers(sheaf_bytes left, sheaf_bytes right)
{
    bool left_negative = left.data[0] == '-', right_negative = right.data[0] == '-';
    if (left_negative != right_negative) return left_negative ? -1 : 1;
    if (left_negative) return order_magnitudes(sheaf_bytes_skip(right, 1), sheaf_bytes_skip(left, 1));
    return order_magnitudes(left, right);
}

/* ---- all types -------------------------------------------------------------------------------------------------------- */

static bool append_time(sheaf_bytes text, struct buffer *buffer, struct complaint *complaint)
{
    struct instant instant;
    if (!instant_read(text, &instant)) {
        return complain(complaint, "expected a time such as 2026-05-01T09:07:03Z or 2026-05-01, found %s", quote(text).text);
    }
    instant_append(&instant, buffer);
    return true;
}

bool value_append_canonical(enum value_type type, sheaf_bytes text, struct buffer *buffer, struct complaint *complaint)
{
    switch (type) {
    case VALUE_NUMBER: return append_number(text, buffer, complaint);
    case VALUE_TIME: return append_time(text, buffer, complaint);
    case VALUE_PATH:
        if (text.size == 0) return complain(complaint, "expected a path, found nothing");
        break;
    case VALUE_TEXT: break;
    }
    buffer_append(buffer, text);
    return true;
}

int value_order(enum value_type type, sheaf_bytes left, sheaf_bytes right)
{
    switch (type) {
    case VALUE_NUMBER: return order_numbers(left, right);
    case VALUE_TIME: return instant_text_order(left, right);
    case VALUE_TEXT:
    case VALUE_PATH: break;
    }
    return sheaf_bytes_order(left, right);
}
