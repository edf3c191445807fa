/*
 * layout_part.h - a field of a layout, whichever kind of key it is in: a segment of text, or a typed part.
 */
#ifndef SHEAF_KEY_LAYOUT_PART_H
#define SHEAF_KEY_LAYOUT_PART_H

#include "engine/key/layout.h"
#include "engine/key/layout_typed.h"

static inline bool sheaf_layout_part_is_typed(const struct sheaf_layout_part *part)
{
    return part->typed.kind != TYPED_NONE;
}

static inline bool sheaf_layout_part_has_order(const struct sheaf_layout_part *part)
{
    return sheaf_layout_part_is_typed(part) || sheaf_segment_has_order(&part->segment);
}

/* Whether keys sort from its largest value to its least. */
static inline bool sheaf_layout_part_is_descending(const struct sheaf_layout_part *part)
{
    return sheaf_layout_part_is_typed(part) ? part->typed.order == SHEAF_DESCENDING
                                            : sheaf_segment_is_inverted(&part->segment);
}

static inline bool sheaf_layout_part_has_beginnings(const struct sheaf_layout_part *part)
{
    return sheaf_layout_part_is_typed(part) ? sheaf_typed_has_beginnings(&part->typed)
                                            : sheaf_segment_has_beginnings(&part->segment);
}

/* As the functions of these names in segment.h. */

static inline sheaf_status sheaf_layout_part_append(const struct sheaf_layout_part *part, sheaf_bytes value,
                                                    struct sheaf_written *written, sheaf_detail *out_detail)
{
    return sheaf_layout_part_is_typed(part) ? sheaf_typed_append(&part->typed, value, written, out_detail)
                                            : sheaf_segment_append(&part->segment, value, written, out_detail);
}

static inline sheaf_status sheaf_layout_part_append_beginning(const struct sheaf_layout_part *part, sheaf_bytes value,
                                                              struct sheaf_written *written, sheaf_detail *out_detail)
{
    return sheaf_layout_part_is_typed(part) ? sheaf_typed_append_beginning(&part->typed, value, written, out_detail)
                                            : sheaf_segment_append_beginning(&part->segment, value, written, out_detail);
}

static inline sheaf_status sheaf_layout_part_locate(const struct sheaf_layout_part *part, sheaf_bytes value,
                                                    struct sheaf_written *written, enum sheaf_spot *out_spot,
                                                    sheaf_detail *out_detail)
{
    return sheaf_layout_part_is_typed(part) ? sheaf_typed_locate(&part->typed, value, written, out_spot, out_detail)
                                            : sheaf_segment_locate(&part->segment, value, written, out_spot, out_detail);
}

static inline int sheaf_layout_part_compare(const struct sheaf_layout_part *part, sheaf_bytes left, sheaf_bytes right)
{
    return sheaf_layout_part_is_typed(part) ? sheaf_typed_compare(&part->typed, left, right)
                                            : sheaf_segment_compare(&part->segment, left, right);
}

static inline sheaf_status sheaf_layout_part_take(const struct sheaf_layout_part *part, sheaf_bytes rest, size_t *out_size,
                                                  struct sheaf_written *written, sheaf_detail *out_detail)
{
    return sheaf_layout_part_is_typed(part) ? sheaf_typed_take(&part->typed, rest, out_size, written, out_detail)
                                            : sheaf_segment_take(&part->segment, rest, out_size, written, out_detail);
}

#endif
