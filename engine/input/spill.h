/*
 * spill.h - room for the bytes of fields that do not stand in the record as they are: unquoted, decoded.
 *
 * Each gets a buffer of its own, so that earlier ones stay where they are; the buffers are used again for the next record.
 */
#ifndef SHEAF_INPUT_SPILL_H
#define SHEAF_INPUT_SPILL_H

#include <stddef.h>

#include "engine/input/buffer.h"

/* Zeroed is empty. */
struct spill {
    struct buffer **buffers;
    size_t count;
    size_t used;
};

/* An empty buffer, whose bytes live until spill_clear(). */
struct buffer *spill_next(struct spill *spill);

static inline void spill_clear(struct spill *spill)
{
    spill->used = 0;
}

void spill_release(struct spill *spill);

#endif
