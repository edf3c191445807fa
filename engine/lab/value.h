/*
 * value.h - what a field's text means, and so how two of them are ordered: the measure that layouts are held against.
 *
 *     text      its bytes                              b < ba < c
 *     path      its bytes; parts between delimiters    docs/ < docs/cv.pdf
 *     number    a decimal of any length                -1 < 9 < 10 = 010 = 10.0
 *     time      an instant                             2026-05-01T09:00:00+02:00 < 2026-05-01T07:00:01Z
 *
 * Each value has one canonical text, and two canonical texts are ordered without knowing of any key. None of this shares code
 * with the encodings that the lab judges: a mistake made in both would go unseen.
 */
#ifndef SHEAF_LAB_VALUE_H
#define SHEAF_LAB_VALUE_H

#include <stdbool.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"
#include "engine/input/complaint.h"

enum value_type { VALUE_TEXT, VALUE_PATH, VALUE_NUMBER, VALUE_TIME };

/* The type that a plan calls `name`. False: none is called so; value_type_names() are. */
bool value_type_read(sheaf_bytes name, enum value_type *out_type);
const char *value_type_names(void);
const char *value_type_name(enum value_type type);

/* Appends the canonical text of a value. False, with a complaint and nothing appended, if `text` is no value of the type. */
bool value_append_canonical(enum value_type type, sheaf_bytes text, struct buffer *buffer, struct complaint *complaint);

/* Less than, equal to or greater than 0, of two canonical texts. */
int value_order(enum value_type type, sheaf_bytes left, sheaf_bytes right);

#endif
