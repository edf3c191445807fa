/*
 * load.h - the records of the input into a store.
 */
#ifndef SHEAF_CLI_LOAD_H
#define SHEAF_CLI_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include <sheaf/sheaf.h>

#include "engine/cli/intake.h"
#include "engine/cli/options.h"

struct load_summary {
    struct intake_summary intake;
    uint64_t replaced_count; /* entries put again under the same keys: the last one holds */
};

/* Loads all of the input. False at the first fault, which has been said on standard error. */
bool load_records(const struct options *options, sheaf_store *store, struct load_summary *out_summary);

/* Says on standard error what was read. */
void load_summary_print(const struct load_summary *summary);

#endif
