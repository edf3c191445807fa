/*
 * bytes.h - the one place where keys are compared.
 *
 * Order is unsigned bytes from the left, a proper prefix first. Everything that orders keys in Sheaf calls these, or
 * compares sheaf_bytes_head() values, which order like the first four bytes they hold.
 */
#ifndef SHEAF_BASE_BYTES_H
#define SHEAF_BASE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <sheaf/bytes.h>

static inline size_t sheaf_size_min(size_t left, size_t right)
{
    return left < right ? left : right;
}

static inline uint64_t sheaf_load64(const uint8_t *at)
{
    uint64_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

static inline uint32_t sheaf_load32(const uint8_t *at)
{
    uint32_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

/* The same as a big-endian number: orders as the bytes do. */
static inline uint64_t sheaf_load64_ordered(const uint8_t *at)
{
    uint64_t number = sheaf_load64(at);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    number = __builtin_bswap64(number);
#endif
    return number;
}

static inline uint32_t sheaf_load32_ordered(const uint8_t *at)
{
    uint32_t number = sheaf_load32(at);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    number = __builtin_bswap32(number);
#endif
    return number;
}

/*
 * Orders `size` bytes as memcmp does, where one side has just been written. Eight at a time, the last eight overlapping those
 * before: read in pieces no larger than it was written in, it need not reach the cache first. memcmp's 32 bytes at a time had to
 * wait for that: a quarter of a bulk build. Elsewhere memcmp is as fast, or faster.
 */
static inline int sheaf_bytes_order_recent(const uint8_t *left, const uint8_t *right, size_t size)
{
    uint64_t a = 0, b = 0;
    if (size >= sizeof a) {
        size_t last = size - sizeof a;
        for (size_t at = 0; a == b && at < last; at += sizeof a) {
            a = sheaf_load64_ordered(left + at);
            b = sheaf_load64_ordered(right + at);
        }
        if (a == b) {
            a = sheaf_load64_ordered(left + last);
            b = sheaf_load64_ordered(right + last);
        }
    } else if (size >= sizeof(uint32_t)) {
        size_t last = size - sizeof(uint32_t);
        a = (uint64_t)sheaf_load32_ordered(left) << 32 | sheaf_load32_ordered(left + last);
        b = (uint64_t)sheaf_load32_ordered(right) << 32 | sheaf_load32_ordered(right + last);
    } else {
        for (size_t at = 0; at < size; at++) {
            a = a << 8 | left[at];
            b = b << 8 | right[at];
        }
    }
    return (a > b) - (a < b);
}

/* Less than, equal to or greater than 0. memcmp with a size of 0 would still want valid pointers: an empty slice may be
 * NULL. */
static inline int sheaf_bytes_order(sheaf_bytes left, sheaf_bytes right)
{
    size_t shared = sheaf_size_min(left.size, right.size);
    int order = shared == 0 ? 0 : memcmp(left.data, right.data, shared);
    if (order != 0) return order;
    return (left.size > right.size) - (left.size < right.size);
}

/* Longer slices are left to memcmp. That one may load, and wait for, the cache line behind what it compares: for a key at
 * the end of its line this was a miss more for each collection looked up. */
enum { EQUAL_INLINE_MAX = 64 };

/* Whether `size` bytes are the same. Eight at a time, the last eight overlapping those before; most keys and prefixes are so
 * short that a call costs more. */
static inline __attribute__((always_inline)) bool sheaf_bytes_same(const uint8_t *left, const uint8_t *right, size_t size)
{
    if (size > EQUAL_INLINE_MAX) return memcmp(left, right, size) == 0;
    if (size >= sizeof(uint64_t)) {
        size_t last = size - sizeof(uint64_t);
        for (size_t at = 0; at < last; at += sizeof(uint64_t))
            if (sheaf_load64(left + at) != sheaf_load64(right + at)) return false;
        return sheaf_load64(left + last) == sheaf_load64(right + last);
    }
    if (size >= sizeof(uint32_t)) {
        size_t last = size - sizeof(uint32_t);
        return sheaf_load32(left) == sheaf_load32(right) && sheaf_load32(left + last) == sheaf_load32(right + last);
    }
    for (size_t at = 0; at < size; at++)
        if (left[at] != right[at]) return false;
    return true;
}

static inline bool sheaf_bytes_equal(sheaf_bytes left, sheaf_bytes right)
{
    return left.size == right.size && sheaf_bytes_same(left.data, right.data, left.size);
}

static inline bool sheaf_bytes_starts_with(sheaf_bytes bytes, sheaf_bytes prefix)
{
    return bytes.size >= prefix.size && sheaf_bytes_same(bytes.data, prefix.data, prefix.size);
}

/* How many leading bytes the two share. */
static inline size_t sheaf_bytes_shared(sheaf_bytes left, sheaf_bytes right)
{
    size_t limit = sheaf_size_min(left.size, right.size);
    size_t shared = 0;
    while (shared + 8 <= limit) {
        uint64_t a, b;
        memcpy(&a, left.data + shared, 8);
        memcpy(&b, right.data + shared, 8);
        if (a != b) break;
        shared += 8;
    }
    while (shared < limit && left.data[shared] == right.data[shared]) shared++;
    return shared;
}

/* What follows the first `size` bytes, `size` at most bytes.size. */
static inline sheaf_bytes sheaf_bytes_skip(sheaf_bytes bytes, size_t size)
{
    return sheaf_bytes_of(size == 0 ? bytes.data : bytes.data + size, bytes.size - size);
}

/* The first four bytes as a big-endian number, zero-filled: orders as the bytes do, but for ties that zeroes hide. */
static inline uint32_t sheaf_bytes_head(sheaf_bytes bytes)
{
    uint32_t head = 0;
    if (bytes.size >= 4) {
        memcpy(&head, bytes.data, 4);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        head = __builtin_bswap32(head);
#endif
        return head;
    }
    for (size_t i = 0; i < bytes.size; i++) head |= (uint32_t)bytes.data[i] << (24 - 8 * i);
    return head;
}

/* The inverse of sheaf_bytes_head(): writes four bytes, of which the caller uses as many as the key has. */
static inline void sheaf_bytes_write_head(uint8_t *out, uint32_t head)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    head = __builtin_bswap32(head);
#endif
    memcpy(out, &head, 4);
}

#endif
