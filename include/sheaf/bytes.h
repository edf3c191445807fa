/*
 * bytes.h - a slice: where bytes start and how many there are.
 *
 * Keys and values are slices everywhere in Sheaf; a NUL is a byte like any other and nothing is terminated by one. A slice
 * never owns what it points at: whoever hands one out says how long the bytes live.
 */
#ifndef SHEAF_BYTES_H
#define SHEAF_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include <sheaf/export.h>

SHEAF_BEGIN_DECLARATIONS

/** A borrowed run of bytes. `{NULL, 0}` is the empty slice. */
typedef struct sheaf_bytes {
    const uint8_t *data;
    size_t size; /**< in bytes */
} sheaf_bytes;

/** The slice of @p size bytes at @p data. */
static inline sheaf_bytes sheaf_bytes_of(const void *data, size_t size)
{
    sheaf_bytes bytes;
    bytes.data = (const uint8_t *)data;
    bytes.size = size;
    return bytes;
}

/** The slice of a string literal, without its closing NUL: `SHEAF_LIT("root/docs/")`. */
#define SHEAF_LIT(text) sheaf_bytes_of((text), sizeof(text) - 1)

/**
 * Orders two slices as keys are ordered: by unsigned bytes from the left, a proper prefix first.
 *
 * @return Less than, equal to or greater than 0.
 * @note Thread rule: any thread, any time. Cost: O(shorter size).
 */
SHEAF_API int sheaf_bytes_compare(sheaf_bytes left, sheaf_bytes right);

SHEAF_END_DECLARATIONS

#endif
