/*
 * segment_text.h - texts as they are, or with escapes.
 *
 *     delimiter #      text     a$b!     refused: ! is below #, "a!#" < "a#"
 *                      raw      a$b!     a$b!      it can be read back, that is all
 *                      escape   a$b!     a$24b$21  each byte up to $ as $ and two digits
 *
 * An escaped byte begins with the byte above the delimiter, any other byte is above that: so they sort among each other,
 * by their digits, and before all others, and the delimiter, which is the end, before them.
 */
#ifndef SHEAF_KEY_SEGMENT_TEXT_H
#define SHEAF_KEY_SEGMENT_TEXT_H

#include "engine/key/segment.h"

/* As in segment.h, of TEXT, RAW, ESCAPE and PATH. */
sheaf_status sheaf_text_segment_append(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                       sheaf_detail *out_detail);
sheaf_status sheaf_text_segment_append_beginning(const sheaf_segment *segment, sheaf_bytes value,
                                                 struct sheaf_written *written, sheaf_detail *out_detail);
sheaf_status sheaf_text_segment_locate(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                       enum sheaf_spot *out_spot, sheaf_detail *out_detail);
sheaf_status sheaf_text_segment_take(const sheaf_segment *segment, sheaf_bytes rest, size_t *out_size,
                                     struct sheaf_written *written, sheaf_detail *out_detail);

#endif
