/*
 * blocks.h - every block that a state of a store leads to, for a census.
 */
#ifndef SHEAF_STORE_BLOCKS_H
#define SHEAF_STORE_BLOCKS_H

#include "engine/store/store.h"
#include "engine/tree/census.h"

/* The directory with all collections of a store (`version` NULL), or of the state that a version keeps. */
void sheaf_census_add_state(struct sheaf_census *census, const struct sheaf_store *store, const struct sheaf_version *version);

#endif
