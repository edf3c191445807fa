#include "engine/key/segment_time.h"

#include "engine/base/assert.h"
#include "engine/key/segment_number.h"
#include "engine/key/time.h"

enum { EPOCH_WIDTH = 10 }; /* of seconds: to the year 2286 */

static const int64_t EPOCH_SECOND_LAST = 9999999999;

/* Units of the last digit in a microsecond's place: what the microseconds are divided by. */
static uint32_t microseconds_of_unit(unsigned digits)
{
    return digits == 0 ? 1000000 : digits == 3 ? 1000 : 1;
}

/* An epoch in digits is a padded number. */
static sheaf_segment padded_epoch(const sheaf_segment *segment)
{
    return (sheaf_segment){ SHEAF_FORM_PAD, (uint8_t)(EPOCH_WIDTH + segment->digits), 0, SHEAF_NO_DELIMITER };
}

/* Whether an epoch is given in its units, and not as a time. */
static bool is_count(const sheaf_segment *segment, sheaf_bytes value)
{
    if (segment->form != SHEAF_FORM_EPOCH) return false;
    struct sheaf_decimal number;
    return sheaf_decimal_parse(value, &number) && !number.has_point;
}

size_t sheaf_time_segment_size(const sheaf_segment *segment)
{
    if (segment->form == SHEAF_FORM_EPOCH) return (size_t)EPOCH_WIDTH + segment->digits;
    return segment->digits == 0 ? 20 : 21u + segment->digits;
}

static void write_time(const sheaf_segment *segment, const struct sheaf_moment *moment, struct sheaf_written *written)
{
    uint8_t text[SHEAF_TIME_TEXT_SIZE_MAX];
    sheaf_write(written, text, sheaf_moment_print(moment->seconds, moment->microseconds, segment->digits, text));
}

static void write_epoch(const sheaf_segment *segment, const struct sheaf_moment *moment, struct sheaf_written *written)
{
    uint8_t digits[EPOCH_WIDTH + 6];
    uint32_t unit = microseconds_of_unit(segment->digits);
    uint64_t count = (uint64_t)moment->seconds * (1000000 / unit) + moment->microseconds / unit;
    size_t size = sheaf_time_segment_size(segment);
    for (size_t i = size; i-- > 0; count /= 10) digits[i] = (uint8_t)('0' + count % 10);
    sheaf_assert(count == 0);
    sheaf_write(written, digits, size);
}

static enum sheaf_spot locate_moment(const sheaf_segment *segment, const struct sheaf_moment *moment,
                                     struct sheaf_written *written)
{
    bool is_epoch = segment->form == SHEAF_FORM_EPOCH;
    if (moment->seconds < (is_epoch ? 0 : SHEAF_SECOND_FIRST)) return SPOT_LEAST;
    if (moment->seconds > (is_epoch ? EPOCH_SECOND_LAST : SHEAF_SECOND_LAST)) return SPOT_MOST;
    if (is_epoch)
        write_epoch(segment, moment, written);
    else
        write_time(segment, moment, written);
    bool finer = moment->microseconds % microseconds_of_unit(segment->digits) != 0 || moment->rest.size > 0;
    return finer ? SPOT_ABOVE : SPOT_AT;
}

sheaf_status sheaf_time_segment_locate(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                       enum sheaf_spot *out_spot, sheaf_detail *out_detail)
{
    struct sheaf_decimal count;
    struct sheaf_moment moment;
    if (is_count(segment, value) && sheaf_decimal_parse(value, &count)) {
        sheaf_segment padded = padded_epoch(segment);
        *out_spot = sheaf_number_segment_locate(&padded, &count, written);
        return SHEAF_OK;
    }
    const char *wrong = sheaf_moment_parse(value, &moment);
    if (wrong) return sheaf_segment_refuse(out_detail, SHEAF_SEGMENT_REFUSED, 0, 0, wrong);
    *out_spot = locate_moment(segment, &moment, written);
    return SHEAF_OK;
}

/* Why a time that stands elsewhere is no value of the form. */
static const char *explain(const sheaf_segment *segment, enum sheaf_spot spot)
{
    bool is_epoch = segment->form == SHEAF_FORM_EPOCH;
    switch (spot) {
    case SPOT_LEAST: return is_epoch ? "The time is before 1970" : "In UTC the time is before the year 0000";
    case SPOT_MOST: return is_epoch ? "The time has more digits than its width" : "In UTC the time is after the year 9999";
    case SPOT_BELOW:
    case SPOT_ABOVE:
    case SPOT_AT: break;
    }
    return "The time is finer than its form keeps";
}

sheaf_status sheaf_time_segment_append(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                       sheaf_detail *out_detail)
{
    enum sheaf_spot spot;
    if (is_count(segment, value)) {
        sheaf_segment padded = padded_epoch(segment);
        return sheaf_number_segment_append(&padded, value, written, out_detail);
    }
    sheaf_status status = sheaf_time_segment_locate(segment, value, written, &spot, out_detail);
    if (status != SHEAF_OK || spot == SPOT_AT) return status;
    return sheaf_segment_refuse(out_detail, SHEAF_SEGMENT_REFUSED, 0, segment->digits, explain(segment, spot));
}

/* A count as a moment; one that is out of 64 bits, as the first or the last there is. */
static struct sheaf_moment moment_of_count(const sheaf_segment *segment, const struct sheaf_decimal *count)
{
    int64_t number = 0, sign = count->is_negative ? -1 : 1;
    int64_t units = 1000000 / microseconds_of_unit(segment->digits);
    for (size_t i = 0; i < count->whole.size; i++)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (count->whole.data[i] - '0') * sign, &number))
            return (struct sheaf_moment){ .seconds = sign < 0 ? INT64_MIN : INT64_MAX };
    int64_t seconds = number / units, rest = number % units;
    if (rest < 0) {
        seconds--;
        rest += units;
    }
    return (struct sheaf_moment){ .seconds = seconds,
                                  .microseconds = (uint32_t)rest * microseconds_of_unit(segment->digits) };
}

static struct sheaf_moment moment_of(const sheaf_segment *segment, sheaf_bytes value)
{
    struct sheaf_decimal count;
    struct sheaf_moment moment = { 0 };
    if (is_count(segment, value) && sheaf_decimal_parse(value, &count)) return moment_of_count(segment, &count);
    const char *wrong = sheaf_moment_parse(value, &moment);
    sheaf_assert(!wrong);
    (void)wrong;
    return moment;
}

int sheaf_time_segment_compare(const sheaf_segment *segment, sheaf_bytes left, sheaf_bytes right)
{
    struct sheaf_decimal left_count, right_count;
    if (is_count(segment, left) && is_count(segment, right) && sheaf_decimal_parse(left, &left_count) &&
        sheaf_decimal_parse(right, &right_count)) {
        return sheaf_decimal_compare(&left_count, &right_count);
    }
    struct sheaf_moment left_moment = moment_of(segment, left), right_moment = moment_of(segment, right);
    return sheaf_moment_compare(&left_moment, &right_moment);
}

sheaf_status sheaf_time_segment_take(const sheaf_segment *segment, sheaf_bytes rest, struct sheaf_written *written,
                                     sheaf_detail *out_detail)
{
    if (segment->form == SHEAF_FORM_EPOCH) {
        sheaf_segment padded = padded_epoch(segment);
        return sheaf_number_segment_take(&padded, rest, written, out_detail);
    }
    size_t size = sheaf_time_segment_size(segment);
    if (rest.size < size) {
        return sheaf_segment_refuse(out_detail, SHEAF_KEY_MALFORMED, rest.size, size, "The key ends within a time");
    }
    /* Written anew it must be the same: there are other ways to write it. */
    uint8_t text[SHEAF_SEGMENT_FIXED_SIZE_MAX];
    struct sheaf_written anew = { text, sizeof text, 0 };
    sheaf_bytes found = sheaf_bytes_of(rest.data, size);
    enum sheaf_spot spot;
    bool same = sheaf_time_segment_locate(segment, found, &anew, &spot, NULL) == SHEAF_OK && spot == SPOT_AT &&
                sheaf_bytes_equal(sheaf_written_since(&anew, 0), found);
    if (!same) return sheaf_segment_refuse(out_detail, SHEAF_KEY_MALFORMED, 0, 0, "There is no time of this form");
    sheaf_write_slice(written, found);
    return SHEAF_OK;
}
