/*
 * fuzz_layout.c - the fuzzer's bytes as the text of a layout, and a key or the values of its fields.
 *
 *     up to the first NUL: the text
 *     rest: a key to read, and, parted by line feeds, values to write
 *
 * What is read from a key makes the same key again, what is written is read, and lies in the ranges that its fields ask for and
 * not in those they do not. Buffers are as large as the library says that is enough, and not a byte more.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sheaf/sheaf.h>

#include "engine/base/bytes.h"
#include "tests/support/expect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct subject {
    const sheaf_layout *layout;
    sheaf_layout_key which;
    uint8_t *key_room, *range_room;
};

static void *room_of(size_t size)
{
    void *room = malloc(size > 0 ? size : 1);
    EXPECT(room, "memory");
    return room;
}

static sheaf_status encode(const struct subject *subject, const sheaf_bytes *values, sheaf_bytes *out_key)
{
    sheaf_layout_fault fault = { .message = NULL };
    size_t limit = sheaf_layout_key_size_max(subject->layout, subject->which);
    sheaf_status status = sheaf_layout_encode(subject->layout, subject->which, values, subject->key_room, limit, out_key,
                                              &fault);
    EXPECT(status != SHEAF_BUFFER_TOO_SMALL && status != SHEAF_INVALID_ARGUMENT, "%s", sheaf_status_name(status));
    if (status != SHEAF_OK)
        EXPECT(fault.message && (fault.column > 0 || status == SHEAF_KEY_TOO_LONG), "a fault says what and where");
    return status;
}

/* Whether a key is in the range of the first fields equal and then one condition on the next. */
static bool is_in(const struct subject *subject, const sheaf_bytes *values, size_t place, sheaf_condition_kind kind,
                  sheaf_bytes key)
{
    sheaf_condition conditions[SHEAF_LAYOUT_PART_MAX];
    sheaf_range range;
    sheaf_layout_fault fault = { .message = "" };
    for (size_t i = 0; i <= place; i++) {
        size_t field = sheaf_layout_key_field(subject->layout, subject->which, i);
        conditions[i] = (sheaf_condition){ field, i == place ? kind : SHEAF_CONDITION_EQUAL, values[field], values[field] };
    }
    sheaf_status status = sheaf_layout_range(subject->layout, subject->which, conditions, place + 1, subject->range_room,
                                             2 * sheaf_layout_key_size_max(subject->layout, subject->which), &range,
                                             &fault);
    EXPECT(status == SHEAF_OK, "condition %d on field %zu: %s", kind, place, fault.message);
    EXPECT(!sheaf_range_is_inverted(&range), "an inverted range");
    return sheaf_range_contains(&range, key);
}

static void expect_in_its_ranges(const struct subject *subject, const sheaf_bytes *values, sheaf_bytes key)
{
    static const struct {
        sheaf_condition_kind kind;
        bool takes;
    } kinds[] = {
        { SHEAF_CONDITION_EQUAL, true },   { SHEAF_CONDITION_BETWEEN, true }, { SHEAF_CONDITION_AT_LEAST, true },
        { SHEAF_CONDITION_AT_MOST, true }, { SHEAF_CONDITION_LESS, false },   { SHEAF_CONDITION_GREATER, false },
    };
    for (size_t place = 0; place < sheaf_layout_key_field_count(subject->layout, subject->which); place++) {
        bool ordered = sheaf_layout_key_field_order(subject->layout, subject->which, place) != SHEAF_LAYOUT_UNORDERED;
        for (size_t i = 0; i < (ordered ? sizeof kinds / sizeof *kinds : 1); i++)
            EXPECT(is_in(subject, values, place, kinds[i].kind, key) == kinds[i].takes, "condition %d on field %zu",
                   kinds[i].kind, place);
    }
}

/* What is read from `key`, if it is one, makes it again. */
static bool expect_round_trip(const struct subject *subject, sheaf_bytes key)
{
    sheaf_bytes values[SHEAF_LAYOUT_PART_MAX], again;
    sheaf_layout_fault fault = { .message = NULL };
    size_t room = sheaf_layout_decode_size(subject->layout, subject->which, key.size);
    uint8_t *texts = room_of(room);
    sheaf_status status = sheaf_layout_decode(subject->layout, subject->which, key, texts, room, values, &fault);
    EXPECT(status == SHEAF_OK || status == SHEAF_KEY_MALFORMED || status == SHEAF_KEY_TOO_LONG, "%s",
           sheaf_status_name(status));
    if (status == SHEAF_OK) {
        EXPECT(encode(subject, values, &again) == SHEAF_OK, "what was read cannot be written");
        EXPECT(sheaf_bytes_equal(again, key), "another key");
        expect_in_its_ranges(subject, values, again);
    } else {
        EXPECT(fault.message && fault.size <= key.size + (status == SHEAF_KEY_TOO_LONG), "a fault says what and where");
    }
    free(texts);
    return status == SHEAF_OK;
}

/* Lines as values; fields without one have the empty text. */
static void split(sheaf_bytes rest, sheaf_bytes *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t size = 0;
        while (size < rest.size && rest.data[size] != '\n') size++;
        values[i] = sheaf_bytes_of(rest.data, size);
        rest = sheaf_bytes_skip(rest, sheaf_size_min(size + 1, rest.size));
    }
}

static void try_key(const sheaf_layout *layout, sheaf_layout_key which, sheaf_bytes input)
{
    struct subject subject = { .layout = layout, .which = which };
    sheaf_bytes values[SHEAF_LAYOUT_PART_MAX], key;
    size_t limit = sheaf_layout_key_size_max(layout, which);
    if (sheaf_layout_key_type(layout, which) == SHEAF_LAYOUT_NONE) return;
    subject.key_room = room_of(limit);
    subject.range_room = room_of(2 * limit);
    (void)expect_round_trip(&subject, input);
    split(input, values, sheaf_layout_field_count(layout));
    if (encode(&subject, values, &key) == SHEAF_OK) {
        uint8_t *copy = room_of(key.size);
        memcpy(copy, key.data, key.size);
        EXPECT(expect_round_trip(&subject, sheaf_bytes_of(copy, key.size)), "what was written cannot be read");
        free(copy);
    }
    free(subject.range_room);
    free(subject.key_room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size > 0 ? memchr(data, '\0', size) : NULL;
    size_t text_size = end ? (size_t)(end - data) : size;
    sheaf_bytes text = sheaf_bytes_of(data, text_size);
    sheaf_bytes input = sheaf_bytes_skip(sheaf_bytes_of(data, size), end ? text_size + 1 : size);
    sheaf_layout *layout;
    sheaf_layout_fault fault = { .message = NULL };
    expect_scene = (struct expect_scene){ .name = "layout", .operation = "a layout" };
    sheaf_status status = sheaf_layout_create(text, NULL, &layout, &fault);
    if (status != SHEAF_OK) {
        EXPECT(status == SHEAF_LAYOUT_MALFORMED, "%s", sheaf_status_name(status));
        EXPECT(fault.message && fault.column >= 1 && fault.column <= text_size + 1, "column %zu", fault.column);
        EXPECT(fault.value_view.size <= text_size, "%zu bytes of text", fault.value_view.size);
        return 0;
    }
    try_key(layout, SHEAF_LAYOUT_PARTITION_KEY, input);
    try_key(layout, SHEAF_LAYOUT_SORT_KEY, input);
    sheaf_layout_destroy(layout);
    return 0;
}
