/*
 * test_layout_laws.c - what holds for every layout, tried on random ones.
 *
 *     order       keys sort as their fields do, field by field, inverted ones the other way round
 *     round trip  a key gives its fields back, and these the key
 *     one key     for one value of the fields, and for no other
 *     ranges      hold exactly the keys whose fields satisfy the conditions
 *
 * Fields are compared by a second method: numbers, times and epochs as integers of 10^-7 that they were made from, texts byte by
 * byte. Values come from a few bytes around the delimiter and a few numbers around the limits, so that they meet.
 */
#include <criterion/criterion.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sheaf/sheaf.h>

#include "engine/base/bytes.h"
#include "tests/support/expect.h"
#include "tests/support/random.h"

enum { FIELD_MAX = 4, TUPLE_COUNT = 16, VALUE_ROOM = 64, UNITS = 10000000 /* of a second, and of 1 */ };

enum kind { KIND_TEXT, KIND_RAW, KIND_ESCAPE, KIND_PATH, KIND_NUMBER, KIND_TIME, KIND_EPOCH, KIND_BOOL };

static const struct form {
    const char *text;
    enum kind kind;
    int width, digits;
    bool is_signed, is_descending;
} FORMS[] = {
    { "", KIND_TEXT, 0, 0, false, false },
    { ":text", KIND_TEXT, 0, 0, false, false },
    { ":raw", KIND_RAW, 0, 0, false, false },
    { ":escape", KIND_ESCAPE, 0, 0, false, false },
    { ":pad(1)", KIND_NUMBER, 1, 0, false, false },
    { ":pad(3)", KIND_NUMBER, 3, 0, false, false },
    { ":invert(2)", KIND_NUMBER, 2, 0, false, true },
    { ":signed(2)", KIND_NUMBER, 2, 0, true, false },
    { ":decimal(2,2)", KIND_NUMBER, 2, 2, false, false },
    { ":signed(1,3)", KIND_NUMBER, 1, 3, true, false },
    { ":time", KIND_TIME, 0, 0, false, false },
    { ":time(ms)", KIND_TIME, 0, 3, false, false },
    { ":time(us)", KIND_TIME, 0, 6, false, false },
    { ":epoch(s)", KIND_EPOCH, 0, 0, false, false },
    { ":epoch(ms)", KIND_EPOCH, 0, 3, false, false },
    { ":epoch(us)", KIND_EPOCH, 0, 6, false, false },
    { ":path(/)", KIND_PATH, 0, 0, false, false },
};
enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS };

/* Of the parts of tuples; what they hold is drawn as for the forms. */
static const struct form TYPES[] = {
    { ":u64", KIND_NUMBER, 3, 0, false, false },   { ":u64 desc", KIND_NUMBER, 3, 0, false, true },
    { ":i64", KIND_NUMBER, 3, 0, true, false },    { ":i64 desc", KIND_NUMBER, 3, 0, true, true },
    { ":double", KIND_NUMBER, 2, 2, true, false }, { ":double desc", KIND_NUMBER, 2, 2, true, true },
    { ":number", KIND_NUMBER, 2, 2, true, false }, { ":number desc", KIND_NUMBER, 2, 2, true, true },
    { ":text", KIND_TEXT, 0, 0, false, false },    { ":text desc", KIND_TEXT, 0, 0, false, true },
    { ":bytes", KIND_ESCAPE, 0, 0, false, false }, { ":bytes desc", KIND_ESCAPE, 0, 0, false, true },
    { ":bool", KIND_BOOL, 0, 0, false, false },    { ":bool desc", KIND_BOOL, 0, 0, false, true },
};
enum { TYPE_COUNT = sizeof TYPES / sizeof *TYPES };
static const struct form NUMBER_KEY = { ":number", KIND_NUMBER, 2, 2, true, false };

/* A value as it is given, and what it is. */
struct value {
    char bytes[VALUE_ROOM];
    size_t size;
    int64_t number; /* of numbers and times, in 10^-7 */
};

static sheaf_bytes bytes_of(const struct value *value)
{
    return sheaf_bytes_of(value->bytes, value->size);
}

static void add(struct value *value, const char *bytes, size_t size)
{
    EXPECT(value->size + size <= VALUE_ROOM, "a value of %zu bytes", value->size + size);
    memcpy(value->bytes + value->size, bytes, size);
    value->size += size;
}

static void add_text(struct value *value, const char *text)
{
    add(value, text, strlen(text));
}

static int64_t power_of_ten(int exponent)
{
    int64_t power = 1;
    while (exponent-- > 0) power *= 10;
    return power;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------------- */

/* Zeros in front and behind, as somebody may write them. */
static void print_number(struct random *random, struct value *value, bool may_have_point)
{
    char text[VALUE_ROOM];
    int64_t magnitude = value->number < 0 ? -value->number : value->number, fraction = magnitude % UNITS;
    if (value->number < 0) add_text(value, "-");
    for (uint32_t zeros = random_below(random, 3); zeros > 0; zeros--) add_text(value, "0");
    (void)snprintf(text, sizeof text, "%lld", (long long)(magnitude / UNITS));
    add_text(value, text);
    if (fraction == 0 && (!may_have_point || random_once_in(random, 2))) return;
    (void)snprintf(text, sizeof text, ".%07lld", (long long)fraction);
    size_t size = strlen(text);
    while (size > 2 && text[size - 1] == '0' && !random_once_in(random, 4)) size--;
    add(value, text, size);
}

/* Of numbers a form can hold, those at the ends, around zero, and any. */
static int64_t draw_held_number(struct random *random, const struct form *form)
{
    int64_t step = UNITS / power_of_ten(form->digits), limit = power_of_ten(form->width + form->digits);
    int64_t count = random_once_in(random, 3) ? random_below(random, (uint32_t)limit) : random_below(random, 4);
    if (random_once_in(random, 5)) count = limit - 1 - random_below(random, 3);
    if (form->is_signed && random_once_in(random, 2)) count = -count;
    return count * step;
}

static void draw_number(struct random *random, const struct form *form, bool as_bound, struct value *value)
{
    value->number = draw_held_number(random, form);
    if (as_bound) {
        switch (random_below(random, 6)) {
        case 0: value->number += random_between(random, 1, 3); break;
        case 1: value->number -= random_between(random, 1, 3); break;
        case 2: value->number = -value->number; break;
        case 3: value->number = power_of_ten(form->width) * (random_once_in(random, 2) ? UNITS : -UNITS); break;
        case 4: value->number += UNITS; break;
        default: break;
        }
    }
    print_number(random, value, as_bound || form->digits > 0);
}

/* ---- times ------------------------------------------------------------------------------------------------------------- */

static const int64_t SECONDS[] = {
    INT64_C(-62167219200), -1, 0, 951782399, 951868799, 1777626423, 9999999999, INT64_C(253402300799),
};

/* Some time that the form can hold, in units. */
static int64_t draw_held_time(struct random *random, const struct form *form)
{
    int64_t first = form->kind == KIND_EPOCH ? 0 : SECONDS[0];
    int64_t last = form->kind == KIND_EPOCH ? 9999999999 : INT64_C(253402300799);
    int64_t seconds = SECONDS[random_below(random, sizeof SECONDS / sizeof *SECONDS)] + random_below(random, 3) - 1;
    if (seconds < first) seconds = first;
    if (seconds > last) seconds = last;
    int64_t step = UNITS / power_of_ten(form->digits);
    return seconds * UNITS + random_below(random, 2) * step * (form->digits > 0);
}

/* Writes it with the clock some minutes ahead of UTC, by the C library's calendar. */
static void print_time(struct random *random, int64_t units, struct value *value)
{
    char text[VALUE_ROOM];
    int64_t seconds = units / UNITS, fraction = units % UNITS;
    if (fraction < 0) {
        seconds--;
        fraction += UNITS;
    }
    int ahead = random_once_in(random, 2) ? 0 : (int)random_below(random, 2 * 840) - 840;
    time_t shown = (time_t)(seconds + ahead * 60);
    struct tm tm;
    (void)gmtime_r(&shown, &tm);
    if (tm.tm_year + 1900 < 0 || tm.tm_year + 1900 > 9999) { /* such cannot be written: the other way round, then */
        ahead = -ahead;
        shown = (time_t)(seconds + ahead * 60);
        (void)gmtime_r(&shown, &tm);
    }
    value->number = units;
    (void)snprintf(text, sizeof text, "%04d-%02d-%02d%c%02d:%02d:%02d", (tm.tm_year + 1900) % 10000, tm.tm_mon + 1,
                   tm.tm_mday, "Tt "[random_below(random, 3)], tm.tm_hour, tm.tm_min, tm.tm_sec);
    add_text(value, text);
    if (fraction > 0 || random_once_in(random, 4)) {
        (void)snprintf(text, sizeof text, "%c%07lld", random_once_in(random, 2) ? '.' : ',', (long long)fraction);
        size_t size = strlen(text);
        while (size > 2 && text[size - 1] == '0' && !random_once_in(random, 4)) size--;
        add(value, text, size);
    }
    int minutes = ahead < 0 ? -ahead : ahead;
    const char *format = ahead == 0 ? "Z" : random_once_in(random, 2) ? "%c%02d:%02d" : "%c%02d%02d";
    (void)snprintf(text, sizeof text, format, ahead < 0 ? '-' : '+', minutes / 60, minutes % 60);
    add_text(value, text);
}

static void draw_time(struct random *random, const struct form *form, bool as_bound, struct value *value)
{
    int64_t units = draw_held_time(random, form), step = UNITS / power_of_ten(form->digits);
    if (as_bound && random_once_in(random, 2)) units += random_between(random, 1, 3) - 2;
    if (as_bound && random_once_in(random, 4)) units += step;
    if (as_bound && units < SECONDS[0] * UNITS) units = SECONDS[0] * UNITS; /* there is no year to write it in */
    if (as_bound && units > INT64_C(253402300799) * UNITS) units = INT64_C(253402300799) * UNITS;
    if (form->kind == KIND_EPOCH && units % step == 0 && random_once_in(random, 2)) {
        char text[VALUE_ROOM];
        value->number = units;
        (void)snprintf(text, sizeof text, "%lld", (long long)(units / step));
        add_text(value, text);
        return;
    }
    print_time(random, units, value);
}

/* ---- texts ------------------------------------------------------------------------------------------------------------- */

/* One of a few characters; `low` ones are at or below the delimiter, which is -1 behind the last. */
static void add_character(struct random *random, int delimiter, bool low, struct value *value)
{
    static const char *const high[] = { "\xC3\xA9", "\xF0\x9F\x98\x80", "\x7F" };
    int middle = delimiter < 0 ? '#' : delimiter;
    char byte = (char)(middle + (int)random_between(random, 1, 2));
    if (low) byte = (char)(middle - (int)random_below(random, 2));
    if (byte >= 0 && !random_once_in(random, 4))
        add(value, &byte, 1);
    else if (!low)
        add_text(value, high[random_below(random, 3)]);
}

static void draw_text(struct random *random, const struct form *form, int delimiter, bool as_bound, struct value *value)
{
    uint32_t count = random_between(random, as_bound ? 0 : 1, 3);
    for (uint32_t i = 0; i < count; i++) add_character(random, delimiter, as_bound && random_once_in(random, 4), value);
    if (form->kind == KIND_RAW && delimiter > 1 && random_once_in(random, 3))
        add(value, &(char){ (char)(delimiter - 1) }, 1);
    if (value->size == 0 && !as_bound) add_text(value, "\xC3\xA9");
}

static void draw_bytes(struct random *random, int delimiter, bool as_bound, struct value *value)
{
    int middle = delimiter < 0 ? '#' : delimiter;
    const char bytes[] = { 0,   1,   2,         (char)(middle - 1), (char)middle, (char)(middle + 1), (char)(middle + 2),
                           '0', 'F', (char)0xFF };
    uint32_t count = random_between(random, as_bound ? 0 : 1, 3);
    for (uint32_t i = 0; i < count; i++) add(value, &bytes[random_below(random, sizeof bytes)], 1);
}

static void draw_path(struct random *random, bool as_bound, struct value *value)
{
    static const char *const names[] = { "a", "ab", "a b", "b.", "\xC3\xA9" };
    if (as_bound && random_once_in(random, 4)) {
        for (uint32_t count = random_below(random, 4); count > 0; count--) add(value, &"/a/ b"[random_below(random, 5)], 1);
        return;
    }
    if (random_once_in(random, 3)) add_text(value, "/");
    for (uint32_t count = random_between(random, 1, 3); count > 0; count--) {
        add_text(value, names[random_below(random, 5)]);
        if (count > 1 || random_once_in(random, 2)) add_text(value, "/");
    }
}

static void draw_bool(struct random *random, struct value *value)
{
    value->number = random_below(random, 2);
    add_text(value, value->number ? "true" : "false");
}

/* A value that the form takes, or, for a bound, maybe another of its kind. */
static struct value draw_value(struct random *random, const struct form *form, int delimiter, bool as_bound)
{
    struct value value = { .size = 0 };
    switch (form->kind) {
    case KIND_TEXT:
    case KIND_RAW: draw_text(random, form, delimiter, as_bound, &value); break;
    case KIND_ESCAPE: draw_bytes(random, delimiter, as_bound, &value); break;
    case KIND_PATH: draw_path(random, as_bound, &value); break;
    case KIND_NUMBER: draw_number(random, form, as_bound, &value); break;
    case KIND_TIME:
    case KIND_EPOCH: draw_time(random, form, as_bound, &value); break;
    case KIND_BOOL: draw_bool(random, &value); break;
    }
    return value;
}

/* By value. */
static int compare(const struct form *form, const struct value *left, const struct value *right)
{
    if (form->kind >= KIND_NUMBER) return (left->number > right->number) - (left->number < right->number);
    for (size_t i = 0; i < left->size && i < right->size; i++)
        if (left->bytes[i] != right->bytes[i]) return (uint8_t)left->bytes[i] < (uint8_t)right->bytes[i] ? -1 : 1;
    return (left->size > right->size) - (left->size < right->size);
}

/* ---- layouts ----------------------------------------------------------------------------------------------------------- */

struct plan {
    char line[512];
    size_t field_count;
    const struct form *forms[FIELD_MAX];
    int delimiters[FIELD_MAX]; /* -1: nothing is behind it */
    bool is_ordered;           /* none is raw */
    sheaf_layout *layout;
};

static void add_line(struct plan *plan, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_line(struct plan *plan, const char *format, ...)
{
    va_list arguments;
    size_t size = strlen(plan->line);
    va_start(arguments, format);
    (void)vsnprintf(plan->line + size, sizeof plan->line - size, format, arguments);
    va_end(arguments);
}

/* A literal, as a template writes it. Returns its first byte. */
static int add_literal(struct random *random, struct plan *plan)
{
    static const struct {
        const char *written;
        int first;
    } literals[] = {
        { "#", '#' },    { "/", '/' },  { ":", ':' },         { "!", '!' },    { "~", '~' },
        { "#x", '#' },   { "0", '0' },  { "{{", '{' },        { "\\\"", '"' }, { "\\\\", '\\' },
        { "}}}}", '}' }, { "\x01", 1 }, { "a\xC3\xA9", 'a' },
    };
    uint32_t index = random_below(random, sizeof literals / sizeof *literals);
    add_line(plan, "%s", literals[index].written);
    return literals[index].first;
}

static void draw_text_line(struct random *random, struct plan *plan)
{
    add_line(plan, "sk = \"");
    if (random_once_in(random, 2)) (void)add_literal(random, plan);
    for (size_t i = 0; i < plan->field_count; i++) {
        bool is_last = i + 1 == plan->field_count;
        const struct form *form = &FORMS[random_below(random, is_last ? FORM_COUNT : FORM_COUNT - 1)];
        plan->forms[i] = form;
        plan->is_ordered = plan->is_ordered && form->kind != KIND_RAW;
        plan->delimiters[i] = -1;
        add_line(plan, "{%c%s}", (char)('a' + i), form->text);
        bool needs_one = form->kind < KIND_PATH && !is_last;
        if (needs_one || (form->kind != KIND_PATH && random_once_in(random, 2)))
            plan->delimiters[i] = add_literal(random, plan);
    }
    add_line(plan, "\"");
}

static void draw_tuple_line(struct random *random, struct plan *plan)
{
    for (size_t i = 0; i < plan->field_count; i++) {
        plan->forms[i] = &TYPES[random_below(random, TYPE_COUNT)];
        plan->delimiters[i] = -1;
        add_line(plan, "%s%c%s", i == 0 ? "sk = (" : ", ", (char)('a' + i), plan->forms[i]->text);
    }
    add_line(plan, ")");
}

static void draw_plan(struct random *random, struct plan *plan)
{
    *plan = (struct plan){ .field_count = random_between(random, 1, FIELD_MAX), .is_ordered = true };
    if (random_once_in(random, 20)) {
        plan->field_count = 1;
        plan->forms[0] = &NUMBER_KEY;
        add_line(plan, "sk = a:number");
    } else if (random_once_in(random, 3)) {
        draw_tuple_line(random, plan);
    } else {
        draw_text_line(random, plan);
    }
    sheaf_layout_fault fault;
    EXPECT(sheaf_layout_create(sheaf_bytes_of(plan->line, strlen(plan->line)), NULL, &plan->layout, &fault) == SHEAF_OK,
           "%s: column %zu: %s", plan->line, fault.column, fault.message);
}

struct tuple {
    struct value values[FIELD_MAX];
    uint8_t key[512];
    size_t key_size;
};

static sheaf_bytes key_of(const struct tuple *tuple)
{
    return sheaf_bytes_of(tuple->key, tuple->key_size);
}

static sheaf_status encode(const struct plan *plan, const sheaf_bytes *values, struct tuple *tuple,
                           sheaf_layout_fault *fault)
{
    sheaf_bytes key;
    sheaf_status status = sheaf_layout_encode(plan->layout, SHEAF_LAYOUT_SORT_KEY, values, tuple->key, sizeof tuple->key,
                                              &key, fault);
    if (status == SHEAF_OK) tuple->key_size = key.size;
    return status;
}

static void draw_tuple(struct random *random, const struct plan *plan, const struct tuple *like, struct tuple *tuple)
{
    sheaf_bytes values[FIELD_MAX];
    sheaf_layout_fault fault;
    for (size_t i = 0; i < plan->field_count; i++) {
        bool same = like && random_once_in(random, 2);
        tuple->values[i] = same ? like->values[i] : draw_value(random, plan->forms[i], plan->delimiters[i], false);
        values[i] = bytes_of(&tuple->values[i]);
    }
    EXPECT(encode(plan, values, tuple, &fault) == SHEAF_OK, "%s: field %zu, %.*s: %s", plan->line, fault.segment,
           (int)fault.value_view.size, (const char *)fault.value_view.data, fault.message);
}

/* ---- laws ---------------------------------------------------------------------------------------------------------------- */

/* By the first field that differs, the way it sorts. */
static int compare_tuples(const struct plan *plan, const struct tuple *left, const struct tuple *right)
{
    for (size_t i = 0; i < plan->field_count; i++) {
        int order = compare(plan->forms[i], &left->values[i], &right->values[i]);
        if (order != 0) return plan->forms[i]->is_descending ? -order : order;
    }
    return 0;
}

static void expect_order(const struct plan *plan, const struct tuple *left, const struct tuple *right)
{
    int wanted = compare_tuples(plan, left, right), found = sheaf_bytes_order(key_of(left), key_of(right));
    EXPECT((wanted == 0) == (found == 0), "%s: one key for two, or two for one", plan->line);
    if (plan->is_ordered) EXPECT((wanted < 0) == (found < 0), "%s: keys sort otherwise than fields", plan->line);
}

/* What is read is the value: of numbers in one printed form. */
static void expect_value(const struct plan *plan, size_t index, const struct value *value, sheaf_bytes read)
{
    const struct form *form = plan->forms[index];
    if (form->kind < KIND_NUMBER || form->kind == KIND_BOOL) {
        EXPECT(sheaf_bytes_equal(read, bytes_of(value)), "%s: field %zu is %.*s", plan->line, index, (int)read.size,
               (const char *)read.data);
        return;
    }
    char text[VALUE_ROOM];
    int64_t micros, step = UNITS / power_of_ten(form->digits);
    (void)snprintf(text, sizeof text, "%.*s", (int)read.size, (const char *)read.data);
    if (form->kind == KIND_NUMBER) {
        char wanted[VALUE_ROOM];
        int64_t magnitude = value->number < 0 ? -value->number : value->number;
        int size = snprintf(wanted, sizeof wanted, "%s%lld.%07lld", value->number < 0 ? "-" : "",
                            (long long)(magnitude / UNITS), (long long)(magnitude % UNITS));
        while (wanted[size - 1] == '0') size--;
        if (wanted[size - 1] == '.') size--;
        wanted[size] = '\0';
        EXPECT(strcmp(text, wanted) == 0, "%s: field %zu is %s, not %s", plan->line, index, text, wanted);
    } else if (form->kind == KIND_EPOCH) {
        EXPECT(strtoll(text, NULL, 10) * step == value->number, "%s: field %zu is %s", plan->line, index, text);
    } else {
        EXPECT(sheaf_time_parse(read, &micros, NULL) == SHEAF_OK && micros * 10 == value->number, "%s: field %zu is %s",
               plan->line, index, text);
    }
}

static void expect_round_trip(const struct plan *plan, const struct tuple *tuple)
{
    sheaf_bytes values[FIELD_MAX];
    uint8_t texts[2048];
    struct tuple again;
    sheaf_layout_fault fault = { .message = "" };
    size_t room = sheaf_layout_decode_size(plan->layout, SHEAF_LAYOUT_SORT_KEY, tuple->key_size);
    sheaf_status status = sheaf_layout_decode(plan->layout, SHEAF_LAYOUT_SORT_KEY, key_of(tuple), texts,
                                              sheaf_size_min(room, sizeof texts), values, &fault);
    EXPECT(status == SHEAF_OK, "%s: field %zu: %s", plan->line, fault.segment, fault.message);
    for (size_t i = 0; i < plan->field_count; i++) expect_value(plan, i, &tuple->values[i], values[i]);
    EXPECT(encode(plan, values, &again, &fault) == SHEAF_OK, "%s: %s", plan->line, fault.message);
    EXPECT(sheaf_bytes_equal(key_of(&again), key_of(tuple)), "%s: another key", plan->line);
}

/* A byte changed, put in or taken out: no key of the layout, or the key of what is read from it. */
static void expect_nothing_else_is_read(struct random *random, const struct plan *plan, const struct tuple *tuple)
{
    struct tuple other = *tuple, again;
    size_t at = random_below(random, (uint32_t)other.key_size);
    uint8_t byte = random_once_in(random, 2) ? other.key[random_below(random, (uint32_t)other.key_size)]
                                             : (uint8_t)random_below(random, 256);
    switch (random_below(random, 3)) {
    case 0: other.key[at] = byte; break;
    case 1: other.key_size = at; break;
    default:
        memmove(other.key + at + 1, other.key + at, other.key_size - at);
        other.key[at] = byte;
        other.key_size++;
    }
    sheaf_bytes values[FIELD_MAX];
    uint8_t texts[2048];
    sheaf_layout_fault fault;
    sheaf_status status = sheaf_layout_decode(plan->layout, SHEAF_LAYOUT_SORT_KEY, key_of(&other), texts, sizeof texts,
                                              values, &fault);
    EXPECT(status == SHEAF_OK || status == SHEAF_KEY_MALFORMED, "%s: %s", plan->line, sheaf_status_name(status));
    if (status != SHEAF_OK) return;
    EXPECT(encode(plan, values, &again, &fault) == SHEAF_OK, "%s: %s", plan->line, fault.message);
    EXPECT(sheaf_bytes_equal(key_of(&again), key_of(&other)), "%s: what is read makes another key", plan->line);
}

/* ---- ranges ------------------------------------------------------------------------------------------------------------ */

struct ask {
    sheaf_condition conditions[FIELD_MAX];
    struct value low[FIELD_MAX], high[FIELD_MAX]; /* of field i */
    sheaf_condition_kind kinds[FIELD_MAX];
    size_t count;  /* fields 0 to count - 1 have one */
    bool from_key; /* equalities are values of a key, that no form refuses */
};

static bool begins_with(const struct form *form, const struct value *value, const struct value *beginning)
{
    struct value whole = *beginning;
    bool is_folder = whole.size == 0 || whole.bytes[whole.size - 1] == '/';
    if (form->kind == KIND_PATH && !is_folder) add_text(&whole, "/");
    return value->size >= whole.size && memcmp(value->bytes, whole.bytes, whole.size) == 0;
}

static bool satisfies(const struct form *form, const struct value *value, const struct ask *ask, size_t index)
{
    int low = compare(form, value, &ask->low[index]), high = compare(form, value, &ask->high[index]);
    switch (ask->kinds[index]) {
    case SHEAF_CONDITION_EQUAL: break;
    case SHEAF_CONDITION_LESS: return low < 0;
    case SHEAF_CONDITION_AT_MOST: return low <= 0;
    case SHEAF_CONDITION_AT_LEAST: return low >= 0;
    case SHEAF_CONDITION_GREATER: return low > 0;
    case SHEAF_CONDITION_BETWEEN: return low >= 0 && high <= 0;
    case SHEAF_CONDITION_BEGINS_WITH: return begins_with(form, value, &ask->low[index]);
    }
    return low == 0;
}

static sheaf_condition_kind draw_kind(struct random *random, const struct form *form)
{
    if (form->kind == KIND_RAW) return random_once_in(random, 2) ? SHEAF_CONDITION_EQUAL : SHEAF_CONDITION_BEGINS_WITH;
    bool has_beginnings = form->kind < KIND_NUMBER;
    return (sheaf_condition_kind)random_below(random, has_beginnings ? SHEAF_CONDITION_BEGINS_WITH + 1
                                                                     : SHEAF_CONDITION_BEGINS_WITH);
}

static struct value draw_bound(struct random *random, const struct plan *plan, const struct tuple *tuples, size_t index)
{
    if (random_once_in(random, 2)) return tuples[random_below(random, TUPLE_COUNT)].values[index];
    return draw_value(random, plan->forms[index], plan->delimiters[index], true);
}

static void draw_ask(struct random *random, const struct plan *plan, const struct tuple *tuples, struct ask *ask)
{
    const struct tuple *like = &tuples[random_below(random, TUPLE_COUNT)];
    ask->count = random_below(random, (uint32_t)plan->field_count + 1);
    ask->from_key = true;
    for (size_t i = 0; i < ask->count; i++) {
        ask->kinds[i] = i + 1 == ask->count ? draw_kind(random, plan->forms[i]) : SHEAF_CONDITION_EQUAL;
        ask->low[i] = ask->high[i] = like->values[i];
        bool other = i + 1 == ask->count && !random_once_in(random, 4);
        if (other) ask->low[i] = draw_bound(random, plan, tuples, i);
        if (other) ask->high[i] = draw_bound(random, plan, tuples, i);
        if (other) ask->from_key = false;
        size_t place = random_below(random, (uint32_t)i + 1); /* in any order */
        ask->conditions[i] = ask->conditions[place];
        ask->conditions[place] = (sheaf_condition){ i, ask->kinds[i], bytes_of(&ask->low[i]), bytes_of(&ask->high[i]) };
    }
}

/* Whether a status other than OK is right. */
static void expect_refusal(const struct plan *plan, const struct ask *ask, sheaf_status status, const char *message)
{
    size_t last = ask->count - 1;
    sheaf_condition_kind kind = ask->kinds[last];
    bool inverted = kind == SHEAF_CONDITION_BETWEEN && compare(plan->forms[last], &ask->low[last], &ask->high[last]) > 0;
    if (status == SHEAF_RANGE_INVERTED) {
        EXPECT(inverted, "%s: not inverted", plan->line);
        return;
    }
    bool may = !ask->from_key && (kind == SHEAF_CONDITION_EQUAL || kind == SHEAF_CONDITION_BEGINS_WITH);
    EXPECT(status == SHEAF_SEGMENT_REFUSED && may, "%s: kind %d of %.*s: %s: %s", plan->line, kind,
           (int)ask->low[last].size, ask->low[last].bytes, sheaf_status_name(status), message);
}

static void expect_exact_range(struct random *random, const struct plan *plan, const struct tuple *tuples)
{
    struct ask ask;
    sheaf_range range;
    sheaf_layout_fault fault = { .message = "" };
    uint8_t buffer[512];
    draw_ask(random, plan, tuples, &ask);
    sheaf_status status = sheaf_layout_range(plan->layout, SHEAF_LAYOUT_SORT_KEY, ask.conditions, ask.count, buffer,
                                             sizeof buffer, &range, &fault);
    if (status != SHEAF_OK) {
        expect_refusal(plan, &ask, status, fault.message);
        return;
    }
    EXPECT(!sheaf_range_is_inverted(&range), "%s: inverted", plan->line);
    for (size_t i = 0; i < TUPLE_COUNT; i++) {
        bool wanted = true;
        for (size_t j = 0; j < ask.count; j++) wanted = wanted && satisfies(plan->forms[j], &tuples[i].values[j], &ask, j);
        bool found = sheaf_range_contains(&range, key_of(&tuples[i]));
        EXPECT(found == wanted, "%s: condition %d on field %zu, %.*s and %.*s: key %.*s is %s", plan->line,
               ask.count == 0 ? -1 : (int)ask.kinds[ask.count - 1], ask.count, (int)ask.low[ask.count - 1].size,
               ask.low[ask.count - 1].bytes, (int)ask.high[ask.count - 1].size, ask.high[ask.count - 1].bytes,
               (int)tuples[i].key_size, (const char *)tuples[i].key, found ? "in" : "out");
    }
}

static void try_plan(struct random *random)
{
    static struct tuple tuples[TUPLE_COUNT];
    struct plan plan;
    draw_plan(random, &plan);
    for (size_t i = 0; i < TUPLE_COUNT; i++) {
        draw_tuple(random, &plan, i == 0 ? NULL : &tuples[random_below(random, (uint32_t)i)], &tuples[i]);
        expect_round_trip(&plan, &tuples[i]);
        expect_nothing_else_is_read(random, &plan, &tuples[i]);
        for (size_t j = 0; j < i; j++) expect_order(&plan, &tuples[j], &tuples[i]);
    }
    for (size_t i = 0; i < TUPLE_COUNT; i++) expect_exact_range(random, &plan, tuples);
    sheaf_layout_destroy(plan.layout);
}

/* 16 keys of 2.5 fields on average: a million values. */
Test(layout_laws, hold_for_random_layouts)
{
    uint64_t seed = random_seed("layout_laws", 2026), count = random_scaled(25000);
    struct random random = random_from_seed(seed);
    for (uint64_t step = 0; step < count; step++) {
        expect_scene = (struct expect_scene){ .name = "layout_laws", .seed = seed, .step = step, .operation = "a layout" };
        try_plan(&random);
    }
}
