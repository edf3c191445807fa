/*
 * fork.h - the end of a fork: its own blocks are found beside its base, and freed; the rest was never its own.
 */
#ifndef SHEAF_STORE_FORK_H
#define SHEAF_STORE_FORK_H

#include "engine/store/store.h"

/* Frees all blocks of a fork but its record, and lets go of its base. It has no views any more. */
void sheaf_fork_end(struct sheaf_store *store);

#endif
