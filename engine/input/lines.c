#include "engine/input/lines.h"

#include <string.h>

void lines_begin(struct lines *lines, stream_read read, void *context, uint8_t terminator)
{
    struct buffer buffer = lines->buffer;
    buffer_clear(&buffer);
    *lines = (struct lines){ .read = read, .context = context, .terminator = terminator, .buffer = buffer };
}

static sheaf_bytes hand_out(struct lines *lines, size_t end)
{
    sheaf_bytes line = sheaf_bytes_of(lines->buffer.data + lines->begin, end - lines->begin);
    lines->last = lines->begin;
    lines->line_number++;
    if (lines->terminator == '\n' && line.size > 0 && line.data[line.size - 1] == '\r') line.size--;
    return line;
}

/* What has been handed out makes room for what follows. */
static void move_to_front(struct lines *lines)
{
    struct buffer *buffer = &lines->buffer;
    if (lines->begin == 0) return;
    memmove(buffer->data, buffer->data + lines->begin, buffer->size - lines->begin);
    buffer->size -= lines->begin;
    lines->scanned -= lines->begin;
    lines->begin = 0;
}

/* Reads once. False when that failed. */
static bool read_more(struct lines *lines)
{
    move_to_front(lines);
    uint8_t *room = buffer_reserve(&lines->buffer, LINES_READ_SIZE);
    ptrdiff_t size = lines->read(lines->context, room, lines->buffer.capacity - lines->buffer.size);
    if (size < 0) return false;
    lines->at_end = size == 0;
    lines->buffer.size += (size_t)size;
    lines->bytes_read += (uint64_t)size;
    return true;
}

static enum lines_result last_line(struct lines *lines, sheaf_bytes *out_line)
{
    if (lines->begin == lines->buffer.size) return LINES_END;
    *out_line = hand_out(lines, lines->buffer.size);
    lines->begin = lines->scanned = lines->buffer.size;
    return LINES_LINE;
}

enum lines_result lines_next(struct lines *lines, sheaf_bytes *out_line)
{
    for (;;) {
        size_t unseen = lines->buffer.size - lines->scanned;
        const uint8_t *found = unseen == 0 ? NULL : memchr(lines->buffer.data + lines->scanned, lines->terminator, unseen);
        if (found) {
            size_t end = (size_t)(found - lines->buffer.data);
            *out_line = hand_out(lines, end);
            lines->begin = lines->scanned = end + 1;
            return LINES_LINE;
        }
        lines->scanned = lines->buffer.size;
        if (lines->at_end) return last_line(lines, out_line);
        if (lines->buffer.size - lines->begin > LINES_LINE_SIZE_MAX) {
            lines->line_number++;
            return LINES_TOO_LONG;
        }
        if (!read_more(lines)) return LINES_UNREADABLE;
    }
}

enum lines_result lines_extend(struct lines *lines, sheaf_bytes *out_line)
{
    size_t known = lines->begin - lines->last;
    lines->begin = lines->last;
    enum lines_result result = lines_next(lines, out_line);
    if (result != LINES_LINE || lines->begin - lines->last > known) return result;
    lines->line_number--; /* the stream has ended: nothing was added */
    *out_line = sheaf_bytes_of(lines->buffer.data + lines->last, known);
    return LINES_END;
}

void lines_drop(struct lines *lines, size_t size)
{
    lines->last += size;
}

void lines_release(struct lines *lines)
{
    buffer_release(&lines->buffer);
}
