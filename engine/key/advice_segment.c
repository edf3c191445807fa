#include "engine/key/advice_segment.h"

#include <string.h>

#include <sheaf/number.h>

#include "engine/base/bytes.h"

/* ---- examples --------------------------------------------------------------------------------------------------------- */

void sheaf_advice_example_set(struct advice_example *example, sheaf_bytes key, size_t begin, size_t size)
{
    size_t kept = sheaf_size_min(key.size, sizeof example->bytes);
    if (kept > 0) memcpy(example->bytes, key.data, kept);
    example->size = (uint16_t)kept;
    example->begin = (uint16_t)sheaf_size_min(begin, kept);
    example->end = (uint16_t)sheaf_size_min(begin + size, kept);
}

static void count_extreme(struct advice_extremes *extremes, sheaf_bytes key, size_t begin, size_t size)
{
    sheaf_bytes segment = sheaf_bytes_of(key.data + begin, size);
    bool first = extremes->count++ == 0;
    if (first || sheaf_bytes_order(segment, sheaf_advice_example_segment(&extremes->least)) < 0)
        sheaf_advice_example_set(&extremes->least, key, begin, size);
    if (first || sheaf_bytes_order(segment, sheaf_advice_example_segment(&extremes->greatest)) > 0)
        sheaf_advice_example_set(&extremes->greatest, key, begin, size);
}

/* ---- looks ------------------------------------------------------------------------------------------------------------ */

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

static size_t digits_at(sheaf_bytes bytes, size_t at)
{
    size_t end = at;
    while (end < bytes.size && is_digit(bytes.data[end])) end++;
    return end - at;
}

static bool is_exponent(sheaf_bytes bytes, size_t at)
{
    if (at >= bytes.size || (bytes.data[at] != 'e' && bytes.data[at] != 'E')) return false;
    at++;
    if (at < bytes.size && (bytes.data[at] == '+' || bytes.data[at] == '-')) at++;
    size_t digits = digits_at(bytes, at);
    return digits > 0 && digits <= 3 && at + digits == bytes.size;
}

/* Digits, with a sign, a point and an exponent as they come. */
static enum advice_look look_of_number(sheaf_bytes segment)
{
    bool has_sign = segment.data[0] == '+' || segment.data[0] == '-', has_point = false;
    size_t at = has_sign, whole = digits_at(segment, at);
    if (whole == 0 || whole > ADVICE_WIDTHS) return LOOK_TEXT;
    at += whole;
    if (at < segment.size && segment.data[at] == '.') {
        size_t fraction = digits_at(segment, at + 1);
        if (fraction == 0 || fraction > ADVICE_WIDTHS) return LOOK_TEXT;
        has_point = true;
        at += 1 + fraction;
    }
    /* 12e7 without a point may be anything: a piece of hexadecimal digits, a name. */
    if (has_point && is_exponent(segment, at)) return LOOK_FORM;
    if (at != segment.size) return LOOK_TEXT;
    return has_sign ? LOOK_FORM : has_point ? LOOK_DECIMAL : LOOK_DIGITS;
}

enum { HEX_SIZE_LEAST = 8 };

static enum advice_look look_of_hex(sheaf_bytes segment)
{
    size_t lower = 0, upper = 0, digits = 0;
    for (size_t i = 0; i < segment.size; i++) {
        uint8_t byte = segment.data[i];
        if (is_digit(byte)) digits++;
        else if (byte >= 'a' && byte <= 'f') lower++;
        else if (byte >= 'A' && byte <= 'F') upper++;
        else if (byte != '-') return LOOK_TEXT;
    }
    if (segment.size < HEX_SIZE_LEAST || digits == 0 || (lower > 0) == (upper > 0)) return LOOK_TEXT;
    return lower > 0 ? LOOK_HEX_LOWER : LOOK_HEX_UPPER;
}

enum advice_look sheaf_advice_look(sheaf_bytes segment, struct advice_time *out_time)
{
    if (segment.size == 0) return LOOK_TEXT;
    if (sheaf_advice_read_time(segment, out_time)) return LOOK_TIME;
    enum advice_look look = look_of_number(segment);
    return look != LOOK_TEXT ? look : look_of_hex(segment);
}

/* ---- counted ---------------------------------------------------------------------------------------------------------- */

/* Of digits, as numbers. */
static int compare_digits(sheaf_bytes left, sheaf_bytes right)
{
    while (left.size > 0 && left.data[0] == '0') left = sheaf_bytes_skip(left, 1);
    while (right.size > 0 && right.data[0] == '0') right = sheaf_bytes_skip(right, 1);
    if (left.size != right.size) return left.size > right.size ? 1 : -1;
    return sheaf_bytes_order(left, right);
}

/* Keeps the number that comes and one of another width, if they are in the wrong order. */
static void compare_widths(struct advice_segment *segment, const struct advice_example *other, sheaf_bytes key, size_t begin,
                           size_t size)
{
    sheaf_bytes coming = sheaf_bytes_of(key.data + begin, size), there = sheaf_advice_example_segment(other);
    int by_bytes = sheaf_bytes_order(coming, there), by_value = compare_digits(coming, there);
    if (by_value == 0 || (by_bytes < 0) == (by_value < 0)) return;
    segment->has_wrong_widths = true;
    sheaf_advice_example_set(&segment->wrong_widths[by_bytes > 0], key, begin, size);
    segment->wrong_widths[by_bytes < 0] = *other;
}

static void find_wrong_widths(struct advice_segment *segment, sheaf_bytes key, size_t begin, size_t size)
{
    for (size_t i = 0; i < ADVICE_WIDTHS && !segment->has_wrong_widths; i++) {
        if (i + 1 == size || segment->widths[i].count == 0) continue;
        compare_widths(segment, &segment->widths[i].least, key, begin, size);
        if (!segment->has_wrong_widths) compare_widths(segment, &segment->widths[i].greatest, key, begin, size);
    }
}

/* Keeps a number that comes and one that was there, if they are in the wrong order and one has a sign, a point or an exponent. */
static void compare_forms(struct advice_segment *segment, const struct advice_extremes *others, sheaf_bytes key, size_t begin,
                          size_t size)
{
    sheaf_bytes coming = sheaf_bytes_of(key.data + begin, size);
    sheaf_number left, right;
    if (others->count == 0 || segment->has_wrong_forms || sheaf_number_parse(coming, &left, NULL) != SHEAF_OK) return;
    const struct advice_example *examples[] = { &others->least, &others->greatest };
    for (size_t i = 0; i < 2 && !segment->has_wrong_forms; i++) {
        sheaf_bytes there = sheaf_advice_example_segment(examples[i]);
        if (sheaf_number_parse(there, &right, NULL) != SHEAF_OK) continue;
        int by_bytes = sheaf_bytes_order(coming, there), by_value = sheaf_number_compare(left, right);
        if (by_bytes == 0 || by_value == 0 || (by_bytes < 0) == (by_value < 0)) continue;
        segment->has_wrong_forms = true;
        sheaf_advice_example_set(&segment->wrong_forms[by_bytes > 0], key, begin, size);
        segment->wrong_forms[by_bytes < 0] = *examples[i];
    }
}

static void find_wrong_forms(struct advice_segment *segment, sheaf_bytes key, size_t begin, size_t size)
{
    compare_forms(segment, &segment->forms, key, begin, size);
    compare_forms(segment, &segment->decimals, key, begin, size);
    for (size_t i = 0; i < ADVICE_WIDTHS; i++) compare_forms(segment, &segment->widths[i], key, begin, size);
}

static void count_digits(struct advice_segment *segment, sheaf_bytes key, size_t begin, size_t size)
{
    find_wrong_widths(segment, key, begin, size);
    compare_forms(segment, &segment->forms, key, begin, size);
    compare_forms(segment, &segment->decimals, key, begin, size);
    segment->digits_count++;
    segment->zero_led_count += size > 1 && key.data[begin] == '0';
    segment->high_count += key.data[begin] == '9';
    count_extreme(&segment->widths[size - 1], key, begin, size);
}

static void count_decimal(struct advice_segment *segment, sheaf_bytes key, size_t begin, size_t size)
{
    size_t whole = digits_at(key, begin), fraction = size - whole - 1;
    bool first = segment->decimals.count == 0;
    find_wrong_forms(segment, key, begin, size);
    if (first || whole < segment->whole_least) segment->whole_least = whole;
    if (first || whole > segment->whole_most) segment->whole_most = whole;
    if (first || fraction < segment->fraction_least) segment->fraction_least = fraction;
    if (first || fraction > segment->fraction_most) segment->fraction_most = fraction;
    count_extreme(&segment->decimals, key, begin, size);
}

/* Formats beyond those there is room for count as the last. */
static void count_time(struct advice_segment *segment, advice_format format, sheaf_bytes key, size_t begin, size_t size)
{
    size_t at = 0;
    while (at < segment->format_count && segment->formats[at].format != format) at++;
    if (at == ADVICE_FORMATS) at--;
    if (at == segment->format_count) {
        segment->formats[at].format = format;
        segment->format_count++;
    }
    segment->time_count++;
    count_extreme(&segment->formats[at].extremes, key, begin, size);
}

void sheaf_advice_count_segment(struct advice_segment *segment, sheaf_bytes key, size_t begin, size_t size)
{
    struct advice_time time = { 0 };
    segment->count++;
    if (size > segment->size_most) segment->size_most = size;
    switch (sheaf_advice_look(sheaf_bytes_of(key.data + begin, size), &time)) {
    case LOOK_TEXT: break;
    case LOOK_DIGITS: count_digits(segment, key, begin, size); break;
    case LOOK_FORM:
        find_wrong_forms(segment, key, begin, size);
        count_extreme(&segment->forms, key, begin, size);
        break;
    case LOOK_DECIMAL: count_decimal(segment, key, begin, size); break;
    case LOOK_TIME: count_time(segment, time.format, key, begin, size); break;
    case LOOK_HEX_LOWER: count_extreme(&segment->hex_lower, key, begin, size); break;
    case LOOK_HEX_UPPER: count_extreme(&segment->hex_upper, key, begin, size); break;
    }
}

size_t sheaf_advice_width_most(const struct advice_segment *segment)
{
    size_t width = ADVICE_WIDTHS;
    while (width > 0 && segment->widths[width - 1].count == 0) width--;
    return width;
}

size_t sheaf_advice_width_usual(const struct advice_segment *segment)
{
    size_t usual = 1;
    for (size_t width = 1; width <= ADVICE_WIDTHS; width++)
        if (segment->widths[width - 1].count > segment->widths[usual - 1].count) usual = width;
    return usual;
}
