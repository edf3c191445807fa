/*
 * fuzz_key.c - any bytes as a number's text, as a number's key and as a binary tuple: what is taken has one form, which is
 * taken again and gives the same.
 */
#include <sheaf/key.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/expect.h"

enum { SIZE_MAX_TAKEN = 4096 };

static void try_text(sheaf_bytes bytes)
{
    sheaf_number number, again;
    char text[SHEAF_NUMBER_TEXT_SIZE_MAX], repeated[SHEAF_NUMBER_TEXT_SIZE_MAX];
    if (sheaf_number_parse(bytes, &number, NULL) != SHEAF_OK) return;
    size_t size = sheaf_number_print(number, text);
    EXPECT(size <= sizeof text && sheaf_number_parse(sheaf_bytes_of(text, size), &again, NULL) == SHEAF_OK, "printed");
    EXPECT(sheaf_number_compare(number, again) == 0, "another number");
    EXPECT(sheaf_number_print(again, repeated) == size && memcmp(text, repeated, size) == 0, "another form");
}

static void try_number_key(sheaf_bytes bytes)
{
    sheaf_number number;
    uint8_t key[SHEAF_NUMBER_KEY_SIZE_MAX];
    size_t size = 0;
    if (sheaf_number_from_key(bytes, &number, &size) != SHEAF_OK) return;
    EXPECT(size <= bytes.size && sheaf_number_to_key(number, key) == size, "the key's size");
    EXPECT(memcmp(key, bytes.data, size) == 0, "another key");
}

/* Writes a part as it was read. */
static void repeat(sheaf_key_writer *writer, const sheaf_key_part *part)
{
    switch (part->kind) {
    case SHEAF_PART_NULL: sheaf_key_add_null(writer, part->order); break;
    case SHEAF_PART_BYTES: sheaf_key_add_bytes(writer, part->bytes, part->order); break;
    case SHEAF_PART_TEXT: sheaf_key_add_text(writer, part->bytes, part->order); break;
    case SHEAF_PART_TUPLE: sheaf_key_open_tuple(writer, part->order); break;
    case SHEAF_PART_INTEGER:
        if (part->negative) sheaf_key_add_i64(writer, (int64_t)-part->magnitude, part->order);
        else sheaf_key_add_u64(writer, part->magnitude, part->order);
        break;
    case SHEAF_PART_NUMBER: sheaf_key_add_number(writer, part->number, part->order); break;
    case SHEAF_PART_DOUBLE: sheaf_key_add_double(writer, part->floating, part->order); break;
    case SHEAF_PART_BOOL: sheaf_key_add_bool(writer, part->boolean, part->order); break;
    }
}

static void try_tuple(sheaf_bytes bytes)
{
    static uint8_t scratch[SIZE_MAX_TAKEN], written[SIZE_MAX_TAKEN];
    sheaf_key_reader reader;
    sheaf_key_writer writer;
    sheaf_key_part part;
    size_t count = 0;
    sheaf_status status;
    sheaf_key_read(&reader, bytes, scratch, bytes.size);
    sheaf_key_begin(&writer, written, sizeof written);
    for (;;) {
        uint32_t depth = reader.depth;
        size_t begin = bytes.size - reader.rest.size;
        sheaf_bytes prefix;
        if (depth == 0) EXPECT(sheaf_key_prefix(bytes, count, &prefix) == SHEAF_OK && prefix.size == begin, "%zu parts", count);
        status = sheaf_key_next_part(&reader, &part, NULL);
        if (status == SHEAF_NOT_FOUND && depth > 0) {
            sheaf_key_close_tuple(&writer);
        } else if (status == SHEAF_OK) {
            repeat(&writer, &part);
        } else {
            break;
        }
        count += reader.depth == 0;
    }
    EXPECT(status == SHEAF_NOT_FOUND || status == SHEAF_KEY_MALFORMED, "status %d", (int)status);
    sheaf_bytes key;
    EXPECT(sheaf_key_prefix(bytes, count + 1, &key) == status, "%zu parts: read and skipped alike", count + 1);
    if (status != SHEAF_NOT_FOUND) return;
    EXPECT(sheaf_key_end(&writer, &key, NULL) == SHEAF_OK && key.size == bytes.size, "%zu bytes", key.size);
    EXPECT(key.size == 0 || memcmp(key.data, bytes.data, key.size) == 0, "another key");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > SIZE_MAX_TAKEN) return 0;
    sheaf_bytes bytes = sheaf_bytes_of(data, size);
    try_text(bytes);
    try_number_key(bytes);
    try_tuple(bytes);
    return 0;
}
