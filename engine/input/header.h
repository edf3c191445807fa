/*
 * header.h - the names of the columns of a file, as its first line has them.
 */
#ifndef SHEAF_INPUT_HEADER_H
#define SHEAF_INPUT_HEADER_H

#include <stdbool.h>
#include <stddef.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"
#include "engine/input/complaint.h"
#include "engine/input/csv.h"

/* Zeroed is empty. */
struct header {
    struct buffer text;
    struct column_list names; /* of `text` */
};

void header_add(struct header *header, sheaf_bytes name);

/* The name of column `index`, valid until header_add(). */
sheaf_bytes header_name(const struct header *header, size_t index);

/* The column of that name. False, with a complaint, if there is none or more than one. Cost: O(columns). */
bool header_find(const struct header *header, sheaf_bytes name, size_t *out_index, struct complaint *complaint);

void header_release(struct header *header);

#endif
