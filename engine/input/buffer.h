/*
 * buffer.h - bytes that grow at their end.
 *
 * The command is a program: when memory is refused it says so and ends, see complaint.h. A buffer is cleared and used again, so
 * a load of a million records allocates a few times.
 */
#ifndef SHEAF_INPUT_BUFFER_H
#define SHEAF_INPUT_BUFFER_H

#include <stddef.h>
#include <stdint.h>

#include <sheaf/bytes.h>

/* Zeroed is empty. */
struct buffer {
    uint8_t *data;
    size_t size;
    size_t capacity;
};

/* Makes room for `size` bytes more, and returns where they go; `size` of the buffer stays. */
uint8_t *buffer_reserve(struct buffer *buffer, size_t size);

void buffer_append(struct buffer *buffer, sheaf_bytes bytes);
void buffer_append_byte(struct buffer *buffer, uint8_t byte);
void buffer_append_text(struct buffer *buffer, const char *text);

/* As printf() has it. */
void buffer_append_format(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What it holds, until it grows. */
static inline sheaf_bytes buffer_view(const struct buffer *buffer)
{
    return sheaf_bytes_of(buffer->data, buffer->size);
}

/* Empty again; keeps its room. */
static inline void buffer_clear(struct buffer *buffer)
{
    buffer->size = 0;
}

void buffer_release(struct buffer *buffer);

#endif
