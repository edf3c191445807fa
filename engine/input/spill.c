#include "engine/input/spill.h"

#include <stdlib.h>

#include "engine/input/complaint.h"

struct buffer *spill_next(struct spill *spill)
{
    if (spill->used == spill->count) {
        struct buffer **buffers = reallocarray(spill->buffers, spill->count + 1, sizeof *buffers);
        struct buffer *buffer = calloc(1, sizeof *buffer);
        if (!buffers || !buffer) end_without_memory();
        spill->buffers = buffers;
        spill->buffers[spill->count++] = buffer;
    }
    struct buffer *buffer = spill->buffers[spill->used++];
    buffer_clear(buffer);
    return buffer;
}

void spill_release(struct spill *spill)
{
    for (size_t i = 0; i < spill->count; i++) {
        buffer_release(spill->buffers[i]);
        free(spill->buffers[i]);
    }
    free(spill->buffers);
    *spill = (struct spill){ 0 };
}
