/*
 * key.h - binary tuples: typed parts written one behind the other, so that the bytes sort as the values do, part by part.
 *
 *     (1500, "p_8842")    16 05 DC | 03 70 5F 38 38 34 32 00
 *
 *     part          ascending                                               descending: every byte flipped
 *     null          01                                                      FE
 *     bytes         02  bytes, of which 00 is written 01 01,            00  FD ... FF
 *                       and 01 is written 01 02
 *     text          03  UTF-8, likewise                                 00  FC ... FF
 *     tuple         05  parts                                           00  FA ... FF
 *     integer       14 is 0; 14 + n: n bytes, the highest first;            EB ...
 *                   14 - n: a value v below 0, n bytes of 256^n - 1 + v
 *     number        20  the key of number.h                                 DF ...
 *     double        21  8 bytes, the highest first; all bits flipped if     DE ...
 *                   below 0, else only the first
 *     false, true   26, 27                                                  D9, D8
 *
 * One value, one encoding: integers take as few bytes as they can, whether they came as signed or as unsigned; -0.0 is written
 * as 0.0. The reader takes nothing else. Kinds sort by the table, null first.
 *
 * Every part ends itself, so the first n parts of a key are a beginning of exactly those keys that start with the same n parts:
 * sheaf_range_prefix() of them is the range of all those keys.
 *
 * The integers are those of FoundationDB's tuple layer ("Tuple layer typecodes"). Its escape of 00, which is 00 FF, is not:
 * there the end of "a", 00, is also the beginning of what goes on with a 00, so ("a") would be a beginning of ("a\0") too, and
 * flipped it would sort on the wrong side of it.
 *
 * Thread rule: writers and readers are values of the caller's, and these functions look at nothing else: any thread, any time,
 * each with its own. Nothing allocates; the cost of each call is O(bytes of its part).
 */
#ifndef SHEAF_KEY_H
#define SHEAF_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/number.h>
#include <sheaf/status.h>

SHEAF_BEGIN_DECLARATIONS

/** Tuples within tuples, at most: deeper ones are a mistake, and a reader keeps a bit for each. */
#define SHEAF_TUPLE_DEPTH_MAX 16

/** The order of a part among the values that can stand in its place. */
typedef enum sheaf_order {
    SHEAF_ASCENDING = 0,
    SHEAF_DESCENDING
} sheaf_order;

/** What a part is. */
typedef enum sheaf_part_kind {
    SHEAF_PART_NULL = 0,
    SHEAF_PART_BYTES,
    SHEAF_PART_TEXT,
    SHEAF_PART_TUPLE,
    SHEAF_PART_INTEGER,
    SHEAF_PART_NUMBER,
    SHEAF_PART_DOUBLE,
    SHEAF_PART_BOOL
} sheaf_part_kind;

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

/**
 * A key being written into a buffer of the caller's. Its members are the writer's own business.
 *
 * The first part that is refused ends it: what is added after that does nothing, and sheaf_key_end() tells why.
 */
typedef struct sheaf_key_writer {
    uint8_t *buffer;
    size_t capacity;
    size_t size;
    uint32_t depth; /* tuples that are open */
    uint32_t flips; /* a bit for each: whether its parts are flipped */
    sheaf_status status;
    sheaf_detail detail;
} sheaf_key_writer;

/** Begins a key of no parts, for which there are @p capacity bytes at @p buffer. */
SHEAF_API void sheaf_key_begin(sheaf_key_writer *writer, void *buffer, size_t capacity);

/** Adds the part null. */
SHEAF_API void sheaf_key_add_null(sheaf_key_writer *writer, sheaf_order order);

/** Adds false, or true, which sorts after it. */
SHEAF_API void sheaf_key_add_bool(sheaf_key_writer *writer, bool value, sheaf_order order);

/** Adds an integer. */
SHEAF_API void sheaf_key_add_u64(sheaf_key_writer *writer, uint64_t value, sheaf_order order);

/** Adds an integer: the same value is the same part, whichever of the two calls it came by. */
SHEAF_API void sheaf_key_add_i64(sheaf_key_writer *writer, int64_t value, sheaf_order order);

/** Adds an exact decimal. */
SHEAF_API void sheaf_key_add_number(sheaf_key_writer *writer, sheaf_number value, sheaf_order order);

/** Adds a double, infinities included. NaN, which has no place in an order, is refused: SHEAF_INVALID_ARGUMENT. */
SHEAF_API void sheaf_key_add_double(sheaf_key_writer *writer, double value, sheaf_order order);

/** Adds any bytes, none included. */
SHEAF_API void sheaf_key_add_bytes(sheaf_key_writer *writer, sheaf_bytes value, sheaf_order order);

/** Adds text. What is not UTF-8 is refused: SHEAF_TEXT_MALFORMED. */
SHEAF_API void sheaf_key_add_text(sheaf_key_writer *writer, sheaf_bytes value, sheaf_order order);

/** Opens a tuple: what is added until it is closed are its parts, and it sorts as a whole, a shorter one before a longer
 * one. */
SHEAF_API void sheaf_key_open_tuple(sheaf_key_writer *writer, sheaf_order order);

/** Closes the tuple opened last. */
SHEAF_API void sheaf_key_close_tuple(sheaf_key_writer *writer);

/**
 * Ends a key. More may be added after it, so it also gives the first n parts on the way.
 *
 * @param[out] out_key     Lies in the writer's buffer.
 * @param[out] out_detail  May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_KEY_TOO_LONG      It does not fit the buffer: `limit` is its capacity.
 * @retval SHEAF_TEXT_MALFORMED    `size` is how many bytes of the text are UTF-8.
 * @retval SHEAF_INVALID_ARGUMENT  NaN; tuples nested too deep, closed without being open, or open still.
 */
SHEAF_API sheaf_status sheaf_key_end(const sheaf_key_writer *writer, sheaf_bytes *out_key, sheaf_detail *out_detail);

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

/** A part as it was read. Only the member of its kind is set. */
typedef struct sheaf_key_part {
    sheaf_part_kind kind;
    sheaf_order order;
    bool boolean;        /**< SHEAF_PART_BOOL */
    bool negative;       /**< SHEAF_PART_INTEGER: below 0, -magnitude */
    uint64_t magnitude;  /**< SHEAF_PART_INTEGER: without its sign; of a negative one at most 2^63 */
    double floating;     /**< SHEAF_PART_DOUBLE */
    sheaf_number number; /**< SHEAF_PART_NUMBER */
    sheaf_bytes bytes;   /**< SHEAF_PART_BYTES and _TEXT: in the reader's scratch; lives as long as that */
} sheaf_key_part;

/** A position in a key that is being read. Its members are the reader's own business, `depth` apart. */
typedef struct sheaf_key_reader {
    sheaf_bytes rest;
    uint8_t *scratch;
    size_t scratch_capacity;
    size_t scratch_size;
    uint32_t depth; /**< in how many tuples it stands */
    uint32_t flips;
} sheaf_key_reader;

/**
 * Stands before the first part of @p key, which is borrowed.
 *
 * @param scratch  Where bytes and texts are written out. As many bytes as the key has are always enough for all of them.
 */
SHEAF_API void sheaf_key_read(sheaf_key_reader *reader, sheaf_bytes key, void *scratch, size_t scratch_capacity);

/**
 * Reads a part. After one of kind SHEAF_PART_TUPLE come its parts, until SHEAF_NOT_FOUND says that it is at an end; then goes
 * on with what is behind it.
 *
 * @param[out] out_detail  May be NULL.
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND         The end of the tuple it stood in, or of the key where it stood in none.
 * @retval SHEAF_KEY_MALFORMED     No part begins here, or not in the one way it is written; `size` bytes are left from there. The reader
 *                                 stays where it is.
 * @retval SHEAF_BUFFER_TOO_SMALL  The scratch has no room for it. The reader stays where it is.
 */
SHEAF_API sheaf_status sheaf_key_next_part(sheaf_key_reader *reader, sheaf_key_part *out_part, sheaf_detail *out_detail);

/**
 * The first @p part_count parts of a key, a tuple being one: what sheaf_range_prefix() takes for "all keys that begin with
 * these".
 *
 * @param[out] out_prefix_view  The beginning of @p key.
 * @retval SHEAF_OK
 * @retval SHEAF_NOT_FOUND      It has fewer parts.
 * @retval SHEAF_KEY_MALFORMED
 * @par Cost  O(size of those parts).
 */
SHEAF_API sheaf_status sheaf_key_prefix(sheaf_bytes key, size_t part_count, sheaf_bytes *out_prefix_view);

SHEAF_END_DECLARATIONS

#endif
