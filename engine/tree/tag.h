/*
 * tag.h - one byte of a key's hash, kept for each slot of a leaf.
 *
 * Of the whole key, so that it stays when the node's prefix changes, and keys that end or begin alike differ all the same.
 */
#ifndef SHEAF_TREE_TAG_H
#define SHEAF_TREE_TAG_H

#include "engine/base/hash.h"

static inline uint8_t sheaf_key_tag(sheaf_bytes key)
{
    return (uint8_t)(sheaf_hash(key, 0) >> 56);
}

#endif
