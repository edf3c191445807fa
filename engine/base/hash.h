/*
 * hash.h - the hash of partition keys: XXH3 with the store's seed, compiled in from xxhash's header.
 *
 * 64 bits, all of them good: the directory takes the top ones. Include it in few files, it brings much code along.
 */
#ifndef SHEAF_BASE_HASH_H
#define SHEAF_BASE_HASH_H

#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <sheaf/bytes.h>

static inline uint64_t sheaf_hash(sheaf_bytes bytes, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes.data, bytes.size, seed);
}

#endif
