/*
 * sweep.h - deleting what has expired.
 */
#ifndef SHEAF_STORE_SWEEP_H
#define SHEAF_STORE_SWEEP_H

#include "engine/store/store.h"

/* Deletes one entry that has expired, before another is put in its place. SHEAF_OK or SHEAF_NO_MEMORY (nothing changed). */
sheaf_status sheaf_sweep_entry(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key);

#endif
