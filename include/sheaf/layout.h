/*
 * layout.h - how fields become a partition key and a sort key, how keys become fields again, and what to ask for by fields.
 *
 *     pk = "SEASON#{season}", sk = "{score:pad(10)}#{time:pad(16)}#{player}"
 *
 *     season 2026-SPRING, score 1500, time 1719100800, player p_8842
 *       -> SEASON#2026-SPRING     0000001500#0000001719100800#p_8842
 *     score between 100 and 200
 *       -> from 0000000100# through everything that starts with 0000000200#
 *
 * One line of text, compiled once. The grammar, in which white space may stand between any two signs outside quotes:
 *
 *     layout  = line { ("," | ";" | newline) line }      at most one line of each name
 *     line    = ("pk" | "sk") "=" key
 *     key     = '"' { literal | "{{" | "}}" | "\"" | "\\" | field } '"'      text (S): segments joined by literals
 *             | "(" part { "," part } ")"                                     binary (B): the tuples of key.h
 *             | name ":" "number"                                             number (N): the keys of number.h
 *     field   = "{" name [ ":" form ] "}"
 *     form    = "text"                                what is not said otherwise
 *             | "raw" | "escape"
 *             | "pad(" W ")" | "invert(" W ")" | "signed(" W ")"
 *             | "decimal(" W "," D ")" | "signed(" W "," D ")"
 *             | "time" [ "(ms)" | "(us)" ]
 *             | "epoch(s)" | "epoch(ms)" | "epoch(us)"
 *             | "path(" byte ")"
 *     part    = name ":" type [ "desc" ]
 *     type    = "u64" | "i64" | "double" | "number" | "text" | "bytes" | "bool"
 *     name    = bytes other than { } : " ( ) , and white space, at least one
 *
 * The forms are those of segment.h; "decimal" is its pad with digits behind the point, W counts those before it. In quotes
 * the doubled brace is a brace, the backslash takes away the meaning of a quote or a backslash.
 *
 * Parts of tuples are whole numbers of 64 bits, doubles (decimal, with an exponent or without, or `inf` and `-inf`; to the
 * nearest), numbers as number.h reads them, `true` and `false`, UTF-8 text and any bytes; these two may be empty. They sort
 * ascending, or with "desc" descending, and need no delimiters and no width. A number key is what DynamoDB sorts by where a
 * key is N.
 *
 * Errors instead of wrong order. The byte a text field is delimited by is the first one of the literal behind it, an ASCII
 * one: values with bytes at or below it are refused. Two fields without a literal between need the first to be of fixed
 * size: refused when the layout is made, otherwise ("ab" and "c" would be "a" and "bc"). A path is the last of its key. A
 * field is named once in a key; it may be in both.
 *
 * Thread rule: a layout never changes once it is made: any number of threads may use it at once, and none may while it is
 * destroyed. Only making one allocates.
 */
#ifndef SHEAF_LAYOUT_H
#define SHEAF_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/allocator.h>
#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/limits.h>
#include <sheaf/path.h>
#include <sheaf/range.h>
#include <sheaf/segment.h>
#include <sheaf/status.h>

SHEAF_BEGIN_DECLARATIONS

typedef struct sheaf_layout sheaf_layout;

/** The most literals and fields a layout can have; a doubled brace and a backslash each begin a literal. Keys of 1024 bytes
 *  have no use for more. */
#define SHEAF_LAYOUT_PART_MAX 64

/** No field: a fault that concerns none. */
#define SHEAF_LAYOUT_NO_FIELD SIZE_MAX

/** Which of the two keys. */
typedef enum sheaf_layout_key { SHEAF_LAYOUT_PARTITION_KEY = 0, SHEAF_LAYOUT_SORT_KEY } sheaf_layout_key;

/** What a key is to DynamoDB. */
typedef enum sheaf_layout_type {
    SHEAF_LAYOUT_NONE = 0, /**< the layout says nothing of this key */
    SHEAF_LAYOUT_TEXT,     /**< S. UTF-8, but for what `escape` lets through */
    SHEAF_LAYOUT_BINARY,   /**< B */
    SHEAF_LAYOUT_NUMBER    /**< N */
} sheaf_layout_type;

/** How keys that are alike up to a field stand by it. */
typedef enum sheaf_layout_order {
    SHEAF_LAYOUT_UNORDERED = 0, /**< raw: as it happens */
    SHEAF_LAYOUT_ASCENDING,
    SHEAF_LAYOUT_DESCENDING /**< inverted numbers, and parts of tuples that are so */
} sheaf_layout_order;

/** Options of a layout. Zeroed is right for most. */
typedef struct sheaf_layout_options {
    const sheaf_allocator *allocator; /**< NULL: the built-in backend. Copied. */
    size_t partition_key_size_max;    /**< 0: SHEAF_PARTITION_KEY_SIZE_MAX; at most SHEAF_PARTITION_KEY_SIZE_HARD */
    size_t sort_key_size_max;         /**< 0: SHEAF_SORT_KEY_SIZE_MAX; at most SHEAF_SORT_KEY_SIZE_HARD */
} sheaf_layout_options;

/** Where and why a layout, a value or a key was refused. Written only when a call does not return SHEAF_OK. */
typedef struct sheaf_layout_fault {
    sheaf_field field;   /**< SHEAF_FIELD_LAYOUT: the text of the layout. Else the key, or _OPTION */
    size_t column;       /**< in that text, in bytes from 1: of the mistake, or of the field concerned; 0: of none */
    size_t segment;      /**< the field concerned, as sheaf_layout_field_name_view() counts; SHEAF_LAYOUT_NO_FIELD: none */
    uint64_t size;       /**< what was met: of values as segment.h says, of keys and buffers bytes, of a key read the place */
    uint64_t limit;      /**< what it passed; 0 where there is no limit */
    sheaf_bytes value_view; /**< what was refused: of the caller's text, value or key */
    const char *message; /**< an English sentence without a final stop; static, never freed */
} sheaf_layout_fault;

/**
 * Compiles a layout.
 *
 * @param      text       Copied. UTF-8.
 * @param      options    NULL for the defaults.
 * @param[out] out_layout Ends with sheaf_layout_destroy().
 * @param[out] out_fault  May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_LAYOUT_MALFORMED  The fault has the column.
 * @retval SHEAF_NO_MEMORY
 * @retval SHEAF_INVALID_ARGUMENT  An option above its hard limit, or an allocator without a resize function.
 * @par Cost  O(text size). One block of some kilobytes.
 */
SHEAF_API sheaf_status sheaf_layout_create(sheaf_bytes text, const sheaf_layout_options *options, sheaf_layout **out_layout,
                                           sheaf_layout_fault *out_fault);

/** NULL is fine. */
SHEAF_API void sheaf_layout_destroy(sheaf_layout *layout);

/* ---- what it is made of --------------------------------------------------------------------------------------------- */

/** How many fields it has: distinct names, in the order in which they first appear. Cost: O(1). */
SHEAF_API size_t sheaf_layout_field_count(const sheaf_layout *layout);

/** The name of field @p index, below sheaf_layout_field_count(); empty for others. Lives as long as the layout. Cost:
 *  O(1). */
SHEAF_API sheaf_bytes sheaf_layout_field_name_view(const sheaf_layout *layout, size_t index);

/** The field of this name; SHEAF_LAYOUT_NO_FIELD if there is none. Cost: O(fields). */
SHEAF_API size_t sheaf_layout_find_field(const sheaf_layout *layout, sheaf_bytes name);

/** What kind of key it makes. Cost: O(1). */
SHEAF_API sheaf_layout_type sheaf_layout_key_type(const sheaf_layout *layout, sheaf_layout_key which);

/** How many fields a key is made of; 0 if it has none. Cost: O(parts). */
SHEAF_API size_t sheaf_layout_key_field_count(const sheaf_layout *layout, sheaf_layout_key which);

/** Number @p place among the fields of a key, from 0 in the order of the key; SHEAF_LAYOUT_NO_FIELD behind the last. Cost:
 *  O(parts). */
SHEAF_API size_t sheaf_layout_key_field(const sheaf_layout *layout, sheaf_layout_key which, size_t place);

/** How keys stand by that field. UNORDERED behind the last. Cost: O(parts). */
SHEAF_API sheaf_layout_order sheaf_layout_key_field_order(const sheaf_layout *layout, sheaf_layout_key which, size_t place);

/** The longest key it makes: its option, in bytes. Cost: O(1). */
SHEAF_API size_t sheaf_layout_key_size_max(const sheaf_layout *layout, sheaf_layout_key which);

/* ---- fields to keys and back ---------------------------------------------------------------------------------------- */

/**
 * Makes a key of fields.
 *
 * @param      values    values[i] is field i, as text (segment.h says how numbers and times are written). Those of this
 *                       key are looked at.
 * @param      buffer    Room for the key: sheaf_layout_key_size_max() bytes are enough.
 * @param[out] out_key   Lies in @p buffer.
 * @param[out] out_fault May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_SEGMENT_REFUSED, SHEAF_NUMBER_MALFORMED, SHEAF_TEXT_MALFORMED  A value, as sheaf_segment_write() says.
 * @retval SHEAF_KEY_TOO_LONG      The fault has the first field that passes the limit.
 * @retval SHEAF_BUFFER_TOO_SMALL
 * @retval SHEAF_INVALID_ARGUMENT  The layout has no such key.
 * @par Cost  O(key size), no allocation.
 */
SHEAF_API sheaf_status sheaf_layout_encode(const sheaf_layout *layout, sheaf_layout_key which, const sheaf_bytes *values,
                                           void *buffer, size_t capacity, sheaf_bytes *out_key,
                                           sheaf_layout_fault *out_fault);

/** Room that sheaf_layout_decode() never finds too small for a key of @p key_size bytes. */
SHEAF_API size_t sheaf_layout_decode_size(const sheaf_layout *layout, sheaf_layout_key which, size_t key_size);

/**
 * The inverse: takes a key apart. It takes exactly the keys that sheaf_layout_encode() makes; encoding what it gives makes
 * the same key again.
 *
 * @param      buffer      Where the texts go.
 * @param[out] out_values  out_values[i] is field i; those of this key are set, on success only. They lie in @p buffer.
 * @param[out] out_fault   May be NULL. `size`: the place in the key.
 * @retval SHEAF_OK
 * @retval SHEAF_KEY_MALFORMED     No key of this layout.
 * @retval SHEAF_KEY_TOO_LONG      Nor this.
 * @retval SHEAF_BUFFER_TOO_SMALL
 * @retval SHEAF_INVALID_ARGUMENT  The layout has no such key.
 * @par Cost  O(key size), no allocation.
 */
SHEAF_API sheaf_status sheaf_layout_decode(const sheaf_layout *layout, sheaf_layout_key which, sheaf_bytes key,
                                           void *buffer, size_t capacity, sheaf_bytes *out_values,
                                           sheaf_layout_fault *out_fault);

/* ---- conditions to ranges ------------------------------------------------------------------------------------------- */

/** What is asked of a field. */
typedef enum sheaf_condition_kind {
    SHEAF_CONDITION_EQUAL = 0,
    SHEAF_CONDITION_LESS,
    SHEAF_CONDITION_AT_MOST,
    SHEAF_CONDITION_AT_LEAST,
    SHEAF_CONDITION_GREATER,
    SHEAF_CONDITION_BETWEEN,    /**< both ends are in */
    SHEAF_CONDITION_BEGINS_WITH /**< text, raw, escape, bytes: by bytes. Paths: the folder of this name and all that is below it,
                                     the closing delimiter understood: `/team` takes `/team/a`, not `/team_x` */
} sheaf_condition_kind;

/** A condition on one field. By value: numbers as numbers, times as times, texts by bytes. */
typedef struct sheaf_condition {
    size_t field; /**< as sheaf_layout_field_name_view() counts */
    sheaf_condition_kind kind;
    sheaf_bytes low;  /**< what is compared with; BETWEEN: the lower end */
    sheaf_bytes high; /**< BETWEEN: the upper end */
} sheaf_condition;

/**
 * Turns conditions on the fields of one key into one range of it: equalities on its leading fields, then at most one other
 * condition on the next. In any order, one a field; none at all: every key of the layout.
 *
 * The range is exact: it holds a key of the layout if, and only if, its fields satisfy the conditions. Inverted fields
 * turn the bounds over. A field is taken whole: `USER#1` does not take `USER#10`, and `> p1` does not lose `p1a`. Bounds
 * that no field can have, a number too wide, a time too fine, a text with a delimiter, are put where they stand among
 * those it can have. An equality or a beginning that no key can have is refused as sheaf_layout_encode() does.
 *
 * @param      buffer     Where the bounds go: twice sheaf_layout_key_size_max() is enough.
 * @param[out] out_range  Borrows @p buffer. May be empty, never inverted.
 * @param[out] out_fault  May be NULL. Names the field.
 * @retval SHEAF_OK
 * @retval SHEAF_INVALID_ARGUMENT  Not one range: a field without a condition before one with, two conditions on a field or
 *                                 one behind another that is no equality, an order asked of a raw field, a beginning of a
 *                                 number or a time, a field that is not in this key; or the layout has no such key.
 * @retval SHEAF_RANGE_INVERTED    BETWEEN with its lower end above the upper one.
 * @retval SHEAF_SEGMENT_REFUSED, SHEAF_NUMBER_MALFORMED, SHEAF_TEXT_MALFORMED  What is compared with, as
 *                                sheaf_segment_write() says.
 * @retval SHEAF_KEY_TOO_LONG      A bound longer than a key can be.
 * @retval SHEAF_BUFFER_TOO_SMALL
 * @par Cost  O(bytes of the bounds), no allocation.
 */
SHEAF_API sheaf_status sheaf_layout_range(const sheaf_layout *layout, sheaf_layout_key which,
                                          const sheaf_condition *conditions, size_t count, void *buffer, size_t capacity,
                                          sheaf_range *out_range, sheaf_layout_fault *out_fault);

SHEAF_END_DECLARATIONS

#endif
