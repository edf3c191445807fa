/*
 * lines.h - lines of a stream, by big reads and without a copy per line.
 *
 *     buffer   |  handed out  |  line  |  read, not yet looked at  |  room  |
 *              0      last    begin    scanned                     size     capacity
 *
 * A line ends with its terminator, '\n' or (for file names) NUL. The last one may lack it. Before '\n' one '\r' belongs to the
 * terminator as well, so that files from elsewhere read alike; any other '\r' is a byte of the line. A record that goes on in the
 * next line (a quoted field of CSV) takes that in by lines_extend().
 */
#ifndef SHEAF_INPUT_LINES_H
#define SHEAF_INPUT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>

#include "engine/input/buffer.h"

/* Where reading more at a time makes no difference any more. */
#define LINES_READ_SIZE ((size_t)256 * 1024)
/* The longest line: far beyond any record, and a file of no lines does not fill the memory. */
#define LINES_LINE_SIZE_MAX ((size_t)64 * 1024 * 1024)

/* As read(2): how many bytes, 0 at the end, -1 with errno set. */
typedef ptrdiff_t (*stream_read)(void *context, void *buffer, size_t size);

struct lines {
    stream_read read;
    void *context;
    uint8_t terminator;
    bool at_end;
    struct buffer buffer;
    size_t last; /* where the line handed out last begins */
    size_t begin;
    size_t scanned;
    uint64_t line_number; /* of the end of the line handed out last, from 1 */
    uint64_t bytes_read;
};

enum lines_result {
    LINES_LINE,
    LINES_END,
    LINES_TOO_LONG,
    LINES_UNREADABLE /* errno says why */
};

/* `lines` zeroed, or used before: its room is used again. */
void lines_begin(struct lines *lines, stream_read read, void *context, uint8_t terminator);

/* The next line, without its terminator; valid until the next call. Cost: O(its size), amortized. */
enum lines_result lines_next(struct lines *lines, sheaf_bytes *out_line);

/*
 * The line handed out last together with its terminator and the line that follows, without the terminator of that. LINES_END if
 * none follows: the line, at another address, with its terminator if it had one. Cost: O(size of what is added), amortized.
 */
enum lines_result lines_extend(struct lines *lines, sheaf_bytes *out_line);

/* The line handed out last begins `size` bytes later: lines_extend() leaves out what was before. */
void lines_drop(struct lines *lines, size_t size);

void lines_release(struct lines *lines);

#endif
