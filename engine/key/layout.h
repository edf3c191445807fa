/*
 * layout.h - a compiled layout: the parts of both keys in a row.
 *
 *     pk = "SEASON#{season}", sk = "{score:pad(10)}#{player}"
 *
 *     parts    SEASON#   {season}  |  {score}   #   {player}
 *              literal   field 0      field 1       field 2
 *     keys     first 0, end 2         first 2, end 5
 *
 * L1  Literals, names and nothing else of the layout lie in its copy of the text.
 * L2  A text field of varying size is the last of its key, or a literal is behind it whose first byte is its delimiter.
 * L3  A field stands at most once in each key.
 * L4  Fields of a text key are segments; those of other keys are typed, and there are no literals between.
 *
 * One block, whatever the layout: it never grows.
 */
#ifndef SHEAF_KEY_LAYOUT_H
#define SHEAF_KEY_LAYOUT_H

#include <stdbool.h>

#include <sheaf/layout.h>

#include "engine/base/heap.h"
#include "engine/key/layout_typed.h"
#include "engine/key/segment.h"

#define SHEAF_LAYOUT_KEY_COUNT 2

/* A literal, or a field and its form. */
struct sheaf_layout_part {
    bool is_field;
    size_t column;       /* in the text, from 1 */
    sheaf_bytes literal; /* not empty */
    size_t field;
    sheaf_segment segment;    /* L4 */
    struct sheaf_typed typed; /* TYPED_NONE: a segment */
};

/* The parts of one key. */
struct sheaf_layout_row {
    sheaf_layout_type type; /* NONE: the layout has no such key */
    size_t first, end;
    size_t size_max;
};

struct sheaf_layout {
    struct sheaf_heap heap;
    size_t block_size;
    struct sheaf_layout_row rows[SHEAF_LAYOUT_KEY_COUNT];
    size_t part_count;
    struct sheaf_layout_part parts[SHEAF_LAYOUT_PART_MAX];
    size_t field_count;
    sheaf_bytes names[SHEAF_LAYOUT_PART_MAX];
    sheaf_bytes text;
    uint8_t text_bytes[]; /* L1 */
};

/* Fills the parts of a layout that has its text and nothing else yet. LAYOUT_MALFORMED: the fault is complete but for its
 * value. */
sheaf_status sheaf_layout_parse(struct sheaf_layout *layout, sheaf_layout_fault *out_fault);

/* ---- faults --------------------------------------------------------------------------------------------------------- */

static inline sheaf_field sheaf_layout_field_of(sheaf_layout_key which)
{
    return which == SHEAF_LAYOUT_PARTITION_KEY ? SHEAF_FIELD_PARTITION_KEY : SHEAF_FIELD_SORT_KEY;
}

/* A fault of a key as a whole, or of `part`, unless that is NULL. The record may be NULL. Returns `status`. */
sheaf_status sheaf_layout_refuse(sheaf_layout_fault *out_fault, sheaf_status status, sheaf_layout_key which,
                                 const struct sheaf_layout_part *part, sheaf_bytes value, const sheaf_detail *detail);

/* The row of a key; NULL, and the fault of it, if the layout has none. */
const struct sheaf_layout_row *sheaf_layout_find_row(const struct sheaf_layout *layout, sheaf_layout_key which,
                                                     sheaf_layout_fault *out_fault);

/* ---- writing a key part by part ------------------------------------------------------------------------------------- */

/* A key, or the beginning of one, under way. */
struct sheaf_layout_draft {
    const struct sheaf_layout *layout;
    sheaf_layout_key which;
    size_t begin; /* of this one in `written`, in which others may be before it */
    struct sheaf_written written;
};

/* Appends the literals from part `index` on. Returns the next field, or the end of the row. */
size_t sheaf_layout_append_literals(struct sheaf_layout_draft *draft, size_t index);

/* Appends the value of the field that part `index` is. */
sheaf_status sheaf_layout_append_field(struct sheaf_layout_draft *draft, size_t index, sheaf_bytes value,
                                       sheaf_layout_fault *out_fault);

/* KEY_TOO_LONG if that field, of that value, has made the key too long. */
sheaf_status sheaf_layout_check_size(const struct sheaf_layout_draft *draft, const struct sheaf_layout_part *part,
                                     sheaf_bytes value, sheaf_layout_fault *out_fault);

/* BUFFER_TOO_SMALL if it is. */
sheaf_status sheaf_layout_check_buffer(const struct sheaf_written *written, sheaf_layout_key which,
                                       sheaf_layout_fault *out_fault);

#endif
