/*
 * copy.h - a value copied out to where its reader wants it.
 */
#ifndef SHEAF_SHARED_COPY_H
#define SHEAF_SHARED_COPY_H

#include <string.h>

#include "engine/store/validate.h"

struct sheaf_copy {
    void *buffer;
    size_t capacity;
    size_t *out_size; /* may be NULL */
    sheaf_detail *out_detail;
};

/* SHEAF_OK or SHEAF_BUFFER_TOO_SMALL; the size is told with both. */
static inline sheaf_status sheaf_copy_out(const struct sheaf_copy *copy, sheaf_bytes value)
{
    if (copy->out_size) *copy->out_size = value.size;
    if (value.size <= copy->capacity) {
        if (value.size > 0) memcpy(copy->buffer, value.data, value.size);
        return SHEAF_OK;
    }
    sheaf_detail detail = { SHEAF_FIELD_VALUE, value.size, copy->capacity, sheaf_status_message(SHEAF_BUFFER_TOO_SMALL) };
    return sheaf_refuse(copy->out_detail, SHEAF_BUFFER_TOO_SMALL, detail);
}

#endif
