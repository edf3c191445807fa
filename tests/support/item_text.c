#include "tests/support/item_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/expect.h"

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

struct reader {
    const char *at;
    sheaf_item_builder *builder;
};

static void skip(struct reader *reader)
{
    while (*reader->at == ' ') reader->at++;
}

static bool take(struct reader *reader, char sign)
{
    skip(reader);
    if (*reader->at != sign) return false;
    reader->at++;
    return true;
}

static void read_value(struct reader *reader, sheaf_bytes name);

static void read_elements(struct reader *reader, char close)
{
    if (take(reader, close)) return;
    do read_value(reader, sheaf_bytes_of(NULL, 0));
    while (take(reader, ','));
    EXPECT(take(reader, close), "no %c at %s", close, reader->at);
}

static void read_members(struct reader *reader)
{
    if (take(reader, '}')) return;
    do {
        skip(reader);
        const char *begin = reader->at;
        while (isalnum((unsigned char)*reader->at) || *reader->at == '_') reader->at++;
        sheaf_bytes name = sheaf_bytes_of(begin, (size_t)(reader->at - begin));
        EXPECT(take(reader, ':'), "no : at %s", reader->at);
        read_value(reader, name);
    } while (take(reader, ','));
    EXPECT(take(reader, '}'), "no } at %s", reader->at);
}

static void read_quoted(struct reader *reader, sheaf_bytes name, char quote)
{
    const char *end = strchr(reader->at, quote);
    EXPECT(end, "no closing quote at %s", reader->at);
    sheaf_bytes bytes = sheaf_bytes_of(reader->at, (size_t)(end - reader->at));
    sheaf_item_add(reader->builder, name, sheaf_value_of_bytes(quote == '"' ? SHEAF_TYPE_STRING : SHEAF_TYPE_BINARY, bytes));
    reader->at = end + 1;
}

static void read_set(struct reader *reader, sheaf_bytes name)
{
    skip(reader);
    sheaf_type type = *reader->at == '"'    ? SHEAF_TYPE_STRING_SET
                      : *reader->at == '\'' ? SHEAF_TYPE_BINARY_SET
                                            : SHEAF_TYPE_NUMBER_SET;
    sheaf_item_open(reader->builder, name, type);
    read_elements(reader, '>');
    sheaf_item_close(reader->builder);
}

static void read_number(struct reader *reader, sheaf_bytes name)
{
    sheaf_number number;
    size_t size = strspn(reader->at, "+-.0123456789eE");
    EXPECT(sheaf_number_parse(sheaf_bytes_of(reader->at, size), &number, NULL) == SHEAF_OK, "no value at %s", reader->at);
    sheaf_item_add_number(reader->builder, name, number);
    reader->at += size;
}

static bool take_word(struct reader *reader, const char *word)
{
    if (strncmp(reader->at, word, strlen(word)) != 0) return false;
    reader->at += strlen(word);
    return true;
}

static void read_value(struct reader *reader, sheaf_bytes name)
{
    skip(reader);
    if (take(reader, '{')) {
        sheaf_item_open(reader->builder, name, SHEAF_TYPE_MAP);
        read_members(reader);
        sheaf_item_close(reader->builder);
    } else if (take(reader, '[')) {
        sheaf_item_open(reader->builder, name, SHEAF_TYPE_LIST);
        read_elements(reader, ']');
        sheaf_item_close(reader->builder);
    } else if (take(reader, '<')) {
        read_set(reader, name);
    } else if (take(reader, '"')) {
        read_quoted(reader, name, '"');
    } else if (take(reader, '\'')) {
        read_quoted(reader, name, '\'');
    } else if (take_word(reader, "true")) {
        sheaf_item_add_bool(reader->builder, name, true);
    } else if (take_word(reader, "false")) {
        sheaf_item_add_bool(reader->builder, name, false);
    } else if (take_word(reader, "null")) {
        sheaf_item_add_null(reader->builder, name);
    } else {
        read_number(reader, name);
    }
}

sheaf_bytes item_text_build(sheaf_item_builder *builder, const char *text)
{
    struct reader reader = { text, builder };
    sheaf_bytes record = { NULL, 0 };
    sheaf_detail detail = { .message = "" };
    sheaf_item_begin(builder);
    EXPECT(take(&reader, '{'), "no { at %s", text);
    read_members(&reader);
    skip(&reader);
    EXPECT(*reader.at == 0, "more at %s", reader.at);
    EXPECT(sheaf_item_end(builder, &record, &detail) == SHEAF_OK, "%s: %s", text, detail.message);
    return record;
}

/* ---- printing --------------------------------------------------------------------------------------------------------- */

struct printer {
    char *out;
    size_t size;
};

static void print(struct printer *printer, const void *bytes, size_t size)
{
    EXPECT(printer->size + size < ITEM_TEXT_MAX, "the text is too long");
    if (size > 0) memcpy(printer->out + printer->size, bytes, size);
    printer->size += size;
}

static void print_value(struct printer *printer, sheaf_value value);

static void print_members(struct printer *printer, sheaf_value value, const char *brackets)
{
    sheaf_value_cursor cursor = sheaf_value_begin(value);
    sheaf_bytes name;
    sheaf_value member;
    print(printer, brackets, 1);
    for (bool first = true; sheaf_value_next(&cursor, &name, &member); first = false) {
        if (!first) print(printer, ",", 1);
        if (value.type == SHEAF_TYPE_MAP) {
            print(printer, name.data, name.size);
            print(printer, ":", 1);
        }
        print_value(printer, member);
    }
    print(printer, brackets + 1, 1);
}

static void print_value(struct printer *printer, sheaf_value value)
{
    char text[SHEAF_NUMBER_TEXT_SIZE_MAX];
    switch (value.type) {
    case SHEAF_TYPE_STRING:
    case SHEAF_TYPE_BINARY:
        print(printer, value.type == SHEAF_TYPE_STRING ? "\"" : "'", 1);
        print(printer, value.bytes.data, value.bytes.size);
        print(printer, value.type == SHEAF_TYPE_STRING ? "\"" : "'", 1);
        break;
    case SHEAF_TYPE_NUMBER: print(printer, text, sheaf_number_print(sheaf_value_number(value), text)); break;
    case SHEAF_TYPE_BOOL: print(printer, value.boolean ? "true" : "false", value.boolean ? 4 : 5); break;
    case SHEAF_TYPE_NULL: print(printer, "null", 4); break;
    case SHEAF_TYPE_MAP: print_members(printer, value, "{}"); break;
    case SHEAF_TYPE_LIST: print_members(printer, value, "[]"); break;
    case SHEAF_TYPE_STRING_SET:
    case SHEAF_TYPE_NUMBER_SET:
    case SHEAF_TYPE_BINARY_SET: print_members(printer, value, "<>"); break;
    }
}

void item_text_print(sheaf_bytes record, char out[ITEM_TEXT_MAX])
{
    struct printer printer = { out, 0 };
    print_value(&printer, sheaf_item_value(record));
    out[printer.size] = 0;
}
