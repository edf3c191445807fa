/*
 * trial.h - one pattern tried on one layout: is the answer right, and what does it read.
 *
 *     inquiry --> shape: one query?   yes: what the query gives is held against the truth as it comes
 *                                      no:  what has to be read instead, filtered and sorted by the reader
 *
 * An answer is right if it has as many rows as the truth, each of them satisfies the pattern, and place by place they are
 * equal in the order asked: rows that tie in that order may change places.
 */
#ifndef SHEAF_LAB_TRIAL_H
#define SHEAF_LAB_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/input/buffer.h"
#include "engine/lab/draw.h"
#include "engine/lab/loaded.h"
#include "engine/lab/truth.h"

enum wrong_kind {
    WRONG_REFUSED,   /* there is no such query */
    WRONG_SURPLUS,   /* a row that does not satisfy the pattern */
    WRONG_MISPLACED, /* a row where another one should be */
    WRONG_MISSING    /* a row is not there */
};

/* Rows of a wrong answer that are kept, to be shown beside those of the right one. */
#define WRONG_ROWS_MAX 6

/* The first wrong answer. */
struct wrong {
    enum wrong_kind kind;
    size_t run;
    size_t place;    /* from 0 */
    size_t expected; /* row; WRONG_SURPLUS: TRIAL_NO_ROW where the answer should have ended */
    size_t found;    /* row; not of WRONG_MISSING */
    struct complaint refusal;
    size_t kept_from;  /* place of the first row kept: a little before the one that is wrong */
    size_t kept_count; /* the answer may end sooner than the right one */
    uint32_t kept[WRONG_ROWS_MAX];
};

#define TRIAL_NO_ROW SIZE_MAX

/* Sums over all runs. */
struct trial {
    bool one_query;
    bool partition_fixed;
    uint64_t left_over; /* a bit for each condition that takes a filter */
    bool ordered;
    size_t run_count;
    size_t wrong_count; /* runs with a wrong answer; also where filter and sorting could not make up for what is lost */
    struct wrong wrong;
    uint64_t read_count;
    uint64_t read_bytes; /* of items */
    uint64_t returned_count;
    uint64_t returned_bytes;
    uint64_t unit_halves;
    bool seeks_children;   /* children, where keys are paths: Sheaf lists them without reading what lies below */
    uint64_t folder_count; /* of a subtree, where one query a folder would do; else 0 */
    uint64_t measured_count;
    uint64_t p50_ns; /* of reading, not of filter and sorting */
    uint64_t p99_ns;
    struct buffer query; /* the first run's, as one would write it; empty where everything is read */
};

/* Tries a pattern; `truths` has the right answer of each run. Ends with trial_release(). */
void trial_make(const struct plan *plan, const struct records *records, size_t pattern, const struct loaded *loaded,
                const struct draws *draws, const struct truth *truths, bool wants_times, struct trial *out_trial);

/* Zeroed is fine. */
void trial_release(struct trial *trial);

#endif
