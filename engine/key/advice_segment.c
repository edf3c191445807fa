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

/* ---- pairs in the wrong order ----------------------------------------------------------------------------------------- */

/* The order of two segments by what they mean, both numbers or both times. False: they are not. */
static bool order_by_meaning(sheaf_bytes left, sheaf_bytes right, enum wrong_kind *out_kind, int *out_order)
{
    struct advice_time left_time, right_time;
    sheaf_number left_number, right_number;
    enum advice_look left_look = sheaf_advice_look(left, &left_time), right_look = sheaf_advice_look(right, &right_time);
    if (left_look == LOOK_TIME && right_look == LOOK_TIME) {
        *out_kind = WRONG_TIMES;
        *out_order = (left_time.instant_us > right_time.instant_us) - (left_time.instant_us < right_time.instant_us);
        return true;
    }
    if (left_look == LOOK_TIME || right_look == LOOK_TIME) return false;
    if (sheaf_number_parse(left, &left_number, NULL) != SHEAF_OK || sheaf_number_parse(right, &right_number, NULL) != SHEAF_OK)
        return false;
    *out_kind = left_look == LOOK_DIGITS && right_look == LOOK_DIGITS ? WRONG_WIDTHS : WRONG_FORMS;
    *out_order = sheaf_number_compare(left_number, right_number);
    return true;
}

/* Keeps what comes and what was there, if they are in the wrong order and the first of their kind. */
static void compare(struct advice_segment *segment, const struct advice_example *other, sheaf_bytes key, size_t begin, size_t size)
{
    sheaf_bytes coming = sheaf_bytes_of(key.data + begin, size), there = sheaf_advice_example_segment(other);
    enum wrong_kind kind;
    int by_bytes = sheaf_bytes_order(coming, there), by_meaning;
    if (by_bytes == 0 || !order_by_meaning(coming, there, &kind, &by_meaning) || by_meaning == 0) return;
    struct advice_wrong *wrong = &segment->wrong[kind];
    if (wrong->is_there || (by_bytes < 0) == (by_meaning < 0)) return;
    wrong->is_there = true;
    sheaf_advice_example_set(&wrong->pair[by_bytes > 0], key, begin, size);
    wrong->pair[by_bytes < 0] = *other;
}

static void compare_extremes(struct advice_segment *segment, const struct advice_extremes *others, sheaf_bytes key, size_t begin,
                             size_t size)
{
    if (others->count == 0) return;
    compare(segment, &others->least, key, begin, size);
    compare(segment, &others->greatest, key, begin, size);
}

/* Digits of one width alone, or times of one format with all its zeros, are always in order. */
static bool are_in_order(const struct advice_segment *segment, enum advice_look look, const struct advice_time *time, size_t size)
{
    if (look == LOOK_TIME) {
        return !(time->format & ADVICE_FORMAT_UNPADDED) &&
               (segment->format_count == 0 || (segment->format_count == 1 && segment->formats[0].format == time->format));
    }
    return look == LOOK_DIGITS && segment->forms.count == 0 && segment->decimals.count == 0 &&
           segment->widths[size - 1].count == segment->digits_count;
}

/* With the extremes of every width, form and format, and with those drawn: extremes alone may all be in order. */
static void find_wrong(struct advice_segment *segment, sheaf_bytes key, size_t begin, size_t size)
{
    size_t kept = segment->sampled_count < ADVICE_SAMPLE ? (size_t)segment->sampled_count : ADVICE_SAMPLE;
    for (size_t i = 0; i < kept; i++) compare(segment, &segment->sample[i], key, begin, size);
    for (size_t i = 0; i < ADVICE_WIDTHS; i++) compare_extremes(segment, &segment->widths[i], key, begin, size);
    for (size_t i = 0; i < segment->format_count; i++)
        compare_extremes(segment, &segment->formats[i].extremes, key, begin, size);
    compare_extremes(segment, &segment->forms, key, begin, size);
    compare_extremes(segment, &segment->decimals, key, begin, size);
}

/* Each of n stays with the same chance (Vitter's algorithm R); chance is a hash of n, so that runs repeat. */
static void sample(struct advice_segment *segment, sheaf_bytes key, size_t begin, size_t size)
{
    uint64_t seen = segment->sampled_count++, place = seen;
    if (seen >= ADVICE_SAMPLE) {
        uint64_t mixed = (seen ^ seen >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
        place = (mixed ^ mixed >> 32) % (seen + 1);
    }
    if (place < ADVICE_SAMPLE) sheaf_advice_example_set(&segment->sample[place], key, begin, size);
}

/* ---- counted ---------------------------------------------------------------------------------------------------------- */

static void count_digits(struct advice_segment *segment, sheaf_bytes key, size_t begin, size_t size)
{
    segment->digits_count++;
    segment->zero_led_count += size > 1 && key.data[begin] == '0';
    segment->high_count += key.data[begin] == '9';
    count_extreme(&segment->widths[size - 1], key, begin, size);
}

static void count_decimal(struct advice_segment *segment, sheaf_bytes key, size_t begin, size_t size)
{
    size_t whole = digits_at(key, begin), fraction = size - whole - 1;
    bool first = segment->decimals.count == 0;
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
    enum advice_look look = sheaf_advice_look(sheaf_bytes_of(key.data + begin, size), &time);
    if (look == LOOK_DIGITS || look == LOOK_FORM || look == LOOK_DECIMAL || look == LOOK_TIME) {
        if (!are_in_order(segment, look, &time, size)) find_wrong(segment, key, begin, size);
        sample(segment, key, begin, size);
    }
    switch (look) {
    case LOOK_TEXT: break;
    case LOOK_DIGITS: count_digits(segment, key, begin, size); break;
    case LOOK_FORM: count_extreme(&segment->forms, key, begin, size); break;
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
