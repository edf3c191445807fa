/*
 * status.h - how a call ends, and the record that says why it was refused.
 *
 * A status is a condition the caller can act on; a broken invariant inside the library is an assertion, never a status. A call
 * that does not return SHEAF_OK has changed nothing and has left its out parameters as they were, the detail record apart.
 *
 * Thread rule: these functions may be called by any thread at any time.
 */
#ifndef SHEAF_STATUS_H
#define SHEAF_STATUS_H

#include <stdint.h>

#include <sheaf/export.h>

SHEAF_BEGIN_DECLARATIONS

/** The ways a call can end. Each function lists those it can return. */
typedef enum sheaf_status {
    SHEAF_OK = 0,           /**< Done. */
    SHEAF_NOT_FOUND,        /**< No such entry, item collection or position. */
    SHEAF_EXISTS,           /**< There is one already where there must be none. */
    SHEAF_NO_MEMORY,        /**< The allocator refused; everything is as it was before the call. */
    SHEAF_KEY_EMPTY,        /**< A key of zero bytes where the store does not allow one. */
    SHEAF_KEY_TOO_LONG,     /**< A key longer than the store's limit. */
    SHEAF_VALUE_TOO_LARGE,  /**< A value larger than the store's limit. */
    SHEAF_RANGE_INVERTED,   /**< The lower bound of a range lies above its upper bound. */
    SHEAF_OUT_OF_ORDER,     /**< A bulk build was given a key that is not above the one before. */
    SHEAF_INVALID_ARGUMENT, /**< An option or argument outside its domain; the detail record names it. */
    SHEAF_OVER_BUDGET,      /**< The store would hold more memory than its budget; everything is as it was before the call. */
    SHEAF_READ_ONLY,        /**< A write to the store of a view, which is only for reading. */
    SHEAF_BUFFER_TOO_SMALL, /**< What was to be copied is larger than the caller's buffer; its size is told. */
    SHEAF_NUMBER_MALFORMED, /**< Text that is no decimal number. */
    SHEAF_NUMBER_TOO_LONG,  /**< A number of more than 38 significant digits. */
    SHEAF_NUMBER_OVERFLOW,  /**< A number whose magnitude is too large, or a result that has no exact form. */
    SHEAF_NUMBER_UNDERFLOW, /**< A number other than zero whose magnitude is too small. */
    SHEAF_TEXT_MALFORMED,   /**< Text that is not UTF-8. */
    SHEAF_KEY_MALFORMED,    /**< Bytes that are no key of the form asked for, or not the one way to write it. */
    SHEAF_LAYOUT_MALFORMED, /**< Text that is no layout; the fault says where. */
    SHEAF_SEGMENT_REFUSED,  /**< A field's value that its segment of a key cannot hold without sorting wrongly. */
    SHEAF_ITEM_MALFORMED,   /**< Bytes that are no record of an item, or not the one way to write it. */
    SHEAF_ITEM_REFUSED,     /**< An item that breaks a rule of items; the message says which. */
    SHEAF_EXPRESSION_REFUSED, /**< An expression that DynamoDB refuses, by itself or with its values or item; the fault says why. */
    SHEAF_JSON_MALFORMED    /**< Text that is no JSON, or JSON of other kinds than asked for; the fault says where. */
} sheaf_status;

/** What a refusal is about. */
typedef enum sheaf_field {
    SHEAF_FIELD_NONE = 0,
    SHEAF_FIELD_PARTITION_KEY,
    SHEAF_FIELD_SORT_KEY,
    SHEAF_FIELD_VALUE,
    SHEAF_FIELD_RANGE,
    SHEAF_FIELD_POSITION,  /**< the position a page starts from */
    SHEAF_FIELD_PREFIX,
    SHEAF_FIELD_DELIMITER,
    SHEAF_FIELD_LIMIT,
    SHEAF_FIELD_OPTION,    /**< an option of sheaf_store_create(); the message names it */
    SHEAF_FIELD_KEY_BUFFER, /**< the buffer a cursor assembles keys in */
    SHEAF_FIELD_BUDGET,    /**< the store's memory, `size` being what it would have come to */
    SHEAF_FIELD_VIEW,
    SHEAF_FIELD_NUMBER,
    SHEAF_FIELD_TEXT,
    SHEAF_FIELD_LAYOUT,  /**< the text of a layout */
    SHEAF_FIELD_SEGMENT, /**< a part of a key, made of one field */
    SHEAF_FIELD_ITEM,
    SHEAF_FIELD_ATTRIBUTE /**< the name of an attribute */
} sheaf_field;

/** Why a call was refused. Written only when the call does not return SHEAF_OK. */
typedef struct sheaf_detail {
    sheaf_field field;  /**< what the refusal is about */
    uint64_t size;      /**< the size met, in bytes (0 where sizes play no part) */
    uint64_t limit;     /**< the limit it passed, in bytes (0 where there is none) */
    const char *message; /**< an English sentence without a final stop; static, never freed */
} sheaf_detail;

/** The name of @p status as written in C, e.g. "SHEAF_KEY_EMPTY"; "SHEAF_?" for a value that is none. Static. */
SHEAF_API const char *sheaf_status_name(sheaf_status status);

/** One English sentence, without a final stop, on what @p status means. Static, never NULL. */
SHEAF_API const char *sheaf_status_message(sheaf_status status);

/** The name of @p field in words, e.g. "sort key". Static, never NULL. */
SHEAF_API const char *sheaf_field_name(sheaf_field field);

SHEAF_END_DECLARATIONS

#endif
