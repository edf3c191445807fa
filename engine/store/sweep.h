/*
 * sweep.h - deleting what has expired.
 */
#ifndef SHEAF_STORE_SWEEP_H
#define SHEAF_STORE_SWEEP_H

#include "engine/store/deadline.h"

/* A sweep that is done in steps, between which anything may happen. Zeroed but for the first three before the first. */
struct sheaf_sweep {
    struct sheaf_store *store;
    uint64_t now;
    uint64_t left;                   /* entries that may still go */
    struct sheaf_deadline_key place; /* the last key of the index that nothing has expired under any more */
    bool begun;                      /* there is such a key */
    bool ended;                      /* there is no more to sweep */
    uint64_t number;                 /* which of the store's sweeps */
    sheaf_totals swept;
};

/* Deletes one entry that has expired, before another is put in its place. SHEAF_OK or SHEAF_NO_MEMORY (nothing changed). */
sheaf_status sheaf_sweep_entry(struct sheaf_store *store, uint64_t hash, sheaf_bytes partition_key, sheaf_bytes sort_key);

/* A step, of so many keys of the index at most. As sheaf_store_sweep(). */
sheaf_status sheaf_sweep_step(struct sheaf_sweep *sweep, uint64_t key_max, sheaf_detail *out_detail);

#endif
