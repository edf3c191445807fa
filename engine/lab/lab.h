/*
 * lab.h - a plan carried out: every pattern tried on every layout.
 *
 *     plan ──▶ records ──▶ runs drawn, right answers found          for each pattern, once
 *                 └──────▶ loaded ──▶ trials                        for each layout
 *
 * One layout is in memory at a time, so that none is measured beside the others.
 */
#ifndef SHEAF_LAB_LAB_H
#define SHEAF_LAB_LAB_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/lab/draw.h"
#include "engine/lab/loaded.h"
#include "engine/lab/plan.h"
#include "engine/lab/records.h"
#include "engine/lab/trial.h"

struct lab_options {
    bool reproducible; /* leave out times and memory: reports are the same for every run on every machine */
    /* Told before each step; NULL: nobody. Without a layout the right answers of a pattern are found, without a pattern a
     * layout is loaded. */
    void (*on_step)(void *context, size_t step, size_t step_count, sheaf_bytes layout, sheaf_bytes pattern);
    void *context;
};

struct lab {
    const struct plan *plan;
    struct records records;
    struct draws *draws;   /* of each pattern */
    struct truth **truths; /* of each pattern, by run */
    struct loaded *loaded; /* of each layout; its store is gone */
    struct trial *trials;  /* layout after layout, by pattern */
    bool has_measures;     /* times and memory */
};

/* Carries it out; the plan must live as long. False, with a complaint, and nothing to release. */
bool lab_run(const struct plan *plan, const struct lab_options *options, struct lab *out_lab, struct complaint *complaint);

static inline const struct trial *lab_trial(const struct lab *lab, size_t layout, size_t pattern)
{
    return &lab->trials[layout * lab->plan->pattern_count + pattern];
}

/* What a run of a pattern asks. */
struct inquiry lab_inquiry(const struct lab *lab, size_t pattern, size_t run);

/* Zeroed is fine. */
void lab_release(struct lab *lab);

#endif
