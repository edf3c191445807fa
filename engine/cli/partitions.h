/*
 * partitions.h - the partitions of a store, in the order of their keys.
 */
#ifndef SHEAF_CLI_PARTITIONS_H
#define SHEAF_CLI_PARTITIONS_H

#include <stddef.h>
#include <stdio.h>

#include <sheaf/sheaf.h>

struct partitions {
    sheaf_collection_info *infos; /* keys borrowed from the store */
    size_t count;
};

void partitions_collect(struct partitions *partitions, const sheaf_store *store);
void partitions_release(struct partitions *partitions);

/* Says on standard error which there are: the first few, and how many more. */
void partitions_say_some(const sheaf_store *store);

#endif
