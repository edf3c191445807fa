/*
 * unpack.h - a stream that may be compressed by gzip, as the bytes it stands for.
 *
 *     plain    ... bytes ...                           handed on as they are
 *     gzip     1f 8b member | 1f 8b member | 00 00     the members' bytes, one behind the other; zeros may fill up the end
 *
 * Which of the two it is, is decided by the first two bytes (RFC 1952), so a pipe will do and names do not matter. What is
 * unpacked is handed out as it comes; lengths and checksums are verified at the end of each member, and a fault is one even if
 * nobody would have read that far.
 */
#ifndef SHEAF_INPUT_UNPACK_H
#define SHEAF_INPUT_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/input/complaint.h"
#include "engine/input/lines.h"

struct z_stream_s;

enum unpack_form {
    UNPACK_UNDECIDED,
    UNPACK_PLAIN,
    UNPACK_GZIP
};

struct unpack {
    stream_read read; /* of the stream as it is stored */
    void *context;
    enum unpack_form form;
    uint8_t *room; /* what has been read of it, and not taken: begin to end */
    size_t begin;
    size_t end;
    bool at_end;
    struct z_stream_s *inflater;
    bool in_member;
    uint64_t taken_size; /* bytes of the stream that have been unpacked */
    bool faulty;         /* what was read is no sound gzip stream; `complaint` says why */
    struct complaint complaint;
};

void unpack_begin(struct unpack *unpack, stream_read read, void *context);

/* A stream_read. -1 with errno set, or with `faulty`. */
ptrdiff_t unpack_read(void *unpack, void *buffer, size_t size);

/* Zeroed is fine. */
void unpack_end(struct unpack *unpack);

#endif
