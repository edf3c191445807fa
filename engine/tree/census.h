/*
 * census.h - every block of a grove found again: from what the store leads to, from what versions lead to, and on dead lists.
 *
 * For checking only. Takes memory of its own, which is charged to nobody; when there is none the census is incomplete and says
 * so.
 *
 * V6  What the store leads to is on no dead list, and no block is on two.
 * V7  What only versions lead to is on the dead list of the newest that does, or of a newer one: the others come before it.
 */
#ifndef SHEAF_TREE_CENSUS_H
#define SHEAF_TREE_CENSUS_H

#include "engine/tree/version.h"

struct sheaf_census_entry {
    void *block; /* NULL: no entry */
    size_t size;
    uint64_t birth;
    bool live;          /* the store leads to it */
    uint64_t seen_by;   /* the newest version that leads to it; 0: none */
    uint64_t listed_on; /* the version whose dead list it is on; 0: none */
    bool listed_twice;
};

struct sheaf_census {
    const struct sheaf_grove *grove;
    bool plain; /* there is no version: whatever is met is counted, and no table needed */
    uint64_t plain_bytes;
    struct sheaf_census_entry *entries; /* a hash table of 2^bits */
    uint32_t bits;
    uint64_t count; /* of blocks */
    bool refused; /* memory was: what follows is incomplete */
};

/* Takes in what is on the dead lists. */
void sheaf_census_begin(struct sheaf_census *census, const struct sheaf_grove *grove);
void sheaf_census_end(struct sheaf_census *census);

/* A block that the store leads to (`version` NULL), or a version. Those of another grove are left out. */
void sheaf_census_add(struct sheaf_census *census, void *block, size_t size, uint64_t birth,
                      const struct sheaf_version *version);

/* Likewise all nodes and values of a tree. NULL is an empty one. */
void sheaf_census_add_tree(struct sheaf_census *census, struct sheaf_node *root, const struct sheaf_version *version);

/* The entry of a block, which has one. */
const struct sheaf_census_entry *sheaf_census_find(const struct sheaf_census *census, const void *block);

/* All entries, one after another: from NULL to NULL. */
const struct sheaf_census_entry *sheaf_census_next(const struct sheaf_census *census, const struct sheaf_census_entry *entry);

/* V6 and V7; also how many blocks of this grove there are, and what they take. Chunks of dead lists are among them. */
bool sheaf_census_check(const struct sheaf_census *census, uint64_t *out_block_count, uint64_t *out_charged_bytes,
                        sheaf_fault *out_fault);

/* Blocks on dead lists to which no version leads. There are some only after the store has gone back to an older version while
 * newer ones were open, or was bulk built over the opening of a version. */
uint64_t sheaf_census_unseen(const struct sheaf_census *census);

#endif
