/*
 * item.h - an item: attributes by name, as one slice of bytes that is read in place.
 *
 *     record     | version 1 | members of a map |
 *
 *     members    | count | member | member | ...         sorted by the bytes of their names, each name once
 *     member     | kind, name size | (name size) | name | value |
 *     elements   | count | element | element | ...       of a list in their order, of a set sorted, each once
 *     element    | kind, 0 | value |                     in a set the kind is known: | value |
 *
 *     value      S, B              | size | bytes |
 *                N                 | the key of number.h, which ends itself |
 *                BOOL, NULL        nothing: false, true and null are kinds
 *                M                 | size of what follows | members |
 *                L, SS, NS, BS     | size of what follows | elements |
 *
 *     kind, name size   one byte: the kind in its upper half; in the lower the size of the name, where 15 says that a size follows
 *     size, count       0 to 247: one byte. 248 + h, l: two bytes, for 248 + 256 h + l, h up to 6. 255, then three bytes, the highest
 *                       first. Always the shortest
 *
 * So a member takes 2 bytes beside its name and what DynamoDB counts for its value: where that has fewer than 248 bytes, and
 * the name fewer than 15. Equal items are equal bytes: one value, one encoding. To find a member others are stepped over, not
 * decoded, and names in order say where to stop.
 *
 * A key attribute is not in the record: it is in the key. A reader that may be asked for one is given it beside the record
 * (sheaf_item).
 *
 * Rules are DynamoDB's (AWS, "Naming rules and data types", "Item sizes and formats"): sets are not empty and hold nothing
 * twice (numbers by value); other values may be empty; nesting to 32 levels, the attribute's own value being the first.
 *
 * Thread rule: records and values are bytes; these functions look at nothing else: any thread, any time. A builder belongs to
 * one thread at a time.
 */
#ifndef SHEAF_ITEM_H
#define SHEAF_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/allocator.h>
#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/number.h>
#include <sheaf/status.h>

SHEAF_BEGIN_DECLARATIONS

/** Levels of values within values. */
#define SHEAF_ITEM_DEPTH_MAX 32
/** The most an item can be, names and values as sheaf_item_size() counts: 400 KiB. */
#define SHEAF_ITEM_SIZE_MAX 409600
/** The longest name of an attribute, in bytes. */
#define SHEAF_ATTRIBUTE_NAME_SIZE_MAX 65535

/** What a value is; in the order of DynamoDB's type letters S, N, B, BOOL, NULL, M, L, SS, NS, BS. */
typedef enum sheaf_type {
    SHEAF_TYPE_STRING = 0,
    SHEAF_TYPE_NUMBER,
    SHEAF_TYPE_BINARY,
    SHEAF_TYPE_BOOL,
    SHEAF_TYPE_NULL,
    SHEAF_TYPE_MAP,
    SHEAF_TYPE_LIST,
    SHEAF_TYPE_STRING_SET,
    SHEAF_TYPE_NUMBER_SET,
    SHEAF_TYPE_BINARY_SET
} sheaf_type;

/** DynamoDB's letters for @p type: "S", "BOOL", "SS". Static. */
SHEAF_API const char *sheaf_type_letters(sheaf_type type);

/* ---- values -------------------------------------------------------------------------------------------------------------- */

/**
 * A value, as a view of the record it lies in: it lives as long as those bytes.
 *
 * `bytes` of S and B is the value itself; of N the key of a number; of M, L and sets the members or elements as they are
 * encoded.
 */
typedef struct sheaf_value {
    sheaf_type type;
    bool boolean;      /**< SHEAF_TYPE_BOOL */
    sheaf_bytes bytes; /**< empty for BOOL and NULL */
} sheaf_value;

static inline sheaf_value sheaf_value_of_bytes(sheaf_type type, sheaf_bytes bytes)
{
    sheaf_value value;
    value.type = type;
    value.boolean = false;
    value.bytes = bytes;
    return value;
}

/** The value of a whole record: a map. @p record must be sound (sheaf_item_check()). */
SHEAF_API sheaf_value sheaf_item_value(sheaf_bytes record);

/** The number that an N is. */
SHEAF_API sheaf_number sheaf_value_number(sheaf_value value);

/** How many members or elements a map, list or set has; 0 of others. Cost: O(1). */
SHEAF_API size_t sheaf_value_count(sheaf_value value);

/** A position among the members of a map or the elements of a list or set. Its members are its own business. */
typedef struct sheaf_value_cursor {
    sheaf_bytes rest;
    size_t left;
    sheaf_type type;
} sheaf_value_cursor;

/** Stands before the first of @p value, which is a map, list or set; of other values nothing comes. */
SHEAF_API sheaf_value_cursor sheaf_value_begin(sheaf_value value);

/**
 * The next member or element. False: there is none.
 *
 * @param[out] out_name   May be NULL. Empty for elements.
 */
SHEAF_API bool sheaf_value_next(sheaf_value_cursor *cursor, sheaf_bytes *out_name, sheaf_value *out_value);

/** The member of a map with this name. False: none, or no map. Cost: O(members before it). */
SHEAF_API bool sheaf_value_member(sheaf_value map, sheaf_bytes name, sheaf_value *out_value);

/** Element @p index of a list, from 0. False: it has fewer, or is no list. Cost: O(index). */
SHEAF_API bool sheaf_value_element(sheaf_value list, size_t index, sheaf_value *out_value);

/** Whether a set has a member that equals @p value, of the type of its members. Cost: O(members). */
SHEAF_API bool sheaf_value_set_has(sheaf_value set, sheaf_value value);

/** Whether two values are the same: type and all that is in them. Cost: O(size). */
SHEAF_API bool sheaf_value_equal(sheaf_value left, sheaf_value right);

/**
 * The order of two strings, two numbers or two binaries: less than, equal to or greater than 0.
 *
 * @retval true   They have an order; @p out_order is set.
 * @retval false  They are of two types, or of one that has no order.
 */
SHEAF_API bool sheaf_value_compare(sheaf_value left, sheaf_value right, int *out_order);

/** What DynamoDB counts for a value, in bytes: a list 3, and 1 for each element beside its own size; and so on. Cost: O(values
 *  in it). */
SHEAF_API size_t sheaf_value_size(sheaf_value value);

/* ---- items --------------------------------------------------------------------------------------------------------------- */

/** An attribute beside a record: one of the key. */
typedef struct sheaf_attribute {
    sheaf_bytes name;
    sheaf_value value;
} sheaf_attribute;

/** An item: a record, and the attributes that its key has. Borrows all of it. */
typedef struct sheaf_item {
    sheaf_bytes record;
    const sheaf_attribute *keys; /**< may be NULL with a count of 0 */
    size_t key_count;            /**< at most 2 for a table; more for indexes */
} sheaf_item;

/** An attribute of an item, be it of the key or of the record. */
SHEAF_API bool sheaf_item_attribute(const sheaf_item *item, sheaf_bytes name, sheaf_value *out_value);

/** What DynamoDB counts for an item: names and values, the key's included. Cost: O(values in it). */
SHEAF_API size_t sheaf_item_size(const sheaf_item *item);

/**
 * Whether bytes from outside are a record, of which every function here may be asked anything.
 *
 * @param[out] out_detail  May be NULL; `size` is the offset of what is wrong.
 * @retval SHEAF_OK
 * @retval SHEAF_ITEM_MALFORMED
 * @par Cost  O(size).
 */
SHEAF_API sheaf_status sheaf_item_check(sheaf_bytes record, sheaf_detail *out_detail);

/* ---- building ------------------------------------------------------------------------------------------------------------ */

typedef struct sheaf_item_builder sheaf_item_builder;

/**
 * Makes a builder, which may build any number of items, one after the other, in memory that it keeps.
 *
 * @param      allocator    NULL: the built-in backend.
 * @retval SHEAF_OK
 * @retval SHEAF_NO_MEMORY
 */
SHEAF_API sheaf_status sheaf_item_builder_create(const sheaf_allocator *allocator, sheaf_item_builder **out_builder);

/** NULL is fine. */
SHEAF_API void sheaf_item_builder_destroy(sheaf_item_builder *builder);

/** Begins an item of no attributes; what was begun before is forgotten, and records built before are gone. */
SHEAF_API void sheaf_item_begin(sheaf_item_builder *builder);

/**
 * Adds a value: to the map that is open under @p name (members come in any order), to a list or set at its end. The item
 * itself is the outermost map. What is refused makes the whole item refused: sheaf_item_end() tells, and what is added after
 * it does nothing.
 *
 * @p value may be of another record: maps, lists and sets are copied with all that is in them. It must not lie in what this
 * builder is building.
 */
SHEAF_API void sheaf_item_add(sheaf_item_builder *builder, sheaf_bytes name, sheaf_value value);

/** Adds a number. */
SHEAF_API void sheaf_item_add_number(sheaf_item_builder *builder, sheaf_bytes name, sheaf_number number);

/** Adds a boolean. */
SHEAF_API void sheaf_item_add_bool(sheaf_item_builder *builder, sheaf_bytes name, bool boolean);

/** Adds null. */
SHEAF_API void sheaf_item_add_null(sheaf_item_builder *builder, sheaf_bytes name);

/** Opens a map, list or set as a value: what is added until it is closed is in it. */
SHEAF_API void sheaf_item_open(sheaf_item_builder *builder, sheaf_bytes name, sheaf_type type);

/** Closes what was opened last. */
SHEAF_API void sheaf_item_close(sheaf_item_builder *builder);

/**
 * Ends an item.
 *
 * @param[out] out_record_view  Lives until the next item is begun, or the builder destroyed.
 * @param[out] out_detail       May be NULL. The messages are DynamoDB's where it has one.
 * @retval SHEAF_OK
 * @retval SHEAF_NO_MEMORY
 * @retval SHEAF_TEXT_MALFORMED    A string or a name is not UTF-8.
 * @retval SHEAF_EXISTS            A name twice in a map, or a member twice in a set.
 * @retval SHEAF_ITEM_REFUSED      An empty set, a set with members of another type, a name too long, nesting too deep, something
 *                                 still open.
 * @retval SHEAF_VALUE_TOO_LARGE   The record is larger than 16 MiB. (SHEAF_ITEM_SIZE_MAX is for whoever stores it, with its
 *                                 key.)
 */
SHEAF_API sheaf_status sheaf_item_end(sheaf_item_builder *builder, sheaf_bytes *out_record_view, sheaf_detail *out_detail);

SHEAF_END_DECLARATIONS

#endif
