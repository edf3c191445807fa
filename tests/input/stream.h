/*
 * stream.h - bytes in memory as a stream that gives so many at a time.
 */
#ifndef TESTS_INPUT_STREAM_H
#define TESTS_INPUT_STREAM_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <sheaf/bytes.h>

#include "engine/base/bytes.h"

struct stream {
    sheaf_bytes rest;
    size_t step;
    bool fails_at_end;
};

/* A stream_read. */
static inline ptrdiff_t stream_give(void *context, void *buffer, size_t size)
{
    struct stream *stream = context;
    if (stream->rest.size == 0 && stream->fails_at_end) {
        errno = EIO;
        return -1;
    }
    size = sheaf_size_min(sheaf_size_min(size, stream->step), stream->rest.size);
    if (size > 0) memcpy(buffer, stream->rest.data, size);
    stream->rest = sheaf_bytes_skip(stream->rest, size);
    return (ptrdiff_t)size;
}

#endif
