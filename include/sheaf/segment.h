/*
 * segment.h - one value as a piece of a text key, written so that the bytes sort as the values do.
 *
 *     form                    value                          segment
 *     text                    p_8842                         p_8842            as it is, if nothing in it sorts wrongly
 *     raw                     v10                            v10               as it is; no order is promised
 *     escape, before #        a#b c                          a$23b$20c         every byte up to $, the one above the
 *     delimiter pad, width 10           1500                           0000001500
 *     invert, width 10        1500                           9999998499        10^10 - 1 - n: the largest first
 *     signed, width 4         -15 / 15                       09985 / 10015     n + 10^4
 *     pad, width 4, digits 2  12.5                           0012.50
 *     time, digits 3          2026-05-01T11:07:03+02:00      2026-05-01T09:07:03.000Z
 *     epoch, digits 0         2026-05-01T09:07:03Z           1777626423        or that number
 *     path, parts by /        root/photos/                   root/photos/
 *
 * What cannot be written without sorting wrongly, or without being taken for something else when it is read back, is
 * refused: a number wider than its width or finer than its digits, one below zero where there is no sign, a text with a
 * byte at or below the delimiter behind it ("a b" and "a" before "#": "a b#" < "a#"), an empty one, one that is not UTF-8.
 * So different values have different segments, and each is read back as it was; of a number, a time or an epoch, the value
 * is, in one printed form.
 *
 * A template of segments and text is a layout (layout.h). This header is for programs that build keys by hand.
 *
 * Thread rule: these functions look at their arguments only: any thread, any time. Nothing allocates. No locale, no
 * floating point, no clock and no time zone of the system plays a part.
 */
#ifndef SHEAF_SEGMENT_H
#define SHEAF_SEGMENT_H

#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>
#include <sheaf/export.h>
#include <sheaf/status.h>

SHEAF_BEGIN_DECLARATIONS

/** The most digits of a number, those behind the point included: as many as a DynamoDB number can have. */
#define SHEAF_SEGMENT_DIGITS_MAX 38
/** The longest segment of a number or a time, in bytes: a sign, digits, a point. */
#define SHEAF_SEGMENT_FIXED_SIZE_MAX 40
/** The delimiter of a segment that is the last of its key. */
#define SHEAF_NO_DELIMITER (-1)

/** How a value is written. */
typedef enum sheaf_form {
    SHEAF_FORM_TEXT = 0, /**< UTF-8 as it is, without bytes at or below the delimiter */
    SHEAF_FORM_RAW,      /**< UTF-8 as it is, without the delimiter. Out of order where values have bytes below it */
    SHEAF_FORM_ESCAPE,   /**< any bytes; those up to the one above the delimiter as that one and two hex digits */
    SHEAF_FORM_PAD,      /**< a decimal number from 0 on, zero-padded to `width`, then a point and `digits`, if any */
    SHEAF_FORM_INVERT,   /**< the same of the largest such number less this one */
    SHEAF_FORM_SIGNED,   /**< the same of this number and 10^width, in one digit more: 0 negative, 1 not */
    SHEAF_FORM_TIME,     /**< ISO-8601 in UTC with `digits` of the second: 0, 3 or 6 */
    SHEAF_FORM_EPOCH,    /**< units of 10^-`digits` seconds since 1970, padded to 10 + `digits`: 0, 3 or 6 */
    SHEAF_FORM_PATH      /**< UTF-8 as it is, parted by `delimiter` (path.h); the last of its key */
} sheaf_form;

/** A form, and what it depends on. */
typedef struct sheaf_segment {
    sheaf_form form;
    uint8_t width;  /**< of numbers: digits before the point, 1 to SHEAF_SEGMENT_DIGITS_MAX less `digits` */
    uint8_t digits; /**< of numbers and times: behind the point */
    int delimiter;  /**< of texts: the byte behind, below 7F; SHEAF_NO_DELIMITER: none is. Of paths: between parts */
} sheaf_segment;

/**
 * Writes one value.
 *
 * Numbers are decimal text such as `1500`, `-15` or `12.50`, leading zeros and zeros at the end of a fraction as you like,
 * no exponent; where `digits` is 0, without a point. Times are `YYYY-MM-DDThh:mm:ss`, a fraction of any length behind a
 * point or a comma, and `Z` or an offset, `+hh:mm`, `+hhmm` or `+hh`; `t`, `z` and a space for the T will do. Years are
 * 0000 to 9999. A leap second and the hour 24 are refused: they are other seconds' names. A fraction finer than the
 * segment keeps is refused unless it is zeros: two times would be one key. An epoch takes such a time, or whole units.
 *
 * @param      buffer       Where the segment goes.
 * @param[out] out_segment  Lies in @p buffer.
 * @param[out] out_detail   May be NULL. `size` and `limit`: of numbers their digits and the most there may be; of texts `size`
 *                          is the place of the byte that is refused, from 0.
 * @retval SHEAF_OK
 * @retval SHEAF_SEGMENT_REFUSED   It would sort wrongly or be read back as another.
 * @retval SHEAF_NUMBER_MALFORMED  No decimal number.
 * @retval SHEAF_TEXT_MALFORMED    Not UTF-8.
 * @retval SHEAF_BUFFER_TOO_SMALL  `size` tells what it needs.
 * @retval SHEAF_INVALID_ARGUMENT  There is no such @p segment.
 * @par Cost  O(size).
 */
SHEAF_API sheaf_status sheaf_segment_write(const sheaf_segment *segment, sheaf_bytes value, void *buffer, size_t capacity,
                                           sheaf_bytes *out_segment, sheaf_detail *out_detail);

/**
 * Reads a segment back, which must be all of @p bytes: the inverse. The printed form: no leading zeros, no zeros at the
 * end of a fraction, no point without one; times as they are; epochs in their units.
 *
 * @param[out] out_value  Lies in @p buffer; never longer than @p bytes.
 * @retval SHEAF_OK
 * @retval SHEAF_KEY_MALFORMED     sheaf_segment_write() does not write such a segment.
 * @retval SHEAF_BUFFER_TOO_SMALL, SHEAF_INVALID_ARGUMENT  As for writing.
 */
SHEAF_API sheaf_status sheaf_segment_read(const sheaf_segment *segment, sheaf_bytes bytes, void *buffer, size_t capacity,
                                          sheaf_bytes *out_value, sheaf_detail *out_detail);

/* ---- machine numbers ------------------------------------------------------------------------------------------------- */

/**
 * Writes @p number in the form of SHEAF_FORM_PAD.
 *
 * @param      width      1 to SHEAF_SEGMENT_DIGITS_MAX.
 * @param[out] out_bytes  Room for @p width bytes.
 * @retval SHEAF_OK
 * @retval SHEAF_SEGMENT_REFUSED   It has more digits.
 * @retval SHEAF_INVALID_ARGUMENT  There is no such width.
 */
SHEAF_API sheaf_status sheaf_segment_pad(uint64_t number, size_t width, void *out_bytes, sheaf_detail *out_detail);

/** As sheaf_segment_pad(), in the form of SHEAF_FORM_INVERT. */
SHEAF_API sheaf_status sheaf_segment_invert(uint64_t number, size_t width, void *out_bytes, sheaf_detail *out_detail);

/** As sheaf_segment_pad(), in the form of SHEAF_FORM_SIGNED: @p width + 1 bytes. */
SHEAF_API sheaf_status sheaf_segment_signed(int64_t number, size_t width, void *out_bytes, sheaf_detail *out_detail);

/**
 * The number that sheaf_segment_pad() wrote, with a width of `bytes.size`.
 *
 * @retval SHEAF_OK
 * @retval SHEAF_KEY_MALFORMED  It is none, or more than 64 bits.
 */
SHEAF_API sheaf_status sheaf_segment_unpad(sheaf_bytes bytes, uint64_t *out_number);

/** The inverse of sheaf_segment_invert(), otherwise as sheaf_segment_unpad(). */
SHEAF_API sheaf_status sheaf_segment_uninvert(sheaf_bytes bytes, uint64_t *out_number);

/** The inverse of sheaf_segment_signed(), otherwise as sheaf_segment_unpad(). */
SHEAF_API sheaf_status sheaf_segment_unsign(sheaf_bytes bytes, int64_t *out_number);

/* ---- times ---------------------------------------------------------------------------------------------------------- */

/** The size of the longest printed time, in bytes. */
#define SHEAF_TIME_TEXT_SIZE_MAX 27

/**
 * A time as sheaf_segment_write() takes it, in microseconds since 1970 (negative before).
 *
 * @retval SHEAF_OK
 * @retval SHEAF_SEGMENT_REFUSED  No such time, or finer than microseconds; the detail record tells.
 */
SHEAF_API sheaf_status sheaf_time_parse(sheaf_bytes text, int64_t *out_microseconds, sheaf_detail *out_detail);

/**
 * Prints it in UTC with @p digits of the second; what they do not show is cut off.
 *
 * @param      digits    0, 3 or 6.
 * @param[out] out_text  Room for SHEAF_TIME_TEXT_SIZE_MAX bytes. No NUL.
 * @param[out] out_size  20, 24 or 27.
 * @retval SHEAF_OK
 * @retval SHEAF_SEGMENT_REFUSED   Not in the years 0000 to 9999.
 * @retval SHEAF_INVALID_ARGUMENT  Other @p digits.
 */
SHEAF_API sheaf_status sheaf_time_print(int64_t microseconds, unsigned digits, char *out_text, size_t *out_size);

SHEAF_END_DECLARATIONS

#endif
