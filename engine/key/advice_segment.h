/*
 * advice_segment.h - what stands in one place of the keys of one entity.
 */
#ifndef SHEAF_KEY_ADVICE_SEGMENT_H
#define SHEAF_KEY_ADVICE_SEGMENT_H

#include <sheaf/advice.h>

enum {
    ADVICE_WIDTHS = 20,  /* digits that a number can have: more are no number but a name */
    ADVICE_FORMATS = 8,  /* of times, told apart */
    ADVICE_SAMPLE = 32   /* numbers and times kept, drawn evenly from all there were */
};

/* A key that was seen, as much of it as is shown, and where in it the segment lies. */
struct advice_example {
    uint16_t size;
    uint16_t begin, end;
    uint8_t bytes[SHEAF_ADVICE_EXAMPLE_SIZE_MAX];
};

void sheaf_advice_example_set(struct advice_example *example, sheaf_bytes key, size_t begin, size_t size);

static inline sheaf_bytes sheaf_advice_example_key(const struct advice_example *example)
{
    return sheaf_bytes_of(example->bytes, example->size);
}

static inline sheaf_bytes sheaf_advice_example_segment(const struct advice_example *example)
{
    return sheaf_bytes_of(example->bytes + example->begin, (size_t)(example->end - example->begin));
}

/* How many, and of those the least and the greatest by the bytes of the segment. */
struct advice_extremes {
    uint64_t count;
    struct advice_example least, greatest;
};

/* What a segment looks like. */
enum advice_look {
    LOOK_TEXT,
    LOOK_DIGITS,
    LOOK_FORM,    /* a number with a sign or an exponent */
    LOOK_DECIMAL, /* digits, a point, digits */
    LOOK_TIME,
    LOOK_HEX_LOWER, /* eight or more hexadecimal digits, letters among them */
    LOOK_HEX_UPPER
};

/*
 * The format of a time, by which two are the same: 0 is none.
 *
 *     bits 0-3   digits of a fraction          bit 4  a time of day     bit 5  seconds     bit 6  a blank for the T
 *     bit 7      a part without its zero       bit 8  Z                 bit 9  an offset, which is in bits 16 and up, in minutes
 */
typedef uint32_t advice_format;

#define ADVICE_FORMAT_UNPADDED ((advice_format)1 << 7)

struct advice_time {
    advice_format format;
    int64_t instant_us; /* since 1970 */
};

/* Whether all of `segment` is a date, or a date and a time of day. */
bool sheaf_advice_read_time(sheaf_bytes segment, struct advice_time *out_time);

enum advice_look sheaf_advice_look(sheaf_bytes segment, struct advice_time *out_time);

/* What two segments that are in the wrong order are. */
enum wrong_kind {
    WRONG_WIDTHS, /* numbers of digits alone */
    WRONG_FORMS,  /* numbers, one of them with a sign, a point or an exponent */
    WRONG_TIMES,
    WRONG_KINDS
};

/* Two keys in the wrong order: the lower one by bytes first, which means more. */
struct advice_wrong {
    bool is_there;
    struct advice_example pair[2];
};

struct advice_segment {
    uint64_t count;
    uint64_t digits_count;
    uint64_t zero_led_count; /* wider than one digit, with a zero in front */
    uint64_t high_count;     /* of the digits: nine tenths of what the width holds, or more */
    struct advice_extremes widths[ADVICE_WIDTHS]; /* by digits, less 1 */
    bool mixes_widths; /* within a collection */
    struct advice_extremes forms;
    struct advice_extremes decimals;
    size_t whole_least, whole_most, fraction_least, fraction_most; /* digits around the point of the decimals */
    uint64_t time_count;
    size_t format_count;
    struct {
        advice_format format;
        struct advice_extremes extremes;
    } formats[ADVICE_FORMATS];
    struct advice_extremes hex_lower, hex_upper;
    struct advice_wrong wrong[WRONG_KINDS];
    uint64_t sampled_count;                            /* numbers and times offered to the sample */
    struct advice_example sample[ADVICE_SAMPLE];
    size_t size_most;
};

/* Counts the segment at `begin` of `key`. */
void sheaf_advice_count_segment(struct advice_segment *segment, sheaf_bytes key, size_t begin, size_t size);

/* How many digits its widest number has; which width most have. */
size_t sheaf_advice_width_most(const struct advice_segment *segment);
size_t sheaf_advice_width_usual(const struct advice_segment *segment);

#endif
