#include "engine/input/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/input/complaint.h"

uint8_t *buffer_reserve(struct buffer *buffer, size_t size)
{
    if (size <= buffer->capacity - buffer->size) return buffer->data + buffer->size;
    size_t needed, capacity;
    if (__builtin_add_overflow(buffer->size, size, &needed)) end_without_memory();
    if (__builtin_mul_overflow(buffer->capacity, 2, &capacity)) capacity = needed;
    if (capacity < needed) capacity = needed;
    if (capacity < 64) capacity = 64;
    uint8_t *data = realloc(buffer->data, capacity);
    if (!data) end_without_memory();
    buffer->data = data;
    buffer->capacity = capacity;
    return data + buffer->size;
}

void buffer_append(struct buffer *buffer, sheaf_bytes bytes)
{
    if (bytes.size == 0) return;
    memcpy(buffer_reserve(buffer, bytes.size), bytes.data, bytes.size);
    buffer->size += bytes.size;
}

void buffer_append_byte(struct buffer *buffer, uint8_t byte)
{
    *buffer_reserve(buffer, 1) = byte;
    buffer->size++;
}

void buffer_append_text(struct buffer *buffer, const char *text)
{
    buffer_append(buffer, sheaf_bytes_of(text, strlen(text)));
}

void buffer_append_format(struct buffer *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (size < 0) return;
    uint8_t *end = buffer_reserve(buffer, (size_t)size + 1); /* the NUL is written, and not counted */
    va_start(arguments, format);
    (void)vsnprintf((char *)end, (size_t)size + 1, format, arguments);
    va_end(arguments);
    buffer->size += (size_t)size;
}

void buffer_release(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){ 0 };
}
