/*
 * segment_time.h - times as ISO-8601 in UTC, and as padded units since 1970.
 */
#ifndef SHEAF_KEY_SEGMENT_TIME_H
#define SHEAF_KEY_SEGMENT_TIME_H

#include "engine/key/segment.h"

/* As in segment.h, of TIME and EPOCH. */
size_t sheaf_time_segment_size(const sheaf_segment *segment);
sheaf_status sheaf_time_segment_append(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                       sheaf_detail *out_detail);
sheaf_status sheaf_time_segment_locate(const sheaf_segment *segment, sheaf_bytes value, struct sheaf_written *written,
                                       enum sheaf_spot *out_spot, sheaf_detail *out_detail);
int sheaf_time_segment_compare(const sheaf_segment *segment, sheaf_bytes left, sheaf_bytes right);
sheaf_status sheaf_time_segment_take(const sheaf_segment *segment, sheaf_bytes rest, struct sheaf_written *written,
                                     sheaf_detail *out_detail);

#endif
