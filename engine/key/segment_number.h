/*
 * segment_number.h - decimal numbers as digits in columns.
 *
 *     value         12.5         -12.5
 *     pad           0012.50                      width 4, digits 2
 *     invert        9987.49                      each digit from nine
 *     signed        10012.50     09987.50        1 and the number; 0 and 10^4 - 12.5
 *
 * Works on digits, so 38 of them cost no big numbers.
 */
#ifndef SHEAF_KEY_SEGMENT_NUMBER_H
#define SHEAF_KEY_SEGMENT_NUMBER_H

#include "engine/key/segment.h"

/* A number as its text has it. The digits borrow the text. */
struct sheaf_decimal {
    bool has_minus;
    bool has_point;
    bool is_negative;     /* has a minus and is not zero */
    sheaf_bytes whole;    /* without leading zeros: none of 0.5 */
    sheaf_bytes fraction; /* without zeros at its end */
};

/* ['-'] digits ['.' digits], all of it. */
bool sheaf_decimal_parse(sheaf_bytes text, struct sheaf_decimal *out_number);

/* Less than, equal to or greater than 0, by value. */
int sheaf_decimal_compare(const struct sheaf_decimal *left, const struct sheaf_decimal *right);

/* As in segment.h, of PAD, INVERT and SIGNED. */
size_t sheaf_number_segment_size(const sheaf_segment *segment);
enum sheaf_spot sheaf_number_segment_locate(const sheaf_segment *segment, const struct sheaf_decimal *number,
                                            struct sheaf_written *written);
sheaf_status sheaf_number_segment_append(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                         sheaf_detail *out_detail);
sheaf_status sheaf_number_segment_take(const sheaf_segment *segment, sheaf_bytes rest, struct sheaf_written *written,
                                       sheaf_detail *out_detail);

#endif
