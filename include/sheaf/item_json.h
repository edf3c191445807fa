/*
 * item_json.h - items as JSON: DynamoDB's, in which each value names its type, and plain JSON.
 *
 *     SHEAF_JSON_DYNAMODB    {"id":{"S":"a"},"n":{"N":"1.1"},"raw":{"B":"AAE="},"tags":{"SS":["x","y"]},"at":{"M":{}}}
 *     SHEAF_JSON_PLAIN       {"id":"a","n":1.1,"raw":"AAE=","tags":["x","y"],"at":{}}
 *
 * Numbers are decimals on the way in and on the way out, never binary ones: 1.10 is 1.1, 38 digits stay 38 digits, and
 * 1e400 is refused. Read from plain JSON a string is S, a number N, true and false BOOL, null NULL, an array L and an
 * object M; so what was a B or a set comes back as a string or a list.
 *
 * Rules and messages are DynamoDB's (AWS, "DynamoDB low-level API"; what it answers to malformed requests). JSON of the
 * wrong kinds, for which it answers SerializationException, is SHEAF_JSON_MALFORMED; that is told before anything else,
 * wherever in the text. All other refusals are its ValidationException; of those the first is told.
 *
 * Thread rule: as item.h says: any thread, any time, a builder being one thread's.
 */
#ifndef SHEAF_ITEM_JSON_H
#define SHEAF_ITEM_JSON_H

#include <stddef.h>

#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/item.h>
#include <sheaf/status.h>

SHEAF_BEGIN_DECLARATIONS

/** How types are told. */
typedef enum sheaf_json_form {
    SHEAF_JSON_DYNAMODB = 0, /**< by a member of an object around each value */
    SHEAF_JSON_PLAIN         /**< by the kind of JSON value */
} sheaf_json_form;

/** Room for the message of a refusal, its NUL included; a longer one is cut. */
#define SHEAF_JSON_MESSAGE_SIZE 256

/** Why a text was refused. */
typedef struct sheaf_json_fault {
    size_t offset;                         /**< in bytes from the start of the text, where it was noticed */
    char message[SHEAF_JSON_MESSAGE_SIZE]; /**< as DynamoDB words it where it does, closed by a NUL */
} sheaf_json_fault;

/**
 * Reads an item, or any other object from names to values (the values of an expression, say).
 *
 * In DynamoDB's form members of a value that are no type, and those that are null, are as if they were not there. Of a
 * name, or a type, that an object has twice neither is taken: it is refused. Half of a surrogate pair becomes "?". A text that
 * nests deeper than 200 levels is refused as an item that does, wherever else it is wrong.
 *
 * @param      builder          What it was building is forgotten, and its last record is gone. Memory is from its allocator.
 * @param      text             UTF-8: one JSON object, blanks around it allowed.
 * @param[out] out_record_view  As of sheaf_item_end().
 * @param[out] out_fault        May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_NO_MEMORY
 * @retval SHEAF_JSON_MALFORMED     No JSON, or a kind of value where DynamoDB asks for another, or a B that is no base64.
 * @retval SHEAF_ITEM_REFUSED       No type or more than one; and as sheaf_item_end() says.
 * @retval SHEAF_NUMBER_MALFORMED   These as sheaf_number_parse() says.
 * @retval SHEAF_NUMBER_TOO_LONG
 * @retval SHEAF_NUMBER_OVERFLOW
 * @retval SHEAF_NUMBER_UNDERFLOW
 * @retval SHEAF_TEXT_MALFORMED     These as sheaf_item_end() says.
 * @retval SHEAF_EXISTS
 * @retval SHEAF_VALUE_TOO_LARGE
 * @retval SHEAF_INVALID_ARGUMENT   This build of the library reads no JSON.
 * @par Cost  O(size), and sorting names. Nesting takes no stack.
 */
SHEAF_API sheaf_status sheaf_item_read_json(sheaf_item_builder *builder, sheaf_bytes text, sheaf_json_form form,
                                            sheaf_bytes *out_record_view, sheaf_json_fault *out_fault);

/**
 * Writes an item without blanks: attributes of the key first, then those of the record by name; members of sets in their
 * order. What is not ASCII is written as it is, control characters as escapes. No NUL is written.
 *
 * @param[out] out_text  Room for @p capacity bytes. May be NULL if that is 0.
 * @param[out] out_size  How many it takes; also set if the room was too small, and what is in it is then of no use.
 * @retval SHEAF_OK
 * @retval SHEAF_BUFFER_TOO_SMALL
 * @par Cost  O(size). Allocates nothing.
 */
SHEAF_API sheaf_status sheaf_item_write_json(const sheaf_item *item, sheaf_json_form form, char *out_text, size_t capacity,
                                             size_t *out_size);

/** Writes a value; otherwise as sheaf_item_write_json(). */
SHEAF_API sheaf_status sheaf_value_write_json(sheaf_value value, sheaf_json_form form, char *out_text, size_t capacity,
                                              size_t *out_size);

SHEAF_END_DECLARATIONS

#endif
