#include "engine/key/segment_text.h"

#include <sheaf/path.h>

#include "engine/base/assert.h"
#include "engine/base/utf8.h"

static const char HEX[] = "0123456789ABCDEF";

static bool has_delimiter(const sheaf_segment *segment)
{
    return segment->delimiter != SHEAF_NO_DELIMITER &&
           segment->form != SHEAF_FORM_PATH; /* a path has it between its parts */
}

/* Whether a byte can stand in a segment as it is. */
static bool may_stand(const sheaf_segment *segment, uint8_t byte)
{
    if (!has_delimiter(segment)) return true;
    return segment->form == SHEAF_FORM_RAW ? byte != segment->delimiter : byte > segment->delimiter;
}

/* How many bytes from the start may stand. */
static size_t clean_size(const sheaf_segment *segment, sheaf_bytes value)
{
    size_t size = 0;
    while (size < value.size && may_stand(segment, value.data[size])) size++;
    return size;
}

static sheaf_status require_utf8(sheaf_bytes value, sheaf_status status, sheaf_detail *out_detail)
{
    size_t size = sheaf_utf8_valid_size(value);
    if (size == value.size) return SHEAF_OK;
    return sheaf_segment_refuse(out_detail, status, size, 0, "The text is not UTF-8");
}

static void write_escaped(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written)
{
    if (!has_delimiter(segment)) {
        sheaf_write_slice(written, value);
        return;
    }
    uint8_t mark = (uint8_t)(segment->delimiter + 1);
    for (size_t i = 0; i < value.size; i++) {
        uint8_t byte = value.data[i];
        uint8_t escape[] = { mark, (uint8_t)HEX[byte >> 4], (uint8_t)HEX[byte & 15] };
        if (byte <= mark)
            sheaf_write(written, escape, sizeof escape);
        else
            sheaf_write(written, &byte, 1);
    }
}

/* All of `value`, which may be a value or the beginning of one. */
static sheaf_status append_bytes(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                 sheaf_detail *out_detail)
{
    if (segment->form == SHEAF_FORM_ESCAPE) {
        write_escaped(segment, value, written);
        return SHEAF_OK;
    }
    sheaf_status status = require_utf8(value, SHEAF_TEXT_MALFORMED, out_detail);
    if (status != SHEAF_OK) return status;
    size_t size = clean_size(segment, value);
    if (size < value.size) {
        bool is_delimiter = value.data[size] == segment->delimiter;
        return sheaf_segment_refuse(out_detail, SHEAF_SEGMENT_REFUSED, size, 0,
                                    is_delimiter ? "The delimiter occurs in the text"
                                                 : "The text has a byte below the delimiter, and would sort wrongly");
    }
    sheaf_write_slice(written, value);
    return SHEAF_OK;
}

sheaf_status sheaf_text_segment_append(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                       sheaf_detail *out_detail)
{
    if (value.size == 0) {
        return sheaf_segment_refuse(out_detail, SHEAF_SEGMENT_REFUSED, 0, 0, "The text is empty");
    }
    if (segment->form == SHEAF_FORM_PATH) {
        sheaf_status status = sheaf_path_validate(value, (uint8_t)segment->delimiter, out_detail);
        if (status != SHEAF_OK) return status;
    }
    return append_bytes(segment, value, written, out_detail);
}

/* A folder ends in the delimiter, said or not. */
static sheaf_status append_folder(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                  sheaf_detail *out_detail)
{
    if (value.size == 0) return SHEAF_OK;
    uint8_t delimiter = (uint8_t)segment->delimiter;
    sheaf_status status = sheaf_path_validate(value, delimiter, out_detail);
    if (status != SHEAF_OK) return status;
    sheaf_write_slice(written, value);
    if (!sheaf_path_is_folder(value, delimiter)) sheaf_write(written, &delimiter, 1);
    return SHEAF_OK;
}

sheaf_status sheaf_text_segment_append_beginning(const sheaf_segment *segment, sheaf_bytes value,
                                                 struct sheaf_written *written, sheaf_detail *out_detail)
{
    if (segment->form == SHEAF_FORM_PATH) return append_folder(segment, value, written, out_detail);
    return append_bytes(segment, value, written, out_detail);
}

/*
 * A text with a byte that may not stand is above the part before that byte, and below everything that goes on from there:
 * such goes on with a byte above the delimiter.
 */
sheaf_status sheaf_text_segment_locate(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                       enum sheaf_spot *out_spot, sheaf_detail *out_detail)
{
    sheaf_assert(segment->form != SHEAF_FORM_RAW);
    bool escapes = segment->form == SHEAF_FORM_ESCAPE;
    if (!escapes) {
        sheaf_status status = require_utf8(value, SHEAF_TEXT_MALFORMED, out_detail);
        if (status != SHEAF_OK) return status;
    }
    size_t size = escapes ? value.size : clean_size(segment, value);
    *out_spot = size == 0 ? SPOT_LEAST : size == value.size ? SPOT_AT : SPOT_ABOVE;
    if (escapes)
        write_escaped(segment, value, written);
    else
        sheaf_write(written, value.data, size);
    return SHEAF_OK;
}

/* ---- back to a text ------------------------------------------------------------------------------------------------- */

/* The value of an upper-case digit; 16 if it is none. */
static unsigned hex_value(uint8_t digit)
{
    unsigned value = 0;
    while (value < 16 && (uint8_t)HEX[value] != digit) value++;
    return value;
}

/* Reads an escape at `bytes`, which has three bytes. False unless it stands for a byte that needs one. */
static bool read_escape(const uint8_t *bytes, uint8_t *out_byte)
{
    unsigned high = hex_value(bytes[1]), low = hex_value(bytes[2]);
    if (high > 15 || low > 15) return false;
    *out_byte = (uint8_t)(high << 4 | low);
    return *out_byte <= bytes[0];
}

static sheaf_status take_escaped(const sheaf_segment *segment, sheaf_bytes rest, size_t *out_size,
                                 struct sheaf_written *written, sheaf_detail *out_detail)
{
    size_t at = 0;
    uint8_t mark = (uint8_t)(segment->delimiter + 1);
    while (at < rest.size && rest.data[at] >= mark) {
        uint8_t byte = rest.data[at];
        if (byte == mark && (rest.size - at < 3 || !read_escape(rest.data + at, &byte))) {
            return sheaf_segment_refuse(out_detail, SHEAF_KEY_MALFORMED, at, 0, "There is no escape of this form");
        }
        at += rest.data[at] == mark ? 3 : 1;
        sheaf_write(written, &byte, 1);
    }
    *out_size = at;
    return SHEAF_OK;
}

static sheaf_status take_plain(const sheaf_segment *segment, sheaf_bytes rest, size_t *out_size,
                               struct sheaf_written *written, sheaf_detail *out_detail)
{
    sheaf_bytes value = sheaf_bytes_of(rest.data, clean_size(segment, rest));
    if (segment->form != SHEAF_FORM_ESCAPE) {
        sheaf_status status = require_utf8(value, SHEAF_KEY_MALFORMED, out_detail);
        if (status != SHEAF_OK) return status;
    }
    if (segment->form == SHEAF_FORM_PATH &&
        sheaf_path_validate(value, (uint8_t)segment->delimiter, out_detail) != SHEAF_OK) {
        return SHEAF_KEY_MALFORMED;
    }
    sheaf_write_slice(written, value);
    *out_size = value.size;
    return SHEAF_OK;
}

sheaf_status sheaf_text_segment_take(const sheaf_segment *segment, sheaf_bytes rest, size_t *out_size,
                                     struct sheaf_written *written, sheaf_detail *out_detail)
{
    size_t size = 0;
    bool escapes = segment->form == SHEAF_FORM_ESCAPE && has_delimiter(segment);
    sheaf_status status = escapes ? take_escaped(segment, rest, &size, written, out_detail)
                                  : take_plain(segment, rest, &size, written, out_detail);
    if (status != SHEAF_OK) return status;
    if (size == 0) return sheaf_segment_refuse(out_detail, SHEAF_KEY_MALFORMED, 0, 0, "There is an empty text");
    *out_size = size;
    return SHEAF_OK;
}
