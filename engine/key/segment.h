/*
 * segment.h - what a layout needs to know of a form: how its values are written, read, compared and found among each other.
 *
 * Bounds of ranges need more than values have: a bound may be no value of the form at all, too wide, too fine, with a
 * delimiter in it. It always has a place among those values, in their order:
 *
 *     LEAST    BELOW  AT  ABOVE    ...    MOST
 *       |          |  |  |                  |        of a segment that is written, but for LEAST and MOST
 *      ... 0000000099 0000000100 0000000101 ...
 *
 * Numbers and times are written by looking for their place, which has to be AT: the two cannot differ.
 */
#ifndef SHEAF_KEY_SEGMENT_H
#define SHEAF_KEY_SEGMENT_H

#include <stdbool.h>
#include <string.h>

#include <sheaf/segment.h>

#include "engine/base/bytes.h"

/* ---- writing -------------------------------------------------------------------------------------------------------- */

/* Bytes on their way into a caller's buffer. `size` counts on behind the capacity, so that the caller can be told. */
struct sheaf_written {
    uint8_t *buffer;
    size_t capacity;
    size_t size;
};

static inline void sheaf_write(struct sheaf_written *written, const void *bytes, size_t size)
{
    bool fits = written->size <= written->capacity && size <= written->capacity - written->size;
    if (fits && size > 0) memcpy(written->buffer + written->size, bytes, size);
    if (__builtin_add_overflow(written->size, size, &written->size)) written->size = SIZE_MAX;
}

static inline void sheaf_write_slice(struct sheaf_written *written, sheaf_bytes bytes)
{
    sheaf_write(written, bytes.data, bytes.size);
}

static inline bool sheaf_written_fits(const struct sheaf_written *written)
{
    return written->size <= written->capacity;
}

/* What was written from `begin` on, if it fits. */
static inline sheaf_bytes sheaf_written_since(const struct sheaf_written *written, size_t begin)
{
    return sheaf_bytes_of(begin == 0 ? written->buffer : written->buffer + begin, written->size - begin);
}

/* Fills the record, which may be NULL, and returns `status`. */
static inline sheaf_status sheaf_segment_refuse(sheaf_detail *out_detail, sheaf_status status, uint64_t size,
                                                uint64_t limit, const char *message)
{
    if (out_detail) *out_detail = (sheaf_detail){ SHEAF_FIELD_SEGMENT, size, limit, message };
    return status;
}

/* ---- forms ---------------------------------------------------------------------------------------------------------- */

/* Where a value stands among those that a form can write. */
enum sheaf_spot {
    SPOT_LEAST, /* below all; nothing is written */
    SPOT_BELOW, /* just below the segment written: between it and the one before */
    SPOT_AT,
    SPOT_ABOVE,
    SPOT_MOST /* above all; nothing is written */
};

/* False, and the reason, unless its width, digits and delimiter are those that its form can have. */
bool sheaf_segment_is_sound(const sheaf_segment *segment, const char **out_message);

/* Whether the order of its segments is that of the values, or the reverse of it. */
static inline bool sheaf_segment_has_order(const sheaf_segment *segment)
{
    return segment->form != SHEAF_FORM_RAW;
}

/* Whether segments of this form sort from the largest value to the least. */
static inline bool sheaf_segment_is_inverted(const sheaf_segment *segment)
{
    return segment->form == SHEAF_FORM_INVERT;
}

/* The size of every segment of this form; 0: it varies. */
size_t sheaf_segment_fixed_size(const sheaf_segment *segment);

/* Whether conditions of this form may name a beginning. */
static inline bool sheaf_segment_has_beginnings(const sheaf_segment *segment)
{
    return sheaf_segment_fixed_size(segment) == 0;
}

/* Appends a value. SEGMENT_REFUSED, NUMBER_MALFORMED, TEXT_MALFORMED; what is in `written` then is nothing to go by. */
sheaf_status sheaf_segment_append(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                  sheaf_detail *out_detail);

/* Appends the beginning that the segments of all values have that begin with `value`. The same statuses. */
sheaf_status sheaf_segment_append_beginning(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                            sheaf_detail *out_detail);

/*
 * Finds the place of `value`, and appends the segment it stands at, if any. Of a form with order. What is no value of its
 * kind, letters for a number, is refused: SEGMENT_REFUSED, NUMBER_MALFORMED, TEXT_MALFORMED.
 */
sheaf_status sheaf_segment_locate(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                  enum sheaf_spot *out_spot, sheaf_detail *out_detail);

/* Less than, equal to or greater than 0, by value. Both have a place. */
int sheaf_segment_compare(const sheaf_segment *segment, sheaf_bytes left, sheaf_bytes right);

/*
 * Reads the segment at the start of `rest`, appends its value and tells its size. KEY_MALFORMED: none that
 * sheaf_segment_append() writes, and `size` of the record is the place.
 */
sheaf_status sheaf_segment_take(const sheaf_segment *segment, sheaf_bytes rest, size_t *out_size,
                                struct sheaf_written *written, sheaf_detail *out_detail);

#endif
