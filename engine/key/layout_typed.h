/*
 * layout_typed.h - fields that are parts of a binary tuple, or a number by itself: their texts, and the bytes of key.h.
 *
 *     (score:u64 desc, player:text)      1500, p_8842  ->  E9 FA 23 | 03 70 5F 38 38 34 32 00
 *
 * Every part ends itself, so nothing is refused for what is behind it, and nothing has to be padded; but these keys are
 * binary.
 */
#ifndef SHEAF_KEY_LAYOUT_TYPED_H
#define SHEAF_KEY_LAYOUT_TYPED_H

#include <sheaf/key.h>

#include "engine/key/segment.h"

enum sheaf_typed_kind {
    TYPED_NONE = 0, /* a segment of a text key */
    TYPED_U64,
    TYPED_I64,
    TYPED_DOUBLE,
    TYPED_NUMBER,
    TYPED_TEXT,
    TYPED_BYTES,
    TYPED_BOOL,
    TYPED_NUMBER_KEY /* alone, as number.h writes it */
};

struct sheaf_typed {
    enum sheaf_typed_kind kind;
    sheaf_order order;
};

/* As the functions of these names in segment.h. */
sheaf_status sheaf_typed_append(const struct sheaf_typed *typed, sheaf_bytes value, struct sheaf_written *written,
                                sheaf_detail *out_detail);
sheaf_status sheaf_typed_append_beginning(const struct sheaf_typed *typed, sheaf_bytes value, struct sheaf_written *written,
                                          sheaf_detail *out_detail);
sheaf_status sheaf_typed_locate(const struct sheaf_typed *typed, sheaf_bytes value, struct sheaf_written *written,
                                enum sheaf_spot *out_spot, sheaf_detail *out_detail);
int sheaf_typed_compare(const struct sheaf_typed *typed, sheaf_bytes left, sheaf_bytes right);

/* The most a value takes as text besides the size of its part. */
#define SHEAF_TYPED_TEXT_EXTRA SHEAF_NUMBER_TEXT_SIZE_MAX

/* As in segment.h, but there must be room for all texts of the key in `written`. */
sheaf_status sheaf_typed_take(const struct sheaf_typed *typed, sheaf_bytes rest, size_t *out_size,
                              struct sheaf_written *written, sheaf_detail *out_detail);

static inline bool sheaf_typed_has_beginnings(const struct sheaf_typed *typed)
{
    return typed->kind == TYPED_TEXT || typed->kind == TYPED_BYTES;
}

#endif
