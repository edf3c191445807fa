/*
 * draw.h - the runs of a pattern: what each asks for, given by the plan or drawn from the records.
 *
 * All that one run samples comes from one record, so that it asks for something that is there; the second bound of a "between"
 * comes from another record that satisfies the run's equalities. A pattern's draws depend on the seed, its place in the plan
 * and the records, not on other patterns.
 */
#ifndef SHEAF_LAB_DRAW_H
#define SHEAF_LAB_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/input/complaint.h"
#include "engine/lab/records.h"
#include "engine/lab/truth.h"

struct draws {
    struct argument *arguments; /* those of the conditions, run after run */
    size_t run_count;
    size_t condition_count;
};

/* Draws the runs of pattern number `index`. False, with a complaint, where no record is left to sample from. */
bool draws_make(const struct plan *plan, size_t index, const struct records *records, struct draws *out_draws,
                struct complaint *complaint);

static inline const struct argument *draws_run(const struct draws *draws, size_t run)
{
    return draws->arguments + run * draws->condition_count;
}

/* Zeroed is fine. */
void draws_release(struct draws *draws);

#endif
