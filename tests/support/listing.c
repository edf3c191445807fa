#include "tests/support/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/expect.h"
#include "tests/support/model.h"

enum { TEXT_SIZE = 4096, TEXT_COUNT = 8 };

struct text {
    char bytes[TEXT_SIZE];
    size_t size;
};

static struct text *fresh_text(void)
{
    static struct text texts[TEXT_COUNT];
    static size_t used;
    struct text *text = &texts[used++ % TEXT_COUNT];
    text->size = 0;
    text->bytes[0] = 0;
    return text;
}

static void write_key(struct text *text, sheaf_bytes key)
{
    if (text->size > 0) text->bytes[text->size++] = ' ';
    for (size_t i = 0; i < key.size; i++) {
        EXPECT(text->size + 8 < TEXT_SIZE, "a listing is short");
        uint8_t byte = key.data[i];
        bool plain = byte > ' ' && byte < 0x7F && byte != '\\';
        if (plain) text->bytes[text->size++] = (char)byte;
        else text->size += (size_t)sprintf(text->bytes + text->size, "\\x%02X", byte);
    }
    text->bytes[text->size] = 0;
}

static int hex_digit(char digit)
{
    return digit <= '9' ? digit - '0' : digit - 'A' + 10;
}

/* Reads one key; returns what follows it, NULL at the end. */
static const char *read_key(const char *text, uint8_t *buffer, sheaf_bytes *out_key)
{
    size_t size = 0;
    while (*text && *text != ' ') {
        if (*text == '\\') {
            buffer[size++] = (uint8_t)(hex_digit(text[2]) * 16 + hex_digit(text[3]));
            text += 4;
        } else {
            buffer[size++] = (uint8_t)*text++;
        }
    }
    *out_key = sheaf_bytes_of(buffer, size);
    return *text ? text + 1 : NULL;
}

/* "=" and the key. */
static sheaf_bytes value_of(sheaf_bytes key, uint8_t *buffer)
{
    buffer[0] = '=';
    if (key.size > 0) memcpy(buffer + 1, key.data, key.size);
    return sheaf_bytes_of(buffer, key.size + 1);
}

void shelf_put(sheaf_store *store, const char *keys)
{
    uint8_t key_bytes[TEXT_SIZE], value_bytes[TEXT_SIZE + 1];
    for (const char *at = *keys ? keys : NULL; at;) {
        sheaf_bytes key;
        at = read_key(at, key_bytes, &key);
        EXPECT(sheaf_store_put(store, SHELF, key, value_of(key, value_bytes), NULL, NULL) == SHEAF_OK, "put in \"%s\"", keys);
    }
}

sheaf_store *shelf_of(const char *keys)
{
    sheaf_store *store = NULL;
    EXPECT(sheaf_store_create(NULL, &store, NULL) == SHEAF_OK, "a store of built-in memory");
    shelf_put(store, keys);
    return store;
}

void shelf_delete(sheaf_store *store, const char *key_text_)
{
    uint8_t key_bytes[TEXT_SIZE];
    sheaf_bytes key;
    (void)read_key(key_text_, key_bytes, &key);
    EXPECT(sheaf_store_delete(store, SHELF, key, NULL) == SHEAF_OK, "\"%s\" is there", key_text_);
}

sheaf_page page_of(const sheaf_store *store, sheaf_page_request request)
{
    sheaf_page page;
    sheaf_status status = sheaf_page_read(store, SHELF, &request, &page, NULL);
    EXPECT(status == SHEAF_OK, "a page gave %s", sheaf_status_name(status));
    return page;
}

const char *page_listed(const sheaf_page *page)
{
    struct text *text = fresh_text();
    for (size_t i = 0; i < page->count; i++) write_key(text, page->entries[i].key);
    return text->bytes;
}

/* Walks the range with a cursor, forward from its start or in reverse from its end. */
static const char *walked(const sheaf_store *store, const sheaf_range *range, sheaf_direction direction, uint64_t *out_count)
{
    struct text *text = fresh_text();
    uint8_t value_bytes[TEXT_SIZE + 1];
    sheaf_cursor cursor;
    EXPECT(sheaf_cursor_open(&cursor, store, SHELF, range, NULL) == SHEAF_OK, "opening a cursor");
    bool forward = direction == SHEAF_FORWARD;
    bool at = forward ? sheaf_cursor_first(&cursor) : sheaf_cursor_last(&cursor);
    for (*out_count = 0; at; at = forward ? sheaf_cursor_next(&cursor) : sheaf_cursor_previous(&cursor)) {
        write_key(text, cursor.key);
        EXPECT(model_same(cursor.value, value_of(cursor.key, value_bytes)), "the value of \"%s\"", text->bytes);
        ++*out_count;
    }
    return text->bytes;
}

const char *listed(const sheaf_store *store, sheaf_range range, sheaf_direction direction)
{
    uint64_t count = 0;
    const char *text = walked(store, &range, direction, &count);
    sheaf_totals totals = { 0, 0 };
    EXPECT(sheaf_range_total(store, SHELF, &range, &totals, NULL) == SHEAF_OK, "the total of \"%s\"", text);
    EXPECT(totals.count == count, "count gives %d, the list \"%s\"", (int)totals.count, text);
    sheaf_page page = page_of(store, (sheaf_page_request){ .range = range, .direction = direction, .limit = UINT64_MAX });
    EXPECT(strcmp(page_listed(&page), text) == 0, "a page gives \"%s\", a cursor \"%s\"", page_listed(&page), text);
    sheaf_page_release(&page);
    return text;
}

const char *key_text(sheaf_bytes key)
{
    struct text *text = fresh_text();
    write_key(text, key);
    return text->bytes;
}

const char *cursor_text(const sheaf_cursor *cursor)
{
    return sheaf_cursor_valid(cursor) ? key_text(cursor->key) : "-";
}
