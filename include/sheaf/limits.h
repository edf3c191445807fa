/*
 * limits.h - the sizes a store accepts, and why.
 *
 * The defaults are DynamoDB's, so that what fits here fits there: partition key 1 to 2048 bytes, sort key 1 to 1024 bytes, an
 * item of 400 KB (AWS, "Quotas in Amazon DynamoDB"). Each is an option of sheaf_store_create(), up to the hard limit named
 * beside it.
 */
#ifndef SHEAF_LIMITS_H
#define SHEAF_LIMITS_H

/** Longest partition key a store accepts by default, in bytes. */
#define SHEAF_PARTITION_KEY_SIZE_MAX 2048
/** The most that option can be raised to: the directory keeps the size in 32 bits; a longer key is a document. */
#define SHEAF_PARTITION_KEY_SIZE_HARD 65536

/** Longest sort key a store accepts by default, in bytes. Also the room for a key in every cursor. */
#define SHEAF_SORT_KEY_SIZE_MAX 1024
/** The most that option can be raised to: four such keys must fit a node whose offsets are 16 bits wide. */
#define SHEAF_SORT_KEY_SIZE_HARD 8192

/** Largest value a store accepts by default, in bytes: 400 KiB. */
#define SHEAF_VALUE_SIZE_MAX 409600
/** The most that option can be raised to: sizes are kept in 32 bits. */
#define SHEAF_VALUE_SIZE_HARD 4294967295u

/** Levels a collection's tree can have. A root splits only when it has four children, and each half keeps two: so many levels
 *  need 2^31 puts or more in the life of the tree. */
#define SHEAF_TREE_DEPTH_MAX 32

/** Shards of a shared store by default: several for each core of a usual machine, so that writers seldom meet. */
#define SHEAF_SHARD_COUNT 16
/** The most there can be. An empty shard takes 2 KiB, and a view of the whole as much again for each. */
#define SHEAF_SHARD_COUNT_MAX 256

#endif
