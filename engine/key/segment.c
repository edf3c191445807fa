#include "engine/key/segment.h"

#include "engine/base/assert.h"
#include "engine/key/segment_number.h"
#include "engine/key/segment_text.h"
#include "engine/key/segment_time.h"

enum { DELIMITER_MAX = 0x7E }; /* the byte above it, with which an escape begins, is ASCII, too */

/* What the code for a form is chosen by. */
enum kind { KIND_TEXT, KIND_NUMBER, KIND_TIME };

static enum kind kind_of(const sheaf_segment *segment)
{
    switch (segment->form) {
    case SHEAF_FORM_TEXT:
    case SHEAF_FORM_RAW:
    case SHEAF_FORM_ESCAPE:
    case SHEAF_FORM_PATH: break;
    case SHEAF_FORM_PAD:
    case SHEAF_FORM_INVERT:
    case SHEAF_FORM_SIGNED: return KIND_NUMBER;
    case SHEAF_FORM_TIME:
    case SHEAF_FORM_EPOCH: return KIND_TIME;
    }
    return KIND_TEXT;
}

bool sheaf_segment_is_sound(const sheaf_segment *segment, const char **out_message)
{
    bool sound = false;
    if ((unsigned)segment->form > SHEAF_FORM_PATH) {
        *out_message = "There is no such form";
        return false;
    }
    switch (kind_of(segment)) {
    case KIND_TEXT:
        sound = segment->delimiter >= (segment->form == SHEAF_FORM_PATH ? 0 : SHEAF_NO_DELIMITER) &&
                segment->delimiter <= DELIMITER_MAX;
        *out_message = "A delimiter is an ASCII byte, and not the last one";
        break;
    case KIND_NUMBER:
        sound = segment->width >= 1 && segment->width + segment->digits <= SHEAF_SEGMENT_DIGITS_MAX;
        *out_message = "A number has a width from 1 on, and at most 38 digits in all";
        break;
    case KIND_TIME:
        sound = segment->digits == 0 || segment->digits == 3 || segment->digits == 6;
        *out_message = "A time has 0, 3 or 6 digits of the second";
        break;
    }
    return sound;
}

size_t sheaf_segment_fixed_size(const sheaf_segment *segment)
{
    switch (kind_of(segment)) {
    case KIND_TEXT: break;
    case KIND_NUMBER: return sheaf_number_segment_size(segment);
    case KIND_TIME: return sheaf_time_segment_size(segment);
    }
    return 0;
}

sheaf_status sheaf_segment_append(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                  sheaf_detail *out_detail)
{
    switch (kind_of(segment)) {
    case KIND_TEXT: break;
    case KIND_NUMBER: return sheaf_number_segment_append(segment, value, written, out_detail);
    case KIND_TIME: return sheaf_time_segment_append(segment, value, written, out_detail);
    }
    return sheaf_text_segment_append(segment, value, written, out_detail);
}

sheaf_status sheaf_segment_append_beginning(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                            sheaf_detail *out_detail)
{
    sheaf_assert(sheaf_segment_has_beginnings(segment));
    return sheaf_text_segment_append_beginning(segment, value, written, out_detail);
}

static sheaf_status locate_number(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                  enum sheaf_spot *out_spot, sheaf_detail *out_detail)
{
    struct sheaf_decimal number;
    if (!sheaf_decimal_parse(value, &number)) {
        return sheaf_segment_refuse(out_detail, SHEAF_NUMBER_MALFORMED, 0, 0, "The value is no decimal number");
    }
    *out_spot = sheaf_number_segment_locate(segment, &number, written);
    return SHEAF_OK;
}

sheaf_status sheaf_segment_locate(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                  enum sheaf_spot *out_spot, sheaf_detail *out_detail)
{
    sheaf_assert(sheaf_segment_has_order(segment));
    switch (kind_of(segment)) {
    case KIND_TEXT: break;
    case KIND_NUMBER: return locate_number(segment, value, written, out_spot, out_detail);
    case KIND_TIME: return sheaf_time_segment_locate(segment, value, written, out_spot, out_detail);
    }
    return sheaf_text_segment_locate(segment, value, written, out_spot, out_detail);
}

static int compare_numbers(sheaf_bytes left, sheaf_bytes right)
{
    struct sheaf_decimal left_number, right_number;
    bool both = sheaf_decimal_parse(left, &left_number) && sheaf_decimal_parse(right, &right_number);
    sheaf_assert(both);
    return both ? sheaf_decimal_compare(&left_number, &right_number) : 0;
}

int sheaf_segment_compare(const sheaf_segment *segment, sheaf_bytes left, sheaf_bytes right)
{
    switch (kind_of(segment)) {
    case KIND_TEXT: break;
    case KIND_NUMBER: return compare_numbers(left, right);
    case KIND_TIME: return sheaf_time_segment_compare(segment, left, right);
    }
    return sheaf_bytes_order(left, right);
}

sheaf_status sheaf_segment_take(const sheaf_segment *segment, sheaf_bytes rest, size_t *out_size,
                                struct sheaf_written *written, sheaf_detail *out_detail)
{
    sheaf_status status = SHEAF_OK;
    size_t size = sheaf_segment_fixed_size(segment);
    switch (kind_of(segment)) {
    case KIND_TEXT: return sheaf_text_segment_take(segment, rest, out_size, written, out_detail);
    case KIND_NUMBER: status = sheaf_number_segment_take(segment, rest, written, out_detail); break;
    case KIND_TIME: status = sheaf_time_segment_take(segment, rest, written, out_detail); break;
    }
    if (status == SHEAF_OK) *out_size = size;
    return status;
}

/* ---- public --------------------------------------------------------------------------------------------------------- */

static sheaf_status refuse_unsound(const sheaf_segment *segment, sheaf_detail *out_detail)
{
    const char *message = NULL;
    if (sheaf_segment_is_sound(segment, &message)) return SHEAF_OK;
    return sheaf_segment_refuse(out_detail, SHEAF_INVALID_ARGUMENT, 0, 0, message);
}

static sheaf_status give(const struct sheaf_written *written, sheaf_bytes *out_bytes, sheaf_detail *out_detail)
{
    if (!sheaf_written_fits(written)) {
        return sheaf_segment_refuse(out_detail, SHEAF_BUFFER_TOO_SMALL, written->size, written->capacity,
                                    "The buffer is smaller than what goes into it");
    }
    *out_bytes = sheaf_written_since(written, 0);
    return SHEAF_OK;
}

sheaf_status sheaf_segment_write(const sheaf_segment *segment, sheaf_bytes value, void *buffer, size_t capacity,
                                 sheaf_bytes *out_segment, sheaf_detail *out_detail)
{
    struct sheaf_written written = { buffer, capacity, 0 };
    sheaf_status status = refuse_unsound(segment, out_detail);
    if (status == SHEAF_OK) status = sheaf_segment_append(segment, value, &written, out_detail);
    return status == SHEAF_OK ? give(&written, out_segment, out_detail) : status;
}

sheaf_status sheaf_segment_read(const sheaf_segment *segment, sheaf_bytes bytes, void *buffer, size_t capacity,
                                sheaf_bytes *out_value, sheaf_detail *out_detail)
{
    struct sheaf_written written = { buffer, capacity, 0 };
    size_t size;
    sheaf_status status = refuse_unsound(segment, out_detail);
    if (status == SHEAF_OK) status = sheaf_segment_take(segment, bytes, &size, &written, out_detail);
    if (status == SHEAF_OK && size < bytes.size) {
        status = sheaf_segment_refuse(out_detail, SHEAF_KEY_MALFORMED, size, 0, "There are bytes behind the segment");
    }
    return status == SHEAF_OK ? give(&written, out_value, out_detail) : status;
}
