/*
 * version.h - which blocks of a grove may be changed in place, and what becomes of those that only views still need.
 *
 * Every block is stamped at its birth with the grove's version. Opening a version draws a new number from the count of changes,
 * so a stamp below that number says: it was there, and the version sees it.
 *
 *      changes ...  41  42  |43|  44  45  46  |47|  48 ...        43 and 47: versions opened
 *                           '--- P             '--- V
 *      born             42: P and V see it, frozen
 *      born                       43: V sees it, frozen           retired now: to V's dead list, in a place taken before
 *      born                                       47: free to be changed, and freed when retired
 *
 * V closes: what was born since P is freed, the rest goes to P's dead list, for P may see it. Nothing is ever freed too early,
 * and when no version is left there is nothing on any list.
 *
 * V1  Versions stand in the order of their numbers, and each number is above the birth of all its dead list.
 * V2  frozen_before is the number of the newest version; without one it is foreign_before.
 * V3  Below a frozen block everything is frozen: only what is free can be given a younger child.
 * V4  Blocks born before foreign_before are another grove's: they are never on a list and never freed.
 * V5  `retained_bytes` is what the blocks on the lists take.
 */
#ifndef SHEAF_TREE_VERSION_H
#define SHEAF_TREE_VERSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/tree/tree.h"

/* A block that only versions still need. */
struct sheaf_dead {
    void *block;
    uint64_t birth;
    size_t size;
};

enum { DEAD_CHUNK_CAPACITY = 42 }; /* a chunk takes 1 KiB */

struct sheaf_dead_chunk {
    struct sheaf_dead_chunk *next;
    uint64_t youngest; /* the latest birth in it */
    uint32_t count;
    struct sheaf_dead dead[DEAD_CHUNK_CAPACITY];
};

/* A state of the grove that is kept. The holder copies what leads to it (a tree's handle, a directory) beside. */
struct sheaf_version {
    uint64_t number;
    struct sheaf_version *older;
    struct sheaf_version *newer;
    struct sheaf_dead_chunk *chunks; /* the first is being filled */
};

/* Keeps the state of now, in constant time and without memory. */
void sheaf_version_open(struct sheaf_grove *grove, struct sheaf_version *version);

/* Lets go of it: frees what only it needed. O(its dead list). Never needs memory. */
void sheaf_version_close(struct sheaf_grove *grove, struct sheaf_version *version);

/* The tree has gone back to what this version sees, with nothing but what was written since undone: takes off the dead lists
 * what thereby lives again. Only if all that was ever undone while the version was open came to this same state. */
void sheaf_version_revive(struct sheaf_grove *grove, struct sheaf_version *version);

/* The same for blocks that `lives_again` says it of. */
typedef bool sheaf_lives_again(const void *context, const struct sheaf_dead *dead);
void sheaf_version_revive_some(struct sheaf_grove *grove, struct sheaf_version *version, sheaf_lives_again *lives_again,
                               const void *context);

/* Whether a block of this birth must stay as it is. */
static inline bool sheaf_is_frozen(const struct sheaf_grove *grove, uint64_t birth)
{
    return birth < grove->frozen_before;
}

/*
 * Takes places on the newest version's dead list for `count` blocks more than have been asked for in this change. False, with
 * nothing taken by this call, when there is no memory. Without a version there is nothing to take.
 */
bool sheaf_grove_reserve(struct sheaf_grove *grove, uint64_t count);

/* Gives places back that the change did not use. Called at the end of each change, refused ones too. */
void sheaf_grove_release(struct sheaf_grove *grove);

static inline void sheaf_grove_settle(struct sheaf_grove *grove)
{
    if (grove->reserved > 0) sheaf_grove_release(grove);
}

/* The grove has no more use for a block: frees it, or keeps it for the versions that see it, in a place reserved before. */
void sheaf_grove_retire(struct sheaf_grove *grove, void *block, size_t size, uint64_t birth);

/* V1 to V5, as far as they can be seen here. */
bool sheaf_grove_check(const struct sheaf_grove *grove, sheaf_fault *out_fault);

#endif
