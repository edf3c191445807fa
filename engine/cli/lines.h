/*
 * lines.h - lines of a stream, by big reads and without a copy per line.
 *
 *     buffer   |  handed out  |  line  |  read, not yet looked at  |  room  |
 *              0              begin    scanned                     size     capacity
 *
 * A line ends with its terminator, '\n' or (for file names) NUL. The last one may lack it. Before '\n' one '\r' belongs to the
 * terminator as well, so that files from elsewhere read alike; any other '\r' is a byte of the line.
 */
#ifndef SHEAF_CLI_LINES_H
#define SHEAF_CLI_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>

#include "engine/cli/buffer.h"

/* Where reading more at a time makes no difference any more. */
#define LINES_READ_SIZE ((size_t)256 * 1024)
/* The longest line: far beyond any record, and a file of no lines does not fill the memory. */
#define LINES_LINE_SIZE_MAX ((size_t)64 * 1024 * 1024)

/* As read(2): how many bytes, 0 at the end, -1 with errno set. */
typedef ptrdiff_t (*lines_read)(void *context, void *buffer, size_t size);

struct lines {
    lines_read read;
    void *context;
    uint8_t terminator;
    bool at_end;
    struct buffer buffer;
    size_t begin;
    size_t scanned;
    uint64_t line_number; /* of the line handed out last, from 1 */
    uint64_t bytes_read;
};

enum lines_result {
    LINES_LINE,
    LINES_END,
    LINES_TOO_LONG,
    LINES_UNREADABLE /* errno says why */
};

/* `lines` zeroed, or used before: its room is used again. */
void lines_begin(struct lines *lines, lines_read read, void *context, uint8_t terminator);

/* The next line, without its terminator; valid until the next call. Cost: O(its size), amortized. */
enum lines_result lines_next(struct lines *lines, sheaf_bytes *out_line);

void lines_release(struct lines *lines);

#endif
